//! Memory of the device, and page-locked memory of the host.

use crate::sys::types::{aclrtMemMallocPolicy, aclrtMemcpyKind};
use crate::{Context, Error};
use bytemuck::Pod;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::{null_mut, NonNull};

/// The least size of an allocation: CANN allocates no 0 bytes, so an empty buffer has one data
/// block.
const LEAST_BYTES: usize = 32;

/// Elements in the memory of a device. They are no Rust memory: copies and kernels read and write
/// them through a shared reference. Streams and events order these accesses.
pub struct DeviceBuffer<T> {
    context: Context,
    at: NonNull<c_void>,
    len: usize,
    of: PhantomData<T>,
}
// SAFETY: an address of the device is a number to any thread; elements are `Pod`.
unsafe impl<T: Pod> Send for DeviceBuffer<T> {}
// SAFETY: a shared reference allows only calls of CANN that name an address; each thread makes its
// own calls.
unsafe impl<T: Pod> Sync for DeviceBuffer<T> {}

fn bytes_of<T>(len: usize) -> Result<usize, Error> {
    let too_many = || {
        Error::refused(format!(
            "{len} elements of {} bytes are more than memory can have",
            size_of::<T>()
        ))
    };
    len.checked_mul(size_of::<T>())
        .filter(|bytes| *bytes <= isize::MAX as usize)
        .ok_or_else(too_many)
}

impl<T: Pod> DeviceBuffer<T> {
    /// Allocates `len` elements with undefined values.
    ///
    /// # Errors
    /// [`Error::Call`] with 207001 where the memory of the device is full.
    pub fn uninit(context: &Context, len: usize) -> Result<Self, Error> {
        let bytes = bytes_of::<T>(len)?.max(LEAST_BYTES);
        let mut at = null_mut();
        let f = context.enter()?;
        // SAFETY: `at` is written.
        unsafe {
            f.aclrtMalloc(
                &mut at,
                bytes,
                aclrtMemMallocPolicy::ACL_MEM_MALLOC_HUGE_FIRST,
            )
        }?;
        let at = NonNull::new(at).ok_or_else(|| Error::Null {
            call: "aclrtMalloc",
            text: f.recent_message(),
        })?;
        Ok(DeviceBuffer {
            context: context.clone(),
            at,
            len,
            of: PhantomData,
        })
    }

    /// Allocates `len` elements that are zero.
    ///
    /// # Errors
    /// As [`uninit`](Self::uninit).
    pub fn zeroed(context: &Context, len: usize) -> Result<Self, Error> {
        let buffer = Self::uninit(context, len)?;
        let bytes = buffer.bytes();
        // SAFETY: the buffer has at least `bytes` bytes.
        unsafe {
            context
                .enter()?
                .aclrtMemset(buffer.at.as_ptr(), bytes.max(LEAST_BYTES), 0, bytes)
        }?;
        Ok(buffer)
    }

    /// Allocates a copy of these elements.
    ///
    /// # Errors
    /// As [`uninit`](Self::uninit).
    pub fn from_slice(context: &Context, elements: &[T]) -> Result<Self, Error> {
        let buffer = Self::uninit(context, elements.len())?;
        buffer.write(elements)?;
        Ok(buffer)
    }

    /// Copies all elements from the host, and waits for the copy.
    ///
    /// # Errors
    /// [`Error::Refused`] for another number of elements; [`Error::Call`].
    pub fn write(&self, elements: &[T]) -> Result<(), Error> {
        self.same_length(elements.len())?;
        let (to, bytes) = (self.at.as_ptr(), self.bytes());
        if bytes == 0 {
            return Ok(());
        }
        let kind = aclrtMemcpyKind::ACL_MEMCPY_HOST_TO_DEVICE;
        // SAFETY: both sides have `bytes` bytes, and the call ends when they are copied.
        unsafe {
            self.context
                .enter()?
                .aclrtMemcpy(to, bytes, elements.as_ptr().cast(), bytes, kind)
        }
    }

    /// Copies all elements to the host, and waits for the copy, but not for the work of streams.
    ///
    /// # Errors
    /// [`Error::Refused`] for another number of elements; [`Error::Call`].
    pub fn read(&self, elements: &mut [T]) -> Result<(), Error> {
        self.same_length(elements.len())?;
        let (from, bytes) = (self.at.as_ptr(), self.bytes());
        if bytes == 0 {
            return Ok(());
        }
        let kind = aclrtMemcpyKind::ACL_MEMCPY_DEVICE_TO_HOST;
        // SAFETY: both sides have `bytes` bytes, any bytes are elements, and the call ends when
        // they are copied.
        unsafe {
            self.context.enter()?.aclrtMemcpy(
                elements.as_mut_ptr().cast(),
                bytes,
                from,
                bytes,
                kind,
            )
        }
    }

    /// Copies all elements to the host.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let mut elements = vec![T::zeroed(); self.len];
        self.read(&mut elements)?;
        Ok(elements)
    }

    fn same_length(&self, len: usize) -> Result<(), Error> {
        if len == self.len {
            return Ok(());
        }
        Err(Error::refused(format!(
            "the buffer on the device has {} elements, and {len} are to be copied",
            self.len
        )))
    }
}

impl<T> DeviceBuffer<T> {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Returns the number of bytes.
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
    /// Returns the context of the buffer.
    pub fn context(&self) -> &Context {
        &self.context
    }
    /// Returns the address on the device.
    pub fn address(&self) -> *mut c_void {
        self.at.as_ptr()
    }
}

impl<T> Drop for DeviceBuffer<T> {
    fn drop(&mut self) {
        // SAFETY: the address is from `aclrtMalloc`; queues keep buffers that they use.
        self.context
            .end(|f| unsafe { f.aclrtFree(self.at.as_ptr()) });
    }
}

impl<T> fmt::Debug for DeviceBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceBuffer")
            .field("at", &self.at)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

/// Elements in page-locked memory of the host, which a device can copy by itself.
pub struct PinnedBuffer<T> {
    context: Context,
    at: NonNull<T>,
    len: usize,
}
// SAFETY: it owns its elements, as a `Vec` does.
unsafe impl<T: Pod + Send> Send for PinnedBuffer<T> {}
// SAFETY: it owns its elements, as a `Vec` does.
unsafe impl<T: Pod + Sync> Sync for PinnedBuffer<T> {}

impl<T: Pod> PinnedBuffer<T> {
    /// Allocates `len` elements that are zero.
    ///
    /// # Errors
    /// [`Error::Call`] where the host has no such memory.
    pub fn zeroed(context: &Context, len: usize) -> Result<Self, Error> {
        let bytes = bytes_of::<T>(len)?;
        let mut at = null_mut();
        let f = context.enter()?;
        // SAFETY: `at` is written.
        unsafe { f.aclrtMallocHost(&mut at, bytes.max(LEAST_BYTES)) }?;
        let at = NonNull::new(at.cast::<T>()).ok_or_else(|| Error::Null {
            call: "aclrtMallocHost",
            text: f.recent_message(),
        })?;
        let buffer = PinnedBuffer {
            context: context.clone(),
            at,
            len,
        };
        if !at.is_aligned() {
            return Err(Error::refused(format!(
                "aclrtMallocHost gave {at:p}, which is no place for elements of {} bytes",
                size_of::<T>()
            )));
        }
        // SAFETY: the memory has `bytes` bytes, and nothing else uses it.
        unsafe { std::ptr::write_bytes(at.as_ptr().cast::<u8>(), 0, bytes) };
        Ok(buffer)
    }

    /// Allocates a copy of these elements.
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed).
    pub fn from_slice(context: &Context, elements: &[T]) -> Result<Self, Error> {
        let mut buffer = Self::zeroed(context, elements.len())?;
        buffer.copy_from_slice(elements);
        Ok(buffer)
    }
}

impl<T> PinnedBuffer<T> {
    /// Returns the context of the buffer.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl<T: Pod> Deref for PinnedBuffer<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: `len` elements begin at the address, all of whose bytes were written. A queue
        // that copies to them borrows them.
        unsafe { std::slice::from_raw_parts(self.at.as_ptr(), self.len) }
    }
}

impl<T: Pod> DerefMut for PinnedBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`, and the reference is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.at.as_ptr(), self.len) }
    }
}

impl<T> Drop for PinnedBuffer<T> {
    fn drop(&mut self) {
        // SAFETY: the address is from `aclrtMallocHost`; queues keep buffers that they use.
        self.context
            .end(|f| unsafe { f.aclrtFreeHost(self.at.as_ptr().cast()) });
    }
}

impl<T> fmt::Debug for PinnedBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PinnedBuffer")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}
