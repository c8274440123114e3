//! `jumar emit`: a kernel as AscendC.

use super::{cost, folder, say, source, Failure, Outcome, Project, Which};
use jumar::codegen::{self, EmitOptions, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::ir::text::to_text;
use jumar::dsl::lower::{lower, tile_passes};
use std::fmt::Write;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  jumar emit swish.rs --out swish_project                     a project: kernel, tiling, host program, CMake
  jumar emit swish.rs --out swish_project --project asc       one .asc source, which CANN 8.5 and later compiles
  jumar emit swish.rs --out swish_project --project msopgen   a custom operator with its registration
  jumar emit swish.rs --out swish_project --project torch     a PyTorch extension: an operator with schema, shapes and test
  jumar emit swish.rs --level queue                           the lowered kernel as IR text, on standard output
  jumar emit swish.rs --after normalize                       the tile kernel after a pass of the lowering, as IR text
  jumar emit norm_grad.rs --explain                           the phases of the kernel, and where and why it has barriers
  jumar emit swish.rs --cost --shape x=4096,1024              what a launch is predicted to take, a line for each instance
  jumar emit swish.rs --cost --shape x:f16=4096,1024          the same of one instance, call by call

With several kernels in the file, each gets a folder of its name in --out. The folder is written whole or not at all; an
existing one is written to only if it is empty or an earlier call made it.";

#[derive(clap::Args)]
pub struct Call {
    #[command(flatten)]
    which: Which,
    /// Folder to write the project to
    #[arg(long, value_name = "DIR", required_unless_present_any = ["level", "after", "explain", "cost"])]
    out: Option<PathBuf>,
    /// Kind of project
    #[arg(long, value_enum, default_value = "direct")]
    project: Project,
    /// Type of the operator of a msopgen project, instead of the kernel's name followed by `Custom`
    #[arg(long, value_name = "NAME", value_parser = op_type)]
    op_type: Option<String>,
    /// Write PipeBarrier<PIPE_V> between vector calls that depend on one another, for builds
    /// without automatic synchronisation
    #[arg(long)]
    barriers: bool,
    /// Print the kernel at this level instead of writing a project
    #[arg(long, value_enum, conflicts_with = "out")]
    level: Option<Level>,
    /// Print the tile kernel after this pass of the lowering: written (no pass), normalize,
    /// peephole, stream, hoist, stream-hoist (of a form), 2:hoist (of a phase), ..; an unknown name
    /// lists those of the kernel
    #[arg(long, value_name = "PASS", conflicts_with_all = ["out", "level"])]
    after: Option<String>,
    /// Print the phases of the kernel with their barriers and reasons, where two passes over long
    /// rows are joined, and where few rows are divided among the cores
    #[arg(long, conflicts_with_all = ["out", "level", "after"])]
    explain: bool,
    /// Print the predicted cost of a launch on tensors of these shapes, from published constants of
    /// the chip; nothing is measured
    #[arg(long, conflicts_with_all = ["out", "level", "after"])]
    cost: bool,
    /// Shape of a tensor of that launch, with its element type where instances differ in it
    /// (`x:f16=4096,1024`); outputs follow from the inputs
    #[arg(long = "shape", value_name = "NAME[:DTYPE]=SIZES", requires = "cost")]
    shapes: Vec<String>,
    /// Attribute of that launch
    #[arg(long = "arg", value_name = "NAME=VALUE", requires = "cost")]
    args: Vec<String>,
}

/// The levels that may be printed.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Level {
    /// Queues, buffers, copies and vector calls, after lowering
    Queue,
}

/// Checks an operator type in the spelling of CANN, which derives the names of files and functions
/// from it.
pub fn op_type(text: &str) -> Result<String, String> {
    let spelled = text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric());
    spelled
        .then(|| text.to_owned())
        .ok_or_else(|| "an operator type is PascalCase: a capital, then letters and digits".into())
}

pub fn main(call: &Call) -> Outcome {
    let file = source::load(&call.which)?;
    let kernels = source::clean(&file)?;
    if call.cost {
        return say(&cost::table(
            one(&kernels, "--cost is of one launch")?,
            &call.shapes,
            &call.args,
        )?);
    }
    if call.explain {
        return say(&explained(&kernels)?);
    }
    if let Some(pass) = &call.after {
        return say(&after(&kernels, pass)?);
    }
    let (Some(out), None) = (&call.out, call.level) else {
        return say(&lowered(&kernels));
    };
    let kind = match call.project {
        Project::Direct => ProjectKind::Direct,
        Project::Asc => ProjectKind::Asc,
        Project::Msopgen => ProjectKind::Msopgen,
        Project::Torch => ProjectKind::Torch,
    };
    let source_name = call
        .which
        .file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    if let Some(name) = &call.op_type {
        one(
            &kernels,
            &format!("`--op-type {name}` is the type of one operator"),
        )?;
    }
    let options = EmitOptions {
        kind,
        source_name,
        op_type: call.op_type.clone(),
        barriers: call.barriers,
    };
    let mut files = Vec::new();
    for kernel in &kernels {
        // A single kernel is the folder itself; several kernels have folders inside.
        let folder = if kernels.len() > 1 {
            format!("{}/", kernel.kernel().sig.name)
        } else {
            String::new()
        };
        let project = codegen::emit(kernel, &options);
        files.extend(
            project
                .files
                .into_iter()
                .map(|f| (format!("{folder}{}", f.path), f.text)),
        );
    }
    folder::write(out, &files)?;
    let mut text = String::new();
    for (path, _) in &files {
        let _ = writeln!(text, "{}", out.join(path).display());
    }
    say(&text)
}

/// Returns the single kernel that a call may be about.
pub fn one<'k>(kernels: &[&'k CheckedKernel], why: &str) -> Result<&'k CheckedKernel, Failure> {
    match kernels {
        [kernel] => Ok(kernel),
        [first, second, ..] => {
            let (first, second) = (&first.kernel().sig.name, &second.kernel().sig.name);
            Err(Failure::call(
                format!("{why}, and the file has `{first}` and `{second}`"),
                "choose one with --kernel",
            ))
        }
        [] => Err(Failure::call(
            "the file has no kernel",
            "put `#[kernel]` above a function of it",
        )),
    }
}

/// Prints the lowered form of each kernel, one text for each dtype instance.
fn lowered(kernels: &[&CheckedKernel]) -> String {
    kernels
        .iter()
        .flat_map(|k| k.instances())
        .map(to_text)
        .collect()
}

/// Describes, by line, the phases of each kernel, copies element by element, and joined passes of a
/// streamed form.
fn explained(kernels: &[&CheckedKernel]) -> Result<String, Failure> {
    let mut text = String::new();
    for kernel in kernels {
        let (written, chip) = (kernel.kernel(), kernel.chip());
        let name = &written.sig.name;
        let lowering = lower(written, 0, chip)
            .map_err(|_| Failure::call(format!("`{name}` does not lower"), "check it first"))?;
        let phases = match lowering.notes.len() {
            0 => "one phase".to_string(),
            n => format!("{n} phases"),
        };
        let _ = writeln!(text, "{name}: {phases} on {}", chip.name);
        for note in lowering
            .notes
            .iter()
            .chain(&lowering.slow)
            .chain(&lowering.joined)
            .chain(&lowering.split)
            .chain(&lowering.branches)
        {
            let line = written
                .spans
                .get(note.span.index())
                .map_or(0, |place| place.line);
            let _ = writeln!(text, "  line {line}: {}", note.text);
        }
    }
    Ok(text)
}

/// Prints each kernel after a pass, one text for each dtype instance.
fn after(kernels: &[&CheckedKernel], pass: &str) -> Result<String, Failure> {
    let mut text = String::new();
    for kernel in kernels {
        let written = kernel.kernel();
        for instance in 0..written.sig.instances.len() {
            let mut passes = vec![("written".to_owned(), written.clone())];
            passes.extend(tile_passes(written, instance, kernel.chip()));
            let Some((_, found)) = passes.iter().find(|(name, _)| *name == pass) else {
                let names: Vec<&str> = passes.iter().map(|(name, _)| &name[..]).collect();
                return Err(Failure::call(
                    format!("kernel `{}` has no pass `{pass}`", written.sig.name),
                    format!(
                        "its passes are {}; --level queue shows what comes after them",
                        names.join(", ")
                    ),
                ));
            };
            text.push_str(&to_text(found));
        }
    }
    Ok(text)
}
