//! How a text went on before where it had the words that it ends with.

use super::{is_word, word_at_end};

/// Places before that say how a text goes on.
const AGAIN: usize = 6;

/// What stood behind the words that a text ends with where they stood before, to the end of the chain of calls and to that of the statement.
pub(super) fn again(text: &str) -> Vec<String> {
    let typed = text.trim_end();
    let last = &typed[..typed.len() - word_at_end(typed).len()];
    let two = &last[..last.trim_end().len()
        - last
            .trim_end()
            .chars()
            .next_back()
            .map_or(0, char::len_utf8)];
    let begins = [
        two.len() - word_at_end(two).len(),
        last.len(),
        last.trim_end().len().saturating_sub(1),
    ];
    let mut out: Vec<String> = Vec::new();
    for begin in begins {
        let Some(key) = text
            .get(begin..)
            .filter(|key| !key.trim().is_empty() && key.len() < text.len())
        else {
            continue;
        };
        let before = text[..text.len() - 1]
            .rmatch_indices(key)
            .filter(|(at, _)| !text[..*at].ends_with(is_word) || !key.starts_with(is_word));
        for (at, _) in before.take(AGAIN) {
            let rest = &text[at + key.len()..];
            for way in [until(rest, true), until(rest, false)] {
                if !way.trim().is_empty() && !out.iter().any(|known| known == way) {
                    out.push(way.to_string());
                }
            }
        }
    }
    out
}

/// A text up to where what is begun in it ends: a chain of calls, or a statement.
fn until(text: &str, is_chain: bool) -> &str {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return &text[..at],
            ')' | ']' | '}' => depth -= 1,
            ';' if depth == 0 => return &text[..at],
            ',' | ' ' if depth == 0 && is_chain && at > 0 => return &text[..at],
            _ => {}
        }
    }
    text
}
