//! Grammars in their notations, in the form of the engine of the tests.

use jumar_llm::grammar::{Format, Grammar};

/// Writes a grammar in Lark, and in Lark from its GBNF, which equals its EBNF.
pub fn exported(grammar: &Grammar) -> [(&'static str, String); 2] {
    let [lark, gbnf, ebnf] =
        [Format::Lark, Format::Gbnf, Format::Ebnf].map(|format| format.write(grammar));
    assert_eq!(gbnf, ebnf);
    [("lark", lark), ("gbnf", lark_of_gbnf(&gbnf))]
}

/// Converts a grammar in GBNF to Lark, rule by rule and word by word.
fn lark_of_gbnf(text: &str) -> String {
    let name = |word: &str| match word {
        "root" => "start".to_string(),
        token if token.starts_with("t-") => token.to_uppercase().replace('-', "_"),
        rule => rule.replace('-', "_"),
    };
    let mut out = String::new();
    for line in text.lines() {
        let (rule, body) = line
            .split_once(" ::= ")
            .unwrap_or_else(|| panic!("no rule: {line}"));
        out += &format!("{}: ", name(rule));
        let mut rest = body;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' => closing(rest, '"'),
                '[' => closing(rest, ']'),
                '{' => closing(rest, '}'),
                c if c.is_ascii_lowercase() => rest
                    .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
                    .unwrap_or(rest.len()),
                _ => 1,
            };
            let (word, behind) = rest.split_at(length);
            match first {
                '[' => out += &format!("/{word}/"),
                c if c.is_ascii_lowercase() => out += &name(word),
                _ => out += word,
            }
            rest = behind;
        }
        out.push('\n');
    }
    out
}

/// Returns the bytes up to the sign that closes the first one.
fn closing(text: &str, sign: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == sign && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, c)| at + c.len_utf8())
}
