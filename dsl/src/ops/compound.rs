//! Two steps in one instruction, queue level: `AddRelu(dst, src0, src1, count)`, and ops whose
//! destination is also an operand, `Axpy(dst, src, scalar, count)`.
//!
//! Rounding:
//!
//! - No page says if a product is rounded before it is added (asc-devkit, pages of Axpy, MulAddDst,
//!   FusedMulAdd). Here the product is a number of f32, for halves as well.
//! - Ops with a result of another type ([`narrowed`]) round a number of f32 to even, as casts
//!   without a mode do (asc-devkit, pages of AddReluCast and asc_mul_cast_half2int8,
//!   precision_conversion).
//! - Sums and differences of i16 saturate before the Relu in either mode of overflow (table of
//!   boundary values, the steps of AddReluCast and SubReluCast; for AddRelu it has only floats).
//! - From f32, a number beyond f16 becomes its largest and nan becomes 0; infinity stays. The
//!   tables of boundary values of AddReluCast and SubReluCast say so, that of Cast does not.
//! - An integer becomes a number of f32 before it is scaled, and the product becomes a half.
//!   AddDeqRelu of dav_c220 has these steps for its scaling.
//!
//! Left out:
//!
//! - halves into floats;
//! - CastDequant of i16 to bytes, whose rounding is not published and whose results fill half of
//!   each data block;
//! - AddDeqRelu, which on 2201 is eight calls that overwrite both sources and return to normal mode
//!   (asc-devkit, AddDeqReluCompute of dav_c220). No mask or stride then means what its page says.

use super::{contract, family, math, Cost, Eval, KeepsMask, FLOAT};
use crate::dtype::DType;
use crate::surface::extent::Extent;
use crate::surface::{Element, LocalTensor, Scalar};

macro_rules! each {
    ($eval:ident |$a:ident, $b:ident| $e:expr) => {{
        fn run(dst: &mut [f32], a: &[f32], b: &[f32]) {
            for ((d, &$a), &$b) in dst.iter_mut().zip(a).zip(b) {
                *d = $e;
            }
        }
        Eval::$eval(run)
    }};
    (|$d:ident, $a:ident, $b:ident, $s:ident| $e:expr) => {{
        fn run(dst: &mut [f32], a: &[f32], b: &[f32], $s: f32) {
            for ((d, &$a), &$b) in dst.iter_mut().zip(a).zip(b) {
                let $d = *d;
                *d = $e;
            }
        }
        Eval::Held(run)
    }};
}

fn leaky(dst: &mut [f32], a: &[f32], slope: f32) {
    for (d, &a) in dst.iter_mut().zip(a) {
        // Minus zero is scaled as well (asc-devkit, table of boundary values).
        *d = if a.is_sign_negative() && !a.is_nan() {
            a * slope
        } else {
            a
        };
    }
}

family!(Compound CompoundOp {
    /// Sum, or 0 where it is negative: `dst[i] = max(src0[i] + src1[i], 0)`.
    add_relu => AddRelu("AddRelu") { v220: ENDED, m200: ENDED, cost: Cost::Simple, keeps_mask: KeepsMask::Dst }
        [contract::BINARY] [each!(Ended |a, b| math::max(a + b, 0.0))] "vec::add_relu(&z, &x, &y, n);"
    /// Difference, or 0 where it is negative: `dst[i] = max(src0[i] - src1[i], 0)`.
    sub_relu => SubRelu("SubRelu") { v220: ENDED, m200: ENDED, cost: Cost::Simple, keeps_mask: KeepsMask::Dst }
        [contract::BINARY] [each!(Ended |a, b| math::max(a - b, 0.0))] "vec::sub_relu(&z, &x, &y, n);"
    /// The element, multiplied by the scalar where it is negative.
    leaky_relus => LeakyRelu("LeakyRelu") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple, keeps_mask: KeepsMask::Dst }
        [contract::BINARY_SCALAR] [Eval::BinaryScalar(leaky, None)] "vec::leaky_relus(&z, &x, 0.1, n);"
    /// Product with a scalar, added to the destination: `dst[i] = dst[i] + scalar * src[i]`.
    axpy => Axpy("Axpy") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple, keeps_mask: KeepsMask::DstOwn }
        [contract::AXPY] [each!(|d, a, _b, s| a * s + d)] "vec::axpy(&z, &x, 2.0, n);"
    /// Product, added to the destination: `dst[i] = dst[i] + src0[i] * src1[i]`.
    mul_add_dst => MulAddDst("MulAddDst") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple, keeps_mask: KeepsMask::DstOwn }
        [contract::HELD_BINARY] [each!(|d, a, b, _s| a * b + d)] "vec::mul_add_dst(&z, &x, &y, n);"
    /// Product with the destination, and a sum: `dst[i] = src0[i] * dst[i] + src1[i]`.
    fused_mul_add => FusedMulAdd("FusedMulAdd") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple, keeps_mask: KeepsMask::Dst }
        [contract::HELD_BINARY] [each!(|d, a, b, _s| a * d + b)] "vec::fused_mul_add(&z, &x, &y, n);"
    /// Product with the destination, and a sum, or 0 where that is negative. CANN 9 names it
    /// MulAddRelu and also takes this name.
    fused_mul_add_relu => FusedMulAddRelu("FusedMulAddRelu") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple, keeps_mask: KeepsMask::Dst }
        [contract::HELD_BINARY] [each!(|d, a, b, _s| math::max(a * d + b, 0.0))] "vec::fused_mul_add_relu(&z, &x, &y, n);"
    /// Sum, or 0 where it is negative, of another type: f16 and i16 to i8, f32 to f16.
    add_relu_cast => AddReluCast("AddReluCast") { v220: NARROWED, m200: NARROWED, cost: Cost::Simple, keeps_mask: KeepsMask::DstOwn }
        [contract::NARROWED] [each!(Narrowed |a, b| math::max(a + b, 0.0))] "vec::add_relu_cast(&z, &x, &y, n);"
    /// Difference, or 0 where it is negative, of another type: f16 and i16 to i8, f32 to f16.
    sub_relu_cast => SubReluCast("SubReluCast") { v220: NARROWED, m200: NARROWED, cost: Cost::Simple, keeps_mask: KeepsMask::DstOwn }
        [contract::NARROWED] [each!(Narrowed |a, b| math::max(a - b, 0.0))] "vec::sub_relu_cast(&z, &x, &y, n);"
    /// Product of another type: f16 to i8.
    mul_cast => MulCast("MulCast") { v220: &[DType::F16], m200: &[DType::F16], cost: Cost::Simple } [contract::NARROWED] [each!(Narrowed |a, b| a * b)] "vec::mul_cast(&z, &x, &y, n);"
    /// 32-bit integers times a scale of f16, as f16: `dst[i] = src[i] * scale`.
    cast_dequant => CastDequant("CastDeq") { v220: &[DType::F16], m200: &[], cost: Cost::Cast, keeps_mask: KeepsMask::DstSource }
        [contract::DEQUANT] [Eval::Move] "vec::cast_dequant(&z, &x, 0.1, n);"
});

const ENDED: &[DType] = &[DType::F16, DType::F32, DType::I16];
const NARROWED: &[DType] = &[DType::F16, DType::I16, DType::F32];

/// Returns the result types for sources of this type, on either architecture. Empty for an op whose
/// operands have one type (asc-devkit, pages of AddReluCast, SubReluCast and MulCast).
pub fn narrowed(op: CompoundOp, from: DType) -> &'static [DType] {
    match (op, from) {
        (CompoundOp::AddReluCast | CompoundOp::SubReluCast, DType::F16 | DType::I16) => {
            &[DType::I8]
        }
        (CompoundOp::AddReluCast | CompoundOp::SubReluCast, DType::F32) => &[DType::F16],
        // AscendC also gives uint8_t; local tensors of `u8` hold bits of masks here.
        (CompoundOp::MulCast, DType::F16) => &[DType::I8],
        (CompoundOp::AddReluCast | CompoundOp::SubReluCast | CompoundOp::MulCast, _) => &[],
        (
            CompoundOp::AddRelu | CompoundOp::SubRelu | CompoundOp::LeakyRelu | CompoundOp::Axpy,
            _,
        ) => &[],
        (
            CompoundOp::MulAddDst
            | CompoundOp::FusedMulAdd
            | CompoundOp::FusedMulAddRelu
            | CompoundOp::CastDequant,
            _,
        ) => &[],
    }
}

macro_rules! calls {
    ($($(#[doc = $doc:literal])+ $name:ident $second:ident: $ty:ty;)* narrowed $($(#[doc = $other:literal])+ $narrowed:ident;)*) => {
        /// Functions of this family at queue level.
        pub mod calls {
            use super::*;
            $($(#[doc = $doc])+ pub fn $name<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, $second: $ty, extent: impl Extent) {
                let _ = (dst, src, $second, extent);
            })*
            $($(#[doc = $other])+ pub fn $narrowed<T: Element, U: Element>(dst: &LocalTensor<T>, src: &LocalTensor<U>, src1: &LocalTensor<U>, extent: impl Extent) {
                let _ = (dst, src, src1, extent);
            })*
            /// Scales 32-bit integers to elements of `f16`.
            pub fn cast_dequant<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<i32>, scale: impl Scalar<T>, extent: impl Extent) {
                let _ = (dst, src, scale, extent);
            }
        }
    };
}

calls! {
    /// Computes the sum, or 0 where it is negative.
    add_relu src1: &LocalTensor<T>;
    /// Computes the difference, or 0 where it is negative.
    sub_relu src1: &LocalTensor<T>;
    /// Multiplies elements by the scalar where they are negative.
    leaky_relus slope: impl Scalar<T>;
    /// Adds a product with a scalar to the destination.
    axpy scalar: impl Scalar<T>;
    /// Adds a product to the destination.
    mul_add_dst src1: &LocalTensor<T>;
    /// Multiplies the destination and adds.
    fused_mul_add src1: &LocalTensor<T>;
    /// Multiplies the destination and adds, or gives 0 where that is negative.
    fused_mul_add_relu src1: &LocalTensor<T>;
    narrowed
    /// Computes the sum, or 0 where it is negative, in another type.
    add_relu_cast;
    /// Computes the difference, or 0 where it is negative, in another type.
    sub_relu_cast;
    /// Computes the product in another type.
    mul_cast;
}
