//! The language of jumar kernels: reads them, lowers them and checks them.
//!
//! A kernel passes through these modules in order:
//!
//! - [`front`] reads Rust text: syntax, names, source locations.
//! - [`ir`] holds the kernel in one of two dialects, tile level and queue level.
//! - [`lower`] makes queue level of tile level, for each dtype instance and chip.
//! - [`check`] judges the lowered kernel. Its result is a [`check::CheckedKernel`], the only input
//!   that `codegen` and `runtime` accept.
//!
//! Every phase reads its facts from tables:
//!
//! | table | row |
//! |---|---|
//! | [`ops`] | an op |
//! | [`items`] | a method or function |
//! | [`soc`] | a chip |
//! | [`diag::codes`] | an error |
//! | [`dtype`] | element types and named sets |
//!
//! [`cost`] predicts the time of a lowered kernel.
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
