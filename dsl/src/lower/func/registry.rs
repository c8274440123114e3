//! Which functions a kernel has so far, and what tells them apart.

use crate::dtype::DType;
use crate::ir::{Func, FuncId, Scalar, ScalarTy, Ty};
use crate::lower::type_queries::Binding;
use crate::ops::{AxisReduceOp, BinaryOp};
use std::sync::Arc;

/// What a reduction makes of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    Sum,
    Max,
    Min,
    Prod,
}

impl Reduce {
    /// `None` for what is made of other reductions (`expand_reductions`).
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

    /// What changes no result.
    pub const fn neutral(self) -> f32 {
        match self {
            Reduce::Sum => 0.0,
            Reduce::Max => f32::NEG_INFINITY,
            Reduce::Min => f32::INFINITY,
            Reduce::Prod => 1.0,
        }
    }

    /// What changes no result of whole numbers: infinities are the ends of their type.
    pub const fn whole_neutral(self) -> i32 {
        self.neutral() as i32
    }

    /// What changes no result in a type.
    pub fn begin(self, binding: &Binding<'_>, ty: Ty) -> Scalar {
        match binding.beside(ty) {
            ScalarTy::I32 if binding.is(ty, DType::I16) => {
                Scalar::I32(self.whole_neutral().clamp(i16::MIN.into(), i16::MAX.into()))
            }
            ScalarTy::I32 => Scalar::I32(self.whole_neutral()),
            ScalarTy::F32 | ScalarTy::Index | ScalarTy::Bool => Scalar::Float(self.neutral()),
        }
    }

    /// Makes one of two.
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

/// What tells functions apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Key {
    /// In so many steps at most.
    Rows(Reduce, Ty, u32),
    Blocks(Reduce, Ty),
    Repeats(Reduce, Ty),
    Pairs(Ty),
    Step(Reduce, Ty),
    Whole(Reduce, Ty),
    All(Reduce, Ty),
    /// Onto what is there.
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
    /// The function of a key, made where it is not there yet; those that it calls are made before it.
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

/// How an operand lies to the rows of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Element for element.
    Whole,
    /// One value a row, each expanded to a data block.
    Column,
    /// One row for all.
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

/// What the repeats of a call are, in the step that pairs rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Outer indices: a call for each pair of rows.
    Outer,
    /// Pairs of rows: a call for each outer index.
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

    /// Its longer stride in data blocks.
    pub fn stride(self, outer: &Scalar, rows: &Scalar, blocks: &Scalar) -> Scalar {
        match self {
            Repeats::Outer => rows.clone() * blocks.clone(),
            Repeats::Rows => outer.clone() * blocks.clone(),
        }
    }
}
