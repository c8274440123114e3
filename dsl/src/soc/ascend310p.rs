//! Atlas inference products (Ascend310P): architecture 2002, cube and vector in one core.

use super::{Arch, Chip};

pub(super) const ASCEND310P: Chip = Chip {
    name: "ascend310p",
    soc_version: "Ascend310P3",
    compute_unit: "ascend310p",
    npu_arch: "dav-2002",
    arch: Arch::M200,
    vector_cores: 8,
    cube_cores: 8,
    ub_bytes: 262_144,
    // 8 KiB that Select and Brcb use (their pages).
    ub_library_bytes: 8192,
    ub_framework_bytes: 0,
    l1_bytes: 1_048_576,
    l0ab_bytes: 65_536,
    l0c_bytes: 262_144,
    bt_bytes: 0,
    fixpipe_bytes: 0,
    l2_bytes: 16_777_216,
    data_block_bytes: 32,
    // The ini file counts 16 banks, as the files of Atlas A2 do. Neither the architecture page nor
    // the guide says which blocks share one.
    ub_bank_groups: None,
    ub_bank_bytes: None,
    // The guide's rule of 512 bytes is for Atlas A2.
    gm_line_bytes: 32,
    repeat_bytes: 256,
    has_data_copy_pad: false,
    has_bf16: false,
    has_cross_core_sync: false,
    has_l2_hint: false,
    clock_mhz: 1060,
};
