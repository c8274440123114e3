//! `jumar run`: runs a kernel on arrays from files.
//!
//! A wrong call costs nothing and leaves nothing, because the order is:
//!
//! 1. Parse the arguments against the signature.
//! 2. Read the headers of the files.
//! 3. Choose the dtype instance.
//! 4. Infer the shapes of the outputs.
//! 5. Check that everything fits in memory.
//! 6. Open the places of the outputs.
//! 7. Read the data and start the simulator.

use super::npy::{self, said, Header};
use super::outputs::{Files, Pending};
use super::{args, memory, profile, progress, say, source, Failure, Outcome, Which};
use args::Arguments;
use jumar::cpp::Cpp;
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::event::Trace;
use jumar::dsl::diag::Code;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Param, ParamId, Per, Role, Signature, Ty};
use jumar::dsl::lower::advice;
use jumar::dsl::tiling::{bind, evaluate, Value};
use jumar::load::KernelFile;
use jumar::npu::Npu;
use jumar::render::render_places;
use jumar::runtime::tile::AnyCut;
use jumar::runtime::Backend as Runs;
use jumar::runtime::{infer_output_shapes, Array, Fault, Launch, RunError};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

pub const EXAMPLES: &str = "\
Examples:
  jumar run swish.rs --arg x=@x.npy --arg scale=1.5 --out y=@y.npy
  jumar run kernels.rs --kernel softmax --arg x=@x.npy --out y=@y.npy --chip ascend310p
  jumar run swish.rs --arg x=@x.npy --out y=@y.npy --backend cpp --race
  jumar run swish.rs --arg x=@x.npy --out y=@y.npy --backend npu
  jumar run lists.rs --arg xs=@a.npy,@b.npy --arg alphas=0.5,2.0 --out ys=@c.npy,@d.npy

A tensor is given as NAME=@FILE.npy, an attribute as NAME=VALUE; attributes with a default may be left out. A tensor that
is updated in place stands in --arg with its old and in --out with its new content. The element types of the arrays
choose the dtype instance: '<f2' is f16, '<f4' f32, '<i4' i32; bf16, which numpy has not, is stored as its bits, '<u2'.
Where a kernel takes u16 there, too, say which they are: --arg x:bf16=@x.npy. Where only an output has an element type of
its own, say that: --out y:f16=@y.npy.

The shapes of outputs follow from the signature. One that may be left out is computed where --out names it. Outputs
are written when the run has succeeded, or not at all. A link is followed; each output has a file of its own, which is
that of an input only where a tensor is updated in place.
Exit code 1 means that the kernel is wrong (a finding, or a fault in the simulator), 2 that the call is.";

#[derive(clap::Args)]
pub struct Call {
    #[command(flatten)]
    which: Which,
    /// A tensor as NAME=@FILE.npy, with its element type as NAME:DTYPE=@FILE.npy, or an attribute
    /// as NAME=VALUE
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    args: Vec<String>,
    /// The file of a tensor that the kernel writes: NAME=@FILE.npy
    #[arg(long = "out", value_name = "NAME=@FILE")]
    outs: Vec<String>,
    /// The backend that runs it
    #[arg(long, value_enum, default_value = "sim")]
    backend: Backend,
    /// Run the pipes in a random legal order and report races (backend cpp); the seed is 1 by
    /// default
    #[arg(long, value_name = "SEED", num_args = 0..=1, default_missing_value = "1")]
    race: Option<u64>,
    /// Build with address and undefined-behaviour sanitizers (backend cpp)
    #[arg(long)]
    sanitize: bool,
    /// Record the events of the run, which `jumar profile` replays (backend cpp); as text where the
    /// file ends in .txt
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The device (backend npu); 0 by default
    #[arg(long, value_name = "NUMBER")]
    device: Option<u32>,
}

/// The backend that runs a kernel.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Backend {
    /// The reference simulator
    Sim,
    /// The emitted AscendC, compiled for the CPU
    Cpp,
    /// The tile interpreter: the source on whole arrays, before any lowering; twice, since no
    /// result may depend on how loops are cut
    Tile,
    /// A device: the emitted AscendC, compiled by CANN's device compiler and started by its runtime
    Npu,
}

/// A backend that runs the launch instead of the simulator.
struct Instead {
    runs: Box<dyn Runs>,
    /// The verb of the final message, before blocks and chip; `None` for the interpreter, which
    /// knows neither.
    how: Option<&'static str>,
    /// The emitted C++, which may have recorded events.
    cpp: Option<Arc<Cpp>>,
}

/// An output tensor before the run.
struct Planned {
    name: String,
    dtype: DType,
    shape: Vec<usize>,
}

pub fn main(call: &Call) -> Outcome {
    let instead = backend(call)?;
    let file = source::load(&for_chip_of(&call.which, instead.as_ref()))?;
    let kernel = match source::clean(&file)?.as_slice() {
        [one] => *one,
        _ => {
            return Err(Failure::call(
                format!(
                    "`{}` has {} kernels",
                    call.which.file.display(),
                    file.kernels().len()
                ),
                format!("choose one with --kernel: {}", source::names(&file)),
            ))
        }
    };
    let sig = &kernel.kernel().sig;
    let given = args::parse(sig, &call.args, &call.outs)?;
    if call.record.is_some() && given.items > 1 {
        return Err(Failure::call(
            format!(
                "--record is of one launch, and the lists have {} items",
                given.items
            ),
            "give lists of one tensor",
        ));
    }
    let sources = open(sig, &given)?;
    let instance = choose_instance(sig, &sources, &given)?;
    let planned = plan(sig, instance, &sources, &given)?;
    room_for(&sources, &planned)?;
    let mut files = Files::default();
    for (name, _, file) in given.tensors.iter().flat_map(|tensor| tensor.each(sig)) {
        files.reads(&name, file);
    }
    let mut pending: Vec<(&str, usize, String, Pending)> = Vec::new();
    for out in &given.outs {
        for (said, item, file) in out.each(sig) {
            let place = files.writes(&said, file)?;
            pending.push((&out.name, item, said, place));
        }
    }

    // An entry for each given tensor; the arrays of a list are in the order of its items.
    let mut arrays: Vec<(String, Vec<Array>)> = given
        .tensors
        .iter()
        .map(|t| (t.name.clone(), Vec::new()))
        .collect();
    for Source {
        name, path, header, ..
    } in sources
    {
        // The instance decides between the types that the bits of the file may be.
        let own = sig
            .tensors()
            .find(|(_, p, ..)| p.name == name)
            .map(|(.., ty)| ty.resolve(&sig.instances[instance]));
        let header = own.into_iter().fold(header, Header::seen_as);
        let array = header.read().map_err(|why| bad_file(&path, &why))?;
        if let Some((_, all)) = arrays.iter_mut().find(|(own, _)| *own == name) {
            all.push(array);
        }
    }
    arrays.extend(
        sig.tensors()
            .filter(|(_, _, role, _)| *role == Role::Out)
            .map(|(_, p, ..)| (p.name.clone(), Vec::new())),
    );
    for Planned { name, dtype, shape } in planned {
        let array = Array::zeros(dtype, &shape).ok_or_else(|| {
            Failure::call(format!("no array of {dtype} can be made"), signature(sig))
        })?;
        if let Some((_, all)) = arrays.iter_mut().find(|(own, _)| *own == name) {
            all.push(array);
        }
    }
    let mut text = execute(
        kernel,
        &file,
        instance,
        &mut arrays,
        &given,
        instead.as_ref(),
    )?;
    let cpp = instead.as_ref().and_then(|instead| instead.cpp.as_ref());
    if let (Some(cpp), Some(file)) = (cpp, &call.record) {
        let trace = cpp.outcome().trace;
        let kernel = sig.name.clone();
        let named = trace.map(|trace| Trace { kernel, ..trace });
        if let Some(trace) = named {
            profile::store(file, &trace)?;
        }
    }
    let array = |name: &str, item: usize| {
        arrays
            .iter()
            .find(|(n, _)| n == name)
            .and_then(|(_, all)| all.get(item))
    };
    for (name, item, _, place) in &pending {
        let Some(array) = array(name, *item) else {
            continue;
        };
        npy::write(place.path(), array).map_err(|e| unwritable(place, &e))?;
    }
    for (name, item, said_as, place) in pending {
        let Some(array) = array(name, item) else {
            continue;
        };
        let _ = writeln!(
            text,
            "{said_as}: {} {}, in {}",
            array.dtype(),
            spelled(array.shape()),
            place.shown().display()
        );
        let target = place.shown().to_owned();
        place.finish().map_err(|e| {
            Failure::call(
                format!("`{}` cannot be written: {}", target.display(), said(&e)),
                "choose another place with --out",
            )
        })?;
    }
    say(&text)
}

fn unwritable(place: &Pending, e: &std::io::Error) -> Failure {
    Failure::call(
        format!(
            "`{}` cannot be written: {}",
            place.shown().display(),
            said(e)
        ),
        "choose another place with --out",
    )
}

fn bad_file(path: &std::path::Path, why: &str) -> Failure {
    Failure::call(
        format!("`{}` cannot be used as a tensor: {why}", path.display()),
        "give a file that `np.save` wrote, with an element type that the kernel takes",
    )
}

/// The file of a tensor that the kernel reads.
struct Source {
    name: String,
    /// The item of a list.
    item: usize,
    path: PathBuf,
    /// The types that its elements may have, or the one that the call gives.
    dtypes: Vec<DType>,
    header: Header,
}

impl Source {
    /// Lists its types for a message: `bf16 or u16`.
    fn spelled(&self) -> String {
        self.dtypes
            .iter()
            .map(|dtype| dtype.name())
            .collect::<Vec<_>>()
            .join(" or ")
    }
}

/// Opens the files of the tensors that the kernel reads.
fn open(sig: &Signature, given: &Arguments) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    let files = given.tensors.iter().flat_map(|given| {
        given
            .files
            .iter()
            .enumerate()
            .map(move |(i, f)| (&given.name, given.dtype, i, f))
    });
    for (name, asked, item, file) in files {
        let header = Header::open(file).map_err(|why| bad_file(file, &why))?;
        let mut dtypes = header.may_be().map_err(|why| bad_file(file, &why))?;
        if let Some(asked) = asked {
            if !dtypes.contains(&asked) {
                let found: Vec<_> = dtypes.iter().map(|dtype| dtype.name()).collect();
                return Err(Failure::call(
                    format!(
                        "`{name}` is said to be {asked}, and `{}` holds {}",
                        file.display(),
                        found.join(" or ")
                    ),
                    format!("leave `:{asked}` out, or save the array as what it is to be"),
                ));
            }
            dtypes = vec![asked];
        }
        if header.shape.len() > 8 {
            return Err(Failure::call(
                format!(
                    "`{}` has {} axes; a tensor of `{}` has at most 8",
                    file.display(),
                    header.shape.len(),
                    sig.name
                ),
                "reshape it",
            ));
        }
        sources.push(Source {
            name: name.clone(),
            item,
            path: file.clone(),
            dtypes,
            header,
        });
    }
    Ok(sources)
}

/// Returns the index of the dtype instance that the files and `--out NAME:DTYPE` select.
fn choose_instance(
    sig: &Signature,
    sources: &[Source],
    given: &Arguments,
) -> Result<usize, Failure> {
    let takes = |name: &str, own: DType| {
        let mut files = sources.iter().filter(|s| s.name == name).peekable();
        match files.peek() {
            Some(_) => files.all(|s| s.dtypes.contains(&own)),
            None => given
                .outs
                .iter()
                .find(|o| o.name == name)
                .and_then(|o| o.dtype)
                .is_none_or(|dtype| dtype == own),
        }
    };
    let fits = |binding: &Vec<DType>| {
        sig.tensors()
            .all(|(_, p, _, ty)| takes(&p.name, ty.resolve(binding)))
    };
    // Every output is made, except an optional one that is not asked for.
    let is_made =
        |id: ParamId, name: &str| !sig.is_optional(id) || given.outs.iter().any(|o| o.name == name);
    let is_given = |id: ParamId| {
        let name = &sig.param(id).name;
        sources.iter().any(|s| s.name == *name) || sig.is_output(id) && is_made(id, name)
    };
    let fitting = sig.told_apart(
        (0..sig.instances.len()).filter(|i| fits(&sig.instances[*i])),
        is_given,
    );
    match fitting.as_slice() {
        [one] => Ok(*one),
        [] => {
            let found: Vec<String> = sources
                .iter()
                .map(|s| format!("{}: {}", s.name, s.spelled()))
                .chain(outs_with_dtype(given))
                .collect();
            let allowed: Vec<String> = sig
                .instances
                .iter()
                .map(|binding| format!("({})", dtypes(sig, binding)))
                .collect();
            Err(Failure::call(
                format!(
                    "kernel `{}` does not take these element types: {}",
                    sig.name,
                    found.join(", ")
                ),
                format!(
                    "it takes {}; convert the arrays, or add `#[instances(..)]` to the kernel",
                    allowed.join(" or ")
                ),
            ))
        }
        [first, second, ..] => {
            let is_open =
                |ty: Ty| ty.resolve(&sig.instances[*first]) != ty.resolve(&sig.instances[*second]);
            let open = || {
                sig.tensors()
                    .filter(|(id, _, _, ty)| is_given(*id) && is_open(*ty))
            };
            // Asks for the type of a file with several possible types, else for that of an output.
            let open = open()
                .find(|(_, p, ..)| sources.iter().any(|s| s.name == p.name))
                .or_else(|| open().next());
            let name = open.map_or("y", |(_, p, _, _)| p.name.as_str());
            let all: Vec<&str> = fitting
                .iter()
                .filter_map(|i| open.map(|(_, _, _, ty)| ty.resolve(&sig.instances[*i]).name()))
                .fold(Vec::new(), |mut all, d| {
                    if all.contains(&d) {
                        all
                    } else {
                        all.push(d);
                        all
                    }
                });
            if let Some(source) = sources.iter().find(|s| s.name == name) {
                return Err(Failure::call(
                    format!(
                        "the elements of `{}` may be {}, and kernel `{}` takes either",
                        source.path.display(),
                        all.join(" or "),
                        sig.name
                    ),
                    format!(
                        "say which: --arg {name}:{}=@FILE.npy",
                        all.join(&format!("=@FILE.npy or --arg {name}:"))
                    ),
                ));
            }
            let is_empty = given
                .outs
                .iter()
                .any(|out| out.name == name && out.files.is_empty());
            let file = if is_empty { "" } else { "@FILE.npy" };
            Err(Failure::call(
                format!("no given array decides the element type of `{name}`"),
                format!(
                    "say it: --out {name}:{}={file}; allowed are {}",
                    all.first().unwrap_or(&"f32"),
                    all.join(", ")
                ),
            ))
        }
    }
}

fn outs_with_dtype(given: &Arguments) -> impl Iterator<Item = String> + '_ {
    given
        .outs
        .iter()
        .filter_map(|o| o.dtype.map(|d| format!("{}: {d}", o.name)))
}

fn dtypes(sig: &Signature, binding: &[DType]) -> String {
    let all: Vec<String> = sig
        .tensors()
        .map(|(_, p, _, ty)| format!("{}: {}", p.name, ty.resolve(binding)))
        .collect();
    all.join(", ")
}

/// Returns dtypes and shapes of the outputs that are asked for.
fn plan(
    sig: &Signature,
    instance: usize,
    sources: &[Source],
    given: &Arguments,
) -> Result<Vec<Planned>, Failure> {
    let dtype_of = |name: &str| {
        let ty = sig
            .tensors()
            .find(|(_, p, _, _)| p.name == name)
            .map(|(_, _, _, ty)| ty);
        ty.map(|ty| ty.resolve(&sig.instances[instance]))
    };
    let is_list = |name: &str| sig.lists().any(|(_, p)| p.name == name);
    let mut planned = Vec::new();
    for item in 0..given.items {
        let of_item = sources
            .iter()
            .filter(|s| s.item == item || !is_list(&s.name));
        let inputs: Vec<(&str, &[usize])> = of_item
            .map(|s| (s.name.as_str(), s.header.shape.as_slice()))
            .collect();
        let shapes = infer_output_shapes(sig, &inputs, &attrs(sig, given, item))
            .map_err(|e| refused(sig, &e))?;
        let asked = shapes
            .into_iter()
            .filter(|(name, _)| given.outs.iter().any(|out| out.name == *name));
        planned.extend(asked.filter_map(|(name, shape)| {
            Some(Planned {
                dtype: dtype_of(&name)?,
                name,
                shape,
            })
        }));
    }
    Ok(planned)
}

/// Returns the attributes of an item.
fn attrs<'g>(sig: &'g Signature, given: &'g Arguments, item: usize) -> Vec<(&'g str, Value)> {
    let of_launch = given
        .attrs
        .iter()
        .map(|(name, value)| (name.as_str(), *value));
    let of_item = given
        .lists
        .iter()
        .filter_map(|(name, all)| Some((name.as_str(), *all.get(item)?)));
    let place = sig
        .place()
        .map(|id| (sig.param(id).name.as_str(), Value::Int(item as i64)));
    of_launch.chain(of_item).chain(place).collect()
}

/// Refuses shapes that no memory can hold.
fn room_for(sources: &[Source], planned: &[Planned]) -> Outcome {
    let mut total: u64 = sources
        .iter()
        .fold(0, |sum, s| sum.saturating_add(s.header.bytes as u64));
    for Planned { name, dtype, shape } in planned {
        let elements = shape
            .iter()
            .try_fold(1usize, |n, axis| n.checked_mul(*axis))
            .filter(|n| *n <= isize::MAX as usize / 8);
        let Some(elements) = elements else {
            return Err(Failure::call(
                format!(
                    "output `{name}` would have the shape {}, which no memory can hold",
                    spelled(shape)
                ),
                "give smaller arrays or attributes",
            ));
        };
        total = total.saturating_add((elements as u64).saturating_mul(dtype.bytes() as u64));
    }
    match memory::available() {
        Some(free) if total > free => {
            let outputs: Vec<String> = planned
                .iter()
                .map(|p| format!("`{}` {} {}", p.name, p.dtype, spelled(&p.shape)))
                .collect();
            Err(Failure::call(
                format!(
                    "the arrays take {} and {} are free; outputs: {}",
                    memory::spelled(total),
                    memory::spelled(free),
                    outputs.join(", ")
                ),
                "give smaller arrays or attributes",
            ))
        }
        _ => Ok(()),
    }
}

/// Runs the kernel, and returns a line about the run.
fn execute(
    kernel: &CheckedKernel,
    file: &KernelFile,
    instance: usize,
    arrays: &mut [(String, Vec<Array>)],
    given: &Arguments,
    instead: Option<&Instead>,
) -> Result<String, Failure> {
    let sig = &kernel.kernel().sig;
    let bar = progress::Bar::new(
        &sig.name,
        blocks(kernel, instance, arrays, given).unwrap_or(0),
    );
    let mut launch = Launch::new(kernel).arrays(arrays);
    for (name, value) in &given.attrs {
        launch = launch.attr(name, *value);
    }
    for (name, values) in &given.lists {
        launch = launch.attrs(name, values.iter().copied());
    }
    if let Some(instead) = instead {
        launch = launch.backend(&*instead.runs);
    }
    let ran = launch.progress(|_| bar.step()).run();
    bar.finish();
    let report = match ran {
        Ok(report) => report,
        Err(RunError::Fault(fault)) => return Err(faulted(kernel, file, &fault)),
        Err(RunError::Cpp(fault)) => {
            return Err(Failure::Kernel(format!(
                "{}\n\nno output was written",
                render_places(&fault, source::color())
            )))
        }
        Err(refusal) => return Err(refused(sig, &refusal)),
    };
    let instance: Vec<String> = sig
        .instances
        .get(report.instance)
        .into_iter()
        .flatten()
        .map(DType::to_string)
        .collect();
    let instance = if instance.is_empty() {
        String::new()
    } else {
        format!(" <{}>", instance.join(", "))
    };
    let blocks = source::counted(usize::try_from(report.blocks).unwrap_or(0), "block");
    let chip = kernel.chip().name;
    let shown = &report.shown;
    // The run has made its outputs, so these findings are only warnings.
    report
        .open
        .iter()
        .for_each(|open| eprintln!("warning[{}]: {open}", Code::J0819));
    Ok(match instead.map_or(Some("simulated"), |i| i.how) {
        Some(how) => format!("{shown}{}{instance}: {how} {blocks} of {chip}\n", sig.name),
        None => format!("{shown}{}{instance}: interpreted as written\n", sig.name),
    })
}

/// Selects the chip of the device, if the run is on a device and the call names no chip.
fn for_chip_of(which: &Which, instead: Option<&Instead>) -> Which {
    let of_device = instead
        .and_then(|instead| instead.runs.chip())
        .map(|chip| chip.name.to_string());
    Which {
        chip: which.chip.clone().or(of_device),
        ..which.clone()
    }
}

/// Returns the backend that the call asks for; `None` is the simulator.
fn backend(call: &Call) -> Result<Option<Instead>, Failure> {
    let of_cpp = call.race.is_some() || call.sanitize || call.record.is_some();
    if call.backend != Backend::Cpp && of_cpp {
        return Err(Failure::call(
            "--race, --sanitize and --record are about the emitted C++",
            "add --backend cpp; simulator and interpreter run statement after statement",
        ));
    }
    if call.backend != Backend::Npu && call.device.is_some() {
        return Err(Failure::call(
            "--device names a device",
            "add --backend npu; the other backends run on this machine's processor",
        ));
    }
    Ok(match call.backend {
        Backend::Cpp => {
            progress::say_before_build(call.sanitize);
            let mut cpp = Cpp::new(call.race, call.sanitize);
            cpp.record = call.record.is_some();
            let cpp = Arc::new(cpp);
            Some(Instead {
                runs: Box::new(Arc::clone(&cpp)),
                how: Some("ran as emitted C++"),
                cpp: Some(cpp),
            })
        }
        Backend::Tile => Some(Instead {
            runs: Box::new(AnyCut::default()),
            how: None,
            cpp: None,
        }),
        Backend::Npu => {
            let npu = Npu::open(call.device.unwrap_or(0));
            let npu = npu.map_err(|e| {
                Failure::refused(&e, "`jumar doctor` says what there is to launch with")
            })?;
            Some(Instead {
                runs: Box::new(npu),
                how: Some("ran on the device,"),
                cpp: None,
            })
        }
        Backend::Sim => None,
    })
}

/// Returns the number of blocks over all items, for the progress bar.
fn blocks(
    kernel: &CheckedKernel,
    instance: usize,
    arrays: &[(String, Vec<Array>)],
    given: &Arguments,
) -> Option<u64> {
    let sig = &kernel.kernel().sig;
    let mut blocks = 0;
    for item in 0..given.items {
        let at = |p: &Param| if p.per == Per::Item { item } else { 0 };
        let all = |p: &Param| {
            arrays
                .iter()
                .find(|(name, _)| *name == p.name)
                .map(|(_, all)| all.as_slice())
        };
        let shapes: Vec<_> = sig
            .params
            .iter()
            .map(|p| all(p)?.get(at(p)).map(Array::shape))
            .collect();
        let lowered = kernel.instances().get(instance)?;
        let (attrs, dims) = bind(
            sig,
            Some(lowered.binding()),
            &shapes,
            &attrs(sig, given, item),
        )
        .ok()?;
        let tiling = evaluate(lowered, kernel.chip(), &dims, &attrs).ok()?;
        blocks += u64::try_from(tiling.block_dim).ok()?;
    }
    Some(blocks)
}

/// Reports a refused launch as a failure of the call.
fn refused(sig: &Signature, e: &RunError) -> Failure {
    match e.code() {
        Code::J0805 => {
            Failure::refused(e, "nothing is wrong with the kernel or the call; `jumar explain J0805` tells what is needed")
        }
        _ => Failure::refused(e, advice(e.message()).map_or_else(|| signature(sig), str::to_owned)),
    }
}

/// Reports a fault in the simulator as a failure of the kernel, with its place.
fn faulted(kernel: &CheckedKernel, file: &KernelFile, fault: &Fault) -> Failure {
    let text = file.render_fault(kernel, fault, source::color());
    Failure::Kernel(format!(
        "{text}\n\nno output was written; `jumar explain {}` tells more",
        fault.code
    ))
}

/// Describes the kernel's parameters for a message.
pub fn signature(sig: &Signature) -> String {
    let all: Vec<String> = sig
        .params
        .iter()
        .filter_map(|p| args::spelled_param(sig, p))
        .collect();
    format!("`{}` takes {}", sig.name, all.join(", "))
}

fn spelled(shape: &[usize]) -> String {
    let axes: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("[{}]", axes.join(", "))
}
