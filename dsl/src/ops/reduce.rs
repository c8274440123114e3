//! Reductions: of a whole tensor (`ReduceSum(dst, src, work, count)`), of each row of a tile, and of each repeat, data block or
//! pair (`WholeReduceSum`, `BlockReduceSum`, `PairReduceSum`).
//!
//! Order of a sum on architecture 2201, count form: inside a repeat (256 bytes) a binary tree of neighbours, repeats
//! added in order; on 2002 a tree over repeats as well (asc-devkit, ReduceSum.md). Maxima need no order; nan wins.

use super::{contract, family, math, Cost, Eval, Reduction, FLOAT};
use crate::surface::{Element, LocalTensor, Tile};

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

macro_rules! reductions {
    ($($(#[doc = $doc:literal])+ $name:ident $row:ident => $v:ident($ascendc:literal, $contract:ident) {
        neutral: $neutral:expr, step: |$a:ident, $b:ident| $e:expr, example: $ex:literal, example_row: $exr:literal
    })*) => {
        family!(Reduce ReduceOp { $($(#[doc = $doc])+ $name => $v($ascendc) {
            v220: FLOAT, m200: FLOAT, cost: Cost::Reduce,
        } [contract::$contract] [eval!($neutral, |$a, $b| $e)] $ex)* });
        family!(RowReduce RowReduceOp { $($(#[doc = $doc])+ #[doc = "One result a row: `[rows, 1]`."] $row => $v($ascendc) {
            v220: FLOAT, m200: FLOAT, cost: Cost::Reduce,
        } [contract::TILE_ONLY] [eval!($neutral, |$a, $b| $e)] $exr)* });
        impl RowReduceOp {
            /// The reduction that is applied to each row.
            pub const fn whole(self) -> ReduceOp {
                match self { $(RowReduceOp::$v => ReduceOp::$v),* }
            }
        }
        impl<T: Element> Tile<T> {
            $($(#[doc = $doc])+ #[doc = "One result a row: `[rows, 1]`."] pub fn $row(self) -> Tile<T> { Tile::stub() })*
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
    reduce_sum row_sum => Sum("ReduceSum", REDUCE_SUM) { neutral: 0.0, step: |a, b| a + b, example: "vec::reduce_sum(&z, &x, &work, n);", example_row: "let s = x.row_sum();" }
    /// Largest of all elements; nan wins.
    reduce_max row_max => Max("ReduceMax", REDUCE) { neutral: f32::NEG_INFINITY, step: |a, b| math::max(a, b), example: "vec::reduce_max(&z, &x, &work, n);", example_row: "let m = x.row_max();" }
    /// Smallest of all elements; nan wins.
    reduce_min row_min => Min("ReduceMin", REDUCE) { neutral: f32::INFINITY, step: |a, b| math::min(a, b), example: "vec::reduce_min(&z, &x, &work, n);", example_row: "let m = x.row_min();" }
}

family!(Partial PartialOp {
    /// Sum of each data block.
    block_reduce_sum => BlockSum("BlockReduceSum") { v220: FLOAT, m200: FLOAT, cost: Cost::BlockReduce } [contract::BLOCK_REDUCE] [eval!(0.0, |a, b| a + b)] "vec::block_reduce_sum(&z.results(1), &x, lanes(64).repeats(r));"
    /// Largest of each data block; nan wins.
    block_reduce_max => BlockMax("BlockReduceMax") { v220: FLOAT, m200: FLOAT, cost: Cost::BlockReduce } [contract::BLOCK_REDUCE] [eval!(f32::NEG_INFINITY, |a, b| math::max(a, b))] "vec::block_reduce_max(&z.results(1), &x, lanes(64).repeats(r));"
    /// Smallest of each data block; nan wins.
    block_reduce_min => BlockMin("BlockReduceMin") { v220: FLOAT, m200: FLOAT, cost: Cost::BlockReduce } [contract::BLOCK_REDUCE] [eval!(f32::INFINITY, |a, b| math::min(a, b))] "vec::block_reduce_min(&z.results(1), &x, lanes(64).repeats(r));"
    /// Sum of each repeat.
    whole_reduce_sum => WholeSum("WholeReduceSum") { v220: FLOAT, m200: FLOAT, cost: Cost::WholeReduce } [contract::WHOLE_REDUCE] [eval!(0.0, |a, b| a + b)] "vec::whole_reduce_sum(&z.results(1), &x, lanes(64).repeats(r));"
    /// Largest of each repeat; nan wins.
    whole_reduce_max => WholeMax("WholeReduceMax") { v220: FLOAT, m200: FLOAT, cost: Cost::WholeReduce } [contract::WHOLE_REDUCE] [eval!(f32::NEG_INFINITY, |a, b| math::max(a, b))] "vec::whole_reduce_max(&z.results(1), &x, lanes(64).repeats(r));"
    /// Smallest of each repeat; nan wins.
    whole_reduce_min => WholeMin("WholeReduceMin") { v220: FLOAT, m200: FLOAT, cost: Cost::WholeReduce } [contract::WHOLE_REDUCE] [eval!(f32::INFINITY, |a, b| math::min(a, b))] "vec::whole_reduce_min(&z.results(1), &x, lanes(64).repeats(r));"
    /// Sum of each pair of neighbours.
    pair_reduce_sum => PairSum("PairReduceSum") { v220: FLOAT, m200: FLOAT, cost: Cost::BlockReduce } [contract::PAIR_REDUCE] [eval!(0.0, |a, b| a + b)] "vec::pair_reduce_sum(&z.results(1), &x, lanes(64).repeats(r));"
    /// Sum of each repeat: `WholeReduceSum` under an older name.
    repeat_reduce_sum => RepeatSum("RepeatReduceSum") { v220: FLOAT, m200: FLOAT, cost: Cost::WholeReduce } [contract::WHOLE_REDUCE] [eval!(0.0, |a, b| a + b)] "vec::repeat_reduce_sum(&z.results(1), &x, lanes(64).repeats(r));"
});
