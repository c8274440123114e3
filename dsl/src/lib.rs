//! What a jumar kernel may say, and whether it is right.
//!
//! The way of a kernel through this crate: Rust text → [`front`] (syntax, names, source locations)
//! → [`ir`] → [`lower`] (tile level to queue level, per dtype instance and chip) → [`check`] →
//! [`check::CheckedKernel`]. `codegen` and `runtime` accept nothing else.
//! Facts live in tables that every phase reads: [`ops`] (one row an op), [`items`] (one row a method or function), [`soc`] (one row a chip),
//! [`diag::codes`] (one row an error), [`dtype`] (element types and named sets). [`cost`] predicts what a lowered kernel takes.
//!
//! This crate does no I/O, holds no C++ text and starts no process.
#![forbid(unsafe_code)]

pub mod check;
pub mod cost;
pub mod diag;
pub mod dtype;
pub mod front;
pub mod ir;
pub mod items;
pub mod library;
pub mod lower;
pub mod names;
pub mod ops;
pub mod scalar;
pub mod soc;
pub mod surface;
pub mod targets;
pub mod tiling;
