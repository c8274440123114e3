//! The time of bytes between GM and the cores.
//!
//! A byte that a launch reads first comes from HBM. One that it reads again comes from L2, if all
//! cores have not touched more than L2 holds in between. Written bytes stay in L2, up to a part
//! that it writes back after the end of the launch; more go to HBM while the launch runs.

use super::constants::Constants;
use crate::cost::event::{Global, Hint, Name, Stretches, Trace, What};
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

/// One read of a stream.
struct Read {
    bytes: f64,
    /// Bytes that the stream has touched since it read the same; `None` for the first time.
    since: Option<f64>,
}

/// The bytes of one stream.
#[derive(Default)]
struct Touched {
    reads: Vec<Read>,
    bypassed: f64,
    written: f64,
}

impl Touched {
    fn copy(
        &mut self,
        last: &mut BTreeMap<(Name, u64, u32), f64>,
        at: &mut f64,
        (pipe, gm, hint): (Pipe, Global, Hint),
        stretches: Stretches,
        (unaligned, stretch): (f64, f64),
    ) {
        let further = f64::from(stretches.count.saturating_sub(1));
        let bytes = f64::from(stretches.count) * f64::from(stretches.bytes) + further * stretch;
        *at += bytes;
        let before = last.insert((gm.tensor, gm.at, stretches.bytes), *at);
        let ragged = stretches.count > 1 && !stretches.pitch.is_multiple_of(32);
        match (pipe, hint) {
            (Pipe::Mte3, _) => self.written += bytes,
            (_, Hint::Bypass) => self.bypassed += bytes,
            (_, Hint::Normal) => self.reads.push(Read {
                bytes: if ragged { bytes * unaligned } else { bytes },
                since: before.map(|before| *at - before),
            }),
        }
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
    let factors = (timing.unaligned, constants.stretch_bytes.value);
    let mut sum = Traffic::default();
    for stream in &trace.streams {
        let (mut one, mut last, mut at) = (Touched::default(), BTreeMap::new(), 0.0);
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
            one.copy(&mut last, &mut at, (pipe, gm, hint), stretches, factors);
        }
        sum.written += one.written * times;
        sum.bypassed += one.bypassed * times;
        for read in &one.reads {
            let hits = read
                .since
                .is_some_and(|since| since * cores <= chip.l2_bytes as f64);
            let bytes = if hits { &mut sum.hits } else { &mut sum.misses };
            *bytes += read.bytes * times;
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
