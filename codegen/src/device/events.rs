//! Flags that the author sets by hand. A TPipe gives ids to queues, so beside it the author's ids
//! are allocated by it. Without one, an id is the number that the author wrote (asc-devkit, pages
//! of SetFlag/WaitFlag and of static tensors).

use super::class::ClassCx;
use super::sync_name;
use crate::cpp::Cpp;
use crate::names::camel;
use crate::scalar::Helper;
use jumar_dsl::ir::{Event, Scalar};
use jumar_dsl::ops::contract::Pipe;

impl ClassCx<'_> {
    /// True if the class takes a TPipe.
    pub(super) fn has_pipe(&self) -> bool {
        self.class.takes_pipe()
    }

    /// Returns the member with the ids of an event.
    fn ids_member(event: Event) -> String {
        format!("{}Ids_", camel(&event.word().to_lowercase()))
    }

    /// Prints the id of a flag.
    pub(super) fn event_id(&self, event: Event, id: &Scalar) -> String {
        match (self.has_pipe(), id.as_int()) {
            (true, _) => format!("{}[{}]", Self::ids_member(event), self.process().expr(id)),
            (false, Some(id)) => format!("EVENT_ID{id}"),
            (false, None) => format!("static_cast<int32_t>({})", self.process().expr(id)),
        }
    }

    /// Prints the wait of a pipe for another one, or for itself, for which there is no event.
    pub(super) fn order(&self, from: Pipe, to: Pipe) -> String {
        let Some(event) = Event::between(from, to) else {
            return format!("PipeBarrier<{}>()", to.word());
        };
        self.need(Helper::Sync(event));
        format!("{}()", sync_name(event))
    }

    /// Prints the id of a flag across cores.
    pub(super) fn cross_id(&self, id: &Scalar) -> String {
        self.narrowed(id, "uint16_t")
    }

    /// Prints a number that AscendC takes as `uint32_t`.
    pub(super) fn narrow(&self, number: &Scalar) -> String {
        self.narrowed(number, "uint32_t")
    }

    fn narrowed(&self, number: &Scalar, to: &str) -> String {
        match number.as_int() {
            Some(number) => number.to_string(),
            None => format!("static_cast<{to}>({})", self.process().expr(number)),
        }
    }

    /// Declares the ids that TPipe gives.
    pub(super) fn print_ids(&self, out: &mut Cpp) {
        for (event, ids) in self
            .body
            .event_ids()
            .into_iter()
            .filter(|_| self.has_pipe())
        {
            out.line(format_args!(
                "TEventID {}[{ids}] = {{}};",
                Self::ids_member(event)
            ));
        }
    }

    /// Allocates the ids from TPipe.
    pub(super) fn take_ids(&self, out: &mut Cpp) {
        for event in self
            .body
            .event_ids()
            .into_keys()
            .filter(|_| self.has_pipe())
        {
            let member = Self::ids_member(event);
            out.block(format_args!("for (TEventID &id : {member})"), |out| {
                out.stmt(format_args!(
                    "id = pipe->AllocEventID<HardEvent::{}>()",
                    event.word()
                ));
            });
        }
    }

    /// Ends `Process`: releases ids to TPipe, or without one waits for the pipes, which nobody else
    /// does.
    pub(super) fn end_process(&self, out: &mut Cpp) {
        if !self.has_pipe() {
            out.comment("No TPipe waits for the pipes at the end.");
            out.line("PipeBarrier<PIPE_ALL>();");
            return;
        }
        for event in self.body.event_ids().into_keys() {
            out.block(
                format_args!("for (TEventID id : {})", Self::ids_member(event)),
                |out| {
                    out.stmt(format_args!(
                        "GetTPipePtr()->ReleaseEventID<HardEvent::{}>(id)",
                        event.word()
                    ));
                },
            );
        }
    }
}
