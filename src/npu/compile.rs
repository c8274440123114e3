//! The device compiler: from the text of an object to the object, cached by content.
//!
//! The command line is that of a device object alone: `bisheng -c -x cce .. --cce-aicore-only`,
//! then `ld.lld -m aicorelinux`. Its flags are those of CANN's own builds for the chip (stack,
//! automatic synchronisation, whole conversions of floats), and those of public tools that compile
//! kernels themselves.
//!
//! Kernels whose blocks wait for one another are compiled with the code that starts them,
//! `bisheng -shared -fPIC .. k.asc`, which releases from 9.1 on accept (`__schedmode__`).

use jumar_acl::find::Installation;
use jumar_codegen::{Form, Object};
use jumar_dsl::diag::Code;
use jumar_dsl::soc::{Arch, Chip};
use jumar_runtime::ascendc::{cache_folder, is_whole, keep};
use jumar_runtime::RunError;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders with AscendC's headers below an installation, by release; the first existing one counts.
const HEADERS: [&str; 4] = [
    "compiler/tikcpp/tikcfw",
    "tools/tikcpp/tikcfw",
    "tikcpp/tikcfw",
    "ascendc/tikcpp/tikcfw",
];
/// A header with the numbers of the release. It is included before all others, if it exists.
const VERSION_HEADERS: [&str; 2] = [
    "compiler/include/version/cann_version.h",
    "include/version/cann_version.h",
];

/// A device compiler, with the folder of its results.
#[derive(Clone, Debug)]
pub struct DeviceCompiler {
    bisheng: PathBuf,
    linker: PathBuf,
    headers: PathBuf,
    version_header: Option<PathBuf>,
    version: String,
    cache: PathBuf,
}

/// The result of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The object, or the library.
    pub object: PathBuf,
    /// True if the cache had it.
    pub was_cached: bool,
}

impl DeviceCompiler {
    /// Finds the compiler of an installation.
    ///
    /// # Errors
    /// J0816 with the missing part.
    pub fn find(installation: &Installation) -> Result<Self, RunError> {
        let Some(home) = &installation.home else {
            return Err(no_cann(
                "CANN was not found: source its set_env.sh, or set ASCEND_HOME_PATH to its folder"
                    .into(),
            ));
        };
        let tool = |name: &str| {
            let missing = || {
                no_cann(format!(
                    "{} has no `{name}`: the device compiler is part of CANN's toolkit package",
                    home.display()
                ))
            };
            installation.tool(name).ok_or_else(missing)
        };
        let (bisheng, linker) = (tool("bisheng")?, tool("ld.lld")?);
        let headers = installation.first(&HEADERS).ok_or_else(|| {
            no_cann(format!(
                "{} has none of the folders {}: AscendC's headers are part of CANN's toolkit package",
                home.display(),
                HEADERS.join(", ")
            ))
        })?;
        Ok(DeviceCompiler {
            bisheng,
            linker,
            headers,
            version_header: installation.first(&VERSION_HEADERS),
            version: installation.version.clone().unwrap_or_default(),
            cache: cache_folder("npu"),
        })
    }

    /// Keeps results in another folder.
    #[must_use]
    pub fn with_cache(self, cache: PathBuf) -> Self {
        DeviceCompiler { cache, ..self }
    }

    /// Returns the path of the compiler.
    pub fn bisheng(&self) -> &Path {
        &self.bisheng
    }

    /// Returns the command line without file names.
    fn flags(&self, form: Form, chip: &Chip) -> Vec<String> {
        match form {
            Form::Object => self.object_flags(chip.arch),
            Form::Library => {
                let arch = format!("--npu-arch={}", chip.npu_arch);
                [
                    &["-shared", "-fPIC", "-O3", "-std=c++17", &arch][..],
                    SHARED,
                ]
                .concat()
                .iter()
                .map(|flag| flag.to_string())
                .collect()
            }
        }
    }

    fn object_flags(&self, arch: Arch) -> Vec<String> {
        let mut flags: Vec<String> = ["-c", "-x", "cce", "-O3", "-std=c++17"]
            .map(String::from)
            .into();
        flags.extend(
            [arch_flags(arch), COMMON, SHARED]
                .concat()
                .iter()
                .map(|flag| flag.to_string()),
        );
        if let Some(header) = &self.version_header {
            flags.extend(["-include".to_string(), header.display().to_string()]);
        }
        for end in ["", "impl", "interface"] {
            flags.extend([
                "-I".to_string(),
                self.headers.join(end).display().to_string(),
            ]);
        }
        flags
    }

    /// Compiles the text of an object, or finds it in the cache.
    ///
    /// # Errors
    /// J0817 with the compiler's first error and its line of the kernel; J0816 where the compiler
    /// does not run; J0605 where its files cannot be written.
    pub fn compile(&self, source: &Object, chip: &Chip) -> Result<Compiled, RunError> {
        let flags = self.flags(source.form, chip);
        let folder = self.cache.join(self.key(source, &flags));
        let object = folder.join(match source.form {
            Form::Object => "kernel.o",
            Form::Library => "kernel.so",
        });
        if is_whole(&object) {
            return Ok(Compiled {
                object,
                was_cached: true,
            });
        }
        fs::create_dir_all(&folder).map_err(|e| trouble(&folder, &e))?;
        let text = folder.join(&source.name);
        fs::write(&text, &source.text).map_err(|e| trouble(&text, &e))?;
        // Another process may compile the text at the same time: each writes separate files, and
        // the last step is a rename.
        let own = |end: &str| folder.join(format!("kernel.{}.{end}", std::process::id()));
        let (compiled, linked) = (own("compiled.o"), own("linked.o"));
        let mut bisheng = Command::new(&self.bisheng);
        bisheng.args(&flags).arg(&text).arg("-o").arg(&compiled);
        self.run(bisheng, source, &folder)?;
        let made = match source.form {
            Form::Library => compiled,
            Form::Object => {
                let mut linker = Command::new(&self.linker);
                linker
                    .args(["-m", "aicorelinux", "-Ttext=0"])
                    .arg(&compiled)
                    .args(["-static", "-o"])
                    .arg(&linked);
                self.run(linker, source, &folder)?;
                // Remaining intermediate files do no harm.
                let _ = fs::remove_file(&compiled);
                linked
            }
        };
        keep(&made, &object).map_err(|e| trouble(&object, &e))?;
        Ok(Compiled {
            object,
            was_cached: false,
        })
    }

    fn key(&self, source: &Object, flags: &[String]) -> String {
        let mut hash = Sha256::new();
        let tool = [self.bisheng.display().to_string(), self.version.clone()];
        for part in tool.iter().chain(flags).chain([&source.name, &source.text]) {
            hash.update(part);
            hash.update([0]);
        }
        // The time detects a compiler that was replaced without a new version.
        let changed = fs::metadata(&self.bisheng).and_then(|m| m.modified()).ok();
        let since = changed
            .and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok())
            .map_or(0, |at| at.as_nanos());
        hash.update(since.to_le_bytes());
        hash.finalize()
            .iter()
            .take(16)
            .map(|b| format!("{b:02x}"))
            .collect()
    }

    fn run(&self, mut command: Command, source: &Object, folder: &Path) -> Result<(), RunError> {
        let program = PathBuf::from(command.get_program());
        let name = program
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let out = command
            .output()
            .map_err(|e| no_cann(format!("{} does not run: {e}", program.display())))?;
        if out.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&out.stderr).into_owned()
            + &String::from_utf8_lossy(&out.stdout);
        let log = folder.join("errors.txt");
        fs::write(&log, &said).map_err(|e| trouble(&log, &e))?;
        let mut message = refusal(&name, source, &said, &log);
        if source.form == Form::Library {
            message += &format!(
                "\n  = help: blocks that wait for one another need a source of host and device, which CANN 9.1 and later compiles; this is {}",
                if self.version.is_empty() { "a release that does not say its number" } else { &self.version }
            );
        }
        Err(RunError::Refused {
            code: Code::J0817,
            message,
        })
    }
}

/// Flags of every source.
const SHARED: &[&str] = &[
    // Waits between dependent vector calls: emitted text relies on them, as CANN's own builds do.
    "--cce-auto-sync",
    "-DASCENDC_DUMP=0",
];

/// Flags of every object. None of them is for a mixed kernel: there is no sync address.
const COMMON: &[&str] = &[
    "--cce-aicore-only",
    "-mllvm",
    "-cce-aicore-stack-size=0x8000",
    "-mllvm",
    "-cce-aicore-function-stack-size=0x8000",
    "-mllvm",
    "-cce-aicore-dcci-insert-for-scalar=false",
    "-D__NPU_TILING__",
    "-DTILING_KEY_VAR=0",
];

/// Returns the flags of an architecture.
fn arch_flags(arch: Arch) -> &'static [&'static str] {
    match arch {
        Arch::V220 => &["--cce-aicore-arch=dav-c220-vec"],
        Arch::M200 => &[
            "--cce-aicore-arch=dav-m200",
            "--cce-mask-opt",
            "-mllvm",
            "-cce-aicore-fp-ceiling=2",
            "-mllvm",
            "-cce-aicore-record-overflow=false",
            "-mllvm",
            "-cce-aicore-mask-opt=false",
        ],
    }
}

/// Returns the first error, and the line of the kernel for the refused text.
fn refusal(tool: &str, source: &Object, said: &str, log: &Path) -> String {
    let all = format!("all of it: {}", log.display());
    let first = said.lines().find_map(|line| {
        let (at, message) = line
            .split_once(": error: ")
            .or_else(|| line.split_once(": fatal error: "))?;
        Some((at, message))
    });
    let Some((at, message)) = first else {
        let line = said
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("nothing");
        return format!(
            "{tool} refuses the object of {}: {line}\n  = note: {all}",
            source.name
        );
    };
    let mut parts = at.rsplitn(3, ':');
    let (_, line, file) = (parts.next(), parts.next(), parts.next());
    let Some(line) = line.and_then(|line| line.parse::<usize>().ok()) else {
        return format!(
            "{tool} refuses the object of {}: {message}\n  = note: {all}",
            source.name
        );
    };
    let own = file.is_some_and(|file| {
        Path::new(file)
            .file_name()
            .is_some_and(|name| name.to_string_lossy() == source.name)
    });
    let place = own.then(|| place_of(&source.text, line)).flatten();
    let at = if own {
        format!("{}:{line}", source.name)
    } else {
        at.to_string()
    };
    match place {
        Some(place) => {
            format!("{tool} refuses the text of {place}: {message} ({at})\n  = note: {all}")
        }
        None => format!("{tool} refuses {at}: {message}\n  = note: {all}"),
    }
}

/// Returns the kernel's line for a line of emitted text: that of the last comment with a line
/// before it, in its function.
fn place_of(text: &str, line: usize) -> Option<&str> {
    for before in text
        .lines()
        .take(line)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
    {
        if before.starts_with('}') {
            return None;
        }
        let comment = before.trim().strip_prefix("// ");
        let place = comment.filter(|place| {
            place
                .rsplit_once(".rs:")
                .is_some_and(|(_, n)| n.parse::<u32>().is_ok())
        });
        if place.is_some() {
            return place;
        }
    }
    None
}

pub(super) fn no_cann(message: String) -> RunError {
    let instead = "without CANN the kernel runs on the simulator, and as AscendC on this machine's processor (`--backend cpp`)";
    RunError::Refused {
        code: Code::J0816,
        message: format!("{message}\n  = help: {instead}"),
    }
}

fn trouble(path: &Path, why: &std::io::Error) -> RunError {
    RunError::Refused {
        code: Code::J0605,
        message: format!("{}: {why}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> Object {
        let text = "#include \"kernel_operator.h\"\nclass A {\n    void F()\n    {\n        // a.rs:7\n        Muls(x);\n    }\n};\n\nvoid a()\n{\n    y;\n}\n";
        let (name, text) = ("a.cpp".into(), text.into());
        Object {
            name,
            text,
            form: Form::Object,
            functions: Vec::new(),
            takes_workspace: false,
            meets: false,
        }
    }

    #[test]
    fn errors_name_the_line_of_the_kernel() {
        let log = Path::new("log");
        for (said, wanted) in [
            (
                "/c/a.cpp:6:9: error: no Muls\nmore",
                "bisheng refuses the text of a.rs:7: no Muls (a.cpp:6)\n  = note: all of it: log",
            ),
            ("x\n/c/a.cpp:12:5: fatal error: no y", "bisheng refuses a.cpp:12: no y\n  = note: all of it: log"),
            ("/inc/b.h:6:9: error: odd", "bisheng refuses /inc/b.h:6:9: odd\n  = note: all of it: log"),
            (
                "\nbisheng: unknown argument",
                "bisheng refuses the object of a.cpp: bisheng: unknown argument\n  = note: all of it: log",
            ),
            ("bisheng: error: no input files", "bisheng refuses the object of a.cpp: no input files\n  = note: all of it: log"),
            ("", "bisheng refuses the object of a.cpp: nothing\n  = note: all of it: log"),
        ] {
            assert_eq!(refusal("bisheng", &object(), said, log), wanted, "{said}");
        }
    }

    #[test]
    fn without_cann_the_message_says_what_works_instead() {
        let error = DeviceCompiler::find(&Installation::default())
            .map(|_| ())
            .unwrap_err();
        assert_eq!(error.code(), Code::J0816);
        assert!(
            error.message().contains("set_env.sh") && error.message().contains("--backend cpp"),
            "{error}"
        );
    }
}
