//! The time of bytes between GM and the cores.
//!
//! Reads come from L2 where it has the bytes, else from HBM; writes go at one rate. A launch finds
//! in L2 what the launch before left there, as in a network or a benchmark: all of it where it
//! touches less than L2 holds, nothing where it touches much more. Within a launch, bytes that come
//! again are there if all cores have not touched more than L2 holds in between.

use super::constants::Constants;
use crate::cost::event::{Global, Hint, Name, Stretches, Trace, What};
use crate::ops::contract::Pipe;
use crate::soc::{Chip, Timing};
use std::collections::BTreeMap;

/// Bytes of a launch, by the memory that they come from or go to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Bytes that L2 has.
    pub hits: f64,
    /// Bytes that come from HBM.
    pub misses: f64,
    /// Bytes that come from HBM and that L2 does not keep.
    pub bypassed: f64,
    pub written: f64,
    /// The sum of tensors, each byte once.
    pub footprint: f64,
}

impl Traffic {
    pub fn bytes(&self) -> f64 {
        self.hits + self.misses + self.bypassed + self.written
    }

    /// Returns the cycles of the memory. Reads that L2 does not keep go beside the others.
    pub(super) fn cycles(&self, chip: &Chip, constants: &Constants) -> f64 {
        let cycles = |bytes: f64, rate: f64| bytes * chip.clock_mhz as f64 / (rate * 1000.0);
        let kept = cycles(self.hits, constants.l2_read.value)
            + cycles(self.misses, constants.hbm_read.value)
            + cycles(self.written, constants.write_rate.value);
        kept.max(cycles(self.bypassed, constants.hbm_read.value))
    }
}

/// The bytes of GM that streams touch of one tensor.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: u64,
    to: u64,
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
    let mut spans: BTreeMap<Name, Span> = BTreeMap::new();
    let mut all: Vec<Touched> = Vec::new();
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
            let rows = u64::from(stretches.count.saturating_sub(1)) * u64::from(stretches.pitch);
            let end = gm.at + rows + u64::from(stretches.bytes);
            let span = spans.entry(gm.tensor).or_insert(Span {
                from: gm.at,
                to: end,
            });
            (span.from, span.to) = (span.from.min(gm.at), span.to.max(end));
            let of = (pipe, gm, hint);
            let factors = (timing.unaligned, constants.stretch_bytes.value);
            one.copy(&mut last, &mut at, of, stretches, factors);
        }
        all.push(one);
    }
    let times = f64::from(trace.blocks) / trace.streams.len().max(1) as f64;
    let cores = f64::from(trace.blocks).min(chip.vector_cores as f64);
    let l2 = chip.l2_bytes as f64;
    let copied = |one: &Touched| {
        one.reads.iter().map(|read| read.bytes).sum::<f64>() + one.bypassed + one.written
    };
    let most = all.iter().map(copied).sum::<f64>() * times;
    let footprint = spans
        .values()
        .map(|span| (span.to - span.from) as f64)
        .sum::<f64>()
        .max(if trace.streams.len() < trace.blocks as usize {
            most
        } else {
            0.0
        })
        .min(most);
    let (warm, cold) = (constants.l2_warm.value, constants.l2_cold.value);
    let there = ((cold - footprint / l2) / (cold - warm).max(1e-9)).clamp(0.0, 1.0);
    let mut sum = Traffic {
        footprint,
        ..Traffic::default()
    };
    for one in &all {
        sum.written += one.written * times;
        sum.bypassed += one.bypassed * times;
        for read in &one.reads {
            let hit = match read.since {
                Some(since) if since * cores <= l2 => 1.0,
                Some(_) | None => there,
            };
            sum.hits += read.bytes * hit * times;
            sum.misses += read.bytes * (1.0 - hit) * times;
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
