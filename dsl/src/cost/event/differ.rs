//! The first difference of two traces of one launch.

use super::{Event, Operand, Stream, Trace, What, OPERANDS};
use std::fmt::Write;

/// Events that are shown before the first that differs.
const BEFORE: usize = 3;

/// An event with its strings, and without its place in the source.
fn plain(trace: &Trace, event: &Event) -> String {
    let mut event = *event;
    if let What::Vector { operands, .. } = &mut event.what {
        let mut all: Vec<Operand> = operands.iter().flatten().copied().collect();
        all.sort();
        *operands = [None; OPERANDS];
        for (slot, operand) in operands.iter_mut().zip(all) {
            *slot = Some(operand);
        }
    }
    let line = trace.line(&event);
    line.split_once(' ')
        .map_or(line.clone(), |(_, what)| what.to_string())
}

impl Trace {
    /// Returns the first block whose events differ from those of another trace, with the events on
    /// both sides. Places in the source do not count, nor does the order of operands.
    pub fn difference(&self, other: &Trace) -> Option<String> {
        if self.streams.len() != other.streams.len() {
            let (own, others) = (self.streams.len(), other.streams.len());
            return Some(format!("{own} blocks beside {others}"));
        }
        let pairs = self.streams.iter().zip(&other.streams);
        pairs
            .into_iter()
            .find_map(|(own, others)| differs((self, own), (other, others)))
    }
}

fn differs(own: (&Trace, &Stream), other: (&Trace, &Stream)) -> Option<String> {
    let at = |of: (&Trace, &Stream), i: usize| of.1.events.get(i).map(|event| plain(of.0, event));
    let length = own.1.events.len().max(other.1.events.len());
    let first = (0..length).find(|i| at(own, *i) != at(other, *i))?;
    let mut text = format!("block {}, event {first}\n", own.1.block);
    for i in first.saturating_sub(BEFORE)..first {
        let _ = writeln!(text, "  {}", at(own, i).unwrap_or_default());
    }
    for (sign, of) in [("-", own), ("+", other)] {
        for i in first..length.min(first + BEFORE) {
            let event = of.1.events.get(i);
            let place = event.map_or(String::new(), |event| of.0.place(event));
            let shown = at(of, i).unwrap_or_else(|| "the end".to_string());
            let _ = writeln!(text, "{sign} {shown}  ({place})");
        }
    }
    Some(text)
}
