//! Comparisons to bits: `Compare(dst, src0, src1, CMPMODE::GT, count)` and `CompareScalar`.
//!
//! The result has one bit an element, little endian. With a nan operand every mode gives 0, `NE`
//! included (asc-devkit, Compare.md). The count form requires `count * sizeof(T)` to be a multiple
//! of 256 bytes.

use super::{contract, family, Cost, Eval, FLOAT};
use crate::dtype::DType;
use crate::surface::{Element, LocalTensor, Rhs, Scalar, Tile};

/// On architecture 2201 `int32_t` exists with `EQ` only; on 2002 not at all. At tile level 2201 has
/// all modes ([`super::is_composed`]).
const EQ_V220: &[DType] = &[DType::F16, DType::F32, DType::I32];

macro_rules! compares {
    ($($(#[doc = $doc:literal])+ $name:ident $names:ident => $v:ident($mode:literal) {
        v220: $v220:expr, f32: |$a:ident, $b:ident| $e:expr $(, i32: |$ai:ident, $bi:ident| $ei:expr)?, example: $ex:literal, example_scalar: $exs:literal
    })*) => {
        family!(Compare CompareOp { $($(#[doc = $doc])+ $name => $v("Compare") {
            v220: $v220, m200: FLOAT, cost: Cost::Compare, method: true, trailing: concat!("CMPMODE::", $mode),
        } [contract::COMPARE] [evals!(|$a, $b| $e $(, |$ai, $bi| $ei)?)] $ex)* });
        family!(CompareScalar CompareScalarOp { $($(#[doc = $doc])+ $names => $v("CompareScalar") {
            v220: $v220, m200: FLOAT, cost: Cost::Compare, trailing: concat!("CMPMODE::", $mode),
        } [contract::COMPARE_SCALAR] [evals!(|$a, $b| $e $(, |$ai, $bi| $ei)?)] $exs)* });
        impl CompareOp {
            /// Returns the comparison against a scalar with this mode.
            pub const fn with_scalar(self) -> CompareScalarOp {
                match self { $(CompareOp::$v => CompareScalarOp::$v),* }
            }
        }
        impl<T: Element> Tile<T> {
            $($(#[doc = $doc])+ pub fn $name(self, rhs: impl Rhs<T>) -> Tile<bool> { let _ = rhs; Tile::stub() })*
        }
        /// Functions of this family at queue level.
        pub mod calls {
            use super::*;
            $(
                $(#[doc = $doc])+ pub fn $name<T: Element>(dst: &LocalTensor<u8>, src0: &LocalTensor<T>, src1: &LocalTensor<T>, count: usize) {
                    let _ = (dst, src0, src1, count);
                }
                $(#[doc = $doc])+ pub fn $names<T: Element>(dst: &LocalTensor<u8>, src: &LocalTensor<T>, scalar: impl Scalar<T>, count: usize) {
                    let _ = (dst, src, scalar, count);
                }
            )*
        }
    };
}

macro_rules! evals {
    (|$a:ident, $b:ident| $e:expr $(, |$ai:ident, $bi:ident| $ei:expr)?) => {{
        fn f(dst: &mut [u8], a: &[f32], b: &[f32]) {
            for ((d, &$a), &$b) in dst.iter_mut().zip(a).zip(b) { *d = u8::from($e); }
        }
        #[allow(unused_mut, unused_assignments)]
        let mut ints: Option<super::CompareFn<i32>> = None;
        $(
            fn i(dst: &mut [u8], a: &[i32], b: &[i32]) {
                for ((d, &$ai), &$bi) in dst.iter_mut().zip(a).zip(b) { *d = u8::from($ei); }
            }
            ints = Some(i);
        )?
        Eval::Compare(f, ints)
    }};
}

compares! {
    /// Bit i is 1 where `src0[i] > src1[i]`.
    gt gts => Gt("GT") { v220: FLOAT, f32: |a, b| a > b, i32: |a, b| a > b, example: "let m = x.gt(y);", example_scalar: "vec::gts(&m, &x, 0.0, n);" }
    /// Bit i is 1 where `src0[i] >= src1[i]`.
    ge ges => Ge("GE") { v220: FLOAT, f32: |a, b| a >= b, i32: |a, b| a >= b, example: "let m = x.ge(y);", example_scalar: "vec::ges(&m, &x, 0.0, n);" }
    /// Bit i is 1 where `src0[i] < src1[i]`.
    lt lts => Lt("LT") { v220: FLOAT, f32: |a, b| a < b, i32: |a, b| a < b, example: "let m = x.lt(y);", example_scalar: "vec::lts(&m, &x, 0.0, n);" }
    /// Bit i is 1 where `src0[i] <= src1[i]`.
    le les => Le("LE") { v220: FLOAT, f32: |a, b| a <= b, i32: |a, b| a <= b, example: "let m = x.le(y);", example_scalar: "vec::les(&m, &x, 0.0, n);" }
    /// Bit i is 1 where `src0[i] == src1[i]`.
    eq eqs => Eq("EQ") { v220: EQ_V220, f32: |a, b| a == b, i32: |a, b| a == b, example: "let m = x.eq(y);", example_scalar: "vec::eqs(&m, &x, 0.0, n);" }
    /// Bit i is 1 where `src0[i]` and `src1[i]` differ and neither is nan.
    ne nes => Ne("NE") { v220: FLOAT, f32: |a, b| a != b && !a.is_nan() && !b.is_nan(), i32: |a, b| a != b, example: "let m = x.ne(y);", example_scalar: "vec::nes(&m, &x, 0.0, n);" }
}
