//! Tests of emitted texts, kernel by kernel: read as text, parsed, compiled against the headers of
//! the CPU build, and run where they are host code.
//!
//! `cargo test -p jumar-codegen --test suite` runs all of them, and with the name of a module only
//! that module.

mod banks;
mod barriers;
mod build_script;
mod bundle;
mod common;
mod cpp;
mod form;
mod hostile;
mod projects;
mod releases;
mod rust_client;
mod shapes;
mod snapshots;
mod texts;
mod tiling;
