//! Evaluation of thousands of candidates of a language model: they are judged in stages,
//! classified, scored and reported.
//!
//! | module | what it does |
//! |---|---|
//! | [`stages`] | one candidate through parse, check, emit, compile, right, cost |
//! | [`ascendc`] | one candidate in AscendC |
//! | [`hidden`] | cases of sizes that no header names |
//! | [`class`] | the kind of mistake behind each error code |
//! | [`cost`] | predicted cycles and their bound |
//! | [`pool`] | the stages in processes with limits of time and memory |
//! | [`prompt`] | the messages to a model, and the kernel in its reply |
//! | [`head`] | the head of a task's kernel, from its header |
//! | [`told`] | the description of the language in a prompt, and the grammar of replies |
//! | `random` | with the feature `mask`: a model that knows only a grammar |
//! | [`record`] | candidates and results as lines of JSON |
//! | [`drive`] | all candidates of a call, in parallel and resumable |
//! | [`score`] | pass@k |
//! | [`report`], [`plot`] | tables and a picture of results |
//!
//! `book/src/models/evaluation.md` is the guide to `jumar eval`, the command of this module.

pub mod ascendc;
pub mod class;
pub mod cost;
pub mod drive;
pub mod head;
pub mod hidden;
pub mod plot;
pub mod pool;
pub mod prompt;
#[cfg(feature = "mask")]
pub mod random;
pub mod record;
pub mod report;
pub mod score;
pub mod stages;
pub mod told;

use crate::tasks::corpus::{tasks, Task, BENCHES};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Returns every task by `bench/name`.
pub fn all_tasks() -> &'static BTreeMap<String, Task> {
    static ALL: OnceLock<BTreeMap<String, Task>> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = BENCHES.iter().flat_map(|(bench, ..)| tasks(bench));
        all.map(|task| (format!("{}/{}", task.bench, task.stem), task))
            .collect()
    })
}

/// Returns the task of a `bench/name`.
pub fn task(name: &str) -> Option<&'static Task> {
    all_tasks().get(name)
}
