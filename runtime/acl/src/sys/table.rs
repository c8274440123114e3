//! One row a function of CANN that we call: its prototype, the library it is in, and the first release whose headers have it.
//!
//! A row becomes a method of [`Functions`] that looks the symbol up at its first call, and an entry of [`PROTOTYPES`]. A function that
//! answers a code gives `Err` with the code, its name and CANN's own text where it is not 0; others give what they answer.
//! Names of parameters, types and releases are those of the public headers (acl_rt.h, acl_meta.h, acl_prof.h, rt_ffts and kernel headers
//! of the lower runtime; toolkit 8.1.RC1, runtime repository 8.5.0 to 9.1).

// Rows are prototypes of C, with as many parameters as those have.
#![allow(non_snake_case, missing_docs, clippy::too_many_arguments)]

use super::load::Libraries;
use super::types::*;
use super::{Answer, Library, Release};
use crate::Error;
use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

/// A row as data.
pub struct Prototype {
    /// The symbol.
    pub name: &'static str,
    /// Which library has it.
    pub library: Library,
    /// The first release read whose headers have it.
    pub since: Release,
    /// What it answers, as C spells it.
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
            /// Over these libraries; nothing is looked up yet.
            pub(crate) fn new(libraries: Libraries) -> Self {
                Functions { libraries, $($($name: OnceLock::new(),)*)* }
            }

            $($(
                $(#[$doc])*
                ///
                /// # Errors
                /// [`Error::Missing`] where the installation has no such function; [`Error::Call`] where it answers a code.
                ///
                /// # Safety
                /// Pointers and handles are what CANN's page of the function asks for, and live as long as it says.
                #[inline]
                pub unsafe fn $name(&self, $($parameter: $ty),*) -> Result<<$returns as Answer>::Value, Error> {
                    let found = self.$name.get_or_init(|| {
                        // SAFETY: the type is the row's, which `tests/facts.rs` holds to the public prototype.
                        unsafe { self.libraries.symbol(Library::$library, stringify!($name)) }
                    });
                    let Some(function) = found else { return Err(self.missing(stringify!($name))) };
                    // SAFETY: what the caller promises.
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
    /// The libraries behind it.
    pub fn libraries(&self) -> &Libraries {
        &self.libraries
    }

    /// Whether the installation has all of these functions of the table.
    pub fn have(&self, names: &[&str]) -> bool {
        names
            .iter()
            .all(|name| row(name).is_some_and(|row| self.libraries.has(row.library, name)))
    }

    /// The first of these that the installation does not have.
    ///
    /// # Errors
    /// [`Error::Missing`] for that one.
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
        /// Ends it, whoever else uses it.
        V8_1 aclFinalize() -> aclError;
        /// Gives up one `aclInit`; the last one ends the library.
        V8_5 aclFinalizeReference(references: *mut u64) -> aclError;
        /// The text of this thread's last error, once.
        V8_1 aclGetRecentErrMsg() -> *const c_char;
        /// Version of the interface.
        V8_1 aclrtGetVersion(major: *mut i32, minor: *mut i32, patch: *mut i32) -> aclError;
        /// Version of a part of the installation, as text.
        V8_5 aclsysGetVersionStr(package: *mut c_char, version: *mut c_char) -> aclError;

        /// Number of devices that this process may use.
        V8_1 aclrtGetDeviceCount(count: *mut u32) -> aclError;
        /// Takes a device into use and makes its own context the one of this thread.
        V8_1 aclrtSetDevice(device: i32) -> aclError;
        /// Gives up one `aclrtSetDevice`.
        V8_1 aclrtResetDevice(device: i32) -> aclError;
        /// The device of this thread's context.
        V8_1 aclrtGetDevice(device: *mut i32) -> aclError;
        /// Waits for all streams of the context.
        V8_1 aclrtSynchronizeDevice() -> aclError;
        /// Whether this is the host or the device's own processor.
        V8_1 aclrtGetRunMode(mode: *mut aclrtRunMode) -> aclError;
        /// The chip's name, as `Ascend910B2`.
        V8_1 aclrtGetSocName() -> *const c_char;
        /// Cores and L2 of a device.
        V8_1 aclGetDeviceCapability(device: u32, info: aclDeviceInfo, value: *mut i64) -> aclError;
        /// More of the same.
        V8_5 aclrtGetDeviceInfo(device: u32, attr: aclrtDevAttr, value: *mut i64) -> aclError;
        /// Bytes of memory that are free, and all.
        V8_1 aclrtGetMemInfo(attr: aclrtMemAttr, free: *mut usize, total: *mut usize) -> aclError;
        /// What 16-bit results that overflow become.
        V8_1 aclrtSetDeviceSatMode(mode: aclrtFloatOverflowMode) -> aclError;
        /// The same, read.
        V8_1 aclrtGetDeviceSatMode(mode: *mut aclrtFloatOverflowMode) -> aclError;

        /// A context of one's own.
        V8_1 aclrtCreateContext(context: *mut aclrtContext, device: i32) -> aclError;
        /// Ends it.
        V8_1 aclrtDestroyContext(context: aclrtContext) -> aclError;
        /// Makes it the one of this thread.
        V8_1 aclrtSetCurrentContext(context: aclrtContext) -> aclError;
        /// The one of this thread.
        V8_1 aclrtGetCurrentContext(context: *mut aclrtContext) -> aclError;

        /// A queue of work.
        V8_1 aclrtCreateStream(stream: *mut aclrtStream) -> aclError;
        /// The same with flags.
        V8_1 aclrtCreateStreamWithConfig(stream: *mut aclrtStream, priority: u32, flag: u32) -> aclError;
        /// Ends it.
        V8_1 aclrtDestroyStream(stream: aclrtStream) -> aclError;
        /// Waits for its work.
        V8_1 aclrtSynchronizeStream(stream: aclrtStream) -> aclError;
        /// The same, for so many milliseconds at most.
        V8_1 aclrtSynchronizeStreamWithTimeout(stream: aclrtStream, timeout: i32) -> aclError;
        /// Whether its work is done.
        V8_1 aclrtStreamQuery(stream: aclrtStream, status: *mut aclrtStreamStatus) -> aclError;
        /// What is queued from now on waits for an event.
        V8_1 aclrtStreamWaitEvent(stream: aclrtStream, event: aclrtEvent) -> aclError;

        /// An event of one kind.
        V8_1 aclrtCreateEventWithFlag(event: *mut aclrtEvent, flag: u32) -> aclError;
        /// Ends it.
        V8_1 aclrtDestroyEvent(event: aclrtEvent) -> aclError;
        /// Takes place where the stream's work up to now is done.
        V8_1 aclrtRecordEvent(event: aclrtEvent, stream: aclrtStream) -> aclError;
        /// Whether it took place: 1 where it did.
        V8_1 aclrtQueryEventStatus(event: aclrtEvent, status: *mut aclrtEventRecordedStatus) -> aclError;
        /// Waits for it.
        V8_1 aclrtSynchronizeEvent(event: aclrtEvent) -> aclError;
        /// Milliseconds between two that took place.
        V8_1 aclrtEventElapsedTime(ms: *mut f32, start: aclrtEvent, end: aclrtEvent) -> aclError;

        /// Memory of the device.
        V8_1 aclrtMalloc(memory: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy) -> aclError;
        /// Gives it back.
        V8_1 aclrtFree(memory: *mut c_void) -> aclError;
        /// Page-locked memory of the host.
        V8_1 aclrtMallocHost(memory: *mut *mut c_void, size: usize) -> aclError;
        /// Gives it back.
        V8_1 aclrtFreeHost(memory: *mut c_void) -> aclError;
        /// Sets bytes.
        V8_1 aclrtMemset(memory: *mut c_void, capacity: usize, value: i32, count: usize) -> aclError;
        /// Sets bytes where the stream has come so far.
        V8_1 aclrtMemsetAsync(memory: *mut c_void, capacity: usize, value: i32, count: usize, stream: aclrtStream) -> aclError;
        /// Copies.
        V8_1 aclrtMemcpy(to: *mut c_void, capacity: usize, from: *const c_void, count: usize, kind: aclrtMemcpyKind) -> aclError;
        /// Copies where the stream has come so far.
        V8_1 aclrtMemcpyAsync(to: *mut c_void, capacity: usize, from: *const c_void, count: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;

        /// A binary from a file.
        V8_1 aclrtBinaryLoadFromFile(path: *const c_char, options: *mut aclrtBinaryLoadOptions, binary: *mut aclrtBinHandle) -> aclError;
        /// A binary from memory.
        V8_5 aclrtBinaryLoadFromData(data: *const c_void, length: usize, options: *const aclrtBinaryLoadOptions, binary: *mut aclrtBinHandle) -> aclError;
        /// Gives it back, in the context that loaded it.
        V8_1 aclrtBinaryUnLoad(binary: aclrtBinHandle) -> aclError;
        /// A kernel function by its name.
        V8_1 aclrtBinaryGetFunction(binary: aclrtBinHandle, name: *const c_char, function: *mut aclrtFuncHandle) -> aclError;
        /// The address that mixed kernels synchronise at.
        V8_5 aclrtGetHardwareSyncAddr(address: *mut *mut c_void) -> aclError;
        /// Bytes of a list of arguments.
        V8_1 aclrtKernelArgsGetHandleMemSize(function: aclrtFuncHandle, size: *mut usize) -> aclError;
        /// Bytes that so many of arguments take.
        V8_1 aclrtKernelArgsGetMemSize(function: aclrtFuncHandle, of: usize, size: *mut usize) -> aclError;
        /// An empty list of arguments, in memory of the caller's. What `aclrtKernelArgsInit` makes would be lost where a launch fails:
        /// there is no function that gives it back.
        V8_1 aclrtKernelArgsInitByUserMem(function: aclrtFuncHandle, args: aclrtArgsHandle, memory: *mut c_void, size: usize) -> aclError;
        /// One more argument.
        V8_1 aclrtKernelArgsAppend(args: aclrtArgsHandle, value: *mut c_void, size: usize, handle: *mut aclrtParamHandle) -> aclError;
        /// No more arguments.
        V8_1 aclrtKernelArgsFinalize(args: aclrtArgsHandle) -> aclError;
        /// Queues a kernel with a list of arguments.
        V8_1 aclrtLaunchKernelWithConfig(function: aclrtFuncHandle, blocks: u32, stream: aclrtStream, config: *mut aclrtLaunchKernelCfg, args: aclrtArgsHandle, reserved: *mut c_void) -> aclError;
        /// Queues a kernel with a block of arguments in host memory.
        V8_5 aclrtLaunchKernelWithHostArgs(function: aclrtFuncHandle, blocks: u32, stream: aclrtStream, config: *mut aclrtLaunchKernelCfg, args: *mut c_void, size: usize, placeholders: *mut aclrtPlaceHolderInfo, count: usize) -> aclError;
    }
    Runtime {
        /// A binary, whose bytes stay where they are until it is given back.
        V8_1 rtDevBinaryRegister(binary: *const rtDevBinary_t, handle: *mut *mut c_void) -> rtError_t;
        /// Gives it back.
        V8_1 rtDevBinaryUnRegister(handle: *mut c_void) -> rtError_t;
        /// A kernel function by its name; an address of the caller's stands for it.
        V8_1 rtFunctionRegister(binary: *mut c_void, stub: *const c_void, name: *const c_char, kernel: *const c_void, mode: u32) -> rtError_t;
        /// Queues a kernel.
        V8_1 rtKernelLaunch(stub: *const c_void, blocks: u32, args: *mut c_void, size: u32, memory: *mut rtSmDesc_t, stream: rtStream_t) -> rtError_t;
        /// The address that mixed kernels synchronise at.
        V8_1 rtGetC2cCtrlAddr(address: *mut u64, length: *mut u32) -> rtError_t;
    }
    Operators {
        /// A tensor of an operator.
        V8_1 aclCreateTensor(dims: *const i64, rank: u64, dtype: aclDataType, strides: *const i64, offset: i64, format: aclFormat, storage: *const i64, storage_rank: u64, data: *mut c_void) -> *mut aclTensor;
        /// A number of an operator.
        V8_1 aclCreateScalar(value: *mut c_void, dtype: aclDataType) -> *mut aclScalar;
        /// A list of numbers.
        V8_1 aclCreateIntArray(values: *const i64, count: u64) -> *mut aclIntArray;
        /// A list of numbers.
        V8_1 aclCreateFloatArray(values: *const f32, count: u64) -> *mut aclFloatArray;
        /// A list of truth values.
        V8_1 aclCreateBoolArray(values: *const bool, count: u64) -> *mut aclBoolArray;
        /// A list of tensors, which owns them from then on.
        V8_1 aclCreateTensorList(tensors: *const *const aclTensor, count: u64) -> *mut aclTensorList;
        /// Ends a tensor.
        V8_1 aclDestroyTensor(tensor: *const aclTensor) -> aclnnStatus;
        /// Ends a number.
        V8_1 aclDestroyScalar(scalar: *const aclScalar) -> aclnnStatus;
        /// Ends a list.
        V8_1 aclDestroyIntArray(array: *const aclIntArray) -> aclnnStatus;
        /// Ends a list.
        V8_1 aclDestroyFloatArray(array: *const aclFloatArray) -> aclnnStatus;
        /// Ends a list.
        V8_1 aclDestroyBoolArray(array: *const aclBoolArray) -> aclnnStatus;
        /// Ends a list with its tensors.
        V8_1 aclDestroyTensorList(list: *const aclTensorList) -> aclnnStatus;
        /// The shape of a tensor; the array is the caller's, to free with `delete[]`.
        V8_1 aclGetViewShape(tensor: *const aclTensor, dims: *mut *mut i64, rank: *mut u64) -> aclnnStatus;
        /// Lets an executor run more than once.
        V8_1 aclSetAclOpExecutorRepeatable(executor: *mut aclOpExecutor) -> aclnnStatus;
        /// Another address for an input of a repeatable executor.
        V8_1 aclSetInputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, address: *mut c_void) -> aclnnStatus;
        /// Another address for an output of a repeatable executor.
        V8_1 aclSetOutputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, address: *mut c_void) -> aclnnStatus;
        /// Ends an executor that was made repeatable, or never run.
        V8_1 aclDestroyAclOpExecutor(executor: *mut aclOpExecutor) -> aclnnStatus;
    }
    Profiler {
        /// Where results go.
        V8_1 aclprofInit(folder: *const c_char, length: usize) -> aclError;
        /// What to look at.
        V8_1 aclprofCreateConfig(devices: *mut u32, count: u32, metrics: aclprofAicoreMetrics, events: *const aclprofAicoreEvents, switches: u64) -> *mut aclprofConfig;
        /// Begins.
        V8_1 aclprofStart(config: *const aclprofConfig) -> aclError;
        /// Ends.
        V8_1 aclprofStop(config: *const aclprofConfig) -> aclError;
        /// Gives the configuration back.
        V8_1 aclprofDestroyConfig(config: *const aclprofConfig) -> aclError;
        /// Writes what is left.
        V8_1 aclprofFinalize() -> aclError;
    }
}
