//! Passes from tile kernel to tile kernel, one file each. Their order, with what each does and when it runs, is one table: `pipeline::PASSES`.
//!
//! A pass is a function `run` on a body and on what it asks for. It knows no other pass but by what the body says, and the kernel means the same
//! behind it, which the tile interpreter holds it to. `legalize` is none: `body` asks it, op by op, for what a chip has in the place of compares,
//! unsigned integers and 64 bits.

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
