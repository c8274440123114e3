//! Language models as authors of kernels: what they are asked, and how what they write is judged.
//!
//! - [`canon`]: the canonical form of a kernel.
//! - [`card`]: what a prompt says of the language, in as many tokens as there are.
//! - [`grammar`]: that form as grammars, in the notations of the engines that constrain a model.
//! - [`prefix`]: whether a text may still become a right kernel, byte by byte.
//! - [`tasks`]: the tasks of two public benchmarks as data, with answers and references in f64, and the judge of any candidate.
//! - [`client`]: a server that is asked for candidates.
//! - [`eval`]: candidates by the thousand: stages, classes of failure, scores, reports.
//! - `walk`, with the feature `mask`: how far a grammar takes a text, and random texts that it lets through.
#![forbid(unsafe_code)]

pub mod canon;
pub mod card;
pub mod client;
pub mod eval;
pub mod grammar;
pub mod prefix;
pub mod tasks;
#[cfg(feature = "mask")]
pub mod walk;
