//! The tasks of two public benchmarks that a vector core can do, and kernels that engines of language models call, in our own words, with our
//! answers.
//!
//! A task is three files. `llm/tasks/<bench>/<task>.toml` says what a kernel is to compute, `<task>.rs` beside it is the answer: both are
//! text that is embedded and read at run time. `llm/src/tasks/<bench>/<task>.rs` is a reference in f64 that knows nothing of jumar.
//!
//! rustc never sees an answer, so that a program with the tasks carries 200 texts and no kernel. An answer is read, checked and run as any
//! candidate is: [`judge::judge`] takes a task and the text of a kernel and gives a verdict. `llm/tests/tasks.rs` does that with each one, and
//! `docs/tasks.md` is the table of all of them.

pub mod corpus;
pub mod data;
pub mod handwritten;
pub mod judge;
pub mod reference;
pub mod run;
mod tolerance;

/// A task as its folder lists it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name of its files and of the kernel.
    pub stem: &'static str,
    /// The text of its header.
    pub header: &'static str,
    /// The text of its answer.
    pub answer: &'static str,
    /// What it computes, in f64.
    pub reference: judge::Reference,
}

/// The references of a benchmark, and its list of tasks with their texts.
macro_rules! tasks {
    ($bench:literal: $($task:ident)*) => {
        $(mod $task;)*
        /// The tasks in the order of their names.
        pub static ROWS: &[crate::tasks::Row] = &[$(crate::tasks::Row {
            stem: stringify!($task),
            header: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tasks/", $bench, "/", stringify!($task), ".toml")),
            answer: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tasks/", $bench, "/", stringify!($task), ".rs")),
            reference: $task::reference,
        }),*];
    };
}

pub mod multikernelbench;
pub mod npukernelbench;
pub mod serving;
