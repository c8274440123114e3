//! Diagnostics: one value for all phases, one table of codes, two renderers.
//!
//! A [`Diagnostic`] holds span ids, never a compiler span: the macro maps an id to a token, the
//! command line maps it to a place in the text. Messages start in lower case, give the number found
//! and the number allowed, and use the author's names.

pub mod codes;
mod fix;
mod json;
mod schema;

pub use codes::Code;
pub use fix::{changed, Applicability, Change, Edit, Fix, Spot, Told};
pub use json::{outcome_to_json, to_json, About};
pub use schema::schema;

use crate::ir::{SourceSpan, SpanId};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The kernel is wrong.
    Error,
    /// The kernel is accepted, but something in it may not be what was meant.
    Warning,
}

/// A place and its comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: SpanId,
    /// Comment on the place; may be empty on the first label.
    pub text: String,
}

/// One finding of a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// One sentence without final stop.
    pub message: String,
    /// The first label is the place to look at; the others give reasons.
    pub labels: Vec<Label>,
    /// Facts that led to the finding; a capacity table is one note of several lines.
    pub notes: Vec<String>,
    /// Advice to the author.
    pub help: Vec<String>,
    /// Texts that might stand at this place instead: names, types, numbers, forms.
    pub expected: Vec<String>,
    /// Named numbers of the message, for programs: `("found", 294912)`.
    pub numbers: Vec<(&'static str, i64)>,
    pub fix: Option<Fix>,
    /// Names of the chips with this finding; empty where it holds for every chip.
    pub chips: Vec<&'static str>,
}

impl Diagnostic {
    /// Makes a finding of `code` at `span`, with the severity of the code.
    pub fn new(code: Code, span: SpanId, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            labels: vec![Label {
                span,
                text: String::new(),
            }],
            notes: Vec::new(),
            help: Vec::new(),
            expected: Vec::new(),
            numbers: Vec::new(),
            fix: None,
            chips: Vec::new(),
        }
    }
    /// Sets the comment on the first place.
    #[must_use]
    pub fn at(mut self, text: impl Into<String>) -> Self {
        self.labels[0].text = text.into();
        self
    }
    /// Adds another place with a comment.
    #[must_use]
    pub fn label(mut self, span: SpanId, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }
    /// Adds a fact that led to the finding.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
    /// Adds advice to the author.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
    /// Adds a named number.
    #[must_use]
    pub fn number(mut self, name: &'static str, value: i64) -> Self {
        self.numbers.push((name, value));
        self
    }
    /// Adds texts that might stand at this place instead.
    #[must_use]
    pub fn expected<S: Into<String>>(mut self, what: impl IntoIterator<Item = S>) -> Self {
        for what in what.into_iter().map(Into::into) {
            if !self.expected.contains(&what) {
                self.expected.push(what);
            }
        }
        self
    }
    /// Adds a fix that keeps the author's meaning: it replaces the text of the place.
    #[must_use]
    pub fn fix(self, span: SpanId, replacement: impl Into<String>) -> Self {
        self.edit(span, Spot::Over, replacement)
    }
    /// Adds an edit to the fix.
    #[must_use]
    pub fn edit(mut self, span: SpanId, spot: Spot, replacement: impl Into<String>) -> Self {
        let fix = self.fix.get_or_insert(Fix {
            edits: Vec::new(),
            applicability: Applicability::MachineApplicable,
        });
        fix.edits.push(Edit {
            span,
            spot,
            replacement: replacement.into(),
            told: None,
        });
        self
    }
    /// Adds an edit whose `@` stands for words of the author's text.
    #[must_use]
    pub fn edit_told(
        self,
        span: SpanId,
        spot: Spot,
        told: Told,
        replacement: impl Into<String>,
    ) -> Self {
        let mut d = self.edit(span, spot, replacement);
        if let Some(edit) = d.fix.as_mut().and_then(|fix| fix.edits.last_mut()) {
            edit.told = Some(told);
        }
        d
    }
    /// Adds an edit of one word of a place.
    #[must_use]
    pub fn word(self, span: SpanId, word: &str, replacement: impl Into<String>) -> Self {
        self.edit(span, Spot::Word(word.to_owned()), replacement)
    }
    /// Marks the fix as one that may not be what the author meant.
    #[must_use]
    pub fn maybe(self) -> Self {
        self.applicable(Applicability::MaybeIncorrect)
    }
    /// Sets how far the fix may be trusted.
    #[must_use]
    pub fn applicable(mut self, applicability: Applicability) -> Self {
        if let Some(fix) = &mut self.fix {
            fix.applicability = applicability;
        }
        self
    }
    /// Returns the place to look at.
    pub fn span(&self) -> SpanId {
        self.labels[0].span
    }
    /// True for an error, false for a warning.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Orders findings by place and drops repetitions (equal code, place and message).
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| (a.span(), a.code, &a.message).cmp(&(b.span(), b.code, &b.message)));
    diagnostics.dedup_by(|a, b| a.code == b.code && a.span() == b.span() && a.message == b.message);
}

/// Returns the byte range of a span in its text; columns count characters.
pub fn byte_range(text: &str, span: SourceSpan) -> std::ops::Range<usize> {
    let at = |line: u32, column: u32| {
        let start: usize = text
            .split_inclusive('\n')
            .take(line.saturating_sub(1) as usize)
            .map(str::len)
            .sum();
        let rest = &text[start.min(text.len())..];
        let inside = rest
            .char_indices()
            .nth(column.saturating_sub(1) as usize)
            .map_or(rest.len(), |(i, _)| i);
        start + inside
    };
    let start = at(span.line, span.column).min(text.len());
    start..at(span.end_line, span.end_column).clamp(start, text.len())
}
