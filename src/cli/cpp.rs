//! `jumar cpp`: an AscendC file, run on the CPU by this machine's C++ compiler.
//!
//! The kernel's parameters are read from its source; every one must be given. A pointer takes an array, a value a number or
//! the fields of a structure. Outputs are written when the run has ended well, or not at all. Files with a `main` run as the
//! program that they are.

use super::bind::{bind, Options};
use super::npy::said;
use super::{progress, say, source, Failure, Outcome};
use clap::ValueEnum;
use jumar::dsl::soc::Chip;
use jumar::render::render_places;
use jumar::runtime::ascendc::{has_main, scan, Argument, Bounds, KernelFunction, LaunchOptions, Outcome as Ran, Source, Unit};
use jumar::runtime::RunError;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "\
Examples:
  jumar cpp add.cpp --block-dim 8 --arg x=@x.npy --arg y=@y.npy --out z:f32[8,2048]=@z.npy --struct tiling=int64_t:2048
  jumar cpp softmax.cpp --kernel softmax_f32 --arg x=@x.npy --out y:f32[4,1000]=@y.npy --arg tiling=@tiling.bin --race
  jumar cpp add.asc                                 a program with its own main: acl calls and <<<>>> launches
  jumar cpp main.cpp add.cpp -- --dtype f32 x=4x8   the same in several files, with arguments

Each parameter of the kernel function is given by its name, in any order:
  --arg NAME=@FILE.npy             a tensor that is read; a file of another name is taken as bytes
  --arg NAME=VALUE                 a number that is passed by value
  --struct NAME=TYPE:VALUE,..      a structure, by value or through GM (tiling data); TYPE as C++ spells it
  --out NAME:DTYPE[SHAPE]=@FILE    a tensor that is written, zero before; DTYPE bf16, f16, f32, f64, bool, i8 to i64, u8 to u64
  --out NAME=@FILE                 where a tensor that --arg gives goes when the kernel changes it
  --scratch NAME=BYTES             workspace
  NAME.0, NAME.1, ..               the tensors of a list (ListTensorDesc), each by --arg or --out

Exit code 1 means that the kernel is wrong (it does not compile, or a check stopped it), 2 that the call is.";

/// What becomes of an access behind the end of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AtBounds {
    /// The run stops
    Stop,
    /// It is noted, and the part that exists is copied
    Report,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    /// They are there, as in the usual builds
    On,
    /// The kernel waits by itself
    Off,
}

/// The arguments.
#[derive(clap::Args)]
pub struct Call {
    /// AscendC source with a kernel function (`__global__`), or the sources of a program that launches one
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// This kernel function, where the file has several, with its template arguments where it has some
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// The chip whose cores and memories there are
    #[arg(long, value_name = "NAME", default_value = "ascend910b1")]
    chip: String,
    /// Number of blocks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65535))]
    block_dim: u32,
    /// What TILING_KEY_IS compares with
    #[arg(long, value_name = "KEY", default_value_t = 0)]
    tiling_key: u64,
    /// A tensor as NAME=@FILE or a number as NAME=VALUE
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    args: Vec<String>,
    /// A structure as NAME=TYPE:VALUE,TYPE:VALUE
    #[arg(long = "struct", visible_alias = "tiling-struct", value_name = "NAME=FIELDS")]
    structs: Vec<String>,
    /// A tensor that is written: NAME:DTYPE[SHAPE]=@FILE
    #[arg(long = "out", value_name = "NAME=@FILE")]
    outs: Vec<String>,
    /// Workspace: NAME=BYTES
    #[arg(long = "scratch", value_name = "NAME=BYTES")]
    scratch: Vec<String>,
    /// Run the pipes in a random legal order and report races; the seed is 1 where none is given
    #[arg(long, value_name = "SEED", num_args = 0..=1, default_missing_value = "1")]
    race: Option<u64>,
    /// Build with address and undefined-behaviour sanitizers
    #[arg(long)]
    sanitize: bool,
    /// Accesses beyond the end of tensors in GM
    #[arg(long, value_enum, default_value = "stop")]
    bounds: AtBounds,
    /// The waits that the device compiler inserts between the scalar unit and the others
    #[arg(long, value_enum, default_value = "on")]
    auto_sync: Switch,
    /// A macro of the kernel's build: NAME or NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    define: Vec<String>,
    /// A folder to include from
    #[arg(long, value_name = "DIR")]
    include: Vec<PathBuf>,
    /// The host's header that registers the tiling data of an operator project
    #[arg(long, value_name = "FILE")]
    tiling: Option<PathBuf>,
    /// Arguments of a program with its own `main`
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Does it.
pub fn main(call: &Call) -> Outcome {
    let mut texts = Vec::new();
    for file in &call.files {
        let text = std::fs::read_to_string(file).map_err(|e| {
            Failure::call(format!("`{}` cannot be read: {}", file.display(), said(&e)), "give an AscendC source file")
        })?;
        texts.push(text);
    }
    let chip = source::chip(&call.chip)?;
    let has_main = texts.iter().any(|text| has_main(text));
    let asks_for_a_kernel = call.kernel.is_some() || !(call.args.is_empty() && call.outs.is_empty() && call.structs.is_empty());
    match (&call.files[..], &texts[..]) {
        _ if has_main && !asks_for_a_kernel => run_program(call, chip),
        _ if !call.arguments.is_empty() => Err(Failure::call(
            "there is no program that takes arguments behind `--`",
            "give a file with a `main`, without --kernel and --arg",
        )),
        ([file], [text]) => run_kernel(call, chip, file, text),
        _ => Err(Failure::call(
            format!("{} files, and none has a `main` that is to run", call.files.len()),
            "give one file with a kernel, or the files of a program without --kernel and --arg",
        )),
    }
}

/// Runs one kernel of one file.
fn run_kernel(call: &Call, chip: &'static Chip, file: &Path, text: &str) -> Outcome {
    let function = choose(call, file, scan(text))?;
    let options_of = Options { args: &call.args, structs: &call.structs, outs: &call.outs, scratch: &call.scratch };
    let mut given = bind(&options_of, &function)?;
    let name = call.kernel.as_deref().unwrap_or(&function.name);
    let unit = with_options(call, Unit::kernel(Source::File(file.to_owned()), name, chip.arch));
    let program = unit.compile().map_err(|e| stopped(&e, call))?;
    let names = function.parameters.iter().map(|(_, name)| name.as_str());
    let mut arguments: Vec<Argument<'_>> =
        given.iter_mut().zip(names.clone()).map(|(given, name)| given.argument(name)).collect();
    let ran = program.run(&options(call, chip), &mut arguments).map_err(|e| stopped(&e, call))?;
    drop(arguments);
    let blocks = source::counted(call.block_dim as usize, "block");
    let mut said = format!("{}: ran {blocks} of {} on the CPU\n{}", function.name, chip.name, remarks(&ran));
    for (given, name) in given.into_iter().zip(names) {
        said += &given.store(name)?;
    }
    say(&said)
}

/// Runs the files as the program that they are, in this folder.
fn run_program(call: &Call, chip: &'static Chip) -> Outcome {
    let unit = with_options(call, Unit::program(call.files.clone(), chip.arch));
    let program = unit.compile().map_err(|e| stopped(&e, call))?;
    let ran = program.run_main(&options(call, chip), &call.arguments, Path::new(".")).map_err(|e| stopped(&e, call))?;
    say(&remarks(&ran))?;
    match ran.status {
        0 => Ok(()),
        status => Err(Failure::Kernel(format!("error: the program ended with {status}; its kernels met no fault"))),
    }
}

fn with_options(call: &Call, unit: Unit) -> Unit {
    progress::say_before_build(call.sanitize);
    let (defines, includes, tiling) = (call.define.clone(), call.include.clone(), call.tiling.clone());
    Unit { defines, includes, tiling, sanitize: call.sanitize, ..unit }
}

fn options(call: &Call, chip: &'static Chip) -> LaunchOptions {
    let mut options = LaunchOptions::new(chip);
    options.block_dim = call.block_dim;
    options.tiling_key = call.tiling_key;
    options.bounds = if call.bounds == AtBounds::Stop { Bounds::Stop } else { Bounds::Report };
    options.race = call.race;
    options.auto_sync = call.auto_sync == Switch::On;
    options
}

fn choose(call: &Call, file: &Path, mut functions: Vec<KernelFunction>) -> Result<KernelFunction, Failure> {
    let names: Vec<String> = functions.iter().map(|f| f.name.clone()).collect();
    let at = match &call.kernel {
        Some(name) => functions.iter().position(|f| Some(f.name.as_str()) == name.split('<').next()),
        None if functions.len() == 1 => Some(0),
        None => None,
    };
    match at {
        Some(at) => Ok(functions.swap_remove(at)),
        None if names.is_empty() => Err(Failure::call(
            format!("`{}` has no kernel function", file.display()),
            "a kernel function is `extern \"C\" __global__ __aicore__ void NAME(..)`",
        )),
        None => Err(Failure::call(
            match &call.kernel {
                Some(name) => format!("`{}` has no kernel function `{name}`", file.display()),
                None => format!("`{}` has {} kernel functions", file.display(), names.len()),
            },
            format!("choose one with --kernel: {}", names.join(", ")),
        )),
    }
}

/// What the kernel printed, and accesses that were only noted.
fn remarks(ran: &Ran) -> String {
    let mut text = String::new();
    for (block, line) in &ran.printed {
        let _ = writeln!(text, "[block {block}] {}", line.trim_end());
    }
    for (note, place) in &ran.notes {
        let at = place.as_ref().map_or(String::new(), |p| format!(" at {}:{}", p.file.display(), p.line));
        let _ = writeln!(text, "note: {note}{at}");
    }
    text
}

fn stopped(e: &RunError, call: &Call) -> Failure {
    match e {
        RunError::Cpp(fault) => Failure::Kernel(format!(
            "{}\n\n{}`jumar explain {}` tells more",
            render_places(fault, source::color()),
            if call.outs.is_empty() { "" } else { "no output was written; " },
            fault.code
        )),
        e if e.code() == jumar::dsl::diag::Code::J0806 => {
            let files: Vec<String> = call.files.iter().map(|f| format!("`{}`", f.display())).collect();
            Failure::Kernel(format!("error[{}]: the C++ compiler refuses {}\n{}", e.code(), files.join(", "), e.message()))
        }
        e => Failure::Call(format!("error[{}]: {}\nhelp: `jumar explain {}` tells more", e.code(), e.message(), e.code())),
    }
}
