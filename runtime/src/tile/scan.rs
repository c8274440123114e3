//! Running sums and products along an axis.

use super::array::{Array, Lanes};
use super::reduce::{Added, Multiplied};
use super::Trip;
use crate::Overflow;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::AxId;
use jumar_dsl::ops::AxisReduceOp;
use std::sync::Arc;

/// Joins each element with all before it, by doubling. Where bounds are wanted, also returns the
/// errors: rows beyond UB are joined part by part.
pub(super) fn scan<'t>(
    from: &Array<'t>,
    op: AxisReduceOp,
    along: AxId,
    (overflow, bounded): (Overflow, bool),
) -> Result<Array<'t>, Trip> {
    let (mut made, _, cols) = from.reduced_last(&[along]);
    let malformed =
        || Trip::malformed("a scan of what is none of numbers, or by what is no sum or product");
    let errors = made.error.take();
    let errors = errors.as_deref().map_or(&[][..], Vec::as_slice);
    let is_sum = match op {
        AxisReduceOp::Sum => true,
        AxisReduceOp::Prod => false,
        _ => return Err(malformed()),
    };
    let open: Vec<f64> = match &mut made.lanes {
        Lanes::F32(values) => {
            let open = match is_sum {
                _ if !bounded => Vec::new(),
                true => of_rows(values, errors, cols, Added::NOTHING, Added::with, |sum| {
                    sum.error(DType::F32)
                }),
                false => of_rows(
                    values,
                    errors,
                    cols,
                    Multiplied::NOTHING,
                    Multiplied::with,
                    |all| all.error(DType::F32),
                ),
            };
            rows_of(
                values.to_mut(),
                cols,
                |a, b| if is_sum { a + b } else { a * b },
            );
            open
        }
        Lanes::I32(values) => {
            let join = match (is_sum, overflow) {
                (true, Overflow::InfNan) => i32::wrapping_add,
                (true, Overflow::Saturate) => i32::saturating_add,
                (false, Overflow::InfNan) => i32::wrapping_mul,
                (false, Overflow::Saturate) => i32::saturating_mul,
            };
            let open = match bounded {
                true => {
                    let saturates = overflow == Overflow::Saturate;
                    let error = |whole: Whole| {
                        if whole.is_carried || saturates && whole.leaves(is_sum) {
                            f64::INFINITY
                        } else {
                            0.0
                        }
                    };
                    of_rows(values, errors, cols, Whole::NOTHING, Whole::with, error)
                }
                false => Vec::new(),
            };
            rows_of(values.to_mut(), cols, join);
            open
        }
        Lanes::I64(_) | Lanes::Mask(_) => return Err(malformed()),
    };
    made.error = open.iter().any(|e| *e > 0.0).then(|| Arc::new(open));
    made.ideal = None;
    Ok(made)
}

/// Applies `said` to the state of each element of each row: the elements before it, and itself.
fn of_rows<V: Copy, S: Copy>(
    values: &[V],
    errors: &[f64],
    cols: usize,
    nothing: S,
    with: impl Fn(S, (V, f64)) -> S,
    said: impl Fn(S) -> f64,
) -> Vec<f64> {
    let mut state = nothing;
    let mut one = |(at, v): (usize, &V)| {
        let before = if at % cols.max(1) == 0 {
            nothing
        } else {
            state
        };
        state = with(before, (*v, errors.get(at).copied().unwrap_or(0.0)));
        said(state)
    };
    values.iter().enumerate().map(&mut one).collect()
}

/// The running state of integers.
#[derive(Clone, Copy)]
struct Whole {
    /// The sum of negative numbers, the sum of the others (`above`), and the product of all
    /// magnitudes.
    below: i64,
    above: i64,
    product: f64,
    is_carried: bool,
}

impl Whole {
    const NOTHING: Whole = Whole {
        below: 0,
        above: 0,
        product: 1.0,
        is_carried: false,
    };

    fn with(self, (v, error): (i32, f64)) -> Whole {
        Whole {
            below: self.below + i64::from(v.min(0)),
            above: self.above + i64::from(v.max(0)),
            product: self.product * f64::from(v).abs().max(1.0),
            is_carried: self.is_carried || error > 0.0,
        }
    }

    /// True if an order of the sum, or of the product, leaves the type on its way.
    fn leaves(self, is_sum: bool) -> bool {
        match is_sum {
            true => self.below < i64::from(i32::MIN) || self.above > i64::from(i32::MAX),
            false => self.product > f64::from(i32::MAX),
        }
    }
}

/// Joins each element of a row to the one at distance 1, 2, 4 and so on before it.
fn rows_of<T: Copy>(values: &mut [T], cols: usize, join: impl Fn(T, T) -> T) {
    for row in values.chunks_mut(cols.max(1)) {
        let len = row.len();
        let steps = std::iter::successors(Some(1), |by| Some(by * 2)).take_while(|by| *by < len);
        for by in steps {
            // Going down, no element is joined to one of this step.
            for i in (by..len).rev() {
                row[i] = join(row[i], row[i - by]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_order_may_change_is_left_open() {
        let of = |row: &[f32]| {
            of_rows(row, &[], 3, Added::NOTHING, Added::with, |sum| {
                sum.error(DType::F32)
            })
        };
        // Each row starts anew, and small integers are exact.
        assert_eq!(
            of(&[1.0, 2.0, 3.0, 0.1, 5.0, 0.5]),
            [
                0.0,
                0.0,
                0.0,
                0.0,
                of(&[0.1, 5.0])[1],
                of(&[0.1, 5.0, 0.5])[2]
            ]
        );
        assert!(of(&[0.1, 5.0])[1] > 0.0 && of(&[3e38, 3e38])[1].is_infinite());
        let of = |row: &[i32], is_sum| {
            of_rows(row, &[], 3, Whole::NOTHING, Whole::with, |whole| {
                f64::from(whole.leaves(is_sum))
            })
        };
        assert_eq!(
            of(&[i32::MAX, -1, 1, i32::MAX, 0, 0], true),
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
        );
        assert_eq!(of(&[65_536, 0, 65_536], false), [0.0, 0.0, 1.0]);
    }
}
