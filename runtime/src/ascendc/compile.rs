//! From a source to a program, cached by content.
//!
//! Three things are made, each once: the headers as files with one precompiled header for each architecture and choice of
//! sanitizers, the machine as object files, and the program. A file appears under its final name only when it is whole, so
//! two processes may work at once; what is there is never changed.

use super::embed;
use super::toolchain::{hex, Toolchain};
use crate::RunError;
use jumar_dsl::diag::Code;
use jumar_dsl::soc::Arch;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::{fs, io};

/// Where the kernel's text comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file of the user, with what it includes.
    File(PathBuf),
    /// Texts by name, the first one with the kernels.
    Texts(Vec<(String, String)>),
}

/// A translation unit: a kernel source and how it is called.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The kernel's text.
    pub source: Source,
    /// C++ behind it: defines `ascendc_cpu::entries` and `ascendc_cpu::tile`.
    pub glue: String,
    /// The architecture that headers check for.
    pub arch: Arch,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Folders that the source includes from, besides its own.
    pub includes: Vec<PathBuf>,
    /// Address and undefined-behaviour sanitizers in kernel and machine.
    pub sanitize: bool,
    /// Draw a warning and it is an error, as for emitted text.
    pub strict: bool,
}

/// A program that runs one kernel source.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) toolchain: &'static Toolchain,
    pub(super) file: PathBuf,
    /// Folder of the texts, for a unit of texts: its names are shown without it.
    pub(super) texts: Option<PathBuf>,
}

/// Flags of kernel and machine. Contraction would round once where the chip rounds twice; buffers are read as other types;
/// nobody looks at errno or floating-point exceptions, which would keep loops from being vector loops.
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
const SANITIZE: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"];

/// One build at a time in this process: a second one finds what the first has made.
static BUILDING: Mutex<()> = Mutex::new(());

impl Unit {
    /// Compiles the unit, or finds it compiled.
    ///
    /// # Errors
    /// J0805 without a compiler, J0806 with the compiler's first error, J0605 where a file cannot be read.
    pub fn compile(&self) -> Result<Program, RunError> {
        let toolchain = Toolchain::find()?;
        let key = self.key()?;
        let folder = toolchain.folder().join("programs").join(&key);
        let program = Program {
            toolchain,
            file: folder.join("program"),
            texts: matches!(self.source, Source::Texts(_)).then(|| folder.join("texts")),
        };
        if program.file.is_file() {
            return Ok(program);
        }
        let _one = BUILDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let variant = Variant { toolchain, arch: self.arch, sanitize: self.sanitize };
        let (header, objects) = variant.make()?;
        let main = self.write_texts(&folder)?;
        let glue = folder.join("glue.cpp");
        let text = format!("#include \"{}\"\n#include \"ascendc/entry.h\"\n{}", main.display(), self.glue);
        put(&glue, text.as_bytes())?;

        let mut command = variant.command();
        command.args(KERNEL_LEVEL).arg("-no-pie");
        if self.strict {
            command.args(["-Wall", "-Wextra", "-Werror"]);
        }
        command.arg("-I").arg(main.parent().unwrap_or(&folder));
        for dir in &self.includes {
            command.arg("-I").arg(dir);
        }
        command.args(self.defines.iter().map(|d| format!("-D{d}")));
        // The precompiled header was made without macros of a kernel's build, and only g++ takes it by this path; the
        // kernel's own include finds the header itself.
        let precompiled = !toolchain.is_clang() && self.defines.is_empty();
        let first = if precompiled { header } else { toolchain.folder().join("include") };
        command.arg("-include").arg(first.join("kernel_operator.h"));
        let unfinished = unfinished(&program.file);
        let out = run(command.arg(&glue).args(&objects).arg("-o").arg(&unfinished))?;
        if !out.status.success() {
            return Err(compile_error(&String::from_utf8_lossy(&out.stderr), program.texts.as_deref()));
        }
        fs::rename(&unfinished, &program.file).map_err(|e| trouble(&program.file, &e))?;
        Ok(program)
    }

    /// What the program depends on, besides compiler and machine.
    fn key(&self) -> Result<String, RunError> {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        match &self.source {
            Source::File(path) => {
                for (path, text) in with_includes(path, &self.includes)? {
                    part(path.to_string_lossy().as_bytes());
                    part(&text);
                }
            }
            Source::Texts(texts) => texts.iter().for_each(|(name, text)| {
                part(name.as_bytes());
                part(text.as_bytes());
            }),
        }
        part(self.glue.as_bytes());
        part(format!("{:?} {} {}", self.arch, self.sanitize, self.strict).as_bytes());
        self.defines.iter().for_each(|d| part(d.as_bytes()));
        self.includes.iter().for_each(|d| part(d.to_string_lossy().as_bytes()));
        Ok(hex(&hash.finalize()[..16]))
    }

    /// Puts texts into files and returns the one with the kernels.
    fn write_texts(&self, folder: &Path) -> Result<PathBuf, RunError> {
        match &self.source {
            Source::File(path) => path.canonicalize().map_err(|e| trouble(path, &e)),
            Source::Texts(texts) => {
                let folder = folder.join("texts");
                for (name, text) in texts {
                    put(&folder.join(name), text.as_bytes())?;
                }
                Ok(folder.join(texts.first().map_or("", |(name, _)| name)))
            }
        }
    }
}

/// A way to compile: what the machine's objects and the precompiled headers depend on.
struct Variant {
    toolchain: &'static Toolchain,
    arch: Arch,
    sanitize: bool,
}

/// The kernel is for looking at, the machine for loops over elements. A precompiled header serves one such choice.
const KERNEL_LEVEL: &[&str] = &["-O1", "-g1"];
const MACHINE_LEVEL: &[&str] = &["-O3"];

impl Variant {
    fn number(&self) -> &'static str {
        match self.arch {
            Arch::V220 => "2201",
            Arch::M200 => "2002",
        }
    }

    /// The folder of what is made for this choice of sanitizers.
    fn folder(&self) -> PathBuf {
        self.toolchain.folder().join(if self.sanitize { "sanitized" } else { "plain" })
    }

    fn command(&self) -> Command {
        let mut command = self.toolchain.command();
        command.args(FLAGS).arg(format!("-D__NPU_ARCH__={}", self.number()));
        command.arg("-I").arg(self.toolchain.folder().join("include"));
        if self.sanitize {
            command.args(SANITIZE);
        }
        command
    }

    /// Headers and machine as files, the kernel's header precompiled, the machine as objects: `(folder of the header, objects)`.
    fn make(&self) -> Result<(PathBuf, Vec<PathBuf>), RunError> {
        let root = self.toolchain.folder();
        for file in embed::FILES {
            let path = root.join(file.path);
            if !path.is_file() {
                put(&path, file.text.as_bytes())?;
            }
        }
        let headers = self.folder().join(self.number());
        // The machine asks for no architecture: one set of objects serves all.
        let machine = self.folder().join("machine");
        let objects: Vec<(PathBuf, PathBuf)> = embed::sources()
            .map(|f| (root.join(f.path), machine.join(Path::new(f.path).file_name().unwrap_or_default()).with_extension("o")))
            .collect();
        let missing: Vec<_> = objects.iter().filter(|(_, object)| !object.is_file()).collect();
        std::thread::scope(|scope| {
            let kernel = scope.spawn(|| self.precompile(&root.join("include/kernel_operator.h"), &headers, KERNEL_LEVEL));
            if !missing.is_empty() {
                self.precompile(&root.join("src/precompiled.h"), &machine, MACHINE_LEVEL)?;
                self.compile_objects(missing, &machine)?;
            }
            kernel.join().unwrap_or(Ok(()))
        })?;
        Ok((headers, objects.into_iter().map(|(_, object)| object).collect()))
    }

    /// Compiles a header into a folder, under its own name; only g++ finds it there.
    fn precompile(&self, header: &Path, folder: &Path, level: &[&str]) -> Result<(), RunError> {
        let mut name = header.file_name().unwrap_or_default().to_os_string();
        name.push(".gch");
        let done = folder.join(name);
        if self.toolchain.is_clang() || done.is_file() {
            return Ok(());
        }
        self.compile(self.command().args(level).args(["-x", "c++-header"]).arg(header), &done)
    }

    /// Compiles files of the machine, as many at a time as there are processors.
    fn compile_objects(&self, missing: Vec<&(PathBuf, PathBuf)>, headers: &Path) -> Result<(), RunError> {
        let workers = std::thread::available_parallelism().map_or(2, usize::from);
        let queue = Mutex::new(missing);
        let work = || -> Result<(), RunError> {
            loop {
                let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
                let Some((source, object)) = next else { return Ok(()) };
                let mut command = self.command();
                command.args(MACHINE_LEVEL);
                if !self.toolchain.is_clang() {
                    command.arg("-include").arg(headers.join("precompiled.h"));
                }
                self.compile(command.arg("-c").arg(source), object)?;
            }
        };
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            all.into_iter().try_for_each(|worker| worker.join().unwrap_or(Ok(())))
        })
    }

    /// Runs the compiler on text of our own.
    fn compile(&self, command: &mut Command, result: &Path) -> Result<(), RunError> {
        let folder = result.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(|e| trouble(folder, &e))?;
        let unfinished = unfinished(result);
        own(&run(command.arg("-o").arg(&unfinished))?)?;
        fs::rename(&unfinished, result).map_err(|e| trouble(result, &e))
    }
}

/// A compiler's error about our own text: a mistake of ours or a compiler that is too old.
fn own(out: &Output) -> Result<(), RunError> {
    if out.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&out.stderr);
    let first = text.lines().find(|l| l.contains("error")).unwrap_or("no message");
    Err(RunError::refused(
        Code::J0805,
        format!("the C++ compiler does not take the headers of this program: {first}; C++17 is needed"),
    ))
}

/// The first error of the compiler, with its place and the lines that explain it.
fn compile_error(text: &str, texts: Option<&Path>) -> RunError {
    let prefix = texts.map(|t| format!("{}/", t.display())).unwrap_or_default();
    let text = text.replace(&prefix, "");
    let lines: Vec<&str> = text.lines().collect();
    // Behind an error of a static_assert or template stand the lines that lead to the kernel.
    let at = lines.iter().position(|l| l.contains("error:") || l.contains("fatal error:"));
    let Some(at) = at else {
        return RunError::refused(Code::J0806, lines.first().map_or("the compiler said nothing".into(), |l| l.to_string()));
    };
    let begin = lines[..at].iter().rposition(|l| !is_context(l)).map_or(0, |i| i + 1);
    let end = lines[at + 1..].iter().position(|l| is_diagnostic(l)).map_or(lines.len(), |i| at + 1 + i).min(at + 6);
    RunError::refused(Code::J0806, lines[begin..end].join("\n"))
}

fn is_context(line: &str) -> bool {
    line.contains("In instantiation of")
        || line.contains("required from")
        || line.contains("In function")
        || line.contains("In member function")
        || line.contains("In substitution of")
        || line.contains("inlined from")
}

fn is_diagnostic(line: &str) -> bool {
    [" error: ", " warning: ", "In file included from", "In instantiation of", "In function", "In member function"]
        .iter()
        .any(|w| line.contains(w))
}

/// The file and every file that it includes by a name in quotes, as far as they are found.
fn with_includes(path: &Path, folders: &[PathBuf]) -> Result<Vec<(PathBuf, Vec<u8>)>, RunError> {
    let mut found: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let mut open = vec![path.to_path_buf()];
    while let Some(path) = open.pop() {
        if found.iter().any(|(known, _)| *known == path) {
            continue;
        }
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(e) if found.is_empty() => return Err(trouble(&path, &e)),
            Err(_) => continue,
        };
        let here = path.parent().unwrap_or(Path::new("")).to_path_buf();
        for line in String::from_utf8_lossy(&text).lines() {
            let name = line.trim_start().strip_prefix("#include").and_then(|rest| rest.split('"').nth(1));
            if let Some(name) = name {
                open.extend(std::iter::once(&here).chain(folders).map(|dir| dir.join(name)).filter(|p| p.is_file()));
            }
        }
        found.push((path, text));
    }
    Ok(found)
}

/// Writes a file under a name of its own, then gives it its name.
fn put(path: &Path, text: &[u8]) -> Result<(), RunError> {
    let unfinished = unfinished(path);
    let all = || -> io::Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        fs::write(&unfinished, text)?;
        fs::rename(&unfinished, path)
    };
    all().map_err(|e| trouble(path, &e))
}

fn unfinished(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.file_name().unwrap_or_default());
    name.push(format!(".{}.{:?}", std::process::id(), std::thread::current().id()).replace(['(', ')'], ""));
    path.with_file_name(name)
}

fn run(command: &mut Command) -> Result<Output, RunError> {
    command
        .output()
        .map_err(|e| RunError::refused(Code::J0805, format!("the C++ compiler does not run: {e}; install the package g++")))
}

fn trouble(path: &Path, e: &io::Error) -> RunError {
    RunError::refused(Code::J0605, format!("`{}` cannot be used: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_keeps_what_leads_to_it() {
        let text = "In file included from glue.cpp:1:\n/t/h.h: In instantiation of ‘void Add() [with T = int]’:\n\
                    /t/k.cpp:9:8:   required from here\n/t/h.h:5:19: error: static assertion failed: no int\n    5 | x\n      | ^\n\
                    /t/k.cpp:11:1: error: second\n";
        let error = compile_error(text, Some(Path::new("/t")));
        assert_eq!(
            error.message(),
            "h.h: In instantiation of ‘void Add() [with T = int]’:\nk.cpp:9:8:   required from here\n\
             h.h:5:19: error: static assertion failed: no int\n    5 | x\n      | ^"
        );
        assert_eq!(compile_error("ld: cannot find x", None).message(), "ld: cannot find x");
    }

    /// A program with a `main` of its own, as the README of `runtime/ascendc` builds it.
    #[test]
    fn kernels_are_called_from_a_program_of_its_own() {
        let variant = Variant { toolchain: Toolchain::find().expect("a C++ compiler"), arch: Arch::V220, sanitize: false };
        let (_, objects) = variant.make().expect("the machine");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc/tests/standalone");
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("scale");
        let mut command = variant.command();
        command.args(KERNEL_LEVEL).args(["main.cpp", "scale.cpp"].map(|f| sources.join(f)));
        command.args(objects.iter().filter(|o| !o.ends_with("main.o")));
        own(&run(command.arg("-o").arg(&program)).expect("a compiler")).expect("it compiles");
        let call = |key: &str, seed: Option<&str>| {
            let out = Command::new(&program).arg(key).envs(seed.map(|s| ("ASCENDC_CPU_REPLAY", s))).output().expect("it runs");
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
