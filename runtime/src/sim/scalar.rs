//! Scalar expressions of a kernel's body, typed and with every name resolved to a slot.
//!
//! [`jumar_dsl::tiling::eval`] defines the meaning; this form gives the same values without looking types up at each
//! node, since loops over rows evaluate several expressions a row. Host variables are known when a program is made
//! and folded to constants. A variable of another type than its declaration is converted when it is set.

use jumar_dsl::ir::{BinOp, Scalar, ScalarTy, UnOp, VarId};
use jumar_dsl::tiling::{EvalError, Value};

/// What leaves stand for on a core. Slots hold integers, 0 or 1, or the bits of an `f32`, by the variable's type.
pub(super) struct Env {
    /// One slot a variable.
    pub vars: Vec<i64>,
    /// `GetBlockIdx()`.
    pub block: i64,
    /// `GetBlockNum()`.
    pub block_dim: i64,
}

type Result<T> = std::result::Result<T, EvalError>;

/// An integer.
#[derive(Clone, Debug)]
pub(super) enum Int {
    Const(i64),
    Var(usize),
    BlockIdx,
    BlockDim,
    Neg(Box<Int>),
    Bin(BinOp, Box<(Int, Int)>),
    Select(Box<(Bool, Int, Int)>),
    Of(ScalarTy, Box<Expr>),
}

/// An `f32`.
#[derive(Clone, Debug)]
pub(super) enum Float {
    Const(f32),
    Var(usize),
    Of(Box<Int>),
    Un(UnOp, Box<Float>),
    Bin(BinOp, Box<(Float, Float)>),
    Select(Box<(Bool, Float, Float)>),
}

/// A truth value.
#[derive(Clone, Debug)]
pub(super) enum Bool {
    Const(bool),
    Var(usize),
    Not(Box<Bool>),
    Ints(BinOp, Box<(Int, Int)>),
    Floats(BinOp, Box<(Float, Float)>),
    Bools(BinOp, Box<(Bool, Bool)>),
    Select(Box<(Bool, Bool, Bool)>),
}

/// An expression of any type.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Int(Int),
    Float(Float),
    Bool(Bool),
}

impl Int {
    /// Its value.
    pub fn eval(&self, env: &Env) -> Result<i64> {
        Ok(match self {
            Int::Const(v) => *v,
            Int::Var(slot) => env.vars[*slot],
            Int::BlockIdx => env.block,
            Int::BlockDim => env.block_dim,
            Int::Neg(a) => a.eval(env)?.checked_neg().ok_or(EvalError::Overflow)?,
            Int::Bin(op, ab) => integer(*op, ab.0.eval(env)?, ab.1.eval(env)?)?,
            Int::Select(cab) => if cab.0.eval(env)? { &cab.1 } else { &cab.2 }.eval(env)?,
            Int::Of(ty, e) => match (&**e, ty) {
                (Expr::Int(a), ScalarTy::I32) => i64::from(a.eval(env)? as i32),
                (Expr::Int(a), _) => a.eval(env)?,
                (Expr::Float(a), ScalarTy::I32) => i64::from(a.eval(env)? as i32),
                (Expr::Float(a), _) => a.eval(env)? as i64,
                (Expr::Bool(a), _) => i64::from(a.eval(env)?),
            },
        })
    }
}

impl Int {
    /// True where the value depends on a variable.
    pub fn mentions(&self, var: usize) -> bool {
        match self {
            Int::Const(_) | Int::BlockIdx | Int::BlockDim => false,
            Int::Var(slot) => *slot == var,
            Int::Neg(a) => a.mentions(var),
            Int::Bin(_, ab) => ab.0.mentions(var) || ab.1.mentions(var),
            Int::Select(cab) => cab.0.mentions(var) || cab.1.mentions(var) || cab.2.mentions(var),
            Int::Of(_, e) => match &**e {
                Expr::Int(e) => e.mentions(var),
                Expr::Float(e) => e.mentions(var),
                Expr::Bool(e) => e.mentions(var),
            },
        }
    }
    /// True where the value is known to grow by the same amount each time `var` grows by one. All values inside do the
    /// same then, so that a range of `var` whose ends can be evaluated can be evaluated throughout.
    pub fn is_even_in(&self, var: usize) -> bool {
        match self {
            e if !e.mentions(var) => true,
            Int::Var(_) => true,
            Int::Neg(a) => a.is_even_in(var),
            Int::Bin(BinOp::Add | BinOp::Sub, ab) => ab.0.is_even_in(var) && ab.1.is_even_in(var),
            Int::Bin(BinOp::Mul, ab) if !ab.0.mentions(var) => ab.1.is_even_in(var),
            Int::Bin(BinOp::Mul, ab) if !ab.1.mentions(var) => ab.0.is_even_in(var),
            Int::Const(_) | Int::BlockIdx | Int::BlockDim | Int::Bin(..) | Int::Select(_) | Int::Of(..) => false,
        }
    }
}

impl Float {
    /// True where the value depends on a variable.
    pub fn mentions(&self, var: usize) -> bool {
        match self {
            Float::Const(_) => false,
            Float::Var(slot) => *slot == var,
            Float::Of(a) => a.mentions(var),
            Float::Un(_, a) => a.mentions(var),
            Float::Bin(_, ab) => ab.0.mentions(var) || ab.1.mentions(var),
            Float::Select(cab) => cab.0.mentions(var) || cab.1.mentions(var) || cab.2.mentions(var),
        }
    }
}

impl Bool {
    /// True where the value depends on a variable.
    pub fn mentions(&self, var: usize) -> bool {
        match self {
            Bool::Const(_) => false,
            Bool::Var(slot) => *slot == var,
            Bool::Not(a) => a.mentions(var),
            Bool::Ints(_, ab) => ab.0.mentions(var) || ab.1.mentions(var),
            Bool::Floats(_, ab) => ab.0.mentions(var) || ab.1.mentions(var),
            Bool::Bools(_, ab) => ab.0.mentions(var) || ab.1.mentions(var),
            Bool::Select(cab) => cab.0.mentions(var) || cab.1.mentions(var) || cab.2.mentions(var),
        }
    }
}

fn integer(op: BinOp, a: i64, b: i64) -> Result<i64> {
    if b == 0 && matches!(op, BinOp::Div | BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp) {
        return Err(EvalError::DivisionByZero);
    }
    let ceil = |a: i64, b: i64| a.checked_div(b).map(|q| q + i64::from(a % b != 0 && (a < 0) == (b < 0)));
    let value = match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div => a.checked_div(b),
        BinOp::Rem => a.checked_rem(b),
        BinOp::CeilDiv => ceil(a, b),
        BinOp::AlignUp => ceil(a, b).and_then(|q| q.checked_mul(b)),
        BinOp::Min => Some(a.min(b)),
        BinOp::Max => Some(a.max(b)),
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne | BinOp::And | BinOp::Or => {
            return Err(EvalError::Type)
        }
    };
    value.ok_or(EvalError::Overflow)
}

impl Float {
    /// Its value, rounded after each operation.
    pub fn eval(&self, env: &Env) -> Result<f32> {
        Ok(match self {
            Float::Const(v) => *v,
            Float::Var(slot) => f32::from_bits(env.vars[*slot] as u32),
            Float::Of(a) => a.eval(env)? as f32,
            Float::Un(UnOp::Neg, a) => -a.eval(env)?,
            Float::Un(UnOp::Sqrt, a) => a.eval(env)?.sqrt(),
            Float::Un(UnOp::Not, _) => return Err(EvalError::Type),
            Float::Select(cab) => if cab.0.eval(env)? { &cab.1 } else { &cab.2 }.eval(env)?,
            Float::Bin(op, ab) => {
                let (a, b) = (ab.0.eval(env)?, ab.1.eval(env)?);
                match op {
                    BinOp::Add => a + b,
                    BinOp::Sub => a - b,
                    BinOp::Mul => a * b,
                    BinOp::Div => a / b,
                    BinOp::Min => a.min(b),
                    BinOp::Max => a.max(b),
                    _ => return Err(EvalError::Type),
                }
            }
        })
    }
}

impl Bool {
    /// Its value.
    pub fn eval(&self, env: &Env) -> Result<bool> {
        Ok(match self {
            Bool::Const(v) => *v,
            Bool::Var(slot) => env.vars[*slot] != 0,
            Bool::Not(a) => !a.eval(env)?,
            Bool::Ints(op, ab) => compare(*op, ab.0.eval(env)?, ab.1.eval(env)?)?,
            Bool::Floats(op, ab) => compare(*op, ab.0.eval(env)?, ab.1.eval(env)?)?,
            Bool::Bools(BinOp::And, ab) => ab.0.eval(env)? && ab.1.eval(env)?,
            Bool::Bools(BinOp::Or, ab) => ab.0.eval(env)? || ab.1.eval(env)?,
            Bool::Bools(op, ab) => compare(*op, ab.0.eval(env)?, ab.1.eval(env)?)?,
            Bool::Select(cab) => if cab.0.eval(env)? { &cab.1 } else { &cab.2 }.eval(env)?,
        })
    }
}

fn compare<T: PartialOrd>(op: BinOp, a: T, b: T) -> Result<bool> {
    Ok(match op {
        BinOp::Lt => a < b,
        BinOp::Le => a <= b,
        BinOp::Gt => a > b,
        BinOp::Ge => a >= b,
        BinOp::Eq => a == b,
        BinOp::Ne => a != b,
        _ => return Err(EvalError::Type),
    })
}

impl Expr {
    /// Its value as the content of a slot.
    pub fn slot(&self, env: &Env) -> Result<i64> {
        Ok(match self {
            Expr::Int(e) => e.eval(env)?,
            Expr::Float(e) => i64::from(e.eval(env)?.to_bits()),
            Expr::Bool(e) => i64::from(e.eval(env)?),
        })
    }
    fn int(self) -> Result<Int> {
        match self {
            Expr::Int(e) => Ok(e),
            Expr::Float(_) | Expr::Bool(_) => Err(EvalError::Type),
        }
    }
    fn float(self) -> Result<Float> {
        match self {
            Expr::Float(e) => Ok(e),
            Expr::Int(Int::Const(v)) => Ok(Float::Const(v as f32)),
            Expr::Int(e) => Ok(Float::Of(Box::new(e))),
            Expr::Bool(_) => Err(EvalError::Type),
        }
    }
    fn bool(self) -> Result<Bool> {
        match self {
            Expr::Bool(e) => Ok(e),
            Expr::Int(_) | Expr::Float(_) => Err(EvalError::Type),
        }
    }
    /// Converts to a declared type as an initialiser in C++ would.
    pub fn convert(self, ty: ScalarTy) -> Result<Expr> {
        Ok(match (ty, self) {
            (ScalarTy::F32, e) => Expr::Float(e.float()?),
            (ScalarTy::Bool, e) => Expr::Bool(e.bool()?),
            (_, Expr::Int(e)) => Expr::Int(e),
            (_, e) => Expr::Int(Int::Of(ty, Box::new(e))),
        })
    }
}

/// Content of a slot of type `ty` for a value that the host computed.
pub(super) fn host_slot(ty: ScalarTy, value: Value) -> Result<i64> {
    Ok(match ty {
        ScalarTy::F32 => i64::from(value.as_f32()?.to_bits()),
        ScalarTy::Bool => i64::from(value.as_bool()?),
        ScalarTy::Index | ScalarTy::I32 => value.as_int()?,
    })
}

/// What a variable is to [`compile`].
pub(super) enum Known {
    /// Computed by the host and never changed: its slot's content.
    Host(i64),
    /// Set on the core.
    Device,
}

/// Resolves an expression; `var` gives type and knowledge of a variable.
pub(super) fn compile(s: &Scalar, var: &impl Fn(VarId) -> Result<(ScalarTy, Known)>) -> Result<Expr> {
    Ok(match s {
        Scalar::Int(v) => Expr::Int(Int::Const(*v)),
        Scalar::Float(v) => Expr::Float(Float::Const(*v)),
        Scalar::Bool(v) => Expr::Bool(Bool::Const(*v)),
        Scalar::Axis(a) => return Err(EvalError::Missing(format!("axis {}", a.0))),
        Scalar::Attr(a, _) => return Err(EvalError::Missing(format!("attribute {}", a.0))),
        Scalar::Chip(_) => return Err(EvalError::Missing("a chip fact".into())),
        Scalar::SizeOf(_) => return Err(EvalError::Missing("size_of before lowering".into())),
        Scalar::BlockIdx => Expr::Int(Int::BlockIdx),
        Scalar::BlockDim => Expr::Int(Int::BlockDim),
        Scalar::Var(v) => match var(*v)? {
            (ScalarTy::F32, Known::Host(slot)) => Expr::Float(Float::Const(f32::from_bits(slot as u32))),
            (ScalarTy::Bool, Known::Host(slot)) => Expr::Bool(Bool::Const(slot != 0)),
            (_, Known::Host(slot)) => Expr::Int(Int::Const(slot)),
            (ScalarTy::F32, Known::Device) => Expr::Float(Float::Var(v.index())),
            (ScalarTy::Bool, Known::Device) => Expr::Bool(Bool::Var(v.index())),
            (_, Known::Device) => Expr::Int(Int::Var(v.index())),
        },
        Scalar::Un(op, a) => match (op, compile(a, var)?) {
            (UnOp::Neg, Expr::Int(a)) => Expr::Int(Int::Neg(Box::new(a))),
            (UnOp::Not, a) => Expr::Bool(Bool::Not(Box::new(a.bool()?))),
            (op, a) => Expr::Float(Float::Un(*op, Box::new(a.float()?))),
        },
        Scalar::Bin(op, a, b) => binary(*op, compile(a, var)?, compile(b, var)?)?,
        Scalar::Select(c, a, b) => {
            let c = compile(c, var)?.bool()?;
            match (compile(a, var)?, compile(b, var)?) {
                (Expr::Int(a), Expr::Int(b)) => Expr::Int(Int::Select(Box::new((c, a, b)))),
                (Expr::Bool(a), Expr::Bool(b)) => Expr::Bool(Bool::Select(Box::new((c, a, b)))),
                (a, b) => Expr::Float(Float::Select(Box::new((c, a.float()?, b.float()?)))),
            }
        }
        Scalar::Cast(ty, a) => match (ty, compile(a, var)?) {
            (ScalarTy::F32, a) => Expr::Float(a.float()?),
            (ScalarTy::Bool, a) => Expr::Bool(a.bool()?),
            (ty, a) => Expr::Int(Int::Of(*ty, Box::new(a))),
        },
    })
}

fn binary(op: BinOp, a: Expr, b: Expr) -> Result<Expr> {
    Ok(match (a, b) {
        (Expr::Int(Int::Const(a)), Expr::Int(Int::Const(b))) if !op.is_predicate() => match integer(op, a, b) {
            Ok(v) => Expr::Int(Int::Const(v)),
            // Left for the run: the expression may stand where it is never evaluated.
            Err(_) => Expr::Int(Int::Bin(op, Box::new((Int::Const(a), Int::Const(b))))),
        },
        (Expr::Int(a), Expr::Int(b)) if op.is_predicate() => Expr::Bool(Bool::Ints(op, Box::new((a, b)))),
        (Expr::Int(a), Expr::Int(b)) => Expr::Int(Int::Bin(op, Box::new((a, b)))),
        (Expr::Bool(a), Expr::Bool(b)) => Expr::Bool(Bool::Bools(op, Box::new((a, b)))),
        (a, b) if op.is_predicate() => Expr::Bool(Bool::Floats(op, Box::new((a.float()?, b.float()?)))),
        (a, b) => Expr::Float(Float::Bin(op, Box::new((a.float()?, b.float()?)))),
    })
}

/// Resolves an expression that must be an integer.
pub(super) fn compile_int(s: &Scalar, var: &impl Fn(VarId) -> Result<(ScalarTy, Known)>) -> Result<Int> {
    compile(s, var)?.int()
}

/// Resolves an expression that must be a truth value.
pub(super) fn compile_bool(s: &Scalar, var: &impl Fn(VarId) -> Result<(ScalarTy, Known)>) -> Result<Bool> {
    compile(s, var)?.bool()
}
