//! Times of the steps that a loop with a language model waits for: the checker, the writer, the
//! readers, the mask.
//!
//! `cargo bench -p jumar-llm --bench figures` prints a line for each figure. Words behind `--`
//! select some (`-- mask`). Nothing is asserted. The texts are the answers of all tasks. The
//! vocabulary of the masks belongs to no model: it has the words of these texts and random words,
//! split like those of tokenizers.

use jumar::codegen::{emit, EmitOptions};
use jumar::load::check_text;
use jumar_llm::canon::{canonical, head, Names};
use jumar_llm::eval::stages::{Cases, Judge, Settings, Stage};
use jumar_llm::grammar::{grammar, semantic, Format, Profile};
use jumar_llm::prefix::PrefixChecker;
use jumar_llm::tasks::corpus::{tasks, Task, BENCHES};
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv, TokRxInfo, TokTrie};
use llguidance::{Matcher, ParserFactory};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

const RUNS: usize = 5;
const VOCABULARY: usize = 131_072;

fn main() {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let has = |name: &str| asked.is_empty() || asked.iter().any(|word| word == name);
    let all: Vec<Task> = BENCHES
        .iter()
        .flat_map(|(bench, ..)| tasks(bench))
        .collect();
    if has("check") {
        row(
            "check an answer",
            every(&all, |task| {
                drop(black_box(check_text("", task.answer(), None)))
            }),
            "<= 500 us",
        );
    }
    if has("emit") {
        row("emit an answer's first instance", emitted(&all), "<= 1 ms");
    }
    if has("run") {
        row(
            "run it, smallest case, simulator twice, interpreter",
            stage(&all, Stage::Right),
            "<= 20 ms",
        );
    }
    if has("candidates") {
        candidates(&all);
    }
    if has("prefix") {
        prefixes(&all);
    }
    if has("mask") {
        masks(&all);
    }
}

fn row(what: &str, mut times: Vec<Duration>, aim: &str) {
    times.sort_unstable();
    let at = |part: f64| {
        times.get(((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1)))
    };
    let text = |time: Option<&Duration>| {
        time.map_or("none".into(), |time| {
            format!("{:.1}", time.as_secs_f64() * 1e6)
        })
    };
    println!(
        "{what:<52} median {:>9} us, p99 {:>9} us, of {} | {aim}",
        text(at(0.5)),
        text(at(0.99)),
        times.len()
    );
}

/// Returns the median of a few runs of each task.
fn every(all: &[Task], mut f: impl FnMut(&Task)) -> Vec<Duration> {
    let timed = |task: &Task| {
        let mut times: Vec<Duration> = (0..RUNS)
            .map(|_| {
                let since = Instant::now();
                f(task);
                since.elapsed()
            })
            .collect();
        times.sort_unstable();
        times[RUNS / 2]
    };
    all.iter().map(timed).collect()
}

fn emitted(all: &[Task]) -> Vec<Duration> {
    let files: Vec<_> = all
        .iter()
        .map(|task| check_text("", task.answer(), None))
        .collect();
    let kernels = files
        .iter()
        .filter_map(|file| file.kernels().first()?.checked.first());
    let timed = |kernel| {
        let since = Instant::now();
        black_box(emit(kernel, &EmitOptions::default()));
        since.elapsed()
    };
    kernels.map(timed).collect()
}

fn settings() -> Settings {
    Settings {
        chip: None,
        seed: 0,
        cases: Cases::Small,
        shapes: 0,
        fixes: true,
    }
}

/// Returns the times of a stage for all answers; cases and expected results are computed before.
fn stage(all: &[Task], stage: Stage) -> Vec<Duration> {
    let timed = |task: &Task| {
        let judge = Judge::new(task, task.reference(), settings());
        judge.judge(task.answer(), false, &mut |_| {});
        let micros = judge
            .judge(task.answer(), false, &mut |_| {})
            .micros
            .get(&stage)
            .copied();
        micros.map(Duration::from_micros)
    };
    all.iter().filter_map(timed).collect()
}

/// Judges the answers of all tasks through parse, check, emit and run with two threads.
fn candidates(all: &[Task]) {
    let judges: Vec<Judge<'_>> = all
        .iter()
        .map(|task| Judge::new(task, task.reference(), settings()))
        .collect();
    let run = |times: usize| {
        let (next, since) = (AtomicUsize::new(0), Instant::now());
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| loop {
                    let nth = next.fetch_add(1, Ordering::Relaxed);
                    if nth >= all.len() * times {
                        return;
                    }
                    judges[nth % all.len()].judge(
                        all[nth % all.len()].answer(),
                        false,
                        &mut |_| {},
                    );
                });
            }
        });
        (all.len() * times) as f64 * 60.0 / since.elapsed().as_secs_f64()
    };
    run(1);
    println!(
        "{:<52} {:>8.0} a minute | >= 2000",
        "candidates through parse, check, emit, run",
        run(4)
    );
}

/// Times the prefix checker behind each word of some answers.
fn prefixes(all: &[Task]) {
    let (mut pushes, mut states) = (Vec::new(), Vec::new());
    for task in all.iter().step_by(10) {
        let mut checker = PrefixChecker::new(None);
        for word in task.answer().split_inclusive(' ') {
            let since = Instant::now();
            checker.push(word.as_bytes());
            pushes.push(since.elapsed());
            let since = Instant::now();
            black_box(checker.state());
            states.push(since.elapsed());
        }
    }
    row("prefix: take a word", pushes, "");
    row("prefix: its state", states, "");
}

/// Makes a vocabulary of words with and without a leading space, of signs, and of single bytes.
fn vocabulary(texts: &[String]) -> TokEnv {
    let mut words: BTreeSet<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    for text in texts {
        let mut word = String::new();
        for c in text.chars() {
            let kind = |c: char| {
                (
                    c.is_alphabetic() || c == '_',
                    c.is_ascii_digit(),
                    c == ' ',
                    c == '\n',
                )
            };
            let glued = word
                .chars()
                .last()
                .is_some_and(|last| kind(last) == kind(c) || (word == " " && c.is_alphabetic()));
            if !glued || c.is_ascii_digit() || word.len() >= 12 {
                words.insert(std::mem::take(&mut word).into_bytes());
            }
            word.push(c);
        }
    }
    // Most of a model's vocabulary are words that no text here has.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % n
    };
    while words.len() < VOCABULARY - 1 {
        let letters = 2 + below(8);
        let mut word: Vec<u8> = (0..letters).map(|_| b'a' + below(26) as u8).collect();
        if below(2) == 0 {
            word.insert(0, b' ');
        }
        words.insert(word);
    }
    words.remove(&Vec::new());
    let all: Vec<Vec<u8>> = words.into_iter().chain([b"\xff<end>".to_vec()]).collect();
    let info = TokRxInfo::new(all.len() as u32, all.len() as u32 - 1);
    Arc::new(ApproximateTokEnv::new(TokTrie::from(&info, &all)))
}

/// Times a mask for each token of some answers in canonical form, under the plain and the semantic
/// grammar.
fn masks(all: &[Task]) {
    let canonicals = |how: Names| -> Vec<String> {
        all.iter()
            .filter_map(|task| Some(canonical(task.answer(), how).ok()?.remove(0).1))
            .collect()
    };
    let texts = canonicals(Names::Pools);
    let env = vocabulary(&texts);
    let mut factory = ParserFactory::new_simple(&env).expect("an engine");
    factory.quiet();
    let fresh = |lark: String| {
        let since = Instant::now();
        let matcher = Matcher::new(factory.create_parser(TopLevelGrammar::from_lark(lark)));
        assert!(!matcher.is_error(), "{:?}", matcher.get_error());
        (matcher, since.elapsed())
    };
    let (plain, compiled) = fresh(Format::Lark.write(&grammar(&Profile::Llm).expect("a grammar")));
    let mut times = Vec::new();
    texts
        .iter()
        .step_by(5)
        .for_each(|text| follow(&env, plain.deep_clone(), text, &mut times));
    row(
        "mask of 131072, profile `llm`",
        times,
        "median <= 60 us, p99 <= 600 us",
    );
    row("compile that grammar", vec![compiled], "");
    let (mut times, mut compiled) = (Vec::new(), Vec::new());
    for (task, text) in all.iter().zip(canonicals(Names::Author)).step_by(15) {
        let parsed = jumar::dsl::front::parse_file(task.answer())
            .map_or(None, |mut all| all.remove(0).signature);
        let Some(Ok(head)) = parsed.map(|signature| head(&signature, Names::Author)) else {
            continue;
        };
        let (matcher, time) = fresh(semantic(&head, &Profile::Llm).expect("a grammar"));
        compiled.push(time);
        follow(&env, matcher, &text, &mut times);
    }
    row("mask of 131072, semantic", times, "");
    row("compile a semantic grammar", compiled, "");
}

fn follow(env: &TokEnv, mut matcher: Matcher, text: &str, times: &mut Vec<Duration>) {
    for token in env.tokenize(text) {
        if matcher.is_stopped() {
            return;
        }
        let since = Instant::now();
        let mask = matcher.compute_mask();
        times.push(since.elapsed());
        assert!(
            mask.is_ok_and(|mask| mask.is_allowed(token)),
            "a token of a text that is in the grammar"
        );
        matcher.consume_token(token).expect("an allowed token");
    }
}
