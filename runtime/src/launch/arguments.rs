//! Arguments of a launch: bound by name, ordered by parameter, and the choice of the instance.

use crate::array::{InputTensor, OutputTensor};
use crate::sim::Gm;
use crate::{JobBytes, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{Lowered, ParamId, ParamKind, Per, Role, Signature, Ty};
use jumar_dsl::tiling::Value;
use std::borrow::Cow;

pub(super) enum Argument<'a> {
    Input(InputTensor<'a>),
    InOut(Result<OutputTensor<'a>, RunError>),
    Output(Result<OutputTensor<'a>, RunError>),
}

impl<'a> Argument<'a> {
    /// Borrows the argument for one item.
    pub(super) fn lend(&mut self) -> Argument<'_> {
        fn again<'s>(
            t: &'s mut Result<OutputTensor<'_>, RunError>,
        ) -> Result<OutputTensor<'s>, RunError> {
            match t {
                Ok(t) => Ok(OutputTensor {
                    dtype: t.dtype,
                    shape: t.shape.clone(),
                    bytes: &mut *t.bytes,
                }),
                Err(e) => Err(e.clone()),
            }
        }
        match self {
            Argument::Input(t) => Argument::Input(InputTensor {
                dtype: t.dtype,
                shape: t.shape.clone(),
                bytes: Cow::Borrowed(&t.bytes),
            }),
            Argument::InOut(t) => Argument::InOut(again(t)),
            Argument::Output(t) => Argument::Output(again(t)),
        }
    }
    pub(super) fn role(&self) -> Role {
        match self {
            Argument::Input(_) => Role::In,
            Argument::InOut(_) => Role::InOut,
            Argument::Output(_) => Role::Out,
        }
    }
    pub(super) fn job_bytes(&mut self) -> JobBytes<'_> {
        match self {
            Argument::Input(t) => JobBytes::Read(&t.bytes),
            Argument::InOut(Ok(t)) | Argument::Output(Ok(t)) => JobBytes::Write(t.bytes),
            // Never reached: a launch refuses an array that cannot be written.
            Argument::InOut(Err(_)) | Argument::Output(Err(_)) => JobBytes::Read(&[]),
        }
    }
    /// Returns the bytes of a written argument.
    pub(super) fn written(&self) -> Option<&[u8]> {
        match self {
            Argument::InOut(Ok(t)) | Argument::Output(Ok(t)) => Some(t.bytes),
            Argument::Input(_) | Argument::InOut(Err(_)) | Argument::Output(Err(_)) => None,
        }
    }
    /// Refuses bytes that are no elements (J0605).
    pub(super) fn are_elements(&self, name: &str) -> Result<(), RunError> {
        match self {
            Argument::Input(t) => are_elements(name, t.dtype, &t.bytes),
            Argument::InOut(Ok(t)) | Argument::Output(Ok(t)) => {
                are_elements(name, t.dtype, t.bytes)
            }
            Argument::InOut(Err(_)) | Argument::Output(Err(_)) => Ok(()),
        }
    }
    pub(super) fn facts(&self) -> Option<(DType, &[usize])> {
        match self {
            Argument::Input(t) => Some((t.dtype, &t.shape)),
            Argument::InOut(t) | Argument::Output(t) => {
                t.as_ref().ok().map(|t| (t.dtype, t.shape.as_slice()))
            }
        }
    }
}

/// The arguments bound under a name.
pub(super) struct Given<'a> {
    pub(super) name: String,
    pub(super) is_list: bool,
    pub(super) tensors: Vec<Argument<'a>>,
}

impl<'a> Given<'a> {
    pub(super) fn one(name: &str, tensor: Argument<'a>) -> Self {
        Given {
            name: name.to_string(),
            is_list: false,
            tensors: vec![tensor],
        }
    }
    pub(super) fn list(name: &str, tensors: impl Iterator<Item = Argument<'a>>) -> Self {
        Given {
            name: name.to_string(),
            is_list: true,
            tensors: tensors.collect(),
        }
    }
}

/// Returns the number of items of the lists; 1 without lists.
pub(super) fn count_items(
    sig: &Signature,
    arguments: &[Vec<Argument<'_>>],
    numbers: &[(String, Vec<Value>)],
) -> Result<usize, RunError> {
    let mut first: Option<(&str, usize)> = None;
    for (id, param) in sig.lists() {
        let count = match &param.kind {
            ParamKind::Tensor { .. } => arguments[id.index()].len(),
            ParamKind::Attr { .. } => match numbers.iter().find(|(name, _)| *name == param.name) {
                Some((_, values)) => values.len(),
                None => {
                    let message = format!(
                        "the list of numbers `{}` of kernel `{}` was not given",
                        param.name, sig.name
                    );
                    return Err(RunError::refused(Code::J0605, message));
                }
            },
        };
        let (name, known) = *first.get_or_insert((&param.name, count));
        if known != count {
            let message = format!(
                "list `{name}` has {known} items and `{}` has {count}: lists are equally long",
                param.name
            );
            return Err(RunError::refused(Code::J0605, message));
        }
    }
    Ok(first.map_or(1, |(_, count)| count))
}

/// Returns the shapes of an item's tensors, by parameter.
pub(super) fn shapes_of<'t>(
    sig: &Signature,
    arguments: &'t [Vec<Argument<'_>>],
    item: usize,
) -> Vec<Option<&'t [usize]>> {
    let at = |per| if per == Per::Item { item } else { 0 };
    let of_item = sig
        .params
        .iter()
        .zip(arguments)
        .map(|(param, all)| all.get(at(param.per)));
    of_item
        .map(|a| a.and_then(Argument::facts).map(|(_, shape)| shape))
        .collect()
}

/// Returns the shapes of the tensors that an item has.
pub(super) fn given_shapes(
    sig: &Signature,
    arguments: &[Vec<Argument<'_>>],
    item: usize,
) -> Vec<Vec<usize>> {
    shapes_of(sig, arguments, item)
        .into_iter()
        .flatten()
        .map(<[usize]>::to_vec)
        .collect()
}

/// Sorts the arguments by parameter: none for attributes, one for each item of a list.
pub(super) fn by_parameter<'a>(
    sig: &Signature,
    arguments: Vec<Given<'a>>,
) -> Result<Vec<Vec<Argument<'a>>>, RunError> {
    let refuse = |message: String| Err(RunError::refused(Code::J0605, message));
    let mut bound: Vec<Option<Vec<Argument<'a>>>> = sig.params.iter().map(|_| None).collect();
    for Given {
        name,
        is_list,
        tensors,
    } in arguments
    {
        let Some((id, param, role, _)) = sig.tensors().find(|(_, p, _, _)| p.name == name) else {
            return refuse(format!("kernel `{}` has no tensor `{name}`", sig.name));
        };
        if is_list != (param.per == Per::Item) {
            let (is, was) = if is_list {
                ("one tensor", "a list")
            } else {
                ("a list of tensors", "one tensor")
            };
            return refuse(format!("`{name}` is {is} and was bound as {was}"));
        }
        if let Some(other) = tensors.iter().map(Argument::role).find(|own| *own != role) {
            let word = |role| match role {
                Role::In => "an input",
                Role::Out => "an output",
                Role::InOut => "updated in place",
            };
            return refuse(format!(
                "`{name}` is {} and was bound as {}",
                word(role),
                word(other)
            ));
        }
        if bound[id.index()].is_some() {
            return refuse(format!("`{name}` was bound twice"));
        }
        for tensor in &tensors {
            if let Argument::InOut(Err(e)) | Argument::Output(Err(e)) = tensor {
                return Err(RunError::refused(
                    e.code(),
                    format!("`{name}`: {}", e.message()),
                ));
            }
        }
        bound[id.index()] = Some(tensors);
    }
    match sig
        .tensors()
        .find(|(id, _, _, _)| bound[id.index()].is_none() && !sig.is_optional(*id))
    {
        Some((_, param, _, _)) => refuse(format!(
            "tensor `{}` of kernel `{}` was not bound",
            param.name, sig.name
        )),
        None => Ok(bound.into_iter().map(Option::unwrap_or_default).collect()),
    }
}

/// Finds the instance whose tensor dtypes are those of the arguments.
pub(super) fn choose_instance<'l>(
    sig: &Signature,
    instances: &'l [Lowered],
    arguments: &[Vec<Argument<'_>>],
) -> Result<&'l Lowered, RunError> {
    let dtype_of = |id: ParamId| {
        arguments[id.index()]
            .first()
            .and_then(Argument::facts)
            .map(|(d, _)| d)
    };
    for (id, param, ..) in sig.tensors() {
        let other = arguments[id.index()]
            .iter()
            .filter_map(Argument::facts)
            .map(|(d, _)| d)
            .find(|d| Some(*d) != dtype_of(id));
        if let (Some(first), Some(other)) = (dtype_of(id), other) {
            let message =
                format!("list `{}` has tensors of {first} and of {other}: all of a list have one element type", param.name);
            return Err(RunError::refused(Code::J0605, message));
        }
    }
    // A tensor that is left out, or a list without items, fits any instance.
    let is = |id: ParamId, dtype| dtype_of(id).is_none_or(|given| given == dtype);
    let fits = |l: &&Lowered| {
        sig.tensors()
            .all(|(id, _, _, ty)| is(id, ty.resolve(l.binding())))
    };
    if let Some(found) = instances.iter().find(fits) {
        return Ok(found);
    }
    let list = |dtype: &dyn Fn(ParamId, Ty) -> Option<DType>| {
        let each = sig.tensors().map(|(id, p, _, ty)| {
            format!("{}: {}", p.name, dtype(id, ty).map_or("?", DType::name))
        });
        each.collect::<Vec<_>>().join(", ")
    };
    let found = list(&|id, _| dtype_of(id));
    let allowed: Vec<String> = instances
        .iter()
        .map(|l| format!("({})", list(&|_, ty| Some(ty.resolve(l.binding())))))
        .collect();
    let allowed = if allowed.is_empty() {
        "nothing".to_string()
    } else {
        allowed.join(" or ")
    };
    let message = format!(
        "kernel `{}` has no instance for ({found}); it takes {allowed}",
        sig.name
    );
    Err(RunError::refused(Code::J0605, message))
}

/// Refuses bytes that are no elements (J0605): a bool is 0 or 1.
pub(super) fn are_elements(name: &str, dtype: DType, bytes: &[u8]) -> Result<(), RunError> {
    // A fold without early exit is vectorised; the search runs only after it found something.
    let are_bits = || bytes.iter().fold(0, |all, b| all | b) <= 1;
    if dtype != DType::Bool || are_bits() {
        return Ok(());
    }
    bytes.iter().position(|b| *b > 1).map_or(Ok(()), |at| {
        let message = format!(
            "element {at} of `{name}` is {}, and a bool is 0 or 1: give `{name} != 0`",
            bytes[at]
        );
        Err(RunError::refused(Code::J0605, message))
    })
}

pub(super) fn into_gm<'a>(name: &str, argument: Argument<'a>) -> Result<Gm<'a>, RunError> {
    let role = argument.role();
    Ok(match argument {
        Argument::Input(t) => Gm::read_only(name, t.dtype, t.bytes),
        Argument::InOut(t) | Argument::Output(t) => {
            let t = t?;
            Gm::writable(name, role, t.dtype, t.shape, t.bytes)
        }
    })
}
