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
use std::collections::HashMap;

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

/// Bytes of copies, and further stretches, that take an equal time each.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    bytes: f64,
    further: f64,
}

/// The copies of one direction: those that begin at data blocks and go to one core each, and
/// others.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// By whether rows begin between data blocks, then by whether cores read one place at once.
    parts: [[Sum; 2]; 2],
}

impl Sums {
    fn add(&mut self, copy: &Copy, shared: bool, times: f64) {
        let further = copy.further();
        let ragged = further > 0.0 && !copy.stretches.pitch.is_multiple_of(32);
        let part = &mut self.parts[usize::from(ragged)][usize::from(shared)];
        part.bytes += copy.bytes() * times;
        part.further += further * times;
    }

    /// Returns the bytes that take as long. A further stretch counts as some bytes.
    fn weighed(&self, stretch: f64, unaligned: f64, one_address: f64) -> f64 {
        let factors = [[1.0, one_address], [unaligned, unaligned * one_address]];
        let parts = self.parts.iter().flatten().zip(factors.iter().flatten());
        parts
            .map(|(sum, factor)| (sum.bytes + sum.further * stretch) * factor)
            .sum()
    }
}

/// The copies of a launch, by the memory that their bytes come from or go to. They do not depend on
/// constants.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moved {
    hits: Sums,
    misses: Sums,
    bypassed: Sums,
    written: Sums,
}

impl Moved {
    /// Returns the bytes as they count by constants.
    pub(super) fn traffic(&self, constants: &Constants, timing: &Timing) -> Traffic {
        let (stretch, own) = (constants.stretch_bytes.value, constants.one_address.value);
        let past = stretch + constants.bypass_stretch.value;
        Traffic {
            hits: self.hits.weighed(stretch, timing.unaligned, own),
            misses: self.misses.weighed(stretch, timing.unaligned, own),
            bypassed: self.bypassed.weighed(past, timing.unaligned, own),
            written: self.written.weighed(stretch, 1.0, 1.0),
        }
    }
}

/// Sums up the copies of a launch. Blocks without a stream move as many bytes as the others.
/// `again` tells that the launch before was the same one.
pub(super) fn moved(trace: &Trace, chip: &Chip, constants: &Constants, again: bool) -> Moved {
    let alike: f64 = trace.streams.iter().map(|s| f64::from(s.alike)).sum();
    let times = f64::from(trace.blocks) / alike.max(1.0);
    let copies: Vec<Vec<Copy>> = trace.streams.iter().map(copies).collect();
    let length = copies.iter().map(Vec::len).max().unwrap_or(0);
    // Bytes that all blocks have touched so far, and when one last touched a place.
    let (mut at, mut last) = (0.0, HashMap::new());
    let mut sum = Moved::default();
    for launch in 0..=u32::from(again) {
        if launch > 0 {
            sum = Moved::default();
        }
        for step in 0..length {
            // The copies that blocks reach at about the same time.
            let reached = || copies.iter().filter_map(|own| own.get(step));
            for copy in reached() {
                let readers = reached().filter(|other| other.place() == copy.place());
                let shared = readers.count() > 1;
                let times = times * f64::from(copy.alike);
                at += (copy.bytes() + copy.further() * constants.stretch_bytes.value) * times;
                let before = last.insert(copy.place(), at);
                let hits = before.is_some_and(|before| at - before <= chip.l2_bytes as f64);
                // Of blocks that read one place, the first brings it from HBM.
                let misses = if shared { times.min(1.0) } else { times };
                match (copy.pipe, copy.hint) {
                    (Pipe::Mte3, _) => sum.written.add(copy, shared, times),
                    (_, Hint::Bypass) => sum.bypassed.add(copy, shared, times),
                    (_, Hint::Normal) if hits => sum.hits.add(copy, shared, times),
                    (_, Hint::Normal) => {
                        sum.misses.add(copy, shared, misses);
                        sum.hits.add(copy, shared, times - misses);
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

    fn bytes(&self) -> f64 {
        f64::from(self.stretches.count) * f64::from(self.stretches.bytes)
    }

    /// Returns the stretches behind the first.
    fn further(&self) -> f64 {
        f64::from(self.stretches.count.saturating_sub(1))
    }
}

/// Returns the copies of a stream, in its order.
fn copies(stream: &Stream) -> Vec<Copy> {
    let mut all = Vec::new();
    stream.visit(&mut |event| {
        let What::Copy {
            pipe,
            gm,
            hint,
            stretches,
            ..
        } = event.what
        else {
            return;
        };
        all.push(Copy {
            alike: stream.alike,
            pipe,
            gm,
            hint,
            stretches,
        });
    });
    all
}

/// Returns the cycles of a copy's bytes on the way of one core.
pub(super) fn path(constants: &Constants, pipe: Pipe, bytes: f64) -> f64 {
    match pipe {
        Pipe::Mte3 => bytes / constants.write_path.value,
        Pipe::S | Pipe::V | Pipe::Mte2 => bytes / constants.read_path.value,
    }
}
