//! Random kernels over the whole tile language, each on every reader.
//!
//! `JUMAR_CASES` is the number of kernels, `JUMAR_CPP_CASES` the number of those that run as C++,
//! too. A failure prints its seed, and is shrunk to a few lines. All constructs of the language are
//! counted: those that the generator does not make, and those that a long run lacks, fail. Kernels
//! that once showed a mistake are in `regressions`.
//!
//! Kernels over nests of several axes have their own generator (`nests`) and switches:
//! `JUMAR_NESTS`, `JUMAR_CPP_NESTS`.
//!
//! Some calls of device functions need a certain length and number of rows, which are seldom drawn.
//! `aimed` kernels are few bodies with such shapes, and each call of each function must run in one
//! of them. `JUMAR_TABLE` prints how often; with `texts` it shows nests that no reader ran, too.

mod aimed;
mod build;
mod cover;
mod exact;
mod forms;
mod head;
mod helpers;
mod judge;
mod limits;
pub mod nests;
mod plan;
mod regressions;
mod scalars;
mod statements;
mod tiles;

use crate::differential::{agree, spell};
pub use build::build;
use cover::Cover;
use forms::Forms;
use judge::{judge, COMPARED, OUTPUTS};
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::Chip;
use jumar_kit::tier;
use plan::Picks;
use proptest::prelude::{Rng, Strategy};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

fn runner(cases: u64, seed: u64) -> TestRunner {
    // A step of shrinking may call a compiler, so the limits keep it from taking hours.
    let limits = Config {
        max_shrink_iters: 3000,
        max_shrink_time: 90_000,
        ..Config::default()
    };
    let config = Config {
        cases: cases as u32,
        failure_persistence: None,
        ..limits
    };
    TestRunner::new_with_rng(
        config,
        TestRng::from_seed(RngAlgorithm::ChaCha, &tier::seed_bytes(seed)),
    )
}

/// Returns the plan of a seed.
pub fn plan_of(seed: u64) -> plan::Plan {
    let mut runner = runner(1, seed);
    plan::plans()
        .new_tree(&mut runner)
        .expect("plans are not filtered")
        .current()
}

/// Runs `cases` kernels in all, an equal part on each processor.
fn run_all(
    cases: u64,
    build: fn(&plan::Plan) -> build::Made,
    each: impl Fn(&build::Made, u64) -> Result<(), String> + Sync,
) -> Cover {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let (cover, failed) = (Mutex::new(Cover::default()), Mutex::new(String::new()));
    let first = tier::seed();
    std::thread::scope(|scope| {
        for seed in first..first + threads {
            let (cover, failed, each) = (&cover, &failed, &each);
            scope.spawn(move || {
                let outcome = runner(cases.div_ceil(threads), seed).run(&plan::plans(), |plan| {
                    let made = build(&plan);
                    let shapes: Vec<_> = made
                        .case
                        .tensors
                        .iter()
                        .map(|t| (&t.name, t.dtype, &t.shape))
                        .collect();
                    let attrs = &made.case.attrs;
                    cover.lock().expect("the table").add(&made.cover);
                    each(&made, plan.seed).map_err(|why| {
                        let head = format!(
                            "{} exact {} data {}",
                            made.case.chip.name, made.case.exact, made.case.seed
                        );
                        TestCaseError::fail(format!(
                            "{why}\n{head}\n{shapes:?} {attrs:?}\n{}",
                            made.case.text
                        ))
                    })
                });
                if let Err(e) = outcome {
                    let why = match e {
                        proptest::test_runner::TestError::Fail(why, _) => why.to_string(),
                        proptest::test_runner::TestError::Abort(why) => why.to_string(),
                    };
                    failed
                        .lock()
                        .expect("the list")
                        .push_str(&format!("\nJUMAR_SEED={seed}: {why}\n"));
                }
            });
        }
    });
    let failed = failed.into_inner().expect("the list");
    assert!(failed.is_empty(), "{failed}");
    cover.into_inner().expect("the table")
}

#[test]
fn random_kernels_agree_on_every_cut() {
    let cases = tier::cases("JUMAR_CASES", 200, 10_000);
    let cover = run_all(cases, build, |made, _| judge(made, None));
    if std::env::var_os("JUMAR_TABLE").is_some() {
        println!("{}", cover.table());
    }
    let [exact, bounded, undecided] = COMPARED.each_ref().map(|n| n.load(Ordering::Relaxed));
    println!("of sums in any order {exact} elements were compared to the bit, {bounded} within bounds, {undecided} not at all");
    let [outputs, thousandths] = OUTPUTS.each_ref().map(|n| n.load(Ordering::Relaxed));
    println!("{thousandths} thousandths of {outputs} outputs");
    // 46 seeds gave 31 to 196 thousandths, and 287 for 58 outputs: a short run is a small sample.
    let most = if cases < 2000 { 400 } else { 250 };
    assert!(
        thousandths <= most * outputs,
        "{thousandths} thousandths of {outputs} outputs of sums in any order were left out"
    );
    // A short run need not contain every construct.
    let missing = if cases < 2000 {
        Vec::new()
    } else {
        cover.missing()
    };
    assert!(
        missing.is_empty(),
        "no kernel contained:\n{}",
        missing.join("\n")
    );
}

/// The gate runs too few kernels to contain every construct, so this test draws more without
/// running them.
#[test]
fn drawn_kernels_contain_all_that_the_language_has() {
    let covered = |count, build: fn(&plan::Plan) -> build::Made| {
        let mut cover = Cover::default();
        (0..count).for_each(|seed| cover.add(&build(&plan_of(seed)).cover));
        cover
    };
    let missing = covered(2_000, build).missing();
    assert!(
        missing.is_empty(),
        "no kernel contains:\n{}",
        missing.join("\n")
    );
    let missing = nests::missing(&covered(600, nests::build));
    assert!(
        missing.is_empty(),
        "no kernel over nests contains:\n{}",
        missing.join("\n")
    );
}

#[test]
fn every_call_of_the_device_functions_is_read() {
    let forms = Forms::default();
    let chips = ["ascend910b1", "ascend310p"].map(|name| Chip::by_name(name).expect("a chip"));
    let dtypes = [DType::F32, DType::F16, DType::I32];
    let jobs: Vec<_> = chips
        .into_iter()
        .flat_map(|chip| dtypes.map(|dtype| (chip, dtype)))
        .collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(String::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((chip, dtype)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut rng =
                        TestRng::from_seed(RngAlgorithm::ChaCha, &tier::seed_bytes(tier::seed()));
                    let picks: Vec<u16> =
                        (0..4096).map(|_| (rng.next_u32() % 5040) as u16).collect();
                    if let Err(why) = aimed::judge(chip, *dtype, &forms, &mut Picks::new(&picks)) {
                        wrong.lock().expect("the list").push_str(&why);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("the list");
    assert!(wrong.is_empty(), "{wrong}");
    if std::env::var_os("JUMAR_TABLE").is_some() {
        println!("{}", forms.table());
    }
    let missing = forms.missing();
    assert!(missing.is_empty(), "too seldom:\n{}", missing.join("\n"));
}

#[test]
fn random_kernels_agree_with_their_emitted_text() {
    run_all(
        tier::cases("JUMAR_CPP_CASES", 4, 160),
        build,
        |made, seed| judge(made, Some(seed)),
    );
}

#[test]
fn limits_of_calls_of_random_kernels_are_proved() {
    let cases = tier::cases("JUMAR_PROVED", 100, 5_000);
    for build in [build as fn(&plan::Plan) -> build::Made, nests::build] {
        run_all(cases, build, |made, _| limits::proved(&made.case));
    }
}

#[test]
fn random_nests_agree_on_every_cut() {
    let cases = tier::cases("JUMAR_NESTS", 20, 1_000);
    let unread = nests::Unread::default();
    let cover = run_all(cases, nests::build, |made, _| unread.judge(made, None));
    if let Some(what) = std::env::var_os("JUMAR_TABLE") {
        println!("{}\n{}", cover.table(), unread.table(what == "texts"));
    }
    unread.assert_few(cases);
    let missing = if cases < 600 {
        Vec::new()
    } else {
        nests::missing(&cover)
    };
    assert!(
        missing.is_empty(),
        "no kernel contained:\n{}",
        missing.join("\n")
    );
}

#[test]
fn random_nests_agree_with_their_emitted_text() {
    let unread = nests::Unread::default();
    run_all(
        tier::cases("JUMAR_CPP_NESTS", 2, 40),
        nests::build,
        |made, seed| unread.judge(made, Some(seed)),
    );
}
