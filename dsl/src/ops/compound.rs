//! Two steps in one instruction, queue level: `AddRelu(dst, src0, src1, count)`, and those whose destination is an operand, too,
//! `Axpy(dst, src, scalar, count)`.
//!
//! Whether a product is rounded before it is added is not published (asc-devkit, pages of Axpy, MulAddDst, FusedMulAdd); here it is one of f32,
//! of halves, too. Left out: i16, of which the pages do not say what a sum beyond 16 bits is before the Relu; halves into floats; AddReluCast, SubReluCast, MulCast,
//! AddDeqRelu and CastDequant, which take a type or a scale besides.

use super::{contract, family, math, Cost, Eval, FLOAT};
use crate::surface::extent::Extent;
use crate::surface::{Element, LocalTensor, Scalar};

macro_rules! each {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn run(dst: &mut [f32], a: &[f32], b: &[f32]) {
            for ((d, &$a), &$b) in dst.iter_mut().zip(a).zip(b) {
                *d = $e;
            }
        }
        Eval::Binary(run, None)
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
        // Of minus zero, too, the product is taken (asc-devkit, table of boundary values).
        *d = if a.is_sign_negative() && !a.is_nan() { a * slope } else { a };
    }
}

family!(Compound CompoundOp {
    /// Sum, or 0 where it is negative: `dst[i] = max(src0[i] + src1[i], 0)`.
    add_relu => AddRelu("AddRelu") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple } [contract::BINARY] [each!(|a, b| math::max(a + b, 0.0))] "vec::add_relu(&z, &x, &y, n);"
    /// Difference, or 0 where it is negative: `dst[i] = max(src0[i] - src1[i], 0)`.
    sub_relu => SubRelu("SubRelu") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple } [contract::BINARY] [each!(|a, b| math::max(a - b, 0.0))] "vec::sub_relu(&z, &x, &y, n);"
    /// The element, times the scalar where it is negative.
    leaky_relus => LeakyRelu("LeakyRelu") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple } [contract::BINARY_SCALAR] [Eval::BinaryScalar(leaky, None)] "vec::leaky_relus(&z, &x, 0.1, n);"
    /// Product with a scalar, added to the destination: `dst[i] = dst[i] + scalar * src[i]`.
    axpy => Axpy("Axpy") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple } [contract::AXPY] [each!(|d, a, _b, s| a * s + d)] "vec::axpy(&z, &x, 2.0, n);"
    /// Product, added to the destination: `dst[i] = dst[i] + src0[i] * src1[i]`.
    mul_add_dst => MulAddDst("MulAddDst") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple } [contract::HELD_BINARY] [each!(|d, a, b, _s| a * b + d)] "vec::mul_add_dst(&z, &x, &y, n);"
    /// Product with the destination, and a sum: `dst[i] = src0[i] * dst[i] + src1[i]`.
    fused_mul_add => FusedMulAdd("FusedMulAdd") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple } [contract::HELD_BINARY] [each!(|d, a, b, _s| a * d + b)] "vec::fused_mul_add(&z, &x, &y, n);"
    /// The same, or 0 where it is negative. CANN 9 names it MulAddRelu and takes this name, too.
    fused_mul_add_relu => FusedMulAddRelu("FusedMulAddRelu") { v220: FLOAT, m200: FLOAT, cost: Cost::Simple } [contract::HELD_BINARY] [each!(|d, a, b, _s| math::max(a * d + b, 0.0))] "vec::fused_mul_add_relu(&z, &x, &y, n);"
});

macro_rules! calls {
    ($($(#[doc = $doc:literal])+ $name:ident $second:ident: $ty:ty;)*) => {
        /// The family's functions of the queue level.
        pub mod calls {
            use super::*;
            $($(#[doc = $doc])+ pub fn $name<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, $second: $ty, extent: impl Extent) {
                let _ = (dst, src, $second, extent);
            })*
        }
    };
}

calls! {
    /// Sum, or 0 where it is negative.
    add_relu src1: &LocalTensor<T>;
    /// Difference, or 0 where it is negative.
    sub_relu src1: &LocalTensor<T>;
    /// The element, times the scalar where it is negative.
    leaky_relus slope: impl Scalar<T>;
    /// Adds a product with a scalar to the destination.
    axpy scalar: impl Scalar<T>;
    /// Adds a product to the destination.
    mul_add_dst src1: &LocalTensor<T>;
    /// Multiplies the destination and adds.
    fused_mul_add src1: &LocalTensor<T>;
    /// The same, or 0 where it is negative.
    fused_mul_add_relu src1: &LocalTensor<T>;
}
