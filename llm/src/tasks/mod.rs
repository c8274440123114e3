//! The tasks of two public benchmarks that a vector core can do, in our own words, with our answers.
//!
//! `<bench>/<task>.toml` says what a kernel is to compute, `<task>.rs` holds the answer and a reference in f64 that knows nothing of
//! jumar. Each answer is judged as any candidate is: [`judge::judge`] takes a task and the text of a kernel and gives a verdict. `docs/tasks.md`
//! is the table of all of them.

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
    /// The text of the file with its answer.
    pub text: &'static str,
    /// What it computes, in f64.
    pub reference: judge::Reference,
}

/// The answers and references of a folder, and its list of them.
macro_rules! tasks {
    ($($task:ident)*) => {
        $(#[allow(missing_docs)] pub mod $task;)*
        /// The tasks in the order of their names.
        pub static ROWS: &[crate::tasks::Row] = &[$(crate::tasks::Row {
            stem: stringify!($task),
            header: include_str!(concat!(stringify!($task), ".toml")),
            text: include_str!(concat!(stringify!($task), ".rs")),
            reference: $task::reference,
        }),*];
    };
}

pub mod multikernelbench;
pub mod npukernelbench;
