//! Conversions of the step law.
//!
//! A conversion to a smaller integer type saturates. That is monotonic, but does not preserve the
//! sums of parts of a run. The types decide which ends there are, not the drawn numbers.

use crate::dtype::{DType, Float};
use crate::ir::Ty;

/// A conversion without a round mode of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Conversion {
    /// Keeps each number, apart from rounding to the nearest float.
    Same,
    /// Maps nonzero numbers to 1.
    Truth,
    /// Between integers, if the target ends earlier below or above.
    Ends { to: DType, below: bool, above: bool },
    /// From floats to integers.
    Whole(DType),
    /// From integers to floats that do not come near all of them.
    Short,
}

impl Conversion {
    pub(super) fn of(from: Ty, to: Ty, binding: &[DType]) -> Conversion {
        let is_truth = |ty: Ty| ty == Ty::Mask || ty.resolve(binding) == DType::Bool;
        if is_truth(from) {
            return Conversion::Same;
        }
        if is_truth(to) {
            return Conversion::Truth;
        }
        let [from, to] = [from, to].map(|ty| ty.resolve(binding));
        match (from.ends(), to.ends()) {
            (Some(_), Some(_)) if to.holds_all_of(from) => Conversion::Same,
            (Some(from), Some(ends)) => Conversion::Ends {
                to,
                below: from.start() < ends.start(),
                above: ends.end() < from.end(),
            },
            (None, Some(_)) => Conversion::Whole(to),
            (None, None) => Conversion::Same,
            (Some(ends), None) => {
                let exact = match to.float() {
                    Some(Float::F16) => 1 << 11,
                    Some(Float::Bf16) => 1 << 8,
                    Some(Float::F32) => i64::MAX,
                    None => 0,
                };
                match -exact <= *ends.start() && *ends.end() <= exact || to == DType::F32 {
                    true => Conversion::Same,
                    false => Conversion::Short,
                }
            }
        }
    }
}
