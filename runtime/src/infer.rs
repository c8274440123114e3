//! Infers shapes of outputs from shapes of inputs, so that a caller can allocate them.

use crate::RunError;
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{Dim, Role, Signature};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{bind, eval, many_axes, Env, Value};

/// Returns the shape of every output of `sig`, in the order of the parameters. It needs the shapes
/// of the given tensors and the attributes. Attributes left out take their defaults.
///
/// # Errors
/// J0603 where the given shapes do not fit the signature or leave an axis undetermined. J0605 for
/// an unknown tensor, or a missing or unknown attribute.
pub fn infer_output_shapes(
    sig: &Signature,
    inputs: &[(&str, &[usize])],
    attrs: &[(&str, Value)],
) -> Result<Vec<(String, Vec<usize>)>, RunError> {
    for (name, _) in inputs {
        if !sig.tensors().any(|(_, p, _, _)| p.name == *name) {
            return Err(RunError::refused(
                Code::J0605,
                format!("kernel `{}` has no tensor `{name}`", sig.name),
            ));
        }
    }
    let given: Vec<Option<&[usize]>> = sig
        .params
        .iter()
        .map(|p| {
            inputs
                .iter()
                .find(|(name, _)| *name == p.name)
                .map(|(_, shape)| *shape)
        })
        .collect();
    let (attrs, sizes) = bind(sig, None, &given, attrs)?;
    let env = Env {
        dims: &sizes,
        attrs: &attrs,
        chip: Chip::default_chip(),
        vars: Vec::new(),
        block: None,
    };
    let size_error = |name: &str| {
        RunError::refused(
            Code::J0603,
            format!("the shape of `{name}` cannot be computed"),
        )
    };
    sig.tensors()
        .filter(|(_, _, role, _)| *role == Role::Out)
        .map(|(id, param, _, _)| {
            let mut shape = Vec::new();
            for dim in sig.shape(id) {
                match dim {
                    Dim::Axis { axis } if sig.is_many(dim) => {
                        shape.extend(many_axes(sig, *axis, &given, &attrs)?)
                    }
                    Dim::Axis { axis } | Dim::At { axis, .. } => shape.push(
                        usize::try_from(sizes[axis.index()])
                            .map_err(|_| size_error(&param.name))?,
                    ),
                    Dim::Expr { size } => {
                        let value = eval(size, &env)
                            .and_then(Value::as_int)
                            .ok()
                            .and_then(|v| usize::try_from(v).ok());
                        shape.push(value.ok_or_else(|| size_error(&param.name))?);
                    }
                }
            }
            Ok((param.name.clone(), shape))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jumar_dsl::dtype::DType;
    use jumar_dsl::ir::{
        Axis, AxisId, Param, ParamId, ParamKind, Per, Scalar, ScalarTy, SpanId, Ty,
    };

    /// Makes the signature `x: [n.., d]`, `k: usize`, `rows: [n..]`, `wide: [n.., 2 * d, k]`.
    fn signature() -> Signature {
        let span = SpanId(0);
        let (n, d) = (Dim::Axis { axis: AxisId(0) }, Dim::Axis { axis: AxisId(1) });
        let tensor = |name: &str, role, shape: Vec<Dim>| {
            let kind = ParamKind::Tensor {
                role,
                dtype: Ty::Is(DType::F32),
                shape,
                index: None,
                optional: false,
            };
            Param {
                name: name.into(),
                kind,
                per: Per::Launch,
                span,
            }
        };
        let twice = Dim::Expr {
            size: Scalar::Axis(AxisId(1)) * 2,
        };
        let k = Dim::Expr {
            size: Scalar::Attr(ParamId(1), ScalarTy::Index),
        };
        Signature {
            name: "widen".into(),
            doc: String::new(),
            dtypes: Vec::new(),
            instances: vec![Vec::new()],
            axes: vec![
                Axis {
                    name: "n".into(),
                    many: true,
                },
                Axis {
                    name: "d".into(),
                    many: false,
                },
            ],
            items: None,
            params: vec![
                tensor("x", Role::In, vec![n.clone(), d]),
                Param {
                    name: "k".into(),
                    kind: ParamKind::Attr {
                        ty: ScalarTy::Index,
                        default: Some(Scalar::Int(5)),
                        choices: Vec::new(),
                        part: None,
                        element: None,
                    },
                    per: Per::Launch,
                    span,
                },
                tensor("rows", Role::Out, vec![n.clone()]),
                tensor("wide", Role::Out, vec![n, twice, k]),
            ],
            facts: Vec::new(),
        }
    }

    #[test]
    fn outputs_take_axes_sizes_and_attributes() {
        let sig = signature();
        let shapes = infer_output_shapes(&sig, &[("x", &[2, 3, 4])], &[]).unwrap();
        assert_eq!(
            shapes,
            [
                ("rows".to_string(), vec![2, 3]),
                ("wide".to_string(), vec![2, 3, 8, 5])
            ]
        );
        let shapes = infer_output_shapes(&sig, &[("x", &[7])], &[("k", Value::Int(1))]).unwrap();
        assert_eq!(
            shapes,
            [
                ("rows".to_string(), vec![]),
                ("wide".to_string(), vec![14, 1])
            ]
        );
    }

    #[test]
    fn open_axes_and_unknown_tensors_are_refused() {
        let sig = signature();
        assert_eq!(
            infer_output_shapes(&sig, &[], &[]).unwrap_err().code(),
            Code::J0603
        );
        assert_eq!(
            infer_output_shapes(&sig, &[("w", &[1])], &[])
                .unwrap_err()
                .code(),
            Code::J0605
        );
        assert_eq!(
            infer_output_shapes(&sig, &[("x", &[1])], &[("k", Value::Int(-1))])
                .unwrap_err()
                .code(),
            Code::J0605
        );
    }
}
