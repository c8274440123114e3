//! From actual arguments to the sizes of the named axes and the values of the attributes.

use super::{eval, Env, Value};
use crate::diag::Code;
use crate::dtype::DType;
use crate::ir::{AxisId, Dim, ParamId, ParamKind, Scalar, ScalarTy, Signature};
use crate::soc::Chip;
use std::collections::BTreeSet;
use std::ops::Range;

/// Arguments that do not fit the signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BindError {
    /// J0603 or J0605.
    pub code: Code,
    /// What, where, what is allowed.
    pub message: String,
}

impl std::fmt::Display for BindError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}
impl std::error::Error for BindError {}

/// Sizes of the named axes from the shapes of the tensors; one entry a parameter, `None` for attributes and for
/// outputs whose shape is to be inferred. Every given shape is checked against the signature.
///
/// # Errors
/// J0603 where ranks differ or one axis has two sizes, an axis stays without size, or an attribute says a place that no axis has.
pub fn bind_shapes(
    sig: &Signature,
    shapes: &[Option<&[usize]>],
    attrs: &[Option<Value>],
) -> Result<Vec<i64>, BindError> {
    let given = Given { sig, shapes, attrs };
    let mut dims: Vec<Option<(i64, String)>> = vec![None; sig.axes.len()];
    for (id, param, _, _) in sig.tensors() {
        for (dim, size) in given.entries(id)? {
            let Some(axis) = dim.axis() else { continue };
            match &dims[axis.index()] {
                Some((known, from)) if *known != size => {
                    return Err(shape_error(format!(
                        "axis `{}` is {known} in `{from}` and {size} in `{}`",
                        sig.axes[axis.index()].name,
                        param.name
                    )))
                }
                Some(_) => {}
                None => dims[axis.index()] = Some((size, param.name.clone())),
            }
        }
    }
    // `#[shape(n + 1)]` of an input tells `n`, too.
    while let Some((axis, size, from)) = given.next_solved(&dims)? {
        dims[axis.index()] = Some((size, from));
    }
    let sizes = dims
        .iter()
        .zip(&sig.axes)
        .zip(0..)
        .map(|((d, axis), id)| (d, axis, AxisId(id)))
        .map(|(d, axis, id)| match d {
            Some((size, _)) => Ok(*size),
            None if sig.is_axis_of_optional(id) => Ok(1),
            None => Err(shape_error(format!(
                "no argument gives the size of axis `{}`",
                axis.name
            ))),
        })
        .collect::<Result<Vec<_>, _>>()?;
    for (id, param, _, _) in sig.tensors() {
        for (dim, size) in given.entries(id)? {
            let Dim::Expr { size: expr } = dim else {
                continue;
            };
            let want = eval_size(expr, &sizes, attrs)?;
            if want != size {
                return Err(shape_error(format!(
                    "`{}` has an axis of {size} where the signature gives {want}",
                    param.name
                )));
            }
        }
    }
    Ok(sizes)
}

/// The axes that a `name..` stands for, as the first given tensor that tells them has them.
///
/// # Errors
/// J0603 where no given tensor tells them, or its shape does not fit the signature.
pub fn many_axes<'a>(
    sig: &Signature,
    many: AxisId,
    shapes: &[Option<&'a [usize]>],
    attrs: &[Option<Value>],
) -> Result<&'a [usize], BindError> {
    let given = |id: ParamId| shapes.get(id.index()).copied().flatten();
    let Some((id, shape)) = sig
        .teller(many, |id, _| given(id).is_some())
        .and_then(|id| Some((id, given(id)?)))
    else {
        return Err(shape_error(format!(
            "no argument gives the axes of `{}..`",
            sig.axes[many.index()].name
        )));
    };
    let spans = Given { sig, shapes, attrs }.spans(id, shape)?;
    let own = sig
        .shape(id)
        .iter()
        .position(|dim| dim.axis() == Some(many));
    Ok(own.map_or(&[], |at| &shape[spans[at].clone()]))
}

fn eval_size(expr: &Scalar, dims: &[i64], attrs: &[Option<Value>]) -> Result<i64, BindError> {
    let env = Env {
        dims,
        attrs,
        chip: Chip::default_chip(),
        vars: Vec::new(),
        block: None,
    };
    eval(expr, &env)
        .and_then(Value::as_int)
        .map_err(|e| shape_error(format!("a size of the signature cannot be computed: {e}")))
}

fn shape_error(message: String) -> BindError {
    BindError {
        code: Code::J0603,
        message,
    }
}

/// `3 axes`, for messages.
fn axes_text(count: usize) -> String {
    match count {
        0 => "no axes".to_string(),
        1 => "1 axis".to_string(),
        count => format!("{count} axes"),
    }
}

/// What a caller gave.
struct Given<'a, 'g> {
    sig: &'a Signature,
    shapes: &'a [Option<&'g [usize]>],
    attrs: &'a [Option<Value>],
}

impl<'a, 'g> Given<'a, 'g> {
    /// An axis without a size, of which alone some given size is a sum, with what it is, and the tensor that says so.
    fn next_solved(
        &self,
        dims: &[Option<(i64, String)>],
    ) -> Result<Option<(AxisId, i64, String)>, BindError> {
        for (id, param, _, _) in self.sig.tensors() {
            for (dim, size) in self.entries(id)? {
                let Dim::Expr { size: expr } = dim else {
                    continue;
                };
                let mut open = BTreeSet::new();
                expr.walk(&mut |s| {
                    if let Scalar::Axis(axis) = s {
                        open.extend(dims[axis.index()].is_none().then_some(*axis));
                    }
                });
                let (Some(axis), 1) = (open.first().copied(), open.len()) else {
                    continue;
                };
                if let Some(own) = self.solved(expr, size, axis, dims) {
                    return Ok(Some((axis, own, param.name.clone())));
                }
            }
        }
        Ok(None)
    }

    /// What an axis has where a sum in which it stands comes to a size; nothing where that is no sum, or no whole number.
    fn solved(
        &self,
        expr: &Scalar,
        size: i64,
        axis: AxisId,
        dims: &[Option<(i64, String)>],
    ) -> Option<i64> {
        let known: Vec<i64> = dims
            .iter()
            .map(|dim| dim.as_ref().map_or(0, |(size, _)| *size))
            .collect();
        let at = |own: i64| {
            let mut dims = known.clone();
            dims[axis.index()] = own;
            eval_size(expr, &dims, self.attrs).ok()
        };
        let (none, one, two) = (at(0)?, at(1)?, at(2)?);
        let step = one
            .checked_sub(none)
            .filter(|step| *step != 0 && two.checked_sub(one) == Some(*step))?;
        let own = size
            .checked_sub(none)?
            .checked_div(step)
            .filter(|own| *own >= 0)?;
        (at(own) == Some(size)).then_some(own)
    }

    /// The entries of a tensor's shape with the sizes that they have, of `name..` the product; none where it was not given.
    fn entries(&self, id: ParamId) -> Result<Vec<(&'a Dim, i64)>, BindError> {
        let Some(shape) = self.shapes.get(id.index()).copied().flatten() else {
            return Ok(Vec::new());
        };
        let large = || {
            shape_error(format!(
                "`{}` has more elements than 64 bits can count",
                self.sig.param(id).name
            ))
        };
        let size = |span: Range<usize>| {
            let product = shape[span]
                .iter()
                .try_fold(1i64, |acc, n| acc.checked_mul(i64::try_from(*n).ok()?));
            product.ok_or_else(large)
        };
        let spans = self.spans(id, shape)?;
        self.sig
            .shape(id)
            .iter()
            .zip(spans)
            .map(|(dim, span)| Ok((dim, size(span)?)))
            .collect()
    }

    /// The axes of an array that each entry of a shape stands for.
    fn spans(&self, id: ParamId, shape: &[usize]) -> Result<Vec<Range<usize>>, BindError> {
        let (sig, rank) = (self.sig, shape.len());
        let dims = sig.shape(id);
        let many: Vec<usize> = (0..dims.len()).filter(|i| sig.is_many(&dims[*i])).collect();
        let single = dims.len() - many.len();
        let wrong = |said: String| {
            shape_error(format!(
                "`{}` has {}, the signature gives it {said}",
                sig.param(id).name,
                axes_text(rank)
            ))
        };
        let mut counts = vec![1; dims.len()];
        if many.is_empty() && rank != single {
            return Err(wrong(axes_text(single)));
        }
        if rank < single {
            return Err(wrong(format!("at least {}", axes_text(single))));
        }
        match (&many[..], sig.placed(id)) {
            ([], _) => {}
            ([one], _) => counts[*one] = rank - single,
            (several, None) => {
                for at in several {
                    let axis = dims[*at].axis().expect("`name..` is an axis");
                    counts[*at] = many_axes(sig, axis, self.shapes, self.attrs)?.len();
                }
                let all = counts.iter().sum();
                if all != rank {
                    return Err(wrong(axes_text(all)));
                }
            }
            (several, Some((placed, dim))) => {
                let place = self.place(id, rank, placed, dim)?;
                let before = several.iter().take_while(|at| **at < placed).count();
                for at in several {
                    let (all, others) = match *at < placed {
                        true => (place, placed - before),
                        false => (
                            rank - 1 - place,
                            dims.len() - 1 - placed - (several.len() - before),
                        ),
                    };
                    counts[*at] = all - others;
                }
            }
        }
        let mut from = 0;
        let spans: Vec<Range<usize>> = counts
            .iter()
            .map(|count| {
                from += count;
                from - count..from
            })
            .collect();
        sig.placed(id)
            .map_or(Ok(0), |(placed, dim)| self.place(id, rank, placed, dim))?;
        Ok(spans)
    }

    /// Which axis of an array an attribute means; an error where the entry that is to stand there cannot.
    fn place(
        &self,
        id: ParamId,
        rank: usize,
        placed: usize,
        dim: ParamId,
    ) -> Result<usize, BindError> {
        let (sig, dims) = (self.sig, self.sig.shape(id));
        let side = |dims: &[Dim]| {
            let many = dims.iter().filter(|dim| sig.is_many(dim)).count();
            (dims.len() - many, many > 0)
        };
        let ((before, open), (behind, open_behind)) =
            (side(&dims[..placed]), side(&dims[placed + 1..]));
        // What has no `name..` on one side has so many axes there.
        let (low, high) = match (open, open_behind) {
            (true, true) => (before, rank - 1 - behind),
            (false, _) => (before, before),
            (true, false) => (rank - 1 - behind, rank - 1 - behind),
        };
        let (name, attr) = (&sig.param(id).name, sig.param(dim));
        let value = self
            .attrs
            .get(dim.index())
            .copied()
            .flatten()
            .and_then(|v| v.as_int().ok());
        let Some(value) = value else {
            return Err(shape_error(format!(
                "attribute `{}` says where an axis of `{name}` stands, and has no value",
                attr.name
            )));
        };
        let from_end = if value < 0 {
            value + rank as i64
        } else {
            value
        };
        if let Some(place) = usize::try_from(from_end)
            .ok()
            .filter(|at| (low..=high).contains(at))
        {
            return Ok(place);
        }
        let (low, high, rank) = (low as i64, high as i64, rank as i64);
        let to = |low: i64, high: i64| {
            if low == high {
                low.to_string()
            } else {
                format!("{low} to {high}")
            }
        };
        let negative = matches!(
            attr.kind,
            ParamKind::Attr {
                ty: ScalarTy::I32,
                ..
            }
        );
        let allowed = match (negative, low == 0 && high == rank - 1) {
            (false, _) => to(low, high),
            (true, true) => to(-rank, high),
            (true, false) => {
                format!(
                    "{}, or {} from the end",
                    to(low, high),
                    to(low - rank, high - rank)
                )
            }
        };
        let axes = axes_text(rank as usize);
        Err(shape_error(format!(
            "attribute `{}` is {value} and `{name}` has {axes}: allowed is {allowed}",
            attr.name
        )))
    }
}

/// Attributes, which tensors that may be left out were given among them, and sizes of the named axes, of a launch; one entry of `shapes` a
/// parameter, as [`bind_shapes`] takes them.
///
/// # Errors
/// Those of [`bind_attrs`] and [`bind_shapes`].
pub fn bind(
    sig: &Signature,
    types: Option<&[DType]>,
    shapes: &[Option<&[usize]>],
    given: &[(&str, Value)],
) -> Result<(Vec<Option<Value>>, Vec<i64>), BindError> {
    let mut attrs = bind_attrs(sig, types, given)?;
    bind_given(sig, shapes, &mut attrs);
    let dims = bind_shapes(sig, shapes, &attrs)?;
    Ok((attrs, dims))
}

/// Notes which tensors that may be left out were given, as the attributes of the same number; one entry of `shapes` a parameter.
fn bind_given(sig: &Signature, shapes: &[Option<&[usize]>], attrs: &mut [Option<Value>]) {
    for (id, ..) in sig.tensors().filter(|(id, ..)| sig.is_optional(*id)) {
        attrs[id.index()] = Some(Value::Bool(
            shapes.get(id.index()).is_some_and(Option::is_some),
        ));
    }
}

/// Values of the attributes, by parameter: given ones converted to their type, the others from their defaults. Those of the kernel's own
/// element types are elements of those of an instance, `types`, where it is known.
///
/// # Errors
/// J0605 where a value is missing, unknown or of the wrong type.
pub fn bind_attrs(
    sig: &Signature,
    types: Option<&[DType]>,
    given: &[(&str, Value)],
) -> Result<Vec<Option<Value>>, BindError> {
    let error = |message: String| BindError {
        code: Code::J0605,
        message,
    };
    for (name, _) in given {
        if !sig.attrs().any(|(_, p, _, _)| p.name == *name) {
            return Err(error(format!(
                "kernel `{}` has no attribute `{name}`",
                sig.name
            )));
        }
    }
    sig.params
        .iter()
        .map(|p| {
            let ParamKind::Attr {
                ty,
                choices,
                element,
                ..
            } = &p.kind
            else {
                return Ok(None);
            };
            let said = given
                .iter()
                .find(|(name, _)| *name == p.name)
                .map(|(_, v)| *v);
            let Some(value) = said.or_else(|| p.kind.default_value()) else {
                return Err(error(format!(
                    "attribute `{}` has no default and no value was given",
                    p.name
                )));
            };
            // Whole numbers are given without a type of their own.
            let value = if let Value::I32(v) = value {
                Value::Int(v.into())
            } else {
                value
            };
            let dtype = match (element, types) {
                (Some(element), Some(types)) => Some(element.resolve(types)),
                (Some(_), None) if *ty == ScalarTy::I32 => Some(DType::I32),
                (Some(_), None) => Some(DType::F32),
                (None, _) => None,
            };
            let value = match dtype {
                Some(dtype) => element_of(dtype, *ty, value).map_err(|said| {
                    error(format!("attribute `{}` is {value}, and {said}", p.name))
                })?,
                None => value,
            };
            match (ty, value) {
                (_, Value::Int(v))
                    if !choices.is_empty()
                        && usize::try_from(v).map_or(true, |v| v >= choices.len()) =>
                {
                    let known = choices
                        .iter()
                        .enumerate()
                        .map(|(i, name)| format!("{i} ({name})"))
                        .collect::<Vec<_>>()
                        .join(", ");
                    Err(error(format!(
                        "attribute `{}` is {v}; its choices are {known}",
                        p.name
                    )))
                }
                (ScalarTy::F32, Value::Int(v)) => Ok(Some(Value::F32(v as f32))),
                (ScalarTy::F32, Value::F32(_)) | (ScalarTy::Bool, Value::Bool(_)) => {
                    Ok(Some(value))
                }
                // A kernel is checked in the belief that a `usize` is not negative.
                (ScalarTy::Index, Value::Int(0..)) => Ok(Some(value)),
                (ScalarTy::I32, Value::Int(v)) if i32::try_from(v).is_ok() => {
                    Ok(Some(Value::I32(v as i32)))
                }
                _ => Err(error(format!(
                    "attribute `{}` is `{}`; the value given is not",
                    p.name,
                    ty.word()
                ))),
            }
        })
        .collect()
}

/// A number that a launch says as an element of a type, as it is carried; else what is wrong with it.
fn element_of(dtype: DType, carrier: ScalarTy, given: Value) -> Result<Value, String> {
    let element = dtype.number(given)?;
    match (element, carrier) {
        (Value::Int(v), ScalarTy::F32) if v as f32 as i64 != v => Err(
            "a kernel with instances of floats takes it as an f32, which is no such number"
                .to_string(),
        ),
        (element, _) => Ok(element),
    }
}
