//! Training data for a model: a prompt, a correct kernel with its AscendC and its values, and wrong
//! attempts with their failures.
//!
//! | module | what it does |
//! |---|---|
//! | [`record`] | a line of the export, and its schema |
//! | [`mutate`] | typical mistakes of authors, made in a correct kernel |
//! | [`page`] | existing wrong kernels, with their corrections |
//! | [`random`] | random kernels |
//! | [`trace`] | the values of the tiles of a run |
//! | [`export`] | all records of a call, in a fixed order |
//!
//! Every claim of a record was tried. A correct kernel is judged, a wrong one is refused or gives
//! other values, and a fixed one is judged again. `book/src/models/data.md` is the guide.

pub mod export;
pub mod mutate;
pub mod page;
pub mod random;
pub mod record;
mod task;
pub mod trace;

pub use task::family;
