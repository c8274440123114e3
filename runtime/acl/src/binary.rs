//! Kernel binaries, their functions, and the ways to launch them.
//!
//! Releases differ in what they have. The ways are tried in the order of [`Path::ALL`]; the first one whose functions are all there is
//! taken, and [`Binary::passed_over`] says why those before it were not. A binary that the library itself refuses is an error at once:
//! another way would get the same bytes.

use crate::hosted::{Hosted, Hosting};
use crate::launch::{Args, LaunchConfig};
use crate::sys::types::*;
use crate::sys::Functions;
use crate::{Context, Error, Stream};
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
    /// A library of this machine that has the binary inside (9.0 and later).
    Hosted,
}

impl Path {
    /// Those from the bytes of a binary, in the order in which they are tried.
    pub const ALL: [Path; 3] = [Path::HostArgs, Path::ArgsList, Path::Registered];

    /// The functions that it calls.
    pub const fn calls(self) -> &'static [&'static str] {
        match self {
            Path::HostArgs => {
                &["aclrtBinaryLoadFromData", "aclrtBinaryGetFunction", "aclrtLaunchKernelWithHostArgs", "aclrtBinaryUnLoad"]
            }
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
            // What it calls it is linked to.
            Path::Hosted => &[],
            Path::Registered => &["rtDevBinaryRegister", "rtFunctionRegister", "rtKernelLaunch", "rtDevBinaryUnRegister"],
        }
    }

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Path::HostArgs => "binary with host arguments",
            Path::ArgsList => "binary with a list of arguments",
            Path::Registered => "registration with the lower runtime",
            Path::Hosted => "library of host and device",
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The cores that a binary was compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// Vector cores alone.
    Vector,
    /// Cube cores alone.
    Cube,
    /// Both, or vector cores that meet by the flags of a mixed kernel.
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

/// A loaded binary; copies share it, and functions keep it.
#[derive(Clone)]
pub struct Binary(Arc<Loaded>);

struct Loaded {
    context: Context,
    path: Path,
    cores: Cores,
    handle: Handle,
    passed_over: Vec<(Path, Error)>,
    functions: Mutex<BTreeMap<String, Found>>,
}

enum Handle {
    /// With the file that it came from, which may be read when a function is first asked for.
    Acl {
        handle: aclrtBinHandle,
        _file: Option<NamedTempFile>,
    },
    /// With its bytes, which stay until it is given back.
    Runtime {
        handle: *mut c_void,
        _image: Box<[u8]>,
    },
    Hosted(Hosted),
}
// SAFETY: a handle that never changes; the context is set before each call. `functions` is behind a lock.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

#[derive(Clone, Copy)]
enum Found {
    Acl(aclrtFuncHandle),
    /// The address that stands for it: of a byte that is never given back, since no function unregisters it alone.
    Runtime(*const c_void),
    Hosted(Hosting),
}

/// A kernel function of a binary. Any number of threads may launch it, each on a stream of its own: a launch reads the handle and
/// nothing else.
#[derive(Clone)]
pub struct Function {
    binary: Binary,
    name: Arc<str>,
    found: Found,
}
// SAFETY: a handle that never changes, and is only read by launches.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Binary {
    /// Loads the bytes of a binary that was compiled for the device's chip.
    ///
    /// # Errors
    /// [`Error::Call`] where the library refuses it; [`Error::Missing`] where no way is there.
    pub fn load(context: &Context, image: &[u8], cores: Cores) -> Result<Self, Error> {
        let mut passed_over: Vec<(Path, Error)> = Vec::new();
        for path in Path::ALL {
            match Self::load_by(context, image, cores, path) {
                Ok(binary) => return Ok(binary.after(passed_over)),
                Err(e) if e.is_of_release() => passed_over.push((path, e)),
                Err(e) => return Err(e),
            }
        }
        let all: Vec<_> = passed_over.iter().map(|(path, e)| format!("\n  = note: {path}: {e}")).collect();
        Err(Error::refused(format!("this installation has no way to launch a kernel binary{}", all.concat())))
    }

    /// The same by one way.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_by(context: &Context, image: &[u8], cores: Cores, path: Path) -> Result<Self, Error> {
        let f = context.enter()?;
        f.need(path.calls())?;
        let handle = match path {
            Path::HostArgs => from_memory(f, image, cores)?,
            Path::ArgsList => from_file(f, image, cores)?,
            Path::Registered => registered(f, image, cores)?,
            Path::Hosted => return Err(Error::refused("a library is opened, and not loaded from its bytes")),
        };
        Ok(Self::of(context, path, cores, handle))
    }

    /// Opens a library of jumar's, whose source had host and device in it (`jumar build` of a kernel whose blocks wait for one another).
    ///
    /// # Errors
    /// [`Error::File`] with what the system's loader says; [`Error::Refused`] for a library that is none of this version.
    pub fn open(context: &Context, file: &FilePath, cores: Cores) -> Result<Self, Error> {
        context.enter()?;
        Ok(Self::of(context, Path::Hosted, cores, Handle::Hosted(Hosted::open(file)?)))
    }

    fn of(context: &Context, path: Path, cores: Cores, handle: Handle) -> Self {
        let (passed_over, functions) = (Vec::new(), Mutex::default());
        Binary(Arc::new(Loaded { context: context.clone(), path, cores, handle, passed_over, functions }))
    }

    fn after(mut self, passed_over: Vec<(Path, Error)>) -> Self {
        // Nobody else has it yet.
        if let Some(loaded) = Arc::get_mut(&mut self.0) {
            loaded.passed_over = passed_over;
        }
        self
    }

    /// How its kernels are launched.
    pub fn path(&self) -> Path {
        self.0.path
    }

    /// The ways before that, and why they were not taken.
    pub fn passed_over(&self) -> &[(Path, Error)] {
        &self.0.passed_over
    }

    /// The context that it is loaded in.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// A kernel function by its name.
    ///
    /// # Errors
    /// [`Error::Call`] where it has none of that name.
    pub fn function(&self, name: &str) -> Result<Function, Error> {
        let mut known = self.0.functions.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match known.get(name) {
            Some(found) => *found,
            None => *known.entry(name.to_string()).or_insert(self.find(name)?),
        };
        Ok(Function { binary: self.clone(), name: name.into(), found })
    }

    fn find(&self, name: &str) -> Result<Found, Error> {
        let text = CString::new(name).map_err(|_| Error::refused(format!("{name:?} is no name of a kernel function")))?;
        let f = self.0.context.enter()?;
        match &self.0.handle {
            Handle::Acl { handle, .. } => {
                let mut function = aclrtFuncHandle::NULL;
                // SAFETY: the binary lives, the name ends with a zero, and `function` is written.
                unsafe { f.aclrtBinaryGetFunction(*handle, text.as_ptr(), &mut function) }?;
                Ok(Found::Acl(function))
            }
            Handle::Runtime { handle, .. } => {
                let stub: *const c_void = std::ptr::from_ref(Box::leak(Box::new(0u8))).cast();
                let (name, kernel) = (text.as_ptr(), text.as_ptr().cast());
                // SAFETY: the binary lives, the names end with a zero, and nothing else has the address of `stub`.
                unsafe { f.rtFunctionRegister(*handle, stub, name, kernel, 0) }?;
                Ok(Found::Runtime(stub))
            }
            Handle::Hosted(library) => Ok(Found::Hosted(library.find(name)?)),
        }
    }
}

fn option(kind: aclrtBinaryLoadOptionType, value: u32) -> aclrtBinaryLoadOption {
    aclrtBinaryLoadOption { r#type: kind, value: [value, 0, 0, 0] }
}

fn from_memory(f: &Functions, image: &[u8], cores: Cores) -> Result<Handle, Error> {
    let mut magic = option(aclrtBinaryLoadOptionType::ACL_RT_BINARY_LOAD_OPT_MAGIC, cores.magic());
    let options = aclrtBinaryLoadOptions { options: &mut magic, numOpt: 1 };
    let mut handle = aclrtBinHandle::NULL;
    // SAFETY: the image has so many bytes, `options` holds one, and `handle` is written.
    unsafe { f.aclrtBinaryLoadFromData(image.as_ptr().cast(), image.len(), &options, &mut handle) }?;
    Ok(Handle::Acl { handle, _file: None })
}

fn from_file(f: &Functions, image: &[u8], cores: Cores) -> Result<Handle, Error> {
    let trouble = |e: std::io::Error| Error::File { path: std::env::temp_dir(), why: e.to_string() };
    let mut file = tempfile::Builder::new().prefix("jumar-").suffix(".o").tempfile().map_err(trouble)?;
    file.write_all(image).and_then(|()| file.flush()).map_err(trouble)?;
    let path = CString::new(file.path().as_os_str().as_bytes())
        .map_err(|_| Error::refused("the folder of temporary files has a zero in its name"))?;
    let mut magic = option(aclrtBinaryLoadOptionType::ACL_RT_BINARY_LOAD_OPT_MAGIC, cores.magic());
    let mut options = aclrtBinaryLoadOptions { options: &mut magic, numOpt: 1 };
    let mut handle = aclrtBinHandle::NULL;
    // SAFETY: the path ends with a zero, `options` holds one, and `handle` is written.
    unsafe { f.aclrtBinaryLoadFromFile(path.as_ptr(), &mut options, &mut handle) }?;
    Ok(Handle::Acl { handle, _file: Some(file) })
}

fn registered(f: &Functions, image: &[u8], cores: Cores) -> Result<Handle, Error> {
    let image: Box<[u8]> = image.into();
    let binary = rtDevBinary_t { magic: cores.magic(), version: 0, data: image.as_ptr().cast(), length: image.len() as u64 };
    let mut handle = null_mut();
    // SAFETY: the image has so many bytes and stays as long as the handle, which is written.
    unsafe { f.rtDevBinaryRegister(&binary, &mut handle) }?;
    Ok(Handle::Runtime { handle, _image: image })
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: the handle is of a load; its functions are gone, each of which holds an `Arc` of this.
        self.context.end(|f| unsafe {
            match &self.handle {
                Handle::Acl { handle, .. } => f.aclrtBinaryUnLoad(*handle),
                Handle::Runtime { handle, .. } => f.rtDevBinaryUnRegister(*handle),
                Handle::Hosted(_) => Ok(()),
            }
        });
    }
}

impl Function {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The binary that it is in.
    pub fn binary(&self) -> &Binary {
        &self.binary
    }

    /// The context that it was loaded in.
    pub fn context(&self) -> &Context {
        self.binary.context()
    }

    /// Queues it. What the arguments name is there until the work is done: see [`crate::Queue::launch`].
    pub(crate) fn launch(&self, stream: &Stream, blocks: u32, args: &Args<'_>, config: LaunchConfig) -> Result<(), Error> {
        config.takes(blocks)?;
        let f = self.context().enter()?;
        let mut all_at_once =
            aclrtLaunchKernelAttr { id: aclrtLaunchKernelAttrId::ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, value: [1, 0, 0, 0] };
        let mut attrs = aclrtLaunchKernelCfg { attrs: &mut all_at_once, numAttrs: 1 };
        let attrs: *mut aclrtLaunchKernelCfg = if config.all_at_once { &mut attrs } else { null_mut() };
        match (self.found, self.binary.path()) {
            (Found::Acl(function), Path::HostArgs) => with_host_args(f, function, blocks, stream, attrs, args),
            (Found::Acl(function), _) => with_args_list(f, function, blocks, stream, attrs, args),
            (Found::Runtime(_), _) if config.all_at_once => Err(Error::refused(format!(
                "kernel `{}` has blocks that wait for one another, and {} cannot start all of them at once",
                self.name,
                Path::Registered
            ))),
            (Found::Runtime(stub), _) => by_registration(f, stub, blocks, stream, args),
            (Found::Hosted(start), _) => {
                start.start(blocks, stream, args);
                Ok(())
            }
        }
    }
}

/// A copy of the block that CANN may write to: it fills in addresses of placeholders, of which we have none.
fn writable(args: &Args<'_>) -> Vec<u64> {
    let mut block = vec![0u64; args.bytes().len().div_ceil(8)];
    bytemuck::cast_slice_mut(&mut block)[..args.bytes().len()].copy_from_slice(args.bytes());
    block
}

fn with_host_args(
    f: &Functions,
    function: aclrtFuncHandle,
    blocks: u32,
    stream: &Stream,
    config: *mut aclrtLaunchKernelCfg,
    args: &Args<'_>,
) -> Result<(), Error> {
    let mut block = writable(args);
    let (at, size) = (block.as_mut_ptr().cast(), args.bytes().len());
    // SAFETY: function and stream live, `config` is null or one attribute, and the block, which is copied, has so many bytes.
    unsafe { f.aclrtLaunchKernelWithHostArgs(function, blocks, stream.raw(), config, at, size, null_mut(), 0) }
}

fn with_args_list(
    f: &Functions,
    function: aclrtFuncHandle,
    blocks: u32,
    stream: &Stream,
    config: *mut aclrtLaunchKernelCfg,
    args: &Args<'_>,
) -> Result<(), Error> {
    let (mut of_list, mut of_values) = (0, 0);
    // SAFETY: the function lives, and both numbers are written.
    unsafe {
        f.aclrtKernelArgsGetHandleMemSize(function, &mut of_list)?;
        f.aclrtKernelArgsGetMemSize(function, args.bytes().len(), &mut of_values)?;
    }
    let (mut list, mut values) = (vec![0u64; of_list.div_ceil(8)], vec![0u64; of_values.div_ceil(8)]);
    let handle = aclrtArgsHandle(list.as_mut_ptr().cast());
    // SAFETY: both have the sizes that CANN asked for and live until the launch, which copies what they hold; each parameter has so many
    // bytes, which are read; `config` is null or one attribute.
    unsafe {
        f.aclrtKernelArgsInitByUserMem(function, handle, values.as_mut_ptr().cast(), of_values)?;
        for parameter in args.each() {
            let mut place = aclrtParamHandle::NULL;
            f.aclrtKernelArgsAppend(handle, parameter.as_ptr().cast_mut().cast(), parameter.len(), &mut place)?;
        }
        f.aclrtKernelArgsFinalize(handle)?;
        f.aclrtLaunchKernelWithConfig(function, blocks, stream.raw(), config, handle, null_mut())
    }
}

fn by_registration(f: &Functions, stub: *const c_void, blocks: u32, stream: &Stream, args: &Args<'_>) -> Result<(), Error> {
    let mut block = writable(args);
    let size = u32::try_from(args.bytes().len()).map_err(|_| Error::refused("the arguments have more than 4 GiB"))?;
    // SAFETY: function and stream live, and the block, which is copied, has so many bytes.
    unsafe { f.rtKernelLaunch(stub, blocks, block.as_mut_ptr().cast(), size, null_mut(), rtStream_t(stream.raw().0)) }
}

impl Context {
    /// The address that mixed kernels take as their first parameter, to synchronise at.
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
        f.debug_struct("Binary").field("path", &self.0.path).field("cores", &self.0.cores).finish_non_exhaustive()
    }
}
impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("name", &self.name).field("binary", &self.binary).finish()
    }
}
