//! The constants of the replay, each with the range in which it may lie.
//!
//! A number that was measured has a narrow range. One that nobody has published has a wide one, and
//! a report says what it would change.

use crate::ops::Cost;
use crate::soc::{Arch, CallTime, Chip, Timing};

/// A number of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    pub name: &'static str,
    pub value: f64,
    /// The ends of the range that sources and measurements leave.
    pub low: f64,
    pub high: f64,
    pub unit: &'static str,
    pub source: &'static str,
}

macro_rules! constants {
    ($($(#[doc = $doc:literal])* $name:ident = $value:literal in $low:literal..$high:literal $unit:literal, $source:literal;)*) => {
        /// All constants of one architecture.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Constants { $($(#[doc = $doc])* pub $name: Constant,)* }

        const A2: Constants = Constants {
            $($name: Constant { name: stringify!($name), value: $value, low: $low, high: $high, unit: $unit, source: $source },)*
        };

        impl Constants {
            /// Lists them in the order of their table.
            pub fn all(&self) -> Vec<Constant> {
                vec![$(self.$name),*]
            }

            /// Returns the same constants with another value of one.
            pub fn with(&self, name: &str, value: f64) -> Constants {
                let mut changed = self.clone();
                $(if name == stringify!($name) {
                    changed.$name.value = value;
                })*
                changed
            }
        }
    };
}

constants! {
    /// Instructions that wait in front of a pipe before the scalar unit stands.
    queue_depth = 16.0 in 8.0..32.0 "instructions", "no public figure; MTE1 has 32";
    /// From the end of a call's last repeat to its results.
    drain = 2.0 in 0.0..19.0 "cycles", "fitted: ops-nn, turbo_quant_compress_latent on 910B4, where a call behind a barrier takes some 26 and its repeats; pto-isa has 19";
    /// A comparison, apart from its repeats.
    compare_fixed = 24.0 in 20.0..36.0 "cycles", "turbo_quant_compress_latent; pto-isa has 36";
    /// Each repeat of a comparison.
    compare_slope = 1.0 in 1.0..2.0 "cycles", "turbo_quant_compress_latent; pto-isa has 2";
    /// A selection, apart from its repeats. Its call fills a mask register first.
    select_fixed = 27.0 in 20.0..60.0 "cycles", "turbo_quant_compress_latent; pto-isa has 27";
    /// Each repeat of a selection.
    select_slope = 1.0 in 1.0..2.0 "cycles", "turbo_quant_compress_latent; pto-isa has 2";
    /// A reduction with a count, apart from its repeats and its round trip.
    reduce_fixed = 24.0 in 20.0..46.0 "cycles", "fitted: turbo_quant_compress_latent; pto-isa has 46 for those of repeats";
    /// Each repeat of a reduction with a count.
    reduce_slope = 1.0 in 1.0..7.0 "cycles", "fitted: turbo_quant_compress_latent; pto-isa has 7 for those of repeats";
    /// The scalar unit's time for an instruction, with its addresses and mask registers.
    issue = 6.0 in 2.0..20.0 "cycles", "no public figure; a serial tile takes 26 to 75 (add_high_performance)";
    /// From the scalar unit to the head of an idle pipe.
    dispatch = 20.0 in 5.0..40.0 "cycles", "no public figure; part of a round trip of 60 to 150";
    /// From a set flag to the pipe that waits for it.
    event = 20.0 in 0.0..100.0 "cycles", "no public figure";
    /// From a set flag to the scalar unit that waits for it.
    event_to_scalar = 15.0 in 10.0..80.0 "cycles", "fitted: turbo_quant_compress_latent, whose ReduceSum has a round trip";
    /// An element of UB that the scalar unit reads or writes.
    scalar_ub = 11.0 in 8.0..15.0 "cycles", "34 an element of three accesses (add_high_performance, case 0)";
    /// A line of GM that its cache lacks.
    scalar_gm = 450.0 in 150.0..700.0 "cycles", "no public figure; as the start of a copy";
    /// From a copy from GM to its first bytes.
    read_start = 450.0 in 350.0..550.0 "cycles", "add_high_performance, case 1";
    /// From a copy to GM to its first bytes.
    write_start = 200.0 in 150.0..300.0 "cycles", "add_high_performance, case 1";
    /// Least time of a copy in its pipe.
    copy_issue = 20.6 in 20.0..22.0 "cycles", "data_copy, case 1";
    /// A further stretch of a copy.
    stretch = 0.7 in 0.5..2.0 "cycles", "data_copy, case 2";
    /// Bytes that one core reads while nobody else does.
    read_path = 67.0 in 60.0..110.0 "bytes a cycle", "reads that hit L2 (data_copy, case 6)";
    /// Bytes that one core writes while nobody else does.
    write_path = 86.0 in 50.0..90.0 "bytes a cycle", "l2_write_rate of Ascend910B1.ini";
    /// Bytes that all cores read of L2.
    l2_read = 6000.0 in 5000.0..7000.0 "GB/s", "data_copy, case 6";
    /// Bytes that all cores read of HBM, and that L2 writes back to it.
    hbm_rate = 1450.0 in 1400.0..1600.0 "GB/s", "1490 of reads (data_copy, cases 3 and 5), 1390 beside writes (CANN bench, 910B2: Maximum beside Sigmoid)";
    /// Bytes that all cores write into L2.
    l2_write = 5000.0 in 4000.0..7000.0 "GB/s", "the same kernels up to 44 MB; the guide has 7000 of reads and writes";
    /// Written bytes that L2 holds back beyond the end of a launch.
    l2_holds = 80.0 in 60.0..95.0 "MB", "fitted: Sigmoid of 134 and 268 MB (CANN bench, 910B2), add_high_performance, case 4";
    /// Bytes of the memory's time that each further stretch of a copy takes.
    stretch_bytes = 10.0 in 0.0..32.0 "bytes", "data_copy, case 2 beside case 3";
    /// Times that a read takes which another core makes of the same place at the same time.
    one_address = 1.64 in 1.0..2.0 "", "fitted: data_copy, case 7 beside case 8";
    /// Bytes of the memory's time that each further stretch of a read past L2 takes.
    bypass_stretch = 60.0 in 0.0..80.0 "bytes", "fitted: data_copy, case 8";
    /// Cores and memory hold each other up: 1 adds their times, a large number takes the longer.
    overlap = 3.0 in 2.0..8.0 "", "fitted: add_high_performance, cases 2 and 3";
    /// From the launch to the first instruction, and from the last one to the end, on one core.
    launch = 1.6 in 1.2..2.2 "us", "2.2 for one block that reads a few numbers (Triton, 40 cores)";
    /// The further time of a launch on all cores of a chip.
    launch_cores = 1.3 in 0.8..1.8 "us", "3.5 for 40 blocks (Triton); 3.3 are the least of the vendor's kernels";
    /// A barrier of all cores.
    sync_all = 1.0 in 0.3..4.0 "us", "no public figure";
}

impl Constants {
    /// Returns the constants of a chip, `None` where nothing was published for its architecture.
    pub fn of(chip: &Chip) -> Option<Constants> {
        match chip.arch {
            Arch::V220 if chip.name == "ascend910b4" => Some(Constants {
                hbm_rate: B4_HBM,
                ..A2
            }),
            Arch::V220 => Some(A2),
            Arch::M200 => None,
        }
    }

    /// Returns the time of a call. Classes of the older estimate ([`Timing`]) that a measurement
    /// contradicts have constants of their own here.
    pub(super) fn call(&self, timing: &Timing, cost: Cost) -> CallTime {
        let own = |fixed: Constant, slope: Constant| CallTime {
            fixed: fixed.value,
            slope: slope.value,
        };
        match cost {
            Cost::Compare => own(self.compare_fixed, self.compare_slope),
            Cost::Select => own(self.select_fixed, self.select_slope),
            Cost::Reduce => own(self.reduce_fixed, self.reduce_slope),
            Cost::Simple
            | Cost::Transcendental
            | Cost::Divide
            | Cost::Cast
            | Cost::Duplicate
            | Cost::Index
            | Cost::BlockReduce
            | Cost::WholeReduce
            | Cost::Gather
            | Cost::Choose
            | Cost::Sort
            | Cost::Merge
            | Cost::Scan
            | Cost::Broadcast => (timing.call)(cost),
        }
    }
}

/// The chip with half the memory, which has half the stacks of HBM.
const B4_HBM: Constant = Constant {
    value: 725.0,
    low: 560.0,
    high: 800.0,
    source:
        "half of 910B1, as its memory is; ops-nn, DynamicQuant on 910B4: 566 to 709 by its slope",
    ..A2.hbm_rate
};
