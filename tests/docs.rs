//! Pages derived from the tables are fresh, and every kernel shown in the documentation passes the checker.
//!
//! `UPDATE_DOCS=1 cargo test --test suite docs` writes `docs/ops.md`, `docs/passes.md`, `docs/errors.md`, `docs/tasks.md` and `docs/coverage.md`.

use crate::cost::handwritten;
use crate::pages::{fences, findings, hold, pages, repository, summary};
use jumar::load::check_text;
use jumar_dsl::diag::{Code, Severity};
use jumar_dsl::dtype::{cast_modes, DType};
use jumar_dsl::ir::{walk_stmts, Level, QueueStmt, StmtKind};
use jumar_dsl::items::{self, KernelAttr, ParamAttr};
use jumar_dsl::library::{Error, Function, FUNCTIONS};
use jumar_dsl::lower::PASSES;
use jumar_dsl::ops::{Op, OpDef};
use jumar_dsl::soc::{Arch, Chip};
use jumar_kit::files;
use jumar_llm::tasks::corpus;
use std::collections::BTreeSet;
use std::fmt::Write;

const REFRESH: &str = "UPDATE_DOCS=1 cargo test --test suite docs";

#[test]
fn the_error_index_is_fresh() {
    hold("docs/errors.md", &error_index(), "docs").unwrap();
}

#[test]
fn the_op_index_is_fresh() {
    hold("docs/ops.md", &op_index(), "docs").unwrap();
}

#[test]
fn the_list_of_passes_is_fresh() {
    hold("docs/passes.md", &passes(), "docs").unwrap();
}

/// The passes in their order.
fn passes() -> String {
    let mut out = format!(
        "# Passes\n\nThe passes from tile kernel to tile kernel, in the order in which they run (`PASSES` in `dsl/src/lower/pipeline.rs`); refresh with \
         `{REFRESH}`.\n\n| pass | does | runs |\n|---|---|---|\n"
    );
    for pass in PASSES {
        let _ = writeln!(out, "| `{}` | {} | {} |", pass.name, pass.does, pass.stage.when());
    }
    out.push_str(
        "\n`jumar emit --after NAME` prints the kernel behind a pass. A form of a loop stands before the name (`stream-hoist`, `split-hoist`), and so does \
         a phase of a kernel of several loops (`2:hoist`). The tile interpreter reads every kernel of the suites behind every pass.\n",
    );
    out
}

#[test]
fn the_item_index_is_fresh() {
    hold("docs/items.md", &item_index(), "docs").unwrap();
}

#[test]
fn the_task_table_is_fresh() {
    hold("docs/tasks.md", &task_table(), "docs").unwrap();
}

#[test]
fn the_table_of_what_public_kernels_use_is_fresh() {
    hold("docs/coverage.md", &coverage(), "docs").unwrap();
}

/// The methods and functions that are no ops, by what they are methods of.
fn item_index() -> String {
    let mut out = format!(
        "# Methods and functions\n\nWritten from the table of language items (`dsl/src/surface`); refresh with `{REFRESH}`. Ops and library functions are in `docs/ops.md`.\n"
    );
    for (on, forms) in [("a kernel", KernelAttr::FORMS), ("a parameter", ParamAttr::FORMS)] {
        let _ = write!(out, "\n## Attributes of {on}\n\n| write | says |\n|---|---|\n");
        for (form, says) in forms {
            let _ = writeln!(out, "| `{form}` | {says} |");
        }
    }
    let mut of = Some("");
    for item in items::all() {
        if of != item.of {
            of = item.of;
            let _ = write!(out, "\n## Of {}\n\n| write | level | does |\n|---|---|---|\n", of.unwrap_or("no value"));
        }
        let level = item.level.map_or("both", Level::word);
        let generics = if item.names_type() { format!("::<{}>", item.generics) } else { String::new() };
        let result = if item.result.is_empty() { String::new() } else { format!(" -> {}", item.result) };
        let _ = writeln!(out, "| `{}{generics}{}{result}` | {level} | {} |", item.name, item.params, item.doc.replace("  ", " "));
    }
    out
}

/// A symbol of AscendC that public kernels use, and what there is of it.
struct Used {
    name: &'static str,
    /// Files of the benchmark's answers that use it, and of those and the public examples together.
    files: [u32; 2],
    /// A row of the op table, a form of the language, or why there is neither.
    what: Result<String, &'static str>,
}

fn used() -> Vec<Used> {
    let lines = include_str!("pages/api.tsv").lines().filter(|l| !l.starts_with('#'));
    let read = |line: &'static str| {
        let [name, bench, all, kind, text] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("a line of five: {line}") };
        let files = [bench, all].map(|n| n.parse().expect("a number of files"));
        let what = match kind {
            "row" => {
                let op = Op::by_name(text).unwrap_or_else(|| panic!("`{name}`: there is no row `{text}`"));
                Ok(format!("`{}`", op.def().name))
            }
            "form" => Ok(text.to_string()),
            "left" => Err(text),
            _ => panic!("row, form or left: {line}"),
        };
        Used { name, files, what }
    };
    lines.map(read).collect()
}

/// What public kernels for vector cores use of AscendC, and what of it there is.
fn coverage() -> String {
    let used = used();
    let sum = |i: usize, any: bool| -> u32 { used.iter().filter(|u| any || u.what.is_ok()).map(|u| u.files[i]).sum() };
    let rate = |i: usize| 100.0 * f64::from(sum(i, false)) / f64::from(sum(i, true));
    assert!(rate(0) >= 98.0, "{} of 100 uses have a row", rate(0));
    let mut out = format!(
        "# What public kernels use\n\nWritten from `tests/pages/api.tsv`; refresh with `{REFRESH}`.\n\n\
         In how many device-side source files of public kernels each symbol of AscendC is used: first the answers of NPUKernelBench (459 files), then with the\n\
         examples of asc-devkit and two smaller collections (807 files). Symbols of the cube (matrix units, their buffers and Matmul) and those that chips from the 950 on\n\
         alone have are not counted. Of the uses in the answers {:.1} of 100 have a row or a form of the language, {} of {}; with the examples {:.1}, {} of {}.\n",
        rate(0),
        sum(0, false),
        sum(0, true),
        rate(1),
        sum(1, false),
        sum(1, true)
    );
    let _ = write!(out, "\n## Left out\n\n| AscendC | answers | in all | why |\n|---|---|---|---|\n");
    for u in &used {
        if let Err(why) = u.what {
            let _ = writeln!(out, "| {} | {} | {} | {why} |", u.name, u.files[0], u.files[1]);
        }
    }
    let _ = write!(out, "\n## There\n\n| AscendC | answers | in all | here |\n|---|---|---|---|\n");
    for u in &used {
        if let Ok(here) = &u.what {
            let _ = writeln!(out, "| {} | {} | {} | {} |", u.name, u.files[0], u.files[1], here.replace('|', "\\|"));
        }
    }
    out
}

/// The tasks of the benchmarks, with their answers.
fn task_table() -> String {
    let mut out = format!(
        "# Tasks\n\nWritten from `llm/tasks/`; refresh with `{REFRESH}`.\n\n\
         The tasks of two public benchmarks that vector cores can do, and kernels that engines for language models call. Each has a header, which says in our words what is computed, of which tensors and for which\n\
         sizes, and beside it the answer, a kernel of that name; both are text that `jumar` carries. A reference in f64 stands in `llm/src/tasks/`. `cargo test -p jumar-llm --test suite tasks` checks every answer and holds\n\
         simulator and tile interpreter to the reference, and the emitted C++ of one in ten (`JUMAR_TIER=night`: of all); a kernel of anybody's is judged by the same call\n\
         (`JUMAR_TASK=/softplus JUMAR_CANDIDATE=mine.rs cargo test -p jumar-llm --test suite every_answer_is_right`). A result may be off\n\
         by the roundings that the header counts, and by that of its own element type. Where a header does not say otherwise floats of 16 bits are computed in f32 and\n\
         rounded once.\n\n\
         Tokens are counted alike in Rust and C++: without comments, a run of letters, digits and `_` is one, a string is one, any other character is one. Ours are those\n\
         of the answer's `#[kernels]` module, from which the host side follows; the public ones those of the benchmark's own answer, its kernel files without the host's.\n\
         MultiKernelBench has no answers in AscendC, and of kernels of engines none are counted.\n"
    );
    for (bench, title, source) in corpus::BENCHES {
        let tasks = corpus::tasks(bench);
        let _ = writeln!(out, "\n## {title}\n\n{source}: {} tasks{}.\n", tasks.len(), ratio(&tasks));
        let _ = writeln!(out, "| task | kernel | tokens | public | |\n|---|---|---|---|---|");
        for task in &tasks {
            let (stem, ours) = (&task.stem, corpus::tokens(task.answer()));
            let public = task.public_tokens.map_or("–".to_string(), |n| format!("{n}"));
            let lacks = task.leaves_out.as_ref().map_or(String::new(), |what| format!("without {what}"));
            let _ = writeln!(out, "| {} | [{stem}](../llm/tasks/{bench}/{stem}.rs) | {ours} | {public} | {lacks} |", task.name);
        }
    }
    out
}

/// The median of the answers' tokens as a part of the public ones.
fn ratio(tasks: &[corpus::Task]) -> String {
    let part = |task: &corpus::Task| Some(corpus::tokens(task.answer()) as f64 / task.public_tokens? as f64);
    let mut parts: Vec<f64> = tasks.iter().filter_map(part).collect();
    parts.sort_by(f64::total_cmp);
    let median = parts.get(parts.len() / 2);
    median.map_or(String::new(), |median| format!("; the median of the tokens is {median:.3} of the public answer's"))
}

/// What stands over the index of errors.
const FINDINGS: &str = "
## A finding as JSON

`jumar check FILE --json` prints one object a line; `docs/diagnostics.schema.json` (`jumar check --schema`) is its schema. All lines have all fields.

| field | what |
|---|---|
| `file`, `kernel` | where it was found; null where there is none |
| `chips` | the chips that it was found for; none where it holds whatever the chip |
| `code`, `name`, `severity`, `message` | `J0202`, `StoreDType`, `error`, `warning` or `ok`, and one sentence |
| `span` | `line`, `column`, `end_line`, `end_column` from 1, columns in characters; `byte` from 0 and `length`, in bytes of the text. Every span of a line has this form |
| `labels`, `notes`, `help` | other places and what is said of them, facts, advice |
| `expected` | what might stand at the place instead: names, types, numbers, forms; empty where that is no list |
| `numbers` | the numbers of the message by name: `found`, `allowed`, `largest` |
| `fix` | `edits`, each a `span` and its `replacement`, in the order of the text and apart from each other, and `applicability`; null where there is none |
| `doc` | the entry of the code on this page |

`applicability` is as in rustc: `machine-applicable` says what the author said as the rules want it, `maybe-incorrect` removes the error and may not be what was meant, `has-placeholders` has parts in `<..>` to be written.
`jumar fix FILE` applies the first kind, again and again until none is left, and only where that leaves fewer mistakes and no new one; `jumar::load::fixed` is the same as a call. A mistake may hide others from a
later phase: what comes to light once it is gone counts as having been there.
";

fn error_index() -> String {
    let mut out = format!(
        "# Errors\n\nWritten from the table in `dsl/src/diag/codes.rs`; refresh with `{REFRESH}`.\n\n\
         Every finding has a stable code; `jumar explain J0304` prints its page, with the reason, a wrong and a right\n\
         kernel. A code is never reused. The hundreds say the phase.\n{FINDINGS}"
    );
    let phases = [
        ("J01", "Syntax", "What the text of a kernel may say."),
        ("J02", "Types and shapes", "Element types, casts, shapes, roles of the parameters."),
        ("J03", "Memory, alignment, bounds", "UB, buffers, data blocks, what lies inside a tensor."),
        ("J04", "Queues", "The life of a tensor between `alloc_tensor` and `free_tensor`."),
        ("J05", "Chip", "What the chip has, and how cores share the work."),
        ("J06", "Tiling and launch", "What the host must know, and what a launch must satisfy."),
        ("J08", "Simulator", "What only a run can find."),
        ("J09", "Numerics", "Lints on results that are less exact than they look."),
    ];
    for (prefix, title, about) in phases {
        let _ = write!(out, "\n## {prefix}xx {title}\n\n{about}\n\n| code | name | | summary |\n|---|---|---|---|\n");
        for page in pages().iter().filter(|p| p.code.as_str().starts_with(prefix)) {
            let code = page.code;
            let severity = if code.severity() == Severity::Error { "error" } else { "warning" };
            let _ = writeln!(
                out,
                "| <a id=\"{}\"></a>[{code}](../dsl/src/diag/explain/{code}.md) | {} | {severity} | {} |",
                code.as_str().to_lowercase(),
                code.name(),
                code.summary()
            );
        }
    }
    let listed = Code::ALL.iter().filter(|c| phases.iter().any(|(p, ..)| c.as_str().starts_with(p))).count();
    assert_eq!(listed, Code::ALL.len(), "a code of a phase that the index does not have");
    out
}

fn op_index() -> String {
    let mut out = format!(
        "# Ops\n\nWritten from the rows in `dsl/src/ops/`; refresh with `{REFRESH}`.\n\n\
         2201 is the NPU architecture of Atlas A2 and A3 ({}), 2002 that of Atlas inference products ({}).\n\
         An op name is a method of a tile and a function of `vec::`, as the example shows; the queue level takes destination,\n\
         sources, scalar or round mode, and last the element count or the repeats (`docs/language.md`). Types are element types of the operands; where a type is\n\
         missing, cast to `f32` and back.\n",
        chips(Arch::V220),
        chips(Arch::M200)
    );
    let mut family = String::new();
    for def in Op::all().filter(|def| def.op.is_written()) {
        let title = family_title(def.op);
        if family != title {
            family = title.to_string();
            let _ = write!(out, "\n## {title}\n\n| op | AscendC | 2201 | 2002 | example | |\n|---|---|---|---|---|---|\n");
        }
        let note = if def.exact.is_some() { " Lint J0901." } else { "" };
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | `{}` | {}{note} |",
            def.name,
            ascendc(def),
            types(def.v220),
            types(def.m200),
            def.example,
            def.doc
        );
    }
    out.push_str(&function_table());
    out.push_str(&cast_table());
    out
}

fn ascendc(def: &OpDef) -> String {
    match def.op {
        Op::Compare(_) | Op::CompareScalar(_) => format!("{} {}", def.ascendc, def.trailing.trim_start_matches("CMPMODE::")),
        _ => def.ascendc.to_string(),
    }
}

fn family_title(op: Op) -> &'static str {
    match op {
        Op::Binary(_) => "Two tensors, or tensor and scalar",
        Op::BinaryScalar(_) => "Tensor and scalar, queue level",
        Op::Unary(_) => "One tensor",
        Op::Compare(_) => "Comparisons",
        Op::CompareScalar(_) => "Comparisons with a scalar, queue level",
        Op::Reduce(_) => "Reductions of a whole tensor, queue level",
        Op::AxisReduce(_) => "Reductions along axes, tile level",
        Op::Layout(_) => "Cast, copy, broadcast, choice",
        Op::Copy(_) => "Copies between GM and UB, queue level",
        Op::Scalar(_) => "Elements of UB and GM as scalars, queue level",
        Op::Partial(_) => "Reductions of repeats, data blocks and pairs, queue level",
        Op::Bit(_) => "Bits of whole numbers, at tile level the operators `&`, `|`, `^` and `!`",
        Op::Scan(_) => "Running sums and products, at tile level `v.cumsum(d)` and `v.cumprod(d)`",
        Op::Shift(_) => "Shifts, at tile level the operators `<<` and `>>`",
        Op::Mask(_) => "Masks, at tile level the operators `&`, `|` and `!`",
        Op::Compound(_) => "Two steps in one, queue level",
    }
}

fn types(list: &[DType]) -> String {
    if list.is_empty() {
        return "–".into();
    }
    list.iter().map(|d| d.name()).collect::<Vec<_>>().join(" ")
}

fn chips(arch: Arch) -> String {
    let names: Vec<_> = Chip::all().iter().filter(|c| c.arch == arch).map(|c| format!("`{}`", c.name)).collect();
    names.join(", ")
}

/// The functions of the library, with the calls of each in `f32`.
fn function_table() -> String {
    let mut out = String::from(
        "\n## Functions, tile level\n\nMade of ops, in `dsl/src/library/math.rs`. How far a result may be off: in units in the last place (ulp) of `f32`, as if the argument (of `pow` the power) were off by so many of\n\
         its units, and in numbers; what is given adds up. Calls are those of the vector unit for a tile of `f32` on 2201.\n\n\
         | function | off by | calls | example | |\n|---|---|---|---|---|\n",
    );
    for f in FUNCTIONS {
        let Error { ulp, argument, least } = f.error;
        let parts =
            [(ulp, format!("{ulp} ulp")), (argument, format!("{argument:e} of the argument")), (least, format!("{least:.1e}"))];
        let parts: Vec<String> =
            parts.into_iter().filter(|(size, _)| *size > 0.0).map(|(_, text)| text.replace("e0 of", " of")).collect();
        let error = if parts.is_empty() { "exact".to_string() } else { parts.join(", ") };
        let _ = writeln!(out, "| `{}` | {error} | {} | `{}` | {} |", f.name, calls(f), f.example, f.doc);
    }
    out.push_str(
        "\nPredicted, not measured: cycles of the vector unit for 64 elements of `f32`, of 16 Mi in tiles as large as fit, of a kernel that calls the function and of a sequence that is written by hand at queue\n\
         level (`tests/cost/handwritten.rs`: the same polynomials, one call an op over the whole tile, its sources in different banks of UB). `tests/functions.rs` holds ours to 1.2 times theirs, and theirs to the bounds above.\n\n\
         | function | ours | by hand | ratio |\n|---|---|---|---|\n",
    );
    for (name, ours, theirs) in handwritten::rows() {
        let _ = writeln!(out, "| `{name}` | {ours:.1} | {theirs:.1} | {:.2} |", ours / theirs);
    }
    out
}

/// Vector calls for a tile.
fn calls(f: &Function) -> usize {
    // A mask is stored by way of a choice.
    let (end, more) = if f.example.starts_with("let m") { ("let y = m.select(x, 0.0);", 1) } else { ("", 0) };
    let text = format!(
        "#[kernel]\nfn k(u: &GlobalTensor<f32>, v: &GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {{\nfor t in tiles(u) {{\n\
         let (x, w) = (u.at(t).load(), v.at(t).load());\n{}\n{end}\nz.at(t).store(y);\n}}\n}}",
        f.example
    );
    let file = check_text("calls.rs", &text, Some(Chip::default_chip()));
    let kernel = file.kernels().first().and_then(|k| k.checked.first());
    let kernel = kernel.unwrap_or_else(|| panic!("{text}\n{}", file.render(false)));
    let mut calls = 0;
    kernel.instances().iter().flat_map(|of| &of.variants).flat_map(|v| &v.body.stmts).for_each(|s| {
        // Before the loop stands what is made once.
        if let StmtKind::For { body, .. } = &s.kind {
            walk_stmts(body, &mut |s| {
                if let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind {
                    calls += usize::from(!matches!(instr.op, Op::Copy(_)));
                }
            });
        }
    });
    calls - more
}

fn cast_table() -> String {
    let mut out = String::from(
        "\n## Casts\n\nThe pairs that exist, with their round modes; the first one is what plain `cast` takes. `–`: no such cast.\n\n\
         | from | to | 2201 | 2002 |\n|---|---|---|---|\n",
    );
    let modes = |arch, from, to| {
        let modes: Vec<_> = cast_modes(arch, from, to).iter().map(|m| m.name()).collect();
        if modes.is_empty() {
            "–".to_string()
        } else {
            modes.join(" ")
        }
    };
    for from in DType::ALL {
        for to in DType::ALL {
            let row = (modes(Arch::V220, from, to), modes(Arch::M200, from, to));
            if row != ("–".into(), "–".into()) {
                let _ = writeln!(out, "| {from} | {to} | {} | {} |", row.0, row.1);
            }
        }
    }
    out
}

#[test]
fn every_kernel_in_the_documentation_is_clean() {
    let mut failed = Vec::new();
    let mut kernels = 0;
    for path in ["README.md", "docs/language.md", "docs/llm.md", "docs/architecture.md"] {
        let text = std::fs::read_to_string(repository(path)).expect(path);
        for (info, body) in fences(&text).into_iter().filter(|(info, body)| info == "rust" && files::has_kernel(body)) {
            kernels += 1;
            let found = findings(&body, Chip::default_chip());
            if !found.is_empty() {
                failed.push(format!("{path}, ```{info}:\n{body}\n{}", summary(&found)));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(kernels >= 5, "only {kernels} kernels are shown");
}

/// The map of the tests names every switch that a test reads.
#[test]
fn the_map_of_the_tests_has_every_switch() {
    let map = files::read(&repository("tests/README.md"));
    let mut switches = BTreeSet::new();
    for folder in ["tests", "dsl", "codegen", "runtime", "llm/tests", "llm/src", "cli/tests", "macros/src"] {
        for text in files::below(&repository(folder), &["rs"]).iter().map(|path| files::read(path)) {
            let quoted = text.split("\"JUMAR_").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0));
            let names = quoted.filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
            switches.extend(names.map(|name| format!("JUMAR_{name}")));
        }
    }
    let missing: Vec<_> = switches.iter().filter(|switch| !map.contains(&format!("`{switch}"))).collect();
    assert!(switches.len() >= 20 && missing.is_empty(), "tests/README.md does not say what these do: {missing:?}");
}

#[test]
fn every_example_is_clean() {
    for (path, text) in files::kernels(&repository("examples")) {
        let found = findings(&text, Chip::default_chip());
        assert!(found.is_empty(), "{}:\n{}", path.display(), summary(&found));
    }
}
