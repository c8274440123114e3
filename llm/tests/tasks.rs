//! The tasks of two public benchmarks that a vector core can do, and kernels that engines of
//! language models call, with our answers.
//!
//! rustc compiles no answer, so this suite checks them: each one is read, checked, lowered, emitted
//! and run like any candidate. [`judge::judge`] gives the verdict. The files of a task are
//! described in `llm/src/tasks/mod.rs`, and `book/src/models/tasks.md` is the table of all tasks.
//!
//! | variable | says | where it is not set |
//! |---|---|---|
//! | `JUMAR_TASK` | only tasks whose `bench/name` contains this | all |
//! | `JUMAR_ANSWERS` | how many answers are judged | 50, in the night all |
//! | `JUMAR_CPP` | `all` or `none`: the answers that run as C++, too | one in ten by the hash of its text, in the night all |
//! | `JUMAR_TOLERANCES` | how many tasks are asked whether their tolerance tells anything | 20, in the night all |
//! | `JUMAR_CANDIDATE` | a file with a kernel, judged in place of the answer of the task `JUMAR_TASK` | the answers |
//! | `JUMAR_TABLE` | prints a line a task | nothing |

use crate::support::{again, all_tasks, drawn, each};
use jumar::dsl::check::check;
use jumar::dsl::diag::Diagnostic;
use jumar::dsl::dtype::DType;
use jumar::dsl::front;
use jumar::dsl::soc::Chip;
use jumar_kit::files::{below, stem};
use jumar_kit::tier::is_drawn;
use jumar_llm::eval::stages::{Cases, Judge, Settings};
use jumar_llm::tasks::corpus::{self, tasks, Case, BENCHES};
use jumar_llm::tasks::judge::{bluntest, judge, Verdict};
use jumar_llm::tasks::run::{compared, runs, Forgery, Run};
use std::path::Path;

/// One answer in this many runs as C++, since a compilation takes a second.
const PARTS: u64 = 10;

/// Forgeries that are the right result: copies, zeros, no input at all, rows of padding at the end.
const HONEST: [(&str, Forgery); 5] = [
    ("npukernelbench/expand_v2", Forgery::Input),
    ("npukernelbench/eye", Forgery::Input),
    ("npukernelbench/feeds_repeat", Forgery::Dropped),
    ("npukernelbench/foreach_zero_inplace", Forgery::Zeros),
    ("npukernelbench/foreach_zero_inplace", Forgery::Dropped),
];

/// Returns the names of a folder's files with this ending, in order.
fn names(folder: &str, end: &str) -> Vec<String> {
    below(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &[end])
        .iter()
        .map(|path| stem(path))
        .collect()
}

#[test]
fn every_answer_is_right_on_every_reader() {
    let candidate = std::env::var("JUMAR_CANDIDATE").ok();
    let all = drawn("JUMAR_ANSWERS", 50, all_tasks(), |task| task.answer());
    assert!(
        candidate.is_none() || all.len() == 1,
        "a candidate is one of one task, and JUMAR_TASK names {}",
        all.len()
    );
    let judged = each(&all, |task| {
        let read =
            |path: &String| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let text = candidate
            .as_ref()
            .map_or_else(|| task.answer().to_string(), read);
        let verdict = judge(
            task,
            task.reference(),
            &text,
            is_drawn("JUMAR_CPP", PARTS, &text),
        );
        (
            matches!(verdict, Verdict::Right { .. }),
            format!("{}/{}: {verdict}", task.bench, task.stem),
        )
    });
    if std::env::var_os("JUMAR_TABLE").is_some() {
        judged.iter().for_each(|(_, line)| println!("{line}"));
    }
    let failed: Vec<&str> = judged
        .iter()
        .filter(|(is_right, _)| !is_right)
        .map(|(_, line)| line.as_str())
        .collect();
    let again = again("every_answer_is_right_on_every_reader");
    assert!(
        failed.is_empty(),
        "{} of the tasks:\n{}\n{again}",
        failed.len(),
        failed.join("\n")
    );
    let [held, left_out] = compared();
    println!("{held} elements of the interpreter were held to the simulator's, {left_out} were left out as undecided");
    // A single answer may consist of a comparison of sums.
    assert!(
        all.len() < 10 || left_out * 10 <= held,
        "{left_out} elements were left out, {held} were not"
    );
}

#[test]
fn every_task_is_listed_and_every_case_is_of_its_names() {
    for (bench, ..) in BENCHES {
        let tasks = tasks(bench);
        let listed: Vec<String> = tasks.iter().map(|task| task.stem.clone()).collect();
        let list =
            format!("llm/src/tasks/{bench}/mod.rs lists the tasks of its folders in their order");
        assert_eq!(
            names(&format!("tasks/{bench}"), "toml"),
            listed,
            "headers: {list}"
        );
        assert_eq!(
            names(&format!("tasks/{bench}"), "rs"),
            listed,
            "answers: {list}"
        );
        let references = names(&format!("src/tasks/{bench}"), "rs")
            .into_iter()
            .filter(|name| name != "mod");
        assert_eq!(references.collect::<Vec<_>>(), listed, "references: {list}");
        for task in &tasks {
            assert!(
                task.cases.len() >= 4,
                "{}: {} cases",
                task.stem,
                task.cases.len()
            );
            for attr in &task.attrs {
                let runs = |name: &&str| {
                    task.cases.iter().any(|case| {
                        case.given.get(&attr.name).unwrap_or(&attr.value).as_str() == Some(name)
                    })
                };
                assert!(
                    attr.choices().iter().all(runs),
                    "{}: a case runs each of {}",
                    task.stem,
                    attr.of
                );
            }
            let is_word = |c: char| !c.is_alphanumeric() && c != '_';
            let known = |key: &String| {
                task.attrs.iter().any(|attr| attr.name == *key)
                    || task
                        .tensors
                        .iter()
                        .any(|t| t.shape.split(is_word).any(|word| word == key))
            };
            for case in &task.cases {
                let mut keys = case
                    .given
                    .keys()
                    .chain(case.items.iter().flatten().flat_map(|item| item.keys()));
                let unknown = keys.find(|key| !known(key));
                assert!(
                    unknown.is_none(),
                    "{}: a case speaks of {unknown:?}",
                    task.stem
                );
                let optional = |name: &String| {
                    task.tensors
                        .iter()
                        .any(|t| t.name == *name && t.is.optional())
                };
                let has_lists = task.tensors.iter().any(|t| t.list);
                assert_eq!(
                    case.items.is_some(),
                    has_lists,
                    "{}: items of a case are those of lists",
                    task.stem
                );
                assert!(
                    case.without.iter().all(optional),
                    "{}: a case leaves out {:?}",
                    task.stem,
                    case.without
                );
            }
        }
    }
}

/// Checks an answer for a chip, with all instances or those without bf16. It is accepted, or each
/// error names the chip, which lacks a feature.
fn taken_on(chip: &'static Chip, text: &str, all: bool) -> Result<bool, String> {
    let parsed = front::parse_file(text).map_err(|(broken, _)| broken.message)?;
    let mut taken = true;
    for parsed in parsed {
        let mut kernel = parsed.kernel.ok_or("the front end refuses it")?;
        if !all {
            kernel
                .sig
                .instances
                .retain(|instance| !instance.contains(&DType::Bf16));
            if kernel.sig.instances.is_empty() {
                return Ok(false);
            }
        }
        let errors = match check(&kernel, chip) {
            Ok(_) => continue,
            Err(found) => found.into_iter().filter(Diagnostic::is_error),
        };
        taken = false;
        for error in errors {
            let text = format!("{} {}", error.code, error.message);
            if !error.message.contains(chip.name) || error.message.contains("error of jumar") {
                return Err(text);
            }
        }
    }
    Ok(taken)
}

/// The chip lacks DataCopyPad, bf16 and a hardware barrier. A missing feature must not be reported
/// as a mistake of the author or of jumar.
#[test]
fn every_answer_is_taken_by_an_inference_product_or_refused_for_what_it_lacks() {
    let chip = Chip::by_name("ascend310p").expect("a chip");
    let all = all_tasks();
    let judged = each(&all, |task| {
        [true, false].map(|whole| taken_on(chip, task.answer(), whole))
    });
    let mut failed = Vec::new();
    let mut taken = [0, 0];
    for (task, said) in all.iter().zip(&judged) {
        for (said, taken) in said.iter().zip(&mut taken) {
            match said {
                Ok(is_taken) => *taken += usize::from(*is_taken),
                Err(why) => failed.push(format!("{}/{}: {why}", task.bench, task.stem)),
            }
        }
    }
    assert!(
        failed.is_empty(),
        "{} answers on {}:\n{}",
        failed.len(),
        chip.name,
        failed.join("\n")
    );
    if std::env::var_os("JUMAR_TASK").is_none() {
        assert!(
            all.len() >= 140 && taken[0] >= 30 && taken[1] >= 70,
            "of {} answers {taken:?} are taken",
            all.len()
        );
    }
    // Accepted answers give the right results, or a launch is refused for a length that is not a
    // multiple of a data block.
    let run: Vec<_> = all
        .iter()
        .zip(&judged)
        .filter(|(_, said)| said[0] == Ok(true))
        .map(|(task, _)| task)
        .collect();
    let verdicts = each(&run, |task| {
        let settings = Settings {
            chip: Some(chip),
            seed: 0,
            cases: Cases::All,
            shapes: 0,
            fixes: false,
        };
        let judged =
            Judge::new(task, task.reference(), settings).judge(task.answer(), false, &mut |_| {});
        match Verdict::from(judged) {
            Verdict::Right { .. } => None,
            Verdict::Stopped { why, .. } if why.contains(chip.name) => None,
            verdict => Some(format!("{}/{}: {verdict}", task.bench, task.stem)),
        }
    });
    let failed: Vec<String> = verdicts.into_iter().flatten().collect();
    assert!(
        failed.is_empty(),
        "{} answers run on {}:\n{}",
        failed.len(),
        chip.name,
        failed.join("\n")
    );
}

/// A tolerance that accepts anything would test nothing.
#[test]
fn every_tolerance_tells_a_hundredth() {
    let all = drawn("JUMAR_TOLERANCES", 20, all_tasks(), |task| task.answer());
    for (task, (part, what)) in all
        .iter()
        .zip(each(&all, |task| bluntest(task, task.reference())))
    {
        assert!(
            part < 0.01,
            "{}/{}: {what} may be off by {part} of its largest element",
            task.bench,
            task.stem
        );
    }
}

/// A task that accepts a forgery would measure nothing.
#[test]
fn every_task_tells_results_that_cost_no_work() {
    each(&all_tasks(), |task| {
        for forgery in Forgery::ALL {
            let tells = |(case, element): (&Case, String)| {
                let run = Run::new(task, case, &element, 0);
                run.tells(&run.due(task.reference()), forgery)
            };
            let name = format!("{}/{}", task.bench, task.stem);
            assert_eq!(
                runs(task).any(tells),
                !HONEST.contains(&(name.as_str(), forgery)),
                "{name}: {forgery:?}"
            );
        }
    });
}

#[test]
fn other_texts_get_the_verdict_that_they_deserve() {
    let task = tasks("multikernelbench")
        .into_iter()
        .find(|task| task.stem == "leaky_relu")
        .expect("a task");
    let answer = task.answer();
    let verdict = |text: &str| judge(&task, task.reference(), text, false);
    let changed = |from: &str, to: &str| {
        assert!(answer.contains(from), "{answer}");
        verdict(&answer.replace(from, to))
    };
    assert!(matches!(verdict(answer), Verdict::Right { .. }));
    assert!(matches!(verdict("pub fn leaky_relu("), Verdict::Refused(_)));
    assert!(matches!(verdict(""), Verdict::Refused(_)));
    assert!(matches!(
        changed("fn leaky_relu", "fn other"),
        Verdict::Refused(_)
    ));
    assert!(matches!(
        changed(".leaky_relu(slope)", ".leaky(slope)"),
        Verdict::Refused(_)
    ));
    assert!(matches!(changed("x: &", "u: &"), Verdict::Refused(_)));
    assert!(matches!(
        changed("slope: f32", "slope: f32, more: f32"),
        Verdict::Stopped { .. }
    ));
    assert!(matches!(
        changed(".leaky_relu(slope)", ".leaky_relu(0.01)"),
        Verdict::Wrong { .. }
    ));
    assert!(matches!(
        changed(".leaky_relu(slope)", ".relu()"),
        Verdict::Wrong { .. }
    ));
}

#[test]
fn tokens_are_words_strings_and_signs() {
    assert_eq!(
        corpus::tokens("let x_1 = a+b; // no\n/* nor\nthis */ f(\"a \\\" b\", 1.5)"),
        15
    );
}
