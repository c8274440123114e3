//! Kernels in the forms in which benchmarks take answers.
//!
//! | module | what it writes |
//! |---|---|
//! | [`npukernelbench`] | one `.cpp` of one case, between the markers that NPUKernelBench looks for |
//! | [`multikernelbench`] | the six texts of MultiKernelBench's AscendC backend, as a Python file |
//!
//! The AscendC in them comes from `jumar emit`. This module adds only what the benchmarks' own
//! programs ask of the texts. `book/src/models/bridges.md` is the guide.

pub mod multikernelbench;
pub mod npukernelbench;

use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::ParamId;
use jumar::runtime::{Case, RunError};
use thiserror::Error;

/// Why a kernel does not have the form of a benchmark.
#[derive(Debug, Error)]
pub enum BridgeError {
    /// The launch of the case is refused.
    #[error(transparent)]
    Launch(#[from] RunError),
    /// No instance has these element types, or several have.
    #[error("{0}")]
    Types(String),
    /// The given parameters are not those of the kernel.
    #[error("{0}")]
    Params(String),
    /// The kernel needs a workspace, which the form does not provide.
    #[error("kernel `{kernel}` needs {bytes} bytes of workspace ({names}), and {form} gives a kernel none")]
    Workspace {
        kernel: String,
        /// Size of the workspace in bytes.
        bytes: i64,
        /// Names of the workspaces.
        names: String,
        /// The form that provides none.
        form: &'static str,
    },
    /// The kernel has barriers, and its author fixed the number of blocks.
    #[error("kernel `{kernel}` has {blocks} blocks that wait for one another, and NPUKernelBench's static form has no workspace to wait with")]
    Meets { kernel: String, blocks: i64 },
    /// The form cannot express some part of the kernel.
    #[error("{0}")]
    Form(String),
    /// The text contains a word that the benchmark's program misreads.
    #[error("line {line} of the text has {what}")]
    Rule {
        /// The word and its effect.
        what: String,
        line: usize,
    },
}

impl BridgeError {
    /// Returns advice on how to fix the error.
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

/// Finds the instance with these element types for a case. `types` may leave out a parameter that
/// has one element type, and one that no tensor of the case has.
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
