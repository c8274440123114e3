//! Reductions over named axes.
//!
//! The order of a sum is the lowering's choice. Here it is taken in `f64` and rounded once, and its error bounds what any order
//! in the element type may give: `(n - 1) u Σ|x|` (Higham, Accuracy and Stability of Numerical Algorithms, 4.2), and infinitely
//! much where a partial sum could overflow. Whole numbers wrap in every order alike; where they saturate, sums that might do so
//! on the way are undecided.

use super::array::{Array, Lanes};
use super::round;
use super::Trip;
use crate::Overflow;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::AxId;
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
    let Eval::Reduce(meaning) = Op::Reduce(op).def().eval else {
        return Err(Trip::malformed(format!("`{}` is no reduction", op_name(op))));
    };
    let axes: Vec<_> = tile.axes.iter().filter(|(a, _)| !over.contains(a)).copied().collect();
    let values = match &last.lanes {
        Lanes::F32(values) => values,
        Lanes::I32(values) => {
            let errors = last.error.as_deref().map_or(&[][..], Vec::as_slice);
            let (results, error) = whole(op, &meaning, [rows, cols], values, errors, overflow);
            return Ok(Array { axes, lanes: Lanes::I32(results.into()), error });
        }
        Lanes::Mask(_) => return Err(Trip::malformed(format!("`{}` of a mask", op_name(op)))),
    };
    let Reduction { neutral, step, .. } = meaning;
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

/// Reductions of whole numbers: the order of a sum changes nothing, unless one may leave the type in a mode that saturates.
fn whole(
    op: ReduceOp,
    meaning: &Reduction,
    [rows, cols]: [usize; 2],
    values: &[i32],
    errors: &[f64],
    overflow: Overflow,
) -> (Vec<i32>, Option<Arc<Vec<f64>>>) {
    let (mut results, mut undecided) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    for row in 0..rows {
        let range = row * cols..(row + 1) * cols;
        let numbers = values.get(range.clone()).unwrap_or_default();
        results.push(match op {
            ReduceOp::Sum => numbers.iter().copied().fold(meaning.whole_neutral(), i32::wrapping_add),
            ReduceOp::Max => numbers.iter().copied().fold(meaning.whole_neutral(), i32::max),
            ReduceOp::Min => numbers.iter().copied().fold(meaning.whole_neutral(), i32::min),
        });
        let carried = errors.get(range).unwrap_or_default().iter().any(|e| *e > 0.0);
        let by_order = op == ReduceOp::Sum && overflow == Overflow::Saturate && !keeps_its_type(numbers);
        undecided.push(if carried || by_order { f64::INFINITY } else { 0.0 });
    }
    let error = undecided.iter().any(|e| *e > 0.0).then(|| Arc::new(undecided));
    (results, error)
}

/// Whether no order of a sum leaves the type on its way.
fn keeps_its_type(numbers: &[i32]) -> bool {
    let (below, above): (Vec<i64>, Vec<i64>) = numbers.iter().map(|v| i64::from(*v)).partition(|v| *v < 0);
    below.iter().sum::<i64>() >= i64::from(i32::MIN) && above.iter().sum::<i64>() <= i64::from(i32::MAX)
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

    #[test]
    fn whole_sums_wrap_and_are_undecided_where_they_may_saturate_on_the_way() {
        let of = |op: ReduceOp, row: &[i32], overflow| {
            let Eval::Reduce(meaning) = Op::Reduce(op).def().eval else { panic!("a reduction") };
            let (results, error) = whole(op, &meaning, [1, row.len()], row, &[], overflow);
            (results[0], error.is_some())
        };
        let (small, large) = ([i32::MAX - 1, 1, -5], [i32::MAX, 1, -5]);
        for overflow in [Overflow::InfNan, Overflow::Saturate] {
            assert_eq!(of(ReduceOp::Sum, &small, overflow), (i32::MAX - 5, false));
            assert_eq!(of(ReduceOp::Sum, &[], overflow), (0, false));
            assert_eq!(of(ReduceOp::Max, &large, overflow), (i32::MAX, false));
            assert_eq!(of(ReduceOp::Max, &[], overflow), (i32::MIN, false));
            assert_eq!(of(ReduceOp::Min, &[], overflow), (i32::MAX, false));
        }
        assert_eq!(of(ReduceOp::Sum, &large, Overflow::InfNan), (i32::MAX - 4, false));
        assert!(of(ReduceOp::Sum, &large, Overflow::Saturate).1);
    }
}
