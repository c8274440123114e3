//! Chooses elements of a tile by their index along an axis.

use super::array::{Array, Errors, Lanes, Sized, Walk};
use super::Trip;
use jumar_dsl::diag::Code;
use jumar_dsl::ir::AxId;
use std::sync::Arc;

/// The chosen indices.
pub(super) enum Chosen<'a, 't> {
    /// The elements at one index.
    One(i64),
    /// The elements at indices `first`, `first + apart`, .. along an axis.
    Along { ax: AxId, first: i64, apart: i64 },
    /// The elements at a tile of indices.
    Of(&'a Array<'t>),
}

/// Returns the errors of elements that are chosen by the ranks of their own order. An element of
/// one rank moves no further than the element of the row that moves most. `None` where all are
/// exact.
pub(super) fn ranked(from: &Array<'_>, along: AxId, axes: &[Sized]) -> Errors {
    let (last, rows, cols) = from.reduced_last(&[along]);
    let Lanes::F32(values) = &last.lanes else {
        return None;
    };
    let of = |row: usize| {
        let own = row * cols..(row + 1) * cols;
        let far = last
            .error
            .as_ref()
            .map_or(0.0, |e| e[own.clone()].iter().copied().fold(0.0, f64::max));
        if far > 0.0 && values[own].iter().any(|v| !v.is_finite()) {
            return f64::INFINITY;
        }
        far
    };
    let outer: Vec<Sized> = from
        .axes
        .iter()
        .filter(|(ax, _)| *ax != along)
        .copied()
        .collect();
    let error = from
        .error
        .is_some()
        .then(|| Arc::new((0..rows).map(of).collect()));
    let rows = Array {
        error,
        ..Array::new(outer, Lanes::F32(vec![0.0; rows].into()))
    };
    rows.expand(axes).error
}

/// Returns the elements of `from` that are chosen along an axis, over the axes of the result.
pub(super) fn pick<'t>(
    from: &Array<'t>,
    along: AxId,
    chosen: &Chosen<'_, '_>,
    axes: Vec<Sized>,
) -> Result<Array<'t>, Trip> {
    let Some((_, n)) = from.axes.iter().find(|(ax, _)| *ax == along) else {
        return Err(Trip::malformed(
            "a choice along an axis that the tile does not have",
        ));
    };
    let inside = |at: i64| match usize::try_from(at).ok().filter(|at| at < n) {
        Some(at) => Ok(at * from.stride(along) as usize),
        None => Err(Trip::new(
            Code::J0801,
            format!("an index of `pick` is {at}, of an axis of {n}"),
        )),
    };
    if *n == 0 {
        inside(0)?;
    }
    // The walk finds the element with index 0. An index along the axis itself selects no place of
    // the source.
    let step = |ax: AxId| if ax == along { 0 } else { from.stride(ax) };
    let walk = Walk::new(
        0,
        axes.iter().map(|(ax, size)| (*size, step(*ax))).collect(),
    );
    let places: Vec<usize> = (0..from.axes.iter().map(|(_, n)| n).product()).collect();
    let mut places = walk.gather(&places);
    let mut undecided = Vec::new();
    match chosen {
        Chosen::One(at) => {
            let at = if places.is_empty() { 0 } else { inside(*at)? };
            places.iter_mut().for_each(|place| *place += at);
        }
        Chosen::Along { ax, first, apart } => {
            let count = axes
                .iter()
                .find(|(own, _)| own == ax)
                .map_or(0, |(_, n)| *n);
            // No axis has an index beyond this type.
            let at = |i: i64| {
                first
                    .saturating_add(i.saturating_mul(*apart))
                    .clamp(-1, i64::from(i32::MAX)) as i32
            };
            let ids = Array::new(
                vec![(*ax, count)],
                Lanes::I32((0..count as i64).map(at).collect::<Vec<i32>>().into()),
            );
            return pick(from, along, &Chosen::Of(&ids), axes);
        }
        Chosen::Of(ids) => {
            let ids = ids.expand(&axes);
            let Lanes::I32(values) = &ids.lanes else {
                return Err(Trip::malformed("indices that are no i32"));
            };
            for (place, at) in places.iter_mut().zip(values.iter()) {
                *place += inside(i64::from(*at))?;
            }
            undecided.extend(ids.error.iter().flat_map(|e| e.iter().map(|e| *e != 0.0)));
        }
    }
    let mut error: Option<Vec<f64>> = from
        .error
        .as_ref()
        .map(|e| places.iter().map(|at| e[*at]).collect());
    if undecided.contains(&true) {
        // Another legal order of a sum may choose another element.
        let own = error.get_or_insert_with(|| vec![0.0; places.len()]);
        own.iter_mut()
            .zip(undecided)
            .filter(|(_, open)| *open)
            .for_each(|(e, _)| *e = f64::INFINITY);
    }
    let ideal = from
        .ideal
        .as_ref()
        .map(|all| Arc::new(places.iter().map(|at| all[*at]).collect()));
    Ok(Array {
        axes,
        lanes: from.lanes.read_at(&places),
        error: error.map(Arc::new),
        ideal,
    })
}
