//! Binds actual arguments to the sizes of the named axes and the values of the attributes.

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
    /// The value found, its place, and the values allowed.
    pub message: String,
}

impl std::fmt::Display for BindError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}
impl std::error::Error for BindError {}

/// Computes the sizes of the named axes from the shapes of the tensors.
///
/// `shapes` has one entry a parameter, `None` for attributes and for outputs whose shape is to be
/// inferred. Every given shape is checked against the signature.
///
/// # Errors
/// J0603 where ranks differ, one axis has two sizes, an axis has no size, or an attribute names a
/// place that no axis has.
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
    // `#[shape(n + 1)]` of an input determines `n` as well.
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

/// Returns the axes that a `name..` stands for, from the first given tensor that determines them.
///
/// # Errors
/// J0603 where no given tensor determines them, or its shape does not fit the signature.
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

/// Returns a count of axes for messages, `3 axes`.
fn axes_text(count: usize) -> String {
    match count {
        0 => "no axes".to_string(),
        1 => "1 axis".to_string(),
        count => format!("{count} axes"),
    }
}

/// The arguments of a caller.
struct Given<'a, 'g> {
    sig: &'a Signature,
    shapes: &'a [Option<&'g [usize]>],
    attrs: &'a [Option<Value>],
}

impl<'a, 'g> Given<'a, 'g> {
    /// Finds an axis that is the only unknown in some computed size, its value, and the name of
    /// that tensor.
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

    /// Solves `expr == size` for one axis. `None` where `expr` is not linear in it, or no integer
    /// fits.
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

    /// Returns the entries of a tensor's shape with their sizes, the product for `name..`. The
    /// result is empty where the tensor was not given.
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

    /// Returns the axes of an array that each entry of a shape stands for.
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

    /// Returns the axis of an array that an attribute names. Fails where the placed entry cannot
    /// stand there.
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
        // A side without `name..` has a fixed number of axes.
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

/// Binds the attributes and the sizes of the named axes of a launch, and notes which optional
/// tensors were given. `shapes` is that of [`bind_shapes`].
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

/// Notes which optional tensors were given, as boolean attributes with the number of the tensor's
/// parameter.
fn bind_given(sig: &Signature, shapes: &[Option<&[usize]>], attrs: &mut [Option<Value>]) {
    for (id, ..) in sig.tensors().filter(|(id, ..)| sig.is_optional(*id)) {
        attrs[id.index()] = Some(Value::Bool(
            shapes.get(id.index()).is_some_and(Option::is_some),
        ));
    }
}

/// Computes the values of the attributes, by parameter: given ones converted to their type, the
/// others from their defaults.
///
/// An attribute of the kernel's own element type becomes an element of the instance's type, where
/// `types` says the instance.
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
            // Integers are given without a type of their own.
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
                // The checks rely on a `usize` that is not negative.
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

/// Converts a number of a launch to an element of a type, in the type that carries it. The error
/// says why it is none.
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
