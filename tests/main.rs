//! The suites of the `jumar` library, one program. `book/src/internals/tests.md` is their map, and
//! `tests/README.md` has their switches.

mod aclnn;
mod api;
mod book;
mod broken;
mod bugs;
mod copies;
mod cost;
mod dependencies;
mod differential;

mod elements;
mod errors;
mod fingerprint;
mod flags;
mod functions;
mod launch;
mod lines;
mod lists;
mod merges;
mod mutations;
mod npu;
mod operator;
mod outside;
mod pages;
mod promises;
mod rehearsals;
mod releases;
mod structure;
mod tile;
mod ui;
mod whole;
