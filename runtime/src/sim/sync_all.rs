//! Blocks that wait for one another (`sync_all`, flags across cores): each runs on a thread, from
//! wait to wait.
//!
//! A *standstill* is the moment when every block waits or has ended. The last block to arrive
//! checks what all blocks did since the last standstill. Then it releases the blocks that may
//! continue: all of them at a barrier, or those whose flag all blocks have set.
//!
//! Faults are those of a single block, accesses that nothing orders, and a block that ends or waits
//! elsewhere while another one waits for it. They are reported in the order of blocks, so that they
//! do not depend on threads. No wait has a time limit: every block runs, waits, or has ended.

use super::across::{Across, Stint};
use super::blocks::{must_run_in_order, Stored};
use super::exec::{Machine, Ran};
use super::program::Program;
use super::touch::Strip;
use super::{Gm, Progress, Setup, Stop, Trip};
use crate::{Fault, Shown};
use jumar_dsl::diag::Code;
use jumar_dsl::ir::SpanId;
use jumar_dsl::tiling::Value;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The shared state of a run whose blocks wait for one another.
pub(super) struct SyncAll<'a, 'g> {
    setup: &'a Setup<'a>,
    /// For each tensor in GM, whether it goes through caches of scalar units.
    cached: &'a [bool],
    gms: &'a [Option<Gm<'g>>],
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    blocks: Vec<Block>,
    /// The accesses of each block since the last standstill.
    stints: Vec<Stint>,
    /// The flags across cores.
    across: Across,
    /// The dumps of each block that has ended.
    shown: Vec<Shown>,
    /// Values that the scalars of each block have taken from tensors.
    read: Vec<Vec<Value>>,
    stored: Stored,
    /// The number of standstills, and the changes between them in tensors that go through caches.
    stood: usize,
    changes: Vec<Change>,
    /// The number of running blocks; `most` is its limit.
    running: usize,
    most: usize,
    /// True if each block runs after those before it.
    in_order: bool,
    over: bool,
    fault: Option<Box<Fault>>,
}

/// Elements that a block has stored after standstill number `stood`.
struct Change {
    stood: usize,
    block: usize,
    gm: usize,
    span: SpanId,
    strips: Vec<Strip>,
}

/// The state of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Runs,
    /// Waits for all others.
    Waits(Wait),
    Ended,
}

/// The wait of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    pub at: SpanId,
    /// The flag; `None` for a barrier.
    pub flag: Option<usize>,
}

/// Runs the blocks of a launch that wait for one another.
///
/// # Errors
/// - The fault of the lowest block that has one before the others arrive where they wait for it.
/// - J0809 for blocks that touch what others write without a barrier between them.
/// - J0811 for a block that others wait for and that does not come.
/// - J0802 for outputs with gaps.
pub(super) fn run(
    setup: &Setup<'_>,
    program: &Program,
    gms: &[Option<Gm<'_>>],
    progress: Option<&Progress<'_>>,
) -> Result<crate::Ran, Box<Fault>> {
    has_cores(setup)?;
    let (first_fault, turns) = (AtomicI64::new(i64::MAX), AtomicI64::new(0));
    let sync = SyncAll::new(setup, program, gms);
    let (sync, first_fault, turns) = (&sync, &first_fault, &turns);
    std::thread::scope(|scope| {
        for block in 0..setup.tiling.block_dim {
            let body = move || {
                sync.begin(block);
                let run = || {
                    Machine::new(setup, program, gms, first_fault)
                        .meeting(sync)
                        .run_block(block)
                };
                // A block that panics must not leave the others waiting for it.
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
            if std::thread::Builder::new()
                .spawn_scoped(scope, body)
                .is_err()
            {
                let message =
                    format!("this computer has no thread for block {block}; blocks that wait for one another need one each");
                let fault = setup.fault(
                    Trip::new(Code::J0804, message),
                    SpanId(u32::MAX),
                    Some(block),
                    None,
                );
                sync.end(block, Err(Stop::Fault(fault)));
            }
        }
    });
    let mut state = sync.lock();
    state.fault.take().map_or(Ok(()), Err)?;
    state.stored.finish(setup, gms)?;
    let mut shown = Shown::default();
    std::mem::take(&mut state.shown)
        .into_iter()
        .for_each(|block| shown.join(block));
    let alike = state.stored.alike(gms);
    let read = std::mem::take(&mut state.read);
    Ok(crate::Ran {
        turns: turns.load(Ordering::Relaxed),
        shown,
        read,
        alike,
        ..crate::Ran::default()
    })
}

/// Reports J0811 for more blocks than cores: on a chip, those without a core never run.
fn has_cores(setup: &Setup<'_>) -> Result<(), Box<Fault>> {
    let (blocks, cores) = (setup.tiling.block_dim, setup.chip.vector_cores);
    if blocks <= cores {
        return Ok(());
    }
    let message =
        format!("{blocks} blocks wait for one another, and the chip has {cores} cores: those without a core never come");
    Err(setup.fault(
        Trip::new(Code::J0811, message),
        SpanId(u32::MAX),
        None,
        None,
    ))
}

impl<'a, 'g> SyncAll<'a, 'g> {
    fn new(setup: &'a Setup<'_>, program: &'a Program, gms: &'a [Option<Gm<'g>>]) -> Self {
        // The launch has checked the block dim, so the cast loses nothing.
        let num = setup.tiling.block_dim as usize;
        let state = State {
            blocks: vec![Block::Runs; num],
            stints: idle(num),
            across: Across::new(num),
            shown: vec![Shown::default(); num],
            read: vec![Vec::new(); num],
            stored: Stored::new(gms),
            stood: 0,
            changes: Vec::new(),
            running: 0,
            most: rayon::current_num_threads().max(1),
            in_order: must_run_in_order(setup),
            over: false,
            fault: None,
        };
        SyncAll {
            setup,
            cached: &program.cached,
            gms,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a block may run.
    fn begin(&self, block: i64) {
        let mut state = self.lock();
        while !state.may_run(block as usize) {
            state = self.wait(state);
        }
        state.running += 1;
    }

    /// Makes a block wait, and takes its accesses since the last wait. Returns the number of
    /// standstills when all blocks have arrived or have set the flag.
    pub fn come(&self, block: i64, wait: Wait, stint: Stint) -> Result<usize, Stop> {
        self.stops(block, Block::Waits(wait), stint, None);
        let mut state = self.lock();
        while state.blocks[block as usize] != Block::Runs && !state.over {
            state = self.wait(state);
        }
        if state.over {
            return Err(Stop::Cancelled);
        }
        let stood = state.stood;
        drop(state);
        self.begin(block);
        Ok(stood)
    }

    /// Finds another block that has stored an element after standstill number `stood`, and its
    /// statement.
    pub fn stored_since(
        &self,
        stood: usize,
        block: i64,
        gm: usize,
        element: usize,
    ) -> Option<(usize, SpanId)> {
        let state = self.lock();
        let late = state
            .changes
            .iter()
            .filter(|c| c.stood >= stood && c.block as i64 != block && c.gm == gm);
        late.rev()
            .find(|c| c.strips.iter().any(|strip| strip.holds(element)))
            .map(|c| (c.block, c.span))
    }

    /// Records the end of a block.
    fn end(&self, block: i64, done: Result<Ran, Stop>) {
        let (stint, fault) = match done {
            Ok(ran) => {
                let mut state = self.lock();
                state.shown[block as usize] = ran.shown;
                state.read[block as usize] = ran.read;
                drop(state);
                (ran.stint, None)
            }
            Err(Stop::Fault(fault)) => (Stint::default(), Some(fault)),
            Err(Stop::Cancelled) => (Stint::default(), None),
        };
        self.stops(block, Block::Ended, stint, fault);
    }

    /// Records that a block stops running for now.
    fn stops(&self, block: i64, now: Block, stint: Stint, fault: Option<Box<Fault>>) {
        let (mut state, block) = (self.lock(), block as usize);
        state.running = state
            .running
            .saturating_sub(usize::from(state.blocks[block] == Block::Runs));
        (state.blocks[block], state.stints[block]) = (now, stint);
        if let Some(fault) = fault.filter(|new| {
            state
                .fault
                .as_ref()
                .is_none_or(|first| new.block < first.block)
        }) {
            state.fault = Some(fault);
        }
        if !state.over && !state.blocks.contains(&Block::Runs) {
            self.all_stand(&mut state);
        }
        self.changed.notify_all();
    }

    /// Handles a standstill: some blocks continue, or there is a fault, or the run is over.
    fn all_stand(&self, state: &mut State) {
        let stints = std::mem::replace(&mut state.stints, idle(state.blocks.len()));
        let judged = match state.fault.take() {
            Some(fault) => Err(fault),
            None => self.judge(state, stints).and_then(|()| self.go_on(state)),
        };
        state.over = judged.is_err() || state.blocks.iter().all(|b| *b == Block::Ended);
        state.fault = judged.err();
    }

    /// Checks what the blocks did together.
    fn judge(&self, state: &mut State, stints: Vec<Stint>) -> Result<(), Box<Fault>> {
        state.stored.phase(self.setup, self.gms, &stints)?;
        let unordered = state
            .across
            .unordered(&stints)
            .map(|found| found.fault(self.setup, self.gms));
        unordered.map_or(Ok(()), Err)?;
        for (block, stint) in stints.iter().enumerate() {
            let stored = stint
                .pieces()
                .flat_map(|touched| &touched.sites)
                .filter(|s| self.cached[s.gm] && s.does.stores());
            let stood = state.stood;
            state.changes.extend(stored.map(|s| Change {
                stood,
                block,
                gm: s.gm,
                span: s.span,
                strips: s.strips.clone(),
            }));
        }
        state.stood += 1;
        state.across.take(stints);
        Ok(())
    }

    /// Releases the blocks whose flag all have set, or all blocks at a barrier.
    fn go_on(&self, state: &mut State) -> Result<(), Box<Fault>> {
        let State { blocks, across, .. } = state;
        let free = |(block, now): (usize, &Block)| {
            let flag = now.waits()?.flag?;
            across
                .missing(flag, block)
                .is_none()
                .then_some((block, flag))
        };
        let free: Vec<_> = blocks.iter().enumerate().filter_map(free).collect();
        for (block, flag) in &free {
            across.goes_on(*flag, *block);
            blocks[*block] = Block::Runs;
        }
        if free.is_empty() {
            self.missed(blocks, across)?;
            if !blocks.contains(&Block::Ended) {
                across.all_met();
                blocks.fill(Block::Runs);
            }
        }
        across.forget(|block| blocks[block] != Block::Ended);
        Ok(())
    }

    /// Reports J0811 where a block does not come to the wait of the first waiting block.
    fn missed(&self, blocks: &[Block], across: &Across) -> Result<(), Box<Fault>> {
        let Some((first, wait)) = blocks
            .iter()
            .enumerate()
            .find_map(|(i, b)| Some((i, b.waits()?)))
        else {
            return Ok(());
        };
        let missed = match wait.flag {
            Some(flag) => self.unset(blocks, across, (first, wait.at, flag)),
            None => self.unmet(blocks, (first, wait)),
        };
        let Some((missing, message)) = missed else {
            return Ok(());
        };
        let message = format!("{message}; every block must come to each of them equally often");
        Err(self.setup.fault(
            Trip::new(Code::J0811, message),
            wait.at,
            Some(missing as i64),
            None,
        ))
    }

    /// Finds a block that has not set the flag for which another one waits.
    fn unset(
        &self,
        blocks: &[Block],
        across: &Across,
        (first, at, flag): (usize, SpanId, usize),
    ) -> Option<(usize, String)> {
        let (missing, times) = across.missing(flag, first)?;
        let (line, waited) = (self.setup.line(at), across.waited(flag, first) + 1);
        let now = blocks[missing]
            .waits()
            .map_or("has ended".to_string(), |other| {
                format!("waits {}", self.place(other))
            });
        let message = format!(
            "block {first} waits for flag {flag} of all cores in line {line}, time {waited}; block {missing} {now} and has set it {times} of {waited} times"
        );
        Some((missing, message))
    }

    /// Finds a block that does not come to the barrier where another one waits.
    fn unmet(&self, blocks: &[Block], (first, wait): (usize, Wait)) -> Option<(usize, String)> {
        let (missing, other) = blocks
            .iter()
            .enumerate()
            .find(|(_, b)| b.waits() != Some(wait))?;
        let here = self.setup.line(wait.at);
        let message = match other.waits() {
            None => format!(
                "block {missing} has ended and never comes to the `sync_all` of line {here}, where block {first} waits for all others"
            ),
            Some(other) => {
                format!("block {missing} waits {}, and block {first} in that of line {here}: each waits for all others", self.place(other))
            }
        };
        Some((missing, message))
    }

    /// Describes the place where a block waits.
    fn place(&self, wait: Wait) -> String {
        let line = self.setup.line(wait.at);
        match wait.flag {
            None => format!("in the `sync_all` of line {line}"),
            Some(flag) => format!("for flag {flag} of all cores in line {line}"),
        }
    }
}

fn idle(blocks: usize) -> Vec<Stint> {
    (0..blocks).map(|_| Stint::default()).collect()
}

impl Block {
    fn waits(self) -> Option<Wait> {
        match self {
            Block::Waits(wait) => Some(wait),
            Block::Runs | Block::Ended => None,
        }
    }
}

impl State {
    /// True if a block may run now. After the end all may, so that they notice it.
    fn may_run(&self, block: usize) -> bool {
        let first = || !self.blocks[..block].contains(&Block::Runs);
        self.over || (self.running < self.most && (!self.in_order || first()))
    }
}
