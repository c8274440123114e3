//! The program from outside: each test starts `jumar` as a process.

mod book;
mod cli;
mod data;
mod eval;
mod mcp;
