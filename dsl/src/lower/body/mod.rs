//! Lowers one variant from the tile dialect to queues and buffers.
//!
//! | file | content |
//! |---|---|
//! | `shapes` | shape, layout and bytes of the values in UB |
//! | `context` | the body under construction: values, places, host |
//! | `walk` | the statements of the tile dialect, one after the other |
//! | `block` | one list of statements: where values die, and where stores leave |
//! | `liveness` | the last uses of values |
//! | `loads`, `copy`, `boundary`, `strided`, `pack` | copies between GM and UB: rows, parts outside of a tensor, strides, compaction |
//! | `ops`, `broadcast`, `reductions`, `scan`, `sort`, `gather`, `padding` | instructions, by kind of op |
//! | `tables` | evenly spaced numbers, made once |
//! | `variant` | the whole variant, and the host steps that find its sizes |

pub mod block;
pub mod boundary;
pub mod broadcast;
pub mod context;
pub mod copy;
pub mod gather;
pub mod liveness;
pub mod loads;
pub mod ops;
pub mod pack;
pub mod padding;
pub mod reductions;
pub mod scan;
pub mod shapes;
pub mod sort;
pub mod strided;
mod tables;
pub mod variant;
pub mod walk;
