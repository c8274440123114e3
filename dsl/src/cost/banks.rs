//! Conflicts of UB banks.
//!
//! Each group of banks delivers one row of a data block per cycle. A repeat therefore takes as many
//! cycles as its sources ask rows of one group, and never fewer than its op takes.
//!
//! Published measurements that this agrees with (asc-devkit, `bank_conflict_ub`):
//!
//! - Two sources half a period apart take one cycle a repeat, two whole periods apart take two
//!   (cases 1 to 3).
//! - A source whose repeats read one data block each asks for one row (case 8).
//! - Where such a source shares a group with the other one in every second repeat, the model is a
//!   tenth below (case 7).
//! - A destination one row beside a source in its bank takes a second cycle (case 5), one that lies
//!   whole repeats beside it does not (case 4).
//!
//! Left out:
//!
//! - writes that lie whole repeats beside a source;
//! - two sources that ask for one and the same row;
//! - a last repeat that is not whole;
//! - the buffers of a queue behind its first one, which conflict alike where they are whole
//!   periods.

use super::call::{Span, Steps};
use crate::dtype::DType;
use crate::ir::queue::Body;
use crate::ir::{Memory, Scalar};
use crate::soc::Chip;
use crate::tiling::{eval, Env, EvalError, Value};

/// A tensor that a call reads in whole data blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Source {
    /// Address of the first byte.
    pub at: i64,
    /// Bytes of a repeat.
    pub bytes: i64,
    pub steps: Steps,
}

impl Source {
    /// Returns the addresses of the rows that one repeat reads.
    fn rows(self, repeat: i64, chip: &Chip) -> impl Iterator<Item = i64> {
        let block = chip.data_block_bytes;
        let (between, next) = match self.steps {
            Steps::Blocks(between, next) => (between, next),
            Steps::Dense | Steps::Results(_) => (block, self.bytes),
        };
        // Blocks at one address are one row.
        let blocks = if between == 0 {
            1
        } else {
            self.bytes / block + i64::from(self.bytes % block != 0)
        };
        (0..blocks).map(move |i| {
            self.at
                .saturating_add(repeat.saturating_mul(next))
                .saturating_add(i.saturating_mul(between))
        })
    }
}

/// Returns the cycles that a call waits because its sources share groups. `slope` is the time of a
/// repeat without conflicts.
pub(super) fn conflicts(chip: &Chip, slope: f64, sources: &[Source], span: Span) -> f64 {
    let Some(groups) = chip.ub_bank_groups else {
        return 0.0;
    };
    let of_repeat = |repeat: i64| {
        let mut asked = vec![0u8; groups as usize];
        for at in sources.iter().flat_map(|source| source.rows(repeat, chip)) {
            asked[at.div_euclid(chip.data_block_bytes).rem_euclid(groups) as usize] += 1;
        }
        (asked.into_iter().max().map_or(0.0, f64::from) - slope).max(0.0)
    };
    let of = |repeats: i64| (0..repeats).map(of_repeat).sum::<f64>();
    // Strides are whole data blocks, so after as many repeats as there are groups every source is
    // back in its first groups.
    let (rounds, rest) = (
        span.repeats.div_euclid(groups),
        span.repeats.rem_euclid(groups),
    );
    let round = if rounds > 0 { of(groups) } else { 0.0 };
    rounds as f64 * round + of(rest)
}

/// Returns the cycles that a call waits because it writes into banks that it reads.
///
/// Results of a repeat are written while the next one is read. A bank gives or takes one row a
/// cycle, so a destination that lies some rows beside a source, and not whole repeats, waits for
/// it (`bank_conflict_ub`, cases 4 and 5). `reads` are the cycles of a repeat without that.
pub(super) fn write_conflicts(
    chip: &Chip,
    reads: f64,
    sources: &[Source],
    write: Source,
    span: Span,
) -> f64 {
    let (Some(groups), Some(bank)) = (chip.ub_bank_groups, chip.ub_bank_bytes) else {
        return 0.0;
    };
    let beside = |source: &&Source| (write.at - source.at).rem_euclid(chip.repeat_bytes) != 0;
    let of_bank = |at: i64| {
        let group = at.div_euclid(chip.data_block_bytes).rem_euclid(groups);
        (group, at.div_euclid(groups * bank))
    };
    let of_repeat = |repeat: i64| {
        let written: Vec<(i64, i64)> = write.rows(repeat - 1, chip).map(of_bank).collect();
        let read = sources.iter().filter(beside);
        let mut rows = read.flat_map(|source| source.rows(repeat, chip).map(of_bank));
        let meets = rows.any(|row| written.contains(&row));
        // The row of the source and that of the destination take two cycles.
        if meets {
            (2.0 - reads).max(0.0)
        } else {
            0.0
        }
    };
    (1..span.repeats).map(of_repeat).sum()
}

/// Addresses of the first bytes of queues and buffers, as TPipe hands them out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub queues: Vec<i64>,
    pub bufs: Vec<i64>,
}

impl Layout {
    /// Returns the layout of some memory of a body for the sizes of a launch.
    pub fn of(
        body: &Body,
        memory: &[Memory],
        types: &[DType],
        chip: &Chip,
        env: &Env<'_>,
    ) -> Result<Layout, EvalError> {
        let (queues, bufs) = (&body.queues, &body.bufs);
        let mut layout = Layout {
            queues: vec![0; queues.len()],
            bufs: vec![0; bufs.len()],
        };
        let mut at: i64 = 0;
        let value = |s: &Scalar| eval(&s.sized(types), env).and_then(Value::as_int);
        for memory in memory {
            let (place, bytes, num) = match *memory {
                Memory::Queue { queue } => {
                    let decl = &queues[queue.index()];
                    (
                        &mut layout.queues[queue.index()],
                        value(&decl.bytes)?,
                        value(&decl.buffer_num)?,
                    )
                }
                Memory::Buf { buf } | Memory::Skew { buf } => (
                    &mut layout.bufs[buf.index()],
                    value(&bufs[buf.index()].bytes)?,
                    1,
                ),
            };
            *place = at;
            let blocks = bytes.div_euclid(chip.data_block_bytes)
                + i64::from(bytes % chip.data_block_bytes != 0);
            at = at.saturating_add(
                blocks
                    .saturating_mul(chip.data_block_bytes)
                    .saturating_mul(num),
            );
        }
        Ok(layout)
    }
}
