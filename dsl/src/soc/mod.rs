//! Facts of the chips, one row a chip. A literal 32, 256 or 196608 anywhere else breaks with the
//! next chip.
//!
//! Sources: `Ascend910B{1,2,3,4}.ini`, `Ascend910_9391.ini`, `Ascend310P3.ini` of CANN 8.1.RC1
//! (`platform_config`); architecture pages NPU 2201 and 2002 of the AscendC guide.

mod ascend310p;
mod ascend910;
mod space;
mod timing;

pub use space::Space;
pub use timing::{CallTime, Timing};

/// Generation of the core, which decides the instructions that exist and their behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arch {
    /// NPU architecture 2201 (`dav-c220`): Atlas A2 and A3, separate cube and vector cores.
    V220,
    /// NPU architecture 2002 (`dav-m200`): Atlas inference products, cube and vector in one core.
    M200,
}

/// Facts of one chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Name as given to `--chip`, lower case: `ascend910b2`.
    pub name: &'static str,
    /// `SOC_VERSION` of a CANN build: `Ascend910B2`.
    pub soc_version: &'static str,
    /// Compute unit of an operator definition: `ascend910b`.
    pub compute_unit: &'static str,
    /// `--npu-arch` of `bisheng`: `dav-2201`.
    pub npu_arch: &'static str,
    pub arch: Arch,
    /// Cores that run a vector kernel: AIV where cube and vector are apart, else AI cores.
    pub vector_cores: i64,
    /// Cube cores (AIC).
    pub cube_cores: i64,
    /// Bytes of UB of one vector core.
    pub ub_bytes: i64,
    /// Bytes of UB that the framework keeps. The size that the platform reports to a tiling
    /// function is without them (asc-devkit, `PlatformAscendC::GetCoreMemSize`).
    pub ub_framework_bytes: i64,
    /// Bytes of UB that some library calls keep (see [`Chip::ub_usable`]).
    pub ub_library_bytes: i64,
    /// Bytes of L1 of one cube core.
    pub l1_bytes: i64,
    /// Bytes of L0A and of L0B.
    pub l0ab_bytes: i64,
    /// Bytes of L0C of one cube core.
    pub l0c_bytes: i64,
    /// Bytes of the bias table of one cube core; 0 where it has none.
    pub bt_bytes: i64,
    /// Bytes of the fixpipe buffer of one cube core; 0 where it has none.
    pub fixpipe_bytes: i64,
    /// Bytes of L2, which all cores share.
    pub l2_bytes: i64,
    /// Bytes of the `data_block`, the unit of on-chip addresses and of plain DataCopy.
    pub data_block_bytes: i64,
    /// Groups of banks, over which consecutive data blocks of UB are distributed in order.
    ///
    /// A group delivers one data block at a time, so a call waits where two sources have blocks in
    /// one group. `None` where no page says which block lies in which group.
    pub ub_bank_groups: Option<i64>,
    /// Bytes of one bank; the banks of a group follow one another in UB, one round of all groups
    /// apart. `None` as above.
    pub ub_bank_bytes: Option<i64>,
    /// Alignment of fast copies in GM, in bytes. The performance guide of AscendC asks for 512-byte
    /// alignment, and for no access to one piece of 512 bytes by several cores.
    pub gm_line_bytes: i64,
    /// Bytes that one repeat of a vector instruction covers.
    pub repeat_bytes: i64,
    /// True where DataCopyPad exists (byte-granular copies).
    pub has_data_copy_pad: bool,
    /// True where `bfloat16_t` exists.
    pub has_bf16: bool,
    /// True where the hardware has a barrier of all cores (SyncAll without workspace; page of
    /// SyncAll).
    pub has_cross_core_sync: bool,
    /// True where a tensor in GM can be kept out of L2 (SetL2CacheHint page).
    pub has_l2_hint: bool,
    /// Core clock in MHz.
    pub clock_mhz: i64,
}

/// Most queue blocks that one `TPosition` may have over all queues (event ids; TQue page).
pub const MAX_BLOCKS_PER_POSITION: i64 = 8;
/// Most buffers that one TPipe may hand out (TPipe `InitBuffer` page).
pub const MAX_BUFFERS: i64 = 64;
/// Largest block dim that a launch accepts (SetBlockDim page).
pub const MAX_BLOCK_DIM: i64 = 65535;
/// Most repeats of one vector call (the parameter is a `uint8_t`).
pub const MAX_REPEATS: i64 = 255;
/// Largest block count of one DataCopy/DataCopyPad (parameter field is 12 bits).
pub const MAX_COPY_BLOCKS: i64 = 4095;
/// Bytes of a data block, on all chips.
pub const DATA_BLOCK_BYTES: i64 = 32;
/// Bytes of a line of the data cache, through which the scalar unit reads and writes GM, on all
/// chips (asc-devkit, page of SetValue).
pub const CACHE_LINE_BYTES: i64 = 64;
/// Least bytes of a copy that reaches the bandwidth (performance guide of AscendC: few large
/// copies).
pub const GOOD_COPY_BYTES: i64 = 16_384;
/// Largest byte count of one row of a DataCopyPad (`blockLen`, 21 bits).
pub const MAX_COPY_BYTES: i64 = 2_097_151;

impl Chip {
    /// Returns the bytes of UB that a kernel may plan with.
    ///
    /// Public sources disagree: CANN 8.x kernels use all of `ub_bytes`; newer toolkits keep 256
    /// bytes in mixed kernels and 8 KiB for calls such as Select, unless a compiler switch gives
    /// them back. The smaller figure is right under both.
    pub const fn ub_usable(&self) -> i64 {
        self.ub_bytes - self.ub_reserved_bytes()
    }

    /// Returns the bytes of UB that no kernel plans with.
    pub const fn ub_reserved_bytes(&self) -> i64 {
        self.ub_framework_bytes + self.ub_library_bytes
    }

    /// Returns the distance in bytes after which the groups of banks repeat.
    pub fn ub_bank_period(&self) -> Option<i64> {
        self.ub_bank_groups
            .map(|groups| groups * self.data_block_bytes)
    }

    /// Returns every chip, in the order of the documentation.
    pub fn all() -> &'static [Chip] {
        const ALL: &[Chip] = &[
            ascend910::ASCEND910B1,
            ascend910::ASCEND910B2,
            ascend910::ASCEND910B3,
            ascend910::ASCEND910B4,
            ascend910::ASCEND910_93,
            ascend310p::ASCEND310P,
        ];
        ALL
    }

    /// Finds a chip by name, ignoring case. A family name gives its first chip.
    pub fn by_name(name: &str) -> Option<&'static Chip> {
        let name = name.to_ascii_lowercase();
        Self::all()
            .iter()
            .find(|c| c.name == name || c.soc_version.to_ascii_lowercase() == name)
            .or_else(|| Self::all().iter().find(|c| c.compute_unit == name))
    }

    /// Returns the chip that `#[kernel]` and the command line assume: Ascend910B1.
    pub fn default_chip() -> &'static Chip {
        &Self::all()[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chip_is_found_by_each_of_its_names() {
        for chip in Chip::all() {
            assert_eq!(Chip::by_name(chip.name), Some(chip));
            assert_eq!(Chip::by_name(chip.soc_version), Some(chip));
        }
        assert_eq!(
            Chip::by_name("ascend910b").map(|c| c.name),
            Some("ascend910b1")
        );
        assert_eq!(Chip::by_name("ascend999"), None);
    }

    #[test]
    fn usable_ub_is_a_whole_number_of_data_blocks() {
        for chip in Chip::all() {
            assert_eq!(chip.data_block_bytes, DATA_BLOCK_BYTES, "{}", chip.name);
            assert_eq!(chip.ub_usable() % chip.data_block_bytes, 0, "{}", chip.name);
        }
    }
}
