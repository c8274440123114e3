//! The machine-readable form: one JSON object a diagnostic, and one with equal fields for other
//! outcomes.
//!
//! The JSON is written by hand because the macro needs `dsl`, and every dependency costs each
//! user's build.

use super::{byte_range, Change, Code, Diagnostic, Severity};
use crate::ir::{SourceSpan, SpanId};
use std::fmt::Write;
use std::ops::Range;

/// The subject of a line of JSON.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// The kernel file, as messages call it.
    pub file: Option<&'a str>,
    /// Name of the kernel.
    pub kernel: Option<&'a str>,
}

/// Writes a diagnostic as one line of JSON. `text` is the kernel file, `spans` its table of places.
///
/// Fields:
///
/// - `code`, `name`, `severity`, `message`, `file` and `kernel` (or null);
/// - `chips`, empty where the finding holds for every chip;
/// - `span`: `line`, `column`, `end_line`, `end_column`, 1-based, columns in characters, and
///   `byte`, `length` in bytes;
/// - `labels`, `notes`, `help`, `numbers`;
/// - `expected`: texts that might stand at the place instead;
/// - `fix` or null: `applicability`, and `edits` of `span` and `replacement`, in the order of the
///   text and without overlap;
/// - `doc`: the entry of the code in the book.
///
/// [`super::schema`] describes them for programs.
pub fn to_json(d: &Diagnostic, about: About<'_>, text: &str, spans: &[SourceSpan]) -> String {
    let severity = if d.severity == Severity::Error {
        "error"
    } else {
        "warning"
    };
    let mut out = head(Some(d.code), severity, &d.message, about, &d.chips);
    let _ = write!(out, r#","span":{}"#, span(d.span(), text, spans));
    let labels = d.labels.iter().map(|l| {
        format!(
            r#"{{"span":{},"text":{}}}"#,
            span(l.span, text, spans),
            quote(&l.text)
        )
    });
    let _ = write!(
        out,
        r#","labels":[{}]"#,
        labels.collect::<Vec<_>>().join(",")
    );
    for (name, lines) in [("notes", &d.notes), ("help", &d.help)] {
        let lines: Vec<_> = lines.iter().map(|l| quote(l)).collect();
        let _ = write!(out, r#","{name}":[{}]"#, lines.join(","));
    }
    let expected: Vec<_> = d.expected.iter().map(|e| quote(e)).collect();
    let numbers: Vec<_> = d
        .numbers
        .iter()
        .map(|(n, v)| format!("{}:{v}", quote(n)))
        .collect();
    let _ = write!(
        out,
        r#","expected":[{}],"numbers":{{{}}}"#,
        expected.join(","),
        numbers.join(",")
    );
    let changes = d
        .fix
        .as_ref()
        .and_then(|f| Some((f.resolve(text, spans)?, f.applicability)));
    let fix = changes.map_or("null".to_string(), |(changes, how)| {
        let edits: Vec<_> = changes.iter().map(|c| edit(c, text)).collect();
        format!(
            r#"{{"edits":[{}],"applicability":"{}"}}"#,
            edits.join(","),
            how.as_str()
        )
    });
    let _ = write!(out, r#","fix":{fix},"doc":{}}}"#, doc(Some(d.code)));
    out
}

fn edit(change: &Change, text: &str) -> String {
    let at = place(text, change.bytes.start);
    let end = place(text, change.bytes.end);
    let s = SourceSpan {
        line: at.0,
        column: at.1,
        end_line: end.0,
        end_column: end.1,
    };
    format!(
        r#"{{"span":{},"replacement":{}}}"#,
        written(s, change.bytes.clone()),
        quote(&change.replacement)
    )
}

/// Returns the line and column of a byte.
fn place(text: &str, byte: usize) -> (u32, u32) {
    let before = &text[..byte];
    let line = before.rfind('\n').map_or(0, |i| i + 1);
    (
        before.matches('\n').count() as u32 + 1,
        before[line..].chars().count() as u32 + 1,
    )
}

/// Returns the entry of a code in the book.
fn doc(code: Option<Code>) -> String {
    code.map_or("null".to_string(), |code| quote(&code.doc()))
}

/// Writes an outcome that is no finding in a kernel's text, with the fields of [`to_json`].
///
/// It is a kernel that is right for its chips (`severity` is `ok`), or a call that failed. It has
/// no place, and a code only where one stands for it.
pub fn outcome_to_json(
    code: Option<Code>,
    severity: &str,
    message: &str,
    about: About<'_>,
    chips: &[&str],
    (notes, help): (&[String], &[&str]),
) -> String {
    let mut out = head(code, severity, message, about, chips);
    let notes: Vec<_> = notes.iter().map(|line| quote(line)).collect();
    let help: Vec<_> = help.iter().map(|line| quote(line)).collect();
    let (notes, help) = (notes.join(","), help.join(","));
    let _ = write!(
        out,
        r#","span":null,"labels":[],"notes":[{notes}],"help":[{help}],"expected":[],"numbers":{{}},"fix":null,"doc":{}}}"#,
        doc(code)
    );
    out
}

/// Writes the fields that every line begins with.
fn head(
    code: Option<Code>,
    severity: &str,
    message: &str,
    about: About<'_>,
    chips: &[&str],
) -> String {
    let or_null = |text: Option<&str>| text.map_or("null".to_string(), quote);
    let chips: Vec<_> = chips.iter().map(|name| quote(name)).collect();
    format!(
        r#"{{"code":{},"name":{},"severity":"{severity}","message":{},"file":{},"kernel":{},"chips":[{}]"#,
        or_null(code.map(Code::as_str)),
        or_null(code.map(Code::name)),
        quote(message),
        or_null(about.file),
        or_null(about.kernel),
        chips.join(",")
    )
}

fn span(id: SpanId, text: &str, spans: &[SourceSpan]) -> String {
    let s = spans.get(id.index()).copied().unwrap_or_default();
    written(s, byte_range(text, s))
}

fn written(s: SourceSpan, bytes: Range<usize>) -> String {
    format!(
        r#"{{"line":{},"column":{},"end_line":{},"end_column":{},"byte":{},"length":{}}}"#,
        s.line,
        s.column,
        s.end_line,
        s.end_column,
        bytes.start,
        bytes.len()
    )
}

pub(super) fn quote(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
