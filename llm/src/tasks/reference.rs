//! Inputs and results of references: f64 numbers in row-major order.
//!
//! A reference knows the header's names and the element types of a case, and nothing of tiles or
//! ops. Roundings are counted in units of a size, by default that of the result. A reference may
//! give a larger size: that of the numbers from which the result was computed. For a sum that is
//! the sum of the magnitudes.

use super::data::Sizes;
pub use jumar::dsl::dtype::DType;
use std::collections::BTreeMap;
use std::ops::Index;

/// The inputs of a case.
#[derive(Debug)]
pub struct Given {
    /// Elements by the name of the tensor.
    pub tensors: BTreeMap<String, Vec<f64>>,
    /// Attributes that are numbers.
    pub numbers: BTreeMap<String, f64>,
    /// Attributes that are one of several names.
    pub names: BTreeMap<String, String>,
    /// Sizes of the axes.
    pub sizes: Sizes,
    /// Element types, `T` first.
    pub types: Vec<DType>,
}

impl Given {
    /// Returns the elements of an optional input.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.tensors.get(name).map(Vec::as_slice)
    }

    /// Returns an attribute as a number; `true` is 1.
    pub fn number(&self, name: &str) -> f64 {
        *self
            .numbers
            .get(name)
            .unwrap_or_else(|| panic!("no attribute `{name}`"))
    }

    /// Returns the variant of an enum attribute.
    pub fn name(&self, of: &str) -> &str {
        self.names
            .get(of)
            .unwrap_or_else(|| panic!("no attribute `{of}` of names"))
    }

    /// Returns the size of an axis, or an attribute that is a size.
    pub fn size(&self, name: &str) -> usize {
        self.sizes.get(name)
    }

    /// Applies a function to each element.
    pub fn map(&self, name: &str, f: impl Fn(f64) -> f64) -> Vec<f64> {
        self[name].iter().map(|v| f(*v)).collect()
    }

    /// Applies a function to each pair of elements.
    pub fn zip<T>(&self, (a, b): (&str, &str), f: impl Fn(f64, f64) -> T) -> Vec<T> {
        self[a]
            .iter()
            .zip(&self[b])
            .map(|(a, b)| f(*a, *b))
            .collect()
    }
}

impl Index<&str> for Given {
    type Output = [f64];

    fn index(&self, name: &str) -> &[f64] {
        self.get(name)
            .unwrap_or_else(|| panic!("no tensor `{name}`"))
    }
}

/// A result: its elements, and the sizes behind them.
#[derive(Debug)]
pub struct Wanted {
    /// The elements of the result.
    pub values: Vec<f64>,
    /// For each element, the size of the numbers from which it was computed.
    pub sizes: Vec<f64>,
}

/// The results by name.
#[derive(Debug, Default)]
pub struct Due(pub BTreeMap<&'static str, Wanted>);

/// Makes one result, computed from numbers of its own size.
pub fn due(name: &'static str, values: Vec<f64>) -> Due {
    Due::default().and(name, values)
}

/// Makes one result, with the size behind each element.
pub fn due_of(name: &'static str, values: Vec<f64>, sizes: Vec<f64>) -> Due {
    Due::default().and_of(name, values, sizes)
}

/// Makes one result, computed from numbers of at least this size.
pub fn due_about(name: &'static str, values: Vec<f64>, least: f64) -> Due {
    let sizes = values.iter().map(|v| v.abs().max(least)).collect();
    due_of(name, values, sizes)
}

impl Due {
    /// Adds a result that was computed from numbers of its own size.
    pub fn and(self, name: &'static str, values: Vec<f64>) -> Due {
        let sizes = values.iter().map(|v| v.abs()).collect();
        self.and_of(name, values, sizes)
    }

    /// Adds a result with sizes.
    pub fn and_of(mut self, name: &'static str, values: Vec<f64>, sizes: Vec<f64>) -> Due {
        assert_eq!(values.len(), sizes.len(), "sizes of `{name}`");
        self.0.insert(name, Wanted { values, sizes });
        self
    }
}

impl Due {
    /// Adds a result as pairs of an element and its size.
    pub fn and_pairs(self, name: &'static str, pairs: Vec<(f64, f64)>) -> Due {
        let (values, sizes) = unzip(pairs);
        self.and_of(name, values, sizes)
    }

    /// Adds the results `mean` and `rstd` of rows.
    pub fn and_moments(self, rows: &[Moments]) -> Due {
        let mean = rows.iter().map(|r| (r.mean, r.size)).collect();
        let rstd = rows
            .iter()
            .map(|r| (r.rstd, r.rstd * (1.0 + r.size * r.rstd)))
            .collect();
        self.and_pairs("mean", mean).and_pairs("rstd", rstd)
    }
}

/// The moments of a row.
pub struct Moments {
    /// The mean of the row.
    pub mean: f64,
    /// One over the root of the variance.
    pub rstd: f64,
    /// The mean size of the numbers behind the elements.
    pub size: f64,
}

/// Computes the moments of elements with their sizes.
pub fn moments(row: &[(f64, f64)], epsilon: f64) -> Moments {
    let n = row.len() as f64;
    let mean = row.iter().map(|(v, _)| v).sum::<f64>() / n;
    let variance = row.iter().map(|(v, _)| (v - mean).powi(2)).sum::<f64>() / n;
    Moments {
        mean,
        rstd: 1.0 / (variance + epsilon).sqrt(),
        size: row.iter().map(|(_, size)| size).sum::<f64>() / n,
    }
}

/// Returns one over the root of the mean of squares.
pub fn rstd(row: &[(f64, f64)], epsilon: f64) -> f64 {
    1.0 / (row.iter().map(|(v, _)| v * v).sum::<f64>() / row.len() as f64 + epsilon).sqrt()
}

/// Returns the nearest float of an element type.
pub fn rounded(v: f64, to: DType) -> f64 {
    match to {
        DType::F16 => half::f16::from_f64(v).to_f64(),
        DType::Bf16 => half::bf16::from_f64(v).to_f64(),
        DType::F32 => f64::from(v as f32),
        _ => panic!("{to} is no float"),
    }
}

/// Rotates pairs of elements of a head, and returns elements with their sizes. Pair `i` is at
/// `places(i)`.
pub fn rotated(
    head: &[f64],
    cos: &[f64],
    sin: &[f64],
    places: impl Fn(usize) -> (usize, usize),
) -> Vec<(f64, f64)> {
    let mut turned: Vec<(f64, f64)> = head.iter().map(|v| (*v, v.abs())).collect();
    for (i, (c, s)) in cos.iter().zip(sin).enumerate() {
        let (p, q) = places(i);
        let (a, b) = (head[p], head[q]);
        turned[p] = sums([a * c, -b * s]);
        turned[q] = sums([b * c, a * s]);
    }
    turned
}

/// Quantizes a row with sizes to 8 bits. Returns the row over its scale, and the scale, which is
/// the largest magnitude over 127. A row of zeros gives zeros.
pub fn quantized(row: &[(f64, f64)]) -> (Vec<(f64, f64)>, (f64, f64)) {
    let largest = row.iter().copied().fold((0.0, 0.0), |a: (f64, f64), b| {
        if b.0.abs() > a.0 {
            (b.0.abs(), b.1)
        } else {
            a
        }
    });
    let scale = largest.0 / 127.0;
    let of_scale = |v: f64| if scale == 0.0 { 0.0 } else { v / scale };
    // The error of the scale counts, too.
    let blurred = |v: f64| of_scale(v.abs()) * of_scale(largest.1 / 127.0);
    (
        row.iter()
            .map(|(v, size)| (of_scale(*v), of_scale(*size).max(blurred(*v))))
            .collect(),
        (scale, largest.1 / 127.0),
    )
}

/// Returns the places of the elements of a row from the largest on; equal elements keep their
/// order.
pub fn falling(row: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..row.len()).collect();
    places.sort_by(|a, b| row[*b].partial_cmp(&row[*a]).expect("no nan"));
    places
}

/// Returns the sum, and the sum of magnitudes.
pub fn sums(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values
        .into_iter()
        .fold((0.0, 0.0), |(s, m), v| (s + v, m + v.abs()))
}

/// Returns the running results of a step over the elements.
pub fn running(row: &[f64], start: f64, step: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let mut so_far = start;
    row.iter()
        .map(|v| {
            so_far = step(so_far, *v);
            so_far
        })
        .collect()
}

/// Makes one result of rows. Each element has a rounding of its own size for every element up to
/// it.
pub fn due_of_rows(name: &'static str, values: Vec<f64>, row: usize) -> Due {
    let sizes = values
        .iter()
        .enumerate()
        .map(|(at, v)| v.abs() * (at % row.max(1) + 1) as f64)
        .collect();
    due_of(name, values, sizes)
}

/// Separates results and sizes.
pub fn unzip(pairs: impl IntoIterator<Item = (f64, f64)>) -> (Vec<f64>, Vec<f64>) {
    pairs.into_iter().unzip()
}
