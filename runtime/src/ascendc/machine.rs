//! Makes what every program is compiled and linked with, each once.
//!
//! - The headers as files, one of them precompiled for each architecture and choice of sanitizers.
//! - The machine as objects. A program is linked with those that it needs, and only they are made.
//!
//! A file gets its final name only when it is complete, and is never changed after that.

use super::at_once::at_once;
use super::embed::{self, Embedded};
use super::toolchain::{cache_folder, Toolchain};
use crate::RunError;
use jumar_dsl::diag::Code;
use jumar_dsl::soc::Arch;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard};
use std::{fs, io};

/// Flags of kernel and machine. Contraction would round once where the chip rounds twice. Buffers
/// are read as other types. Nobody reads errno or floating-point exceptions, and they would keep
/// loops from being vectorised.
pub(super) const FLAGS: &[&str] = &[
    "-std=c++17",
    "-march=native",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-strict-aliasing",
    "-pthread",
    "-fdiagnostics-color=never",
];
const SANITIZE: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-fno-omit-frame-pointer",
];

/// The options that the machine's objects and the precompiled headers depend on.
pub(super) struct Variant {
    pub toolchain: &'static Toolchain,
    pub arch: Arch,
    pub level: Level,
}

/// The kind of program that objects are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Plain,
    Sanitized,
    Shared,
}

impl Level {
    pub fn of(sanitize: bool) -> Self {
        if sanitize {
            Level::Sanitized
        } else {
            Level::Plain
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Level::Plain => "plain",
            Level::Sanitized => "sanitized",
            Level::Shared => "shared",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Level::Plain => &[],
            Level::Sanitized => SANITIZE,
            Level::Shared => &["-fPIC"],
        }
    }

    /// Returns the folder of the machine's objects: one set serves programs and shared libraries.
    fn machine(self) -> &'static str {
        match self {
            Level::Plain | Level::Shared => "machine",
            Level::Sanitized => "sanitized/machine",
        }
    }

    /// Returns flags of the machine's objects. In a shared library their symbols cannot be
    /// replaced, so that calls among them stay direct.
    fn machine_flags(self) -> &'static [&'static str] {
        match self {
            Level::Plain | Level::Shared => &["-fPIC", "-fno-semantic-interposition"],
            Level::Sanitized => SANITIZE,
        }
    }
}

/// The compiled machine for shared libraries, as an external build needs it. A process needs it
/// once for all kernels.
#[derive(Clone, Debug)]
pub struct SharedMachine {
    pub compiler: PathBuf,
    /// Flags of each kernel file: options, the architecture, the folder of the precompiled header
    /// and that of the headers.
    pub kernel_flags: Vec<OsString>,
    /// Sources of the machine, for its inner headers.
    pub sources: PathBuf,
    /// Objects of the machine, without a `main`.
    pub objects: Vec<PathBuf>,
}

/// Compiles the machine for shared libraries, or finds it in the cache.
///
/// # Errors
/// J0805 without a compiler, J0605 where the cache cannot be used.
pub fn shared_machine(arch: Arch) -> Result<SharedMachine, RunError> {
    let variant = Variant {
        toolchain: Toolchain::find()?,
        arch,
        level: Level::Shared,
    };
    let header = variant.header()?;
    let mut objects = variant.all_objects()?;
    objects.retain(|object| object.file_stem().is_none_or(|name| name != MAIN));
    let command = variant.command(Some(&header));
    let kernel_flags = command
        .get_args()
        .map(OsString::from)
        .chain(KERNEL_LEVEL.iter().map(OsString::from))
        .collect();
    let sources = variant.toolchain.folder().join("src");
    Ok(SharedMachine {
        compiler: PathBuf::from(command.get_program()),
        kernel_flags,
        sources,
        objects,
    })
}

/// The kernel is compiled for readable debug information, the machine for fast loops over elements.
/// A precompiled header serves one such choice.
pub(super) const KERNEL_LEVEL: &[&str] = &["-O1", "-g1"];
/// Level of the files of the machine that share a compiled header: their time to compile counts.
const HEADER_LEVEL: &str = "-O1";
/// Files of the machine with loops over elements, whose time to run counts.
const LOOPS: [&str; 3] = ["vec_", "adv_", "numeric"];
/// The file with the `main` of a kernel's program.
pub(super) const MAIN: &str = "main";
/// The file with the `main` of a kernel's program, and those that launches need, which come first
/// in programs with a `main` of their own. All of them are made at once, and not each when an
/// object that lacks it is there.
const RUN: &[&str] = &[
    "blocks",
    "core",
    "cross_core",
    "global",
    "launch",
    "memory",
    "pipes",
    "queue",
    "report",
    "scalar_cache",
    MAIN,
];

/// Returns the files that every program needs, with the machine's own `main` or without.
pub(super) fn needed(with_main: bool) -> &'static [&'static str] {
    &RUN[..RUN.len() - usize::from(!with_main)]
}

impl Variant {
    fn number(&self) -> &'static str {
        match self.arch {
            Arch::V220 => "2201",
            Arch::M200 => "2002",
        }
    }

    /// Returns the folder of the results of these options.
    fn folder(&self) -> PathBuf {
        self.toolchain.folder().join(self.level.folder())
    }

    /// Returns the compiler with the flags of every kernel file. The folder `first` is searched for
    /// includes before the headers' own.
    pub fn command(&self, first: Option<&Path>) -> Command {
        let mut command = self.common(first);
        command.args(self.level.flags());
        command
    }

    /// Returns the compiler with the flags of every file of the machine.
    fn machine_command(&self) -> Command {
        let mut command = self.common(None);
        command.args(self.level.machine_flags());
        command
    }

    fn common(&self, first: Option<&Path>) -> Command {
        let mut command = self.toolchain.command();
        command
            .args(FLAGS)
            .arg(format!("-D__NPU_ARCH__={}", self.number()));
        for folder in first
            .into_iter()
            .chain([self.toolchain.folder().join("include").as_path()])
        {
            command.arg("-I").arg(folder);
        }
        command
    }

    /// Writes headers and machine as files, and precompiles the kernel's header. Returns its
    /// folder.
    pub fn header(&self) -> Result<PathBuf, RunError> {
        let root = self.toolchain.folder();
        let _one = one_at_a_time(root, Part::Headers)?;
        let headers = self.folder().join(self.number());
        self.precompile(
            self.kernel_command(),
            &root.join("include/kernel_operator.h"),
            &headers,
        )?;
        Ok(headers)
    }

    /// Returns all objects of the machine.
    pub fn all_objects(&self) -> Result<Vec<PathBuf>, RunError> {
        let mut all = Made::new(embed::sources().collect());
        self.make(&mut all)?;
        Ok(all.objects)
    }

    /// Returns the objects of the machine that files of `roots` and objects of a program need, and
    /// those that these need.
    pub fn objects_for(
        &self,
        roots: &[&str],
        program: &[PathBuf],
    ) -> Result<Vec<PathBuf>, RunError> {
        let named = |file: &&Embedded| roots.contains(&stem(file));
        let mut all = Made::new(embed::sources().filter(named).collect());
        for object in program {
            all.want(&lacking(object)?);
        }
        self.make(&mut all)?;
        Ok(all.objects)
    }

    /// Compiles the files that are wanted and those that their objects lack, as many at a time as
    /// there are processors.
    fn make(&self, all: &mut Made) -> Result<(), RunError> {
        let root = self.toolchain.folder();
        let folder = self.machine_folder();
        let object = |file: &Embedded| self.object(stem(file));
        let mut one = None;
        while !all.open.is_empty() {
            let open: Vec<&Embedded> = std::mem::take(&mut all.open);
            let missing: Vec<&Embedded> = open
                .iter()
                .copied()
                .filter(|file| !is_whole(&object(file)))
                .collect();
            if !missing.is_empty() && one.is_none() {
                one = Some(one_at_a_time(root, Part::Machine)?);
                let mut command = self.machine_command();
                command.arg(HEADER_LEVEL);
                self.precompile(command, &root.join("src/precompiled.h"), &folder)?;
            }
            at_once(&missing, |file| {
                self.compile_object(file, &object(file), &folder)
            })
            .into_iter()
            .collect::<Result<(), RunError>>()?;
            for file in open {
                let made = object(file);
                all.want(&lacking(&made)?);
                all.objects.push(made);
            }
        }
        Ok(())
    }

    /// Compiles a file of the machine, unless another process has done it meanwhile.
    fn compile_object(
        &self,
        file: &Embedded,
        object: &Path,
        headers: &Path,
    ) -> Result<(), RunError> {
        if is_whole(object) {
            return Ok(());
        }
        let mut command = self.machine_command();
        // A compiled header serves the level of optimisation that it was made with.
        if LOOPS.iter().any(|start| stem(file).starts_with(start)) {
            command.arg("-O3");
        } else {
            command.arg(HEADER_LEVEL);
            if !self.toolchain.is_clang() {
                // Where the compiled header cannot be mapped, g++ reads the copy, which includes
                // from the sources.
                command
                    .arg("-include")
                    .arg(headers.join("precompiled.h"))
                    .arg("-I")
                    .arg(self.toolchain.folder().join("src"));
            }
        }
        self.compile(
            command
                .arg("-c")
                .arg(self.toolchain.folder().join(file.path)),
            object,
        )
    }

    /// Precompiles the header that all host files of operators include. Returns the copy that they
    /// include.
    pub fn operator_header(&self) -> Result<PathBuf, RunError> {
        let root = self.toolchain.folder();
        let _one = one_at_a_time(root, Part::Headers)?;
        let folder = self.folder().join(self.number());
        self.precompile(
            self.kernel_command(),
            &root.join("include/register/op_def_registry.h"),
            &folder,
        )?;
        Ok(folder.join("op_def_registry.h"))
    }

    /// Compiles the `main` of programs of host files.
    pub fn operator_main(&self) -> Result<PathBuf, RunError> {
        let header = self.operator_header()?;
        let object = header.with_file_name("operator_main.o");
        let root = self.toolchain.folder();
        let _one = one_at_a_time(root, Part::Headers)?;
        if !is_whole(&object) {
            let mut command = self.kernel_command();
            command.arg("-include").arg(&header).arg("-c");
            self.compile(command.arg(root.join(embed::OPERATOR_MAIN)), &object)?;
        }
        Ok(object)
    }

    fn kernel_command(&self) -> Command {
        let mut command = self.command(None);
        command.args(KERNEL_LEVEL);
        command
    }

    fn machine_folder(&self) -> PathBuf {
        self.toolchain.folder().join(self.level.machine())
    }

    /// Returns the object of a file of the machine.
    fn object(&self, file: &str) -> PathBuf {
        self.machine_folder().join(format!("{file}.o"))
    }

    /// True if files of the machine have been compiled before.
    pub fn is_made(&self, files: &[&str]) -> bool {
        files.iter().all(|file| is_whole(&self.object(file)))
    }

    /// Compiles a header into a folder, under its own name and beside a copy of it. g++ reads the
    /// copy where it cannot use the compiled one, as in a file that includes another header before.
    fn precompile(
        &self,
        mut command: Command,
        header: &Path,
        folder: &Path,
    ) -> Result<(), RunError> {
        let copy = folder.join(header.file_name().unwrap_or_default());
        let text = fs::read(header).map_err(|e| trouble(header, &e))?;
        if !fs::read(&copy).is_ok_and(|own| own == text) {
            put(&copy, &text)?;
        }
        let done = copy.with_extension("h.gch");
        if self.toolchain.is_clang() || is_whole(&done) {
            return Ok(());
        }
        self.compile(command.args(["-x", "c++-header"]).arg(header), &done)
    }

    /// Runs the compiler on a text of this crate.
    fn compile(&self, command: &mut Command, result: &Path) -> Result<(), RunError> {
        let folder = result.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(|e| trouble(folder, &e))?;
        let unfinished = unfinished(result);
        own(&run(command.arg("-o").arg(&unfinished))?)?;
        keep(&unfinished, result).map_err(|e| trouble(result, &e))
    }
}

/// Returns the name of a file of the machine: `vec_cast` of `src/vec_cast.cpp`.
fn stem(file: &Embedded) -> &'static str {
    let path = Path::new(file.path);
    path.file_stem()
        .and_then(|name| name.to_str())
        .unwrap_or(file.path)
}

/// Objects of the machine that a program needs, found step by step.
struct Made {
    open: Vec<&'static Embedded>,
    objects: Vec<PathBuf>,
    seen: BTreeSet<&'static str>,
}

impl Made {
    fn new(open: Vec<&'static Embedded>) -> Self {
        let seen = open.iter().map(|file| file.path).collect();
        Made {
            open,
            objects: Vec::new(),
            seen,
        }
    }

    /// Adds the files that define one of the names.
    fn want(&mut self, names: &BTreeSet<String>) {
        for file in embed::sources() {
            if !self.seen.contains(file.path) && defines(file.text, names) {
                self.seen.insert(file.path);
                self.open.push(file);
            }
        }
    }
}

/// True if a file of the machine defines one of the names: a line at the outermost level has it in
/// front of parameters, a length or a value.
fn defines(text: &str, names: &BTreeSet<String>) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.lines()
        .map(|line| line.strip_prefix("[[noreturn]] ").unwrap_or(line))
        .filter(|line| line.starts_with(is_word))
        .filter_map(|line| Some(line[..line.find(['(', '[', '=', ';'])?].trim_end()))
        .filter_map(|head| head.rsplit([' ', '*', '&']).next())
        .flat_map(|name| name.split("::"))
        .any(|name| names.contains(name))
}

/// Returns the names that an object lacks, each without the scopes around it.
fn lacking(object: &Path) -> Result<BTreeSet<String>, RunError> {
    let bytes = fs::read(object).map_err(|e| trouble(object, &e))?;
    let file = object::File::parse(&*bytes).map_err(|e| {
        RunError::refused(
            Code::J0805,
            format!("`{}` is no object: {e}", object.display()),
        )
    })?;
    let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
    Ok(undefined
        .filter_map(|symbol| symbol.name().ok().map(last_name))
        .collect())
}

/// Returns the innermost name of a symbol as the Itanium ABI spells it: `Store` of
/// `_ZN11ascendc_cpu4Core5StoreEj`. A C function is its own name.
fn last_name(symbol: &str) -> String {
    let digit = |c: char| c.is_ascii_digit();
    let Some(mut rest) = symbol
        .strip_prefix("_Z")
        .and_then(|rest| Some(&rest[rest.find(digit)?..]))
    else {
        return symbol.to_string();
    };
    let mut name = "";
    while let Some(end) = rest.find(|c| !digit(c)).filter(|end| *end > 0) {
        let Some((one, behind)) = rest[..end]
            .parse()
            .ok()
            .and_then(|length| rest[end..].split_at_checked(length))
        else {
            break;
        };
        (name, rest) = (one, behind);
    }
    name.to_string()
}

/// A part of the folder, which one thread of one process makes while the others wait and find the
/// results.
#[derive(Clone, Copy)]
enum Part {
    Sources,
    Headers,
    Machine,
}

/// Takes the lock of a part, and writes the sources as files.
fn one_at_a_time(root: &Path, part: Part) -> Result<(MutexGuard<'static, ()>, fs::File), RunError> {
    if !matches!(part, Part::Sources) {
        let _one = one_at_a_time(root, Part::Sources)?;
        for file in embed::FILES {
            let path = root.join(file.path);
            let length = file.text.len() as u64;
            if !fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() == length) {
                put(&path, file.text.as_bytes())?;
            }
        }
    }
    static MAKING: [Mutex<()>; 3] = [const { Mutex::new(()) }; 3];
    let (making, name) = match part {
        Part::Sources => (&MAKING[0], "lock.sources"),
        Part::Headers => (&MAKING[1], "lock.headers"),
        Part::Machine => (&MAKING[2], "lock.machine"),
    };
    let thread = making
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let lock = || fs::create_dir_all(root).and_then(|()| fs::File::create(root.join(name)));
    let process = lock().map_err(|e| trouble(root, &e))?;
    // On a file system without locks, two processes do the same work.
    let _ = process.lock();
    Ok((thread, process))
}

/// Reports a compiler's error about a text of this crate: a mistake of ours or a compiler that is
/// too old.
fn own(out: &Output) -> Result<(), RunError> {
    if out.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&out.stderr);
    let first = text
        .lines()
        .find(|l| l.contains("error"))
        .unwrap_or("no message");
    Err(RunError::refused(
        Code::J0805,
        format!(
            "the C++ compiler does not take the headers of this program: {first}; C++17 is needed"
        ),
    ))
}

/// Returns the file that holds the length of a made file.
fn length_of(made: &Path) -> PathBuf {
    let mut name = OsString::from(made.file_name().unwrap_or_default());
    name.push(".length");
    made.with_file_name(name)
}

/// True for a made file with all of its bytes; a truncated one is made again.
pub fn is_whole(made: &Path) -> bool {
    let noted = fs::read_to_string(length_of(made))
        .ok()
        .and_then(|length| length.parse::<u64>().ok());
    noted.is_some_and(|length| fs::metadata(made).is_ok_and(|m| m.is_file() && m.len() == length))
}

/// Renames a finished file to its final name, and records its length.
///
/// # Errors
/// Those of the file system.
pub fn keep(unfinished: &Path, made: &Path) -> io::Result<()> {
    fs::write(length_of(made), fs::metadata(unfinished)?.len().to_string())?;
    fs::rename(unfinished, made)
}

/// Writes a file under a temporary name, then renames it.
pub(super) fn put(path: &Path, text: &[u8]) -> Result<(), RunError> {
    let unfinished = unfinished(path);
    let all = || -> io::Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        fs::write(&unfinished, text)?;
        fs::rename(&unfinished, path)
    };
    all().map_err(|e| trouble(path, &e))
}

pub(super) fn unfinished(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.file_name().unwrap_or_default());
    name.push(
        format!(".{}.{:?}", std::process::id(), std::thread::current().id())
            .replace(['(', ')'], ""),
    );
    path.with_file_name(name)
}

pub(super) fn run(command: &mut Command) -> Result<Output, RunError> {
    command.output().map_err(|e| {
        RunError::refused(
            Code::J0805,
            format!("the C++ compiler does not run: {e}; install the package g++"),
        )
    })
}

pub(super) fn trouble(path: &Path, e: &io::Error) -> RunError {
    if path.starts_with(cache_folder(super::toolchain::KIND)) {
        let text = format!(
            "`{}`, where programs are kept, cannot be used: {}; set JUMAR_CACHE to a folder that can be written",
            path.display(),
            e.kind()
        );
        return RunError::refused(Code::J0805, text);
    }
    RunError::refused(
        Code::J0605,
        format!("`{}` cannot be used: {e}", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_short_is_made_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let [unfinished, made] = ["unfinished", "made"].map(|name| folder.path().join(name));
        let make = |text: &str| {
            fs::write(&unfinished, text).expect("a file");
            keep(&unfinished, &made).expect("a file");
        };
        assert!(!is_whole(&made));
        make("all of it");
        assert!(is_whole(&made) && !unfinished.exists());
        fs::write(&made, "all").expect("a file");
        assert!(!is_whole(&made));
        make("all of it");
        fs::write(length_of(&made), "").expect("a file");
        assert!(!is_whole(&made));
        make("");
        assert!(is_whole(&made));
    }

    #[test]
    fn programs_and_shared_libraries_have_one_machine() {
        let toolchain = Toolchain::find().expect("a C++ compiler");
        let objects = |arch, level| {
            Variant {
                toolchain,
                arch,
                level,
            }
            .machine_folder()
        };
        let plain = objects(Arch::V220, Level::Plain);
        assert_eq!(
            [
                objects(Arch::V220, Level::Shared),
                objects(Arch::M200, Level::Plain)
            ],
            [plain.clone(), plain.clone()]
        );
        assert_ne!(objects(Arch::V220, Level::Sanitized), plain);
    }

    /// A name that a file defines and `defines` does not see would be missing when a program is
    /// linked.
    #[test]
    fn every_name_of_the_machine_is_found_in_its_file() {
        let variant = Variant {
            toolchain: Toolchain::find().expect("a C++ compiler"),
            arch: Arch::V220,
            level: Level::Plain,
        };
        let objects = variant.all_objects().expect("the machine");
        assert_eq!(objects.len(), embed::sources().count());
        let mut hidden = Vec::new();
        for object in &objects {
            let name = object.file_stem().and_then(|name| name.to_str());
            let file = embed::sources()
                .find(|file| Some(stem(file)) == name)
                .expect("its file");
            let bytes = fs::read(object).expect("an object");
            let parsed = object::File::parse(&*bytes).expect("an object");
            let own = parsed
                .symbols()
                .filter(|s| s.is_definition() && s.is_global() && !s.is_weak());
            for symbol in own {
                let symbol = symbol.name().expect("a name");
                // Statics of inline functions, and those of the standard library, are in every
                // file that uses them.
                if ["_ZZ", "_ZGVZ", "_ZSt"]
                    .iter()
                    .any(|start| symbol.starts_with(start))
                {
                    continue;
                }
                let name = last_name(symbol);
                if !defines(file.text, &BTreeSet::from([name.clone()])) {
                    hidden.push(format!("{}: {name}", file.path));
                }
            }
        }
        assert!(hidden.is_empty(), "{hidden:?}");
    }

    /// Builds a program with its own `main`, as the README of `runtime/ascendc` says.
    #[test]
    fn kernels_are_called_from_a_program_of_its_own() {
        let variant = Variant {
            toolchain: Toolchain::find().expect("a C++ compiler"),
            arch: Arch::V220,
            level: Level::Plain,
        };
        variant.header().expect("the headers");
        let objects = variant.all_objects().expect("the machine");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc/tests/standalone");
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("scale");
        let mut command = variant.command(None);
        command
            .args(KERNEL_LEVEL)
            .args(["main.cpp", "scale.cpp"].map(|f| sources.join(f)));
        command.args(
            objects
                .iter()
                .filter(|o| o.file_stem().is_none_or(|name| name != MAIN)),
        );
        own(&run(command.arg("-o").arg(&program)).expect("a compiler")).expect("it compiles");
        let call = |key: &str, seed: Option<&str>| {
            let out = Command::new(&program)
                .arg(key)
                .envs(seed.map(|s| ("ASCENDC_CPU_REPLAY", s)))
                .output()
                .expect("it runs");
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            (out.status.code(), text(&out.stdout), text(&out.stderr))
        };
        let well = (Some(0), "all as expected\n".to_string(), String::new());
        assert_eq!(call("1", None), well);
        assert_eq!(call("1", Some("5")), well);
        let (code, _, said) = call("2", Some("1"));
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("scale.cpp:33: [block 0] error: DataCopy of pipe MTE3 reads UB while Muls of pipe V"), "{said}");
        assert!(said.contains("scale.cpp:28: the other one"), "{said}");
    }
}
