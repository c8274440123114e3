//! What an author orders and places by hand: flags, barriers, and tensors at an address of UB.
//!
//! Flags are set and taken back in the order of the text, whether or not anyone watches the pipes: one that is waited for before it is
//! set, set again before anyone waited, or left set at the end is a fault. Who watches is told what each orders.

use super::exec::Machine;
use super::memory::DATA_BLOCK;
use super::pipes::Clock;
use super::program::Flag;
use super::queue::Handle;
use super::Trip;
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{Barrier, Event, SpanId, EVENT_IDS};
use std::collections::BTreeMap;

/// The flags that are set: what the pipe told that set each, and where.
pub(super) type Flags = BTreeMap<(Event, i64), (Clock, SpanId)>;

fn uneven<T>(message: String) -> Result<T, Trip> {
    Err(Trip::new(Code::J0810, message))
}

impl Machine<'_, '_> {
    /// A tensor of `len` elements from byte `at` of UB on.
    pub(super) fn placed(&self, tensor: usize, at: i64, len: i64) -> Result<Handle, Trip> {
        let local = &self.program.tensors[tensor];
        let (name, usable) = (&local.name, self.setup.chip.ub_usable());
        let end = len.checked_mul(local.dtype.bytes()).and_then(|bytes| bytes.checked_add(at)).filter(|end| *end <= usable);
        let Some(end) = end.filter(|_| at >= 0 && len >= 0) else {
            let message = format!("`{name}` has {len} elements at byte {at} of UB, of which {usable} bytes are usable");
            return Err(Trip::new(Code::J0801, message));
        };
        if at % DATA_BLOCK as i64 != 0 {
            return Err(Trip::new(Code::J0801, format!("`{name}` begins at byte {at} of UB, not at a multiple of {DATA_BLOCK}")));
        }
        Ok(Handle { at: at as usize, end: end as usize, owner: None })
    }

    /// SetFlag or WaitFlag.
    pub(super) fn flag(&mut self, flag: &Flag, span: SpanId) -> Result<(), Trip> {
        let (event, id) = (flag.event, flag.id.eval(&self.env)?);
        let (word, (from, to)) = (event.word(), event.ends());
        if !(0..EVENT_IDS).contains(&id) {
            return uneven(format!("flag {id} of {word}; an author has 0 to {}", EVENT_IDS - 1));
        }
        if flag.sets {
            let told = self.watch.as_ref().map(|watch| watch.pipes.told(from)).unwrap_or_default();
            return match self.flags.insert((event, id), (told, span)) {
                None => Ok(()),
                Some((_, before)) => {
                    let line = self.setup.line(before);
                    uneven(format!("flag {id} of {word} is set again; nobody has waited for it since line {line}"))
                }
            };
        }
        let Some((told, _)) = self.flags.remove(&(event, id)) else {
            return uneven(format!("pipe {} waits for flag {id} of {word}, which nobody has set", to.name()));
        };
        if let Some(watch) = &mut self.watch {
            watch.pipes.wait(to, told);
        }
        Ok(())
    }

    /// PipeBarrier.
    pub(super) fn barrier(&mut self, of: Barrier) {
        let Some(watch) = &mut self.watch else { return };
        match of.pipe() {
            Some(pipe) => watch.pipes.order(pipe, pipe),
            None => watch.pipes.order_all(),
        }
    }

    /// A flag that is set at the end of a block.
    pub(super) fn flags_left(&self) -> Result<(), (Trip, SpanId)> {
        let Some(((event, id), (_, span))) = self.flags.iter().next() else { return Ok(()) };
        let message =
            format!("flag {id} of {} is set and nobody waits for it; the next kernel on this core finds it set", event.word());
        Err((Trip::new(Code::J0810, message), *span))
    }
}
