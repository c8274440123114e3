//! The runtime library, started.

use crate::find::Installation;
use crate::registry::Registry;
use crate::sys::{self, Functions, Libraries, Library};
use crate::{Device, Error};
use std::ffi::c_char;
use std::path::PathBuf;
use std::ptr::null;
use std::sync::{Arc, Mutex, PoisonError};

/// A library is started once a process, whoever asks.
static STARTED: Registry<Started> = Registry::new();

/// Answer of `aclInit` where somebody else in this process called it.
const ALREADY_STARTED: i32 = 100_002;

/// CANN's runtime, found, opened and started. Copies share it; when the last one is gone, with all that was made from it, it is ended.
///
/// Where other code of this process started it before (torch_npu does), it stays started.
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
    /// Whether it was started here, and is to be ended here.
    ours: bool,
    /// What went wrong where nobody could be told: in a `drop`.
    late: Mutex<Vec<Error>>,
}

impl Acl {
    /// Finds an installation of CANN and starts its runtime.
    ///
    /// # Errors
    /// [`Error::NotFound`] with every file that was tried; [`Error::Call`] where it cannot be started.
    pub fn load() -> Result<Acl, Error> {
        Self::load_from(Installation::find())
    }

    /// The same with the installation in a folder.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_at(home: impl Into<PathBuf>) -> Result<Acl, Error> {
        Self::load_from(Installation::at(home))
    }

    /// The same with an installation that was found.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_from(installation: Installation) -> Result<Acl, Error> {
        let libraries = Libraries::open(&installation)?;
        // Two paths may lead to one library, which is started once: its own address tells.
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

    /// Devices that this process may use: numbers from 0 on.
    ///
    /// # Errors
    /// [`Error::Call`], as where the driver is missing.
    pub fn device_count(&self) -> Result<u32, Error> {
        let mut count = 0;
        // SAFETY: `count` is written.
        unsafe { self.0.functions.aclrtGetDeviceCount(&mut count) }?;
        Ok(count)
    }

    /// A device, taken into use.
    ///
    /// # Errors
    /// [`Error::Call`] with 107001 for a device that there is not.
    pub fn device(&self, number: u32) -> Result<Device, Error> {
        Device::open(self, number)
    }

    /// The installation that it was loaded from.
    pub fn installation(&self) -> &Installation {
        &self.0.installation
    }

    /// Version of the interface, as the library itself says it: `1.14.0`.
    ///
    /// # Errors
    /// [`Error::Call`] or [`Error::Missing`].
    pub fn version(&self) -> Result<String, Error> {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: the three are written.
        unsafe {
            self.0
                .functions
                .aclrtGetVersion(&mut major, &mut minor, &mut patch)
        }?;
        Ok(format!("{major}.{minor}.{patch}"))
    }

    /// The raw functions.
    pub fn functions(&self) -> &Functions {
        &self.0.functions
    }

    /// Takes what went wrong where nobody could be told, as in a `drop`; the first one is the oldest.
    pub fn take_late_errors(&self) -> Vec<Error> {
        std::mem::take(&mut self.0.late.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Started {
    /// Notes an error of a `drop`.
    pub(crate) fn late(&self, result: Result<(), Error>) {
        if let Err(e) = result {
            self.late
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(e);
        }
    }

    /// The chip's name.
    pub(crate) fn soc_name(&self) -> Result<String, Error> {
        // SAFETY: takes nothing.
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
            // The counting form leaves the library to others that started it meanwhile.
            // SAFETY: everything that was made from it is gone: each holds an `Arc` of this. Null asks for no count.
            let ended = unsafe {
                match f.have(&["aclFinalizeReference"]) {
                    true => f.aclFinalizeReference(std::ptr::null_mut()),
                    false => f.aclFinalize(),
                }
            };
            // Nobody is left who could be told, and nothing is left to be done.
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
