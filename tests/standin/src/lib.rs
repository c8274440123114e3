//! A stand-in for CANN's host libraries, for tests.
//!
//! [`toolkit`] makes a folder like the one that `ASCEND_HOME_PATH` names, with the libraries of one release: C++ of `cpp/` on the machine of
//! `runtime/ascendc`, compiled once and kept beside the programs of the CPU build. [`Toolkit::kernel`] makes a binary that it loads.
//! [`Control`] is what tests ask of it: failures, delays, what lives.
//!
//! **One release a process**: the machine exists once, and libraries of two releases would share it.

mod control;
mod embed;

pub use control::{Control, Counts};

use jumar_dsl::soc::Arch;
use jumar_runtime::ascendc::{cache_folder, shared_machine, SharedMachine};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    /// As its files say it.
    pub const fn name(self) -> &'static str {
        match self {
            Release::V8_1 => "8.1.RC1",
            Release::V8_5 => "8.5.0",
            Release::V9_0 => "9.0.0",
            Release::V9_1 => "9.1.0",
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
            Release::V8_1 => &["libascendcl.so", "libruntime.so", "libnnopbase.so", "libmsprofiler.so"],
            Release::V8_5 | Release::V9_0 | Release::V9_1 => {
                &["libacl_rt.so", "libascendcl.so", "libruntime.so", "libnnopbase.so", "libmsprofiler.so"]
            }
        }
    }
}

/// A folder like an installation's, with what binaries are made with.
#[derive(Clone, Debug)]
pub struct Toolkit {
    /// The folder.
    pub home: PathBuf,
    machine: SharedMachine,
}

/// Makes the folder, or finds it made.
///
/// # Errors
/// What the compiler or the system says.
pub fn toolkit(release: Release) -> Result<Toolkit, String> {
    let machine = shared_machine(Arch::V220).map_err(|e| e.to_string())?;
    let mut hash = Sha256::new();
    embed::FILES.iter().for_each(|(name, text)| hash.update(format!("{name}\0{text}\0")));
    hash.update(machine.sources.display().to_string());
    let key: String = hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect();
    let home = cache_folder("standin").join(format!("{}-{key}", release.name()));
    if !home.is_dir() {
        // Another process may make the same: each makes one of its own, and the first one to be done stays.
        let own = home.with_extension(format!("of-{}", std::process::id()));
        build(release, &machine, &own)?;
        if fs::rename(&own, &home).is_err() && !home.is_dir() {
            return Err(format!("{} cannot be made", home.display()));
        }
        let _ = fs::remove_dir_all(&own);
    }
    Ok(Toolkit { home, machine })
}

fn build(release: Release, machine: &SharedMachine, home: &Path) -> Result<(), String> {
    let (source, libraries) = (home.join("source"), home.join("lib64"));
    let trouble = |e: std::io::Error| format!("{}: {e}", home.display());
    fs::create_dir_all(&libraries).map_err(trouble)?;
    for (name, text) in embed::FILES {
        let path = source.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&source)).map_err(trouble)?;
        fs::write(path, text).map_err(trouble)?;
    }
    fs::write(home.join("version.info"), format!("Version={}\n", release.name())).map_err(trouble)?;
    let exports = home.join("exports.map");
    fs::write(&exports, exports_of(release)).map_err(trouble)?;
    // Functions of the CPU build's own host runtime, which this is instead of.
    let own = |object: &&PathBuf| !["acl.o", "host.o"].iter().any(|name| object.ends_with(name));
    let mut command = Command::new(&machine.compiler);
    command.args(["-std=c++17", "-fPIC", "-O1", "-g1", "-shared", "-Wl,-z,nodelete", "-Wl,-soname,libstandin.so"]);
    command.arg(format!("-DSTANDIN_RELEASE=\"{}\"", release.name())).arg(format!("-DSTANDIN_ACL_MINOR={}", release.minor()));
    // Its own `acl/acl.h` before that of the CPU build.
    command.arg("-I").arg(source.join("include")).args(&machine.kernel_flags).arg("-I").arg(&machine.sources);
    let sources = embed::FILES.iter().filter(|(name, _)| name.starts_with("src/") && name.ends_with(".cpp"));
    command.args(sources.map(|(name, _)| source.join(name))).args(machine.objects.iter().filter(own));
    command.arg(format!("-Wl,--version-script={}", exports.display())).args(["-ldl", "-pthread", "-o"]);
    run(command.arg(libraries.join("libstandin.so")))?;
    for file in release.files() {
        // One library, whose machine exists once whichever names it is opened by.
        std::os::unix::fs::symlink("libstandin.so", libraries.join(file)).map_err(trouble)?;
    }
    Ok(())
}

/// A version script: what the release does not have is not there.
fn exports_of(release: Release) -> String {
    let absent: Vec<_> = rows().filter(|(_, releases)| releases.as_bytes().get(release.column()) == Some(&b'0')).collect();
    let local: String = absent.iter().map(|(name, _)| format!("    {name};\n")).collect();
    let local = if local.is_empty() { local } else { format!("  local:\n{local}") };
    format!("{{\n  global:\n    *;\n{local}}};\n")
}

/// Name and releases of each function.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("../facts/functions.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut columns = line.split('|').map(str::trim);
        Some((columns.next()?, columns.next()?))
    })
}

impl Toolkit {
    /// A binary with these kernel functions of an AscendC text, all of them for vector cores.
    ///
    /// # Errors
    /// What the compiler or the system says.
    pub fn kernel(&self, text: &str, functions: &[&str]) -> Result<Vec<u8>, String> {
        let mut hash = Sha256::new();
        hash.update(format!("{text}\0{functions:?}"));
        let key: String = hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect();
        let folder = self.home.join("kernels");
        let (object, own) = (folder.join(format!("{key}.o")), folder.join(format!("{key}.{}", std::process::id())));
        let trouble = |e: std::io::Error| format!("{}: {e}", folder.display());
        if !object.is_file() {
            fs::create_dir_all(&folder).map_err(trouble)?;
            let source = own.with_extension("cpp");
            fs::write(&source, format!("{text}{}", table_of(functions))).map_err(trouble)?;
            let mut command = Command::new(&self.machine.compiler);
            command.args(["-shared", "-fPIC", "-I"]).arg(self.home.join("source/include")).args(&self.machine.kernel_flags);
            command.arg("-x").arg("c++").arg(&source).args(["-x", "none"]).arg(self.home.join("lib64/libstandin.so"));
            run(command.arg("-o").arg(&own))?;
            fs::rename(&own, &object).map_err(trouble)?;
        }
        fs::read(&object).map_err(trouble)
    }

    /// What tests ask of its library.
    ///
    /// # Errors
    /// What the system's loader says.
    pub fn control(&self) -> Result<Control, String> {
        Control::open(&self.home.join("lib64/libstandin.so"))
    }
}

fn table_of(functions: &[&str]) -> String {
    let entry = |name: &&str| format!("    standin::EntryOf<&{name}>(\"{name}\", standin::CoreKind::VECTOR, false),\n");
    let entries: String = functions.iter().map(entry).collect();
    format!(
        "\n#include \"standin/kernel_table.h\"\nstatic const standin::KernelEntry standinEntries[] = {{\n{entries}}};\nextern \"C\" const \
         standin::KernelTable standin_kernel_table = {{standin::TABLE_VERSION, __NPU_ARCH__, &standin_machine, {}, standinEntries}};\n",
        functions.len()
    )
}

fn run(command: &mut Command) -> Result<(), String> {
    let out = command.output().map_err(|e| format!("the C++ compiler does not run: {e}"))?;
    match out.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&out.stderr).into_owned()),
    }
}
