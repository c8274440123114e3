//! The build of an operator project: the library with the two phases of its operators, their
//! headers and compiled kernels.
//!
//! The host files are compiled, and a program asks them for their definitions
//! (`cpp/operator/describe.cpp`). Nothing is read from their text. Folders are those of an
//! installed package: `op_api/include`, `op_api/lib`, `op_impl/ai_core/tbe/kernel`.

use crate::{key, run, Toolkit};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The chips of the package, by their name in a definition.
const UNIT: &str = "ascend910b";
const LIBRARY: &str = "op_api/lib/libcust_opapi.so";

impl Toolkit {
    /// Builds the package of an operator project with `op_host` and `op_kernel`, and returns its
    /// folder.
    ///
    /// # Errors
    /// The message of the compiler, the definition or the system.
    pub fn operators(&self, project: &Path) -> Result<PathBuf, String> {
        let (host, kernels) = (
            files(&project.join("op_host"))?,
            files(&project.join("op_kernel"))?,
        );
        let mut parts = Vec::new();
        for file in host.iter().chain(&kernels) {
            parts.extend([
                file.display().to_string(),
                fs::read_to_string(file).map_err(|e| trouble(file, &e))?,
            ]);
        }
        let key = key(parts.iter().map(String::as_str));
        let package = self.home.join("operators").join(key);
        if !package.is_dir() {
            let own = package.with_extension(unfinished());
            Build {
                toolkit: self,
                project,
                own: &own,
            }
            .all(&host)?;
            // Another process or thread may have made the package.
            if fs::rename(&own, &package).is_err() && !package.is_dir() {
                return Err(format!("{} cannot be made", package.display()));
            }
            let _ = fs::remove_dir_all(&own);
        }
        Ok(package)
    }

    /// Returns the flags for host code that calls operators of a package, without its own files.
    pub fn client_flags(&self, package: &Path) -> Vec<OsString> {
        let mut flags: Vec<OsString> = Vec::new();
        let mut path = |flag: &str, path: PathBuf| {
            let mut word = OsString::from(flag);
            word.push(path);
            flags.push(word);
        };
        path("-I", self.home.join("source/include"));
        path("-I", package.join("op_api/include"));
        for folder in [package.join("op_api/lib"), self.home.join("lib64")] {
            path("-L", folder.clone());
            path("-Wl,-rpath,", folder);
        }
        flags.extend(["-lcust_opapi", "-lnnopbase", "-lascendcl", "-ldl"].map(OsString::from));
        flags
    }
}

fn trouble(path: &Path, e: &std::io::Error) -> String {
    format!("{}: {e}", path.display())
}

/// Returns a unique end for the name of an unfinished file.
fn unfinished() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!(
        "of-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

/// Returns sources and headers of a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| trouble(folder, &e))?;
    let mut all = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>, std::io::Error>>()
        .map_err(|e| trouble(folder, &e))?;
    all.retain(|path| {
        path.extension()
            .is_some_and(|end| end == "cpp" || end == "h")
    });
    all.sort();
    Ok(all)
}

struct Build<'a> {
    toolkit: &'a Toolkit,
    project: &'a Path,
    own: &'a Path,
}

impl Build<'_> {
    fn all(&self, host: &[PathBuf]) -> Result<(), String> {
        for folder in ["op_api/include", "op_api/lib", "autogen"] {
            let folder = self.own.join(folder);
            fs::create_dir_all(&folder).map_err(|e| trouble(&folder, &e))?;
        }
        let mut parts = Vec::new();
        for source in host
            .iter()
            .filter(|file| file.extension().is_some_and(|end| end == "cpp"))
        {
            let object = self
                .own
                .join("autogen")
                .join(source.file_name().unwrap_or_default())
                .with_extension("o");
            run(self
                .compile()
                .arg("-fvisibility=hidden")
                .arg("-c")
                .arg(source)
                .arg("-o")
                .arg(&object))?;
            parts.push(object);
        }
        let operators = self.describe(&parts)?;
        std::thread::scope(|scope| {
            let library = scope.spawn(|| self.library(&operators, &parts));
            let kernels = self.kernels(&operators);
            library
                .join()
                .unwrap_or_else(|_| Err("the library was not made".into()))
                .and(kernels)
        })
    }

    /// Returns the compiler with the flags of all files.
    fn compile(&self) -> Command {
        let machine = &self.toolkit.machine;
        let mut command = Command::new(&machine.compiler);
        command
            .arg("-I")
            .arg(self.toolkit.home.join("source/include"))
            .args(&machine.kernel_flags);
        command
            .arg("-I")
            .arg(self.toolkit.home.join("source/src"))
            .arg(format!("-DSTANDIN_UNIT=\"{UNIT}\""));
        command
    }

    fn stand_in(&self) -> PathBuf {
        self.toolkit.home.join("lib64/libstandin.so")
    }

    /// Compiles an object of the stand-in, which all projects share.
    fn own_object(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.toolkit.home.join("operators");
        let (object, unfinished) = (
            folder.join(format!("{name}.o")),
            folder.join(format!("{name}.{}", unfinished())),
        );
        if !object.is_file() {
            let source = self
                .toolkit
                .home
                .join("source/operator")
                .join(format!("{name}.cpp"));
            run(self
                .compile()
                .arg("-fvisibility=hidden")
                .arg("-c")
                .arg(source)
                .arg("-o")
                .arg(&unfinished))?;
            fs::rename(&unfinished, &object).map_err(|e| trouble(&object, &e))?;
        }
        Ok(object)
    }

    /// Asks the host files for the snake-case name and the number of combinations of each operator.
    fn describe(&self, parts: &[PathBuf]) -> Result<Vec<(String, usize)>, String> {
        let program = self.own.join("autogen/describe");
        let mut command = self.compile();
        command
            .arg(self.own_object("describe")?)
            .args(parts)
            .arg(self.stand_in());
        run(command.arg("-o").arg(&program))?;
        let mut ask = Command::new(&program);
        let out = ask
            .arg(self.own.join("autogen"))
            .arg(UNIT)
            .env("LD_LIBRARY_PATH", self.toolkit.home.join("lib64"))
            .output();
        let out = out.map_err(|e| trouble(&program, &e))?;
        if !out.status.success() {
            return Err(String::from_utf8_lossy(&out.stderr).into_owned());
        }
        let said = String::from_utf8_lossy(&out.stdout);
        let of = |line: &str| {
            line.split_once(' ')
                .and_then(|(name, columns)| Some((name.to_string(), columns.parse().ok()?)))
        };
        said.lines()
            .map(|line| of(line).ok_or_else(|| format!("the host files say `{line}`")))
            .collect()
    }

    fn library(&self, operators: &[(String, usize)], parts: &[PathBuf]) -> Result<(), String> {
        let autogen = self.own.join("autogen");
        let mut command = self.compile();
        command
            .args(["-fvisibility=hidden", "-shared", "-I"])
            .arg(self.toolkit.home.join("source/operator"));
        for (name, _) in operators {
            let (made, header) = (
                autogen.join(format!("aclnn_{name}.h")),
                self.own.join(format!("op_api/include/aclnn_{name}.h")),
            );
            fs::copy(&made, header).map_err(|e| trouble(&made, &e))?;
            command.arg(autogen.join(format!("aclnn_{name}.cpp")));
        }
        command
            .arg(self.own_object("library")?)
            .args(parts)
            .arg(self.stand_in());
        run(command.arg("-o").arg(self.own.join(LIBRARY)))
    }

    /// Compiles a kernel for each combination of element types, with the kernels of all tiling
    /// keys.
    fn kernels(&self, operators: &[(String, usize)]) -> Result<(), String> {
        for (name, columns) in operators {
            let folder = self
                .own
                .join("op_impl/ai_core/tbe/kernel")
                .join(UNIT)
                .join(name);
            fs::create_dir_all(&folder).map_err(|e| trouble(&folder, &e))?;
            for column in 0..*columns {
                let source = self.own.join(format!("autogen/{name}_{column}.cpp"));
                let kernel = self.project.join(format!("op_kernel/{name}.cpp"));
                let kernel = kernel.canonicalize().map_err(|e| trouble(&kernel, &e))?;
                let text = format!(
                    "#include \"{name}_{column}.h\"\n#include \"{}\"\n{}extern \"C\" const void *standin_keys()\n{{\n    return \
                     &standin::Keys();\n}}\n",
                    kernel.display(),
                    table_of(name)
                );
                fs::write(&source, text).map_err(|e| trouble(&source, &e))?;
                let mut command = self.compile();
                // C++ names stay local, since keys and parameters differ between combinations.
                command.arg(format!(
                    "-Wl,--version-script={}",
                    self.toolkit.home.join("compiler/exports.map").display()
                ));
                command.arg("-shared").arg(&source).arg(self.stand_in());
                run(command
                    .arg("-o")
                    .arg(folder.join(format!("{name}_{column}.o"))))?;
            }
        }
        Ok(())
    }
}

/// Writes the table by which a kernel's library describes itself. Operator builds ask for automatic
/// synchronisation.
fn table_of(kernel: &str) -> String {
    format!(
        "\n#include \"standin/kernel_table.h\"\nstatic const standin::KernelEntry standinEntries[] = {{\n    \
         standin::EntryOf<&{kernel}>(\"{kernel}\", standin::CoreKind::VECTOR, false),\n}};\nextern \"C\" const standin::KernelTable \
         standin_kernel_table = {{standin::TABLE_VERSION, __NPU_ARCH__, &standin_machine, true, 1, standinEntries}};\n"
    )
}
