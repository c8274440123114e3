//! The tasks of two public benchmarks that a vector core can do, in our own words, with our answers.
//!
//! `llm/tasks/<bench>/<task>.toml` says what a kernel is to compute, `<task>.rs` is the answer; its reference in f64 knows nothing of
//! jumar. Each answer is judged as any candidate is: [`judge::judge`] takes a task and the text of a kernel and gives a verdict. `docs/tasks.md`
//! is the table of all of them.
//!
//! | variable | says | where it is not set |
//! |---|---|---|
//! | `JUMAR_TASK` | only tasks whose `bench/name` contains this | all |
//! | `JUMAR_CPP` | `all`, `none`, or a number: the part of eight whose answers run as C++, too | the part of today |
//! | `JUMAR_CANDIDATE` | a file with a kernel, judged in place of the answer of the task `JUMAR_TASK` | the answers |
//! | `JUMAR_TABLE` | prints a line a task | nothing |

use jumar_llm::tasks::corpus::{self, tasks, Case, Task, BENCHES};
use jumar_llm::tasks::judge::{bluntest, judge, Verdict};
use jumar_llm::tasks::run::{runs, Forgery, Run};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Parts that the answers are run in as C++, which takes a compiler a second each.
const PARTS: u64 = 8;

/// What costs no work and is what is asked for: copies, zeros, no input at all, rows of padding at the end.
const HONEST: [(&str, Forgery); 5] = [
    ("npukernelbench/expand_v2", Forgery::Input),
    ("npukernelbench/eye", Forgery::Input),
    ("npukernelbench/feeds_repeat", Forgery::Dropped),
    ("npukernelbench/foreach_zero_inplace", Forgery::Zeros),
    ("npukernelbench/foreach_zero_inplace", Forgery::Dropped),
];

/// The tasks that have a header in the folder of a benchmark, by name.
fn headers(bench: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tasks").join(bench);
    let paths = std::fs::read_dir(&folder).expect("the folder of a benchmark").map(|entry| entry.expect("an entry").path());
    let stem = |path: PathBuf| path.file_stem().and_then(|s| s.to_str()).expect("a name").to_string();
    let mut stems: Vec<String> = paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).map(stem).collect();
    stems.sort();
    stems
}

/// The tasks that are asked for, each with its number among all.
fn all() -> Vec<(u64, Task)> {
    let only = std::env::var("JUMAR_TASK").unwrap_or_default();
    let tasks = (0..).zip(BENCHES.iter().flat_map(|(bench, ..)| tasks(bench)));
    let asked: Vec<_> = tasks.filter(|(_, task)| format!("{}/{}", task.bench, task.stem).contains(&only)).collect();
    assert!(!asked.is_empty(), "JUMAR_TASK names no task: `{only}`");
    asked
}

/// Whether a task's answer runs as C++ today: every one does within eight days.
fn runs_as_cpp(nth: u64) -> bool {
    match std::env::var("JUMAR_CPP").as_deref() {
        Ok("all") => true,
        Ok("none") => false,
        Ok(part) => {
            nth % PARTS == part.parse::<u64>().unwrap_or_else(|_| panic!("JUMAR_CPP is all, none or a number, found `{part}`"))
        }
        Err(_) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a day after the first of 1970");
            nth % PARTS == now.as_secs() / 86_400 % PARTS
        }
    }
}

#[test]
fn every_answer_is_right_on_every_reader() {
    let table = std::env::var_os("JUMAR_TABLE").is_some();
    let candidate = std::env::var("JUMAR_CANDIDATE").ok();
    let (mut failed, all) = (Vec::new(), all());
    assert!(candidate.is_none() || all.len() == 1, "a candidate is one of one task, and JUMAR_TASK names {}", all.len());
    for (nth, task) in all {
        let read = |path: &String| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let text = candidate.as_ref().map_or_else(|| task.answer().to_string(), read);
        let verdict = judge(&task, task.reference(), &text, runs_as_cpp(nth));
        let line = format!("{}/{}: {verdict}", task.bench, task.stem);
        if table {
            println!("{line}");
        }
        if !matches!(verdict, Verdict::Right { .. }) {
            failed.push(line);
        }
    }
    assert!(failed.is_empty(), "{} of the tasks:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_task_is_listed_and_every_case_is_of_its_names() {
    for (bench, ..) in BENCHES {
        let tasks = tasks(bench);
        let listed: Vec<String> = tasks.iter().map(|task| task.stem.clone()).collect();
        assert_eq!(headers(bench), listed, "llm/src/tasks/{bench}/mod.rs lists the tasks of its folder in their order");
        for task in &tasks {
            assert!(task.cases.len() >= 4, "{}: {} cases", task.stem, task.cases.len());
            for attr in &task.attrs {
                let runs = |name: &&str| {
                    task.cases.iter().any(|case| case.given.get(&attr.name).unwrap_or(&attr.value).as_str() == Some(name))
                };
                assert!(attr.choices().iter().all(runs), "{}: a case runs each of {}", task.stem, attr.of);
            }
            let is_word = |c: char| !c.is_alphanumeric() && c != '_';
            let known = |key: &String| {
                task.attrs.iter().any(|attr| attr.name == *key)
                    || task.tensors.iter().any(|t| t.shape.split(is_word).any(|word| word == key))
            };
            for case in &task.cases {
                let mut keys = case.given.keys().chain(case.items.iter().flatten().flat_map(|item| item.keys()));
                let unknown = keys.find(|key| !known(key));
                assert!(unknown.is_none(), "{}: a case speaks of {unknown:?}", task.stem);
                let optional = |name: &String| task.tensors.iter().any(|t| t.name == *name && t.is.optional());
                let has_lists = task.tensors.iter().any(|t| t.list);
                assert_eq!(case.items.is_some(), has_lists, "{}: items of a case are those of lists", task.stem);
                assert!(case.without.iter().all(optional), "{}: a case leaves out {:?}", task.stem, case.without);
            }
        }
    }
}

/// A tolerance that takes anything would hold nothing.
#[test]
fn every_tolerance_tells_a_hundredth() {
    for (_, task) in all() {
        let (part, what) = bluntest(&task, task.reference());
        assert!(part < 0.01, "{}/{}: {what} may be off by {part} of its largest element", task.bench, task.stem);
    }
}

/// A task that takes what costs no work would measure nothing.
#[test]
fn every_task_tells_results_that_cost_no_work() {
    for (_, task) in all() {
        for forgery in Forgery::ALL {
            let tells = |(case, element): (&Case, String)| {
                let run = Run::new(&task, case, &element, 0);
                run.tells(&run.due(task.reference()), forgery)
            };
            let name = format!("{}/{}", task.bench, task.stem);
            assert_eq!(runs(&task).any(tells), !HONEST.contains(&(name.as_str(), forgery)), "{name}: {forgery:?}");
        }
    }
}

#[test]
fn other_texts_get_the_verdict_that_they_deserve() {
    let task = tasks("multikernelbench").into_iter().find(|task| task.stem == "leaky_relu").expect("a task");
    let answer = task.answer();
    let verdict = |text: &str| judge(&task, task.reference(), text, false);
    let changed = |from: &str, to: &str| {
        assert!(answer.contains(from), "{answer}");
        verdict(&answer.replace(from, to))
    };
    assert!(matches!(verdict(answer), Verdict::Right { .. }));
    assert!(matches!(verdict("pub fn leaky_relu("), Verdict::Refused(_)));
    assert!(matches!(verdict(""), Verdict::Refused(_)));
    assert!(matches!(changed("fn leaky_relu", "fn other"), Verdict::Refused(_)));
    assert!(matches!(changed(".leaky_relu(slope)", ".leaky(slope)"), Verdict::Refused(_)));
    assert!(matches!(changed("x: &", "u: &"), Verdict::Refused(_)));
    assert!(matches!(changed("slope: f32", "slope: f32, more: f32"), Verdict::Stopped { .. }));
    assert!(matches!(changed(".leaky_relu(slope)", ".leaky_relu(0.01)"), Verdict::Wrong { .. }));
    assert!(matches!(changed(".leaky_relu(slope)", ".relu()"), Verdict::Wrong { .. }));
}

#[test]
fn tokens_are_words_strings_and_signs() {
    assert_eq!(corpus::tokens("let x_1 = a+b; // no\n/* nor\nthis */ f(\"a \\\" b\", 1.5)"), 15);
}
