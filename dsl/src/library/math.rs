//! The text of the library functions, in the language of kernels.
//!
//! The front end reads this text and inlines it where a function is called; rustc checks it. The
//! table in `library/mod.rs` says what each public function means.
//!
//! Coefficients of polynomials are best approximations in the sense of Chebyshev, found by Remez'
//! algorithm with 60 digits and rounded to `f32`. Each polynomial is evaluated by Horner's rule,
//! two calls a term.

use crate::dtype::RoundMode;
use crate::surface::{Float, Number, Tile};

pub fn sigmoid<T: Float>(v: Tile<T>) -> Tile<T> {
    let y: Tile<f32> = 1.0 / ((-v.wide()).exp() + 1.0);
    y.cast::<T>()
}

pub fn log_sigmoid<T: Float>(v: Tile<T>) -> Tile<T> {
    (-softplus_of(-v.wide())).cast::<T>()
}

pub fn silu<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    (x / ((-x).exp() + 1.0)).cast::<T>()
}

pub fn softplus<T: Float>(v: Tile<T>) -> Tile<T> {
    softplus_of(v.wide()).cast::<T>()
}

fn softplus_of(x: Tile<f32>) -> Tile<f32> {
    let e = (-x.abs()).exp();
    let sum = e + 1.0;
    x.max(0.0) + (sum.ln() + (e - (sum - 1.0)) / sum)
}

pub fn softsign<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    (x / (x.abs() + 1.0)).cast::<T>()
}

pub fn mish<T: Float>(v: Tile<T>) -> Tile<T> {
    // With e = e^v the hyperbolic tangent is n / (n + 2) for n = e (e + 2), which is 1 long before
    // e^60.
    let x = v.wide();
    let e = x.min(30.0).exp();
    let n = e * (e + 2.0);
    (x * (n / (n + 2.0))).cast::<T>()
}

pub fn gelu<T: Float>(v: Tile<T>) -> Tile<T> {
    // Beyond 14.5 the result is v or 0 to the last bit.
    let x = v.wide();
    let a = x.abs().min(14.5);
    let t = 2.828_427_1 / (a + 2.828_427_1);
    let tail = (a * a * -0.5).exp() * erfc_factor(t, 0.5);
    (x.max(0.0) - tail * a).cast::<T>()
}

pub fn gelu_tanh<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let inner = (x * x * -0.071_354_814 - 1.595_769_1) * x;
    (x / (inner.exp() + 1.0)).cast::<T>()
}

pub fn elu<T: Float>(v: Tile<T>, alpha: f32) -> Tile<T> {
    let x = v.wide();
    x.gt(0.0).select(x, expm1_of(x) * alpha).cast::<T>()
}

pub fn selu<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    x.gt(0.0)
        .select(x * 1.050_701, expm1_of(x) * 1.758_099_3)
        .cast::<T>()
}

pub fn celu<T: Float>(v: Tile<T>, alpha: f32) -> Tile<T> {
    let x = v.wide();
    x.gt(0.0).select(x, expm1_of(x / alpha) * alpha).cast::<T>()
}

pub fn leaky_relu<T: Float>(v: Tile<T>, slope: f32) -> Tile<T> {
    let x = v.wide();
    x.gt(0.0).select(x, x * slope).cast::<T>()
}

pub fn relu6<T: Float>(v: Tile<T>) -> Tile<T> {
    v.wide().max(0.0).min(6.0).cast::<T>()
}

pub fn hard_sigmoid<T: Float>(v: Tile<T>) -> Tile<T> {
    hard_sigmoid_of(v.wide()).cast::<T>()
}

pub fn hard_swish<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    (x * hard_sigmoid_of(x)).cast::<T>()
}

fn hard_sigmoid_of(x: Tile<f32>) -> Tile<f32> {
    ((x + 3.0).max(0.0).min(6.0)) * 0.166_666_67
}

pub fn expm1<T: Float>(v: Tile<T>) -> Tile<T> {
    expm1_of(v.wide()).cast::<T>()
}

fn expm1_of(x: Tile<f32>) -> Tile<f32> {
    let p = x * 0.000_200_983_63 + 0.001_400_418_3;
    let p = p * x + 0.008_332_822;
    let p = p * x + 0.041_665_137;
    let p = p * x + 0.166_666_69;
    let p = p * x + 0.500_000_06;
    x.abs().lt(0.5).select(p * x * x + x, x.exp() - 1.0)
}

/// Computes `2^v`, exact where `v` is an integer.
pub fn exp2<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide().min(200.0).max(-200.0);
    let whole = x.cast_with::<f32>(RoundMode::Rint);
    // The factor is the power of half the exponent, applied twice, and 2 where one is left. Below
    // the smallest normal number a single power has no exponent, and neither has the largest.
    let half = (whole * 0.5).cast_with::<f32>(RoundMode::Floor);
    let e = ((x - whole) * 0.693_147_18).exp() * (whole - half - half + 1.0);
    let p = power_of_two(half);
    (e * p * p).cast::<T>()
}

/// Returns `2^n` of an integer from -126 to 127. The exponent, 127 more, stands behind the 23 bits
/// of the fraction.
fn power_of_two(n: Tile<f32>) -> Tile<f32> {
    ((n + 127.0) * 8_388_608.0)
        .cast::<i32>()
        .reinterpret_cast::<f32>()
}

pub fn log1p<T: Float>(v: Tile<T>) -> Tile<T> {
    log1p_of(v.wide()).cast::<T>()
}

fn log1p_of(x: Tile<f32>) -> Tile<f32> {
    // The digits that the sum has lost, divided by the sum, are missing from the logarithm of the
    // sum.
    let sum = x + 1.0;
    let near = sum.min(f32::MAX).max(1e-30);
    sum.ln() + (x - (near - 1.0)) / near
}

pub fn log2<T: Float>(v: Tile<T>) -> Tile<T> {
    (v.wide().ln() * 1.442_695).cast::<T>()
}

pub fn log10<T: Float>(v: Tile<T>) -> Tile<T> {
    (v.wide().ln() * 0.434_294_48).cast::<T>()
}

/// Computes `v^e`, element by element, as `e^(e ln |v|)` with the sign of an odd integer power.
///
/// The result is 1 where `e` is 0 or `v` is 1, and nan where `v` is negative and `e` no integer.
/// Zeros count as positive.
pub fn pow<T: Float>(v: Tile<T>, e: Tile<T>) -> Tile<T> {
    let (x, n) = (v.wide(), e.wide());
    let size = (x.abs().ln() * n).exp();
    let size = (!(n.eq(0.0) | x.eq(1.0))).select(size, 1.0);
    // Half of an integer is an integer, or leaves 1/2.
    let half = n * 0.5;
    let rest = half - half.cast_with::<f32>(RoundMode::Floor);
    let whole = n.eq(n.cast_with::<f32>(RoundMode::Rint));
    let negative = rest.gt(0.0).select(-size, size);
    // A square root of a negative number is nan.
    let negative = whole.select(negative, x.sqrt());
    x.lt(0.0).select(negative, size).cast::<T>()
}

/// Computes `v^e` for an `e` that is no integer; nan where `v` is negative.
fn part_power<T: Float>(v: Tile<T>, e: f32) -> Tile<T> {
    (v.wide().ln() * e).exp().cast::<T>()
}

/// Computes `v^e` for an even `e`.
fn even_power<T: Float>(v: Tile<T>, e: f32) -> Tile<T> {
    (v.wide().abs().ln() * e).exp().cast::<T>()
}

/// Computes `v^e` for an odd `e`.
fn odd_power<T: Float>(v: Tile<T>, e: f32) -> Tile<T> {
    let x = v.wide();
    let size = (x.abs().ln() * e).exp();
    x.lt(0.0).select(-size, size).cast::<T>()
}

/// Computes `v^3` as a product.
fn cubed<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    (x * x * x).cast::<T>()
}

fn rooted<T: Float>(v: Tile<T>) -> Tile<T> {
    v.wide().sqrt().cast::<T>()
}

fn inverted<T: Float>(v: Tile<T>) -> Tile<T> {
    let y: Tile<f32> = 1.0 / v.wide();
    y.cast::<T>()
}

fn inverse_root<T: Float>(v: Tile<T>) -> Tile<T> {
    let y: Tile<f32> = 1.0 / v.wide().sqrt();
    y.cast::<T>()
}

pub fn square<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    (x * x).cast::<T>()
}

pub fn cbrt<T: Float>(v: Tile<T>) -> Tile<T> {
    // d is the quotient of v and the square of an approximation y. Where y is too large by a part,
    // d is too small by twice that.
    let x = v.wide();
    let y = (x.abs().ln() * 0.333_333_34).exp().max(1e-20).min(1e13);
    let d = x / (y * y);
    let part = (d.abs() / y).min(2.0);
    ((part * -0.666_666_7 + 1.666_666_6) * d).cast::<T>()
}

pub fn hypot<T: Float>(v: Tile<T>, w: Tile<T>) -> Tile<T> {
    let (a, b) = (v.wide().abs(), w.wide().abs());
    let high = a.max(b);
    let t = a.min(b).min(f32::MAX) / high.max(1e-45);
    ((t * t + 1.0).sqrt() * high).cast::<T>()
}

pub fn sin<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let n = (x * 0.636_619_75).cast_with::<f32>(RoundMode::Rint);
    let r = beyond_quarters(x, n);
    let half = n * 0.5;
    let turns = half.cast_with::<f32>(RoundMode::Floor);
    (half.eq(turns).select(sine(r), cosine(r)) * alternating(turns) + outside(x)).cast::<T>()
}

pub fn cos<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let n = (x * 0.636_619_75).cast_with::<f32>(RoundMode::Rint);
    let r = beyond_quarters(x, n);
    let half = n * 0.5;
    let turns = (half + 0.5).cast_with::<f32>(RoundMode::Floor);
    (half.eq(turns).select(cosine(r), sine(r)) * alternating(turns) + outside(x)).cast::<T>()
}

/// Reduces `x` by `n` quarters of a full circle. The result is at most pi/4 on either side.
fn beyond_quarters(x: Tile<f32>, n: Tile<f32>) -> Tile<f32> {
    // Each product but the last is exact: 16 bits times 8.
    x - n * 1.570_312_5 - n * 0.000_484_466_55 - n * -6.407_499_3e-7 - n * 9.920_936e-10
}

/// Computes the sine of numbers up to pi/4.
fn sine(r: Tile<f32>) -> Tile<f32> {
    let z = r * r;
    let p = z * -0.000_195_152_96 + 0.008_332_161;
    let p = p * z - 0.166_666_55;
    p * z * r + r
}

/// Computes the cosine of numbers up to pi/4. The summand of 1 is never above 0, so no rounding
/// goes beyond 1.
fn cosine(r: Tile<f32>) -> Tile<f32> {
    let z = r * r;
    let p = z * 2.443_315_7e-5 - 0.001_388_731_6;
    let p = p * z + 0.041_666_646;
    let p = p * z - 0.5;
    p * z + 1.0
}

/// Returns 1 for even numbers, -1 for odd ones.
fn alternating(n: Tile<f32>) -> Tile<f32> {
    let half = n * 0.5;
    (half.cast_with::<f32>(RoundMode::Floor) - half) * 4.0 + 1.0
}

/// Returns 0 for numbers of less than 2^16, nan for all others.
fn outside(x: Tile<f32>) -> Tile<f32> {
    let far = x * 5.192_297e33;
    far - far
}

pub fn tan<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let n = (x * 0.636_619_75).cast_with::<f32>(RoundMode::Rint);
    let r = beyond_quarters(x, n);
    let z = r * r;
    let p = z * 0.009_402_014 + 0.003_092_319_2;
    let p = p * z + 0.024_447_04;
    let p = p * z + 0.053_406_633;
    let p = p * z + 0.133_388_55;
    let p = p * z + 0.333_331_56;
    let t = p * z * r + r;
    let half = n * 0.5;
    let even = half.eq(half.cast_with::<f32>(RoundMode::Floor));
    (even.select(t, -1.0 / t) + outside(x)).cast::<T>()
}

pub fn asin<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let a = x.abs();
    let large = a.gt(0.5);
    let z = large.select(a * -0.5 + 0.5, a * a);
    let p = arc(large.select(z.sqrt(), a), z);
    let y = large.select(1.570_796_4 - p * 2.0, p);
    x.lt(0.0).select(-y, y).cast::<T>()
}

pub fn acos<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let a = x.abs();
    let large = a.gt(0.5);
    let z = large.select(a * -0.5 + 0.5, a * a);
    let p = arc(large.select(z.sqrt(), x), z);
    let twice = p * 2.0;
    large
        .select(
            x.lt(0.0).select(3.141_592_7 - twice, twice),
            1.570_796_4 - p,
        )
        .cast::<T>()
}

/// Computes the arc sine of `s` up to 1/2, with its square.
fn arc(s: Tile<f32>, z: Tile<f32>) -> Tile<f32> {
    let p = z * 0.042_178_21 + 0.024_172_967;
    let p = p * z + 0.045_471_6;
    let p = p * z + 0.074_952_886;
    let p = p * z + 0.166_667_52;
    p * z * s + s
}

pub fn atan<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let large = x.abs().gt(1.0);
    let t = large.select(1.0 / x, x);
    let y = atan_of(t);
    large
        .select(x.max(-1.0).min(1.0) * 1.570_796_4 - y, y)
        .cast::<T>()
}

/// Computes the arc tangent of numbers up to 1.
fn atan_of(t: Tile<f32>) -> Tile<f32> {
    let z = t * t;
    let p = z * 0.002_920_659 - 0.016_367_793;
    let p = p * z + 0.043_211_64;
    let p = p * z - 0.075_521_953;
    let p = p * z + 0.106_659_96;
    let p = p * z - 0.142_110_53;
    let p = p * z + 0.199_937_73;
    let p = p * z - 0.333_331_53;
    p * z * t + t
}

pub fn atan2<T: Float>(v: Tile<T>, w: Tile<T>) -> Tile<T> {
    let (y, x) = (v.wide(), w.wide());
    let (a, b) = (y.abs(), x.abs());
    let low = a.min(b);
    let high = a.max(b).max(1e-45);
    // The quotient of two infinities is 1 as well.
    let t = low.eq(high).select(1.0, low / high);
    let p = atan_of(t);
    let p = a.gt(b).select(1.570_796_4 - p, p);
    // The inverse of a zero has its sign.
    let p = (x + 1.0 / x).lt(0.0).select(3.141_592_7 - p, p);
    (y + 1.0 / y).lt(0.0).select(-p, p).cast::<T>()
}

pub fn sinh<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let e = (x * 0.5).exp();
    let large = e * 0.5 * e - 0.5 / e / e;
    let z = x * x;
    let p = z * 0.000_203_721_95 + 0.008_330_284;
    let p = p * z + 0.166_667_16;
    x.abs().lt(1.0).select(p * z * x + x, large).cast::<T>()
}

pub fn cosh<T: Float>(v: Tile<T>) -> Tile<T> {
    let e = (v.wide().abs() * 0.5).exp();
    let h = e * 0.5 * e;
    (h + 0.25 / h).cast::<T>()
}

pub fn tanh<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let z = x * x;
    let p = z * 0.016_437_583 - 0.052_671_812;
    let p = p * z + 0.133_207_25;
    let p = p * z - 0.333_329_47;
    let large = -2.0 / ((x * 2.0).exp() + 1.0) + 1.0;
    x.abs().lt(0.55).select(p * z * x + x, large).cast::<T>()
}

pub fn asinh<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let a = x.abs();
    let z = x * x;
    let p = z * -0.013_237_523 + 0.028_169_123;
    let p = p * z - 0.044_384_517;
    let p = p * z + 0.074_986_525;
    let p = p * z - 0.166_666_43;
    let r: Tile<f32> = 1.0 / a;
    let large = a.ln() + ((r * r + 1.0).sqrt() + 1.0).ln();
    a.lt(0.5)
        .select(p * z * x + x, x.lt(0.0).select(-large, large))
        .cast::<T>()
}

pub fn acosh<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let t = x - 1.0;
    let near = log1p_of(t + t.sqrt() * (t + 2.0).sqrt());
    x.gt(1e10).select(x.ln() + 0.693_147_2, near).cast::<T>()
}

pub fn atanh<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let a = x.abs();
    let y = log1p_of(a * 2.0 / (1.0 - a)) * 0.5;
    x.lt(0.0).select(-y, y).cast::<T>()
}

pub fn erf<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let near = x.max(-3.93).min(3.93);
    let z = near * near;
    let p = z * 2.041_966e-6 + 0.000_284_804_3;
    let p = p * z + 0.003_779_494_4;
    let p = p * z + 0.052_789_92;
    let p = p * z + 0.190_781_38;
    let p = p * z + 1.128_379_1;
    let q = z * 3.800_38e-5 + 0.001_165_181_9;
    let q = q * z + 0.014_997_206;
    let q = q * z + 0.114_256_47;
    let q = q * z + 0.502_408_3;
    let q = q * z + 1.0;
    // Beyond 3.93 the result is 1 to the last bit.
    (near * p / q).max(-1.0).min(1.0).cast::<T>()
}

pub fn erfc<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let a = x.abs().min(11.0);
    // The square of the first bits is exact.
    let first = (a * 64.0).cast_with::<f32>(RoundMode::Rint) * 0.015_625;
    let e = (-(first * first)).exp() * ((first - a) * (first + a)).exp();
    let tail = e * erfc_factor(2.0 / (a + 2.0), 1.0);
    x.lt(0.0).select(2.0 - tail, tail).cast::<T>()
}

/// Computes `erfc(a) * e^(a^2)` times a number, from `t = 2 / (a + 2)` with an `a` that is not
/// negative.
fn erfc_factor(t: Tile<f32>, by: f32) -> Tile<f32> {
    let p = t * (0.011_389_568 * by) - 0.118_508_175 * by;
    let p = p * t + 0.418_062_06 * by;
    let p = p * t - 0.655_978_14 * by;
    let p = p * t + 0.410_014_7 * by;
    let p = p * t - 0.092_528_95 * by;
    let p = p * t + 0.223_639_49 * by;
    let p = p * t + 0.239_029_04 * by;
    let p = p * t + 0.282_813_88 * by;
    let p = p * t + 0.282_066_55 * by;
    p * t
}

pub fn erfinv<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    let w = -((-x + 1.0) * (x + 1.0)).ln();
    let t = w - 2.5;
    let p = t * 2.852_339_3e-8 + 3.437_288_3e-7;
    let p = p * t - 3.528_704_4e-6;
    let p = p * t - 4.396_850_7e-6;
    let p = p * t + 0.000_218_601_52;
    let p = p * t - 0.001_253_707_1;
    let p = p * t - 0.004_177_706_8;
    let p = p * t + 0.246_640_73;
    let p = p * t + 1.501_409_4;
    let t = w.sqrt().min(4.1) - 3.0;
    let q = t * -0.000_181_529_61 + 9.497_218e-5;
    let q = q * t + 0.001_322_988_3;
    let q = q * t - 0.003_668_715_2;
    let q = q * t + 0.005_751_258_3;
    let q = q * t - 0.007_623_181_2;
    let q = q * t + 0.009_437_223_9;
    let q = q * t + 1.001_674_1;
    let q = q * t + 2.832_977_1;
    let y = w.lt(5.0).select(p, q) * x;
    x.abs().eq(1.0).select(x * f32::INFINITY, y).cast::<T>()
}

pub fn lgamma<T: Float>(v: Tile<T>) -> Tile<T> {
    // For a = |v| below 3: a polynomial with the zeros taken out, of a + 1 where a is below 1.
    // Beyond: Stirling's series.
    let x = v.wide();
    let a = x.abs();
    let w = a.lt(1.0).select(a - 1.0, a - 2.0);
    let p = w * -3.874_691_5e-5 + 7.819_279e-5;
    let p = p * w - 5.238_591_6e-5;
    let p = p * w + 0.000_130_590_04;
    let p = p * w - 0.000_425_603_34;
    let p = p * w + 0.000_944_333_15;
    let p = p * w - 0.002_102_048_4;
    let p = p * w + 0.004_991_548;
    let p = p * w - 0.012_384_977;
    let p = p * w + 0.032_965_627;
    let p = p * w - 0.100_317_27;
    let p = p * w + 0.422_784_33;
    let near = p * w * (w + 1.0);
    let r: Tile<f32> = 1.0 / a;
    let z = r * r;
    let p = z * 0.000_709_371_1 - 0.002_774_474_4;
    let p = p * z + 0.083_333_31;
    let far = (a - 0.5) * (a.ln() - 1.0) + (p * r + 0.418_938_53);
    let core = a.lt(3.0).select(near, far);
    // For negative numbers: pi / |v sin(pi v)| over the gamma function of a. Numbers beyond 2^23
    // are integers.
    let b = a.min(8_388_608.0);
    let f = b - b.cast_with::<f32>(RoundMode::Rint);
    let s = sine_of_pi(f).abs() * b.max(1.0);
    let negative = x.lt(0.0);
    let beside = negative.select(s, a.min(1.0)).ln();
    (negative.select(-core.min(3.4e38), core) - beside).cast::<T>()
}

/// Computes `sin(pi f) / pi` for numbers up to 1/2.
fn sine_of_pi(f: Tile<f32>) -> Tile<f32> {
    let z = f * f;
    let p = z * 0.024_754_969 - 0.190_461_93;
    let p = p * z + 0.811_718_6;
    let p = p * z - 1.644_933_5;
    p * z * f + f
}

pub fn digamma<T: Float>(v: Tile<T>) -> Tile<T> {
    // For g = 1 - v where v is negative, else g = v; and for g + 1 where g is below 1. Below 3: a
    // polynomial with the zero taken out, in two numbers.
    let x = v.wide();
    let negative = x.lt(0.0);
    let g = negative.select(1.0 - x, x);
    let small = g.lt(1.0);
    let w = small.select(g - 1.0, g - 2.0);
    let p = w * 0.000_216_476_87 - 0.000_414_370_18;
    let p = p * w + 0.000_125_555_89;
    let p = p * w - 0.000_310_250_94;
    let p = p * w + 0.001_509_156_7;
    let p = p * w - 0.002_977_808_5;
    let p = p * w + 0.005_499_182_3;
    let p = p * w - 0.011_265_347;
    let p = p * w + 0.023_455_901;
    let p = p * w - 0.049_560_48;
    let p = p * w + 0.108_999_416;
    let p = p * w - 0.260_738_6;
    let p = p * w + 0.785_307_53;
    let near = (w + 0.538_367_87 - 1.243_815e-8) * p;
    let r: Tile<f32> = 1.0 / g;
    let z = r * r;
    let q = z * 0.003_402_311_8 - 0.008_311_502;
    let q = q * z + 0.083_333_21;
    let far = g.ln() - (q * z + r * 0.5);
    let core = g.lt(3.0).select(near, far);
    // pi cot(pi f) with its zeros and its pole taken out. Numbers beyond 2^23 are integers.
    let b = (-x).min(8_388_608.0);
    let f = b - b.cast_with::<f32>(RoundMode::Rint);
    let h = f.abs();
    let z = f * f;
    let c = z * 7.112_632_3 + 0.826_067_2;
    let c = c * z + 3.014_602_2;
    let c = c * z + 2.643_116;
    let c = c * z + 2.704_932_2;
    let c = c * z + 2.840_504_6;
    let c = c * z + 4.0;
    let c = c * ((h + 0.5) * (0.5 - h)) / f;
    // A square root of a negative number is nan.
    let c = f.eq(0.0).select(x.sqrt(), c);
    negative
        .select(core + c, small.select(core - r, core))
        .cast::<T>()
}

pub fn floor<T: Float>(v: Tile<T>) -> Tile<T> {
    v.wide().cast_with::<f32>(RoundMode::Floor).cast::<T>()
}

pub fn ceil<T: Float>(v: Tile<T>) -> Tile<T> {
    v.wide().cast_with::<f32>(RoundMode::Ceil).cast::<T>()
}

pub fn round<T: Float>(v: Tile<T>) -> Tile<T> {
    v.wide().cast_with::<f32>(RoundMode::Rint).cast::<T>()
}

pub fn trunc<T: Float>(v: Tile<T>) -> Tile<T> {
    v.wide().cast_with::<f32>(RoundMode::Trunc).cast::<T>()
}

pub fn frac<T: Float>(v: Tile<T>) -> Tile<T> {
    let x = v.wide();
    (x - x.cast_with::<f32>(RoundMode::Trunc)).cast::<T>()
}

pub fn fmod<T: Float>(v: Tile<T>, d: Tile<T>) -> Tile<T> {
    fmod_of(v.wide(), d.wide()).cast::<T>()
}

fn fmod_of(x: Tile<f32>, y: Tile<f32>) -> Tile<f32> {
    // A quotient that was rounded up may be one too large.
    let (a, b) = (x.abs(), y.abs());
    let q = (a / b).cast_with::<f32>(RoundMode::Trunc);
    // Each product is exact: the factors have 12 bits, and the split numbers do not overflow. Each
    // difference is exact as well.
    let large = a.max(b).gt(1e30);
    let u = large.select(a * 5.960_464_5e-8, a);
    let d = large.select(b * 5.960_464_5e-8, b);
    let c = d * 4097.0;
    let first = c - (c - d);
    let rest = d - first;
    let high = (q * 0.000_244_140_63).cast_with::<f32>(RoundMode::Rint) * 4096.0;
    let low = q - high;
    let r = u - high * first - high * rest - low * first - low * rest;
    let r = r.lt(0.0).select(r + d, r);
    let r = large.select(r * 16_777_216.0, r);
    // 0 for quotients below 2^24, nan for all others.
    let far = q * 2.028_241e31;
    let r = r + (far - far);
    a.lt(b).select(x, x.lt(0.0).select(-r, r))
}

pub fn remainder<T: Float>(v: Tile<T>, d: Tile<T>) -> Tile<T> {
    let y = d.wide();
    let r = fmod_of(v.wide(), y);
    let differ = (r.lt(0.0) ^ y.lt(0.0)) & r.ne(0.0);
    differ.select(r + y, r).cast::<T>()
}

pub fn sign<T: Float>(v: Tile<T>) -> Tile<T> {
    (v.wide() * 1e38 * 1e38).max(-1.0).min(1.0).cast::<T>()
}

pub fn clamp<T: Number>(v: Tile<T>, low: Tile<T>, high: Tile<T>) -> Tile<T> {
    v.wide().max(low.wide()).min(high.wide()).cast::<T>()
}

/// Computes `v + (w - v) * by`, rounded after each step.
pub fn lerp<T: Float>(v: Tile<T>, w: Tile<T>, by: Tile<T>) -> Tile<T> {
    let x = v.wide();
    (x + (w.wide() - x) * by.wide()).cast::<T>()
}

pub fn is_finite<T: Float>(v: Tile<T>) -> Tile<bool> {
    let x = v.wide();
    (x - x).eq(0.0)
}

pub fn is_inf<T: Float>(v: Tile<T>) -> Tile<bool> {
    v.wide().abs().eq(f32::INFINITY)
}

pub fn is_nan<T: Float>(v: Tile<T>) -> Tile<bool> {
    let x = v.wide();
    !x.eq(x)
}

/// Computes `v << by`, which no vector unit before the 950 does for a tile of counts.
///
/// It splits the number into halves of 16 bits. `f32` multiplies them exactly by powers of two, and
/// the bits beyond the end are dropped. A `by` below 0 counts as 0, one above 32 as 32.
fn shifted_left(v: Tile<i32>, by: Tile<i32>) -> Tile<i32> {
    let p = power_of_two(by.max(0).min(32).cast::<f32>());
    let high = low_bits((v >> 16).cast::<f32>() * p);
    let low = (v & 65535).cast::<f32>() * p;
    let carried = high_bits(low);
    let top = high + low_bits(carried);
    top.cast::<i32>() << 16 | (low - carried * 65536.0).cast::<i32>()
}

/// Computes `v >> by` with the sign kept, in halves as well: the rest of the lower half is added to
/// the upper one's.
fn shifted_right(v: Tile<i32>, by: Tile<i32>) -> Tile<i32> {
    let n = by.max(0).min(32).cast::<f32>();
    let high =
        ((v >> 16).cast::<f32>() * power_of_two(16.0 - n)).cast_with::<f32>(RoundMode::Floor);
    let low = ((v & 65535).cast::<f32>() * power_of_two(-n)).cast_with::<f32>(RoundMode::Floor);
    high.cast::<i32>() + low.cast::<i32>()
}

/// Divides an integer by 2^16 and rounds down.
fn high_bits(x: Tile<f32>) -> Tile<f32> {
    (x * 0.000_015_258_789_062_5).cast_with::<f32>(RoundMode::Floor)
}

/// Returns the remainder of an integer by 2^16.
fn low_bits(x: Tile<f32>) -> Tile<f32> {
    x - high_bits(x) * 65536.0
}
