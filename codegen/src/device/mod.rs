//! Device code: helpers, kernel classes, and the entries that run them.
//!
//! Everything but the entries stands in a namespace of its own, so that no helper can meet a name of AscendC.
//! The classes use the names of CANN 8.x, which 9.x still accepts.

mod call;
pub(crate) mod class;
mod entry;
mod init;
mod process;
mod stages;
mod stmt;
mod uses;

use crate::cpp::Cpp;
use crate::plan::Plan;
use crate::scalar::{definitions, Helper};
use crate::ProjectKind;
use jumar_dsl::ops::WaitOp;

/// Name of the helper that waits: `SyncVToS`.
fn sync_name(op: WaitOp) -> String {
    format!("Sync{}", crate::names::pascal(op.def().name))
}

/// The device part of the project: namespace with helpers and classes, then the entries.
pub(crate) fn code(plan: &Plan<'_>, kind: ProjectKind, out: &mut Cpp) {
    let namespace = format!("{}Impl", plan.names.op);
    out.line(format!("namespace {namespace} {{"));
    out.line("using namespace AscendC;");
    helpers(plan, out);
    for class in &plan.classes {
        out.blank();
        let dtypes: Vec<_> = class
            .serves
            .iter()
            .map(|(at, _)| crate::names::combination(plan.instances[*at].binding()))
            .filter(|d| !d.is_empty())
            .collect();
        let (at, variant) = class.serves[0];
        let lowered = &plan.instances[at];
        let mut what = format!("`{}`", plan.sig.name);
        if !dtypes.is_empty() {
            what.push_str(&format!(" for {}", dtypes.join(" and ")));
        }
        if lowered.variants.len() > 1 {
            what.push_str(&format!(", variant `{}`", lowered.variants[variant].name));
        }
        out.comment(&format!("{what}."));
        if !class.text.params.is_empty() {
            let params: Vec<_> = class.text.param_names.iter().map(|p| format!("typename {p}")).collect();
            out.line(format!("template <{}>", params.join(", ")));
        }
        out.line(format!("class {} {{", class.name));
        out.raw(&class.text.body);
        out.line("};");
    }
    out.blank();
    out.line(format!("}} // namespace {namespace}"));
    out.blank();
    entry::entries(plan, kind, &namespace, out);
}

fn helpers(plan: &Plan<'_>, out: &mut Cpp) {
    let used = plan.device_helpers();
    out.blank();
    if used.has(Helper::BufferNum) {
        if let Some(n) = plan.buffer_num {
            let note = if n == 2 { " // double buffering" } else { "" };
            out.line(format!("constexpr int32_t BUFFER_NUM = {n};{note}"));
        }
    }
    if used.has(Helper::DataBlockBytes) {
        out.line(format!("constexpr int64_t DATA_BLOCK_BYTES = {};", plan.chip.data_block_bytes));
    }
    if used.has(Helper::RepeatBytes) {
        out.line(format!("constexpr int64_t REPEAT_BYTES = {};", plan.chip.repeat_bytes));
    }
    if used.has(Helper::FloatInf) {
        // The constants of <limits> and <cmath> are not to be had in device code everywhere; the builtin is a literal.
        out.line("constexpr float FLOAT_INF = __builtin_inff();");
    }
    definitions(used, "__aicore__ inline", out);
    if used.has(Helper::BlockGap) {
        out.blank();
        out.comment(
            "Data blocks between the end of a row of `cols` elements in UB, which a copy fills up to a whole block, and \
             the start of the next row.",
        );
        out.line("template <typename T>");
        out.function("__aicore__ inline uint32_t BlockGap(int64_t pitch, int64_t cols)", |out| {
            out.line("constexpr int64_t blockElems = DATA_BLOCK_BYTES / sizeof(T);");
            out.line("return static_cast<uint32_t>((pitch - AlignUp(cols, blockElems)) / blockElems);");
        });
    }
    for (op, note) in [
        (WaitOp::VToS, "Scalar access to UB waits here until the vector calls before it are done."),
        (WaitOp::SToV, "Vector calls wait here until the scalar writes before them are done."),
        (WaitOp::SToMte3, "Stores wait here until the scalar writes before them are done."),
        (WaitOp::Mte3ToMte2, "Loads wait here until the stores before them are done: no queue orders what both do to GM."),
        (WaitOp::Mte2ToMte3, "Stores wait here until the loads before them are done: no queue orders what both do to GM."),
    ] {
        if used.has(Helper::Sync(op)) {
            out.blank();
            out.comment(note);
            out.function(format!("__aicore__ inline void {}()", sync_name(op)), |out| {
                let event = op.def().ascendc;
                out.line(format!("event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::{event}));"));
                out.line(format!("SetFlag<HardEvent::{event}>(id);"));
                out.line(format!("WaitFlag<HardEvent::{event}>(id);"));
            });
        }
    }
}
