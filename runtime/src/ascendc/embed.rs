//! The C++ part of this crate as text, so that an installed program needs no source tree.

/// One file: its path below `runtime/ascendc`, and its text.
pub(super) struct Embedded {
    pub path: &'static str,
    pub text: &'static str,
}

macro_rules! embedded {
    ($($path:literal)*) => {
        &[$(Embedded { path: $path, text: include_str!(concat!("../../ascendc/", $path)) }),*]
    };
}

/// Every file that a program is built from.
pub(super) const FILES: &[Embedded] = embedded! {
    "include/acl/acl.h"
    "include/adv_api/math/asin.h"
    "include/adv_api/math/asinh.h"
    "include/adv_api/math/cumsum.h"
    "include/adv_api/math/sign.h"
    "include/adv_api/pad/broadcast.h"
    "include/ascendc/adv_activation.h"
    "include/ascendc/adv_math.h"
    "include/ascendc/adv_norm.h"
    "include/ascendc/adv_reduce.h"
    "include/ascendc/adv_reduce_pattern.h"
    "include/ascendc/adv_select.h"
    "include/ascendc/adv_softmax.h"
    "include/ascendc/adv_softmax_grad.h"
    "include/ascendc/adv_space.h"
    "include/ascendc/adv_transform.h"
    "include/ascendc/atomic.h"
    "include/ascendc/cache.h"
    "include/ascendc/data_copy.h"
    "include/ascendc/debug.h"
    "include/ascendc/defs.h"
    "include/ascendc/element_types.h"
    "include/ascendc/entry.h"
    "include/ascendc/enums.h"
    "include/ascendc/host_api/tiling/template_argument.h"
    "include/ascendc/launch.h"
    "include/ascendc/list_tensor.h"
    "include/ascendc/log.h"
    "include/ascendc/machine.h"
    "include/ascendc/mask.h"
    "include/ascendc/mask_registers.h"
    "include/ascendc/norm_tiling.h"
    "include/ascendc/pipe.h"
    "include/ascendc/platform.h"
    "include/ascendc/print.h"
    "include/ascendc/scalar.h"
    "include/ascendc/softmax_tiling.h"
    "include/ascendc/sync.h"
    "include/ascendc/system.h"
    "include/ascendc/tensor.h"
    "include/ascendc/tiling.h"
    "include/ascendc/traits.h"
    "include/ascendc/types.h"
    "include/ascendc/utils.h"
    "include/ascendc/vec_binary.h"
    "include/ascendc/vec_cast.h"
    "include/ascendc/vec_compare.h"
    "include/ascendc/vec_compound.h"
    "include/ascendc/vec_fill.h"
    "include/ascendc/vec_gather.h"
    "include/ascendc/vec_reduce.h"
    "include/ascendc/vec_scalar.h"
    "include/ascendc/vec_sort.h"
    "include/ascendc/vec_transpose.h"
    "include/ascendc/vec_unary.h"
    "include/ascendc/workspace.h"
    "include/base/alog_pub.h"
    "include/base/err_msg.h"
    "include/base/log_types.h"
    "include/common/util/error_manager/error_manager.h"
    "include/cpu_debug_launch.h"
    "include/exe_graph/runtime/compute_node_info.h"
    "include/exe_graph/runtime/continuous_vector.h"
    "include/exe_graph/runtime/extended_kernel_context.h"
    "include/exe_graph/runtime/infer_datatype_context.h"
    "include/exe_graph/runtime/infer_shape_context.h"
    "include/exe_graph/runtime/infer_shape_range_context.h"
    "include/exe_graph/runtime/runtime_attrs.h"
    "include/exe_graph/runtime/shape.h"
    "include/exe_graph/runtime/storage_format.h"
    "include/exe_graph/runtime/storage_shape.h"
    "include/exe_graph/runtime/tensor.h"
    "include/exe_graph/runtime/tensor_data.h"
    "include/exe_graph/runtime/tiling_context.h"
    "include/exe_graph/runtime/tiling_data.h"
    "include/exe_graph/runtime/tiling_parse_context.h"
    "include/experiment/metadef/common/util/error_manager/error_manager.h"
    "include/graph/ascend_string.h"
    "include/graph/c_types.h"
    "include/graph/ge_error_codes.h"
    "include/graph/operator.h"
    "include/graph/operator_reg.h"
    "include/graph/tensor.h"
    "include/graph/types.h"
    "include/graph/utils/type_utils.h"
    "include/impl/dav_c220/kernel_operator_reg_others_impl.h"
    "include/kernel_basic_intf.h"
    "include/kernel_common.h"
    "include/kernel_operator.h"
    "include/kernel_operator_intf.h"
    "include/kernel_operator_list_tensor_intf.h"
    "include/kernel_tensor.h"
    "include/kernel_tensor_impl.h"
    "include/kernel_tiling/kernel_tiling.h"
    "include/kernel_tpipe.h"
    "include/kernel_tpipe_impl.h"
    "include/kernel_type.h"
    "include/kernel_utils.h"
    "include/lib/activation/kernel_operator_sigmoid_intf.h"
    "include/lib/activation/kernel_operator_softmax_intf.h"
    "include/lib/math/kernel_operator_acos_intf.h"
    "include/lib/math/kernel_operator_acosh_intf.h"
    "include/lib/math/kernel_operator_asin_intf.h"
    "include/lib/math/kernel_operator_asinh_intf.h"
    "include/lib/math/kernel_operator_atan_intf.h"
    "include/lib/math/kernel_operator_atanh_intf.h"
    "include/lib/math/kernel_operator_ceil_intf.h"
    "include/lib/math/kernel_operator_cos_intf.h"
    "include/lib/math/kernel_operator_cosh_intf.h"
    "include/lib/math/kernel_operator_erf_intf.h"
    "include/lib/math/kernel_operator_erfc_intf.h"
    "include/lib/math/kernel_operator_exp_intf.h"
    "include/lib/math/kernel_operator_floor_intf.h"
    "include/lib/math/kernel_operator_frac_intf.h"
    "include/lib/math/kernel_operator_log_intf.h"
    "include/lib/math/kernel_operator_power_intf.h"
    "include/lib/math/kernel_operator_round_intf.h"
    "include/lib/math/kernel_operator_sign_intf.h"
    "include/lib/math/kernel_operator_sin_intf.h"
    "include/lib/math/kernel_operator_sinh_intf.h"
    "include/lib/math/kernel_operator_tan_intf.h"
    "include/lib/math/kernel_operator_tanh_intf.h"
    "include/lib/math/kernel_operator_trunc_intf.h"
    "include/lib/matmul_intf.h"
    "include/lib/reduce/kernel_operator_mean_intf.h"
    "include/lib/reduce/kernel_operator_sum_intf.h"
    "include/lib/select/kernel_operator_selectwithbytesmask_intf.h"
    "include/lib/sigmoid/kernel_operator_sigmoid_intf.h"
    "include/op_common/log/error_code.h"
    "include/op_common/log/log.h"
    "include/op_common/op_host/infershape_broadcast_util.h"
    "include/op_common/op_host/infershape_elewise_util.h"
    "include/op_common/op_host/infershape_reduce_util.h"
    "include/op_common/op_host/tiling_base_class.h"
    "include/op_common/op_host/tiling_base_util.h"
    "include/op_common/op_host/util/bfloat16.h"
    "include/op_common/op_host/util/const_util.h"
    "include/op_common/op_host/util/fp16.h"
    "include/op_common/op_host/util/math_util.h"
    "include/op_common/op_host/util/opbase_export.h"
    "include/op_common/op_host/util/platform_util.h"
    "include/op_common/op_host/util/shape_util.h"
    "include/platform/platform_info.h"
    "include/platform/platform_info_def.h"
    "include/platform/platform_infos_def.h"
    "include/platform/soc_spec.h"
    "include/register/device_op_impl_registry.h"
    "include/register/op_def.h"
    "include/register/op_def_registry.h"
    "include/register/op_impl_registry.h"
    "include/register/tilingdata_base.h"
    "include/securec.h"
    "include/tikicpulib.h"
    "include/tiling/adv_tiling.h"
    "include/tiling/platform/platform_ascendc.h"
    "include/tiling/template_argument.h"
    "include/tiling/tiling_api.h"
    "include/toolchain/slog.h"
    "include/utils/debug/asc_printf.h"
    "include/utils/tiling/template_argument.h"
    "src/acl.cpp"
    "src/adv_activation.cpp"
    "src/adv_math.cpp"
    "src/adv_norm.cpp"
    "src/adv_reduce.cpp"
    "src/adv_reduce_pattern.cpp"
    "src/adv_select.cpp"
    "src/adv_softmax.cpp"
    "src/adv_transform.cpp"
    "src/advanced.cpp"
    "src/advanced.h"
    "src/arithmetic.h"
    "src/blocks.cpp"
    "src/blocks.h"
    "src/core.cpp"
    "src/core.h"
    "src/cross_core.cpp"
    "src/data_copy.cpp"
    "src/debug.cpp"
    "src/elementary.h"
    "src/global.cpp"
    "src/host.cpp"
    "src/launch.cpp"
    "src/launch.h"
    "src/list_tensor.cpp"
    "src/main.cpp"
    "src/mask.cpp"
    "src/memory.cpp"
    "src/memory.h"
    "src/numeric.cpp"
    "src/numeric.h"
    "src/operator_main.cpp"
    "src/pipes.cpp"
    "src/pipes.h"
    "src/precompiled.h"
    "src/queue.cpp"
    "src/races.h"
    "src/recorder.cpp"
    "src/recorder.h"
    "src/report.cpp"
    "src/report.h"
    "src/scalar_cache.cpp"
    "src/system.cpp"
    "src/tensor.cpp"
    "src/tiling.cpp"
    "src/vec_binary.cpp"
    "src/vec_cast.cpp"
    "src/vec_compare.cpp"
    "src/vec_compound.cpp"
    "src/vec_fill.cpp"
    "src/vec_gather.cpp"
    "src/vec_reduce.cpp"
    "src/vec_scalar.cpp"
    "src/vec_sort.cpp"
    "src/vec_transpose.cpp"
    "src/vec_unary.cpp"
    "src/vector.cpp"
    "src/vector.h"
    "src/workspace.cpp"
};

/// The program that asks the host files of an operator.
pub(super) const OPERATOR_MAIN: &str = "src/operator_main.cpp";

/// Iterates over the sources of the machine that are compiled.
pub(super) fn sources() -> impl Iterator<Item = &'static Embedded> {
    FILES
        .iter()
        .filter(|f| f.path.ends_with(".cpp") && f.path != OPERATOR_MAIN)
}

/// True if jumar has a header of this name.
pub(super) fn has_header(name: &str) -> bool {
    FILES
        .iter()
        .any(|f| f.path.strip_prefix("include/") == Some(name))
}

/// Iterates over the include guards of the family headers. A source read with these macros defined
/// contains nothing of those headers.
pub(super) fn guards() -> impl Iterator<Item = &'static str> {
    let is_family = |f: &&Embedded| {
        let name = f.path.strip_prefix("include/ascendc/");
        name.is_some_and(|name| !name.contains('/'))
    };
    let families = FILES.iter().filter(is_family);
    families.filter_map(|f| f.text.split("#ifndef ").nth(1)?.split_whitespace().next())
}

#[cfg(test)]
mod tests {
    use super::FILES;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn walk(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder of the headers") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let below = path.strip_prefix(root).expect("it lies below");
                found.insert(below.to_string_lossy().replace('\\', "/"));
            }
        }
    }

    #[test]
    fn every_file_is_embedded() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc");
        let mut found = BTreeSet::new();
        walk(&root, &root.join("include"), &mut found);
        walk(&root, &root.join("src"), &mut found);
        let listed: BTreeSet<String> = FILES.iter().map(|f| f.path.to_string()).collect();
        assert_eq!(
            listed, found,
            "runtime/src/ascendc/embed.rs lists the files of runtime/ascendc"
        );
    }
}
