//! Ops on the bits of whole numbers: `And(dst, src0, src1, count)`, `ShiftLeft(dst, src, scalar, count)`.
//!
//! On Atlas A2, A3 and inference products And, Or and Not take 16-bit whole numbers only (asc-devkit, pages of And, Or, Not). Numbers of other
//! sizes are seen as those: bits of one size are bits of another. Shifts take numbers of 16 and 32 bits on Atlas A2 and A3, by a number for
//! all elements; to the right those with a sign keep it (asc-devkit, pages of ShiftLeft and ShiftRight).

use super::{contract, family, join, Cost, Eval, Shifts};
use crate::dtype::DType;
use crate::surface::{Element, LocalTensor, Scalar};
use std::ops::{Shl, Shr};

const WHOLE: &[DType] = &[
    DType::I16,
    DType::U16,
    DType::I32,
    DType::U32,
    DType::I8,
    DType::U8,
    DType::I64,
];
const SHIFTED: &[DType] = &[DType::I16, DType::U16, DType::I32, DType::U32];

family!(Bit BitOp {
    /// Each bit is 1 where it is in both; of tiles `x & y`.
    bit_and => And("And") { v220: WHOLE, m200: WHOLE, cost: Cost::Simple } [contract::BITS_BINARY] [join!(|a, b| a & b)] "let z = x & y;"
    /// Each bit is 1 where it is in one of both, or in both; of tiles `x | y`.
    bit_or => Or("Or") { v220: WHOLE, m200: WHOLE, cost: Cost::Simple } [contract::BITS_BINARY] [join!(|a, b| a | b)] "let z = x | y;"
    /// Each bit is 1 where it is 0; of tiles `!x`.
    bit_not => Not("Not") { v220: WHOLE, m200: WHOLE, cost: Cost::Simple } [contract::BITS_UNARY] [join!(|a, _| !a)] "let z = !x;"
});

macro_rules! shifts {
    (|$v:ident, $by:ident| $e:expr) => {{
        fn run<T: Copy + Shl<u32, Output = T> + Shr<u32, Output = T>>(dst: &mut [T], src: &[T], by: u32) {
            // Rust's own go as far as all bits but one.
            let most = by.min(8 * size_of::<T>() as u32 - 1);
            let step = |$v: T, $by: u32| $e;
            dst.iter_mut().zip(src).for_each(|(d, v)| *d = step(step(*v, most), by - most));
        }
        Eval::Shift(Shifts { i16: run, u16: run, i32: run, u32: run })
    }};
}

family!(Shift ShiftOp {
    /// Bits so many places up, with zeros behind them; of tiles `x << 3`.
    shift_left => Left("ShiftLeft") { v220: SHIFTED, m200: &[], cost: Cost::Simple } [contract::SHIFT] [shifts!(|v, by| v << by)] "let z = x << 3;"
    /// Bits so many places down, with zeros before them, or with the sign where the type has one; of tiles `x >> 3`.
    shift_right => Right("ShiftRight") { v220: SHIFTED, m200: &[], cost: Cost::Simple } [contract::SHIFT] [shifts!(|v, by| v >> by)] "let z = x >> 3;"
});

/// The family's functions of the queue level.
pub mod calls {
    use super::{Element, LocalTensor, Scalar};
    /// Joins the bits of `count` elements: 1 where both are.
    pub fn bit_and<T: Element>(
        dst: &LocalTensor<T>,
        src0: &LocalTensor<T>,
        src1: &LocalTensor<T>,
        count: usize,
    ) {
        let _ = (dst, src0, src1, count);
    }
    /// Joins the bits of `count` elements: 1 where one is.
    pub fn bit_or<T: Element>(
        dst: &LocalTensor<T>,
        src0: &LocalTensor<T>,
        src1: &LocalTensor<T>,
        count: usize,
    ) {
        let _ = (dst, src0, src1, count);
    }
    /// Turns the bits of `count` elements.
    pub fn bit_not<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, count: usize) {
        let _ = (dst, src, count);
    }
    /// Moves the bits of `count` elements up.
    pub fn shift_left<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        by: impl Scalar<T>,
        count: usize,
    ) {
        let _ = (dst, src, by, count);
    }
    /// Moves the bits of `count` elements down.
    pub fn shift_right<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        by: impl Scalar<T>,
        count: usize,
    ) {
        let _ = (dst, src, by, count);
    }
}
