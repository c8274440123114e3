//! Control of the stand-in by tests, beside its interface: `cpp/include/standin/control.h`.

use libloading::os::unix::{Library, Symbol, RTLD_NOW};
use std::ffi::{c_char, CString};
use std::mem::ManuallyDrop;
use std::path::Path;

/// Numbers of live objects, and of kernels that ran.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Contexts that were created explicitly.
    pub contexts: u64,
    pub streams: u64,
    pub events: u64,
    /// Blocks of device memory.
    pub device_blocks: u64,
    /// Bytes of device memory.
    pub device_bytes: u64,
    /// Blocks of page-locked memory.
    pub host_blocks: u64,
    /// Blocks of registered host memory.
    pub registered: u64,
    /// Images of binaries.
    pub images: u64,
    pub binaries: u64,
    /// Functions of binaries.
    pub functions: u64,
    pub argument_lists: u64,
    pub tensors: u64,
    /// Other objects of operators.
    pub other_objects: u64,
    pub executors: u64,
    pub profiling_configs: u64,
    /// Devices that were set and not reset.
    pub device_references: u64,
    /// Initialisations of the library that were not finalised.
    pub inits: u64,
    /// Kernels that ran since the last reset; these are no live objects.
    pub kernels_run: u64,
}

impl Counts {
    /// True if no object is alive.
    pub fn is_nothing_left(&self) -> bool {
        Counts {
            kernels_run: 0,
            ..*self
        } == Counts::default()
    }
}

/// The stand-in's own functions.
pub struct Control {
    library: ManuallyDrop<Library>,
}

impl Control {
    pub(crate) fn open(file: &Path) -> Result<Control, String> {
        // SAFETY: the library is ours, and its initialisers do nothing but make tables.
        let library = unsafe { Library::open(Some(file), RTLD_NOW) }.map_err(|e| e.to_string())?;
        Ok(Control {
            library: ManuallyDrop::new(library),
        })
    }

    /// # Safety
    /// `F` is the type of the function in `control.h`.
    unsafe fn function<F>(&self, name: &str) -> Symbol<F> {
        // SAFETY: what the caller promises.
        unsafe { self.library.get(name.as_bytes()) }
            .unwrap_or_else(|e| panic!("the stand-in has no {name}: {e}"))
    }

    /// Makes the `nth` call of a function from now on (1 is the next) fail with a code and do
    /// nothing; 0 makes none fail. False if this release has no such function.
    pub fn fail(&self, function: &str, nth: u32, code: i32) -> bool {
        let name = CString::new(function).expect("a name of a function");
        // SAFETY: the prototype is that of `control.h`, and the name ends with a zero.
        unsafe {
            self.function::<unsafe extern "C" fn(*const c_char, u32, i32) -> i32>("standin_fail")(
                name.as_ptr(),
                nth,
                code,
            ) == 0
        }
    }

    /// Makes the next queued work fail with a code, which the waiting call returns.
    pub fn fail_late(&self, code: i32) {
        // SAFETY: the prototype is that of `control.h`.
        unsafe { self.function::<unsafe extern "C" fn(i32)>("standin_fail_late")(code) }
    }

    /// Delays each piece of queued work by so many nanoseconds.
    pub fn latency(&self, nanoseconds: u64) {
        // SAFETY: the prototype is that of `control.h`.
        unsafe { self.function::<unsafe extern "C" fn(u64)>("standin_latency")(nanoseconds) }
    }

    /// Makes all devices this chip until a reset: `Ascend910B2` (the default), `Ascend910_9391` or
    /// `Ascend310P3`. False for another name.
    pub fn chip(&self, name: &str) -> bool {
        let name = CString::new(name).expect("a name of a chip");
        // SAFETY: the prototype is that of `control.h`, and the name ends with a zero.
        unsafe {
            self.function::<unsafe extern "C" fn(*const c_char) -> i32>("standin_chip")(
                name.as_ptr(),
            ) == 0
        }
    }

    /// Makes pipes run in a legal order that the seed chooses, and makes accesses without an order
    /// a fault; 0 restores the order of the text.
    pub fn races(&self, seed: u64) {
        // SAFETY: the prototype is that of `control.h`.
        unsafe { self.function::<unsafe extern "C" fn(u64)>("standin_races")(seed) }
    }

    /// Switches between counting kernels and running them.
    pub fn count_only(&self, on: bool) {
        // SAFETY: the prototype is that of `control.h`.
        unsafe { self.function::<unsafe extern "C" fn(i32)>("standin_count_only")(on.into()) }
    }

    /// Ends all live objects, and resets all settings.
    pub fn reset(&self) {
        // SAFETY: the prototype is that of `control.h`; tests that reset it have nothing left of
        // it.
        unsafe { self.function::<unsafe extern "C" fn()>("standin_reset")() }
    }

    /// Returns the numbers of live objects.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        // SAFETY: the prototype is that of `control.h`, whose structure `Counts` is.
        unsafe {
            self.function::<unsafe extern "C" fn(*mut Counts)>("standin_counts")(&mut counts)
        };
        counts
    }

    /// Returns how often a function was called since the last reset.
    pub fn calls(&self, function: &str) -> u64 {
        let name = CString::new(function).expect("a name of a function");
        // SAFETY: the prototype is that of `control.h`, and the name ends with a zero.
        unsafe {
            self.function::<unsafe extern "C" fn(*const c_char) -> u64>("standin_calls")(
                name.as_ptr(),
            )
        }
    }
}
