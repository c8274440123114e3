//! Reductions over named axes.
//!
//! The order of a sum is the lowering's choice. This module sums in `f64` and rounds once. The
//! error bounds every order in the element type: `(n - 1) u Σ|x|` (Higham, Accuracy and Stability
//! of Numerical Algorithms, 4.2). It is infinite where a partial sum could overflow. Integers wrap
//! alike in every order. In a mode that saturates, sums that might overflow on the way are
//! undecided.

use super::array::{answer, is_open, Array, Lanes, OPEN};
use super::elementwise::{Call, Operand};
use super::ideal;
use super::round::{self, lowest_bit, odd_part};
use super::Trip;
use crate::Overflow;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::AxId;
use jumar_dsl::ops::{AxisReduceOp, Eval, Op, Reduction};
use rayon::prelude::*;
use std::sync::Arc;

/// Arguments of a reduction, besides the tile and its axes.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    /// Element type of the tile.
    pub dtype: DType,
    pub overflow: Overflow,
    /// True if the error of a sum is wanted.
    pub bounded: bool,
    /// The index of the first element along the reduced axis.
    pub first: i32,
}

/// Reduces `tile` over some of its axes.
///
/// # Errors
/// J0804 for a tile that has no such reduction.
pub(super) fn reduce<'t>(
    op: AxisReduceOp,
    tile: &Array<'t>,
    over: &[AxId],
    asked: Asked,
) -> Result<Array<'t>, Trip> {
    match op {
        AxisReduceOp::Sum | AxisReduceOp::Max | AxisReduceOp::Min | AxisReduceOp::Prod => {
            fold(op, tile, over, asked)
        }
        AxisReduceOp::Mean => mean(tile, over, asked),
        AxisReduceOp::ArgMax => place(tile, over, asked.first, |a, b| a > b),
        AxisReduceOp::ArgMin => place(tile, over, asked.first, |a, b| a < b),
        AxisReduceOp::Any => answers(tile, over, 1),
        AxisReduceOp::All => answers(tile, over, 0),
    }
}

/// Computes the sum times the reciprocal of the number of elements, which has the element type.
fn mean<'t>(tile: &Array<'t>, over: &[AxId], asked: Asked) -> Result<Array<'t>, Trip> {
    let Asked {
        dtype, overflow, ..
    } = asked;
    let count: usize = tile
        .axes
        .iter()
        .filter(|(a, _)| over.contains(a))
        .map(|(_, n)| n)
        .product();
    let sum = fold(AxisReduceOp::Sum, tile, over, asked)?;
    let axes = sum.axes.clone();
    let factor = Operand::Float(round::to_element(dtype, 1.0 / count as f32));
    let args = vec![Operand::Tile(sum), factor];
    Call {
        op: Op::by_name("mul").ok_or_else(|| Trip::malformed("no product"))?,
        dtype,
        axes: &axes,
        args,
        overflow,
    }
    .run()
}

/// Returns the lowest index of the extreme element along one axis; a nan comes before all numbers.
/// An index is undecided where another element may be the extreme one in another order of sums.
fn place<'t>(
    tile: &Array<'t>,
    over: &[AxId],
    first: i32,
    ahead: impl Fn(f64, f64) -> bool,
) -> Result<Array<'t>, Trip> {
    let (last, rows, cols) = tile.reduced_last(over);
    let axes: Vec<_> = tile
        .axes
        .iter()
        .filter(|(a, _)| !over.contains(a))
        .copied()
        .collect();
    let values: Vec<f64> = match &last.lanes {
        Lanes::F32(values) => values.iter().map(|v| f64::from(*v)).collect(),
        Lanes::I32(values) => values.iter().map(|v| f64::from(*v)).collect(),
        Lanes::I64(values) => ranks(values),
        Lanes::Mask(_) => return Err(Trip::malformed("the place of what no op computes with")),
    };
    if cols == 0 && rows > 0 {
        return Err(Trip::malformed("the place of an element among none"));
    }
    let (mut found, mut undecided) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    for row in 0..rows {
        let row_of = |at: usize| values[row * cols + at];
        let error = |at: usize| last.error.as_ref().map_or(0.0, |e| e[row * cols + at]);
        let mut best = 0;
        for at in 1..cols {
            let (a, b) = (row_of(at), row_of(best));
            if !b.is_nan() && (a.is_nan() || ahead(a, b)) {
                best = at;
            }
        }
        let open = |at: usize| {
            let error = error(at) + error(best);
            let distance = (row_of(at) - row_of(best)).abs();
            at != best && error > 0.0 && (distance.is_nan() || distance <= error)
        };
        undecided.push(if (0..cols).any(open) {
            f64::INFINITY
        } else {
            0.0
        });
        found.push(first.wrapping_add(best as i32));
    }
    let error = undecided
        .iter()
        .any(|e| *e > 0.0)
        .then(|| Arc::new(undecided));
    Ok(Array {
        error,
        ..Array::new(axes, Lanes::I32(found.into()))
    })
}

/// Maps integers to floats of equal order, since floats have not all of them.
fn ranks(values: &[i64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    values
        .iter()
        .map(|v| sorted.partition_point(|other| other < v) as f64)
        .collect()
}

/// Reduces a mask by `any` or `all`: `decides` is the value that fixes the result alone.
fn answers<'t>(tile: &Array<'t>, over: &[AxId], decides: u8) -> Result<Array<'t>, Trip> {
    let (last, rows, cols) = tile.reduced_last(over);
    let axes: Vec<_> = tile
        .axes
        .iter()
        .filter(|(a, _)| !over.contains(a))
        .copied()
        .collect();
    let Lanes::Mask(values) = &last.lanes else {
        return Err(Trip::malformed("the answers of a tile that is no mask"));
    };
    let of = |row: usize| {
        let row = &values[row * cols..(row + 1) * cols];
        if row.contains(&decides) {
            return decides;
        }
        let found = if row.iter().any(|of| answer(*of) == decides) {
            decides
        } else {
            1 - decides
        };
        if row.iter().any(|of| is_open(*of)) {
            found | OPEN
        } else {
            found
        }
    };
    Ok(Array::new(
        axes,
        Lanes::Mask((0..rows).map(of).collect::<Vec<u8>>().into()),
    ))
}

/// Folds `tile` over some of its axes.
fn fold<'t>(
    op: AxisReduceOp,
    tile: &Array<'t>,
    over: &[AxId],
    asked: Asked,
) -> Result<Array<'t>, Trip> {
    let Asked {
        dtype,
        overflow,
        bounded,
        ..
    } = asked;
    let (last, rows, cols) = tile.reduced_last(over);
    let Eval::Reduce(meaning) = Op::AxisReduce(op).def().eval else {
        return Err(Trip::malformed(format!(
            "`{}` is no reduction",
            op_name(op)
        )));
    };
    let axes: Vec<_> = tile
        .axes
        .iter()
        .filter(|(a, _)| !over.contains(a))
        .copied()
        .collect();
    let values = match &last.lanes {
        Lanes::F32(values) => values,
        Lanes::I32(values) => {
            let errors = last.error.as_deref().map_or(&[][..], Vec::as_slice);
            let (results, error) = whole(op, &meaning, [rows, cols], values, errors, overflow)?;
            return Ok(Array {
                error,
                ..Array::new(axes, Lanes::I32(results.into()))
            });
        }
        Lanes::I64(values) => {
            let error = last.error.as_deref().map(|e| {
                let blown = |row: &[f64]| {
                    if row.iter().any(|e| *e > 0.0) {
                        f64::INFINITY
                    } else {
                        0.0
                    }
                };
                Arc::new(
                    (0..rows)
                        .map(|row| blown(&e[row * cols..(row + 1) * cols]))
                        .collect(),
                )
            });
            let results = longs(op, [rows, cols], values)?;
            return Ok(Array {
                error,
                ..Array::new(axes, Lanes::I64(results.into()))
            });
        }
        Lanes::Mask(_) => {
            return Err(Trip::malformed(format!(
                "`{}` of what no op computes with",
                op_name(op)
            )));
        }
    };
    let Reduction { neutral, step, .. } = meaning;
    if cols == 0 {
        return Ok(Array::new(
            axes,
            Lanes::F32(vec![round::to_element(dtype, neutral); rows].into()),
        ));
    }
    let of_row = |row: &[f32]| match op {
        AxisReduceOp::Sum => row.iter().map(|v| f64::from(*v)).sum::<f64>() as f32,
        AxisReduceOp::Prod => row.iter().map(|v| f64::from(*v)).product::<f64>() as f32,
        AxisReduceOp::Max | AxisReduceOp::Min => row.iter().copied().fold(neutral, step),
        // Ops without a fold step were handled above.
        AxisReduceOp::Mean
        | AxisReduceOp::ArgMax
        | AxisReduceOp::ArgMin
        | AxisReduceOp::Any
        | AxisReduceOp::All => f32::NAN,
    };
    let mut out: Vec<f32> = values.par_chunks(cols).map(of_row).collect();
    round::to_elements(dtype, &mut out, overflow);
    let error = if bounded || last.error.is_some() {
        let errors = last.error.as_deref().map_or(&[][..], Vec::as_slice);
        let of = |row: usize| {
            let errors = errors.get(row * cols..(row + 1) * cols).unwrap_or_default();
            error(
                op,
                &values[row * cols..(row + 1) * cols],
                errors,
                dtype,
                overflow,
            )
        };
        let all: Vec<f64> = (0..rows).map(of).collect();
        all.iter().any(|e| *e > 0.0).then(|| Arc::new(all))
    } else {
        None
    };
    let real = op.step().and_then(|step| step.def().real);
    let ideal = real.and_then(|real| ideal::folded(&out, (&values[..], &last.ideal), cols, real));
    Ok(Array {
        axes,
        lanes: Lanes::F32(out.into()),
        error,
        ideal,
    })
}

/// Reduces integers of 64 bits, whose sums wrap, and unsigned integers that are stored in them.
fn longs(op: AxisReduceOp, [rows, cols]: [usize; 2], values: &[i64]) -> Result<Vec<i64>, Trip> {
    let (first, step): (i64, fn(i64, i64) -> i64) = match op {
        AxisReduceOp::Sum => (0, i64::wrapping_add),
        AxisReduceOp::Max => (i64::MIN, i64::max),
        AxisReduceOp::Min => (i64::MAX, i64::min),
        AxisReduceOp::Prod
        | AxisReduceOp::Mean
        | AxisReduceOp::ArgMax
        | AxisReduceOp::ArgMin
        | AxisReduceOp::Any
        | AxisReduceOp::All => {
            return Err(Trip::malformed(format!(
                "`{}` of numbers of 64 bits",
                op_name(op)
            )))
        }
    };
    Ok((0..rows)
        .map(|row| {
            values[row * cols..(row + 1) * cols]
                .iter()
                .copied()
                .fold(first, step)
        })
        .collect())
}

/// Integer results with their errors.
type Whole = (Vec<i32>, Option<Arc<Vec<f64>>>);

/// Reduces integers. The order of a sum changes nothing, unless a partial sum may leave the type in
/// a mode that saturates.
fn whole(
    op: AxisReduceOp,
    meaning: &Reduction,
    [rows, cols]: [usize; 2],
    values: &[i32],
    errors: &[f64],
    overflow: Overflow,
) -> Result<Whole, Trip> {
    let step = match op {
        AxisReduceOp::Sum => i32::wrapping_add,
        AxisReduceOp::Prod => i32::wrapping_mul,
        AxisReduceOp::Max => i32::max,
        AxisReduceOp::Min => i32::min,
        AxisReduceOp::Mean
        | AxisReduceOp::ArgMax
        | AxisReduceOp::ArgMin
        | AxisReduceOp::Any
        | AxisReduceOp::All => {
            return Err(Trip::malformed(format!(
                "`{}` of integers, step by step",
                op_name(op)
            )));
        }
    };
    // All other reductions are independent of the order.
    let keeps: fn(&[i32]) -> bool = match op {
        AxisReduceOp::Sum => sum_keeps_its_type,
        AxisReduceOp::Prod => product_keeps_its_type,
        AxisReduceOp::Max
        | AxisReduceOp::Min
        | AxisReduceOp::Mean
        | AxisReduceOp::ArgMax
        | AxisReduceOp::ArgMin
        | AxisReduceOp::Any
        | AxisReduceOp::All => |_| true,
    };
    let (mut results, mut undecided) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    for row in 0..rows {
        let range = row * cols..(row + 1) * cols;
        let numbers = values.get(range.clone()).unwrap_or_default();
        results.push(numbers.iter().copied().fold(meaning.whole_neutral(), step));
        let carried = errors
            .get(range)
            .unwrap_or_default()
            .iter()
            .any(|e| *e > 0.0);
        let by_order = overflow == Overflow::Saturate && !keeps(numbers);
        undecided.push(if carried || by_order {
            f64::INFINITY
        } else {
            0.0
        });
    }
    let error = undecided
        .iter()
        .any(|e| *e > 0.0)
        .then(|| Arc::new(undecided));
    Ok((results, error))
}

/// True if no order of a sum leaves the type on its way.
fn sum_keeps_its_type(numbers: &[i32]) -> bool {
    let (below, above): (Vec<i64>, Vec<i64>) =
        numbers.iter().map(|v| i64::from(*v)).partition(|v| *v < 0);
    below.iter().sum::<i64>() >= i64::from(i32::MIN)
        && above.iter().sum::<i64>() <= i64::from(i32::MAX)
}

/// True if no order of a product leaves the type on its way.
fn product_keeps_its_type(numbers: &[i32]) -> bool {
    numbers
        .iter()
        .map(|v| f64::from(*v).abs().max(1.0))
        .product::<f64>()
        <= f64::from(i32::MAX)
}

fn op_name(op: AxisReduceOp) -> &'static str {
    Op::AxisReduce(op).name()
}

/// Returns the error of the reduction of a row.
fn error(op: AxisReduceOp, row: &[f32], errors: &[f64], dtype: DType, overflow: Overflow) -> f64 {
    // In the saturating mode each step changes numbers that are not finite, and the order decides
    // when.
    if overflow == Overflow::Saturate && dtype != DType::F32 && row.iter().any(|v| !v.is_finite()) {
        return f64::INFINITY;
    }
    let carried = errors.iter().copied().fold(0.0, f64::max);
    match op {
        AxisReduceOp::Prod => all(row, errors)
            .fold(Multiplied::NOTHING, Multiplied::with)
            .error(dtype),
        AxisReduceOp::Sum => all(row, errors)
            .fold(Added::NOTHING, Added::with)
            .error(dtype),
        _ => carried,
    }
}

/// Pairs elements with their errors.
pub(super) fn all<'e>(row: &'e [f32], errors: &'e [f64]) -> impl Iterator<Item = (f32, f64)> + 'e {
    row.iter()
        .enumerate()
        .map(|(at, v)| (*v, errors.get(at).copied().unwrap_or(0.0)))
}

/// The record of a sum's elements, from which its error follows.
#[derive(Clone, Copy)]
pub(super) struct Added {
    count: f64,
    /// The sum of the magnitudes of finite elements.
    magnitude: f64,
    /// The value of the lowest set bit of all elements; infinite for none.
    unit: f64,
    carried: f64,
    is_finite: bool,
    is_minus_zero: bool,
}

impl Added {
    pub const NOTHING: Added = Added {
        count: 0.0,
        magnitude: 0.0,
        unit: f64::INFINITY,
        carried: 0.0,
        is_finite: true,
        is_minus_zero: true,
    };

    pub fn with(self, (v, error): (f32, f64)) -> Added {
        let size = if v.is_finite() {
            f64::from(v.abs())
        } else {
            0.0
        };
        Added {
            count: self.count + 1.0,
            magnitude: self.magnitude + size,
            unit: if size == 0.0 {
                self.unit
            } else {
                self.unit.min(lowest_bit(size))
            },
            carried: self.carried + error,
            is_finite: self.is_finite && v.is_finite(),
            is_minus_zero: self.is_minus_zero && v == 0.0 && v.is_sign_negative(),
        }
    }

    /// Returns the distance to the sum in another order.
    pub fn error(self, dtype: DType) -> f64 {
        let (epsilon, tiny) = round::precision(dtype);
        if self.magnitude + self.carried > round::largest(dtype) {
            return f64::INFINITY;
        }
        // All elements are multiples of one power of two, and even the sum of their magnitudes fits
        // in the significand.
        let fits = self.is_finite
            && (self.unit.is_infinite() || self.magnitude / self.unit <= 1.0 / epsilon);
        if self.carried == 0.0 && (self.count <= 1.0 || fits) {
            // A chip may pad with zeros, which makes a sum of minus zeros plus zero. Either
            // sign is legal, and only a division shows it.
            return if self.is_minus_zero {
                f64::from_bits(1)
            } else {
                0.0
            };
        }
        // Each step of both orders rounds by half a unit. Sums of 16-bit floats lose no subnormal
        // part.
        self.carried + (self.count - 1.0) * epsilon * 1.01 * (self.magnitude + self.carried) + tiny
    }
}

/// The record of a product's elements, from which its error follows. Each step rounds once, and one
/// order may leave the type on its way where another does not.
#[derive(Clone, Copy)]
pub(super) struct Multiplied {
    count: i32,
    /// Products of the magnitudes of finite elements that are not 0. `above` and `below` take only
    /// the factors above and below 1.
    product: f64,
    above: f64,
    below: f64,
    /// The product of their odd parts.
    odd: f64,
    /// The largest possible product, relative to the computed one.
    carried: f64,
    is_carried: bool,
    /// True if an element is 0 or not finite.
    is_settled: bool,
}

impl Multiplied {
    pub const NOTHING: Multiplied = Multiplied {
        count: 0,
        product: 1.0,
        above: 1.0,
        below: 1.0,
        odd: 1.0,
        carried: 1.0,
        is_carried: false,
        is_settled: false,
    };

    pub fn with(self, (v, error): (f32, f64)) -> Multiplied {
        let counted = Multiplied {
            count: self.count.saturating_add(1),
            is_carried: self.is_carried || error > 0.0,
            ..self
        };
        let size = f64::from(v.abs());
        if !v.is_finite() || v == 0.0 {
            return Multiplied {
                is_settled: true,
                ..counted
            };
        }
        Multiplied {
            product: self.product * size,
            above: self.above * size.max(1.0),
            below: self.below * size.min(1.0),
            odd: self.odd * odd_part(size),
            carried: self.carried * (1.0 + error / size),
            ..counted
        }
    }

    /// Returns the distance to the product in another order.
    pub fn error(self, dtype: DType) -> f64 {
        let (epsilon, tiny) = round::precision(dtype);
        // A zero or a number that is not finite decides the product in every order. The exception
        // is an order in which a partial product becomes another such number.
        let leaves = self.above > round::largest(dtype) || self.below * epsilon <= tiny;
        if self.count > 1 && leaves || self.is_carried && self.is_settled {
            return f64::INFINITY;
        }
        if self.is_settled || !self.is_carried && (self.count <= 1 || self.odd <= 1.0 / epsilon) {
            return 0.0;
        }
        let rounded = (1.0 + epsilon * 1.01).powi(self.count - 1);
        let error = (self.carried * rounded * rounded - 1.0) * self.product;
        if self.above * self.carried > round::largest(dtype) || error.is_nan() {
            return f64::INFINITY;
        }
        error + tiny
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_whose_orders_agree_have_no_error() {
        let of = |row: &[f32]| error(AxisReduceOp::Sum, row, &[], DType::F32, Overflow::InfNan);
        assert_eq!(of(&[1.0, -2.0, 0.5, 4096.0]), 0.0);
        assert_eq!(of(&[0.0, 0.0]), 0.0);
        assert_eq!(of(&[-0.0, 0.0]), 0.0);
        assert!(of(&[-0.0, -0.0]) > 0.0 && of(&[-0.0, -0.0]) < f64::MIN_POSITIVE);
        // Carried errors are rounded as everywhere.
        let carried = |row: &[f32]| {
            error(
                AxisReduceOp::Sum,
                row,
                &[0.5, 0.5],
                DType::F32,
                Overflow::InfNan,
            )
        };
        assert_eq!(carried(&[-0.0, -0.0]), carried(&[0.0, 0.0]));
        // A sum of two 16-bit numbers may need one more bit than they have.
        let wide = error(
            AxisReduceOp::Sum,
            &[0.0, 0.0],
            &[12.0859375, 12.09765625],
            DType::F16,
            Overflow::InfNan,
        );
        assert!(wide >= 24.1875, "{wide}");
        assert_eq!(of(&[0.1]), 0.0);
        assert!(of(&[0.1, 0.2, 0.3]) > 0.0);
        assert!(of(&[16_777_216.0, 1.0]) > 0.0);
        assert_eq!(of(&[3e38, 3e38, -3e38]), f64::INFINITY);
        assert!(
            error(
                AxisReduceOp::Sum,
                &[2048.0, 1.0],
                &[],
                DType::F16,
                Overflow::InfNan
            ) > 0.0
        );
        assert_eq!(
            error(
                AxisReduceOp::Max,
                &[0.1, 0.3],
                &[],
                DType::F16,
                Overflow::InfNan
            ),
            0.0
        );
    }

    #[test]
    fn products_whose_orders_agree_have_no_error() {
        let of = |row: &[f32]| error(AxisReduceOp::Prod, row, &[], DType::F32, Overflow::InfNan);
        assert_eq!(of(&[3.0, -5.0, 0.5, 4096.0]), 0.0);
        assert_eq!(of(&[0.0, 3.3, 7.7]), 0.0);
        assert_eq!(of(&[0.1]), 0.0);
        assert_eq!(of(&[f32::INFINITY, 0.3, -0.7]), 0.0);
        assert!(of(&[0.1, 0.2, 0.3]) > 0.0 && of(&[0.1, 0.2, 0.3]) < 1e-8);
        assert_eq!(of(&[3e38, 3e38, 1e-38]), f64::INFINITY);
        assert_eq!(of(&[1e-38, 1e-38, 3e38]), f64::INFINITY);
    }

    #[test]
    fn a_place_is_undecided_where_another_order_of_sums_makes_elements_equal() {
        let axis = AxId(0);
        for (error, is_open) in [
            (0.0, false),
            (0.25, false),
            (0.5, true),
            (0.75, true),
            (f64::INFINITY, true),
        ] {
            let tile = Array {
                error: Some(Arc::new(vec![error; 2])),
                ..Array::new(vec![(axis, 2)], Lanes::F32(vec![1.0, 2.0].into()))
            };
            let found = place(&tile, &[axis], 0, |a, b| a > b).expect("a place");
            assert_eq!(found.is_open(), is_open, "{error}");
            assert!(
                matches!(&found.lanes, Lanes::I32(at) if at[..] == [1]),
                "{error}"
            );
        }
    }

    #[test]
    fn whole_sums_wrap_and_are_undecided_where_they_may_saturate_on_the_way() {
        let of = |op: AxisReduceOp, row: &[i32], overflow| {
            let Eval::Reduce(meaning) = Op::AxisReduce(op).def().eval else {
                panic!("a reduction")
            };
            let (results, error) =
                whole(op, &meaning, [1, row.len()], row, &[], overflow).expect("a fold");
            (results[0], error.is_some())
        };
        let (small, large) = ([i32::MAX - 1, 1, -5], [i32::MAX, 1, -5]);
        for overflow in [Overflow::InfNan, Overflow::Saturate] {
            assert_eq!(
                of(AxisReduceOp::Sum, &small, overflow),
                (i32::MAX - 5, false)
            );
            assert_eq!(of(AxisReduceOp::Sum, &[], overflow), (0, false));
            assert_eq!(of(AxisReduceOp::Max, &large, overflow), (i32::MAX, false));
            assert_eq!(of(AxisReduceOp::Max, &[], overflow), (i32::MIN, false));
            assert_eq!(of(AxisReduceOp::Min, &[], overflow), (i32::MAX, false));
        }
        assert_eq!(
            of(AxisReduceOp::Sum, &large, Overflow::InfNan),
            (i32::MAX - 4, false)
        );
        assert!(of(AxisReduceOp::Sum, &large, Overflow::Saturate).1);
    }
}
