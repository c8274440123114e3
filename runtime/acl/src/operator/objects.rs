//! What operators take beside numbers: tensors, lists and scalars, each an object of the base library.

use crate::passed::Passed;
use crate::sys::types::*;
use crate::{Context, DeviceBuffer, Error};
use bytemuck::Pod;
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

/// Bytes of an element of a tensor.
fn bytes_of(dtype: aclDataType) -> Option<usize> {
    Some(match dtype {
        aclDataType::ACL_INT8 | aclDataType::ACL_UINT8 | aclDataType::ACL_BOOL => 1,
        aclDataType::ACL_FLOAT16
        | aclDataType::ACL_BF16
        | aclDataType::ACL_INT16
        | aclDataType::ACL_UINT16 => 2,
        aclDataType::ACL_FLOAT | aclDataType::ACL_INT32 | aclDataType::ACL_UINT32 => 4,
        aclDataType::ACL_INT64 | aclDataType::ACL_UINT64 | aclDataType::ACL_DOUBLE => 8,
        // A type that the table does not name has a size that we do not know.
        aclDataType(_) => return None,
    })
}

/// A buffer that no tensor of this shape and element type lies in.
fn misfit<T>(buffer: &DeviceBuffer<T>, shape: &[i64], dtype: aclDataType) -> Error {
    let (count, bytes) = (buffer.len(), size_of::<T>());
    Error::refused(format!(
        "a buffer of {count} elements of {bytes} bytes is no tensor of shape {shape:?} and data type {}",
        dtype.0
    ))
}

/// A tensor of an operator, in a buffer of the device.
pub struct Tensor<'b> {
    context: Context,
    at: *mut aclTensor,
    bytes: usize,
    /// Neither longer nor shorter: an executor may be told another buffer for it ([`super::Repeated`]), which is there as long.
    buffer: PhantomData<Cell<&'b ()>>,
}

impl<'b> Tensor<'b> {
    /// Row-major, all of the buffer.
    ///
    /// # Errors
    /// [`Error::Refused`] where shape or element type do not fit the buffer; [`Error::Null`].
    pub fn new<T: Pod>(
        buffer: &'b DeviceBuffer<T>,
        shape: &[i64],
        dtype: aclDataType,
    ) -> Result<Self, Error> {
        if bytes_of(dtype) != Some(size_of::<T>()) {
            return Err(misfit(buffer, shape, dtype));
        }
        Tensor::described(buffer, shape, dtype)
    }

    /// The same of a buffer of bytes: for element types that a program finds when it runs.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_bytes(
        buffer: &'b DeviceBuffer<u8>,
        shape: &[i64],
        dtype: aclDataType,
    ) -> Result<Self, Error> {
        Tensor::described(buffer, shape, dtype)
    }

    /// Of an element type that shape and buffer agree with in bytes.
    fn described<T>(
        buffer: &'b DeviceBuffer<T>,
        shape: &[i64],
        dtype: aclDataType,
    ) -> Result<Self, Error> {
        let size = bytes_of(dtype).and_then(|bytes| i64::try_from(bytes).ok());
        let all = size.and_then(|size| {
            shape
                .iter()
                .try_fold(size, |all, dim| all.checked_mul(*dim).filter(|_| *dim >= 0))
        });
        if all.is_none_or(|bytes| bytes as u64 != buffer.bytes() as u64) {
            return Err(misfit(buffer, shape, dtype));
        }
        let strides = row_major(shape)?;
        let (rank, format) = (shape.len() as u64, aclFormat::ACL_FORMAT_ND);
        let (dims, strides) = (shape.as_ptr(), strides.as_ptr());
        let f = buffer.context().enter()?;
        // SAFETY: shape and strides have so many numbers, which are copied; the buffer outlives the tensor.
        let at = unsafe {
            f.aclCreateTensor(
                dims,
                rank,
                dtype,
                strides,
                0,
                format,
                dims,
                rank,
                buffer.address(),
            )
        }?;
        Ok(Tensor {
            context: buffer.context().clone(),
            at,
            bytes: buffer.bytes(),
            buffer: PhantomData,
        })
    }

    pub(super) fn raw(&self) -> *mut aclTensor {
        self.at
    }

    /// The device that it is on.
    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// Bytes of its elements.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Steps of the axes in elements. An axis without elements counts as one: its step is never taken.
fn row_major(shape: &[i64]) -> Result<Vec<i64>, Error> {
    let mut strides = vec![1i64; shape.len()];
    for axis in (1..shape.len()).rev() {
        let step = strides[axis].checked_mul(shape[axis].max(1));
        strides[axis - 1] = step.ok_or_else(|| {
            Error::refused(format!("the steps of shape {shape:?} are more than 2^63"))
        })?;
    }
    Ok(strides)
}

impl Drop for Tensor<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more: what is queued has it borrowed.
        self.context.end(|f| unsafe { f.aclDestroyTensor(self.at) });
    }
}

// SAFETY: the tensor lives as long as it is borrowed, and so does its buffer.
unsafe impl<'env, 'b: 'env> Passed<'env> for &'env Tensor<'b> {
    type C = *const aclTensor;
    fn passed(&self) -> *const aclTensor {
        self.at
    }
    fn context(&self) -> Option<&Context> {
        Some(&self.context)
    }
}

/// An input that may be left out.
// SAFETY: as above; null stands for none.
unsafe impl<'env, 'b: 'env> Passed<'env> for Option<&'env Tensor<'b>> {
    type C = *const aclTensor;
    fn passed(&self) -> *const aclTensor {
        self.map_or(std::ptr::null(), |tensor| tensor.at)
    }
    fn context(&self) -> Option<&Context> {
        self.map(|tensor| &tensor.context)
    }
}

/// A list of tensors.
pub struct TensorList<'b> {
    context: Context,
    at: *mut aclTensorList,
    buffers: PhantomData<&'b ()>,
}

impl<'b> TensorList<'b> {
    /// These tensors, which it takes over.
    ///
    /// # Errors
    /// [`Error::Refused`] for a tensor of another device than the context's; [`Error::Null`].
    pub fn new(context: &Context, tensors: Vec<Tensor<'b>>) -> Result<Self, Error> {
        if let Some(at) = tensors
            .iter()
            .position(|tensor| !tensor.context.shares_memory_with(context))
        {
            return Err(Error::refused(format!(
                "tensor {at} of a list is in the memory of another device than the list's"
            )));
        }
        let all: Vec<*const aclTensor> = tensors
            .iter()
            .map(|tensor| tensor.at.cast_const())
            .collect();
        let f = context.enter()?;
        // SAFETY: all of them live.
        let at = unsafe { f.aclCreateTensorList(all.as_ptr(), all.len() as u64) }?;
        // The list ends them.
        tensors.into_iter().for_each(|tensor| forget_handle(tensor));
        Ok(TensorList {
            context: context.clone(),
            at,
            buffers: PhantomData,
        })
    }
}

/// Drops what a tensor holds of ours, and leaves its handle.
fn forget_handle(tensor: Tensor<'_>) {
    let tensor = ManuallyDrop::new(tensor);
    // SAFETY: the context is taken once: `tensor` is not dropped.
    drop(unsafe { std::ptr::read(&tensor.context) });
}

impl Drop for TensorList<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more: what is queued has it borrowed.
        self.context
            .end(|f| unsafe { f.aclDestroyTensorList(self.at) });
    }
}

// SAFETY: the list lives as long as it is borrowed, and so do the buffers of its tensors.
unsafe impl<'env> Passed<'env> for &'env TensorList<'env> {
    type C = *const aclTensorList;
    fn passed(&self) -> *const aclTensorList {
        self.at
    }
    fn context(&self) -> Option<&Context> {
        Some(&self.context)
    }
}

/// A list of numbers.
macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident of $t:ty: $raw:ident, $create:ident, $destroy:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name {
            context: Context,
            at: *mut $raw,
        }
        impl $name {
            /// A copy of these.
            ///
            /// # Errors
            /// [`Error::Null`].
            pub fn new(context: &Context, values: &[$t]) -> Result<Self, Error> {
                // SAFETY: there are so many values, which are copied.
                let at = unsafe { context.enter()?.$create(values.as_ptr(), values.len() as u64) }?;
                Ok($name { context: context.clone(), at })
            }
        }
        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: nobody has it any more: what is queued has it borrowed.
                self.context.end(|f| unsafe { f.$destroy(self.at) });
            }
        }
        // SAFETY: it lives as long as it is borrowed.
        unsafe impl<'env> Passed<'env> for &'env $name {
            type C = *const $raw;
            fn passed(&self) -> *const $raw {
                self.at
            }
            fn context(&self) -> Option<&Context> {
                Some(&self.context)
            }
        }
    )*};
}
arrays! {
    /// A list of whole numbers.
    IntArray of i64: aclIntArray, aclCreateIntArray, aclDestroyIntArray;
    /// A list of numbers.
    FloatArray of f32: aclFloatArray, aclCreateFloatArray, aclDestroyFloatArray;
    /// A list of truth values.
    BoolArray of bool: aclBoolArray, aclCreateBoolArray, aclDestroyBoolArray;
}

/// A number of an operator that takes it as an object, as the `alpha` of `aclnnAdd`.
pub struct Scalar {
    context: Context,
    at: *mut aclScalar,
}

impl Scalar {
    /// A copy of this one.
    ///
    /// # Errors
    /// [`Error::Refused`] where the element type is not the value's; [`Error::Null`].
    pub fn new<T: Pod>(context: &Context, mut value: T, dtype: aclDataType) -> Result<Self, Error> {
        if bytes_of(dtype) != Some(size_of::<T>()) {
            let message = format!(
                "a value of {} bytes is no scalar of data type {}",
                size_of::<T>(),
                dtype.0
            );
            return Err(Error::refused(message));
        }
        // SAFETY: the value has the bytes of its type, which are copied.
        let at = unsafe {
            context
                .enter()?
                .aclCreateScalar(std::ptr::from_mut(&mut value).cast(), dtype)
        }?;
        Ok(Scalar {
            context: context.clone(),
            at,
        })
    }
}

impl Drop for Scalar {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more: what is queued has it borrowed.
        self.context.end(|f| unsafe { f.aclDestroyScalar(self.at) });
    }
}

// SAFETY: it lives as long as it is borrowed.
unsafe impl<'env> Passed<'env> for &'env Scalar {
    type C = *const aclScalar;
    fn passed(&self) -> *const aclScalar {
        self.at
    }
    fn context(&self) -> Option<&Context> {
        Some(&self.context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_rows_or_refused() {
        for (shape, strides) in [
            (&[][..], Some(vec![])),
            (&[4], Some(vec![1])),
            (&[2, 3, 4], Some(vec![12, 4, 1])),
            (&[2, 0, 4], Some(vec![4, 4, 1])),
            (&[0, i64::MAX, i64::MAX], None),
        ] {
            assert_eq!(row_major(shape).ok(), strides, "{shape:?}");
        }
    }
}
