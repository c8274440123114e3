//! Source text before it is a kernel.
//!
//! - `brackets`: brackets that do not match;
//! - `nesting`: depth that the parser's stack can bear;
//! - `tokens`: numbers and names of absurd length;
//! - `python`: forms of Python that are none of Rust;
//! - `span`: places of syntax nodes;
//! - `suggest`: names that the author may have meant;
//! - `words`: words and their spelling.

pub mod brackets;
pub mod nesting;
pub mod python;
pub mod span;
pub mod suggest;
pub mod tokens;
pub mod words;
