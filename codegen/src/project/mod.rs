//! The files of each project kind: texts, names and build files.
//!
//! Layouts, CMake commands and option names are those of CANN's own projects; the texts are ours.

mod asc;
mod direct;
mod msopgen;
mod torch;
mod torch_test;

use crate::cpp::Cpp;
use crate::plan::Plan;
use crate::{release, EmitOptions, File, ProjectKind};
use jumar_dsl::ir::Per;

/// Returns the files in their order.
pub(crate) fn files(plan: &Plan<'_>, options: &EmitOptions) -> Vec<File> {
    match options.kind {
        ProjectKind::Direct => direct::files(plan),
        ProjectKind::Asc => asc::files(plan),
        ProjectKind::Msopgen => msopgen::files(plan),
        ProjectKind::Torch => torch::files(plan),
    }
}

fn file(path: impl Into<String>, text: impl Into<String>) -> File {
    File {
        path: path.into(),
        text: text.into(),
    }
}

/// Prints the opening comment of a kernel source: the kernel's own documentation, if it has some.
pub(crate) fn opening(plan: &Plan<'_>, out: &mut Cpp) {
    let doc = plan.sig.doc.trim();
    let chip = plan.chip.soc_version;
    out.comment(&format!(
        "Kernel `{}`, emitted by jumar for {chip}.",
        plan.sig.name
    ));
    if !doc.is_empty() {
        out.line("//");
        for line in doc.lines() {
            out.comment(line.trim());
        }
    }
}

/// Returns the README's words about the order of vector calls, for every kind.
fn order(plan: &Plan<'_>) -> String {
    format!(
        "{}{}",
        order_of_pipes(plan),
        if plan.meets() { MEETINGS } else { "" }
    )
}

/// The README's words about blocks that wait for one another.
const MEETINGS: &str = "\n\nBlocks wait for one another (`SyncAll`): the tiling function starts no more of them than the chip has vector cores, and the \
     kernel is one of vector cores alone that has the flags of a mixed one. All of its blocks must get their cores at once: operators ask \
     for that with `SetScheduleMode(1)`, `.asc` kernels with `__schedmode__(1)`. A kernel library of CANN 8 has no such word: launch it where \
     no other stream runs a kernel that waits in this way.";

fn order_of_pipes(plan: &Plan<'_>) -> &'static str {
    if plan.barriers {
        "Vector calls that depend on one another have a `PipeBarrier<PIPE_V>` between them, so that the kernel needs no automatic \
         synchronisation of vector calls."
    } else {
        "Between vector calls that depend on one another stands nothing: the kernel relies on the compiler's automatic synchronisation, \
         which the build files ask for, or leave on where it is the default. For a build without it `jumar emit --barriers` writes \
         `PipeBarrier<PIPE_V>` where it is needed."
    }
}

/// Returns the facts of the kernel for the README of a kind. For lists they say whether the project
/// takes all items of a launch.
fn about(plan: &Plan<'_>, kind: ProjectKind) -> String {
    let takes_lists = matches!(kind, ProjectKind::Msopgen | ProjectKind::Torch);
    let sig = plan.sig;
    let mut text = format!("# {}\n\n", sig.name);
    if !sig.doc.trim().is_empty() {
        text.push_str(&format!("{}\n\n", sig.doc.trim()));
    }
    text.push_str(&format!(
        "AscendC kernel, emitted by jumar and checked for {} ({}, {} vector cores). Tiles are as large as UB \
         allows and blocks as many as the chip has cores that the program finds itself on; emit again for another architecture.\n\n",
        plan.chip.name, plan.chip.soc_version, plan.chip.vector_cores
    ));
    text.push_str(&format!(
        "The project needs {}.\n\n",
        release::of_plan(plan, kind)
    ));
    if sig.lists().next().is_some() {
        text.push_str(match takes_lists {
            true => "Lists have one tensor for each item; a launch does all items, whose shapes may differ.\n\n",
            false => {
                "The kernel is written for lists, and this project launches it for one item: what is a list below is a tensor or a \
                 number here. Launch it once for each item.\n\n"
            }
        });
    }
    text.push_str("| parameter | kind | dtype | shape |\n|---|---|---|---|\n");
    for (id, p, role, ty) in sig.tensors() {
        let dims: Vec<_> = sig
            .shape(id)
            .iter()
            .map(|d| match d {
                jumar_dsl::ir::Dim::Axis { axis } => {
                    let axis = &sig.axes[axis.index()];
                    if axis.many {
                        format!("{}..", axis.name)
                    } else {
                        axis.name.clone()
                    }
                }
                jumar_dsl::ir::Dim::At { axis, dim } => {
                    format!("{} @ {}", sig.axes[axis.index()].name, sig.param(*dim).name)
                }
                jumar_dsl::ir::Dim::Expr { size } => {
                    size.as_int().map_or("computed".into(), |n| n.to_string())
                }
            })
            .collect();
        let role = match (p.per, sig.is_optional(id)) {
            (Per::Item, _) => format!("list, {}", role_word(role)),
            (_, true) if role == jumar_dsl::ir::Role::InOut => {
                "input that may be left out, changed in place".to_string()
            }
            (_, true) => format!("{} that may be left out", role_word(role)),
            (_, false) => role_word(role).to_string(),
        };
        text.push_str(&format!(
            "| `{}` | {role} | `{}` | [{}] |\n",
            p.name,
            sig.ty_name(ty),
            dims.join(", ")
        ));
    }
    for (id, p, ty, default) in sig.attrs() {
        if p.per == Per::Place {
            if !takes_lists {
                text.push_str(&format!(
                    "| `{}` | number of the item, from 0 on | `{}` | |\n",
                    p.name,
                    ty.word()
                ));
            }
            continue;
        }
        let choices = sig.choices(id);
        let default = match default.map(|value| (value, p.kind.choice(value))) {
            Some((_, Some(name))) => format!("default `{name}`"),
            Some((value, None)) => format!("default {value}"),
            None => "required".into(),
        };
        let ty = match (sig.part(id), choices.is_empty()) {
            (Some(part), _) => {
                format!(
                    "number {} of the list `{}`, `{}`",
                    part.at,
                    part.of,
                    ty.word()
                )
            }
            (None, true) if p.per == Per::Item => format!("list of `{}`", ty.word()),
            (None, true) => format!("`{}`", ty.word()),
            (None, false) => choices
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(" or "),
        };
        text.push_str(&format!(
            "| `{}` | attribute, {default} | {ty} | |\n",
            p.name
        ));
    }
    text.push('\n');
    if !sig.dtypes.is_empty() {
        let params: Vec<_> = sig.dtypes.iter().map(|d| format!("`{}`", d.name)).collect();
        text.push_str(&format!("Combinations of {}:\n\n", params.join(", ")));
        for lowered in plan.instances {
            let dtypes: Vec<_> = lowered
                .binding()
                .iter()
                .map(|d| format!("`{}`", d.ascendc()))
                .collect();
            let keys: Vec<_> = plan
                .entries
                .iter()
                .filter(|e| plan.instances[e.at].instance == lowered.instance)
                .map(|e| e.key.to_string())
                .collect();
            text.push_str(&format!(
                "- {} (tiling key {})\n",
                dtypes.join(", "),
                keys.join(", ")
            ));
        }
        text.push('\n');
        text.push_str(&open_types(plan));
    }
    text
}

/// Returns the README's words about dtypes that only optional tensors have.
fn open_types(plan: &Plan<'_>) -> String {
    let sig = plan.sig;
    let open: Vec<_> = (0..sig.dtypes.len())
        .filter(|p| sig.is_open(*p as u8))
        .map(|p| format!("`{}`", sig.dtypes[p].name))
        .collect();
    match open.is_empty() {
        true => String::new(),
        false => format!(
            "Of {} tensors tell that may be left out. Without them the first combination is taken that has the types of what is given.\n\n",
            open.join(" and of ")
        ),
    }
}

fn role_word(role: jumar_dsl::ir::Role) -> &'static str {
    match role {
        jumar_dsl::ir::Role::In => "input",
        jumar_dsl::ir::Role::Out => "output",
        jumar_dsl::ir::Role::InOut => "input, changed in place",
    }
}

/// Returns the README's words about feeding a direct-launch program.
fn running(plan: &Plan<'_>) -> String {
    let stem = &plan.names.kernel;
    let tensors = &plan.tensors;
    let names = |wanted: &dyn Fn(jumar_dsl::ir::Role) -> bool, word: &str| {
        let list: Vec<_> = tensors
            .iter()
            .filter(|(_, role, _)| wanted(*role))
            .map(|(_, _, n)| format!("`{word}_{n}.bin`"))
            .collect();
        list.join(", ")
    };
    let inputs = names(&|r| r != jumar_dsl::ir::Role::Out, "input");
    let outputs = names(&|r| r != jumar_dsl::ir::Role::In, "output");
    let reads = if inputs.is_empty() {
        String::new()
    } else {
        format!("reads {inputs} and ")
    };
    let may_be_asked = tensors
        .iter()
        .find(|(id, role, _)| *role == jumar_dsl::ir::Role::Out && plan.sig.is_optional(*id));
    let asked = may_be_asked.map_or(String::new(), |(.., name)| {
        format!(" An output that may be left out is one that is named, with sizes or without: `{name}=`.")
    });
    format!(
        "The program {reads}writes {outputs} in the current directory: raw elements in row-major order. Shapes are written \
         `32x1024`.{asked}\n\n```\n{stem}_main {}\n```\n",
        crate::host::main::usage(plan)
    )
}
