//! Conversions of the step law.
//!
//! From integers to fewer ones a conversion goes to the ends of its type: it rises with its operand, and is no sum of what parts of a run
//! become. Which ends there are is told by the types, not by the numbers that are drawn.

use crate::dtype::DType;
use crate::ir::Ty;

/// The least and the largest number of a type of integers; none of floats and of bits.
pub(super) fn ends(dtype: DType) -> Option<(i64, i64)> {
    match dtype {
        DType::I64 => Some((i64::MIN, i64::MAX)),
        DType::I32 => Some((i32::MIN.into(), i32::MAX.into())),
        DType::U32 => Some((0, u32::MAX.into())),
        DType::I16 | DType::U16 | DType::I8 | DType::U8 | DType::Bool => dtype.ends().map(|ends| ends.into_inner()),
        DType::F16 | DType::Bf16 | DType::F32 | DType::Bits => None,
    }
}

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
        match (ends(from), ends(to)) {
            (Some((least, most)), Some((lower, upper))) if lower <= least && most <= upper => Conversion::Same,
            (Some((least, most)), Some((lower, upper))) => Conversion::Ends { to, below: least < lower, above: upper < most },
            (None, Some(_)) => Conversion::Whole(to),
            (None, None) => Conversion::Same,
            (Some((least, most)), None) => {
                let exact = match to {
                    DType::F16 => 1 << 11,
                    DType::Bf16 => 1 << 8,
                    DType::F32 => i64::MAX,
                    // None of these is a float.
                    DType::I64
                    | DType::I32
                    | DType::U32
                    | DType::I16
                    | DType::U16
                    | DType::I8
                    | DType::U8
                    | DType::Bool
                    | DType::Bits => 0,
                };
                match -exact <= least && most <= exact || to == DType::F32 {
                    true => Conversion::Same,
                    false => Conversion::Short,
                }
            }
        }
    }
}
