//! Finds the places of the largest elements along an axis.

use super::array::{Array, Lanes, Sized};
use super::round::to_elements;
use super::Trip;
use crate::Overflow;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::AxId;
use std::sync::Arc;

/// Returns as many places along an axis as another axis has indices. They are in falling order; of
/// equal elements the first comes first. A place is undecided where another legal order of a sum
/// may bring another element there.
pub(super) fn top<'t>(
    (from, dtype, overflow): (&Array<'t>, DType, Overflow),
    along: AxId,
    (to, most): (AxId, usize),
    axes: &[Sized],
) -> Result<Array<'t>, Trip> {
    let (last, rows, cols) = from.reduced_last(&[along]);
    let Lanes::F32(values) = &last.lanes else {
        return Err(Trip::malformed("the order of what is no float"));
    };
    // The step that makes -0 a 0 also saturates infinities, in the mode that saturates.
    let mut scores = values.to_vec();
    to_elements(dtype, &mut scores, overflow);
    if most > cols {
        return Err(Trip::new(
            Code::J0801,
            format!("{most} places are asked for, of an axis of {cols}"),
        ));
    }
    let (mut places, mut undecided) = (
        Vec::with_capacity(rows * most),
        Vec::with_capacity(rows * most),
    );
    for row in 0..rows {
        let scores = &scores[row * cols..(row + 1) * cols];
        let value = |at: usize| {
            if scores[at].is_nan() {
                f64::INFINITY
            } else {
                f64::from(scores[at])
            }
        };
        let error = |at: usize| last.error.as_ref().map_or(0.0, |e| e[row * cols + at]);
        let nan = scores.iter().position(|v| v.is_nan());
        if let Some(at) = nan.filter(|at| error(*at) == 0.0) {
            return Err(Trip::malformed(format!(
                "element {at} of what is ordered is nan"
            )));
        }
        let mut order: Vec<usize> = (0..cols).collect();
        order.sort_by(|a, b| {
            value(*b)
                .partial_cmp(&value(*a))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        places.extend(order[..most].iter().map(|at| *at as i32));
        // Another order of a sum may decide whether an element is nan.
        let open = if nan.is_some() {
            vec![true; cols]
        } else {
            open(&order, value, error)
        };
        undecided.extend(open.into_iter().take(most));
    }
    let mut own: Vec<Sized> = from
        .axes
        .iter()
        .filter(|(ax, _)| *ax != along)
        .copied()
        .collect();
    own.push((to, most));
    let error = undecided.contains(&true).then(|| {
        undecided
            .iter()
            .map(|open| if *open { f64::INFINITY } else { 0.0 })
            .collect()
    });
    let found = Array {
        error: error.map(Arc::new),
        ..Array::new(own, Lanes::I32(places.into()))
    };
    Ok(found.expand(axes))
}

/// Returns the ranks that may change: those of elements whose intervals overlap with one before or
/// after them.
fn open(order: &[usize], value: impl Fn(usize) -> f64, error: impl Fn(usize) -> f64) -> Vec<bool> {
    if order.iter().all(|at| error(*at) == 0.0) {
        return vec![false; order.len()];
    }
    let ends = |at: usize| [value(at) - error(at), value(at) + error(at)];
    let mut open = vec![false; order.len()];
    let mut least = f64::INFINITY;
    for (rank, at) in order.iter().enumerate() {
        let [low, high] = ends(*at);
        open[rank] = rank > 0 && least.partial_cmp(&high) != Some(std::cmp::Ordering::Greater);
        least = least.min(low);
    }
    let mut most = f64::NEG_INFINITY;
    for (rank, at) in order.iter().enumerate().rev() {
        let [low, high] = ends(*at);
        open[rank] |=
            rank + 1 < order.len() && most.partial_cmp(&low) != Some(std::cmp::Ordering::Less);
        most = most.max(high);
    }
    open
}
