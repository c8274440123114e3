//! Opens the libraries, and finds symbols in them.
//!
//! Libraries are never closed: CANN's own threads run in them until the process ends.

use super::Library;
use crate::find::Installation;
use crate::Error;
use libloading::os::unix::{Library as Handle, RTLD_GLOBAL, RTLD_NOW};
use std::ffi::{c_void, CString};
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

/// An opened library file.
pub struct Opened {
    /// The kind of the library.
    pub library: Library,
    /// The file, or its bare name where the system's own search found it.
    pub file: PathBuf,
    handle: ManuallyDrop<Handle>,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("library", &self.library)
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

/// The libraries of one installation.
#[derive(Debug)]
pub struct Libraries {
    opened: Vec<Opened>,
}

impl Libraries {
    /// Opens the libraries of an installation. Only the first kind, [`Library::Acl`], must exist.
    ///
    /// # Errors
    /// [`Error::NotFound`] with each file that was tried and the message of the system's loader.
    pub(crate) fn open(installation: &Installation) -> Result<Self, Error> {
        let mut opened: Vec<Opened> = Vec::new();
        let mut tried = Vec::new();
        for library in Library::ALL {
            for file in library.files() {
                match open_first(installation, file, &mut tried) {
                    Some((path, handle)) => opened.push(Opened {
                        library,
                        file: path,
                        handle: ManuallyDrop::new(handle),
                    }),
                    None => continue,
                }
            }
        }
        if opened.iter().any(|o| o.library == Library::Acl) {
            Ok(Libraries { opened })
        } else {
            tried.retain(|(file, _)| Library::Acl.files().iter().any(|name| file.ends_with(name)));
            Err(Error::NotFound { tried })
        }
    }

    /// Returns every opened library.
    pub fn all(&self) -> &[Opened] {
        &self.opened
    }

    /// Returns the opened files of a kind.
    pub(crate) fn opened(&self, library: Library) -> Vec<PathBuf> {
        self.opened
            .iter()
            .filter(|o| o.library == library)
            .map(|o| o.file.clone())
            .collect()
    }

    /// True if a library of this kind has the symbol.
    pub(crate) fn has(&self, library: Library, name: &str) -> bool {
        self.address(library, name).is_some()
    }

    pub(crate) fn address(&self, library: Library, name: &str) -> Option<*mut c_void> {
        let name = CString::new(name).ok()?;
        self.opened
            .iter()
            .filter(|o| o.library == library)
            .find_map(|o| address(&o.handle, &name))
    }

    /// Finds a function by its name; `None` where no library of this kind has it.
    ///
    /// # Safety
    /// `F` is the type of a pointer to a function, that of the symbol.
    pub(crate) unsafe fn symbol<F: Copy>(&self, library: Library, name: &str) -> Option<F> {
        // SAFETY: the caller promises it.
        self.address(library, name)
            .map(|at| unsafe { as_function(at) })
    }
}

/// Converts an address to a pointer to a function.
///
/// # Safety
/// `F` is the type of a pointer to a function, that of the function at `at`.
pub(crate) unsafe fn as_function<F: Copy>(at: *mut c_void) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: both have the size of one word, and the caller promises the type of the function.
    unsafe { std::mem::transmute_copy::<*mut c_void, F>(&at) }
}

/// Returns the address of a symbol.
pub(crate) fn address(handle: &Handle, name: &CString) -> Option<*mut c_void> {
    // SAFETY: only the address is taken; nothing is called or read.
    let found = unsafe { handle.get::<*mut c_void>(name.as_bytes_with_nul()) };
    found
        .ok()
        .map(|symbol| symbol.as_raw_ptr())
        .filter(|at| !at.is_null())
}

/// Opens one library; its initialisers run.
pub(crate) fn open(path: &Path) -> Result<Handle, String> {
    // Symbols are global, since operator libraries, opened later, use those of the base library.
    // SAFETY: any thread may run initialisers of CANN's libraries, and of libraries that the user
    // built with it.
    unsafe { Handle::open(Some(path), RTLD_NOW | RTLD_GLOBAL) }.map_err(|e| e.to_string())
}

/// Opens the file in the first folder from which it can be opened.
fn open_first(
    installation: &Installation,
    file: &str,
    tried: &mut Vec<(PathBuf, String)>,
) -> Option<(PathBuf, Handle)> {
    let in_folders = installation
        .libraries
        .iter()
        .map(|folder| folder.join(file))
        .filter(|path| path.is_file());
    // The bare name comes last: the system searches where LD_LIBRARY_PATH says.
    for path in in_folders.chain([PathBuf::from(file)]) {
        match open(&path) {
            Ok(handle) => return Some((path, handle)),
            Err(why) => tried.push((path, why)),
        }
    }
    None
}
