//! Predicted cycles of a launch, and a lower bound for all launches.

use super::stages::Cost;
use crate::tasks::run::Run;
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::predict;
use jumar::dsl::cost::replay::least;
use jumar::dsl::cost::stream::Launch;
use jumar::Report;

/// Predicts the cost of the launch with this report, summed over its items. Returns `None` if there
/// is no prediction.
pub fn predicted(kernel: &CheckedKernel, run: &Run<'_>, report: &Report) -> Option<Cost> {
    let (chip, mut micros, mut launches, mut at_most) = (kernel.chip(), 0.0, 0.0, false);
    for (item, tiling) in report.items.iter().enumerate() {
        let read = report.read.get(item).filter(|read| !read.is_empty());
        let found = predict(&Launch {
            lowered: &kernel.instances()[report.instance],
            chip,
            tiling,
            file: "",
            read: read.map(Vec::as_slice),
        })
        .ok()?;
        micros += found.prediction.micros;
        launches += found.prediction.launch;
        at_most |= found.is_most();
    }
    let written = run.bytes_written();
    let bytes = least(chip, run.bytes() - written, written)?;
    let clock = chip.clock_mhz as f64;
    Some(Cost {
        cycles: micros * clock,
        bound: (launches + bytes) * clock,
        at_most,
    })
}
