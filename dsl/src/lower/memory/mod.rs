//! Where values live: declarations of a body (`decls`), queues and buffers at one point (`queues`, `buffers`), the home of each value (`homes`),
//! broadcast columns that are kept (`columns`), the order of buffers in UB (`banks`), inputs that L2 need not keep (`l2_hint`).

pub mod banks;
pub mod buffers;
pub mod columns;
pub mod decls;
pub mod homes;
pub mod l2_hint;
pub mod queues;
