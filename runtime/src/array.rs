//! Arrays of a launch: element type, shape and bytes.
//!
//! Any `ndarray` array or view of an element type is an argument. [`Array`] is the form whose
//! element type is known at run time only. Inputs that are not in row-major order are copied once.
//! Outputs must be row-major, since the kernel writes into them directly.

use crate::RunError;
use bytemuck::{NoUninit, Pod};
use half::{bf16, f16};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::surface::Element;
use ndarray::{ArrayBase, ArrayD, Data, DataMut, Dimension, IxDyn};
use std::borrow::Cow;

/// An array whose element type is known at run time.
///
/// ```
/// use jumar_runtime::Array;
/// use jumar_dsl::dtype::DType;
/// let x = Array::zeros(DType::F16, &[2, 3]).unwrap();
/// assert_eq!((x.dtype(), x.shape()), (DType::F16, &[2, 3][..]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Array {
    /// IEEE half precision.
    F16(ArrayD<f16>),
    /// Brain floating point, 16 bits.
    Bf16(ArrayD<bf16>),
    /// IEEE single precision.
    F32(ArrayD<f32>),
    /// Integers of 32 bits.
    I32(ArrayD<i32>),
    /// Bytes that are 0 or 1.
    Bool(ArrayD<u8>),
    /// Integers of 8 bits.
    I8(ArrayD<i8>),
    /// Integers of 64 bits.
    I64(ArrayD<i64>),
    /// Integers of 16 bits.
    I16(ArrayD<i16>),
    /// Unsigned integers of 8 bits.
    U8(ArrayD<u8>),
    /// Unsigned integers of 16 bits.
    U16(ArrayD<u16>),
    /// Unsigned integers of 32 bits.
    U32(ArrayD<u32>),
}

/// Runs `$body` with `$a` bound to the typed array.
macro_rules! each {
    ($array:expr, $a:ident => $body:expr) => {
        match $array {
            Array::F16($a) => $body,
            Array::Bf16($a) => $body,
            Array::F32($a) => $body,
            Array::I32($a) => $body,
            Array::Bool($a) => $body,
            Array::I8($a) => $body,
            Array::I64($a) => $body,
            Array::I16($a) => $body,
            Array::U8($a) => $body,
            Array::U16($a) => $body,
            Array::U32($a) => $body,
        }
    };
}

impl Array {
    /// Makes an array of zeros; `None` for [`DType::Bits`], which no tensor parameter has.
    pub fn zeros(dtype: DType, shape: &[usize]) -> Option<Array> {
        let shape = IxDyn(shape);
        Some(match dtype {
            DType::F16 => Array::F16(ArrayD::from_elem(shape, f16::ZERO)),
            DType::Bf16 => Array::Bf16(ArrayD::from_elem(shape, bf16::ZERO)),
            DType::F32 => Array::F32(ArrayD::zeros(shape)),
            DType::I32 => Array::I32(ArrayD::zeros(shape)),
            DType::Bool => Array::Bool(ArrayD::zeros(shape)),
            DType::I8 => Array::I8(ArrayD::zeros(shape)),
            DType::I64 => Array::I64(ArrayD::zeros(shape)),
            DType::I16 => Array::I16(ArrayD::zeros(shape)),
            DType::U8 => Array::U8(ArrayD::zeros(shape)),
            DType::U16 => Array::U16(ArrayD::zeros(shape)),
            DType::U32 => Array::U32(ArrayD::zeros(shape)),
            DType::Bits => return None,
        })
    }
    /// Makes an array from the bytes of its elements, little endian in row-major order.
    ///
    /// Returns `None` where their number does not fit the shape, for a byte of a bool that is
    /// neither 0 nor 1, and for [`DType::Bits`].
    pub fn from_bytes(dtype: DType, shape: &[usize], bytes: &[u8]) -> Option<Array> {
        let mut array = Array::zeros(dtype, shape)?;
        let out = array.as_output().ok()?;
        if out.bytes.len() != bytes.len() || dtype == DType::Bool && bytes.iter().any(|b| *b > 1) {
            return None;
        }
        out.bytes.copy_from_slice(bytes);
        Some(array)
    }
    pub fn dtype(&self) -> DType {
        match self {
            Array::F16(_) => DType::F16,
            Array::Bf16(_) => DType::Bf16,
            Array::F32(_) => DType::F32,
            Array::I32(_) => DType::I32,
            Array::Bool(_) => DType::Bool,
            Array::I8(_) => DType::I8,
            Array::I64(_) => DType::I64,
            Array::I16(_) => DType::I16,
            Array::U8(_) => DType::U8,
            Array::U16(_) => DType::U16,
            Array::U32(_) => DType::U32,
        }
    }
    /// Returns the shape, outermost axis first.
    pub fn shape(&self) -> &[usize] {
        each!(self, a => a.shape())
    }
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        each!(self, a => a.len())
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Converts every element to `f64`, in row-major order. Only 64-bit integers are rounded.
    pub fn to_f64(&self) -> Vec<f64> {
        match self {
            Array::F16(a) => a.iter().map(|v| v.to_f64()).collect(),
            Array::Bf16(a) => a.iter().map(|v| v.to_f64()).collect(),
            Array::F32(a) => a.iter().map(|v| f64::from(*v)).collect(),
            Array::I32(a) => a.iter().map(|v| f64::from(*v)).collect(),
            Array::Bool(a) => a.iter().map(|v| f64::from(*v)).collect(),
            Array::I8(a) => a.iter().map(|v| f64::from(*v)).collect(),
            Array::I64(a) => a.iter().map(|v| *v as f64).collect(),
            Array::I16(a) => a.iter().map(|v| f64::from(*v)).collect(),
            Array::U8(a) => a.iter().map(|v| f64::from(*v)).collect(),
            Array::U16(a) => a.iter().map(|v| f64::from(*v)).collect(),
            Array::U32(a) => a.iter().map(|v| f64::from(*v)).collect(),
        }
    }
}

macro_rules! conversions {
    ($($v:ident($t:ty)),*) => {$(
        impl From<ArrayD<$t>> for Array {
            fn from(a: ArrayD<$t>) -> Self {
                Array::$v(a)
            }
        }
    )*};
}
conversions!(
    F16(f16),
    Bf16(bf16),
    F32(f32),
    I32(i32),
    I8(i8),
    I64(i64),
    I16(i16),
    U8(u8),
    U16(u16),
    U32(u32)
);

impl From<ArrayD<bool>> for Array {
    fn from(a: ArrayD<bool>) -> Self {
        Array::Bool(a.mapv(u8::from))
    }
}

/// A tensor argument that a kernel reads.
#[derive(Debug)]
pub struct InputTensor<'a> {
    pub(crate) dtype: DType,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: Cow<'a, [u8]>,
}

impl InputTensor<'_> {
    /// Returns the elements in row-major order.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A tensor argument that a kernel writes.
#[derive(Debug)]
pub struct OutputTensor<'a> {
    pub(crate) dtype: DType,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: &'a mut [u8],
}

impl<'a> OutputTensor<'a> {
    /// Returns the elements in row-major order.
    pub fn bytes(&mut self) -> &mut [u8] {
        self.bytes
    }
    /// As `bytes`, for as long as the array is borrowed.
    pub fn into_bytes(self) -> &'a mut [u8] {
        self.bytes
    }
}

/// Returns the elements in row-major order, copied where the array has another order.
fn bytes_of<T: NoUninit, S: Data<Elem = T>, D: Dimension>(
    array: &ArrayBase<S, D>,
) -> Cow<'_, [u8]> {
    match array.as_slice() {
        Some(slice) => Cow::Borrowed(bytemuck::cast_slice(slice)),
        None => Cow::Owned(array.iter().flat_map(bytemuck::bytes_of).copied().collect()),
    }
}

fn bytes_mut<T: Pod, S: DataMut<Elem = T>, D: Dimension>(
    array: &mut ArrayBase<S, D>,
) -> Result<&mut [u8], RunError> {
    let slice = array.as_slice_mut().ok_or_else(|| {
        RunError::refused(
            Code::J0605,
            "it is not contiguous in row-major order, so it cannot be written",
        )
    })?;
    Ok(bytemuck::cast_slice_mut(slice))
}

/// An argument that a kernel can read: an array or view of any layout.
pub trait AsInput {
    /// Returns the elements, copied where they are not contiguous in row-major order.
    fn as_input(&self) -> InputTensor<'_>;
}

/// An argument that a kernel can write: an array or mutable view in row-major order. A tensor of
/// bool needs an [`Array`], whose bytes are 0 or 1.
pub trait AsOutput {
    /// Returns the elements.
    ///
    /// # Errors
    /// J0605 where they are not contiguous in row-major order.
    fn as_output(&mut self) -> Result<OutputTensor<'_>, RunError>;
}

/// An argument that a kernel can read as a tensor of `T`. [`Array`] implements it for every `T`;
/// the launch checks its element type.
pub trait Input<T: Element>: AsInput {}
impl<T: Element + NoUninit, S: Data<Elem = T>, D: Dimension> Input<T> for ArrayBase<S, D> {}
impl<T: Element> Input<T> for Array {}

/// An argument that a kernel can write as a tensor of `T`.
pub trait Output<T: Element>: AsOutput {}
impl<T: Element + Pod, S: DataMut<Elem = T>, D: Dimension> Output<T> for ArrayBase<S, D> {}
impl<T: Element> Output<T> for Array {}

impl<T: Element + NoUninit, S: Data<Elem = T>, D: Dimension> AsInput for ArrayBase<S, D> {
    fn as_input(&self) -> InputTensor<'_> {
        InputTensor {
            dtype: T::DTYPE,
            shape: self.shape().to_vec(),
            bytes: bytes_of(self),
        }
    }
}

impl<T: Element + Pod, S: DataMut<Elem = T>, D: Dimension> AsOutput for ArrayBase<S, D> {
    fn as_output(&mut self) -> Result<OutputTensor<'_>, RunError> {
        let shape = self.shape().to_vec();
        Ok(OutputTensor {
            dtype: T::DTYPE,
            shape,
            bytes: bytes_mut(self)?,
        })
    }
}

impl AsInput for Array {
    fn as_input(&self) -> InputTensor<'_> {
        let dtype = self.dtype();
        let (shape, bytes) = each!(self, a => (a.shape().to_vec(), bytes_of(a)));
        InputTensor {
            dtype,
            shape,
            bytes,
        }
    }
}

impl AsOutput for Array {
    fn as_output(&mut self) -> Result<OutputTensor<'_>, RunError> {
        let dtype = self.dtype();
        let (shape, bytes) = each!(self, a => (a.shape().to_vec(), bytes_mut(a)?));
        Ok(OutputTensor {
            dtype,
            shape,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{arr2, Array2};

    #[test]
    fn a_transposed_input_is_copied_and_a_transposed_output_refused() {
        let x = arr2(&[[1i32, 2], [3, 4]]);
        assert!(matches!(x.as_input().bytes, Cow::Borrowed(_)));
        let input = x.t();
        let input = input.as_input();
        assert_eq!(
            input.bytes.as_ref(),
            [1i32, 3, 2, 4].map(i32::to_ne_bytes).as_flattened()
        );
        let mut y = Array2::<f32>::zeros((2, 3));
        assert!(y.as_output().is_ok());
        let error = y
            .view_mut()
            .reversed_axes()
            .as_output()
            .map(|_| ())
            .unwrap_err();
        assert_eq!(error.code(), Code::J0605);
    }
}
