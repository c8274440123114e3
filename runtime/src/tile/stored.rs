//! Casts to and from element types for storage, and masks: one rounding, whatever the number of
//! steps on a chip.

use super::array::{answer, is_open, Array, Errors, Lanes, OPEN};
use super::{round, Trip};
use crate::Overflow;
use half::{bf16, f16};
use jumar_dsl::dtype::{DType, RoundMode};
use std::sync::Arc;

/// Returns the errors of floats that the monotone function `f` rounds to integers. An interval with
/// a jump is undecided; in one without, every order gives one number. Floats from `1 / epsilon` on
/// are integers already.
pub(super) fn to_whole_numbers(tile: &Array<'_>, from: DType, f: impl Fn(f64) -> f64) -> Errors {
    let (Lanes::F32(values), Some(errors)) = (&tile.lanes, &tile.error) else {
        return tile.error.clone();
    };
    let (epsilon, _) = round::precision(from);
    // The number in another order is an f32 as well.
    let end = |v: f64| f(f64::from(v as f32));
    let of = |(v, e): (&f32, &f64)| {
        let v = f64::from(*v);
        match *e {
            0.0 => 0.0,
            e if end(v - e) == end(v + e) => 0.0,
            e if v.abs() - e >= 1.0 / epsilon => e,
            _ => f64::INFINITY,
        }
    };
    let errors: Vec<f64> = values.iter().zip(errors.iter()).map(of).collect();
    errors.iter().any(|e| *e > 0.0).then(|| Arc::new(errors))
}

/// One element, exactly.
#[derive(Clone, Copy)]
enum Exact {
    Float(f64),
    Whole(i64),
}

impl Exact {
    fn is_zero(self) -> bool {
        match self {
            Exact::Float(v) => v == 0.0,
            Exact::Whole(v) => v == 0,
        }
    }

    /// Rounds to an integer between two ends; nan gives 0.
    fn whole(self, mode: RoundMode, least: i64, most: i64) -> i64 {
        match self {
            Exact::Float(v) => (round::whole(v, mode) as i64).clamp(least, most),
            Exact::Whole(v) => v.clamp(least, most),
        }
    }

    /// Rounds to a float.
    fn float(self, to: DType, mode: RoundMode, overflow: Overflow) -> f32 {
        match (self, to) {
            (Exact::Float(v), _) => round::to_float(v, to, mode, overflow),
            // The cast goes straight to the type: an intermediate type would round twice.
            (Exact::Whole(v), DType::F32) => v as f32,
            (Exact::Whole(v), _) => round::to_float(v as f64, to, mode, overflow),
        }
    }
}

/// Returns the elements exactly.
fn elements(tile: &Array<'_>) -> Vec<Exact> {
    match &tile.lanes {
        Lanes::F32(v) => v.iter().map(|v| Exact::Float(f64::from(*v))).collect(),
        Lanes::I32(v) => v.iter().map(|v| Exact::Whole(i64::from(*v))).collect(),
        Lanes::I64(v) => v.iter().map(|v| Exact::Whole(*v)).collect(),
        Lanes::Mask(v) => v
            .iter()
            .map(|v| Exact::Whole(i64::from(answer(*v))))
            .collect(),
    }
}

/// Returns the error of each element.
fn errors(tile: &Array<'_>) -> Option<Vec<f64>> {
    match &tile.lanes {
        Lanes::Mask(v) if v.iter().any(|of| is_open(*of)) => {
            Some(v.iter().map(|of| marked(is_open(*of))).collect())
        }
        Lanes::Mask(_) => None,
        Lanes::F32(_) | Lanes::I32(_) | Lanes::I64(_) => tile.error.as_ref().map(|e| e.to_vec()),
    }
}

/// Returns the error of an undecided element, or of an exact one.
fn marked(is_open: bool) -> f64 {
    if is_open {
        f64::INFINITY
    } else {
        0.0
    }
}

/// Tells for each element whether it is not 0, as a mask or as bytes.
pub(super) fn truth<'t>(tile: &Array<'t>, as_mask: bool) -> Array<'t> {
    let (all, errors) = (elements(tile), errors(tile));
    let answers = all.iter().map(|v| u8::from(!v.is_zero()));
    let is_left_open = |at: usize| {
        let error = errors.as_ref().map_or(0.0, |e| e[at]);
        let size = match all[at] {
            Exact::Float(v) => v.abs(),
            Exact::Whole(v) => (v as f64).abs(),
        };
        error > 0.0 && (size.is_nan() || size <= error)
    };
    let axes = tile.axes.clone();
    if as_mask {
        let answers = answers.enumerate().map(|(at, answer)| {
            if is_left_open(at) {
                answer | OPEN
            } else {
                answer
            }
        });
        return Array::new(axes, Lanes::Mask(answers.collect::<Vec<u8>>().into()));
    }
    let lanes = Lanes::I32(answers.map(i32::from).collect::<Vec<i32>>().into());
    let open: Vec<f64> = (0..all.len()).map(|at| marked(is_left_open(at))).collect();
    let error = open.iter().any(|e| *e > 0.0).then(|| Arc::new(open));
    Array {
        error,
        ..Array::new(axes, lanes)
    }
}

/// Reinterprets the bits of elements as another type of their size. The bits of a nan are
/// undecided. So are the bits of a float that another legal order of a sum may change.
///
/// # Errors
/// J0804 for types of other than 16 or 32 bits.
pub(super) fn seen<'t>(tile: &Array<'t>, from: DType, to: DType) -> Result<Array<'t>, Trip> {
    let bits = |v: Exact| match (v, from) {
        (Exact::Whole(v), DType::I16 | DType::U16) => Ok(v as u32 & 0xffff),
        (Exact::Whole(v), DType::I32 | DType::U32) => Ok(v as u32),
        (Exact::Float(v), DType::F16) => Ok(u32::from(f16::from_f64(v).to_bits())),
        (Exact::Float(v), DType::Bf16) => Ok(u32::from(bf16::from_f64(v).to_bits())),
        (Exact::Float(v), DType::F32) => Ok((v as f32).to_bits()),
        (Exact::Whole(_) | Exact::Float(_), _) => {
            Err(Trip::malformed(format!("bits of elements of {from}")))
        }
    };
    let own = elements(tile);
    let all = own
        .iter()
        .map(|v| bits(*v))
        .collect::<Result<Vec<u32>, Trip>>()?;
    let lanes = match to {
        DType::I16 => Lanes::I32(
            all.iter()
                .map(|v| i32::from(*v as u16 as i16))
                .collect::<Vec<i32>>()
                .into(),
        ),
        DType::U16 => Lanes::I32(
            all.iter()
                .map(|v| i32::from(*v as u16))
                .collect::<Vec<i32>>()
                .into(),
        ),
        DType::I32 => Lanes::I32(all.iter().map(|v| *v as i32).collect::<Vec<i32>>().into()),
        DType::U32 => Lanes::I64(
            all.iter()
                .map(|v| i64::from(*v))
                .collect::<Vec<i64>>()
                .into(),
        ),
        DType::F16 => Lanes::F32(
            all.iter()
                .map(|v| f16::from_bits(*v as u16).to_f32())
                .collect::<Vec<f32>>()
                .into(),
        ),
        DType::Bf16 => Lanes::F32(
            all.iter()
                .map(|v| bf16::from_bits(*v as u16).to_f32())
                .collect::<Vec<f32>>()
                .into(),
        ),
        DType::F32 => Lanes::F32(
            all.iter()
                .map(|v| f32::from_bits(*v))
                .collect::<Vec<f32>>()
                .into(),
        ),
        DType::Bool | DType::I8 | DType::U8 | DType::I64 | DType::Bits => {
            return Err(Trip::malformed(format!("bits as elements of {to}")));
        }
    };
    let errors = errors(tile);
    let is_open = |(at, v): (usize, &Exact)| {
        matches!(v, Exact::Float(v) if v.is_nan()) || errors.as_ref().is_some_and(|e| e[at] > 0.0)
    };
    let open: Vec<f64> = own
        .iter()
        .enumerate()
        .map(|of| if is_open(of) { f64::INFINITY } else { 0.0 })
        .collect();
    let error = open.iter().any(|e| *e > 0.0).then(|| Arc::new(open));
    Ok(Array {
        error,
        ..Array::new(tile.axes.clone(), lanes)
    })
}

/// Returns one word of each number of 64 bits: the low one for the pattern 1, the high one for 2.
///
/// # Errors
/// J0804 for a tile of other elements.
pub(super) fn word<'t>(tile: &Array<'t>, pattern: i64) -> Result<Array<'t>, Trip> {
    let (Lanes::I64(all), 1 | 2) = (&tile.lanes, pattern) else {
        return Err(Trip::malformed("words of what has none"));
    };
    let words: Vec<i32> = all
        .iter()
        .map(|v| (v >> (32 * (pattern - 1))) as i32)
        .collect();
    let error = tile.error.as_ref().map(|e| {
        Arc::new(
            e.iter()
                .map(|e| if *e > 0.0 { f64::INFINITY } else { 0.0 })
                .collect(),
        )
    });
    Ok(Array {
        error,
        ..Array::new(tile.axes.clone(), Lanes::I32(words.into()))
    })
}

/// Converts the elements to another type, each rounded once.
///
/// # Errors
/// J0804 for a type without a cast.
pub(super) fn convert<'t>(
    (tile, from): (&Array<'t>, DType),
    to: DType,
    mode: RoundMode,
    overflow: Overflow,
) -> Result<Array<'t>, Trip> {
    let all = elements(tile);
    let no_cast = || Trip::malformed(format!("a cast to {to}"));
    let (lanes, error) = match to.ends() {
        None if to.is_float() => {
            let lanes = Lanes::F32(
                all.iter()
                    .map(|v| v.float(to, mode, overflow))
                    .collect::<Vec<f32>>()
                    .into(),
            );
            (
                lanes,
                errors(tile).map(|e| Arc::new(e.into_iter().map(|e| marked(e > 0.0)).collect())),
            )
        }
        None => return Err(no_cast()),
        Some(ends) => {
            let (least, most) = ends.into_inner();
            let whole = all.iter().map(|v| v.whole(mode, least, most));
            let lanes = match to {
                DType::I64 | DType::U32 => Lanes::I64(whole.collect::<Vec<i64>>().into()),
                DType::I8 | DType::I16 | DType::I32 | DType::U8 | DType::U16 => {
                    Lanes::I32(whole.map(|v| v as i32).collect::<Vec<i32>>().into())
                }
                DType::Bool | DType::Bits | DType::F16 | DType::Bf16 | DType::F32 => {
                    return Err(no_cast())
                }
            };
            let error = match &tile.lanes {
                Lanes::F32(_) => to_whole_numbers(tile, from, |v| {
                    round::whole(v, mode).clamp(least as f64, most as f64)
                }),
                // No cast of an integer increases its error.
                Lanes::I32(_) | Lanes::I64(_) | Lanes::Mask(_) => errors(tile).map(Arc::new),
            };
            (lanes, error)
        }
    };
    Ok(Array {
        error,
        ..Array::new(tile.axes.clone(), lanes)
    })
}
