//! Elementary functions on `f32`, written here so that bytes do not depend on the machine's libm.
//!
//! They are branch-free over the whole domain, so loops over slices vectorise. They use no
//! `mul_add`, which is a library call on targets without FMA. `tests/conformance` measures errors
//! over all floats.

/// Returns the larger of two; nan wins, `max(-0, 0)` is 0 (edge table of Max).
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    let equal = f32::from_bits(a.to_bits() & b.to_bits());
    let unequal = if a > b { a } else { b };
    let value = if a == b { equal } else { unequal };
    if a.is_nan() {
        a
    } else {
        value
    }
}

/// Returns the smaller of two; nan wins, `min(-0, 0)` is -0.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    let equal = f32::from_bits(a.to_bits() | b.to_bits());
    let unequal = if a < b { a } else { b };
    let value = if a == b { equal } else { unequal };
    if a.is_nan() {
        a
    } else {
        value
    }
}

/// Adding and subtracting 1.5 * 2^23 rounds to an integer and leaves it in the low mantissa bits.
const MAGIC: f32 = 12_582_912.0;
const LN2_HI: f32 = 0.693_145_75;
const LN2_LO: f32 = 1.428_606_8e-6;

/// Computes `e^x` within 1 ulp.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    // Outside this range the result is 0 or infinity whatever x is; nan passes both comparisons.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + MAGIC;
    let n = shifted - MAGIC;
    let k = (shifted.to_bits() as i32).wrapping_sub(MAGIC.to_bits() as i32);
    let r = (x - n * LN2_HI) - n * LN2_LO;
    // Taylor polynomial on |r| <= ln2 / 2: the remainder is below 2^-27.
    let p = 1.0 / 5040.0;
    let p = p * r + 1.0 / 720.0;
    let p = p * r + 1.0 / 120.0;
    let p = p * r + 1.0 / 24.0;
    let p = p * r + 1.0 / 6.0;
    let p = p * r + 0.5;
    let p = (p * r) * r + r;
    let y = 1.0 + p;
    // Two factors, so that neither leaves the exponent range when the result is subnormal or
    // overflows.
    let half = k >> 1;
    y * power_of_two(half) * power_of_two(k.wrapping_sub(half))
}

#[inline(always)]
fn power_of_two(k: i32) -> f32 {
    f32::from_bits((k.wrapping_add(127) as u32) << 23)
}

/// Computes the natural logarithm within 2 ulp; nan for negative inputs, minus infinity for zero.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    let tiny = x < f32::MIN_POSITIVE;
    let scaled = if tiny { x * 8_388_608.0 } else { x };
    let bias = if tiny { 23.0 } else { 0.0 };
    // The mantissa goes to [sqrt(1/2), sqrt(2)), the exponent to e.
    let bits = scaled.to_bits().wrapping_sub(0x3f35_04f3);
    let e = ((bits as i32) >> 23) as f32 - bias;
    let m = f32::from_bits((bits & 0x007f_ffff).wrapping_add(0x3f35_04f3));
    // ln m = 2 artanh(s) with s = (m - 1) / (m + 1); |s| < 0.1716.
    let f = m - 1.0;
    let s = f / (m + 1.0);
    let z = s * s;
    let q = 2.0 / 11.0;
    let q = q * z + 2.0 / 9.0;
    let q = q * z + 2.0 / 7.0;
    let q = q * z + 2.0 / 5.0;
    let q = q * z + 2.0 / 3.0;
    // 2s = f - s f exactly enough: it keeps the leading term free of the division's rounding.
    let small = s * (z * q - f) + e * LN2_LO;
    let value = e * LN2_HI + (f + small);
    let value = if x == 0.0 { f32::NEG_INFINITY } else { value };
    let value = if x < 0.0 { f32::NAN } else { value };
    let value = if x == f32::INFINITY { x } else { value };
    if x.is_nan() {
        x
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the distance of `got` from the exact `want`, in units in the last place of `want` as
    /// `f32`.
    fn ulps(got: f32, want: f64) -> f64 {
        let nearest = want as f32;
        if got == nearest || (got.is_nan() && nearest.is_nan()) {
            return 0.0;
        }
        let next = f32::from_bits(nearest.abs().to_bits() + 1);
        (f64::from(got) - want).abs() / (f64::from(next) - f64::from(nearest.abs()))
    }

    #[test]
    fn exp_and_ln_stay_within_their_bounds() {
        let (mut worst_exp, mut worst_ln) = (0f64, 0f64);
        for bits in (0..u32::MAX).step_by(997) {
            let x = f32::from_bits(bits);
            if x.is_nan() {
                continue;
            }
            worst_exp = worst_exp.max(ulps(exp(x), f64::from(x).exp()));
            if x > 0.0 {
                worst_ln = worst_ln.max(ulps(ln(x), f64::from(x).ln()));
            }
        }
        assert!(worst_exp <= 1.0, "exp: {worst_exp} ulp");
        assert!(worst_ln <= 2.0, "ln: {worst_ln} ulp");
    }

    #[test]
    fn edge_values_are_those_of_the_table() {
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(f32::INFINITY), f32::INFINITY);
        assert!(exp(f32::NAN).is_nan());
        assert_eq!(ln(0.0), f32::NEG_INFINITY);
        assert_eq!(ln(-0.0), f32::NEG_INFINITY);
        assert!(ln(-1.0).is_nan() && ln(f32::NAN).is_nan());
        assert_eq!(ln(f32::INFINITY), f32::INFINITY);
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(max(-0.0, 0.0).to_bits(), 0);
        assert_eq!(min(0.0, -0.0).to_bits(), (-0.0f32).to_bits());
        assert!(max(f32::NAN, 1.0).is_nan() && max(1.0, f32::NAN).is_nan());
        assert!(min(f32::NAN, 1.0).is_nan() && min(1.0, f32::NAN).is_nan());
    }
}
