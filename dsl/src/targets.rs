//! The chips a kernel is checked for: those it names, or the default one.
//!
//! Macro, library and command line ask here, so that one kernel gets one answer from all three.

use crate::check::{check, CheckedKernel};
use crate::diag::{self, Diagnostic};
use crate::ir::Kernel;
use crate::soc::Chip;

/// The chips of `#[chips(..)]` in order, or the default chip. Names outside the table are passed over: the front
/// end reports them.
pub fn declared(kernel: &Kernel) -> Vec<&'static Chip> {
    let mut chips: Vec<&'static Chip> = Vec::new();
    for chip in kernel.chips.iter().filter_map(|name| Chip::by_name(name)) {
        if !chips.iter().any(|known| known.name == chip.name) {
            chips.push(chip);
        }
    }
    if chips.is_empty() {
        chips.push(Chip::default_chip());
    }
    chips
}

/// Checks `kernel` for each of `chips`. The findings, warnings included, come in source order, each once; one that
/// holds for some of several chips only names them in a note.
pub fn check_for(kernel: &Kernel, chips: &[&'static Chip]) -> (Vec<CheckedKernel>, Vec<Diagnostic>) {
    let mut checked = Vec::new();
    let mut found: Vec<(Diagnostic, Vec<&str>)> = Vec::new();
    for chip in chips {
        let findings = match check(kernel, chip) {
            Ok(kernel) => {
                let warnings = kernel.warnings().to_vec();
                checked.push(kernel);
                warnings
            }
            Err(errors) => errors,
        };
        for finding in findings {
            let same = |d: &Diagnostic| (d.code, d.span(), &d.message) == (finding.code, finding.span(), &finding.message);
            match found.iter_mut().find(|(d, _)| same(d)) {
                Some((_, names)) => names.push(chip.name),
                None => found.push((finding, vec![chip.name])),
            }
        }
    }
    let mut diagnostics: Vec<Diagnostic> = found
        .into_iter()
        .map(|(d, names)| if names.len() < chips.len() { d.note(format!("on {}", names.join(", "))) } else { d })
        .collect();
    diag::sort(&mut diagnostics);
    (checked, diagnostics)
}
