//! The functions of the prelude.

use super::axis::Numbered;
use super::extent::{Counter, LaneSet, Lanes};
use super::queue::SettingPipe;
use super::{
    Axis, CopyTo, Each, EachLoop, Element, GlobalTensor, GmSlice, HardEvent, Lists, LocalTensor,
    Over, PipeT, Scalar, Share, Tile, TileLoop, Tiled, Whole, Zip,
};
use crate::items::items;

items! {
    /// Functions of the prelude.
    Function of None;
    functions () {
        /// Cuts an axis (`tiles(n)`), the indices from one to below another (`tiles(a..b)`), all
        /// elements of a tensor, shape ignored (`tiles(x)`), or several axes at once
        /// (`tiles((each(b), n))`) into tiles that fit in UB. The outermost such loop of a kernel
        /// is divided among the cores.
        tile Tiles => fn tiles[A: Tiled](of: A) -> TileLoop<A>;
        /// Goes through an axis, or the indices from one to below another (`each(a..b)`), one by
        /// one: an iteration is a scalar. The iterations of an outermost loop are divided among the
        /// cores.
        tile Each => fn each(of: impl Each) -> EachLoop;
        /// Goes through the items of lists: `for (x, y) in zip((xs, ys))`, with their numbers
        /// `for (i, (x, y)) in zip((xs, ys)).enumerate()`. The cores share all tiles of all items.
        /// A kernel with lists has one such loop, which contains all of its stores.
        tile Zip => fn zip[L: Lists](lists: L) -> Zip<L>;
        /// An axis of the kernel's own, of a size that the host knows: `let k = new_axis(4);`. The
        /// indices of `new_axis(a..b)` are that range. They stand at any index of a tensor,
        /// `x.at(k)`. The axis is aligned with no other one, of equal length or not.
        tile NewAxis => fn new_axis(of: impl Numbered) -> Axis;
        /// A tile with these axes and one value for every element. Its type is `f32` unless a
        /// turbofish or the `let` says another.
        tile Full => fn full[T: Element](axes: impl Over, value: impl Scalar<T>) -> Tile<T>;
        /// Divides the indices `0..total` among the blocks.
        queue Split => fn split(total: usize) -> Share;
        /// The largest multiple of `unit` for which all buffers of the kernel fit in UB; solved in
        /// host tiling.
        queue FitTile => fn fit_tile(unit: usize) -> usize;
        /// A tile with these axes that all cores merge: `s += v`, `s = s.max(v)` or `s = s.min(v)`
        /// inside a loop, for `bool` `s |= m` or `s &= m`. It is complete behind the loop. Its
        /// first value counts once.
        tile AcrossCores => fn across_cores[T: Element](axes: impl Over, value: impl Scalar<T>) -> Tile<T>;
        /// A tensor in GM of the kernel's own: no caller sees it, it begins without values, and
        /// every block reaches it. Its argument is its axes at tile level,
        /// `workspace::<f32>((n, k))`, and a number of elements at queue level.
        both Workspace => fn workspace[T: Element](axes: impl Whole) -> GlobalTensor<T>;
        /// Every block of the launch waits here until all have come. All of them then load the
        /// values that any of them has copied to GM before.
        queue SyncAll => fn sync_all();
        /// Sets flag `id` of an event once all earlier instructions of its first pipe have ended.
        queue SetFlag => fn set_flag[E: HardEvent](id: usize);
        /// Holds the second pipe of an event until flag `id` is set, and takes it back.
        queue WaitFlag => fn wait_flag[E: HardEvent](id: usize);
        /// A pipe begins nothing more before its earlier instructions have ended; with `PIPE_ALL`
        /// all pipes wait for all.
        queue PipeBarrier => fn pipe_barrier[P: PipeT]();
        /// This core sets flag `id` once all earlier instructions of the pipe have ended; mode 0 is
        /// between all vector cores of the launch.
        queue CrossCoreSetFlag => fn cross_core_set_flag[const MODE: u8, P: SettingPipe](id: usize);
        /// Holds all pipes of this core until every core has set flag `id`, as often as this one
        /// waits for it.
        queue CrossCoreWaitFlag => fn cross_core_wait_flag(id: usize);
        /// Copy of whole data blocks between GM and UB.
        queue DataCopy => fn data_copy[S, D: CopyTo<S>](dst: D, src: S);
        /// Copy of any number of elements between GM and UB.
        queue DataCopyPad => fn data_copy_pad[S, D: CopyTo<S>](dst: D, src: S);
        /// Adds whole data blocks to the contents of GM, also while others add: a copy under
        /// `SetAtomicAdd`.
        queue AtomicAdd => fn atomic_add[T: Element](dst: GmSlice<T>, src: &LocalTensor<T>);
        /// Adds any number of elements to the contents of GM, as `atomic_add` does.
        queue AtomicAddPad => fn atomic_add_pad[T: Element](dst: GmSlice<T>, src: &LocalTensor<T>);
        /// Leaves the larger of each element and the one in GM, also while others do, in whole data
        /// blocks: a copy under `SetAtomicMax`.
        queue AtomicMax => fn atomic_max[T: Element](dst: GmSlice<T>, src: &LocalTensor<T>);
        /// Leaves the larger of any number of elements and those in GM, as `atomic_max` does.
        queue AtomicMaxPad => fn atomic_max_pad[T: Element](dst: GmSlice<T>, src: &LocalTensor<T>);
        /// Leaves the smaller of each element and the one in GM, also while others do, in whole
        /// data blocks: a copy under `SetAtomicMin`.
        queue AtomicMin => fn atomic_min[T: Element](dst: GmSlice<T>, src: &LocalTensor<T>);
        /// Leaves the smaller of any number of elements and those in GM, as `atomic_min` does.
        queue AtomicMinPad => fn atomic_min_pad[T: Element](dst: GmSlice<T>, src: &LocalTensor<T>);
        /// Index of this block.
        both GetBlockIdx => fn get_block_idx() -> usize;
        /// Number of blocks.
        both GetBlockNum => fn get_block_num() -> usize;
        /// Lanes of a repeat of 256 bytes: `lanes(n)` the first `n`, `lanes(a..b).of(16).groups(g)`
        /// lanes `a` to `b` of each of the first `g` groups of 16. A repeat has 128 lanes of 16
        /// bits or 64 of 32.
        queue Lanes => fn lanes[S: LaneSet](set: S) -> S::Lanes;
        /// The lanes of a repeat whose bits are set: 0 to 63 in `low` from the lowest bit on, 64 to
        /// 127 in `high`.
        queue Bits => fn bits(low: u64, high: u64) -> Lanes;
        /// The first `n` elements in counter mode: as many repeats as they fill, with the strides
        /// of the operands.
        queue Counter => fn counter(n: usize) -> Counter;
        /// Declares a fact: the checker relies on it, the host tiling function refuses a launch
        /// without it.
        both Require => fn require(fact: bool);
        /// Promises a fact about scalars that only a run knows: the checker relies on it, and every
        /// run on this machine checks it.
        tile Assume => fn assume(fact: bool);
    }
    rust () {
        /// The bytes of an element.
        both SizeOf => fn size_of[T]() -> usize;
    }
}
