//! The queue level: AscendC's own vocabulary.
//!
//! A [`LocalTensor`] is moved by `enque` and `free_tensor`, so rustc refuses a use after either; the checker finds
//! the same without rustc.

use super::{Element, GlobalTensor, GmSlice, Mark, Scalar, Whole};

/// A tensor in UB.
pub struct LocalTensor<T>(Mark<T>);

impl<T> LocalTensor<T> {
    /// A tensor of `len` elements at byte `address` of UB, without TPipe: the author says what lies where, and orders the pipes by
    /// hand ([`set_flag`]).
    pub fn new<P: Position>(position: P, address: usize, len: usize) -> LocalTensor<T> {
        let _ = (position, address, len);
        LocalTensor(Mark::default())
    }
    /// The tensor from element `offset` on: `x[offset]` in AscendC.
    pub fn at(&self, offset: usize) -> LocalTensor<T> {
        let _ = offset;
        LocalTensor(Mark::default())
    }
    /// The tensor in data blocks, for a vector call with repeats or in counter mode: from block to block of a repeat and from
    /// repeat to repeat, start to start. Without it they are 1 and 8.
    pub fn blocks(&self, blk: usize, rep: usize) -> LocalTensor<T> {
        let _ = (blk, rep);
        LocalTensor(Mark::default())
    }
    /// The tensor in rows, for a copy of several: from the start of one to that of the next in elements, whole data blocks. Without it rows
    /// follow one another, each to the end of its last data block.
    pub fn rows(&self, pitch: usize) -> LocalTensor<T> {
        let _ = pitch;
        LocalTensor(Mark::default())
    }
    /// The same bytes as elements of another type: `ReinterpretCast`.
    pub fn reinterpret_cast<U>(&self) -> LocalTensor<U> {
        LocalTensor(Mark::default())
    }
    /// The tensor as destination of a reduction of repeats: from the results of one repeat to those of the next, counted in
    /// what a repeat gives. Without it that is 1.
    pub fn results(&self, rep: usize) -> LocalTensor<T> {
        let _ = rep;
        LocalTensor(Mark::default())
    }
}

impl<T: Element> LocalTensor<T> {
    /// One element as a scalar; waits until pipe V has drained.
    pub fn get_value(&self, index: usize) -> T {
        let _ = index;
        unreachable!("kernels run in the simulator, never in Rust")
    }
    /// Writes one element.
    pub fn set_value(&self, index: usize, value: impl Scalar<T>) {
        let _ = (index, value);
    }
}

/// A logical position of a queue or buffer.
pub trait Position {}
/// Position of queues that take copies from GM.
pub struct VecIn;
/// Position of queues that give copies to GM.
pub struct VecOut;
/// Position of temporary buffers.
pub struct VecCalc;
impl Position for VecIn {}
impl Position for VecOut {}
impl Position for VecCalc {}

/// Hands out UB; one a kernel.
#[derive(Default)]
pub struct TPipe;

/// What [`TPipe::init_buffer`] gives memory to. A `TBuf` takes one buffer.
pub trait Buffer {}
impl<P: Position, const DEPTH: usize> Buffer for TQue<P, DEPTH> {}
impl<P: Position> Buffer for TBuf<P> {}

impl TPipe {
    /// The pipe of this kernel.
    pub fn new() -> Self {
        TPipe
    }
    /// Gives `buffer_num` buffers of `bytes` bytes, each rounded up to a data block, to a queue or buffer.
    pub fn init_buffer(&mut self, buffer: &mut impl Buffer, buffer_num: usize, bytes: usize) {
        let _ = (buffer, buffer_num, bytes);
    }
}

/// A queue of buffers between two pipes; `DEPTH` is how many `enque` may follow one another.
pub struct TQue<P: Position, const DEPTH: usize>(Mark<P>);

impl<P: Position, const DEPTH: usize> Default for TQue<P, DEPTH> {
    fn default() -> Self {
        TQue(Mark::default())
    }
}

impl<P: Position, const DEPTH: usize> TQue<P, DEPTH> {
    /// A queue without buffers.
    pub fn new() -> Self {
        Self::default()
    }
    /// Takes a free buffer; its content is undefined.
    pub fn alloc_tensor<T: Element>(&mut self) -> LocalTensor<T> {
        LocalTensor(Mark::default())
    }
    /// Hands a filled tensor to the consumer.
    pub fn enque<T>(&mut self, tensor: LocalTensor<T>) {
        let _ = tensor;
    }
    /// Takes the oldest filled tensor.
    pub fn deque<T: Element>(&mut self) -> LocalTensor<T> {
        LocalTensor(Mark::default())
    }
    /// Gives the buffer back.
    pub fn free_tensor<T>(&mut self, tensor: LocalTensor<T>) {
        let _ = tensor;
    }
}

/// A buffer of its own, without queue.
pub struct TBuf<P: Position>(Mark<P>);

impl<P: Position> Default for TBuf<P> {
    fn default() -> Self {
        TBuf(Mark::default())
    }
}

impl<P: Position> TBuf<P> {
    /// A buffer without memory.
    pub fn new() -> Self {
        Self::default()
    }
    /// The buffer as a tensor; `u8` for the mask of a compare.
    pub fn get<T>(&mut self) -> LocalTensor<T> {
        LocalTensor(Mark::default())
    }
}

/// Destination of a copy from `S`.
pub trait CopyTo<S> {}
impl<T: Element> CopyTo<GmSlice<T>> for &LocalTensor<T> {}
impl<T: Element> CopyTo<&LocalTensor<T>> for GmSlice<T> {}

impl<T: Element> GmSlice<T> {
    /// So many rows of it, from the start of one to that of the next `pitch` elements.
    pub fn rows(self, rows: usize, pitch: usize) -> GmSlice<T> {
        let _ = (rows, pitch);
        self
    }
    /// What [`data_copy_pad`] puts around each row in UB: `lead` elements of `value` before it, and as many behind it as there are to
    /// the end of a data block.
    pub fn pad(self, lead: usize, value: impl Scalar<T>) -> GmSlice<T> {
        let _ = (lead, value);
        self
    }
}

/// Copy of whole data blocks between GM and UB.
pub fn data_copy<S, D: CopyTo<S>>(dst: D, src: S) {
    let _ = (dst, src);
}

/// Copy of any number of elements between GM and UB.
pub fn data_copy_pad<S, D: CopyTo<S>>(dst: D, src: S) {
    let _ = (dst, src);
}

/// Adds whole data blocks to what GM holds, whoever else adds meanwhile: a copy under `SetAtomicAdd`.
pub fn atomic_add<T: Element>(dst: GmSlice<T>, src: &LocalTensor<T>) {
    let _ = (dst, src);
}

/// The same of any number of elements.
pub fn atomic_add_pad<T: Element>(dst: GmSlice<T>, src: &LocalTensor<T>) {
    let _ = (dst, src);
}

/// Leaves the larger of each element and what GM holds, whoever else does meanwhile, in whole data blocks: a copy under `SetAtomicMax`.
pub fn atomic_max<T: Element>(dst: GmSlice<T>, src: &LocalTensor<T>) {
    let _ = (dst, src);
}

/// The same of any number of elements.
pub fn atomic_max_pad<T: Element>(dst: GmSlice<T>, src: &LocalTensor<T>) {
    let _ = (dst, src);
}

/// Leaves the smaller of each element and what GM holds, whoever else does meanwhile, in whole data blocks: a copy under `SetAtomicMin`.
pub fn atomic_min<T: Element>(dst: GmSlice<T>, src: &LocalTensor<T>) {
    let _ = (dst, src);
}

/// The same of any number of elements.
pub fn atomic_min_pad<T: Element>(dst: GmSlice<T>, src: &LocalTensor<T>) {
    let _ = (dst, src);
}

/// This block's share of some indices.
#[derive(Clone, Copy)]
pub struct Share;

impl Share {
    /// Shares are multiples of `n`, the last one excepted.
    pub fn unit(self, n: usize) -> Self {
        let _ = n;
        self
    }
    /// Blocks to launch; left out, as many as there are cores and work.
    pub fn block_dim(self, n: usize) -> Self {
        let _ = n;
        self
    }
    /// First index of the share.
    pub fn start(&self) -> usize {
        0
    }
    /// Number of indices.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        0
    }
}

/// Divides the indices `0..total` among the blocks.
pub fn split(total: usize) -> Share {
    let _ = total;
    Share
}

/// The largest multiple of `unit` for which all buffers of the kernel fit in UB; solved in host tiling.
pub fn fit_tile(unit: usize) -> usize {
    unit
}

/// A tensor in GM of the kernel's own: no caller sees it, it begins without values, and every block reaches it. At tile level it is given
/// its axes, `workspace::<f32>((n, k))`, at queue level a number of elements.
pub fn workspace<T: Element>(axes: impl Whole) -> GlobalTensor<T> {
    let _ = axes;
    GlobalTensor::new()
}

/// Every block of the launch waits here until all have come. What any of them has copied to GM before, all of them load afterwards.
pub fn sync_all() {}

/// Events from one pipe to another, as AscendC's `HardEvent` names them: the first sets the flag, the second waits for it.
#[allow(non_camel_case_types, missing_docs)]
pub mod events {
    /// From which pipe to which.
    pub trait HardEvent {}
    /// What a barrier holds.
    pub trait PipeT {}
    /// What sets a flag across the cores.
    pub trait SettingPipe {}
    macro_rules! markers {
        ($of:ident: $($name:ident),*) => {$(
            pub struct $name;
            impl $of for $name {}
        )*};
    }
    markers!(HardEvent: MTE2_V, V_MTE2, V_MTE3, MTE3_V, MTE2_MTE3, MTE3_MTE2, V_S, S_V, MTE2_S, S_MTE2, MTE3_S, S_MTE3);
    markers!(PipeT: PIPE_V, PIPE_MTE2, PIPE_MTE3, PIPE_ALL);
    impl SettingPipe for PIPE_V {}
    impl SettingPipe for PIPE_MTE2 {}
    impl SettingPipe for PIPE_MTE3 {}
}
pub use events::*;

/// Sets flag `id` of an event once all that its first pipe was given before has ended.
pub fn set_flag<E: HardEvent>(id: usize) {
    let _ = id;
}

/// Holds the second pipe of an event until flag `id` is set, and takes it back.
pub fn wait_flag<E: HardEvent>(id: usize) {
    let _ = id;
}

/// A pipe begins nothing more before all that it was given has ended; with `PIPE_ALL` all of them wait for all.
pub fn pipe_barrier<P: PipeT>() {}

/// This core has set flag `id` once all that the pipe was given before has ended; mode 0 is between all vector cores of the launch.
pub fn cross_core_set_flag<const MODE: u8, P: SettingPipe>(id: usize) {
    let _ = id;
}

/// Holds all pipes of this core until every core has set flag `id`, as often as this one waits for it.
pub fn cross_core_wait_flag(id: usize) {
    let _ = id;
}

/// Index of this block.
pub fn get_block_idx() -> usize {
    0
}

/// Number of blocks.
pub fn get_block_num() -> usize {
    1
}
