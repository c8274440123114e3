//! Reductions of a whole tensor (`ReduceSum(dst, src, work, count)`) and along axes of a tile.
//!
//! Order of a sum in count form:
//!
//! - Architecture 2201: a binary tree of neighbours inside of a repeat (256 bytes), then the
//!   repeats in order.
//! - Architecture 2002: a tree over the repeats as well (asc-devkit, ReduceSum.md).
//!
//! Maxima need no order; nan wins.
//!
//! Reductions along axes take integers as well. No instruction reduces integers, so the lowering
//! builds these from other ops. Their neutral elements are those of floats as integers, with
//! infinities as the ends of the type. No instruction multiplies all elements either.
//!
//! Means, reductions of masks and places are made of sums, maxima and minima
//! (`lower/tile/expand_reductions`). Each reader of the IR spells out what they mean.

use super::{contract, family, math, BinaryOp, Cost, Eval, Reduction, ALWAYS, ARITH_32, FLOAT};
use crate::dtype::DType;
use crate::surface::{Element, LocalTensor, Over, Tile};

macro_rules! eval {
    ($neutral:expr, |$a:ident, $b:ident| $e:expr) => {{
        #[inline(always)]
        fn step($a: f32, $b: f32) -> f32 {
            $e
        }
        fn pairs(dst: &mut [f32], src: &[f32]) {
            for (d, s) in dst.iter_mut().zip(src.chunks_exact(2)) {
                *d = step(s[0], s[1]);
            }
        }
        // A step of a sum or product rounds.
        Eval::Reduce(Reduction {
            neutral: $neutral,
            step,
            pairs,
            rounds: !f32::is_infinite($neutral),
        })
    }};
}
pub(super) use eval;

macro_rules! reductions {
    ($($(#[doc = $doc:literal])+ $name:ident => $v:ident($ascendc:literal, $contract:ident) {
        neutral: $neutral:expr, step: |$a:ident, $b:ident| $e:expr, example: $ex:literal
    })*) => {
        family!(Reduce ReduceOp { $($(#[doc = $doc])+ $name => $v($ascendc) {
            v220: FLOAT, m200: FLOAT, cost: Cost::Reduce, asks_tpipe: ALWAYS,
        } [contract::$contract] [eval!($neutral, |$a, $b| $e)] $ex)* });
        /// Functions of this family at queue level.
        pub mod calls {
            use super::*;
            $($(#[doc = $doc])+ pub fn $name<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, work: &LocalTensor<T>, count: usize) {
                let _ = (dst, src, work, count);
            })*
        }
    };
}

reductions! {
    /// Sum of all elements.
    reduce_sum => Sum("ReduceSum", REDUCE_SUM) { neutral: 0.0, step: |a, b| a + b, example: "vec::reduce_sum(&z, &x, &work, n);" }
    /// Largest of all elements; nan wins.
    reduce_max => Max("ReduceMax", REDUCE) { neutral: f32::NEG_INFINITY, step: |a, b| math::max(a, b), example: "vec::reduce_max(&z, &x, &work, n);" }
    /// Smallest of all elements; nan wins.
    reduce_min => Min("ReduceMin", REDUCE) { neutral: f32::INFINITY, step: |a, b| math::min(a, b), example: "vec::reduce_min(&z, &x, &work, n);" }
}

/// Element type of a mask, as messages and tables name it.
const MASK: &[DType] = &[DType::Bits];

macro_rules! axis_reductions {
    ($($(#[doc = $doc:literal])+ $name:ident => $v:ident($ascendc:literal) of $of:tt to $to:tt { $v220:expr, $m200:expr, $eval:expr } $ex:literal)*) => {
        family!(AxisReduce AxisReduceOp { $($(#[doc = $doc])+ #[doc = " Along the axes that are named, which go."] $name => $v($ascendc) {
            v220: $v220, m200: $m200, cost: Cost::Reduce, method: true,
        } [contract::TILE_ONLY] [$eval] $ex)* });
        $(axis_reductions!(@method $of $to $name $($doc)+);)*
    };
    (@method T T $name:ident $($doc:literal)+) => {
        axis_reductions!(@impl [<T: Element>] T, T, $name $($doc)+);
    };
    (@method T i32 $name:ident $($doc:literal)+) => {
        axis_reductions!(@impl [<T: Element>] T, i32, $name $($doc)+);
    };
    (@method bool bool $name:ident $($doc:literal)+) => {
        axis_reductions!(@impl [] bool, bool, $name $($doc)+);
    };
    (@impl [$($generics:tt)*] $of:ty, $to:ty, $name:ident $($doc:literal)+) => {
        impl $($generics)* Tile<$of> {
            $(#[doc = $doc])+ #[doc = " Along the axes that are named, which go: `(d)`, `((a, d))`, `(..)` for all."]
            pub fn $name(self, over: impl Over) -> Tile<$to> {
                let _ = over;
                Tile::stub()
            }
        }
    };
}

axis_reductions! {
    /// Sum of all elements.
    sum => Sum("ReduceSum") of T to T { ARITH_32, ARITH_32, ReduceOp::Sum.def().eval } "let s = x.sum(d);"
    /// Largest of all elements; nan wins.
    amax => Max("ReduceMax") of T to T { ARITH_32, ARITH_32, ReduceOp::Max.def().eval } "let m = x.amax(d);"
    /// Smallest of all elements; nan wins.
    amin => Min("ReduceMin") of T to T { ARITH_32, ARITH_32, ReduceOp::Min.def().eval } "let m = x.amin(d);"
    /// Product of all elements; 1 for no elements.
    prod => Prod("Mul") of T to T { ARITH_32, ARITH_32, eval!(1.0, |a, b| a * b) } "let p = x.prod(d);"
    /// Mean of all elements: their sum times the reciprocal of their number, each rounded once; nan
    /// for none.
    mean => Mean("ReduceSum") of T to T { FLOAT, FLOAT, Eval::Move } "let m = x.mean(d);"
    /// Index of the largest element along one axis, the lowest of several; nan is the largest.
    argmax => ArgMax("ReduceMax") of T to i32 { ARITH_32, FLOAT, Eval::Move } "let i = x.argmax(d);"
    /// Index of the smallest element along one axis, the lowest of several; nan is the smallest.
    argmin => ArgMin("ReduceMin") of T to i32 { ARITH_32, FLOAT, Eval::Move } "let i = x.argmin(d);"
    /// 1 where any bit of a mask is 1, else 0.
    any => Any("ReduceMax") of bool to bool { MASK, MASK, Eval::Move } "let a = m.any(d);"
    /// 1 where all bits of a mask are 1 or there are none, else 0.
    all => All("ReduceMin") of bool to bool { MASK, MASK, Eval::Move } "let a = m.all(d);"
}

impl AxisReduceOp {
    /// Returns the op of two elements that the reduction repeats, `None` where it is made
    /// otherwise.
    pub const fn step(self) -> Option<BinaryOp> {
        match self {
            AxisReduceOp::Sum => Some(BinaryOp::Add),
            AxisReduceOp::Max => Some(BinaryOp::Max),
            AxisReduceOp::Min => Some(BinaryOp::Min),
            AxisReduceOp::Prod => Some(BinaryOp::Mul),
            AxisReduceOp::Mean
            | AxisReduceOp::ArgMax
            | AxisReduceOp::ArgMin
            | AxisReduceOp::Any
            | AxisReduceOp::All => None,
        }
    }

    /// True for reductions of masks.
    pub const fn is_of_masks(self) -> bool {
        matches!(self, AxisReduceOp::Any | AxisReduceOp::All)
    }

    /// True for reductions that give the index of an element.
    pub const fn is_place(self) -> bool {
        matches!(self, AxisReduceOp::ArgMax | AxisReduceOp::ArgMin)
    }
}
