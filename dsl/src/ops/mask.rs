//! Ops on the bits of compares: `And(dst, src0, src1, count)` of `uint16_t`, 16 bits an element.
//!
//! On Atlas A2, A3 and inference products these take 16-bit whole numbers only (asc-devkit, pages of And, Or, Not), which masks are seen as. The
//! count of a call is of elements whose bits they are.

use super::{contract, family, join, Cost, Eval};
use crate::dtype::DType;
use crate::surface::LocalTensor;

const BITS: &[DType] = &[DType::Bits];

family!(Mask MaskOp {
    /// Bit i is 1 where it is in both.
    and => And("And") { v220: BITS, m200: BITS, cost: Cost::Simple } [contract::MASK_BINARY] [join!(|a, b| a & b)] "vec::and(&m, &m, &k, n);"
    /// Bit i is 1 where it is in one of both, or in both.
    or => Or("Or") { v220: BITS, m200: BITS, cost: Cost::Simple } [contract::MASK_BINARY] [join!(|a, b| a | b)] "vec::or(&m, &m, &k, n);"
    /// Bit i is 1 where it is 0.
    not => Not("Not") { v220: BITS, m200: BITS, cost: Cost::Simple } [contract::MASK_UNARY] [join!(|a, _| !a)] "vec::not(&m, &k, n);"
});

/// The family's functions of the queue level.
pub mod calls {
    use super::LocalTensor;
    /// Joins the bits of `count` elements: 1 where both are.
    pub fn and(
        dst: &LocalTensor<u8>,
        src0: &LocalTensor<u8>,
        src1: &LocalTensor<u8>,
        count: usize,
    ) {
        let _ = (dst, src0, src1, count);
    }
    /// Joins the bits of `count` elements: 1 where one is.
    pub fn or(dst: &LocalTensor<u8>, src0: &LocalTensor<u8>, src1: &LocalTensor<u8>, count: usize) {
        let _ = (dst, src0, src1, count);
    }
    /// Turns the bits of `count` elements.
    pub fn not(dst: &LocalTensor<u8>, src: &LocalTensor<u8>, count: usize) {
        let _ = (dst, src, count);
    }
}
