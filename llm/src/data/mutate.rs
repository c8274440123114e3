//! Mutations of a correct kernel into typical mistakes of authors: words of another library, a
//! missing cast or load, mixed-up ops and names, a missing bracket.
//!
//! A mutant need not be wrong: the judge decides. Every change is small, and none makes a loop
//! longer, so a mutant of a kernel that ends also ends.

use crate::tasks::data::Random;
use std::collections::BTreeSet;
use std::ops::Range;

/// Replacements: the kind of mistake, the old text, and the new text for one of its occurrences.
const SWAPS: &[(&str, &str, &str)] = &[
    ("a method of another library", ".abs()", ".fabs()"),
    ("a method of another library", ".max(", ".maximum("),
    ("a method of another library", ".min(", ".minimum("),
    ("a method of another library", ".sum(", ".reduce_sum("),
    ("a method of another library", ".amax(", ".reduce_max("),
    ("a method of another library", ".exp()", ".expf()"),
    ("a method of another library", ".sqrt()", ".square_root()"),
    ("a method of another library", ".select(", ".where_("),
    ("a method of another library", ".store(", ".write("),
    ("a method of another library", ".load()", ".read()"),
    ("a cast left out", ".cast::<f32>()", ""),
    ("a cast left out", ".cast::<T>()", ""),
    ("a cast to another type", ".cast::<f32>()", ".cast::<f16>()"),
    ("a cast to another type", ".cast::<T>()", ".cast::<f32>()"),
    ("a load left out", ".load()", ""),
    ("numbers outside left out", ".load_or(0.0)", ".load()"),
    ("an element type that there is not", "f32", "f64"),
    ("an element type that there is not", "f16", "half"),
    (
        "an output lent to read",
        "&mut GlobalTensor",
        "&GlobalTensor",
    ),
    ("an attribute left out", "#[kernel]\n", "\n"),
    ("an attribute left out", "#[inplace] ", ""),
    ("a value that may not change", "let mut ", "let "),
    ("a reference to a tile", ".store(", ".store(&"),
    ("a semicolon left out", ";\n", "\n"),
    ("a bracket left out", ")", ""),
    ("a bracket left out", "}", ""),
    ("another op", " + ", " - "),
    ("another op", " - ", " + "),
    ("another op", " * ", " / "),
    ("another op", " / ", " * "),
    ("another op", ".max(", ".min("),
    ("another op", ".min(", ".max("),
    ("another op", ".exp()", ".ln()"),
    ("another op", ".sqrt()", ".rsqrt()"),
    ("another op", ".lt(", ".gt("),
    ("another op", ".gt(", ".lt("),
    ("another op", ".ge(", ".le("),
    ("another reduction", ".sum(", ".mean("),
    ("another reduction", ".mean(", ".sum("),
    ("another reduction", ".amax(", ".amin("),
    ("a reduction without its axis", ".sum(d)", ".sum()"),
    ("a reduction without its axis", ".amax(d)", ".amax()"),
    ("a store in place of a sum", ".atomic_add(", ".store("),
    ("a loop of another kind", "tiles(", "each("),
    ("a loop of another kind", "each(", "tiles("),
    ("a number of another type", "0.0", "0"),
    ("a number of another type", "1.0", "1"),
    ("another number", "0.5", "0.25"),
    ("another number", "1.0", "2.0"),
    ("another number", "0.0", "1.0"),
    ("an index along all of an axis", "(r, ..)", "(r)"),
];

/// A change whose place depends on the text.
type Change = fn(&str, &mut Random) -> Option<String>;

const CHANGES: &[(&str, Change)] = &[
    ("a name misspelt", |text, random| {
        let at = chosen(&places(text, is_word), random)?;
        let word = &text[at.clone()];
        let cut = word
            .char_indices()
            .nth(1 + random.below(word.len() as u64 - 1) as usize)?
            .0;
        Some(spliced(
            text,
            at.clone(),
            &format!("{}{}", &word[..cut], &word[cut + 1..]),
        ))
    }),
    ("names exchanged", |text, random| {
        let all = places(text, is_word);
        let (a, b) = (chosen(&all, random)?, chosen(&all, random)?);
        let (a, b) = if a.start < b.start { (a, b) } else { (b, a) };
        let exchanged = spliced(text, b.clone(), &text[a.clone()]);
        (a.end <= b.start).then(|| spliced(&exchanged, a, &text[b]))
    }),
    ("a name in place of another", |text, random| {
        let all = places(text, is_word);
        let (at, from) = (chosen(&all, random)?, chosen(&all, random)?);
        Some(spliced(text, at, &text[from]))
    }),
    ("a token left out", |text, random| {
        Some(spliced(text, chosen(&places(text, |_| true), random)?, ""))
    }),
    ("a token twice", |text, random| {
        let at = chosen(&places(text, |_| true), random)?;
        Some(spliced(text, at.clone(), &format!("{0}{0}", &text[at])))
    }),
    ("a line left out", |text, random| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.remove(random.below(lines.len() as u64) as usize);
        Some(lines.join("\n"))
    }),
    ("a line twice", |text, random| {
        let mut lines: Vec<&str> = text.lines().collect();
        let at = random.below(lines.len() as u64) as usize;
        lines.insert(at, lines[at]);
        Some(lines.join("\n"))
    }),
    ("two lines exchanged", |text, random| {
        let mut lines: Vec<&str> = text.lines().collect();
        let at = random.below(lines.len() as u64 - 1) as usize;
        lines.swap(at, at + 1);
        Some(lines.join("\n"))
    }),
    ("the rest left out", |text, random| {
        let lines: Vec<&str> = text.lines().collect();
        let kept = lines.len() / 2 + random.below(lines.len() as u64 / 2) as usize;
        Some(lines[..kept].join("\n"))
    }),
];

/// Returns up to `most` different texts, each with one change and its kind. All kinds of change are
/// equally likely.
pub fn mutants(text: &str, most: usize, random: &mut Random) -> Vec<(&'static str, String)> {
    let mut seen: BTreeSet<String> = BTreeSet::from([text.to_string()]);
    let mut found = Vec::new();
    let fitting: Vec<_> = SWAPS
        .iter()
        .filter(|(_, from, _)| text.contains(from))
        .collect();
    // A text with few places has fewer mutants than are wanted.
    for _ in 0..most * 4 {
        if found.len() == most || text.lines().count() < 4 {
            break;
        }
        let at = random.below((fitting.len() + CHANGES.len()) as u64) as usize;
        let (how, mutant) = match fitting.get(at) {
            Some((how, from, to)) => (*how, swapped(text, from, to, random)),
            None => {
                let (how, change) = CHANGES[at - fitting.len()];
                (how, change(text, random))
            }
        };
        let Some(mutant) = mutant.filter(|mutant| seen.insert(mutant.clone())) else {
            continue;
        };
        found.push((how, mutant));
    }
    found
}

/// Replaces one occurrence of `from` by `to`.
fn swapped(text: &str, from: &str, to: &str, random: &mut Random) -> Option<String> {
    let all: Vec<Range<usize>> = text
        .match_indices(from)
        .map(|(at, _)| at..at + from.len())
        .collect();
    Some(spliced(text, chosen(&all, random)?, to))
}

fn spliced(text: &str, at: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..at.start], &text[at.end..])
}

fn chosen(all: &[Range<usize>], random: &mut Random) -> Option<Range<usize>> {
    all.get(random.below(all.len() as u64) as usize).cloned()
}

/// True for an ASCII word of two or more characters.
fn is_word(token: &str) -> bool {
    token.len() > 1
        && token.is_ascii()
        && token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Returns the ranges of the tokens that `is_asked` accepts. Tokens are words, numbers, and single
/// other characters.
fn places(text: &str, is_asked: fn(&str) -> bool) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let end = match is_part(first) {
            true => at + text[at..].find(|c| !is_part(c)).unwrap_or(text.len() - at),
            false => at + first.len_utf8(),
        };
        found.extend((!first.is_whitespace() && is_asked(&text[at..end])).then_some(at..end));
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#[kernel]\npub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n    for t in tiles(x) {\n        y.at(t).store(x.at(t).load() + 1.0);\n    }\n}\n";

    #[test]
    fn mutants_are_other_texts_and_the_same_of_a_seed() {
        let all = mutants(TEXT, 40, &mut Random(7));
        assert_eq!(all, mutants(TEXT, 40, &mut Random(7)));
        assert_ne!(all, mutants(TEXT, 40, &mut Random(8)));
        let texts: BTreeSet<&String> = all.iter().map(|(_, text)| text).collect();
        assert!(all.len() == 40 && texts.len() == 40 && !texts.contains(&TEXT.to_string()));
        let kinds: BTreeSet<&str> = all.iter().map(|(how, _)| *how).collect();
        assert!(kinds.len() > 10, "{kinds:?}");
    }

    #[test]
    fn every_change_is_made_and_none_panics() {
        for text in [
            TEXT,
            "",
            "a",
            "\n\n\n\n",
            "größe = 1;\nb\nc\nd\n",
            "((((\n((((\n((((\n((((",
        ] {
            for seed in 0..50 {
                mutants(text, 10, &mut Random(seed));
            }
        }
        let all = mutants(TEXT, 400, &mut Random(1));
        for (how, _) in CHANGES {
            assert!(all.iter().any(|(other, _)| other == how), "{how}");
        }
    }
}
