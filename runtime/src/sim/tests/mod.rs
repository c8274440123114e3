//! Kernels lowered by hand, one file a subject; [`build`] makes them.

mod build;
mod faults;
mod kernels;
mod ops;
mod reductions;
