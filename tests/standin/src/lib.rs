//! A stand-in for CANN's host libraries, for tests.
//!
//! [`toolkit`] makes a folder like the one that `ASCEND_HOME_PATH` names, with the libraries of one
//! release: C++ of `cpp/` on the machine of `runtime/ascendc`. It is compiled once and kept beside
//! the programs of the CPU build. The folder also has the device compiler; [`Toolkit::kernel`]
//! calls it to make binaries that the libraries load. [`Control`] sets failures and delays, and
//! counts live objects.
//!
//! **One release in a process**: the machine exists once, and libraries of two releases would share
//! it.

mod compiler;
mod control;
mod embed;
pub mod facts;
mod operators;

pub use control::{Control, Counts};

use jumar_dsl::soc::Arch;
use jumar_runtime::ascendc::{at_once, cache_folder, shared_machine, SharedMachine};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// A release of CANN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// Release 8.1.RC1 of CANN.
    V8_1,
    /// Release 8.5.0 of CANN.
    V8_5,
    /// Release 9.0.0 of CANN.
    V9_0,
    /// Release 9.1.0 of CANN.
    V9_1,
}

impl Release {
    /// All releases, from the oldest on: the columns of the table of functions.
    pub const ALL: [Release; 4] = [Release::V8_1, Release::V8_5, Release::V9_0, Release::V9_1];

    /// Returns the name in its files.
    pub const fn name(self) -> &'static str {
        match self {
            Release::V8_1 => "8.1.RC1",
            Release::V8_5 => "8.5.0",
            Release::V9_0 => "9.0.0",
            Release::V9_1 => "9.1.0",
        }
    }
    /// True if its compiler takes sources of host and device (`.asc`).
    pub(crate) const fn has_asc_sources(self) -> bool {
        match self {
            Release::V8_1 | Release::V8_5 => false,
            Release::V9_0 | Release::V9_1 => true,
        }
    }
    /// Returns its column in the table of functions.
    const fn column(self) -> usize {
        match self {
            Release::V8_1 => 0,
            Release::V8_5 => 1,
            Release::V9_0 => 2,
            Release::V9_1 => 3,
        }
    }
    /// Returns the minor number of the interface's version, which grows from release to release.
    const fn minor(self) -> u32 {
        14 + self.column() as u32
    }
    /// Returns the files with functions of the release; the one library has all these names.
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

/// Files to which programs of host and device are linked beside the runtime. Their functions are in
/// the one library.
const LINKED: [&str; 3] = ["libtiling_api.so", "libregister.so", "libplatform.so"];

/// A folder like an installation's, and the tools that make binaries.
#[derive(Clone, Debug)]
pub struct Toolkit {
    /// The folder of the installation.
    pub home: PathBuf,
    machine: SharedMachine,
}

/// Serialises the threads of a process: unfinished files have only the process id in their names.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Returns the folder, which is made the first time.
///
/// # Errors
/// The message of the compiler or the system.
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
        // Another process may make it at the same time. Each makes its own, and the first that is
        // done stays.
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
    // These objects are the host runtime of the CPU build, which this library replaces.
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
        // All names lead to one library, so its machine exists once.
        std::os::unix::fs::symlink("libstandin.so", libraries.join(file)).map_err(trouble)?;
    }
    compiler::build(release, machine, home)
}

/// Compiles the sources to objects. Those that depend on the release are in `home`, all others in
/// `shared`.
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
    let missing: Vec<&(PathBuf, PathBuf)> =
        all.iter().filter(|(_, object)| !object.is_file()).collect();
    let compile = |(file, object): &&(PathBuf, PathBuf)| {
        // Another process may make the object at the same time.
        let own = object.with_extension(format!("of-{}", std::process::id()));
        let mut command = Command::new(&machine.compiler);
        command.args(["-c", "-std=c++17", "-fPIC", "-O1", "-g1"]);
        command.arg(format!("-DSTANDIN_RELEASE=\"{}\"", release.name()));
        command.arg(format!("-DSTANDIN_ACL_MINOR={}", release.minor()));
        // The stand-in's `acl/acl.h` comes before that of the CPU build.
        command
            .arg("-I")
            .arg(source.join("include"))
            .args(&machine.kernel_flags)
            .arg("-I")
            .arg(&machine.sources);
        run(command.arg(file).arg("-o").arg(&own))?;
        fs::rename(&own, object).map_err(|e| format!("{}: {e}", object.display()))
    };
    at_once(&missing, compile)
        .into_iter()
        .collect::<Result<(), String>>()?;
    Ok(all.into_iter().map(|(_, object)| object).collect())
}

/// Writes a version script that hides functions which the release lacks.
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
    /// Compiles the kernel functions of an AscendC text to a binary for vector cores of Atlas A2.
    ///
    /// # Errors
    /// The message of the compiler or the system.
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

    /// Compiles a C++ text to a shared library that may use the whole stand-in, as operators and
    /// stubs of kernels do.
    ///
    /// # Errors
    /// The message of the compiler or the system.
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

    /// Makes a file from a text, once.
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

    /// Returns the compiler that makes all parts.
    pub fn compiler(&self) -> &Path {
        &self.machine.compiler
    }

    /// Opens the control of its library.
    ///
    /// # Errors
    /// The message of the system's loader.
    pub fn control(&self) -> Result<Control, String> {
        Control::open(&self.home.join("lib64/libstandin.so"))
    }
}

/// Returns a name for a file that is made from these parts.
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
