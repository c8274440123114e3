//! Scalar expressions of a kernel's body, typed and with every name resolved to a slot.
//!
//! [`jumar_dsl::scalar`] defines the operators. This form calls them without type lookups at each
//! node, since loops over rows evaluate several expressions for each row. Host variables are known
//! when a program is made, and are folded to constants. An expression must have the type that its
//! place needs ([`Expr::int`] and similar functions fail otherwise): nothing is converted here that
//! the IR does not convert.

use jumar_dsl::ir::{BinOp, Scalar, ScalarTy, UnOp, VarId};
use jumar_dsl::scalar::{EvalError, Operand, Value};
use std::fmt::Debug;

/// Values of leaves on a core. By the variable's type, a slot holds an integer, 0 or 1, or the bits
/// of an `f32`.
pub(super) struct Env {
    /// One slot for each variable.
    pub vars: Vec<i64>,
    /// The value of `GetBlockIdx()`.
    pub block: i64,
    /// The value of `GetBlockNum()`.
    pub block_dim: i64,
}

type Result<T> = std::result::Result<T, EvalError>;

/// An expression of one type.
#[derive(Clone, Debug)]
pub(super) enum Tree<T: Cell> {
    Const(T),
    Var(usize),
    BlockIdx,
    BlockDim,
    Un(UnOp, Box<Tree<T>>),
    Bin(BinOp, Box<(Tree<T>, Tree<T>)>),
    Select(Box<(Bool, Tree<T>, Tree<T>)>),
    /// A conversion from another type.
    Of(Box<T::Source>),
}

/// An expression of type `usize`.
pub(super) type Int = Tree<i64>;
/// An expression of type `i32`.
pub(super) type Small = Tree<i32>;
/// An expression of type `f32`.
pub(super) type Float = Tree<f32>;
/// An expression of type `bool`.
pub(super) type Bool = Tree<bool>;

/// An expression of any type.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Int(Int),
    Small(Small),
    Float(Float),
    Bool(Bool),
}

/// The operations that give a truth value.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Int(BinOp, Int, Int),
    Small(BinOp, Small, Small),
    Float(BinOp, Float, Float),
    Bool(BinOp, Bool, Bool),
    And(Bool, Bool),
    Or(Bool, Bool),
}

/// A type of scalars.
pub(super) trait Cell: Operand + Debug + 'static {
    /// Expressions of other types that are converted to this one.
    type Source: Clone + Debug;
    fn of_slot(slot: i64) -> Self;
    fn to_slot(self) -> i64;
    fn of_source(source: &Self::Source, env: &Env) -> Result<Self>;
    fn source_mentions(source: &Self::Source, var: usize) -> bool;
}

macro_rules! number_cell {
    ($t:ty, $value:ident, $ty:expr, |$slot:ident| $of:expr, |$v:ident| $to:expr) => {
        impl Cell for $t {
            type Source = Expr;
            fn of_slot($slot: i64) -> Self {
                $of
            }
            fn to_slot(self) -> i64 {
                let $v = self;
                $to
            }
            fn of_source(source: &Expr, env: &Env) -> Result<Self> {
                match source.eval(env)?.cast($ty)? {
                    Value::$value(v) => Ok(v),
                    _ => Err(EvalError::Type),
                }
            }
            fn source_mentions(source: &Expr, var: usize) -> bool {
                source.mentions(var)
            }
        }
    };
}
number_cell!(i64, Int, ScalarTy::Index, |slot| slot, |v| v);
number_cell!(i32, I32, ScalarTy::I32, |slot| slot as i32, |v| v.into());
number_cell!(
    f32,
    F32,
    ScalarTy::F32,
    |slot| f32::from_bits(slot as u32),
    |v| v.to_bits().into()
);

impl Cell for bool {
    type Source = Test;
    fn of_slot(slot: i64) -> Self {
        slot != 0
    }
    fn to_slot(self) -> i64 {
        self.into()
    }
    fn of_source(source: &Test, env: &Env) -> Result<bool> {
        match source {
            Test::Int(op, a, b) => Operand::compare(*op, a.eval(env)?, b.eval(env)?),
            Test::Small(op, a, b) => Operand::compare(*op, a.eval(env)?, b.eval(env)?),
            Test::Float(op, a, b) => Operand::compare(*op, a.eval(env)?, b.eval(env)?),
            Test::Bool(op, a, b) => Operand::compare(*op, a.eval(env)?, b.eval(env)?),
            Test::And(a, b) => Ok(a.eval(env)? && b.eval(env)?),
            Test::Or(a, b) => Ok(a.eval(env)? || b.eval(env)?),
        }
    }
    fn source_mentions(source: &Test, var: usize) -> bool {
        match source {
            Test::Int(_, a, b) => a.mentions(var) || b.mentions(var),
            Test::Small(_, a, b) => a.mentions(var) || b.mentions(var),
            Test::Float(_, a, b) => a.mentions(var) || b.mentions(var),
            Test::Bool(_, a, b) | Test::And(a, b) | Test::Or(a, b) => {
                a.mentions(var) || b.mentions(var)
            }
        }
    }
}

impl<T: Cell> Tree<T> {
    /// Evaluates the expression.
    pub fn eval(&self, env: &Env) -> Result<T> {
        Ok(match self {
            Tree::Const(v) => *v,
            Tree::Var(slot) => T::of_slot(env.vars[*slot]),
            Tree::BlockIdx => T::of_slot(env.block),
            Tree::BlockDim => T::of_slot(env.block_dim),
            Tree::Un(op, a) => T::unary(*op, a.eval(env)?)?,
            Tree::Bin(op, ab) => T::binary(*op, ab.0.eval(env)?, ab.1.eval(env)?)?,
            Tree::Select(cab) => if cab.0.eval(env)? { &cab.1 } else { &cab.2 }.eval(env)?,
            Tree::Of(source) => T::of_source(source, env)?,
        })
    }

    /// True if the value depends on a variable.
    pub fn mentions(&self, var: usize) -> bool {
        match self {
            Tree::Const(_) | Tree::BlockIdx | Tree::BlockDim => false,
            Tree::Var(slot) => *slot == var,
            Tree::Un(_, a) => a.mentions(var),
            Tree::Bin(_, ab) => ab.0.mentions(var) || ab.1.mentions(var),
            Tree::Select(cab) => cab.0.mentions(var) || cab.1.mentions(var) || cab.2.mentions(var),
            Tree::Of(source) => T::source_mentions(source, var),
        }
    }

    fn un(op: UnOp, a: Tree<T>) -> Tree<T> {
        Tree::Un(op, Box::new(a))
    }

    fn bin(op: BinOp, a: Tree<T>, b: Tree<T>) -> Tree<T> {
        if let (Tree::Const(a), Tree::Const(b)) = (&a, &b) {
            // An expression without a value stays: it may stand where it is never evaluated.
            if let Ok(v) = T::binary(op, *a, *b) {
                return Tree::Const(v);
            }
        }
        Tree::Bin(op, Box::new((a, b)))
    }

    fn select(c: Bool, a: Tree<T>, b: Tree<T>) -> Tree<T> {
        Tree::Select(Box::new((c, a, b)))
    }
}

impl Int {
    /// True if the value grows by the same amount each time `var` grows by one. All values inside
    /// do so as well. A range of `var` whose ends can be evaluated can therefore be evaluated
    /// throughout.
    pub fn is_even_in(&self, var: usize) -> bool {
        match self {
            e if !e.mentions(var) => true,
            Tree::Var(_) => true,
            Tree::Un(UnOp::Neg, a) => a.is_even_in(var),
            Tree::Bin(BinOp::Add | BinOp::Sub, ab) => ab.0.is_even_in(var) && ab.1.is_even_in(var),
            Tree::Bin(BinOp::Mul, ab) if !ab.0.mentions(var) => ab.1.is_even_in(var),
            Tree::Bin(BinOp::Mul, ab) if !ab.1.mentions(var) => ab.0.is_even_in(var),
            _ => false,
        }
    }
}

impl Expr {
    /// Evaluates the expression.
    pub fn eval(&self, env: &Env) -> Result<Value> {
        Ok(match self {
            Expr::Int(e) => Value::Int(e.eval(env)?),
            Expr::Small(e) => Value::I32(e.eval(env)?),
            Expr::Float(e) => Value::F32(e.eval(env)?),
            Expr::Bool(e) => Value::Bool(e.eval(env)?),
        })
    }
    /// Evaluates the expression to the content of a slot.
    pub fn slot(&self, env: &Env) -> Result<i64> {
        Ok(match self {
            Expr::Int(e) => e.eval(env)?,
            Expr::Small(e) => e.eval(env)?.to_slot(),
            Expr::Float(e) => e.eval(env)?.to_slot(),
            Expr::Bool(e) => e.eval(env)?.to_slot(),
        })
    }
    /// True if the value depends on a variable.
    pub fn mentions(&self, var: usize) -> bool {
        match self {
            Expr::Int(e) => e.mentions(var),
            Expr::Small(e) => e.mentions(var),
            Expr::Float(e) => e.mentions(var),
            Expr::Bool(e) => e.mentions(var),
        }
    }
    /// Returns the type.
    pub fn ty(&self) -> ScalarTy {
        match self {
            Expr::Int(_) => ScalarTy::Index,
            Expr::Small(_) => ScalarTy::I32,
            Expr::Float(_) => ScalarTy::F32,
            Expr::Bool(_) => ScalarTy::Bool,
        }
    }
    /// Returns the expression as a size or an offset.
    pub fn int(self) -> Result<Int> {
        match self {
            Expr::Int(e) => Ok(e),
            Expr::Small(_) | Expr::Float(_) | Expr::Bool(_) => Err(EvalError::Type),
        }
    }
    /// Returns the expression as a loop bound, in either integer type.
    pub fn count(self) -> Result<Int> {
        match self {
            e @ Expr::Small(_) => Ok(Tree::Of(Box::new(e))),
            e => e.int(),
        }
    }
    /// Returns the expression as a truth value.
    pub fn bool(self) -> Result<Bool> {
        match self {
            Expr::Bool(e) => Ok(e),
            Expr::Int(_) | Expr::Small(_) | Expr::Float(_) => Err(EvalError::Type),
        }
    }
}

/// Returns the content of a slot for a value that the host computed.
pub(super) fn host_slot(ty: ScalarTy, value: Value) -> Result<i64> {
    match value {
        v if v.ty() != ty => Err(EvalError::Type),
        Value::Int(v) => Ok(v),
        Value::I32(v) => Ok(v.to_slot()),
        Value::F32(v) => Ok(v.to_slot()),
        Value::Bool(v) => Ok(v.to_slot()),
    }
}

/// The knowledge about a variable, for [`compile`].
pub(super) enum Known {
    /// Computed by the host and never changed: the content of its slot.
    Host(i64),
    /// Set on the core.
    Device,
}

/// Resolves an expression; `var` gives type and knowledge of a variable.
pub(super) fn compile(
    s: &Scalar,
    var: &impl Fn(VarId) -> Result<(ScalarTy, Known)>,
) -> Result<Expr> {
    Ok(match s {
        Scalar::Int(v) => Expr::Int(Tree::Const(*v)),
        Scalar::I32(v) => Expr::Small(Tree::Const(*v)),
        Scalar::Float(v) => Expr::Float(Tree::Const(*v)),
        Scalar::Bool(v) => Expr::Bool(Tree::Const(*v)),
        Scalar::Axis(a) => return Err(EvalError::Missing(format!("axis {}", a.0))),
        Scalar::Attr(a, _) => return Err(EvalError::Missing(format!("attribute {}", a.0))),
        Scalar::Chip(_) => return Err(EvalError::Missing("a chip fact".into())),
        Scalar::SizeOf(_) => return Err(EvalError::Missing("size_of before lowering".into())),
        Scalar::BlockIdx => Expr::Int(Tree::BlockIdx),
        Scalar::BlockDim => Expr::Int(Tree::BlockDim),
        Scalar::Var(v) => {
            let (declared, known) = var(*v)?;
            match v.ty() {
                ty if ty != declared => return Err(EvalError::Type),
                ScalarTy::Index => Expr::Int(leaf(known, v.index())),
                ScalarTy::I32 => Expr::Small(leaf(known, v.index())),
                ScalarTy::F32 => Expr::Float(leaf(known, v.index())),
                ScalarTy::Bool => Expr::Bool(leaf(known, v.index())),
            }
        }
        Scalar::Un(op, a) => match compile(a, var)? {
            Expr::Int(a) => Expr::Int(Tree::un(*op, a)),
            Expr::Small(a) => Expr::Small(Tree::un(*op, a)),
            Expr::Float(a) => Expr::Float(Tree::un(*op, a)),
            Expr::Bool(a) => Expr::Bool(Tree::un(*op, a)),
        },
        Scalar::Bin(op, a, b) => binary(*op, compile(a, var)?, compile(b, var)?)?,
        Scalar::Select(c, a, b) => {
            let c = compile(c, var)?.bool()?;
            match (compile(a, var)?, compile(b, var)?) {
                (Expr::Int(a), Expr::Int(b)) => Expr::Int(Tree::select(c, a, b)),
                (Expr::Small(a), Expr::Small(b)) => Expr::Small(Tree::select(c, a, b)),
                (Expr::Float(a), Expr::Float(b)) => Expr::Float(Tree::select(c, a, b)),
                (Expr::Bool(a), Expr::Bool(b)) => Expr::Bool(Tree::select(c, a, b)),
                _ => return Err(EvalError::Type),
            }
        }
        Scalar::Cast(ty, a) => match (ty, compile(a, var)?) {
            (ty, a) if a.ty() == *ty => a,
            (ScalarTy::Index, a) => Expr::Int(Tree::Of(Box::new(a))),
            (ScalarTy::I32, a) => Expr::Small(Tree::Of(Box::new(a))),
            (ScalarTy::F32, a @ (Expr::Int(_) | Expr::Small(_))) => {
                Expr::Float(Tree::Of(Box::new(a)))
            }
            (ScalarTy::F32 | ScalarTy::Bool, _) => return Err(EvalError::Type),
        },
    })
}

fn leaf<T: Cell>(known: Known, slot: usize) -> Tree<T> {
    match known {
        Known::Host(content) => Tree::Const(T::of_slot(content)),
        Known::Device => Tree::Var(slot),
    }
}

fn binary(op: BinOp, a: Expr, b: Expr) -> Result<Expr> {
    let test = |test| Ok(Expr::Bool(Tree::Of(Box::new(test))));
    match (op, a, b) {
        (BinOp::And, Expr::Bool(a), Expr::Bool(b)) => test(Test::And(a, b)),
        (BinOp::Or, Expr::Bool(a), Expr::Bool(b)) => test(Test::Or(a, b)),
        (_, Expr::Bool(a), Expr::Bool(b)) => test(Test::Bool(op, a, b)),
        (_, Expr::Int(a), Expr::Int(b)) if op.is_predicate() => test(Test::Int(op, a, b)),
        (_, Expr::Small(a), Expr::Small(b)) if op.is_predicate() => test(Test::Small(op, a, b)),
        (_, Expr::Float(a), Expr::Float(b)) if op.is_predicate() => test(Test::Float(op, a, b)),
        (_, Expr::Int(a), Expr::Int(b)) => Ok(Expr::Int(Tree::bin(op, a, b))),
        (_, Expr::Small(a), Expr::Small(b)) => Ok(Expr::Small(Tree::bin(op, a, b))),
        (_, Expr::Float(a), Expr::Float(b)) => Ok(Expr::Float(Tree::bin(op, a, b))),
        _ => Err(EvalError::Type),
    }
}
