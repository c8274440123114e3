//! `jumar cpp`: an AscendC file, run on the CPU by this machine's C++ compiler.
//!
//! The kernel's parameters are read from its source, and every one needs an argument: an array for
//! a pointer, a number or the fields of a structure for a value. Outputs are written if the run
//! succeeds, or not at all. Files with a `main` run as a program.

use super::bind::{bind, Given, Options};
use super::npy::said;
use super::operators::{self, Format};
use super::outputs::Files;
use super::profile::Views;
use super::{profile, progress, say, source, Failure, Outcome, Which};
use clap::ValueEnum;
use jumar::dsl::cost::event::Trace;
use jumar::dsl::diag::Code;
use jumar::dsl::soc::Chip;
use jumar::render::render_places;
use jumar::runtime::ascendc::{
    has_main, has_variants, scan, Answer, Argument, Check, Definition, Instance, KernelFunction,
    LaunchOptions, Outcome as Ran, Program, Request, Source, Unit,
};
use jumar::runtime::RunError;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "\
Examples:
  jumar cpp add.cpp --block-dim 8 --arg x=@x.npy --arg y=@y.npy --out z:f32[8,2048]=@z.npy --struct tiling=int64_t:2048
  jumar cpp softmax.cpp --kernel softmax_f32 --arg x=@x.npy --out y:f32[4,1000]=@y.npy --arg tiling=@tiling.bin --race
  jumar cpp op_kernel/add.cpp --host op_host/add.cpp --arg x=@x.npy --arg y=@y.npy --out z=@z.npy --attr alpha=2
  jumar cpp add.asc                                 a program with its own main: acl calls and <<<>>> launches
  jumar cpp main.cpp add.cpp -- --dtype f32 x=4x8   the same in several files, with arguments
  jumar cpp softmax.cpp --check                     compiles every kernel of it and runs nothing
  jumar cpp add.cpp --kernel 'add<float, 4>' ..     a kernel that is a template, with its arguments
  jumar cpp --folder ops --format markdown          every operator of a repository, as a table

Each parameter of the kernel function is given by its name, in any order:
  --arg NAME=@FILE.npy             a tensor that is read; a file of another name is taken as bytes
  --arg NAME:DTYPE=@FILE           the same with its element type: bytes, or the elements of an .npy file if they have that width
                                   (`<u2` is bf16 else); DTYPE[SHAPE] gives bytes a shape, too
  --arg NAME=VALUE                 a number that is passed by value
  --struct NAME=TYPE:VALUE,..      a structure, by value or through GM (tiling data); TYPE as C++ spells it
  --out NAME:DTYPE[SHAPE]=@FILE    a tensor that is written, without a value before; DTYPE bf16, f16, f32, f64, bool, i8 to i64,
                                   u8 to u64
  --out NAME=@FILE                 where a tensor that --arg gives goes when the kernel changes it; with --host also an output
                                   whose type and shape the operator infers
  --scratch NAME=BYTES             workspace
  NAME.0, NAME.1, ..               the tensors of a list (ListTensorDesc), each by --arg or --out
With --host the names of the operator's definition (OpDef) count, too: the first is the kernel's first parameter, and so on. Where
a parameter of the kernel has the name, it is that one.

Exit code 1 means that the kernel is wrong (it does not compile, or a run met mistakes), 2 that the call is. With --folder it is 1
where a run met mistakes.";

/// The reaction to a mistake that many kernels make.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AtMistake {
    /// The run fails at its end, with all mistakes that it met
    Stop,
    /// The run notes it and succeeds
    Report,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    /// They are inserted, as in the usual builds
    On,
    /// The kernel waits by itself
    Off,
}

#[derive(Clone, clap::Args)]
pub struct Call {
    /// AscendC source with a kernel function (`__global__`), or the sources of a program that
    /// launches one
    #[arg(required_unless_present = "folder", value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Check every operator of a repository: each folder with op_kernel and op_host is compiled,
    /// asked for its tiling and run on tensors that it takes
    #[arg(long, value_name = "REPO", conflicts_with_all = ["files", "args", "outs", "structs", "scratch", "host", "tiling", "kernel"])]
    folder: Option<PathBuf>,
    /// Check only the operators of these names
    #[arg(long, value_name = "NAME", requires = "folder")]
    pub only: Vec<String>,
    /// The form of the table of a repository
    #[arg(long, value_enum, default_value = "text", requires = "folder")]
    pub format: Format,
    /// The kernel function, where the file has several, with template arguments if it has some
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// The chip that decides cores and memories
    #[arg(long, value_name = "NAME", default_value = "ascend910b1")]
    chip: String,
    /// Number of blocks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65535))]
    block_dim: u32,
    /// The key that TILING_KEY_IS compares with
    #[arg(long, value_name = "KEY", default_value_t = 0)]
    tiling_key: u64,
    /// A tensor as NAME=@FILE or NAME:DTYPE=@FILE, a number as NAME=VALUE
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    args: Vec<String>,
    /// A structure as NAME=TYPE:VALUE,TYPE:VALUE
    #[arg(
        long = "struct",
        visible_alias = "tiling-struct",
        value_name = "NAME=FIELDS"
    )]
    structs: Vec<String>,
    /// A tensor that is written: NAME:DTYPE\[SHAPE\]=@FILE
    #[arg(
        long = "out",
        value_name = "NAME=@FILE",
        help = "A tensor that is written: NAME:DTYPE[SHAPE]=@FILE"
    )]
    outs: Vec<String>,
    /// A workspace: NAME=BYTES
    #[arg(long = "scratch", value_name = "NAME=BYTES")]
    scratch: Vec<String>,
    /// Run the pipes in a random legal order and report races; the seed is 1 by default
    #[arg(long, value_name = "SEED", num_args = 0..=1, default_missing_value = "1")]
    race: Option<u64>,
    /// Compile, and run no kernel; without tensors, only the host files of an operator, since they
    /// decide the kernel's element types
    #[arg(long)]
    check: bool,
    /// Build with address and undefined-behaviour sanitizers
    #[arg(long)]
    sanitize: bool,
    /// Accesses beyond a tensor; of a copy from or to GM, the part that exists is copied
    #[arg(long, value_enum, default_value = "stop")]
    bounds: AtMistake,
    /// Tensors that are used after FreeTensor, or between EnQue and DeQue
    #[arg(long, value_enum, default_value = "stop")]
    stale: AtMistake,
    /// Values that were never written, where a reduction, a store, an index or the scalar unit
    /// reads them; elements of an output that nobody wrote
    #[arg(long, value_enum, default_value = "stop")]
    poison: AtMistake,
    /// Arguments that a call does not take; the call is left out where no result can be meant
    #[arg(long = "arguments", value_enum, default_value = "stop")]
    misuse: AtMistake,
    /// Event ids that are set or waited for twice, or left set
    #[arg(long, value_enum, default_value = "stop")]
    events: AtMistake,
    /// Record the events of the run, which a model of time replays; as text where the file ends in
    /// .txt
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folder", "check"])]
    record: Option<PathBuf>,
    /// Prints the predicted time in place of what the run says.
    #[arg(skip)]
    profiles: Option<Views>,
    /// The waits that the device compiler inserts between the scalar unit and the others
    #[arg(long, value_enum, default_value = "on")]
    auto_sync: Switch,
    /// A macro of the build: NAME or NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) define: Vec<String>,
    /// A folder to include from
    #[arg(long, value_name = "DIR")]
    pub(super) include: Vec<PathBuf>,
    /// The host's header that registers the tiling data of an operator project
    #[arg(long, value_name = "FILE")]
    tiling: Option<PathBuf>,
    /// The host files of an operator project (op_host): its tiling function decides block dim,
    /// tiling key, workspace and tiling data
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tiling", "tiling_key", "block_dim"])]
    host: Vec<PathBuf>,
    /// An attribute of the operator that --host defines
    #[arg(long = "attr", value_name = "NAME=VALUE", requires = "host")]
    attrs: Vec<String>,
    /// Arguments of a program with its own `main`
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Runs a kernel and prints its predicted time.
pub(super) fn profile(call: &Call, views: &Views) -> Outcome {
    refuse_for_profile(call, false)?;
    main(&Call {
        profiles: Some(views.clone()),
        ..call.clone()
    })
}

/// Returns the parts of a call that a kernel in Rust takes: its file and name, attributes, and the
/// place of its record.
pub(super) fn of_rust<'c>(
    call: &'c Call,
    file: &Path,
) -> Result<(Which, &'c [String], Option<&'c PathBuf>), Failure> {
    refuse_for_profile(call, false)?;
    let runs = !(call.outs.is_empty() && call.structs.is_empty() && call.scratch.is_empty());
    if runs || call.race.is_some() || call.sanitize || call.block_dim != 1 {
        return Err(Failure::call(
            "a kernel in Rust is predicted by its shapes, without a run",
            "give --shape and --arg; `jumar run K.rs --backend cpp --record FILE` records a run",
        ));
    }
    let which = Which {
        file: file.to_path_buf(),
        kernel: call.kernel.clone(),
        // The one that is given where none is would hide the one that the kernel declares.
        chip: Some(call.chip.clone()).filter(|chip| chip != Chip::default_chip().name),
    };
    Ok((which, &call.args, call.record.as_ref()))
}

/// Refuses options that leave nothing to predict, and those of a run where a record is replayed.
pub(super) fn refuse_for_profile(call: &Call, is_record: bool) -> Outcome {
    let (why, help) = if call.folder.is_some() {
        (
            "--folder checks operators and predicts none",
            "`jumar cpp` takes it; give one kernel and its arguments",
        )
    } else if call.check {
        (
            "--check runs no kernel, so that nothing can be predicted",
            "`jumar cpp` takes it; leave it out",
        )
    } else if is_record && (gives(call) || call.record.is_some()) {
        (
            "a record is replayed as it is, without a run",
            "give the record alone, or the source of a kernel with its arguments",
        )
    } else {
        return Ok(());
    };
    Err(Failure::call(why, help))
}

pub fn main(call: &Call) -> Outcome {
    if let Some(folder) = &call.folder {
        let chip = source::chip(&call.chip)?;
        return operators::main(call, folder, chip, &options(call, chip));
    }
    let mut texts = Vec::new();
    for file in &call.files {
        let text = std::fs::read_to_string(file).map_err(|e| {
            Failure::call(
                format!("`{}` cannot be read: {}", file.display(), said(&e)),
                "give an AscendC source file",
            )
        })?;
        texts.push(text);
    }
    let chip = source::chip(&call.chip)?;
    let has_main = texts.iter().any(|text| has_main(text));
    let asks_for_a_kernel = call.kernel.is_some()
        || !(call.args.is_empty() && call.outs.is_empty() && call.structs.is_empty());
    match (&call.files[..], &texts[..]) {
        _ if has_main && !asks_for_a_kernel => run_program(call, chip),
        _ if !call.arguments.is_empty() => Err(Failure::call(
            "there is no program that takes arguments behind `--`",
            "give a file with a `main`, without --kernel and --arg",
        )),
        ([file], [text]) => run_kernel(call, chip, file, text),
        _ => Err(Failure::call(
            format!(
                "{} files, and none has a `main` that is to run",
                call.files.len()
            ),
            "give one file with a kernel, or the files of a program without --kernel and --arg",
        )),
    }
}

/// Runs one kernel of one file.
fn run_kernel(call: &Call, chip: &'static Chip, file: &Path, text: &str) -> Outcome {
    let views = call.profiles.as_ref();
    let views = views
        .map(|views| views.open(Files::default()))
        .transpose()?;
    let found = functions(call, chip, file, text)?;
    let operator = !call.host.is_empty();
    if call.check && !gives(call) && !operator && call.kernel.is_none() && !found.is_empty() {
        return check_kernels(call, chip, file, &found);
    }
    let mut function = choose(call, file, found)?;
    if call.check && !gives(call) {
        return check_alone(call, chip, file, &function);
    }
    if operator {
        without_workspace_and_tiling(&mut function)?;
    }
    let host = operator
        .then(|| Host::compile(call, chip, &function))
        .transpose()?;
    let (args, structs, outs, scratch) = (&call.args, &call.structs, &call.outs, &call.scratch);
    let operator = host.as_ref().map(|host| &host.definition);
    let mut given = bind(
        &Options {
            args,
            structs,
            outs,
            scratch,
            operator,
        },
        &function,
    )?;
    let mut options = options(call, chip);
    let mut prelude = String::new();
    let decided = host
        .as_ref()
        .map(|host| host.ask(call, chip, &function, &mut given))
        .transpose()?;
    if let Some(answer) = &decided {
        options.tiling_key = answer.tile.key;
        options.block_dim = answer.tile.block_dim as u32;
        prelude.clone_from(&answer.prelude);
    }
    let instance = instance(call, chip, file, &function, &prelude, options.tiling_key)?;
    let name = instance.as_ref().map(|one| one.kernel.as_str());
    let name = name.unwrap_or_else(|| call.kernel.as_deref().unwrap_or(&function.name));
    let unit = kernels(call, chip, file, &[name.to_string()]);
    let unit = Unit { prelude, ..unit };
    let program = compile(call, &unit)?;
    if call.check {
        return say(&format!("{}: compiles for {}\n", function.name, chip.name));
    }
    let names = function.parameters.iter().map(|(_, name)| name.as_str());
    let mut arguments: Vec<Argument<'_>> = given
        .iter_mut()
        .zip(names.clone())
        .map(|(given, name)| given.argument(name))
        .collect();
    arguments.extend(decided.iter().flat_map(Answer::behind_tensors));
    let mut ran = program
        .run(&options, &mut arguments)
        .map_err(|e| stopped(&e, call, &call.files))?;
    drop(arguments);
    let trace = ran.trace.take().map(|trace| Trace {
        kernel: function.name.clone(),
        ..trace
    });
    if let (Some(trace), Some(file)) = (&trace, &call.record) {
        profile::store(file, trace)?;
    }
    let blocks = source::counted(options.block_dim as usize, "block");
    let mut said = format!(
        "{}: ran {blocks} of {} on the CPU",
        function.name, chip.name
    );
    if decided.is_some() || instance.is_some() {
        let _ = write!(said, ", tiling key {}", options.tiling_key);
    }
    if let Some(Instance { arguments, .. }) = &instance {
        let _ = write!(said, " ({arguments})");
    }
    if let Some(Answer { tile, notes, .. }) = &decided {
        let bytes = source::counted(tile.data.len(), "byte");
        let _ = write!(said, ", {bytes} of tiling data");
        for note in notes {
            let _ = write!(said, "\nnote: {note}");
        }
    }
    said += "\n";
    if let (Some(trace), Some(views)) = (trace, views) {
        said = views.report(&trace)? + "\n";
    }
    said += &remarks(&ran);
    for (given, name) in given.into_iter().zip(names) {
        said += &given.store(name)?;
    }
    say(&said)
}

/// True if the call gives any argument to a kernel.
fn gives(call: &Call) -> bool {
    !(call.args.is_empty()
        && call.outs.is_empty()
        && call.structs.is_empty()
        && call.scratch.is_empty())
}

/// Compiles the parts that need no tensors: the kernel, or an operator's host files.
fn check_alone(
    call: &Call,
    chip: &'static Chip,
    file: &Path,
    function: &KernelFunction,
) -> Outcome {
    if !call.host.is_empty() {
        let host = Host::compile(call, chip, function)?;
        return say(&format!(
            "{}: its host files compile; give its tensors to compile {} for their element types\n",
            host.definition.operator, function.name
        ));
    }
    match &call.kernel {
        Some(name) if name.contains('<') => {
            compile(call, &kernels(call, chip, file, std::slice::from_ref(name)))?;
            say(&format!("{name}: compiles for {}\n", chip.name))
        }
        Some(_) | None => check_kernels(call, chip, file, std::slice::from_ref(function)),
    }
}

/// Compiles kernels of a file, all instances of those that are templates.
fn check_kernels(
    call: &Call,
    chip: &'static Chip,
    file: &Path,
    functions: &[KernelFunction],
) -> Outcome {
    let mut names = Vec::new();
    let mut said = String::new();
    for function in functions {
        if function.template.is_empty() {
            names.push(own_name(call, function));
            let _ = writeln!(said, "{}: compiles for {}", function.name, chip.name);
            continue;
        }
        let keys = kernels(call, chip, file, &[])
            .template_keys()
            .map_err(|e| stopped(&e, call, &call.files))?
            .ok_or_else(|| without_arguments(file, function))?;
        let (instances, count) = keys
            .instances(function)
            .map_err(|e| stopped(&e, call, &call.files))?;
        let _ = writeln!(
            said,
            "{}: {} of ASCENDC_TPL_SEL compile for {}{}",
            function.name,
            source::counted(instances.len(), "combination"),
            chip.name,
            match count - instances.len() {
                0 => String::new(),
                others => format!("; {others} more are of cube cores or deterministic computation"),
            }
        );
        names.extend(instances.into_iter().map(|one| one.kernel));
    }
    compile(call, &kernels(call, chip, file, &names))?;
    say(&said)
}

/// Returns the kernel as the call names it, with a namespace where it has one.
fn own_name(call: &Call, function: &KernelFunction) -> String {
    call.kernel.as_ref().unwrap_or(&function.name).clone()
}

fn kernels(call: &Call, chip: &'static Chip, file: &Path, names: &[String]) -> Unit {
    let source = Source::File(file.to_owned());
    with_options(call, Unit::kernels(source, names, chip.arch))
}

fn compile(call: &Call, unit: &Unit) -> Result<Program, Failure> {
    unit.compile().map_err(|e| stopped(&e, call, &call.files))
}

/// Finds the template arguments that a tiling key stands for, where the kernel is a template and
/// the call gives none.
fn instance(
    call: &Call,
    chip: &'static Chip,
    file: &Path,
    function: &KernelFunction,
    prelude: &str,
    key: u64,
) -> Result<Option<Instance>, Failure> {
    let given = call.kernel.as_ref().is_some_and(|name| name.contains('<'));
    if given || function.template.is_empty() {
        return Ok(None);
    }
    let unit = Unit {
        prelude: prelude.to_string(),
        ..kernels(call, chip, file, &[])
    };
    let keys = unit
        .template_keys()
        .map_err(|e| stopped(&e, call, &call.files))?
        .ok_or_else(|| without_arguments(file, function))?;
    let instance = keys.instance(function, key);
    instance
        .map(Some)
        .map_err(|e| stopped(&e, call, &call.files))
}

fn without_arguments(file: &Path, function: &KernelFunction) -> Failure {
    let example: Vec<&str> = function.template.iter().map(|_| "..").collect();
    Failure::call(
        format!(
            "kernel `{}` is a template of ({}), and `{}` declares no tiling keys for it (ASCENDC_TPL_ARGS_DECL)",
            function.name,
            function.template.join(", "),
            file.display()
        ),
        format!(
            "give its arguments: --kernel '{}<{}>'",
            function.name,
            example.join(", ")
        ),
    )
}

/// Drops the last two parameters of an operator's kernel, which the framework fills.
fn without_workspace_and_tiling(function: &mut KernelFunction) -> Result<(), Failure> {
    let Some(tensors) = function.parameters.len().checked_sub(2) else {
        return Err(Failure::call(
            format!("kernel `{}` has no parameters for workspace and tiling", function.name),
            "a kernel of an operator project takes inputs, outputs, workspace and tiling; leave --host out for others",
        ));
    };
    function.parameters.truncate(tensors);
    Ok(())
}

/// The host files of an operator.
struct Host {
    program: Program,
    definition: Definition,
}

impl Host {
    fn compile(
        call: &Call,
        chip: &'static Chip,
        function: &KernelFunction,
    ) -> Result<Host, Failure> {
        let unit = with_options(call, Unit::operator(call.host.clone(), chip.arch));
        let host = || {
            let program = unit.compile()?;
            let definition = program.definition(&function.name, chip)?;
            Ok(Host {
                program,
                definition,
            })
        };
        host().map_err(|e| stopped(&e, call, &call.host))
    }

    /// Asks the operator's host functions for their decisions, and makes the outputs that they
    /// infer.
    fn ask(
        &self,
        call: &Call,
        chip: &'static Chip,
        function: &KernelFunction,
        given: &mut [Given],
    ) -> Result<Answer, Failure> {
        let params = function
            .parameters
            .iter()
            .zip(given.iter())
            .enumerate()
            .map(|(at, ((_, name), given))| {
                let reads = self.definition.reads.contains(&at);
                (name.clone(), given.param(reads))
            });
        let attr = |text: &String| {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                Failure::call(
                    format!("`--attr {text}` has no NAME=VALUE"),
                    "a list of numbers is written 1,2,3",
                )
            })?;
            Ok((name.to_string(), value.to_string()))
        };
        let attrs = call
            .attrs
            .iter()
            .map(attr)
            .collect::<Result<_, Failure>>()?;
        let request = Request {
            kernel: function.name.clone(),
            chip,
            params: params.collect(),
            attrs,
        };
        let answer = self
            .program
            .ask(&request)
            .map_err(|e| stopped(&e, call, &call.host))?;
        for (name, element, shape) in &answer.outputs {
            let at = function.parameters.iter().position(|(_, n)| n == name);
            if let Some(one) = at.and_then(|at| given.get_mut(at)) {
                *one = std::mem::replace(one, Given::Nothing).settle(element, shape)?;
            }
        }
        for (output, input) in &answer.in_place {
            given[*output] = Given::Same(*input);
        }
        Ok(answer)
    }
}

/// Runs the files as a program, in the current folder.
fn run_program(call: &Call, chip: &'static Chip) -> Outcome {
    if call.record.is_some() || call.profiles.is_some() {
        return Err(Failure::call(
            "the launches of a program are not recorded",
            "give the file of one kernel, with --kernel and the kernel's arguments",
        ));
    }
    let unit = with_options(call, Unit::program(call.files.clone(), chip.arch));
    let program = unit.compile().map_err(|e| stopped(&e, call, &call.files))?;
    if call.check {
        return say(&format!("compiles for {}\n", chip.name));
    }
    let ran = program
        .run_main(&options(call, chip), &call.arguments, Path::new("."))
        .map_err(|e| stopped(&e, call, &call.files))?;
    say(&remarks(&ran))?;
    match ran.status {
        0 => Ok(()),
        status => Err(Failure::Kernel(format!(
            "error: the program ended with {status}; its kernels met no fault"
        ))),
    }
}

fn with_options(call: &Call, unit: Unit) -> Unit {
    progress::say_before_build(call.sanitize);
    let (defines, includes, tiling) = (
        call.define.clone(),
        call.include.clone(),
        call.tiling.clone(),
    );
    Unit {
        defines,
        includes,
        tiling,
        sanitize: call.sanitize,
        ..unit
    }
}

fn options(call: &Call, chip: &'static Chip) -> LaunchOptions {
    let mut options = LaunchOptions::new(chip);
    options.block_dim = call.block_dim;
    options.tiling_key = call.tiling_key;
    let noted = |check: &Check| {
        let at = match check {
            Check::Bounds => call.bounds,
            Check::Stale => call.stale,
            Check::Poison => call.poison,
            Check::Arguments => call.misuse,
            Check::Events => call.events,
        };
        at == AtMistake::Report
    };
    options.noted = Check::ALL.into_iter().filter(noted).collect();
    options.race = call.race;
    options.record = call.record.is_some() || call.profiles.is_some();
    options.auto_sync = call.auto_sync == Switch::On;
    options
}

/// Finds the kernel functions of a file. If the selected one is missing, it asks the compiler,
/// because a macro may declare it, or a header that the file includes. It also asks where the
/// file has several versions of a kernel.
fn functions(
    call: &Call,
    chip: &'static Chip,
    file: &Path,
    text: &str,
) -> Result<Vec<KernelFunction>, Failure> {
    let found = scan(text);
    let there = match &call.kernel {
        Some(name) => position(&found, name).is_some(),
        None => !found.is_empty(),
    };
    if there && !has_variants(text) {
        return Ok(found);
    }
    match kernels(call, chip, file, &[]).expanded() {
        Ok(text) => Ok(Some(scan(&text))
            .filter(|all| !all.is_empty())
            .unwrap_or(found)),
        // A kernel may be in a header that is not found. Other mistakes are told later.
        Err(e) if e.code() == Code::J0806 && !(found.is_empty() && text.contains("#include")) => {
            Ok(found)
        }
        Err(e) => Err(stopped(&e, call, &call.files)),
    }
}

/// Finds the function that `add`, `add<float, 4>` or `space::add` names.
fn position(functions: &[KernelFunction], name: &str) -> Option<usize> {
    let whole = name.split('<').next()?.trim_end();
    let own = whole.rsplit("::").next()?;
    functions.iter().position(|f| f.name == own)
}

fn choose(
    call: &Call,
    file: &Path,
    mut functions: Vec<KernelFunction>,
) -> Result<KernelFunction, Failure> {
    let names: Vec<String> = functions.iter().map(|f| f.name.clone()).collect();
    let at = match &call.kernel {
        Some(name) => position(&functions, name),
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

/// Returns the kernel's output, and the accesses that were only reported.
fn remarks(ran: &Ran) -> String {
    let mut text = String::new();
    for (block, line) in &ran.printed {
        let _ = writeln!(text, "[block {block}] {}", line.trim_end());
    }
    for note in ran.distinct_notes() {
        let block = note
            .block
            .map_or(String::new(), |block| format!(" (block {block})"));
        let more = match note.times {
            1 => String::new(),
            times => format!(", and {} more like it", times - 1),
        };
        let _ = writeln!(text, "note: {}{block}{}{more}", note.text, note.place);
    }
    text
}

fn stopped(e: &RunError, call: &Call, files: &[PathBuf]) -> Failure {
    match e {
        RunError::Cpp(fault) => Failure::Kernel(format!(
            "{}\n\n{}`jumar explain {}` tells more",
            render_places(fault, source::color()),
            if call.outs.is_empty() {
                ""
            } else {
                "no output was written; "
            },
            fault.code
        )),
        e if e.code() == Code::J0806 => {
            let named: Vec<String> = files.iter().map(|f| format!("`{}`", f.display())).collect();
            Failure::Kernel(format!(
                "error[{}]: the C++ compiler refuses {}\n{}",
                e.code(),
                named.join(", "),
                e.message()
            ))
        }
        e => Failure::refused(e, format!("`jumar explain {}` tells more", e.code())),
    }
}
