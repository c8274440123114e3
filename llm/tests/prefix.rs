//! Prefixes: every prefix of a right kernel is alive and can be completed. A wrong kernel dies no
//! later than where the checker points.
//!
//! A sample of all places is tested. `JUMAR_PREFIX` is the number of places at which the state is
//! computed, and a sixteenth of them are completed. `JUMAR_SHOW` prints the failures.

use crate::support::{again, all_tasks, drawn, each, kernels, texts};
use jumar::load::check_text;
use jumar_kit::files::{below, workspace};
use jumar_kit::tier::{cases, seed};
use jumar_llm::prefix::{PrefixChecker, State};
use std::path::Path;

/// The percentage of places of right kernels without a completion.
const ENDLESS: usize = 10;
/// Places at which a completion is asked for. The rate lies close to its limit, so fewer would pass
/// or fail by chance.
const ENDED: u64 = 300;
/// The percentage of wrong kernels that live too long.
const LIVING: usize = 0;

/// Returns the number of places at which the state is computed.
fn asked() -> usize {
    usize::try_from(cases("JUMAR_PREFIX", 90, 4500)).expect("a number of places")
}

fn shows() -> bool {
    std::env::var_os("JUMAR_SHOW").is_some()
}

/// Returns every kernel of the project as its author wrote it.
fn corpus() -> Vec<(String, String)> {
    let tasks = all_tasks()
        .into_iter()
        .map(|t| (t.stem.clone(), t.answer().to_string()));
    tasks
        .chain(
            texts().into_iter().flat_map(|(name, text)| {
                kernels(&text).into_iter().map(move |k| (name.clone(), k))
            }),
        )
        .collect()
}

/// Returns the places behind a word or sign.
fn places(text: &str) -> Vec<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let pairs = text.char_indices().zip(text.chars().skip(1));
    pairs
        .filter(|((_, a), b)| !(a.is_whitespace() || is_word(*a) && is_word(*b)))
        .map(|((at, a), _)| at + a.len_utf8())
        .collect()
}

/// Samples `count` places of all texts at regular steps, from place `first` on.
fn taken(count: usize, first: u64) -> Vec<(String, String, Vec<usize>)> {
    let all: Vec<_> = corpus()
        .into_iter()
        .map(|(name, text)| (places(&text), name, text))
        .collect();
    let step = all
        .iter()
        .map(|(places, ..)| places.len())
        .sum::<usize>()
        .div_ceil(count.max(1))
        .max(1);
    let mut number = 0;
    let mut taken = Vec::new();
    for (places, name, text) in all {
        let is_taken =
            |(nth, _): &(usize, usize)| (number + nth) as u64 % step as u64 == first % step as u64;
        let own: Vec<usize> = places
            .iter()
            .copied()
            .enumerate()
            .filter(is_taken)
            .map(|(_, at)| at)
            .collect();
        number += places.len();
        taken.extend((!own.is_empty()).then_some((name, text, own)));
    }
    taken
}

#[test]
fn every_kernel_is_of_the_language_character_by_character() {
    let corpus = corpus();
    let failed = each(&corpus, |(name, text)| {
        let mut checker = PrefixChecker::new(None);
        (!checker.push(text.as_bytes())).then(|| {
            let at = checker.text().len();
            let line = text[..at].matches('\n').count();
            format!(
                "{name}: {at} of {}: {}",
                text.len(),
                text.lines().nth(line).unwrap_or_default()
            )
        })
    });
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    assert!(
        failed.is_empty(),
        "{} of {}:\n{}",
        failed.len(),
        corpus.len(),
        failed.join("\n")
    );
}

#[test]
fn every_prefix_of_a_right_kernel_is_alive() {
    let all = taken(asked(), seed());
    let failed = each(&all, |(name, text, places)| {
        let mut checker = PrefixChecker::new(None);
        let mut from = 0;
        for &at in places {
            checker.push(&text.as_bytes()[from..at]);
            from = at;
            if let State::Dead(death) = checker.state() {
                return Some(format!(
                    "{name}: {death:?} behind: {}",
                    text[..at].lines().last().unwrap_or_default()
                ));
            }
        }
        checker.push(&text.as_bytes()[from..]);
        let end = checker.state();
        (end != State::Complete).then(|| format!("{name}: {end:?} at its end"))
    });
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    let count: usize = all.iter().map(|(.., places)| places.len()).sum();
    assert!(
        failed.is_empty(),
        "{} of {count} places:\n{}\n{}",
        failed.len(),
        failed.join("\n"),
        again("every_prefix_of")
    );
}

/// Right kernels with prefixes that were once called dead.
const ONCE_DEAD: &[(&str, &str)] = &[
    // A later parameter chooses between the shapes before; the attempted ending used its name for a
    // tensor.
    ("cross_entropy_loss_grad", "#[index(d)"),
    // The attempted ending made `i` the factor of another index.
    (
        "guide/reference/language/windows-and-views/2",
        "x.at((i * (h - 1",
    ),
];

#[test]
fn what_was_once_dead_is_alive() {
    let corpus = corpus();
    for (kernel, to) in ONCE_DEAD {
        let (_, text) = corpus
            .iter()
            .find(|(name, text)| name == kernel && text.contains(to))
            .expect("a kernel of the project");
        let begin = &text[..text.find(to).expect("it is there") + to.len()];
        let mut checker = PrefixChecker::new(None);
        checker.push(begin.as_bytes());
        assert_eq!(checker.state(), State::Alive, "{kernel}, behind {to}");
    }
}

#[test]
fn every_prefix_of_a_right_kernel_is_ended() {
    // A percentage of the places has no completion. The places are fixed, so that an unrelated
    // change does not draw more of these.
    let count = cases("JUMAR_PREFIX", ENDED, ENDED);
    let all = taken(usize::try_from(count).expect("a number of places"), 0);
    let failed = each(&all, |(name, text, places)| {
        let mut checker = PrefixChecker::new(None);
        let (mut from, mut failed) = (0, Vec::new());
        for &at in places {
            checker.push(&text.as_bytes()[from..at]);
            from = at;
            match checker.complete() {
                Some(whole) => {
                    assert!(whole.starts_with(&text[..at]), "{name}");
                    assert!(
                        !check_text("", &whole, None).has_errors(),
                        "{name}:\n{whole}"
                    );
                }
                None => failed.push(format!(
                    "{name}: behind: {}",
                    text[..at].lines().last().unwrap_or_default()
                )),
            }
        }
        failed
    });
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    let count: usize = all.iter().map(|(.., places)| places.len()).sum();
    println!("{} of {count} places have no end", failed.len());
    if shows() {
        println!("{}", failed.join("\n"));
    }
    assert!(
        failed.len() * 100 <= count * ENDLESS,
        "{} of {count} places:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Returns a wrong tile kernel up to the end of its first finding, with the finding.
fn up_to_its_mistake(path: &Path) -> Option<(String, String)> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file = check_text("", &text, None);
    let (kernel, d) = file
        .all()
        .flat_map(|k| k.diagnostics.iter().map(move |d| (k, d)))
        .find(|(_, d)| d.is_error())?;
    // At queue level most rules concern the whole kernel, for example a later `free_tensor`.
    if ["TPipe", "LocalTensor", "vec::"]
        .iter()
        .any(|word| text.contains(word))
    {
        return None;
    }
    let span = &kernel.spans[d.labels[0].span.0 as usize];
    let line: usize = text
        .split_inclusive('\n')
        .take(span.end_line as usize - 1)
        .map(str::len)
        .sum();
    let column: usize = text[line..]
        .chars()
        .take(span.end_column as usize - 1)
        .map(char::len_utf8)
        .sum();
    // One more character ends the word at the end of the span.
    let end = line + column;
    let end = end + text[end..].chars().next().map_or(0, char::len_utf8);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Some((
        text[..end].to_string(),
        format!("{name}: {} {}", d.code.as_str(), d.message),
    ))
}

/// `JUMAR_WRONG` is the number of kernels, drawn by their texts; at night, all.
#[test]
fn wrong_kernels_die_no_later_than_where_the_checker_points() {
    let wrong: Vec<_> = below(&workspace().join("tests/broken"), &["rs"])
        .iter()
        .filter_map(|path| up_to_its_mistake(path))
        .collect();
    assert!(wrong.len() > 80, "{} wrong tile kernels", wrong.len());
    let asked = drawn("JUMAR_WRONG", 12, wrong, |(text, _)| text);
    let alive = each(&asked, |(text, said)| {
        let mut checker = PrefixChecker::new(None);
        checker.push(text.as_bytes());
        // A text with a right continuation is alive, whatever the checker says of this kernel.
        (!matches!(checker.state(), State::Dead(_)) && checker.complete().is_none())
            .then(|| said.clone())
    });
    let (alive, count): (Vec<String>, usize) = (alive.into_iter().flatten().collect(), asked.len());
    println!("{} of {count} live", alive.len());
    if shows() {
        alive.iter().for_each(|said| println!("{said}"));
    }
    let again = again("wrong_kernels_die");
    assert!(
        alive.len() * 100 <= count * LIVING,
        "{} of {count} live:\n{alive:#?}\n{again}",
        alive.len()
    );
}
