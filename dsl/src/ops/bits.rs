//! Ops on the bits of integers: `And(dst, src0, src1, count)`,
//! `ShiftLeft(dst, src, scalar, count)`.
//!
//! On Atlas A2, A3 and inference products And, Or and Not take only 16-bit integers (asc-devkit,
//! pages of And, Or, Not). Integers of other sizes are reinterpreted as these, which changes no
//! bit.
//!
//! Shifts take integers of 16 and 32 bits on Atlas A2 and A3, by one number for all elements. To
//! the right, signed integers keep their sign (asc-devkit, pages of ShiftLeft and ShiftRight).

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
    /// Bits that are 1 in both operands; on tiles `x & y`.
    bit_and => And("And") { v220: WHOLE, m200: WHOLE, cost: Cost::Simple } [contract::BITS_BINARY] [join!(|a, b| a & b)] "let z = x & y;"
    /// Bits that are 1 in at least one operand; on tiles `x | y`.
    bit_or => Or("Or") { v220: WHOLE, m200: WHOLE, cost: Cost::Simple } [contract::BITS_BINARY] [join!(|a, b| a | b)] "let z = x | y;"
    /// Bits that are 0 in the operand; on tiles `!x`.
    bit_not => Not("Not") { v220: WHOLE, m200: WHOLE, cost: Cost::Simple } [contract::BITS_UNARY] [join!(|a, _| !a)] "let z = !x;"
});

macro_rules! shifts {
    (|$v:ident, $by:ident| $e:expr) => {{
        fn run<T: Copy + Shl<u32, Output = T> + Shr<u32, Output = T>>(dst: &mut [T], src: &[T], by: u32) {
            // Rust's own shifts take at most all bits but one.
            let most = by.min(8 * size_of::<T>() as u32 - 1);
            let step = |$v: T, $by: u32| $e;
            dst.iter_mut().zip(src).for_each(|(d, v)| *d = step(step(*v, most), by - most));
        }
        Eval::Shift(Shifts { i16: run, u16: run, i32: run, u32: run })
    }};
}

family!(Shift ShiftOp {
    /// Bits moved up by some places, with zeros behind them; on tiles `x << 3`.
    shift_left => Left("ShiftLeft") { v220: SHIFTED, m200: &[], cost: Cost::Simple } [contract::SHIFT] [shifts!(|v, by| v << by)] "let z = x << 3;"
    /// Bits moved down by some places, behind zeros or copies of a sign; on tiles `x >> 3`.
    shift_right => Right("ShiftRight") { v220: SHIFTED, m200: &[], cost: Cost::Simple } [contract::SHIFT] [shifts!(|v, by| v >> by)] "let z = x >> 3;"
});

/// Functions of this family at queue level.
pub mod calls {
    use super::{Element, LocalTensor, Scalar};
    /// Computes the bitwise and of `count` elements.
    pub fn bit_and<T: Element>(
        dst: &LocalTensor<T>,
        src0: &LocalTensor<T>,
        src1: &LocalTensor<T>,
        count: usize,
    ) {
        let _ = (dst, src0, src1, count);
    }
    /// Computes the bitwise or of `count` elements.
    pub fn bit_or<T: Element>(
        dst: &LocalTensor<T>,
        src0: &LocalTensor<T>,
        src1: &LocalTensor<T>,
        count: usize,
    ) {
        let _ = (dst, src0, src1, count);
    }
    /// Inverts the bits of `count` elements.
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
