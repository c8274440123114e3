//! Devices and contexts.
//!
//! A call of CANN goes to the context of its thread. Each object of this crate knows its context
//! and sets it before every call. Threads therefore need no care (107002), and other code that sets
//! another context does no harm.

use crate::library::Started;
use crate::registry::Registry;
use crate::sys::types::{
    aclDeviceInfo, aclrtContext, aclrtDevAttr, aclrtFloatOverflowMode, aclrtMemAttr,
};
use crate::sys::Functions;
use crate::{Acl, Error};
use std::sync::Arc;

/// The devices in use: a process takes each device of a library into use once.
static IN_USE: Registry<InUse> = Registry::new();

pub(crate) struct InUse {
    pub(crate) library: Arc<Started>,
    number: i32,
    context: aclrtContext,
    key: usize,
}
// SAFETY: a context is a handle that any thread may set as its own (acl: multi-thread programming).
unsafe impl Send for InUse {}
// SAFETY: the handle never changes, and is only read.
unsafe impl Sync for InUse {}

/// A device in use. Clones share it. When the last clone and every object made from it are gone,
/// the device is released.
#[derive(Clone, Debug)]
pub struct Device {
    context: Context,
}

/// A context, to which streams, memory and kernels of a device belong.
#[derive(Clone)]
pub struct Context(pub(crate) Arc<Held>);

pub(crate) struct Held {
    device: Arc<InUse>,
    raw: aclrtContext,
    /// True if made by `aclrtCreateContext`, unlike the device's own context.
    own: bool,
}
// SAFETY: as for `InUse`.
unsafe impl Send for Held {}
// SAFETY: as for `InUse`.
unsafe impl Sync for Held {}

/// The most devices that a process can name: keys of the registry combine a library and a number.
const MOST_DEVICES: u32 = 4096;

impl Device {
    pub(crate) fn open(acl: &Acl, number: u32) -> Result<Device, Error> {
        if number >= MOST_DEVICES {
            return Err(Error::refused(format!(
                "there is no device {number}; numbers are below {MOST_DEVICES}"
            )));
        }
        let number = number as i32;
        // Addresses of libraries are further apart than that.
        let key = (Arc::as_ptr(&acl.0) as usize)
            .wrapping_mul(MOST_DEVICES as usize)
            .wrapping_add(number as usize);
        let device = IN_USE.get(key, || {
            let f = &acl.0.functions;
            // SAFETY: the call takes a number.
            unsafe { f.aclrtSetDevice(number) }?;
            let mut context = aclrtContext::NULL;
            // SAFETY: `context` is written.
            match unsafe { f.aclrtGetCurrentContext(&mut context) } {
                Ok(()) => Ok(InUse {
                    library: acl.0.clone(),
                    number,
                    context,
                    key,
                }),
                Err(e) => {
                    // SAFETY: it pairs with the call above. The first error is the one that counts.
                    acl.0.late(unsafe { f.aclrtResetDevice(number) });
                    Err(e)
                }
            }
        })?;
        let raw = device.context;
        Ok(Device {
            context: Context(Arc::new(Held {
                device,
                raw,
                own: false,
            })),
        })
    }

    /// Returns the device's number.
    pub fn number(&self) -> u32 {
        self.context.0.device.number as u32
    }

    /// Returns the device's own context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Makes a new context. Kernels and streams of different contexts do not mix, and most programs
    /// need only the device's own.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn new_context(&self) -> Result<Context, Error> {
        let device = self.context.0.device.clone();
        let mut raw = aclrtContext::NULL;
        // SAFETY: `raw` is written.
        unsafe {
            device
                .library
                .functions
                .aclrtCreateContext(&mut raw, device.number)
        }?;
        Ok(Context(Arc::new(Held {
            device,
            raw,
            own: true,
        })))
    }

    /// Returns the chip's name: `Ascend910B2`.
    ///
    /// # Errors
    /// [`Error::Call`] or [`Error::Missing`].
    pub fn soc_name(&self) -> Result<String, Error> {
        self.context.enter()?;
        self.context.0.device.library.soc_name()
    }

    /// Returns the number of vector cores.
    ///
    /// # Errors
    /// [`Error::Call`] or [`Error::Missing`].
    pub fn vector_cores(&self) -> Result<i64, Error> {
        self.ask(
            aclrtDevAttr::ACL_DEV_ATTR_VECTOR_CORE_NUM,
            aclDeviceInfo::ACL_DEVICE_INFO_VECTOR_CORE_NUM,
        )
    }

    /// Returns the number of AI cores, each of which has a cube core.
    ///
    /// # Errors
    /// [`Error::Call`] or [`Error::Missing`].
    pub fn ai_cores(&self) -> Result<i64, Error> {
        self.ask(
            aclrtDevAttr::ACL_DEV_ATTR_AICORE_CORE_NUM,
            aclDeviceInfo::ACL_DEVICE_INFO_AI_CORE_NUM,
        )
    }

    /// Returns the bytes of L2.
    ///
    /// # Errors
    /// [`Error::Call`] or [`Error::Missing`].
    pub fn l2_bytes(&self) -> Result<i64, Error> {
        self.ask(
            aclrtDevAttr::ACL_DEV_ATTR_L2_CACHE_SIZE,
            aclDeviceInfo::ACL_DEVICE_INFO_L2_SIZE,
        )
    }

    /// Returns the free and the total bytes of HBM.
    ///
    /// # Errors
    /// [`Error::Call`] or [`Error::Missing`].
    pub fn memory(&self) -> Result<(usize, usize), Error> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: the two numbers are written.
        unsafe {
            self.context
                .enter()?
                .aclrtGetMemInfo(aclrtMemAttr::ACL_HBM_MEM, &mut free, &mut total)
        }?;
        Ok((free, total))
    }

    /// Sets whether 16-bit results that overflow become the largest number (true) or infinity.
    ///
    /// # Errors
    /// [`Error::Call`] or [`Error::Missing`].
    pub fn set_saturation(&self, saturate: bool) -> Result<(), Error> {
        let mode = match saturate {
            true => aclrtFloatOverflowMode::ACL_RT_OVERFLOW_MODE_SATURATION,
            false => aclrtFloatOverflowMode::ACL_RT_OVERFLOW_MODE_INFNAN,
        };
        // SAFETY: the call takes a number.
        unsafe { self.context.enter()?.aclrtSetDeviceSatMode(mode) }
    }

    /// Asks for a number of a device: by the function of releases from 8.5 on, else by the older
    /// one.
    fn ask(&self, newer: aclrtDevAttr, older: aclDeviceInfo) -> Result<i64, Error> {
        let f = self.context.enter()?;
        let mut value = 0;
        // SAFETY: `value` is written.
        let asked = unsafe { f.aclrtGetDeviceInfo(self.number(), newer, &mut value) };
        match asked {
            Err(e) if e.is_of_release() => {
                // SAFETY: `value` is written.
                unsafe { f.aclGetDeviceCapability(self.number(), older, &mut value) }?
            }
            other => other?,
        }
        Ok(value)
    }
}

impl Context {
    /// Makes it the context of this thread, and returns the functions to call in it.
    pub(crate) fn enter(&self) -> Result<&Functions, Error> {
        let f = &self.0.device.library.functions;
        // SAFETY: the context lives as long as this object.
        unsafe { f.aclrtSetCurrentContext(self.0.raw) }?;
        Ok(f)
    }

    /// Calls `end` in this context to release an object, and keeps an error for
    /// [`Acl::take_late_errors`]. Where the context cannot be set, `end` is called all the same.
    /// The thread may already have the context, and an object that is not released is lost.
    pub(crate) fn end(&self, end: impl FnOnce(&Functions) -> Result<(), Error>) {
        let library = &self.0.device.library;
        library.late(self.enter().map(|_| ()));
        library.late(end(&library.functions));
    }

    /// Keeps an error that has no receiver.
    pub(crate) fn late(&self, result: Result<(), Error>) {
        self.0.device.library.late(result);
    }

    pub fn device(&self) -> Device {
        if !self.0.own {
            return Device {
                context: self.clone(),
            };
        }
        let device = self.0.device.clone();
        let raw = device.context;
        Device {
            context: Context(Arc::new(Held {
                device,
                raw,
                own: false,
            })),
        }
    }

    /// Returns the library of the context.
    pub fn acl(&self) -> Acl {
        Acl(self.0.device.library.clone())
    }

    /// Waits for the work of all its streams.
    ///
    /// # Errors
    /// [`Error::Call`] with the error of the work, such as 507015.
    pub fn synchronize(&self) -> Result<(), Error> {
        // SAFETY: the call takes nothing.
        unsafe { self.enter()?.aclrtSynchronizeDevice() }
    }

    /// True if memory of one context is memory of the other.
    pub(crate) fn shares_memory_with(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0.device, &other.0.device)
    }

    /// True if streams and kernels of one context work with the other.
    pub(crate) fn is(&self, other: &Context) -> bool {
        self.0.raw == other.0.raw && self.shares_memory_with(other)
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("device", &self.0.device.number)
            .field("raw", &self.0.raw)
            .finish()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.own {
            let library = &self.device.library;
            // SAFETY: objects of the context are gone, since each of them holds an `Arc` of this.
            library.late(unsafe { library.functions.aclrtDestroyContext(self.raw) });
        }
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        IN_USE.end(self.key, || {
            // SAFETY: it pairs with `aclrtSetDevice`; objects of the device are gone, since each of
            // them holds an `Arc` of this.
            let reset = unsafe { self.library.functions.aclrtResetDevice(self.number) };
            self.library.late(reset);
        });
    }
}
