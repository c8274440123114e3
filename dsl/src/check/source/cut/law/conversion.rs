//! Conversions of the step law.
//!
//! From integers to fewer ones a conversion goes to the ends of its type: it rises with its operand, and is no sum of what parts of a run
//! become. Which ends there are is told by the types, not by the numbers that are drawn.

use crate::dtype::{DType, Float};
use crate::ir::Ty;

/// A conversion without a round mode of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Conversion {
    /// Each number is itself, but for its rounding to the nearest float.
    Same,
    /// 1 for what is not 0.
    Truth,
    /// From integers to others, which end sooner below or above.
    Ends { to: DType, below: bool, above: bool },
    /// From floats to integers.
    Whole(DType),
    /// From integers to floats that not all of them are near to.
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
