//! Tiles as values, and the parts of tensors that they are loaded from and stored to.

use super::{Axis, AxisTile, Element, Mark, Number, Over, Rhs, Scalar};
use crate::dtype::RoundMode;
use crate::items::items;

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
}

items! {
    /// Methods of a tile besides ops and library functions.
    TileMethod of Some("a tile");
    on ([T] Tile<T>) {
        /// Repeats the tile along axes that it lacks.
        tile Expand => fn expand(self, axes: impl Over) -> Tile<T>;
        /// The element along an axis at an index. At an index that moves or a tile of indices, the
        /// axes of these replace that axis.
        tile Pick => fn pick(self, along: Axis, at: impl Pick) -> Tile<T>;
        /// The largest elements along an axis in falling order and their places, as many as another
        /// axis has indices; of equal ones the first comes first.
        tile Topk => fn topk(self, along: Axis, k: Axis) -> (Tile<T>, Tile<i32>);
        /// The elements along an axis in rising order; nan is the largest.
        tile Sort => fn sort(self, along: Axis) -> Tile<T>;
        /// The places of the elements along an axis in rising order; of equal ones the first comes
        /// first.
        tile Argsort => fn argsort(self, along: Axis) -> Tile<i32>;
        /// Shows the elements under a name: in the report of a run on this machine, and by
        /// `DumpTensor` on a chip.
        tile Dump => fn dump(self, name: &'static str);
    }
    on ([T: Number] Tile<T>) {
        /// Running sums along an axis. Floats are added in `f32` and rounded once; integers wrap.
        tile Cumsum => fn cumsum(self, along: Axis) -> Tile<T>;
        /// Running products along an axis, rounded as in `cumsum`.
        tile Cumprod => fn cumprod(self, along: Axis) -> Tile<T>;
    }
    on ([T: One] Tile<T>) {
        /// The one number of a tile without axes, as a scalar of the core.
        tile Scalar => fn scalar(self) -> T::Scalar;
    }
    on ([T: Element] Tile<T>) {
        /// Conversion to another element type, rounding to nearest even where it must round.
        tile Cast => fn cast[U: Element](self) -> Tile<U>;
        /// Conversion of floats to integers toward zero, of all others as in `cast`.
        tile CastTrunc => fn cast_trunc[U: Element](self) -> Tile<U>;
        /// Conversion to the type that arithmetic widens to: `f32` for the 16-bit floats, else the
        /// type itself.
        tile Wide => fn wide(self) -> Tile<T::Wide>;
        /// The bits as elements of another type of equal size, of 16 or 32 bits.
        tile ReinterpretCast => fn reinterpret_cast[U: Element](self) -> Tile<U>;
        /// Conversion with a round mode.
        tile CastWith => fn cast_with[U: Element](self, mode: RoundMode) -> Tile<U>;
    }
}

/// Element types of which one element may become a scalar.
pub trait One: Element {
    /// The type of that scalar.
    type Scalar: Default;
}
impl One for f32 {
    type Scalar = f32;
}
impl One for i32 {
    type Scalar = i32;
}
impl One for i16 {
    type Scalar = i32;
}
impl One for i64 {
    type Scalar = usize;
}
impl One for bool {
    type Scalar = bool;
}

/// The second argument of [`Tile::pick`]: an index, a range, one that moves (`t * 2 + 1`), or a
/// tile of indices.
pub trait Pick {}
impl Pick for usize {}
impl Pick for std::ops::Range<usize> {}
impl Pick for AxisTile {}
impl Pick for Tile<i32> {}

macro_rules! operators {
    ($numbers:tt: $($tr:ident $f:ident),*) => {$(
        impl<T: Element, R: Rhs<T>> std::ops::$tr<R> for Tile<T> {
            type Output = Tile<T>;
            fn $f(self, _: R) -> Tile<T> { self }
        }
        operators!(@scalar $tr $f $numbers);
    )*};
    (@scalar $tr:ident $f:ident ($($s:ty)*)) => {$(
        impl<T: Element> std::ops::$tr<Tile<T>> for $s {
            type Output = Tile<T>;
            fn $f(self, rhs: Tile<T>) -> Tile<T> { rhs }
        }
    )*};
}
operators!((f32 f64 i32): Add add, Sub sub, Mul mul, Div div);
operators!((i32): BitAnd bitand, BitOr bitor, BitXor bitxor, Shl shl, Shr shr);

impl<T: Element> std::ops::Neg for Tile<T> {
    type Output = Tile<T>;
    fn neg(self) -> Tile<T> {
        self
    }
}

impl<T: Element> std::ops::Not for Tile<T> {
    type Output = Tile<T>;
    fn not(self) -> Tile<T> {
        self
    }
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

/// Part of a [`GlobalTensor`](super::GlobalTensor), from
/// [`GlobalTensor::at`](super::GlobalTensor::at).
pub struct Place<T>(Mark<T>);

items! {
    /// Methods of part of a tensor.
    PlaceMethod of Some("part of a GlobalTensor");
    on ([T: Element] Place<T>) {
        /// The elements there, as a tile with the axes of the indices; padding and tail are taken
        /// care of.
        tile Load => fn load(self) -> Tile<T>;
        /// The elements there; outside of the tensor, on either side, a number:
        /// `x.at(t - 1).load_or(0.0)`.
        tile LoadOr => fn load_or(self, outside: impl Scalar<T>) -> Tile<T>;
        /// Writes a tile there, axis by axis; exactly the valid elements.
        tile Store => fn store(self, v: Tile<T>);
        /// Writes the elements of a tile that lie inside of the tensor there and drops the others,
        /// on either side: `y.at(t * 2 - 1).store_in(v)`.
        tile StoreIn => fn store_in(self, v: Tile<T>);
        /// Adds a tile to the elements there, also while others add. An output that nothing stores
        /// to before begins as zeros.
        tile AtomicAdd => fn atomic_add(self, v: Tile<T>);
        /// Writes a tile there, where other iterations may write equal values.
        tile StoreAny => fn store_any(self, v: Tile<T>);
        /// Writes a tile there and promises that the loop writes each of these elements once, where
        /// that depends on data; every run on this machine checks it.
        tile StoreDisjoint => fn store_disjoint(self, v: Tile<T>);
    }
}
