//! The time of a launch: its events, run against the constants of a chip.
//!
//! Nothing here is a measurement. Pipes work in order, a scalar unit hands them their work, flags
//! and barriers hold them up, and copies share memory with those of all cores. Streams that differ
//! only in their places in GM are run once.
//!
//! Left out: cubes, writes that meet reads of a bank whole repeats apart, misses of the instruction
//! cache, the scalar unit's own loops. `cost/validation` compares it with published times.
//!
//! Start reading at [`replay`], then `core.rs`.

mod advice;
mod constants;
mod core;
mod lines;
mod memory;
mod places;
mod report;
mod timeline;
mod times;

#[cfg(test)]
mod tests;

pub use advice::{advice, Advice};
pub use constants::{Constant, Constants};
pub use lines::Line;
pub use memory::Traffic;
pub use places::{longest_waits, path_shares, Share, Wait};
pub use report::Report;
pub use timeline::{At, Cause, Part, Passes, Point, Slice, State, Timeline};

use super::event::{Event, Stream, Trace, What};
use crate::ops::contract::Pipe;
use crate::soc::{Chip, Timing};
use core::{Core, Reached};
use std::fmt;
use times::{Known, Times};

/// Why a pipe stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The scalar unit has not handed it anything.
    Scalar,
    /// A flag of another pipe.
    Flag(Pipe),
    /// The result of the instruction before.
    Result,
    Barrier,
    /// The queue of a pipe is full; the scalar unit alone stands for it.
    Queue(Pipe),
    /// Other cores have not come.
    Cores,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Scalar => f.write_str("the scalar unit"),
            Reason::Flag(pipe) => write!(f, "{}", pipe.name()),
            Reason::Result => f.write_str("the previous result"),
            Reason::Barrier => f.write_str("a barrier"),
            Reason::Queue(pipe) => write!(f, "the full queue of {}", pipe.name()),
            Reason::Cores => f.write_str("other cores"),
        }
    }
}

/// The time of one pipe of the longest block, in cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct PipeTime {
    pub pipe: Pipe,
    pub busy: f64,
    /// Cycles in which it stands, by reason.
    pub stands: Vec<(Reason, f64)>,
}

/// The predicted time of a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Microseconds from the launch to its end.
    pub micros: f64,
    /// Microseconds of it that any launch of so many blocks takes.
    pub launch: f64,
    /// Microseconds that the launch and its bytes take at least.
    pub bound: f64,
    /// Cycles of the longest block, where nobody else uses the memory.
    pub cycles: f64,
    /// Cycles of the memory, for the bytes of all blocks.
    pub memory: f64,
    pub pipes: Vec<PipeTime>,
    pub traffic: Traffic,
    pub blocks: u32,
    /// Blocks that one core runs one behind another.
    pub waves: u32,
    /// Events that were run.
    pub events: u64,
    /// Cycles of a microsecond.
    pub clock_mhz: i64,
}

impl Prediction {
    /// Returns the pipe that works longest.
    pub fn limit(&self) -> Option<&PipeTime> {
        let longest = |a: &&PipeTime, b: &&PipeTime| a.busy.total_cmp(&b.busy);
        self.pipes.iter().max_by(longest)
    }
}

/// The reason that there is no prediction.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplayError {
    /// No chip has this name.
    NoChip(String),
    /// Nothing was published of the chip.
    NoConstants(String),
    /// No cost class is known of an op.
    NoClass { op: String, place: String },
    /// A pipe waits for a flag that nothing sets.
    NeverSet { from: Pipe, to: Pipe, id: u8 },
    /// A pipe waits at a known place for a flag that nothing sets.
    NeverSetAt {
        from: Pipe,
        to: Pipe,
        id: u8,
        place: String,
    },
    /// Some blocks wait for others that have ended.
    Uneven,
    /// The trace has no stream.
    Empty,
    /// Events are repeated, and a timeline has each of them ([`Trace::expanded`]).
    Repeats,
}

impl ReplayError {
    fn at(self, trace: &Trace, event: &Event) -> ReplayError {
        match self {
            ReplayError::NeverSet { from, to, id } => ReplayError::NeverSetAt {
                from,
                to,
                id,
                place: trace.place(event),
            },
            other => other,
        }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NoChip(name) => write!(f, "no chip is called {name}"),
            ReplayError::NoConstants(chip) => {
                write!(
                    f,
                    "nothing was published of what single calls take on {chip}"
                )
            }
            ReplayError::NoClass { op, place } => write!(
                f,
                "{place}: nobody knows what {op} takes; it has no cost class"
            ),
            ReplayError::NeverSet { from, to, id } => write!(
                f,
                "{} waits for flag {id} of {}, which nothing sets",
                to.name(),
                from.name()
            ),
            ReplayError::NeverSetAt {
                from,
                to,
                id,
                place,
            } => write!(
                f,
                "{place}: {} waits for flag {id} of {}, which nothing sets",
                to.name(),
                from.name()
            ),
            ReplayError::Uneven => f.write_str("some blocks wait for others that have ended"),
            ReplayError::Empty => f.write_str("the trace has no block"),
            ReplayError::Repeats => {
                f.write_str("the trace has repeated events, and a timeline takes each of them")
            }
        }
    }
}
impl std::error::Error for ReplayError {}

/// Returns the streams that differ.
fn shares(streams: &[Stream]) -> Vec<&Stream> {
    let alike = |a: &Stream, b: &Stream| {
        let mut pairs = a.events.iter().zip(&b.events);
        a.events.len() == b.events.len()
            && pairs.all(|(a, b)| a.what.without_place() == b.what.without_place())
    };
    let mut found: Vec<&Stream> = Vec::new();
    for stream in streams {
        if !found.iter().any(|other| alike(other, stream)) {
            found.push(stream);
        }
    }
    found
}

/// The parts of a replay that do not depend on constants.
struct Launch<'a> {
    trace: &'a Trace,
    chip: &'static Chip,
    timing: &'static Timing,
    known: Vec<Option<Known>>,
    shares: Vec<&'a Stream>,
    moved: memory::Moved,
}

impl<'a> Launch<'a> {
    fn times(&'a self, constants: &'a Constants) -> Times<'a> {
        Times {
            trace: self.trace,
            chip: self.chip,
            constants,
            timing: self.timing,
            known: &self.known,
        }
    }
}

/// Finds what a replay needs, with the constants of the chip.
fn launch(trace: &Trace, again: bool) -> Result<(Launch<'_>, Constants), ReplayError> {
    let chip = Chip::by_name(&trace.chip).ok_or_else(|| ReplayError::NoChip(trace.chip.clone()))?;
    let nothing = || ReplayError::NoConstants(trace.chip.clone());
    let constants = Constants::of(chip).ok_or_else(nothing)?;
    let timing = chip.timing().ok_or_else(nothing)?;
    let launch = Launch {
        trace,
        chip,
        timing,
        known: times::known(trace),
        shares: shares(&trace.streams),
        moved: memory::moved(trace, chip, &constants, again),
    };
    Ok((launch, constants))
}

/// Predicts the time of a launch.
///
/// # Errors
/// Nothing is known of the chip or of an op, or flags and barriers of the trace never meet.
pub fn replay(trace: &Trace) -> Result<Prediction, ReplayError> {
    let (launch, constants) = launch(trace, false)?;
    predict(&launch, &constants)
}

/// Predicts the time of a launch, and lists what its longest block does.
///
/// # Errors
/// As [`replay`].
pub fn replay_lines(trace: &Trace) -> Result<(Prediction, Vec<Line>), ReplayError> {
    let (launch, constants) = launch(trace, false)?;
    let prediction = predict(&launch, &constants)?;
    let longest = longest(&run(&launch, &constants, None)?)?;
    let lines = lines::lines(launch.shares[longest], launch.times(&constants))?;
    Ok((prediction, lines))
}

/// Predicts the time of a launch behind an equal one, whose bytes L2 has as far as it holds them.
///
/// # Errors
/// As [`replay`].
pub fn replay_again(trace: &Trace) -> Result<Prediction, ReplayError> {
    let (launch, constants) = launch(trace, true)?;
    predict(&launch, &constants)
}

/// Returns the timeline of the longest block of a launch.
///
/// # Errors
/// As [`replay`].
pub fn timeline(trace: &Trace) -> Result<Timeline<'_>, ReplayError> {
    let (launch, constants) = launch(trace, false)?;
    let longest = longest(&run(&launch, &constants, None)?)?;
    let events = &launch.shares[longest].events;
    if events
        .iter()
        .any(|event| matches!(event.what, What::Repeat { .. }))
    {
        return Err(ReplayError::Repeats);
    }
    // A second run keeps the slices, since they take more room than all else.
    let core = run(&launch, &constants, Some(longest))?.swap_remove(longest);
    let cycles = core.end();
    Ok(Timeline::of(
        launch.shares[longest],
        core.log.into_slices(),
        cycles,
    ))
}

/// Returns the core that ends last.
fn longest(cores: &[Core<'_>]) -> Result<usize, ReplayError> {
    let cores = cores.iter().enumerate();
    let longest = cores.max_by(|(_, a), (_, b)| a.end().total_cmp(&b.end()));
    longest.map(|(at, _)| at).ok_or(ReplayError::Empty)
}

/// Runs the streams that differ, each on a core, of which one may keep its slices.
fn run<'a>(
    of: &'a Launch<'a>,
    constants: &'a Constants,
    logged: Option<usize>,
) -> Result<Vec<Core<'a>>, ReplayError> {
    let chip = of.chip;
    let times = of.times(constants);
    let mut cores: Vec<Core<'_>> = of
        .shares
        .iter()
        .map(|stream| Core::new(times, &stream.events))
        .collect();
    if let Some(core) = logged.and_then(|logged| cores.get_mut(logged)) {
        core.log = timeline::Log::on();
    }
    let clock = chip.clock_mhz as f64;
    loop {
        let reached = cores
            .iter_mut()
            .map(Core::run)
            .collect::<Result<Vec<_>, _>>()?;
        if reached.iter().all(|reached| *reached == Reached::End) {
            break;
        }
        if reached.contains(&Reached::End) {
            return Err(ReplayError::Uneven);
        }
        let last = cores.iter().map(Core::end).fold(0.0, f64::max);
        let time = last + constants.sync_all.value * clock;
        for core in &mut cores {
            core.meet(time);
        }
    }
    Ok(cores)
}

fn predict(of: &Launch<'_>, constants: &Constants) -> Result<Prediction, ReplayError> {
    let &Launch {
        trace,
        chip,
        timing,
        ..
    } = of;
    let traffic = of.moved.traffic(constants, timing);
    let memory = traffic.cycles(chip, constants);
    let clock = chip.clock_mhz as f64;
    let cores = run(of, constants, None)?;
    let longest = &cores[longest(&cores)?];
    let blocks = trace.blocks.max(1);
    let on = f64::from(blocks).min(chip.vector_cores as f64);
    let waves = f64::from(blocks) / chip.vector_cores as f64;
    let waves = waves.max(1.0).ceil();
    let of_cores = (on - 1.0) / (chip.vector_cores as f64 - 1.0).max(1.0);
    let launch = constants.launch.value + constants.launch_cores.value * of_cores;
    let cycles = longest.end();
    let pipes = Pipe::ALL.into_iter().map(|pipe| {
        let (busy, stands) = longest.of_pipe(pipe);
        PipeTime {
            pipe,
            busy,
            stands: stands
                .iter()
                .map(|(reason, cycles)| (*reason, *cycles))
                .collect(),
        }
    });
    // Cores wait for memory and memory for cores, the more the closer their times are.
    let power = constants.overlap.value;
    let both = ((cycles * waves).powf(power) + memory.powf(power)).powf(1.0 / power);
    Ok(Prediction {
        micros: launch + both / clock,
        launch,
        bound: launch + memory / clock,
        memory,
        cycles,
        pipes: pipes.collect(),
        traffic,
        blocks,
        waves: waves as u32,
        events: cores.iter().map(|core| core.instructions).sum(),
        clock_mhz: chip.clock_mhz,
    })
}

/// Returns the least microseconds of a launch that reads so many bytes once and writes so many,
/// beside those that any launch takes; `None` where nothing was published of the chip.
pub fn least(chip: &Chip, read: usize, written: usize) -> Option<f64> {
    let constants = Constants::of(chip)?;
    let traffic = Traffic {
        misses: read as f64,
        written: written as f64,
        ..Traffic::default()
    };
    Some(traffic.cycles(chip, &constants) / chip.clock_mhz as f64)
}

/// Predicts a launch at both ends of each constant's range, the one that matters most first.
///
/// # Errors
/// As [`replay`].
pub fn ranges(trace: &Trace) -> Result<Vec<(Constant, f64, f64)>, ReplayError> {
    let (launch, constants) = launch(trace, false)?;
    let mut all = Vec::new();
    for constant in constants.all() {
        let at = |value: f64| {
            let changed = constants.with(constant.name, value);
            predict(&launch, &changed).map(|p| p.micros)
        };
        all.push((constant, at(constant.low)?, at(constant.high)?));
    }
    let spread = |(_, low, high): &(Constant, f64, f64)| (high - low).abs();
    all.sort_by(|a, b| spread(b).total_cmp(&spread(a)));
    Ok(all)
}
