//! Device functions that lowered kernels call: reductions, broadcasts and fills.
//!
//! The cheapest vector calls depend on sizes that only the host knows, so a function chooses them
//! at run time. Each function is made once for an op and element type. [`Funcs`](registry::Funcs)
//! returns its id.

mod all;
mod block_pairs;
mod broadcast;
mod builder;
mod integers;
pub mod library;
mod middle;
mod middle_first;
mod pad;
mod part;
mod registry;
mod rows;

pub(super) use broadcast::has_again;
pub(super) use integers::{whole_work_a_row, whole_work_behind};
pub(super) use middle::middle_work;
pub(super) use registry::{Funcs, Reduce, Side};
pub(super) use rows::{longest_row, work_a_row, MOST_ROWS};
