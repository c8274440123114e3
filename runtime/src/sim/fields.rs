//! Limits of the fields of calls and copies: lanes, repeats, strides, elements, pairs and places,
//! rows and the gaps between them.
//!
//! An instruction has a number of bits for each field and silently drops the rest. Every limit is
//! checked here, at run time and in one place, whatever was proved before.
//! `check/lowered/limits.rs` and `check/lowered/rows.rs` of `jumar-dsl` check a kernel's text
//! against the same limits. The ids of flags are checked in [`by_hand`](super::by_hand).

use super::memory::DATA_BLOCK;
use super::vector::{Call, LaneSet};
use super::Trip;
use jumar_dsl::diag::Code;
use jumar_dsl::ops::contract::{LIST, MOST_MASKED, MOST_PAIRS, MOST_SORTED};
use jumar_dsl::soc::{MAX_COPY_BLOCKS, MAX_COPY_BYTES, MAX_REPEATS};

fn refused<T>(text: String) -> Result<T, Trip> {
    Err(Trip::new(Code::J0801, text))
}

impl Call<'_> {
    /// Checks a number of elements or repeats: it is not negative.
    pub fn natural(&self, v: i64, what: &str) -> Result<usize, Trip> {
        let text = || {
            format!(
                "the {what} of `{}` is {v}, less than zero",
                self.vector.name
            )
        };
        usize::try_from(v).map_err(|_| Trip::new(Code::J0804, text()))
    }

    /// Checks a number of repeats, which has 8 bits.
    pub fn repeats(&self, repeats: i64) -> Result<usize, Trip> {
        let count = self.natural(repeats, "repeat")?;
        match repeats > MAX_REPEATS {
            true => refused(format!(
                "`{}` has {repeats} repeats, {MAX_REPEATS} at most",
                self.vector.name
            )),
            false => Ok(count),
        }
    }

    /// Checks a stride.
    pub fn stride(&self, v: i64, most: i64) -> Result<usize, Trip> {
        match usize::try_from(v).ok().filter(|_| v <= most) {
            Some(stride) => Ok(stride),
            None => refused(format!(
                "a stride of `{}` is {v}, possible are 0 to {most}",
                self.vector.name
            )),
        }
    }

    /// Checks the elements that offsets choose or running results join: whole repeats are counted
    /// in 8 bits.
    pub fn by_offsets(&self, n: usize, least: usize, most: i64) -> Result<(), Trip> {
        match (least..=most as usize).contains(&n) {
            true => Ok(()),
            false => refused(format!(
                "`{}` is asked for {n} elements, possible are {least} to {most}",
                self.vector.name
            )),
        }
    }

    /// Checks the elements of which a pattern or bits take some: their number is a mask of 32 bits,
    /// which is not 0.
    pub fn masked(&self, n: usize) -> Result<(), Trip> {
        match n {
            0 => refused(format!(
                "`{}` is asked for 0 elements, possible are 1 at least",
                self.vector.name
            )),
            n if n as i64 > MOST_MASKED => refused(format!(
                "`{}` is asked for {n} elements, possible are 1 to {MOST_MASKED}",
                self.vector.name
            )),
            _ => Ok(()),
        }
    }

    /// Checks the elements whose places are sorted: `Sort32` counts its repeats in 8 bits.
    pub fn sorted(&self, n: usize) -> Result<(), Trip> {
        match (1..=MOST_SORTED as usize).contains(&n) {
            true => Ok(()),
            false => refused(format!(
                "`{}` is asked to sort {n} elements, possible are 1 to {MOST_SORTED}",
                self.vector.name
            )),
        }
    }

    /// Checks the elements that become sorted lists of pairs, one list for each repeat.
    pub fn sorted_lists(&self, n: usize) -> Result<(), Trip> {
        match n.is_multiple_of(LIST as usize) && n <= MOST_SORTED as usize {
            true => Ok(()),
            false => {
                let possible = format!("multiples of {LIST} up to {MOST_SORTED}");
                refused(format!(
                    "`{}` is asked to sort {n} elements, possible are {possible}",
                    self.vector.name
                ))
            }
        }
    }

    /// Checks the number of pairs of a list that is merged.
    pub fn pairs(&self, length: i64) -> Result<usize, Trip> {
        match usize::try_from(length)
            .ok()
            .filter(|_| length <= MOST_PAIRS)
        {
            Some(pairs) => Ok(pairs),
            None => refused(format!(
                "a list of `{}` has {length} pairs, possible are 0 to {MOST_PAIRS}",
                self.vector.name
            )),
        }
    }

    /// Checks groups of four lists, one repeat each.
    pub fn fours(&self, n: usize) -> Result<(), Trip> {
        match n as i64 <= MAX_REPEATS {
            true => Ok(()),
            false => refused(format!(
                "`{}` merges {n} fours of lists, possible are 0 to {MAX_REPEATS}",
                self.vector.name
            )),
        }
    }
}

impl LaneSet {
    /// Returns one bit for each lane of a repeat that has `lanes`.
    pub fn bits(self, name: &str, lanes: usize) -> Result<u128, Trip> {
        let low = |n: i64| if n >= 128 { !0 } else { (1u128 << n) - 1 };
        let found = match self {
            LaneSet::First(n) if n < 0 => {
                return refused(format!("the mask of `{name}` is {n}, less than zero"))
            }
            LaneSet::First(n) if n > lanes as i64 => {
                return refused(format!(
                    "the mask of `{name}` is {n}, a repeat has {lanes} lanes"
                ));
            }
            LaneSet::First(n) => low(n),
            LaneSet::Bits(bits) => bits,
            LaneSet::Groups {
                from,
                to,
                of,
                groups,
            } => {
                let end = groups
                    .saturating_sub(1)
                    .saturating_mul(of)
                    .saturating_add(to);
                if from < 0 || to < 0 || to > of || groups < 0 || end > lanes as i64 {
                    let what = format!("lanes {from}..{to} of {groups} groups of {of}");
                    return refused(format!(
                        "the mask of `{name}` takes {what}, a repeat has {lanes} lanes"
                    ));
                }
                let one = low(to) & !low(from);
                let groups = if one == 0 { 0 } else { groups };
                (0..groups).fold(0, |all, g| all | one << (g * of))
            }
        };
        match found & !low(lanes as i64) {
            0 => Ok(found),
            _ => refused(format!(
                "the mask of `{name}` has bits behind the {lanes} lanes of a repeat"
            )),
        }
    }
}

/// The fields of a copy's rows, in elements of `size` bytes.
pub(super) struct CopyFields {
    pub rows: usize,
    pub cols: usize,
    /// From row to row in GM.
    pub gm_stride: usize,
    pub size: usize,
    /// True for a DataCopyPad, which counts bytes; DataCopy counts data blocks.
    pub pads: bool,
}

impl CopyFields {
    /// Refuses rows, their bytes, and gaps between rows of `name` in GM that exceed their fields.
    pub fn hold(&self, name: &str) -> Result<(), Trip> {
        let CopyFields {
            rows,
            cols,
            gm_stride,
            size,
            pads,
        } = *self;
        // Sizes of tensors in memory, times an element's bytes, do not overflow 128 bits.
        let bytes = |n: usize| n as u128 * size as u128;
        if rows > 1 {
            let gap = bytes(gm_stride.saturating_sub(cols));
            let (gap, unit, most) = match pads {
                true => (gap, "bytes", u128::from(u32::MAX)),
                false => (
                    gap / DATA_BLOCK as u128,
                    "data blocks",
                    u128::from(u16::MAX),
                ),
            };
            if gap > most {
                return refused(format!("a copy leaves {gap} {unit} between rows of `{name}`, and has a field for {most}"));
            }
        }
        if rows as i64 > MAX_COPY_BLOCKS || bytes(cols) > MAX_COPY_BYTES as u128 {
            return refused(format!(
                "one copy moves {rows} rows of {} bytes; at most {MAX_COPY_BLOCKS} rows of {MAX_COPY_BYTES} bytes are allowed",
                bytes(cols)
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_copy_are_held_at_both_ends_of_each_field() {
        let fields = |rows: i64, cols: i64, gap: i64, pads| CopyFields {
            rows: rows as usize,
            cols: cols as usize,
            gm_stride: (cols + gap) as usize,
            size: 4,
            pads,
        };
        let holds = |rows, cols, gap, pads| fields(rows, cols, gap, pads).hold("x").is_ok();
        assert!(holds(MAX_COPY_BLOCKS, 8, 0, true) && !holds(MAX_COPY_BLOCKS + 1, 8, 0, true));
        assert!(
            holds(1, MAX_COPY_BYTES / 4, 0, true) && !holds(1, MAX_COPY_BYTES / 4 + 1, 0, true)
        );
        let bytes = i64::from(u32::MAX) / 4;
        assert!(holds(2, 8, bytes, true) && !holds(2, 8, bytes + 1, true));
        let blocks = i64::from(u16::MAX) * 8;
        assert!(holds(2, 8, blocks, false) && !holds(2, 8, blocks + 8, false));
        // A single row is followed by no gap.
        assert!(holds(1, 8, bytes + 1, true));
    }

    #[test]
    fn lanes_are_those_of_a_repeat() {
        let bits = |set: LaneSet| set.bits("add", 64).ok();
        assert_eq!(bits(LaneSet::First(64)), Some((1 << 64) - 1));
        assert_eq!(bits(LaneSet::First(65)), None);
        assert_eq!(bits(LaneSet::First(-1)), None);
        assert_eq!(bits(LaneSet::Bits(1 << 63)), Some(1 << 63));
        assert_eq!(bits(LaneSet::Bits(1 << 64)), None);
        let groups = |from, to, of, groups| {
            bits(LaneSet::Groups {
                from,
                to,
                of,
                groups,
            })
        };
        assert_eq!(groups(0, 1, 32, 2), Some(1 | 1 << 32));
        assert_eq!(groups(0, 32, 32, 2), Some((1 << 64) - 1));
        assert_eq!(groups(0, 33, 32, 1), None);
        assert_eq!(groups(0, 1, 32, 3), None);
    }
}
