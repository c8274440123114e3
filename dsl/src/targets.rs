//! The chips that a kernel is checked for: those it names, or the default one.
//!
//! Macro, library and command line all ask this module, so one kernel gets one answer from each.

use crate::check::{check, CheckedKernel};
use crate::diag::{self, Diagnostic};
use crate::ir::Kernel;
use crate::soc::Chip;

/// Returns the chips of `#[chips(..)]` in order, or the default chip.
///
/// Names outside the table are skipped; the front end reports them.
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

/// Checks `kernel` for each of `chips`.
///
/// The findings come in source order, warnings included. A finding of several chips comes once and
/// lists them. One that holds for only some of `chips` names these in a note as well.
pub fn check_for(
    kernel: &Kernel,
    chips: &[&'static Chip],
) -> (Vec<CheckedKernel>, Vec<Diagnostic>) {
    let mut checked = Vec::new();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
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
            let same = |d: &Diagnostic| {
                (d.code, d.span(), &d.message) == (finding.code, finding.span(), &finding.message)
            };
            match diagnostics.iter_mut().find(|d| same(d)) {
                Some(known) => known.chips.push(chip.name),
                None => diagnostics.push(Diagnostic {
                    chips: vec![chip.name],
                    ..finding
                }),
            }
        }
    }
    for d in diagnostics
        .iter_mut()
        .filter(|d| d.chips.len() < chips.len())
    {
        d.notes.push(format!("on {}", d.chips.join(", ")));
    }
    diag::sort(&mut diagnostics);
    (checked, diagnostics)
}
