//! The chip of a launch: the facts for the tiling function, and how the platform is asked for them.
//!
//! One binary serves chips of one architecture with 48 and with 40 vector cores. The tiling
//! function therefore takes the facts as an argument. Their defaults are those of the chip that the
//! kernel was checked for.

use crate::cpp::Cpp;
use crate::plan::Plan;

/// Prints the struct of the facts.
pub(super) fn facts(plan: &Plan<'_>, out: &mut Cpp) {
    out.comment(&format!(
        "The chip that a launch runs on; the numbers are those of {}.",
        plan.chip.soc_version
    ));
    out.line("struct Chip {");
    out.inside(|out| {
        out.line(format_args!(
            "int64_t vectorCores = {};",
            plan.chip.vector_cores
        ));
        out.line(format_args!(
            "int64_t ubBytes = {}; // what a kernel may plan with",
            plan.chip.ub_usable()
        ));
        if asks_for_l2(plan) {
            out.line(format_args!("int64_t l2Bytes = {};", plan.chip.l2_bytes));
        }
    });
    out.line("};");
}

/// True if the tiling function asks whether L2 holds a tensor.
fn asks_for_l2(plan: &Plan<'_>) -> bool {
    plan.instances
        .iter()
        .flat_map(|lowered| &lowered.variants)
        .any(|variant| !variant.once.is_empty())
}

/// The header that declares the platform.
pub(crate) const INCLUDE: &str = "#include \"tiling/platform/platform_ascendc.h\"";

/// Prints `ChipOf`, from the platform to the facts.
pub(super) fn chip_of(plan: &Plan<'_>, out: &mut Cpp) {
    let (chip, kept) = (&plan.names.chip, plan.chip.ub_library_bytes);
    out.comment("What a kernel may use of the chip. Never more of UB than it was checked for.");
    out.function(format_args!("{chip} ChipOf(const platform_ascendc::PlatformAscendC &platform)"), |out| {
        out.line(format_args!("constexpr int64_t LIBRARY_BYTES = {kept}; // of UB, which some calls keep"));
        out.line("uint64_t ubBytes = 0;");
        out.line("platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubBytes);");
        out.line(format_args!("{chip} chip;"));
        out.line("chip.vectorCores = platform.GetCoreNumAiv();");
        out.line("chip.ubBytes = std::min(chip.ubBytes, static_cast<int64_t>(ubBytes) - LIBRARY_BYTES);");
        if asks_for_l2(plan) {
            out.line("uint64_t l2Bytes = 0;");
            out.line("platform.GetCoreMemSize(platform_ascendc::CoreMemType::L2, l2Bytes);");
            out.line("chip.l2Bytes = static_cast<int64_t>(l2Bytes);");
        }
        out.line("return chip;");
    });
}
