//! Extents of vector calls: how many elements, or which lanes of how many repeats.

use std::ops::Range;

/// What a vector call takes as its last argument: a count, repeats, or counter mode.
pub trait Extent {}
impl Extent for usize {}
impl Extent for Repeats {}
impl Extent for Counter {}

/// What [`lanes`] takes: how many there are, or a range of them.
pub trait LaneSet {
    /// What is made of it.
    type Lanes;
    /// The lanes.
    fn lanes(self) -> Self::Lanes;
}
impl LaneSet for usize {
    type Lanes = Lanes;
    fn lanes(self) -> Lanes {
        Lanes
    }
}
impl LaneSet for Range<usize> {
    type Lanes = LaneRange;
    fn lanes(self) -> LaneRange {
        LaneRange
    }
}

/// Lanes of a repeat.
#[derive(Clone, Copy)]
pub struct Lanes;

impl Lanes {
    /// The same lanes of each of `n` repeats, at most 255.
    pub fn repeats(self, n: usize) -> Repeats {
        let _ = n;
        Repeats
    }
}

/// Lanes of a group.
#[derive(Clone, Copy)]
pub struct LaneRange;

impl LaneRange {
    /// Groups of `n` lanes, a power of two.
    pub fn of(self, n: usize) -> LaneGroups {
        let _ = n;
        LaneGroups
    }
}

/// Lanes of groups.
#[derive(Clone, Copy)]
pub struct LaneGroups;

impl LaneGroups {
    /// The first `n` groups of a repeat.
    pub fn groups(self, n: usize) -> Lanes {
        let _ = n;
        Lanes
    }
}

/// Lanes of repeats.
#[derive(Clone, Copy)]
pub struct Repeats;

/// Elements in counter mode.
#[derive(Clone, Copy)]
pub struct Counter;

/// Lanes of a repeat of 256 bytes: `lanes(n)` the first `n`, `lanes(a..b).of(16).groups(g)` lanes `a` to `b` of each of the first
/// `g` groups of 16. A repeat has 128 lanes of 16 bits or 64 of 32.
pub fn lanes<S: LaneSet>(set: S) -> S::Lanes {
    set.lanes()
}

/// The lanes of a repeat whose bits are set: 0 to 63 in `low` from the lowest bit on, 64 to 127 in `high`.
pub fn bits(low: u64, high: u64) -> Lanes {
    let _ = (low, high);
    Lanes
}

/// The first `n` elements in counter mode: as many repeats as they fill, with the strides of the operands.
pub fn counter(n: usize) -> Counter {
    let _ = n;
    Counter
}
