//! Kernels in a library that CANN's build made (`ascendc_library .. SHARED`). Each kernel has a
//! function `aclrtlaunch_NAME` that starts it.

use crate::launch::LaunchConfig;
use crate::passed::Prototype;
use crate::sys::load::{address, open};
use crate::{Context, Error, Queue};
use libloading::os::unix::Library as Handle;
use std::ffi::{c_void, CString};
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A library of kernels with their stubs. It stays open until the process ends: it registered its
/// kernels with the runtime.
#[derive(Clone)]
pub struct StubLibrary {
    context: Context,
    file: PathBuf,
    handle: Arc<ManuallyDrop<Handle>>,
}

/// The stub of one kernel, whose parameters are the types of `A`.
#[derive(Clone)]
pub struct Stub<A> {
    library: StubLibrary,
    name: String,
    at: *mut c_void,
    /// The stub is covariant in `A`: one for `'static` arguments accepts shorter borrows.
    parameters: PhantomData<fn() -> A>,
}
// SAFETY: the address is that of a function, which any thread may call; the context is set before
// each call.
unsafe impl<A> Send for Stub<A> {}
// SAFETY: as above.
unsafe impl<A> Sync for Stub<A> {}

impl StubLibrary {
    /// Opens a library, which registers its kernels in the context.
    ///
    /// # Errors
    /// [`Error::File`] with the message of the system's loader.
    pub fn open(context: &Context, file: &Path) -> Result<Self, Error> {
        context.enter()?;
        let handle = open(file).map_err(|why| Error::File {
            path: file.to_path_buf(),
            why,
        })?;
        Ok(StubLibrary {
            context: context.clone(),
            file: file.to_path_buf(),
            handle: Arc::new(ManuallyDrop::new(handle)),
        })
    }

    /// Finds the stub of a kernel.
    ///
    /// # Errors
    /// [`Error::Refused`] where the library has no such kernel.
    ///
    /// # Safety
    /// The types of `A` must be those of the kernel's parameters, in order.
    pub unsafe fn kernel<A>(&self, name: &str) -> Result<Stub<A>, Error> {
        let symbol = format!("aclrtlaunch_{name}");
        let at = CString::new(symbol.as_str())
            .ok()
            .and_then(|symbol| address(&self.handle, &symbol));
        let missing = || {
            Error::refused(format!(
                "{} has no {symbol}: the build makes one for each kernel function",
                self.file.display()
            ))
        };
        Ok(Stub {
            library: self.clone(),
            name: name.to_string(),
            at: at.ok_or_else(missing)?,
            parameters: PhantomData,
        })
    }
}

impl<'env> Queue<'env> {
    /// Starts a kernel by its stub.
    ///
    /// # Errors
    /// [`Error::Refused`] for memory of another device or an impossible block dim; [`Error::Call`]
    /// with the error of the stub.
    pub fn launch_stub<A: Prototype<'env>>(
        &self,
        stub: &'env Stub<A>,
        blocks: u32,
        args: A,
    ) -> Result<(), Error> {
        LaunchConfig::default().takes(blocks)?;
        self.are_here(&args.contexts())?;
        self.are_here(&[&stub.library.context])?;
        let f = self.stream().context().enter()?;
        // SAFETY: the maker of the stub promised its parameters; they live until the work is done.
        match unsafe { args.launch(stub.at, blocks, self.stream().raw()) } {
            0 => Ok(()),
            code => Err(Error::call(
                "aclrtlaunch",
                code as i32,
                format!("{}: {}", stub.name, f.recent_message()),
            )),
        }
    }
}

impl fmt::Debug for StubLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StubLibrary")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}
impl<A> fmt::Debug for Stub<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stub")
            .field("name", &self.name)
            .field("library", &self.library)
            .finish()
    }
}
