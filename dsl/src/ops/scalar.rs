//! Tensor and scalar to tensor: `Adds(dst, src, scalar, count)`.
//!
//! At tile level these are the operators with a scalar on the right. They have no methods of their
//! own.

use super::{
    contract, family, math, BinaryScalarFn, Cost, Eval, Integers, KeepsMask, Modes, ARITH,
};
use crate::surface::extent::Extent;
use crate::surface::{Element, LocalTensor, Scalar};

macro_rules! modes {
    ($name:ident $t:ty |$a:ident, $s:ident| $wraps:expr, $saturates:expr) => {
        const fn $name() -> Modes<BinaryScalarFn<$t>> {
            fn wrapping(dst: &mut [$t], a: &[$t], $s: $t) {
                for (d, &$a) in dst.iter_mut().zip(a) {
                    *d = $wraps;
                }
            }
            fn saturating(dst: &mut [$t], a: &[$t], $s: $t) {
                for (d, &$a) in dst.iter_mut().zip(a) {
                    *d = $saturates;
                }
            }
            Modes {
                wrapping,
                saturating,
            }
        }
    };
}

macro_rules! vector_scalar {
    ($($(#[doc = $doc:literal])+ $name:ident => $v:ident($ascendc:literal) {
        f32: |$a:ident, $s:ident| $ef:expr, i32: |$ai:ident, $si:ident| $ei:expr, saturating: $es:expr,
        real: |$ra:ident, $rs:ident| $real:expr, example: $ex:literal
    })*) => {
        family!(BinaryScalar BinaryScalarOp { $($(#[doc = $doc])+ $name => $v($ascendc) {
            v220: ARITH, m200: ARITH, cost: Cost::Simple, real: Some(|$ra, $rs| $real), keeps_mask: KeepsMask::Dst,
        } [contract::BINARY_SCALAR] [{
            fn f(dst: &mut [f32], a: &[f32], $s: f32) {
                for (d, &$a) in dst.iter_mut().zip(a) { *d = $ef; }
            }
            modes!(long i32 |$ai, $si| $ei, $es);
            modes!(short i16 |$ai, $si| $ei, $es);
            Eval::BinaryScalar(f, Some(Integers { long: long(), short: short() }))
        }] $ex)* });
        /// Functions of this family at queue level.
        pub mod calls {
            use super::*;
            $($(#[doc = $doc])+ pub fn $name<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, scalar: impl Scalar<T>, extent: impl Extent) {
                let _ = (dst, src, scalar, extent);
            })*
        }
    };
}

vector_scalar! {
    /// Sum with a scalar: `dst[i] = src[i] + scalar`.
    adds => Adds("Adds") { f32: |a, s| a + s, i32: |a, s| a.wrapping_add(s), saturating: a.saturating_add(s),
        real: |a, s| a + s, example: "vec::adds(&z, &x, 1.0, n);" }
    /// Product with a scalar: `dst[i] = src[i] * scalar`.
    muls => Muls("Muls") { f32: |a, s| a * s, i32: |a, s| a.wrapping_mul(s), saturating: a.saturating_mul(s),
        real: |a, s| a * s, example: "vec::muls(&z, &x, 2.0, n);" }
    /// The larger of element and scalar.
    maxs => Maxs("Maxs") { f32: |a, s| math::max(a, s), i32: |a, s| a.max(s), saturating: a.max(s),
        real: |a, s| a.max(s), example: "vec::maxs(&z, &x, 0.0, n);" }
    /// The smaller of element and scalar.
    mins => Mins("Mins") { f32: |a, s| math::min(a, s), i32: |a, s| a.min(s), saturating: a.min(s),
        real: |a, s| a.min(s), example: "vec::mins(&z, &x, 6.0, n);" }
}
