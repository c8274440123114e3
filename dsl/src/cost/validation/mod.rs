//! Predictions beside published measurements.
//!
//! `records.txt` has the times of vector cores and the events that stand for each; `events.rs`
//! makes these. `element_wise.txt` has kernels of the vendor whose code is not public, for the law
//! of memory: their events are copies of their bytes. [`report`] prints both as tables.
//!
//! Nothing here changes a prediction. Constants that were fitted say so in their sources, and their
//! records have the role `fitted`.

mod events;
mod report;

#[cfg(test)]
mod tests;

pub use report::report;

use super::replay::{replay, replay_again, Prediction};
use crate::ops::contract::Pipe;
use crate::soc::Chip;

const RECORDS: &str = include_str!("records.txt");
const ELEMENT_WISE: &str = include_str!("element_wise.txt");

/// The part of a prediction that a record measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    /// Microseconds of a launch.
    Launch,
    /// Microseconds of the longest block, without the launch.
    Core,
    /// Microseconds in which V works.
    Vector,
    /// Nanoseconds of one call or element.
    Each,
}

impl Quantity {
    fn unit(self) -> &'static str {
        match self {
            Quantity::Launch | Quantity::Core | Quantity::Vector => "us",
            Quantity::Each => "ns",
        }
    }

    fn of(text: &str) -> Result<Quantity, String> {
        match text {
            "launch us" => Ok(Quantity::Launch),
            "core us" => Ok(Quantity::Core),
            "vector us" => Ok(Quantity::Vector),
            "each ns" => Ok(Quantity::Each),
            _ => Err(format!("`{text}` is no quantity")),
        }
    }
}

/// A published measurement.
#[derive(Clone, Debug, PartialEq)]
struct Record {
    id: &'static str,
    class: &'static str,
    chip: &'static str,
    quantity: Quantity,
    measured: f64,
    /// True if a constant was chosen with it.
    fitted: bool,
    events: &'static str,
    source: &'static str,
}

/// Records that have no events here.
#[derive(Clone, Debug, PartialEq)]
struct Left {
    count: usize,
    text: &'static str,
}

/// The contents of `records.txt`.
#[derive(Clone, Debug, Default, PartialEq)]
struct Records {
    all: Vec<Record>,
    /// Why a prediction is far off, by id.
    reasons: Vec<(&'static str, &'static str)>,
    left: Vec<Left>,
}

impl Records {
    fn read(text: &'static str) -> Result<Records, String> {
        let mut records = Records::default();
        let mut source = None;
        for (number, line) in (1..).zip(text.lines()) {
            let at = |why: String| format!("line {number}: {why}");
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(text) = line.strip_prefix("source ") {
                source = Some(text);
            } else if let Some(reason) = line.strip_prefix("reason ") {
                let (id, why) = reason
                    .split_once(' ')
                    .ok_or_else(|| at("an id and a reason follow".to_string()))?;
                records.reasons.push((id, why));
            } else if let Some(left) = line.strip_prefix("left ") {
                let (count, text) = left
                    .split_once(' ')
                    .ok_or_else(|| at("a number and a reason follow".to_string()))?;
                let count = count
                    .parse()
                    .map_err(|_| at(format!("`{count}` is no number")))?;
                records.left.push(Left { count, text });
            } else {
                let source = source.ok_or_else(|| at("no source stands above".to_string()))?;
                records.all.push(Record::of(line, source).map_err(at)?);
            }
        }
        Ok(records)
    }

    /// Returns the reason of an id.
    fn reason(&self, id: &str) -> Option<&'static str> {
        let mut all = self.reasons.iter();
        all.find(|reason| reason.0 == id).map(|reason| reason.1)
    }
}

impl Record {
    fn of(line: &'static str, source: &'static str) -> Result<Record, String> {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [id, class, chip, quantity, measured, role, events] = parts[..] else {
            return Err(format!("a record has seven parts, not {}", parts.len()));
        };
        Ok(Record {
            id,
            class,
            chip,
            quantity: Quantity::of(quantity)?,
            measured: measured
                .parse()
                .map_err(|_| format!("`{measured}` is no number"))?,
            fitted: match role {
                "fitted" => true,
                "reported" => false,
                _ => return Err(format!("`{role}` is no role")),
            },
            events,
            source,
        })
    }

    /// Predicts what the record measures, and the least that its bytes allow.
    fn predict(&self) -> Result<(f64, Prediction), String> {
        let made = events::made(self.chip, self.events)?;
        let replayed = if made.again {
            replay_again(&made.trace)
        } else {
            replay(&made.trace)
        };
        let prediction = replayed.map_err(|e| e.to_string())?;
        let chip = Chip::by_name(self.chip).ok_or_else(|| format!("no chip {}", self.chip))?;
        let micros = |cycles: f64| cycles / chip.clock_mhz as f64;
        let value = match self.quantity {
            Quantity::Launch => prediction.micros,
            Quantity::Core => micros(prediction.cycles),
            Quantity::Vector => {
                let mut pipes = prediction.pipes.iter();
                let busy = pipes
                    .find(|time| time.pipe == Pipe::V)
                    .map(|time| time.busy);
                micros(busy.ok_or("V has no time")?)
            }
            Quantity::Each => 1000.0 * micros(prediction.cycles) / made.count,
        };
        Ok((value, prediction))
    }
}

/// A kernel of the vendor, of which the bytes are known.
#[derive(Clone, Debug, PartialEq)]
struct Kernel {
    name: &'static str,
    dtype: &'static str,
    read: u64,
    written: u64,
    measured: f64,
    group: &'static str,
}

impl Kernel {
    fn read(text: &'static str) -> Result<Vec<Kernel>, String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(Kernel::of).collect()
    }

    fn of(line: &'static str) -> Result<Kernel, String> {
        let parts: Vec<&str> = line.split(' ').collect();
        let [name, _case, dtype, read, written, measured, group] = parts[..] else {
            return Err(format!("`{line}` has no seven words"));
        };
        let wrong = |word: &str| format!("`{word}` is no number");
        Ok(Kernel {
            name,
            dtype,
            read: read.parse().map_err(|_| wrong(read))?,
            written: written.parse().map_err(|_| wrong(written))?,
            measured: measured.parse().map_err(|_| wrong(measured))?,
            group,
        })
    }

    fn predict(&self) -> Result<f64, String> {
        let text = format!(
            "bytes blocks=48 read={} written={}",
            self.read, self.written
        );
        let made = events::made("ascend910b2", &text)?;
        let prediction = replay(&made.trace).map_err(|e| e.to_string())?;
        Ok(prediction.micros)
    }
}
