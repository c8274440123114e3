//! The time of bytes between GM and the cores.
//!
//! A byte that a launch reads first comes from HBM. One that it reads again comes from L2, if all
//! cores have not touched more than L2 holds in between; so does one that another core has read.
//! Cores that read one place at the same time are served one after the other. Written bytes stay
//! in L2, up to a part that it writes back after the end of the launch; more go to HBM while the
//! launch runs.

use super::constants::Constants;
use crate::cost::event::{Global, Hint, Name, Stream, Stretches, Trace, What};
use crate::ops::contract::Pipe;
use crate::soc::{Chip, Timing};
use std::collections::BTreeMap;

/// Bytes of a launch, by the memory that they come from or go to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Bytes that are read of L2.
    pub hits: f64,
    /// Bytes that are read of HBM.
    pub misses: f64,
    /// Bytes that are read of HBM and that L2 does not keep.
    pub bypassed: f64,
    pub written: f64,
}

impl Traffic {
    pub fn bytes(&self) -> f64 {
        self.hits + self.misses + self.bypassed + self.written
    }

    /// Returns the cycles of the memory. Reads that L2 does not keep go beside the others.
    pub(super) fn cycles(&self, chip: &Chip, constants: &Constants) -> f64 {
        let cycles = |bytes: f64, rate: f64| bytes * chip.clock_mhz as f64 / (rate * 1000.0);
        let written_back = (self.written - constants.l2_holds.value * 1e6).max(0.0);
        let kept = cycles(self.hits, constants.l2_read.value)
            + cycles(self.misses + written_back, constants.hbm_rate.value)
            + cycles(self.written, constants.l2_write.value);
        kept.max(cycles(self.bypassed, constants.hbm_rate.value))
    }
}

/// Sums up the bytes of a launch. Blocks without a stream move as many as the others. `again` tells
/// that the launch before was the same one.
pub(super) fn traffic(
    trace: &Trace,
    chip: &Chip,
    constants: &Constants,
    timing: &Timing,
    again: bool,
) -> Traffic {
    let alike: f64 = trace.streams.iter().map(|s| f64::from(s.alike)).sum();
    let times = f64::from(trace.blocks) / alike.max(1.0);
    let mut copies: Vec<_> = trace.streams.iter().map(copies).collect();
    // Bytes that all blocks have touched so far, and when one last touched a place.
    let (mut at, mut last) = (0.0, BTreeMap::new());
    let mut sum = Traffic::default();
    for launch in 0..=u32::from(again) {
        if launch > 0 {
            sum = Traffic::default();
            copies = trace.streams.iter().map(self::copies).collect();
        }
        loop {
            // The copies that blocks reach at about the same time.
            let reached: Vec<Copy> = copies.iter_mut().filter_map(Iterator::next).collect();
            if reached.is_empty() {
                break;
            }
            let mut readers = BTreeMap::new();
            for copy in &reached {
                *readers.entry(copy.place()).or_insert(0u32) += 1;
            }
            for copy in reached {
                let further = f64::from(copy.stretches.count.saturating_sub(1));
                let bytes = f64::from(copy.stretches.count) * f64::from(copy.stretches.bytes)
                    + further * constants.stretch_bytes.value;
                let times = times * f64::from(copy.alike);
                at += bytes * times;
                let before = last.insert(copy.place(), at);
                let hits = before.is_some_and(|before| at - before <= chip.l2_bytes as f64);
                let ragged = further > 0.0 && !copy.stretches.pitch.is_multiple_of(32);
                let shared = readers[&copy.place()] > 1;
                let short = match copy.hint {
                    Hint::Normal => 0.0,
                    Hint::Bypass => further * constants.bypass_stretch.value,
                };
                let read = (bytes + short)
                    * if ragged { timing.unaligned } else { 1.0 }
                    * if shared {
                        constants.one_address.value
                    } else {
                        1.0
                    };
                // Of blocks that read one place, the first brings it from HBM.
                let misses = if shared { times.min(1.0) } else { times };
                match (copy.pipe, copy.hint) {
                    (Pipe::Mte3, _) => sum.written += bytes * times,
                    (_, Hint::Bypass) => sum.bypassed += read * times,
                    (_, Hint::Normal) if hits => sum.hits += read * times,
                    (_, Hint::Normal) => {
                        sum.misses += read * misses;
                        sum.hits += read * (times - misses);
                    }
                }
            }
        }
    }
    sum
}

/// A copy of a stream.
struct Copy {
    /// Blocks that make it.
    alike: u32,
    pipe: Pipe,
    gm: Global,
    hint: Hint,
    stretches: Stretches,
}

impl Copy {
    /// Returns what tells one place of GM from another.
    fn place(&self) -> (Name, u64, u32) {
        (self.gm.tensor, self.gm.at, self.stretches.bytes)
    }
}

/// Returns the copies of a stream, in its order.
fn copies(stream: &Stream) -> impl Iterator<Item = Copy> + '_ {
    stream.events.iter().filter_map(|event| match event.what {
        What::Copy {
            pipe,
            gm,
            hint,
            stretches,
            ..
        } => Some(Copy {
            alike: stream.alike,
            pipe,
            gm,
            hint,
            stretches,
        }),
        What::Vector { .. }
        | What::Set { .. }
        | What::Wait { .. }
        | What::Barrier { .. }
        | What::Scalar { .. }
        | What::SyncAll
        | What::CrossSet { .. }
        | What::CrossWait { .. } => None,
    })
}

/// Returns the cycles of a copy's bytes on the way of one core.
pub(super) fn path(constants: &Constants, pipe: Pipe, bytes: f64) -> f64 {
    match pipe {
        Pipe::Mte3 => bytes / constants.write_path.value,
        Pipe::S | Pipe::V | Pipe::Mte2 => bytes / constants.read_path.value,
    }
}
