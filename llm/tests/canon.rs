//! The canonical form: every task and example has one, it is the same kernel, and its own canonical
//! form is itself.

use crate::support::{again, all_tasks, drawn, each, texts};
use jumar::load::check_text;
use jumar_kit::nests::ragged::RAGGED;
use jumar_llm::canon::{canonical, Names};
use jumar_llm::tasks::corpus::Task;
use jumar_llm::tasks::judge::{judge, Verdict};

/// Returns the canonical form of an answer.
fn form(task: &Task) -> String {
    let printed = canonical(task.answer(), Names::Author);
    printed
        .unwrap_or_else(|e| panic!("{}/{}: {e}", task.bench, task.stem))
        .remove(0)
        .1
}

#[test]
fn every_answer_has_a_canonical_form_that_is_itself() {
    let mut failed = Vec::new();
    let all = all_tasks();
    for task in &all {
        let text = form(task);
        if std::env::var_os("JUMAR_SHOW").is_some() {
            println!("{text}");
        }
        let again = canonical(&text, Names::Author)
            .map_or_else(|e| e.to_string(), |mut all| all.remove(0).1);
        if again != text {
            failed.push(format!(
                "{}/{}: not itself:\n{text}\n{again}",
                task.bench, task.stem
            ));
        }
        let file = check_text("canonical.rs", &text, None);
        if file.has_errors() {
            failed.push(format!(
                "{}/{}: refused:\n{text}\n{}",
                task.bench,
                task.stem,
                file.render(false)
            ));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {} tasks:\n{}",
        failed.len(),
        all.len(),
        failed.join("\n")
    );
}

/// `JUMAR_CANON` is the number of judged answers, drawn by their texts; at night, all.
#[test]
fn answers_in_canonical_form_are_right() {
    let asked = drawn("JUMAR_CANON", 15, all_tasks(), |task| task.answer());
    let failed = each(&asked, |task| {
        let text = form(task);
        let verdict = judge(task, task.reference(), &text, false);
        (!matches!(verdict, Verdict::Right { .. }))
            .then(|| format!("{}/{}: {verdict}\n{text}", task.bench, task.stem))
    });
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    let again = again("answers_in_canonical_form_are_right");
    assert!(
        failed.is_empty(),
        "{} of {} tasks:\n{}\n{again}",
        failed.len(),
        asked.len(),
        failed.join("\n")
    );
}

/// Axes in names change nothing but names, even where a name is reused.
#[test]
fn names_that_say_axes_are_names_of_the_same_kernel() {
    let (mut given_again, mut failed) = (0, Vec::new());
    for task in all_tasks() {
        let of = |text: &str, how| {
            canonical(text, how)
                .unwrap_or_else(|e| panic!("{}: {e}\n{text}", task.stem))
                .remove(0)
                .1
        };
        let (own, said) = (
            of(task.answer(), Names::Author),
            of(task.answer(), Names::Axes),
        );
        let defined: Vec<&str> = said
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("let ")?.split(" = ").next())
            .collect();
        given_again +=
            usize::from((1..defined.len()).any(|at| defined[..at].contains(&defined[at])));
        if of(&said, Names::Author) != own || of(&said, Names::Axes) != said {
            failed.push(format!("{}:\n{said}", task.stem));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of the tasks:\n{}",
        failed.len(),
        failed.join("\n")
    );
    assert!(given_again > 50, "{given_again}");
}

/// A grammar has a limited number of names, so the printer must not exceed it.
#[test]
fn a_scope_with_more_names_than_a_pool_has_is_told() {
    let kernel = |steps: usize| {
        let steps = "let v = v.exp(); ".repeat(steps);
        let head = "use jumar::prelude::*; #[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>)";
        format!("{head} {{ for t in tiles(x) {{ let v = x.at(t).load(); {steps} y.at(t).store(v); }} }}")
    };
    let printed = canonical(&kernel(255), Names::Pools).expect("as many as there are");
    assert!(
        printed[0].1.contains("let v255 = v254.exp();"),
        "{}",
        printed[0].1
    );
    let why = canonical(&kernel(256), Names::Pools)
        .expect_err("one more")
        .to_string();
    assert_eq!(
        why,
        "kernel `k`: a scope with more than 256 names of `v` has no canonical form"
    );
}

#[test]
fn every_tile_kernel_of_the_examples_has_a_canonical_form_that_is_itself() {
    let (mut failed, mut count) = (Vec::new(), 0);
    let ranges = RAGGED
        .iter()
        .map(|ragged| (ragged.what.to_string(), ragged.text.to_string()));
    for (name, text) in texts().into_iter().chain(ranges) {
        for how in [Names::Author, Names::Pools] {
            match canonical(&text, how) {
                Ok(printed) => {
                    for (kernel, text) in printed {
                        count += 1;
                        let again = canonical(&text, how).map(|all| all[0].1.clone());
                        if again.as_ref().ok() != Some(&text) {
                            failed.push(format!(
                                "{name} {kernel} {how:?}:\n{text}\n{}",
                                again.unwrap_or_else(|e| e.to_string())
                            ));
                        }
                    }
                }
                Err(e) if e.to_string().contains("queue level") => {}
                // In a range whose ends only a core knows, `t.iota()` begins elsewhere.
                Err(e)
                    if name.contains(' ')
                        && e.to_string().contains("indices that begin elsewhere") => {}
                Err(e) => failed.push(format!("{name} {how:?}: {e}")),
            }
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {count}:\n{}",
        failed.len(),
        failed.join("\n")
    );
}
