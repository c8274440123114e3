//! Forms of Python that the parser of Rust refuses, with the form here.

use super::brackets::place;
use crate::diag::byte_range;
use crate::ir::SourceSpan;

/// Advice on a form, with the text that replaces it.
pub type Meant = (String, (SourceSpan, String));

/// Returns the form that was probably meant where the parser stopped.
pub fn meant(text: &str, stopped: SourceSpan) -> Option<Meant> {
    let at = byte_range(text, stopped).start;
    let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
    match text.as_bytes()[at] {
        b':' => whole_axis(before, after, stopped),
        b'=' => default_value(text, at),
        _ => None,
    }
}

/// Explains the colon of `x.at(r, :)`.
fn whole_axis(before: &str, after: &str, stopped: SourceSpan) -> Option<Meant> {
    let is_alone =
        before.trim_end().ends_with(['(', ',']) && after.trim_start().starts_with([')', ',']);
    is_alone.then(|| {
        let help = "all of an axis is `..`: `x.at(r, ..)`".to_owned();
        (help, (stopped, "..".to_owned()))
    })
}

/// Explains the value behind a type, as in `fn k(.., eps: f32 = 1e-5)`.
fn default_value(text: &str, at: usize) -> Option<Meant> {
    let begin = text[..at].rfind(['(', ',', '{', '}', ';'])? + 1;
    let begin = begin + text[begin..at].find(|c: char| !c.is_whitespace())?;
    let end = at + 1 + text[at + 1..].find([',', ')'])?;
    let (name, ty) = text[begin..at].split_once(':')?;
    let (name, ty, value) = (name.trim(), ty.trim(), text[at + 1..end].trim());
    let is_word = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_word(name) || !is_word(ty) {
        return None;
    }
    let new = format!("#[default({value})] {name}: {ty}");
    let help = format!("a default stands in an attribute: `{new}`");
    let (first, last) = (place(text, begin), place(text, end));
    let whole = SourceSpan {
        end_line: last.line,
        end_column: last.column,
        ..first
    };
    Some((help, (whole, new)))
}
