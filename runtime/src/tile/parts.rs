//! Parts of sums: records that bound the order of a sum beyond one tile.
//!
//! An iteration adds the sum of its tile, and another cut has other parts. The error therefore
//! depends on everything that is summed. Beside its value, a part carries the number of its
//! elements, the sum of their magnitudes, and their lowest bit.
//!
//! A product with a number that is no part, a negation, a sum of parts and a cast to a wider float
//! keep the record. Any other op drops it.

use super::array::{Array, Lanes, Sized, Walk};
use super::round::{self, lowest_bit, odd_part};
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::AxId;

/// The record of one part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    /// The number of its elements, plus the roundings since.
    pub count: f64,
    /// The sum of their magnitudes.
    pub magnitude: f64,
    /// The value of the lowest set bit of its elements; infinite for none, 0 where it is unknown.
    pub unit: f64,
    /// Epsilon of the coarsest type on the way; `most` is the largest number of the narrowest one.
    pub epsilon: f64,
    pub most: f64,
}

/// The parts of a tile, one for each element.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    axes: Vec<Sized>,
    all: Vec<Part>,
}

impl Part {
    const NOTHING: Part = Part {
        count: 0.0,
        magnitude: 0.0,
        unit: f64::INFINITY,
        epsilon: 0.0,
        most: f64::INFINITY,
    };

    fn of(v: f32) -> Part {
        let size = f64::from(v).abs();
        let unit = if size == 0.0 {
            f64::INFINITY
        } else {
            lowest_bit(size)
        };
        Part {
            count: 1.0,
            magnitude: size,
            unit,
            ..Part::NOTHING
        }
    }

    fn plus(self, other: Part) -> Part {
        Part {
            count: self.count + other.count,
            magnitude: self.magnitude + other.magnitude,
            unit: self.unit.min(other.unit),
            epsilon: self.epsilon.max(other.epsilon),
            most: self.most.min(other.most),
        }
    }

    /// Adds the roundings of an op in a type.
    fn in_type(self, dtype: DType, rounded: f64) -> Part {
        let (epsilon, _) = round::precision(dtype);
        let (epsilon, most) = (
            self.epsilon.max(epsilon),
            self.most.min(round::largest(dtype)),
        );
        Part {
            count: self.count + rounded,
            epsilon,
            most,
            ..self
        }
    }

    fn times(self, by: f64) -> Part {
        let unit = if by == 0.0 {
            f64::INFINITY
        } else {
            self.unit * lowest_bit(by)
        };
        Part {
            magnitude: self.magnitude * by.abs(),
            unit: if unit.is_nan() { 0.0 } else { unit },
            ..self
        }
    }

    fn over(self, by: f64) -> Part {
        let unit = if odd_part(by) == 1.0 {
            self.unit / by.abs()
        } else {
            0.0
        };
        Part {
            magnitude: self.magnitude / by.abs(),
            unit,
            ..self
        }
    }
}

impl Parts {
    /// Sums a tile along some axes. Its elements may be parts themselves. Returns `None` for a tile
    /// that is no float.
    pub fn summed(
        tile: &Array<'_>,
        own: Option<&Parts>,
        over: &[AxId],
        dtype: DType,
    ) -> Option<Parts> {
        let (last, rows, cols) = tile.reduced_last(over);
        let Lanes::F32(values) = &last.lanes else {
            return None;
        };
        let before = own.map(|own| own.expand(&last.axes));
        let row = |row: usize| {
            let all = (row * cols..(row + 1) * cols).map(|at| {
                before
                    .as_ref()
                    .map_or_else(|| Part::of(values[at]), |own| own.all[at])
            });
            all.fold(Part::NOTHING, Part::plus).in_type(dtype, 0.0)
        };
        let axes = tile
            .axes
            .iter()
            .filter(|(ax, _)| !over.contains(ax))
            .copied()
            .collect();
        Some(Parts {
            axes,
            all: (0..rows).map(row).collect(),
        })
    }

    /// Adds two tiles of parts.
    pub fn added(&self, other: &Parts, axes: &[Sized], dtype: DType) -> Parts {
        let (a, b) = (self.expand(axes), other.expand(axes));
        let all = a
            .all
            .iter()
            .zip(&b.all)
            .map(|(a, b)| a.plus(*b).in_type(dtype, 1.0))
            .collect();
        Parts {
            axes: axes.to_vec(),
            all,
        }
    }

    /// Multiplies or divides by a tile that has no parts.
    pub fn scaled(&self, by: &[f32], is_quotient: bool, axes: &[Sized], dtype: DType) -> Parts {
        let own = self.expand(axes);
        let one = |(part, by): (&Part, &f32)| match is_quotient {
            true => part.over(f64::from(*by)),
            false => part.times(f64::from(*by)),
        };
        Parts {
            axes: axes.to_vec(),
            all: own
                .all
                .iter()
                .zip(by)
                .map(one)
                .map(|part| part.in_type(dtype, 1.0))
                .collect(),
        }
    }

    /// Casts to a float type that loses nothing.
    pub fn cast(&self, dtype: DType) -> Parts {
        Parts {
            axes: self.axes.clone(),
            all: self
                .all
                .iter()
                .map(|part| part.in_type(dtype, 0.0))
                .collect(),
        }
    }

    /// Broadcasts along missing axes.
    fn expand(&self, axes: &[Sized]) -> Parts {
        let stride = |axis: AxId| match self.axes.iter().position(|(ax, _)| *ax == axis) {
            Some(at) => self.axes[at + 1..]
                .iter()
                .map(|(_, n)| *n as isize)
                .product(),
            None => 0,
        };
        let walk = Walk::new(0, axes.iter().map(|(ax, n)| (*n, stride(*ax))).collect());
        Parts {
            axes: axes.to_vec(),
            all: walk.gather(&self.all),
        }
    }

    /// Returns the parts over axes, in their order.
    pub fn over(&self, axes: &[Sized]) -> Vec<Part> {
        self.expand(axes).all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_keeps_what_it_is_the_sum_of() {
        let (r, d) = ((AxId(0), 2), (AxId(1), 3));
        let tile = Array::new(
            vec![r, d],
            Lanes::F32(vec![1.0, -2.0, 0.5, 0.0, 4.0, -4.0].into()),
        );
        let parts = Parts::summed(&tile, None, &[AxId(1)], DType::F32).expect("floats");
        let of = |parts: &Parts| {
            parts
                .over(&[r])
                .iter()
                .map(|p| (p.count, p.magnitude, p.unit))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&parts), [(3.0, 3.5, 0.5), (3.0, 8.0, 4.0)]);
        let scaled = parts.scaled(&[2.0, 3.0], false, &[r], DType::F32);
        assert_eq!(of(&scaled), [(4.0, 7.0, 1.0), (4.0, 24.0, 4.0)]);
        assert_eq!(
            of(&parts.scaled(&[2.0, 3.0], true, &[r], DType::F32))[1].2,
            0.0
        );
        assert_eq!(
            of(&parts.added(&scaled, &[r], DType::F32))[0],
            (8.0, 10.5, 0.5)
        );
        // The coarsest type on the way counts.
        assert_eq!(
            parts.cast(DType::F16).cast(DType::F32).over(&[r])[0].epsilon,
            2f64.powi(-10)
        );
    }
}
