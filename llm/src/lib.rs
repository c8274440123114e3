//! Language models as authors of kernels: what they are asked, and how what they write is judged.
//!
//! - [`tasks`]: the tasks of two public benchmarks as data, with answers and references in f64, and the judge of any candidate.
#![forbid(unsafe_code)]

pub mod tasks;
