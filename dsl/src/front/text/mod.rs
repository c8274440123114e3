//! Source text before it is a kernel: brackets that match (`brackets`), depth that the parser's stack bears (`nesting`), numbers and names of absurd
//! length (`tokens`), places (`span`), names that were meant (`suggest`), words and how they are written (`words`).

pub mod brackets;
pub mod nesting;
pub mod span;
pub mod suggest;
pub mod tokens;
pub mod words;
