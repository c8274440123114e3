//! Language models as authors of kernels: what they are asked, and how what they write is judged.
//!
//! - [`bridge`]: kernels in the forms in which benchmarks take answers.
//! - [`canon`]: the canonical form of a kernel.
//! - [`card`]: what a prompt says of the language, in as many tokens as there are.
//! - [`grammar`]: that form as grammars, in the notations of the engines that constrain a model.
//! - [`prefix`]: whether a text may still become a right kernel, byte by byte.
//! - [`tasks`]: the tasks of two public benchmarks and of serving as data, with answers and references in f64, and the judge of any candidate.
//! - [`child`], [`lines`], [`shape`], [`finding`], [`summary`]: processes with limits of time and memory, lines of standard input, structs that describe themselves,
//!   findings as values, and what is said of an array, for all that serve others.
//! - [`client`]: a server that is asked for candidates.
//! - [`eval`]: candidates by the thousand: stages, classes of failure, scores, reports.
//! - `walk`, with the feature `mask`: how far a grammar takes a text, and random texts that it lets through.
//! - [`reward`]: the same as one number a candidate, for who trains a model.
//! - [`data`]: kernels, wrong tries and what became of them, to train a model on.
//! - [`mcp`]: check, fix, emit, run and the rest as tools of a model.
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
