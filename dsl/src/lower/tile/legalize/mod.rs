//! Ops that a chip does not have, made of those that it has: `compare` (comparisons of what Compare does not take), `unsigned` (16 and 32 bits without
//! a sign), `int64` (two words of 32 bits each).

pub mod compare;
pub mod int64;
pub mod unsigned;
