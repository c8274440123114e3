//! The head of a kernel: parameters and their shapes.
//!
//! | file | reads |
//! |---|---|
//! | `signature` | the function: parameters, element types, axes |
//! | `attrs` | attributes of the function and of its parameters |
//! | `shape_attr`, `types` | `#[shape(..)]`; types of parameters |
//! | `choice`, `lists`, `numbers`, `optional` | enums, lists of tensors, lists of numbers, tensors that may be left out |
//! | `require` | `require(..)` |

pub mod attrs;
pub mod choice;
pub mod lists;
pub mod numbers;
pub mod optional;
pub mod require;
pub mod shape_attr;
pub mod signature;
pub mod types;
