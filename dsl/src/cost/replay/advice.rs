//! Advice: what holds a launch up and can be changed, with the gain that the change would bring.

use super::places::{Share, Wait};
use super::{PipeTime, Prediction, Reason};
use crate::ops::contract::Pipe;

/// The part of a block from which on a wait is worth a word.
const WORTH: f64 = 0.08;
/// The gain from which on advice is worth a word.
const LEAST_GAIN: f64 = 1.02;

/// A change that would make a launch faster.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The place as `FILE:LINE`, where most of it is at one.
    pub place: Option<String>,
    pub text: String,
    /// How many times faster the launch is without what the advice is about.
    pub gain: f64,
}

/// The waits that an author can shorten, each with the way.
const ADVICE: [(Pipe, Reason, &str); 7] = [
    (
        Pipe::Mte2,
        Reason::Flag(Pipe::V),
        "the copy in waits for V: give its queue two buffers, and issue the copy of the next tile before the calls of this one",
    ),
    (
        Pipe::V,
        Reason::Flag(Pipe::Mte3),
        "V waits for the copy out: give its queue two buffers",
    ),
    (
        Pipe::V,
        Reason::Result,
        "a call waits for the result of the call before: put calls on other data in between, for example those of a second tile",
    ),
    (
        Pipe::V,
        Reason::Barrier,
        "V waits at a barrier: leave out PipeBarrier<PIPE_V> between calls that need no result of each other",
    ),
    (
        Pipe::V,
        Reason::Scalar,
        "V waits for the scalar unit: make fewer and longer calls, set masks once, and compute addresses before the loop",
    ),
    (
        Pipe::S,
        Reason::Flag(Pipe::V),
        "the scalar unit waits for results of V: keep them in UB, and work on them with calls",
    ),
    (
        Pipe::S,
        Reason::Cores,
        "cores wait for each other at SyncAll: give them equal shares, or synchronise once",
    ),
];

impl Prediction {
    /// Returns the cycles in which a pipe waits for a reason.
    fn waits(&self, pipe: Pipe, reason: Reason) -> f64 {
        let of_pipe = self.pipes.iter().find(|time| time.pipe == pipe);
        let waits = of_pipe.map(|time: &PipeTime| &time.stands[..]);
        let mut waits = waits.unwrap_or_default().iter();
        let found = waits.find(|(of, _)| *of == reason);
        found.map_or(0.0, |(_, cycles)| *cycles)
    }

    /// Returns how many times faster the launch is if its longest block takes so many cycles less.
    fn gain(&self, cycles: f64) -> f64 {
        let scale = (self.micros - self.launch) / (self.cycles + self.memory).max(1.0);
        let least = self.limit().map_or(0.0, |pipe| pipe.busy);
        let saved = cycles.min(self.cycles - least).max(0.0);
        let after = self.bound.max(self.micros - saved * scale);
        self.micros / after.max(1e-9)
    }
}

/// Returns the advice on a launch, the greatest gain first.
pub fn advice(of: &Prediction, waits: &[Wait], shares: &[Share]) -> Vec<Advice> {
    let mut all = Vec::new();
    let mut add = |cycles: f64, place: Option<String>, text: String| {
        let gain = of.gain(cycles);
        if cycles > WORTH * of.cycles && gain > LEAST_GAIN {
            all.push(Advice { place, text, gain });
        }
    };
    for (pipe, reason, text) in ADVICE {
        let cycles = of.waits(pipe, reason);
        // Where V is never idle, copies wait for it whatever one does.
        let saved = match (pipe, reason) {
            (Pipe::Mte2, Reason::Flag(Pipe::V)) => {
                cycles.min(of.waits(Pipe::V, Reason::Flag(Pipe::Mte2)))
            }
            _ => cycles,
        };
        let mut alike = waits
            .iter()
            .filter(|wait| (wait.pipe, wait.reason) == (pipe, reason));
        let longest = alike.next().filter(|wait| wait.cycles > 0.5 * cycles);
        let place = longest.map(|wait| wait.place.clone());
        add(saved, place, text.to_string());
    }
    let copies = shares.iter().filter(|share| share.copies_in);
    let slowest = copies.max_by(|a, b| a.latency.total_cmp(&b.latency));
    if let Some(copy) = slowest {
        let part = 100.0 * copy.latency / of.cycles.max(1.0);
        let text = format!(
            "the latency of this copy is {part:.0} % of the critical path: copy twice the bytes each time, if UB has room"
        );
        add(copy.latency / 2.0, Some(copy.place.clone()), text);
    }
    all.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    all
}
