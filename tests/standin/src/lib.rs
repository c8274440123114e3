//! A stand-in for CANN's host libraries, for tests.
//!
//! [`toolkit`] makes a folder like the one that `ASCEND_HOME_PATH` names, with the libraries of one release: C++ of `cpp/` on the machine of
//! `runtime/ascendc`, compiled once and kept beside the programs of the CPU build; and with the device compiler, which makes binaries that
//! they load. [`Toolkit::kernel`] calls it.
//! [`Control`] is what tests ask of it: failures, delays, what lives.
//!
//! **One release a process**: the machine exists once, and libraries of two releases would share it.

mod compiler;
mod control;
mod embed;
pub mod facts;
mod operators;

pub use control::{Control, Counts};

use jumar_dsl::soc::Arch;
use jumar_runtime::ascendc::{cache_folder, shared_machine, SharedMachine};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// A release of CANN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// 8.1.RC1.
    V8_1,
    /// 8.5.0.
    V8_5,
    /// 9.0.0.
    V9_0,
    /// 9.1.0.
    V9_1,
}

impl Release {
    /// Every one, from the oldest on: the columns of the table of functions.
    pub const ALL: [Release; 4] = [Release::V8_1, Release::V8_5, Release::V9_0, Release::V9_1];

    /// As its files say it.
    pub const fn name(self) -> &'static str {
        match self {
            Release::V8_1 => "8.1.RC1",
            Release::V8_5 => "8.5.0",
            Release::V9_0 => "9.0.0",
            Release::V9_1 => "9.1.0",
        }
    }
    /// Whether its compiler takes sources of host and device (`.asc`).
    pub(crate) const fn has_asc_sources(self) -> bool {
        match self {
            Release::V8_1 | Release::V8_5 => false,
            Release::V9_0 | Release::V9_1 => true,
        }
    }
    /// Its column in the table of functions.
    const fn column(self) -> usize {
        match self {
            Release::V8_1 => 0,
            Release::V8_5 => 1,
            Release::V9_0 => 2,
            Release::V9_1 => 3,
        }
    }
    /// Second number of the interface's version: it grows from release to release.
    const fn minor(self) -> u32 {
        14 + self.column() as u32
    }
    /// Files that have all functions of the release: one library under each name.
    const fn files(self) -> &'static [&'static str] {
        match self {
            Release::V8_1 => &[
                "libascendcl.so",
                "libruntime.so",
                "libnnopbase.so",
                "libmsprofiler.so",
            ],
            Release::V8_5 | Release::V9_0 | Release::V9_1 => &[
                "libacl_rt.so",
                "libascendcl.so",
                "libruntime.so",
                "libnnopbase.so",
                "libmsprofiler.so",
            ],
        }
    }
}

/// Files that programs of host and device are linked to beside the runtime; what they have is in the same library.
const LINKED: [&str; 3] = ["libtiling_api.so", "libregister.so", "libplatform.so"];

/// A folder like an installation's, with what binaries are made with.
#[derive(Clone, Debug)]
pub struct Toolkit {
    /// The folder.
    pub home: PathBuf,
    machine: SharedMachine,
}

/// Threads of a process make one thing at a time: files that are being made have the process's number in their names.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Makes the folder, or finds it made.
///
/// # Errors
/// What the compiler or the system says.
pub fn toolkit(release: Release) -> Result<Toolkit, String> {
    let machine = shared_machine(Arch::V220).map_err(|e| e.to_string())?;
    let sources = machine.sources.to_string_lossy();
    let key = key(embed::FILES
        .iter()
        .flat_map(|(name, text)| [*name, *text])
        .chain([&*sources]));
    let home = cache_folder("standin").join(format!("{}-{key}", release.name()));
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    if !home.is_dir() {
        // Another process may make the same: each makes one of its own, and the first one to be done stays.
        let own = cache_folder("standin").join(format!(
            "{}-{key}.of-{}",
            release.name(),
            std::process::id()
        ));
        build(
            release,
            &machine,
            &own,
            &cache_folder("standin").join(format!("objects-{key}")),
        )?;
        if fs::rename(&own, &home).is_err() && !home.is_dir() {
            return Err(format!("{} cannot be made", home.display()));
        }
        let _ = fs::remove_dir_all(&own);
    }
    Ok(Toolkit { home, machine })
}

fn build(
    release: Release,
    machine: &SharedMachine,
    home: &Path,
    shared: &Path,
) -> Result<(), String> {
    let (source, libraries) = (home.join("source"), home.join("lib64"));
    let trouble = |e: std::io::Error| format!("{}: {e}", home.display());
    fs::create_dir_all(&libraries).map_err(trouble)?;
    for (name, text) in embed::FILES {
        let path = source.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&source)).map_err(trouble)?;
        fs::write(path, text).map_err(trouble)?;
    }
    fs::write(
        home.join("version.info"),
        format!("Version={}\n", release.name()),
    )
    .map_err(trouble)?;
    let exports = home.join("exports.map");
    fs::write(&exports, exports_of(release)).map_err(trouble)?;
    // Functions of the CPU build's own host runtime, which this is instead of.
    let own = |object: &&PathBuf| {
        !["acl.o", "host.o"]
            .iter()
            .any(|name| object.ends_with(name))
    };
    let objects = objects(release, machine, home, shared)?;
    let mut command = Command::new(&machine.compiler);
    command
        .args(["-shared", "-Wl,-z,nodelete", "-Wl,-soname,libstandin.so"])
        .args(objects);
    command
        .args(machine.objects.iter().filter(own))
        .arg(format!("-Wl,--version-script={}", exports.display()));
    run(command
        .args(["-ldl", "-pthread", "-o"])
        .arg(libraries.join("libstandin.so")))?;
    for file in release.files().iter().chain(&LINKED) {
        // One library, whose machine exists once whichever names it is opened by.
        std::os::unix::fs::symlink("libstandin.so", libraries.join(file)).map_err(trouble)?;
    }
    compiler::build(release, machine, home)
}

/// The sources as objects. What says of which release it is has them in `home`; all others are made once, in `shared`.
fn objects(
    release: Release,
    machine: &SharedMachine,
    home: &Path,
    shared: &Path,
) -> Result<Vec<PathBuf>, String> {
    let source = home.join("source");
    let object = |name: &str, text: &str| {
        let knows = ["STANDIN_RELEASE", "STANDIN_ACL_MINOR"]
            .iter()
            .any(|word| text.contains(word));
        let folder = if knows { source.as_path() } else { shared };
        folder
            .join(Path::new(name).file_name().unwrap_or_default())
            .with_extension("o")
    };
    let is_source = |name: &str| name.starts_with("src/") && name.ends_with(".cpp");
    let all: Vec<(PathBuf, PathBuf)> = embed::FILES
        .iter()
        .filter(|(name, _)| is_source(name))
        .map(|(name, text)| (source.join(name), object(name, text)))
        .collect();
    fs::create_dir_all(shared).map_err(|e| format!("{}: {e}", shared.display()))?;
    let missing = Mutex::new(
        all.iter()
            .filter(|(_, object)| !object.is_file())
            .collect::<Vec<_>>(),
    );
    let work = || -> Result<(), String> {
        loop {
            let next = missing.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some((file, object)) = next else {
                return Ok(());
            };
            // Another process may make the same.
            let own = object.with_extension(format!("of-{}", std::process::id()));
            let mut command = Command::new(&machine.compiler);
            command.args(["-c", "-std=c++17", "-fPIC", "-O1", "-g1"]);
            command.arg(format!("-DSTANDIN_RELEASE=\"{}\"", release.name()));
            command.arg(format!("-DSTANDIN_ACL_MINOR={}", release.minor()));
            // Its own `acl/acl.h` before that of the CPU build.
            command
                .arg("-I")
                .arg(source.join("include"))
                .args(&machine.kernel_flags)
                .arg("-I")
                .arg(&machine.sources);
            run(command.arg(file).arg("-o").arg(&own))?;
            fs::rename(&own, object).map_err(|e| format!("{}: {e}", object.display()))?;
        }
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(2, usize::from);
        let all: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        all.into_iter().try_for_each(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    Ok(all.into_iter().map(|(_, object)| object).collect())
}

/// A version script: what the release does not have is not there.
fn exports_of(release: Release) -> String {
    let absent = facts::functions().filter(|function| !function.is_in(release));
    let local: String = absent
        .map(|function| format!("    {};\n", function.name))
        .collect();
    let local = if local.is_empty() {
        local
    } else {
        format!("  local:\n{local}")
    };
    format!("{{\n  global:\n    *;\n{local}}};\n")
}

impl Toolkit {
    /// A binary with the kernel functions of an AscendC text, for vector cores of Atlas A2.
    ///
    /// # Errors
    /// What the compiler or the system says.
    pub fn kernel(&self, text: &str) -> Result<Vec<u8>, String> {
        let object = self.made(text, |source, object| {
            let compiled = object.with_extension("compiled.o");
            let mut command = Command::new(self.home.join(compiler::TOOLS).join("bisheng"));
            command.args([
                "-c",
                "-x",
                "cce",
                "-std=c++17",
                "--cce-aicore-arch=dav-c220-vec",
                "--cce-aicore-only",
            ]);
            command
                .arg("--cce-auto-sync")
                .arg("-I")
                .arg(self.home.join("compiler/tikcpp/tikcfw"));
            run(command.arg(source).arg("-o").arg(&compiled))?;
            let mut command = Command::new(self.home.join(compiler::TOOLS).join("ld.lld"));
            run(command
                .args(["-m", "aicorelinux", "-Ttext=0", "-static"])
                .arg(&compiled)
                .arg("-o")
                .arg(object))
        })?;
        fs::read(&object).map_err(|e| format!("{}: {e}", object.display()))
    }

    /// A shared library of a C++ text, which may use all that the stand-in has, as operators and stubs of kernels do.
    ///
    /// # Errors
    /// What the compiler or the system says.
    pub fn library(&self, text: &str) -> Result<PathBuf, String> {
        self.made(text, |source, library| {
            let mut command = Command::new(&self.machine.compiler);
            command
                .args(["-shared", "-fPIC", "-I"])
                .arg(self.home.join("source/include"))
                .args(&self.machine.kernel_flags);
            command
                .arg("-x")
                .arg("c++")
                .arg(source)
                .args(["-x", "none"])
                .arg(self.home.join("lib64/libstandin.so"));
            run(command.arg("-o").arg(library))
        })
    }

    /// What is made of a text, once.
    fn made(
        &self,
        text: &str,
        make: impl FnOnce(&Path, &Path) -> Result<(), String>,
    ) -> Result<PathBuf, String> {
        let folder = self.home.join("kernels");
        let (done, own) = (
            folder.join(format!("{}.o", key([text]))),
            folder.join(std::process::id().to_string()),
        );
        let trouble = |e: std::io::Error| format!("{}: {e}", folder.display());
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        if !done.is_file() {
            fs::create_dir_all(&folder).map_err(trouble)?;
            let source = own.with_extension("cpp");
            fs::write(&source, text).map_err(trouble)?;
            make(&source, &own)?;
            fs::rename(&own, &done).map_err(trouble)?;
        }
        Ok(done)
    }

    /// The compiler that all of it is made with.
    pub fn compiler(&self) -> &Path {
        &self.machine.compiler
    }

    /// What tests ask of its library.
    ///
    /// # Errors
    /// What the system's loader says.
    pub fn control(&self) -> Result<Control, String> {
        Control::open(&self.home.join("lib64/libstandin.so"))
    }
}

/// A name for what is made of these.
fn key<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    parts
        .into_iter()
        .for_each(|part| hash.update(format!("{part}\0")));
    hash.finalize()
        .iter()
        .take(8)
        .map(|b| format!("{b:02x}"))
        .collect()
}

fn run(command: &mut Command) -> Result<(), String> {
    let out = command
        .output()
        .map_err(|e| format!("the C++ compiler does not run: {e}"))?;
    match out.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&out.stderr).into_owned()),
    }
}
