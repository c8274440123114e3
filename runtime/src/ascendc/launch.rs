//! Runs a program once: arrays become files, and the report becomes an outcome or an error.

use super::compile::Program;
use super::place::{line_of, Line};
use crate::error::{CppFault, CppPlace};
use crate::RunError;
use jumar_dsl::cost::event::Trace;
use jumar_dsl::diag::Code;
use jumar_dsl::soc::{Arch, Chip, Space};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, io};

/// A kind of mistake that a run can note in place of failing for it. Many kernels make such
/// mistakes, and the hardware often forgives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Accesses beyond a tensor (J0801). In GM, just the part that exists is copied.
    Bounds,
    /// Tensors of a queue that are used after FreeTensor, or while they are enqueued (J0803).
    Stale,
    /// Values that nobody wrote, read by a reduction, a store, an index or the scalar unit, and
    /// outputs that nobody wrote (J0802).
    Poison,
    /// Arguments that a call does not take (J0807). The call is left out, unless the hardware does
    /// something that the page does not promise.
    Arguments,
    /// Event ids that are set or waited for twice, or left set (J0810).
    Events,
}

impl Check {
    /// All of them.
    pub const ALL: [Check; 5] = [
        Check::Bounds,
        Check::Stale,
        Check::Poison,
        Check::Arguments,
        Check::Events,
    ];

    /// Returns the name in launch files and, in capitals, in the environment of programs.
    fn name(self) -> &'static str {
        match self {
            Check::Bounds => "bounds",
            Check::Stale => "stale",
            Check::Poison => "poison",
            Check::Arguments => "arguments",
            Check::Events => "events",
        }
    }
}

/// Options of a run.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// Cores and memories.
    pub chip: &'static Chip,
    /// Number of blocks; with [`LaunchOptions::tile`] the tiling function decides.
    pub block_dim: u32,
    /// The kernel function by name. `None` takes the one of the tiling key, or the only one.
    pub kernel: Option<String>,
    /// The key that `TILING_KEY_IS` compares with.
    pub tiling_key: u64,
    /// Mistakes that become notes of the outcome. All others make the run fail.
    pub noted: Vec<Check>,
    /// Outputs that no block writes wholly make the run fail; else they are noted.
    pub whole: bool,
    /// Runs the pipes in a random legal order, drawn from this seed, and looks for races.
    pub race: Option<u64>,
    /// Records the events of all blocks in [`Outcome::trace`].
    pub record: bool,
    /// Adds the waits that the compiler inserts by itself (`--cce-auto-sync`).
    pub auto_sync: bool,
    /// Makes 16-bit results beyond the range the largest number.
    pub saturate: bool,
    /// Arguments to which unordered blocks may write equal bytes.
    pub alike: Vec<String>,
    /// Lets the emitted tiling function decide block dim, key and [`Argument::Tiled`]: the
    /// instance, and the numbers that it reads.
    pub tile: Option<(usize, Vec<i64>)>,
    /// The time after which a run counts as endless.
    pub limit: Duration,
}

impl LaunchOptions {
    /// Makes options for one block on a chip, with the defaults of a launch.
    pub fn new(chip: &'static Chip) -> Self {
        LaunchOptions {
            chip,
            block_dim: 1,
            kernel: None,
            tiling_key: 0,
            noted: Vec::new(),
            whole: false,
            race: None,
            record: false,
            auto_sync: true,
            saturate: false,
            alike: Vec::new(),
            tile: None,
            limit: Duration::from_secs(600),
        }
    }
}

/// An argument, in the order of the kernel's parameters.
#[derive(Debug)]
pub enum Argument<'a> {
    /// A tensor that is read.
    Input(String, &'a [u8]),
    /// A tensor that is read and written: the kernel sees its earlier contents.
    InOut(String, &'a mut [u8]),
    /// A tensor that is written; it has no contents before.
    Output(String, &'a mut [u8]),
    /// GM that belongs to the launch: workspace.
    Scratch(String, u64),
    /// A value, as its bytes.
    Value(Vec<u8>),
    /// The tiling data that the tiling function gives.
    Tiled,
    /// A list of tensors (dynamic input or output): the shape of each, and an input or output.
    List(String, Vec<(Vec<usize>, Argument<'a>)>),
    /// A null pointer.
    Null,
    /// The tensor of an earlier argument, by index.
    Same(usize),
}

impl Argument<'_> {
    /// Returns the bytes of its tensors.
    fn bytes(&self) -> u64 {
        match self {
            Argument::Input(_, bytes) => bytes.len() as u64,
            Argument::InOut(_, bytes) | Argument::Output(_, bytes) => bytes.len() as u64,
            Argument::List(_, members) => members.iter().map(|(_, member)| member.bytes()).sum(),
            Argument::Scratch(..)
            | Argument::Value(_)
            | Argument::Tiled
            | Argument::Null
            | Argument::Same(_) => 0,
        }
    }
}

/// The result of a tiling function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    pub key: u64,
    /// Number of blocks.
    pub block_dim: i64,
    /// Bytes of workspace.
    pub workspace: i64,
    pub data: Vec<u8>,
}

/// The result of a run besides its outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Lines that the kernel printed, with the block.
    pub printed: Vec<(i64, String)>,
    /// Mistakes that were only noted, with the block and the place.
    pub notes: Vec<(i64, String, Option<CppPlace>)>,
    /// The run time of the blocks in microseconds.
    pub micros: u64,
    /// The result of the tiling function, where it ran.
    pub tiled: Option<Tile>,
    /// Bytes of a tensor that were written where others may write equal bytes, by its name. Only a
    /// run that looks for races fills it.
    pub alike: Vec<(String, Range<usize>)>,
    /// The return value of a program's `main`.
    pub status: i32,
    /// The events of all blocks, where [`LaunchOptions::record`] asks for them.
    pub trace: Option<Trace>,
}

/// A note of a run, with how often it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub text: String,
    /// The place as ` at FILE:LINE`; empty where there is none.
    pub place: String,
    /// The block that made it first; `None` for the whole launch.
    pub block: Option<i64>,
    pub times: usize,
}

impl Outcome {
    /// Returns the notes, equal ones at one place once: several blocks and iterations make them.
    pub fn distinct_notes(&self) -> Vec<Note> {
        let mut notes: Vec<Note> = Vec::new();
        for (block, text, place) in &self.notes {
            let place = place.as_ref().map_or(String::new(), |p| {
                format!(" at {}:{}", p.file.display(), p.line)
            });
            let known = notes
                .iter_mut()
                .find(|note| note.text == *text && note.place == place);
            match known {
                Some(note) => note.times += 1,
                None => notes.push(Note {
                    text: text.clone(),
                    place,
                    block: (*block >= 0).then_some(*block),
                    times: 1,
                }),
            }
        }
        notes
    }
}

/// One line of the report.
struct Event {
    event: String,
    kind: String,
    block: i64,
    at: Vec<u64>,
    message: String,
}

impl Program {
    /// Runs the kernel. Outputs are written after a run without error, or not at all.
    ///
    /// # Errors
    /// J0605 where arguments do not fit the kernel's parameters; [`RunError::Cpp`] with J0807 to
    /// J0812 where the kernel is stopped.
    pub fn run(
        &self,
        options: &LaunchOptions,
        arguments: &mut [Argument<'_>],
    ) -> Result<Outcome, RunError> {
        let folder = scratch(arguments.iter().map(Argument::bytes).sum())
            .map_err(|e| trouble("a folder for the arrays", &e))?;
        let launch = write_launch(folder.path(), options, arguments)
            .map_err(|e| trouble("the arrays", &e))?;
        let mut command = Command::new(&self.file);
        command
            .arg(&launch)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let (status, stderr) = watch(&mut command, folder.path(), options.limit)
            .map_err(|e| trouble("the program", &e))?;
        let events = read_report(&folder.path().join("report"));
        let mut outcome = self.judge(events, status.map(|s| s.success()), &stderr)?;
        if options.record {
            let trace = self.recorded(folder.path(), options);
            outcome.trace = Some(trace.map_err(|e| trouble("the record of events", &e))?);
        }
        for (i, argument) in arguments.iter_mut().enumerate() {
            read_outputs(&folder.path().join(format!("arg{i}")), argument)
                .map_err(|e| trouble("an output", &e))?;
        }
        Ok(outcome)
    }

    /// Runs a program with its own `main` ([`super::Source::Program`]) in a folder, and passes on
    /// its output.
    ///
    /// # Errors
    /// [`RunError::Cpp`] where one of its kernels is stopped, or a signal ends the program.
    pub fn run_main(
        &self,
        options: &LaunchOptions,
        arguments: &[OsString],
        folder: &Path,
    ) -> Result<Outcome, RunError> {
        let own = scratch(0).map_err(|e| trouble("a folder for the report", &e))?;
        let report = own.path().join("report");
        let mut command = Command::new(&self.file);
        command
            .args(arguments)
            .current_dir(folder)
            .env("ASCENDC_CPU_REPORT", &report)
            .envs(
                environment(options)
                    .iter()
                    .map(|(name, value)| (&**name, value)),
            );
        let (status, stderr) = watch(&mut command, own.path(), options.limit)
            .map_err(|e| trouble("the program", &e))?;
        let events = read_report(&report);
        let passed = pass_on(&stderr);
        let ended = status.map(|s| s.code().is_some() && passed);
        let mut outcome = self.judge(events, ended, &stderr)?;
        outcome.status = status.and_then(|s| s.code()).unwrap_or(0);
        Ok(outcome)
    }

    /// Makes an outcome of a report, or the fault of its lowest block.
    fn judge(
        &self,
        events: Vec<Event>,
        status: Option<bool>,
        stderr: &str,
    ) -> Result<Outcome, RunError> {
        let mut outcome = Outcome::default();
        let mut mistakes = Vec::new();
        let mut ended: Option<i64> = None;
        for event in events {
            match event.event.as_str() {
                "mistake" => mistakes.push(event),
                "fault" => {
                    ended = Some(ended.map_or(event.block, |block| block.min(event.block)));
                    mistakes.push(event);
                }
                "refused" => return Err(RunError::refused(Code::J0605, event.message)),
                "tiled" => outcome.tiled = tile(&event.message),
                "alike" => {
                    let ends = event
                        .message
                        .split_once(' ')
                        .and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
                    outcome.alike.push((
                        event.kind,
                        ends.ok_or_else(|| unknown("place", &event.message))?,
                    ));
                }
                "note" if event.kind == "print" => {
                    outcome.printed.push((event.block, event.message))
                }
                "note" => {
                    let place = event.at.first().and_then(|at| self.place(*at));
                    outcome.notes.push((event.block, event.message, place));
                }
                "done" => {
                    outcome.micros = event
                        .message
                        .parse()
                        .map_err(|_| unknown("duration", &event.message))?
                }
                other => return Err(unknown("event", other)),
            }
        }
        // A block that ends early also ends those behind it, wherever they are.
        mistakes.retain(|event| ended.is_none_or(|block| event.block <= block));
        match (self.faults(mistakes)?, status) {
            (Some(fault), _) => Err(RunError::Cpp(Box::new(fault))),
            (None, Some(true)) => Ok(outcome),
            (None, Some(false)) => Err(self.crash(stderr)),
            (None, None) => Err(RunError::Cpp(Box::new(CppFault {
                code: Code::J0811,
                message:
                    "the kernel does not end; a loop of the scalar unit waits for what never comes"
                        .into(),
                block: None,
                places: Vec::new(),
                others: Vec::new(),
            }))),
        }
    }

    /// Joins the mistakes of a run, of which each block makes many again.
    fn faults(&self, mut events: Vec<Event>) -> Result<Option<CppFault>, RunError> {
        // Those of the whole launch come last.
        events.sort_by_key(|event| (event.block < 0, event.block));
        let mut told = BTreeSet::new();
        let mut faults = Vec::new();
        for event in &events {
            // Two accesses that nothing orders are one race, whichever came first in this run.
            let mut at = event.at.clone();
            at.sort_unstable();
            let of_launch = at.is_empty().then_some(event.message.as_str());
            if told.insert((at, event.kind.as_str(), of_launch)) {
                faults.push(self.fault(event)?);
            }
        }
        let mut faults = faults.into_iter();
        let first = faults.next();
        Ok(first.map(|first| CppFault {
            others: faults.collect(),
            ..first
        }))
    }

    fn fault(&self, event: &Event) -> Result<CppFault, RunError> {
        Ok(CppFault {
            code: code_of(&event.kind).ok_or_else(|| unknown("fault", &event.kind))?,
            message: event.message.clone(),
            block: (event.block >= 0).then_some(event.block),
            places: event.at.iter().filter_map(|at| self.place(*at)).collect(),
            others: Vec::new(),
        })
    }

    /// Makes the fault of a program that ended early, by a sanitizer's message or by a signal.
    pub(super) fn crash(&self, stderr: &str) -> RunError {
        let message = match complaint(stderr) {
            Some(line) => {
                let said = line.split("ERROR: ").last().unwrap_or(line);
                said.split("runtime error: ").last().unwrap_or(said).split(" at pc ").next().unwrap_or(said).to_string()
            }
            None => "the program ended by a signal and without a report; it may have overwritten its own memory: try --sanitize"
                .into(),
        };
        // Sanitizers name the place by `file:line:column: runtime error` or
        // `#0 0x.. in f() file:line`.
        let place = stderr.lines().find_map(|line| self.named_place(line));
        RunError::Cpp(Box::new(CppFault {
            code: Code::J0812,
            message,
            block: None,
            places: place.into_iter().collect(),
            others: Vec::new(),
        }))
    }

    fn named_place(&self, line: &str) -> Option<CppPlace> {
        let words = line.split([' ', '(']).filter_map(|word| {
            let mut parts = word.split(':');
            let (file, line) = (parts.next()?, parts.next()?.parse::<u32>().ok()?);
            file.starts_with('/').then(|| Line {
                file: PathBuf::from(file),
                line,
            })
        });
        let headers = self.toolchain.folder().join("include");
        let machine = self.toolchain.folder().join("src");
        words
            .filter(|l| !l.file.starts_with(&headers) && !l.file.starts_with(&machine))
            .map(|l| self.shown(l))
            .next()
    }

    pub(super) fn place(&self, address: u64) -> Option<CppPlace> {
        line_of(self.toolchain, &self.file, address).map(|line| self.shown(line))
    }

    /// Returns a place under the user's name of the file, with the text of the line.
    fn shown(&self, Line { file, line }: Line) -> CppPlace {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let text = text
            .lines()
            .nth(line as usize - 1)
            .unwrap_or_default()
            .to_string();
        let own = self
            .texts
            .as_deref()
            .and_then(|texts| file.strip_prefix(texts).ok());
        CppPlace {
            file: own.unwrap_or(&file).to_path_buf(),
            line,
            text,
        }
    }
}

/// Finds a sanitizer's message.
pub(super) fn complaint(stderr: &str) -> Option<&str> {
    stderr
        .lines()
        .find(|l| l.contains("ERROR: AddressSanitizer") || l.contains("runtime error:"))
}

/// Returns the code of a fault's kind; the kinds are those of `core.h`.
fn code_of(kind: &str) -> Option<Code> {
    Some(match kind {
        "bounds" | "memory" => Code::J0801,
        "poison" => Code::J0802,
        "queue" | "stale" => Code::J0803,
        "align" | "arg" | "overlap" => Code::J0807,
        "assert" => Code::J0808,
        "race" | "cache" => Code::J0809,
        "sync" => Code::J0810,
        "hang" => Code::J0811,
        _ => return None,
    })
}

/// Reports a line of a report that no program of this version writes.
fn unknown(what: &str, found: &str) -> RunError {
    RunError::refused(
        Code::J0605,
        format!("the report of the run has a {what} that is not known: `{found}`"),
    )
}

pub(super) fn tile(text: &str) -> Option<Tile> {
    let mut words = text.split(' ');
    let mut number = || words.next()?.parse::<i64>().ok();
    let (key, block_dim, workspace) = (number()?, number()?, number()?);
    let hex = words.next().unwrap_or("").as_bytes();
    let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let data = hex
        .chunks_exact(2)
        .map(|two| Some(digit(two[0])? << 4 | digit(two[1])?))
        .collect::<Option<_>>()?;
    Some(Tile {
        key: u64::try_from(key).ok()?,
        block_dim,
        workspace,
        data,
    })
}

/// Makes a folder for this many bytes. It is in memory where there is room (containers usually have
/// 64 MiB there): arrays are written, mapped and read once.
pub(super) fn scratch(bytes: u64) -> io::Result<Scratch> {
    // Holding the lock until the folder is recorded keeps `remove_scratch` from missing it.
    let mut open = open_scratch();
    let memory = Path::new("/dev/shm");
    let mut builder = tempfile::Builder::new();
    builder.prefix("jumar");
    let folder = if room_in(memory).is_some_and(|room| room > bytes.saturating_add(SPARE)) {
        builder.tempdir_in(memory).or_else(|_| builder.tempdir())?
    } else {
        builder.tempdir()?
    };
    open.insert(folder.path().to_owned());
    Ok(Scratch(folder))
}

/// The folder of one launch; dropping it removes the folder.
#[derive(Debug)]
pub(super) struct Scratch(tempfile::TempDir);

impl Scratch {
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut open = open_scratch();
        // The folder is removed here and not by the field's drop: `remove_scratch` must know it
        // until then.
        let _ = fs::remove_dir_all(self.path());
        open.remove(self.path());
    }
}

static SCRATCH: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn open_scratch() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    SCRATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the folders of all running launches, for a process that a signal ends, since their
/// arrays may fill the memory file system. Running launches fail; later ones make new folders.
pub fn remove_scratch() {
    let mut open = open_scratch();
    for folder in std::mem::take(&mut *open) {
        // The process is about to end, so an error has no receiver.
        let _ = fs::remove_dir_all(folder);
    }
}

/// Bytes that stay free for others, and for the texts of a launch.
const SPARE: u64 = 1 << 20;

#[cfg(unix)]
fn room_in(folder: &Path) -> Option<u64> {
    rustix::fs::statvfs(folder)
        .ok()
        .map(|s| s.f_bavail.saturating_mul(s.f_frsize))
}
#[cfg(not(unix))]
fn room_in(_: &Path) -> Option<u64> {
    None
}

/// Returns the bytes of UB, L1, L0A, L0B, L0C, bias table and fixpipe buffer.
fn memories(chip: &Chip) -> String {
    let bytes = Space::ALL
        .iter()
        .filter_map(|space| space.bytes(chip))
        .chain([chip.fixpipe_bytes]);
    bytes
        .map(|bytes| bytes.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Describes the chip as `platform_infos_def.h` and `tikicpulib.h` read it.
pub(super) fn facts(chip: &Chip) -> String {
    format!(
        "{} {} {} {} {}",
        chip.vector_cores,
        memories(chip),
        chip.l2_bytes,
        chip.cube_cores,
        chip.soc_version
    )
}

/// Returns the options as `tikicpulib.h` reads them.
fn environment(options: &LaunchOptions) -> Vec<(Cow<'static, str>, String)> {
    let chip = options.chip;
    let mut all = vec![("ASCENDC_CPU_CHIP".into(), facts(chip))];
    all.extend(options.noted.iter().map(|check| {
        let name = format!("ASCENDC_CPU_{}", check.name().to_uppercase());
        (name.into(), "report".into())
    }));
    all.extend((!options.auto_sync).then(|| ("ASCENDC_CPU_AUTO_SYNC".into(), "off".into())));
    all.extend(
        options
            .saturate
            .then(|| ("ASCENDC_CPU_SATURATE".into(), "on".into())),
    );
    all.extend(
        options
            .race
            .map(|seed| ("ASCENDC_CPU_REPLAY".into(), seed.to_string())),
    );
    all
}

fn write_launch(
    folder: &Path,
    options: &LaunchOptions,
    arguments: &[Argument<'_>],
) -> io::Result<PathBuf> {
    let chip = options.chip;
    let mut text = format!("report {}\n", folder.join("report").display());
    let arch = match chip.arch {
        Arch::V220 => 2201,
        Arch::M200 => 2002,
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = writeln!(
        text,
        "arch {arch}\ncores {}\nmemories {}",
        chip.vector_cores,
        memories(chip)
    );
    let _ = writeln!(
        text,
        "block_dim {}\nthreads {threads}\ntiling_key {}",
        options.block_dim, options.tiling_key
    );
    for check in &options.noted {
        let _ = writeln!(text, "{} report", check.name());
    }
    let _ = writeln!(
        text,
        "whole {}\nsaturate {}\nauto_sync {}",
        u8::from(options.whole),
        u8::from(options.saturate),
        u8::from(options.auto_sync)
    );
    if let Some(seed) = options.race {
        let _ = writeln!(text, "replay {seed}");
    }
    if options.record {
        let _ = writeln!(text, "record {}", folder.display());
    }
    if let Some(kernel) = &options.kernel {
        let _ = writeln!(text, "kernel {kernel}");
    }
    if let Some((instance, numbers)) = &options.tile {
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        let _ = writeln!(text, "tile {instance} {}", numbers.join(" "));
    }
    for (i, argument) in arguments.iter().enumerate() {
        write_argument(&folder.join(format!("arg{i}")), argument, &mut text)?;
    }
    for name in &options.alike {
        let _ = writeln!(text, "alike {name}");
    }
    let launch = folder.join("launch");
    fs::write(&launch, text)?;
    Ok(launch)
}

/// Writes one argument: its file, and its line in the launch file.
fn write_argument(path: &Path, argument: &Argument<'_>, text: &mut String) -> io::Result<()> {
    let file = path.display();
    match argument {
        Argument::Input(..) | Argument::InOut(..) | Argument::Output(..) => {
            let _ = writeln!(text, "gm {} {file}", write_tensor(path, argument)?);
        }
        Argument::Scratch(name, bytes) => drop(writeln!(text, "scratch {name} {bytes}")),
        Argument::Value(bytes) => {
            fs::write(path, bytes)?;
            let _ = writeln!(text, "value {file}");
        }
        Argument::Tiled => text.push_str("tiled\n"),
        Argument::Null => text.push_str("null\n"),
        Argument::Same(index) => drop(writeln!(text, "same {index}")),
        Argument::List(name, members) => {
            for (i, (shape, member)) in members.iter().enumerate() {
                let path = member_path(path, i);
                let axes: Vec<String> = shape.iter().map(usize::to_string).collect();
                let (tensor, rank) = (write_tensor(&path, member)?, shape.len());
                let _ = writeln!(
                    text,
                    "listed {tensor} {rank} {} {}",
                    axes.join(" "),
                    path.display()
                );
            }
            let _ = writeln!(text, "list {name}");
        }
    }
    Ok(())
}

/// Writes the file of a tensor. Returns name, bytes and whether it is written, or nothing for an
/// argument that is no tensor.
fn write_tensor(path: &Path, argument: &Argument<'_>) -> io::Result<String> {
    match argument {
        Argument::Input(name, bytes) => {
            fs::write(path, bytes).map(|()| format!("{name} {} in", bytes.len()))
        }
        Argument::InOut(name, bytes) => {
            write_array(path, bytes).map(|()| format!("{name} {} inout", bytes.len()))
        }
        Argument::Output(name, bytes) => fs::File::create(path)
            .and_then(|file| file.set_len(bytes.len() as u64))
            .map(|()| format!("{name} {} out", bytes.len())),
        Argument::Scratch(..)
        | Argument::Value(_)
        | Argument::Tiled
        | Argument::List(..)
        | Argument::Null
        | Argument::Same(_) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "a list holds inputs and outputs only",
        )),
    }
}

fn member_path(path: &Path, member: usize) -> PathBuf {
    path.with_extension(member.to_string())
}

fn read_outputs(path: &Path, argument: &mut Argument<'_>) -> io::Result<()> {
    match argument {
        Argument::InOut(_, bytes) | Argument::Output(_, bytes) => {
            fs::File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, bytes))
        }
        Argument::List(_, members) => members
            .iter_mut()
            .enumerate()
            .try_for_each(|(i, (_, member))| read_outputs(&member_path(path, i), member)),
        Argument::Input(..)
        | Argument::Scratch(..)
        | Argument::Value(_)
        | Argument::Tiled
        | Argument::Null
        | Argument::Same(_) => Ok(()),
    }
}

/// Writes an array. One that is written is often zero: a sparse file, whose pages appear when the
/// kernel writes them.
fn write_array(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if bytes
        .chunks(4096)
        .all(|part| part.iter().fold(0, |all, byte| all | byte) == 0)
    {
        return fs::File::create(path)?.set_len(bytes.len() as u64);
    }
    fs::write(path, bytes)
}

/// Runs a program with its standard error in a file of the folder. Returns how it ended (`None`
/// after the limit) and that text.
pub(super) fn watch(
    command: &mut Command,
    folder: &Path,
    limit: Duration,
) -> io::Result<(Option<ExitStatus>, String)> {
    let said = folder.join("stderr");
    let mut child = command
        .stderr(Stdio::from(fs::File::create(&said)?))
        .spawn()?;
    let status = wait(&mut child, limit)?;
    Ok((status, fs::read_to_string(&said).unwrap_or_default()))
}

/// Passes on a program's messages, unless they are a sanitizer's. True if it did.
pub(super) fn pass_on(stderr: &str) -> bool {
    let own = complaint(stderr).is_none();
    if own {
        eprint!("{stderr}");
    }
    own
}

/// Returns how the program ended; `None` after the limit, when it has been stopped.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

fn read_report(path: &Path) -> Vec<Event> {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes)
        .lines()
        .filter_map(event)
        .collect()
}

fn event(line: &str) -> Option<Event> {
    let mut fields = line.split('\t');
    let mut field = || fields.next().map(str::to_string);
    let (event, kind, block, at, message) = (field()?, field()?, field()?, field()?, field()?);
    let at = at.split(',').filter_map(|a| a.parse().ok()).collect();
    Some(Event {
        event,
        kind,
        block: block.parse().ok()?,
        at,
        message: unescaped(&message),
    })
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                other => out.extend(other),
            },
            c => out.push(c),
        }
    }
    out
}

pub(super) fn trouble(what: &str, e: &io::Error) -> RunError {
    RunError::refused(Code::J0605, format!("{what} cannot be used: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_of_fault_that_no_machine_tells_has_no_code() {
        assert_eq!(
            (code_of("overlap"), code_of("race"), code_of("weather")),
            (Some(Code::J0807), Some(Code::J0809), None)
        );
    }

    #[test]
    fn arrays_that_memory_has_no_room_for_go_to_the_disk() {
        let memory = Path::new("/dev/shm");
        let large = scratch(u64::MAX).expect("a folder");
        assert!(!large.path().starts_with(memory), "{large:?}");
        let small = scratch(0).expect("a folder");
        assert_eq!(
            small.path().starts_with(memory),
            room_in(memory).is_some_and(|room| room > SPARE),
            "{small:?}"
        );
    }

    #[test]
    fn a_line_of_the_report_is_read_back() {
        let event = event("fault\tqueue\t3\t100,200\ta\\tb\\nc\\\\n").expect("a line");
        assert_eq!(
            (event.event.as_str(), event.kind.as_str(), event.block),
            ("fault", "queue", 3)
        );
        assert_eq!(
            (event.at, event.message.as_str()),
            (vec![100, 200], "a\tb\nc\\n")
        );
        assert!(super::event("done").is_none());
        let tile = tile("21 48 0 0aff").expect("a tiling");
        assert_eq!(
            (tile.key, tile.block_dim, tile.data),
            (21, 48, vec![10, 255])
        );
    }
}
