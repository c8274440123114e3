//! Instructions.

use super::text::{text_enum, text_struct};
use super::{ParamId, Scalar, TensorId};
use crate::dtype::RoundMode;
use crate::ops::Op;

/// Part of a `LocalTensor` from an offset on: `x[offset]`.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalRef {
    /// The tensor.
    pub tensor: TensorId,
    /// Offset in elements.
    pub offset: Scalar,
}
text_struct!(LocalRef "ub" { tensor, offset });

/// Part of a `GlobalTensor` from an offset on.
#[derive(Clone, Debug, PartialEq)]
pub struct GmRef {
    /// The parameter.
    pub param: ParamId,
    /// Offset in elements.
    pub offset: Scalar,
}
text_struct!(GmRef "gm" { param, offset });

/// Extent of a copy between GM and UB, all in elements.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyShape {
    /// Rows (`blockCount`).
    pub rows: Scalar,
    /// Elements of a row (`blockLen`).
    pub cols: Scalar,
    /// Distance in GM from row start to row start.
    pub gm_stride: Scalar,
    /// Distance in UB from row start to row start; a whole number of data blocks.
    pub ub_pitch: Scalar,
}
text_struct!(CopyShape "copy" { rows, cols, gm_stride, ub_pitch });

/// Strides of a vector call in data blocks (`blk`) and data blocks per repeat (`rep`), start to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Strides {
    pub dst_blk: i64,
    pub src0_blk: i64,
    pub src1_blk: i64,
    pub dst_rep: i64,
    pub src0_rep: i64,
    pub src1_rep: i64,
}
text_struct!(Strides "strides" { dst_blk, src0_blk, src1_blk, dst_rep, src0_rep, src1_rep });

impl Strides {
    /// Everything contiguous.
    pub const DENSE: Strides = Strides { dst_blk: 1, src0_blk: 1, src1_blk: 1, dst_rep: 8, src0_rep: 8, src1_rep: 8 };
}

/// How a vector call is told its extent.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Count form: the first `n` elements.
    Count {
        /// Elements.
        n: Scalar,
    },
    /// Mask/repeat form: `mask` elements of each of `repeat` repeats.
    Repeat {
        /// Elements of a repeat.
        mask: Scalar,
        /// Repeats.
        repeat: Scalar,
        /// Strides.
        strides: Strides,
    },
    /// Counter mode: the element count set by the last [`StmtKind::MaskCount`], with strides.
    Counter {
        /// Strides.
        strides: Strides,
    },
}
text_enum!(Form {
    Count = "count" { n }, Repeat = "repeat" { mask, repeat, strides }, Counter = "counter" { strides },
});

/// One vector call of the queue dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorCall {
    /// Which op.
    pub op: Op,
    /// Destination.
    pub dst: LocalRef,
    /// Tensor sources in AscendC's order.
    pub srcs: Vec<LocalRef>,
    /// Scalar operand, of the element type of the sources.
    pub scalar: Option<Scalar>,
    /// Round mode of Cast.
    pub mode: Option<RoundMode>,
    /// Work buffer of a reduction.
    pub tmp: Option<LocalRef>,
    /// Extent.
    pub form: Form,
}
text_struct!(VectorCall "call" { op, dst, srcs, scalar, mode, tmp, form });
