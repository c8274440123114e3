//! `jumar cpp`: an AscendC file, run on the CPU by this machine's C++ compiler.
//!
//! The kernel's parameters are read from its source; every one must be given. A pointer takes an array, a value a number or
//! the fields of a structure. Outputs are written when the run has ended well, or not at all. Files with a `main` run as the
//! program that they are.

use super::folder::Pending;
use super::npy::{self, said, Header};
use super::{say, source, Failure, Outcome};
use clap::ValueEnum;
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::Chip;
use jumar::render::render_places;
use jumar::runtime::ascendc::{has_main, scan, Argument, Bounds, KernelFunction, LaunchOptions, Outcome as Ran, Source, Unit};
use jumar::runtime::{Array, AsInput, RunError};
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
  --out NAME:DTYPE[SHAPE]=@FILE    a tensor that is written, zero before; DTYPE f16, bf16, f32, i32, or u8 for a file of bytes
  --out NAME=@FILE                 where a tensor that --arg gives goes when the kernel changes it
  --scratch NAME=BYTES             workspace

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
    #[arg(long = "struct", alias = "tiling-struct", value_name = "NAME=FIELDS")]
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
    /// Arguments of a program with its own `main`
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// What a parameter of the kernel is given.
enum Given {
    Read(Vec<u8>),
    Written(Vec<u8>, Target),
    Scratch(u64),
    Value(Vec<u8>),
}

/// Where an output goes, and as what.
struct Target {
    place: Pending,
    /// `None`: a file of bytes.
    array: Option<(DType, Vec<usize>)>,
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
    let mut given = bind(call, &function)?;
    let name = call.kernel.as_deref().unwrap_or(&function.name);
    let unit = with_options(call, Unit::kernel(Source::File(file.to_owned()), name, chip.arch));
    let program = unit.compile().map_err(|e| stopped(&e, call))?;
    let mut arguments: Vec<Argument<'_>> = given
        .iter_mut()
        .zip(&function.parameters)
        .map(|(given, (_, name))| match given {
            Given::Read(bytes) => Argument::Input(name.clone(), bytes),
            Given::Written(bytes, _) => Argument::Output(name.clone(), bytes),
            Given::Scratch(bytes) => Argument::Scratch(name.clone(), *bytes),
            Given::Value(bytes) => Argument::Value(bytes.clone()),
        })
        .collect();
    let ran = program.run(&options(call, chip), &mut arguments).map_err(|e| stopped(&e, call))?;
    drop(arguments);
    let blocks = source::counted(call.block_dim as usize, "block");
    let mut said = format!("{}: ran {blocks} of {} on the CPU\n{}", function.name, chip.name, remarks(&ran));
    for (given, (_, name)) in given.into_iter().zip(&function.parameters) {
        if let Given::Written(bytes, target) = given {
            said += &store(name, bytes, target)?;
        }
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
    Unit { defines: call.define.clone(), includes: call.include.clone(), sanitize: call.sanitize, ..unit }
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

/// What each parameter is given, in order.
fn bind(call: &Call, function: &KernelFunction) -> Result<Vec<Given>, Failure> {
    let wrong = |what: String| Failure::call(what, spelled(function));
    let mut given: Vec<Option<Given>> = function.parameters.iter().map(|_| None).collect();
    let find = |name: &str| {
        let known = function.parameters.iter().position(|(_, n)| n == name);
        known.ok_or_else(|| wrong(format!("kernel `{}` has no parameter `{name}`", function.name)))
    };
    let mut targets: Vec<(usize, &str, Option<&str>, &str)> = Vec::new();
    for text in &call.outs {
        let (head, file) = text
            .split_once("=@")
            .filter(|(_, f)| !f.is_empty())
            .ok_or_else(|| wrong(format!("`--out {text}` names no file; write --out NAME:f32[8,16]=@FILE.npy")))?;
        let (name, shape) = head.split_once(':').map_or((head, None), |(name, shape)| (name, Some(shape)));
        targets.push((find(name)?, name, shape, file));
    }
    for (option, all) in [("--arg", &call.args), ("--struct", &call.structs), ("--scratch", &call.scratch)] {
        for text in all {
            let (name, value) = text.split_once('=').ok_or_else(|| wrong(format!("`{option} {text}` has no NAME=VALUE")))?;
            let at = find(name)?;
            if given[at].is_some() {
                return Err(wrong(format!("`{name}` is given twice")));
            }
            let ty = &function.parameters[at].0;
            given[at] = Some(match option {
                "--scratch" => {
                    Given::Scratch(value.parse().map_err(|_| wrong(format!("`{value}` is no number of bytes for `{name}`")))?)
                }
                "--struct" => by_kind(ty, fields(value).map_err(wrong)?),
                _ => argument(name, ty, value, &targets).map_err(|e| match e {
                    Ok(failure) => failure,
                    Err(what) => wrong(what),
                })?,
            });
        }
    }
    for (at, name, shape, file) in targets {
        match (&given[at], shape) {
            (Some(_), None) => {} // its value came with --arg
            (Some(_), Some(_)) => {
                return Err(wrong(format!("`{name}` has a shape from --arg already; write --out {name}=@{file}")))
            }
            (None, None) => {
                return Err(wrong(format!("`{name}` needs an element type and a shape: --out {name}:f32[8,16]=@{file}")))
            }
            (None, Some(shape)) => {
                given[at] = Some(output(name, shape, file).map_err(|e| match e {
                    Ok(failure) => failure,
                    Err(what) => wrong(what),
                })?)
            }
        }
    }
    let missing = |i: usize| {
        let (ty, name) = &function.parameters[i];
        let how = if is_pointer(ty) {
            format!("--arg {name}=@FILE.npy or --out {name}:f32[..]=@FILE.npy")
        } else {
            format!("--arg {name}=VALUE or --struct {name}=..")
        };
        wrong(format!("`{name}` is missing; add {how}"))
    };
    given.into_iter().enumerate().map(|(i, g)| g.ok_or_else(|| missing(i))).collect()
}

/// A failure that is complete, or only what is wrong.
type Wrong = Result<Failure, String>;

fn argument(name: &str, ty: &str, value: &str, targets: &[(usize, &str, Option<&str>, &str)]) -> Result<Given, Wrong> {
    let Some(file) = value.strip_prefix('@') else {
        if is_pointer(ty) {
            return Err(Err(format!("`{name}` is a pointer; give a file: --arg {name}=@FILE.npy")));
        }
        return Ok(Given::Value(number(scalar_type(ty), value).map_err(Err)?));
    };
    let path = Path::new(file);
    let (bytes, array) = if path.extension().is_some_and(|e| e == "npy") {
        let unusable = |why: String| {
            Ok(Failure::call(format!("`{file}` cannot be used as a tensor: {why}"), "give a file that `np.save` wrote"))
        };
        let array = Header::open(path).and_then(Header::read).map_err(unusable)?;
        (bytes_of(&array), Some((array.dtype(), array.shape().to_vec())))
    } else {
        let bytes = std::fs::read(path)
            .map_err(|e| Ok(Failure::call(format!("`{file}` cannot be read: {}", said(&e)), "give a file that exists")))?;
        (bytes, None)
    };
    match targets.iter().find(|t| t.1 == name) {
        Some((_, _, _, out)) => Ok(Given::Written(bytes, Target { place: Pending::new(Path::new(out)).map_err(Ok)?, array })),
        None => Ok(by_kind(ty, bytes)),
    }
}

fn output(name: &str, text: &str, file: &str) -> Result<Given, Wrong> {
    let parsed = text.strip_suffix(']').and_then(|t| t.split_once('['));
    let (dtype, shape) =
        parsed.ok_or_else(|| Err(format!("`{text}` is no element type with a shape for `{name}`; write f32[8,16]")))?;
    let shape: Option<Vec<usize>> = shape.split(',').map(str::trim).filter(|s| !s.is_empty()).map(|s| s.parse().ok()).collect();
    let count = shape.as_ref().and_then(|s| s.iter().try_fold(1usize, |n, axis| n.checked_mul(*axis)));
    let (Some(shape), Some(count)) = (shape, count) else {
        return Err(Err(format!("`{text}` has a shape that is none; write f32[8,16]")));
    };
    let dtype = DType::by_name(dtype)
        .ok_or_else(|| Err(format!("`{dtype}` is no element type; there are f16, bf16, f32, i32 and u8")))?;
    let bytes = count.checked_mul(dtype.bytes() as usize).filter(|b| *b < 1 << 40);
    let bytes = bytes.ok_or_else(|| Err(format!("`{text}` is larger than any memory")))?;
    let place = Pending::new(Path::new(file)).map_err(Ok)?;
    let array = (dtype != DType::U8).then_some((dtype, shape));
    Ok(Given::Written(vec![0; bytes], Target { place, array }))
}

fn by_kind(ty: &str, bytes: Vec<u8>) -> Given {
    if is_pointer(ty) {
        Given::Read(bytes)
    } else {
        Given::Value(bytes)
    }
}

fn is_pointer(ty: &str) -> bool {
    ty.ends_with('*') || ty.split_whitespace().any(|w| w == "GM_ADDR")
}

/// The type of a number without what surrounds it.
fn scalar_type(ty: &str) -> &str {
    ty.split_whitespace().rfind(|w| !matches!(*w, "const" | "volatile")).unwrap_or(ty)
}

/// The fields of a structure in C++'s layout: each at a multiple of its size, the whole filled up to the largest.
fn fields(text: &str) -> Result<Vec<u8>, String> {
    let (mut bytes, mut widest) = (Vec::new(), 1);
    for field in text.split(',').map(str::trim) {
        let (ty, value) = field.split_once([':', '=']).ok_or_else(|| format!("`{field}` is no field; write TYPE:VALUE"))?;
        let value = number(ty.trim(), value.trim())?;
        widest = widest.max(value.len());
        bytes.resize(bytes.len().next_multiple_of(value.len()), 0);
        bytes.extend(value);
    }
    bytes.resize(bytes.len().next_multiple_of(widest), 0);
    Ok(bytes)
}

/// The bytes of a number in a C++ type.
fn number(ty: &str, text: &str) -> Result<Vec<u8>, String> {
    fn of<T: std::str::FromStr, const N: usize>(text: &str, bytes: impl Fn(T) -> [u8; N]) -> Option<Vec<u8>> {
        text.parse().ok().map(|v| bytes(v).to_vec())
    }
    let value = match ty {
        "float" => of(text, f32::to_le_bytes),
        "double" => of(text, f64::to_le_bytes),
        "half" => text.parse().ok().map(|v| half::f16::from_f32(v).to_le_bytes().to_vec()),
        "bfloat16_t" => text.parse().ok().map(|v| half::bf16::from_f32(v).to_le_bytes().to_vec()),
        "bool" => text.parse::<bool>().ok().map(|v| vec![u8::from(v)]),
        "int8_t" => of(text, i8::to_le_bytes),
        "uint8_t" => of(text, u8::to_le_bytes),
        "int16_t" => of(text, i16::to_le_bytes),
        "uint16_t" => of(text, u16::to_le_bytes),
        "int32_t" | "int" => of(text, i32::to_le_bytes),
        "uint32_t" => of(text, u32::to_le_bytes),
        "int64_t" => of(text, i64::to_le_bytes),
        "uint64_t" | "size_t" => of(text, u64::to_le_bytes),
        _ => {
            return Err(format!("`{ty}` is no type of a number; give a structure with --struct NAME=TYPE:VALUE,.. or its bytes with --arg NAME=@FILE.bin"))
        }
    };
    value.ok_or_else(|| format!("`{text}` is no value of `{ty}`"))
}

fn bytes_of(array: &Array) -> Vec<u8> {
    array.as_input().bytes().to_vec()
}

fn store(name: &str, bytes: Vec<u8>, target: Target) -> Result<String, Failure> {
    let file = target.place.target().to_owned();
    let unwritable = |e: &std::io::Error| {
        Failure::call(format!("`{}` cannot be written: {}", file.display(), said(e)), "choose another place with --out")
    };
    let kind = match target.array {
        Some((dtype, shape)) => {
            let array = Array::from_bytes(dtype, &shape, &bytes)
                .ok_or_else(|| Failure::call(format!("no array of {dtype} can be made"), "choose f16, bf16, f32 or i32"))?;
            npy::write(target.place.path(), &array).map_err(|e| unwritable(&e))?;
            format!("{dtype} {shape:?}")
        }
        None => {
            std::fs::write(target.place.path(), &bytes).map_err(|e| unwritable(&e))?;
            format!("{} bytes", bytes.len())
        }
    };
    target.place.finish().map_err(|e| unwritable(&e))?;
    Ok(format!("{name}: {kind}, in {}\n", file.display()))
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

/// The parameters for a message.
fn spelled(function: &KernelFunction) -> String {
    let all: Vec<String> = function.parameters.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
    format!("`{}` takes ({})", function.name, all.join(", "))
}
