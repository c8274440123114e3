//! One instruction: its repeats, its cycles, and the bytes that it touches.

use super::touch::{Begin, Touch};
use crate::ops::contract::{list_elements, Elem, Reach, ViewRule, LIST, PAIR_BYTES};
use crate::ops::{Cost, OpDef};
use crate::soc::{Chip, Timing};

/// The extent of a vector call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub elements: i64,
    /// Elements of a repeat.
    pub lanes: i64,
    pub repeats: i64,
    /// True where the last repeat of counter mode is not whole.
    pub is_open: bool,
}

impl Span {
    pub fn counted(elements: i64, lanes: i64) -> Span {
        let elements = elements.max(0);
        Span {
            elements,
            lanes,
            repeats: elements.div_euclid(lanes) + i64::from(elements % lanes != 0),
            is_open: elements % lanes != 0,
        }
    }

    pub fn repeated(repeats: i64, lanes: i64) -> Span {
        let repeats = repeats.max(0);
        Span {
            elements: repeats * lanes,
            lanes,
            repeats,
            is_open: false,
        }
    }
}

/// Returns the cycles of a vector call whose sources share no banks.
pub(super) fn cycles(timing: &Timing, def: &OpDef, span: Span, depends: bool) -> f64 {
    let line = (timing.call)(def.cost);
    let before = if depends {
        timing.dependent
    } else {
        timing.independent
    };
    let end = if span.is_open && def.contract.sources() > 1 {
        timing.open_end
    } else {
        0.0
    };
    let scalar = if def.cost == Cost::Reduce {
        timing.round_trip
    } else {
        0.0
    };
    line.fixed + line.slope * span.repeats as f64 + before + end + scalar
}

/// A copy between GM and UB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rows {
    pub rows: i64,
    /// Bytes of a row.
    pub bytes: i64,
    /// Bytes from row to row in GM.
    pub pitch: i64,
    /// True where rows touch on both sides: emitted code copies them as one burst.
    pub is_dense: bool,
}

impl Rows {
    pub fn bursts(&self) -> i64 {
        if self.is_dense {
            1
        } else {
            self.rows
        }
    }

    /// Returns the cycles of one copy where all blocks copy at once.
    pub fn cycles(&self, timing: &Timing, chip: &Chip, blocks: i64, is_read: bool) -> f64 {
        let bytes = self.rows as f64 * self.bytes as f64;
        let (path, all) = if is_read {
            (timing.read_path, timing.read_all)
        } else {
            (timing.write_path, timing.write_all)
        };
        let share = bytes * blocks.min(chip.vector_cores) as f64 * chip.clock_mhz as f64 / all;
        let aligned = self.bursts() < 2 || self.pitch % chip.data_block_bytes == 0;
        let moved = (bytes / path).max(share)
            * if aligned || !is_read {
                1.0
            } else {
                timing.unaligned
            };
        moved.max(timing.copy_issue) + timing.burst * (self.bursts() - 1).max(0) as f64
    }
}

/// The evaluated distances between elements of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Steps {
    Dense,
    /// Bytes from block to block, and from repeat to repeat.
    Blocks(i64, i64),
    /// Distance between the results of consecutive repeats, in results of one repeat.
    Results(i64),
}

/// Returns the bytes that a call touches of an operand whose elements have `size` bytes.
pub(super) fn touched(
    chip: &Chip,
    rule: &ViewRule,
    from: Begin,
    size: i64,
    steps: Steps,
    span: Span,
) -> Touch {
    let dense = |bytes: i64| Touch {
        from,
        piece: bytes,
        step: 0,
        pieces: 1,
    };
    let bits = |elements: i64| elements.div_euclid(8) + 1;
    match (rule.reach, steps) {
        (Reach::One, _) => dense(size),
        (Reach::Blocks, _) => dense(span.elements.saturating_mul(chip.data_block_bytes)),
        (Reach::Results(gives), steps) => {
            let piece = gives.of(chip.repeat_bytes / size) * size;
            match steps {
                Steps::Results(rep) => Touch {
                    from,
                    piece,
                    step: rep * piece,
                    pieces: span.repeats,
                },
                Steps::Dense | Steps::Blocks(..) => dense(span.repeats * piece),
            }
        }
        (Reach::All | Reach::WholeRepeats | Reach::Partials(_), Steps::Blocks(blk, rep)) => {
            let blocks =
                (span.lanes.min(span.elements).saturating_mul(size) + chip.data_block_bytes - 1)
                    / chip.data_block_bytes;
            let piece = (blocks - 1).max(0) * blk + chip.data_block_bytes;
            Touch {
                from,
                piece,
                step: rep,
                pieces: span.repeats,
            }
        }
        // The call may choose any byte of UB.
        (Reach::Chosen | Reach::ChosenBlocks, _) => dense(chip.ub_bytes),
        (Reach::WholeBlocks, _) => {
            dense(span.elements.saturating_mul(size) + chip.data_block_bytes)
        }
        (Reach::Doubled, _) => {
            dense(span.elements.saturating_mul(2 * size) + 4 * chip.data_block_bytes)
        }
        (Reach::WholeLists, _) => dense((span.elements + LIST - 1).saturating_mul(size)),
        (Reach::Lists, _) => {
            dense((span.elements + LIST - 1).saturating_mul(size * list_elements(size)))
        }
        (Reach::Pairs | Reach::List(_) | Reach::AllLists | Reach::FourLists, _) => {
            dense(span.elements.saturating_mul(PAIR_BYTES))
        }
        // A pattern takes at most all of the elements.
        (Reach::Taken | Reach::Most, _) => dense(span.elements.saturating_mul(size)),
        (
            Reach::All | Reach::WholeRepeats | Reach::Partials(_),
            Steps::Dense | Steps::Results(_),
        ) => dense(if rule.elem == Elem::Bits {
            bits(span.elements)
        } else {
            span.elements.saturating_mul(size)
        }),
    }
}
