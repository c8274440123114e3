//! Stores element by element: sums and equal stores of several iterations to one element, and tiles
//! that lie partly outside of a tensor.
//!
//! Iterations add in any order, and an iteration may add the sum of its tile. Where bounds are
//! wanted, each element of a tensor therefore records what its sum is made of (`Sum`). The error
//! follows from that record, as for the order of a reduction.

use super::array::{Array, Lanes, Sized};
use super::gm::{Place, Tensor, Written};
use super::parts::{Part, Parts};
use super::round::{self, lowest_bit, odd_part};
use super::Trip;
use crate::Overflow;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::{DType, RoundMode};
use std::sync::Arc;

/// The way in which a tile is added.
#[derive(Clone, Copy)]
pub(super) struct Adding<'p> {
    pub overflow: Overflow,
    /// Carries bounds for what the order may change.
    pub bounded: bool,
    /// True if an iteration adds a part of its tile, so that another cut has other parts.
    pub is_part: bool,
    /// The sums that the elements are, where they are sums.
    pub parts: Option<&'p Parts>,
}

/// The record of a sum: everything that its error depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    /// The number of additions.
    steps: f64,
    /// The sum of all magnitudes.
    magnitude: f64,
    /// The value of the lowest set bit of all addends; 0 for none.
    unit: f64,
    /// The sum of the errors of the addends.
    carried: f64,
    /// Epsilon of the coarsest type in which parts were computed; `most` is the largest number of
    /// the narrowest one.
    epsilon: f64,
    most: f64,
    /// True if the error is unbounded.
    is_open: bool,
}

impl Default for Sum {
    fn default() -> Self {
        Sum {
            steps: 0.0,
            magnitude: 0.0,
            unit: 0.0,
            carried: 0.0,
            epsilon: 0.0,
            most: f64::INFINITY,
            is_open: false,
        }
    }
}

impl Sum {
    /// Records a single number.
    fn of(v: f64, error: f64) -> Sum {
        Sum {
            magnitude: v.abs(),
            unit: lowest_bit(v),
            carried: error,
            ..Sum::default()
        }
    }

    fn plus(self, v: f64, error: f64, adding: Adding<'_>, part: Option<Part>) -> Sum {
        let bends = adding.overflow == Overflow::Saturate && !v.is_finite();
        // A part is a single number here. Without a record of its elements, two parts have no
        // bound.
        let is_unknown = adding.is_part && part.is_none() && self.magnitude > 0.0;
        let alone = Part {
            count: 1.0,
            magnitude: v.abs(),
            unit: lowest_bit(v),
            epsilon: 0.0,
            most: f64::INFINITY,
        };
        let part = part.unwrap_or(alone);
        // Zeros have an infinite lowest bit in `Part`, and 0 in `Sum`.
        let bit = if part.unit.is_infinite() {
            0.0
        } else {
            part.unit
        };
        let is_inexact = part.unit == 0.0 && part.magnitude > 0.0;
        let unit = if self.unit == 0.0 || (bit != 0.0 && bit < self.unit) {
            bit
        } else {
            self.unit
        };
        Sum {
            steps: self.steps + part.count,
            magnitude: self.magnitude + part.magnitude.max(v.abs()),
            unit: if is_inexact { f64::MIN_POSITIVE } else { unit },
            carried: self.carried + error,
            epsilon: self.epsilon.max(part.epsilon),
            most: self.most.min(part.most),
            is_open: self.is_open || bends || is_unknown,
        }
    }

    /// Returns the distance to the sum in another order.
    fn error(self, dtype: DType) -> f64 {
        let (epsilon, tiny) = round::precision(dtype);
        let epsilon = epsilon.max(self.epsilon);
        if self.is_open || self.magnitude + self.carried > round::largest(dtype).min(self.most) {
            return f64::INFINITY;
        }
        // Multiples of one bit whose magnitudes fit in the significand add exactly in every order.
        if self.carried == 0.0 && (self.unit == 0.0 || self.magnitude / self.unit <= 1.0 / epsilon)
        {
            return 0.0;
        }
        self.carried + self.steps * epsilon * 1.01 * (self.magnitude + self.carried) + tiny
    }
}

/// Returns a cross-core accumulator after a merge, with the error that the order of all its merges
/// makes.
pub(super) fn merged<'t>(
    sums: &mut Vec<Sum>,
    [old, new]: [&Array<'t>; 2],
    adding: Adding<'_>,
    dtype: DType,
) -> Array<'t> {
    let new = new.expand(&old.axes);
    let (Lanes::F32(before), Lanes::F32(after)) = (&old.lanes, &new.lanes) else {
        return new;
    };
    let error = |of: &Array<'t>, at: usize| of.error.as_ref().map_or(0.0, |e| e[at]);
    if sums.is_empty() {
        *sums = before
            .iter()
            .enumerate()
            .map(|(at, v)| Sum::of(f64::from(*v), error(old, at)))
            .collect();
    }
    let known = adding.parts.map(|parts| parts.over(&old.axes));
    let parts = before
        .iter()
        .zip(after.iter())
        .map(|(old, new)| f64::from(*new) - f64::from(*old));
    for (at, (sum, part)) in sums.iter_mut().zip(parts).enumerate() {
        let own = error(&new, at) - error(old, at);
        let known = known.as_ref().map(|all| all[at]);
        *sum = sum.plus(
            part,
            if own.is_nan() {
                f64::INFINITY
            } else {
                own.max(0.0)
            },
            adding,
            known,
        );
    }
    let errors: Vec<f64> = sums.iter().map(|sum| sum.error(dtype)).collect();
    Array {
        error: errors.iter().any(|e| *e > 0.0).then(|| Arc::new(errors)),
        ..new
    }
}

/// The margin of bits below which a join counts as exact: the elements of the iteration may have
/// lower bits than their sum by this factor.
const FINER: f64 = 64.0;

/// An accumulator to which an iteration of `indices` indices adds something, or which it
/// multiplies.
pub(super) struct Joined<'a, 't> {
    pub is_product: bool,
    pub old: &'a Array<'t>,
    /// The addend or factor.
    pub part: &'a Array<'t>,
    pub new: &'a Array<'t>,
    pub indices: f64,
    pub dtype: DType,
}

impl<'t> Joined<'_, 't> {
    /// Returns the new value with its error. Another cut joins more often, with a rounding each
    /// time. Where the old value is 0, only the part is rounded, and its own reduction has that
    /// error.
    pub fn with_error(&self) -> Array<'t> {
        let (old, part) = (
            self.old.expand(&self.new.axes),
            self.part.expand(&self.new.axes),
        );
        let (Lanes::F32(before), Lanes::F32(joined), Lanes::F32(after)) =
            (&old.lanes, &part.lanes, &self.new.lanes)
        else {
            return self.new.clone();
        };
        let error = |of: &Array<'t>, at: usize| of.error.as_ref().map_or(0.0, |e| e[at]);
        let (epsilon, tiny) = round::precision(self.dtype);
        let spread = |at: usize| {
            let [from, part, to] = [before[at], joined[at], after[at]].map(f64::from);
            let carried = error(self.new, at);
            let bits = match self.is_product {
                true => odd_part(from) * odd_part(part),
                false => from.abs().max(part.abs()).max(to.abs()) / finest(from, part),
            };
            let is_exact = carried == 0.0 && bits * FINER <= 1.0 / epsilon;
            if is_exact
                || from == 0.0 && error(&old, at) == 0.0
                || carried.is_infinite()
                || from.is_nan()
            {
                return carried;
            }
            let magnitude = from.abs().max(to.abs());
            carried + self.indices * epsilon * 1.01 * (magnitude + carried) + tiny
        };
        let errors: Vec<f64> = (0..after.len()).map(spread).collect();
        Array {
            error: errors.iter().any(|e| *e > 0.0).then(|| Arc::new(errors)),
            ..self.new.clone()
        }
    }
}

/// Returns the value of the lowest bit of two numbers; infinite for zeros.
fn finest(a: f64, b: f64) -> f64 {
    [a, b]
        .map(lowest_bit)
        .into_iter()
        .filter(|bit| *bit > 0.0)
        .fold(f64::INFINITY, f64::min)
}

/// The stores that one element may get twice in a phase.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// Equal numbers only.
    Alike,
    /// No second store.
    Never,
}

impl<'t> Tensor<'t> {
    /// Makes the elements zeros for a sum, where no caller gives them.
    pub fn begin_sum(&mut self) {
        // Elements without a value are zeros in storage.
        if !matches!(self.written, Written::Some(_)) {
            self.written = Written::All;
        }
    }

    /// Begins a loop, after all stores of those before.
    pub fn begin_phase(&mut self) {
        self.any.clear();
    }

    /// Marks all elements: in another order of a sum, a store may reach any of them or not.
    pub fn open_all(&mut self) {
        self.error = Some(Arc::new(vec![f64::INFINITY; self.len()]));
        self.sums.iter_mut().for_each(|sum| sum.is_open = true);
    }

    /// Returns the element of each place; all of them lie inside.
    fn inside(&self, places: &[Place], axes: &[Sized]) -> Result<Vec<usize>, Trip> {
        let all = self
            .places(places, axes)?
            .into_iter()
            .collect::<Option<Vec<usize>>>();
        all.ok_or_else(|| {
            Trip::new(
                Code::J0801,
                format!(
                    "a store to `{}` at an index that it does not have",
                    self.name
                ),
            )
        })
    }

    /// Adds a tile, element by element; an element that is named twice gets both.
    pub fn add(
        &mut self,
        places: &[Place],
        axes: &[Sized],
        tile: &Array<'t>,
        adding: Adding<'_>,
    ) -> Result<(), Trip> {
        let at = self.inside(places, axes)?;
        if let Some(at) = at.iter().find(|at| !self.is_written(**at)) {
            let message = format!(
                "`{}` has no value at element {at}, to which something is added",
                self.name
            );
            return Err(Trip::new(Code::J0802, message));
        }
        let tile = tile.expand(axes);
        self.ideal = None;
        if adding.bounded || tile.error.is_some() || self.error.is_some() {
            self.judge(&at, &tile, adding);
        }
        let (dtype, overflow) = (self.dtype, adding.overflow);
        match (&mut self.lanes, &tile.lanes) {
            (Lanes::F32(old), Lanes::F32(new)) => {
                let old = old.to_mut();
                for (at, new) in at.iter().zip(new.iter()) {
                    let sum = f64::from(old[*at]) + f64::from(*new);
                    old[*at] = round::to_float(sum, dtype, RoundMode::Rint, overflow);
                }
            }
            (Lanes::I32(old), Lanes::I32(new)) => {
                let old = old.to_mut();
                for (at, new) in at.iter().zip(new.iter()) {
                    let sum = old[*at].wrapping_add(*new);
                    old[*at] = round::to_whole(dtype, sum.into(), Overflow::InfNan);
                }
            }
            _ => {
                return Err(Trip::malformed(format!(
                    "a tile of another kind is added to `{}`",
                    self.name
                )))
            }
        }
        Ok(())
    }

    /// Records the error that the order makes, before the tile is added.
    fn judge(&mut self, at: &[usize], tile: &Array<'t>, adding: Adding<'_>) {
        let (len, dtype) = (self.len(), self.dtype);
        let Tensor {
            lanes, error, sums, ..
        } = self;
        let (Lanes::F32(old), Lanes::F32(new)) = (&*lanes, &tile.lanes) else {
            // Integers wrap alike in every order; marks are carried on.
            return carry(error, len, at, tile);
        };
        let errors = Arc::make_mut(error.get_or_insert_with(|| Arc::new(vec![0.0; len])));
        if sums.is_empty() {
            *sums = old
                .iter()
                .zip(errors.iter())
                .map(|(v, e)| Sum::of(f64::from(*v), *e))
                .collect();
        }
        let known = adding.parts.map(|parts| parts.over(&tile.axes));
        for (nth, (at, new)) in at.iter().zip(new.iter()).enumerate() {
            // A plain store came in between, so the record starts again.
            if sums[*at].steps == 0.0 {
                sums[*at] = Sum::of(f64::from(old[*at]), errors[*at]);
            }
            let own = tile.error.as_ref().map_or(0.0, |e| e[nth]);
            sums[*at] = sums[*at].plus(
                f64::from(*new),
                own,
                adding,
                known.as_ref().map(|all| all[nth]),
            );
            errors[*at] = sums[*at].error(dtype);
        }
        if errors.iter().all(|e| *e == 0.0) {
            *error = None;
        }
    }

    /// Writes a tile and checks it against the recorded stores of this phase.
    pub fn store_again(
        &mut self,
        places: &[Place],
        axes: &[Sized],
        tile: &Array<'t>,
        again: Again,
    ) -> Result<(), Trip> {
        let at = self.inside(places, axes)?;
        let tile = tile.expand(axes);
        if self.any.is_empty() {
            self.any = vec![false; self.len()];
        }
        let differs = match (&mut self.lanes, &tile.lanes) {
            (Lanes::F32(old), Lanes::F32(new)) => {
                put(old.to_mut(), new, &at, (&mut self.any, again), |v| {
                    u64::from(v.to_bits())
                })
            }
            (Lanes::I32(old), Lanes::I32(new)) => {
                put(old.to_mut(), new, &at, (&mut self.any, again), |v| v as u64)
            }
            (Lanes::I64(old), Lanes::I64(new)) => {
                put(old.to_mut(), new, &at, (&mut self.any, again), |v| v as u64)
            }
            _ => {
                return Err(Trip::malformed(format!(
                    "a tile of another kind is stored to `{}`",
                    self.name
                )))
            }
        };
        if let Some(at) = differs {
            let name = &self.name;
            let message = match again {
                Again::Alike => {
                    format!("two iterations store different numbers to element {at} of `{name}` with `store_any`: nothing decides which stays")
                }
                Again::Never => {
                    format!("element {at} of `{name}` is stored twice in a loop, which `store_disjoint` promises not to do")
                }
            };
            return Err(Trip::new(Code::J0809, message));
        }
        if again == Again::Alike {
            self.alike.extend(&at);
        }
        self.replaced(at.into_iter().enumerate(), &tile);
        Ok(())
    }

    /// Writes the elements of a tile that lie inside of the tensor.
    pub fn store_inside(
        &mut self,
        places: &[Place],
        axes: &[Sized],
        tile: &Array<'t>,
    ) -> Result<(), Trip> {
        let tile = tile.expand(axes);
        let all = self.places(places, axes)?.into_iter().enumerate();
        let at: Vec<(usize, usize)> = all.filter_map(|(nth, at)| at.map(|at| (nth, at))).collect();
        match (&mut self.lanes, &tile.lanes) {
            (Lanes::F32(old), Lanes::F32(new)) => put_some(old.to_mut(), new, &at),
            (Lanes::I32(old), Lanes::I32(new)) => put_some(old.to_mut(), new, &at),
            (Lanes::I64(old), Lanes::I64(new)) => put_some(old.to_mut(), new, &at),
            _ => {
                return Err(Trip::malformed(format!(
                    "a tile of another kind is stored to `{}`",
                    self.name
                )))
            }
        }
        self.replaced(at.into_iter(), &tile);
        Ok(())
    }

    /// Records errors and ideals of stored elements.
    fn replaced(&mut self, at: impl Iterator<Item = (usize, usize)> + Clone, tile: &Array<'t>) {
        let len = self.len();
        self.ideal = None;
        if self.error.is_some() || tile.error.is_some() {
            let errors = Arc::make_mut(self.error.get_or_insert_with(|| Arc::new(vec![0.0; len])));
            at.clone()
                .for_each(|(nth, at)| errors[at] = tile.error.as_ref().map_or(0.0, |e| e[nth]));
        }
        if let Written::None = self.written {
            self.written = Written::Some(vec![false; len]);
        }
        if let Written::Some(written) = &mut self.written {
            at.clone().for_each(|(_, at)| written[at] = true);
        }
        if !self.sums.is_empty() {
            at.for_each(|(_, at)| self.sums[at] = Sum::default());
        }
    }
}

/// Writes elements of a tile to their places.
fn put_some<T: Copy>(old: &mut [T], new: &[T], at: &[(usize, usize)]) {
    at.iter().for_each(|(nth, at)| old[*at] = new[*nth]);
}

/// Writes elements to their places. Returns the first one that was written before and allows no
/// other value.
fn put<T: Copy>(
    old: &mut [T],
    new: &[T],
    at: &[usize],
    (any, again): (&mut [bool], Again),
    bits: impl Fn(T) -> u64,
) -> Option<usize> {
    let mut differs = None;
    for (at, new) in at.iter().zip(new) {
        if any[*at] && (again == Again::Never || bits(old[*at]) != bits(*new)) {
            differs = differs.or(Some(*at));
        }
        (old[*at], any[*at]) = (*new, true);
    }
    differs
}

/// Carries marks: a sum with an undecided addend is undecided.
fn carry(error: &mut super::array::Errors, len: usize, at: &[usize], tile: &Array<'_>) {
    let Some(own) = &tile.error else { return };
    let errors = Arc::make_mut(error.get_or_insert_with(|| Arc::new(vec![0.0; len])));
    at.iter()
        .zip(own.iter())
        .for_each(|(at, own)| errors[*at] += if *own > 0.0 { f64::INFINITY } else { 0.0 });
}
