//! Finds launches that a kernel accepts: one of usual sizes for usage lines and READMEs, and small
//! ones for tests.

use crate::plan::Plan;
use jumar_dsl::check::{small_launches, SmallLaunch};
use jumar_dsl::ir::{AxisId, Dim, ParamId, Signature};
use jumar_dsl::tiling::{bind_shapes, eval, evaluate, Env, Value};

/// A launch that the kernel accepts.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// The shape of each tensor, in their order.
    pub(crate) shapes: Vec<Vec<usize>>,
    /// The value of each attribute, by parameter.
    pub(crate) attrs: Vec<Option<Value>>,
}

/// The size of an inner axis, and that of a last axis.
const USUAL: [i64; 2] = [32, 1024];

/// The most elements of a tensor in a test, so that its values are computed quickly.
const MOST: usize = 1 << 16;

/// The factor of the axes in the second launch of a test. Copies without padding need multiples of
/// so many rows and elements.
const LONGER: i64 = 16;

/// Returns the launches of a test: the largest allowed one below the limit, with tails, and one of
/// whole data blocks.
pub(crate) fn tested(plan: &Plan<'_>) -> Vec<Example> {
    let small = small_launches(plan.written, plan.chip);
    let large = longer(&small);
    [small, large]
        .iter()
        .filter_map(|all| largest(plan, all))
        .collect()
}

/// Returns the launch of a README: rows of 1024 where the kernel accepts them, else a small one.
pub(crate) fn shown(plan: &Plan<'_>) -> Option<Example> {
    let sig = plan.sig;
    let dims: Vec<i64> = (0..)
        .map(AxisId)
        .take(sig.axes.len())
        .map(|axis| usual(sig, axis))
        .collect();
    // Attributes without a default have the value of a small launch.
    let of_rows = |given: Option<&SmallLaunch>| {
        let mut attrs = vec![None; sig.params.len()];
        for (id, _, _, default) in sig.attrs() {
            attrs[id.index()] =
                Some(default.or(given.and_then(|launch| launch.attrs[id.index()]))?);
        }
        of_launch(
            plan,
            &SmallLaunch {
                dims: dims.clone(),
                attrs,
            },
        )
        .filter(|own| is_taken(plan, own))
    };
    of_rows(None).or_else(|| {
        let small = small_launches(plan.written, plan.chip);
        let rows = small.iter().find_map(|launch| of_rows(Some(launch)));
        rows.or_else(|| largest(plan, &longer(&small)))
            .or_else(|| largest(plan, &small))
    })
}

/// Returns the size of an axis without other demands.
fn usual(sig: &Signature, axis: AxisId) -> i64 {
    let places = |id: ParamId| {
        sig.shape(id)
            .iter()
            .enumerate()
            .filter(move |(_, dim)| dim.axis() == Some(axis))
    };
    let is_last = |id: ParamId, at: usize| at + 1 == sig.shape(id).len();
    let in_rows = |id: ParamId| sig.shape(id).len() > 1;
    let all = || {
        sig.tensors()
            .flat_map(|(id, ..)| places(id).map(move |(at, _)| (id, at)))
    };
    let [within, last] = USUAL;
    match sig.items {
        // One item is enough.
        Some(items) if items == axis => 1,
        _ if is_spread(sig, axis) => within * last,
        _ if all().any(|(id, at)| is_last(id, at) && in_rows(id))
            || all().all(|(id, at)| is_last(id, at)) =>
        {
            last
        }
        _ => within,
    }
}

/// True for a `name..` that is the whole shape of its tensors: it is shown as two axes.
fn is_spread(sig: &Signature, axis: AxisId) -> bool {
    let own = || {
        sig.tensors()
            .map(|(id, ..)| sig.shape(id))
            .filter(|shape| shape.iter().any(|dim| dim.axis() == Some(axis)))
    };
    sig.axes[axis.index()].many && own().all(|shape| shape.len() == 1)
}

fn longer(small: &[SmallLaunch]) -> Vec<SmallLaunch> {
    let longer = |launch: &SmallLaunch| SmallLaunch {
        dims: launch
            .dims
            .iter()
            .map(|size| size.saturating_mul(LONGER))
            .collect(),
        attrs: launch.attrs.clone(),
    };
    small.iter().map(longer).collect()
}

fn largest(plan: &Plan<'_>, all: &[SmallLaunch]) -> Option<Example> {
    let elements = |example: &Example| {
        example
            .shapes
            .iter()
            .map(|shape| {
                shape
                    .iter()
                    .fold(1usize, |all, size| all.saturating_mul(*size))
            })
            .max()
            .unwrap_or(0)
    };
    let taken = all
        .iter()
        .filter_map(|launch| of_launch(plan, launch))
        .filter(|example| elements(example) <= MOST);
    taken
        .filter(|example| is_taken(plan, example))
        .max_by_key(elements)
}

fn of_launch(plan: &Plan<'_>, launch: &SmallLaunch) -> Option<Example> {
    let sig = plan.sig;
    let mut attrs = launch.attrs.clone();
    for (id, ..) in sig.tensors() {
        // Every optional tensor is given.
        if sig.is_optional(id) {
            attrs[id.index()] = Some(Value::Bool(true));
        }
        if let Some((at, dim)) = sig.placed(id) {
            attrs[dim.index()] = Some(Value::I32(i32::try_from(at).ok()?));
        }
    }
    if let Some(place) = sig.place() {
        attrs[place.index()] = Some(Value::Int(0));
    }
    let env = Env {
        dims: &launch.dims,
        attrs: &attrs,
        chip: plan.chip,
        vars: Vec::new(),
        block: None,
    };
    let [within, last] = USUAL;
    let size = |dim: &Dim| match dim {
        Dim::Axis { axis }
            if is_spread(sig, *axis) && launch.dims[axis.index()] == within * last =>
        {
            Some(USUAL.iter().map(|size| *size as usize).collect())
        }
        Dim::Axis { axis } | Dim::At { axis, .. } => {
            Some(vec![usize::try_from(launch.dims[axis.index()]).ok()?])
        }
        Dim::Expr { size } => Some(vec![
            usize::try_from(eval(size, &env).ok()?.as_int().ok()?).ok()?
        ]),
    };
    let shape = |id: ParamId| {
        Some(
            sig.shape(id)
                .iter()
                .map(size)
                .collect::<Option<Vec<Vec<usize>>>>()?
                .concat(),
        )
    };
    let shapes = sig
        .tensors()
        .map(|(id, ..)| shape(id))
        .collect::<Option<Vec<_>>>()?;
    Some(Example { shapes, attrs })
}

/// True if every instance accepts the launch and no tensor is empty.
fn is_taken(plan: &Plan<'_>, example: &Example) -> bool {
    let sig = plan.sig;
    let mut shapes = vec![None; sig.params.len()];
    sig.tensors()
        .zip(&example.shapes)
        .for_each(|((id, ..), shape)| shapes[id.index()] = Some(shape.as_slice()));
    let Ok(dims) = bind_shapes(sig, &shapes, &example.attrs) else {
        return false;
    };
    let takes = |lowered| evaluate(lowered, plan.chip, &dims, &example.attrs).is_ok();
    example.shapes.iter().flatten().all(|size| *size > 0)
        && is_item_first(sig, &dims)
        && plan.instances.iter().all(takes)
}

/// True if an example of a kernel with lists has one item.
fn is_item_first(sig: &Signature, dims: &[i64]) -> bool {
    sig.items.is_none_or(|axis| dims[axis.index()] == 1)
}
