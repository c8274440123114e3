//! The constants of the replay, each with the range in which it may lie.
//!
//! A number that was measured has a narrow range. One that nobody has published has a wide one, and
//! a report says what it would change.

use crate::soc::{Arch, Chip};

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
    drain = 11.0 in 10.0..19.0 "cycles", "pto-isa has 19, of which 10 remain; a dependent call takes 35 with 8 repeats (ops-nn, turbo_quant_compress_latent on 910B4)";
    /// The scalar unit's time for an instruction, with its addresses and mask registers.
    issue = 6.0 in 2.0..20.0 "cycles", "no public figure; a serial tile takes 26 to 75 (add_high_performance)";
    /// From the scalar unit to the head of an idle pipe.
    dispatch = 20.0 in 5.0..40.0 "cycles", "no public figure; part of a round trip of 60 to 150";
    /// From a set flag to the pipe that waits for it.
    event = 20.0 in 0.0..100.0 "cycles", "no public figure";
    /// From a set flag to the scalar unit that waits for it.
    event_to_scalar = 40.0 in 15.0..80.0 "cycles", "no public figure; part of a round trip of 60 to 150";
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
            Arch::V220 => Some(A2),
            Arch::M200 => None,
        }
    }
}
