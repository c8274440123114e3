//! The tiling data: one struct for every instance and variant. Members are sorted by size, largest
//! first, and padded to 8 bytes. The plain struct and the macro style therefore have equal bytes on
//! both sides.

use crate::cpp::Cpp;
use crate::names::Scope;
use crate::plan::Plan;

/// Returns the members with their types and comments, padding included.
pub(crate) fn members(plan: &Plan<'_>) -> Vec<(&'static str, String, &'static str)> {
    let mut all: Vec<_> = plan
        .names
        .fields
        .iter()
        .map(|f| (f.cpp_type(), f.member.clone(), ""))
        .collect();
    if all.iter().filter(|(ty, ..)| *ty != "int64_t").count() % 2 == 1 {
        all.push(("int32_t", "reserved".into(), " // pads to 8 bytes"));
    }
    if all.is_empty() {
        all.push((
            "int64_t",
            "reserved".into(),
            " // a struct without members has no fixed size",
        ));
    }
    all
}

/// Prints the plain struct under `name`.
pub(crate) fn plain(plan: &Plan<'_>, name: &str, out: &mut Cpp) {
    out.line(format_args!("struct {name} {{"));
    out.inside(|out| {
        for (ty, member, note) in members(plan) {
            out.line(format_args!("{ty} {member};{note}"));
        }
    });
    out.line("};");
}

/// Prints the macro style of operator projects, with its registration.
pub(crate) fn macros(plan: &Plan<'_>, out: &mut Cpp) {
    let name = &plan.names.data;
    out.line(format_args!("BEGIN_TILING_DATA_DEF({name})"));
    for (ty, member, note) in members(plan) {
        out.line(format_args!("TILING_DATA_FIELD_DEF({ty}, {member});{note}"));
    }
    out.line("END_TILING_DATA_DEF;");
    out.blank();
    out.line(format_args!(
        "REGISTER_TILING_DATA_CLASS({}, {name})",
        plan.names.op
    ));
}

/// The most items of an operator with lists: the tiling data has the fields of each. CANN's own
/// operators with lists take 50.
pub(crate) const MAX_ITEMS: usize = 64;

/// Members of the tiling data of an operator with lists, besides the fields of each item. For each
/// item they have the tiling key, the number of its blocks, the first of them, and the beginning of
/// its workspace.
pub(crate) struct ItemMembers {
    pub(crate) key: String,
    pub(crate) blocks: String,
    pub(crate) first: String,
    pub(crate) workspace: Option<String>,
    /// The number of items.
    pub(crate) count: String,
}

impl ItemMembers {
    pub(crate) fn new(plan: &Plan<'_>) -> ItemMembers {
        let mut scope = Scope::with(&["reserved"]);
        plan.names.fields.iter().for_each(|f| {
            scope.unique(&f.member);
        });
        ItemMembers {
            key: scope.unique("itemKey"),
            blocks: scope.unique("itemBlocks"),
            first: scope.unique("firstBlock"),
            workspace: plan
                .names
                .takes_workspace
                .then(|| scope.unique("workspaceAt")),
            count: scope.unique("itemNum"),
        }
    }

    /// Returns the members that each item has, with their types, those of 64 bits first.
    pub(crate) fn of_items(&self, plan: &Plan<'_>) -> Vec<(&'static str, String)> {
        let own = [
            Some(&self.key),
            Some(&self.blocks),
            Some(&self.first),
            self.workspace.as_ref(),
        ];
        let own = own
            .into_iter()
            .flatten()
            .map(|name| ("int64_t", name.clone()));
        own.chain(
            plan.names
                .fields
                .iter()
                .map(|f| (f.cpp_type(), f.member.clone())),
        )
        .collect()
    }
}

/// Prints the registered tiling data of an operator with lists: one array for each field. The size
/// of each array is a multiple of 8 bytes.
pub(crate) fn item_macros(plan: &Plan<'_>, out: &mut Cpp) {
    let (name, members) = (&plan.names.items, ItemMembers::new(plan));
    out.line(format_args!("constexpr int64_t MAX_ITEMS = {MAX_ITEMS};"));
    out.blank();
    out.line(format_args!("BEGIN_TILING_DATA_DEF({name})"));
    out.line(format_args!(
        "TILING_DATA_FIELD_DEF(int64_t, {});",
        members.count
    ));
    for (ty, member) in members.of_items(plan) {
        out.line(format_args!(
            "TILING_DATA_FIELD_DEF_ARR({ty}, MAX_ITEMS, {member});"
        ));
    }
    out.line("END_TILING_DATA_DEF;");
    out.blank();
    out.line(format_args!(
        "REGISTER_TILING_DATA_CLASS({}, {name})",
        plan.names.op
    ));
}

/// Prints the copy of a plain struct into the macro style, member by member.
pub(crate) fn copy(plan: &Plan<'_>, from: &str, to: &str, out: &mut Cpp) {
    for field in &plan.names.fields {
        out.line(format_args!("{to}.set_{0}({from}.{0});", field.member));
    }
}

/// Returns the header that both sides include in direct launches.
pub(crate) fn header(plan: &Plan<'_>) -> String {
    let mut out = Cpp::new();
    let guard = format!("{}_TILING_H", crate::names::screaming(&plan.names.kernel));
    out.comment(&format!(
        "Tiling data of the kernel `{}`: what the host decides and every core reads.",
        plan.sig.name
    ));
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
