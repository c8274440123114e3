//! The stand-in against the facts, and its compiler against command lines.

mod compiler;
mod interface;
