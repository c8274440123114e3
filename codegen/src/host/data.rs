//! The tiling data: one struct for every instance and variant, members in falling size, padded to 8 bytes, so that
//! the plain struct and the macro style give the same bytes on both sides.

use crate::cpp::Cpp;
use crate::plan::Plan;

/// Members with their types, padding included.
fn members(plan: &Plan<'_>) -> Vec<(&'static str, String, &'static str)> {
    let mut all: Vec<_> = plan.names.fields.iter().map(|f| (f.cpp_type(), f.member.clone(), "")).collect();
    if all.iter().filter(|(ty, ..)| *ty != "int64_t").count() % 2 == 1 {
        all.push(("int32_t", "reserved".into(), " // pads to 8 bytes"));
    }
    if all.is_empty() {
        all.push(("int64_t", "reserved".into(), " // a struct without members has no fixed size"));
    }
    all
}

/// The plain struct under `name`.
pub(crate) fn plain(plan: &Plan<'_>, name: &str, out: &mut Cpp) {
    out.line(format_args!("struct {name} {{"));
    out.inside(|out| {
        for (ty, member, note) in members(plan) {
            out.line(format_args!("{ty} {member};{note}"));
        }
    });
    out.line("};");
}

/// The macro style of operator projects, with its registration.
pub(crate) fn macros(plan: &Plan<'_>, out: &mut Cpp) {
    let name = &plan.names.data;
    out.line(format_args!("BEGIN_TILING_DATA_DEF({name})"));
    for (ty, member, note) in members(plan) {
        out.line(format_args!("TILING_DATA_FIELD_DEF({ty}, {member});{note}"));
    }
    out.line("END_TILING_DATA_DEF;");
    out.blank();
    out.line(format_args!("REGISTER_TILING_DATA_CLASS({}, {name})", plan.names.op));
}

/// Copies a plain struct into the macro style, member by member.
pub(crate) fn copy(plan: &Plan<'_>, from: &str, to: &str, out: &mut Cpp) {
    for field in &plan.names.fields {
        out.line(format_args!("{to}.set_{0}({from}.{0});", field.member));
    }
}

/// The header that both sides include in direct launches.
pub(crate) fn header(plan: &Plan<'_>) -> String {
    let mut out = Cpp::new();
    let guard = format!("{}_TILING_H", crate::names::screaming(&plan.names.kernel));
    out.comment(&format!("Tiling data of the kernel `{}`: what the host decides and every core reads.", plan.sig.name));
    out.line(format_args!("#ifndef {guard}"));
    out.line(format_args!("#define {guard}"));
    out.blank();
    out.line("#include <cstdint>");
    out.blank();
    plain(plan, &plan.names.data, &mut out);
    out.blank();
    out.line(format_args!("#endif // {guard}"));
    out.finish()
}
