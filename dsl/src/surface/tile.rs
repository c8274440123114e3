//! Tiles as values, and the loops that give them.

use super::{Element, GlobalTensor, Mark, Rhs, Scalar};
use std::ops::RangeFull;

/// Part of a tensor in UB, as an immutable value.
pub struct Tile<T>(Mark<T>);

impl<T> Clone for Tile<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Tile<T> {}

impl<T> Tile<T> {
    pub(crate) fn stub() -> Self {
        Tile(Mark::default())
    }
    /// The same for all indices of axes that the tile lacks.
    pub fn expand(self, axes: impl Over) -> Tile<T> {
        let _ = axes;
        Tile::stub()
    }
}

macro_rules! operators {
    ($($tr:ident $f:ident),*) => {$(
        impl<T: Element, R: Rhs<T>> std::ops::$tr<R> for Tile<T> {
            type Output = Tile<T>;
            fn $f(self, _: R) -> Tile<T> { self }
        }
        operators!(@scalar $tr $f f32 f64 i32);
    )*};
    (@scalar $tr:ident $f:ident $($s:ty)*) => {$(
        impl<T: Element> std::ops::$tr<Tile<T>> for $s {
            type Output = Tile<T>;
            fn $f(self, rhs: Tile<T>) -> Tile<T> { rhs }
        }
    )*};
}
operators!(Add add, Sub sub, Mul mul, Div div);

impl<T: Element> std::ops::Neg for Tile<T> {
    type Output = Tile<T>;
    fn neg(self) -> Tile<T> {
        self
    }
}

/// An axis, by its name in `#[shape(..)]`; it reads as its size.
pub type Axis = usize;

/// What [`tiles`] goes through: an axis, or all elements of a tensor.
pub trait Tiled {}
impl Tiled for Axis {}
impl<T: Element> Tiled for &GlobalTensor<T> {}
impl<T: Element> Tiled for &mut GlobalTensor<T> {}

/// Cuts an axis (`tiles(n)`) or all elements of a tensor, shape ignored (`tiles(x)`), into tiles that fit in UB. The outermost such loop
/// of a kernel is divided among the cores.
pub fn tiles(of: impl Tiled) -> TileLoop {
    let _ = of;
    TileLoop
}

/// Tiles of an axis, from [`tiles`].
pub struct TileLoop;

impl Iterator for TileLoop {
    type Item = AxisTile;
    fn next(&mut self) -> Option<AxisTile> {
        None
    }
}

impl TileLoop {
    /// Indices of a tile; left out, the largest count that fits is solved for.
    pub fn size(self, n: usize) -> Self {
        let _ = n;
        self
    }
    /// Buffers of each queue: 2 (the default) is double buffering.
    pub fn buffer_num(self, n: usize) -> Self {
        let _ = n;
        self
    }
    /// Blocks to launch; left out, as many as there are cores and work.
    pub fn block_dim(self, n: usize) -> Self {
        let _ = n;
        self
    }
}

/// One turn of [`tiles`]: a run of indices of the axis.
#[derive(Clone, Copy)]
pub struct AxisTile;

impl AxisTile {
    /// The first index of this tile.
    pub fn start(&self) -> usize {
        0
    }
    /// Indices of this tile; the last one has fewer.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        0
    }
}

/// One axis of a tile: a whole one or the tile of a loop.
pub trait Ax {}
impl Ax for Axis {}
impl Ax for AxisTile {}

/// Axes of a tile: one, several in parentheses, or `..` for all.
pub trait Over {}
impl Over for Axis {}
impl Over for AxisTile {}
impl Over for RangeFull {}

/// One index of a tensor: the tile of a loop, or `..` for a whole axis.
pub trait Idx {}
impl Idx for AxisTile {}
impl Idx for RangeFull {}

/// The indices of a tensor, one an axis; `x.at(i, j)` is read as `x.at((i, j))`.
pub trait Indices {}
impl Indices for AxisTile {}
impl Indices for RangeFull {}

macro_rules! tuples {
    ($($($t:ident)+;)*) => {$(
        impl<$($t: Ax),+> Over for ($($t,)+) {}
        impl<$($t: Idx),+> Indices for ($($t,)+) {}
    )*};
}
tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; }

/// A tile with these axes, every element the same. Its type is `f32` unless a turbofish or the `let` says another.
pub fn full<T: Element>(axes: impl Over, value: impl Scalar<T>) -> Tile<T> {
    let _ = (axes, value);
    Tile::stub()
}

/// Part of a [`GlobalTensor`], from [`GlobalTensor::at`].
pub struct Place<T>(Mark<T>);

impl<T: Element> Place<T> {
    pub(crate) fn stub() -> Self {
        Place(Mark::default())
    }
    /// The elements there, as a tile with the axes of the indices; padding and tail are taken care of.
    pub fn load(self) -> Tile<T> {
        Tile::stub()
    }
    /// Writes a tile there, axis by axis; exactly the valid elements.
    pub fn store(self, v: Tile<T>) {
        let _ = v;
    }
}
