//! Extents of vector calls: a number of elements, or lanes of a number of repeats.

use crate::items::items;
use std::ops::Range;

/// The last argument of a vector call: a count, repeats, or counter mode.
pub trait Extent {}
impl Extent for usize {}
impl Extent for Repeats {}
impl Extent for Counter {}

/// The arguments of [`lanes`](super::lanes): a number of lanes, or a range of them.
pub trait LaneSet {
    /// The result of [`lanes`](super::lanes).
    type Lanes;
}
impl LaneSet for usize {
    type Lanes = Lanes;
}
impl LaneSet for Range<usize> {
    type Lanes = LaneRange;
}

/// Lanes of a repeat.
#[derive(Clone, Copy)]
pub struct Lanes;

/// Lanes of a group.
#[derive(Clone, Copy)]
pub struct LaneRange;

/// Lanes of groups.
#[derive(Clone, Copy)]
pub struct LaneGroups;

/// Lanes of repeats.
#[derive(Clone, Copy)]
pub struct Repeats;

/// Elements in counter mode.
#[derive(Clone, Copy)]
pub struct Counter;

items! {
    /// Steps from lanes to an extent.
    ExtentMethod of Some("lanes");
    on ([] LaneRange) {
        /// Groups of `n` lanes, a power of two.
        queue Of => fn of(self, n: usize) -> LaneGroups;
    }
    on ([] LaneGroups) {
        /// The first `n` groups of a repeat.
        queue Groups => fn groups(self, n: usize) -> Lanes;
    }
    on ([] Lanes) {
        /// Takes these lanes of each of `n` repeats, at most 255.
        queue Repeats => fn repeats(self, n: usize) -> Repeats;
    }
}
