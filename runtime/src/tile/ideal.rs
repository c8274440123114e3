//! Ideals: the `f64` values that elements would have if no type had a largest number.
//!
//! Ideals exist only from the first element on that is not finite, so that they cost nothing
//! elsewhere. An element without an ideal is its own ideal. An infinity or nan is no overflow if it
//! was an input, stands in the text, or is a pole of an op on finite numbers. Integers, scans,
//! orders and sums in GM carry no ideals.

use super::array::{Array, Lanes};
use super::gm::Tensor;
use super::round;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::SpanId;
use std::sync::Arc;

/// The margin below the largest number of a type within which an ideal no longer counts as
/// representable, since earlier roundings may take as much. It is relative to that number.
const SLACK: f64 = 1.0 / 128.0;

/// The ideal of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ideal {
    pub value: f64,
    /// The first overflow among everything it was computed from.
    pub left: Option<Left>,
}

/// A number beyond the largest one of its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Left {
    pub value: f64,
    pub dtype: DType,
    /// The statement that computed it.
    pub span: SpanId,
}

/// One ideal for each element; `None` where each element is its own ideal.
pub(super) type Ideals = Option<Arc<Vec<Ideal>>>;

/// Elements with their ideals.
pub(super) type Given<'a> = (&'a [f32], &'a Ideals);

impl Ideal {
    /// Makes the ideal of an element that is its own.
    fn is(element: f32) -> Ideal {
        Ideal {
            value: f64::from(element),
            left: None,
        }
    }
}

/// Returns the ideal of one element.
pub(super) fn of((elements, ideals): Given<'_>, at: usize) -> Ideal {
    ideals
        .as_ref()
        .map_or_else(|| Ideal::is(elements[at]), |all| all[at])
}

/// Computes the ideals of the results of an op, where there is something to carry.
pub(super) fn computed<const N: usize>(
    out: &[f32],
    operands: [Given<'_>; N],
    f: impl Fn([f64; N]) -> f64,
) -> Ideals {
    let carried = operands.iter().any(|(_, ideals)| ideals.is_some());
    if !carried && out.iter().all(|v| v.is_finite()) {
        return None;
    }
    let each = |at: usize| {
        let operands = operands.map(|operand| of(operand, at));
        Ideal {
            value: f(operands.map(|ideal| ideal.value)),
            left: operands.iter().find_map(|ideal| ideal.left),
        }
    };
    Some(Arc::new((0..out.len()).map(each).collect()))
}

/// Computes the ideals of a reduction of rows of `cols` elements.
pub(super) fn folded(
    out: &[f32],
    rows: Given<'_>,
    cols: usize,
    f: impl Fn(f64, f64) -> f64,
) -> Ideals {
    if rows.1.is_none() && out.iter().all(|v| v.is_finite()) {
        return None;
    }
    let joined = |a: Ideal, b: Ideal| Ideal {
        value: f(a.value, b.value),
        left: a.left.or(b.left),
    };
    let row = |at: usize| {
        (at * cols..(at + 1) * cols)
            .map(|at| of(rows, at))
            .reduce(joined)
    };
    (0..out.len())
        .map(row)
        .collect::<Option<Vec<Ideal>>>()
        .map(Arc::new)
}

impl Array<'_> {
    /// Names this statement in the overflows that it made.
    pub fn left_by(mut self, dtype: DType, span: SpanId) -> Self {
        if let (Lanes::F32(elements), Some(ideals)) = (&self.lanes, &mut self.ideal) {
            for (element, ideal) in elements.iter().zip(Arc::make_mut(ideals)) {
                if !element.is_finite() && ideal.value.is_finite() && ideal.left.is_none() {
                    ideal.left = Some(Left {
                        value: ideal.value,
                        dtype,
                        span,
                    });
                }
            }
        }
        self
    }

    /// Returns float elements with their ideals.
    pub fn given(&self) -> Option<Given<'_>> {
        match &self.lanes {
            Lanes::F32(elements) => Some((elements, &self.ideal)),
            Lanes::I32(_) | Lanes::I64(_) | Lanes::Mask(_) => None,
        }
    }
}

impl Tensor<'_> {
    /// Finds the first element that is not finite only because of an intermediate overflow. Returns
    /// its index, value, ideal and the overflow.
    pub fn overflowed(&self) -> Option<(usize, f32, f64, Left)> {
        let (Lanes::F32(elements), Some(ideals)) = (&self.lanes, &self.ideal) else {
            return None;
        };
        let most = round::largest(self.dtype) * (1.0 - SLACK);
        elements
            .iter()
            .zip(ideals.iter())
            .enumerate()
            .find_map(|(at, (element, ideal))| {
                let is_lost = !element.is_finite() && ideal.value.abs() <= most;
                is_lost.then_some((at, *element, ideal.value, ideal.left?))
            })
    }
}
