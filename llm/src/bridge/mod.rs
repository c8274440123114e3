//! Kernels in the forms in which benchmarks take answers.
//!
//! | module | what it writes |
//! |---|---|
//! | [`npukernelbench`] | one `.cpp` of one case, between the markers that NPUKernelBench looks for |
//! | [`multikernelbench`] | the six texts of MultiKernelBench's AscendC backend, as a Python file |
//!
//! The AscendC in them is that of `jumar emit`; here is only what the benchmarks' own programs ask of texts besides. `docs/bridges.md` is the guide.

pub mod multikernelbench;
pub mod npukernelbench;

use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::ParamId;
use jumar::runtime::{Case, RunError};
use thiserror::Error;

/// Why a kernel has no such form.
#[derive(Debug, Error)]
pub enum BridgeError {
    /// The launch of the case is refused.
    #[error(transparent)]
    Launch(#[from] RunError),
    /// No instance has these element types, or several have.
    #[error("{0}")]
    Types(String),
    /// Parameters that are not those of the kernel.
    #[error("{0}")]
    Params(String),
    /// It needs memory that nobody gives it.
    #[error("kernel `{kernel}` needs {bytes} bytes of workspace ({names}), and {form} gives a kernel none")]
    Workspace {
        /// The kernel.
        kernel: String,
        /// How many bytes.
        bytes: i64,
        /// What lies there.
        names: String,
        /// Whose form it is.
        form: &'static str,
    },
    /// Its blocks wait for one another, and their number is the author's.
    #[error("kernel `{kernel}` has {blocks} blocks that wait for one another, and NPUKernelBench's static form has no workspace to wait with")]
    Meets {
        /// The kernel.
        kernel: String,
        /// How many blocks.
        blocks: i64,
    },
    /// The form has no place for something of the kernel.
    #[error("{0}")]
    Form(String),
    /// A text has what the benchmark's program takes for something else.
    #[error("line {line} of the text has {what}")]
    Rule {
        /// What.
        what: String,
        /// Where.
        line: usize,
    },
}

impl BridgeError {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            BridgeError::Launch(_) => "give sizes with --shape NAME=4096,1024 and attributes with --arg NAME=VALUE",
            BridgeError::Types(_) => "say the element type of each parameter: --dtype T=f16",
            BridgeError::Params(_) => "name the benchmark's parameters in its order, tensors as the kernel calls them: --params x,k,values,indices",
            BridgeError::Workspace { .. } => {
                "let no loop leave values or workspaces to a later one, or export it with `jumar emit --project msopgen`, whose host asks for the workspace"
            }
            BridgeError::Meets { .. } => "leave the number of blocks to jumar, or export it with `jumar emit --project msopgen`",
            BridgeError::Form(_) => "write the kernel without it, or export it with `jumar emit --project msopgen` and bind it by hand",
            BridgeError::Rule { .. } => "write that part of the kernel in other words: a message of `assume`, or a name",
        }
    }
}

/// The instance of these element types, by the names of the kernel's parameters, for a case; what the kernel has one of, and what no tensor of the
/// case has, need not be said.
///
/// # Errors
/// [`BridgeError::Types`].
pub fn instance(
    kernel: &CheckedKernel,
    types: &[(String, DType)],
    case: &Case,
) -> Result<usize, BridgeError> {
    let sig = &kernel.kernel().sig;
    let name = &sig.name;
    let param = |wanted: &str| sig.dtypes.iter().position(|own| own.name == *wanted);
    if let Some((unknown, _)) = types.iter().find(|(wanted, _)| param(wanted).is_none()) {
        return Err(BridgeError::Types(format!(
            "kernel `{name}` has no element type parameter `{unknown}`"
        )));
    }
    let fits = |binding: &[DType]| {
        types
            .iter()
            .all(|(wanted, dtype)| param(wanted).is_some_and(|at| binding[at] == *dtype))
    };
    let is_given = |id: ParamId| {
        let is_said = case
            .shapes
            .iter()
            .any(|(own, _)| *own == sig.param(id).name);
        is_said || sig.is_output(id) && !sig.is_optional(id)
    };
    let found = sig.told_apart(
        (0..sig.instances.len()).filter(|at| fits(&sig.instances[*at])),
        is_given,
    );
    let listed = || {
        let row = |binding: &[DType]| {
            let all = sig
                .dtypes
                .iter()
                .zip(binding)
                .map(|(own, dtype)| format!("{}={dtype}", own.name));
            all.collect::<Vec<_>>().join(" ")
        };
        kernel
            .instances()
            .iter()
            .map(|lowered| row(lowered.binding()))
            .collect::<Vec<_>>()
            .join(", or ")
    };
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(BridgeError::Types(format!(
            "kernel `{name}` has no such instance; it has {}",
            listed()
        ))),
        [_, _, ..] => Err(BridgeError::Types(format!(
            "kernel `{name}` is one of several instances: {}",
            listed()
        ))),
    }
}
