//! Kernels to train a model on: what was asked, a kernel that is right, what it becomes and computes, and wrong tries with what became of them.
//!
//! | module | what it does |
//! |---|---|
//! | [`record`] | a line of the export, and its schema |
//! | [`mutate`] | a right kernel made wrong as authors make it wrong |
//! | [`page`] | wrong kernels that are there, with what is right in their place |
//! | [`random`] | kernels that nobody asked for |
//! | [`trace`] | what the tiles of a run held |
//! | [`export`] | all records of a call, in one order, whoever computes them when |
//!
//! Nothing stands in a record that was not tried: a right kernel is judged, a wrong one is refused or gives other values, a fixed one is judged again. `docs/data.md` is
//! the guide.

pub mod export;
pub mod mutate;
pub mod page;
pub mod random;
pub mod record;
mod task;
pub mod trace;

pub use task::family;
