//! Kernel functions: one for each tiling key in direct launches, one with a branch for each key in
//! an operator project.

use crate::cpp::Cpp;
use crate::host::data::ItemMembers;
use crate::host::dtypes;
use crate::names::{camel, Scope};
use crate::plan::{Entry, Plan};
use crate::release::Feature;
use crate::ProjectKind;
use jumar_dsl::ir::{ParamId, Per, Role};
use jumar_dsl::soc::Arch;

/// Names in a kernel function besides its tensors.
const OWN_NAMES: &[&str] = &[
    "tiling",
    "workspace",
    "userWorkspace",
    "pipe",
    "op",
    "tilingData",
    "item",
    "itemData",
    "blockIdx",
    "blockNum",
    "share",
];

/// A tensor parameter of an entry, and its name there.
pub(super) type Named = (ParamId, Role, String);

/// Prints the entries of the project.
pub(super) fn entries(plan: &Plan<'_>, kind: ProjectKind, namespace: &str, out: &mut Cpp) {
    match kind {
        ProjectKind::Direct | ProjectKind::Asc | ProjectKind::Torch => {
            for (i, entry) in plan.entries.iter().enumerate() {
                if i > 0 {
                    out.blank();
                }
                direct(plan, kind, namespace, entry, out);
            }
        }
        ProjectKind::Msopgen => operator(plan, namespace, out),
    }
}

/// Returns the names of the tensor parameters in an entry.
pub(super) fn tensor_names(plan: &Plan<'_>) -> Vec<Named> {
    let mut scope = Scope::with(OWN_NAMES);
    plan.sig
        .tensors()
        .map(|(id, p, role, _)| (id, role, scope.unique(&camel(&p.name))))
        .collect()
}

fn direct(plan: &Plan<'_>, kind: ProjectKind, namespace: &str, entry: &Entry, out: &mut Cpp) {
    let qualifier = match (kind, plan.chip.arch) {
        // Cores that wait for one another need the flags of a mixed kernel. They must be started at
        // once where several streams share the chip (asc-devkit, pages of SyncAll and of the
        // qualifiers of functions).
        (ProjectKind::Asc, Arch::V220) if entry.meets => {
            "__schedmode__(1) __global__ __mix__(0, 1)"
        }
        (ProjectKind::Asc, Arch::V220) => "__global__ __vector__",
        (ProjectKind::Asc, Arch::M200) => "__global__ __aicore__",
        (ProjectKind::Direct | ProjectKind::Msopgen | ProjectKind::Torch, _) => PLAIN,
    };
    function(
        plan,
        qualifier,
        kind == ProjectKind::Direct,
        namespace,
        entry,
        out,
    );
}

/// The qualifiers of a kernel function for every release, and for the device compiler alone.
const PLAIN: &str = "extern \"C\" __global__ __aicore__";

/// Prints the entries of a source for the device compiler alone, without macros of the toolkit's
/// builds.
pub(super) fn alone(plan: &Plan<'_>, namespace: &str, out: &mut Cpp) {
    for (i, entry) in plan.entries.iter().enumerate() {
        if i > 0 {
            out.blank();
        }
        function(plan, PLAIN, false, namespace, entry, out);
    }
}

fn function(
    plan: &Plan<'_>,
    qualifier: &str,
    says_type: bool,
    namespace: &str,
    entry: &Entry,
    out: &mut Cpp,
) {
    let tensors = tensor_names(plan);
    let mut params: Vec<_> = tensors
        .iter()
        .map(|(_, _, name)| format!("GM_ADDR {name}"))
        .collect();
    if plan.names.takes_workspace {
        params.push("GM_ADDR workspace".into());
    }
    params.push(format!("{} tiling", plan.names.data));
    out.function(
        format_args!("{qualifier} void {}({})", entry.name, params.join(", ")),
        |out| {
            if says_type {
                task_type(plan, entry.meets, out);
            }
            for (id, _, name) in &tensors {
                if !entry.tensors.contains(id) {
                    out.line(format_args!("(void){name};"));
                }
            }
            if plan.names.takes_workspace && !entry.takes_workspace {
                out.line("(void)workspace;");
            }
            if !entry.takes_tiling {
                out.line("(void)tiling;");
            }
            pipe(plan, out);
            run(
                namespace,
                entry,
                &tensors,
                ("workspace", "tiling"),
                &[],
                out,
            );
        },
    );
}

/// Prints the kernel type: vector cores only, which the toolkit would otherwise have to find out.
/// Cores that wait for one another need the flags of a mixed kernel (asc-devkit, pages of SyncAll
/// and of the kernel types).
pub(super) fn task_type(plan: &Plan<'_>, meets: bool, out: &mut Cpp) {
    if plan.chip.arch == Arch::V220 {
        let ty = if meets {
            "KERNEL_TYPE_MIX_AIV_1_0"
        } else {
            "KERNEL_TYPE_AIV_ONLY"
        };
        out.line(format_args!("KERNEL_TASK_TYPE_DEFAULT({ty});"));
    }
}

/// Prints the statements that hand out UB and set the state of the core. Where the author places
/// all tensors, the state is set by hand (asc-devkit, page of static tensors). A kernel without
/// tensors in UB declares an unused TPipe, since some releases lack the free function.
pub(super) fn pipe(plan: &Plan<'_>, out: &mut Cpp) {
    let by_hand = plan.features.contains(&Feature::FreeInitSocState);
    out.line(if by_hand {
        "AscendC::InitSocState();"
    } else {
        "AscendC::TPipe pipe;"
    });
}

/// Prints the code that runs a block's share. `more` are arguments of `Init` besides tensors,
/// workspace, tiling data and pipe.
pub(super) fn run(
    namespace: &str,
    entry: &Entry,
    tensors: &[Named],
    (workspace, tiling): (&str, &str),
    more: &[&str],
    out: &mut Cpp,
) {
    let mut args: Vec<&str> = tensors
        .iter()
        .filter(|(id, ..)| entry.tensors.contains(id))
        .map(|(_, _, name)| name.as_str())
        .collect();
    if entry.takes_workspace {
        args.push(workspace);
    }
    if entry.takes_tiling {
        args.push(tiling);
    }
    if entry.takes_pipe {
        args.push("&pipe");
    }
    args.extend(more);
    out.line(format_args!("{namespace}::{} op;", entry.class));
    out.stmt(format_args!("op.Init({})", args.join(", ")));
    out.line("op.Process();");
}

/// Returns the names that an entry has taken.
pub(super) fn entry_scope(tensors: &[Named]) -> Scope {
    let mut scope = Scope::with(OWN_NAMES);
    tensors.iter().for_each(|(_, _, name)| {
        scope.unique(name);
    });
    scope
}

/// Returns the tensors of an operator's kernel function, inputs, then outputs, and the names that
/// it does not use. A tensor that is updated in place is both, at one address.
pub(super) fn operator_params(plan: &Plan<'_>, tensors: &[Named]) -> (Vec<String>, Vec<String>) {
    let mut scope = entry_scope(tensors);
    let mut params = Vec::new();
    let mut unused = Vec::new();
    if !plan.names.takes_workspace {
        unused.push("workspace".to_string());
    }
    for (id, role, name) in tensors {
        if *role != Role::Out {
            params.push(format!("GM_ADDR {name}"));
            if !plan.entries.iter().any(|e| e.tensors.contains(id)) {
                unused.push(name.clone());
            }
        }
    }
    for (_, role, name) in tensors {
        match role {
            Role::Out => params.push(format!("GM_ADDR {name}")),
            Role::InOut => {
                let same = scope.unique(&format!("{name}Ref"));
                params.push(format!("GM_ADDR {same}"));
                unused.push(same);
            }
            Role::In => {}
        }
    }
    params.push("GM_ADDR workspace".into());
    (params, unused)
}

/// Prints the kernel function of an operator, whose last two parameters are workspace and tiling.
fn operator(plan: &Plan<'_>, namespace: &str, out: &mut Cpp) {
    let tensors = tensor_names(plan);
    let (mut params, unused) = operator_params(plan, &tensors);
    params.push("GM_ADDR tiling".into());
    let head = format!(
        "extern \"C\" __global__ __aicore__ void {}({})",
        plan.names.op_stem,
        params.join(", ")
    );
    out.function(head, |out| {
        task_type(plan, plan.meets(), out);
        unused.iter().for_each(|name| out.line(format_args!("(void){name};")));
        out.line("GET_TILING_DATA(tilingData, tiling);");
        if !plan.items && !plan.entries.iter().any(|e| e.takes_tiling) {
            out.line("(void)tilingData;");
        }
        if plan.names.takes_workspace {
            out.comment("Behind what the toolkit keeps for itself, which the tiling function asks for, too.");
            out.line("GM_ADDR userWorkspace = AscendC::GetUserWorkspace(workspace);");
            out.block("if (userWorkspace == nullptr)", |out| out.line("return;"));
        }
        if plan.items {
            lists(plan, &tensors, out);
        }
        pipe(plan, out);
        for at in 0..plan.instances.len() {
            let entries: Vec<_> = plan.entries.iter().filter(|e| e.at == at).collect();
            keys(plan, namespace, at, &entries, &tensors, out);
        }
    });
}

/// Prints the tiling keys of one dtype instance. The build compiles the text once for each
/// combination of dtypes and makes a kernel of every key that it finds. Keys of other combinations
/// must therefore be absent.
fn keys(
    plan: &Plan<'_>,
    namespace: &str,
    at: usize,
    entries: &[&Entry],
    tensors: &[Named],
    out: &mut Cpp,
) {
    let tests = dtypes::dtype_tests(plan, at);
    if !tests.is_empty() {
        out.raw(&format!("#if {}\n", tests.join(" && ")));
    }
    let dtypes: Vec<_> = plan.instances[at]
        .binding()
        .iter()
        .map(|d| d.ascendc())
        .collect();
    let note = if dtypes.is_empty() {
        String::new()
    } else {
        format!(" // {}", dtypes.join(", "))
    };
    if plan.items {
        if let Some(first) = entries.first() {
            out.line(format_args!("if (TILING_KEY_IS({})) {{{note}", first.key));
            out.inside(|out| items(plan, namespace, entries, tensors, out));
        }
    } else {
        for (i, entry) in entries.iter().enumerate() {
            let head = if i == 0 { "if" } else { "} else if" };
            out.line(format_args!(
                "{head} (TILING_KEY_IS({})) {{{note}",
                entry.key
            ));
            out.inside(|out| {
                run(
                    namespace,
                    entry,
                    tensors,
                    ("userWorkspace", "tilingData"),
                    &[],
                    out,
                )
            });
        }
    }
    if !entries.is_empty() {
        out.line("}");
    }
    if !tests.is_empty() {
        out.raw("#endif\n");
    }
}

/// Prints the descriptors of the lists that the kernel touches.
pub(super) fn lists(plan: &Plan<'_>, tensors: &[Named], out: &mut Cpp) {
    for (id, _, name) in tensors {
        if is_list(plan, *id) && plan.entries.iter().any(|e| e.tensors.contains(id)) {
            let desc = desc_name(tensors, name);
            out.line(format_args!(
                "AscendC::ListTensorDesc {desc}(reinterpret_cast<__gm__ void *>({name}));"
            ));
        }
    }
}

/// Returns the name of a list's descriptor, `xsDesc`, which no tensor has.
fn desc_name(tensors: &[Named], name: &str) -> String {
    entry_scope(tensors).unique(&format!("{name}Desc"))
}

fn is_list(plan: &Plan<'_>, id: ParamId) -> bool {
    plan.sig.param(id).per == Per::Item
}

/// Returns the tensors of an item, as they are passed on.
pub(super) fn of_item(plan: &Plan<'_>, tensors: &[Named], item: &str) -> Vec<Named> {
    let own = |(id, role, name): &Named| match is_list(plan, *id) {
        true => (
            *id,
            *role,
            format!("{}.GetDataPtr<uint8_t>({item})", desc_name(tensors, name)),
        ),
        false => (*id, *role, name.clone()),
    };
    tensors.iter().map(own).collect()
}

/// Prints the loop over items: each has its own tiling data, its own variant and its own part of
/// the launch's blocks.
fn items(plan: &Plan<'_>, namespace: &str, entries: &[&Entry], tensors: &[Named], out: &mut Cpp) {
    let members = ItemMembers::new(plan);
    let ItemMembers {
        key,
        blocks,
        first,
        workspace,
        count,
    } = &members;
    out.line(format_args!(
        "for (int64_t item = 0; item < tilingData.{count}; ++item) {{"
    ));
    out.inside(|out| {
        out.comment("The blocks of an item are those behind the ones of the item before.");
        out.line("const int64_t blockNum = AscendC::GetBlockNum();");
        out.stmt(format_args!(
            "const int64_t blockIdx = (AscendC::GetBlockIdx() + blockNum - tilingData.{first}[item]) % blockNum"
        ));
        // Blocks without a share must still reach the barriers of the others.
        let meets = entries.iter().any(|e| e.meetings > 0);
        if !meets {
            out.block(format_args!("if (blockIdx >= tilingData.{blocks}[item])"), |out| out.line("continue;"));
        }
        if entries.iter().any(|e| e.takes_tiling) {
            out.line(format_args!("{} itemData;", plan.names.data));
            for field in &plan.names.fields {
                out.line(format_args!("itemData.{0} = tilingData.{0}[item];", field.member));
            }
        }
        let space = workspace.as_ref().map(|at| format!("userWorkspace + tilingData.{at}[item]")).unwrap_or_default();
        let own_blocks = format!("tilingData.{blocks}[item]");
        let of_item = of_item(plan, tensors, "item");
        for (i, entry) in entries.iter().enumerate() {
            let one = |out: &mut Cpp| {
                let (idx, num) = entry.takes_block;
                let more: Vec<&str> =
                    [(idx, "blockIdx"), (num, &own_blocks)].iter().filter(|(takes, _)| *takes).map(|m| m.1).collect();
                let share = |out: &mut Cpp| run(namespace, entry, &of_item, (&space, "itemData"), &more, out);
                if !meets {
                    return share(out);
                }
                out.line(format_args!("if (blockIdx < tilingData.{blocks}[item]) {{"));
                out.inside(share);
                if entry.meetings > 0 {
                    out.line("} else {");
                    out.inside(|out| {
                        out.comment("Where the others wait for all blocks.");
                        (0..entry.meetings).for_each(|_| out.line("AscendC::SyncAll<true>();"));
                    });
                }
                out.line("}");
            };
            if entries.len() == 1 {
                one(out);
                continue;
            }
            let head = if i == 0 { "if" } else { "} else if" };
            out.line(format_args!("{head} (tilingData.{key}[item] == {}) {{", entry.key));
            out.inside(one);
        }
        if entries.len() > 1 {
            out.line("}");
        }
        out.comment("The next item takes the memory of this one.");
        out.line("AscendC::PipeBarrier<PIPE_ALL>();");
        out.line("pipe.Reset();");
    });
    out.line("}");
}
