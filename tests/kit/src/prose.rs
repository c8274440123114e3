//! The rules of prose, for pages and for comments of documentation.
//!
//! | rule | limit |
//! |---|---|
//! | words of a sentence, on average over a text | [`MEAN`] |
//! | words of one sentence | [`LONGEST`] |
//! | words of a paragraph | [`PARAGRAPH`] |
//! | first words of a sentence | none of [`BEGINS`] |
//! | words that the field has others for | none of [`COINED`] |
//! | words of a comment | [`SHORTEST`] at least |
//!
//! Code, tables, headings and comments of Markdown do not count. Code between backticks counts as
//! one word.

/// Most words of a sentence, on average over a text.
pub const MEAN: f64 = 16.0;
/// Least sentences of a text that has an average.
pub const FEW: usize = 3;
/// Words of the longest sentence.
pub const LONGEST: usize = 40;
/// Words of the longest paragraph or item of a list.
pub const PARAGRAPH: usize = 90;
/// Words of the shortest comment.
pub const SHORTEST: usize = 3;
/// Words that begin no sentence.
pub const BEGINS: [&str; 4] = ["What", "Of", "Whether", "The same"];
/// Coined words, each with the word of the field.
pub const COINED: [(&str, &str); 10] = [
    ("meeting", "barrier"),
    ("meetings", "barriers"),
    ("whole number", "integer"),
    ("whole numbers", "integers"),
    ("turn", "iteration"),
    ("turns", "iterations"),
    ("hangs from", "depends on"),
    ("hang from", "depend on"),
    ("value over the cores", "cross-core accumulator"),
    ("values over the cores", "cross-core accumulators"),
];

/// A piece of code, as one word.
const CODE: char = '\u{1}';

/// Returns the violations of a Markdown text, a line each.
#[must_use]
pub fn wrong(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lengths = Vec::new();
    for paragraph in paragraphs(text) {
        let count = words(&paragraph);
        if count > PARAGRAPH {
            found.push(format!(
                "{count} words in a paragraph, {PARAGRAPH} are allowed: {}",
                start(&paragraph)
            ));
        }
        for sentence in sentences(&paragraph) {
            let count = words(sentence);
            lengths.push(count);
            if count > LONGEST {
                found.push(format!(
                    "{count} words in a sentence, {LONGEST} are allowed: {}",
                    start(sentence)
                ));
            }
            let begins = |word: &&&str| {
                sentence
                    .strip_prefix(**word)
                    .is_some_and(|rest| rest.starts_with([' ', ',']))
            };
            found.extend(
                BEGINS
                    .iter()
                    .find(begins)
                    .map(|word| format!("a sentence begins with {word}: {}", start(sentence))),
            );
        }
        let coined = COINED.iter().filter(|(word, _)| has(&paragraph, word));
        found.extend(coined.map(|(word, field)| {
            format!("`{word}` is `{field}` in the field: {}", start(&paragraph))
        }));
    }
    let mean = lengths.iter().sum::<usize>() as f64 / lengths.len().max(1) as f64;
    if lengths.len() >= FEW && mean > MEAN {
        found.push(format!("{mean:.1} words a sentence, {MEAN} are allowed"));
    }
    found
}

/// Returns the paragraphs and items of a text, with code as one word, without tables, headings and
/// comments.
fn paragraphs(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        let is_mark = line.starts_with("```");
        inside ^= is_mark;
        let ends = inside || is_mark || line.is_empty() || line.starts_with(['|', '#', '<']);
        let item = item(line);
        if ends || item.is_some() {
            found.push(String::new());
        }
        if !ends {
            let last = found.last_mut().expect("one at least");
            last.push(' ');
            last.push_str(item.unwrap_or(line).trim_start_matches("> "));
        }
    }
    found
        .into_iter()
        .map(|text| plain(text.trim()))
        .filter(|text| !text.is_empty())
        .collect()
}

/// Returns an item of a list behind its mark.
fn item(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = (digits.len() < line.len())
        .then(|| digits.strip_prefix(". "))
        .flatten();
    ["- ", "* ", "+ "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .or(numbered)
}

/// Replaces code by one word and links by their texts.
fn plain(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let mut out = String::new();
    for (nth, part) in parts.iter().enumerate() {
        match nth % 2 {
            0 => out.push_str(part),
            _ => out.push(CODE),
        }
    }
    let mut plain = String::new();
    let mut rest = out.as_str();
    while let Some((before, behind)) = rest.split_once("](") {
        plain.push_str(before);
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    plain.replace(['[', ']', '*'], "")
}

/// Splits a paragraph into sentences. Each ends at a stop before a capital letter, code, a digit or
/// a bracket.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, c) in text
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | '!' | '?'))
    {
        let behind = text[at + c.len_utf8()..].trim_start_matches([')', '"']);
        let next = behind.trim_start();
        let is_end = next.len() < behind.len()
            && next.starts_with(|c: char| {
                c.is_uppercase() || c.is_ascii_digit() || matches!(c, CODE | '(' | '"')
            });
        if is_end {
            found.push(text[from..at].trim());
            from = text.len() - next.len();
        }
    }
    found.push(text[from..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Counts the words of a text; a dash or a sign is none.
#[must_use]
pub fn words(text: &str) -> usize {
    text.split_whitespace()
        .filter(|word| word.contains(|c: char| c.is_alphanumeric() || c == CODE))
        .count()
}

/// True if a text has a word, in capitals or not.
fn has(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    let is_edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '-');
    let mut found = text.match_indices(word);
    found.any(|(at, _)| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + word.len()..].chars().next())
    })
}

fn start(text: &str) -> String {
    text.chars()
        .take(90)
        .collect::<String>()
        .replace(CODE, "`..`")
}

/// A documentation comment in Rust.
pub struct Comment {
    /// Its first line, from 1.
    pub line: usize,
    pub text: String,
}

impl Comment {
    /// Counts the words of the comment as in prose.
    #[must_use]
    pub fn words(&self) -> usize {
        paragraphs(&self.text).iter().map(|text| words(text)).sum()
    }
}

/// Returns the documentation comments of a Rust file: `//!` and `///`.
#[must_use]
pub fn comments(rust: &str) -> Vec<Comment> {
    let mut found: Vec<Comment> = Vec::new();
    let mut open = None;
    for (nth, line) in rust.lines().enumerate() {
        let line = line.trim_start();
        let mark = ["//!", "///"]
            .into_iter()
            .find(|mark| line.starts_with(mark) && !line.starts_with("////"));
        if let Some(mark) = mark {
            let own = line[mark.len()..]
                .strip_prefix(' ')
                .unwrap_or(&line[mark.len()..]);
            match found.last_mut().filter(|_| open == Some(mark)) {
                Some(last) => last.text.extend(["\n", own]),
                None => found.push(Comment {
                    line: nth + 1,
                    text: own.to_owned(),
                }),
            }
        }
        open = mark;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_they_end() {
        let text = plain(
            "One `a.b` of 1.5 us. Two, e.g. this (all of it.) `x` is [three](four.md). 5 is four!",
        );
        assert_eq!(sentences(&text).len(), 4, "{:?}", sentences(&text));
    }

    #[test]
    fn each_rule_finds_what_breaks_it() {
        let long = |n: usize| vec!["Word"; n].join(" ");
        for (text, says) in [
            (format!("{}.", long(41)), "41 words in a sentence"),
            (
                format!("{}. ", long(13)).repeat(7),
                "91 words in a paragraph",
            ),
            (
                format!("{}.\n\n{}.\n\n{}.", long(17), long(17), long(17)),
                "17.0 words a sentence",
            ),
            (
                "All is well. What is stored stays.".to_owned(),
                "begins with What",
            ),
            ("The same of this.".to_owned(), "begins with The same"),
            ("- each turn of it".to_owned(), "`turn` is `iteration`"),
            (
                "Sums of\nwhole numbers.".to_owned(),
                "`whole numbers` is `integers`",
            ),
        ] {
            let found = wrong(&text);
            assert!(
                found.len() == 1 && found[0].contains(says),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn code_tables_and_headings_are_no_prose() {
        let text = "# What is it\n\n| Of | what |\n|---|---|\n\n```rust\n// What a turn\n```\n<!-- What -->\n\nIt returns `What turn`.\n";
        assert_eq!(wrong(text), Vec::<String>::new());
    }

    #[test]
    fn comments_are_found_with_their_lines() {
        let all = comments(
            "//! A file\n//! of two lines.\n\n/// Does it.\npub fn f() {} // no\n//// no\n",
        );
        let of = |at: usize| (all[at].line, all[at].text.as_str(), all[at].words());
        assert_eq!(
            (all.len(), of(0), of(1)),
            (2, (1, "A file\nof two lines.", 5), (4, "Does it.", 2))
        );
    }
}
