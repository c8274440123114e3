//! Running sums and products: element `i` of the result joins all elements up to `i`.

use super::{contract, family, AxisReduceOp, BinaryOp, Cost, Eval};
use crate::dtype::DType;
use crate::surface::{Element, LocalTensor};

/// Elements are gathered by offsets and joined in 32 bits: sums of 16 bits would lose too much on
/// the way.
const SCANNED: &[DType] = &[DType::F32, DType::I32];

family!(Scan ScanOp {
    /// The sum of each element and all before it, by doubling: each adds the partial sum 1 before
    /// it, then 2, then 4, and so on. `offsets` has `4 * i`.
    scan_sum => Sum("Add") { v220: SCANNED, m200: SCANNED, cost: Cost::Scan } [contract::SCAN] [Eval::Move] "vec::scan_sum(&z, &x, &offsets, &work, n);"
    /// The product of each element and all before it, by doubling as in `scan_sum`.
    scan_prod => Prod("Mul") { v220: SCANNED, m200: SCANNED, cost: Cost::Scan } [contract::SCAN] [Eval::Move] "vec::scan_prod(&z, &x, &offsets, &work, n);"
});

impl ScanOp {
    /// Returns the scan with the step of a reduction.
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
    /// Returns the op that joins two elements.
    pub const fn step(self) -> BinaryOp {
        match self {
            ScanOp::Sum => BinaryOp::Add,
            ScanOp::Prod => BinaryOp::Mul,
        }
    }
}

/// Functions of this family at queue level.
pub mod calls {
    use super::{Element, LocalTensor};
    /// Computes running sums of `count` elements. `offsets` has element `i` times 4; `work` is work
    /// space.
    pub fn scan_sum<T: Element>(
        dst: &LocalTensor<T>,
        src: &LocalTensor<T>,
        offsets: &LocalTensor<i32>,
        work: &LocalTensor<T>,
        count: usize,
    ) {
        let _ = (dst, src, offsets, work, count);
    }
    /// Computes running products of `count` elements, with the arguments of [`scan_sum`].
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
