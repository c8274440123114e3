//! Temporary files and folders that an interrupted call must remove. They are registered before
//! they are made, until they are removed or renamed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Exit code of a call that a signal ended, which shells use for SIGINT.
const INTERRUPTED: i32 = 130;

static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn temporary() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or folder, which drop removes if it still exists.
pub struct Temporary(PathBuf);

impl Temporary {
    /// Registers the path; call it before the file is made.
    pub fn new(path: PathBuf) -> Self {
        temporary().insert(path.clone());
        Temporary(path)
    }
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove(&self.0);
        temporary().remove(&self.0);
    }
}

/// Removes the path. After a rename there is nothing to remove.
fn remove(path: &Path) {
    let _ = if path.is_dir() {
        std::fs::remove_dir_all(path)
    } else {
        std::fs::remove_file(path)
    };
}

/// Removes all temporary files when SIGINT, SIGTERM or SIGHUP ends the call.
pub fn on_signals() {
    let end = || {
        // The lock is held until the exit, so that no new file is made.
        let all = temporary();
        all.iter().for_each(|path| remove(path));
        jumar::runtime::ascendc::remove_scratch();
        std::process::exit(INTERRUPTED);
    };
    // Without a handler a signal still ends the call, but the files stay.
    let _ = ctrlc::set_handler(end);
}
