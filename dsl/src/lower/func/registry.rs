//! The functions of a kernel, and the keys that distinguish them.

use crate::dtype::DType;
use crate::ir::{Func, FuncId, Scalar, ScalarTy, Ty};
use crate::lower::type_queries::Binding;
use crate::ops::{AxisReduceOp, BinaryOp};
use std::sync::Arc;

/// The op of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    Sum,
    Max,
    Min,
    Prod,
}

impl Reduce {
    /// Returns the op of a reduction; `None` if it is made of other reductions
    /// (`expand_reductions`).
    pub const fn of(op: AxisReduceOp) -> Option<Reduce> {
        match op {
            AxisReduceOp::Sum => Some(Reduce::Sum),
            AxisReduceOp::Max => Some(Reduce::Max),
            AxisReduceOp::Min => Some(Reduce::Min),
            AxisReduceOp::Prod => Some(Reduce::Prod),
            AxisReduceOp::Mean
            | AxisReduceOp::ArgMax
            | AxisReduceOp::ArgMin
            | AxisReduceOp::Any
            | AxisReduceOp::All => None,
        }
    }

    /// Returns the neutral value.
    pub const fn neutral(self) -> f32 {
        match self {
            Reduce::Sum => 0.0,
            Reduce::Max => f32::NEG_INFINITY,
            Reduce::Min => f32::INFINITY,
            Reduce::Prod => 1.0,
        }
    }

    /// Returns the neutral value of integers; infinities become the ends of their type.
    pub const fn whole_neutral(self) -> i32 {
        self.neutral() as i32
    }

    /// Returns the neutral value in a type.
    pub fn begin(self, binding: &Binding<'_>, ty: Ty) -> Scalar {
        match binding.beside(ty) {
            ScalarTy::I32 if binding.is(ty, DType::I16) => {
                Scalar::I32(self.whole_neutral().clamp(i16::MIN.into(), i16::MAX.into()))
            }
            ScalarTy::I32 => Scalar::I32(self.whole_neutral()),
            ScalarTy::F32 | ScalarTy::Index | ScalarTy::Bool => Scalar::Float(self.neutral()),
        }
    }

    /// Returns the op that combines two values.
    pub const fn step(self) -> BinaryOp {
        match self {
            Reduce::Sum => BinaryOp::Add,
            Reduce::Max => BinaryOp::Max,
            Reduce::Min => BinaryOp::Min,
            Reduce::Prod => BinaryOp::Mul,
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Reduce::Sum => "sum",
            Reduce::Max => "max",
            Reduce::Min => "min",
            Reduce::Prod => "product",
        }
    }

    pub const fn said(self) -> &'static str {
        match self {
            Reduce::Sum => "sum",
            Reduce::Max => "largest",
            Reduce::Min => "smallest",
            Reduce::Prod => "product",
        }
    }
}

/// The key of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Key {
    /// Rows in at most so many steps.
    Rows(Reduce, Ty, u32),
    Blocks(Reduce, Ty),
    Repeats(Reduce, Ty),
    Pairs(Ty),
    Step(Reduce, Ty),
    Whole(Reduce, Ty),
    All(Reduce, Ty),
    /// The flag is true if the result is combined with the content of the destination.
    First(Reduce, Ty, bool),
    Middle(Reduce, Ty, bool),
    Halves(Reduce, Ty, bool),
    PairRows(Reduce, Ty, Repeats),
    Broadcast(BinaryOp, [Side; 2], Ty),
    Pad(Ty),
    Part(Ty),
}

/// The functions of a kernel so far.
#[derive(Clone, Default)]
pub struct Funcs {
    made: Vec<(Key, FuncId)>,
    pub all: Vec<Arc<Func>>,
}

impl Funcs {
    /// Returns the function of a key. `make` makes it if it is new; functions that it calls come
    /// first.
    pub fn get(&mut self, key: Key, make: impl FnOnce(&mut Funcs) -> Func) -> FuncId {
        if let Some((_, id)) = self.made.iter().find(|(k, _)| *k == key) {
            return *id;
        }
        let mut func = make(self);
        func.name = crate::ir::names::unique(&func.name, |n| self.all.iter().any(|f| f.name == n));
        let id = FuncId(self.all.len() as u32);
        self.all.push(Arc::new(func));
        self.made.push((key, id));
        id
    }
}

/// The layout of an operand relative to the rows of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// One element for each element of the result.
    Whole,
    /// One value a row, expanded to a data block.
    Column,
    /// One row for all rows.
    Row,
}

impl Side {
    pub const fn word(self) -> &'static str {
        match self {
            Side::Whole => "rows",
            Side::Column => "columns",
            Side::Row => "row",
        }
    }

    pub const fn said(self) -> &'static str {
        match self {
            Side::Whole => "rows",
            Side::Column => "one value a row, each of which fills a data block",
            Side::Row => "one row for all",
        }
    }
}

/// The meaning of the repeats of a call in the step that pairs rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Outer indices, in one call for each pair of rows.
    Outer,
    /// Pairs of rows, in one call for each outer index.
    Rows,
}

impl Repeats {
    pub const fn word(self) -> &'static str {
        match self {
            Repeats::Outer => "one_pair",
            Repeats::Rows => "all_pairs",
        }
    }

    pub const fn said(self) -> &'static str {
        match self {
            Repeats::Outer => "a call takes one pair of all outer indices",
            Repeats::Rows => "a call takes all pairs of one outer index",
        }
    }

    /// Returns its longer stride in data blocks.
    pub fn stride(self, outer: &Scalar, rows: &Scalar, blocks: &Scalar) -> Scalar {
        match self {
            Repeats::Outer => rows.clone() * blocks.clone(),
            Repeats::Rows => outer.clone() * blocks.clone(),
        }
    }
}
