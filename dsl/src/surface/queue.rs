//! The queue level: AscendC's own vocabulary.
//!
//! A [`LocalTensor`] is moved by `enque` and `free_tensor`, so rustc refuses a use after either.
//! The checker finds these uses without rustc.

use super::{Element, GmSlice, Mark, Scalar};
use crate::items::items;

/// A tensor in UB.
pub struct LocalTensor<T>(Mark<T>);

impl<T> LocalTensor<T> {
    /// Makes a tensor of `len` elements at byte `address` of UB, without TPipe.
    ///
    /// The author places all tensors, and orders the pipes by hand ([`set_flag`](super::set_flag)).
    pub fn new<P: Position>(position: P, address: usize, len: usize) -> LocalTensor<T> {
        let _ = (position, address, len);
        LocalTensor(Mark::default())
    }
}

items! {
    /// Methods of a tensor in UB.
    LocalMethod of Some("a LocalTensor");
    on ([T] LocalTensor<T>) {
        /// The tensor from element `offset` on: `x[offset]` in AscendC.
        queue At => fn at(&self, offset: usize) -> LocalTensor<T>;
        /// The tensor in data blocks, for a vector call with repeats or in counter mode: the
        /// distances from block to block of a repeat and from repeat to repeat, start to start.
        /// Without it they are 1 and 8.
        queue Blocks => fn blocks(&self, blk: usize, rep: usize) -> LocalTensor<T>;
        /// The tensor as destination of a reduction of repeats: the distance from the results of
        /// one repeat to those of the next, counted in results of one repeat. Without it that is 1.
        queue Results => fn results(&self, rep: usize) -> LocalTensor<T>;
        /// The tensor in rows, for a copy of several: the distance from the start of one to that of
        /// the next in elements, whole data blocks. Without it rows follow one another, each to the
        /// end of its last data block.
        queue Rows => fn rows(&self, pitch: usize) -> LocalTensor<T>;
        /// The tensor's bytes as elements of another type: `ReinterpretCast`.
        queue ReinterpretCast => fn reinterpret_cast[U](&self) -> LocalTensor<U>;
    }
    on ([T: Element] LocalTensor<T>) {
        /// One element as a scalar; waits until pipe V has drained.
        queue GetValue => fn get_value(&self, index: usize) -> T;
        /// Writes one element.
        queue SetValue => fn set_value(&self, index: usize, value: impl Scalar<T>);
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

/// Hands out UB; a kernel has one.
#[derive(Default)]
pub struct TPipe;

/// The receivers of memory from [`TPipe::init_buffer`]. A `TBuf` takes one buffer.
pub trait Buffer {}
impl<P: Position, const DEPTH: usize> Buffer for TQue<P, DEPTH> {}
impl<P: Position> Buffer for TBuf<P> {}

impl TPipe {
    /// Makes the pipe of this kernel.
    pub fn new() -> Self {
        TPipe
    }
}

items! {
    /// Methods of the pipe.
    PipeMethod of Some("a TPipe");
    on ([] TPipe) {
        /// Gives `buffer_num` buffers of `bytes` bytes, each rounded up to a data block, to a queue
        /// or buffer.
        queue InitBuffer => fn init_buffer(&mut self, buffer: &mut impl Buffer, buffer_num: usize, bytes: usize);
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
    /// Makes a queue without buffers.
    pub fn new() -> Self {
        Self::default()
    }
}

items! {
    /// Methods of a queue.
    QueueMethod of Some("a TQue");
    on ([P: Position, const DEPTH: usize] TQue<P, DEPTH>) {
        /// Takes a free buffer; its content is undefined.
        queue AllocTensor => fn alloc_tensor[T: Element](&mut self) -> LocalTensor<T>;
        /// Hands a filled tensor to the consumer.
        queue Enque => fn enque[T](&mut self, tensor: LocalTensor<T>);
        /// Takes the oldest filled tensor.
        queue Deque => fn deque[T: Element](&mut self) -> LocalTensor<T>;
        /// Gives the buffer back.
        queue FreeTensor => fn free_tensor[T](&mut self, tensor: LocalTensor<T>);
    }
}

/// A buffer without a queue.
pub struct TBuf<P: Position>(Mark<P>);

impl<P: Position> Default for TBuf<P> {
    fn default() -> Self {
        TBuf(Mark::default())
    }
}

impl<P: Position> TBuf<P> {
    /// Makes a buffer without memory.
    pub fn new() -> Self {
        Self::default()
    }
}

items! {
    /// Methods of a buffer.
    BufMethod of Some("a TBuf");
    on ([P: Position] TBuf<P>) {
        /// The buffer as a tensor; `u8` for the mask of a comparison.
        queue Get => fn get[T](&mut self) -> LocalTensor<T>;
    }
}

/// Destination of a copy from `S`.
pub trait CopyTo<S> {}
impl<T: Element> CopyTo<GmSlice<T>> for &LocalTensor<T> {}
impl<T: Element> CopyTo<&LocalTensor<T>> for GmSlice<T> {}

items! {
    /// Methods of a slice of GM.
    SliceMethod of Some("a slice of a GlobalTensor");
    on ([T: Element] GmSlice<T>) {
        /// So many rows of it; `pitch` is the elements from the start of one to that of the next.
        queue Rows => fn rows(self, rows: usize, pitch: usize) -> GmSlice<T>;
        /// The padding that `data_copy_pad` puts around each row in UB: `lead` elements of `value`
        /// before it, and `value` behind it up to the end of a data block.
        queue Pad => fn pad(self, lead: usize, value: impl Scalar<T>) -> GmSlice<T>;
    }
}

/// This block's share of some indices.
#[derive(Clone, Copy)]
pub struct Share;

items! {
    /// The division of indices among the blocks.
    SplitMethod of Some("`split`");
    on ([] Share) {
        /// Shares are multiples of `n`, except the last one.
        queue Unit => fn unit(self, n: usize) -> Self;
        /// Blocks to launch; without it as many as there are cores and work.
        queue BlockDim => fn block_dim(self, n: usize) -> Self;
    }
}

items! {
    /// Methods of a share.
    ShareMethod of Some("a share");
    on ([] Share) {
        /// First index of the share.
        queue Start => fn start(&self) -> usize;
        /// Number of indices.
        queue Len => fn len(&self) -> usize;
    }
}

/// Events from one pipe to another, as AscendC's `HardEvent` names them: the first pipe sets the
/// flag, the second waits for it.
#[allow(non_camel_case_types, missing_docs)]
pub mod events {
    /// The two pipes of an event.
    pub trait HardEvent {}
    /// The pipes that a barrier holds.
    pub trait PipeT {}
    /// The pipes that set a flag between cores.
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
