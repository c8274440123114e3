//! Passes from tile kernel to tile kernel, one file each.
//!
//! The table `pipeline::PASSES` has their order, with the effect of each and the stage at which it
//! runs.
//!
//! - A pass is a function `run` on a body and on the facts that it needs.
//! - It knows no other pass except by what the body says.
//! - It keeps the meaning of the kernel; the tile interpreter checks that.
//!
//! `legalize` is no pass. `body` and `expand_reductions` ask it, op by op, for replacements of
//! compares, unsigned integers and 64-bit integers that a chip lacks.

pub mod accumulate_in_place;
pub mod count_then_pack;
pub mod cross_core;
pub mod expand_reductions;
pub mod fuse;
pub mod hoist;
pub mod init_accumulators;
pub mod isolate_reads;
pub mod legalize;
pub mod loads_first;
pub mod merge_windows;
pub mod normalize;
pub mod peephole;
pub mod settle;
pub mod share_common;
pub mod split_long_rows;
pub mod stream;
pub mod unroll;
