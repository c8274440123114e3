//! The queue level.
//!
//! | file | reads |
//! |---|---|
//! | `queues` | `TPipe`, `TQue`, `TBuf` |
//! | `share` | the part of a core |
//! | `local`, `moves` | local tensors, copies |
//! | `vector`, `extent` | vector instructions, counts and masks |
//! | `by_hand` | events that an author sets |
//! | `workspace` | tensors in GM between phases |

pub mod by_hand;
pub mod extent;
pub mod local;
pub mod moves;
pub mod queues;
pub mod share;
pub mod vector;
pub mod workspace;
