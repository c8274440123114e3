//! Blocks that wait for one another (`sync_all`): each runs on a thread of its own, from meeting to meeting.
//!
//! Whoever comes last judges what the blocks did since they met before, and lets all go on or none: a fault in a block, accesses that
//! nothing orders, and a block that ends, or waits somewhere else, where another one waits for it. All of that is told of the blocks in
//! their order, so that it does not depend on what the threads did. Nobody waits for a time: every block runs, waits, or has ended.

use super::blocks::{must_run_in_order, Stored};
use super::exec::{Machine, Ran};
use super::program::Program;
use super::touch::Touched;
use super::{Counted, Gm, Progress, Setup, Stop, Trip};
use crate::{Fault, Shown};
use jumar_dsl::diag::Code;
use jumar_dsl::ir::SpanId;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Where the blocks of a run meet.
pub(super) struct SyncAll<'a, 'g> {
    setup: &'a Setup<'a>,
    gms: &'a [Option<Gm<'g>>],
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    blocks: Vec<Block>,
    /// What each block did since they met last.
    touched: Vec<Touched>,
    /// What each block that has ended showed.
    shown: Vec<Shown>,
    stored: Stored,
    /// How often they have met.
    met: u64,
    /// Blocks that run now, and how many may.
    running: usize,
    most: usize,
    /// True where each runs after those before it.
    in_order: bool,
    over: bool,
    fault: Option<Box<Fault>>,
}

/// Where a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Runs,
    /// It waits for all others.
    Waits(SpanId),
    Ended,
}

/// Runs the blocks of a launch that meet.
///
/// # Errors
/// The fault of the lowest block that meets one before the others come to where they wait for it; J0809 for blocks that touch what others
/// write without a meeting between them; J0811 for a block that others wait for and that does not come; J0802 for outputs with gaps.
pub(super) fn run(
    setup: &Setup<'_>,
    program: &Program,
    gms: &[Option<Gm<'_>>],
    progress: Option<&Progress<'_>>,
) -> Result<Counted, Box<Fault>> {
    has_cores(setup)?;
    let (first_fault, turns) = (AtomicI64::new(i64::MAX), AtomicI64::new(0));
    let sync = SyncAll::new(setup, gms);
    let (sync, first_fault, turns) = (&sync, &first_fault, &turns);
    std::thread::scope(|scope| {
        for block in 0..setup.tiling.block_dim {
            let body = move || {
                sync.begin(block);
                let run = || Machine::new(setup, program, gms, first_fault).meeting(sync).run_block(block);
                // A block that breaks must not leave the others waiting for it.
                let done = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|broken| {
                    sync.end(block, Err(Stop::Cancelled));
                    resume_unwind(broken)
                });
                match &done {
                    Ok(ran) => {
                        turns.fetch_add(ran.turns, Ordering::Relaxed);
                        progress.into_iter().for_each(|progress| progress(block));
                    }
                    Err(Stop::Fault(_)) => {
                        first_fault.fetch_min(block, Ordering::Relaxed);
                    }
                    Err(Stop::Cancelled) => {}
                }
                sync.end(block, done);
            };
            if std::thread::Builder::new().spawn_scoped(scope, body).is_err() {
                let message =
                    format!("this computer has no thread for block {block}; blocks that wait for one another need one each");
                let fault = setup.fault(Trip::new(Code::J0804, message), SpanId(u32::MAX), Some(block), None);
                sync.end(block, Err(Stop::Fault(fault)));
            }
        }
    });
    let mut state = sync.lock();
    state.fault.take().map_or(Ok(()), Err)?;
    state.stored.finish(setup, gms)?;
    let mut shown = Shown::default();
    std::mem::take(&mut state.shown).into_iter().for_each(|block| shown.join(block));
    Ok((turns.load(Ordering::Relaxed), shown))
}

/// J0811 for more blocks than cores: on a chip those without a core never come.
fn has_cores(setup: &Setup<'_>) -> Result<(), Box<Fault>> {
    let (blocks, cores) = (setup.tiling.block_dim, setup.chip.vector_cores);
    if blocks <= cores {
        return Ok(());
    }
    let message =
        format!("{blocks} blocks wait for one another, and the chip has {cores} cores: those without a core never come");
    Err(setup.fault(Trip::new(Code::J0811, message), SpanId(u32::MAX), None, None))
}

impl<'a, 'g> SyncAll<'a, 'g> {
    fn new(setup: &'a Setup<'_>, gms: &'a [Option<Gm<'g>>]) -> Self {
        // The launch has checked the block dim.
        let num = setup.tiling.block_dim as usize;
        let state = State {
            blocks: vec![Block::Runs; num],
            touched: untouched(num),
            shown: vec![Shown::default(); num],
            stored: Stored::new(gms),
            met: 0,
            running: 0,
            most: rayon::current_num_threads().max(1),
            in_order: must_run_in_order(setup),
            over: false,
            fault: None,
        };
        SyncAll { setup, gms, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a block may run.
    fn begin(&self, block: i64) {
        let mut state = self.lock();
        while !state.may_run(block as usize) {
            state = self.wait(state);
        }
        state.running += 1;
    }

    /// A block comes to a meeting, with what it has touched since the last one; it goes on when all have come.
    pub fn come(&self, block: i64, at: SpanId, touched: Touched) -> Result<(), Stop> {
        let met = self.stops(block, Block::Waits(at), touched, None);
        let mut state = self.lock();
        while state.met == met && !state.over {
            state = self.wait(state);
        }
        if state.over {
            return Err(Stop::Cancelled);
        }
        drop(state);
        self.begin(block);
        Ok(())
    }

    /// A block has ended.
    fn end(&self, block: i64, done: Result<Ran, Stop>) {
        let (touched, fault) = match done {
            Ok(ran) => {
                self.lock().shown[block as usize] = ran.shown;
                (ran.touched, None)
            }
            Err(Stop::Fault(fault)) => (Touched::default(), Some(fault)),
            Err(Stop::Cancelled) => (Touched::default(), None),
        };
        self.stops(block, Block::Ended, touched, fault);
    }

    /// A block runs no further for now. Gives how often the blocks had met before.
    fn stops(&self, block: i64, now: Block, touched: Touched, fault: Option<Box<Fault>>) -> u64 {
        let (mut state, block) = (self.lock(), block as usize);
        let met = state.met;
        state.running = state.running.saturating_sub(usize::from(state.blocks[block] == Block::Runs));
        (state.blocks[block], state.touched[block]) = (now, touched);
        if let Some(fault) = fault.filter(|new| state.fault.as_ref().is_none_or(|first| new.block < first.block)) {
            state.fault = Some(fault);
        }
        if !state.over && !state.blocks.contains(&Block::Runs) {
            self.all_stand(&mut state);
        }
        self.changed.notify_all();
        met
    }

    /// Every block waits or has ended: they have met, or there is a mistake, or the run is over.
    fn all_stand(&self, state: &mut State) {
        let touched = std::mem::replace(&mut state.touched, untouched(state.blocks.len()));
        let judged = match state.fault.take() {
            Some(fault) => Err(fault),
            None => state.stored.phase(self.setup, self.gms, &touched).and_then(|()| self.missed(&state.blocks)),
        };
        let all_ended = state.blocks.iter().all(|b| *b == Block::Ended);
        state.over = all_ended || judged.is_err();
        state.fault = judged.err();
        if !state.over {
            state.blocks.fill(Block::Runs);
            state.met += 1;
        }
    }

    /// J0811 where a block does not come to the meeting of the first one that waits.
    fn missed(&self, blocks: &[Block]) -> Result<(), Box<Fault>> {
        let Some((first, at)) = blocks.iter().enumerate().find_map(|(i, b)| Some((i, b.waits()?))) else { return Ok(()) };
        let Some((missing, other)) = blocks.iter().enumerate().find(|(_, b)| b.waits() != Some(at)) else { return Ok(()) };
        let here = self.setup.line(at);
        let message = match other.waits() {
            None => format!(
                "block {missing} has ended and never comes to the `sync_all` of line {here}, where block {first} waits for all others"
            ),
            Some(other) => format!(
                "block {missing} waits in the `sync_all` of line {}, and block {first} in that of line {here}: each waits for all others",
                self.setup.line(other)
            ),
        };
        let message = format!("{message}; every block must come to each of them equally often");
        Err(self.setup.fault(Trip::new(Code::J0811, message), at, Some(missing as i64), None))
    }
}

fn untouched(blocks: usize) -> Vec<Touched> {
    (0..blocks).map(|_| Touched::default()).collect()
}

impl Block {
    fn waits(self) -> Option<SpanId> {
        match self {
            Block::Waits(at) => Some(at),
            Block::Runs | Block::Ended => None,
        }
    }
}

impl State {
    /// Whether a block may run now. After the end all do, to find that out.
    fn may_run(&self, block: usize) -> bool {
        let first = || !self.blocks[..block].contains(&Block::Runs);
        self.over || (self.running < self.most && (!self.in_order || first()))
    }
}
