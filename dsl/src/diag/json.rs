//! Machine-readable form: one JSON object a diagnostic. Written by hand because `dsl` is built for the macro, too,
//! and every dependency costs each user's build.

use super::{byte_range, Diagnostic, Severity};
use crate::ir::{SourceSpan, SpanId};
use std::fmt::Write;

/// A diagnostic as one line of JSON. `text` is the kernel file, `spans` its table of places.
///
/// Fields: `code`, `name`, `severity`, `message`, `span` (`line`, `column`, `end_line`, `end_column`, 1-based, and
/// `byte`, `length`), `labels`, `notes`, `help`, `numbers`, `fix` (`span`, `replacement`) or null.
pub fn to_json(d: &Diagnostic, text: &str, spans: &[SourceSpan]) -> String {
    let mut out = String::new();
    let severity = if d.severity == Severity::Error { "error" } else { "warning" };
    let _ = write!(
        out,
        r#"{{"code":"{}","name":"{}","severity":"{severity}","message":{},"span":{}"#,
        d.code,
        d.code.name(),
        quote(&d.message),
        span(d.span(), text, spans)
    );
    let labels = d.labels.iter().map(|l| format!(r#"{{"span":{},"text":{}}}"#, span(l.span, text, spans), quote(&l.text)));
    let _ = write!(out, r#","labels":[{}]"#, labels.collect::<Vec<_>>().join(","));
    for (name, lines) in [("notes", &d.notes), ("help", &d.help)] {
        let lines: Vec<_> = lines.iter().map(|l| quote(l)).collect();
        let _ = write!(out, r#","{name}":[{}]"#, lines.join(","));
    }
    let numbers: Vec<_> = d.numbers.iter().map(|(n, v)| format!("{}:{v}", quote(n))).collect();
    let _ = write!(out, r#","numbers":{{{}}}"#, numbers.join(","));
    let fix = d.fix.as_ref().map_or("null".to_string(), |f| {
        format!(r#"{{"span":{},"replacement":{}}}"#, span(f.span, text, spans), quote(&f.replacement))
    });
    let _ = write!(out, r#","fix":{fix}}}"#);
    out
}

fn span(id: SpanId, text: &str, spans: &[SourceSpan]) -> String {
    let s = spans.get(id.index()).copied().unwrap_or_default();
    let bytes = byte_range(text, s);
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

fn quote(text: &str) -> String {
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
