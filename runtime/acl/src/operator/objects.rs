//! Objects of the base library that operators take besides numbers: tensors, lists and scalars.

use crate::passed::Passed;
use crate::sys::types::*;
use crate::{Context, DeviceBuffer, Error};
use bytemuck::Pod;
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

/// Returns the bytes of an element of a tensor.
fn bytes_of(dtype: aclDataType) -> Option<usize> {
    Some(match dtype {
        aclDataType::ACL_INT8 | aclDataType::ACL_UINT8 | aclDataType::ACL_BOOL => 1,
        aclDataType::ACL_FLOAT16
        | aclDataType::ACL_BF16
        | aclDataType::ACL_INT16
        | aclDataType::ACL_UINT16 => 2,
        aclDataType::ACL_FLOAT | aclDataType::ACL_INT32 | aclDataType::ACL_UINT32 => 4,
        aclDataType::ACL_INT64 | aclDataType::ACL_UINT64 | aclDataType::ACL_DOUBLE => 8,
        // The size of a type that the table does not name is unknown.
        aclDataType(_) => return None,
    })
}

/// Reports a buffer that does not fit a tensor of this shape and element type.
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
    /// Makes `'b` invariant: an executor may get another buffer for the tensor
    /// ([`super::Repeated`]), which must live as long.
    buffer: PhantomData<Cell<&'b ()>>,
}

impl<'b> Tensor<'b> {
    /// Makes a row-major tensor of a whole buffer.
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

    /// Makes a tensor of a buffer of bytes, for element types known at run time only.
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

    /// Makes a tensor whose bytes by shape and element type are those of the buffer.
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
        // SAFETY: shape and strides have `rank` numbers, which are copied; the buffer outlives the
        // tensor.
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

    /// Returns the context of the tensor.
    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the bytes of its elements.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Returns the strides of the axes in elements. An axis without elements counts as one: its stride
/// is never used.
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
        // SAFETY: nobody has the tensor any more: queued work borrows it.
        self.context.end(|f| unsafe { f.aclDestroyTensor(self.at) });
    }
}

// SAFETY: the tensor lives as long as the borrow, and so does its buffer.
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
    /// Makes a list that takes over these tensors.
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
        // SAFETY: all tensors are alive.
        let at = unsafe { f.aclCreateTensorList(all.as_ptr(), all.len() as u64) }?;
        // The list now owns the handles and destroys them.
        tensors.into_iter().for_each(|tensor| forget_handle(tensor));
        Ok(TensorList {
            context: context.clone(),
            at,
            buffers: PhantomData,
        })
    }
}

/// Drops the Rust parts of a tensor, and leaves its handle.
fn forget_handle(tensor: Tensor<'_>) {
    let tensor = ManuallyDrop::new(tensor);
    // SAFETY: the context is taken once: `tensor` is not dropped.
    drop(unsafe { std::ptr::read(&tensor.context) });
}

impl Drop for TensorList<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody has the list any more: queued work borrows it.
        self.context
            .end(|f| unsafe { f.aclDestroyTensorList(self.at) });
    }
}

// SAFETY: the list lives as long as the borrow, and so do the buffers of its tensors.
unsafe impl<'env> Passed<'env> for &'env TensorList<'env> {
    type C = *const aclTensorList;
    fn passed(&self) -> *const aclTensorList {
        self.at
    }
    fn context(&self) -> Option<&Context> {
        Some(&self.context)
    }
}

/// Defines a list of numbers.
macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident of $t:ty: $raw:ident, $create:ident, $destroy:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name {
            context: Context,
            at: *mut $raw,
        }
        impl $name {
            /// Makes a copy of these values.
            ///
            /// # Errors
            /// [`Error::Null`].
            pub fn new(context: &Context, values: &[$t]) -> Result<Self, Error> {
                // SAFETY: the length is that of the values, which are copied.
                let at = unsafe { context.enter()?.$create(values.as_ptr(), values.len() as u64) }?;
                Ok($name { context: context.clone(), at })
            }
        }
        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: nobody has the list any more: queued work borrows it.
                self.context.end(|f| unsafe { f.$destroy(self.at) });
            }
        }
        // SAFETY: the list lives as long as the borrow.
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
    /// A list of integers.
    IntArray of i64: aclIntArray, aclCreateIntArray, aclDestroyIntArray;
    /// A list of floats.
    FloatArray of f32: aclFloatArray, aclCreateFloatArray, aclDestroyFloatArray;
    /// A list of bools.
    BoolArray of bool: aclBoolArray, aclCreateBoolArray, aclDestroyBoolArray;
}

/// A number for an operator that takes it as an object, such as the `alpha` of `aclnnAdd`.
pub struct Scalar {
    context: Context,
    at: *mut aclScalar,
}

impl Scalar {
    /// Makes a copy of this value.
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
        // SAFETY: nobody has the scalar any more: queued work borrows it.
        self.context.end(|f| unsafe { f.aclDestroyScalar(self.at) });
    }
}

// SAFETY: the scalar lives as long as the borrow.
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
