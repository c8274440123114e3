//! A writer for each notation of grammars.

use super::ebnf::{is_token, Grammar, Part};
use std::fmt::Write;

/// A notation of grammars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lark as llguidance reads it. It has no look-around, `%ignore` or parameters, so XGrammar
    /// reads it, too.
    Lark,
    /// GBNF of llama.cpp.
    Gbnf,
    /// EBNF as XGrammar and SGLang read it.
    Ebnf,
    /// BNF for prompts: only rules, with tokens in words.
    Bnf,
}

impl Format {
    /// Every format, with its name.
    pub const ALL: &'static [(&'static str, Format)] = &[
        ("lark", Format::Lark),
        ("gbnf", Format::Gbnf),
        ("ebnf", Format::Ebnf),
        ("bnf", Format::Bnf),
    ];

    /// Writes a grammar in this notation.
    pub fn write(self, grammar: &Grammar) -> String {
        let mut out = String::new();
        for (name, part) in grammar.reached() {
            let _ = match self {
                Format::Lark if is_token(name) => writeln!(out, "{name}: /{}/", regex(part, false)),
                Format::Lark => writeln!(out, "{name}: {}", lark(part, false)),
                Format::Gbnf | Format::Ebnf => {
                    let name = if name == "start" {
                        "root".to_string()
                    } else {
                        spelled(name)
                    };
                    writeln!(out, "{name} ::= {}", gbnf(part, false))
                }
                Format::Bnf => writeln!(out, "{name} ::= {}", bnf(part, false)),
            };
        }
        out
    }
}

/// Returns the name of a rule in GBNF, which allows lower-case letters, digits and `-`.
fn spelled(name: &str) -> String {
    match is_token(name) {
        true => format!("t-{}", name.to_ascii_lowercase()),
        false => name.replace('_', "-"),
    }
}

pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Writes a repetition count.
pub(super) fn times(least: u32, most: Option<u32>) -> String {
    match (least, most) {
        (0, Some(1)) => "?".into(),
        (0, None) => "*".into(),
        (1, None) => "+".into(),
        (a, Some(b)) if a == b => format!("{{{a}}}"),
        (a, Some(b)) => format!("{{{a},{b}}}"),
        (a, None) => format!("{{{a},}}"),
    }
}

fn class(ranges: &[(char, char)]) -> String {
    let sign = |c: &char| {
        if r"[]\^-".contains(*c) {
            format!("\\{c}")
        } else {
            c.to_string()
        }
    };
    let range = |(from, to): &(char, char)| {
        if from == to {
            sign(from)
        } else {
            format!("{}-{}", sign(from), sign(to))
        }
    };
    format!("[{}]", ranges.iter().map(range).collect::<String>())
}

/// How a notation writes the leaves of a production.
struct Leaves {
    name: fn(&str) -> String,
    class: fn(&[(char, char)]) -> String,
    nothing: &'static str,
}

/// Writes a production in a notation with quotes, `|`, parentheses and counts behind a part.
fn joined(part: &Part, inside: bool, leaves: &Leaves) -> String {
    let grouped = |text: String, several: bool| {
        if several && inside {
            format!("({text})")
        } else {
            text
        }
    };
    match part {
        Part::Literal(text) => quoted(text),
        Part::Name(name) => (leaves.name)(name),
        Part::Class(ranges) => (leaves.class)(ranges),
        Part::Row(parts) if parts.is_empty() => leaves.nothing.to_string(),
        Part::Row(parts) => {
            let text = parts
                .iter()
                .map(|part| joined(part, true, leaves))
                .collect::<Vec<_>>()
                .join(" ");
            grouped(text, parts.len() > 1)
        }
        Part::Choice(parts) => {
            let text = parts
                .iter()
                .map(|part| joined(part, matches!(part, Part::Choice(_)), leaves))
                .collect::<Vec<_>>()
                .join(" | ");
            grouped(text, parts.len() > 1)
        }
        Part::Times(part, least, most) => {
            let text = joined(part, true, leaves);
            let several = matches!(**part, Part::Times(..));
            if several {
                format!("({text}){}", times(*least, *most))
            } else {
                format!("{text}{}", times(*least, *most))
            }
        }
    }
}

pub(super) fn lark(part: &Part, inside: bool) -> String {
    let leaves = Leaves {
        name: str::to_string,
        class: |ranges| format!("/{}/", class(ranges)),
        nothing: "\"\"",
    };
    joined(part, inside, &leaves)
}

fn gbnf(part: &Part, inside: bool) -> String {
    joined(
        part,
        inside,
        &Leaves {
            name: spelled,
            class,
            nothing: "\"\"",
        },
    )
}

fn bnf(part: &Part, inside: bool) -> String {
    let leaves = Leaves {
        name: |name| format!("<{name}>"),
        class,
        nothing: "\"\"",
    };
    joined(part, inside, &leaves)
}

/// Writes a token as a regular expression.
pub(super) fn regex(part: &Part, inside: bool) -> String {
    match part {
        Part::Literal(text) => {
            let escaped = |c: char| {
                if r".\+*?()|[]{}^$/".contains(c) {
                    format!("\\{c}")
                } else {
                    c.to_string()
                }
            };
            let text: String = text.chars().map(escaped).collect();
            if inside && part_length(part) > 1 {
                format!("({text})")
            } else {
                text
            }
        }
        Part::Class(ranges) => class(ranges),
        Part::Name(name) => unreachable!("the rule `{name}` in a token"),
        Part::Row(parts) => {
            let text: String = parts
                .iter()
                .map(|part| regex(part, matches!(part, Part::Choice(_))))
                .collect();
            if inside {
                format!("({text})")
            } else {
                text
            }
        }
        Part::Choice(parts) => {
            let text = parts
                .iter()
                .map(|part| regex(part, false))
                .collect::<Vec<_>>()
                .join("|");
            if inside {
                format!("({text})")
            } else {
                text
            }
        }
        Part::Times(part, least, most) => format!("{}{}", regex(part, true), times(*least, *most)),
    }
}

fn part_length(part: &Part) -> usize {
    match part {
        Part::Literal(text) => text.chars().count(),
        Part::Class(_) | Part::Name(_) => 1,
        Part::Row(parts) | Part::Choice(parts) => parts.len(),
        Part::Times(..) => 2,
    }
}
