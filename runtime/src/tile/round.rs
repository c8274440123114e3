//! Element types of the interpreter: rounding of results, and casts with their round modes.
//!
//! It follows the documentation (asc-devkit, Cast.md and the table of boundary values) by another
//! method than the simulator. A cast looks at the two representable neighbours of the exact value.
//! Elements are `f32`; every `i32` is exact in `f64`.

use crate::Overflow;
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use jumar_dsl::dtype::{DType, Float, RoundMode};

/// Rounds results to `dtype`, to nearest even. Elements of `f32` and integers stay as they are.
pub(super) fn to_elements(dtype: DType, values: &mut [f32], overflow: Overflow) {
    if !matches!(dtype, DType::F16 | DType::Bf16) {
        return;
    }
    let mut halves = [0u16; 1024];
    for run in values.chunks_mut(halves.len()) {
        if overflow == Overflow::Saturate {
            run.iter_mut().for_each(|v| *v = saturated(dtype, *v));
        }
        let halves = &mut halves[..run.len()];
        if dtype == DType::F16 {
            let halves: &mut [f16] = bytemuck::cast_slice_mut(halves);
            halves.convert_from_f32_slice(run);
            halves.convert_to_f32_slice(run);
        } else {
            let halves: &mut [bf16] = bytemuck::cast_slice_mut(halves);
            halves.convert_from_f32_slice(run);
            halves.convert_to_f32_slice(run);
        }
    }
}

/// Rounds one value; an overflow gives infinity.
pub(super) fn to_element(dtype: DType, value: f32) -> f32 {
    match dtype.float() {
        Some(Float::F16) => f16::from_f32(value).to_f32(),
        Some(Float::Bf16) => bf16::from_f32(value).to_f32(),
        Some(Float::F32) | None => value,
    }
}

/// Stores an integer in a type: it wraps, or becomes the nearest end of the range.
pub(super) fn to_whole(dtype: DType, v: i64, overflow: Overflow) -> i32 {
    let v = match (dtype.ends(), overflow) {
        (Some(ends), Overflow::Saturate) => v.clamp(*ends.start(), *ends.end()),
        (Some(ends), Overflow::InfNan) => {
            ends.start() + (v - ends.start()).rem_euclid(ends.end() - ends.start() + 1)
        }
        (None, _) => v,
    };
    v as i32
}

/// Applies the mode that saturates to a 16-bit result: the largest number instead of infinity, 0
/// instead of nan.
fn saturated(dtype: DType, v: f32) -> f32 {
    let max = largest(dtype) as f32;
    if v.is_nan() {
        0.0
    } else {
        v.clamp(-max, max)
    }
}

/// Returns the largest finite number of a float type.
pub(super) fn largest(dtype: DType) -> f64 {
    match dtype.float() {
        Some(Float::F16) => f16::MAX.to_f64(),
        Some(Float::Bf16) => bf16::MAX.to_f64(),
        Some(Float::F32) | None => f64::from(f32::MAX),
    }
}

/// Returns the distance from 1 to the next number, and the smallest positive number.
pub(super) fn precision(dtype: DType) -> (f64, f64) {
    match dtype.float() {
        Some(Float::F16) => (2f64.powi(-10), 2f64.powi(-24)),
        Some(Float::Bf16) => (2f64.powi(-7), 2f64.powi(-133)),
        Some(Float::F32) | None => (2f64.powi(-23), 2f64.powi(-149)),
    }
}

/// Returns the odd factor of the integer significand; 0 for 0.
pub(super) fn odd_part(v: f64) -> f64 {
    match lowest_bit(v) {
        0.0 => 0.0,
        bit => v.abs() / bit,
    }
}

/// Returns the value of the lowest set bit; 0 for 0.
pub(super) fn lowest_bit(v: f64) -> f64 {
    let bits = v.to_bits();
    if v == 0.0 || !v.is_finite() {
        return 0.0;
    }
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let fraction = (bits & ((1 << 52) - 1)) | 1 << 52;
    2f64.powi(exponent - 52 + fraction.trailing_zeros() as i32)
}

/// Rounds to an integer by `mode`; minus zero becomes zero.
pub(super) fn whole(v: f64, mode: RoundMode) -> f64 {
    let rounded = match mode {
        RoundMode::None | RoundMode::Rint => v.round_ties_even(),
        RoundMode::Floor => v.floor(),
        RoundMode::Ceil => v.ceil(),
        RoundMode::Round => v.round(),
        RoundMode::Trunc => v.trunc(),
        // A value that is no integer takes the odd neighbour.
        RoundMode::Odd if v.floor() == v || v.is_nan() => v,
        RoundMode::Odd if v.floor() % 2.0 != 0.0 => v.floor(),
        RoundMode::Odd => v.ceil(),
    };
    rounded + 0.0
}

/// Converts `v` to an `i32`: beyond the range the nearest end, 0 for nan.
pub(super) fn to_int(v: f32, mode: RoundMode) -> i32 {
    let v = whole(f64::from(v), mode);
    if v.is_nan() {
        0
    } else {
        v.clamp(f64::from(i32::MIN), f64::from(i32::MAX)) as i32
    }
}

/// Converts `v` to the float type `to`, by `mode`.
pub(super) fn to_float(v: f64, to: DType, mode: RoundMode, overflow: Overflow) -> f32 {
    let rounded = directed(v, to, mode);
    if overflow == Overflow::Saturate && matches!(to, DType::F16 | DType::Bf16) {
        saturated(to, rounded)
    } else {
        rounded
    }
}

fn directed(v: f64, to: DType, mode: RoundMode) -> f32 {
    let nearest = match to.float() {
        Some(Float::F16) => f64::from(f16::from_f64(v).to_f32()),
        Some(Float::Bf16) => f64::from(bf16::from_f64(v).to_f32()),
        Some(Float::F32) | None => f64::from(v as f32),
    };
    if matches!(mode, RoundMode::None | RoundMode::Rint) || nearest == v || v.is_nan() {
        return nearest as f32;
    }
    // `above - below` needs both neighbours. The grid continues beyond the largest number, and
    // infinity stands for it.
    let magnitude = v.abs();
    let (below, above) = neighbours(magnitude, to, nearest.abs());
    let odd = |m: f64| (m / (above - below)) % 2.0 != 0.0;
    let up = match mode {
        RoundMode::None | RoundMode::Rint => nearest.abs() == above,
        RoundMode::Floor => v < 0.0,
        RoundMode::Ceil => v > 0.0,
        RoundMode::Trunc => false,
        RoundMode::Round => magnitude - below >= above - magnitude,
        RoundMode::Odd => !odd(below),
    };
    let chosen = if up { above } else { below };
    let chosen = if chosen > largest(to) {
        f64::INFINITY
    } else {
        chosen
    };
    chosen.copysign(v) as f32
}

/// Returns the representable magnitudes around one that is not representable. `nearest` is one of
/// them unless it is infinite.
fn neighbours(magnitude: f64, to: DType, nearest: f64) -> (f64, f64) {
    let max = largest(to);
    let (epsilon, _) = precision(to);
    if magnitude > max {
        let step = 2f64.powi((max.log2()).floor() as i32) * epsilon;
        let below = (magnitude / step).floor() * step;
        return (below, below + step);
    }
    let next = |v: f64, up: bool| {
        let step = |bits: u32| if up { bits + 1 } else { bits - 1 };
        match to.float() {
            Some(Float::F16) => {
                f16::from_bits(step(u32::from(f16::from_f64(v).to_bits())) as u16).to_f64()
            }
            Some(Float::Bf16) => {
                bf16::from_bits(step(u32::from(bf16::from_f64(v).to_bits())) as u16).to_f64()
            }
            Some(Float::F32) | None => f64::from(f32::from_bits(step((v as f32).to_bits()))),
        }
    };
    let above_max = || max + 2f64.powi(max.log2().floor() as i32) * epsilon;
    if nearest > magnitude {
        let nearest = if nearest.is_infinite() {
            above_max()
        } else {
            nearest
        };
        (
            if nearest > max {
                max
            } else {
                next(nearest, false)
            },
            nearest,
        )
    } else {
        let above = next(nearest, true);
        (
            nearest,
            if above.is_infinite() {
                above_max()
            } else {
                above
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks rows of asc-devkit's Cast.md and of its table of boundary values, and halves of both
    /// signs.
    #[test]
    fn casts_round_as_documented() {
        let cast = |v, to, mode| to_float(v, to, mode, Overflow::InfNan);
        let step = 2f64.powi(-10);
        for (mode, tie, above, negative_tie) in [
            (RoundMode::Rint, 1.0, 1.0 + step, -1.0),
            (RoundMode::Floor, 1.0, 1.0, -1.0 - step),
            (RoundMode::Ceil, 1.0 + step, 1.0 + step, -1.0),
            (RoundMode::Round, 1.0 + step, 1.0 + step, -1.0 - step),
            (RoundMode::Trunc, 1.0, 1.0, -1.0),
            (RoundMode::Odd, 1.0 + step, 1.0 + step, -1.0 - step),
        ] {
            assert_eq!(
                f64::from(cast(1.0 + step / 2.0, DType::F16, mode)),
                tie,
                "{mode:?}"
            );
            assert_eq!(
                f64::from(cast(1.0 + step * 0.75, DType::F16, mode)),
                above,
                "{mode:?}"
            );
            assert_eq!(
                f64::from(cast(-1.0 - step / 2.0, DType::F16, mode)),
                negative_tie,
                "{mode:?}"
            );
        }
        assert_eq!(cast(65535.0, DType::F16, RoundMode::Floor), 65504.0);
        assert_eq!(cast(65505.0, DType::F16, RoundMode::Ceil), f32::INFINITY);
        assert_eq!(cast(70000.0, DType::F16, RoundMode::Trunc), f32::INFINITY);
        assert_eq!(cast(1e-10, DType::F16, RoundMode::Ceil), 2f32.powi(-24));
        assert_eq!(
            cast(f64::from(f32::MAX), DType::Bf16, RoundMode::Floor),
            bf16::MAX.to_f32()
        );
        assert_eq!(
            cast(f64::from(i32::MAX), DType::F32, RoundMode::Trunc),
            2_147_483_520.0
        );
        assert_eq!(
            to_float(f64::NAN, DType::F16, RoundMode::Rint, Overflow::Saturate),
            0.0
        );
        assert_eq!(
            to_float(1e9, DType::F16, RoundMode::Rint, Overflow::Saturate),
            65504.0
        );
    }

    #[test]
    fn whole_numbers_by_every_mode() {
        let rows = [
            (RoundMode::Rint, [-2, 2, 4]),
            (RoundMode::Floor, [-3, 2, 3]),
            (RoundMode::Ceil, [-2, 3, 4]),
            (RoundMode::Round, [-3, 3, 4]),
            (RoundMode::Trunc, [-2, 2, 3]),
            (RoundMode::Odd, [-3, 3, 3]),
        ];
        for (mode, want) in rows {
            assert_eq!([-2.5, 2.5, 3.5].map(|v| to_int(v, mode)), want, "{mode:?}");
        }
        assert_eq!(
            [f32::INFINITY, f32::NEG_INFINITY, f32::NAN].map(|v| to_int(v, RoundMode::Rint)),
            [i32::MAX, i32::MIN, 0]
        );
        assert_eq!(whole(-0.25, RoundMode::Rint).to_bits(), 0);
    }
}
