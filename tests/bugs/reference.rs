//! Results of right twins in plain f64, without tiles, element types or code of jumar.

use super::given::{outer_parts, Given, Value};

/// An output as a call of a function of this file.
pub struct Wanted {
    pub output: String,
    pub function: String,
    pub arguments: Vec<String>,
}

impl Wanted {
    /// Parses a call such as `times(x, 2)`.
    pub fn parse(output: &str, text: &str) -> Result<Wanted, String> {
        let (function, rest) = text
            .split_once('(')
            .ok_or_else(|| format!("`{text}` is no call"))?;
        let inner = rest
            .strip_suffix(')')
            .ok_or_else(|| format!("`{text}` has no `)`"))?;
        let arguments = outer_parts(inner).into_iter().map(str::to_string).collect();
        Ok(Wanted {
            output: output.into(),
            function: function.into(),
            arguments,
        })
    }
}

/// An array, or a number, which has no axes.
struct Operand {
    shape: Vec<usize>,
    elements: Vec<f64>,
}

impl Operand {
    fn number(&self) -> f64 {
        self.elements[0]
    }
    /// Returns the length of the last axis.
    fn columns(&self) -> usize {
        self.shape.last().copied().expect("an array")
    }
    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.elements.chunks(self.columns().max(1))
    }
    fn map(&self, f: impl Fn(f64) -> f64) -> Vec<f64> {
        self.elements.iter().map(|v| f(*v)).collect()
    }
    fn zip(&self, other: &Operand, f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        self.elements
            .iter()
            .zip(&other.elements)
            .map(|(a, b)| f(*a, *b))
            .collect()
    }
    /// Reduces each row to a number.
    fn reduce(&self, f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        self.rows().map(f).collect()
    }
    /// Replaces each row.
    fn each_row(&self, f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
        self.rows().flat_map(f).collect()
    }
    fn column(&self, j: usize) -> Vec<f64> {
        self.rows().map(|row| row[j]).collect()
    }
    /// Reduces each column to a number.
    fn reduce_columns(&self, f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        (0..self.columns()).map(|j| f(&self.column(j))).collect()
    }
}

fn sum(v: &[f64]) -> f64 {
    v.iter().sum()
}
fn max(v: &[f64]) -> f64 {
    v.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}
fn mean(v: &[f64]) -> f64 {
    sum(v) / v.len() as f64
}
fn minus(v: &[f64], s: f64) -> Vec<f64> {
    v.iter().map(|e| e - s).collect()
}
fn over(v: &[f64], s: f64) -> Vec<f64> {
    v.iter().map(|e| e / s).collect()
}
fn relu(v: f64) -> f64 {
    v.max(0.0)
}
fn at(v: f64) -> usize {
    v as usize
}

/// Computes the elements of an output.
pub fn compute(function: &str, arguments: &[String], given: &[Given]) -> Result<Vec<f64>, String> {
    let operands = arguments
        .iter()
        .map(|a| operand(a, given))
        .collect::<Result<Vec<_>, _>>()?;
    let a = &operands[0];
    let b = operands.get(1).unwrap_or(a);
    let c = operands.get(2).unwrap_or(b);
    Ok(match function {
        // Elementwise functions.
        "times" => a.map(|v| v * b.number()),
        "plus" => a.zip(b, |v, w| v + w),
        "total" => (0..a.elements.len())
            .map(|i| operands.iter().map(|o| o.elements[i]).sum())
            .collect(),
        "relu" => a.map(relu),
        "abs" => a.map(f64::abs),
        "exp" => a.map(f64::exp),
        "rint" => a.map(f64::round_ties_even),
        "square" => a.map(|v| v * v),
        "cube" => a.map(|v| v * v * v),
        "sigmoid" => a.map(|v| 1.0 / (1.0 + (-v).exp())),
        "power" => a.zip(b, f64::powf),
        "floor_quotient" => a.zip(b, |v, w| (v / w).floor()),
        "clamped" => a.map(|v| v.clamp(b.number(), c.number())),
        "inside" => a.map(|v| {
            if v > b.number() && v < c.number() {
                v
            } else {
                0.0
            }
        }),
        "is_positive" => a.map(|v| f64::from(u8::from(v > 0.0))),
        "relu_where" => a.zip(b, |v, keep| relu(v) * keep),
        "nan_to_zero" => a.map(|v| if v.is_nan() { 0.0 } else { v }),
        "relu_plus_double" => a.map(|v| relu(v) + 2.0 * v),
        "even_doubled" => a
            .elements
            .iter()
            .zip(0..)
            .map(|(v, i)| if i % 2 == 0 { v * 2.0 } else { *v })
            .collect(),
        // Reductions of all elements.
        "sum" => vec![sum(&a.elements)],
        // The tensor holds 4 before the launch.
        "sum_of_two" => vec![4.0 + sum(&a.elements) + sum(&b.elements)],
        "max" => vec![max(&a.elements)],
        "positives" => vec![a.elements.iter().filter(|v| **v > 0.0).count() as f64],
        "mean_of_all" => vec![mean(&a.elements)],
        "exp_of_mean" => vec![mean(&a.elements).exp()],
        "minus_max" => minus(&a.elements, max(&a.elements)),
        "minus_first" => minus(&a.elements, a.elements[0]),
        "minus_last" => minus(&a.elements, *a.elements.last().expect("an element")),
        // Functions of rows.
        "row_sums" | "last_axis_sums" => a.reduce(sum),
        "row_max" => a.reduce(max),
        "row_means" => a.reduce(mean),
        "row_norms" => a.reduce(|r| r.iter().map(|v| v * v).sum::<f64>().sqrt()),
        "row_exp_sums" => a.reduce(|r| r.iter().map(|v| v.exp()).sum()),
        "rows_minus_max" => a.each_row(|r| minus(r, max(r))),
        "rows_minus_last" => a.each_row(|r| minus(r, r[r.len() - 1])),
        "softmax" => a.each_row(|r| {
            let e: Vec<f64> = r.iter().map(|v| (v - max(r)).exp()).collect();
            over(&e, sum(&e))
        }),
        "l1_normed" => a.each_row(|r| over(r, r.iter().map(|v| v.abs()).sum::<f64>() + b.number())),
        "rms_normed" => a.each_row(|r| {
            over(
                r,
                (r.iter().map(|v| v * v).sum::<f64>() / r.len() as f64 + b.number()).sqrt(),
            )
        }),
        "group_sums" => a.each_row(|r| r.chunks(r.len() / b.number() as usize).map(sum).collect()),
        "halves_product" => a.each_row(|r| {
            (0..r.len() / 2)
                .map(|j| r[j] * r[j + r.len() / 2])
                .collect()
        }),
        "row_scan" => a.each_row(|r| (1..=r.len()).map(|n| sum(&r[..n])).collect()),
        "sorted" => a.each_row(|r| {
            let mut r = r.to_vec();
            r.sort_by(f64::total_cmp);
            r
        }),
        "largest" => a.each_row(|r| {
            let mut r = r.to_vec();
            r.sort_by(|v, w| w.total_cmp(v));
            r[..at(b.number())].to_vec()
        }),
        "first_columns" => a.each_row(|r| r[..at(b.number())].to_vec()),
        "columns_twice" => a.each_row(|r| r.iter().flat_map(|v| [*v, *v]).collect()),
        "times_columns" => a.each_row(|r| r.iter().zip(&b.elements).map(|(v, w)| v * w).collect()),
        "plus_columns" => a.each_row(|r| r.iter().zip(&b.elements).map(|(v, w)| v + w).collect()),
        // Functions of columns.
        "column_sums" => a.reduce_columns(sum),
        "column_sums_plus" => a.reduce_columns(|c| sum(c) + b.number()),
        "column_norms" => a.reduce_columns(|c| c.iter().map(|v| v * v).sum::<f64>().sqrt()),
        "column_max" => a.reduce_columns(max),
        "column_means" => a.reduce_columns(mean),
        "largest_counts" => a.reduce_columns(|c| c.iter().filter(|v| **v == max(c)).count() as f64),
        "over_column_sums" => a.each_row(|r| {
            r.iter()
                .zip(0..)
                .map(|(v, j)| v / sum(&a.column(j)))
                .collect()
        }),
        "column_scan" => (0..a.elements.len())
            .map(|k| sum(&a.column(k % a.columns())[..=k / a.columns()]))
            .collect(),
        "transposed" => (0..a.columns()).flat_map(|j| a.column(j)).collect(),
        "trace_terms" => a.rows().zip(0..).map(|(r, i): (_, usize)| r[i]).collect(),
        "rows_twice" => a.rows().flat_map(|r| [r, r].concat()).collect(),
        "row_pairs_max" => a
            .elements
            .chunks_exact(2 * a.columns())
            .flat_map(|p| (0..a.columns()).map(|j| p[j].max(p[j + a.columns()])))
            .collect(),
        "channel_sums" => (0..a.shape[1])
            .map(|i| a.rows().skip(i).step_by(a.shape[1]).map(sum).sum())
            .collect(),
        "outer_plus" => a.elements.iter().flat_map(|v| b.map(|w| v + w)).collect(),
        "outer_and" => a.elements.iter().flat_map(|v| b.map(|w| v * w)).collect(),
        // Neighbours and parts.
        "differences" => a.elements.windows(2).map(|w| w[1] - w[0]).collect(),
        "reversed" => a.elements.iter().rev().copied().collect(),
        "causal" => (0..a.elements.len())
            .map(|i| a.elements[i] + if i > 0 { a.elements[i - 1] * 0.5 } else { 0.0 })
            .collect(),
        "smoothed" => {
            let padded = [&[0.0], a.elements.as_slice(), &[0.0]].concat();
            padded.windows(3).map(|w| sum(w) * 0.5).collect()
        }
        "skip" => a.elements[at(b.number())..].to_vec(),
        "every" => a.elements.iter().step_by(at(b.number())).copied().collect(),
        "each_eight_times" => a.elements.iter().flat_map(|v| [*v; 8]).collect(),
        "eight_max" => a.elements.chunks(8).map(max).collect(),
        "plus_eight_before" => (0..a.elements.len())
            .map(|i| a.elements[i] + if i >= 8 { a.elements[i - 8] } else { 0.0 })
            .collect(),
        "double_plus_eight_behind" => a
            .elements
            .iter()
            .zip(&a.elements[8..])
            .map(|(v, w)| 2.0 * v + 2.0 * w)
            .collect(),
        "repeated_head" => [&a.elements[..8], &a.elements[..a.elements.len() - 8]].concat(),
        "concat" => [a.elements.as_slice(), &b.elements].concat(),
        "counted_up" => (0..at(a.number())).map(|i| i as f64).collect(),
        // Functions with indices.
        "taken" => a
            .elements
            .iter()
            .flat_map(|i| b.rows().nth(at(*i)).expect("a row").to_vec())
            .collect(),
        "sampled" => b.each_row(|r| {
            a.elements
                .iter()
                .map(|i| r[at(i.floor()).min(r.len() - 1)])
                .collect()
        }),
        "scattered" => {
            let row = |i: usize| {
                a.elements
                    .iter()
                    .position(|id| at(*id) == i)
                    .expect("a permutation")
            };
            (0..at(c.number()))
                .flat_map(|i| b.rows().nth(row(i)).expect("a row").to_vec())
                .collect()
        }
        "advanced" => {
            // Each row of `b` is added to half of the row of `c` that its index names. A negative
            // index names none.
            let mut states = c.elements.clone();
            for (slot, x) in a
                .elements
                .iter()
                .zip(b.rows())
                .filter(|(slot, _)| **slot >= 0.0)
            {
                let old = &mut states[at(*slot) * x.len()..][..x.len()];
                old.iter_mut()
                    .zip(x)
                    .for_each(|(old, x)| *old = *old * 0.5 + x);
            }
            states
        }
        "histogram" => (0..at(b.number()))
            .map(|i| a.elements.iter().filter(|id| at(**id) == i).count() as f64)
            .collect(),
        "marked" => b
            .elements
            .iter()
            .zip(0..)
            .map(|(v, i)| {
                if a.elements.iter().any(|id| at(*id) == i) {
                    1.0
                } else {
                    *v
                }
            })
            .collect(),
        "segment_sums" => a
            .elements
            .windows(2)
            .map(|w| sum(&b.elements[at(w[0])..at(w[1])]))
            .collect(),
        "packed" => {
            // The rest of `y` keeps its elements.
            let kept: Vec<f64> = a.elements.iter().copied().filter(|v| *v > 0.0).collect();
            [&kept, &b.elements[kept.len()..]].concat()
        }
        _ => return Err(format!("`{function}` is no function of the reference")),
    })
}

/// Reads an operand: a number, or an argument of the launch.
fn operand(text: &str, given: &[Given]) -> Result<Operand, String> {
    if let Ok(number) = text.parse() {
        return Ok(Operand {
            shape: Vec::new(),
            elements: vec![number],
        });
    }
    match given.iter().find(|g| g.name == text).map(|g| &g.value) {
        Some(Value::Tensor(array)) => Ok(Operand {
            shape: array.shape().to_vec(),
            elements: array.to_f64(),
        }),
        _ => Err(format!("no array `{text}` is given")),
    }
}
