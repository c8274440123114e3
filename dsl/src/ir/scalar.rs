//! Scalar expressions: sizes, offsets, attributes, host-computed numbers.
//!
//! One tree type serves shape equations, the host tiling function and device arithmetic. Its stage
//! (const, host, block) follows from the leaves. [`crate::scalar`] defines the operators; `codegen`
//! prints them in C++.
//!
//! **Types.** Every expression has one type ([`Scalar::ty`]): `usize` (`Index`, 64 bits with a
//! sign), `i32`, `f32` or `bool`. The operands of an operator have one type, and a conversion is a
//! node ([`Scalar::Cast`]). The front end inserts conversions; no later reader converts. A number
//! is a literal of its type (`5`, `5i`, `5.0f`). [`Scalar::check`] checks these rules;
//! [`Scalar::bin`] and its like keep them when their operands do.
//!
//! **Folding** computes with the evaluator's operators and drops only nodes with a value: `x * 0`
//! stays where `x` may overflow or divide by zero, since a launch is refused for that.
//!
//! **Sharing.** Parts are [`Arc`]s: a definition that is written out in many places is one tree,
//! and a comparison ends where both trees are one allocation. There is no interning beyond that.
//! Expressions have some twenty nodes; a table of them would cost each construction a look-up and a
//! lock, to save comparisons that end at once.
//!
//! **Equality** is that of the text form, floats by their bits: 0.0 and -0.0 differ, and nan equals
//! itself.

use super::text::{text_word, Printer, Reader, Text, TextError};
use super::{AxisId, ParamId, Ty, VarId};
use crate::dtype::DType;
use crate::scalar::{binary, unary, Value};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarTy {
    /// Sizes and offsets, `usize` in a kernel, `int64_t` in C++.
    Index,
    I32,
    F32,
    Bool,
}
text_word!(ScalarTy { Index = "usize", I32 = "i32", F32 = "f32", Bool = "bool" });

impl ScalarTy {
    const ALL: [ScalarTy; 4] = [
        ScalarTy::Index,
        ScalarTy::I32,
        ScalarTy::F32,
        ScalarTy::Bool,
    ];

    /// Returns the type of a scalar beside elements of `dtype`: `f32` for floats, `i32` for
    /// integers.
    pub const fn beside(dtype: DType) -> ScalarTy {
        if dtype.is_float() {
            ScalarTy::F32
        } else {
            ScalarTy::I32
        }
    }

    /// Returns the suffix of an id of this type in the IR text.
    pub(super) const fn suffix(self) -> &'static str {
        match self {
            ScalarTy::Index => "",
            ScalarTy::I32 => "i",
            ScalarTy::F32 => "f",
            ScalarTy::Bool => "b",
        }
    }

    /// Parses number and type of an id: `$3f`, with any prefix.
    pub(super) fn of_id(token: &str) -> Option<(u32, ScalarTy)> {
        let digits = token
            .get(1..)?
            .trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let suffix = token.get(1 + digits.len()..)?;
        let ty = ScalarTy::ALL.into_iter().find(|ty| ty.suffix() == suffix)?;
        Some((digits.parse().ok()?, ty))
    }
}

/// A unary scalar operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    Neg,
    Not,
    /// Square root of an `f32`.
    Sqrt,
}
text_word!(UnOp { Neg = "neg", Not = "not", Sqrt = "sqrt" });

/// A binary scalar operator on two operands of one type. Comparisons and `And`/`Or` give `Bool`;
/// the others keep the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Toward zero for integers, rounding to `f32` for floats.
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
        matches!(
            self,
            BinOp::Lt
                | BinOp::Le
                | BinOp::Gt
                | BinOp::Ge
                | BinOp::Eq
                | BinOp::Ne
                | BinOp::And
                | BinOp::Or
        )
    }

    /// True where operands may have this type.
    pub const fn takes(self, ty: ScalarTy) -> bool {
        match self {
            BinOp::And | BinOp::Or => matches!(ty, ScalarTy::Bool),
            BinOp::Eq | BinOp::Ne => true,
            BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp => {
                matches!(ty, ScalarTy::Index | ScalarTy::I32)
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Min | BinOp::Max => {
                !matches!(ty, ScalarTy::Bool)
            }
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => !matches!(ty, ScalarTy::Bool),
        }
    }
}

/// A fact of the chip that host code may use; known when a kernel is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChipFact {
    VectorCores,
    /// UB bytes that a kernel may plan with.
    UbBytes,
    L2Bytes,
}
text_word!(ChipFact { VectorCores = "vector_cores", UbBytes = "ub_bytes", L2Bytes = "l2_bytes" });

/// A scalar expression.
#[derive(Clone, Debug)]
pub enum Scalar {
    Int(i64),
    I32(i32),
    Float(f32),
    Bool(bool),
    /// Size of a named axis; for `name..` the product of the axes that it stands for.
    Axis(AxisId),
    /// Value of a scalar attribute of this type.
    Attr(ParamId, ScalarTy),
    Chip(ChipFact),
    /// Let-bound scalar, loop variable or solved size.
    Var(VarId),
    /// `size_of::<T>()`. A lowered kernel has it only in the bytes of queues and buffers;
    /// [`Scalar::sized`] replaces it by the number.
    SizeOf(Ty),
    BlockIdx,
    BlockDim,
    Un(UnOp, Arc<Scalar>),
    Bin(BinOp, Arc<Scalar>, Arc<Scalar>),
    /// The expression `if c { a } else { b }`.
    Select(Arc<Scalar>, Arc<Scalar>, Arc<Scalar>),
    /// Conversion, as Rust's `as`.
    Cast(ScalarTy, Arc<Scalar>),
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Scalar) -> bool {
        match (self, other) {
            (Scalar::Int(a), Scalar::Int(b)) => a == b,
            (Scalar::I32(a), Scalar::I32(b)) => a == b,
            (Scalar::Float(a), Scalar::Float(b)) => a.to_bits() == b.to_bits(),
            (Scalar::Bool(a), Scalar::Bool(b)) => a == b,
            (Scalar::Axis(a), Scalar::Axis(b)) => a == b,
            (Scalar::Attr(a, s), Scalar::Attr(b, t)) => a == b && s == t,
            (Scalar::Chip(a), Scalar::Chip(b)) => a == b,
            (Scalar::Var(a), Scalar::Var(b)) => a == b,
            (Scalar::SizeOf(a), Scalar::SizeOf(b)) => a == b,
            (Scalar::BlockIdx, Scalar::BlockIdx) | (Scalar::BlockDim, Scalar::BlockDim) => true,
            (Scalar::Un(o, a), Scalar::Un(p, b)) => o == p && same(a, b),
            (Scalar::Bin(o, a, c), Scalar::Bin(p, b, d)) => o == p && same(a, b) && same(c, d),
            (Scalar::Select(a, c, e), Scalar::Select(b, d, f)) => {
                same(a, b) && same(c, d) && same(e, f)
            }
            (Scalar::Cast(s, a), Scalar::Cast(t, b)) => s == t && same(a, b),
            _ => false,
        }
    }
}
impl Eq for Scalar {}

impl std::hash::Hash for Scalar {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Scalar::Int(v) => v.hash(state),
            Scalar::I32(v) => v.hash(state),
            Scalar::Float(v) => v.to_bits().hash(state),
            Scalar::Bool(v) => v.hash(state),
            Scalar::Axis(id) => id.hash(state),
            Scalar::Attr(id, ty) => (id, ty).hash(state),
            Scalar::Chip(fact) => fact.hash(state),
            Scalar::Var(id) => id.hash(state),
            Scalar::SizeOf(ty) => ty.hash(state),
            Scalar::BlockIdx | Scalar::BlockDim => {}
            Scalar::Un(op, a) => (op, a).hash(state),
            Scalar::Bin(op, a, b) => (op, a, b).hash(state),
            Scalar::Select(c, a, b) => (c, a, b).hash(state),
            Scalar::Cast(ty, a) => (ty, a).hash(state),
        }
    }
}

fn same(a: &Arc<Scalar>, b: &Arc<Scalar>) -> bool {
    Arc::ptr_eq(a, b) || **a == **b
}

/// Operands of types that an operator does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError {
    pub operator: &'static str,
    /// Types of the operands.
    pub found: Vec<ScalarTy>,
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found: Vec<_> = self
            .found
            .iter()
            .map(|ty| format!("`{}`", ty.word()))
            .collect();
        write!(
            f,
            "the scalar operator `{}` does not take {}",
            self.operator,
            found.join(" and ")
        )
    }
}
impl std::error::Error for TypeError {}

/// The stage at which a scalar's value is known.
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
impl From<Value> for Scalar {
    fn from(v: Value) -> Self {
        match v {
            Value::Int(v) => Scalar::Int(v),
            Value::I32(v) => Scalar::I32(v),
            Value::F32(v) => Scalar::Float(v),
            Value::Bool(v) => Scalar::Bool(v),
        }
    }
}
impl From<VarId> for Scalar {
    fn from(v: VarId) -> Self {
        Scalar::Var(v)
    }
}

impl Scalar {
    /// Builds `self op rhs`, folded where both are literals or a neutral element makes it trivial.
    pub fn bin(self, op: BinOp, rhs: impl Into<Scalar>) -> Scalar {
        let rhs = rhs.into();
        if let Some(v) = fold(op, &self, &rhs) {
            return v;
        }
        let (left, right) = (self.as_int(), rhs.as_int());
        match (op, left, right) {
            (BinOp::Add | BinOp::Sub, _, Some(0)) => self,
            (BinOp::Mul | BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp, _, Some(1)) => self,
            (BinOp::Add, Some(0), _) | (BinOp::Mul, Some(1), _) => rhs,
            (BinOp::Mul, Some(0), _) if rhs.is_total() => self,
            (BinOp::Mul, _, Some(0)) if self.is_total() => rhs,
            _ => Scalar::Bin(op, Arc::new(self), Arc::new(rhs)),
        }
    }
    /// Builds `op a`, folded for a literal.
    pub fn un(op: UnOp, a: Scalar) -> Scalar {
        let value = a.value().filter(|_| op != UnOp::Sqrt);
        match value.and_then(|v| unary(op, v).ok()) {
            Some(v) => v.into(),
            None => Scalar::Un(op, Arc::new(a)),
        }
    }
    /// Converts `a` to `ty`, without a node where it has that type.
    pub fn cast(ty: ScalarTy, a: Scalar) -> Scalar {
        if a.ty() == ty {
            return a;
        }
        match a.value().and_then(|v| v.cast(ty).ok()) {
            Some(v) => v.into(),
            None => Scalar::Cast(ty, Arc::new(a)),
        }
    }
    /// Builds the node `if cond { a } else { b }`.
    pub fn select(cond: Scalar, a: Scalar, b: Scalar) -> Scalar {
        Scalar::Select(Arc::new(cond), Arc::new(a), Arc::new(b))
    }
    /// Builds the rounded-up quotient `ceil(self / rhs)`.
    pub fn ceil_div(self, rhs: impl Into<Scalar>) -> Scalar {
        self.bin(BinOp::CeilDiv, rhs)
    }
    /// Builds `self` rounded up to a multiple of `rhs`.
    pub fn align_up(self, rhs: impl Into<Scalar>) -> Scalar {
        self.bin(BinOp::AlignUp, rhs)
    }
    pub fn min(self, rhs: impl Into<Scalar>) -> Scalar {
        self.bin(BinOp::Min, rhs)
    }
    pub fn max(self, rhs: impl Into<Scalar>) -> Scalar {
        self.bin(BinOp::Max, rhs)
    }
    /// Returns the type, which is that of the operands except for predicates.
    pub fn ty(&self) -> ScalarTy {
        match self {
            Scalar::Int(_)
            | Scalar::Axis(_)
            | Scalar::Chip(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim
            | Scalar::SizeOf(_) => ScalarTy::Index,
            Scalar::I32(_) => ScalarTy::I32,
            Scalar::Float(_) | Scalar::Un(UnOp::Sqrt, _) => ScalarTy::F32,
            Scalar::Bool(_) | Scalar::Un(UnOp::Not, _) => ScalarTy::Bool,
            Scalar::Attr(_, ty) | Scalar::Cast(ty, _) => *ty,
            Scalar::Var(v) => v.ty(),
            Scalar::Bin(op, ..) if op.is_predicate() => ScalarTy::Bool,
            Scalar::Un(UnOp::Neg, a) | Scalar::Select(_, a, _) | Scalar::Bin(_, a, _) => a.ty(),
        }
    }
    /// Checks that every operator takes its operands, and returns the type.
    ///
    /// # Errors
    /// The first operator that does not.
    pub fn check(&self) -> Result<ScalarTy, TypeError> {
        let error = |operator, found: &[ScalarTy]| {
            Err(TypeError {
                operator,
                found: found.to_vec(),
            })
        };
        match self {
            Scalar::Un(op, a) => match (op, a.check()?) {
                (UnOp::Neg, ty @ (ScalarTy::Index | ScalarTy::I32 | ScalarTy::F32)) => Ok(ty),
                (UnOp::Not, ScalarTy::Bool) => Ok(ScalarTy::Bool),
                (UnOp::Sqrt, ScalarTy::F32) => Ok(ScalarTy::F32),
                (op, ty) => error(op.word(), &[ty]),
            },
            Scalar::Bin(op, a, b) => match (a.check()?, b.check()?) {
                (a, b) if a == b && op.takes(a) => Ok(self.ty()),
                (a, b) => error(op.word(), &[a, b]),
            },
            Scalar::Select(c, a, b) => match (c.check()?, a.check()?, b.check()?) {
                (ScalarTy::Bool, a, b) if a == b => Ok(a),
                (c, a, b) => error("select", &[c, a, b]),
            },
            Scalar::Cast(to, a) => match (to, a.check()?) {
                (ScalarTy::F32, from @ ScalarTy::Bool) => error("as_f32", &[from]),
                (ScalarTy::Bool, from @ (ScalarTy::Index | ScalarTy::I32 | ScalarTy::F32)) => {
                    error("as_bool", &[from])
                }
                (to, _) => Ok(*to),
            },
            leaf => Ok(leaf.ty()),
        }
    }
    /// Returns the value of a literal, or the size of an element type that no instance decides.
    pub fn value(&self) -> Option<Value> {
        match self {
            Scalar::SizeOf(Ty::Is(dtype)) => Some(Value::Int(dtype.bytes())),
            Scalar::Int(v) => Some(Value::Int(*v)),
            Scalar::I32(v) => Some(Value::I32(*v)),
            Scalar::Float(v) => Some(Value::F32(*v)),
            Scalar::Bool(v) => Some(Value::Bool(*v)),
            _ => None,
        }
    }
    /// Returns [`Scalar::value`] if that is an integer of either type.
    pub fn as_int(&self) -> Option<i64> {
        match self.value()? {
            Value::Int(v) => Some(v),
            Value::I32(v) => Some(v.into()),
            Value::F32(_) | Value::Bool(_) => None,
        }
    }
    /// True where the expression has a value for any leaves. Nothing in it divides by a variable,
    /// and no operator of `usize` may overflow.
    fn is_total(&self) -> bool {
        let mut total = true;
        self.walk(&mut |n| {
            total &= match n {
                Scalar::Bin(BinOp::Div | BinOp::Rem | BinOp::CeilDiv, a, b) => {
                    a.ty() == ScalarTy::F32 || b.as_int().is_some_and(|v| v > 0)
                }
                Scalar::Bin(BinOp::AlignUp, ..) => false,
                Scalar::Bin(BinOp::Add | BinOp::Sub | BinOp::Mul, a, _)
                | Scalar::Un(UnOp::Neg, a) => a.ty() != ScalarTy::Index,
                _ => true,
            }
        });
        total
    }
    pub fn mentions(&self, var: VarId) -> bool {
        let mut found = false;
        self.walk(&mut |node| found |= matches!(node, Scalar::Var(v) if *v == var));
        found
    }
    pub fn vars(&self) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        self.walk(&mut |node| {
            found.extend(if let Scalar::Var(v) = node {
                Some(*v)
            } else {
                None
            })
        });
        found
    }
    /// True where the expression is equal in all iterations of all loops, and on all cores.
    pub fn has_no_variables(&self) -> bool {
        let mut none = true;
        self.walk(&mut |n| none &= !matches!(n, Scalar::Var(_) | Scalar::BlockIdx));
        none
    }
    /// Returns the nodes directly below this one, in order.
    pub fn parts(&self) -> [Option<&Scalar>; 3] {
        match self {
            Scalar::Un(_, a) | Scalar::Cast(_, a) => [Some(a), None, None],
            Scalar::Bin(_, a, b) => [Some(a), Some(b), None],
            Scalar::Select(c, a, b) => [Some(c), Some(a), Some(b)],
            Scalar::Int(_) | Scalar::I32(_) | Scalar::Float(_) | Scalar::Bool(_) => [None; 3],
            Scalar::Axis(_) | Scalar::Attr(..) | Scalar::Chip(_) | Scalar::Var(_) => [None; 3],
            Scalar::SizeOf(_) | Scalar::BlockIdx | Scalar::BlockDim => [None; 3],
        }
    }
    /// Rebuilds this node with `f` applied to the nodes directly below it, in order.
    #[must_use]
    pub fn map(&self, mut f: impl FnMut(&Scalar) -> Scalar) -> Scalar {
        match self {
            Scalar::Un(op, a) => Scalar::un(*op, f(a)),
            Scalar::Cast(ty, a) => Scalar::cast(*ty, f(a)),
            Scalar::Bin(op, a, b) => f(a).bin(*op, f(b)),
            Scalar::Select(c, a, b) => Scalar::select(f(c), f(a), f(b)),
            leaf => leaf.clone(),
        }
    }
    /// Calls `f` on this node and on every node below it.
    pub fn walk(&self, f: &mut impl FnMut(&Scalar)) {
        f(self);
        self.parts()
            .into_iter()
            .flatten()
            .for_each(|part| part.walk(f));
    }
    /// Replaces each `size_of` by the number of bytes. `types` has one type for each dtype
    /// parameter.
    pub fn sized(&self, types: &[DType]) -> Scalar {
        self.replace(&|s| match s {
            Scalar::SizeOf(ty) => Some(Scalar::Int(ty.resolve(types).bytes())),
            _ => None,
        })
    }
    /// Rebuilds the tree, replacing nodes for which `f` returns one. Parts without such a node stay
    /// shared.
    pub fn replace(&self, f: &impl Fn(&Scalar) -> Option<Scalar>) -> Scalar {
        self.replaced(f).unwrap_or_else(|| self.clone())
    }
    /// Does as [`Scalar::replace`], but returns `None` where nothing is replaced.
    fn replaced(&self, f: &impl Fn(&Scalar) -> Option<Scalar>) -> Option<Scalar> {
        if let Some(v) = f(self) {
            return Some(v);
        }
        let or = |new: Option<Scalar>, old: &Arc<Scalar>| new.unwrap_or_else(|| (**old).clone());
        match self {
            Scalar::Un(op, a) => Some(Scalar::un(*op, a.replaced(f)?)),
            Scalar::Cast(ty, a) => Some(Scalar::cast(*ty, a.replaced(f)?)),
            Scalar::Bin(op, a, b) => match (a.replaced(f), b.replaced(f)) {
                (None, None) => None,
                (x, y) => Some(or(x, a).bin(*op, or(y, b))),
            },
            Scalar::Select(c, a, b) => match (c.replaced(f), a.replaced(f), b.replaced(f)) {
                (None, None, None) => None,
                (z, x, y) => Some(Scalar::select(or(z, c), or(x, a), or(y, b))),
            },
            _ => None,
        }
    }
}

/// Multiplies all factors.
pub fn product(of: impl IntoIterator<Item = Scalar>) -> Scalar {
    of.into_iter()
        .filter(|n| *n != Scalar::Int(1))
        .reduce(|a, b| a * b)
        .unwrap_or(Scalar::Int(1))
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

/// Folds two literals, where the result has a value. A nan stays an expression, since its bits are
/// unspecified.
fn fold(op: BinOp, a: &Scalar, b: &Scalar) -> Option<Scalar> {
    match binary(op, a.value()?, b.value()?).ok()? {
        Value::F32(v) if v.is_nan() => None,
        v => Some(v.into()),
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
            Scalar::I32(v) => p.token(&format!("{v}i")),
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
                return Ok(if token == "block_idx" {
                    Scalar::BlockIdx
                } else {
                    Scalar::BlockDim
                });
            }
            "true" | "false" => return Ok(Scalar::Bool(Text::parse(r)?)),
            "vector_cores" | "ub_bytes" | "l2_bytes" => return Ok(Scalar::Chip(Text::parse(r)?)),
            _ => {}
        }
        match token.as_bytes().first() {
            Some(b'#') => Ok(Scalar::Axis(Text::parse(r)?)),
            Some(b'$') => Ok(Scalar::Var(Text::parse(r)?)),
            Some(b'&') => {
                let (id, ty) = ScalarTy::of_id(token)
                    .ok_or_else(|| r.error(format!("expected an attribute, found `{token}`")))?;
                r.take();
                Ok(Scalar::Attr(ParamId(id), ty))
            }
            _ => {
                if let Some(v) = token.strip_suffix('i').and_then(|t| t.parse().ok()) {
                    r.take();
                    return Ok(Scalar::I32(v));
                }
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
        Scalar::select(Text::parse(r)?, Text::parse(r)?, Text::parse(r)?)
    } else if tag == "size_of" {
        r.take();
        Scalar::SizeOf(Text::parse(r)?)
    } else if let Some(ty) = tag.strip_prefix("as_") {
        let ty = ScalarTy::parse(&mut Reader::new(ty)).map_err(|e| r.error(e.message))?;
        r.take();
        Scalar::Cast(ty, Arc::new(Text::parse(r)?))
    } else if let Ok(op) = UnOp::parse(&mut Reader::new(tag)) {
        r.take();
        Scalar::Un(op, Arc::new(Text::parse(r)?))
    } else {
        let op = BinOp::parse(r)?;
        Scalar::Bin(op, Arc::new(Text::parse(r)?), Arc::new(Text::parse(r)?))
    };
    r.expect(")")?;
    Ok(node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::{from_text, to_text, VERSION};

    fn scalar(text: &str) -> Scalar {
        from_text(&format!("{VERSION}\n{text}")).expect("IR text")
    }

    #[test]
    fn operands_of_an_operator_have_one_type() {
        for (text, want) in [
            ("(+ $0 5)", Ok(ScalarTy::Index)),
            ("(% $0i 5i)", Ok(ScalarTy::I32)),
            ("(< $0f 5.0f)", Ok(ScalarTy::Bool)),
            ("(select $0b (as_f32 $1i) -inff)", Ok(ScalarTy::F32)),
            ("(== $0b true)", Ok(ScalarTy::Bool)),
            (
                "(+ $0i 5)",
                Err("the scalar operator `+` does not take `i32` and `usize`"),
            ),
            (
                "(% $0f 5.0f)",
                Err("the scalar operator `%` does not take `f32` and `f32`"),
            ),
            (
                "(ceil_div $0f $1f)",
                Err("the scalar operator `ceil_div` does not take `f32` and `f32`"),
            ),
            (
                "(and $0b (+ 1 $2f))",
                Err("the scalar operator `+` does not take `usize` and `f32`"),
            ),
            (
                "(< $0b true)",
                Err("the scalar operator `<` does not take `bool` and `bool`"),
            ),
            (
                "(neg $0b)",
                Err("the scalar operator `neg` does not take `bool`"),
            ),
            (
                "(not $0)",
                Err("the scalar operator `not` does not take `usize`"),
            ),
            (
                "(sqrt $0)",
                Err("the scalar operator `sqrt` does not take `usize`"),
            ),
            (
                "(select $0 1 2)",
                Err("the scalar operator `select` does not take `usize` and `usize` and `usize`"),
            ),
            (
                "(as_f32 $0b)",
                Err("the scalar operator `as_f32` does not take `bool`"),
            ),
            (
                "(as_bool $0)",
                Err("the scalar operator `as_bool` does not take `usize`"),
            ),
        ] {
            assert_eq!(
                scalar(text).check().map_err(|e| e.to_string()),
                want.map_err(String::from),
                "{text}"
            );
        }
    }

    #[test]
    fn literals_fold_as_the_evaluator_computes() {
        let rebuilt = |text: &str| to_text(&scalar(text).replace(&|s| s.value().map(Scalar::from)));
        for (text, want) in [
            ("(+ 2147483647i 1i)", "-2147483648i"),
            ("(/ -2147483648i -1i)", "-2147483648i"),
            ("(/ 1i 0i)", "(/ 1i 0i)"),
            ("(* 9223372036854775807 2)", "(* 9223372036854775807 2)"),
            ("(* (/ 1 $0) 0)", "(* (/ 1 $0) 0)"),
            ("(* (+ $0i 1i) 0i)", "0i"),
            ("(* $0 0)", "0"),
            ("(/ 0.0f 0.0f)", "(/ 0.0f 0.0f)"),
            ("(+ 0.25f 0.5f)", "0.75f"),
            ("(as_i32 3000000000)", "-1294967296i"),
            ("(as_usize -1i)", "-1"),
            ("(< 1i 2i)", "true"),
            ("(neg 0.0f)", "-0.0f"),
        ] {
            assert_eq!(rebuilt(text), to_text(&scalar(want)), "{text}");
        }
    }

    #[test]
    fn equality_is_that_of_the_text() {
        assert_ne!(Scalar::Float(0.0), Scalar::Float(-0.0));
        assert_eq!(Scalar::Float(f32::NAN), Scalar::Float(f32::NAN));
        assert_ne!(Scalar::Int(1), Scalar::I32(1));
        assert_eq!(
            scalar("(* (+ $0 $1) (+ $0 $1))"),
            scalar("(* (+ $0 $1) (+ $0 $1))")
        );
    }
}
