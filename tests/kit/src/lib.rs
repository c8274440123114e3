//! Parts that the suites of several crates share. It depends on no crate of jumar, so that every crate can test with it.
//!
//! | module | holds |
//! |---|---|
//! | [`tier`] | how much of a suite runs, and which cases a sweep draws |
#![forbid(unsafe_code)]

pub mod tier;
