//! Makes what every program is compiled and linked with, each once.
//!
//! - The headers as files, one of them precompiled for each architecture and choice of sanitizers.
//! - The machine as objects.
//!
//! A file gets its final name only when it is complete, and is never changed after that.

use super::embed;
use super::toolchain::{cache_folder, Toolchain};
use crate::RunError;
use jumar_dsl::diag::Code;
use jumar_dsl::soc::Arch;
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
    let (header, mut objects) = variant.make()?;
    objects.retain(|object| !object.ends_with("main.o"));
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
const MACHINE_LEVEL: &[&str] = &["-O3"];

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
        command.args(self.level.machine_flags()).args(MACHINE_LEVEL);
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

    /// Writes headers and machine as files, precompiles the kernel's header and compiles the
    /// machine: `(folder of the header, objects)`.
    pub fn make(&self) -> Result<(PathBuf, Vec<PathBuf>), RunError> {
        let root = self.toolchain.folder();
        let _one = one_at_a_time(root)?;
        let headers = self.folder().join(self.number());
        let objects = self.objects();
        let missing: Vec<_> = objects
            .iter()
            .filter(|(_, object)| !is_whole(object))
            .collect();
        std::thread::scope(|scope| {
            let kernel = scope.spawn(|| {
                self.precompile(
                    self.kernel_command(),
                    &root.join("include/kernel_operator.h"),
                    &headers,
                )
            });
            if !missing.is_empty() {
                let machine = self.machine_folder();
                self.precompile(
                    self.machine_command(),
                    &root.join("src/precompiled.h"),
                    &machine,
                )?;
                self.compile_objects(missing, &machine)?;
            }
            kernel.join().unwrap_or(Ok(()))
        })?;
        Ok((
            headers,
            objects.into_iter().map(|(_, object)| object).collect(),
        ))
    }

    /// Makes the common parts of programs of host files. These are the header that all of them
    /// include, precompiled, and the object with their `main`.
    pub fn make_operator(&self) -> Result<(PathBuf, PathBuf), RunError> {
        let root = self.toolchain.folder();
        let _one = one_at_a_time(root)?;
        let folder = self.folder().join(self.number());
        self.precompile(
            self.kernel_command(),
            &root.join("include/register/op_def_registry.h"),
            &folder,
        )?;
        let (header, object) = (
            folder.join("op_def_registry.h"),
            folder.join("operator_main.o"),
        );
        if !is_whole(&object) {
            let mut command = self.kernel_command();
            command
                .arg("-include")
                .arg(&header)
                .arg("-c")
                .arg(root.join(embed::OPERATOR_MAIN));
            self.compile(&mut command, &object)?;
        }
        Ok((header, object))
    }

    fn kernel_command(&self) -> Command {
        let mut command = self.command(None);
        command.args(KERNEL_LEVEL);
        command
    }

    fn machine_folder(&self) -> PathBuf {
        self.toolchain.folder().join(self.level.machine())
    }

    /// Returns sources of the machine and their objects. The machine does not depend on the
    /// architecture: one set serves all.
    fn objects(&self) -> Vec<(PathBuf, PathBuf)> {
        let machine = self.machine_folder();
        let object = |path: &str| {
            machine
                .join(Path::new(path).file_name().unwrap_or_default())
                .with_extension("o")
        };
        embed::sources()
            .map(|f| (self.toolchain.folder().join(f.path), object(f.path)))
            .collect()
    }

    /// True if the machine has been compiled before.
    pub fn is_made(&self) -> bool {
        self.objects().iter().all(|(_, object)| is_whole(object))
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

    /// Compiles files of the machine, as many at a time as there are processors.
    fn compile_objects(
        &self,
        missing: Vec<&(PathBuf, PathBuf)>,
        headers: &Path,
    ) -> Result<(), RunError> {
        let workers = std::thread::available_parallelism().map_or(2, usize::from);
        let queue = Mutex::new(missing);
        let work = || -> Result<(), RunError> {
            loop {
                let next = queue
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
                    .pop();
                let Some((source, object)) = next else {
                    return Ok(());
                };
                let mut command = self.machine_command();
                if !self.toolchain.is_clang() {
                    // Where the compiled header cannot be mapped, g++ reads the copy, which
                    // includes from the sources.
                    command
                        .arg("-include")
                        .arg(headers.join("precompiled.h"))
                        .arg("-I")
                        .arg(self.toolchain.folder().join("src"));
                }
                self.compile(command.arg("-c").arg(source), object)?;
            }
        };
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            all.into_iter()
                .try_for_each(|worker| worker.join().unwrap_or(Ok(())))
        })
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

/// Takes the lock of the folder: one thread of one process compiles, and the others wait and find
/// the results. Also writes the sources as files.
fn one_at_a_time(root: &Path) -> Result<(MutexGuard<'static, ()>, fs::File), RunError> {
    static MAKING: Mutex<()> = Mutex::new(());
    let thread = MAKING
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let lock = || fs::create_dir_all(root).and_then(|()| fs::File::create(root.join("lock")));
    let process = lock().map_err(|e| trouble(root, &e))?;
    // On a file system without locks, two processes do the same work.
    let _ = process.lock();
    for file in embed::FILES {
        let path = root.join(file.path);
        if !fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() == file.text.len() as u64) {
            put(&path, file.text.as_bytes())?;
        }
    }
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
            .objects()
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

    /// Builds a program with its own `main`, as the README of `runtime/ascendc` says.
    #[test]
    fn kernels_are_called_from_a_program_of_its_own() {
        let variant = Variant {
            toolchain: Toolchain::find().expect("a C++ compiler"),
            arch: Arch::V220,
            level: Level::Plain,
        };
        let (_, objects) = variant.make().expect("the machine");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc/tests/standalone");
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("scale");
        let mut command = variant.command(None);
        command
            .args(KERNEL_LEVEL)
            .args(["main.cpp", "scale.cpp"].map(|f| sources.join(f)));
        command.args(objects.iter().filter(|o| !o.ends_with("main.o")));
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
