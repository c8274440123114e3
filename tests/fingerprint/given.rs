//! Launches made from a signature alone: sizes from a list, data as the differential suite draws
//! it.
//!
//! A refused launch is a result, too: its message is hashed.

use crate::differential::agree::{data, indices, Tensor};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Dim, ParamId, ParamKind, Per, Role, ScalarTy, Signature};
use jumar::dsl::tiling::{bind_attrs, eval, Env, Value};
use jumar::runtime::{Array, Launch};
use std::collections::BTreeMap;

/// A launch, and its outputs by name or its message.
pub struct Launched {
    pub what: String,
    pub ended: Result<Vec<(String, Array)>, String>,
}

/// Plans of launches: sizes of the axes in their order, repeated where there are more axes; whether
/// optional tensors are given; and which name an enum has.
///
/// Some sizes are even and divide one another, for kernels of groups and halves. Others are no
/// whole data blocks.
const PLANS: [([i64; 6], bool, i64); 4] = [
    ([4, 8, 16, 2, 24, 6], true, 0),
    ([7, 37, 3, 2, 5, 1], false, 1),
    ([50, 130, 2, 6, 3, 9], true, 1),
    ([2, 3, 20, 21, 4, 5], true, 0),
];

/// Items of lists.
const ITEMS: usize = 2;

/// Runs each plan in each instance.
pub fn launches(kernel: &CheckedKernel) -> Vec<Launched> {
    let sig = &kernel.kernel().sig;
    let bindings = sig
        .instances
        .iter()
        .flat_map(|binding| PLANS.iter().map(move |plan| (binding, plan)));
    bindings
        .map(|(binding, plan)| launched(kernel, binding, plan))
        .collect()
}

fn launched(kernel: &CheckedKernel, binding: &[DType], plan: &([i64; 6], bool, i64)) -> Launched {
    let types: Vec<&str> = binding.iter().map(|d| d.name()).collect();
    let what = format!("{} {} {plan:?}", kernel.kernel().sig.name, types.join(" "));
    Launched {
        what,
        ended: ended(kernel, binding, plan),
    }
}

fn ended(
    kernel: &CheckedKernel,
    binding: &[DType],
    (sizes, optional, choice): &([i64; 6], bool, i64),
) -> Result<Vec<(String, Array)>, String> {
    let sig = &kernel.kernel().sig;
    let attrs = attributes(sig, *choice);
    let given: Vec<(&str, Value)> = attrs
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    let bound =
        bind_attrs(sig, Some(binding), &given).map_err(|e| format!("{}: {}", e.code, e.message))?;
    let mut dims: Vec<i64> = (0..sig.axes.len())
        .map(|i| sizes[i % sizes.len()])
        .collect();
    if let Some(items) = sig.items {
        dims[items.index()] = ITEMS as i64;
    }
    let mut arrays: Vec<(String, Vec<Array>)> = Vec::new();
    for (id, param, role, ty) in sig
        .tensors()
        .filter(|(id, ..)| *optional || !sig.is_optional(*id))
    {
        let shape = shape(sig, id, kernel, &dims, &bound)?;
        let tensor = Tensor {
            name: param.name.clone(),
            dtype: ty.resolve(binding),
            shape,
            written: role != Role::In,
        };
        let count = if param.per == Per::Item { ITEMS } else { 1 };
        let below = sig
            .promise(id)
            .map(|below| eval(below, &env(kernel, &dims, &bound)).and_then(Value::as_int));
        let below = below.transpose().map_err(|e| format!("{e:?}"))?;
        let array = |nth: usize| match (role, below) {
            (Role::Out, _) => {
                Array::zeros(tensor.dtype, &tensor.shape).expect("an element type of tensors")
            }
            (_, Some(below)) => indices(
                tensor.dtype,
                &tensor.shape,
                below,
                u64::from(id.0) + nth as u64,
            ),
            (_, None) => data(&tensor, 11 * u64::from(id.0) + nth as u64),
        };
        arrays.push((param.name.clone(), (0..count).map(array).collect()));
    }
    let mut launch = Launch::new(kernel).pipes(true).arrays(&mut arrays);
    for (id, param, ..) in sig.attrs() {
        let Some(value) = bound[id.index()] else {
            continue;
        };
        launch = match param.per {
            Per::Launch => launch.attr(&param.name, value),
            Per::Item => launch.attrs(&param.name, [value; ITEMS]),
            Per::Place => launch,
        };
    }
    launch.run().map_err(|e| e.to_string())?;
    let roles: BTreeMap<&str, Role> = sig
        .tensors()
        .map(|(_, p, role, _)| (p.name.as_str(), role))
        .collect();
    let written = arrays
        .into_iter()
        .filter(|(name, _)| roles[name.as_str()] != Role::In);
    Ok(written
        .flat_map(|(name, all)| {
            all.into_iter()
                .zip(0..)
                .map(move |(array, nth)| (format!("{name}.{nth}"), array))
        })
        .collect())
}

/// Returns attributes without a default: places of `m @ dim` behind the axes before them, and small
/// numbers.
fn attributes(sig: &Signature, choice: i64) -> Vec<(String, Value)> {
    let place = |attr: ParamId| {
        let places = sig
            .tensors()
            .flat_map(|(id, ..)| sig.shape(id).iter().enumerate());
        places
            .filter_map(|(at, dim)| {
                matches!(dim, Dim::At { dim, .. } if *dim == attr).then_some(at as i64)
            })
            .next()
    };
    let missing = |(id, _, ty, default): (ParamId, &_, ScalarTy, Option<_>)| {
        let param = sig.param(id);
        let is_missing = default.is_none() && param.per != Per::Place;
        let value = match (&param.kind, place(id)) {
            (_, Some(at)) => Value::Int(at),
            (ParamKind::Attr { choices, .. }, _) if !choices.is_empty() => {
                Value::Int(choice.min(choices.len() as i64 - 1))
            }
            _ => match ty {
                ScalarTy::Index | ScalarTy::I32 => Value::Int(2),
                ScalarTy::F32 => Value::F32(0.75),
                ScalarTy::Bool => Value::Bool(choice == 0),
            },
        };
        (is_missing || place(id).is_some()).then(|| (param.name.clone(), value))
    };
    sig.attrs().filter_map(missing).collect()
}

fn env<'a>(kernel: &'a CheckedKernel, dims: &'a [i64], attrs: &'a [Option<Value>]) -> Env<'a> {
    Env {
        dims,
        attrs,
        chip: kernel.chip(),
        vars: Vec::new(),
        block: None,
    }
}

/// Returns a tensor's shape; an axis that stands for several has one size.
fn shape(
    sig: &Signature,
    id: ParamId,
    kernel: &CheckedKernel,
    dims: &[i64],
    attrs: &[Option<Value>],
) -> Result<Vec<usize>, String> {
    let env = env(kernel, dims, attrs);
    let size = |dim: &Dim| {
        let size = match dim {
            Dim::Axis { axis } | Dim::At { axis, .. } => dims[axis.index()],
            Dim::Expr { size } => eval(size, &env)
                .and_then(Value::as_int)
                .map_err(|e| format!("{e:?}"))?,
        };
        usize::try_from(size).map_err(|_| format!("a size of {size}"))
    };
    sig.shape(id).iter().map(size).collect()
}
