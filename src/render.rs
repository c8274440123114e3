//! Renders findings for people: rustc's layout, with the codes of jumar.
//!
//! ```text
//! error[J0202]: a tile of `f32` is stored to a tensor of `T`
//!  --> swish.rs:7:20
//!   |
//! 7 |         y.at(t).store(v);
//!   |                    ^
//!   |
//!   = help: convert it first: `.cast::<T>()`
//! ```
//!
//! The form for programs is [`jumar_dsl::diag::to_json`].

use annotate_snippets::{
    normalize_untrusted_str, Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet,
};
use jumar_dsl::diag::{byte_range, Applicability, Code, Diagnostic};
use jumar_dsl::ir::{SourceSpan, SpanId};
use jumar_runtime::CppFault;
use std::ops::Range;

/// A text with its source locations.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The name of the file in messages.
    pub path: &'a str,
    pub text: &'a str,
    /// Line and column of each span id.
    pub spans: &'a [SourceSpan],
}

impl Place<'_> {
    /// Returns the byte range of a span; `None` for one without a place.
    fn range(&self, id: SpanId) -> Option<Range<usize>> {
        let span = *self.spans.get(id.index())?;
        (span != SourceSpan::default()).then(|| byte_range(self.text, span))
    }
}

/// Renders one finding as rustc would print it, without a final newline.
pub fn render(d: &Diagnostic, place: &Place<'_>, color: bool) -> String {
    let level = if d.is_error() {
        Level::ERROR
    } else {
        Level::WARNING
    };
    let mut group = Group::with_title(level.primary_title(d.message.as_str()).id(d.code.as_str()));
    let marks: Vec<Annotation<'_>> = d
        .labels
        .iter()
        .enumerate()
        .filter_map(|(i, label)| {
            let kind = if i == 0 {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let mark = kind.span(place.range(label.span)?);
            Some(if label.text.is_empty() {
                mark
            } else {
                mark.label(label.text.as_str())
            })
        })
        .collect();
    if !marks.is_empty() {
        group = group.element(
            Snippet::source(place.text)
                .path(place.path)
                .annotations(marks),
        );
    }
    group = group.elements(
        d.notes
            .iter()
            .map(|note| Level::NOTE.message(normalize_untrusted_str(note))),
    );
    group = group.elements(
        d.help
            .iter()
            .map(|help| Level::HELP.message(normalize_untrusted_str(help))),
    );
    let mut report = vec![group];
    if let Some((fix, changes)) = d
        .fix
        .as_ref()
        .and_then(|fix| Some((fix, fix.resolve(place.text, place.spans)?)))
    {
        let patches = changes
            .into_iter()
            .map(|c| Patch::new(c.bytes, c.replacement));
        let patch = Snippet::source(place.text)
            .path(place.path)
            .patches(patches);
        let title = remedy(
            if d.is_error() { "error" } else { "warning" },
            fix.applicability,
        );
        report.push(Group::with_title(Level::HELP.secondary_title(title)).element(patch));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&report)
}

/// Returns the words above a fix.
fn remedy(level: &str, applicability: Applicability) -> String {
    let once = match applicability {
        Applicability::MachineApplicable => "",
        Applicability::MaybeIncorrect => ", if it is what was meant",
        Applicability::HasPlaceholders => ", once the parts in `<..>` are written",
    };
    format!("this removes the {level}{once}")
}

/// Renders a fault of C++ at run time: the line, and for a race the line of the other access.
pub fn render_places(fault: &CppFault, color: bool) -> String {
    let all = std::iter::once(fault).chain(&fault.others);
    let each: Vec<String> = all.map(|fault| render_one(fault, color)).collect();
    each.join("\n\n")
}

fn render_one(fault: &CppFault, color: bool) -> String {
    let mut group = Group::with_title(
        Level::ERROR
            .primary_title(fault.message.as_str())
            .id(fault.code.as_str()),
    );
    let paths: Vec<String> = fault
        .places
        .iter()
        .map(|p| p.file.display().to_string())
        .collect();
    for (i, (place, path)) in fault.places.iter().zip(&paths).enumerate() {
        let begin = place.text.len() - place.text.trim_start().len();
        let range = begin..place.text.trim_end().len().max(begin);
        let mark = if i == 0 {
            AnnotationKind::Primary.span(range).label(
                fault
                    .block
                    .map_or(String::new(), |b| format!("in block {b}")),
            )
        } else {
            AnnotationKind::Context.span(range).label(match fault.code {
                Code::J0802 if i == 1 => "given out anew here",
                Code::J0802 => "given back here",
                _ => "the other access",
            })
        };
        group = group.element(
            Snippet::source(place.text.as_str())
                .path(path)
                .line_start(place.line as usize)
                .annotation(mark),
        );
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&[group])
}

#[cfg(test)]
mod tests {
    use super::*;
    use jumar_dsl::diag::{Code, Spot};

    const TEXT: &str = "fn k() {\n    let größe = 1;\n    y.at(t).store(v);\n}\n";

    fn span(line: u32, column: u32, end_column: u32) -> SourceSpan {
        SourceSpan {
            line,
            column,
            end_line: line,
            end_column,
        }
    }

    fn rendered(d: &Diagnostic) -> String {
        let spans = [span(3, 16, 17), span(2, 9, 14), SourceSpan::default()];
        render(
            d,
            &Place {
                path: "k.rs",
                text: TEXT,
                spans: &spans,
            },
            false,
        )
    }

    #[test]
    fn a_finding_reads_as_one_of_rustc() {
        let d = Diagnostic::new(
            Code::J0202,
            SpanId(0),
            "a tile of `f32` is stored to a tensor of `T`",
        )
        .at("this is `f32`")
        .label(SpanId(1), "declared here")
        .note("first\nsecond")
        .help("convert it first: `.cast::<T>()`");
        let want = "\
error[J0202]: a tile of `f32` is stored to a tensor of `T`
 --> k.rs:3:16
  |
2 |     let größe = 1;
  |         ----- declared here
3 |     y.at(t).store(v);
  |                ^ this is `f32`
  |
  = note: first
          second
  = help: convert it first: `.cast::<T>()`";
        assert_eq!(rendered(&d), want);
    }

    #[test]
    fn a_finding_without_place_is_its_text() {
        let d = Diagnostic::new(Code::J0304, SpanId(2), "too much").note("a \u{1b}[31m note");
        assert_eq!(
            rendered(&d),
            "error[J0304]: too much\n |\n = note: a \u{241b}[31m note"
        );
        let beyond = Diagnostic::new(Code::J0304, SpanId(9), "too much");
        assert_eq!(rendered(&beyond), "error[J0304]: too much");
    }

    #[test]
    fn a_fix_is_shown_as_a_patch() {
        let d = Diagnostic::new(Code::J0202, SpanId(0), "wrong").fix(SpanId(0), "v.cast::<T>()");
        let text = rendered(&d);
        assert!(
            text.contains("this removes the error\n") && text.contains("v.cast::<T>()"),
            "{text}"
        );
        let both = Diagnostic::new(Code::J0415, SpanId(0), "idle")
            .fix(SpanId(0), "w")
            .edit(SpanId(1), Spot::Before, "mut ");
        let text = rendered(&both.maybe());
        assert!(
            text.contains("this removes the warning, if it is what was meant"),
            "{text}"
        );
        assert!(
            text.contains("let mut größe = 1;") && text.contains("stowe(v);"),
            "{text}"
        );
    }
}
