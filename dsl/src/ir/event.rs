//! Order by hand: events from pipe to pipe with ids, barriers, and flags between cores.
//!
//! An event is a flag of the core for each id. SetFlag sets it once all earlier instructions of its
//! pipe have ended. WaitFlag holds its pipe until the flag is set and takes it back (asc-devkit,
//! page of SetFlag/WaitFlag). Each flag is set once and waited for once, alternately.
//!
//! A flag between cores is a counter of each core. It grows once all cores have set it one more
//! time, and a wait takes one (asc-devkit, pages of CrossCoreSetFlag and CrossCoreWaitFlag, mode
//! 0). Modes 1 and 2, inside of a group with a cube core, need a kernel that has one.

use super::text::{one_of, text_enum, text_word, Printer, Reader, Text, TextError};
use super::Scalar;
use crate::ops::contract::Pipe;

/// Ids that an author may use of each event. 6 is kept for the system, 7 for the compiler's
/// automatic synchronisation (asc-devkit, page of SetFlag/WaitFlag; equal on all chips of the
/// table).
pub const EVENT_IDS: i64 = 6;

/// Ids of flags between cores (asc-devkit, page of CrossCoreSetFlag).
pub const CROSS_IDS: i64 = 16;
/// Ids below this one are free beside SyncAll, which takes 11 to 14 for itself (page of
/// CrossCoreSetFlag).
pub const CROSS_IDS_BESIDE_MEETINGS: i64 = 11;
/// Greatest value of the counter of such a flag (page of CrossCoreSetFlag).
pub const CROSS_PENDING: usize = 15;

macro_rules! events {
    ($($(#[$doc:meta])* $v:ident($from:ident, $to:ident) = $word:literal,)*) => {
        /// AscendC `HardEvent`: the pipe that sets the flag and the one that waits for it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum Event { $($v,)* }
        text_word!(Event { $($v = $word,)* });
        impl Event {
            /// All events of a vector core.
            pub const ALL: &[Event] = &[$(Event::$v,)*];
            /// Returns the event from a pipe to another, `None` from a pipe to itself.
            pub fn between(from: Pipe, to: Pipe) -> Option<Event> {
                Event::ALL.iter().copied().find(|event| event.ends() == (from, to))
            }
            /// Returns the pipe that sets the flag, and the one that waits.
            pub const fn ends(self) -> (Pipe, Pipe) {
                match self { $(Event::$v => (Pipe::$from, Pipe::$to),)* }
            }
        }
    };
}

events! {
    Mte2V(Mte2, V) = "MTE2_V",
    VMte2(V, Mte2) = "V_MTE2",
    VMte3(V, Mte3) = "V_MTE3",
    Mte3V(Mte3, V) = "MTE3_V",
    Mte2Mte3(Mte2, Mte3) = "MTE2_MTE3",
    Mte3Mte2(Mte3, Mte2) = "MTE3_MTE2",
    VS(V, S) = "V_S",
    SV(S, V) = "S_V",
    Mte2S(Mte2, S) = "MTE2_S",
    SMte2(S, Mte2) = "S_MTE2",
    Mte3S(Mte3, S) = "MTE3_S",
    SMte3(S, Mte3) = "S_MTE3",
}

/// The operand of a `PipeBarrier`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Barrier {
    /// A pipe, which waits for itself.
    Of(Pipe),
    /// All pipes, which wait for each other.
    All,
}

impl Barrier {
    /// Returns all barriers.
    pub fn all() -> impl Iterator<Item = Barrier> + Clone {
        Pipe::beside_scalars()
            .map(Barrier::Of)
            .chain([Barrier::All])
    }

    /// Returns the name as AscendC spells it.
    pub const fn word(self) -> &'static str {
        match self {
            Barrier::Of(pipe) => pipe.word(),
            Barrier::All => "PIPE_ALL",
        }
    }
}

impl Text for Barrier {
    fn print(&self, p: &mut Printer) {
        p.token(self.word());
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        one_of(
            r,
            "Barrier",
            Barrier::all().map(|barrier| (barrier.word(), barrier)),
        )
    }
}

impl Text for Pipe {
    fn print(&self, p: &mut Printer) {
        p.token(self.word());
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        one_of(
            r,
            "Pipe",
            Pipe::ALL.into_iter().map(|pipe| (pipe.word(), pipe)),
        )
    }
}

/// A statement of order.
#[derive(Clone, Debug, PartialEq)]
pub enum SyncOp {
    /// The call `SetFlag<event>(id)`.
    Set { event: Event, id: Scalar },
    /// The call `WaitFlag<event>(id)`.
    Wait { event: Event, id: Scalar },
    /// The call `PipeBarrier<pipe>()`.
    Barrier { of: Barrier },
    /// `to` starts nothing new until `from` has done its earlier instructions. The lowering inserts
    /// it.
    ///
    /// It is SetFlag and WaitFlag at once, with an id that TPipe hands out, or a PipeBarrier where
    /// both are one pipe.
    Order {
        /// The pipe that is waited for.
        from: Pipe,
        /// The pipe that waits.
        to: Pipe,
    },
    /// `SyncAll()`: every block of the launch waits here until all have come.
    ///
    /// Copies of every block then load the values that copies of any block stored to GM before. All
    /// earlier instructions of the block itself have ended.
    All {},
    /// `CrossCoreSetFlag<0, pipe>(id)`: this core sets the flag once all earlier instructions of
    /// the pipe have ended.
    CrossSet { pipe: Pipe, id: Scalar },
    /// `CrossCoreWaitFlag(id)`: holds all pipes until every core has set the flag once more.
    CrossWait { id: Scalar },
}
text_enum!(SyncOp {
    Set = "set" { event, id },
    Wait = "wait" { event, id },
    Barrier = "barrier" { of },
    Order = "order" { from, to },
    All = "all" {},
    CrossSet = "cross_set" { pipe, id },
    CrossWait = "cross_wait" { id },
});
