//! Scalar expressions: sizes, offsets, attributes, host-computed numbers.
//!
//! One tree type serves shape equations, the host tiling function and device arithmetic; its stage
//! (const, host, block) follows from the leaves. There is one evaluator in Rust
//! ([`crate::tiling::eval`]) and one printer to C++ (in `codegen`).
//! Integers are 64-bit (`Index`) or 32-bit; `Index` division truncates and is only ever applied to
//! non-negative operands. `f32` arithmetic rounds after each operation.

use super::text::{text_word, Printer, Reader, Text, TextError};
use super::{AxisId, ParamId, Ty, VarId};
use std::sync::Arc;

/// Type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarTy {
    /// Sizes and offsets, `usize` in a kernel, `int64_t` in C++.
    Index,
    /// `i32`.
    I32,
    /// `f32`.
    F32,
    /// `bool`.
    Bool,
}
text_word!(ScalarTy { Index = "usize", I32 = "i32", F32 = "f32", Bool = "bool" });

impl ScalarTy {
    const ALL: [ScalarTy; 4] = [ScalarTy::Index, ScalarTy::I32, ScalarTy::F32, ScalarTy::Bool];

    /// What stands behind the number of an id of this type in the IR text.
    pub(super) const fn suffix(self) -> &'static str {
        match self {
            ScalarTy::Index => "",
            ScalarTy::I32 => "i",
            ScalarTy::F32 => "f",
            ScalarTy::Bool => "b",
        }
    }

    /// Number and type of an id: `$3f`, without regard to its prefix.
    pub(super) fn of_id(token: &str) -> Option<(u32, ScalarTy)> {
        let digits = token.get(1..)?.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let suffix = token.get(1 + digits.len()..)?;
        let ty = ScalarTy::ALL.into_iter().find(|ty| ty.suffix() == suffix)?;
        Some((digits.parse().ok()?, ty))
    }
}

/// Unary scalar operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// Arithmetic negation.
    Neg,
    /// Logical not.
    Not,
    /// Square root of an `f32`.
    Sqrt,
}
text_word!(UnOp { Neg = "neg", Not = "not", Sqrt = "sqrt" });

/// Binary scalar operators. Comparisons and `And`/`Or` give `Bool`; the others keep the operand type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Truncating for integers, rounding to `f32` for floats.
    Div,
    Rem,
    CeilDiv,
    Min,
    Max,
    /// Left operand rounded up to a multiple of the right one.
    AlignUp,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}
text_word!(BinOp {
    Add = "+", Sub = "-", Mul = "*", Div = "/", Rem = "%", CeilDiv = "ceil_div", Min = "min", Max = "max",
    AlignUp = "align_up", Lt = "<", Le = "<=", Gt = ">", Ge = ">=", Eq = "==", Ne = "!=", And = "and", Or = "or",
});

impl BinOp {
    /// True for the operators whose result is `Bool`.
    pub const fn is_predicate(self) -> bool {
        matches!(self, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne | BinOp::And | BinOp::Or)
    }
}

/// A fact of the chip that host code may use; known when a kernel is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChipFact {
    /// Cores that run vector code.
    VectorCores,
    /// UB bytes that a kernel may plan with.
    UbBytes,
}
text_word!(ChipFact { VectorCores = "vector_cores", UbBytes = "ub_bytes" });

/// A scalar expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// Integer literal of type `Index` (or `I32` where a cast says so).
    Int(i64),
    /// `f32` literal.
    Float(f32),
    /// Boolean literal.
    Bool(bool),
    /// Size of a named axis; for `name..` the product of the axes it stands for.
    Axis(AxisId),
    /// Value of a scalar attribute of this type.
    Attr(ParamId, ScalarTy),
    /// Chip fact.
    Chip(ChipFact),
    /// Let-bound scalar, loop variable or solved size.
    Var(VarId),
    /// `size_of::<T>()`; lowering replaces it by the number.
    SizeOf(Ty),
    /// `GetBlockIdx()`.
    BlockIdx,
    /// `GetBlockNum()`.
    BlockDim,
    /// Unary operator.
    Un(UnOp, Arc<Scalar>),
    /// Binary operator.
    Bin(BinOp, Arc<Scalar>, Arc<Scalar>),
    /// `if c { a } else { b }`.
    Select(Arc<Scalar>, Arc<Scalar>, Arc<Scalar>),
    /// Conversion; to integers it truncates and saturates, as Rust's `as`.
    Cast(ScalarTy, Arc<Scalar>),
}

/// When a scalar's value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// At compile time.
    Const,
    /// In host tiling: sizes, attributes, chip facts.
    Host,
    /// On a core: depends on `block_idx` or on a device loop.
    Block,
}

impl From<i64> for Scalar {
    fn from(v: i64) -> Self {
        Scalar::Int(v)
    }
}
impl From<VarId> for Scalar {
    fn from(v: VarId) -> Self {
        Scalar::Var(v)
    }
}

impl Scalar {
    /// `self op rhs`, folded where both are integer literals or a neutral element makes it trivial.
    pub fn bin(self, op: BinOp, rhs: impl Into<Scalar>) -> Scalar {
        let rhs = rhs.into();
        if let (Scalar::Int(a), Scalar::Int(b)) = (&self, &rhs) {
            if let Some(v) = fold(op, *a, *b) {
                return v;
            }
        }
        match (op, &self, &rhs) {
            (BinOp::Add, _, Scalar::Int(0)) | (BinOp::Sub, _, Scalar::Int(0)) => self,
            (BinOp::Mul, _, Scalar::Int(1)) | (BinOp::Div, _, Scalar::Int(1)) => self,
            (BinOp::CeilDiv | BinOp::AlignUp, _, Scalar::Int(1)) => self,
            (BinOp::Add, Scalar::Int(0), _) | (BinOp::Mul, Scalar::Int(1), _) => rhs,
            (BinOp::Mul, Scalar::Int(0), _) | (BinOp::Mul, _, Scalar::Int(0)) => Scalar::Int(0),
            _ => Scalar::Bin(op, Arc::new(self), Arc::new(rhs)),
        }
    }
    /// `op a`.
    pub fn un(op: UnOp, a: Scalar) -> Scalar {
        Scalar::Un(op, Arc::new(a))
    }
    /// `a` converted to `ty`.
    pub fn cast(ty: ScalarTy, a: Scalar) -> Scalar {
        Scalar::Cast(ty, Arc::new(a))
    }
    /// `if cond { a } else { b }`.
    pub fn select(cond: Scalar, a: Scalar, b: Scalar) -> Scalar {
        Scalar::Select(Arc::new(cond), Arc::new(a), Arc::new(b))
    }
    /// `ceil(self / rhs)`.
    pub fn ceil_div(self, rhs: impl Into<Scalar>) -> Scalar {
        self.bin(BinOp::CeilDiv, rhs)
    }
    /// `self` rounded up to a multiple of `rhs`.
    pub fn align_up(self, rhs: impl Into<Scalar>) -> Scalar {
        self.bin(BinOp::AlignUp, rhs)
    }
    /// The smaller of two.
    pub fn min(self, rhs: impl Into<Scalar>) -> Scalar {
        self.bin(BinOp::Min, rhs)
    }
    /// The larger of two.
    pub fn max(self, rhs: impl Into<Scalar>) -> Scalar {
        self.bin(BinOp::Max, rhs)
    }
    /// Its type; of an integer and an `f32` the operators make an `f32`, of an `Index` and an `i32` an `i32`.
    pub fn ty(&self) -> ScalarTy {
        match self {
            Scalar::Int(_) | Scalar::Axis(_) | Scalar::Chip(_) | Scalar::BlockIdx | Scalar::BlockDim | Scalar::SizeOf(_) => {
                ScalarTy::Index
            }
            Scalar::Float(_) | Scalar::Un(UnOp::Sqrt, _) => ScalarTy::F32,
            Scalar::Bool(_) | Scalar::Un(UnOp::Not, _) => ScalarTy::Bool,
            Scalar::Attr(_, ty) | Scalar::Cast(ty, _) => *ty,
            Scalar::Var(v) => v.ty(),
            Scalar::Un(UnOp::Neg, a) | Scalar::Select(_, a, _) => a.ty(),
            Scalar::Bin(op, ..) if op.is_predicate() => ScalarTy::Bool,
            Scalar::Bin(_, a, b) => match (a.ty(), b.ty()) {
                (ScalarTy::F32, _) | (_, ScalarTy::F32) => ScalarTy::F32,
                (ScalarTy::I32, _) | (_, ScalarTy::I32) => ScalarTy::I32,
                (a, _) => a,
            },
        }
    }
    /// The literal integer, where it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Scalar::Int(v) => Some(*v),
            _ => None,
        }
    }
    /// Calls `f` on this node and on every node below it.
    pub fn walk(&self, f: &mut impl FnMut(&Scalar)) {
        f(self);
        match self {
            Scalar::Un(_, a) | Scalar::Cast(_, a) => a.walk(f),
            Scalar::Bin(_, a, b) => {
                a.walk(f);
                b.walk(f);
            }
            Scalar::Select(c, a, b) => {
                c.walk(f);
                a.walk(f);
                b.walk(f);
            }
            Scalar::Int(_)
            | Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_)
            | Scalar::Var(_)
            | Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim => {}
        }
    }
    /// Rebuilds the tree bottom up, replacing leaves for which `f` answers.
    pub fn replace(&self, f: &impl Fn(&Scalar) -> Option<Scalar>) -> Scalar {
        if let Some(v) = f(self) {
            return v;
        }
        match self {
            Scalar::Un(op, a) => Scalar::Un(*op, Arc::new(a.replace(f))),
            Scalar::Cast(ty, a) => Scalar::Cast(*ty, Arc::new(a.replace(f))),
            Scalar::Bin(op, a, b) => a.replace(f).bin(*op, b.replace(f)),
            Scalar::Select(c, a, b) => Scalar::Select(Arc::new(c.replace(f)), Arc::new(a.replace(f)), Arc::new(b.replace(f))),
            leaf => leaf.clone(),
        }
    }
}

macro_rules! scalar_op {
    ($($tr:ident $f:ident $op:ident),*) => {$(
        impl<R: Into<Scalar>> std::ops::$tr<R> for Scalar {
            type Output = Scalar;
            fn $f(self, rhs: R) -> Scalar { self.bin(BinOp::$op, rhs) }
        }
    )*};
}
scalar_op!(Add add Add, Sub sub Sub, Mul mul Mul, Div div Div, Rem rem Rem);

fn fold(op: BinOp, a: i64, b: i64) -> Option<Scalar> {
    let int = |v: Option<i64>| v.map(Scalar::Int);
    match op {
        BinOp::Add => int(a.checked_add(b)),
        BinOp::Sub => int(a.checked_sub(b)),
        BinOp::Mul => int(a.checked_mul(b)),
        BinOp::Div => int(a.checked_div(b)),
        BinOp::Rem => int(a.checked_rem(b)),
        BinOp::CeilDiv if b > 0 && a >= 0 => int(Some(a / b + i64::from(a % b != 0))),
        BinOp::AlignUp if b > 0 && a >= 0 => int((a / b + i64::from(a % b != 0)).checked_mul(b)),
        BinOp::Min => int(Some(a.min(b))),
        BinOp::Max => int(Some(a.max(b))),
        BinOp::Lt => Some(Scalar::Bool(a < b)),
        BinOp::Le => Some(Scalar::Bool(a <= b)),
        BinOp::Gt => Some(Scalar::Bool(a > b)),
        BinOp::Ge => Some(Scalar::Bool(a >= b)),
        BinOp::Eq => Some(Scalar::Bool(a == b)),
        BinOp::Ne => Some(Scalar::Bool(a != b)),
        BinOp::CeilDiv | BinOp::AlignUp | BinOp::And | BinOp::Or => None,
    }
}

impl Text for Scalar {
    fn print(&self, p: &mut Printer) {
        let mut node = |tag: &str, parts: &[&Scalar]| {
            p.open('(');
            p.token(tag);
            parts.iter().for_each(|s| s.print(p));
            p.close(')');
        };
        match self {
            Scalar::Un(op, a) => node(op.word(), &[a]),
            Scalar::Bin(op, a, b) => node(op.word(), &[a, b]),
            Scalar::Select(c, a, b) => node("select", &[c, a, b]),
            Scalar::Cast(ty, a) => node(&format!("as_{}", ty.word()), &[a]),
            Scalar::Int(v) => v.print(p),
            Scalar::Float(v) => p.token(&format!("{v:?}f")),
            Scalar::Bool(v) => v.print(p),
            Scalar::Axis(a) => a.print(p),
            Scalar::Attr(id, ty) => p.token(&format!("&{}{}", id.0, ty.suffix())),
            Scalar::Chip(c) => c.print(p),
            Scalar::Var(v) => v.print(p),
            Scalar::SizeOf(ty) => {
                p.open('(');
                p.token("size_of");
                ty.print(p);
                p.close(')');
            }
            Scalar::BlockIdx => p.token("block_idx"),
            Scalar::BlockDim => p.token("block_dim"),
        }
    }

    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let token = r.peek();
        match token {
            "(" => return parse_node(r),
            "block_idx" | "block_dim" => {
                r.take();
                return Ok(if token == "block_idx" { Scalar::BlockIdx } else { Scalar::BlockDim });
            }
            "true" | "false" => return Ok(Scalar::Bool(Text::parse(r)?)),
            "vector_cores" | "ub_bytes" => return Ok(Scalar::Chip(Text::parse(r)?)),
            _ => {}
        }
        match token.as_bytes().first() {
            Some(b'#') => Ok(Scalar::Axis(Text::parse(r)?)),
            Some(b'$') => Ok(Scalar::Var(Text::parse(r)?)),
            Some(b'&') => {
                let (id, ty) =
                    ScalarTy::of_id(token).ok_or_else(|| r.error(format!("expected an attribute, found `{token}`")))?;
                r.take();
                Ok(Scalar::Attr(ParamId(id), ty))
            }
            _ => {
                if let Some(v) = token.strip_suffix('f').and_then(|t| t.parse().ok()) {
                    r.take();
                    return Ok(Scalar::Float(v));
                }
                Ok(Scalar::Int(Text::parse(r)?))
            }
        }
    }
}

fn parse_node(r: &mut Reader<'_>) -> Result<Scalar, TextError> {
    r.expect("(")?;
    let tag = r.peek();
    let node = if tag == "select" {
        r.take();
        Scalar::Select(Text::parse(r)?, Text::parse(r)?, Text::parse(r)?)
    } else if tag == "size_of" {
        r.take();
        Scalar::SizeOf(Text::parse(r)?)
    } else if let Some(ty) = tag.strip_prefix("as_") {
        let ty = ScalarTy::parse(&mut Reader::new(ty)).map_err(|e| r.error(e.message))?;
        r.take();
        Scalar::Cast(ty, Text::parse(r)?)
    } else if let Ok(op) = UnOp::parse(&mut Reader::new(tag)) {
        r.take();
        Scalar::Un(op, Text::parse(r)?)
    } else {
        let op = BinOp::parse(r)?;
        Scalar::Bin(op, Text::parse(r)?, Text::parse(r)?)
    };
    r.expect(")")?;
    Ok(node)
}
