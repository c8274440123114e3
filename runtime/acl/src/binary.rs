//! Kernel binaries, their functions, and the ways to launch them.
//!
//! Releases have different functions. [`Path::ALL`] gives the order of the ways. The first way
//! whose functions all exist is used, and [`Binary::passed_over`] says why earlier ones were not. A
//! binary that the library itself refuses is an error at once: another way would pass equal bytes.

mod launch;

use crate::hosted::{Hosted, Hosting};
use crate::sys::types::*;
use crate::sys::Functions;
use crate::{Context, Error};
use std::collections::BTreeMap;
use std::ffi::{c_void, CString};
use std::fmt;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path as FilePath;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::NamedTempFile;

/// A way from the bytes of a binary to a running kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// From memory, launched with a block of arguments in host memory (8.5 and later).
    HostArgs,
    /// From a file, launched with a list of arguments (8.1 and later).
    ArgsList,
    /// The lower runtime, which is no public contract.
    Registered,
}

impl Path {
    /// Every way, in the order in which they are tried.
    pub const ALL: [Path; 3] = [Path::HostArgs, Path::ArgsList, Path::Registered];

    /// Returns the functions that it calls.
    pub const fn calls(self) -> &'static [&'static str] {
        match self {
            Path::HostArgs => &[
                "aclrtBinaryLoadFromData",
                "aclrtBinaryGetFunction",
                "aclrtLaunchKernelWithHostArgs",
                "aclrtBinaryUnLoad",
            ],
            Path::ArgsList => &[
                "aclrtBinaryLoadFromFile",
                "aclrtBinaryGetFunction",
                "aclrtKernelArgsGetHandleMemSize",
                "aclrtKernelArgsGetMemSize",
                "aclrtKernelArgsInitByUserMem",
                "aclrtKernelArgsAppend",
                "aclrtKernelArgsFinalize",
                "aclrtLaunchKernelWithConfig",
                "aclrtBinaryUnLoad",
            ],
            Path::Registered => &[
                "rtDevBinaryRegister",
                "rtFunctionRegister",
                "rtKernelLaunch",
                "rtDevBinaryUnRegister",
            ],
        }
    }

    /// Returns a name in words.
    pub const fn name(self) -> &'static str {
        match self {
            Path::HostArgs => "binary with host arguments",
            Path::ArgsList => "binary with a list of arguments",
            Path::Registered => "registration with the lower runtime",
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The cores for which a binary was compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// Vector cores alone.
    Vector,
    /// Cube cores alone.
    Cube,
    /// Both kinds, or vector cores that synchronise by the flags of a mixed kernel.
    Mixed,
}

impl Cores {
    const fn magic(self) -> u32 {
        match self {
            Cores::Vector => ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE,
            Cores::Cube => ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE,
            Cores::Mixed => ACL_RT_BINARY_MAGIC_ELF_AICORE,
        }
    }
}

/// A loaded binary. Clones share it, and functions keep it alive.
#[derive(Clone)]
pub struct Binary(Arc<Loaded>);

struct Loaded {
    context: Context,
    path: Option<Path>,
    cores: Cores,
    handle: Handle,
    seen: Seen,
    passed_over: Vec<(Path, Error)>,
    functions: Mutex<BTreeMap<String, Found>>,
}

enum Handle {
    /// Keeps the binary's file, which the library may read when it is first asked for a function.
    Acl {
        handle: aclrtBinHandle,
        _file: Option<NamedTempFile>,
    },
    Runtime(*mut c_void),
    Hosted(Hosted),
}

/// Memory whose addresses the library has, and which it may read until the binary is unloaded. It
/// contains the bytes of the binary, since CANN's page of `aclrtBinaryLoadFromData` does not say
/// that they are copied. It also has one byte for each function of the lower runtime, whose address
/// identifies the function.
#[derive(Default)]
struct Seen {
    image: Box<[u8]>,
    // Boxes stay at their address while the list grows.
    #[allow(clippy::vec_box)]
    stubs: Mutex<Vec<Box<u8>>>,
}

/// Memory of binaries that could not be unloaded: the library still has the addresses.
static SEEN_FOR_EVER: Mutex<Vec<Seen>> = Mutex::new(Vec::new());

// SAFETY: the handle never changes, and the context is set before each call. `functions` is behind
// a lock.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

#[derive(Clone, Copy)]
enum Found {
    Acl(aclrtFuncHandle),
    /// The address that identifies the function, of a byte that the binary keeps.
    Runtime(*const c_void),
    Hosted(Hosting),
}

/// A kernel function of a binary. Any number of threads may launch it, each on its own stream: a
/// launch only reads the handle.
#[derive(Clone)]
pub struct Function {
    binary: Binary,
    name: Arc<str>,
    found: Found,
}
// SAFETY: the handle never changes, and launches only read it.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Binary {
    /// Loads the bytes of a binary that was compiled for the device's chip.
    ///
    /// # Errors
    /// [`Error::Call`] where the library refuses it; [`Error::Missing`] where no way is available.
    pub fn load(context: &Context, image: &[u8], cores: Cores) -> Result<Self, Error> {
        let mut passed_over: Vec<(Path, Error)> = Vec::new();
        for path in Path::ALL {
            match Self::load_by(context, image, cores, path) {
                Ok(binary) => return Ok(binary.after(passed_over)),
                Err(e) if e.is_of_release() => passed_over.push((path, e)),
                Err(e) => return Err(e),
            }
        }
        let all: Vec<_> = passed_over
            .iter()
            .map(|(path, e)| format!("\n  = note: {path}: {e}"))
            .collect();
        Err(Error::refused(format!(
            "this installation has no way to launch a kernel binary{}",
            all.concat()
        )))
    }

    /// Loads a binary by one way.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_by(
        context: &Context,
        image: &[u8],
        cores: Cores,
        path: Path,
    ) -> Result<Self, Error> {
        let f = context.enter()?;
        f.need(path.calls())?;
        let seen = |image: &[u8]| Seen {
            image: image.into(),
            stubs: Mutex::default(),
        };
        let (handle, seen) = match path {
            Path::HostArgs => {
                let seen = seen(image);
                (from_memory(f, &seen.image, cores)?, seen)
            }
            Path::ArgsList => (from_file(f, image, cores)?, Seen::default()),
            Path::Registered => {
                let seen = seen(image);
                (registered(f, &seen.image, cores)?, seen)
            }
        };
        Ok(Self::of(context, Some(path), cores, handle, seen))
    }

    /// Opens a library of jumar, whose source had host and device code (`jumar build` of a kernel
    /// whose blocks wait for one another).
    ///
    /// # Errors
    /// [`Error::File`] with the message of the system's loader; [`Error::Refused`] for a library
    /// that is none of this version.
    pub fn open(context: &Context, file: &FilePath, cores: Cores) -> Result<Self, Error> {
        context.enter()?;
        Ok(Self::of(
            context,
            None,
            cores,
            Handle::Hosted(Hosted::open(file)?),
            Seen::default(),
        ))
    }

    fn of(context: &Context, path: Option<Path>, cores: Cores, handle: Handle, seen: Seen) -> Self {
        let (passed_over, functions) = (Vec::new(), Mutex::default());
        Binary(Arc::new(Loaded {
            context: context.clone(),
            path,
            cores,
            handle,
            seen,
            passed_over,
            functions,
        }))
    }

    fn after(mut self, passed_over: Vec<(Path, Error)>) -> Self {
        // The new binary is not shared yet.
        if let Some(loaded) = Arc::get_mut(&mut self.0) {
            loaded.passed_over = passed_over;
        }
        self
    }

    /// Returns the way in which its kernels are launched; `None` where a library starts them
    /// itself.
    pub fn path(&self) -> Option<Path> {
        self.0.path
    }

    /// Returns the earlier ways, and why they were not used.
    pub fn passed_over(&self) -> &[(Path, Error)] {
        &self.0.passed_over
    }

    /// Returns the context in which it is loaded.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Finds a kernel function by its name.
    ///
    /// # Errors
    /// [`Error::Call`] where there is none of that name.
    pub fn function(&self, name: &str) -> Result<Function, Error> {
        let mut known = self
            .0
            .functions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let found = match known.get(name) {
            Some(found) => *found,
            None => *known.entry(name.to_string()).or_insert(self.find(name)?),
        };
        Ok(Function {
            binary: self.clone(),
            name: name.into(),
            found,
        })
    }

    fn find(&self, name: &str) -> Result<Found, Error> {
        let text = CString::new(name)
            .map_err(|_| Error::refused(format!("{name:?} is no name of a kernel function")))?;
        let f = self.0.context.enter()?;
        match &self.0.handle {
            Handle::Acl { handle, .. } => {
                let mut function = aclrtFuncHandle::NULL;
                // SAFETY: the binary is alive, the name ends with a zero, and `function` is
                // written.
                unsafe { f.aclrtBinaryGetFunction(*handle, text.as_ptr(), &mut function) }?;
                Ok(Found::Acl(function))
            }
            Handle::Runtime(handle) => {
                let byte = Box::new(0u8);
                let stub: *const c_void = std::ptr::from_ref(&*byte).cast();
                let (name, kernel) = (text.as_ptr(), text.as_ptr().cast());
                // SAFETY: the binary is alive, the names end with a zero, and nothing else has the
                // address of `stub`.
                unsafe { f.rtFunctionRegister(*handle, stub, name, kernel, 0) }?;
                self.0
                    .seen
                    .stubs
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(byte);
                Ok(Found::Runtime(stub))
            }
            Handle::Hosted(library) => Ok(Found::Hosted(library.find(name)?)),
        }
    }
}

fn option(kind: aclrtBinaryLoadOptionType, value: u32) -> aclrtBinaryLoadOption {
    aclrtBinaryLoadOption {
        r#type: kind,
        value: [value, 0, 0, 0],
    }
}

fn from_memory(f: &Functions, image: &[u8], cores: Cores) -> Result<Handle, Error> {
    let mut magic = option(
        aclrtBinaryLoadOptionType::ACL_RT_BINARY_LOAD_OPT_MAGIC,
        cores.magic(),
    );
    let options = aclrtBinaryLoadOptions {
        options: &mut magic,
        numOpt: 1,
    };
    let mut handle = aclrtBinHandle::NULL;
    // SAFETY: the length is the image's, `options` holds one option, and `handle` is written.
    unsafe {
        f.aclrtBinaryLoadFromData(image.as_ptr().cast(), image.len(), &options, &mut handle)
    }?;
    Ok(Handle::Acl {
        handle,
        _file: None,
    })
}

fn from_file(f: &Functions, image: &[u8], cores: Cores) -> Result<Handle, Error> {
    let trouble = |e: std::io::Error| Error::File {
        path: std::env::temp_dir(),
        why: e.to_string(),
    };
    let mut file = tempfile::Builder::new()
        .prefix("jumar-")
        .suffix(".o")
        .tempfile()
        .map_err(trouble)?;
    file.write_all(image)
        .and_then(|()| file.flush())
        .map_err(trouble)?;
    let path = CString::new(file.path().as_os_str().as_bytes())
        .map_err(|_| Error::refused("the folder of temporary files has a zero in its name"))?;
    let mut magic = option(
        aclrtBinaryLoadOptionType::ACL_RT_BINARY_LOAD_OPT_MAGIC,
        cores.magic(),
    );
    let mut options = aclrtBinaryLoadOptions {
        options: &mut magic,
        numOpt: 1,
    };
    let mut handle = aclrtBinHandle::NULL;
    // SAFETY: the path ends with a zero, `options` holds one option, and `handle` is written.
    unsafe { f.aclrtBinaryLoadFromFile(path.as_ptr(), &mut options, &mut handle) }?;
    Ok(Handle::Acl {
        handle,
        _file: Some(file),
    })
}

fn registered(f: &Functions, image: &[u8], cores: Cores) -> Result<Handle, Error> {
    let binary = rtDevBinary_t {
        magic: cores.magic(),
        version: 0,
        data: image.as_ptr().cast(),
        length: image.len() as u64,
    };
    let mut handle = null_mut();
    // SAFETY: the length is the image's, which lives as long as the handle (see `Seen`); the handle
    // is written.
    unsafe { f.rtDevBinaryRegister(&binary, &mut handle) }?;
    Ok(Handle::Runtime(handle))
}

impl Drop for Loaded {
    fn drop(&mut self) {
        let mut ended = false;
        // SAFETY: the handle comes from a load. Its functions are gone, since each of them holds an
        // `Arc` of this.
        self.context.end(|f| unsafe {
            let done = match &self.handle {
                Handle::Acl { handle, .. } => f.aclrtBinaryUnLoad(*handle),
                Handle::Runtime(handle) => f.rtDevBinaryUnRegister(*handle),
                Handle::Hosted(_) => Ok(()),
            };
            ended = done.is_ok();
            done
        });
        if !ended {
            SEEN_FOR_EVER
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(std::mem::take(&mut self.seen));
        }
    }
}

impl Function {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the binary that contains it.
    pub fn binary(&self) -> &Binary {
        &self.binary
    }

    /// Returns the context in which it was loaded.
    pub fn context(&self) -> &Context {
        self.binary.context()
    }
}

impl Context {
    /// Returns the address at which mixed kernels synchronise, their first parameter.
    ///
    /// # Errors
    /// [`Error::Call`] or [`Error::Missing`].
    pub fn sync_address(&self) -> Result<u64, Error> {
        let f = self.enter()?;
        let mut address = null_mut();
        // SAFETY: `address` is written.
        match unsafe { f.aclrtGetHardwareSyncAddr(&mut address) } {
            Ok(()) => Ok(address as usize as u64),
            Err(e) if e.is_of_release() => {
                let (mut address, mut length) = (0, 0);
                // SAFETY: both are written.
                unsafe { f.rtGetC2cCtrlAddr(&mut address, &mut length) }?;
                Ok(address)
            }
            Err(e) => Err(e),
        }
    }
}

impl fmt::Debug for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Binary")
            .field("path", &self.0.path)
            .field("cores", &self.0.cores)
            .finish_non_exhaustive()
    }
}
impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function")
            .field("name", &self.name)
            .field("binary", &self.binary)
            .finish()
    }
}
