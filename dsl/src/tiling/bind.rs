//! From actual arguments to the sizes of the named axes and the values of the attributes.

use super::{eval, Env, Value};
use crate::diag::Code;
use crate::ir::{Dim, ParamKind, Scalar, ScalarTy, Signature};
use crate::soc::Chip;

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
/// J0603 where ranks differ or one axis has two sizes, or an axis stays without size.
pub fn bind_shapes(sig: &Signature, shapes: &[Option<&[usize]>], attrs: &[Option<Value>]) -> Result<Vec<i64>, BindError> {
    let mut dims: Vec<Option<(i64, String)>> = vec![None; sig.axes.len()];
    for (id, param, _, _) in sig.tensors() {
        let Some(shape) = shapes.get(id.index()).copied().flatten() else { continue };
        for (dim, size) in match_dims(sig, param.name.as_str(), sig.shape(id), shape)? {
            let Dim::Axis { axis } = dim else { continue };
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
    let sizes = dims
        .iter()
        .zip(&sig.axes)
        .map(|(d, axis)| match d {
            Some((size, _)) => Ok(*size),
            None => Err(shape_error(format!("no argument gives the size of axis `{}`", axis.name))),
        })
        .collect::<Result<Vec<_>, _>>()?;
    for (id, param, _, _) in sig.tensors() {
        let Some(shape) = shapes.get(id.index()).copied().flatten() else { continue };
        for (dim, size) in match_dims(sig, &param.name, sig.shape(id), shape)? {
            let Dim::Expr { size: expr } = dim else { continue };
            let want = eval_size(expr, &sizes, attrs)?;
            if want != size {
                return Err(shape_error(format!("`{}` has an axis of {size} where the signature gives {want}", param.name)));
            }
        }
    }
    Ok(sizes)
}

fn eval_size(expr: &Scalar, dims: &[i64], attrs: &[Option<Value>]) -> Result<i64, BindError> {
    let env = Env { dims, attrs, chip: Chip::default_chip(), vars: Vec::new(), block: None };
    eval(expr, &env).and_then(Value::as_int).map_err(|e| shape_error(format!("a size of the signature cannot be computed: {e}")))
}

fn shape_error(message: String) -> BindError {
    BindError { code: Code::J0603, message }
}

/// Pairs shape entries with sizes; a `name..` entry takes all axes that the others leave, as their product.
fn match_dims<'a>(sig: &Signature, name: &str, dims: &'a [Dim], shape: &[usize]) -> Result<Vec<(&'a Dim, i64)>, BindError> {
    let many = |d: &Dim| matches!(d, Dim::Axis { axis } if sig.axes[axis.index()].many);
    let at = dims.iter().position(many);
    let fits = match at {
        Some(_) => shape.len() + 1 >= dims.len(),
        None => shape.len() == dims.len(),
    };
    if !fits {
        let (least, fixed) = if at.is_some() { ("at least ", dims.len() - 1) } else { ("", dims.len()) };
        return Err(shape_error(format!("`{name}` has {} axes, the signature gives it {least}{fixed}", shape.len())));
    }
    let size = |s: &[usize]| {
        s.iter()
            .try_fold(1i64, |acc, n| acc.checked_mul(i64::try_from(*n).ok()?))
            .ok_or_else(|| shape_error(format!("`{name}` has more elements than 64 bits can count")))
    };
    let Some(at) = at else {
        return dims.iter().zip(shape).map(|(d, n)| Ok((d, size(&[*n])?))).collect();
    };
    let taken = shape.len() + 1 - dims.len();
    let mut pairs = Vec::with_capacity(dims.len());
    for (i, d) in dims.iter().enumerate() {
        let from = if i <= at { i } else { i + taken - 1 };
        let to = if i == at { at + taken } else { from + 1 };
        pairs.push((d, size(&shape[from..to])?));
    }
    Ok(pairs)
}

/// Values of the attributes, by parameter: given ones converted to their type, the others from their defaults.
///
/// # Errors
/// J0605 where a value is missing, unknown or of the wrong type.
pub fn bind_attrs(sig: &Signature, given: &[(&str, Value)]) -> Result<Vec<Option<Value>>, BindError> {
    let error = |message: String| BindError { code: Code::J0605, message };
    for (name, _) in given {
        if !sig.attrs().any(|(_, p, _, _)| p.name == *name) {
            return Err(error(format!("kernel `{}` has no attribute `{name}`", sig.name)));
        }
    }
    sig.params
        .iter()
        .map(|p| {
            let ParamKind::Attr { ty, default } = &p.kind else { return Ok(None) };
            let value = match given.iter().find(|(name, _)| *name == p.name) {
                Some((_, v)) => *v,
                None => match default {
                    Some(Scalar::Int(v)) => Value::Int(*v),
                    Some(Scalar::I32(v)) => Value::I32(*v),
                    Some(Scalar::Float(v)) => Value::F32(*v),
                    Some(Scalar::Bool(v)) => Value::Bool(*v),
                    _ => return Err(error(format!("attribute `{}` has no default and no value was given", p.name))),
                },
            };
            // Whole numbers are given without a type of their own.
            let value = if let Value::I32(v) = value { Value::Int(v.into()) } else { value };
            match (ty, value) {
                (ScalarTy::F32, Value::Int(v)) => Ok(Some(Value::F32(v as f32))),
                (ScalarTy::F32, Value::F32(_)) | (ScalarTy::Bool, Value::Bool(_)) => Ok(Some(value)),
                // A kernel is checked in the belief that a `usize` is not negative.
                (ScalarTy::Index, Value::Int(0..)) => Ok(Some(value)),
                (ScalarTy::I32, Value::Int(v)) if i32::try_from(v).is_ok() => Ok(Some(Value::I32(v as i32))),
                _ => Err(error(format!("attribute `{}` is `{}`; the value given is not", p.name, ty.word()))),
            }
        })
        .collect()
}
