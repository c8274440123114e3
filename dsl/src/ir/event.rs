//! What an author orders by hand: events from pipe to pipe with ids, barriers, and flags across the cores.
//!
//! An event is a flag of the core for each id. SetFlag sets it once all that its pipe was given before has ended, WaitFlag holds its
//! pipe until it is set and takes it back (asc-devkit, page of SetFlag/WaitFlag). Each is set once and waited for once, in turn.
//!
//! A flag across the cores is a counter of each core: it grows once all cores have set it so often more, and a wait takes one (asc-devkit,
//! pages of CrossCoreSetFlag and CrossCoreWaitFlag, mode 0). Modes 1 and 2, inside a group with a cube core, need a kernel that has one.

use super::text::{text_enum, text_word};
use super::Scalar;
use crate::ops::contract::Pipe;

/// Ids that an author may use of each event: 6 is kept for the system, 7 for the compiler's automatic synchronisation (asc-devkit,
/// page of SetFlag/WaitFlag; the same on all chips of the table).
pub const EVENT_IDS: i64 = 6;

/// Ids of flags across the cores (asc-devkit, page of CrossCoreSetFlag).
pub const CROSS_IDS: i64 = 16;
/// Of them those below this one are free where blocks meet in SyncAll, too, which takes 11 to 14 for itself (the same page).
pub const CROSS_IDS_BESIDE_MEETINGS: i64 = 11;
/// What the counter of such a flag holds at most (the same page).
pub const CROSS_PENDING: usize = 15;

macro_rules! events {
    ($($(#[$doc:meta])* $v:ident($from:ident, $to:ident) = $word:literal,)*) => {
        /// AscendC `HardEvent`: the pipe that sets the flag and the one that waits for it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum Event { $($v,)* }
        text_word!(Event { $($v = $word,)* });
        impl Event {
            /// All of a vector core.
            pub const ALL: &[Event] = &[$(Event::$v,)*];
            /// The one from a pipe to another; none from a pipe to itself.
            pub fn between(from: Pipe, to: Pipe) -> Option<Event> {
                Event::ALL.iter().copied().find(|event| event.ends() == (from, to))
            }
            /// The pipe that sets the flag, and the one that waits.
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

/// What a `PipeBarrier` holds. The scalar unit waits for itself (asc-devkit, page of PipeBarrier).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Barrier {
    V,
    Mte2,
    Mte3,
    All,
}
text_word!(Barrier { V = "PIPE_V", Mte2 = "PIPE_MTE2", Mte3 = "PIPE_MTE3", All = "PIPE_ALL" });

impl Barrier {
    /// All that there are.
    pub const ALL: &[Barrier] = &[Barrier::V, Barrier::Mte2, Barrier::Mte3, Barrier::All];

    /// The pipe that waits for itself; `None` where all wait for all.
    pub const fn pipe(self) -> Option<Pipe> {
        match self {
            Barrier::V => Some(Pipe::V),
            Barrier::Mte2 => Some(Pipe::Mte2),
            Barrier::Mte3 => Some(Pipe::Mte3),
            Barrier::All => None,
        }
    }
}

/// The pipe that sets a flag across the cores; neither the scalar unit nor all at once do (asc-devkit, page of CrossCoreSetFlag).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CrossPipe {
    V,
    Mte2,
    Mte3,
}
text_word!(CrossPipe { V = "PIPE_V", Mte2 = "PIPE_MTE2", Mte3 = "PIPE_MTE3" });

impl CrossPipe {
    /// All of a vector core.
    pub const ALL: &[CrossPipe] = &[CrossPipe::V, CrossPipe::Mte2, CrossPipe::Mte3];

    /// Which pipe that is.
    pub const fn pipe(self) -> Pipe {
        match self {
            CrossPipe::V => Pipe::V,
            CrossPipe::Mte2 => Pipe::Mte2,
            CrossPipe::Mte3 => Pipe::Mte3,
        }
    }
}

/// What a statement orders.
#[derive(Clone, Debug, PartialEq)]
pub enum SyncOp {
    /// `SetFlag<event>(id)`.
    Set {
        /// From which pipe to which.
        event: Event,
        /// Which flag.
        id: Scalar,
    },
    /// `WaitFlag<event>(id)`.
    Wait {
        /// From which pipe to which.
        event: Event,
        /// Which flag.
        id: Scalar,
    },
    /// `PipeBarrier<pipe>()`.
    Barrier {
        /// What it holds.
        of: Barrier,
    },
    /// `CrossCoreSetFlag<0, pipe>(id)`: once all that the pipe was given before has ended, this core has set the flag.
    CrossSet {
        /// Which pipe.
        pipe: CrossPipe,
        /// Which flag.
        id: Scalar,
    },
    /// `CrossCoreWaitFlag(id)`: holds all pipes until every core has set the flag once more.
    CrossWait {
        /// Which flag.
        id: Scalar,
    },
}
text_enum!(SyncOp {
    Set = "set" { event, id },
    Wait = "wait" { event, id },
    Barrier = "barrier" { of },
    CrossSet = "cross_set" { pipe, id },
    CrossWait = "cross_wait" { id },
});
