//! The reference simulator: runs a lowered kernel on real data.
//!
//! - **Input**: a [`Setup`] and the tensors in GM ([`gm`]).
//! - **Output**: written arrays and counts, or a [`RunError`] with code, line, block and tile.
//! - **Invariants**: results and faults do not depend on threads. A fault stops the run; of
//!   several, the one of the lowest block is reported.
//!
//! [`program::Program`] resolves the chosen variant once. [`exec::Machine`] executes one block
//! after another on each thread. Blocks that wait for one another have a thread each
//! ([`sync_all`]). Blocks share only GM: UB ([`memory`]), queues and scalars belong to a block.
//! Loops over rows run as [`batch`]es where the result is that of running them iteration by
//! iteration.
//!
//! After a run without fault, [`blocks`] compares what each block touched ([`touch`]) with what
//! others write, and checks that all elements of the outputs are written.
//!
//! Pipes run in program order, one statement after another. Where a launch asks for it, [`pipes`]
//! models what a chip would have ordered, and a missing event is a fault; [`watch`] feeds it. Time
//! is left out.
//!
//! Start reading at [`run`], then `program.rs`, `exec.rs` (`Machine`) and `vector.rs`.

mod across;
mod batch;
mod blocks;
mod by_hand;
mod cast;
mod census;
mod choose;
mod copy;
mod exec;
mod fields;
mod gather;
mod gm;
mod lines;
mod memory;
mod movement;
mod partial;
mod pipes;
mod poison;
mod program;
mod queue;
mod reduce;
mod scalar;
mod scan;
mod sort;
mod spans;
mod strided;
mod sync_all;
#[cfg(test)]
mod tests;
mod touch;
mod vector;
mod watch;
mod words;

pub use cast::Overflow;
pub(crate) use census::counters;
pub use census::{Census, Form};
pub(crate) use gm::Gm;

use crate::error::Trip;
use crate::{Fault, RunError, Shown};
use exec::Ran;
use jumar_dsl::ir::{Lowered, SourceSpan, SpanId};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::Tiling;
use rayon::prelude::*;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Called with the index of each block that has finished.
pub(crate) type Progress<'a> = dyn Fn(i64) + Sync + 'a;

/// The parts of a run, besides the arrays.
pub(crate) struct Setup<'a> {
    pub lowered: &'a Lowered,
    /// The chip it was lowered for.
    pub chip: &'static Chip,
    /// Decisions of the host.
    pub tiling: &'a Tiling,
    /// The treatment of 16-bit results that overflow.
    pub overflow: Overflow,
    /// Reports accesses of one block that no queue and no event orders, see [`pipes`].
    pub pipes: bool,
    /// Counters of the statements of each function; empty where nobody asked.
    pub counted: Vec<Vec<AtomicU64>>,
}

/// The reason why a block did not finish.
enum Stop {
    /// The block's own mistake.
    Fault(Box<Fault>),
    /// A fault of a block before this one.
    Cancelled,
}

impl Setup<'_> {
    fn place(&self, span: SpanId) -> SourceSpan {
        self.lowered
            .spans
            .get(span.index())
            .copied()
            .unwrap_or_default()
    }
    /// Returns line and column as a message names them.
    fn line(&self, span: SpanId) -> String {
        let place = self.place(span);
        format!("{}:{}", place.line, place.column)
    }
    fn fault(&self, trip: Trip, span: SpanId, block: Option<i64>, tile: Option<i64>) -> Box<Fault> {
        let place = self.place(span);
        let Trip { code, message } = trip;
        let kernel = self.lowered.sig.name.clone();
        Box::new(Fault {
            code,
            message,
            kernel,
            line: place.line,
            column: place.column,
            block,
            tile,
        })
    }
}

/// Runs every block.
///
/// `gms` has one entry for each parameter, `None` for attributes. The workspaces of the kernel
/// follow.
///
/// # Errors
/// The fault of the lowest block that has one. Without a fault: J0809 for blocks that touch
/// elements others write, and J0802 for outputs that are not wholly written.
pub(crate) fn run(
    setup: &Setup<'_>,
    mut gms: Vec<Option<Gm<'_>>>,
    progress: Option<&Progress<'_>>,
) -> Result<crate::Ran, RunError> {
    let fault = |(span, trip)| RunError::Fault(setup.fault(trip, span, Some(0), None));
    let program = program::Program::new(setup).map_err(fault)?;
    // A tensor that is appended to keeps what it held behind the last appended element; that is no
    // gap.
    for id in &program.packed {
        gms[*id].iter_mut().for_each(|gm| gm.is_output = false);
    }
    gms.extend(
        program
            .workspaces(setup)
            .map_err(fault)?
            .into_iter()
            .map(Some),
    );
    let run = if program.meets {
        sync_all::run
    } else {
        run_blocks
    };
    run(setup, &program, &gms, progress).map_err(RunError::Fault)
}

/// Runs blocks without barriers, each from its start to its end.
fn run_blocks(
    setup: &Setup<'_>,
    program: &program::Program,
    gms: &[Option<Gm<'_>>],
    progress: Option<&Progress<'_>>,
) -> Result<crate::Ran, Box<Fault>> {
    let first_fault = AtomicI64::new(i64::MAX);
    let fault: Mutex<Option<Box<Fault>>> = Mutex::new(None);
    // The launch has checked the block dim, so the cast loses nothing.
    let num = setup.tiling.block_dim as usize;
    let ran: Vec<Ran> = (0..num)
        .into_par_iter()
        .with_min_len(if blocks::must_run_in_order(setup) {
            num
        } else {
            1
        })
        .map_init(
            || exec::Machine::new(setup, program, gms, &first_fault),
            |machine, block| {
                let block = block as i64;
                if first_fault.load(Ordering::Relaxed) < block {
                    return Ran::default();
                }
                match machine.run_block(block) {
                    Ok(ran) => {
                        if let Some(progress) = progress {
                            progress(block);
                        }
                        ran
                    }
                    Err(Stop::Cancelled) => Ran::default(),
                    Err(Stop::Fault(found)) => {
                        first_fault.fetch_min(block, Ordering::Relaxed);
                        let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
                        if fault.as_ref().is_none_or(|f| f.block > Some(block)) {
                            *fault = Some(found);
                        }
                        Ran::default()
                    }
                }
            },
        )
        .collect();
    fault
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .map_or(Ok(()), Err)?;
    let turns = ran.iter().map(|r| r.turns).sum();
    let (mut shown, mut stints) = (Shown::default(), Vec::with_capacity(ran.len()));
    let mut read = Vec::with_capacity(ran.len());
    for block in ran {
        shown.join(block.shown);
        stints.push(block.stint);
        read.push(block.read);
    }
    let mut stored = blocks::Stored::new(gms);
    stored.phase(setup, gms, &stints)?;
    stored.finish(setup, gms)?;
    Ok(crate::Ran {
        turns,
        shown,
        read,
        alike: stored.alike(gms),
        ..crate::Ran::default()
    })
}
