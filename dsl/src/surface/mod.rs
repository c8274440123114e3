//! The language as rustc and editors see it: types without content and functions without effect.
//!
//! `#[kernel]` shows a clean kernel's body to the compiler against these. Types complete, docs
//! hover and an import counts as used. Nothing here runs, and nothing depends on it for soundness:
//! a kernel that is loaded at run time has no rustc.
//!
//! The rows in [`crate::ops`] expand the methods of ops. Bounds are `T: Element` only: the dtypes
//! of an op on a chip are checked by [`crate::check`], whose message is better.

use crate::dtype::DType;
use std::marker::PhantomData;

mod axis;
pub mod extent;
mod functions;
mod gm;
mod queue;
mod tile;

pub use axis::{
    Ax, Axis, AxisTile, Divide, Each, EachLoop, Idx, Indexed, Indices, Iota, Over, Part, Size,
    Sizes, TileLoop, Tiled, Whole,
};
pub use functions::{
    across_cores, assume, atomic_add, atomic_add_pad, atomic_max, atomic_max_pad, atomic_min,
    atomic_min_pad, bits, counter, cross_core_set_flag, cross_core_wait_flag, data_copy,
    data_copy_pad, each, fit_tile, full, get_block_idx, get_block_num, lanes, new_axis,
    pipe_barrier, require, set_flag, split, sync_all, tiles, wait_flag, workspace, zip,
};
pub use gm::{GlobalTensor, GmSlice, Lists, MayBeLeftOut, OrFull, View, Zip};
pub use queue::{
    Buffer, CopyTo, HardEvent, LocalTensor, PipeT, Position, Share, TBuf, TPipe, TQue, VecCalc,
    VecIn, VecOut, MTE2_MTE3, MTE2_S, MTE2_V, MTE3_MTE2, MTE3_S, MTE3_V, PIPE_ALL, PIPE_MTE2,
    PIPE_MTE3, PIPE_V, S_MTE2, S_MTE3, S_V, V_MTE2, V_MTE3, V_S,
};
pub use tile::{One, Pick, Place, Tile};

/// The tables of methods and functions by receiver, as [`crate::items`] has them.
pub(crate) mod kinds {
    pub use super::axis::{AxisMethod, LoopMethod, RunMethod, ScalarMethod};
    pub use super::extent::ExtentMethod;
    pub use super::functions::Function;
    pub use super::gm::{GmMethod, OptionalMethod, ViewMethod, ZipMethod};
    pub use super::queue::{
        BufMethod, LocalMethod, PipeMethod, QueueMethod, ShareMethod, SliceMethod, SplitMethod,
    };
    pub use super::tile::{PlaceMethod, TileMethod};
}

/// An element type that a tensor parameter may have.
pub trait Element: Copy + 'static {
    /// The type that arithmetic widens to: `f32` for the 16-bit floats, else the type itself.
    type Wide: Element;
    /// The type as data.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($t:ty => $d:ident, $w:ty);* $(;)?) => {$(
        impl Element for $t {
            type Wide = $w;
            const DTYPE: DType = DType::$d;
        }
    )*};
}
elements! {
    half::f16 => F16, f32;
    half::bf16 => Bf16, f32;
    f32 => F32, f32;
    i32 => I32, i32;
    bool => Bool, bool;
    i8 => I8, i8;
    i64 => I64, i64;
    i16 => I16, i16;
    u8 => U8, u8;
    u16 => U16, u16;
    u32 => U32, u32;
}

/// The floats and the integer that most ops take: `f16`, `bf16`, `f32`, `i32`.
pub trait Number: Element {}
impl Number for half::f16 {}
impl Number for half::bf16 {}
impl Number for f32 {}
impl Number for i32 {}

/// Floating-point element types: `f16`, `bf16`, `f32`.
pub trait Float: Number<Wide = f32> {}
impl Float for half::f16 {}
impl Float for half::bf16 {}
impl Float for f32 {}

/// Integer element types: `i32`.
pub trait Int: Number {}
impl Int for i32 {}

/// A scalar operand for elements of type `T`. Literals take the tile's dtype, whatever their Rust
/// type.
pub trait Scalar<T>: Copy {}
macro_rules! scalars {
    ($($s:ty),*) => {$(
        impl<T: Element> Scalar<T> for $s {}
        impl<T: Element> Rhs<T> for $s {}
    )*};
}
scalars!(f32, f64, i32, i64, usize);
impl Scalar<bool> for bool {}

/// Right-hand side of an element-wise op: a tile or a scalar.
pub trait Rhs<T> {}
impl<T: Element> Rhs<T> for Tile<T> {}

/// The first of two choices beside a second of type `B`.
///
/// It is a tile, or a scalar of the element type of the tile beside it. Two scalars give `f32`, or
/// `i32` where both are integers.
pub trait Choice<B> {
    /// The element type of the result.
    type Elem: Element;
}
impl<T: Element, B: Rhs<T>> Choice<B> for Tile<T> {
    type Elem = T;
}
macro_rules! choices {
    ($($a:ty: $($b:ty)* => $elem:ty);*) => {$(
        impl<T: Element> Choice<Tile<T>> for $a {
            type Elem = T;
        }
        $(impl Choice<$b> for $a {
            type Elem = $elem;
        })*
    )*};
}
choices!(f32: f32 f64 i32 i64 usize => f32; f64: f32 f64 i32 i64 usize => f32);
choices!(i32: i32 i64 usize => i32; i64: i32 i64 usize => i32; usize: i32 i64 usize => i32);
macro_rules! mixed_choices {
    ($($a:ty)*) => {$(
        impl Choice<f32> for $a {
            type Elem = f32;
        }
        impl Choice<f64> for $a {
            type Elem = f32;
        }
    )*};
}
mixed_choices!(i32 i64 usize);

/// Vector calls of the queue level, named as in AscendC.
pub mod vec {
    pub use crate::ops::binary::calls::*;
    pub use crate::ops::bits::calls::*;
    pub use crate::ops::compare::calls::*;
    pub use crate::ops::compound::calls::*;
    pub use crate::ops::layout::calls::*;
    pub use crate::ops::mask::calls::*;
    pub use crate::ops::partial::calls::*;
    pub use crate::ops::reduce::calls::*;
    pub use crate::ops::scalar::calls::*;
    pub use crate::ops::scan::calls::*;
    pub use crate::ops::unary::calls::*;
}

/// A marker that carries a type without owning one.
type Mark<T> = PhantomData<fn() -> T>;
