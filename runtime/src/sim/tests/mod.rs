//! Kernels lowered by hand, one file for each subject; [`build`] makes them.

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

use jumar_kit::tier;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Returns the number of cases that `JUMAR_CASES` or the tier asks for, and their generator. A
/// failure prints how to draw the same cases again.
fn drawn(module: &str, gate: u64, night: u64) -> (u64, TestRng) {
    let (cases, seed) = (tier::cases("JUMAR_CASES", gate, night), tier::seed());
    println!("again: JUMAR_SEED={seed} JUMAR_CASES={cases} cargo test -p jumar-runtime --lib tests::{module}");
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    (cases, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}
