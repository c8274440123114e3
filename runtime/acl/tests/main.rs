//! The binding against the facts of the public headers and against the stand-in. `sound` is a program of its own.

mod facts;
mod host;
mod older;
