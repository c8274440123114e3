//! Kernels lowered by hand, one file a subject; [`build`] makes them.

mod across;
mod added;
mod batch;
mod build;
mod by_hand;
mod compound;
mod edges;
mod faults;
mod gathers;
mod kernels;
mod lines;
mod meetings;
mod mutants;
mod ops;
mod packed;
mod partials;
mod pipes;
mod races;
mod reductions;
mod rows;
mod sorted;
mod strides;
mod workspace;
