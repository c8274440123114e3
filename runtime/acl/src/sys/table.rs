//! The functions of CANN that we call: one row for each, with its prototype, its library, and the
//! first release whose headers have it.
//!
//! A row becomes a method of [`Functions`], which looks the symbol up at its first call, and an
//! entry of [`PROTOTYPES`]. A function that returns a code gives `Err` for a code that is not 0,
//! with its name and CANN's own text; other functions return their value.
//!
//! Names of parameters, types and releases are those of the public headers (acl_rt.h, acl_meta.h,
//! acl_prof.h, rt_ffts and kernel headers of the lower runtime; toolkit 8.1.RC1, runtime repository
//! 8.5.0 to 9.1).

// Rows are prototypes of C, with its names and numbers of parameters.
#![allow(non_snake_case, missing_docs, clippy::too_many_arguments)]

use super::load::Libraries;
use super::types::*;
use super::{Answer, Library, Release};
use crate::Error;
use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

/// A row as data.
pub struct Prototype {
    pub name: &'static str,
    /// The library that has it.
    pub library: Library,
    /// The first release that we read whose headers have it.
    pub since: Release,
    /// The result type, as C spells it.
    pub returns: fn() -> String,
    /// Types of the parameters, as C spells them.
    pub parameters: fn() -> Vec<String>,
}

macro_rules! functions {
    ($($library:ident { $(
        $(#[$doc:meta])*
        $since:ident $name:ident($($parameter:ident: $ty:ty),* $(,)?) -> $returns:ty;
    )* })*) => {
        /// The functions of one installation, each looked up when it is first called.
        pub struct Functions {
            libraries: Libraries,
            $($($name: OnceLock<Option<unsafe extern "C" fn($($ty),*) -> $returns>>,)*)*
        }

        impl Functions {
            /// Makes the table over these libraries; nothing is looked up yet.
            pub(crate) fn new(libraries: Libraries) -> Self {
                Functions { libraries, $($($name: OnceLock::new(),)*)* }
            }

            $($(
                $(#[$doc])*
                ///
                /// # Errors
                /// [`Error::Missing`] where the installation has no such function; [`Error::Call`]
                /// for a code that is not 0.
                ///
                /// # Safety
                /// Pointers and handles must be as CANN's page of the function demands, and live as
                /// long as it says.
                #[inline]
                pub unsafe fn $name(&self, $($parameter: $ty),*) -> Result<<$returns as Answer>::Value, Error> {
                    let found = self.$name.get_or_init(|| {
                        // SAFETY: the type is the row's, which `tests/facts.rs` compares with the
                        // public prototype.
                        unsafe { self.libraries.symbol(Library::$library, stringify!($name)) }
                    });
                    let Some(function) = found else { return Err(self.missing(stringify!($name))) };
                    // SAFETY: the caller promises it (`# Safety`).
                    let answer = unsafe { function($($parameter),*) };
                    <$returns as Answer>::checked(answer, self, stringify!($name))
                }
            )*)*
        }

        /// Every row, in the order of the table.
        pub static PROTOTYPES: &[Prototype] = &[$($(Prototype {
            name: stringify!($name),
            library: Library::$library,
            since: Release::$since,
            returns: || <$returns as CType>::spelled(),
            parameters: || vec![$(<$ty as CType>::spelled()),*],
        },)*)*];
    };
}

impl Functions {
    /// Returns the libraries with the functions.
    pub fn libraries(&self) -> &Libraries {
        &self.libraries
    }

    /// True if the installation has all of these functions of the table.
    pub fn have(&self, names: &[&str]) -> bool {
        names
            .iter()
            .all(|name| row(name).is_some_and(|row| self.libraries.has(row.library, name)))
    }

    /// Checks that the installation has these functions.
    ///
    /// # Errors
    /// [`Error::Missing`] for the first one that it lacks.
    pub fn need(&self, names: &[&str]) -> Result<(), Error> {
        match names.iter().find(|name| !self.have(&[name])) {
            Some(name) => Err(self.missing(name)),
            None => Ok(()),
        }
    }

    fn missing(&self, name: &str) -> Error {
        match row(name) {
            Some(row) => Error::Missing {
                symbol: row.name,
                since: row.since,
                opened: self.libraries.opened(row.library),
            },
            None => Error::refused(format!("`{name}` is no function of the binding's table")),
        }
    }
}

fn row(name: &str) -> Option<&'static Prototype> {
    PROTOTYPES.iter().find(|row| row.name == name)
}

functions! {
    Acl {
        /// Starts the library in this process.
        V8_1 aclInit(config: *const c_char) -> aclError;
        /// Ends the library, even if other code uses it.
        V8_1 aclFinalize() -> aclError;
        /// Releases one `aclInit`; the last release ends the library.
        V8_5 aclFinalizeReference(references: *mut u64) -> aclError;
        /// Returns the text of this thread's last error, once.
        V8_1 aclGetRecentErrMsg() -> *const c_char;
        /// Returns the version of the interface.
        V8_1 aclrtGetVersion(major: *mut i32, minor: *mut i32, patch: *mut i32) -> aclError;
        /// Returns the version of a part of the installation, as text.
        V8_5 aclsysGetVersionStr(package: *mut c_char, version: *mut c_char) -> aclError;

        /// Returns the number of devices that this process may use.
        V8_1 aclrtGetDeviceCount(count: *mut u32) -> aclError;
        /// Takes a device into use and makes its own context the one of this thread.
        V8_1 aclrtSetDevice(device: i32) -> aclError;
        /// Releases one `aclrtSetDevice`.
        V8_1 aclrtResetDevice(device: i32) -> aclError;
        /// Returns the device of this thread's context.
        V8_1 aclrtGetDevice(device: *mut i32) -> aclError;
        /// Waits for all streams of the context.
        V8_1 aclrtSynchronizeDevice() -> aclError;
        /// Tells whether this is the host or the device's own processor.
        V8_1 aclrtGetRunMode(mode: *mut aclrtRunMode) -> aclError;
        /// Returns the chip's name, such as `Ascend910B2`.
        V8_1 aclrtGetSocName() -> *const c_char;
        /// Returns cores and L2 of a device.
        V8_1 aclGetDeviceCapability(device: u32, info: aclDeviceInfo, value: *mut i64) -> aclError;
        /// Returns more facts about a device.
        V8_5 aclrtGetDeviceInfo(device: u32, attr: aclrtDevAttr, value: *mut i64) -> aclError;
        /// Returns free and total bytes of memory.
        V8_1 aclrtGetMemInfo(attr: aclrtMemAttr, free: *mut usize, total: *mut usize) -> aclError;
        /// Sets the treatment of 16-bit results that overflow.
        V8_1 aclrtSetDeviceSatMode(mode: aclrtFloatOverflowMode) -> aclError;
        /// Returns the treatment of 16-bit results that overflow.
        V8_1 aclrtGetDeviceSatMode(mode: *mut aclrtFloatOverflowMode) -> aclError;

        /// Makes a new context.
        V8_1 aclrtCreateContext(context: *mut aclrtContext, device: i32) -> aclError;
        /// Destroys a context.
        V8_1 aclrtDestroyContext(context: aclrtContext) -> aclError;
        /// Makes a context that of this thread.
        V8_1 aclrtSetCurrentContext(context: aclrtContext) -> aclError;
        /// Returns the context of this thread.
        V8_1 aclrtGetCurrentContext(context: *mut aclrtContext) -> aclError;

        /// Makes a stream.
        V8_1 aclrtCreateStream(stream: *mut aclrtStream) -> aclError;
        /// Makes a stream with flags.
        V8_1 aclrtCreateStreamWithConfig(stream: *mut aclrtStream, priority: u32, flag: u32) -> aclError;
        /// Destroys a stream.
        V8_1 aclrtDestroyStream(stream: aclrtStream) -> aclError;
        /// Waits for the work of a stream.
        V8_1 aclrtSynchronizeStream(stream: aclrtStream) -> aclError;
        /// Waits for the work of a stream, for at most this number of milliseconds.
        V8_1 aclrtSynchronizeStreamWithTimeout(stream: aclrtStream, timeout: i32) -> aclError;
        /// Tells whether the work of a stream is done.
        V8_1 aclrtStreamQuery(stream: aclrtStream, status: *mut aclrtStreamStatus) -> aclError;
        /// Makes later work of a stream wait for an event.
        V8_1 aclrtStreamWaitEvent(stream: aclrtStream, event: aclrtEvent) -> aclError;

        /// Makes an event with flags.
        V8_1 aclrtCreateEventWithFlag(event: *mut aclrtEvent, flag: u32) -> aclError;
        /// Destroys an event.
        V8_1 aclrtDestroyEvent(event: aclrtEvent) -> aclError;
        /// Records an event after the stream's work up to now.
        V8_1 aclrtRecordEvent(event: aclrtEvent, stream: aclrtStream) -> aclError;
        /// Tells whether an event has occurred: 1 if so.
        V8_1 aclrtQueryEventStatus(event: aclrtEvent, status: *mut aclrtEventRecordedStatus) -> aclError;
        /// Waits for an event.
        V8_1 aclrtSynchronizeEvent(event: aclrtEvent) -> aclError;
        /// Returns the milliseconds between two events that have occurred.
        V8_1 aclrtEventElapsedTime(ms: *mut f32, start: aclrtEvent, end: aclrtEvent) -> aclError;

        /// Allocates memory of the device.
        V8_1 aclrtMalloc(memory: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy) -> aclError;
        /// Frees memory of the device.
        V8_1 aclrtFree(memory: *mut c_void) -> aclError;
        /// Allocates page-locked memory of the host.
        V8_1 aclrtMallocHost(memory: *mut *mut c_void, size: usize) -> aclError;
        /// Frees page-locked memory of the host.
        V8_1 aclrtFreeHost(memory: *mut c_void) -> aclError;
        /// Sets bytes of memory.
        V8_1 aclrtMemset(memory: *mut c_void, capacity: usize, value: i32, count: usize) -> aclError;
        /// Sets bytes after the stream's work up to now.
        V8_1 aclrtMemsetAsync(memory: *mut c_void, capacity: usize, value: i32, count: usize, stream: aclrtStream) -> aclError;
        /// Copies bytes of memory.
        V8_1 aclrtMemcpy(to: *mut c_void, capacity: usize, from: *const c_void, count: usize, kind: aclrtMemcpyKind) -> aclError;
        /// Copies after the stream's work up to now.
        V8_1 aclrtMemcpyAsync(to: *mut c_void, capacity: usize, from: *const c_void, count: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;

        /// Loads a binary from a file.
        V8_1 aclrtBinaryLoadFromFile(path: *const c_char, options: *mut aclrtBinaryLoadOptions, binary: *mut aclrtBinHandle) -> aclError;
        /// Loads a binary from memory.
        V8_5 aclrtBinaryLoadFromData(data: *const c_void, length: usize, options: *const aclrtBinaryLoadOptions, binary: *mut aclrtBinHandle) -> aclError;
        /// Unloads a binary, in the context that loaded it.
        V8_1 aclrtBinaryUnLoad(binary: aclrtBinHandle) -> aclError;
        /// Finds a kernel function by its name.
        V8_1 aclrtBinaryGetFunction(binary: aclrtBinHandle, name: *const c_char, function: *mut aclrtFuncHandle) -> aclError;
        /// Returns the address at which mixed kernels synchronise.
        V8_5 aclrtGetHardwareSyncAddr(address: *mut *mut c_void) -> aclError;
        /// Returns the bytes of a list of arguments.
        V8_1 aclrtKernelArgsGetHandleMemSize(function: aclrtFuncHandle, size: *mut usize) -> aclError;
        /// Returns the bytes that arguments of this size take.
        V8_1 aclrtKernelArgsGetMemSize(function: aclrtFuncHandle, of: usize, size: *mut usize) -> aclError;
        /// Makes an empty list of arguments, in memory of the caller. A list of
        /// `aclrtKernelArgsInit` would be lost where a launch fails: no function frees it.
        V8_1 aclrtKernelArgsInitByUserMem(function: aclrtFuncHandle, args: aclrtArgsHandle, memory: *mut c_void, size: usize) -> aclError;
        /// Appends an argument to a list.
        V8_1 aclrtKernelArgsAppend(args: aclrtArgsHandle, value: *mut c_void, size: usize, handle: *mut aclrtParamHandle) -> aclError;
        /// Ends a list of arguments.
        V8_1 aclrtKernelArgsFinalize(args: aclrtArgsHandle) -> aclError;
        /// Queues a kernel with a list of arguments.
        V8_1 aclrtLaunchKernelWithConfig(function: aclrtFuncHandle, blocks: u32, stream: aclrtStream, config: *mut aclrtLaunchKernelCfg, args: aclrtArgsHandle, reserved: *mut c_void) -> aclError;
        /// Queues a kernel with a block of arguments in host memory.
        V8_5 aclrtLaunchKernelWithHostArgs(function: aclrtFuncHandle, blocks: u32, stream: aclrtStream, config: *mut aclrtLaunchKernelCfg, args: *mut c_void, size: usize, placeholders: *mut aclrtPlaceHolderInfo, count: usize) -> aclError;
    }
    Runtime {
        /// Registers a binary, whose bytes must stay in place until it is unregistered.
        V8_1 rtDevBinaryRegister(binary: *const rtDevBinary_t, handle: *mut *mut c_void) -> rtError_t;
        /// Unregisters a binary.
        V8_1 rtDevBinaryUnRegister(handle: *mut c_void) -> rtError_t;
        /// Registers a kernel function by its name; an address of the caller identifies it.
        V8_1 rtFunctionRegister(binary: *mut c_void, stub: *const c_void, name: *const c_char, kernel: *const c_void, mode: u32) -> rtError_t;
        /// Queues a kernel of the lower runtime.
        V8_1 rtKernelLaunch(stub: *const c_void, blocks: u32, args: *mut c_void, size: u32, memory: *mut rtSmDesc_t, stream: rtStream_t) -> rtError_t;
        /// Returns the address at which mixed kernels synchronise.
        V8_1 rtGetC2cCtrlAddr(address: *mut u64, length: *mut u32) -> rtError_t;
    }
    Operators {
        /// Makes a tensor for an operator.
        V8_1 aclCreateTensor(dims: *const i64, rank: u64, dtype: aclDataType, strides: *const i64, offset: i64, format: aclFormat, storage: *const i64, storage_rank: u64, data: *mut c_void) -> *mut aclTensor;
        /// Makes a number for an operator.
        V8_1 aclCreateScalar(value: *mut c_void, dtype: aclDataType) -> *mut aclScalar;
        /// Makes a list of integers.
        V8_1 aclCreateIntArray(values: *const i64, count: u64) -> *mut aclIntArray;
        /// Makes a list of floats.
        V8_1 aclCreateFloatArray(values: *const f32, count: u64) -> *mut aclFloatArray;
        /// Makes a list of bools.
        V8_1 aclCreateBoolArray(values: *const bool, count: u64) -> *mut aclBoolArray;
        /// Makes a list of tensors, which owns them from then on.
        V8_1 aclCreateTensorList(tensors: *const *const aclTensor, count: u64) -> *mut aclTensorList;
        /// Destroys a tensor.
        V8_1 aclDestroyTensor(tensor: *const aclTensor) -> aclnnStatus;
        /// Destroys a number.
        V8_1 aclDestroyScalar(scalar: *const aclScalar) -> aclnnStatus;
        /// Destroys a list.
        V8_1 aclDestroyIntArray(array: *const aclIntArray) -> aclnnStatus;
        /// Destroys a list.
        V8_1 aclDestroyFloatArray(array: *const aclFloatArray) -> aclnnStatus;
        /// Destroys a list.
        V8_1 aclDestroyBoolArray(array: *const aclBoolArray) -> aclnnStatus;
        /// Destroys a list with its tensors.
        V8_1 aclDestroyTensorList(list: *const aclTensorList) -> aclnnStatus;
        /// Returns the shape of a tensor; the caller owns the array and frees it with `delete[]`.
        V8_1 aclGetViewShape(tensor: *const aclTensor, dims: *mut *mut i64, rank: *mut u64) -> aclnnStatus;
        /// Lets an executor run more than once.
        V8_1 aclSetAclOpExecutorRepeatable(executor: *mut aclOpExecutor) -> aclnnStatus;
        /// Sets another address for an input of a repeatable executor.
        V8_1 aclSetInputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, address: *mut c_void) -> aclnnStatus;
        /// Sets another address for an output of a repeatable executor.
        V8_1 aclSetOutputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, address: *mut c_void) -> aclnnStatus;
        /// Destroys an executor that was made repeatable, or never run.
        V8_1 aclDestroyAclOpExecutor(executor: *mut aclOpExecutor) -> aclnnStatus;
    }
    Profiler {
        /// Sets the folder of results.
        V8_1 aclprofInit(folder: *const c_char, length: usize) -> aclError;
        /// Makes the configuration of a profile.
        V8_1 aclprofCreateConfig(devices: *mut u32, count: u32, metrics: aclprofAicoreMetrics, events: *const aclprofAicoreEvents, switches: u64) -> *mut aclprofConfig;
        /// Starts a profile.
        V8_1 aclprofStart(config: *const aclprofConfig) -> aclError;
        /// Stops a profile.
        V8_1 aclprofStop(config: *const aclprofConfig) -> aclError;
        /// Destroys the configuration of a profile.
        V8_1 aclprofDestroyConfig(config: *const aclprofConfig) -> aclError;
        /// Writes the remaining results.
        V8_1 aclprofFinalize() -> aclError;
    }
}
