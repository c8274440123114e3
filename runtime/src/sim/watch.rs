//! Reports a block's instructions to [`super::pipes`] while a machine runs it, where a launch asks
//! for that.
//!
//! Queues order pipes, and so do the waits of the IR.

use super::copy::Moves;
use super::exec::Machine;
use super::memory::DATA_BLOCK;
use super::pipes::{Pending, Pipes};
use super::program::{Copy, Vector};
use super::queue::Owner;
use super::touch::Strip;
use super::vector::{Place, Touch};
use super::Trip;
use jumar_dsl::diag::Code;
use jumar_dsl::ir::SpanId;
use jumar_dsl::ops::contract::{Access, Pipe};
use std::cell::RefCell;

/// The steps of a queue's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Alloc,
    Enque,
    Deque,
    Free,
}

/// The pipes of the running block, and the memory that the current vector call touches.
pub(super) struct Watch {
    pub pipes: Pipes,
    pub reach: RefCell<Vec<Touch>>,
}

/// The access that is being made.
struct Now<'a> {
    what: &'a str,
    pipe: Pipe,
    stores: bool,
}

impl Now<'_> {
    /// Makes the fault of an access that may come too early; both touch `place`.
    fn races(&self, pending: Pending, place: &str, line: &str) -> Trip {
        let (pipe, other) = (self.pipe.name(), pending.pipe.name());
        let verb = if self.stores { "writes" } else { "reads" };
        let doing = if pending.stores { "writing" } else { "reading" };
        let cure = if self.pipe == pending.pipe {
            format!("a barrier of {pipe} must stand between them")
        } else {
            format!("a queue, or an event from {other} to {pipe}, must stand between them")
        };
        let what = self.what;
        let message =
            format!("{what} of pipe {pipe} {verb} {place}, which pipe {other} may still be {doing} (line {line}); {cure}");
        Trip::new(Code::J0809, message)
    }
}

impl Machine<'_, '_> {
    /// Records that a buffer of a queue changes hands: one pipe publishes, the other one waits.
    pub(super) fn hand_on(&mut self, owner: Option<Owner>, step: Step) -> Result<(), Trip> {
        let (Some(watch), Some(owner)) = (&mut self.watch, owner) else {
            return Ok(());
        };
        let queue = &self.program.queues[owner.queue];
        let Some((producer, consumer)) = queue.position.pipes() else {
            let message = format!(
                "queue `{}` is at {}, which vector cores do not have",
                queue.name,
                queue.position.word()
            );
            return Err(Trip::malformed(message));
        };
        let told = self.queues[owner.queue].told(owner);
        match step {
            Step::Alloc => watch.pipes.wait(producer, *told),
            Step::Enque => *told = watch.pipes.told(producer),
            Step::Deque => watch.pipes.wait(consumer, *told),
            Step::Free => *told = watch.pipes.told(consumer),
        }
        Ok(())
    }

    /// Records a copy, an instruction of its pipe.
    pub(super) fn watch_copy(
        &mut self,
        copy: &Copy,
        moves: Moves,
        span: SpanId,
    ) -> Result<(), Trip> {
        let stores = copy.does.stores();
        let Some(Watch { pipes, .. }) = &mut self.watch else {
            return Ok(());
        };
        let pipe = copy.pipe;
        pipes.give(pipe);
        let now = |stores| Now {
            what: "a copy",
            pipe,
            stores,
        };
        if let Some(pending) = pipes.touch_ub(pipe, !stores, moves.ub, span) {
            let place = format!("`{}`", self.program.tensors[copy.ub.tensor].name);
            return Err(now(!stores).races(pending, &place, &self.setup.line(pending.span)));
        }
        let Some(gm) = self.gms[copy.gm].as_ref().filter(|gm| gm.is_writable()) else {
            return Ok(());
        };
        match pipes.touch_gm(pipe, copy.gm, copy.does, moves.gm, span) {
            None => Ok(()),
            Some(pending) => {
                let place = format!("element {} of `{}`", gm.index(pending.at), gm.name);
                Err(now(stores).races(pending, &place, &self.setup.line(pending.span)))
            }
        }
    }

    /// Records a vector call, or several of one statement, that touched `reach`.
    pub(super) fn watch_vector(&mut self, v: &Vector, span: SpanId) -> Result<(), Trip> {
        let Some(watch) = &mut self.watch else {
            return Ok(());
        };
        let touched = watch.reach.take();
        if let Some(begins) = v.begins {
            // The first pipe touches the first data block; the other pipe waits for it inside of
            // the call.
            let first = |t: &Touch| Touch {
                bytes: t.bytes.start..t.bytes.end.min(t.bytes.start + DATA_BLOCK),
                ..t.clone()
            };
            self.watch_part(v.name, begins, touched.iter().map(first), span)?;
            self.watch
                .iter_mut()
                .for_each(|watch| watch.pipes.order(begins, Pipe::V));
        }
        self.watch_part(v.name, Pipe::V, touched.into_iter(), span)
    }

    /// Records what one pipe touches for a vector call.
    fn watch_part(
        &mut self,
        name: &str,
        pipe: Pipe,
        touched: impl Iterator<Item = Touch>,
        span: SpanId,
    ) -> Result<(), Trip> {
        let Some(Watch { pipes, .. }) = &mut self.watch else {
            return Ok(());
        };
        pipes.give(pipe);
        for Touch {
            tensor,
            bytes,
            stores,
        } in touched
        {
            let strip = Strip::new(bytes.start, bytes.len(), 1, 0);
            if let Some(pending) = pipes.touch_ub(pipe, stores, strip, span) {
                let place = format!("`{}`", self.program.tensors[tensor].name);
                let now = Now {
                    what: &format!("`{name}`"),
                    pipe,
                    stores,
                };
                return Err(now.races(pending, &place, &self.setup.line(pending.span)));
            }
        }
        Ok(())
    }

    /// Records a scalar access to an element of UB.
    pub(super) fn watch_scalar(
        &mut self,
        place: Place,
        stores: bool,
        span: SpanId,
    ) -> Result<(), Trip> {
        let element = Strip::new(place.at, place.dtype.bytes() as usize, 1, 0);
        self.watch_on_scalar(
            (if stores { "set_value" } else { "get_value" }, stores),
            place,
            element,
            span,
        )
    }

    /// Records an access of the scalar unit to elements of GM.
    pub(super) fn watch_global(
        &mut self,
        what: &str,
        gm: usize,
        does: Access,
        strip: Strip,
        span: SpanId,
    ) -> Result<(), Trip> {
        let Some(Watch { pipes, .. }) = &mut self.watch else {
            return Ok(());
        };
        let Some(pending) = pipes.touch_gm(Pipe::S, gm, does, strip, span) else {
            return Ok(());
        };
        let name = self.gms[gm].as_ref().map_or_else(String::new, |gm| {
            format!("element {} of `{}`", gm.index(pending.at), gm.name)
        });
        let now = Now {
            what,
            pipe: Pipe::S,
            stores: does != Access::Read,
        };
        Err(now.races(pending, &name, &self.setup.line(pending.span)))
    }

    /// Records a dump of rows of UB, which is ordered as a read of the scalar unit.
    pub(super) fn watch_rows(
        &mut self,
        place: Place,
        rows: Strip,
        span: SpanId,
    ) -> Result<(), Trip> {
        self.watch_on_scalar(("a dump", false), place, rows, span)
    }

    fn watch_on_scalar(
        &mut self,
        (what, stores): (&str, bool),
        place: Place,
        strip: Strip,
        span: SpanId,
    ) -> Result<(), Trip> {
        let Some(Watch { pipes, .. }) = &mut self.watch else {
            return Ok(());
        };
        pipes.give(Pipe::S);
        pipes
            .touch_ub(Pipe::S, stores, strip, span)
            .map_or(Ok(()), |pending| {
                let name = format!("`{}`", self.program.tensors[place.tensor].name);
                let now = Now {
                    what,
                    pipe: Pipe::S,
                    stores,
                };
                Err(now.races(pending, &name, &self.setup.line(pending.span)))
            })
    }
}

impl Watch {
    /// Makes the watch for `ub_bytes` bytes of UB. `cached` says for each tensor in GM whether it
    /// goes through the cache of the scalar unit.
    pub fn new(cached: &[bool], ub_bytes: usize) -> Self {
        Watch {
            pipes: Pipes::new(cached, ub_bytes),
            reach: RefCell::default(),
        }
    }
    /// Restores the state of [`Watch::new`], since a fault may have left something.
    pub fn clear(&mut self) {
        self.pipes.clear();
        self.reach.get_mut().clear();
    }
    /// Extends the touched bytes of a loop that ran as one, from its first and last iteration: each
    /// tensor from the first to the last byte. Clears them where no iteration has run.
    pub fn hull(&mut self, has_run: bool) {
        let reach = self.reach.get_mut();
        if !has_run {
            return reach.clear();
        }
        let mut hulls: Vec<Touch> = Vec::with_capacity(reach.len());
        for r in reach.drain(..) {
            match hulls
                .iter_mut()
                .find(|h| (h.tensor, h.stores) == (r.tensor, r.stores))
            {
                Some(hull) => {
                    hull.bytes =
                        hull.bytes.start.min(r.bytes.start)..hull.bytes.end.max(r.bytes.end)
                }
                None => hulls.push(r),
            }
        }
        *reach = hulls;
    }
}
