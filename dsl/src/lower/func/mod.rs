//! Device functions that lowered kernels call: reductions, broadcasts and fills as functions of layout and extent.
//!
//! Which vector calls are cheapest depends on sizes that only the host knows, so a function decides where it runs. It is made
//! once for each op and element type; [`Funcs`] hands out its id.

mod all;
mod block_pairs;
mod broadcast;
mod builder;
mod integers;
pub mod library;
mod middle;
mod middle_first;
mod pad;
mod rows;

pub(super) use broadcast::{has_again, Side};
pub(super) use integers::{whole_work_a_row, whole_work_behind};
pub(super) use middle::middle_work;
pub(super) use rows::{longest_row, work_a_row, MOST_ROWS};

use super::type_queries::Binding;
use crate::dtype::DType;
use crate::ir::{Func, FuncId, Scalar, ScalarTy, Ty};
use crate::ops::{AxisReduceOp, BinaryOp};
use std::sync::Arc;

/// What a reduction makes of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reduce {
    Sum,
    Max,
    Min,
    Prod,
}

impl Reduce {
    /// `None` for what is made of other reductions (`expand_reductions`).
    pub(super) const fn of(op: AxisReduceOp) -> Option<Reduce> {
        match op {
            AxisReduceOp::Sum => Some(Reduce::Sum),
            AxisReduceOp::Max => Some(Reduce::Max),
            AxisReduceOp::Min => Some(Reduce::Min),
            AxisReduceOp::Prod => Some(Reduce::Prod),
            AxisReduceOp::Mean | AxisReduceOp::ArgMax | AxisReduceOp::ArgMin | AxisReduceOp::Any | AxisReduceOp::All => None,
        }
    }

    /// What changes no result.
    pub(super) const fn neutral(self) -> f32 {
        match self {
            Reduce::Sum => 0.0,
            Reduce::Max => f32::NEG_INFINITY,
            Reduce::Min => f32::INFINITY,
            Reduce::Prod => 1.0,
        }
    }

    /// What changes no result of whole numbers: infinities are the ends of their type.
    const fn whole_neutral(self) -> i32 {
        self.neutral() as i32
    }

    /// What changes no result in a type.
    pub(super) fn begin(self, binding: &Binding<'_>, ty: Ty) -> Scalar {
        match binding.beside(ty) {
            ScalarTy::I32 if binding.is(ty, DType::I16) => {
                Scalar::I32(self.whole_neutral().clamp(i16::MIN.into(), i16::MAX.into()))
            }
            ScalarTy::I32 => Scalar::I32(self.whole_neutral()),
            ScalarTy::F32 | ScalarTy::Index | ScalarTy::Bool => Scalar::Float(self.neutral()),
        }
    }

    /// Makes one of two.
    pub(super) const fn step(self) -> BinaryOp {
        match self {
            Reduce::Sum => BinaryOp::Add,
            Reduce::Max => BinaryOp::Max,
            Reduce::Min => BinaryOp::Min,
            Reduce::Prod => BinaryOp::Mul,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Reduce::Sum => "sum",
            Reduce::Max => "max",
            Reduce::Min => "min",
            Reduce::Prod => "product",
        }
    }

    const fn said(self) -> &'static str {
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
enum Key {
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
    PairRows(Reduce, Ty, middle_first::Repeats),
    Broadcast(BinaryOp, [Side; 2], Ty),
    Pad(Ty),
}

/// The functions of a kernel so far.
#[derive(Clone, Default)]
pub(super) struct Funcs {
    made: Vec<(Key, FuncId)>,
    pub(super) all: Vec<Arc<Func>>,
}

impl Funcs {
    /// The function of a key, made where it is not there yet; those that it calls are made before it.
    fn get(&mut self, key: Key, make: impl FnOnce(&mut Funcs) -> Func) -> FuncId {
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
