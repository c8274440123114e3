//! Right kernels as rustc sees them: each file is a program of its own for an author, and a module
//! here.
#![allow(dead_code)] // Nothing calls them.

mod choices;
mod functions;
mod right;
mod shown;
