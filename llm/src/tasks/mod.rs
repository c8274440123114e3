//! Tasks of two public benchmarks that a vector core can do, and kernels that engines of language
//! models call. Descriptions and answers are our own.
//!
//! A task is three files. `llm/tasks/<bench>/<task>.toml` describes the kernel, and `<task>.rs`
//! beside it is the answer. Both are embedded texts that are read at run time.
//! `llm/src/tasks/<bench>/<task>.rs` is a reference in f64 that is independent of jumar.
//!
//! rustc never compiles an answer, so a program with the tasks contains 200 texts and no kernel. An
//! answer is read, checked and run like any candidate: [`judge::judge`] takes a task and the text
//! of a kernel, and returns a verdict. `llm/tests/tasks.rs` does that with each task.
//! `book/src/models/tasks.md` is the table of all of them.

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
    /// The computation in f64.
    pub reference: judge::Reference,
}

/// Declares the references of a benchmark, and the list of its tasks with their texts.
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
