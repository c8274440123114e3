//! A prediction as its reader has it: a table, and advice with the gain that it would bring.

use super::{Constant, PipeTime, Prediction, Reason};
use crate::ops::contract::Pipe;
use std::fmt::Write;

/// The part of a launch from which on a wait is worth a word.
const WORTH: f64 = 0.08;

/// A change that would make a launch faster.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    pub text: String,
    /// How many times faster the launch is without what the advice is about.
    pub gain: f64,
}

impl Prediction {
    fn pipe(&self, pipe: Pipe) -> Option<&PipeTime> {
        self.pipes.iter().find(|time| time.pipe == pipe)
    }

    /// Returns how many times faster the launch is if its longest block takes so many cycles less.
    fn gain(&self, cycles: f64) -> f64 {
        let scale = (self.micros - self.launch) / (self.cycles + self.memory).max(1.0);
        let least = self.limit().map_or(0.0, |pipe| pipe.busy);
        let saved = cycles.min(self.cycles - least).max(0.0);
        let after = self.bound.max(self.micros - saved * scale);
        self.micros / after.max(1e-9)
    }

    /// Returns what holds the launch up and can be changed, the greatest gain first.
    pub fn advice(&self) -> Vec<Advice> {
        let mut all = Vec::new();
        let mut add = |cycles: f64, text: &str| {
            if cycles > WORTH * self.cycles {
                all.push(Advice {
                    text: text.to_string(),
                    gain: self.gain(cycles),
                });
            }
        };
        let stands = |pipe: Pipe, reason: Reason| {
            let stands = self
                .pipe(pipe)
                .map(|time| &time.stands[..])
                .unwrap_or_default();
            let found = stands.iter().find(|(of, _)| *of == reason);
            found.map_or(0.0, |(_, cycles)| *cycles)
        };
        // Where V is never idle, copies wait for it whatever one does.
        add(
            stands(Pipe::Mte2, Reason::Flag(Pipe::V)).min(stands(Pipe::V, Reason::Flag(Pipe::Mte2))),
            "copies in wait for V: give their queue two buffers, and issue the copy of the next tile before the calls of this one",
        );
        add(
            stands(Pipe::V, Reason::Flag(Pipe::Mte3)),
            "V waits for copies out: give their queue two buffers",
        );
        add(
            stands(Pipe::V, Reason::Result),
            "calls wait for the result of the call before: compute two tiles, or other calls, in between",
        );
        add(
            stands(Pipe::V, Reason::Barrier),
            "barriers of V stand between calls that need no result of each other",
        );
        add(
            stands(Pipe::V, Reason::Scalar),
            "V waits for the scalar unit: fewer and longer calls, masks that stay, addresses that are computed before the loop",
        );
        add(
            stands(Pipe::S, Reason::Flag(Pipe::V)),
            "the scalar unit waits for results of V: keep them in UB, and work on them with calls",
        );
        add(
            stands(Pipe::S, Reason::Cores),
            "cores wait for each other at a barrier: give them equal shares, or meet once",
        );
        all.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        all
    }

    /// Returns the report as text. `ranges` are those of [`super::ranges`].
    pub fn text(
        &self,
        kernel: &str,
        chip: &str,
        clock_mhz: i64,
        ranges: &[(Constant, f64, f64)],
    ) -> String {
        let micros = |cycles: f64| cycles / clock_mhz as f64;
        let waves = match self.waves {
            0 | 1 => String::new(),
            waves => format!(" in {waves} waves"),
        };
        let mut text = format!(
            "{kernel}: {:.1} us predicted on {chip}, {} blocks{waves}; nothing was measured\n\n",
            self.micros, self.blocks
        );
        let mb = |bytes: f64| bytes / 1e6;
        let traffic = &self.traffic;
        let _ = writeln!(text, "launch    {:8.1} us", self.launch);
        let _ = writeln!(
            text,
            "memory    {:8.1} us  {:.1} MB: {:.1} from HBM, {:.1} of L2, {:.1} past L2, {:.1} written",
            micros(self.memory),
            mb(traffic.bytes()),
            mb(traffic.misses),
            mb(traffic.hits),
            mb(traffic.bypassed),
            mb(traffic.written)
        );
        let _ = writeln!(
            text,
            "a core    {:8.1} us  where nobody else uses the memory",
            micros(self.cycles)
        );
        let _ = writeln!(
            text,
            "bound     {:8.1} us  launch and memory; the prediction is {:.2} of it\n",
            self.bound,
            self.micros / self.bound
        );
        for time in &self.pipes {
            let mut stands: Vec<(Reason, f64)> = time.stands.clone();
            stands.sort_by(|a, b| b.1.total_cmp(&a.1));
            let stands: Vec<String> = stands
                .iter()
                .filter(|(_, cycles)| *cycles >= 0.005 * self.cycles)
                .map(|(reason, cycles)| format!("{:.1} us for {reason}", micros(*cycles)))
                .collect();
            let _ = writeln!(
                text,
                "{:6} works {:8.1} us, {:3.0} %{}{}",
                time.pipe.name(),
                micros(time.busy),
                100.0 * time.busy / self.cycles.max(1.0),
                if stands.is_empty() { "" } else { "; stands " },
                stands.join(", ")
            );
        }
        for advice in self.advice() {
            let _ = writeln!(
                text,
                "\nadvice: {}: predicted {:.2}x",
                advice.text, advice.gain
            );
        }
        let wide: Vec<&(Constant, f64, f64)> = ranges
            .iter()
            .filter(|(_, low, high)| (high - low).abs() > 0.01 * self.micros)
            .take(3)
            .collect();
        if !wide.is_empty() {
            text += "\nof constants with a range, these move it most:\n";
        }
        for (constant, low, high) in wide {
            let _ = writeln!(
                text,
                "{:14} {:.1} us at {}, {:.1} us at {} {}",
                constant.name, low, constant.low, high, constant.high, constant.unit
            );
        }
        text
    }
}
