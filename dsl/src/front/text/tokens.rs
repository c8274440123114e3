//! Refuses tokens of a length that no author writes. Reading a number takes time that grows with
//! the square of its digits, and names become names of files.

use proc_macro2::{Span, TokenStream, TokenTree};

/// Most characters of a number: the longest `f32` written out has some 160.
const MAX_NUMBER: usize = 1000;
/// Most characters of a name: a file named after it also has a suffix, and at most 255 bytes.
const MAX_NAME: usize = 200;

/// Finds the first token that is too long, and its message. The text must not nest too deeply.
pub fn too_long(tokens: TokenStream) -> Option<(Span, String)> {
    for token in tokens {
        let found = match &token {
            TokenTree::Group(g) => too_long(g.stream()),
            TokenTree::Ident(word) => {
                longer("a name", &word.to_string(), MAX_NAME).map(|m| (word.span(), m))
            }
            TokenTree::Literal(l) => {
                let text = l.to_string();
                let number = text.starts_with(|c: char| c.is_ascii_digit());
                number
                    .then(|| longer("a number", &text, MAX_NUMBER))
                    .flatten()
                    .map(|m| (l.span(), m))
            }
            TokenTree::Punct(_) => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn longer(what: &str, text: &str, most: usize) -> Option<String> {
    let n = text.chars().count();
    (n > most).then(|| format!("{what} of {n} characters; at most {most} are read"))
}
