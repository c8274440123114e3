//! The suites of the `jumar` library, one program. `tests/README.md` is their map.

mod aclnn;
mod api;
mod broken;
mod bugs;
mod copies;
mod cost;
mod dependencies;
mod differential;
mod docs;
mod elements;
mod errors;
mod fingerprint;
mod flags;
mod functions;
mod launch;
mod lines;
mod lists;
mod mutations;
mod npu;
mod operator;
mod outside;
mod pages;
mod promises;
mod tile;
mod ui;
mod whole;
