//! Scalars in the words of an author, for messages and names.

use super::{BinOp, Scalar, ScalarTy, Signature, UnOp, VarId};

impl Signature {
    /// Writes a scalar as an author would, with these names of its variables.
    pub fn said(&self, s: &Scalar, var: &dyn Fn(VarId) -> String) -> String {
        self.words(s, 0, var)
    }

    /// Writes a scalar as the receiver of a method, in brackets where it needs them.
    pub fn said_as_receiver(&self, s: &Scalar, var: &dyn Fn(VarId) -> String) -> String {
        self.words(s, 3, var)
    }

    fn words(&self, s: &Scalar, around: u8, var: &dyn Fn(VarId) -> String) -> String {
        let words = |s: &Scalar, around| self.words(s, around, var);
        let (text, own) = match s {
            Scalar::Int(v) => (v.to_string(), if *v < 0 { 1 } else { 3 }),
            Scalar::Axis(a) => (self.axes[a.index()].name.clone(), 3),
            Scalar::Attr(p, _) if self.is_optional(*p) => {
                (format!("{}.is_some()", self.param(*p).name), 3)
            }
            Scalar::Attr(p, _) => (self.param(*p).name.clone(), 3),
            Scalar::Var(v) => (var(*v), 3),
            Scalar::Bin(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let sign = if *op == BinOp::Add { "+" } else { "-" };
                (format!("{} {sign} {}", words(a, 1), words(b, 2)), 1)
            }
            Scalar::Bin(op @ (BinOp::Mul | BinOp::Div | BinOp::Rem), a, b) => {
                let sign = match op {
                    BinOp::Mul => "*",
                    BinOp::Div => "/",
                    _ => "%",
                };
                (format!("{} {sign} {}", words(a, 2), words(b, 3)), 2)
            }
            Scalar::Bin(BinOp::Min, a, b) => (format!("{}.min({})", words(a, 3), words(b, 0)), 3),
            Scalar::Bin(BinOp::Max, a, b) => (format!("{}.max({})", words(a, 3), words(b, 0)), 3),
            Scalar::Bin(BinOp::CeilDiv, a, b) => {
                (format!("{}.div_ceil({})", words(a, 3), words(b, 0)), 3)
            }
            Scalar::Bin(BinOp::AlignUp, a, b) => (
                format!("{}.next_multiple_of({})", words(a, 3), words(b, 0)),
                3,
            ),
            Scalar::Cast(ScalarTy::Index, a) if a.ty() == ScalarTy::I32 => {
                (format!("{} as usize", words(a, 3)), 2)
            }
            Scalar::Cast(_, a) => return words(a, around),
            Scalar::I32(n) => (n.to_string(), 3),
            Scalar::Float(v) => (format!("{v:?}"), if *v < 0.0 { 1 } else { 3 }),
            Scalar::Bool(v) => (v.to_string(), 3),
            Scalar::Un(UnOp::Neg, a) => (format!("-{}", words(a, 3)), 1),
            Scalar::Un(UnOp::Not, a) => match &**a {
                Scalar::Attr(p, _) if self.is_optional(*p) => {
                    (format!("{}.is_none()", self.param(*p).name), 3)
                }
                _ => (format!("!{}", words(a, 3)), 3),
            },
            Scalar::Select(c, a, b) => (
                format!(
                    "if {} {{ {} }} else {{ {} }}",
                    words(c, 0),
                    words(a, 0),
                    words(b, 0)
                ),
                0,
            ),
            Scalar::Bin(BinOp::And, a, b) => (format!("{} && {}", words(a, 1), words(b, 1)), 0),
            Scalar::Bin(BinOp::Or, a, b) => (format!("{} || {}", words(a, 1), words(b, 1)), 0),
            Scalar::Bin(
                op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne),
                a,
                b,
            ) => {
                // A variant of an enum by its name.
                let choices = if let Scalar::Attr(p, _) = &**a {
                    self.choices(*p)
                } else {
                    &[]
                };
                let variant = b
                    .as_int()
                    .and_then(|at| choices.get(usize::try_from(at).ok()?).cloned());
                (
                    format!(
                        "{} {} {}",
                        words(a, 1),
                        op.word(),
                        variant.unwrap_or_else(|| words(b, 1))
                    ),
                    0,
                )
            }
            // No author computes with any of these.
            Scalar::Chip(_)
            | Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim
            | Scalar::Un(UnOp::Sqrt, _) => ("..".to_string(), 3),
        };
        if own < around {
            format!("({text})")
        } else {
            text
        }
    }
}
