//! The reference simulator: a lowered kernel on real data.
//!
//! [`program::Program`] resolves the chosen variant once; [`exec::Machine`] executes one block of it after another on
//! each thread. Blocks share GM ([`gm`]) and nothing else: UB ([`memory`]), queues and scalars belong to a block.
//! Loops over rows run as [`batch`]es where that cannot be told from running them turn by turn.
//! A fault stops the run; of several, the one of the lowest block is reported, whatever the threads did.
//!
//! What it leaves out: pipes run in program order, one statement after another, so a missing event is not seen here;
//! two blocks that write the same element are not told apart; time.

mod batch;
mod cast;
mod choose;
mod copy;
mod exec;
mod gm;
mod memory;
mod movement;
mod poison;
mod program;
mod queue;
mod reduce;
mod scalar;
mod strided;
#[cfg(test)]
mod tests;
mod vector;

pub use cast::Overflow;
pub(crate) use gm::Gm;

use crate::error::Trip;
use crate::{Fault, RunError};
use jumar_dsl::ir::{Lowered, SpanId};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::Tiling;
use rayon::prelude::*;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Called with the index of each block that has finished.
pub(crate) type Progress<'a> = dyn Fn(i64) + Sync + 'a;

/// What a run is made of, besides the arrays.
pub(crate) struct Setup<'a> {
    /// The instance.
    pub lowered: &'a Lowered,
    /// The chip it was lowered for.
    pub chip: &'static Chip,
    /// What the host decided.
    pub tiling: &'a Tiling,
    /// What becomes of 16-bit results that overflow.
    pub overflow: Overflow,
}

/// Why a block did not finish.
enum Stop {
    /// It met a mistake.
    Fault(Box<Fault>),
    /// A block before it has met one.
    Cancelled,
}

impl Setup<'_> {
    fn fault(&self, trip: Trip, span: SpanId, block: i64, tile: Option<i64>) -> Box<Fault> {
        let place = self.lowered.spans.get(span.index()).copied().unwrap_or_default();
        let Trip { code, message } = trip;
        Box::new(Fault {
            code,
            message,
            kernel: self.lowered.sig.name.clone(),
            line: place.line,
            column: place.column,
            block: Some(block),
            tile,
        })
    }
}

/// Runs every block and returns the turns of outermost loops. `gms` has one entry a parameter, `None` for attributes.
///
/// # Errors
/// The fault of the lowest block that meets one.
pub(crate) fn run(setup: &Setup<'_>, gms: &[Option<Gm<'_>>], progress: Option<&Progress<'_>>) -> Result<i64, RunError> {
    let program = program::Program::new(setup).map_err(|(span, trip)| RunError::Fault(setup.fault(trip, span, 0, None)))?;
    let first_fault = AtomicI64::new(i64::MAX);
    let fault: Mutex<Option<Box<Fault>>> = Mutex::new(None);
    let turns = (0..setup.tiling.block_dim)
        .into_par_iter()
        .map_init(
            || exec::Machine::new(setup, &program, gms, &first_fault),
            |machine, block| {
                if first_fault.load(Ordering::Relaxed) < block {
                    return 0;
                }
                match machine.run_block(block) {
                    Ok(turns) => {
                        if let Some(progress) = progress {
                            progress(block);
                        }
                        turns
                    }
                    Err(Stop::Cancelled) => 0,
                    Err(Stop::Fault(found)) => {
                        first_fault.fetch_min(block, Ordering::Relaxed);
                        let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
                        if fault.as_ref().is_none_or(|f| f.block > Some(block)) {
                            *fault = Some(found);
                        }
                        0
                    }
                }
            },
        )
        .sum();
    match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(fault) => Err(RunError::Fault(fault)),
        None => Ok(turns),
    }
}
