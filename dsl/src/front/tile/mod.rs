//! The tile level.
//!
//! | file | reads |
//! |---|---|
//! | `loops`, `loop_head`, `range` | tile loops, their heads, ranges that only a core knows |
//! | `axes`, `view`, `at`, `affine` | axes that a kernel makes, views, parts of tensors, indices |
//! | `store`, `append`, `read`, `dump` | stores, stream compaction, scalars that are read from tiles, dumps |
//! | `ops`, `masks`, `reduce`, `scan`, `sort`, `pick` | ops of tiles, by kind |
//! | `across` | cross-core accumulators |

pub mod across;
pub mod affine;
pub mod append;
pub mod at;
pub mod axes;
pub mod dump;
pub mod loop_head;
pub mod loops;
pub mod masks;
pub mod ops;
pub mod pick;
pub mod range;
pub mod read;
pub mod reduce;
pub mod scan;
pub mod sort;
pub mod store;
pub mod view;
