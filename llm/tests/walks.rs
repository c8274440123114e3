//! Random texts that a grammar accepts: they parse, and under the semantic grammar they are defined
//! and typed.
//!
//! `JUMAR_WALKS` is their number, and the seed of all sweeps selects them. `JUMAR_SHOW=J0109`
//! prints texts with that finding, and `JUMAR_SHOW=J0` the findings of all.

use crate::support::{again, all_tasks};
use jumar::dsl::diag::Diagnostic;
use jumar::dsl::front::{parse_file, Parsed};
use jumar_kit::tier::{cases, seed};
use jumar_llm::canon::Names;
use jumar_llm::eval::drive::Model;
use jumar_llm::eval::head::head;
use jumar_llm::eval::random::Random;
use jumar_llm::eval::record::Key;
use jumar_llm::eval::told::Mask;
use jumar_llm::grammar::{
    grammar, of_head, semantic, semantic_axes, Format, GrammarError, Profile,
};
use jumar_llm::walk::{Compiled, Engine, MOST_BYTES};
use std::collections::BTreeMap;

/// Returns the number of walks of the grammar of all kernels; each head gets a tenth.
fn walks() -> u64 {
    cases("JUMAR_WALKS", 20, 1000)
}

/// Returns the seeds of the walks of a grammar, by its number.
fn seeds(nth: u64, count: u64) -> impl Iterator<Item = u64> {
    let first = seed().wrapping_mul(10_000_000).wrapping_add(nth * 100_000);
    (0..count).map(move |walk| first.wrapping_add(walk))
}

/// True if fewer than one in `part` are affected. A few walks may have `chance` of them, since
/// chance is not a finding.
fn is_rare(count: usize, all: usize, part: usize, chance: usize) -> bool {
    count * part < all || count <= chance
}

/// The outcomes of walks.
#[derive(Default)]
struct Tally {
    all: usize,
    ended: usize,
    clean: usize,
    untyped: usize,
    lost: usize,
    /// Lines that define tiles.
    tiles: usize,
    bytes: usize,
    lines: usize,
    codes: BTreeMap<String, usize>,
}

impl Tally {
    /// Walks a grammar with these seeds. A text that does not parse is an error.
    fn add(&mut self, name: &str, grammar: &Compiled, seeds: impl Iterator<Item = u64>) {
        for seed in seeds {
            self.all += 1;
            let walk = grammar
                .walk(seed)
                .unwrap_or_else(|why| panic!("{name}, walk {seed}: {why}\n{}", again("walks")));
            if !walk.ended {
                continue;
            }
            let parsed = parse_file(&walk.text).unwrap_or_else(|(d, _)| {
                panic!("{name}: {}:\n{}\n{}", d.message, walk.text, again("walks"))
            });
            assert_eq!(
                parsed.len(),
                1,
                "{name}:\n{}\n{}",
                walk.text,
                again("walks")
            );
            self.ended += 1;
            self.bytes += walk.text.len();
            self.lines += walk.text.lines().count();
            self.judge(&parsed[0], &walk.text);
        }
    }

    fn judge(&mut self, parsed: &Parsed, text: &str) {
        self.clean += usize::from(parsed.kernel.is_some());
        let codes: std::collections::BTreeSet<&str> =
            parsed.diagnostics.iter().map(|d| d.code.as_str()).collect();
        for code in codes {
            *self.codes.entry(code.to_string()).or_insert(0) += 1;
        }
        self.untyped += usize::from(parsed.diagnostics.iter().any(is_untyped));
        self.lost += usize::from(
            parsed
                .diagnostics
                .iter()
                .any(|d| AXES.contains(&d.code.as_str())),
        );
        let is_of_tiles = |line: &&str| {
            let named = line
                .trim_start()
                .trim_start_matches("let ")
                .trim_start_matches("mut ");
            line.trim_start().starts_with("let ")
                && named.starts_with(['v', 'k', 'm', 'h', 'c', 'd', 'g', 'w'])
        };
        self.tiles += text.lines().filter(is_of_tiles).count();
        let Ok(shown) = std::env::var("JUMAR_SHOW") else {
            return;
        };
        for d in parsed
            .diagnostics
            .iter()
            .filter(|d| d.code.as_str().starts_with(&shown))
        {
            let line = parsed
                .spans
                .get(d.labels.first().map_or(usize::MAX, |l| l.span.index()))
                .map_or(0, |s| s.line as usize);
            println!(
                "{} {} {}",
                d.code,
                d.message,
                text.lines().nth(line.saturating_sub(1)).unwrap_or_default()
            );
        }
        if shown.len() > 2 && parsed.diagnostics.iter().any(|d| d.code.as_str() == shown) {
            println!("{text}");
        }
    }

    /// Checks that nine of ten walks end.
    fn ends(&self) {
        let Tally { all, ended, .. } = self;
        assert!(
            is_rare(all - ended, *all, 10, 2),
            "{ended} of {all} walks end\n{}",
            again("walks")
        );
    }

    fn say(&self, what: &str) {
        let Tally {
            all,
            ended,
            clean,
            untyped,
            lost,
            tiles,
            bytes,
            lines,
            codes,
        } = self;
        let part = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
        println!(
            "{what}: {ended} of {all} walks end ({:.2} %) within {MOST_BYTES} bytes, all of them parse; {:.2} % are defined and typed, {:.2} % go by axis, {:.2} % are clean; {} bytes, {} lines, {:.1} of them with tiles each; codes: {codes:?}",
            part(*ended, *all),
            100.0 - part(*untyped, *ended),
            100.0 - part(*lost, *ended),
            part(*clean, *ended),
            bytes / ended.max(&1),
            lines / ended.max(&1),
            *tiles as f64 / *ended.max(&1) as f64,
        );
    }
}

/// True for a finding of undefined names, constructs outside of the language, or mixed types. A
/// number outside of its type is not one.
fn is_untyped(d: &Diagnostic) -> bool {
    match d.code.as_str() {
        "J0101" | "J0102" | "J0103" | "J0201" | "J0202" | "J0203" => true,
        "J0208" => !d.message.contains(" is no `"),
        _ => false,
    }
}

#[test]
fn what_goes_through_the_mask_parses() {
    let mut tally = Tally::default();
    let lark = Format::Lark.write(&grammar(&Profile::Llm).expect("a grammar"));
    tally.add(
        "llm",
        &Engine::bytes()
            .expect("an engine")
            .compiled(&lark)
            .expect("a grammar"),
        seeds(0, walks()),
    );
    tally.say("llm");
    tally.ends();
}

/// Returns a sample of tasks with their heads.
fn some_heads() -> impl Iterator<Item = (String, jumar_llm::canon::Head)> {
    let some = all_tasks()
        .into_iter()
        .enumerate()
        .filter(|(nth, _)| nth % 15 == 0);
    some.map(|(_, task)| {
        (
            task.stem.clone(),
            head(&task, Names::Author).unwrap_or_else(|why| panic!("{why}")),
        )
    })
}

#[test]
fn what_goes_through_the_mask_of_a_head_parses() {
    let engine = Engine::bytes().expect("an engine");
    let mut tally = Tally::default();
    for (nth, (name, head)) in (0..).zip(some_heads()) {
        let lark = Format::Lark.write(&of_head(&head, &Profile::Llm).expect("a grammar"));
        tally.add(
            &name,
            &engine.compiled(&lark).expect("a grammar"),
            seeds(1 + nth, (walks() / 10).max(1)),
        );
    }
    tally.say("llm with a head");
    tally.ends();
}

#[test]
fn what_goes_through_the_semantic_mask_is_defined_and_typed() {
    let engine = Engine::bytes().expect("an engine");
    let mut tally = Tally::default();
    for (nth, (name, head)) in (0..).zip(some_heads()) {
        let grammar = engine
            .compiled(&semantic(&head, &Profile::Llm).expect("a grammar"))
            .expect("a grammar");
        tally.add(&name, &grammar, seeds(1 + nth, (walks() / 10).max(1)));
    }
    tally.say("semantic");
    tally.ends();
    let Tally {
        ended,
        untyped,
        codes,
        ..
    } = &tally;
    let rare = is_rare(*untyped, *ended, 100, 1);
    assert!(
        rare,
        "of {ended} walks {untyped} are not defined or typed: {codes:?}\n{}",
        again("walks")
    );
}

/// Codes for mismatched axes, stores elsewhere, and reductions along a part of an axis.
const AXES: &[&str] = &["J0206", "J0207", "J0209", "J0214"];

#[test]
fn what_goes_through_the_mask_of_axes_is_defined_and_typed_and_goes_by_axis() {
    let engine = Engine::bytes().expect("an engine");
    let mut tally = Tally::default();
    let mut heads = 0;
    for (nth, (name, head)) in (0..).zip(some_heads()) {
        let text = match semantic_axes(&head, &Profile::Llm) {
            Ok(text) => text,
            Err(GrammarError::Axes { .. }) => continue,
            Err(e) => panic!("{name}: {e}"),
        };
        heads += 1;
        let grammar = engine.compiled(&text).expect("a grammar");
        tally.add(&name, &grammar, seeds(1 + nth, (walks() / 10).max(1)));
    }
    tally.say("axes");
    tally.ends();
    let Tally {
        ended,
        untyped,
        lost,
        tiles,
        codes,
        ..
    } = &tally;
    assert!(heads >= 8, "{heads} heads");
    assert!(
        is_rare(untyped + lost, *ended, 100, 1),
        "of {ended} walks {untyped} are not defined or typed, {lost} do not go by axis: {codes:?}\n{}",
        again("walks")
    );
    assert!(*tiles > *ended, "{tiles} tiles in {ended} walks");
}

#[test]
fn the_random_model_writes_the_same_for_the_same_seed() {
    for mask in [Mask::Llm(Format::Lark), Mask::Semantic, Mask::Axes] {
        let replies = |seed| {
            let model = Random::new(mask.clone(), seed).expect("an engine");
            let names = ["npukernelbench/sqrt", "multikernelbench/layer_norm"];
            let keys = names.iter().flat_map(|name| {
                (0..3).map(|sample| Key {
                    task: name.to_string(),
                    sample,
                    round: 0,
                })
            });
            keys.map(|key| model.reply(&key, &[]).expect("a reply").text)
                .collect::<Vec<_>>()
        };
        let (first, second, other) = (replies(1), replies(1), replies(2));
        assert_eq!(first, second);
        assert!(first.iter().zip(&other).all(|(a, b)| a != b), "{first:?}");
        for (nth, text) in first.iter().enumerate() {
            assert!(
                first[..nth].iter().all(|before| before != text),
                "twice:\n{text}"
            );
            let parsed = parse_file(text).unwrap_or_else(|(d, _)| panic!("{}:\n{text}", d.message));
            assert_eq!(parsed[0].name, ["sqrt", "layer_norm"][nth / 3]);
        }
    }
}
