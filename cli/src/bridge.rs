//! `jumar bridge`: a kernel in the form in which a benchmark takes answers.

use super::outputs::Files;
use super::{args, npy, say, source, Failure, Outcome, Which};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar_llm::bridge::npukernelbench::Entry;
use jumar_llm::bridge::{multikernelbench, npukernelbench, BridgeError};
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "\
Examples:
  jumar bridge npukernelbench rms_norm.rs --op-type RmsNorm --dtype T=f16 --shape x=48,1024 --shape gamma=1024 --arg epsilon=1e-6
  jumar bridge npukernelbench foreach_exp.rs --dtype T=f32 --shape xs=7,13 --shape xs=3,4099       a list: sizes item by item
  jumar bridge multikernelbench elu.rs --task elu --out elu.py

`book/src/models/bridges.md` says what each benchmark asks of the texts, and what becomes of kernels that it has no form for.";

#[derive(clap::Args)]
pub struct Call {
    #[command(subcommand)]
    form: Form,
}

/// The benchmark whose form is written.
#[derive(clap::Subcommand)]
enum Form {
    /// NPUKernelBench, static shape, kernel only: one file for one case, between its markers
    Npukernelbench(Static),
    /// MultiKernelBench, AscendC: six texts in a Python file
    Multikernelbench(Python),
}

/// Arguments of a case.
#[derive(clap::Args)]
struct Static {
    #[command(flatten)]
    which: Which,
    /// Element type of a type parameter of the kernel
    #[arg(long = "dtype", value_name = "PARAMETER=TYPE")]
    types: Vec<String>,
    /// Shape of a tensor; for a list, repeat it for each item
    #[arg(long = "shape", value_name = "NAME=SIZES")]
    shapes: Vec<String>,
    /// Attribute; for a list, a number for each item
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    args: Vec<String>,
    /// The benchmark's name of the operator, in PascalCase; by default the kernel function has the
    /// kernel's name
    #[arg(long, value_name = "NAME", value_parser = super::emit::op_type)]
    op_type: Option<String>,
    /// Parameters of the benchmark's kernel function before the workspace, if they are not inputs
    /// and then outputs: the kernel's tensors by name, and others, which are not read
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    params: Vec<String>,
    /// Only the file, without markers and fence
    #[arg(long)]
    bare: bool,
    /// File to write it to; by default standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Arguments of a task.
#[derive(clap::Args)]
struct Python {
    #[command(flatten)]
    which: Which,
    /// The benchmark's name of the task, in snake_case; by default the kernel's name
    #[arg(long, value_name = "NAME", value_parser = task_name)]
    task: Option<String>,
    /// File to write it to; by default standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Checks a task name, which is also the name of a file, a C++ function and a Python function.
fn task_name(text: &str) -> Result<String, String> {
    let spelled = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    spelled.then(|| text.to_owned()).ok_or_else(|| {
        "a task is named in snake_case: a letter, then letters, digits and `_`".into()
    })
}

pub fn main(call: &Call) -> Outcome {
    match &call.form {
        Form::Npukernelbench(call) => {
            with_kernel(&call.which, |kernel| call.text(kernel), call.out.as_deref())
        }
        Form::Multikernelbench(call) => {
            with_kernel(&call.which, |kernel| call.text(kernel), call.out.as_deref())
        }
    }
}

/// Makes the text of the selected kernel, and writes it to a file or standard output.
fn with_kernel(
    which: &Which,
    text: impl FnOnce(&CheckedKernel) -> Result<String, Failure>,
    out: Option<&Path>,
) -> Outcome {
    let file = source::load(which)?;
    let kernels = source::clean(&file)?;
    let text = text(super::emit::one(&kernels, "an answer is one kernel")?)?;
    match out {
        Some(out) => write(out, &text),
        None => say(&text),
    }
}

/// Writes the file completely or not at all.
fn write(file: &Path, text: &str) -> Outcome {
    let cannot = |e: std::io::Error| {
        let why = format!("`{}` cannot be written: {}", file.display(), npy::said(&e));
        Failure::call(
            why,
            "give with --out a file in a place that you may write to",
        )
    };
    let pending = Files::default().writes("the answer", file)?;
    std::fs::write(pending.path(), text).map_err(cannot)?;
    pending.finish().map_err(cannot)
}

fn refused(e: BridgeError) -> Failure {
    let help = e.help();
    match e {
        BridgeError::Launch(e) => Failure::refused(&e, help),
        e => Failure::call(e, help),
    }
}

impl Static {
    fn text(&self, kernel: &CheckedKernel) -> Result<String, Failure> {
        let sig = &kernel.kernel().sig;
        let case = args::case(sig, &self.shapes, &self.args)?;
        let types = self.types.iter().map(|text| {
            let (name, dtype) = text.split_once('=').ok_or_else(|| {
                Failure::call(
                    format!("`--dtype {text}` has no PARAMETER=TYPE"),
                    "say which type parameter is what: --dtype T=f16",
                )
            })?;
            Ok((
                name.trim().to_string(),
                args::element_type(sig, dtype.trim())?,
            ))
        });
        let types: Vec<(String, DType)> = types.collect::<Result<_, Failure>>()?;
        let entry = Entry {
            op_type: self.op_type.as_deref(),
            params: &self.params,
        };
        let answer = npukernelbench::answer(kernel, &types, &case, entry).map_err(refused)?;
        Ok(if self.bare {
            answer.text
        } else {
            answer.reply()
        })
    }
}

impl Python {
    fn text(&self, kernel: &CheckedKernel) -> Result<String, Failure> {
        let task = self.task.as_ref().unwrap_or(&kernel.kernel().sig.name);
        multikernelbench::texts(kernel, task)
            .and_then(|texts| texts.python())
            .map_err(refused)
    }
}
