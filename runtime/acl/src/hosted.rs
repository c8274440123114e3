//! Kernels in a host library, which the device compiler made of a source with host and device code.
//!
//! Such a library contains its objects, registers them when it is opened, and starts kernels by
//! `k<<<..>>>`. For each kernel, jumar emits a function `jumar_start_NAME`; all of them have one
//! type. One more function returns the version of this interface, and one the bytes of an argument.

use crate::launch::Args;
use crate::sys::load::{address, as_function};
use crate::{Error, Stream};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{c_void, CString};
use std::mem::ManuallyDrop;
use std::path::Path;

/// The version of the functions below.
const VERSION: u32 = 1;

/// Starts a kernel: `values[i]` points to argument i, which is copied.
type Start = unsafe extern "C" fn(blocks: u32, stream: *mut c_void, values: *const *const c_void);

/// Returns the bytes of an argument of any kernel of the library; 0 where there is none.
type Bytes = unsafe extern "C" fn(argument: u32) -> u32;

/// A library. It stays open until the process ends: it registered its kernels with the runtime.
pub(crate) struct Hosted {
    library: ManuallyDrop<Library>,
    bytes: Bytes,
}

/// A kernel of a library.
#[derive(Clone, Copy)]
pub(crate) struct Hosting {
    start: Start,
    bytes: Bytes,
}

impl Hosted {
    /// Opens a library with local symbols, so that two libraries may have kernels of one name.
    pub(crate) fn open(file: &Path) -> Result<Self, Error> {
        let trouble = |e: libloading::Error| Error::File {
            path: file.to_path_buf(),
            why: e.to_string(),
        };
        // SAFETY: any thread may run initialisers that CANN's compiler made.
        let library =
            unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }.map_err(trouble)?;
        let library = ManuallyDrop::new(library);
        let none = || {
            Error::refused(format!(
                "{} is no library of kernels that this version of jumar made: build it again",
                file.display()
            ))
        };
        let at = address(&library, &CString::from(c"jumar_library_version")).ok_or_else(none)?;
        // SAFETY: the name is used for this function only, and it has this type in every version.
        let version = unsafe { as_function::<unsafe extern "C" fn() -> u32>(at)() };
        let bytes = address(&library, &CString::from(c"jumar_argument_bytes"))
            .filter(|_| version == VERSION)
            .ok_or_else(none)?;
        // SAFETY: a library of this version has a function of this type under this name.
        let bytes = unsafe { as_function::<Bytes>(bytes) };
        Ok(Hosted { library, bytes })
    }

    /// Finds a kernel by its name.
    pub(crate) fn find(&self, name: &str) -> Result<Hosting, Error> {
        let at = CString::new(format!("jumar_start_{name}"))
            .ok()
            .and_then(|symbol| address(&self.library, &symbol));
        let at = at.ok_or_else(|| Error::refused(format!("the library has no kernel `{name}`")))?;
        // SAFETY: a library of this version has functions of this type under these names.
        let start = unsafe { as_function::<Start>(at) };
        Ok(Hosting {
            start,
            bytes: self.bytes,
        })
    }
}

impl Hosting {
    /// Queues a kernel. The source says that all blocks get their cores at once (`__schedmode__`).
    /// An error of CANN appears only in a wait for the stream, since `<<<..>>>` returns nothing.
    ///
    /// # Errors
    /// [`Error::Refused`] for a wrong number of arguments, or arguments of other sizes.
    pub(crate) fn start(
        self,
        kernel: &str,
        blocks: u32,
        stream: &Stream,
        args: &Args<'_>,
    ) -> Result<(), Error> {
        // SAFETY: the function takes a number.
        takes(kernel, args, |argument| unsafe { (self.bytes)(argument) })?;
        let block = args.copied();
        let bytes: &[u8] = bytemuck::cast_slice(&block);
        let pointers: Vec<*const c_void> = args
            .starts()
            .map(|start| bytes[start..].as_ptr().cast())
            .collect();
        // SAFETY: the stream is alive. The function copies one argument of the kernel from each
        // pointer, and all of them exist.
        unsafe { (self.start)(blocks, stream.raw().0, pointers.as_ptr()) }
        Ok(())
    }
}

/// Refuses arguments that do not fit the kernel: the function would read beyond them, or read
/// something else.
fn takes(kernel: &str, args: &Args<'_>, bytes: impl Fn(u32) -> u32) -> Result<(), Error> {
    let mut given = 0;
    for value in args.each() {
        let wanted = bytes(given) as usize;
        if wanted == 0 {
            return Err(Error::refused(format!(
                "kernel `{kernel}` takes {given} arguments, and more are given"
            )));
        }
        if value.len() != wanted {
            let message = format!(
                "argument {given} of kernel `{kernel}` has {wanted} bytes, and {} are given",
                value.len()
            );
            return Err(Error::refused(message));
        }
        given += 1;
    }
    match bytes(given) {
        0 => Ok(()),
        _ => Err(Error::refused(format!(
            "kernel `{kernel}` takes more than the {given} arguments that are given"
        ))),
    }
}
