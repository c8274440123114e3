//! Binding and host tiling of the items of a launch: everything that is decided before it runs.

use crate::RunError;
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{Lowered, Param, ParamKind, Per, Role, Signature};
use jumar_dsl::soc::{Chip, MAX_BLOCK_DIM};
use jumar_dsl::tiling::{bind, eval, evaluate, Env, Tiling, TilingError, Value};

/// The numbers of a launch: attributes, lists of numbers, and numbers of all items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers<'a> {
    pub(crate) attrs: &'a [(String, Value)],
    pub(crate) lists: &'a [(String, Vec<Value>)],
}

/// The description of a launch without arrays.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// Shapes of the given tensors, one for each item of a list. Shapes of outputs may be left out.
    pub shapes: Vec<(String, Vec<Vec<usize>>)>,
    pub attrs: Vec<(String, Value)>,
    /// Lists of numbers, and numbers of all items.
    pub lists: Vec<(String, Vec<Value>)>,
}

/// Returns the host's decisions for each item of a launch on `chip`, whose number of cores counts.
/// A kernel without lists has one item.
///
/// # Errors
/// [`RunError::Refused`] as for a launch; see [`crate::Launch::run`].
pub fn plan(
    kernel: &CheckedKernel,
    instance: usize,
    chip: &Chip,
    case: &Case,
) -> Result<Vec<Tiling>, RunError> {
    let sig = &kernel.kernel().sig;
    let Some(lowered) = kernel.instances().get(instance) else {
        return Err(RunError::refused(
            Code::J0605,
            format!("kernel `{}` has no instance {instance}", sig.name),
        ));
    };
    let count = case.count(sig)?;
    let numbers = Numbers {
        attrs: &case.attrs,
        lists: &case.lists,
    };
    let item = |nth| {
        let item = Item::new(
            lowered,
            chip,
            &case.shapes_of(sig, nth),
            numbers,
            (nth, count),
        );
        item.map(|item| item.tiling).map_err(|e| {
            if sig.lists().next().is_some() {
                e.of_item(nth)
            } else {
                e
            }
        })
    };
    (0..count).map(item).collect()
}

impl Case {
    /// Returns the number of items. Every name must be one of the signature, and lists must be
    /// equally long.
    fn count(&self, sig: &Signature) -> Result<usize, RunError> {
        let refuse = |message: String| Err(RunError::refused(Code::J0605, message));
        let mut first: Option<(&str, usize)> = None;
        let shapes = self.shapes.iter().map(|(name, all)| (name, all.len()));
        for (name, count) in shapes.clone() {
            match sig.tensors().find(|(_, p, ..)| p.name == *name) {
                None => return refuse(format!("kernel `{}` has no tensor `{name}`", sig.name)),
                Some((_, p, ..)) if p.per != Per::Item && count != 1 => {
                    return refuse(format!("`{name}` is one tensor, and has {count} shapes"))
                }
                Some(_) => {}
            }
        }
        let numbers = self.lists.iter().map(|(name, all)| (name, all.len()));
        for (name, count) in shapes
            .chain(numbers)
            .filter(|(name, _)| sig.lists().any(|(_, p)| p.name == **name))
        {
            let (other, known) = *first.get_or_insert((name, count));
            if known != count {
                return refuse(format!("list `{other}` has {known} items and `{name}` has {count}: lists are equally long"));
            }
        }
        let missing = |(_, p): &(_, &Param)| {
            let is_output = matches!(
                p.kind,
                ParamKind::Tensor {
                    role: Role::Out,
                    ..
                }
            );
            !is_output
                && !self.shapes.iter().any(|(name, _)| *name == p.name)
                && !self.lists.iter().any(|(name, _)| *name == p.name)
        };
        match (first, sig.lists().next()) {
            (None, None) => Ok(1),
            (None, Some((_, p))) => refuse(format!(
                "nothing says how many items `{}` and other lists have",
                p.name
            )),
            (Some((_, count)), _) => match sig.lists().find(missing) {
                Some((_, p)) => refuse(format!(
                    "the list `{}` of kernel `{}` was not given",
                    p.name, sig.name
                )),
                None => Ok(count),
            },
        }
    }

    /// Returns the shapes of an item's tensors, by parameter.
    fn shapes_of(&self, sig: &Signature, item: usize) -> Vec<Option<&[usize]>> {
        let of_item = |p: &Param| {
            let (_, all) = self.shapes.iter().find(|(name, _)| *name == p.name)?;
            all.get(if p.per == Per::Item { item } else { 0 })
                .map(Vec::as_slice)
        };
        sig.params.iter().map(of_item).collect()
    }
}

/// An item that is ready to run. A kernel without lists has one.
pub(crate) struct Item {
    pub(crate) dims: Vec<i64>,
    pub(crate) attrs: Vec<Option<Value>>,
    pub(crate) tiling: Tiling,
}

impl Item {
    /// Binds and tiles item `nth` of `count`.
    pub(crate) fn new(
        lowered: &Lowered,
        chip: &Chip,
        shapes: &[Option<&[usize]>],
        numbers: Numbers<'_>,
        (nth, count): (usize, usize),
    ) -> Result<Item, RunError> {
        let sig = &lowered.sig;
        let given = numbers_of(sig, nth, numbers)?;
        let (attrs, dims) = bind(sig, Some(lowered.binding()), shapes, &given)?;
        let named = sig
            .items
            .map(|axis| (&sig.axes[axis.index()].name, dims[axis.index()]));
        if let Some((name, size)) = named.filter(|(_, size)| usize::try_from(*size) != Ok(count)) {
            let message = format!("axis `{name}` is {size}, and the lists have {count} items");
            return Err(RunError::refused(Code::J0603, message));
        }
        let tiling = tile(lowered, chip, &dims, &attrs)?;
        Ok(Item {
            dims,
            attrs,
            tiling,
        })
    }
}

/// Returns the attributes of an item, by name.
fn numbers_of<'s>(
    sig: &'s Signature,
    item: usize,
    numbers: Numbers<'s>,
) -> Result<Vec<(&'s str, Value)>, RunError> {
    let refuse = |message: String| Err(RunError::refused(Code::J0605, message));
    let mut given: Vec<(&str, Value)> = Vec::with_capacity(numbers.attrs.len());
    for (name, value) in numbers.attrs {
        match sig.params.iter().find(|p| p.name == *name).map(|p| p.per) {
            Some(Per::Item) => {
                return refuse(format!(
                    "`{name}` is a list: give its numbers, one for each item"
                ))
            }
            Some(Per::Place) => {
                return refuse(format!("kernel `{}` has no attribute `{name}`", sig.name))
            }
            Some(Per::Launch) | None => given.push((name, *value)),
        }
    }
    for (name, values) in numbers.lists {
        match sig.lists().find(|(_, p)| p.name == *name) {
            Some((_, p)) if matches!(p.kind, ParamKind::Attr { .. }) => {
                given.extend(values.get(item).map(|v| (name.as_str(), *v)))
            }
            Some(_) | None => given.extend(list(sig, name, values)?),
        }
    }
    given.extend(
        sig.place()
            .map(|id| (sig.param(id).name.as_str(), Value::Int(item as i64))),
    );
    Ok(given)
}

/// Returns the attributes of a list of numbers with their values.
fn list<'s>(
    sig: &'s Signature,
    name: &str,
    values: &[Value],
) -> Result<Vec<(&'s str, Value)>, RunError> {
    let ids = sig.list(name);
    let refuse = |message: String| Err(RunError::refused(Code::J0605, message));
    if ids.is_empty() {
        return refuse(format!(
            "kernel `{}` has no list of numbers `{name}`",
            sig.name
        ));
    }
    if ids.len() != values.len() {
        return refuse(format!(
            "attribute `{name}` is a list of {}, and {} were given",
            ids.len(),
            values.len()
        ));
    }
    Ok(ids
        .iter()
        .map(|id| sig.param(*id).name.as_str())
        .zip(values.iter().copied())
        .collect())
}

/// Runs the host tiling, and distinguishes a broken requirement of the author from a lack of UB.
fn tile(
    lowered: &Lowered,
    chip: &Chip,
    dims: &[i64],
    attrs: &[Option<Value>],
) -> Result<Tiling, RunError> {
    let scalar = |e| {
        RunError::refused(
            Code::J0603,
            format!(
                "the tiling of kernel `{}` has no value: {e}",
                lowered.sig.name
            ),
        )
    };
    let env = Env {
        dims,
        attrs,
        chip,
        vars: Vec::new(),
        block: None,
    };
    for fact in &lowered.sig.facts {
        if !eval(&fact.cond, &env)
            .and_then(Value::as_bool)
            .map_err(scalar)?
        {
            let message = format!("kernel `{}` requires {}", lowered.sig.name, fact.text);
            return Err(RunError::refused(Code::J0604, message));
        }
    }
    let tiling = evaluate(lowered, chip, dims, attrs).map_err(|e| match e {
        TilingError::Eval(e) => scalar(e),
        TilingError::Require(message) => RunError::refused(Code::J0606, message),
    })?;
    if !(1..=MAX_BLOCK_DIM).contains(&tiling.block_dim) {
        let message = format!(
            "the block dim is {}, allowed are 1 to {MAX_BLOCK_DIM}",
            tiling.block_dim
        );
        return Err(RunError::refused(Code::J0503, message));
    }
    Ok(tiling)
}
