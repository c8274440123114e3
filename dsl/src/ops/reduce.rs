//! Reductions of a whole tensor (`ReduceSum(dst, src, work, count)`) and along axes of a tile.
//!
//! Order of a sum on architecture 2201, count form: inside a repeat (256 bytes) a binary tree of neighbours, repeats
//! added in order; on 2002 a tree over repeats as well (asc-devkit, ReduceSum.md). Maxima need no order; nan wins.
//!
//! Axes may be of whole numbers, which no instruction reduces: the lowering makes such a reduction of other ops. Its neutral elements
//! are those of floats as whole numbers, infinities the ends of the type.

use super::{contract, family, math, Cost, Eval, Reduction, ARITH, FLOAT};
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
        Eval::Reduce(Reduction { neutral: $neutral, step, pairs, rounds: $neutral == 0.0 })
    }};
}
pub(super) use eval;

macro_rules! reductions {
    ($($(#[doc = $doc:literal])+ $name:ident $row:ident => $v:ident($ascendc:literal, $contract:ident) {
        neutral: $neutral:expr, step: |$a:ident, $b:ident| $e:expr, example: $ex:literal, example_row: $exr:literal
    })*) => {
        family!(Reduce ReduceOp { $($(#[doc = $doc])+ $name => $v($ascendc) {
            v220: FLOAT, m200: FLOAT, cost: Cost::Reduce,
        } [contract::$contract] [eval!($neutral, |$a, $b| $e)] $ex)* });
        family!(AxisReduce AxisReduceOp { $($(#[doc = $doc])+ #[doc = "Along the axes that are named, which go."] $row => $v($ascendc) {
            v220: ARITH, m200: ARITH, cost: Cost::Reduce,
        } [contract::TILE_ONLY] [eval!($neutral, |$a, $b| $e)] $exr)* });
        impl AxisReduceOp {
            /// The reduction of everything.
            pub const fn whole(self) -> ReduceOp {
                match self { $(AxisReduceOp::$v => ReduceOp::$v),* }
            }
        }
        impl<T: Element> Tile<T> {
            $($(#[doc = $doc])+ #[doc = "Along the axes that are named, which go: `(d)`, `((a, d))`, `(..)` for all."] pub fn $row(self, over: impl Over) -> Tile<T> { let _ = over; Tile::stub() })*
        }
        /// The family's functions of the queue level.
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
    reduce_sum sum => Sum("ReduceSum", REDUCE_SUM) { neutral: 0.0, step: |a, b| a + b, example: "vec::reduce_sum(&z, &x, &work, n);", example_row: "let s = x.sum(d);" }
    /// Largest of all elements; nan wins.
    reduce_max amax => Max("ReduceMax", REDUCE) { neutral: f32::NEG_INFINITY, step: |a, b| math::max(a, b), example: "vec::reduce_max(&z, &x, &work, n);", example_row: "let m = x.amax(d);" }
    /// Smallest of all elements; nan wins.
    reduce_min amin => Min("ReduceMin", REDUCE) { neutral: f32::INFINITY, step: |a, b| math::min(a, b), example: "vec::reduce_min(&z, &x, &work, n);", example_row: "let m = x.amin(d);" }
}
