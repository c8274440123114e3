//! Ops on the bits of comparisons: `And(dst, src0, src1, count)` of `uint16_t`, 16 bits an element.
//!
//! On Atlas A2, A3 and inference products these take only 16-bit integers (asc-devkit, pages of
//! And, Or, Not), so masks are reinterpreted. The count of a call is that of the elements that the
//! bits belong to.

use super::{contract, family, join, Cost, Eval};
use crate::dtype::DType;
use crate::surface::LocalTensor;

const BITS: &[DType] = &[DType::Bits];

family!(Mask MaskOp {
    /// Bits that are 1 in both masks.
    and => And("And") { v220: BITS, m200: BITS, cost: Cost::Simple } [contract::MASK_BINARY] [join!(|a, b| a & b)] "vec::and(&m, &m, &k, n);"
    /// Bits that are 1 in at least one mask.
    or => Or("Or") { v220: BITS, m200: BITS, cost: Cost::Simple } [contract::MASK_BINARY] [join!(|a, b| a | b)] "vec::or(&m, &m, &k, n);"
    /// Bits that are 0 in the mask.
    not => Not("Not") { v220: BITS, m200: BITS, cost: Cost::Simple } [contract::MASK_UNARY] [join!(|a, _| !a)] "vec::not(&m, &k, n);"
});

/// Functions of this family at queue level.
pub mod calls {
    use super::LocalTensor;
    /// Computes the bitwise and of the masks of `count` elements.
    pub fn and(
        dst: &LocalTensor<u8>,
        src0: &LocalTensor<u8>,
        src1: &LocalTensor<u8>,
        count: usize,
    ) {
        let _ = (dst, src0, src1, count);
    }
    /// Computes the bitwise or of the masks of `count` elements.
    pub fn or(dst: &LocalTensor<u8>, src0: &LocalTensor<u8>, src1: &LocalTensor<u8>, count: usize) {
        let _ = (dst, src0, src1, count);
    }
    /// Inverts the mask of `count` elements.
    pub fn not(dst: &LocalTensor<u8>, src: &LocalTensor<u8>, count: usize) {
        let _ = (dst, src, count);
    }
}
