//! Reductions over named axes.
//!
//! The order of a sum is the lowering's choice. Here it is taken in `f64` and rounded once, and its error bounds what any order
//! in the element type may give: `(n - 1) u Σ|x|` (Higham, Accuracy and Stability of Numerical Algorithms, 4.2), and infinitely
//! much where a partial sum could overflow.

use super::array::{Array, Lanes};
use super::program::AxId;
use super::round;
use super::Trip;
use crate::Overflow;
use jumar_dsl::dtype::DType;
use jumar_dsl::ops::{Eval, Op, ReduceOp, Reduction};
use rayon::prelude::*;
use std::sync::Arc;

/// Reduces `tile` over some of its axes; `bounded` asks for the error of a sum.
///
/// # Errors
/// J0804 for a tile that has no reduction.
pub(super) fn reduce<'t>(
    op: ReduceOp,
    tile: &Array<'t>,
    over: &[AxId],
    dtype: DType,
    overflow: Overflow,
    bounded: bool,
) -> Result<Array<'t>, Trip> {
    let (last, rows, cols) = tile.reduced_last(over);
    let Lanes::F32(values) = &last.lanes else { return Err(Trip::malformed(format!("`{}` of integers", op_name(op)))) };
    let Eval::Reduce(Reduction { neutral, step, .. }) = Op::Reduce(op).def().eval else {
        return Err(Trip::malformed(format!("`{}` is no reduction", op_name(op))));
    };
    let axes: Vec<_> = tile.axes.iter().filter(|(a, _)| !over.contains(a)).copied().collect();
    if cols == 0 {
        return Ok(Array::new(axes, Lanes::F32(vec![round::to_element(dtype, neutral); rows].into())));
    }
    let of_row = |row: &[f32]| match op {
        ReduceOp::Sum => row.iter().map(|v| f64::from(*v)).sum::<f64>() as f32,
        ReduceOp::Max | ReduceOp::Min => row.iter().copied().fold(neutral, step),
    };
    let mut out: Vec<f32> = values.par_chunks(cols).map(of_row).collect();
    round::to_elements(dtype, &mut out, overflow);
    let error = if bounded || last.error.is_some() {
        let errors = last.error.as_deref().map_or(&[][..], Vec::as_slice);
        let of = |row: usize| {
            let errors = errors.get(row * cols..(row + 1) * cols).unwrap_or_default();
            error(op, &values[row * cols..(row + 1) * cols], errors, dtype, overflow)
        };
        let all: Vec<f64> = (0..rows).map(of).collect();
        all.iter().any(|e| *e > 0.0).then(|| Arc::new(all))
    } else {
        None
    };
    Ok(Array { axes, lanes: Lanes::F32(out.into()), error })
}

fn op_name(op: ReduceOp) -> &'static str {
    Op::Reduce(op).name()
}

/// How far the reduction of a row may lie away in another legal order.
fn error(op: ReduceOp, row: &[f32], errors: &[f64], dtype: DType, overflow: Overflow) -> f64 {
    // Each step of the saturating mode bends what is not finite, and the order decides when.
    if overflow == Overflow::Saturate && dtype != DType::F32 && row.iter().any(|v| !v.is_finite()) {
        return f64::INFINITY;
    }
    let carried = errors.iter().copied().fold(0.0, f64::max);
    match op {
        ReduceOp::Max | ReduceOp::Min => carried,
        ReduceOp::Sum => {
            let magnitude: f64 = row.iter().map(|v| f64::from(v.abs())).filter(|v| v.is_finite()).sum();
            let (epsilon, tiny) = round::precision(dtype);
            let steps = (row.len() - 1) as f64;
            let carried: f64 = errors.iter().sum();
            if magnitude + carried > round::largest(dtype) {
                return f64::INFINITY;
            }
            // Whole numbers that stay small are exact in every order.
            if carried == 0.0 && (steps == 0.0 || is_exact(row, magnitude, epsilon)) {
                return 0.0;
            }
            // Half a unit a step, twice: here and there. Sums of 16-bit floats do not lose what is subnormal.
            carried + steps * epsilon * 1.01 * magnitude + tiny
        }
    }
}

/// True where all elements are multiples of one power of two, and even the sum of their magnitudes fits in the significand.
fn is_exact(row: &[f32], magnitude: f64, epsilon: f64) -> bool {
    let unit = row.iter().filter(|v| **v != 0.0).map(|v| lowest_bit(*v)).fold(f64::INFINITY, f64::min);
    row.iter().all(|v| v.is_finite()) && (unit.is_infinite() || magnitude / unit <= 1.0 / epsilon)
}

/// Value of the lowest bit that is set.
fn lowest_bit(v: f32) -> f64 {
    let bits = f64::from(v).to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let fraction = (bits & ((1 << 52) - 1)) | 1 << 52;
    2f64.powi(exponent - 52 + fraction.trailing_zeros() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_whose_orders_agree_have_no_error() {
        let of = |row: &[f32]| error(ReduceOp::Sum, row, &[], DType::F32, Overflow::InfNan);
        assert_eq!(of(&[1.0, -2.0, 0.5, 4096.0]), 0.0);
        assert_eq!(of(&[0.0, 0.0]), 0.0);
        assert_eq!(of(&[0.1]), 0.0);
        assert!(of(&[0.1, 0.2, 0.3]) > 0.0);
        assert!(of(&[16_777_216.0, 1.0]) > 0.0);
        assert_eq!(of(&[3e38, 3e38, -3e38]), f64::INFINITY);
        assert!(error(ReduceOp::Sum, &[2048.0, 1.0], &[], DType::F16, Overflow::InfNan) > 0.0);
        assert_eq!(error(ReduceOp::Max, &[0.1, 0.3], &[], DType::F16, Overflow::InfNan), 0.0);
    }
}
