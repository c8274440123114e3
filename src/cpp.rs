//! The second reader of a kernel: the emitted AscendC, compiled for the CPU.
//!
//! ```no_run
//! use jumar::prelude::*;
//! # #[kernel]
//! # pub fn copy(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
//! #     for t in tiles(x) {
//! #         y.at(t).store(x.at(t).load());
//! #     }
//! # }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let x = ndarray::Array1::<f32>::ones(1000);
//! let mut y = ndarray::Array1::<f32>::zeros(1000);
//! let cpp = jumar::cpp::Cpp::default();
//! copy.bind()?.backend(&cpp).input("x", &x).output("y", &mut y).run()?;
//! # Ok(())
//! # }
//! ```
//!
//! Kernel and host tiling function are those of the direct project. The result of the tiling
//! function is compared with that of the evaluator, so every run checks both.

use jumar_codegen::{emit, names, EmitOptions, Names, ProjectKind};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{Role, ScalarTy, StoreHow, TileStmt};
use jumar_dsl::tiling::Value;
use jumar_runtime::ascendc::{Argument, LaunchOptions, Outcome, Program, Source, Unit};
use jumar_runtime::{Backend, Job, JobBytes, Overflow, Ran, RunError, Shown};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;
use std::sync::Mutex;

/// Runs launches as emitted AscendC on the CPU.
#[derive(Debug, Default)]
pub struct Cpp {
    /// Runs the pipes in a random legal order, drawn from this seed, and looks for races.
    pub race: Option<u64>,
    /// Adds address and undefined-behaviour sanitizers.
    pub sanitize: bool,
    /// Records the events of a run in its outcome.
    pub record: bool,
    /// The outcome of the last run.
    outcome: Mutex<Outcome>,
}

impl Cpp {
    /// Makes a backend with these checks beyond the usual ones.
    pub fn new(race: Option<u64>, sanitize: bool) -> Self {
        Cpp {
            race,
            sanitize,
            record: false,
            outcome: Mutex::default(),
        }
    }

    /// Returns the outcome of the last run: its time, and the result of the tiling function.
    pub fn outcome(&self) -> Outcome {
        self.outcome
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone()
    }

    /// Compiles the kernel to a program, or finds it in the cache.
    ///
    /// # Errors
    /// J0805 without a compiler, J0806 where the emitted text does not compile: a mistake of ours.
    pub fn compile(&self, kernel: &CheckedKernel) -> Result<Program, RunError> {
        let names = names(kernel);
        let project = emit(
            kernel,
            &EmitOptions {
                kind: ProjectKind::Direct,
                source_name: Some(format!("{}.rs", names.kernel)),
                ..EmitOptions::default()
            },
        );
        let texts =
            [".cpp", "_tiling.h", "_tiling_func.h"].map(|end| format!("{}{end}", names.kernel));
        let mut texts: Vec<(String, String)> = texts
            .into_iter()
            .filter_map(|name| Some((name.clone(), project.text(&name)?.to_string())))
            .collect();
        // The kernel is the first text.
        texts
            .iter_mut()
            .take(1)
            .for_each(|(_, text)| *text = exact(text));
        let unit = Unit::new(
            Source::Texts(texts),
            glue(kernel, &names),
            kernel.chip().arch,
        );
        let unit = Unit {
            sanitize: self.sanitize,
            strict: true,
            ..unit
        };
        unit.compile()
    }
}

impl Backend for Cpp {
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError> {
        let program = self.compile(job.kernel)?;
        let mut options = LaunchOptions::new(job.kernel.chip());
        options.race = self.race;
        options.record = self.record;
        options.whole = true;
        options.alike = alike(job.kernel);
        options.saturate = job.overflow == Overflow::Saturate;
        options.tile = Some((job.instance, numbers(&job)));
        let mut arguments: Vec<Argument<'_>> = Vec::new();
        let mut given = job.tensors.into_iter().peekable();
        let sig = &job.kernel.kernel().sig;
        let body = &job.kernel.instances()[job.instance].variants[job.tiling.variant].body;
        let packed = body.packed();
        for (id, param, role, _) in sig.tensors() {
            let keeps = role == Role::InOut || packed.contains(&id);
            arguments.push(match given.next_if(|(name, _)| *name == param.name) {
                Some((name, JobBytes::Read(bytes))) => Argument::Input(name.to_string(), bytes),
                Some((name, JobBytes::Write(bytes))) if keeps => {
                    Argument::InOut(name.to_string(), bytes)
                }
                Some((name, JobBytes::Write(bytes))) => Argument::Output(name.to_string(), bytes),
                None if sig.is_optional(id) => Argument::Null,
                None => {
                    let message = format!("tensor `{}` was not bound", param.name);
                    return Err(RunError::Refused {
                        code: Code::J0605,
                        message,
                    });
                }
            });
        }
        if names(job.kernel).takes_workspace {
            arguments.push(Argument::Scratch(
                "workspace".to_string(),
                job.tiling.workspace as u64,
            ));
        }
        arguments.push(Argument::Tiled);
        let outcome = program.run(&options, &mut arguments)?;
        let tiled = outcome
            .tiled
            .as_ref()
            .map(|t| (t.block_dim, i64::try_from(t.key).unwrap_or(-1), t.workspace));
        let wanted = (job.tiling.block_dim, job.tiling.key, job.tiling.workspace);
        if tiled != Some(wanted) {
            return Err(RunError::Refused {
                code: Code::J0606,
                message: format!(
                    "the emitted tiling function decides (block dim, key, workspace) {tiled:?}, the evaluator {wanted:?}"
                ),
            });
        }
        let shown = Shown {
            printed: outcome.printed.clone(),
            ..Shown::default()
        };
        let mut by_name: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
        for (name, bytes) in &outcome.alike {
            let Some((_, _, _, ty)) = sig.tensors().find(|(_, param, ..)| param.name == *name)
            else {
                continue;
            };
            let size = ty.resolve(&sig.instances[job.instance]).bytes() as usize;
            by_name
                .entry(name.clone())
                .or_default()
                .push(bytes.start / size..bytes.end.div_ceil(size));
        }
        *self
            .outcome
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = outcome;
        Ok(Ran {
            shown,
            alike: by_name.into_iter().collect(),
            ..Ran::default()
        })
    }
}

/// Returns the numbers that the glue's tiling function reads: sizes of the axes, then attributes
/// and which tensors were given, floats as their bits.
fn numbers(job: &Job<'_>) -> Vec<i64> {
    let attrs = job.attrs.iter().flatten().map(|v| match v {
        Value::Int(v) => *v,
        Value::I32(v) => i64::from(*v),
        Value::F32(v) => i64::from(v.to_bits()),
        Value::Bool(v) => i64::from(*v),
    });
    job.dims.iter().copied().chain(attrs).collect()
}

/// A template for casts of a kernel to fewer bits: a cast must keep its number, or the run stops.
/// On a chip, a field silently drops bits that it cannot hold. Headers come before the template and
/// cast freely. `int32_t` is the cast `as i32` of the language, which drops bits on purpose.
const EXACT: &str = "template <typename To, typename From>
constexpr To Exactly(From &&from)
{
    using Of = std::decay_t<From>;
    if constexpr (std::is_unsigned_v<To> && !std::is_same_v<To, bool> && std::is_integral_v<Of>) {
        if constexpr (sizeof(To) < sizeof(Of)) {
            if (static_cast<Of>(static_cast<To>(from)) != from) {
                ascendc_cpu::AssertionFailed(\"a cast keeps its number\", \"%lld has no room in %d bits\",
                    static_cast<long long>(from), static_cast<int>(8 * sizeof(To)));
            }
        }
    }
    return static_cast<To>(std::forward<From>(from));
}
#define static_cast Exactly
";

/// Returns the text of a kernel with casts by [`EXACT`]; its lines keep their numbers.
fn exact(text: &str) -> String {
    let behind = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.starts_with("#include"))
        .last()
        .map_or(0, |(at, _)| at + 1);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (head, body) = lines.split_at(behind);
    format!(
        "{}{EXACT}#line {}\n{}#undef static_cast\n",
        head.concat(),
        behind + 1,
        body.concat()
    )
}

/// Returns the parameters to which iterations of a kernel store with `store_any`.
fn alike(kernel: &CheckedKernel) -> Vec<String> {
    let mut names = BTreeSet::new();
    let of = kernel.kernel();
    of.tiles().into_iter().for_each(|body| {
        body.walk(&mut |s| {
            if let Some(TileStmt::Store {
                to,
                how: StoreHow::Any,
                ..
            }) = s.own()
            {
                names.extend(to.param().map(|p| of.sig.param(p).name.clone()));
            }
        });
    });
    names.into_iter().collect()
}

/// Returns the kernels of the text as a table, and its tiling function behind one signature.
fn glue(kernel: &CheckedKernel, names: &Names) -> String {
    let mut text = format!(
        "#include \"{}_tiling_func.h\"\n\nnamespace ascendc_cpu {{\n",
        names.kernel
    );
    text.push_str("static const Entry list[] = {\n");
    for (key, name) in &names.entries {
        let _ = writeln!(text, "    EntryOf<&::{name}>(\"{name}\", {key}),");
    }
    text.push_str("};\nextern const Entries entries;\nconst Entries entries = {list, sizeof list / sizeof list[0]};\n\n");
    let _ = writeln!(text, "static {} decided;", names.tiling);
    text.push_str("static void Decide(int32_t instance, const int64_t *numbers, Tiled *out)\n{\n    (void)numbers;\n");
    let _ = writeln!(text, "    {} args;", names.args);
    let mut at = 0;
    for axis in &names.axes {
        let _ = writeln!(text, "    args.{axis} = numbers[{at}];");
        at += 1;
    }
    for (id, ty, _) in kernel.kernel().sig.told() {
        let Some(member) = &names.attrs[id.index()] else {
            continue;
        };
        let read = match ty {
            ScalarTy::F32 => format!("FloatOf(static_cast<uint32_t>(numbers[{at}]))"),
            ScalarTy::I32 => format!("static_cast<int32_t>(numbers[{at}])"),
            ScalarTy::Index => format!("numbers[{at}]"),
            ScalarTy::Bool => format!("numbers[{at}] != 0"),
        };
        let _ = writeln!(text, "    args.{member} = {read};");
        at += 1;
    }
    text.push_str("    static std::string why;\n");
    let _ = writeln!(
        text,
        "    if (!{}(args, {{}}, instance, decided, &why)) {{",
        names.compute
    );
    text.push_str("        out->error = why.c_str();\n        return;\n    }\n");
    text.push_str("    out->key = static_cast<uint64_t>(decided.tilingKey);\n    out->block_dim = decided.blockDim;\n");
    text.push_str("    out->workspace = decided.workspaceSize;\n    out->data = &decided.data;\n");
    text.push_str(
        "    out->bytes = sizeof decided.data;\n}\nextern const TileFunction tile;\nconst TileFunction tile = Decide;\n}\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use jumar_dsl::soc::Chip;

    /// Runs a kernel that casts a number given to it.
    fn cast(number: &str) -> Result<Outcome, RunError> {
        let text = format!(
            "#include \"kernel_operator.h\"\n\nextern \"C\" __global__ __aicore__ void k(GM_ADDR y)\n{{\n    \
             static_cast<void>(0);\n    *reinterpret_cast<__gm__ int64_t *>(y) = static_cast<uint8_t>({number});\n}}\n"
        );
        let chip = Chip::by_name("ascend910b1").expect("a chip");
        let unit = Unit::kernel(
            Source::Texts(vec![("k.cpp".to_string(), exact(&text))]),
            "k",
            chip.arch,
        );
        let mut y = [0; 8];
        let mut options = LaunchOptions::new(chip);
        options.block_dim = 1;
        unit.compile()?
            .run(&options, &mut [Argument::InOut("y".to_string(), &mut y)])
    }

    #[test]
    fn a_cast_that_drops_bits_stops_the_run() {
        assert!(cast("int64_t(255)").is_ok());
        for number in ["int64_t(256)", "int64_t(-1)", "uint32_t(4096)"] {
            let said = cast(number).expect_err("it drops bits").to_string();
            assert!(
                said.contains("a cast keeps its number") && said.contains("no room in 8 bits"),
                "{said}"
            );
        }
    }

    #[test]
    fn lines_of_a_text_keep_their_numbers() {
        let text = exact("// A kernel.\n#include \"a.h\"\n\nint n;\n");
        assert!(
            text.starts_with("// A kernel.\n#include \"a.h\"\ntemplate"),
            "{text}"
        );
        assert!(
            text.ends_with("#line 3\n\nint n;\n#undef static_cast\n"),
            "{text}"
        );
    }
}
