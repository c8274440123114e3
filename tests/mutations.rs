//! Mutated texts, of kernels and of the IR: no text makes anything panic or takes long.
//!
//! A few tokens or lines of a text are left out, doubled, exchanged or taken from another text;
//! numbers become hostile ones. IR that [`verify`](jumar::dsl::ir::verify_kernel) accepts goes on
//! through checker, emitter, simulator and interpreter, which may refuse it and may not panic.
//! Kernels that the checker accepts are emitted, and a sample of them is compiled. For the refused
//! ones every fix that a program may apply is tried (`broken/law.rs`).
//!
//! | variable | says | gate | night |
//! |---|---|---|---|
//! | `JUMAR_MUTATIONS` | how many IR texts | 200 | 10,000 |
//! | `JUMAR_TEXTS` | how many kernel texts, each for one of three chips | 2,000 | 100,000 |
//! | `JUMAR_COMPILED` | how many of their emitted projects are compiled | 4 | 100 |
//! | `JUMAR_ENDS` | which kernels have each of their numbers at the ends of its range | 1 in 10 | all |

mod compile;
mod ir;
mod mutate;
mod once;
mod text;

use crate::broken::law;
use crate::pages::repository;
use jumar_dsl::soc::Chip;
use jumar_kit::{files, tier};
use mutate::Random;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, OnceLock};
use std::time::{Duration, Instant};

/// Returns the kernels of the examples, of the emitter's tests and of the tasks' answers, without
/// the programs behind them.
fn kernels() -> Vec<String> {
    let folders = ["examples", "codegen/tests/kernels", "llm/tasks"];
    let texts = folders
        .iter()
        .flat_map(|folder| files::kernels(&repository(folder)));
    texts
        .map(|(_, text)| {
            text.split("\npub(crate) fn main")
                .next()
                .unwrap_or_default()
                .to_string()
        })
        .collect()
}

thread_local! {
    /// The message of a panic of this thread while it judges a text. The panic hook is one for all
    /// tests of the program.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Installs a hook that keeps panics of judging threads, and reports all others as before.
fn keep_panics() {
    static KEPT: Once = Once::new();
    KEPT.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let keeps = SAID.with(|said| {
                said.borrow_mut()
                    .as_mut()
                    .map(|text| *text = info.to_string())
                    .is_some()
            });
            if !keeps {
                told(info);
            }
        }));
    });
}

/// The ends of the mutants.
#[derive(Default)]
struct Tally {
    /// Number of mutants by end.
    ends: Mutex<BTreeMap<&'static str, u64>>,
    /// Mistakes by message, each with its count and its shortest text.
    wrong: Mutex<BTreeMap<String, (u64, String)>>,
    /// Time of the slowest text, in microseconds.
    longest: AtomicU64,
}

/// Returns the processor time of this thread, so other work on the machine does not count. Falls
/// back to the time of day.
fn busy() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = spent
        .as_deref()
        .and_then(|s| s.split(' ').next())
        .and_then(|n| n.parse().ok());
    nanos.map_or_else(
        || START.get_or_init(Instant::now).elapsed(),
        Duration::from_nanos,
    )
}

/// Most time of one text. Unoptimised builds are slow, and their times say little.
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });

impl Tally {
    /// Judges one text, and notes its end or its mistake.
    fn judge(&self, text: &str, judge: impl FnOnce() -> Result<&'static str, String>) {
        let start = busy();
        SAID.set(Some(String::new()));
        let end = catch_unwind(AssertUnwindSafe(judge));
        let said = SAID.take().unwrap_or_default();
        let end = end.unwrap_or(Err(said));
        let took = busy().saturating_sub(start);
        self.longest
            .fetch_max(took.as_micros() as u64, Ordering::Relaxed);
        let end = if took > LIMIT {
            Err(format!("takes more than {LIMIT:?}"))
        } else {
            end
        };
        match end {
            Ok(word) => {
                *self
                    .ends
                    .lock()
                    .expect("the tally")
                    .entry(word)
                    .or_default() += 1
            }
            Err(why) => {
                let mut wrong = self.wrong.lock().expect("the tally");
                let known = wrong.entry(why).or_insert_with(|| (0, text.to_string()));
                known.0 += 1;
                if text.len() < known.1.len() {
                    known.1 = text.to_string();
                }
            }
        }
    }

    /// Prints the ends, and fails where there was a mistake.
    fn report(self, what: &str, start: Instant) {
        let (ends, longest) = (
            self.ends.into_inner().expect("the tally"),
            self.longest.into_inner(),
        );
        println!(
            "{what}: {ends:?}, the longest {:?}, all {:?}",
            Duration::from_micros(longest),
            start.elapsed()
        );
        let wrong = self.wrong.into_inner().expect("the tally");
        let said: Vec<_> = wrong
            .iter()
            .map(|(why, (times, text))| format!("{times} times: {why}\n{text}"))
            .collect();
        assert!(
            wrong.is_empty(),
            "{} mistakes with JUMAR_SEED={}\n{}",
            wrong.len(),
            tier::seed(),
            said.join("\n")
        );
    }
}

/// Calls `one` for each number on all processors, in threads with a stack of the usual size.
fn all(count: u64, one: impl Fn(u64, Random) + Sync) {
    keep_panics();
    let (next, seed) = (AtomicU64::new(0), tier::seed());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= count {
                    break;
                }
                one(i, Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i));
            });
        }
    });
}

#[test]
fn mutated_ir_is_refused_or_goes_all_the_way() {
    let (start, tally, texts) = (Instant::now(), Tally::default(), ir::texts(&kernels()));
    let words: Vec<_> = texts
        .iter()
        .flat_map(|t| mutate::tokens(t.text()))
        .collect();
    all(
        tier::cases("JUMAR_MUTATIONS", 200, 10_000),
        |_, mut random| {
            let of = random.of(&texts);
            let text = mutate::mutate(of.text(), &words, &mut random);
            tally.judge(&text, || of.judge(&text));
        },
    );
    tally.report("IR texts", start);
}

#[test]
fn mutated_kernels_are_refused_or_emitted() {
    let (start, tally, texts) = (Instant::now(), Tally::default(), kernels());
    let words: Vec<_> = texts.iter().flat_map(|t| mutate::tokens(t)).collect();
    let kept = text::Kept::default();
    let chips = text::CHIPS.map(|name| Chip::by_name(name).expect("a chip"));
    let count = tier::cases("JUMAR_TEXTS", 2_000, 100_000);
    let sample = tier::cases("JUMAR_COMPILED", 4, 100);
    // Keeps texts evenly over all mutants, so every kernel is among them, and no more than memory
    // holds: some of ten mutants are emitted.
    let every = (count / (10 * sample.max(1))).max(1);
    all(count, |i, mut random| {
        let text = mutate::mutate(&texts[random.below(texts.len())], &words, &mut random);
        let chip = chips[random.below(chips.len())];
        tally.judge(&text, || {
            text::judge(
                &text,
                (i, Some(chip)),
                Some(&kept).filter(|_| i % every == 0),
            )
        });
    });
    tally.report("kernel texts", start);
    let (start, tally) = (Instant::now(), Tally::default());
    let emitted: Vec<_> = kept.into_inner().expect("the list").into_values().collect();
    let sample = (sample as usize).min(emitted.len());
    all(sample as u64, |i, _| {
        let (text, projects) = &emitted[i as usize * emitted.len() / sample];
        tally.judge(text, || compile::judge(i, projects));
    });
    tally.report("compiled", start);
}

/// Hostile numbers: ends of 64 bits, beyond 32 bits, below zero.
const ENDS: [&str; 6] = [
    "9223372036854775807",
    "9223372036854775806",
    "-9223372036854775808",
    "4294967296",
    "-1",
    "0",
];

#[test]
fn each_number_of_a_kernel_may_stand_at_the_end_of_its_range() {
    let (start, tally) = (Instant::now(), Tally::default());
    let mut texts = kernels();
    texts.extend(
        files::kernels(&repository("tests/bugs"))
            .into_iter()
            .map(|(_, text)| text),
    );
    let texts = tier::drawn("JUMAR_ENDS", 10, texts, String::clone);
    let mutants: Vec<_> = texts
        .iter()
        .flat_map(|text| {
            ENDS.iter()
                .flat_map(|end| mutate::with_each_number(text, end))
        })
        .collect();
    all(mutants.len() as u64, |i, _| {
        let text = &mutants[i as usize];
        tally.judge(text, || text::judge(text, (i, None), None));
    });
    tally.report("numbers at their ends", start);
}

#[test]
fn what_was_once_taken_wrongly_is_refused_or_emitted() {
    let (start, tally) = (Instant::now(), Tally::default());
    all(once::TEXTS.len() as u64, |i, _| {
        let text = once::TEXTS[i as usize];
        tally.judge(text, || text::judge(text, (i, None), None));
    });
    tally.report("texts of before", start);
}
