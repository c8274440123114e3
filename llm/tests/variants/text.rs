//! Kernels as tokens and as text: their names, renaming, and readable lines.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};

/// Writes a piece of syntax in one line.
pub fn flat(piece: &impl ToTokens) -> String {
    const CLOSE: [(&str, &str); 13] = [
        ("GlobalTensor < T >", "GlobalTensor<T>"),
        ("< T >", "<T>"),
        ("& mut ", "&mut "),
        ("& Glo", "&Glo"),
        (" .", "."),
        (". ", "."),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (" ;", ";"),
        (" :", ":"),
        (":: ", "::"),
        ("# [", "#["),
    ];
    let text = piece.to_token_stream().to_string();
    let text = CLOSE
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to));
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // An argument list follows its function without a space.
        if c == '(' && out.ends_with(' ') {
            let word = out
                .trim_end()
                .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap_or_default();
            if !word.is_empty() && !["in", "if", "else", "let"].contains(&word) {
                out.pop();
            }
        }
        out.push(c);
    }
    out
}

/// Writes the tokens of a module with each statement in its own line.
pub fn lines(piece: &impl ToTokens) -> String {
    let text = flat(piece);
    let (mut out, mut depth, mut inside) = (String::new(), 0usize, 0i32);
    let mut rest = text.chars().peekable();
    let fresh = |out: &mut String, depth: usize| {
        out.truncate(out.trim_end().len());
        out.push('\n');
        out.push_str(&"    ".repeat(depth));
    };
    while let Some(c) = rest.next() {
        match c {
            '(' | '[' => inside += 1,
            ')' | ']' => inside -= 1,
            '}' => {
                depth = depth.saturating_sub(1);
                fresh(&mut out, depth);
            }
            _ => {}
        }
        out.push(c);
        match c {
            '{' => depth += 1,
            ';' if inside > 0 => continue,
            '}' if rest
                .clone()
                .collect::<String>()
                .trim_start()
                .starts_with("else") =>
            {
                continue
            }
            ';' | '}' if inside <= 0 => {}
            ']' if inside == 0
                && out.trim_end_matches(|c| c != '\n').len() < out.len()
                && is_attribute(&out) => {}
            _ => continue,
        }
        while rest.next_if(|c| *c == ' ').is_some() {}
        if rest
            .peek()
            .is_some_and(|c| !matches!(c, ')' | ';' | ',' | '.'))
        {
            fresh(&mut out, depth);
        }
    }
    out
}

/// True if the last line is only an attribute.
fn is_attribute(out: &str) -> bool {
    out.lines()
        .last()
        .is_some_and(|line| line.trim_start().starts_with('#'))
}

/// Returns the names that a piece of syntax uses or binds: no methods, functions, paths or
/// attributes without arguments.
pub fn names(piece: &impl ToTokens) -> Vec<String> {
    let mut found = Vec::new();
    walk(piece.to_token_stream(), &mut |name, is| {
        if is == Role::Name {
            found.push(name.to_string());
        }
        None
    });
    found
}

/// Returns every word of a piece of syntax.
pub fn words(piece: &impl ToTokens) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk(piece.to_token_stream(), &mut |name, _| {
        found.insert(name.to_string());
        None
    });
    found
}

/// Returns the tokens with other names.
pub fn renamed(
    piece: &impl ToTokens,
    names: &BTreeMap<String, String>,
    functions: &BTreeMap<String, String>,
) -> TokenStream {
    walk(piece.to_token_stream(), &mut |name, is| match is {
        Role::Name => names.get(name).cloned(),
        Role::Function => functions.get(name).cloned(),
        Role::Other => None,
    })
}

/// The role of a word, by the tokens beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A variable, an axis, a parameter, a type.
    Name,
    /// A word before a list of arguments.
    Function,
    /// A method, or a part of a path.
    Other,
}

fn walk(tokens: TokenStream, other: &mut dyn FnMut(&str, Role) -> Option<String>) -> TokenStream {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: usize, sign: char| matches!(all.get(at), Some(TokenTree::Punct(p)) if p.as_char() == sign);
    let joint = |at: usize| matches!(all.get(at), Some(TokenTree::Punct(p)) if p.spacing() == Spacing::Joint);
    let mut out = Vec::with_capacity(all.len());
    for (at, token) in all.iter().enumerate() {
        out.push(match token {
            TokenTree::Group(g) => {
                let mut group = Group::new(g.delimiter(), walk(g.stream(), other));
                group.set_span(g.span());
                TokenTree::Group(group)
            }
            TokenTree::Ident(ident) => {
                let before = |back: usize, sign: char| at >= back && is(at - back, sign);
                let is_method = before(1, '.') && !(before(2, '.') && joint(at - 2));
                let in_path =
                    before(1, ':') && before(2, ':') && joint(at - 2) || is(at + 1, ':') && joint(at + 1) && is(at + 2, ':');
                let calls = matches!(all.get(at + 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                let declares = at >= 1 && matches!(&all[at - 1], TokenTree::Ident(word) if word == "fn");
                let role = match () {
                    () if is_method || in_path => Role::Other,
                    () if declares || calls => Role::Function,
                    () => Role::Name,
                };
                let text = ident.to_string();
                let raw = |name: String| match name.strip_prefix("r#") {
                    Some(name) => Ident::new_raw(name, ident.span()),
                    None => Ident::new(&name, ident.span()),
                };
                TokenTree::Ident(other(&text, role).map_or_else(|| ident.clone(), raw))
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => token.clone(),
        });
    }
    out.into_iter().collect()
}
