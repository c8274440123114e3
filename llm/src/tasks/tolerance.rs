//! The error of a result as a fraction of its tolerance.

use super::reference::Wanted;
use half::bf16;
use jumar::dsl::dtype::DType;
use jumar::Array;

/// Returns the largest error as a fraction of the tolerance, or the first element beyond it.
pub(super) fn off(want: &Wanted, found: &Array, units: f64) -> Result<f64, String> {
    let dtype = found.dtype();
    let mut worst = 0.0f64;
    for (i, ((want, size), got)) in want
        .values
        .iter()
        .zip(&want.sizes)
        .zip(found.to_f64())
        .enumerate()
    {
        let allowed = allowed(*want, *size, units, dtype);
        assert!(
            allowed.is_finite() || !want.is_finite(),
            "element {i} is {want:e} and may be off by {allowed:e}"
        );
        let part = part(got, *want, allowed, dtype);
        if part > 1.0 {
            return Err(format!(
                "element {i} is {got:e}, meant {want:e}, which may be off by {allowed:e}"
            ));
        }
        worst = worst.max(part);
    }
    Ok(worst)
}

/// Returns the tolerance of an element: `units` roundings of `f32` in the computation, and one
/// rounding of the stored type.
pub fn allowed(want: f64, size: f64, units: f64, dtype: DType) -> f64 {
    let before = units * f64::from(f32::EPSILON) * size;
    before + 0.5 * unit(dtype, want.abs() + before)
}

fn part(got: f64, want: f64, allowed: f64, dtype: DType) -> f64 {
    if got == want || got.is_nan() && want.is_nan() {
        return 0.0;
    }
    // The tolerance of an infinity is infinite, so the quotient below would hide the mismatch.
    if !want.is_finite() {
        return f64::INFINITY;
    }
    // Beyond its range, a float is infinite, and an integer saturates.
    let (low, high) = ends(dtype);
    if got.is_infinite() && got.signum() == want.signum() && want.abs() + allowed >= high {
        return 0.0;
    }
    match (got - want.clamp(low, high)).abs() {
        off if off.is_nan() => f64::INFINITY,
        off => off / allowed,
    }
}

fn ends(dtype: DType) -> (f64, f64) {
    match dtype {
        DType::F16 => (-65504.0, 65504.0),
        DType::Bf16 => (bf16::MIN.to_f64(), bf16::MAX.to_f64()),
        DType::F32 => (f64::from(f32::MIN), f64::from(f32::MAX)),
        DType::I32 => (f64::from(i32::MIN), f64::from(i32::MAX)),
        DType::I8 => (-128.0, 127.0),
        DType::I64 => (i64::MIN as f64, i64::MAX as f64),
        DType::I16 => (f64::from(i16::MIN), f64::from(i16::MAX)),
        DType::U8 => (0.0, 255.0),
        DType::U16 => (0.0, f64::from(u16::MAX)),
        DType::U32 => (0.0, f64::from(u32::MAX)),
        DType::Bool | DType::Bits => (0.0, 1.0),
    }
}

/// Returns the distance between neighbouring numbers of a type.
fn unit(dtype: DType, v: f64) -> f64 {
    let (digits, least) = match dtype {
        DType::F32 => (23, -126),
        DType::F16 => (10, -14),
        DType::Bf16 => (7, -126),
        DType::I32
        | DType::I8
        | DType::I64
        | DType::I16
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::Bool
        | DType::Bits => return 1.0,
    };
    let exponent = if v == 0.0 || !v.is_finite() {
        least
    } else {
        libm::ilogb(v).max(least)
    };
    libm::ldexp(1.0, exponent - digits)
}
