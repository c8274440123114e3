//! Compares the binding with the facts of the public headers, and runs it on the stand-in. `sound`
//! is a separate program.

mod facts;
mod host;
mod older;
