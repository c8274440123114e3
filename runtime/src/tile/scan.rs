//! Running sums and products along an axis.

use super::array::{Array, Lanes};
use super::Trip;
use crate::Overflow;
use jumar_dsl::ir::AxId;
use jumar_dsl::ops::AxisReduceOp;
use std::sync::Arc;

/// Each element with all before it, by doubling. What a sum may lie away in another legal order adds up, and so do the roundings on the way; of a product
/// nothing is sure behind such an element.
pub(super) fn scan<'t>(from: &Array<'t>, op: AxisReduceOp, along: AxId, overflow: Overflow) -> Result<Array<'t>, Trip> {
    let (mut made, rows, cols) = from.reduced_last(&[along]);
    let errors = match (&mut made.lanes, op) {
        (Lanes::F32(values), AxisReduceOp::Sum) => {
            let error = made.error.as_ref().map(|e| sum_errors(e, values.iter().map(|v| f64::from(*v)), (rows, cols)));
            rows_of(values.to_mut(), cols, |a, b| a + b);
            error
        }
        (Lanes::F32(values), AxisReduceOp::Prod) => {
            rows_of(values.to_mut(), cols, |a, b| a * b);
            made.error.as_ref().map(|e| open_behind(e, cols))
        }
        (Lanes::I32(values), AxisReduceOp::Sum | AxisReduceOp::Prod) => {
            let join = |a: i32, b: i32| match (op, overflow) {
                (AxisReduceOp::Sum, Overflow::InfNan) => a.wrapping_add(b),
                (AxisReduceOp::Sum, Overflow::Saturate) => a.saturating_add(b),
                (_, Overflow::InfNan) => a.wrapping_mul(b),
                (_, Overflow::Saturate) => a.saturating_mul(b),
            };
            rows_of(values.to_mut(), cols, join);
            made.error.as_ref().map(|e| open_behind(e, cols))
        }
        _ => return Err(Trip::malformed("a scan of what is none of numbers, or by what is no sum or product")),
    };
    made.error = errors.map(Arc::new);
    made.ideal = None;
    Ok(made)
}

/// Joins each element of a row to the one 1, 2, 4 and so on before it.
fn rows_of<T: Copy>(values: &mut [T], cols: usize, join: impl Fn(T, T) -> T) {
    for row in values.chunks_mut(cols.max(1)) {
        let len = row.len();
        let steps = std::iter::successors(Some(1), |by| Some(by * 2)).take_while(|by| *by < len);
        for by in steps {
            // From the last on none is joined to one that is new.
            for i in (by..len).rev() {
                row[i] = join(row[i], row[i - by]);
            }
        }
    }
}

fn sum_errors(error: &[f64], values: impl Iterator<Item = f64>, (rows, cols): (usize, usize)) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mut out = Vec::with_capacity(error.len());
    for row in 0..rows {
        let (mut sum, mut size) = (0.0, 0.0);
        for at in row * cols..(row + 1) * cols {
            sum += error[at];
            size += values[at].abs() + error[at];
            let roundings = if sum == 0.0 { 0.0 } else { (cols as f64).log2().ceil() * size * f64::from(f32::EPSILON) };
            out.push(sum + roundings);
        }
    }
    out
}

/// Undecided from the first element on that is.
fn open_behind(error: &[f64], cols: usize) -> Vec<f64> {
    let rows = error.chunks(cols.max(1));
    let row = |row: &[f64]| {
        let first = row.iter().position(|e| *e > 0.0).unwrap_or(row.len());
        (0..row.len()).map(|at| if at < first { 0.0 } else { f64::INFINITY }).collect::<Vec<f64>>()
    };
    rows.flat_map(row).collect()
}
