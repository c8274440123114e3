//! The events of a block by what they do: calls of one op in one function are one line.

use super::times::Times;
use super::ReplayError;
use crate::cost::event::{Stream, Trace, What};
use crate::ops::contract::Pipe;

/// Calls of one op in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The device function that the body calls; `None` for calls of the body itself.
    pub func: Option<String>,
    /// AscendC name of the op.
    pub op: String,
    pub pipe: Pipe,
    /// Number of calls.
    pub calls: u64,
    /// Repeats of all calls; for copies, the stretches of GM.
    pub repeats: u64,
    /// Cycles of all calls on their pipe.
    pub cycles: f64,
    /// Those of them in which rows of one group of banks of UB wait for each other.
    pub conflicts: f64,
    /// Bytes of GM.
    pub bytes: u64,
}

/// Returns how often each event of a stream happens.
fn times(stream: &Stream) -> Vec<u64> {
    let mut all = vec![1; stream.events.len()];
    for at in (0..all.len()).rev() {
        if let What::Repeat { events, times } = stream.events[at].what {
            let further = all[at] * u64::from(times);
            let first = at.saturating_sub(events as usize);
            all[first..at].iter_mut().for_each(|n| *n += further);
        }
    }
    all
}

/// Returns the lines of a stream, in the order in which they first happen.
pub(super) fn lines(stream: &Stream, of: Times<'_>) -> Result<Vec<Line>, ReplayError> {
    let trace: &Trace = of.trace;
    let mut all: Vec<Line> = Vec::new();
    for (event, calls) in stream.events.iter().zip(times(stream)) {
        let (op, pipe, repeats, bytes) = match event.what {
            What::Vector { op, repeats, .. } => (op, Pipe::V, u64::from(repeats), 0),
            What::Copy {
                op,
                pipe,
                stretches,
                ..
            } => {
                let count = u64::from(stretches.count);
                (op, pipe, count, count * u64::from(stretches.bytes))
            }
            What::Scalar { op, .. } => (op, Pipe::S, 0, 0),
            What::Set { .. }
            | What::Wait { .. }
            | What::Barrier { .. }
            | What::SyncAll
            | What::CrossSet { .. }
            | What::CrossWait { .. }
            | What::Repeat { .. } => continue,
        };
        let call = of.busy(event)?;
        let (op, file) = (trace.name(op), trace.name(event.file));
        let func = file.split_once('@').map(|(func, _)| func);
        let found = all
            .iter_mut()
            .position(|line| line.op == op && line.pipe == pipe && line.func.as_deref() == func);
        let line = match found {
            Some(at) => &mut all[at],
            None => {
                all.push(Line {
                    func: func.map(str::to_string),
                    op: op.to_string(),
                    pipe,
                    calls: 0,
                    repeats: 0,
                    cycles: 0.0,
                    conflicts: 0.0,
                    bytes: 0,
                });
                let last = all.len() - 1;
                &mut all[last]
            }
        };
        line.calls += calls;
        line.repeats += repeats * calls;
        line.bytes += bytes * calls;
        line.cycles += call.busy * calls as f64;
        line.conflicts += call.conflicts * calls as f64;
    }
    Ok(all)
}
