//! The time of calls and copies, by generation of the core.
//!
//! The constants are those of published cost models, or inferred from published measurements, most
//! of them of Ascend910B1. A prediction made with them is no measurement.
//!
//! Sources: pto-isa (`include/pto/costmodel/a2a3`), a fit on Ascend910B3; asc-devkit, best
//! practices (`add_high_performance`, `data_copy`, `bank_conflict_ub`) on Ascend910B1;
//! `Ascend910B1.ini` of CANN 8.1.RC1.

use super::{Arch, Chip};
use crate::ops::Cost;

/// Cycles of a vector call: `fixed + slope * repeats`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallTime {
    /// Cycles of every call.
    pub fixed: f64,
    /// Cycles of each repeat.
    pub slope: f64,
}

/// The speed of one generation. Cycles are those of the core's clock; rates are over all cores.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Time of a vector call, by the cost class of its op.
    pub call: fn(Cost) -> CallTime,
    /// Cycles added to a call that needs the result of the one before it.
    pub dependent: f64,
    /// Cycles added to any other call.
    pub independent: f64,
    /// Cycles added to a call in counter mode with two sources whose elements end inside of a
    /// repeat.
    pub open_end: f64,
    /// Cycles that the vector unit loses where a scalar is read from its results.
    pub round_trip: f64,
    /// Cycles of one element that the scalar unit reads or writes.
    pub scalar_access: f64,
    /// Least cycles of a copy.
    pub copy_issue: f64,
    /// Cycles of each further stretch of GM within a copy.
    pub burst: f64,
    /// Factor on the time of a copy from GM whose rows do not begin at data blocks.
    pub unaligned: f64,
    /// Cycles from a read of GM to its first bytes.
    pub read_start: f64,
    /// Cycles from a write of GM to its first bytes.
    pub write_start: f64,
    /// Bytes per cycle that one core reads.
    pub read_path: f64,
    /// Bytes per cycle that one core writes.
    pub write_path: f64,
    /// Bytes per microsecond that all cores read.
    pub read_all: f64,
    /// Bytes per microsecond that all cores write.
    pub write_all: f64,
    /// Bytes per microsecond of reads and writes together.
    pub memory_all: f64,
}

impl Chip {
    /// Returns the speed of the chip, `None` where no figures by instruction were published.
    pub const fn timing(&self) -> Option<&'static Timing> {
        match self.arch {
            Arch::V220 => Some(&A2),
            Arch::M200 => None,
        }
    }
}

const A2: Timing = Timing {
    call: a2_call,
    // pto-isa: completion 19, of which 10 remain where the next call does not wait for it.
    dependent: 19.0,
    independent: 10.0,
    // pto-isa, two-source ops in counter mode.
    open_end: 16.0,
    // No public figure; 60 to 150 are plausible.
    round_trip: 100.0,
    // 34 cycles an element of two reads, one write and arithmetic (add_high_performance, case 0).
    scalar_access: 11.0,
    // 20.6 cycles a copy of 128 bytes (data_copy, case 1).
    copy_issue: 20.0,
    // 532 cycles a copy of 64 stretches of 128 bytes, of which 488 are bandwidth (data_copy, case
    // 2).
    burst: 0.7,
    // data_copy, case 4 beside case 3.
    unaligned: 1.28,
    // add_high_performance, case 1: one core alone. Low confidence.
    read_start: 450.0,
    write_start: 200.0,
    // Reads that hit L2 (data_copy, case 6); writes: `l2_write_rate` of the ini file.
    read_path: 67.0,
    write_path: 86.0,
    // data_copy, case 3; add_high_performance, case 2, whose output stays in L2; case 4.
    read_all: 1_490_000.0,
    write_all: 2_500_000.0,
    memory_all: 1_600_000.0,
};

/// Returns the fit of pto-isa (`cce_costmodel_vector_compute.hpp`).
///
/// Its two-source ops have a slope of 2, the cost with both sources in one bank group
/// (bank_conflict_ub, cases 1 to 3). Without the conflict it is 1. `cost/banks.rs` adds the
/// conflicts.
const fn a2_call(class: Cost) -> CallTime {
    let (fixed, slope) = match class {
        Cost::Simple => (24.0, 1.0),
        // exp; ln is 33, sqrt 39.
        Cost::Transcendental => (31.0, 2.0),
        Cost::Divide => (31.0, 4.03),
        // Provisional, as its authors say.
        Cost::Cast => (32.0, 2.0),
        Cost::Compare => (36.0, 2.0),
        Cost::Select => (27.0, 2.0),
        Cost::Duplicate => (24.0, 1.0),
        // No figure is published. The scalar unit writes a data block (eight elements, 11 each).
        // Seven calls of Adds fill the repeat, each dependent on the one before (24 + 1, and 19),
        // and each further repeat takes one more (asc-devkit, CreateVecIndexCalc).
        Cost::Index => (8.0 * 11.0 + 6.0 * 44.0, 44.0),
        // The sum; the maximum is 31.
        Cost::BlockReduce => (38.0, 1.0),
        Cost::WholeReduce => (46.0, 7.0),
        // The form with a count begins as a reduction of repeats; the scalar unit's part comes on
        // top.
        Cost::Reduce => (46.0, 7.0),
        Cost::Gather => (34.0, 14.0),
        // About 26 cycles for one repeat. No figure is public for several, so each counts as one
        // more.
        Cost::Choose => (0.0, 26.0),
        // No figure is published. Sort32 and three rounds of MrgSort, each of which passes a pair a
        // cycle, for the 64 elements of a repeat, and their preparation.
        Cost::Sort => (8.0 * 24.0, 4.0 * 64.0),
        // One such round.
        Cost::Merge => (24.0, 64.0),
        // For the 64 elements of a repeat: three times Gather and Add, and some six times Add and a
        // copy, each dependent on the one before.
        Cost::Scan => (20.0 * 24.0, 3.0 * 27.0 + 6.0 * 2.0),
        // The fit has no slope; a repeat writes 256 bytes.
        Cost::Broadcast => (18.0, 1.0),
    };
    CallTime { fixed, slope }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the nanoseconds of calls that each need the one before, on Ascend910B1.
    fn chain(calls: &[(Cost, f64)]) -> f64 {
        let chip = Chip::default_chip();
        let timing = chip.timing().expect("the default chip has timing");
        let cycles: f64 = calls
            .iter()
            .map(|(class, repeats)| one(timing, *class, *repeats) + timing.dependent)
            .sum();
        cycles * 1e3 / chip.clock_mhz as f64
    }

    fn one(timing: &Timing, class: Cost, repeats: f64) -> f64 {
        let CallTime { fixed, slope } = (timing.call)(class);
        fixed + slope * repeats
    }

    fn is_within(predicted: f64, measured: f64, least: f64, most: f64) {
        let error = predicted / measured - 1.0;
        assert!(
            (least..=most).contains(&error),
            "{predicted} predicted, {measured} published: error {error}"
        );
    }

    #[test]
    fn additions_without_bank_conflicts_take_what_was_published() {
        // bank_conflict_ub, cases 1 and 8: 64 repeats one after the other, 47.8 ns a call with
        // nothing between.
        let chip = Chip::default_chip();
        let timing = chip.timing().expect("the default chip has timing");
        let nanos = one(timing, Cost::Simple, 64.0) * 1e3 / chip.clock_mhz as f64;
        is_within(nanos, 47.8, -0.01, 0.01);
    }

    #[test]
    fn chains_of_reductions_are_predicted_too_short_by_what_is_known() {
        // Guide to low-latency instructions: sums of 256 floats take 84, 130 and 139 ns. The model
        // is 15 and 31 % below.
        is_within(
            chain(&[(Cost::BlockReduce, 4.0), (Cost::WholeReduce, 1.0)]),
            84.4,
            -0.16,
            0.0,
        );
        is_within(
            chain(&[(Cost::WholeReduce, 4.0), (Cost::WholeReduce, 1.0)]),
            130.0,
            -0.32,
            0.0,
        );
        is_within(
            chain(&[
                (Cost::BlockReduce, 4.0),
                (Cost::BlockReduce, 1.0),
                (Cost::BlockReduce, 1.0),
            ]),
            139.4,
            -0.32,
            0.0,
        );
    }

    #[test]
    fn copies_take_what_was_published() {
        // data_copy on 48 cores, 302 MB: in copies of 128 bytes 548 us, in 64 stretches of 128
        // bytes a copy 221 us.
        let chip = Chip::default_chip();
        let timing = chip.timing().expect("the default chip has timing");
        let bytes = 12_288.0 * 12_288.0 * 2.0 / chip.vector_cores as f64;
        let clock = chip.clock_mhz as f64;
        is_within(bytes / 128.0 * timing.copy_issue / clock, 548.2, -0.04, 0.0);
        let bandwidth = bytes * chip.vector_cores as f64 / timing.read_all;
        is_within(
            bandwidth + bytes / 128.0 * timing.burst / clock,
            220.8,
            -0.01,
            0.01,
        );
    }
}
