//! What elements would be if no type had a largest number: in `f64`, beside what they are.
//!
//! It is carried where something is not finite, and from there on, so that it costs nothing elsewhere. An element without it would be what it is: an
//! infinity or nan that was given, that stands in the text, or that an op makes of finite numbers (a pole) is none of an overflow. Whole
//! numbers, scans, orders and sums in GM do not carry it.

use super::array::{Array, Lanes};
use super::gm::Tensor;
use super::round;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::SpanId;
use std::sync::Arc;

/// Of the largest number of a type, how much an ideal number stays below it to count as one that the type holds: roundings on the way take as much.
const SLACK: f64 = 1.0 / 128.0;

/// What an element would be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ideal {
    pub value: f64,
    /// What of all that it was computed of has left its type first.
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

/// One an element; `None` where each would be what it is.
pub(super) type Ideals = Option<Arc<Vec<Ideal>>>;

/// Elements with what they would be.
pub(super) type Given<'a> = (&'a [f32], &'a Ideals);

impl Ideal {
    /// Of an element that would be what it is.
    fn is(element: f32) -> Ideal {
        Ideal {
            value: f64::from(element),
            left: None,
        }
    }
}

/// That of one element.
pub(super) fn of((elements, ideals): Given<'_>, at: usize) -> Ideal {
    ideals
        .as_ref()
        .map_or_else(|| Ideal::is(elements[at]), |all| all[at])
}

/// Those of the results of an op, where there is something to carry.
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

/// Those of a reduction of rows of so many elements.
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
    /// The same elements, those that this statement has made too large named so.
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

    /// The elements as floats with what they would be.
    pub fn given(&self) -> Option<Given<'_>> {
        match &self.lanes {
            Lanes::F32(elements) => Some((elements, &self.ideal)),
            Lanes::I32(_) | Lanes::I64(_) | Lanes::Mask(_) => None,
        }
    }
}

impl Tensor<'_> {
    /// The first element that is not finite only because a number on the way to it has left its type: which, what it is and what it would be.
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
