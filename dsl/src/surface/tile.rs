//! Tiles as values, and the parts of tensors that they are loaded from and stored to.

use super::{Axis, AxisTile, Element, Mark, Over, Rhs, Scalar};

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
    /// Of the elements along an axis the one at an index, or those at an index that moves or at a tile of indices, whose axes stand in place of that
    /// axis.
    pub fn pick(self, along: Axis, at: impl Pick) -> Tile<T> {
        let _ = (along, at);
        Tile::stub()
    }
    /// The largest elements along an axis in falling order, as many as another axis has indices, and their places; of equal ones the first comes first.
    pub fn topk(self, along: Axis, k: Axis) -> (Tile<T>, Tile<i32>) {
        let _ = (along, k);
        (Tile::stub(), Tile::stub())
    }
    /// The elements along an axis in rising order; nan is the largest.
    pub fn sort(self, along: Axis) -> Tile<T> {
        let _ = along;
        Tile::stub()
    }
    /// The places of the elements along an axis in rising order; of equal ones the first comes first.
    pub fn argsort(self, along: Axis) -> Tile<i32> {
        let _ = along;
        Tile::stub()
    }
    /// Shows the elements under a name: in what a run on this machine reports, and by `DumpTensor` on a chip.
    pub fn dump(self, name: &'static str) {
        let _ = name;
    }
    /// The same for all indices of axes that the tile lacks.
    pub fn expand(self, axes: impl Over) -> Tile<T> {
        let _ = axes;
        Tile::stub()
    }
}

/// Element types of which one element may become a scalar.
pub trait One: Element {
    /// The scalar.
    type Scalar: Default;
}
impl One for f32 {
    type Scalar = f32;
}
impl One for i32 {
    type Scalar = i32;
}
impl One for i64 {
    type Scalar = usize;
}
impl One for bool {
    type Scalar = bool;
}

impl<T: One> Tile<T> {
    /// The one number of a tile without axes, as a scalar of the core.
    pub fn scalar(self) -> T::Scalar {
        T::Scalar::default()
    }
}

/// What [`Tile::pick`] takes: an index, a range, one that moves (`t * 2 + 1`), or a tile of them.
pub trait Pick {}
impl Pick for usize {}
impl Pick for std::ops::Range<usize> {}
impl Pick for AxisTile {}
impl Pick for Tile<i32> {}

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

/// A tile with these axes, every element the same. Its type is `f32` unless a turbofish or the `let` says another.
pub fn full<T: Element>(axes: impl Over, value: impl Scalar<T>) -> Tile<T> {
    let _ = (axes, value);
    Tile::stub()
}

/// A tile with these axes that all cores merge: `s += v`, `s = s.max(v)` or `s = s.min(v)` inside a loop, of `bool` `s |= m` or `s &= m`;
/// whole behind it. The value that it begins with counts once.
pub fn across_cores<T: Element>(axes: impl Over, value: impl Scalar<T>) -> Tile<T> {
    let _ = (axes, value);
    Tile::stub()
}

impl<T: Element> std::ops::AddAssign for Tile<T> {
    fn add_assign(&mut self, rhs: Tile<T>) {
        let _ = rhs;
    }
}

impl std::ops::BitOrAssign for Tile<bool> {
    fn bitor_assign(&mut self, rhs: Tile<bool>) {
        let _ = rhs;
    }
}

impl std::ops::BitAndAssign for Tile<bool> {
    fn bitand_assign(&mut self, rhs: Tile<bool>) {
        let _ = rhs;
    }
}

/// Part of a [`GlobalTensor`](super::GlobalTensor), from [`GlobalTensor::at`](super::GlobalTensor::at).
pub struct Place<T>(Mark<T>);

impl<T: Element> Place<T> {
    pub(crate) fn stub() -> Self {
        Place(Mark::default())
    }
    /// The elements there, as a tile with the axes of the indices; padding and tail are taken care of.
    pub fn load(self) -> Tile<T> {
        Tile::stub()
    }
    /// The elements there; what lies outside of the tensor, on whichever side, reads a number: `x.at(t - 1).load_or(0.0)`.
    pub fn load_or(self, outside: impl Scalar<T>) -> Tile<T> {
        let _ = outside;
        Tile::stub()
    }
    /// Writes a tile there, axis by axis; exactly the valid elements.
    pub fn store(self, v: Tile<T>) {
        let _ = v;
    }
    /// Writes what of a tile lies inside of the tensor there; what lies outside, on whichever side, is dropped: `y.at(t * 2 - 1).store_in(v)`.
    pub fn store_in(self, v: Tile<T>) {
        let _ = v;
    }
    /// Adds a tile to what is there, element by element, whoever else adds there meanwhile. An output that nothing stores to before
    /// begins as zeros.
    pub fn atomic_add(self, v: Tile<T>) {
        let _ = v;
    }
    /// Writes a tile there, where other turns may write, too: all that meet write the same.
    pub fn store_any(self, v: Tile<T>) {
        let _ = v;
    }
    /// Writes a tile there and promises that the loop writes each of these elements once, where that hangs from data; every run on
    /// this machine is held to it.
    pub fn store_disjoint(self, v: Tile<T>) {
        let _ = v;
    }
}
