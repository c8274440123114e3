//! Device code: helpers, kernel classes, and the entries that run them.
//!
//! Everything but the entries stands in a namespace, so that no helper collides with a name of
//! AscendC. The classes use the names of CANN 8.x, which 9.x still accepts.
//!
//! Start reading at [`code`], then `class.rs` and `call.rs`.

mod barrier;
mod call;
mod class;
mod entry;
mod events;
mod fixed;
mod func;
mod includes;
mod init;
mod l2;
mod process;
mod rows;
mod scan;
mod sort;
mod stages;
mod stmt;

use crate::classes::Class;
use crate::cpp::Cpp;
use crate::plan::Plan;
use crate::release::Feature;
use crate::scalar::{definitions, Helper, Helpers};
use crate::ProjectKind;
use func::Functions;
use jumar_dsl::ir::Event;
use jumar_dsl::ops::ScanOp;

/// The helpers that wait, each with the comment above it.
const SYNCS: [(Event, &str); Event::ALL.len()] = [
    (Event::VS, "Scalar access to UB waits here until the vector calls before it are done."),
    (Event::SV, "Vector calls wait here until the scalar writes before them are done."),
    (Event::SMte3, "Stores wait here until the scalar writes before them are done."),
    (Event::SMte2, "Loads wait here until the scalar writes before them are done."),
    (Event::Mte2S, "The scalar unit waits here until the loads before it are done: no queue orders what both do to GM."),
    (Event::Mte3S, "The scalar unit waits here until the stores before it are done: no queue orders what both do to GM."),
    (Event::Mte3Mte2, "Loads wait here until the stores before them are done: no queue orders what both do to GM."),
    (Event::Mte2Mte3, "Stores wait here until the loads before them are done: no queue orders what both do to GM."),
    (Event::Mte2V, "Vector calls wait here until the loads before them are done."),
    (Event::Mte3V, "Vector calls wait here until the stores before them are done."),
    (Event::VMte2, "Loads wait here until the vector calls before them are done."),
    (Event::VMte3, "Stores wait here until the vector calls before them are done."),
];

/// Returns the name of the helper that waits: `SyncVToS`.
fn sync_name(event: Event) -> String {
    let (from, to) = event.ends();
    let [from, to] = [from, to].map(|pipe| crate::names::pascal(&pipe.name().to_ascii_lowercase()));
    format!("Sync{from}To{to}")
}

pub(crate) use fixed::{FixedItem, FixedLaunch};
pub(crate) use includes::includes;

/// Prints the device part of a project: namespace with helpers and classes, then the entries.
pub(crate) fn code(plan: &Plan<'_>, kind: ProjectKind, out: &mut Cpp) {
    let namespace = namespace(plan, out);
    entry::entries(plan, kind, &namespace, out);
}

/// Prints the device part of a source for the device compiler alone.
pub(crate) fn object_code(plan: &Plan<'_>, out: &mut Cpp) {
    let namespace = namespace(plan, out);
    entry::alone(plan, &namespace, out);
}

/// Prints the device part of a text of one case.
pub(crate) fn fixed_code(plan: &Plan<'_>, launch: &FixedLaunch<'_>, out: &mut Cpp) {
    let namespace = namespace(plan, out);
    fixed::entry(plan, &namespace, launch, out);
}

/// Prints helpers and classes in a namespace, and returns its name.
fn namespace(plan: &Plan<'_>, out: &mut Cpp) -> String {
    let namespace = format!("{}Impl", plan.names.prefix);
    let (mut classes, mut funcs) = (Cpp::new(), Functions::default());
    let print = |used: Helpers, c| used.union(print_class(plan, c, &mut funcs, &mut classes));
    let used = plan.classes.iter().fold(Helpers::default(), print);
    if plan.features.contains(&Feature::Assertions) {
        assertion(out);
    }
    out.line(format_args!("namespace {namespace} {{"));
    out.line("using namespace AscendC;");
    helpers(plan, used, out);
    funcs.print(out);
    out.blank();
    out.raw(&classes.finish());
    out.blank();
    out.line(format_args!("}} // namespace {namespace}"));
    out.blank();
    namespace
}

/// Prints the older form of [`Feature::Assertions`].
fn assertion(out: &mut Cpp) {
    out.comment("CANN 8.1 has it under this name.");
    out.raw("#ifndef ascendc_assert\n#define ascendc_assert(...) assert(__VA_ARGS__)\n#endif\n");
    out.blank();
}

/// Prints a class, and returns the helpers that it uses.
fn print_class(plan: &Plan<'_>, class: &Class, funcs: &mut Functions, out: &mut Cpp) -> Helpers {
    out.blank();
    out.comment(&format!("{}.", what(plan, class)));
    if !class.params.is_empty() {
        let names = class::param_names(plan);
        let params: Vec<_> = class
            .params
            .iter()
            .map(|p| format!("typename {}", names[usize::from(*p)]))
            .collect();
        out.line(format_args!("template <{}>", params.join(", ")));
    }
    out.line(format_args!("class {} {{", class.name));
    let used = class::class_body(plan, class, funcs, out);
    out.line("};");
    used
}

/// Describes what a class serves: `` `swish` for f16 and f32, variant `resident` ``.
fn what(plan: &Plan<'_>, class: &Class) -> String {
    let bindings = class
        .serves
        .iter()
        .map(|(at, _)| plan.instances[*at].binding());
    let mut dtypes: Vec<_> = bindings
        .map(crate::names::combination)
        .filter(|d| !d.is_empty())
        .collect();
    dtypes.dedup();
    let mut what = format!("`{}`", plan.sig.name);
    if !dtypes.is_empty() {
        what.push_str(&format!(" for {}", dtypes.join(" and ")));
    }
    let (at, variant) = class.serves[0];
    let lowered = &plan.instances[at];
    if lowered.cases.len() > 1 {
        let mut cases: Vec<String> = class
            .serves
            .iter()
            .map(|(at, v)| {
                format!(
                    "`{}`",
                    plan.instances[*at]
                        .case(&plan.instances[*at].variants[*v])
                        .said()
                )
            })
            .collect();
        cases.dedup();
        what.push_str(&format!(", where {}", cases.join(" or ")));
    }
    if !lowered.is_alone(&lowered.variants[variant]) {
        what.push_str(&format!(", variant `{}`", class.source.variant));
    }
    what
}

/// Prints the function for the bits of a mask, without a loop over lanes.
fn group_lanes(out: &mut Cpp) {
    out.blank();
    out.function("__aicore__ inline uint64_t LowBits(int64_t n)", |out| {
        out.line("return n >= 64 ? ~0ULL : n <= 0 ? 0ULL : (1ULL << n) - 1;");
    });
    out.blank();
    out.comment("The mask that takes lanes `from` to `to` of each of the first `groups` groups of `of` lanes, a power of two.");
    out.function(
        "__aicore__ inline void GroupLanes(uint64_t (&lanes)[2], int64_t from, int64_t to, int64_t of, int64_t groups)",
        |out| {
            out.line("const uint64_t low = LowBits(to) & ~LowBits(from);");
            out.line("const uint64_t high = of > 64 ? LowBits(to - 64) & ~LowBits(from - 64) : low;");
            out.line("const uint64_t starts = of < 64 ? ~0ULL / LowBits(of) : 1ULL; // the first bit of each group");
            out.line("lanes[0] = low * starts & LowBits(groups * of);");
            out.line("lanes[1] = high * starts & LowBits(groups * of - 64);");
        },
    );
}

/// The call takes bits of 32-bit elements as `uint32_t`, and those of 16-bit elements as `uint16_t`
/// (asc-devkit, page of GatherMask).
fn gather_bits(out: &mut Cpp) {
    out.blank();
    out.comment("The first `n` elements of `src` whose bits in `mask` are 1, one behind the other, and how many they are.");
    out.line("template <typename T>");
    out.function(
        "__aicore__ inline void GatherBits(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &mask, int64_t n, \
         int64_t &kept)",
        |out| {
            out.line("const uint32_t count = static_cast<uint32_t>(n);");
            out.line("uint64_t found = 0;");
            out.line("if constexpr (sizeof(T) == sizeof(uint16_t)) {");
            out.line("    GatherMask(dst, src, mask.ReinterpretCast<uint16_t>(), true, count, {1, 1, 8, 0}, found);");
            out.line("} else {");
            out.line("    GatherMask(dst, src, mask.ReinterpretCast<uint32_t>(), true, count, {1, 1, 8, 0}, found);");
            out.line("}");
            out.line("kept = static_cast<int64_t>(found);");
        },
    );
}

/// Select moves bits of `half` and `float` alone (asc-devkit, page of Select).
fn float_of(out: &mut Cpp) {
    out.blank();
    out.comment("The float that has as many bits as `T`.");
    out.line("template <int32_t bytes>");
    out.line("struct FloatOfBytes {");
    out.line("    using Type = float;");
    out.line("};");
    out.line("template <>");
    out.line("struct FloatOfBytes<2> {");
    out.line("    using Type = half;");
    out.line("};");
    out.line("template <typename T>");
    out.line("using FloatOf = typename FloatOfBytes<static_cast<int32_t>(sizeof(T))>::Type;");
}

fn helpers(plan: &Plan<'_>, used: Helpers, out: &mut Cpp) {
    out.blank();
    if used.has(Helper::BufferNum) {
        if let Some(n) = plan.buffer_num {
            let note = if n == 2 { " // double buffering" } else { "" };
            out.line(format_args!("constexpr int32_t BUFFER_NUM = {n};{note}"));
        }
    }
    if used.has(Helper::DataBlockBytes) {
        out.line(format_args!(
            "constexpr int64_t DATA_BLOCK_BYTES = {};",
            plan.chip.data_block_bytes
        ));
    }
    if used.has(Helper::RepeatBytes) {
        out.line(format_args!(
            "constexpr int64_t REPEAT_BYTES = {};",
            plan.chip.repeat_bytes
        ));
    }
    if used.has(Helper::FloatInf) {
        // Device code does not have the constants of <limits> and <cmath> everywhere; the builtin
        // is a literal.
        out.line("constexpr float FLOAT_INF = __builtin_inff();");
    }
    definitions(used, "__aicore__ inline", out);
    rows::helpers(plan.chip, used, out);
    if used.has(Helper::GroupLanes) {
        group_lanes(out);
    }
    if used.has(Helper::GatherBits) {
        gather_bits(out);
    }
    if used.has(Helper::FloatOf) {
        float_of(out);
    }
    if used.has(Helper::TopPlaces) {
        sort::top_places(plan.barriers, out);
    }
    for op in [ScanOp::Sum, ScanOp::Prod] {
        if used.has(Helper::Scan(op)) {
            scan::scan(op, plan.barriers, out);
        }
    }
    for (event, note) in SYNCS {
        if used.has(Helper::Sync(event)) {
            out.blank();
            out.comment(note);
            out.function(format_args!("__aicore__ inline void {}()", sync_name(event)), |out| {
                let event = event.word();
                out.line(format_args!("event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::{event}));"));
                out.line(format_args!("SetFlag<HardEvent::{event}>(id);"));
                out.line(format_args!("WaitFlag<HardEvent::{event}>(id);"));
            });
        }
    }
}
