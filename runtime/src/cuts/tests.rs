//! Kernels whose results depend on the cut, and their right twins.

use super::{judge, Verdict};
use jumar_dsl::ir::Kernel;
use jumar_dsl::soc::Chip;

/// The kernel of a text, which need not be accepted.
fn kernel(text: &str) -> Kernel {
    let parsed = jumar_dsl::front::parse_file(text).unwrap_or_else(|e| panic!("{}\n{text}", e.0.message));
    parsed[0].kernel.clone().unwrap_or_else(|| panic!("no kernel: {text}"))
}

fn _said(text: &str) -> Verdict {
    judge(&kernel(text), 0, Chip::default_chip(), 7)
}
