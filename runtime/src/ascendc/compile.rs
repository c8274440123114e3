//! Compiles a source to a program, cached by content.
//!
//! A program is a kernel's source with the glue that calls it, or sources with a `main` of their
//! own.

use super::at_once::at_once;
use super::embed;
use super::launch::scratch;
use super::launches::{as_calls, stub};
use super::machine::{
    is_whole, keep, needed, put, run, trouble, unfinished, Level, Variant, KERNEL_LEVEL, MAIN,
};
use super::scan::{blanked, scan};
use super::template_keys::TemplateKeys;
use super::toolchain::{hex, Toolchain};
use crate::RunError;
use jumar_dsl::diag::Code;
use jumar_dsl::soc::Arch;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The source of a unit's text.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file of the user, with the files that it includes.
    File(PathBuf),
    /// Texts by name, the first one with the kernels.
    Texts(Vec<(String, String)>),
    /// Files of a program with its own `main`, which launches kernels by `<<<>>>`,
    /// `aclrtlaunch_NAME` or `ICPU_RUN_KF`.
    Program(Vec<PathBuf>),
    /// The host files of an operator project (`op_host`), which answer [`Program::ask`].
    Operator(Vec<PathBuf>),
}

/// A translation unit: a kernel source and its call.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The kernel's text.
    pub source: Source,
    /// C++ before the text: what a build gives to the kernel, as [`super::Answer::prelude`].
    pub prelude: String,
    /// C++ after the text: defines `ascendc_cpu::entries` and `ascendc_cpu::tile`. Empty for a
    /// program.
    pub glue: String,
    /// The architecture that headers check for.
    pub arch: Arch,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Folders that the source includes from, besides its own.
    pub includes: Vec<PathBuf>,
    /// The header of an operator project that registers the tiling data. The kernel sees its
    /// structure, as in the toolkit's build.
    pub tiling: Option<PathBuf>,
    /// Address and undefined-behaviour sanitizers in kernel and machine.
    pub sanitize: bool,
    /// Makes compiler warnings errors, as for emitted text.
    pub strict: bool,
}

/// A program that runs one kernel source.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) toolchain: &'static Toolchain,
    pub(super) file: PathBuf,
    /// Folder of the texts, for a unit of texts: file names are shown without it.
    pub(super) texts: Option<PathBuf>,
}

/// Programs that are kept; each has some 600 KiB. Beyond that number, the least recently used ones
/// are removed.
const KEPT: usize = 1500;
/// A file beside a program; its modification time is that of the last use.
const USED: &str = "used";

fn make_room(programs: &Path) {
    let Ok(entries) = fs::read_dir(programs) else {
        return;
    };
    let used = |folder: PathBuf| {
        Some((
            fs::metadata(folder.join(USED))
                .and_then(|m| m.modified())
                .ok()?,
            folder,
        ))
    };
    let mut all: Vec<_> = entries
        .filter_map(|entry| used(entry.ok()?.path()))
        .collect();
    if all.len() > KEPT {
        all.sort();
        // Removing a quarter at once makes this rare. An error is ignored: another process may
        // remove the same folder.
        all.iter()
            .take(all.len() - KEPT * 3 / 4)
            .for_each(|(_, folder)| drop(fs::remove_dir_all(folder)));
    }
}

/// The standard in which g++ finds a function template by the namespace of its arguments. The
/// precompiled header is of another one, and g++ reads the text beside it.
const LATER: &str = "-std=c++20";

impl Unit {
    /// Makes a unit of a source and its glue, with defaults for everything else.
    pub fn new(source: Source, glue: String, arch: Arch) -> Self {
        let (defines, includes) = (Vec::new(), Vec::new());
        Unit {
            source,
            prelude: String::new(),
            glue,
            arch,
            defines,
            includes,
            tiling: None,
            sanitize: false,
            strict: false,
        }
    }

    /// Makes a unit that calls a kernel by name, with its template arguments where it has some:
    /// `add<float, 4>`.
    pub fn kernel(source: Source, kernel: &str, arch: Arch) -> Self {
        Unit::kernels(source, &[kernel.to_string()], arch)
    }

    /// Makes a unit of several kernels, of which a launch calls the first.
    pub fn kernels(source: Source, kernels: &[String], arch: Arch) -> Self {
        let entries: Vec<String> = kernels
            .iter()
            .map(|kernel| format!("EntryOf<&::{kernel}>(\"{kernel}\", 0)"))
            .collect();
        let glue = format!(
            "namespace ascendc_cpu {{\nstatic const Entry list[] = {{{}}};\n\
             extern const Entries entries;\nconst Entries entries = {{list, {}}};\n\
             extern const TileFunction tile;\nconst TileFunction tile = nullptr;\n}}\n",
            entries.join(", "),
            entries.len()
        );
        Unit::new(source, glue, arch)
    }

    /// Makes a unit of a program with its own `main`.
    pub fn program(files: Vec<PathBuf>, arch: Arch) -> Self {
        Unit::new(Source::Program(files), String::new(), arch)
    }

    /// Makes a unit of the host side of an operator project.
    pub fn operator(files: Vec<PathBuf>, arch: Arch) -> Self {
        Unit::new(Source::Operator(files), String::new(), arch)
    }

    /// Returns the kernel's file and what it includes with macros expanded, for [`super::scan`],
    /// since macros may declare kernels. The toolkit's keywords stay.
    ///
    /// # Errors
    /// J0805 without a compiler, J0806 where it finds a mistake.
    pub fn expanded(&self) -> Result<String, RunError> {
        let out = self.preprocess()?;
        if out.status.success() {
            return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
        }
        Err(compile_error(
            &String::from_utf8_lossy(&out.stderr),
            None,
            &Toolchain::find()?.folder().join("include"),
        ))
    }

    /// Reads the template parameters that the kernel's file declares, and their combinations.
    ///
    /// # Errors
    /// As [`Unit::expanded`], and J0605 for declarations that the toolkit's build does not take.
    pub fn template_keys(&self) -> Result<Option<TemplateKeys>, RunError> {
        TemplateKeys::read(&self.expanded()?)
    }

    /// Runs the preprocessor on the kernel's file, without the headers that kernels include.
    fn preprocess(&self) -> Result<Output, RunError> {
        let variant = Variant {
            toolchain: Toolchain::find()?,
            arch: self.arch,
            level: Level::of(self.sanitize),
        };
        variant.header()?;
        let mut command = variant.command(None);
        command
            .args(["-E", "-P", "-DASCENDC_CPU_KERNEL_OPERATOR_H"])
            .args(["-DASCENDC_TPL_KERNEL", "-DASCENDC_TPL_PRE"])
            .args(embed::guards().map(|guard| format!("-D{guard}")));
        for dir in self.source.folders().iter().chain(&self.includes) {
            command.arg("-I").arg(dir);
        }
        let folder = scratch(0).map_err(|e| trouble(Path::new("a temporary folder"), &e))?;
        let mut text = self.prelude.clone();
        for file in self.source.files() {
            let whole = file.canonicalize().map_err(|e| trouble(file, &e))?;
            text += &format!("#include \"{}\"\n", whole.display());
        }
        let whole = folder.path().join("whole.cpp");
        put(&whole, text.as_bytes())?;
        command
            .args(self.defines.iter().map(|d| format!("-D{d}")))
            .args(["-x", "c++"])
            .arg(&whole);
        run(&mut command)
    }

    /// Compiles the unit, or finds it in the cache.
    ///
    /// # Errors
    /// J0805 without a compiler, J0806 with the compiler's first error, J0605 where a file cannot
    /// be read.
    pub fn compile(&self) -> Result<Program, RunError> {
        let toolchain = Toolchain::find()?;
        let programs = toolchain.folder().join("programs");
        let folder = programs.join(self.key()?);
        let texts = matches!(self.source, Source::Texts(_)).then(|| folder.join("texts"));
        let program = Program {
            toolchain,
            file: folder.join("program"),
            texts,
        };
        if !is_whole(&program.file) {
            make_room(&programs);
            self.build(&program, &folder)?;
        }
        // Records the last use. A cache that cannot be written still serves reads.
        let _ = fs::write(folder.join(USED), []);
        Ok(program)
    }

    fn build(&self, program: &Program, folder: &Path) -> Result<(), RunError> {
        let variant = Variant {
            toolchain: program.toolchain,
            arch: self.arch,
            level: Level::of(self.sanitize),
        };
        let texts = folder.join("texts");
        fs::create_dir_all(&texts).map_err(|e| trouble(&texts, &e))?;
        let inputs = self.write_inputs(folder, &texts)?;
        let parts = tempfile::tempdir_in(folder).map_err(|e| trouble(folder, &e))?;
        let unfinished = unfinished(&program.file);
        let out = std::thread::scope(|scope| {
            // The objects that all programs need are made while the program's files are compiled.
            let roots = self.roots();
            if !variant.is_made(roots) {
                // An error comes again where the program is linked.
                scope.spawn(|| variant.objects_for(roots, &[]));
            }
            let header = self.header(&variant)?;
            let mut command = self.compiler(&variant, &header);
            command.arg("-I").arg(texts);
            let own = self.compile_each(&command, &inputs, parts.path(), program)?;
            let mut link = variant.command(None);
            link.arg("-no-pie").args(&own);
            if let Source::Operator(_) = self.source {
                // The toolkit's build links definition, tiling and inference into separate
                // libraries. A function without `inline`, in a header that both include, is defined
                // twice only here.
                link.arg("-Wl,-z,muldefs").arg(variant.operator_main()?);
                // Host files may serve several chips, each in files of its own. A function that no
                // launch calls need not be there.
                link.arg("-Wl,--warn-unresolved-symbols");
            } else {
                link.args(variant.objects_for(roots, &own)?);
            }
            run(link.arg("-o").arg(&unfinished))
        })?;
        if !out.status.success() {
            return Err(compile_error(
                &String::from_utf8_lossy(&out.stderr),
                program.texts.as_deref(),
                &variant.toolchain.folder().join("include"),
            ));
        }
        if let Source::Operator(_) = self.source {
            let names = undefined(&String::from_utf8_lossy(&out.stderr));
            put(&program.undefined(), names.join("\n").as_bytes())?;
        }
        keep(&unfinished, &program.file).map_err(|e| trouble(&program.file, &e))
    }

    /// Returns the files of the machine that every program of this kind needs.
    fn roots(&self) -> &'static [&'static str] {
        match self.source {
            Source::File(_) | Source::Texts(_) => needed(true),
            Source::Program(_) => needed(false),
            Source::Operator(_) => &[],
        }
    }

    /// Makes the precompiled header of this kind of source.
    fn header(&self, variant: &Variant) -> Result<PathBuf, RunError> {
        match self.source {
            Source::Operator(_) => variant.operator_header(),
            Source::File(_) | Source::Texts(_) | Source::Program(_) => variant.header(),
        }
    }

    /// Returns the compiler of the program's files, with all options.
    fn compiler(&self, variant: &Variant, header: &Path) -> Command {
        let mut command = match self.source {
            Source::Operator(_) => {
                let mut command = variant.command(None);
                command.arg("-include").arg(header);
                // The toolkit's build has these folders too. Headers of the project come first.
                let include = variant.toolchain.folder().join("include");
                for folder in ["op_common", "op_common/op_host", "exe_graph", "tiling"] {
                    command.arg("-idirafter").arg(include.join(folder));
                }
                command
            }
            // The precompiled header was made without macros of a kernel's build. g++ uses it where
            // the kernel's header is the first that a file includes. Every other file and compiler
            // finds the header itself, later in the search path.
            Source::File(_) | Source::Texts(_) | Source::Program(_) => {
                variant.command(self.defines.is_empty().then_some(header))
            }
        };
        command.args(KERNEL_LEVEL).arg("-no-pie");
        if self.strict {
            command.args(["-Wall", "-Wextra", "-Werror"]);
        }
        for dir in self.source.folders().iter().chain(&self.includes) {
            command.arg("-I").arg(dir);
        }
        command.args(self.defines.iter().map(|d| format!("-D{d}")));
        command
    }

    /// Compiles files to objects in a folder, as many at a time as there are processors.
    ///
    /// # Errors
    /// Those of the first file with errors.
    fn compile_each(
        &self,
        command: &Command,
        inputs: &[PathBuf],
        folder: &Path,
        program: &Program,
    ) -> Result<Vec<PathBuf>, RunError> {
        let objects: Vec<PathBuf> = (0..inputs.len())
            .map(|i| folder.join(format!("{i}.o")))
            .collect();
        let compile = |(input, object): &(&PathBuf, &PathBuf)| {
            let compiled = |standard: Option<&str>| {
                let mut one = Command::new(command.get_program());
                one.args(command.get_args()).args(standard);
                one.args(["-x", "c++", "-c"])
                    .arg(input)
                    .arg("-o")
                    .arg(object);
                run(&mut one)
            };
            let out = compiled(None)?;
            let said = String::from_utf8_lossy(&out.stderr);
            let later = || compiled(Some(LATER)).is_ok_and(|out| out.status.success());
            if out.status.success() || self.may_be_found_by_argument(&said) && later() {
                return Ok(());
            }
            Err(compile_error(
                &said,
                program.texts.as_deref(),
                &program.toolchain.folder().join("include"),
            ))
        };
        let each: Vec<(&PathBuf, &PathBuf)> = inputs.iter().zip(&objects).collect();
        at_once(&each, compile)
            .into_iter()
            .collect::<Result<(), RunError>>()?;
        Ok(objects)
    }

    /// True if a C++17 compiler may have missed the names that it calls undeclared.
    ///
    /// The device compiler finds `Add<float>(x, ..)` in the namespace of the arguments, as clang
    /// does in every standard, and g++ from C++20 on.
    fn may_be_found_by_argument(&self, said: &str) -> bool {
        matches!(self.source, Source::File(_) | Source::Program(_))
            && said.contains("was not declared in this scope")
    }

    /// Writes missing inputs to files, and returns those that are compiled.
    fn write_inputs(&self, folder: &Path, texts: &Path) -> Result<Vec<PathBuf>, RunError> {
        match &self.source {
            Source::Program(files) => write_program(files, texts),
            Source::File(path) => Ok(vec![self.write_glue(&prepared(path, texts)?, folder)?]),
            Source::Operator(files) => files
                .iter()
                .map(|file| file.canonicalize().map_err(|e| trouble(file, &e)))
                .collect(),
            Source::Texts(all) => {
                for (name, text) in all {
                    put(&texts.join(name), text.as_bytes())?;
                }
                let first = texts.join(all.first().map_or("", |(name, _)| name));
                Ok(vec![self.write_glue(&first, folder)?])
            }
        }
    }

    /// Writes the file with the kernel and its call. A `main` of the kernel's file becomes an
    /// ordinary function.
    fn write_glue(&self, kernel: &Path, folder: &Path) -> Result<PathBuf, RunError> {
        let include = format!("#include \"{}\"", kernel.display());
        let tiling = self
            .tiling
            .as_deref()
            .map(tiling_data)
            .transpose()?
            .unwrap_or_default();
        let mut text = String::new();
        for (_, part) in with_includes(&[kernel.to_owned()], &self.includes)? {
            text += &String::from_utf8_lossy(&part);
            text.push('\n');
        }
        let names = renamed(&text);
        let kernel = match self.source {
            Source::Texts(_) => format!("{names}{include}"),
            // As the toolkit's build of kernels: its host files read declarations of template keys
            // in another way.
            Source::File(_) | Source::Program(_) | Source::Operator(_) => format!(
                "#define ASCENDC_TPL_KERNEL\n{tiling}{names}#define main ascendc_cpu_host_main\n{include}\n#undef main"
            ),
        };
        let glue = folder.join("glue.cpp");
        put(
            &glue,
            format!(
                "#include \"kernel_operator.h\"\n{}{kernel}\n#include \"ascendc/entry.h\"\n{}",
                self.prelude, self.glue
            )
            .as_bytes(),
        )?;
        Ok(glue)
    }

    /// Returns the cache key: everything the program depends on, besides compiler and machine.
    fn key(&self) -> Result<String, RunError> {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        match &self.source {
            Source::File(_) | Source::Program(_) | Source::Operator(_) => {
                for (path, text) in with_includes(self.source.files(), &self.includes)? {
                    part(path.to_string_lossy().as_bytes());
                    part(&text);
                }
            }
            Source::Texts(texts) => texts.iter().for_each(|(name, text)| {
                part(name.as_bytes());
                part(text.as_bytes());
            }),
        }
        for (path, text) in with_includes(self.tiling.as_slice(), &self.includes)? {
            part(path.to_string_lossy().as_bytes());
            part(&text);
        }
        part(self.prelude.as_bytes());
        part(self.glue.as_bytes());
        part(format!("{:?} {} {}", self.arch, self.sanitize, self.strict).as_bytes());
        self.defines.iter().for_each(|d| part(d.as_bytes()));
        self.includes
            .iter()
            .for_each(|d| part(d.to_string_lossy().as_bytes()));
        Ok(hex(&hash.finalize()[..16]))
    }
}

impl Program {
    /// Returns the file beside the program of host files that lists what none of them defines.
    pub(super) fn undefined(&self) -> PathBuf {
        self.file.with_file_name("undefined")
    }

    /// True if host files declare functions that none of them defines.
    pub(super) fn lacks_functions(&self) -> bool {
        fs::metadata(self.undefined()).is_ok_and(|file| file.len() > 0)
    }
}

/// Returns the names that the linker does not find, each once and without its parameters.
fn undefined(text: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| {
        let name = line.split("undefined reference to `").nth(1)?;
        Some(name.split(['(', '\'']).next()?.to_string())
    });
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

/// True if the machine has been compiled before. The first program of a version compiles it, which
/// takes a while.
pub fn machine_is_made(sanitize: bool) -> bool {
    let made = |toolchain| {
        Variant {
            toolchain,
            arch: Arch::V220,
            level: Level::of(sanitize),
        }
        .is_made(&[MAIN])
    };
    Toolchain::find().is_ok_and(made)
}

impl Source {
    fn files(&self) -> &[PathBuf] {
        match self {
            Source::File(path) => std::slice::from_ref(path),
            Source::Program(files) | Source::Operator(files) => files,
            Source::Texts(_) => &[],
        }
    }

    /// Returns the folders of the files, where their includes are found.
    fn folders(&self) -> Vec<PathBuf> {
        self.files()
            .iter()
            .filter_map(|file| file.canonicalize().ok()?.parent().map(Path::to_path_buf))
            .collect()
    }
}

/// Functions of the C library whose names kernels use. The device has no such library.
const C_FUNCTIONS: &[&str] = &[
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "div",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "index",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "pow",
    "remainder",
    "remove",
    "rint",
    "round",
    "select",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Returns macros that rename the kernels of a text with such names, but for those that it renames
/// itself.
fn renamed(text: &str) -> String {
    let kernels = scan(text);
    let is_taken = |name: &&&str| {
        kernels.iter().any(|kernel| kernel.name == **name)
            && !text.contains(&format!("#define {name} "))
    };
    let taken = C_FUNCTIONS.iter().filter(is_taken);
    taken
        .map(|name| format!("#define {name} ascendc_cpu_kernel_{name}\n"))
        .collect()
}

/// Defines the structure that a header registers as tiling data, under its own name and as the type
/// that GET_TILING_DATA reads.
fn tiling_data(header: &Path) -> Result<String, RunError> {
    let whole = header.canonicalize().map_err(|e| trouble(header, &e))?;
    let text = fs::read_to_string(&whole).map_err(|e| trouble(header, &e))?;
    let code = blanked(&text);
    let registered = code
        .split("REGISTER_TILING_DATA_CLASS")
        .nth(1)
        .and_then(|rest| {
            let (arguments, _) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
            Some(arguments.split_once(',')?.1.trim().to_string())
        });
    let class = registered.ok_or_else(|| {
        let what = format!(
            "`{}` registers no tiling data (REGISTER_TILING_DATA_CLASS)",
            header.display()
        );
        RunError::refused(Code::J0605, what)
    })?;
    let namespace = "namespace optiling {}\nusing namespace optiling;";
    Ok(format!(
        "#include \"{}\"\n{namespace}\nREGISTER_TILING_DEFAULT({class});\n",
        whole.display()
    ))
}

/// Writes the files of a program as C++, and beside them the headers that the toolkit's build would
/// make.
fn write_program(files: &[PathBuf], texts: &Path) -> Result<Vec<PathBuf>, RunError> {
    for file in files {
        for kernel in scan(&fs::read_to_string(file).map_err(|e| trouble(file, &e))?) {
            put(
                &texts.join(format!("aclrtlaunch_{}.h", kernel.name)),
                stub(&kernel).as_bytes(),
            )?;
        }
    }
    files
        .iter()
        .enumerate()
        .map(|(i, file)| prepared(file, &texts.join(i.to_string())))
        .collect()
}

/// Returns the file as C++: itself, or a copy whose launches are calls. `#line` maps the copy to
/// the file.
fn prepared(path: &Path, texts: &Path) -> Result<PathBuf, RunError> {
    let whole = path.canonicalize().map_err(|e| trouble(path, &e))?;
    let text = fs::read(&whole).map_err(|e| trouble(path, &e))?;
    let Some(calls) = as_calls(&String::from_utf8_lossy(&text)) else {
        return Ok(whole);
    };
    let copy = texts.join(whole.file_name().unwrap_or_default());
    put(
        &copy,
        format!(
            "#include \"ascendc/launch.h\"\n#line 1 \"{}\"\n{calls}",
            whole.display()
        )
        .as_bytes(),
    )?;
    Ok(copy)
}

/// Reports the errors of a compiler: all names that it does not know, else its first error with the
/// lines that explain it. `own` is the folder of jumar's headers, which are no place for a user.
fn compile_error(text: &str, texts: Option<&Path>, own: &Path) -> RunError {
    let prefix = texts
        .map(|t| format!("{}/", t.display()))
        .unwrap_or_default();
    let text = text.replace(&prefix, "");
    let lines: Vec<&str> = text.lines().collect();
    let unknown = unknown_names(&lines, own);
    if !unknown.is_empty() {
        return RunError::refused(Code::J0806, listed(&unknown));
    }
    // After an error of a static_assert or template follow the lines that lead to the kernel.
    let at = lines
        .iter()
        .position(|l| l.contains("error:") && !l.starts_with("collect2"));
    let Some(at) = at else {
        // The linker names a missing symbol, or a symbol that is defined twice, with both places.
        let missing = lines
            .iter()
            .find_map(|l| l.find("undefined reference").map(|at| l[at..].to_string()));
        let twice = || {
            lines
                .iter()
                .find(|l| l.contains("multiple definition"))
                .map(|l| without_objects(l))
        };
        let said = missing
            .or_else(twice)
            .or(lines.first().map(ToString::to_string));
        return RunError::refused(
            Code::J0806,
            said.unwrap_or_else(|| "the compiler said nothing".into()),
        );
    };
    let begin = lines[..at]
        .iter()
        .rposition(|l| !is_context(l))
        .map_or(0, |i| i + 1);
    let end = lines[at + 1..]
        .iter()
        .position(|l| is_diagnostic(l))
        .map_or(lines.len(), |i| at + 1 + i)
        .min(at + 6);
    let (headers, message) = (format!("{}/", own.display()), lines[at]);
    if !message.starts_with(&headers) {
        let shown = lines[begin..end].iter().map(|l| l.replace(&headers, ""));
        return RunError::refused(Code::J0806, shown.collect::<Vec<_>>().join("\n"));
    }
    // An error in a header of jumar is one of the call that leads there.
    let said = message
        .split_once("error: ")
        .map_or(message, |(_, said)| said);
    let user = lines[begin..]
        .iter()
        .filter(|l| is_context(l) || l.contains(" note: "))
        .filter_map(|l| place_of(l))
        .find(|place| !place.starts_with(&headers));
    let call = lines[begin..at].iter().find_map(|l| called(l));
    let call = call.map_or(String::new(), |call| format!(" (in `{call}`)"));
    RunError::refused(
        Code::J0806,
        match user {
            Some(place) => format!("{place}: error: {said}{call}"),
            None => format!("error: {said}{call}"),
        },
    )
}

/// A name that the compiler does not know.
struct Unknown {
    name: String,
    /// The first place that uses it, unless that is in a header of jumar.
    place: Option<String>,
    /// The name that the compiler thinks was meant.
    meant: Option<String>,
}

/// Collects the names, members and headers that the compiler does not know, once each.
fn unknown_names(lines: &[&str], own: &Path) -> Vec<Unknown> {
    let headers = format!("{}/", own.display());
    let mut found: Vec<Unknown> = Vec::new();
    // Lines of code with such a name: what they declare is not known for that.
    let mut code: Vec<&str> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((place, said)) = line.split_once("error: ") else {
            continue;
        };
        let Some(name) = unknown_name(said) else {
            if found.is_empty() {
                // Behind a mistake of another kind names may be unknown for that.
                return found;
            }
            continue;
        };
        let is_declared = code.iter().any(|line| words(line).any(|word| word == name));
        if is_declared || found.iter().any(|known| known.name == name) {
            continue;
        }
        code.extend(lines.get(at + 1));
        let meant = said
            .split_once("did you mean ")
            .and_then(|(_, rest)| quoted(rest));
        let place = place_of(place).filter(|place| !place.starts_with(&headers));
        found.push(Unknown { name, place, meant });
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Returns the first quoted part of a line.
fn quoted(text: &str) -> Option<String> {
    text.split(['‘', '’', '\'', '"']).nth(1).map(str::to_string)
}

/// Returns the name of an error of g++ or clang about a name that is nowhere declared.
fn unknown_name(said: &str) -> Option<String> {
    if let Some(header) = said.strip_suffix(": No such file or directory") {
        return Some(format!("the header {header}"));
    }
    if said.contains("file not found") {
        return quoted(said).map(|header| format!("the header {header}"));
    }
    let (name, of) = match said.split_once(" is not a member of ") {
        Some((name, of)) => (quoted(name)?, quoted(of)),
        None => match said.split_once(" has no member named ") {
            Some((of, name)) => (quoted(name)?, quoted(of)),
            None => {
                let unknown = [
                    "was not declared in this scope",
                    "that depend on a template parameter",
                    "does not name a type",
                    "has not been declared",
                    "does not name a template type",
                    "use of undeclared identifier",
                    "unknown type name",
                ];
                let is_one = unknown.iter().any(|words| said.contains(words));
                return is_one.then(|| quoted(said)).flatten();
            }
        },
    };
    let of = of.map(|of| {
        of.trim_start_matches("class ")
            .trim_start_matches("struct ")
            .to_string()
    });
    Some(of.map_or(name.clone(), |of| format!("{of}::{name}")))
}

/// Returns `file:line` at the start of a line of the compiler.
fn place_of(line: &str) -> Option<String> {
    let mut parts = line.trim_start().split(':');
    let (file, number) = (parts.next()?, parts.next()?);
    let is_line = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    is_line.then(|| format!("{file}:{number}"))
}

/// Returns the function of a line `In instantiation of ‘void Add(..) [with T = int]’:`.
fn called(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("In instantiation of ")?;
    let (signature, _) = rest.trim_start_matches(['‘', '\'']).split_once('(')?;
    signature.split_whitespace().next_back().map(str::to_string)
}

/// Lists names that are not known: where they are used, and where jumar has them.
fn listed(unknown: &[Unknown]) -> String {
    let these = match unknown {
        [_] => "this name is".to_string(),
        _ => format!("these {} names are", unknown.len()),
    };
    let mut text = format!(
        "{these} declared nowhere: misspelt, or a part of AscendC that jumar does not have"
    );
    let width = unknown.iter().map(|one| one.name.chars().count()).max();
    for Unknown { name, place, meant } in unknown {
        let place = place.as_deref().unwrap_or("");
        let innermost = name.rsplit("::").next().unwrap_or(name);
        let own = embed::FILES.iter().find(|file| {
            file.path.starts_with("include/") && words(file.text).any(|word| word == innermost)
        });
        let known = own.map(|file| {
            let header = file.path.trim_start_matches("include/");
            format!("  jumar has it (`{header}`), for another chip or behind another #include")
        });
        let meant = meant
            .as_ref()
            .map(|meant| format!("  did you mean `{meant}`?"));
        let line = format!(
            "\n  {name:0$}  {place}{1}",
            width.unwrap_or(0),
            known.or(meant).unwrap_or_default()
        );
        text += line.trim_end();
    }
    text
}

/// Removes the linker's name and object files from a line; the places follow them.
fn without_objects(line: &str) -> String {
    let words = line.split(' ').filter(|word| !word.ends_with("ld:"));
    let shown = words
        .map(|word| word.rsplit_once(".o:").map_or(word, |(_, place)| place))
        .filter(|word| !word.is_empty());
    shown.collect::<Vec<_>>().join(" ")
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
    [
        " error: ",
        " warning: ",
        "In file included from",
        "In instantiation of",
        "In function",
        "In member function",
    ]
    .iter()
    .any(|w| line.contains(w))
}

/// Returns the files and every file that they include by a name in quotes, if it is found. Paths
/// are absolute, since line information has absolute paths.
fn with_includes(
    files: &[PathBuf],
    folders: &[PathBuf],
) -> Result<Vec<(PathBuf, Vec<u8>)>, RunError> {
    let mut found: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let mut open: Vec<PathBuf> = files
        .iter()
        .map(|file| file.canonicalize().map_err(|e| trouble(file, &e)))
        .collect::<Result<_, _>>()?;
    while let Some(path) = open.pop() {
        if found.iter().any(|(known, _)| *known == path) {
            continue;
        }
        let text = fs::read(&path).map_err(|e| trouble(&path, &e))?;
        let here = path.parent().unwrap_or(Path::new("")).to_path_buf();
        for line in String::from_utf8_lossy(&text).lines() {
            let name = line
                .trim_start()
                .strip_prefix("#include")
                .and_then(|rest| rest.split('"').nth(1));
            if let Some(name) = name {
                let places = std::iter::once(&here)
                    .chain(folders)
                    .map(|dir| dir.join(name));
                open.extend(
                    places
                        .filter(|p| p.is_file())
                        .filter_map(|p| p.canonicalize().ok()),
                );
            }
        }
        found.push((path, text));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_programs_that_were_used_last_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let start = SystemTime::now() - Duration::from_secs(100_000);
        for i in 0..=KEPT {
            let program = folder.path().join(i.to_string());
            fs::create_dir(&program).expect("the folder is writable");
            let used = fs::File::create(program.join(USED)).expect("the folder is writable");
            // The program made first was used last.
            used.set_modified(
                start + Duration::from_secs((if i == 0 { KEPT + 1 } else { i }) as u64),
            )
            .expect("a time");
        }
        make_room(folder.path());
        let left: Vec<usize> = fs::read_dir(folder.path())
            .expect("a folder")
            .map(|e| {
                e.expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .parse()
                    .expect("a number")
            })
            .collect();
        assert_eq!(left.len(), KEPT * 3 / 4);
        assert!(left.contains(&0) && left.contains(&KEPT) && !left.contains(&1));
    }

    #[test]
    fn an_error_is_told_where_the_kernel_is() {
        let text = "In file included from glue.cpp:1:\n/own/h.h: In instantiation of ‘void Add(T) [with T = int]’:\n\
                    /t/k.cpp:9:8:   required from here\n/own/h.h:5:19: error: static assertion failed: no int\n    5 | x\n      | ^\n\
                    /t/k.cpp:11:1: error: second\n";
        let said = |text: &str, texts: Option<&str>| {
            compile_error(text, texts.map(Path::new), Path::new("/own"))
                .message()
                .to_string()
        };
        assert_eq!(
            said(text, Some("/t")),
            "k.cpp:9: error: static assertion failed: no int (in `Add`)"
        );
        assert_eq!(
            said(
                "/t/k.cpp:9:8: error: expected ‘;’\n    9 | x\n      | ^\n",
                Some("/t")
            ),
            "k.cpp:9:8: error: expected ‘;’\n    9 | x\n      | ^"
        );
        let linker = "/usr/bin/ld: /tmp/x.o: in function `main':\n/t/m.cpp:5:(.text+0x2a): undefined reference to `none'\n\
                      collect2: error: ld returned 1 exit status";
        assert_eq!(said(linker, None), "undefined reference to `none'");
        let twice = "/usr/bin/ld: /tmp/b.o: in function `f':\n/usr/bin/ld: /tmp/b.o:/t/b.cpp:3: multiple definition of `f'; /tmp/a.o:/t/a.cpp:7: first \
                     defined here\ncollect2: error: ld returned 1 exit status";
        assert_eq!(
            said(twice, Some("/t")),
            "b.cpp:3: multiple definition of `f'; a.cpp:7: first defined here"
        );
        assert_eq!(said("ld: cannot find x", None), "ld: cannot find x");
    }

    #[test]
    fn all_names_that_are_not_known_are_listed() {
        let text = "/t/k.cpp: In function ‘void k()’:\n/t/k.cpp:6:5: error: ‘Foo’ was not declared in this scope\n    6 | Foo foo(a);\n\
                    /t/k.cpp:7:14: error: ‘Bar’ is not a member of ‘AscendC’; did you mean ‘Baz’?\n\
                    /t/k.cpp:7:18: error: expected primary-expression before ‘float’\n\
                    /t/k.cpp:8:5: error: ‘Foo’ was not declared in this scope\n/t/k.cpp:8:9: error: ‘foo’ was not declared in this scope\n\
                    /t/k.cpp:9:7: error: ‘class AscendC::LocalTensor<float>’ has no member named ‘Qux’\n\
                    /own/h.h:3:10: fatal error: lib/none.h: No such file or directory\n";
        assert_eq!(
            compile_error(text, Some(Path::new("/t")), Path::new("/own")).message(),
            "these 4 names are declared nowhere: misspelt, or a part of AscendC that jumar does not have\n  \
             Foo                               k.cpp:6\n  \
             AscendC::Bar                      k.cpp:7  did you mean `Baz`?\n  \
             AscendC::LocalTensor<float>::Qux  k.cpp:9\n  \
             the header lib/none.h"
        );
        let behind = "/t/k.cpp:5:3: error: expected ‘;’ before ‘a’\n    5 | x\n/t/k.cpp:6:5: error: ‘a’ was not declared in this scope\n";
        assert_eq!(
            compile_error(behind, Some(Path::new("/t")), Path::new("/own")).message(),
            "k.cpp:5:3: error: expected ‘;’ before ‘a’\n    5 | x"
        );
    }
}
