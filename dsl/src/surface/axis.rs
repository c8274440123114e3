//! Axes, the loops over them, and indices.

use super::{Element, GlobalTensor, Tile};
use crate::items::items;
use std::ops::{Range, RangeFull};

/// An axis, by its name in `#[shape(..)]` or by the `let` of a [`new_axis`](super::new_axis). It
/// reads as its size.
pub type Axis = usize;

/// The indices of a new axis: a number of them, or a range.
pub trait Numbered {}
impl Numbered for usize {}
impl Numbered for Range<usize> {}

/// One axis that a loop goes through: by tiles, or by single indices.
pub trait Part {
    /// The variable of one iteration.
    type Turn;
}
impl Part for Axis {
    type Turn = AxisTile;
}
impl Part for Range<usize> {
    type Turn = AxisTile;
}
impl Part for Range<i32> {
    type Turn = AxisTile;
}
impl Part for EachLoop {
    type Turn = usize;
}

/// The arguments of [`tiles`](super::tiles): an axis, a range of indices, all elements of a tensor,
/// or several axes in parentheses.
pub trait Tiled {
    /// The variable of one iteration.
    type Turn;
}
impl Tiled for Axis {
    type Turn = AxisTile;
}
impl Tiled for Range<usize> {
    type Turn = AxisTile;
}
impl Tiled for Range<i32> {
    type Turn = AxisTile;
}
impl<T: Element> Tiled for &GlobalTensor<T> {
    type Turn = AxisTile;
}
impl<T: Element> Tiled for &mut GlobalTensor<T> {
    type Turn = AxisTile;
}

/// Tiles of axes, from [`tiles`](super::tiles).
pub struct TileLoop<A>(super::Mark<A>);

impl<A: Tiled> Iterator for TileLoop<A> {
    type Item = A::Turn;
    fn next(&mut self) -> Option<A::Turn> {
        crate::items::never_run()
    }
}

/// The arguments of [`each`](super::each): an axis or a range of indices.
pub trait Each {}
impl Each for Axis {}
impl Each for Range<usize> {}
impl Each for Range<i32> {}

/// The indices of an axis, from [`each`](super::each).
pub struct EachLoop;

impl Iterator for EachLoop {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        None
    }
}

items! {
    /// Overrides of a loop.
    LoopMethod of Some("a tile loop");
    on ([A: Tiled] TileLoop<A>) {
        /// Indices of a tile; without it the lowering solves for the largest count that fits. A
        /// loop over several axes takes one entry each, `_` to leave one out: `.size((8, _))`.
        tile Size => fn size(self, n: impl Sizes) -> Self;
    }
    on ([A: Tiled] TileLoop<A>, [] EachLoop) {
        /// Buffers of each queue: 2 (the default) is double buffering.
        tile BufferNum => fn buffer_num(self, n: usize) -> Self;
        /// Blocks to launch; without it as many as there are cores and work.
        tile BlockDim => fn block_dim(self, n: usize) -> Self;
        /// Keeps every reduction as written where rows are too long for UB: no two passes are
        /// joined.
        tile Exact => fn exact(self) -> Self;
        /// Promises, on a loop inside another, that its results do not depend on how tiles are cut,
        /// where the checker cannot tell (J0214). The tile interpreter checks the promise (J0814).
        tile AnyCut => fn any_cut(self) -> Self;
        /// Divides this axis among the cores, for all iterations at once, where the loop has fewer
        /// indices than a quarter of the cores and the axis is long. Reductions along the axis are
        /// then merged over the cores: `for r in tiles(n).split(d)`.
        tile Split => fn split(self, along: Axis) -> Self;
    }
}

/// One entry of `.size((8, _))`; `_` is read as `()`.
pub trait Size {}
impl Size for usize {}
impl Size for () {}

/// The arguments of `.size(..)`: a number, or one entry an axis.
pub trait Sizes {}
impl Sizes for usize {}
impl Sizes for () {}

/// The variable of [`tiles`](super::tiles): a run of indices of an axis.
#[derive(Clone, Copy)]
pub struct AxisTile;

items! {
    /// Methods of an axis, or of the tile of a loop, as elements and indices.
    AxisMethod of Some("an axis");
    extension (
        /// Indices along an axis as elements.
        Iota [] for [] Axis, [] AxisTile
    ) {
        /// The indices along this axis, from 0 on; along the tile of a loop the indices in its
        /// axis.
        tile Iota => fn iota(&self) -> Tile<i32>;
    }
    extension (
        /// All indices of an axis, as an index that moves: `c.indices() - 1` is the index before
        /// each.
        Indexed [] for [] Axis
    ) {
        /// The indices of this axis, from 0 on.
        tile Indices => fn indices(&self) -> AxisTile;
    }
}

items! {
    /// Methods of the variable of a tile loop; it also has `iota`.
    RunMethod of Some("the variable of a tile loop");
    on ([] AxisTile) {
        /// The first index of this tile.
        tile Start => fn start(&self) -> usize;
        /// The index behind the last one of this tile.
        tile End => fn end(&self) -> usize;
        /// Number of indices of this tile; the last tile has fewer.
        tile Len => fn len(&self) -> usize;
    }
}

items! {
    /// Methods of a scalar.
    ScalarMethod of Some("a scalar");
    rust () {
        /// The smaller of both.
        both Min => fn min(self, other: Self) -> Self;
        /// The larger of both.
        both Max => fn max(self, other: Self) -> Self;
        /// The quotient, rounded up.
        both DivCeil => fn div_ceil(self, by: usize) -> usize;
    }
    extension (
        /// Methods of indices besides those of a `usize`.
        Divide [] for [] usize
    ) {
        /// The quotient where it is exact, else an index outside of every axis: `load_or` reads its
        /// number there, `store_in` drops it.
        tile DivExact => fn div_exact(self, by: usize) -> usize;
    }
    rust () {
        /// The next multiple of a number.
        both NextMultipleOf => fn next_multiple_of(self, of: usize) -> usize;
        /// The square root.
        both Sqrt => fn sqrt(self) -> Self;
    }
}

macro_rules! moved {
    ($($op:ident $method:ident),*) => {$(
        impl std::ops::$op<usize> for AxisTile {
            type Output = AxisTile;
            fn $method(self, _: usize) -> AxisTile {
                self
            }
        }
        impl std::ops::$op<AxisTile> for usize {
            type Output = AxisTile;
            fn $method(self, t: AxisTile) -> AxisTile {
                t
            }
        }
    )*};
}
moved! { Add add, Sub sub, Mul mul }

/// One axis of a tile: a whole one or the tile of a loop.
pub trait Ax {}
impl Ax for Axis {}
impl Ax for AxisTile {}

/// Axes of a tile: one, several in parentheses, `..` for all, or `()` for none.
pub trait Over {}
impl Over for Axis {}
impl Over for AxisTile {}
impl Over for RangeFull {}
impl Over for () {}

/// The axes of a view: one, or several in parentheses.
pub trait Whole {}
impl Whole for Axis {}

/// One index of a tensor: the tile of a loop, an expression of one (`t * 2 + 1`, `n - 1 - t`), a
/// scalar, a tile of indices, `..` for a whole axis, or a range `a..b`.
pub trait Idx {}
impl Idx for AxisTile {}
impl Idx for usize {}
impl Idx for RangeFull {}
impl Idx for Range<usize> {}
impl Idx for Tile<i32> {}
impl Idx for Tile<i64> {}

/// The indices of a tensor, one an axis. `x.at(i, j)` is read as `x.at((i, j))`, `x.at()` of a
/// tensor without axes as `x.at(())`.
pub trait Indices {}
impl Indices for AxisTile {}
impl Indices for usize {}
impl Indices for RangeFull {}
impl Indices for Range<usize> {}
impl Indices for Tile<i32> {}
impl Indices for Tile<i64> {}
impl Indices for () {}

macro_rules! axis {
    ($t:ident) => {
        Axis
    };
}
macro_rules! tuples {
    ($($($t:ident)+;)*) => {$(
        impl<$($t: Ax),+> Over for ($($t,)+) {}
        impl<$($t: Idx),+> Indices for ($($t,)+) {}
        impl<$($t: Size),+> Sizes for ($($t,)+) {}
        impl<$($t: Part),+> Tiled for ($($t,)+) {
            type Turn = ($($t::Turn,)+);
        }
        impl Whole for ($(axis!($t),)+) {}
    )*};
}
tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; }

#[cfg(test)]
mod forms {
    use super::super::*;

    /// Never run: an error of rustc in it is an error that an author would read.
    #[allow(dead_code)]
    fn forms(n: Axis, d: Axis, x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for (i, t) in tiles((each(n), d))
            .size(((), 8))
            .buffer_num(2)
            .exact()
            .split(d)
        {
            let (first, last) = (x.at((i, t)).load(), x.at((n - 1 - i, t)).load());
            y.at((i, t))
                .store(first + last + full::<f32>((), 1.0) + x.at((0, ..)).load().sum((d,)));
        }
        for (t,) in tiles((n,)).size((4,)) {
            y.at(t).store(full(t, i32::MAX));
            y.at(()).store(x.at(()).load());
        }
        for i in each(n).block_dim(3).split(d).exact() {
            let k = new_axis(4);
            for t in tiles(k).size(2) {
                y.view((n, k))
                    .at((i, t))
                    .store(x.view(d).at(i + 1).load().expand((k, t)));
            }
            y.at(i).store(x.at(2).load().sum(..));
        }
        for t in tiles(x) {
            y.at(t).store(x.at(t).load());
        }
        for (i, t, p) in tiles((each(1..n), n..n + d, d)) {
            for e in tiles(0..i + 1) {
                y.at((i, t, p)).store(x.at((e, t - n, p)).load());
            }
            let at = x.at((i, 0)).load().sum(..);
            assume(at.scalar() > 0.0 && at.gt(1.0).scalar() && at.cast::<i64>().scalar() < n);
            for j in each(2..at.cast::<i32>().scalar() as usize) {
                y.at(j).store(x.at(j).load());
            }
            let (lo, hi) = (at.cast::<i32>().scalar(), i as i32);
            for (r, q) in tiles((lo..hi, each(t.start()..t.end()))) {
                y.at((r, q)).store(x.at((r, ..)).load());
            }
            for r in tiles(lo..hi) {
                for q in each(lo..hi) {
                    y.at((r, q)).store(x.at((r, ..)).load());
                }
            }
        }
        for t in tiles(d) {
            let back = n - 1 - t;
            y.at((t * 2 + 1, 3 * t)).store(x.at((back, t - n)).load());
        }
    }
}
