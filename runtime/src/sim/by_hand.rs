//! Flags, barriers and placed tensors that the author writes by hand.
//!
//! Flags are set and waited for in program order, whether or not the pipes are watched. It is a
//! fault to wait for a flag before it is set, to set it again before a wait, or to leave it set at
//! the end. Watched pipes record what each flag orders.
//!
//! Flags across cores are also counted in their own block, which sets each one as often as it waits
//! for it. `sync_all` knows which other blocks have set them.

use super::exec::Machine;
use super::memory::DATA_BLOCK;
use super::pipes::Clock;
use super::program::Flag;
use super::queue::Handle;
use super::scalar::Int;
use super::Trip;
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{Barrier, Event, SpanId, CROSS_IDS, CROSS_PENDING, EVENT_IDS};
use jumar_dsl::ops::contract::Pipe;
use std::collections::{BTreeMap, VecDeque};

/// The flags that are set: the clock that the setting pipe published, and the statement.
pub(super) type Flags = BTreeMap<(Event, i64), (Clock, SpanId)>;

/// The flags across cores that a block has set and not waited for: the clock that each pipe
/// published, and the statement.
pub(super) type Crossed = BTreeMap<usize, VecDeque<(Clock, SpanId)>>;

fn uneven<T>(message: String) -> Result<T, Trip> {
    Err(Trip::new(Code::J0810, message))
}

impl Machine<'_, '_> {
    /// Returns a tensor of `len` elements from byte `at` of UB on.
    pub(super) fn placed(&self, tensor: usize, at: i64, len: i64) -> Result<Handle, Trip> {
        let local = &self.program.tensors[tensor];
        let (name, usable) = (&local.name, self.setup.chip.ub_usable());
        let end = len
            .checked_mul(local.dtype.bytes())
            .and_then(|bytes| bytes.checked_add(at))
            .filter(|end| *end <= usable);
        let Some(end) = end.filter(|_| at >= 0 && len >= 0) else {
            let message = format!("`{name}` has {len} elements at byte {at} of UB, of which {usable} bytes are usable");
            return Err(Trip::new(Code::J0801, message));
        };
        if at % DATA_BLOCK as i64 != 0 {
            return Err(Trip::new(
                Code::J0801,
                format!("`{name}` begins at byte {at} of UB, not at a multiple of {DATA_BLOCK}"),
            ));
        }
        Ok(Handle {
            at: at as usize,
            end: end as usize,
            owner: None,
        })
    }

    /// Runs SetFlag or WaitFlag.
    pub(super) fn flag(&mut self, flag: &Flag, span: SpanId) -> Result<(), Trip> {
        let (event, id) = (flag.event, flag.id.eval(&self.env)?);
        let (word, (from, to)) = (event.word(), event.ends());
        if !(0..EVENT_IDS).contains(&id) {
            return uneven(format!(
                "flag {id} of {word}; an author has 0 to {}",
                EVENT_IDS - 1
            ));
        }
        if flag.sets {
            let told = self
                .watch
                .as_ref()
                .map(|watch| watch.pipes.told(from))
                .unwrap_or_default();
            return match self.flags.insert((event, id), (told, span)) {
                None => Ok(()),
                Some((_, before)) => {
                    let line = self.setup.line(before);
                    uneven(format!("flag {id} of {word} is set again; nobody has waited for it since line {line}"))
                }
            };
        }
        let Some((told, _)) = self.flags.remove(&(event, id)) else {
            return uneven(format!(
                "pipe {} waits for flag {id} of {word}, which nobody has set",
                to.name()
            ));
        };
        if let Some(watch) = &mut self.watch {
            watch.pipes.wait(to, told);
        }
        Ok(())
    }

    /// Runs a PipeBarrier call.
    pub(super) fn barrier(&mut self, of: Barrier) {
        let Some(watch) = &mut self.watch else { return };
        match of {
            Barrier::Of(pipe) => watch.pipes.order(pipe, pipe),
            Barrier::All => watch.pipes.order_all(),
        }
    }

    /// Runs a CrossCoreSetFlag call.
    pub(super) fn cross_set(&mut self, pipe: Pipe, id: &Int, span: SpanId) -> Result<(), Trip> {
        let flag = self.cross_id(id)?;
        let told = self.watch.as_ref().map(|watch| watch.pipes.told(pipe));
        self.crosses(flag, told);
        let set = self.crossed.entry(flag).or_default();
        set.push_back((told.unwrap_or_default(), span));
        if set.len() > CROSS_PENDING {
            return uneven(format!(
                "flag {flag} of all cores is set {} times more than this block waits for it; its counter holds {CROSS_PENDING}",
                set.len()
            ));
        }
        Ok(())
    }

    /// Returns the flag of CrossCoreWaitFlag, which this block itself must have set.
    pub(super) fn waited(&mut self, id: &Int) -> Result<usize, Trip> {
        let flag = self.cross_id(id)?;
        let Some((told, _)) = self.crossed.get_mut(&flag).and_then(VecDeque::pop_front) else {
            return uneven(format!("this block waits for flag {flag} of all cores, which it has not set as often itself"));
        };
        if let Some(watch) = &mut self.watch {
            watch.pipes.all_wait(told);
        }
        Ok(flag)
    }

    fn cross_id(&self, id: &Int) -> Result<usize, Trip> {
        let id = id.eval(&self.env)?;
        match usize::try_from(id).ok().filter(|_| id < CROSS_IDS) {
            Some(flag) => Ok(flag),
            None => uneven(format!(
                "flag {id} of all cores; there are 0 to {}",
                CROSS_IDS - 1
            )),
        }
    }

    /// Reports a flag that is set at the end of a block.
    pub(super) fn flags_left(&self) -> Result<(), (Trip, SpanId)> {
        if let Some((flag, span)) = self
            .crossed
            .iter()
            .find_map(|(flag, set)| Some((flag, set.front()?.1)))
        {
            let message =
                format!("flag {flag} of all cores is set and this block does not wait for it; the next kernel finds it set");
            return Err((Trip::new(Code::J0810, message), span));
        }
        let Some(((event, id), (_, span))) = self.flags.iter().next() else {
            return Ok(());
        };
        let message =
            format!("flag {id} of {} is set and nobody waits for it; the next kernel on this core finds it set", event.word());
        Err((Trip::new(Code::J0810, message), *span))
    }
}
