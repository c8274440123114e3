//! Ops that move, convert or choose: Cast, Duplicate, CreateVecIndex, UB-to-UB DataCopy, GatherMask
//! (by a pattern or by bits), Gather, Gatherb, Sort32, MrgSort, Brcb, Select.

use super::{
    contract, family, Cost, Eval, KeepsMask, ALWAYS, ARITH, FLOAT, MOVED_M200, MOVED_V220, ON_M200,
    ON_V220, STORED_M200, STORED_V220,
};
use crate::dtype::RoundMode;
use crate::surface::extent::Extent;
use crate::surface::{Choice, Element, LocalTensor, Scalar, Tile};

family!(Layout LayoutOp {
    /// Conversion to another element type; the pairs and round modes that exist are a table of
    /// their own ([`crate::dtype::cast_modes`]). The dtypes listed here are sources.
    cast => Cast("Cast") { v220: STORED_V220, m200: STORED_M200, cost: Cost::Cast, method: true, keeps_mask: KeepsMask::DstOwn }
        [contract::CAST] [Eval::Move] "let y = x.cast::<f32>();"
    /// One scalar for every element.
    duplicate => Duplicate("Duplicate") { v220: MOVED_V220, m200: MOVED_M200, cost: Cost::Duplicate, keeps_mask: KeepsMask::Dst }
        [contract::FILL] [Eval::Move] "vec::duplicate(&z, 0.0, n);"
    /// Element i is `first + i`, rounded once. Where that rounds, the toolkit adds from one data
    /// block to the next and rounds each time. A chip's result may then be some steps away: f16
    /// beyond 2048, f32 (on Atlas inference products i32 as well) beyond 2^24, and a `first` that
    /// is no integer.
    create_vec_index => CreateVecIndex("CreateVecIndex") { v220: ARITH, m200: ARITH, cost: Cost::Index, asks_tpipe: ALWAYS }
        [contract::INDEX] [Eval::Move] "vec::create_vec_index(&z, 0, n);"
    /// Copy inside UB; whole data blocks.
    local_copy => LocalCopy("DataCopy") { v220: STORED_V220, m200: STORED_M200, cost: Cost::Simple } [contract::LOCAL_COPY] [Eval::Move] "vec::local_copy(&z, &x, n);"
    /// Copy inside UB under a mask, with strides.
    copy => Copy("Copy") { v220: MOVED_V220, m200: &[], cost: Cost::Simple } [contract::COPY] [Eval::Move] "vec::copy(&z.blocks(1, 16), &x.blocks(1, 8), lanes(64).repeats(r));"
    /// The elements that a pattern takes, one behind the other: 1 even ones, 2 odd ones, 3 to 6 the
    /// first to fourth of each four, 7 all.
    gather_mask => GatherMask("GatherMask") { v220: MOVED_V220, m200: MOVED_M200, cost: Cost::Gather } [contract::GATHER_MASK] [Eval::Move] "vec::gather_mask(&z, &x, 1, n);"
    /// The elements whose bit is 1, one behind the other, and their number; the rest up to `n`
    /// holds no value.
    gather_bits => GatherBits("GatherMask") { v220: MOVED_V220, m200: &[], cost: Cost::Gather } [contract::GATHER_BITS] [Eval::Move] "let kept = vec::gather_bits(&z, &x, &m, n);"
    /// Element i is the one `base + offsets[i]` bytes behind the start of `src`; both are multiples
    /// of the element size.
    gather => Gather("Gather") { v220: MOVED_V220, m200: MOVED_M200, cost: Cost::Choose } [contract::GATHER] [Eval::Move] "vec::gather(&z, &x, &offsets, 0, n);"
    /// Data block i is the one `offsets[i]` bytes behind the start of `src`, a multiple of 32;
    /// eight data blocks a repeat.
    gatherb => GatherBlocks("Gatherb") { v220: MOVED_V220, m200: &[], cost: Cost::Gather } [contract::GATHER_BLOCKS] [Eval::Move] "vec::gatherb(&z, &x, &offsets, 16);"
    /// The places of the `k` largest elements in falling order, of equal ones the first first; none
    /// is nan. `places` counts from 0 up to whole lists of 32.
    top => Top("Sort32") { v220: FLOAT, m200: &[], cost: Cost::Sort } [contract::TOP] [Eval::Move] "vec::top(&at, &x, &places, &work, 8, n);"
    /// Each 32 elements and their places become pairs of 8 bytes in falling order, of equal
    /// elements the first first; none is nan. With f16 two bytes behind the element have no value.
    sort32 => Sort32("Sort32") { v220: FLOAT, m200: &[], cost: Cost::Merge } [contract::SORT32] [Eval::Move] "vec::sort32(&pairs, &x, &places, 128);"
    /// Two lists of pairs in falling order become one, of equal scores those of the first list
    /// first; the lengths stand behind the lists.
    mrg_sort2 => MergeTwo("MrgSort") { v220: FLOAT, m200: &[], cost: Cost::Merge } [contract::MERGE_TWO] [Eval::Move] "vec::mrg_sort2(&z, &a, &b, 32, 20);"
    /// Three lists of pairs in falling order become one, as with `mrg_sort2`.
    mrg_sort3 => MergeThree("MrgSort") { v220: FLOAT, m200: &[], cost: Cost::Merge } [contract::MERGE_THREE] [Eval::Move] "vec::mrg_sort3(&z, &a, &b, &c, 32, 32, 20);"
    /// Four lists of pairs in falling order become one, as with `mrg_sort2`.
    mrg_sort4 => MergeFour("MrgSort") { v220: FLOAT, m200: &[], cost: Cost::Merge } [contract::MERGE_FOUR] [Eval::Move] "vec::mrg_sort4(&z, &a, &b, &c, &d, 32, 32, 32, 20);"
    /// Each four lists of one length, which follow one another, become one: `r` times.
    mrg_sort_fours => MergeFours("MrgSort") { v220: FLOAT, m200: &[], cost: Cost::Merge } [contract::MERGE_FOURS] [Eval::Move] "vec::mrg_sort_fours(&z, &pairs, 32, r);"
    /// Each source element fills one data block; eight elements a repeat.
    brcb => Brcb("Brcb") { v220: MOVED_V220, m200: MOVED_M200, cost: Cost::Broadcast, asks_tpipe: ON_M200 }
        [contract::BRCB] [Eval::Move] "vec::brcb(&blocks, &column, n);"
    /// Bit i of the mask chooses `src0[i]` (1) or `src1[i]` (0); uses 8 KiB of reserved UB. Types
    /// besides `half` and `float` are chosen as types with their bits (`ReinterpretCast`), as in
    /// public kernels.
    select => Select("Select") {
        v220: MOVED_V220, m200: MOVED_M200, cost: Cost::Select, asks_tpipe: ON_V220, method: true, trailing: "SELMODE::VSEL_TENSOR_TENSOR_MODE",
    }
        [contract::SELECT] [Eval::Move] "let z = m.select(a, b);"
    /// Bit i of the mask chooses `src[i]` (1) or the scalar (0); uses 8 KiB of reserved UB.
    selects => SelectScalar("Select") { v220: FLOAT, m200: FLOAT, cost: Cost::Select, asks_tpipe: ON_V220, trailing: "SELMODE::VSEL_TENSOR_SCALAR_MODE" }
        [contract::SELECT_SCALAR] [Eval::Move] "vec::selects(&z, &m, &a, 0.0, n);"
});

impl Tile<bool> {
    /// Takes `a` where the bit is 1, `b` where it is 0.
    pub fn select<B, A: Choice<B>>(self, a: A, b: B) -> Tile<A::Elem> {
        let _ = (a, b);
        Tile::stub()
    }
}

/// Functions of this family at queue level.
pub mod calls {
    use super::*;
    /// Converts elements. A repeat has the lanes of the wider type.
    pub fn cast<T: Element, U: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<U>,
        mode: RoundMode,
        extent: impl Extent,
    ) {
        let _ = (dst, src, mode, extent);
    }
    /// Sets elements to a scalar.
    pub fn duplicate<T: Element>(
        dst: &LocalTensor<T>,
        scalar: impl Scalar<T>,
        extent: impl Extent,
    ) {
        let _ = (dst, scalar, extent);
    }
    /// Sets element `i` to `first + i`.
    pub fn create_vec_index<T: Element>(dst: &LocalTensor<T>, first: impl Scalar<T>, count: usize) {
        let _ = (dst, first, count);
    }
    /// Copies `count` elements inside UB; `count` must fill whole data blocks.
    pub fn local_copy<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, count: usize) {
        let _ = (dst, src, count);
    }
    /// Copies lanes of repeats inside UB.
    pub fn copy<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, extent: impl Extent) {
        let _ = (dst, src, extent);
    }
    /// Moves the elements that a pattern takes to the front: 1 takes even ones, 2 odd ones.
    pub fn gather_mask<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        pattern: usize,
        count: usize,
    ) {
        let _ = (dst, src, pattern, count);
    }
    /// Moves the elements whose bits in `mask` are 1 to the front, and returns their number.
    pub fn gather_bits<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        mask: &LocalTensor<u8>,
        count: usize,
    ) -> usize {
        let _ = (dst, src, mask, count);
        0
    }
    /// Takes the elements that lie `base + offsets[i]` bytes behind the start of `src`.
    pub fn gather<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        offsets: &LocalTensor<i32>,
        base: usize,
        count: usize,
    ) {
        let _ = (dst, src, offsets, base, count);
    }
    /// Takes the data blocks that lie `offsets[i]` bytes behind the start of `src`. `count` is a
    /// number of data blocks and must be a multiple of eight.
    pub fn gatherb<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        offsets: &LocalTensor<i32>,
        count: usize,
    ) {
        let _ = (dst, src, offsets, count);
    }
    /// Finds the places of the `most` largest of `count` elements, in falling order.
    ///
    /// `places` has the numbers from 0 on, up to a multiple of 32; `work` is work space.
    pub fn top<T: Element>(
        dst: &LocalTensor<i32>,
        src: &LocalTensor<T>,
        places: &LocalTensor<i32>,
        work: &LocalTensor<T>,
        most: usize,
        count: usize,
    ) {
        let _ = (dst, src, places, work, most, count);
    }
    /// Sorts each 32 of `count` elements with their places, to pairs of 8 bytes; `count` must be a
    /// multiple of 32.
    pub fn sort32<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        places: &LocalTensor<i32>,
        count: usize,
    ) {
        let _ = (dst, src, places, count);
    }
    /// Merges two lists of pairs, whose lengths stand behind them.
    pub fn mrg_sort2<T: Element>(
        dst: &LocalTensor<T>,
        src0: &LocalTensor<T>,
        src1: &LocalTensor<T>,
        length0: usize,
        length1: usize,
    ) {
        let _ = (dst, src0, src1, length0, length1);
    }
    /// Merges three lists of pairs, whose lengths stand behind them.
    pub fn mrg_sort3<T: Element>(
        dst: &LocalTensor<T>,
        src0: &LocalTensor<T>,
        src1: &LocalTensor<T>,
        src2: &LocalTensor<T>,
        length0: usize,
        length1: usize,
        length2: usize,
    ) {
        let _ = (dst, src0, src1, src2, length0, length1, length2);
    }
    /// Merges four lists of pairs, whose lengths stand behind them.
    #[allow(clippy::too_many_arguments)]
    pub fn mrg_sort4<T: Element>(
        dst: &LocalTensor<T>,
        src0: &LocalTensor<T>,
        src1: &LocalTensor<T>,
        src2: &LocalTensor<T>,
        src3: &LocalTensor<T>,
        length0: usize,
        length1: usize,
        length2: usize,
        length3: usize,
    ) {
        let _ = (
            dst, src0, src1, src2, src3, length0, length1, length2, length3,
        );
    }
    /// Merges each four lists of `length` pairs, `fours` times.
    pub fn mrg_sort_fours<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        length: usize,
        fours: usize,
    ) {
        let _ = (dst, src, length, fours);
    }
    /// Fills one data block with each of `count` elements; `count` must be a multiple of eight.
    pub fn brcb<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, count: usize) {
        let _ = (dst, src, count);
    }
    /// Chooses between two tensors by the bits of `mask`.
    pub fn select<T: Element>(
        dst: &LocalTensor<T>,
        mask: &LocalTensor<u8>,
        src0: &LocalTensor<T>,
        src1: &LocalTensor<T>,
        count: usize,
    ) {
        let _ = (dst, mask, src0, src1, count);
    }
    /// Chooses between a tensor and a scalar by the bits of `mask`.
    pub fn selects<T: Element>(
        dst: &LocalTensor<T>,
        mask: &LocalTensor<u8>,
        src: &LocalTensor<T>,
        scalar: impl Scalar<T>,
        count: usize,
    ) {
        let _ = (dst, mask, src, scalar, count);
    }
}
