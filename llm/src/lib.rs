//! Prompts, grammars and judges for language models that write jumar kernels.
//!
//! Constraining and prompting a model:
//!
//! - [`card`]: the description of the language for a prompt, within a budget of tokens.
//! - [`canon`]: the canonical form of a kernel.
//! - [`grammar`]: that form as grammars, in the notations of the engines that constrain a model.
//! - [`prefix`]: the decision, byte by byte, if a text may still become a right kernel.
//! - `walk`, with the feature `mask`: how far a grammar takes a text, and random texts that it
//!   accepts.
//!
//! Judging candidates:
//!
//! - [`tasks`]: tasks of two public benchmarks and of serving as data, with answers, references in
//!   f64, and the judge of a candidate.
//! - [`bridge`]: kernels in the forms in which benchmarks take answers.
//! - [`client`]: the client of a model server that is asked for candidates.
//! - [`eval`]: runs over thousands of candidates, with stages, classes of failure, scores and
//!   reports.
//! - [`reward`]: the judgement as one number a candidate, for the training of a model.
//! - [`data`]: records of kernels and failed attempts, as training data.
//! - [`mcp`]: check, fix, emit, run and the other commands as tools of a model.
//!
//! Shared by these:
//!
//! - [`child`]: child processes with limits of time and memory.
//! - [`lines`]: bounded lines of an untrusted input.
//! - [`shape`]: structs that describe themselves as a JSON schema.
//! - [`finding`]: findings as values.
//! - [`summary`]: the summary of an array.
#![forbid(unsafe_code)]

pub mod bridge;
pub mod canon;
pub mod card;
pub mod child;
pub mod client;
pub mod data;
pub mod eval;
pub mod finding;
pub mod grammar;
pub mod lines;
pub mod mcp;
pub mod prefix;
pub mod reward;
pub mod shape;
pub mod summary;
pub mod tasks;
#[cfg(feature = "mask")]
pub mod walk;
