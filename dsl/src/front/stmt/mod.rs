//! Statements and expressions of both levels.
//!
//! | file | reads |
//! |---|---|
//! | `body` | lists of statements |
//! | `bind`, `assign` | `let`, assignments |
//! | `expr`, `call` | kinds of expressions and of calls |
//! | `scalar`, `if_value` | scalars, `if` that has a value |
//! | `helpers`, `library` | functions that are inlined: the author's, the library's |

pub mod assign;
pub mod bind;
pub mod body;
pub mod call;
pub mod expr;
pub mod helpers;
pub mod if_value;
pub mod library;
pub mod scalar;
