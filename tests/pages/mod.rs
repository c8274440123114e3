//! Reads the explanation pages and compares derived files, for all suites.

use jumar_dsl::check::check;
use jumar_dsl::diag::{Code, Diagnostic};
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::SourceSpan;
use jumar_dsl::soc::Chip;
use jumar_kit::book;
use std::path::{Path, PathBuf};

/// The parts of a page that tests look at.
pub struct Page {
    pub code: Code,
    pub text: &'static str,
    /// Chip of `<!-- chip: NAME -->`, or the default chip.
    pub chip: &'static Chip,
    /// Code of `<!-- also: CODE -->`, which the wrong kernel cannot avoid.
    pub also: Option<Code>,
    /// The fence marked `wrong`.
    pub wrong: Option<String>,
    /// The fence marked `right`.
    pub right: Option<String>,
}

/// Reads every page, in the order of the codes.
pub fn pages() -> Vec<Page> {
    Code::ALL
        .iter()
        .map(|&code| {
            let text = code.explanation();
            let chip = comment(text, "chip");
            let chip = chip.map_or(Chip::default_chip(), |name| {
                Chip::by_name(name).expect("a page names a chip of the table")
            });
            let also = comment(text, "also")
                .map(|name| Code::by_name(name).expect("a page names a code of the table"));
            Page {
                code,
                text,
                chip,
                also,
                wrong: fence(text, "rust,wrong"),
                right: fence(text, "rust,right"),
            }
        })
        .collect()
}

/// Returns the value of `<!-- key: value -->`.
fn comment<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.split(&format!("<!-- {key}: "))
        .nth(1)
        .and_then(|rest| rest.split(" -->").next())
}

/// Returns the first fence with this info string.
fn fence(text: &str, info: &str) -> Option<String> {
    let mut fences = book::fences(text).into_iter();
    fences
        .find(|fence| fence.info == info)
        .map(|fence| fence.body)
}

/// A finding with the places of its kernel.
pub struct Finding {
    pub diagnostic: Diagnostic,
    pub spans: Vec<SourceSpan>,
}

/// Checks a text as the run-time path does: front end, then checker.
pub fn findings(text: &str, chip: &'static Chip) -> Vec<Finding> {
    let parsed = match parse_file(text) {
        Ok(parsed) => parsed,
        Err(broken) => {
            let (diagnostic, spans) = broken;
            return vec![Finding { diagnostic, spans }];
        }
    };
    let mut all = Vec::new();
    for kernel in parsed {
        let mut diagnostics = kernel.diagnostics;
        if let Some(k) = &kernel.kernel {
            match check(k, chip) {
                Ok(checked) => diagnostics.extend(checked.warnings().to_vec()),
                Err(errors) => diagnostics.extend(errors),
            }
        }
        all.extend(diagnostics.into_iter().map(|diagnostic| Finding {
            diagnostic,
            spans: kernel.spans.clone(),
        }));
    }
    all
}

/// Prints a line for each finding.
pub fn summary(findings: &[Finding]) -> String {
    let line = |f: &Finding| {
        let at = f
            .spans
            .get(f.diagnostic.span().index())
            .copied()
            .unwrap_or_default();
        format!(
            "{}:{}: {}: {}",
            at.line, at.column, f.diagnostic.code, f.diagnostic.message
        )
    };
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns a path in the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Compares a committed file with the text that tables give, or writes it with `UPDATE_DOCS=1`.
pub fn hold(path: &str, want: &str, test: &str) -> Result<(), String> {
    let refresh = format!("UPDATE_DOCS=1 cargo test --test suite {test}");
    book::hold(path, want, &refresh)
}
