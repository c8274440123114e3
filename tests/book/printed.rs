//! Pages that are printed from tables.

use crate::cost::handwritten;
use crate::pages::{hold, pages, Page};
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
use std::fmt::Write;

const REFRESH: &str = "UPDATE_DOCS=1 cargo test --test suite book";

#[test]
fn the_error_index_is_fresh() {
    hold("book/src/reference/errors.md", &error_index(), "book").unwrap();
    for phase in PHASES {
        hold(
            &format!("book/src/reference/errors/{}.md", phase.page),
            &error_page(&phase),
            "book",
        )
        .unwrap();
    }
}

#[test]
fn the_op_index_is_fresh() {
    for (page, text) in op_pages() {
        hold(&format!("book/src/reference/ops/{page}.md"), &text, "book").unwrap();
    }
}

#[test]
fn the_list_of_passes_is_fresh() {
    hold("book/src/internals/passes.md", &passes(), "book").unwrap();
}

/// Prints the passes in their order.
fn passes() -> String {
    let mut out = format!(
        "# Passes\n\nThe passes from tile kernel to tile kernel, in the order in which they run.\n\n\
         Printed from `PASSES` in `dsl/src/lower/pipeline.rs`; refresh with `{REFRESH}`.\n\n| pass | does | runs |\n|---|---|---|\n"
    );
    for pass in PASSES {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} |",
            pass.name,
            pass.does,
            pass.stage.when()
        );
    }
    out.push_str(
        "\n`jumar emit --after NAME` prints the kernel behind a pass. A prefix names a form of a loop (`stream-hoist`, `split-hoist`) or a phase of a\n\
         kernel of several loops (`2:hoist`). The tile interpreter reads every kernel of the suites behind every pass.\n",
    );
    out
}

#[test]
fn the_list_of_chips_is_fresh() {
    hold("book/src/reference/chips.md", &chip_table(), "book").unwrap();
}

/// Prints the chips with their facts.
fn chip_table() -> String {
    let mut out = format!(
        "# Chips\n\nThe chips that `--chip` names, with the facts that checks, tile sizes and predictions use.\n\n\
         Printed from `dsl/src/soc/`, which names the source of each fact; refresh with `{REFRESH}`.\n"
    );
    let all = Chip::all();
    let _ = write!(out, "\n| |");
    all.iter()
        .for_each(|chip| _ = write!(out, " `{}` |", chip.name));
    let _ = write!(out, "\n|---|{}\n", "---|".repeat(all.len()));
    let yes = |known: bool| if known { "yes" } else { "no" }.to_string();
    let rows: Vec<(&str, Vec<String>)> = vec![
        (
            "`SOC_VERSION`",
            all.iter().map(|c| c.soc_version.to_string()).collect(),
        ),
        (
            "`--npu-arch`",
            all.iter().map(|c| c.npu_arch.to_string()).collect(),
        ),
        (
            "vector cores",
            all.iter().map(|c| c.vector_cores.to_string()).collect(),
        ),
        (
            "cube cores",
            all.iter().map(|c| c.cube_cores.to_string()).collect(),
        ),
        (
            "bytes of UB",
            all.iter().map(|c| c.ub_bytes.to_string()).collect(),
        ),
        (
            "usable bytes of UB",
            all.iter().map(|c| c.ub_usable().to_string()).collect(),
        ),
        (
            "bytes of L1",
            all.iter().map(|c| c.l1_bytes.to_string()).collect(),
        ),
        (
            "bytes of L0A, L0B",
            all.iter().map(|c| c.l0ab_bytes.to_string()).collect(),
        ),
        (
            "bytes of L0C",
            all.iter().map(|c| c.l0c_bytes.to_string()).collect(),
        ),
        (
            "bytes of L2",
            all.iter().map(|c| c.l2_bytes.to_string()).collect(),
        ),
        (
            "bytes of a data block",
            all.iter().map(|c| c.data_block_bytes.to_string()).collect(),
        ),
        ("bf16", all.iter().map(|c| yes(c.has_bf16)).collect()),
        (
            "DataCopyPad",
            all.iter().map(|c| yes(c.has_data_copy_pad)).collect(),
        ),
    ];
    for (title, cells) in rows {
        let _ = writeln!(out, "| {title} | {} |", cells.join(" | "));
    }
    out
}

#[test]
fn the_list_of_codes_and_their_places_is_fresh() {
    hold("book/src/internals/codes.md", &code_places(), "book").unwrap();
}

/// Prints the codes, each with the files that raise it.
fn code_places() -> String {
    let mut out = format!(
        "# Codes and their places\n\nThe files that raise each code. [Checks](checks.md) says how they are divided.\n\n\
         Printed from the sources; refresh with `{REFRESH}`.\n\n| code | summary | files |\n|---|---|---|\n"
    );
    let folders = [
        "dsl/src",
        "runtime/src",
        "codegen/src",
        "src",
        "cli/src",
        "llm/src",
        "macros/src",
    ];
    let files: Vec<(String, String)> = folders
        .iter()
        .flat_map(|folder| files::below(&files::workspace().join(folder), &["rs"]))
        .map(|path| (files::name(&path), files::read(&path)))
        .filter(|(name, _)| !name.contains("/tests") && !name.ends_with("diag/codes.rs"))
        .collect();
    for code in Code::ALL {
        let word = format!("Code::{code}");
        let own: Vec<String> = files
            .iter()
            .filter(|(_, text)| text.contains(&word))
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        assert!(!own.is_empty(), "no file raises {code}");
        let _ = writeln!(
            out,
            "| [{code}](../reference/errors.md#{}) | {} | {} |",
            code.as_str().to_lowercase(),
            code.summary(),
            own.join(" ")
        );
    }
    out
}

#[test]
fn the_item_index_is_fresh() {
    hold("book/src/reference/items.md", &item_index(), "book").unwrap();
}

#[test]
fn the_task_table_is_fresh() {
    hold("book/src/models/tasks.md", &task_table(), "book").unwrap();
}

#[test]
fn the_table_of_what_public_kernels_use_is_fresh() {
    hold("book/src/reference/coverage.md", &coverage(), "book").unwrap();
}

/// Prints the methods and functions that are no ops, by their receivers.
fn item_index() -> String {
    let mut out = format!(
        "# Methods and functions\n\nEverything that a kernel may name besides [ops and functions of tiles](ops/README.md).\n\nPrinted from `dsl/src/surface`; refresh with `{REFRESH}`.\n"
    );
    for (on, forms) in [
        ("a kernel", KernelAttr::FORMS),
        ("a parameter", ParamAttr::FORMS),
    ] {
        let _ = write!(
            out,
            "\n## Attributes of {on}\n\n| write | says |\n|---|---|\n"
        );
        for (form, says) in forms {
            let _ = writeln!(out, "| `{form}` | {says} |");
        }
    }
    let mut of = Some("");
    for item in items::all() {
        if of != item.of {
            of = item.of;
            let _ = write!(
                out,
                "\n## Of {}\n\n| write | level | does |\n|---|---|---|\n",
                of.unwrap_or("no value")
            );
        }
        let level = item.level.map_or("both", Level::word);
        let generics = if item.names_type() {
            format!("::<{}>", item.generics)
        } else {
            String::new()
        };
        let result = if item.result.is_empty() {
            String::new()
        } else {
            format!(" -> {}", item.result)
        };
        let _ = writeln!(
            out,
            "| `{}{generics}{}{result}` | {level} | {} |",
            item.name, item.params, item.doc
        );
    }
    out
}

/// A symbol of AscendC that public kernels use.
struct Used {
    name: &'static str,
    /// Files that use it: of the benchmark's answers, and of all public kernels.
    files: [u32; 2],
    /// A row of the op table, a form of the language, or why there is neither.
    what: Result<String, &'static str>,
}

fn used() -> Vec<Used> {
    let lines = include_str!("../pages/api.tsv")
        .lines()
        .filter(|l| !l.starts_with('#'));
    let read = |line: &'static str| {
        let [name, bench, all, kind, text] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line of five: {line}")
        };
        let files = [bench, all].map(|n| n.parse().expect("a number of files"));
        let what = match kind {
            "row" => {
                let op = Op::by_name(text)
                    .unwrap_or_else(|| panic!("`{name}`: there is no row `{text}`"));
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

/// Prints the symbols that public kernels for vector cores use.
fn coverage() -> String {
    let used = used();
    let sum = |i: usize, any: bool| -> u32 {
        used.iter()
            .filter(|u| any || u.what.is_ok())
            .map(|u| u.files[i])
            .sum()
    };
    let rate = |i: usize| 100.0 * f64::from(sum(i, false)) / f64::from(sum(i, true));
    assert!(rate(0) >= 98.0, "{} of 100 uses have a row", rate(0));
    let mut out = format!(
        "# Coverage\n\nThe symbols of AscendC that public kernels use, and the form of each in jumar.\n\n\
         Printed from `tests/pages/api.tsv`; refresh with `{REFRESH}`.\n\n\
         The first number counts device-side source files of the answers of NPUKernelBench (459 files). The second adds the examples of asc-devkit\n\
         and two smaller collections (807 files). Symbols of the cube and symbols that only chips from the 950 on have are left out.\n\n\
         | files | uses with a form | of | percent |\n|---|---|---|---|\n| answers | {1} | {2} | {0:.1} |\n| all | {4} | {5} | {3:.1} |\n",
        rate(0),
        sum(0, false),
        sum(0, true),
        rate(1),
        sum(1, false),
        sum(1, true)
    );
    let _ = write!(
        out,
        "\n## Left out\n\n| AscendC | answers | in all | why |\n|---|---|---|---|\n"
    );
    for u in &used {
        if let Err(why) = u.what {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {why} |",
                u.name, u.files[0], u.files[1]
            );
        }
    }
    let _ = write!(
        out,
        "\n## There\n\n| AscendC | answers | in all | here |\n|---|---|---|---|\n"
    );
    for u in &used {
        if let Ok(here) = &u.what {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                u.name,
                u.files[0],
                u.files[1],
                here.replace('|', "\\|")
            );
        }
    }
    out
}

/// Prints the tasks of the benchmarks, with their answers.
fn task_table() -> String {
    let mut out = format!(
        "# Tasks\n\nKernels to write: tasks of two public benchmarks that vector cores can do, and kernels that engines for language models call.\n\n\
         Printed from `llm/tasks/`; refresh with `{REFRESH}`.\n\n\
         | part of a task | place |\n|---|---|\n\
         | header: the computation, its tensors and sizes, in our words | beside the answer |\n\
         | answer: a kernel of that name | `llm/tasks/` |\n\
         | reference in f64 | `llm/src/tasks/` |\n\n\
         - `cargo test -p jumar-llm --test suite tasks` checks every answer, and holds simulator and tile interpreter to the reference. The emitted C++ of one answer in ten runs, too; at night, of all.\n\
         - Any kernel is judged by the same call: `JUMAR_TASK=/softplus JUMAR_CANDIDATE=mine.rs cargo test -p jumar-llm --test suite every_answer_is_right`.\n\
         - A result may be off by the roundings that the header counts, and by that of its own element type.\n\
         - Floats of 16 bits are computed in f32 and rounded once, unless the header says otherwise.\n\n\
         Tokens are counted alike in Rust and C++: a run of letters, digits and `_` is one, a string is one, any other character is one, comments are none.\n\
         Ours are the tokens of the answer's `#[kernels]` module, which gives the host side, too. The public ones are those of the benchmark's own kernel files,\n\
         without the host's. MultiKernelBench has no answers in AscendC, and the kernels of engines are not counted.\n"
    );
    for (bench, title, source) in corpus::BENCHES {
        let tasks = corpus::tasks(bench);
        let _ = writeln!(
            out,
            "\n## {title}\n\n{source}: {} tasks{}.\n",
            tasks.len(),
            ratio(&tasks)
        );
        let _ = writeln!(
            out,
            "| task | kernel | tokens | public | |\n|---|---|---|---|---|"
        );
        for task in &tasks {
            let (stem, ours) = (&task.stem, corpus::tokens(task.answer()));
            let public = task
                .public_tokens
                .map_or("–".to_string(), |n| format!("{n}"));
            let lacks = task
                .leaves_out
                .as_ref()
                .map_or(String::new(), |what| format!("without {what}"));
            let _ = writeln!(out, "| {} | [{stem}](../../../llm/tasks/{bench}/{stem}.rs) | {ours} | {public} | {lacks} |", task.name);
        }
    }
    out
}

/// Prints the median ratio of an answer's tokens to the public one's.
fn ratio(tasks: &[corpus::Task]) -> String {
    let part = |task: &corpus::Task| {
        Some(corpus::tokens(task.answer()) as f64 / task.public_tokens? as f64)
    };
    let mut parts: Vec<f64> = tasks.iter().filter_map(part).collect();
    parts.sort_by(f64::total_cmp);
    let median = parts.get(parts.len() / 2);
    median.map_or(String::new(), |median| {
        format!("; the median of the tokens is {median:.3} of the public answer's")
    })
}

/// A phase of the codes, with its page.
struct Phase {
    prefix: &'static str,
    page: &'static str,
    title: &'static str,
    about: &'static str,
}

const fn phase(
    prefix: &'static str,
    page: &'static str,
    title: &'static str,
    about: &'static str,
) -> Phase {
    Phase {
        prefix,
        page,
        title,
        about,
    }
}

const PHASES: [Phase; 8] = [
    phase("J01", "syntax", "Syntax", "The text of a kernel."),
    phase(
        "J02",
        "types",
        "Types and shapes",
        "Element types, casts, shapes and roles of the parameters.",
    ),
    phase(
        "J03",
        "memory",
        "Memory, alignment, bounds",
        "UB, buffers, data blocks, and the elements of a tensor.",
    ),
    phase(
        "J04",
        "queues",
        "Queues and order",
        "The life of a tensor between `alloc_tensor` and `free_tensor`, and the order of copies.",
    ),
    phase(
        "J05",
        "chip",
        "Chip and cores",
        "The features of a chip, and how cores share the work.",
    ),
    phase(
        "J06",
        "launch",
        "Tiling and launch",
        "Facts that the host must know, and demands on a launch.",
    ),
    phase("J08", "runs", "Runs", "Faults that only a run finds."),
    phase(
        "J09",
        "numerics",
        "Numerics",
        "Lints on results that are less exact than they look.",
    ),
];

/// Returns the pages of the codes of a phase.
fn codes_of(phase: &Phase) -> impl Iterator<Item = Page> + '_ {
    pages()
        .into_iter()
        .filter(|page| page.code.as_str().starts_with(phase.prefix))
}

fn severity(code: Code) -> &'static str {
    match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// Prints all codes, a line each. Its anchors are the addresses in findings.
fn error_index() -> String {
    let mut out = format!(
        "# Errors\n\nEvery finding has a stable code, and a code is never reused. `jumar explain J0304` prints its page: the reason, a wrong and a right kernel.\n\
         The hundreds of a code say the phase. [Findings](findings.md) describes them as JSON, and how fixes are applied.\n\n\
         Printed from `dsl/src/diag/codes.rs`; refresh with `{REFRESH}`.\n"
    );
    let mut listed = 0;
    for phase in &PHASES {
        let _ = write!(
            out,
            "\n## {}xx {}\n\n{}\n\n| code | name | | summary |\n|---|---|---|---|\n",
            phase.prefix, phase.title, phase.about
        );
        for Page { code, .. } in codes_of(phase) {
            let anchor = code.as_str().to_lowercase();
            let heading = format!("{anchor}-{}", code.name().to_lowercase());
            let _ = writeln!(
                out,
                "| <a id=\"{anchor}\"></a>[{code}](errors/{}.md#{heading}) | {} | {} | {} |",
                phase.page,
                code.name(),
                severity(code),
                code.summary()
            );
            listed += 1;
        }
    }
    assert_eq!(
        listed,
        Code::ALL.len(),
        "a code of a phase that the index does not have"
    );
    out
}

/// Prints the pages of the codes of a phase, one below the other.
fn error_page(phase: &Phase) -> String {
    let mut out = format!(
        "# {}: {}xx\n\n{}\n\nPrinted from `dsl/src/diag/explain/`; refresh with `{REFRESH}`. All codes: [errors](../errors.md).\n",
        phase.title, phase.prefix, phase.about
    );
    for page in codes_of(phase) {
        out.push('\n');
        let mut inside = false;
        for line in page.text.trim_end().lines() {
            inside ^= line.starts_with("```");
            let deeper = if line.starts_with('#') && !inside {
                "#"
            } else {
                ""
            };
            let _ = writeln!(out, "{deeper}{line}");
        }
    }
    out
}

/// Prints the pages of the ops: an index, one for each family, the functions and the casts.
fn op_pages() -> Vec<(String, String)> {
    let mut families: Vec<((&str, &str), Vec<&OpDef>)> = Vec::new();
    for def in Op::all().filter(|def| def.op.is_written()) {
        let own = family(def.op);
        match families.iter_mut().find(|(old, _)| *old == own) {
            Some((_, all)) => all.push(def),
            None => families.push((own, vec![def])),
        }
    }
    let mut index = format!(
        "# Ops\n\nAn op is a method of a tile and a function of `vec::`, as its example shows. At queue level the call takes destination, sources,\n\
         scalar or round mode, and last the count or the repeats ([calls](../language/queue-calls.md)).\n\n\
         Element types are those of the operands. Where a type is missing, cast to `f32` and back.\n\
         2201 is the NPU architecture of Atlas A2 and A3 ({}), 2002 that of Atlas inference products ({}).\n\n\
         Printed from the rows in `dsl/src/ops/`; refresh with `{REFRESH}`.\n\n| page | ops |\n|---|---|\n",
        chips(Arch::V220),
        chips(Arch::M200)
    );
    let mut all = Vec::new();
    for ((title, about), defs) in families {
        let page = page_name(title);
        let names: Vec<String> = defs.iter().map(|def| format!("`{}`", def.name)).collect();
        let _ = writeln!(index, "| [{title}]({page}.md) | {} |", names.join(" "));
        let mut out = format!("# {title}\n\n{about}\n\nPrinted from `dsl/src/ops/`; refresh with `{REFRESH}`. [All ops](README.md).\n\n| op | AscendC | 2201 | 2002 | example | |\n|---|---|---|---|---|---|\n");
        for def in defs {
            let note = if def.exact.is_some() {
                " Lint J0901."
            } else {
                ""
            };
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
        all.push((page, out));
    }
    let names: Vec<String> = FUNCTIONS.iter().map(|f| format!("`{}`", f.name)).collect();
    let _ = writeln!(index, "| [Functions](functions.md) | {} |", names.join(" "));
    let _ = writeln!(index, "| [Casts](casts.md) | `cast` |");
    all.push(("functions".into(), function_table()));
    all.push(("casts".into(), cast_table()));
    all.push(("README".into(), index));
    all
}

/// Returns the file name of a family, made of the words of its title.
fn page_name(title: &str) -> String {
    let words = title.to_lowercase().replace(',', "");
    words.split_whitespace().collect::<Vec<_>>().join("-")
}

fn ascendc(def: &OpDef) -> String {
    match def.op {
        Op::Compare(_) | Op::CompareScalar(_) => {
            format!(
                "{} {}",
                def.ascendc,
                def.trailing.trim_start_matches("CMPMODE::")
            )
        }
        _ => def.ascendc.to_string(),
    }
}

/// Returns the title of an op's page, and the text below it.
fn family(op: Op) -> (&'static str, &'static str) {
    match op {
        Op::Binary(_) => ("Two operands", "Both are tensors, or one is a scalar."),
        Op::BinaryScalar(_) => ("Scalar operands", "Queue level: a tensor and a scalar. At tile level operators and methods take the scalar."),
        Op::Unary(_) => ("One operand", "Each element by itself."),
        Op::Compare(_) => ("Comparisons", "The result is a mask."),
        Op::CompareScalar(_) => ("Comparisons with a scalar", "Queue level: the result is a mask. At tile level comparisons take the scalar."),
        Op::Reduce(_) => ("Reductions of a tensor", "Queue level: all elements of a tensor become one."),
        Op::AxisReduce(_) => ("Reductions along axes", "Tile level: the axis goes."),
        Op::Layout(_) => ("Layout", "Cast, copy, broadcast, choice and order."),
        Op::Copy(_) => ("Copies", "Queue level: between GM and UB."),
        Op::Scalar(_) => ("Scalars of memory", "Queue level: single elements of UB and GM."),
        Op::Partial(_) => ("Reductions of repeats", "Queue level: one result for each repeat, data block or pair."),
        Op::Bit(_) => ("Bits", "Bits of integers. At tile level they are the operators `&`, `|`, `^` and `!`."),
        Op::Scan(_) => ("Scans", "Running sums and products. At tile level they are `v.cumsum(d)` and `v.cumprod(d)`."),
        Op::Shift(_) => ("Shifts", "At tile level they are the operators `<<` and `>>`."),
        Op::Mask(_) => ("Masks", "At tile level they are the operators `&`, `|` and `!`."),
        Op::Compound(_) => ("Compound ops", "Queue level: two steps in one call."),
    }
}

fn types(list: &[DType]) -> String {
    if list.is_empty() {
        return "–".into();
    }
    list.iter().map(|d| d.name()).collect::<Vec<_>>().join(" ")
}

fn chips(arch: Arch) -> String {
    let names: Vec<_> = Chip::all()
        .iter()
        .filter(|c| c.arch == arch)
        .map(|c| format!("`{}`", c.name))
        .collect();
    names.join(", ")
}

/// Prints the functions of the library, with the number of calls of each for `f32`.
fn function_table() -> String {
    let mut out = String::from(
        "# Functions\n\nTile level: methods made of ops, in `dsl/src/library/math.rs`. The column *off by* bounds the error; its parts add up:\n\n\
         - units in the last place (ulp) of `f32`;\n- the effect of an argument (of `pow` the power) that is off by so many of its units;\n- an absolute number.\n\n\
         *Calls* counts calls of the vector unit for a tile of `f32` on 2201.\n\n\
         | function | off by | calls | example | |\n|---|---|---|---|---|\n",
    );
    for f in FUNCTIONS {
        let Error {
            ulp,
            argument,
            least,
        } = f.error;
        let parts = [
            (ulp, format!("{ulp} ulp")),
            (argument, format!("{argument:e} of the argument")),
            (least, format!("{least:.1e}")),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(size, _)| *size > 0.0)
            .map(|(_, text)| text.replace("e0 of", " of"))
            .collect();
        let error = if parts.is_empty() {
            "exact".to_string()
        } else {
            parts.join(", ")
        };
        let _ = writeln!(
            out,
            "| `{}` | {error} | {} | `{}` | {} |",
            f.name,
            calls(f),
            f.example,
            f.doc
        );
    }
    out.push_str(
        "\n## Beside sequences by hand\n\nPredicted, not measured: cycles of the vector unit for 64 elements of `f32`, of 16 Mi in tiles as large as fit. *Ours* is a kernel that\n\
         calls the function. *By hand* is a sequence at queue level with the same polynomials (`tests/cost/handwritten.rs`): one call an op over the whole\n\
         tile, its sources in different banks of UB. `tests/functions.rs` holds ours to 1.2 times theirs.\n\n\
         | function | ours | by hand | ratio |\n|---|---|---|---|\n",
    );
    for (name, ours, theirs) in handwritten::rows() {
        let _ = writeln!(
            out,
            "| `{name}` | {ours:.1} | {theirs:.1} | {:.2} |",
            ours / theirs
        );
    }
    out
}

/// Counts the vector calls of a function for a tile.
fn calls(f: &Function) -> usize {
    // A mask cannot be stored, so the kernel selects by it.
    let (end, more) = if f.example.starts_with("let m") {
        ("let y = m.select(x, 0.0);", 1)
    } else {
        ("", 0)
    };
    let text = format!(
        "#[kernel]\nfn k(u: &GlobalTensor<f32>, v: &GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {{\nfor t in tiles(u) {{\n\
         let (x, w) = (u.at(t).load(), v.at(t).load());\n{}\n{end}\nz.at(t).store(y);\n}}\n}}",
        f.example
    );
    let file = check_text("calls.rs", &text, Some(Chip::default_chip()));
    let kernel = file.kernels().first().and_then(|k| k.checked.first());
    let kernel = kernel.unwrap_or_else(|| panic!("{text}\n{}", file.render(false)));
    let mut calls = 0;
    kernel
        .instances()
        .iter()
        .flat_map(|of| &of.variants)
        .flat_map(|v| &v.body.stmts)
        .for_each(|s| {
            // Calls before the loop run once, and do not count.
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
        "# Casts\n\nThe pairs that exist, with their round modes. Plain `cast` takes the first mode. A dash says that there is no such cast.\n\n\
         | from | to | 2201 | 2002 |\n|---|---|---|---|\n",
    );
    let modes = |arch, from, to| {
        let modes: Vec<_> = cast_modes(arch, from, to)
            .iter()
            .map(|m| m.name())
            .collect();
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
