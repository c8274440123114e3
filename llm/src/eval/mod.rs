//! Candidates of a language model by the thousand: judged in stages, classed, scored, reported.
//!
//! | module | what it does |
//! |---|---|
//! | [`stages`] | one candidate through parse, check, emit, compile, right, cost |
//! | [`ascendc`] | one candidate that is AscendC |
//! | [`hidden`] | cases of sizes that no header names |
//! | [`class`] | the kind of mistake behind each error code |
//! | [`cost`] | predicted cycles and their bound |
//! | [`pool`] | the same in processes with limits of time and memory |
//! | [`prompt`] | what a model is asked, and the kernel in its reply |
//! | [`head`] | the head of a task's kernel, of its header |
//! | [`told`] | what a model is told of the language, and what its replies are held to |
//! | `random` | with the feature `mask` a model that knows nothing but a grammar |
//! | [`record`] | candidates and results as lines of JSON |
//! | [`drive`] | all candidates of a call, side by side, and again where a call was ended |
//! | [`score`] | pass@k |
//! | [`report`], [`plot`] | tables and a picture of results |
//!
//! `docs/eval.md` is the guide to `jumar eval`, which is this module behind arguments.

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

/// Every task by `bench/name`.
pub fn all_tasks() -> &'static BTreeMap<String, Task> {
    static ALL: OnceLock<BTreeMap<String, Task>> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = BENCHES.iter().flat_map(|(bench, ..)| tasks(bench));
        all.map(|task| (format!("{}/{}", task.bench, task.stem), task))
            .collect()
    })
}

/// The task of that `bench/name`.
pub fn task(name: &str) -> Option<&'static Task> {
    all_tasks().get(name)
}
