//! Memory of values in UB.
//!
//! - `decls`: the declarations of a body;
//! - `queues`, `buffers`: queues and buffers at one point of a variant;
//! - `homes`: the home of each value;
//! - `columns`: broadcast columns that are kept;
//! - `banks`: the order of buffers in UB;
//! - `l2_hint`: inputs that L2 need not keep.

pub mod banks;
pub mod buffers;
pub mod columns;
pub mod decls;
pub mod homes;
pub mod l2_hint;
pub mod queues;
