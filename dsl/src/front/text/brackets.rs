//! Finds the bracket, string or comment to blame where the lexer fails, which does not say.
//!
//! Brackets are matched byte by byte; strings, characters and comments are skipped.

use crate::ir::SourceSpan;

/// The mistake in a text that cannot be split into tokens.
pub struct Unbalanced {
    /// The first delimiter without its other half.
    pub place: SourceSpan,
    pub message: &'static str,
    /// Insertion or deletion of one bracket that repairs it; `None` where one bracket does not.
    pub remedy: Option<(SourceSpan, &'static str)>,
}

/// Finds the first delimiter in `text` without its other half.
pub fn unbalanced(text: &str) -> Option<Unbalanced> {
    let bytes = text.as_bytes();
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut i = 0;
    while let Some(&b) = bytes.get(i) {
        let Some(end) = skip(bytes, i) else {
            return Some(Unbalanced {
                place: place(text, i),
                message: "this text or comment is never closed",
                remedy: None,
            });
        };
        if end > i {
            i = end;
            continue;
        }
        match b {
            b'(' | b'[' | b'{' => open.push((b, i)),
            b')' | b']' | b'}' => match open.pop() {
                Some((o, _)) if closes(o, b) => {}
                Some((o, at)) => return Some(never_closed(text, o, at, i)),
                None => {
                    let at = place(text, i);
                    return Some(Unbalanced {
                        place: at,
                        message: "this bracket closes nothing",
                        remedy: Some((at, "")),
                    });
                }
            },
            _ => {}
        }
        i += 1;
    }
    open.last()
        .map(|(open, at)| never_closed(text, *open, *at, text.trim_end().len()))
}

/// Reports a bracket that stays open where its block ends, at byte `end`.
fn never_closed(text: &str, open: u8, at: usize, end: usize) -> Unbalanced {
    let closing = match open {
        b'(' => ")",
        b'[' => "]",
        _ => "}",
    };
    let here = place(text, end);
    let before = SourceSpan {
        end_column: here.column,
        ..here
    };
    Unbalanced {
        place: place(text, at),
        message: "this bracket is never closed",
        remedy: Some((before, closing)),
    }
}

fn closes(open: u8, close: u8) -> bool {
    matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}'))
}

/// Returns the end of the string, character or comment that begins at `i`, and `i` itself where
/// none does. `None` where it has no end.
fn skip(bytes: &[u8], i: usize) -> Option<usize> {
    let rest = &bytes[i..];
    let until = |from: usize, end: &[u8]| {
        let found = rest[from.min(rest.len())..]
            .windows(end.len())
            .position(|w| w == end);
        found.map(|p| i + from + p + end.len())
    };
    match rest {
        [b'/', b'/', ..] => until(2, b"\n").or(Some(bytes.len())),
        [b'/', b'*', ..] => until(2, b"*/"),
        [b'r', b'"', ..] => until(2, b"\""),
        [b'r', b'#', b'"', ..] => until(3, b"\"#"),
        [b'\'', b'\\', _, b'\'', ..] => Some(i + 4),
        [b'\'', _, b'\'', ..] => Some(i + 3),
        [b'"', ..] => {
            let mut j = 1;
            while let Some(&c) = rest.get(j) {
                match c {
                    b'"' => return Some(i + j + 1),
                    b'\\' => j += 2,
                    _ => j += 1,
                }
            }
            None
        }
        _ => Some(i),
    }
}

/// Returns the place of the character at a byte.
pub fn place(text: &str, at: usize) -> SourceSpan {
    let before = &text.as_bytes()[..at];
    let line = before.iter().filter(|b| **b == b'\n').count() as u32 + 1;
    let start = before
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |p| p + 1);
    let column = text.get(start..at).map_or(0, |t| t.chars().count()) as u32 + 1;
    SourceSpan {
        line,
        column,
        end_line: line,
        end_column: column + 1,
    }
}
