//! Tensors in global memory.

use super::{Element, Indices, Mark, Place, Scalar, Tile, Whole};
use crate::items::items;

/// A tensor in GM: a parameter of the kernel, or a workspace.
pub struct GlobalTensor<T>(Mark<T>);

/// Part of a [`GlobalTensor`]; the end of a copy.
pub struct GmSlice<T>(Mark<T>);

items! {
    /// Methods of a tensor in GM.
    GmMethod of Some("a GlobalTensor");
    on ([T: Element] GlobalTensor<T>) {
        /// Part of the tensor, by one index an axis: the tile of a loop, a scalar, or `..` for a
        /// whole axis.
        tile At => fn at(&self, indices: impl Indices) -> Place<T>;
        /// The tensor's elements under other axes, which split or join its own: `x.view((g, k))`.
        tile View => fn view(&self, axes: impl Whole) -> View<T>;
        /// Number of elements.
        both Len => fn len(&self) -> usize;
        /// `len` elements from `at` on; must lie inside the tensor.
        queue Slice => fn slice(&self, at: usize, len: usize) -> GmSlice<T>;
        /// Element `index` as a scalar, through the data cache of the core.
        queue GetValue => fn get_value(&self, index: usize) -> T;
        /// Writes element `index` in the data cache of the core. No other core sees it before
        /// `data_cache_clean_and_invalid`.
        queue SetValue => fn set_value(&self, index: usize, value: impl Scalar<T>);
        /// Writes the line of 64 bytes around element `index` of the data cache back to GM, from
        /// the element to the end of the line, and drops it.
        queue DataCacheCleanAndInvalid => fn data_cache_clean_and_invalid(&self, index: usize);
        /// True where there is no element.
        both IsEmpty => fn is_empty(&self) -> bool;
        /// Packs the elements of a tile whose bits are 1 behind those of all iterations before.
        /// Elements beyond the tensor are counted and not written; the rest of the tensor keeps its
        /// contents.
        tile Append => fn append(&self, v: Tile<T>, mask: Tile<bool>);
        /// Number of elements that a loop before has appended, with those beyond the tensor.
        tile Appended => fn appended(&self) -> Tile<i32>;
    }
}

/// A [`GlobalTensor`] under other axes, from [`GlobalTensor::view`].
pub struct View<T>(Mark<T>);

/// A tensor that a launch may leave out, with a number in its place; from
/// [`MayBeLeftOut::or_full`].
pub struct OrFull<T>(Mark<T>);

items! {
    /// Methods of a tensor under other axes, or with a number in its place.
    ViewMethod of Some("a view of a GlobalTensor");
    on ([T: Element] View<T>, [T: Element] OrFull<T>) {
        /// Part of the tensor, by one index an axis.
        tile At => fn at(&self, indices: impl Indices) -> Place<T>;
        /// The tensor's elements under other axes.
        tile View => fn view(&self, axes: impl Whole) -> Self;
    }
}

items! {
    /// Methods of a tensor that a launch may leave out.
    OptionalMethod of Some("a tensor that may be left out");
    extension (
        /// Methods of a tensor that a launch may leave out, `Option<&GlobalTensor<T>>`, besides
        /// `if let Some(w) = weight`.
        MayBeLeftOut [T] for [T: Element] Option<&GlobalTensor<T>>
    ) {
        /// The tensor, or a number everywhere where it was left out.
        tile OrFull => fn or_full(&self, value: impl Scalar<T>) -> OrFull<T>;
    }
    rust () {
        /// True where the launch gives it.
        tile IsSome => fn is_some(&self) -> bool;
        /// True where the launch leaves it out.
        tile IsNone => fn is_none(&self) -> bool;
    }
}

/// The arguments of [`zip`](super::zip): lists of tensors (`&mut` where it is written), lists of
/// numbers, or several of these of equal length.
pub trait Lists {
    /// The tensor or number of one item.
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

/// The items of lists, from [`zip`](super::zip).
pub struct Zip<L>(Mark<L>);

items! {
    /// Methods of the items of lists.
    ZipMethod of Some("the items of lists");
    rust () {
        /// The items with their numbers.
        tile Enumerate => fn enumerate(self) -> Self;
    }
}

impl<L: Lists> Iterator for Zip<L> {
    type Item = L::Item;
    fn next(&mut self) -> Option<L::Item> {
        None
    }
}
