//! Errors of a run: refused before it started, or stopped by a backend.

use jumar_dsl::diag::Code;
use jumar_dsl::tiling::{BindError, EvalError};
use std::path::PathBuf;
use thiserror::Error;

/// The reason why a kernel did not run to its end.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RunError {
    /// The launch was refused: J0503, J0603, J0604, J0605 or J0606. No output was touched.
    #[error("{code}: {message}")]
    Refused {
        code: Code,
        /// A description of what was found and what is allowed.
        message: String,
    },
    /// The simulator stopped the run; the outputs hold an undefined mixture of old and new
    /// elements.
    #[error(transparent)]
    Fault(Box<Fault>),
    /// The CPU build of an AscendC source was stopped: J0801 to J0803 and J0807 to J0812. No output
    /// was touched.
    #[error(transparent)]
    Cpp(Box<CppFault>),
}

/// A mistake that a C++ kernel made while a block ran.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{code}: {message}{}{}", .places.first().map(|p| format!("\n  --> {}:{}", p.file.display(), p.line)).unwrap_or_default(), .block.map(|b| format!(", block {b}")).unwrap_or_default())]
pub struct CppFault {
    pub code: Code,
    /// A description with the number found and the number allowed.
    pub message: String,
    /// The block; the lowest one where several blocks fail.
    pub block: Option<i64>,
    /// The call, and after it the other access of a race, or where the block of a queue that holds
    /// nothing was given out anew and given back.
    pub places: Vec<CppPlace>,
    /// The other mistakes of the run, by block and in the order in which it made them.
    pub others: Vec<CppFault>,
}

/// A line of a C++ source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CppPlace {
    pub file: PathBuf,
    /// The line, from 1 on.
    pub line: u32,
    /// The text of the line.
    pub text: String,
}

/// A mistake that the simulator or the tile interpreter found while a kernel ran: J0801 to J0804
/// and J0809.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{code}: {message}\n  --> kernel `{kernel}`, line {line}:{column}{}{}", .block.map(|b| format!(", block {b}")).unwrap_or_default(), .tile.map(|t| format!(", tile {t}")).unwrap_or_default())]
pub struct Fault {
    pub code: Code,
    /// A description with the number found and the number allowed.
    pub message: String,
    pub kernel: String,
    /// Line of the statement in the kernel's file, from 1 on; 0 where the kernel has no source
    /// locations.
    pub line: u32,
    /// Column of the statement, from 1 on; 0 where unknown.
    pub column: u32,
    /// The block; the lowest one where several blocks fail. `None` where it is unknown, or where
    /// all blocks did it together.
    pub block: Option<i64>,
    /// The value of the innermost loop variable; `None` outside of loops.
    pub tile: Option<i64>,
}

/// A mistake found while a statement ran; the code that catches it adds the place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trip {
    pub code: Code,
    pub message: String,
}

impl Trip {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Trip {
            code,
            message: message.into(),
        }
    }
    /// Reports IR that the front end does not make.
    pub fn malformed(message: impl Into<String>) -> Self {
        Trip::new(Code::J0804, message)
    }
}

impl From<EvalError> for Trip {
    fn from(e: EvalError) -> Self {
        Trip::new(Code::J0804, format!("a scalar cannot be computed: {e}"))
    }
}

impl RunError {
    pub(crate) fn refused(code: Code, message: impl Into<String>) -> Self {
        RunError::Refused {
            code,
            message: message.into(),
        }
    }
    /// Adds the item of the lists to the message.
    pub(crate) fn of_item(mut self, item: usize) -> Self {
        let message = match &mut self {
            RunError::Refused { message, .. } => message,
            RunError::Fault(fault) => &mut fault.message,
            RunError::Cpp(fault) => &mut fault.message,
        };
        *message = format!("item {item}: {message}");
        self
    }
    /// Returns the stable code of the mistake.
    pub fn code(&self) -> Code {
        match self {
            RunError::Refused { code, .. } => *code,
            RunError::Fault(fault) => fault.code,
            RunError::Cpp(fault) => fault.code,
        }
    }
    /// Returns the message without code and place.
    pub fn message(&self) -> &str {
        match self {
            RunError::Refused { message, .. } => message,
            RunError::Fault(fault) => &fault.message,
            RunError::Cpp(fault) => &fault.message,
        }
    }
    /// Returns the fault, where the simulator stopped the run.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            RunError::Refused { .. } | RunError::Cpp(_) => None,
            RunError::Fault(fault) => Some(fault),
        }
    }
}

impl From<BindError> for RunError {
    fn from(e: BindError) -> Self {
        RunError::refused(e.code, e.message)
    }
}

/// Reports an `assume` that does not hold.
pub(crate) fn broken_assumption(text: &str) -> Trip {
    Trip::new(Code::J0813, format!("`assume({text})` does not hold"))
}

/// Reports an element that is no index. Its tensor promises that it is one, or a proof says so
/// where it was computed.
pub(crate) fn broken_promise(of: Option<&str>, value: i64, below: i64) -> Trip {
    Trip::new(
        Code::J0801,
        match of {
            Some(of) => format!("an element of `{of}` is {value}, its `#[index(..)]` promises indices below {below}"),
            None => format!("a computed index is {value}, it was proved to be one below {below}; this is an error of jumar"),
        },
    )
}
