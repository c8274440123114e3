//! Work on all processors.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};

/// Applies a function to each item, in parallel on all cores. Results keep the order of the items.
pub fn each<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else {
                return own;
            };
            own.push((at, f(item)));
        }
    };
    let cores = available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(usize, R)> = scope(|threads| {
        let begun: Vec<_> = (0..cores).map(|_| threads.spawn(work)).collect();
        begun
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
