//! From a checked kernel to an AscendC project: readable texts that say what the IR says.
//!
//! A pure function: no file is read or written, and the same kernel gives the same bytes. [`emit`] plans first
//! (`plan`: names, tiling data, entries; `classes`: which dtype instances share a class, decided on what `resolve` makes of the
//! IR), then prints each text once: `device` the kernel classes and
//! entries, `host` the tiling function, shape binding and launch code, `project` the files of each [`ProjectKind`], `example` finds a launch to show.
//! It reads the lowered IR only and borrows nothing from the simulator: that the two agree is evidence.
//! `scalar` prints expressions, `names` keeps identifiers unique, `cpp` builds text.
#![forbid(unsafe_code)]

mod classes;
mod cpp;
mod device;
mod example;
mod fixed;
mod host;
mod names;
mod object;
mod parts;
mod plan;
mod project;
mod range;
mod release;
mod reserved;
mod resolve;
mod scalar;
mod uses;

pub use fixed::{emit_fixed, FixedCase};
use jumar_dsl::check::CheckedKernel;
pub use object::{emit_object, Form, Object};
use plan::Plan;
pub use plan::{Field, Names};
pub use release::{needs, Fact, Feature, Needs, Release, FACTS};
use std::fmt;
use std::str::FromStr;

/// Which of CANN's ways from source to a running kernel the project follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProjectKind {
    /// Kernel and `main.cpp`, built with `ascendc_library`, launched through `aclrtlaunch_<kernel>`.
    #[default]
    Direct,
    /// One `.asc` source, launched with `<<<>>>`; CANN has the language from 8.5 on.
    Asc,
    /// A custom operator as msopgen lays it out: `op_host`, `op_kernel`, an installable package, `aclnn` calls.
    Msopgen,
    /// A PyTorch extension: the kernel as a library of CANN 8.x or newer, and an operator that launches it on the current stream.
    Torch,
}

impl ProjectKind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [ProjectKind; 4] = [
        ProjectKind::Direct,
        ProjectKind::Asc,
        ProjectKind::Msopgen,
        ProjectKind::Torch,
    ];

    /// The word that stands for the kind on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            ProjectKind::Direct => "direct",
            ProjectKind::Asc => "asc",
            ProjectKind::Msopgen => "msopgen",
            ProjectKind::Torch => "torch",
        }
    }
}

impl fmt::Display for ProjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no project kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProjectKind(
    /// The word.
    pub String,
);

impl fmt::Display for UnknownProjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = ProjectKind::ALL.iter().map(|k| k.name()).collect();
        write!(
            f,
            "`{}` is no project kind; there are {}",
            self.0,
            known.join(", ")
        )
    }
}

impl std::error::Error for UnknownProjectKind {}

impl FromStr for ProjectKind {
    type Err = UnknownProjectKind;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        ProjectKind::ALL
            .into_iter()
            .find(|k| k.name() == s)
            .ok_or_else(|| UnknownProjectKind(s.to_string()))
    }
}

/// What to emit.
#[derive(Clone, Debug, Default)]
pub struct EmitOptions {
    /// The layout of the project.
    pub kind: ProjectKind,
    /// File name of the kernel's Rust source, for the comments that lead back to it: `swish.rs`. A directory in front
    /// of it is dropped, so that no path of the machine gets into the texts.
    pub source_name: Option<String>,
    /// Type of the operator of a msopgen project, in PascalCase: `Swish`. Left out it is the kernel's name with `Custom` behind it,
    /// since CANN has operators of many names and a project that has one of them hides it.
    pub op_type: Option<String>,
    /// True where vector calls that depend on one another are to have a `PipeBarrier<PIPE_V>` between them, for builds without
    /// automatic synchronisation.
    pub barriers: bool,
}

/// One text of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path inside the project, with `/`.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// The texts of a project, in a fixed order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The files.
    pub files: Vec<File>,
}

impl Project {
    /// Content of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files
            .iter()
            .find(|f| f.path == path)
            .map(|f| f.text.as_str())
    }
}

/// Emits the project of a kernel.
///
/// ```
/// # use jumar_dsl::check::CheckedKernel;
/// # use jumar_codegen::{emit, EmitOptions, ProjectKind};
/// # fn show(kernel: &CheckedKernel) {
/// let options = EmitOptions { kind: ProjectKind::Msopgen, source_name: Some("swish.rs".into()), ..EmitOptions::default() };
/// for file in emit(kernel, &options).files {
///     println!("{} ({} bytes)", file.path, file.text.len());
/// }
/// # }
/// ```
pub fn emit(kernel: &CheckedKernel, options: &EmitOptions) -> Project {
    let plan = Plan::new(kernel, options);
    Project {
        files: project::files(&plan, options),
    }
}

/// The host tiling function as one text that needs nothing but a C++17 compiler: tiling data, arguments, function.
/// The names in it are those of [`names`].
pub fn tiling_header(kernel: &CheckedKernel) -> String {
    host::func::standalone(&Plan::new(kernel, &EmitOptions::default()))
}

/// The operator of a msopgen project as a function of a Python module, for PyTorch.
///
/// # Errors
/// Says in words which parameter such a function has no form for.
pub fn torch_binding(
    kernel: &CheckedKernel,
    function: &str,
    options: &EmitOptions,
) -> Result<String, String> {
    let options = EmitOptions {
        kind: ProjectKind::Msopgen,
        ..options.clone()
    };
    host::binding::source(&Plan::new(kernel, &options), function)
}

/// The names that the texts of a kernel use, where the author gives the operator no type of its own.
pub fn names(kernel: &CheckedKernel) -> Names {
    Names::new(&kernel.kernel().sig, kernel.instances(), None)
}
