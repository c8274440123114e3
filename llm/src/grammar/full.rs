//! The profile `full`: any names, nesting and layout, at tile and at queue level.

use super::ebnf::{is_token, Grammar, Part};
use jumar::dsl::items::{self, FOREIGN_ATTRIBUTES};
use jumar::dsl::library::FUNCTIONS;
use jumar::dsl::ops::Op;
use std::collections::{BTreeMap, BTreeSet};

/// Words of Rust that cannot be names, strict and reserved.
pub(crate) const RESERVED: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Returns the grammar of the profile.
pub(crate) fn full() -> Grammar {
    let lists = BTreeMap::from([
        (
            "methods",
            methods()
                .into_iter()
                .map(|name| format!(".{name}"))
                .collect(),
        ),
        (
            "foreign",
            FOREIGN_ATTRIBUTES
                .iter()
                .map(|name| name.to_string())
                .collect(),
        ),
    ]);
    let mut grammar = Grammar::read(include_str!("full.txt"), &lists).spaced();
    let name = |name: &str| Part::Name(name.to_string());
    let text = |text: &str| Part::Literal(text.to_string());
    let any = |part: Part| Part::Times(Box::new(part), 0, None);
    let line = || any(Part::Class(ANY.to_vec()));
    let but = |signs: &[char]| Part::Class(without(signs));
    grammar.add("ws", Part::Times(Box::new(name("WS")), 0, Some(1)));
    grammar.add("gap", name("WS"));
    let plain = Part::Row(vec![but(&['/', '!']), line()]);
    let comment = Part::Row(vec![
        text("//"),
        Part::Times(Box::new(plain), 0, Some(1)),
        text("\n"),
    ]);
    let ruled = Part::Row(vec![text("////"), line(), text("\n")]);
    let stars = Part::Times(Box::new(text("*")), 1, None);
    let inner = Part::Choice(vec![
        but(&['*']),
        text("\n"),
        Part::Row(vec![stars.clone(), but(&['*', '/'])]),
    ]);
    let block = Part::Row(vec![
        text("/*"),
        Part::Choice(vec![text(" "), text("\n")]),
        any(inner),
        stars,
        text("/"),
    ]);
    let space = Part::Choice(vec![
        text(" "),
        text("\n"),
        text("\t"),
        text("\r"),
        comment,
        ruled,
        block,
    ]);
    grammar.add("WS", Part::Times(Box::new(space), 1, None));
    let told = Part::Row(vec![but(&['/']), line()]);
    grammar.add(
        "DOC",
        Part::Row(vec![
            text("///"),
            Part::Times(Box::new(told), 0, Some(1)),
            text("\n"),
        ]),
    );
    grammar.add("INNERDOC", Part::Row(vec![text("//!"), line(), text("\n")]));
    let escaped = Part::Row(vec![
        text("\\"),
        Part::Class(vec![('n', 'n'), ('t', 't'), ('"', '"'), ('\\', '\\')]),
    ]);
    let inside = any(Part::Choice(vec![but(&['"', '\\']), escaped]));
    grammar.add("STRING", Part::Row(vec![text("\""), inside, text("\"")]));
    // A lone `_` is not a name.
    let words: BTreeSet<String> = RESERVED
        .iter()
        .map(|word| word.to_string())
        .chain(["_".to_string(), "Self".to_string()])
        .collect();
    grammar.add("IDENT", names_but(&words));
    grammar
}

/// Returns every method of the language.
fn methods() -> BTreeSet<&'static str> {
    let ops = Op::all()
        .map(|def| def.name)
        .chain(FUNCTIONS.iter().map(|f| f.name));
    ops.chain(
        items::all()
            .filter(|item| item.of.is_some())
            .map(|item| item.name),
    )
    .collect()
}

/// The characters of comments and strings.
const ANY: [(char, char); 4] = [
    ('\t', '\t'),
    (' ', '~'),
    ('\u{a0}', '\u{d7ff}'),
    ('\u{e000}', '\u{10ffff}'),
];

/// Returns these characters except some.
fn without(signs: &[char]) -> Vec<(char, char)> {
    split(&ANY, signs)
}

/// Removes characters from ranges.
fn split(ranges: &[(char, char)], signs: &[char]) -> Vec<(char, char)> {
    let mut out = Vec::new();
    for (from, to) in ranges {
        let mut left = Some(*from);
        let mut inside: Vec<char> = signs
            .iter()
            .copied()
            .filter(|c| (from..=to).contains(&c))
            .collect();
        inside.sort_unstable();
        for sign in inside {
            let before = char::from_u32(u32::from(sign).wrapping_sub(1))
                .filter(|before| left.is_some_and(|from| from <= *before));
            out.extend(left.zip(before));
            left = char::from_u32(u32::from(sign) + 1).filter(|next| next <= to);
        }
        out.extend(left.map(|from| (from, *to)));
    }
    out
}

/// Letters that a name may begin with: ASCII, Latin, Greek, Cyrillic, Kana and Han.
const FIRST: [(char, char); 13] = [
    ('A', 'Z'),
    ('_', '_'),
    ('a', 'z'),
    ('À', 'Ö'),
    ('Ø', 'ö'),
    ('ø', 'ɏ'),
    ('Α', 'Ρ'),
    ('Σ', 'ω'),
    ('Ѐ', 'ҁ'),
    ('ぁ', 'ゖ'),
    ('ァ', 'ヺ'),
    ('一', '鿿'),
    ('가', '힣'),
];

/// Matches names other than some words. Engines have no complement, so the rule follows the tree of
/// their letters.
fn names_but(words: &BTreeSet<String>) -> Part {
    let next: Vec<(char, char)> = [('0', '9')].into_iter().chain(FIRST).collect();
    names_behind("", words, &next)
}

/// Matches the continuations of a prefix to a name that is none of the words.
fn names_behind(begun: &str, words: &BTreeSet<String>, next: &[(char, char)]) -> Part {
    let letters: BTreeSet<char> = words
        .iter()
        .filter_map(|word| word.strip_prefix(begun)?.chars().next())
        .collect();
    let own = if begun.is_empty() { &next[1..] } else { next };
    let rest = Part::Times(Box::new(Part::Class(next.to_vec())), 0, None);
    let mut all: Vec<Part> = Vec::new();
    if !begun.is_empty() && !words.contains(begun) {
        all.push(Part::Row(Vec::new()));
    }
    let other = split(own, &letters.iter().copied().collect::<Vec<_>>());
    all.push(Part::Row(vec![Part::Class(other), rest]));
    for letter in letters {
        let inner = names_behind(&format!("{begun}{letter}"), words, next);
        all.push(Part::Row(vec![Part::Literal(letter.to_string()), inner]));
    }
    Part::Choice(all)
}

impl Grammar {
    /// Adds white space behind each literal and token. Tokens and rules that begin with `r_` stay.
    fn spaced(self) -> Grammar {
        let mut out = Grammar::default();
        for (name, part) in self.rules() {
            let raw = is_token(name) || name.starts_with("r_");
            out.add(name, if raw { part.clone() } else { spaced(part) });
        }
        out
    }
}

fn spaced(part: &Part) -> Part {
    let all = |parts: &[Part]| parts.iter().map(spaced).collect();
    let behind =
        |part: &Part, space: &str| Part::Row(vec![part.clone(), Part::Name(space.to_string())]);
    match part {
        Part::Literal(text) => match text.strip_suffix(' ') {
            Some(word) => behind(&Part::Literal(word.to_string()), "gap"),
            None => behind(part, "ws"),
        },
        Part::Name(name) if is_token(name) => behind(part, "ws"),
        Part::Name(_) | Part::Class(_) => part.clone(),
        Part::Row(parts) => Part::Row(all(parts)),
        Part::Choice(parts) => Part::Choice(all(parts)),
        Part::Times(inner, least, most) => Part::Times(Box::new(spaced(inner)), *least, *most),
    }
}
