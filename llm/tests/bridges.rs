//! Answers in the forms of benchmarks: every answer for its cases is checked against the
//! benchmarks' rules, compiled, and run.
//!
//! The texts of all tasks are checked. In the gate, one case of a few tasks is compiled and run,
//! and four cases of one task in ninety, drawn by its answer. At night, and with
//! `JUMAR_BRIDGES=all`, it is four cases of all tasks. `JUMAR_BRIDGES=none` leaves only the few.
//! `JUMAR_TASK` selects tasks by name. `JUMAR_TABLE` prints a line for each task.

use crate::support::{again, all_tasks, each};
use jumar::codegen::{emit, EmitOptions, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::load::check_text;
use jumar::runtime::ascendc::{scan, LaunchOptions, Program, Source, Unit};
use jumar_kit::tier::{hash, is_drawn, seed};
use jumar_llm::bridge::multikernelbench::texts;
use jumar_llm::bridge::npukernelbench::{answer, Answer, Entry};
use jumar_llm::bridge::BridgeError;
use jumar_llm::tasks::corpus::{tasks, Task};
use jumar_llm::tasks::handwritten::Called;
use jumar_llm::tasks::run::{runs, Poison, Run};
use std::io::Write;
use std::process::{Command, Stdio};

/// Tasks that are always compiled and run: rows, lists, in-place tensors, one block, optional
/// tensors.
const FEW: [&str; 9] = [
    "add_custom",
    "rms_norm",
    "foreach_add_scalar_list",
    "inplace_add_rms_norm",
    "coalesce_sparse",
    "layer_norm_v4",
    "elu",
    "sgd",
    "conv_depthwise_2d_square_input_square_kernel",
];

/// How many cases of a drawn task are compiled and run.
const CASES: usize = 4;

/// One task in this many is drawn.
const PARTS: u64 = 90;

fn of_bench(bench: &str) -> Vec<Task> {
    all_tasks()
        .into_iter()
        .filter(|task| task.bench == bench)
        .collect()
}

/// Returns the cases of a task, out of `all`, that are compiled and run.
fn compiled_cases(task: &Task, all: usize) -> Vec<usize> {
    if is_drawn("JUMAR_BRIDGES", PARTS, task.answer()) {
        (0..all).step_by(all.div_ceil(CASES).max(1) | 1).collect()
    } else if FEW.contains(&task.stem.as_str()) {
        vec![(hash(seed(), task.stem.as_bytes()) % all as u64) as usize]
    } else {
        Vec::new()
    }
}

fn checked(task: &Task) -> CheckedKernel {
    let file = check_text("answer.rs", task.answer(), None);
    file.kernel(&task.stem)
        .and_then(|kernel| kernel.checked.first().cloned())
        .unwrap_or_else(|| panic!("{}", task.stem))
}

/// Reads a reply like the benchmark's program: the first pair of markers, the first fence inside,
/// and the words that it replaces.
fn as_the_benchmark_reads(reply: &str) -> String {
    let inside = reply
        .split_once("<kernel_impl>")
        .and_then(|(_, rest)| rest.split_once("</kernel_impl>"))
        .expect("markers")
        .0;
    let fenced = inside
        .split_once("```cpp")
        .and_then(|(_, rest)| rest.split_once("```"))
        .map_or(inside, |(code, _)| code);
    fenced
        .trim()
        .replace("GM_ADDR workspace", "GM_ADDR workspace, GM_ADDR tiling")
}

/// Returns the parts of a text that break a rule. The rules come only from the benchmark's prompt
/// and program.
fn against_the_rules(task: &Task, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let code: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().to_string() + "\n")
        .collect();
    let words: Vec<&str> = code
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    for word in [
        "GET_TILING_DATA",
        "TILING_KEY_IS",
        "half",
        "bfloat16",
        "float16",
        "GetUserWorkspace",
        "SyncAll",
    ] {
        found.extend(words.contains(&word).then(|| format!("`{word}`")));
    }
    found.extend(
        words
            .iter()
            .find(|word| word.starts_with("DTYPE_") || word.starts_with("ORIG_"))
            .map(|word| format!("`{word}`")),
    );
    let includes: Vec<&str> = text
        .lines()
        .filter(|line| line.trim_start().starts_with("#include"))
        .collect();
    // The toolkit's own header of lists is not a file beside the text, and no other header of the
    // toolkit includes it.
    let lists = words
        .contains(&"ListTensorDesc")
        .then_some("#include \"kernel_operator_list_tensor_intf.h\"");
    let due: Vec<&str> = ["#include \"kernel_operator.h\""]
        .into_iter()
        .chain(lists)
        .collect();
    found.extend((includes != due).then(|| format!("{includes:?}")));
    let count = |what: &str| text.matches(what).count();
    found.extend(
        (count("GM_ADDR workspace") != 1).then(|| "`GM_ADDR workspace` not once".to_string()),
    );
    found.extend(
        (count("GM_ADDR tiling") != 1)
            .then(|| "`tiling` not once, which the benchmark adds".to_string()),
    );
    found.extend(
        (count("extern \"C\"") != 1).then(|| "not one function with C linkage".to_string()),
    );
    let name = jumar::dsl::names::snake_of_pascal(&task.name);
    let head = format!("extern \"C\" __global__ __aicore__ void {name}(GM_ADDR ");
    match code.split_once(&head) {
        None => found.push(format!("no `{head}`")),
        Some((_, rest)) => {
            let params = rest.split(')').next().unwrap_or_default();
            let all: Vec<&str> = params.split(',').map(str::trim).collect();
            found.extend(
                all.iter()
                    .skip(1)
                    .find(|p| !p.starts_with("GM_ADDR "))
                    .map(|p| format!("parameter `{p}`")),
            );
            found.extend(
                (!params.ends_with("GM_ADDR workspace, GM_ADDR tiling"))
                    .then(|| format!("({params})")),
            );
            let of_tensors = || {
                task.tensors
                    .iter()
                    .map(|t| usize::from(t.is.read()) + usize::from(t.is.written()))
                    .sum()
            };
            let due = if task.entry.is_empty() {
                of_tensors()
            } else {
                task.entry.len()
            } + 2;
            let named = |at: usize, name: &str| {
                all.get(at)
                    .is_some_and(|p| p.to_lowercase().ends_with(&name.replace('_', "")))
            };
            let firsts = task
                .entry
                .iter()
                .enumerate()
                .filter(|(at, name)| !task.entry[..*at].contains(name));
            found.extend(
                firsts
                    .filter(|(at, name)| !named(*at, name))
                    .map(|(at, name)| format!("parameter {at} is not {name}")),
            );
            found
                .extend((all.len() != due).then(|| format!("{} parameters, not {due}", all.len())));
        }
    }
    found
}

/// Exports a case with its element types.
fn exported(task: &Task, kernel: &CheckedKernel, run: &Run<'_>) -> Result<Answer, BridgeError> {
    let case = run
        .case(kernel)
        .expect("the names of an answer are those of its task");
    answer(
        kernel,
        &run.types(kernel),
        &case,
        Entry {
            op_type: Some(&task.name),
            params: &task.entry,
        },
    )
}

fn compiled(task: &Task, kernel: &CheckedKernel, text: &str) -> Result<Program, String> {
    let name = jumar::dsl::names::snake_of_pascal(&task.name);
    let source = Source::Texts(vec![(format!("{name}.cpp"), text.to_string())]);
    Unit::kernel(source, &name, kernel.chip().arch)
        .compile()
        .map_err(|e| e.to_string())
}

/// Compiles an answer and runs it with these numbers of blocks. Returns the largest error as a
/// fraction of the tolerance.
fn right(
    task: &Task,
    kernel: &CheckedKernel,
    run: &Run<'_>,
    text: &str,
    blocks: &[u32],
) -> Result<f64, String> {
    let program = compiled(task, kernel, text)?;
    let function = scan(text).into_iter().next().ok_or("no kernel function")?;
    let called = Called::new(task, &function)?;
    let due = run.due(task.reference());
    let mut worst = 0.0f64;
    for (nth, blocks) in blocks.iter().enumerate() {
        let options = LaunchOptions {
            block_dim: *blocks,
            ..LaunchOptions::new(kernel.chip())
        };
        let poison = if nth % 2 == 0 {
            Poison::High
        } else {
            Poison::Low
        };
        let after = run
            .handwritten(&program, &called, &options, poison)
            .map_err(|halt| format!("{blocks} blocks: {}", halt.why))?;
        worst = worst.max(
            run.against(&due, &after)
                .map_err(|why| format!("{blocks} blocks: {why}"))?,
        );
    }
    Ok(worst)
}

/// Plants faults in a text, each of which the readers of this file must find.
#[test]
fn a_fault_in_a_text_is_found() {
    let task = &tasks("npukernelbench")
        .into_iter()
        .find(|task| task.stem == "add_custom")
        .expect("a task");
    let kernel = checked(task);
    let (case, element) = runs(task).last().expect("a case");
    let run = Run::new(task, case, &element, 0);
    let reply = exported(task, &kernel, &run).expect("a text").reply();
    let text = as_the_benchmark_reads(&reply);
    assert!(
        against_the_rules(task, &text).is_empty()
            && right(task, &kernel, &run, &text, &[40]).is_ok()
    );
    let changed = |from: &str, to: &str| {
        assert!(reply.contains(from), "{from}\n{reply}");
        as_the_benchmark_reads(&reply.replacen(from, to, 1))
    };
    for (from, to, what) in [
        (
            "void add_custom(GM_ADDR x",
            "void add_custom(GM_ADDR workspace, GM_ADDR x",
            "`GM_ADDR workspace` not once",
        ),
        ("void add_custom", "void add", "no `extern"),
        (
            "add_custom(GM_ADDR x, GM_ADDR y, ",
            "add_custom(GM_ADDR x, ",
            "4 parameters, not 5",
        ),
        ("float16_t", "half", "`half`"),
        ("float16_t", "DTYPE_X", "`DTYPE_X`"),
        ("#include", "#include \"tiling.h\"\n#include", "tiling.h"),
        (
            "constexpr AddCustomTilingData tilingData",
            "GET_TILING_DATA(tilingData, tiling); AddCustomTilingData other",
            "`GET_TILING_DATA`",
        ),
    ] {
        let found = against_the_rules(task, &changed(from, to)).join(", ");
        assert!(found.contains(what), "{what}: {found}");
    }
    for (from, to) in [
        (
            "share = AscendC::GetBlockIdx()",
            "share = 1 + AscendC::GetBlockIdx()",
        ),
        (
            "share += AscendC::GetBlockNum()",
            "share += 2 * AscendC::GetBlockNum()",
        ),
        ("op.Init(x, y, z", "op.Init(x, x, z"),
    ] {
        assert!(
            right(task, &kernel, &run, &changed(from, to), &[3]).is_err(),
            "{to}"
        );
    }
}

/// The outcome of a task.
#[derive(Default)]
struct Tally {
    refused: Vec<String>,
    wrong: Vec<String>,
    cases: usize,
    ran: usize,
    alone: bool,
}

fn tallied(task: &Task) -> Tally {
    let kernel = checked(task);
    let mut tally = Tally::default();
    let all: Vec<_> = runs(task).collect();
    let compiled = compiled_cases(task, all.len());
    for (nth, (case, element)) in all.iter().enumerate() {
        let run = Run::new(task, case, element, 0);
        let answer = match exported(task, &kernel, &run) {
            Ok(answer) => answer,
            Err(e @ BridgeError::Workspace { .. }) => {
                tally.refused.push(format!("{}: {e}", run.name));
                continue;
            }
            Err(e) => {
                tally.wrong.push(format!("{}: {e}", run.name));
                continue;
            }
        };
        tally.cases += 1;
        tally.alone |= answer.alone;
        let text = as_the_benchmark_reads(&answer.reply());
        let found = against_the_rules(task, &text);
        tally.wrong.extend(
            (!found.is_empty()).then(|| format!("{}: {}\n{text}", run.name, found.join(", "))),
        );
        if compiled.contains(&nth) {
            tally.ran += 1;
            let cores = u32::try_from(kernel.chip().vector_cores).expect("a number of cores");
            tally.wrong.extend(
                right(task, &kernel, &run, &text, &[cores, 3])
                    .err()
                    .map(|why| format!("{}: {why}", run.name)),
            );
        }
    }
    tally
}

#[test]
fn every_answer_is_exported_in_the_form_of_npukernelbench() {
    let table = std::env::var_os("JUMAR_TABLE").is_some();
    let (mut exported, mut ran, mut wrong) = (0, 0, Vec::new());
    let all = of_bench("npukernelbench");
    for (task, tally) in all.iter().zip(each(&all, tallied)) {
        exported += usize::from(tally.refused.is_empty());
        ran += usize::from(tally.ran > 0 && tally.wrong.is_empty());
        if table {
            let alone = if tally.alone { ", on one block" } else { "" };
            let Tally {
                refused,
                wrong,
                cases,
                ran,
                ..
            } = &tally;
            let why = refused.first().map_or("", String::as_str);
            println!(
                "{}: {cases} cases, {ran} ran{alone}, {} wrong, {} refused {why}",
                task.stem,
                wrong.len(),
                refused.len()
            );
        }
        wrong.extend(tally.wrong);
    }
    println!("{} tasks, {exported} exported in every case, {ran} right of those that were compiled and run", all.len());
    assert!(
        wrong.is_empty(),
        "{}\n{}",
        wrong.join("\n\n"),
        again("every_answer_is_exported_in_the_form_of_npukernelbench")
    );
    let always = all
        .iter()
        .filter(|task| FEW.contains(&task.stem.as_str()))
        .count();
    assert!(
        ran >= always,
        "{ran} of {always} that are always compiled and run"
    );
}

fn kernel(text: &str) -> CheckedKernel {
    let head = if text.contains("#[kernel]") {
        ""
    } else {
        "use jumar::prelude::*;\n#[kernel]\n"
    };
    let file = check_text("kernel.rs", &format!("{head}{text}"), None);
    let checked = file
        .kernels()
        .first()
        .and_then(|kernel| kernel.checked.first().cloned());
    checked.unwrap_or_else(|| panic!("{}", file.render(false)))
}

/// Kernels without a static form are refused by name, with advice.
#[test]
fn what_has_no_form_is_refused_by_name() {
    let total = tasks("npukernelbench")
        .into_iter()
        .find(|task| task.stem == "sasum")
        .expect("a task")
        .answer();
    let said = "pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, n: usize) {
        require(n < 5);
        for t in tiles(x) { y.at(t).store(x.at(t).load()); }
    }";
    let marked = "pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) { let v = x.at(t).load(); v.dump(\"</kernel_impl>\"); y.at(t).store(v); }
    }";
    let generic = "pub fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for t in tiles(x) { y.at(t).store(x.at(t).load()); }
    }";
    let case = |attrs: &[(&str, i64)]| jumar::runtime::Case {
        shapes: vec![("x".into(), vec![vec![64]])],
        attrs: attrs
            .iter()
            .map(|(name, v)| (name.to_string(), jumar::dsl::tiling::Value::Int(*v)))
            .collect(),
        lists: Vec::new(),
    };
    let f8 = vec![("T".to_string(), DType::I32)];
    let rows = [
        (
            total,
            vec![("T".to_string(), DType::F32)],
            case(&[("n", 64), ("incx", 1)]),
            "needs 512 bytes of workspace (`sum_parts`)",
        ),
        (marked, vec![], case(&[]), "a marker, which ends the answer"),
        (said, vec![], case(&[]), "attribute `n`"),
        (said, vec![], case(&[("m", 1)]), "has no attribute `m`"),
        (
            generic,
            vec![],
            case(&[]),
            "is one of several instances: T=f16, or T=bf16, or T=f32",
        ),
        (generic, f8, case(&[]), "has no such instance; it has T=f16"),
        (
            generic,
            vec![("U".to_string(), DType::F16)],
            case(&[]),
            "has no element type parameter `U`",
        ),
    ];
    for (text, types, case, what) in rows {
        let e = answer(&kernel(text), &types, &case, Entry::default())
            .map(|a| a.text)
            .expect_err(what);
        assert!(e.to_string().contains(what), "{e}");
        assert!(!e.help().is_empty());
    }
}

/// A type parameter that no tensor of the case has needs no `--dtype`.
#[test]
fn a_type_that_no_tensor_of_a_case_has_is_the_first_one() {
    let text = "pub fn k<W: Float>(x: &GlobalTensor<f32>, w: Option<&GlobalTensor<W>>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) { y.at(t).store(x.at(t).load() * w.or_full(0.5).at(t).load().cast::<f32>()); }
    }";
    let kernel = kernel(text);
    let case = |names: &[&str]| jumar::runtime::Case {
        shapes: names
            .iter()
            .map(|name| (name.to_string(), vec![vec![64]]))
            .collect(),
        attrs: Vec::new(),
        lists: Vec::new(),
    };
    let types = |dtype| vec![("W".to_string(), dtype)];
    let instance = |types: &[(String, DType)], names: &[&str]| {
        jumar_llm::bridge::instance(&kernel, types, &case(names))
    };
    assert!(matches!(instance(&[], &["x"]), Ok(0)));
    assert!(matches!(instance(&types(DType::F32), &["x", "w"]), Ok(2)));
    assert!(matches!(
        instance(&[], &["x", "w"]),
        Err(BridgeError::Types(_))
    ));
    assert!(matches!(
        instance(&types(DType::I32), &["x"]),
        Err(BridgeError::Types(_))
    ));
}

/// Runs a script, or returns `None` without Python. Then only the reader of this test checks the
/// quoting.
fn python(script: &str, input: &str) -> Option<String> {
    let mut command = Command::new("python3");
    let mut child = command
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    assert!(output.status.success(), "python3 refuses the file");
    String::from_utf8(output.stdout).ok()
}

/// Prints the strings of a file as the benchmark finds them: it runs the file, and reads its tree
/// for the model.
const READ: &str = "import ast, json, sys
text = sys.stdin.read()
found = {}
exec(compile(text, 'answer', 'exec'), found)
names = [n.targets[0].id for n in ast.parse(text).body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant)]
model = ast.parse(found['model_src'])
forward = [f for c in model.body if isinstance(c, ast.ClassDef) and c.name == 'ModelNew' for f in c.body if getattr(f, 'name', '') == 'forward'][0]
arithmetic = [n for n in ast.walk(forward) if isinstance(n, ast.BinOp)]
json.loads(found['project_json_src'])
print(json.dumps([[n, found[n]] for n in names]), len(arithmetic))";

/// Reads raw strings in triple quotes.
fn strings(python: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut rest = python;
    while let Some((name, tail)) = rest.split_once(" = r") {
        let (quotes, tail) = tail.split_at(3);
        let (text, tail) = tail.split_once(quotes).expect("an end");
        all.push((name.trim().to_string(), text.to_string()));
        rest = tail;
    }
    assert!(rest.trim().is_empty(), "{rest}");
    all
}

#[test]
fn every_answer_is_exported_in_the_form_of_multikernelbench() {
    each(&of_bench("multikernelbench"), |task| {
        let kernel = checked(task);
        let texts = texts(&kernel, &task.stem).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let file = texts
            .python()
            .unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let found = strings(&file);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        let due = [
            "project_json_src",
            "host_tiling_src",
            "host_operator_src",
            "kernel_src",
            "python_bind_src",
            "model_src",
        ];
        assert_eq!(names, due, "{}", task.stem);
        if let Some(said) = python(READ, &file) {
            let (json, arithmetic) = said.trim().rsplit_once(' ').expect("two words");
            let read: Vec<(String, String)> = serde_json::from_str(json).expect("JSON");
            assert_eq!(read, found, "{}", task.stem);
            assert_eq!(arithmetic, "0", "{}: the model computes", task.stem);
        }
        let of = |name: &str| {
            found
                .iter()
                .find(|(own, _)| own == name)
                .map(|(_, text)| text.as_str())
                .expect("a text")
        };
        // `jumar emit` makes two host files for an operator of this type, which are one text here.
        let op: String = task
            .stem
            .split('_')
            .chain(["custom"])
            .map(|w| w[..1].to_uppercase() + &w[1..])
            .collect();
        let options = EmitOptions {
            kind: ProjectKind::Msopgen,
            op_type: Some(op.clone()),
            ..EmitOptions::default()
        };
        let project = emit(&kernel, &options);
        let stem = jumar::dsl::names::snake_of_pascal(&op);
        let text = |path: String| project.text(&path).unwrap_or_else(|| panic!("{path}"));
        assert_eq!(of("kernel_src"), text(format!("op_kernel/{stem}.cpp")));
        assert_eq!(
            of("host_tiling_src"),
            text(format!("op_host/{stem}_tiling.h"))
        );
        assert_eq!(of("project_json_src"), text(format!("{stem}.json")));
        let operator = of("host_operator_src");
        assert!(
            operator.contains(text(format!("op_host/{stem}_tiling_func.h"))),
            "{}",
            task.stem
        );
        let own: Vec<&str> = operator
            .lines()
            .filter(|line| line.starts_with("#include \"") && line.contains("_tiling"))
            .collect();
        assert_eq!(
            own,
            [format!("#include \"{}_custom_tiling.h\"", task.stem)],
            "{}",
            task.stem
        );
        let (bind, model) = (of("python_bind_src"), of("model_src"));
        assert!(
            bind.contains(&format!("EXEC_NPU_CMD(aclnn{op}, ")),
            "{bind}"
        );
        assert!(
            bind.contains(&format!(
                "m.def(\"{}_custom\", &{}_custom_impl_npu, ",
                task.stem, task.stem
            )),
            "{bind}"
        );
        assert!(
            model.contains("class ModelNew(torch.nn.Module):"),
            "{model}"
        );
        assert!(
            model.contains(&format!("return custom_ops_lib.{}_custom(", task.stem)),
            "{model}"
        );
    });
}

/// The parts of PyTorch and of the benchmark's helper that a binding uses.
const TORCH: &str = "#pragma once
#include <cstdint>
#include <vector>
namespace c10 {
template <typename T> struct optional { bool has_value() const; const T *operator->() const; };
}
namespace at {
enum ScalarType { kHalf, kBFloat16, kFloat, kInt, kBool, kChar, kLong, kShort, kByte };
struct IntArrayRef { IntArrayRef(const std::vector<int64_t> &); std::vector<int64_t> vec() const; };
struct TensorOptions { TensorOptions dtype(ScalarType) const; };
struct Tensor { IntArrayRef sizes() const; TensorOptions options() const; };
Tensor empty(IntArrayRef, TensorOptions);
}
struct Module { template <typename F> void def(const char *, F, const char *); };
template <typename... T> void Exec(const T &...);
#define TORCH_CHECK(cond, ...) if (!(cond)) Exec(__VA_ARGS__)
#define EXEC_NPU_CMD(name, ...) Exec(__VA_ARGS__)
#define PYBIND11_MODULE(name, m) void Bind(Module &m)
";

/// A folder of files, removed with the test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str, files: &[(String, &str)]) -> Self {
        let folder = Folder(
            std::env::temp_dir().join(format!("jumar-bridges-{name}-{}", std::process::id())),
        );
        for (path, text) in files {
            let path = folder.0.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compiles the texts as the benchmark writes them: the operator with our headers of the toolkit,
/// and the binding with the stubs above.
#[test]
fn the_host_texts_of_multikernelbench_compile() {
    let all: Vec<Task> = of_bench("multikernelbench")
        .into_iter()
        .filter(|task| !compiled_cases(task, 1).is_empty())
        .collect();
    each(&all, |task| {
        let kernel = checked(task);
        let texts = texts(&kernel, &task.stem).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let op = format!("{}_custom", task.stem);
        let files = [
            (format!("op_host/{op}.cpp"), texts.host_operator.as_str()),
            (format!("op_host/{op}_tiling.h"), &texts.host_tiling),
            ("csrc/op.cpp".to_string(), &texts.python_bind),
            ("csrc/torch/extension.h".to_string(), TORCH),
            ("csrc/pytorch_npu_helper.hpp".to_string(), "#pragma once\n"),
        ];
        let folder = Folder::new(&task.stem, &files);
        let host = Unit::operator(
            vec![folder.0.join(format!("op_host/{op}.cpp"))],
            kernel.chip().arch,
        )
        .compile();
        let host = host.unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let function = scan(&texts.kernel)
            .into_iter()
            .next()
            .expect("a kernel function");
        let definition = host
            .definition(&function.name, kernel.chip())
            .unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let type_of = task
            .stem
            .split('_')
            .chain(["custom"])
            .map(|w| w[..1].to_uppercase() + &w[1..])
            .collect::<String>();
        assert_eq!(definition.operator, type_of);
        let mut compiler = Command::new("g++");
        compiler.args([
            "-std=c++17",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsyntax-only",
            "-I",
            "csrc",
            "csrc/op.cpp",
        ]);
        let output = compiler.current_dir(&folder.0).output().expect("g++");
        assert!(
            output.status.success(),
            "{}: {}",
            task.stem,
            String::from_utf8_lossy(&output.stderr)
        );
    });
}
