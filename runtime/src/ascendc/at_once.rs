//! Work for the compiler and for programs of their own, on all processors.
//!
//! These are threads of their own. A thread of a pool that waits takes other work of the pool, and
//! that may want the lock that the thread holds.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls a function for each item, for as many at once as there are processors. Returns the results
/// in the order of the items.
pub fn at_once<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
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
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let results = threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        results.collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
