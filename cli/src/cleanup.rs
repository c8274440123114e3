//! What an interrupted call must not leave behind: temporary files and folders, known here from before they are made
//! until they are gone or have their final name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Exit code of a call that a signal ended, as shells have it for SIGINT.
const INTERRUPTED: i32 = 130;

static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn temporary() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or folder; dropped, it is removed if it is still there.
pub struct Temporary(PathBuf);

impl Temporary {
    /// To be called before it is made.
    pub fn new(path: PathBuf) -> Self {
        temporary().insert(path.clone());
        Temporary(path)
    }
    /// Where it is.
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

/// Nothing may be there any more, which is what a rename leaves.
fn remove(path: &Path) {
    let _ = if path.is_dir() {
        std::fs::remove_dir_all(path)
    } else {
        std::fs::remove_file(path)
    };
}

/// Removes what is there when SIGINT, SIGTERM or SIGHUP ends the call.
pub fn on_signals() {
    let end = || {
        // Held to the end, so that nothing new is made meanwhile.
        let all = temporary();
        all.iter().for_each(|path| remove(path));
        jumar::runtime::ascendc::remove_scratch();
        std::process::exit(INTERRUPTED);
    };
    // Without a handler a signal ends the call as it would any other: only the cleaning is lost.
    let _ = ctrlc::set_handler(end);
}
