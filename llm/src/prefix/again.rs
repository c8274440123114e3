//! Continuations of a text from its own past: what followed earlier occurrences of its last words.

use super::{is_word, word_at_end};

/// The limit of earlier occurrences.
const AGAIN: usize = 6;

/// Returns what followed earlier occurrences of the text's last words. Each continuation ends with
/// its chain of calls, or with its statement.
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

/// Cuts a text at the end of its first chain of calls or statement.
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
