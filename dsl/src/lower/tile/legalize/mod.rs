//! Replaces ops that a chip lacks by ops that it has.
//!
//! - `compare`: compares of types that `Compare` does not take;
//! - `unsigned`: integers of 16 and 32 bits without a sign;
//! - `int64`: integers of two words of 32 bits.

pub mod compare;
pub mod int64;
pub mod unsigned;
