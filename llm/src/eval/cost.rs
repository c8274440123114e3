//! Predicted cycles of a launch, and a lower bound for all launches.

use super::stages::Cost;
use crate::tasks::run::Run;
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::estimate;
use jumar::dsl::soc::Chip;
use jumar::Report;

/// Predicts the cost of the launch with this report, summed over its items. Returns `None` if there
/// is no prediction.
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

/// Returns the cycles to move these bytes with the bandwidth of all cores, in bytes per
/// microsecond.
pub(super) fn moved(bytes: usize, chip: &Chip, bandwidth: f64) -> f64 {
    bytes as f64 * chip.clock_mhz as f64 / bandwidth
}
