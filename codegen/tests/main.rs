//! What is emitted, kernel by kernel: read as text, parsed, compiled against the headers of the CPU build, and run where it is host code.
//!
//! `cargo test -p jumar-codegen --test suite` runs all of it, with the name of a module behind it that module.

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
