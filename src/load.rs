//! Loads kernel text at run time, without rustc, by the front end and the checker of the macro.
//!
//! ```
//! let text = "use jumar::prelude::*;
//! #[kernel]
//! pub fn copy(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
//!     for t in tiles(x) {
//!         z.at(t).store(x.at(t).load());
//!     }
//! }";
//! let file = jumar::load::check_text("copy.rs", text, None);
//! assert!(file.has_errors());
//! assert!(file.render(false).contains("J0102"));
//! ```
//!
//! A file may hold several kernels. Each is checked for the chips it declares, or for the one asked
//! for.

pub use crate::fixed::{fixed, Applied, Fixed};

use crate::render::{self, Place};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::diag::{self, About, Diagnostic};
use jumar_dsl::front;
use jumar_dsl::ir::{SourceSpan, SpanId};
use jumar_dsl::soc::Chip;
use jumar_dsl::targets;
use jumar_runtime::Fault;
use std::fmt::Write;

/// The findings of front end and checker about one text.
#[derive(Clone, Debug)]
pub struct KernelFile {
    path: String,
    text: String,
    kernels: Vec<LoadedKernel>,
    /// The only finding of a text that is not Rust, as that of a kernel without name.
    broken: Option<LoadedKernel>,
}

/// One kernel of the text.
#[derive(Clone, Debug)]
pub struct LoadedKernel {
    /// Name of the function.
    pub name: String,
    /// The kernel, once for each chip for which it is right.
    pub checked: Vec<CheckedKernel>,
    /// Findings in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Line and column of each span id.
    pub spans: Vec<SourceSpan>,
    /// True if the front end accepted it, so that the checker has seen it.
    pub read: bool,
}

impl LoadedKernel {
    /// True if it has an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Checks every kernel of `text` for `chip`, or for the chips that each declares. Messages name the
/// text by `path`.
pub fn check_text(path: &str, text: &str, chip: Option<&'static Chip>) -> KernelFile {
    let mut file = KernelFile {
        path: path.to_owned(),
        text: text.to_owned(),
        kernels: Vec::new(),
        broken: None,
    };
    match front::parse_file(text) {
        Ok(parsed) => {
            file.kernels = parsed
                .into_iter()
                .map(|kernel| check_one(kernel, chip))
                .collect()
        }
        Err(broken) => {
            let (diagnostic, spans) = broken;
            let diagnostics = vec![diagnostic];
            file.broken = Some(LoadedKernel {
                name: String::new(),
                checked: Vec::new(),
                diagnostics,
                spans,
                read: false,
            });
        }
    }
    file
}

fn check_one(parsed: front::Parsed, chip: Option<&'static Chip>) -> LoadedKernel {
    let front::Parsed {
        name,
        kernel,
        mut diagnostics,
        spans,
        ..
    } = parsed;
    let mut checked = Vec::new();
    if let Some(kernel) = &kernel {
        let chips = chip.map_or_else(|| targets::declared(kernel), |chip| vec![chip]);
        let (kernels, findings) = targets::check_for(kernel, &chips);
        checked = kernels;
        diagnostics.extend(findings);
    }
    LoadedKernel {
        name,
        checked,
        diagnostics,
        spans,
        read: kernel.is_some(),
    }
}

impl KernelFile {
    /// Returns the kernels in the order of the text.
    pub fn kernels(&self) -> &[LoadedKernel] {
        &self.kernels
    }

    /// Returns the kernel of that name.
    pub fn kernel(&self, name: &str) -> Option<&LoadedKernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// Keeps only the kernel of that name, where there is one.
    pub fn keep(&mut self, name: &str) {
        self.kernels.retain(|k| k.name == name);
    }

    /// True if the text is not Rust or a kernel has an error.
    pub fn has_errors(&self) -> bool {
        self.all().any(LoadedKernel::has_errors)
    }

    /// True if there is no finding.
    pub fn is_clean(&self) -> bool {
        self.all().all(|k| k.diagnostics.is_empty())
    }

    /// Counts the errors and the warnings.
    pub fn count(&self) -> (usize, usize) {
        let all = || self.all().flat_map(|k| &k.diagnostics);
        let errors = all().filter(|d| d.is_error()).count();
        (errors, all().count() - errors)
    }

    /// Renders every finding as rustc would print it, with a blank line after each.
    pub fn render(&self, color: bool) -> String {
        let mut out = String::new();
        for kernel in self.all() {
            let place = Place {
                path: &self.path,
                text: &self.text,
                spans: &kernel.spans,
            };
            for d in &kernel.diagnostics {
                let _ = writeln!(out, "{}\n", render::render(d, &place, color));
            }
        }
        out
    }

    /// Renders one more finding about this text, for example a fault of the simulator, as rustc
    /// would print it.
    pub fn render_at(&self, d: &Diagnostic, spans: &[SourceSpan], color: bool) -> String {
        render::render(
            d,
            &Place {
                path: &self.path,
                text: &self.text,
                spans,
            },
            color,
        )
    }

    /// Renders a fault of the simulator in a kernel of this text, as rustc would print it.
    pub fn render_fault(&self, kernel: &CheckedKernel, fault: &Fault, color: bool) -> String {
        let starts = |s: &&SourceSpan| (s.line, s.column) == (fault.line, fault.column);
        let here = SourceSpan {
            line: fault.line,
            column: fault.column,
            end_line: fault.line,
            end_column: fault.column + 1,
        };
        let span = kernel
            .kernel()
            .spans
            .iter()
            .find(starts)
            .copied()
            .unwrap_or(here);
        let place = fault
            .block
            .map(|b| format!("in block {b}"))
            .into_iter()
            .chain(fault.tile.map(|t| format!("tile {t}")));
        let place = place.collect::<Vec<_>>().join(", ");
        let d = Diagnostic::new(fault.code, SpanId(0), fault.message.as_str()).at(place);
        let span = if fault.line == 0 {
            SourceSpan::default()
        } else {
            span
        };
        self.render_at(&d, &[span], color)
    }

    /// Returns every finding, and every chip for which a kernel is right, as one line of JSON each.
    pub fn json(&self) -> String {
        let mut out = String::new();
        for kernel in self.all() {
            let about = About {
                file: Some(&self.path),
                kernel: Some(kernel.name.as_str()).filter(|name| !name.is_empty()),
            };
            for d in &kernel.diagnostics {
                let _ = writeln!(
                    out,
                    "{}",
                    diag::to_json(d, about, &self.text, &kernel.spans)
                );
            }
            for checked in &kernel.checked {
                let message = format!("ok for {}", checked.chip().name);
                let line = diag::outcome_to_json(
                    None,
                    "ok",
                    &message,
                    about,
                    &[checked.chip().name],
                    (&checked.refusals(), &[]),
                );
                let _ = writeln!(out, "{line}");
            }
        }
        out
    }

    /// True if the text is not Rust.
    pub fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Iterates over the kernels in the order of the text, after the entry of a text that is not
    /// Rust.
    pub fn all(&self) -> impl Iterator<Item = &LoadedKernel> {
        self.broken.iter().chain(&self.kernels)
    }
}
