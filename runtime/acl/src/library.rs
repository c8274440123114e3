//! The runtime library and its start.

use crate::find::Installation;
use crate::registry::Registry;
use crate::sys::{self, Functions, Libraries, Library};
use crate::{Device, Error};
use std::ffi::c_char;
use std::path::PathBuf;
use std::ptr::null;
use std::sync::{Arc, Mutex, PoisonError};

/// The started libraries: a process starts each library once.
static STARTED: Registry<Started> = Registry::new();

/// The result of `aclInit` if other code of this process has called it.
const ALREADY_STARTED: i32 = 100_002;

/// CANN's runtime, found, opened and started. Clones share it. When the last clone and every object
/// made from it are gone, the runtime is ended.
///
/// If other code of this process started it before (torch_npu does), it stays started.
///
/// ```no_run
/// # fn main() -> Result<(), jumar_acl::Error> {
/// let acl = jumar_acl::Acl::load()?;
/// for number in 0..acl.device_count()? {
///     println!("{}", acl.device(number)?.soc_name()?);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Acl(pub(crate) Arc<Started>);

pub(crate) struct Started {
    pub(crate) functions: Functions,
    installation: Installation,
    key: usize,
    /// True if it was started here, and must be ended here.
    ours: bool,
    /// Errors without a receiver, such as those in a `drop`.
    late: Mutex<Vec<Error>>,
}

impl Acl {
    /// Finds an installation of CANN and starts its runtime.
    ///
    /// # Errors
    /// [`Error::NotFound`] with every file that was tried; [`Error::Call`] where it cannot be
    /// started.
    pub fn load() -> Result<Acl, Error> {
        Self::load_from(Installation::find())
    }

    /// Starts the runtime of the installation in a folder.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_at(home: impl Into<PathBuf>) -> Result<Acl, Error> {
        Self::load_from(Installation::at(home))
    }

    /// Starts the runtime of an installation that was found before.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_from(installation: Installation) -> Result<Acl, Error> {
        let libraries = Libraries::open(&installation)?;
        // Two paths may lead to one library, which must be started once; the address of its
        // function identifies it.
        let key = libraries
            .address(Library::Acl, "aclInit")
            .map_or(0, |at| at as usize);
        let started = STARTED.get(key, || {
            let functions = Functions::new(libraries);
            // SAFETY: null stands for the defaults.
            let ours = match unsafe { functions.aclInit(null()) } {
                Ok(()) => true,
                Err(e) if e.code() == Some(ALREADY_STARTED) => false,
                Err(e) => return Err(e),
            };
            Ok(Started {
                functions,
                installation,
                key,
                ours,
                late: Mutex::default(),
            })
        })?;
        Ok(Acl(started))
    }

    /// Returns the number of devices that this process may use.
    ///
    /// # Errors
    /// [`Error::Call`], for example where the driver is missing.
    pub fn device_count(&self) -> Result<u32, Error> {
        let mut count = 0;
        // SAFETY: `count` is written.
        unsafe { self.0.functions.aclrtGetDeviceCount(&mut count) }?;
        Ok(count)
    }

    /// Takes a device into use.
    ///
    /// # Errors
    /// [`Error::Call`] with 107001 for a device that does not exist.
    pub fn device(&self, number: u32) -> Result<Device, Error> {
        Device::open(self, number)
    }

    /// Returns the installation from which it was loaded.
    pub fn installation(&self) -> &Installation {
        &self.0.installation
    }

    /// Returns the version of the interface, as the library reports it: `1.14.0`.
    ///
    /// # Errors
    /// [`Error::Call`] or [`Error::Missing`].
    pub fn version(&self) -> Result<String, Error> {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: the three numbers are written.
        unsafe {
            self.0
                .functions
                .aclrtGetVersion(&mut major, &mut minor, &mut patch)
        }?;
        Ok(format!("{major}.{minor}.{patch}"))
    }

    /// Returns the raw functions.
    pub fn functions(&self) -> &Functions {
        &self.0.functions
    }

    /// Takes the errors without a receiver, such as those in a `drop`; the oldest is first.
    pub fn take_late_errors(&self) -> Vec<Error> {
        std::mem::take(&mut self.0.late.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Started {
    /// Keeps an error of a `drop`.
    pub(crate) fn late(&self, result: Result<(), Error>) {
        if let Err(e) = result {
            self.late
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(e);
        }
    }

    /// Returns the name of the chip.
    pub(crate) fn soc_name(&self) -> Result<String, Error> {
        // SAFETY: the call takes nothing.
        let at: *const c_char = unsafe { self.functions.aclrtGetSocName() }?;
        if at.is_null() {
            return Err(Error::Null {
                call: "aclrtGetSocName",
                text: self.functions.recent_message(),
            });
        }
        // SAFETY: the library owns the text, which is copied before any other call.
        Ok(unsafe { sys::text(at) })
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if !self.ours {
            STARTED.end(self.key, || ());
            return;
        }
        STARTED.end(self.key, || {
            let f = &self.functions;
            // The counting form keeps the library alive for code that started it in the meantime.
            // SAFETY: objects made from it are gone, since each of them holds an `Arc` of this.
            // Null asks for no count.
            let ended = unsafe {
                match f.have(&["aclFinalizeReference"]) {
                    true => f.aclFinalizeReference(std::ptr::null_mut()),
                    false => f.aclFinalize(),
                }
            };
            // The error has no receiver, and nothing is left to do.
            drop(ended);
        });
    }
}

impl std::fmt::Debug for Acl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Acl")
            .field("installation", &self.0.installation)
            .finish_non_exhaustive()
    }
}
