//! The kernel function of a text of one case.

use super::entry::{
    entry_scope, lists, of_item, operator_params, pipe, run, task_type, tensor_names, Named,
};
use crate::cpp::Cpp;
use crate::names::camel;
use crate::plan::{Fixed, Plan};

/// The contents of the kernel function.
pub(crate) struct FixedLaunch<'a> {
    /// The function's name.
    pub(crate) function: &'a str,
    /// Its parameters; see `FixedCase`.
    pub(crate) params: &'a [String],
    /// The items, run one after the other.
    pub(crate) items: Vec<FixedItem>,
}

/// An item, or a whole kernel without lists.
pub(crate) struct FixedItem {
    /// The index of its entry in the plan.
    pub(crate) entry: usize,
    /// The number of its shares.
    pub(crate) blocks: i64,
    /// Members of the tiling data with their values.
    pub(crate) fields: Vec<(String, String)>,
}

/// Prints the kernel function.
pub(super) fn entry(plan: &Plan<'_>, namespace: &str, launch: &FixedLaunch<'_>, out: &mut Cpp) {
    let tensors = tensor_names(plan);
    let (params, unused) = match launch.params {
        [] => operator_params(plan, &tensors),
        names => listed_params(plan, &tensors, names),
    };
    let head = format!(
        "extern \"C\" __global__ __aicore__ void {}({})",
        launch.function,
        params.join(", ")
    );
    let alone = plan.fixed.is_some_and(|Fixed { alone }| alone);
    out.function(head, |out| {
        task_type(plan, plan.meets() && !alone, out);
        unused.iter().for_each(|name| out.line(format_args!("(void){name};")));
        if launch.items.is_empty() {
            return;
        }
        if alone {
            out.comment("What blocks would hand on to others needs memory that this launch does not have: one does all.");
            out.block("if (AscendC::GetBlockIdx() != 0)", |out| out.line("return;"));
        }
        lists(plan, &tensors, out);
        pipe(plan, out);
        let mut first = 0;
        for (nth, item) in launch.items.iter().enumerate() {
            let of_item = of_item(plan, &tensors, &nth.to_string());
            if launch.items.len() == 1 {
                shares(plan, namespace, item, (&of_item, first), out);
            } else {
                out.line("{");
                out.inside(|out| shares(plan, namespace, item, (&of_item, first), out));
                out.line("}");
            }
            first += item.blocks;
        }
    });
}

/// Returns the parameters of these names, and the unused ones among them.
fn listed_params(
    plan: &Plan<'_>,
    tensors: &[Named],
    names: &[String],
) -> (Vec<String>, Vec<String>) {
    let mut scope = entry_scope(tensors);
    let (mut params, mut unused) = (Vec::new(), Vec::new());
    for (at, name) in names.iter().enumerate() {
        let own = tensors
            .iter()
            .find(|(id, ..)| plan.sig.param(*id).name == *name)
            .filter(|_| !names[..at].contains(name));
        let (param, is_used) = match own {
            Some((id, _, param)) => (
                param.clone(),
                plan.entries.iter().any(|e| e.tensors.contains(id)),
            ),
            None => (scope.unique(&camel(name)), false),
        };
        unused.extend((!is_used).then(|| param.clone()));
        params.push(format!("GM_ADDR {param}"));
    }
    if !plan.names.takes_workspace {
        unused.push("workspace".to_string());
    }
    params.push("GM_ADDR workspace".to_string());
    (params, unused)
}

/// Prints the shares of an item. The running blocks take them in a round-robin order, starting
/// after the `first` shares of earlier items.
fn shares(
    plan: &Plan<'_>,
    namespace: &str,
    item: &FixedItem,
    (tensors, first): (&[Named], i64),
    out: &mut Cpp,
) {
    let entry = &plan.entries[item.entry];
    if entry.takes_tiling {
        out.line(format_args!(
            "constexpr {} tilingData = {{",
            plan.names.data
        ));
        out.inside(|out| {
            item.fields
                .iter()
                .for_each(|(name, value)| out.line(format_args!("{value}, // {name}")))
        });
        out.line("};");
    }
    let count = item.blocks.to_string();
    let one = |share: &str, out: &mut Cpp| {
        let (idx, num) = entry.takes_block;
        let more: Vec<&str> = [(idx, share), (num, &count)]
            .iter()
            .filter(|(takes, _)| *takes)
            .map(|more| more.1)
            .collect();
        run(
            namespace,
            entry,
            tensors,
            ("workspace", "tilingData"),
            &more,
            out,
        );
        out.comment("What comes next takes the memory of this.");
        out.line("AscendC::PipeBarrier<PIPE_ALL>();");
        if plan.has_pipe {
            out.line("pipe.Reset();");
        }
    };
    if plan.fixed.is_some_and(|Fixed { alone }| alone) {
        // The block has its own scope, as an iteration of the loop does.
        out.line("{");
        out.inside(|out| one("0", out));
        out.line("}");
        return;
    }
    let blocks = "AscendC::GetBlockNum()";
    let start = match first {
        0 => "AscendC::GetBlockIdx()".to_string(),
        first => format!("(AscendC::GetBlockIdx() + {blocks} - {first} % {blocks}) % {blocks}"),
    };
    out.line(format_args!(
        "for (int64_t share = {start}; share < {count}; share += {blocks}) {{"
    ));
    out.inside(|out| one("share", out));
    out.line("}");
}
