//! Prefixes: every one of a right kernel is alive and can be ended, and a wrong kernel dies no later than where the checker points.
//!
//! A part of all texts and places is taken; `JUMAR_PREFIX=all` takes all of them, and `JUMAR_SHOW` prints what fails.

mod support;

use jumar::load::check_text;
use jumar_llm::prefix::{PrefixChecker, State};
use std::path::Path;
use support::{all_tasks, kernels, texts};

/// Hundredths of places of right kernels for which no end is found, and of wrong kernels that live longer than where the checker points, at most: what is
/// not reached yet.
const ENDLESS: usize = 4;
const LIVING: usize = 0;

/// Every how many-th text, and every how many-th place of it.
fn steps() -> (usize, usize) {
    match std::env::var("JUMAR_PREFIX").as_deref() {
        Ok("all") => (1, 1),
        _ => (9, 5),
    }
}

fn shows() -> bool {
    std::env::var_os("JUMAR_SHOW").is_some()
}

/// Every kernel of the project as its author wrote it.
fn corpus() -> Vec<(String, String)> {
    let tasks = all_tasks().into_iter().map(|t| (t.stem.clone(), t.answer().to_string()));
    tasks.chain(texts().into_iter().flat_map(|(name, text)| kernels(&text).into_iter().map(move |k| (name.clone(), k)))).collect()
}

/// Places behind a word or sign.
fn places(text: &str) -> Vec<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let pairs = text.char_indices().zip(text.chars().skip(1));
    pairs.filter(|((_, a), b)| !(a.is_whitespace() || is_word(*a) && is_word(*b))).map(|((at, a), _)| at + a.len_utf8()).collect()
}

#[test]
fn every_kernel_is_of_the_language_character_by_character() {
    let mut failed = Vec::new();
    let corpus = corpus();
    for (name, text) in &corpus {
        let mut checker = PrefixChecker::new(None);
        if !checker.push(text.as_bytes()) {
            let at = checker.text().len();
            let line = text[..at].matches('\n').count();
            failed.push(format!("{name}: {at} of {}: {}", text.len(), text.lines().nth(line).unwrap_or_default()));
        }
    }
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), corpus.len(), failed.join("\n"));
}

#[test]
fn every_prefix_of_a_right_kernel_is_alive() {
    let (texts, places_step) = steps();
    let (mut count, mut failed) = (0, Vec::new());
    for (name, text) in corpus().into_iter().step_by(texts) {
        let mut checker = PrefixChecker::new(None);
        let mut from = 0;
        for at in places(&text).into_iter().step_by(places_step) {
            checker.push(&text.as_bytes()[from..at]);
            from = at;
            count += 1;
            if let State::Dead(death) = checker.state() {
                failed.push(format!("{name}: {death:?} behind: {}", text[..at].lines().last().unwrap_or_default()));
                break;
            }
        }
        checker.push(&text.as_bytes()[from..]);
        if checker.state() != State::Complete {
            failed.push(format!("{name}: {:?} at its end", checker.state()));
        }
    }
    assert!(failed.is_empty(), "{} of {count} places:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_prefix_of_a_right_kernel_is_ended() {
    let (texts, places_step) = steps();
    let (mut count, mut failed) = (0, Vec::new());
    for (name, text) in corpus().into_iter().step_by(texts * 4) {
        let mut checker = PrefixChecker::new(None);
        let mut from = 0;
        for at in places(&text).into_iter().step_by(places_step * 4) {
            checker.push(&text.as_bytes()[from..at]);
            from = at;
            count += 1;
            match checker.complete() {
                Some(whole) => {
                    assert!(whole.starts_with(&text[..at]), "{name}");
                    assert!(!check_text("", &whole, None).has_errors(), "{name}:\n{whole}");
                }
                None => failed.push(format!("{name}: behind: {}", text[..at].lines().last().unwrap_or_default())),
            }
        }
    }
    println!("{} of {count} places have no end", failed.len());
    if shows() {
        println!("{}", failed.join("\n"));
    }
    assert!(failed.len() * 100 <= count * ENDLESS, "{} of {count} places:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn wrong_kernels_die_no_later_than_where_the_checker_points() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/broken");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("broken kernels").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let (mut count, mut alive) = (0, Vec::new());
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(path).expect("a text");
        let file = check_text("", &text, None);
        let Some((kernel, d)) = file.all().flat_map(|k| k.diagnostics.iter().map(move |d| (k, d))).find(|(_, d)| d.is_error())
        else {
            continue;
        };
        let span = &kernel.spans[d.labels[0].span.0 as usize];
        let line: usize = text.split_inclusive('\n').take(span.end_line as usize - 1).map(str::len).sum();
        let column: usize = text[line..].chars().take(span.end_column as usize - 1).map(char::len_utf8).sum();
        // One more character ends the word that the span ends with.
        let end = line + column;
        let end = end + text[end..].chars().next().map_or(0, char::len_utf8);
        // At queue level most rules are of the whole: what is taken may be given back as long as the text goes on.
        if ["TPipe", "LocalTensor", "vec::"].iter().any(|word| text.contains(word)) {
            continue;
        }
        count += 1;
        let mut checker = PrefixChecker::new(None);
        checker.push(&text.as_bytes()[..end]);
        // A text that a right kernel begins with is alive, whatever the checker says of another one.
        if !matches!(checker.state(), State::Dead(_)) && checker.complete().is_none() {
            alive.push(format!("{}: {} {}", path.file_name().unwrap_or_default().to_string_lossy(), d.code.as_str(), d.message));
        }
    }
    println!("{} of {count} live", alive.len());
    if shows() {
        println!("{}", alive.join("\n"));
    }
    assert!(alive.len() * 100 <= count * LIVING, "{} of {count} live:\n{}", alive.len(), alive.join("\n"));
}
