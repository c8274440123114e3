//! The time of bytes between GM and the cores.
//!
//! A byte that a launch reads first comes from HBM. One that it reads again comes from L2, if all
//! cores have not touched more than L2 holds in between. Written bytes stay in L2, up to a part
//! that it writes back after the end of the launch; more go to HBM while the launch runs.

use super::constants::Constants;
use crate::cost::event::{Hint, Trace, What};
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

/// Sums up the bytes of a launch. Blocks without a stream move as many as the others.
pub(super) fn traffic(
    trace: &Trace,
    chip: &Chip,
    constants: &Constants,
    timing: &Timing,
) -> Traffic {
    let times = f64::from(trace.blocks) / trace.streams.len().max(1) as f64;
    let cores = f64::from(trace.blocks).min(chip.vector_cores as f64);
    let mut sum = Traffic::default();
    for stream in &trace.streams {
        // Bytes that the stream has touched so far, and when it last touched a place.
        let (mut at, mut last) = (0.0, BTreeMap::new());
        for event in &stream.events {
            let What::Copy {
                pipe,
                gm,
                hint,
                stretches,
                ..
            } = event.what
            else {
                continue;
            };
            let further = f64::from(stretches.count.saturating_sub(1));
            let bytes = f64::from(stretches.count) * f64::from(stretches.bytes)
                + further * constants.stretch_bytes.value;
            at += bytes;
            let before = last.insert((gm.tensor, gm.at, stretches.bytes), at);
            let ragged = stretches.count > 1 && !stretches.pitch.is_multiple_of(32);
            let read = if ragged {
                bytes * timing.unaligned
            } else {
                bytes
            };
            let hits = before.is_some_and(|before| (at - before) * cores <= chip.l2_bytes as f64);
            let (part, moved) = match (pipe, hint) {
                (Pipe::Mte3, _) => (&mut sum.written, bytes),
                (_, Hint::Bypass) => (&mut sum.bypassed, bytes),
                (_, Hint::Normal) if hits => (&mut sum.hits, read),
                (_, Hint::Normal) => (&mut sum.misses, read),
            };
            *part += moved * times;
        }
    }
    sum
}

/// Returns the cycles of a copy's bytes on the way of one core.
pub(super) fn path(constants: &Constants, pipe: Pipe, bytes: f64) -> f64 {
    match pipe {
        Pipe::Mte3 => bytes / constants.write_path.value,
        Pipe::S | Pipe::V | Pipe::Mte2 => bytes / constants.read_path.value,
    }
}
