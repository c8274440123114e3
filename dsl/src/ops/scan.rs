//! Running sums and products: element `i` of the result is what all elements up to `i` come to.

use super::{contract, family, AxisReduceOp, BinaryOp, Cost, Eval};
use crate::dtype::DType;
use crate::surface::{Element, LocalTensor};

/// What is chosen by offsets and added or multiplied, in 32 bits: sums of 16 would lose too much on the way.
const SCANNED: &[DType] = &[DType::F32, DType::I32];

family!(Scan ScanOp {
    /// Each element and all before it, added by doubling: each to the one 1 before it, what that gives to the one 2 before it, and so on. `offsets` has `4 * i`.
    scan_sum => Sum("Add") { v220: SCANNED, m200: SCANNED, cost: Cost::Scan } [contract::SCAN] [Eval::Move] "vec::scan_sum(&z, &x, &offsets, &work, n);"
    /// The same, multiplied.
    scan_prod => Prod("Mul") { v220: SCANNED, m200: SCANNED, cost: Cost::Scan } [contract::SCAN] [Eval::Move] "vec::scan_prod(&z, &x, &offsets, &work, n);"
});

impl ScanOp {
    /// The scan that joins as a reduction does.
    pub const fn of(op: AxisReduceOp) -> Option<ScanOp> {
        match op {
            AxisReduceOp::Sum => Some(ScanOp::Sum),
            AxisReduceOp::Prod => Some(ScanOp::Prod),
            AxisReduceOp::Max
            | AxisReduceOp::Min
            | AxisReduceOp::Mean
            | AxisReduceOp::ArgMax
            | AxisReduceOp::ArgMin
            | AxisReduceOp::Any
            | AxisReduceOp::All => None,
        }
    }
    /// What joins two elements.
    pub const fn step(self) -> BinaryOp {
        match self {
            ScanOp::Sum => BinaryOp::Add,
            ScanOp::Prod => BinaryOp::Mul,
        }
    }
}

/// The family's functions of the queue level.
pub mod calls {
    use super::{Element, LocalTensor};
    /// Running sums of `count` elements. `offsets` has element `i` times 4; `work` is work space.
    pub fn scan_sum<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        offsets: &LocalTensor<i32>,
        work: &LocalTensor<T>,
        count: usize,
    ) {
        let _ = (dst, src, offsets, work, count);
    }
    /// Running products of `count` elements.
    pub fn scan_prod<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        offsets: &LocalTensor<i32>,
        work: &LocalTensor<T>,
        count: usize,
    ) {
        let _ = (dst, src, offsets, work, count);
    }
}
