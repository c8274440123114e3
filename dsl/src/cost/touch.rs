//! The bytes of UB that a vector call touches, in the detail that decides if the next call waits
//! for it.

/// Memory that tensors are taken from. Two tensors of one queue or buffer may share bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    Queue(u32),
    Buf(u32),
    /// UB as a whole, where the author places tensors by hand.
    Ub,
}

/// The start of a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Begin {
    pub home: Home,
    pub at: i64,
}

/// Pieces of equal length at equal distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub from: Begin,
    pub piece: i64,
    pub step: i64,
    pub pieces: i64,
}

impl Touch {
    pub fn end(&self) -> i64 {
        let steps = (self.pieces - 1).max(0).saturating_mul(self.step);
        self.from
            .at
            .saturating_add(steps)
            .saturating_add(self.piece)
    }

    /// True where both may share a byte. Pieces at equal distances share none if they lie in each
    /// other's gaps.
    pub fn meets(&self, other: &Touch) -> bool {
        let apart = self.end() <= other.from.at || other.end() <= self.from.at;
        if self.from.home != other.from.home || apart {
            return false;
        }
        if self.step != other.step || self.step == 0 {
            return true;
        }
        let shift = other
            .from
            .at
            .saturating_sub(self.from.at)
            .rem_euclid(self.step);
        shift < self.piece || self.step - shift < other.piece
    }
}
