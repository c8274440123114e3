//! A kernel of a program: the result of `#[kernel]` on a function.
//!
//! A [`KernelDef`] holds the IR as text. It is parsed at first use and checked again for the chip
//! it is used on. The macro cannot know the device, and only the checker makes a `CheckedKernel`.
//! Each chip is checked once in a process.

#[cfg(feature = "emit")]
use jumar_codegen::{EmitOptions, Project, ProjectKind};
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::diag::Diagnostic;
use jumar_dsl::ir::text::TextError;
use jumar_dsl::ir::{Kernel, SourceSpan};
use jumar_dsl::soc::Chip;
use jumar_dsl::targets;
use jumar_runtime::{Backend, Launch, RunError};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A kernel of this program, under the name of its function.
pub struct KernelDef {
    name: &'static str,
    file: &'static str,
    ir: &'static str,
    kernel: OnceLock<Result<Kernel, TextError>>,
    checked: Mutex<BTreeMap<&'static str, &'static CheckedKernel>>,
}

/// The reason why a kernel of this program cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The IR text is not of this version of the library: macro and library come from different
    /// ones.
    #[error("kernel `{kernel}` carries {source}; build it with the version of jumar that runs it")]
    Ir {
        kernel: &'static str,
        /// The mistake in the text.
        source: TextError,
    },
    /// The kernel is wrong for this chip.
    #[error("{0}")]
    Rejected(Rejection),
}

/// The reason why a launch failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LaunchError {
    /// The kernel cannot be used on the backend's chip.
    #[error(transparent)]
    Kernel(#[from] Error),
    /// The launch was refused, or stopped.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The findings for one chip.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    pub kernel: &'static str,
    pub chip: &'static str,
    /// The findings in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Line and column of each span id.
    pub spans: Vec<SourceSpan>,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}` is refused for {}", self.kernel, self.chip)?;
        for d in &self.diagnostics {
            let at = self
                .spans
                .get(d.span().index())
                .copied()
                .unwrap_or_default();
            write!(f, "\n{}:{}: {}: {}", at.line, at.column, d.code, d.message)?;
            d.notes
                .iter()
                .try_for_each(|note| write!(f, "\n  = note: {note}"))?;
            d.help
                .iter()
                .try_for_each(|help| write!(f, "\n  = help: {help}"))?;
        }
        Ok(())
    }
}

impl KernelDef {
    pub(crate) const fn new(name: &'static str, file: &'static str, ir: &'static str) -> Self {
        KernelDef {
            name,
            file,
            ir,
            kernel: OnceLock::new(),
            checked: Mutex::new(BTreeMap::new()),
        }
    }

    /// Returns the name of the function.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the IR as text.
    pub fn ir(&self) -> &'static str {
        self.ir
    }

    /// Returns the kernel as IR.
    ///
    /// # Errors
    /// [`Error::Ir`] where macro and library are of different versions.
    pub fn kernel(&self) -> Result<&Kernel, Error> {
        let parsed = self.kernel.get_or_init(|| Kernel::parse(self.ir));
        parsed.as_ref().map_err(|e| Error::Ir {
            kernel: self.name,
            source: e.clone(),
        })
    }

    /// Returns the chip that [`bind`](Self::bind) assumes: the first of `#[chips(..)]`, or the
    /// default chip.
    ///
    /// # Errors
    /// Those of [`kernel`](Self::kernel).
    pub fn chip(&self) -> Result<&'static Chip, Error> {
        Ok(targets::declared(self.kernel()?)[0])
    }

    /// Checks the kernel for `chip`.
    ///
    /// # Errors
    /// [`Error::Rejected`] where it is wrong for that chip.
    pub fn check(&'static self, chip: &'static Chip) -> Result<&'static CheckedKernel, Error> {
        // A map behind a poisoned lock is consistent: its entries are added whole.
        let mut known = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(checked) = known.get(chip.name) {
            return Ok(checked);
        }
        let kernel = self.kernel()?;
        let checked = check(kernel, chip).map_err(|diagnostics| {
            let spans = kernel.spans.clone();
            Error::Rejected(Rejection {
                kernel: self.name,
                chip: chip.name,
                diagnostics,
                spans,
            })
        })?;
        // The kernel is a static, so one leaked value for each chip lives equally long.
        let checked: &'static CheckedKernel = Box::leak(Box::new(checked));
        known.insert(chip.name, checked);
        Ok(checked)
    }

    /// Makes a launch that binds arguments by name, on the reference simulator and for
    /// [`chip`](Self::chip). Where the arguments are known when the program is written, the
    /// kernel's own `launch` takes them in order.
    ///
    /// # Errors
    /// Those of [`check`](Self::check).
    pub fn bind(&'static self) -> Result<Launch<'static>, Error> {
        self.bind_on(self.chip()?)
    }

    /// As `bind`, for `chip`.
    ///
    /// # Errors
    /// Those of [`check`](Self::check).
    pub fn bind_on(&'static self, chip: &'static Chip) -> Result<Launch<'static>, Error> {
        Ok(Launch::new(self.check(chip)?))
    }

    /// As `bind`, on a backend, and for its chip where it has one.
    ///
    /// # Errors
    /// Those of [`check`](Self::check).
    pub fn bind_to<'a>(&'static self, backend: &'a dyn Backend) -> Result<Launch<'a>, Error> {
        let chip = match backend.chip() {
            Some(chip) => chip,
            None => self.chip()?,
        };
        Ok(Launch::new(self.check(chip)?).backend(backend))
    }

    /// Emits the kernel as an AscendC project for `chip`: named texts, no files.
    ///
    /// # Errors
    /// Those of [`check`](Self::check).
    #[cfg(feature = "emit")]
    pub fn emit(&'static self, kind: ProjectKind, chip: &'static Chip) -> Result<Project, Error> {
        let checked = self.check(chip)?;
        // Emitted text has only the file's name, no path of the machine.
        let source_name = self.file.rsplit(['/', '\\']).next().map(str::to_owned);
        Ok(jumar_codegen::emit(
            checked,
            &EmitOptions {
                kind,
                source_name,
                ..EmitOptions::default()
            },
        ))
    }
}

impl fmt::Debug for KernelDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KernelDef")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
