//! A prediction as its reader has it: tables of time, and advice.

use super::advice::{advice, Advice};
use super::places::{longest_waits, path_shares, Share, Wait};
use super::{Constant, PipeTime, Prediction, Reason, Timeline};
use crate::cost::event::Trace;
use std::fmt;

impl Prediction {
    fn micros(&self, cycles: f64) -> f64 {
        cycles / self.clock_mhz as f64
    }

    /// Says what the time of the launch depends on.
    fn limiting(&self) -> String {
        let cycles = self.cycles * f64::from(self.waves);
        let busiest = self.limit();
        let part = |pipe: &PipeTime| pipe.busy / self.cycles.max(1.0);
        match busiest {
            _ if self.launch > 0.5 * self.micros => format!(
                "the launch: it takes {:.0} % of the time",
                100.0 * self.launch / self.micros
            ),
            _ if self.memory >= cycles => {
                "the memory: its bytes take longer than the instructions of a block".to_string()
            }
            Some(pipe) if part(pipe) >= FULL => {
                format!(
                    "{}, busy for {:.0} % of a block",
                    pipe.pipe.name(),
                    100.0 * part(pipe)
                )
            }
            Some(pipe) => format!(
                "waits: no pipe is busy for more than {:.0} % of a block ({})",
                100.0 * part(pipe),
                pipe.pipe.name()
            ),
            None => "nothing: no pipe has any work".to_string(),
        }
    }
}

/// The part of a block from which on a busy pipe limits it.
const FULL: f64 = 0.8;

/// Lines of a table of places.
const LINES: usize = 5;

/// The report on the events of a launch.
pub struct Report<'a> {
    pub trace: &'a Trace,
    pub prediction: &'a Prediction,
    pub timeline: &'a Timeline<'a>,
    /// Those of [`super::ranges`].
    pub ranges: &'a [(Constant, f64, f64)],
}

/// Shows microseconds with three digits or so.
fn us(micros: f64) -> String {
    match micros {
        ..10.0 => format!("{micros:.2} us"),
        _ => format!("{micros:.1} us"),
    }
}

fn percent(part: f64, of: f64) -> f64 {
    100.0 * part / of.max(1.0)
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.totals(f)?;
        self.pipes(f)?;
        let shares = path_shares(self.trace, self.timeline);
        self.critical_path(f, &shares)?;
        let waits = longest_waits(self.trace, self.timeline);
        self.waits(f, &waits)?;
        self.advice(f, &advice(self.prediction, &waits, &shares))?;
        self.constants(f)
    }
}

impl Report<'_> {
    fn totals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = self.prediction;
        let blocks = match of.blocks {
            1 => "1 block".to_string(),
            blocks => format!("{blocks} blocks"),
        };
        let waves = match of.waves {
            0 | 1 => String::new(),
            waves => format!(" in {waves} waves"),
        };
        let (kernel, chip) = (&self.trace.kernel, &self.trace.chip);
        let total = us(of.micros);
        writeln!(
            f,
            "{kernel}: {total} predicted on {chip}, {blocks}{waves}; nothing was measured\n"
        )?;
        let mut line = |name: &str, micros: f64, about: &str| {
            writeln!(f, "{name:13}{:>11}  {about}", us(micros))
        };
        line(
            "launch",
            of.launch,
            &format!("any kernel of {blocks} takes it"),
        )?;
        line("memory", of.micros(of.memory), &of.bytes())?;
        line(
            "longest block",
            of.micros(of.cycles),
            "if no other core used the memory",
        )?;
        let distance = of.micros / of.bound;
        let about = format!("launch and memory; the prediction is {distance:.2}x the bound");
        line("bound", of.bound, &about)?;
        writeln!(f, "\nlimited by {}\n", of.limiting())
    }

    fn pipes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = self.prediction;
        writeln!(f, "pipe         busy         waits")?;
        for time in &of.pipes {
            let mut waits: Vec<(Reason, f64)> = time.stands.clone();
            waits.retain(|(_, cycles)| *cycles >= 0.005 * of.cycles);
            waits.sort_by(|a, b| b.1.total_cmp(&a.1));
            let waits = waits
                .iter()
                .map(|(reason, cycles)| format!("{} for {reason}", us(of.micros(*cycles))));
            let waits: Vec<String> = waits.collect();
            let (name, busy) = (time.pipe.name(), us(of.micros(time.busy)));
            let part = percent(time.busy, of.cycles);
            let line = format!("{name:6}{busy:>11}{part:4.0} %   {}", waits.join(", "));
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn critical_path(&self, f: &mut fmt::Formatter<'_>, all: &[Share]) -> fmt::Result {
        let of = self.prediction;
        let block = self.timeline.stream.block;
        let cycles = self.timeline.cycles;
        if all.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\ncritical path of block {block}, {}: what decides when it ends",
            us(of.micros(cycles))
        )?;
        let mut line = |cycles: f64, about: &str| {
            let part = percent(cycles, self.timeline.cycles);
            writeln!(f, "{:>11}{part:4.0} %   {about}", us(of.micros(cycles)))
        };
        for share in all.iter().take(LINES) {
            let Share {
                place,
                about,
                busy,
                latency,
                ..
            } = share;
            let parts = match (*busy > 0.0, *latency > 0.0) {
                (true, true) => format!(
                    ": {} busy, {} latency",
                    us(of.micros(*busy)),
                    us(of.micros(*latency))
                ),
                (true, false) => ": busy".to_string(),
                (false, true) => ": latency".to_string(),
                (false, false) => String::new(),
            };
            line(share.cycles(), &format!("{place} {about}{parts}"))?;
        }
        let rest = all.iter().skip(LINES);
        let count = rest.clone().count();
        if count > 0 {
            let places = if count == 1 {
                "1 more place"
            } else {
                "more places"
            };
            let number = if count == 1 {
                String::new()
            } else {
                format!("{count} ")
            };
            line(rest.map(Share::cycles).sum(), &format!("{number}{places}"))?;
        }
        Ok(())
    }

    fn waits(&self, f: &mut fmt::Formatter<'_>, waits: &[Wait]) -> fmt::Result {
        let of = self.prediction;
        let long = waits.iter().filter(|wait| wait.cycles >= 0.01 * of.cycles);
        let long: Vec<&Wait> = long.take(LINES).collect();
        if !long.is_empty() {
            writeln!(f, "\nlongest waits of block {}", self.timeline.stream.block)?;
        }
        for wait in long {
            let part = percent(wait.cycles, of.cycles);
            writeln!(f, "{:>11}{part:4.0} %   {wait}", us(of.micros(wait.cycles)))?;
        }
        Ok(())
    }

    fn advice(&self, f: &mut fmt::Formatter<'_>, all: &[Advice]) -> fmt::Result {
        for Advice { place, text, gain } in all {
            let place = place.as_ref().map(|place| format!("{place}: "));
            let place = place.unwrap_or_default();
            writeln!(f, "\nadvice: {place}{text}: predicted {gain:.2}x")?;
        }
        Ok(())
    }

    fn constants(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = |(_, low, high): &&(Constant, f64, f64)| {
            (high - low).abs() > 0.01 * self.prediction.micros
        };
        let wide: Vec<&(Constant, f64, f64)> = self.ranges.iter().filter(wide).take(3).collect();
        if !wide.is_empty() {
            writeln!(f, "\nuncertain constants that move the prediction most:")?;
        }
        for (constant, low, high) in wide {
            writeln!(
                f,
                "{:13}{:>11} at {}, {} at {}{}{}",
                constant.name,
                us(*low),
                constant.low,
                us(*high),
                constant.high,
                if constant.unit.is_empty() { "" } else { " " },
                constant.unit
            )?;
        }
        Ok(())
    }
}

impl Prediction {
    /// Says how many bytes move, and from where.
    fn bytes(&self) -> String {
        let traffic = &self.traffic;
        let mb = |bytes: f64| format!("{:.1} MB", bytes / 1e6);
        let parts = [
            (traffic.misses, "read from HBM"),
            (traffic.hits, "read from L2"),
            (traffic.bypassed, "read past L2"),
            (traffic.written, "written"),
        ];
        let parts = parts.into_iter().filter(|(bytes, _)| *bytes > 0.0);
        let parts: Vec<String> = parts
            .map(|(bytes, way)| format!("{} {way}", mb(bytes)))
            .collect();
        match parts.is_empty() {
            true => "no bytes".to_string(),
            false => parts.join(", "),
        }
    }
}
