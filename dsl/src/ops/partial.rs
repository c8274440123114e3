//! Reductions of each repeat, data block or pair: `WholeReduceSum`, `BlockReduceSum`,
//! `PairReduceSum`.
//!
//! Lanes that the mask excludes take no part. A repeat, block or pair without any lane leaves its
//! result unchanged. A sum is a binary tree of neighbours by place; an element without a partner
//! goes on unchanged (asc-devkit, pages of WholeReduceSum, BlockReduceSum and PairReduceSum).

use super::reduce::eval;
use super::{contract, family, math, Cost, Eval, KeepsMask, Reduction, FLOAT};
use crate::surface::extent::Extent;
use crate::surface::{Element, LocalTensor};

macro_rules! partials {
    ($($(#[doc = $doc:literal])+ $name:ident => $v:ident($ascendc:literal, $contract:ident, $cost:ident, $m200:expr) {
        neutral: $neutral:expr, step: |$a:ident, $b:ident| $e:expr, example: $ex:literal
    })*) => {
        family!(Partial PartialOp { $($(#[doc = $doc])+ $name => $v($ascendc) {
            v220: FLOAT, m200: $m200, cost: Cost::$cost, keeps_mask: KeepsMask::Dst,
        } [contract::$contract] [eval!($neutral, |$a, $b| $e)] $ex)* });
        /// Functions of this family at queue level.
        pub mod calls {
            use super::*;
            $($(#[doc = $doc])+ pub fn $name<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, extent: impl Extent) {
                let _ = (dst, src, extent);
            })*
        }
    };
}

partials! {
    /// Sum of each data block.
    block_reduce_sum => BlockSum("BlockReduceSum", BLOCK_REDUCE, BlockReduce, FLOAT) { neutral: 0.0, step: |a, b| a + b, example: "vec::block_reduce_sum(&z, &x, lanes(64).repeats(r));" }
    /// Largest of each data block; nan wins.
    block_reduce_max => BlockMax("BlockReduceMax", BLOCK_REDUCE, BlockReduce, FLOAT) { neutral: f32::NEG_INFINITY, step: |a, b| math::max(a, b), example: "vec::block_reduce_max(&z, &x, lanes(0..5).of(8).groups(8).repeats(r));" }
    /// Smallest of each data block; nan wins.
    block_reduce_min => BlockMin("BlockReduceMin", BLOCK_REDUCE, BlockReduce, FLOAT) { neutral: f32::INFINITY, step: |a, b| math::min(a, b), example: "vec::block_reduce_min(&z, &x, lanes(64).repeats(r));" }
    /// Sum of each repeat.
    whole_reduce_sum => WholeSum("WholeReduceSum", WHOLE_REDUCE, WholeReduce, FLOAT) { neutral: 0.0, step: |a, b| a + b, example: "vec::whole_reduce_sum(&z.results(2), &x.blocks(1, 8), lanes(64).repeats(r));" }
    /// Largest of each repeat; nan wins. On architecture 2002 AscendC gives it with its index only.
    whole_reduce_max => WholeMax("WholeReduceMax", WHOLE_REDUCE, WholeReduce, &[]) { neutral: f32::NEG_INFINITY, step: |a, b| math::max(a, b), example: "vec::whole_reduce_max(&z, &x, lanes(64).repeats(r));" }
    /// Smallest of each repeat; nan wins. On architecture 2002 AscendC gives it with its index
    /// only.
    whole_reduce_min => WholeMin("WholeReduceMin", WHOLE_REDUCE, WholeReduce, &[]) { neutral: f32::INFINITY, step: |a, b| math::min(a, b), example: "vec::whole_reduce_min(&z, &x, bits(0x5555_5555_5555_5555, 0).repeats(r));" }
    /// Sum of each pair of neighbours.
    pair_reduce_sum => PairSum("PairReduceSum", PAIR_REDUCE, BlockReduce, FLOAT) { neutral: 0.0, step: |a, b| a + b, example: "vec::pair_reduce_sum(&z, &x, counter(n));" }
    /// Sum of each repeat: `WholeReduceSum` under an older name.
    repeat_reduce_sum => RepeatSum("RepeatReduceSum", REPEAT_REDUCE, WholeReduce, FLOAT) { neutral: 0.0, step: |a, b| a + b, example: "vec::repeat_reduce_sum(&z, &x, lanes(64).repeats(r));" }
}
