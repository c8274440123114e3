//! Bounds the stack that parsing a text needs, before it is parsed.
//!
//! Syn recurs once a level, so a text of a hundred thousand brackets would end the program instead
//! of causing a message. The lexer does not recur, and an upper bound follows from its tokens:
//!
//! - Brackets and prefixes (`-`, `&`, `return`, `|x|`) open levels. A level ends with its
//!   statement, list entry or bracket.
//! - Links of a chain (`a + b.c`) cost the stack of a later walk over the tree.
//! - The block behind a head (`if a + b {`, `for i in a..b {`) stands inside of the statement, not
//!   inside of the head.
//!
//! The costs are measured in an unoptimised build, in units of 160 bytes. The budget leaves a
//! quarter of the 2 MiB that a thread has by default. Some forty nested blocks are accepted.

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use std::iter::Peekable;

const BRACKET: usize = 160;
const PREFIX: usize = 64;
const LINK: usize = 1;
const BUDGET: usize = 10_000;

/// Words that an expression, type or pattern follows.
const WORDS: [&str; 21] = [
    "return", "break", "yield", "if", "else", "match", "while", "for", "in", "loop", "let", "move",
    "async", "unsafe", "const", "static", "ref", "mut", "dyn", "impl", "fn",
];

/// Words of statements that have a head and a block. A head has no struct without brackets around
/// it.
const HEADS: [&str; 4] = ["if", "while", "for", "match"];

/// An open bracket.
struct Frame {
    tokens: Peekable<IntoIter>,
    /// Stack in use where its statements or entries start.
    base: usize,
    /// True between braces and at the top, where `;` ends a statement.
    brace: bool,
    last: Last,
    /// Stack in use at the word whose head this is.
    head: Option<usize>,
}

/// The kind of the last token.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// A token that an operator may follow.
    Operand,
    /// First character of an operator between operands, with another one to follow.
    Operator,
    /// A token that an operand follows.
    Open,
}

impl Frame {
    fn new(tokens: TokenStream, base: usize, brace: bool) -> Self {
        Frame {
            tokens: tokens.into_iter().peekable(),
            base,
            brace,
            last: Last::Open,
            head: None,
        }
    }
    fn punct(&mut self, p: &Punct) -> usize {
        // A right-hand side, a type argument and a closure's body are levels although an operand
        // precedes them.
        let nests = matches!(p.as_char(), '=' | '<' | '|');
        if p.as_char() == '<' && self.is_one_type() {
            self.last = Last::Operator;
            return LINK;
        }
        let (cost, last) = match self.last {
            Last::Operand if nests => (PREFIX, Last::Operator),
            Last::Operand | Last::Operator => (LINK, Last::Operator),
            Last::Open => (PREFIX, Last::Open),
        };
        let ends = p.spacing() == Spacing::Alone || self.last == Last::Operator;
        self.last = if p.as_char() == '?' {
            Last::Operand
        } else if ends {
            Last::Open
        } else {
            last
        };
        cost
    }
    /// True where one name and `>` come next: the level of `size_of::<f32>()` is closed at once.
    fn is_one_type(&self) -> bool {
        let mut ahead = self.tokens.clone();
        let name = matches!(ahead.next(), Some(TokenTree::Ident(_)));
        name && matches!(ahead.next(), Some(TokenTree::Punct(p)) if p.as_char() == '>')
    }
    fn word(&mut self, word: &Ident) -> usize {
        let opens = WORDS.iter().any(|w| word == w);
        self.last = if opens { Last::Open } else { Last::Operand };
        if opens {
            PREFIX
        } else {
            LINK
        }
    }
}

/// Finds the first token that is too deep to be parsed.
pub fn too_deep(tokens: TokenStream) -> Option<Span> {
    let mut open = vec![Frame::new(tokens, 0, true)];
    let mut stack = 0;
    while let Some(frame) = open.last_mut() {
        let Some(token) = frame.tokens.next() else {
            stack = frame.base;
            let brace = frame.brace;
            open.pop();
            if let (true, Some(outer)) = (brace, open.last_mut()) {
                // Behind another bracket, or an operator, the expression continues with the stack
                // it has used.
                if starts_statement(outer.tokens.peek()) {
                    stack = outer.base;
                    outer.last = Last::Open;
                }
            }
            continue;
        };
        let cost = match &token {
            // The length of an array type.
            TokenTree::Punct(p) if p.as_char() == ';' && !frame.brace => {
                frame.last = Last::Open;
                BRACKET
            }
            TokenTree::Punct(p) if matches!(p.as_char(), ';' | ',') => {
                stack = frame.base;
                (frame.last, frame.head) = (Last::Open, None);
                0
            }
            TokenTree::Punct(p) => frame.punct(p),
            TokenTree::Ident(word) => frame.word(word),
            TokenTree::Literal(_) => {
                frame.last = Last::Operand;
                LINK
            }
            TokenTree::Group(g) => {
                if let (Delimiter::Brace, Last::Operand, Some(head)) =
                    (g.delimiter(), frame.last, frame.head)
                {
                    (stack, frame.head) = (head, None);
                }
                frame.last = Last::Operand;
                BRACKET
            }
        };
        stack += cost;
        if matches!(&token, TokenTree::Ident(word) if HEADS.iter().any(|head| word == head)) {
            frame.head = Some(stack);
        }
        if stack > BUDGET {
            return Some(token.span());
        }
        if let TokenTree::Group(g) = token {
            open.push(Frame::new(
                g.stream(),
                stack,
                g.delimiter() == Delimiter::Brace,
            ));
        }
    }
    None
}

/// True where the token behind a `}` is neither an operator nor `else` or `as`.
fn starts_statement(next: Option<&TokenTree>) -> bool {
    match next {
        Some(TokenTree::Ident(word)) => word != "else" && word != "as",
        Some(TokenTree::Punct(p)) => p.as_char() == '#',
        Some(TokenTree::Literal(_)) | None => true,
        Some(TokenTree::Group(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::parse_file;

    fn is_too_deep(text: &str) -> bool {
        too_deep(text.parse().expect("the text has tokens")).is_some()
    }

    #[test]
    fn long_text_is_not_deep_text() {
        let function =
            "/// Words about it, which are no code.\nfn f() { g(1, 2); if a { b; } else { c; } match d { 1 => {} _ => {} } }\n";
        assert!(!is_too_deep(&function.repeat(1000)));
        let size = "n + size_of::<f32>() * ".repeat(50);
        assert!(!is_too_deep(&format!(
            "fn f() {{ for i in 0..{size}2 {{ g(); }} }}"
        )));
        assert!(!is_too_deep(&format!(
            "const T: [f32; 9] = [{}];",
            "1.0, ".repeat(10_000)
        )));
    }

    #[test]
    fn every_way_to_nest_ends_in_a_message() {
        let ways = [
            ("(", ")"),
            ("{", "}"),
            ("[", "]"),
            ("-", ""),
            ("&", ""),
            ("x + ", ""),
            ("x.y(", ")"),
            ("return ", ""),
            ("|x| ", ""),
            ("if a {} else ", ""),
            ("S {} + ", ""),
            ("a.b.", ""),
            ("if a { b; ", "}"),
            ("x as y as ", ""),
            ("loop { let a = ", "; }"),
            ("x as [u8; ", "]"),
        ];
        for (before, after) in ways {
            // Depths below the limit, above it, and far too deep.
            for n in [30, 40, 60, 90, 130, 180, 5000] {
                let text = format!(
                    "#[kernel] fn k() {{ let v = {}x{}; }}",
                    before.repeat(n),
                    after.repeat(n)
                );
                let answered = match parse_file(&text) {
                    Ok(parsed) => parsed
                        .iter()
                        .any(|p| p.kernel.is_none() && !p.diagnostics.is_empty()),
                    Err(broken) => !broken.0.message.is_empty(),
                };
                assert!(answered, "{before} {n}");
            }
        }
        assert!(is_too_deep(
            &"(".repeat(600)
                .chars()
                .chain(")".repeat(600).chars())
                .collect::<String>()
        ));
    }
}
