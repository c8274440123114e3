//! Passes from tile kernel to tile kernel, one file each: name of the file, what it does to a body, what holds behind it.
//!
//! | pass | it | behind it |
//! |---|---|---|
//! | `normalize` | drops casts to the own type and copies of immutable values | one name a value |
//! | `init_accumulators` | stores zeros in what is only added to | each output has a first store |
//! | `count_then_pack` | makes stream compaction a counting loop and a packing one | the packing loop knows its offsets |
//! | `expand_reductions` | makes composite reductions of simple ones | means, variances and their like are gone |
//! | `share_common` | makes once what was made twice | |
//! | `peephole` | makes fewer ops of some, with the same bits | |
//! | `isolate_reads` | gives reads of scalars a loop of their own | |
//! | `legalize` | makes compares, unsigned integers and 64 bits of what a chip has | asked by `body`, op by op |
//! | `split_long_rows` | divides few long rows over the cores | a variant of its own |
//! | `stream` | cuts whole axes into passes over their parts | the streamed variant |
//! | `fuse` | makes two passes of a streamed body one | |
//! | `accumulate_in_place` | adds to an accumulator where it lies | |
//! | `hoist` | moves out of loops what does not change there, and loads first | |
//! | `unroll` | repeats loops of few turns | |
//! | `merge_windows` | makes overlapping windows one load | windows have a hull |

pub mod accumulate_in_place;
pub mod count_then_pack;
pub mod expand_reductions;
pub mod fuse;
pub mod hoist;
pub mod init_accumulators;
pub mod isolate_reads;
pub mod legalize;
pub mod merge_windows;
pub mod normalize;
pub mod peephole;
pub mod share_common;
pub mod split_long_rows;
pub mod stream;
pub mod unroll;
