//! Atlas A2 (Ascend910B1..B4) and A3 (Ascend910_93): architecture 2201.

use super::{Arch, Chip};

const fn a2(
    name: &'static str,
    soc_version: &'static str,
    cube_cores: i64,
    clock_mhz: i64,
) -> Chip {
    Chip {
        name,
        soc_version,
        compute_unit: "ascend910b",
        npu_arch: "dav-2201",
        arch: Arch::V220,
        vector_cores: 2 * cube_cores,
        cube_cores,
        ub_bytes: 196_608,
        // Architecture page NPU 2201.
        ub_framework_bytes: 256,
        ub_library_bytes: 8192,
        l1_bytes: 524_288,
        l0ab_bytes: 65_536,
        l0c_bytes: 131_072,
        bt_bytes: 1024,
        fixpipe_bytes: 2048,
        l2_bytes: 201_326_592,
        data_block_bytes: 32,
        // Architecture page NPU 2201, and the guide's page on conflicts of UB banks: bits 5 to 8 of
        // an address.
        ub_bank_groups: Some(16),
        ub_bank_bytes: Some(4096),
        gm_line_bytes: 512,
        repeat_bytes: 256,
        has_data_copy_pad: true,
        has_bf16: true,
        has_cross_core_sync: true,
        has_l2_hint: true,
        clock_mhz,
    }
}

pub(super) const ASCEND910B1: Chip = a2("ascend910b1", "Ascend910B1", 24, 1850);
pub(super) const ASCEND910B2: Chip = a2("ascend910b2", "Ascend910B2", 24, 1800);
pub(super) const ASCEND910B3: Chip = a2("ascend910b3", "Ascend910B3", 20, 1800);
pub(super) const ASCEND910B4: Chip = Chip {
    l2_bytes: 100_663_296,
    ..a2("ascend910b4", "Ascend910B4", 20, 1500)
};
/// Figures of Ascend910_9391.
pub(super) const ASCEND910_93: Chip = Chip {
    compute_unit: "ascend910_93",
    ..a2("ascend910_93", "Ascend910_9391", 24, 1850)
};
