//! Shared parts of the suites of several crates. The crate depends on no crate of jumar, so every
//! crate can test with it.
//!
//! | module | holds |
//! |---|---|
//! | [`alone`] | a test again in a separate process |
//! | [`book`] | pages of Markdown: fences, links, anchors |
//! | [`files`] | the files of the workspace |
//! | [`nests`] | kernels over several axes, with shapes |
//! | [`parallel`] | a function of each item, on all cores |
//! | [`prose`] | the rules of prose |
//! | [`schema`] | checks of a value against a JSON schema |
//! | [`tier`] | how much of a suite runs, and which cases a sweep draws |
//! | [`twins`] | files that hold a wrong kernel and its right twin |
//! | [`watched`] | a test again under valgrind |
#![forbid(unsafe_code)]

pub mod alone;
pub mod book;
pub mod files;
pub mod nests;
pub mod parallel;
pub mod prose;
pub mod schema;
pub mod tier;
pub mod twins;
#[cfg(unix)]
pub mod watched;
