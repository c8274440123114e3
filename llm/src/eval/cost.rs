//! Predicted cycles of a launch that has run, and the cycles that no launch can do without.

use super::stages::Cost;
use crate::tasks::run::Run;
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::estimate;
use jumar::dsl::soc::Chip;
use jumar::Report;

/// What a launch is predicted to take that has left this report, item after item; `None` where there is no prediction.
pub fn predicted(kernel: &CheckedKernel, run: &Run<'_>, report: &Report) -> Option<Cost> {
    let (chip, mut cycles, mut at_most) = (kernel.chip(), 0.0, false);
    let timing = chip.timing()?;
    for tiling in &report.items {
        let found = estimate(&kernel.instances()[report.instance], chip, tiling).ok()?;
        cycles += found.cycles();
        at_most |= found.is_most();
    }
    Some(Cost {
        cycles,
        bound: moved(run.bytes(), chip, timing.memory_all),
        at_most,
    })
}

/// Cycles to move so many bytes by the bandwidth of all cores, which is in bytes a microsecond.
pub(super) fn moved(bytes: usize, chip: &Chip, bandwidth: f64) -> f64 {
    bytes as f64 * chip.clock_mhz as f64 / bandwidth
}
