//! Tensors in global memory.

use super::{Element, Indices, Mark, Place, Scalar, Tile, Whole};

/// A tensor in GM: a parameter of the kernel, or a workspace.
pub struct GlobalTensor<T>(Mark<T>);

/// Part of a [`GlobalTensor`]; the end of a copy.
pub struct GmSlice<T>(Mark<T>);

impl<T> GlobalTensor<T> {
    pub(super) fn new() -> Self {
        GlobalTensor(Mark::default())
    }
}

impl<T: Element> GlobalTensor<T> {
    /// Element `index` as a scalar, through the data cache of the core.
    pub fn get_value(&self, index: usize) -> T {
        let _ = index;
        unreachable!("kernels run in the simulator, never in Rust")
    }
    /// Writes element `index` in the data cache of the core. Nobody else sees it before
    /// [`data_cache_clean_and_invalid`](Self::data_cache_clean_and_invalid).
    pub fn set_value(&self, index: usize, value: impl Scalar<T>) {
        let _ = (index, value);
    }
    /// Writes the line of 64 bytes around element `index` of the data cache back to GM, from the element to the end of the line, and
    /// drops it.
    pub fn data_cache_clean_and_invalid(&self, index: usize) {
        let _ = index;
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        0
    }
    /// True where there is no element.
    pub fn is_empty(&self) -> bool {
        true
    }
    /// Part of the tensor, by one index an axis: the tile of a loop, a scalar, or `..` for a whole axis.
    pub fn at(&self, indices: impl Indices) -> Place<T> {
        let _ = indices;
        Place::stub()
    }
    /// The same elements under other axes, which split or join those of the tensor: `x.view((g, k))`.
    pub fn view(&self, axes: impl Whole) -> View<T> {
        let _ = axes;
        View(Mark::default())
    }
    /// Packs the elements of a tile whose bits are 1 behind all that turns before have packed. What exceeds the tensor is counted and not
    /// written; what is not reached keeps what it held.
    pub fn append(&self, v: Tile<T>, mask: Tile<bool>) {
        let _ = (v, mask);
    }
    /// How many elements a loop before has appended, those that exceeded the tensor among them.
    pub fn appended(&self) -> Tile<i32> {
        Tile::stub()
    }
    /// `len` elements from `at` on; must lie inside the tensor.
    pub fn slice(&self, at: usize, len: usize) -> GmSlice<T> {
        let _ = (at, len);
        GmSlice(Mark::default())
    }
}

/// A [`GlobalTensor`] under other axes, from [`GlobalTensor::view`].
pub struct View<T>(Mark<T>);

impl<T: Element> View<T> {
    /// Part of the tensor, by one index an axis of the view.
    pub fn at(&self, indices: impl Indices) -> Place<T> {
        let _ = indices;
        Place::stub()
    }
}

/// A tensor that a launch may leave out, or a number in its place; from [`MayBeLeftOut::or_full`].
pub struct OrFull<T>(Mark<T>);

impl<T: Element> OrFull<T> {
    /// Part of the tensor, of which each element is the number where the tensor was left out.
    pub fn at(&self, indices: impl Indices) -> Place<T> {
        let _ = indices;
        Place::stub()
    }
    /// The same under other axes.
    pub fn view(&self, axes: impl Whole) -> OrFull<T> {
        let _ = axes;
        OrFull(Mark::default())
    }
}

/// What is asked of a tensor that a launch may leave out, `Option<&GlobalTensor<T>>`, besides `if let Some(w) = weight`.
pub trait MayBeLeftOut<T> {
    /// A number everywhere where it was left out.
    fn or_full(&self, value: impl Scalar<T>) -> OrFull<T>;
}

impl<T: Element> MayBeLeftOut<T> for Option<&GlobalTensor<T>> {
    fn or_full(&self, value: impl Scalar<T>) -> OrFull<T> {
        let _ = value;
        OrFull(Mark::default())
    }
}

/// What [`zip`] goes through: lists of tensors, of which one that is written is `&mut`, lists of numbers, or several of these, which are
/// equally long.
pub trait Lists {
    /// What an item has.
    type Item;
}
impl<'a, T> Lists for &'a [GlobalTensor<T>] {
    type Item = &'a GlobalTensor<T>;
}
impl<'a, T> Lists for &'a mut [GlobalTensor<T>] {
    type Item = &'a GlobalTensor<T>;
}
macro_rules! numbers {
    ($($t:ty),*) => {$(
        impl Lists for &[$t] {
            type Item = $t;
        }
    )*};
}
numbers!(f32, i32, usize);
macro_rules! several {
    ($($l:ident)*) => {
        impl<$($l: Lists),*> Lists for ($($l,)*) {
            type Item = ($($l::Item,)*);
        }
    };
}
several!(A);
several!(A B);
several!(A B C);
several!(A B C D);
several!(A B C D E);
several!(A B C D E F);
several!(A B C D E F G);
several!(A B C D E F G H);
several!(A B C D E F G H I);
several!(A B C D E F G H I J);
several!(A B C D E F G H I J K);
several!(A B C D E F G H I J K L);

/// Goes through the items of lists: `for (x, y) in zip((xs, ys))`, with their numbers `for (i, (x, y)) in zip((xs, ys)).enumerate()`. The cores
/// share all tiles of all items. A kernel with lists has one such loop, in which all that it stores stands.
pub fn zip<L: Lists>(lists: L) -> Zip<L> {
    Zip(lists)
}

/// The items of lists, from [`zip`].
pub struct Zip<L>(#[allow(dead_code)] L);

impl<L: Lists> Iterator for Zip<L> {
    type Item = L::Item;
    fn next(&mut self) -> Option<L::Item> {
        None
    }
}

/// Promises what holds of scalars that only a run knows: the checker relies on it, and every run on this machine is held to it.
pub fn assume(fact: bool) {
    let _ = fact;
}

/// Declares a fact: the checker relies on it, the host tiling function refuses a launch without it.
pub fn require(fact: bool) {
    let _ = fact;
}
