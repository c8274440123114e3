//! Emits an AscendC project from a checked kernel: readable texts that say what the IR says.
//!
//! - **Input**: a [`CheckedKernel`] and [`EmitOptions`].
//! - **Output**: a [`Project`] of [`File`]s, an [`Object`] for the device compiler, or a fixed text
//!   of one case ([`emit_fixed`]).
//! - **Invariants**: [`emit`] is a pure function. It reads and writes no file, and equal kernels
//!   give equal bytes. It reads the lowered IR only and borrows nothing from the simulator, so that
//!   their agreement is evidence.
//!
//! [`emit`] plans first, then prints each text once.
//!
//! | module | has |
//! |---|---|
//! | `plan` | names, tiling data, entries |
//! | `resolve`, `classes` | instances that share a class, decided on a body without anything of one instance |
//! | `device` | kernel classes and entries |
//! | `host` | tiling function, shape binding, launch code |
//! | `project` | the files of each [`ProjectKind`] |
//! | `example` | a launch to show |
//! | `scalar`, `names`, `cpp` | expressions, unique identifiers, the text builder |
//!
//! Start reading at [`emit`], then `plan.rs` (`Plan`).
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

/// The way of CANN from source to a running kernel that a project follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProjectKind {
    /// Kernel and `main.cpp`, built with `ascendc_library`, launched through
    /// `aclrtlaunch_<kernel>`.
    #[default]
    Direct,
    /// One `.asc` source, launched with `<<<>>>`; CANN has the language from 8.5 on.
    Asc,
    /// A custom operator in the layout of msopgen: `op_host`, `op_kernel`, an installable package,
    /// `aclnn` calls.
    Msopgen,
    /// A PyTorch extension: the kernel as a library of CANN 8.x or newer, and an operator that
    /// launches it on the current stream.
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

    /// The word for the kind on the command line.
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

/// An unknown name of a project kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProjectKind(pub String);

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

/// Options of [`emit`].
#[derive(Clone, Debug, Default)]
pub struct EmitOptions {
    /// The layout of the project.
    pub kind: ProjectKind,
    /// File name of the kernel's Rust source, for comments that lead back to it: `swish.rs`. Its
    /// directory is dropped, so that no path of the machine gets into the texts.
    pub source_name: Option<String>,
    /// Type of the operator of a msopgen project, in PascalCase: `Swish`. The default is the
    /// kernel's name with `Custom` behind it. CANN has operators of many names, and a project with
    /// such a name hides CANN's operator.
    pub op_type: Option<String>,
    /// Adds `PipeBarrier<PIPE_V>` between vector calls that depend on one another, for builds
    /// without automatic synchronisation.
    pub barriers: bool,
}

/// One text of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path inside the project, with `/`.
    pub path: String,
    pub text: String,
}

/// The texts of a project, in a fixed order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    pub files: Vec<File>,
}

impl Project {
    /// Returns the content of a file.
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
/// let options = EmitOptions {
///     kind: ProjectKind::Msopgen,
///     source_name: Some("swish.rs".into()),
///     ..EmitOptions::default()
/// };
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

/// Returns the host tiling function as one text that needs only a C++17 compiler: tiling data,
/// arguments, function. Its names are those of [`names`].
pub fn tiling_header(kernel: &CheckedKernel) -> String {
    host::func::standalone(&Plan::new(kernel, &EmitOptions::default()))
}

/// Returns the operator of a msopgen project as a function of a Python module, for PyTorch.
///
/// # Errors
/// A message that names the parameter for which such a function has no form.
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

/// Returns the names in a kernel's texts, for an operator without a type given by the author.
pub fn names(kernel: &CheckedKernel) -> Names {
    Names::new(&kernel.kernel().sig, kernel.instances(), None)
}
