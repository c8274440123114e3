//! Objects that a process has once: a started library, a device in use.
//!
//! The last owner ends such an object. Ending takes time. A thread that asks in the meantime waits
//! for the end and begins anew, since CANN must not be started while it is being stopped.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

pub(crate) struct Registry<T> {
    known: Mutex<Vec<(usize, Weak<T>)>>,
    ended: Condvar,
}

impl<T> Registry<T> {
    pub(crate) const fn new() -> Self {
        Registry {
            known: Mutex::new(Vec::new()),
            ended: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(usize, Weak<T>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the object of this key; calls `begin` if there is none. `begin` must not make and
    /// drop a `T` when it fails.
    pub(crate) fn get<E>(
        &self,
        key: usize,
        begin: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let mut known = self.lock();
        while let Some((_, one)) = known.iter().find(|(own, _)| *own == key) {
            match one.upgrade() {
                Some(one) => return Ok(one),
                // The last owner is about to end it.
                None => {
                    known = self
                        .ended
                        .wait(known)
                        .unwrap_or_else(PoisonError::into_inner)
                }
            }
        }
        let one = Arc::new(begin()?);
        known.push((key, Arc::downgrade(&one)));
        Ok(one)
    }

    /// Ends the object of this key; the last owner calls it.
    pub(crate) fn end(&self, key: usize, end: impl FnOnce()) {
        let mut known = self.lock();
        end();
        known.retain(|(own, _)| *own != key);
        drop(known);
        self.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicI32, Ordering};

    static ALIVE: AtomicI32 = AtomicI32::new(0);
    static ONES: Registry<One> = Registry::new();
    struct One;
    impl Drop for One {
        fn drop(&mut self) {
            ONES.end(7, || {
                std::thread::yield_now();
                assert_eq!(ALIVE.fetch_sub(1, Ordering::SeqCst), 1);
            });
        }
    }

    #[test]
    fn there_is_never_more_than_one_whoever_comes_and_goes() {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let one = ONES.get(7, || {
                            assert_eq!(ALIVE.fetch_add(1, Ordering::SeqCst), 0);
                            Ok::<_, ()>(One)
                        });
                        assert!(one.is_ok());
                    }
                });
            }
        });
        assert_eq!(ALIVE.load(Ordering::SeqCst), 0);
        assert_eq!(ONES.get(7, || Err(3)).err(), Some(3));
    }
}
