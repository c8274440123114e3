//! Host code of operators with lists: each item is bound and tiled for itself, and all of them are
//! one launch.
//!
//! The tiling function of the kernel is that of an item. Items share the cores. The blocks of an
//! item follow those of the item before, so that many small tensors use many cores, and a large one
//! uses all of them.

use super::dtypes::instance_of;
use super::register::{declare_args, input_shapes, output_shapes, tensors};
use super::{data, data::ItemMembers};
use crate::cpp::Cpp;
use crate::plan::Plan;
use jumar_dsl::ir::Per;

/// The alignment of the items' workspaces in bytes: a line of the L2 cache.
const WORKSPACE_ALIGN: i64 = 512;

/// Prints `ItemsOf`, the number of items of the lists.
pub(super) fn count(plan: &Plan<'_>, out: &mut Cpp) {
    let lists: Vec<String> = tensors(plan)
        .iter()
        .filter(|t| t.list)
        .filter_map(|t| Some(t.input?.to_string()))
        .collect();
    out.blank();
    out.comment("How many items the lists have; -1 where they are not equally long.");
    out.line("template <typename Context>");
    out.function("int64_t ItemsOf(const Context *context)", |out| {
        out.line("int64_t items = -1;");
        out.block(format_args!("for (size_t list : {{{}}})", lists.join(", ")), |out| {
            out.line("const auto *tensors = context->GetIrInputInstanceInfo(list);");
            out.line("const int64_t own = tensors == nullptr ? -1 : static_cast<int64_t>(tensors->GetInstanceNum());");
            out.block("if (own < 0 || (items >= 0 && own != items))", |out| {
                out.line(format_args!("std::fprintf(stderr, \"{}: lists are equally long\\n\");", plan.names.op));
                out.line("return -1;");
            });
            out.line("items = own;");
        });
        out.line("return items;");
    });
}

/// Prints the number of the item into the arguments.
pub(super) fn place(plan: &Plan<'_>, out: &mut Cpp) {
    if let Some(id) = plan.sig.place().filter(|_| plan.items) {
        out.line(format_args!("args.{} = item;", plan.names.attr(id)));
    }
}

/// Returns the call that reads the attributes.
pub(super) fn read_attrs(plan: &Plan<'_>) -> String {
    let of_items = plan.items && plan.sig.attrs().any(|(_, p, ..)| p.per == Per::Item);
    let item = if of_items {
        "static_cast<size_t>(item), static_cast<size_t>(items), "
    } else {
        ""
    };
    format!("ReadAttrs(context, {item}args)")
}

/// Prints the tiling of all items.
pub(super) fn tiling(plan: &Plan<'_>, out: &mut Cpp) {
    let (op, members) = (&plan.names.op, ItemMembers::new(plan));
    let tensors = tensors(plan);
    out.line("namespace optiling {");
    if !plan.sig.dtypes.is_empty() {
        instance_of(plan, &tensors, out);
        out.blank();
    }
    out.function("static ge::graphStatus TilingFunc(gert::TilingContext *context)", |out| {
        out.line("const int64_t items = ItemsOf(context);");
        out.block("if (items < 0)", |out| out.line("return ge::GRAPH_FAILED;"));
        out.block("if (items > MAX_ITEMS)", |out| {
            out.stmt(format_args!("std::fprintf(stderr, \"{op}: lists have at most {} items\\n\")", data::MAX_ITEMS));
            out.line("return ge::GRAPH_FAILED;");
        });
        out.line("const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());");
        out.line(format_args!("const {} chip = ChipOf(platform);", plan.names.chip));
        // Without items there is no tensor that determines the instance.
        let instance = if plan.sig.dtypes.is_empty() { "0" } else { "items > 0 ? DtypeInstance(context) : 0" };
        out.line(format_args!("const int32_t instance = {instance};"));
        out.line("struct {");
        out.inside(|out| {
            for (ty, member) in members.of_items(plan) {
                out.line(format_args!("{ty} {member}[MAX_ITEMS];"));
            }
        });
        out.line("} all = {};");
        out.line("int64_t blocks = 0;");
        out.line("int64_t blockDim = 1;");
        out.line("int64_t workspaceSize = 0;");
        out.line("for (int64_t item = 0; item < items; ++item) {");
        out.inside(|out| one(plan, &members, out));
        out.line("}");
        out.comment("Items that have fewer blocks than there are cores lie beside one another.");
        out.line("blockDim = std::max(blockDim, std::min(blocks, static_cast<int64_t>(chip.vectorCores)));");
        out.block("for (int64_t item = 0; item < items; ++item)", |out| {
            out.line(format_args!("all.{}[item] %= blockDim;", members.first));
        });
        out.blank();
        out.line(format_args!("{} data;", plan.names.items));
        out.line(format_args!("data.set_{}(items);", members.count));
        for (_, member) in members.of_items(plan) {
            out.line(format_args!("data.set_{member}(all.{member});"));
        }
        out.line("gert::TilingData *raw = context->GetRawTilingData();");
        out.block("if (raw == nullptr || raw->GetData() == nullptr || raw->GetCapacity() < data.GetDataSize())", |out| {
            out.line(format_args!("std::fprintf(stderr, \"{op}: no room for the tiling data\\n\");"));
            out.line("return ge::GRAPH_FAILED;");
        });
        out.line("data.SaveToBuffer(raw->GetData(), raw->GetCapacity());");
        out.line("raw->SetDataSize(data.GetDataSize());");
        out.comment("One key for an instance; each item has that of its variant.");
        let keys = plan.instances[0].keys;
        out.line(format_args!("context->SetTilingKey(static_cast<uint64_t>(instance * {keys} + 1));"));
        out.line("context->SetBlockDim(static_cast<uint32_t>(blockDim));");
        super::register::workspace(plan, "workspaceSize", out);
        out.line("return ge::GRAPH_SUCCESS;");
    });
    out.line("} // namespace optiling");
}

/// Prints the tiling of one item.
fn one(plan: &Plan<'_>, members: &ItemMembers, out: &mut Cpp) {
    let (op, launch) = (&plan.names.op, &plan.names.launch);
    let tensors = tensors(plan);
    out.line(format_args!("{launch}::Shapes shapes;"));
    input_shapes(plan, &tensors, true, out);
    output_shapes(&tensors, out);
    declare_args(plan, &tensors, out);
    place(plan, out);
    out.line(format_args!("{} tiling;", plan.names.tiling));
    out.line("std::string error = \"an attribute is missing\";");
    let mut tests = Vec::new();
    if plan.sig.attrs().any(|(_, p, ..)| p.per != Per::Place) {
        tests.push(read_attrs(plan));
    }
    tests.push(format!("{launch}::BindShapes(shapes, args, &error)"));
    tests.push(format!(
        "{}(args, chip, instance, tiling, &error)",
        plan.names.compute
    ));
    out.wrapped(format_args!("if (!({}))", tests.join(" && ")), " {");
    out.inside(|out| {
        out.stmt(format_args!("std::fprintf(stderr, \"{op}: item %lld: %s\\n\", static_cast<long long>(item), error.c_str())"));
        out.line("return ge::GRAPH_FAILED;");
    });
    out.line("}");
    if let Some(axis) = plan.sig.items {
        let (member, name) = (
            &plan.names.axes[axis.index()],
            &plan.sig.axes[axis.index()].name,
        );
        out.block(format_args!("if (args.{member} != items)"), |out| {
            out.line(format_args!(
                "std::fprintf(stderr, \"{op}: axis {name} is not as long as the lists\\n\");"
            ));
            out.line("return ge::GRAPH_FAILED;");
        });
    }
    out.line(format_args!(
        "all.{}[item] = tiling.tilingKey;",
        members.key
    ));
    out.line(format_args!(
        "all.{}[item] = tiling.blockDim;",
        members.blocks
    ));
    out.line(format_args!("all.{}[item] = blocks;", members.first));
    if let Some(at) = &members.workspace {
        out.line(format_args!("all.{at}[item] = workspaceSize;"));
        out.line(format_args!(
            "workspaceSize += (tiling.workspaceSize + {}) / {WORKSPACE_ALIGN} * {WORKSPACE_ALIGN};",
            WORKSPACE_ALIGN - 1
        ));
    }
    for field in &plan.names.fields {
        out.line(format_args!(
            "all.{0}[item] = tiling.data.{0};",
            field.member
        ));
    }
    out.line("blocks += tiling.blockDim;");
    out.line("blockDim = std::max(blockDim, tiling.blockDim);");
}
