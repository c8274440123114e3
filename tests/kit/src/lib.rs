//! Parts that the suites of several crates share. It depends on no crate of jumar, so that every crate can test with it.
//!
//! | module | holds |
//! |---|---|
//! | [`alone`] | a test once more in a process of its own |
//! | [`files`] | the files of the workspace |
//! | [`nests`] | kernels over several axes, with shapes |
//! | [`schema`] | whether a value is what a schema of JSON asks for |
//! | [`tier`] | how much of a suite runs, and which cases a sweep draws |
//! | [`watched`] | a test once more under valgrind |
#![forbid(unsafe_code)]

pub mod alone;
pub mod files;
pub mod nests;
pub mod schema;
pub mod tier;
#[cfg(unix)]
pub mod watched;
