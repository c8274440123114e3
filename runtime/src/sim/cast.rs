//! Conversions between storage and the types that ops compute in, and the Cast op with its round
//! modes.
//!
//! 16-bit floats are computed in `f32`; the conversion back rounds once, to nearest even. Overflow
//! gives infinity or the largest number by [`Overflow`]. Integers always saturate, and nan gives 0
//! (asc-devkit, Cast.md and the table of boundary values). Directed modes round with an unbounded
//! exponent first: a result beyond the largest number overflows in every mode.

use super::Trip;
use bytemuck::Pod;
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use jumar_dsl::dtype::{DType, Float, RoundMode};

/// The treatment of a 16-bit result beyond the largest number of its type; CTRL bit 48 of the chip.
///
/// Public sources disagree about the mode in force when a kernel starts, so the launch chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Overflow {
    /// Infinity, and nan stays nan; sums, differences and products of integers wrap.
    #[default]
    InfNan,
    /// The largest number with the sign of the result, and 0 for nan; sums, differences and
    /// products of integers saturate.
    Saturate,
}

/// A type that ops compute in.
pub(super) trait Lane: Pod + PartialOrd {
    /// The element type whose storage is this type itself.
    const NATIVE: DType;
    /// Widens stored elements.
    fn read(dtype: DType, bytes: &[u8], out: &mut [Self]);
    /// Narrows to storage; may leave rounded values behind in `values`.
    fn write(dtype: DType, values: &mut [Self], out: &mut [u8], overflow: Overflow);
}

/// Panics for an element type that no op reads or writes in this lane type.
fn never(dtype: DType, lane: DType) -> ! {
    unreachable!("{} is no number of `{}`", dtype.name(), lane.name())
}

impl Lane for f32 {
    const NATIVE: DType = DType::F32;
    fn read(dtype: DType, bytes: &[u8], out: &mut [f32]) {
        match dtype {
            DType::F16 => bytemuck::cast_slice::<u8, f16>(bytes).convert_to_f32_slice(out),
            DType::Bf16 => {
                for (o, b) in out.iter_mut().zip(bytemuck::cast_slice::<u8, u16>(bytes)) {
                    *o = f32::from_bits(u32::from(*b) << 16);
                }
            }
            DType::I8 => out
                .iter_mut()
                .zip(bytes)
                .for_each(|(o, b)| *o = f32::from(*b as i8)),
            DType::Bool => out
                .iter_mut()
                .zip(bytes)
                .for_each(|(o, b)| *o = f32::from(*b)),
            DType::I64 => out
                .iter_mut()
                .zip(wide(bytes))
                .for_each(|(o, v)| *o = v as f32),
            DType::I16 => out
                .iter_mut()
                .zip(shorts(bytes))
                .for_each(|(o, v)| *o = f32::from(v)),
            DType::U8 => out
                .iter_mut()
                .zip(bytes)
                .for_each(|(o, b)| *o = f32::from(*b)),
            // No cast reads these, and no op computes with them in `f32`.
            DType::U16 | DType::U32 => never(dtype, f32::NATIVE),
            DType::F32 | DType::I32 | DType::Bits => {
                bytemuck::cast_slice_mut::<f32, u8>(out).copy_from_slice(bytes)
            }
        }
    }
    fn write(dtype: DType, values: &mut [f32], out: &mut [u8], overflow: Overflow) {
        match dtype {
            DType::F16 => {
                clamp(values, f16::MAX.to_f32(), overflow);
                bytemuck::cast_slice_mut::<u8, f16>(out).convert_from_f32_slice(values);
            }
            DType::Bf16 => {
                clamp(values, bf16::MAX.to_f32(), overflow);
                for (o, v) in bytemuck::cast_slice_mut::<u8, u16>(out)
                    .iter_mut()
                    .zip(values)
                {
                    *o = bf16_bits(*v);
                }
            }
            // Integers saturate, and nan is 0.
            DType::I8 => out
                .iter_mut()
                .zip(values)
                .for_each(|(o, v)| *o = *v as i8 as u8),
            DType::Bool | DType::U8 => out.iter_mut().zip(values).for_each(|(o, v)| *o = *v as u8),
            DType::I64 => put_wide(out, values.iter().map(|v| *v as i64)),
            DType::I16 => put_shorts(out, values.iter().map(|v| *v as i16)),
            DType::U16 | DType::U32 => never(dtype, f32::NATIVE),
            DType::F32 | DType::I32 | DType::Bits => {
                out.copy_from_slice(bytemuck::cast_slice(values))
            }
        }
    }
}

impl Lane for i32 {
    const NATIVE: DType = DType::I32;
    fn read(dtype: DType, bytes: &[u8], out: &mut [i32]) {
        match dtype {
            DType::I64 => out
                .iter_mut()
                .zip(wide(bytes))
                .for_each(|(o, v)| *o = int(v)),
            DType::I16 => out
                .iter_mut()
                .zip(shorts(bytes))
                .for_each(|(o, v)| *o = v.into()),
            DType::I32 | DType::F32 => {
                bytemuck::cast_slice_mut::<i32, u8>(out).copy_from_slice(bytes)
            }
            DType::F16
            | DType::Bf16
            | DType::Bool
            | DType::I8
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::Bits => never(dtype, i32::NATIVE),
        }
    }
    fn write(dtype: DType, values: &mut [i32], out: &mut [u8], overflow: Overflow) {
        match dtype {
            DType::I64 => put_wide(out, values.iter().map(|v| i64::from(*v))),
            DType::I16 => put_shorts(out, values.iter().map(|v| short(*v, overflow))),
            DType::U16 => out
                .as_chunks_mut::<2>()
                .0
                .iter_mut()
                .zip(values)
                .for_each(|(o, v)| *o = (*v as u16).to_le_bytes()),
            DType::I32 | DType::U32 | DType::F32 => {
                out.copy_from_slice(bytemuck::cast_slice(values))
            }
            DType::F16 | DType::Bf16 | DType::Bool | DType::I8 | DType::U8 | DType::Bits => {
                never(dtype, i32::NATIVE)
            }
        }
    }
}

impl Lane for i16 {
    const NATIVE: DType = DType::I16;
    fn read(dtype: DType, bytes: &[u8], out: &mut [i16]) {
        assert_eq!(dtype, DType::I16, "what is computed in `i16` is stored so");
        bytemuck::cast_slice_mut::<i16, u8>(out).copy_from_slice(bytes);
    }
    fn write(dtype: DType, values: &mut [i16], out: &mut [u8], _: Overflow) {
        assert_eq!(dtype, DType::I16, "what is computed in `i16` is stored so");
        out.copy_from_slice(bytemuck::cast_slice(values));
    }
}

/// Converts to 16 bits: keeps the low bits, or saturates.
fn short(v: i32, overflow: Overflow) -> i16 {
    match overflow {
        Overflow::InfNan => v as i16,
        Overflow::Saturate => v.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
    }
}

/// Converts to 32 bits with saturation, in steps of 32 bits.
#[inline(always)]
fn int(v: i64) -> i32 {
    let (low, high) = (v as i32, (v >> 32) as i32);
    if high == low >> 31 {
        low
    } else {
        high >> 31 ^ i32::MAX
    }
}

fn shorts(bytes: &[u8]) -> impl Iterator<Item = i16> + '_ {
    bytes
        .as_chunks::<2>()
        .0
        .iter()
        .map(|b| i16::from_le_bytes(*b))
}

fn put_shorts(out: &mut [u8], values: impl Iterator<Item = i16>) {
    out.as_chunks_mut::<2>()
        .0
        .iter_mut()
        .zip(values)
        .for_each(|(o, v)| *o = v.to_le_bytes());
}

/// Reads 64-bit numbers, which UB holds at any multiple of four bytes.
fn wide(bytes: &[u8]) -> impl Iterator<Item = i64> + '_ {
    bytes
        .as_chunks::<8>()
        .0
        .iter()
        .map(|b| i64::from_le_bytes(*b))
}

fn put_wide(out: &mut [u8], values: impl Iterator<Item = i64>) {
    out.as_chunks_mut::<8>()
        .0
        .iter_mut()
        .zip(values)
        .for_each(|(o, v)| *o = v.to_le_bytes());
}

fn clamp(values: &mut [f32], max: f32, overflow: Overflow) {
    if overflow == Overflow::Saturate {
        for v in values {
            let bounded = v.clamp(-max, max);
            *v = if v.is_nan() { 0.0 } else { bounded };
        }
    }
}

/// Rounds to nearest even; branch-free, so that loops vectorise.
#[inline(always)]
fn bf16_bits(v: f32) -> u16 {
    let bits = v.to_bits();
    let rounded = (bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16) as u16;
    let nan = (bits >> 16) as u16 | 0x40;
    if v.is_nan() {
        nan
    } else {
        rounded
    }
}

/// Rounds `values` to the precision of `dtype`, in place; `raw` takes the bytes.
pub(super) fn round_through(dtype: DType, values: &mut [f32], raw: &mut [u8], overflow: Overflow) {
    if dtype != DType::F32 {
        let raw = &mut raw[..values.len() * dtype.bytes() as usize];
        f32::write(dtype, values, raw, overflow);
        f32::read(dtype, raw, values);
    }
}

/// Converts a scalar operand to an element of `dtype`, in `f32`. AscendC converts it on the scalar
/// unit: infinity on overflow.
pub(super) fn scalar_of(dtype: DType, value: f32) -> f32 {
    match dtype.float() {
        Some(Float::F16) => f16::from_f32(value).to_f32(),
        Some(Float::Bf16) => bf16::from_f32(value).to_f32(),
        Some(Float::F32) | None => value,
    }
}

/// Converts an integer scalar operand: its low bits are kept; for `u32` the result has its bits.
pub(super) fn whole_of(dtype: DType, value: i32) -> i32 {
    match dtype {
        DType::I16 => i32::from(value as i16),
        DType::U16 => i32::from(value as u16),
        DType::F16 | DType::Bf16 | DType::F32 | DType::I32 | DType::U32 => value,
        DType::Bool | DType::I8 | DType::I64 | DType::U8 | DType::Bits => value,
    }
}

/// A float type of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    F16,
    Bf16,
}

/// The conversion of a Cast, in the types of computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    /// Widening or rounding to nearest even, done by reading and writing.
    Plain,
    /// A narrower float with another mode.
    Narrow(Half, RoundMode),
    /// Rounding of `f32` to integral `f32`.
    Integral(RoundMode),
    /// A float to `i32`.
    ToInt(RoundMode),
    /// Integers of 32 bits to `f32`.
    FromInt(RoundMode),
    /// Between floats and a storage type, done by reading or writing.
    Stored,
    /// Between widths of integers.
    Whole,
}

impl Conversion {
    /// Returns the conversion between two element types; `None` where there is none.
    pub fn between(from: DType, to: DType, mode: RoundMode) -> Option<Conversion> {
        use DType::{Bf16, Bool, F16, F32, I16, I32, I64, I8, U8};
        Some(match (from, to) {
            (F16 | Bf16, F32) => Conversion::Plain,
            (F32, F16 | Bf16) if matches!(mode, RoundMode::None | RoundMode::Rint) => {
                Conversion::Plain
            }
            (F32, F16) => Conversion::Narrow(Half::F16, mode),
            (F32, Bf16) => Conversion::Narrow(Half::Bf16, mode),
            (F32, F32) => Conversion::Integral(mode),
            (F16 | Bf16 | F32, I32) => Conversion::ToInt(mode),
            (I32, F32) => Conversion::FromInt(mode),
            (I8 | Bool | U8, F16) | (I64 | I16, F32) => Conversion::Stored,
            (I16, F16) if matches!(mode, RoundMode::None | RoundMode::Rint) => Conversion::Stored,
            (I16, F16) => Conversion::Narrow(Half::F16, mode),
            (F16, I8 | Bool | U8 | I16) | (F32, I64 | I16) => Conversion::Integral(mode),
            (I32, I64 | I16) | (I64, I32) => Conversion::Whole,
            _ => return None,
        })
    }
}

/// Rounds a non-negative number to an integer; `negative` is its removed sign.
fn to_integral(v: f64, mode: RoundMode, negative: bool) -> f64 {
    match mode {
        RoundMode::None | RoundMode::Rint => v.round_ties_even(),
        RoundMode::Floor if negative => v.ceil(),
        RoundMode::Ceil if !negative => v.ceil(),
        RoundMode::Floor | RoundMode::Ceil | RoundMode::Trunc => v.trunc(),
        RoundMode::Round => v.round(),
        RoundMode::Odd => {
            let down = v.trunc();
            let even = down % 2.0 == 0.0;
            down + f64::from(u8::from(down != v && even))
        }
    }
}

/// Rounds to a binary float of `bits` fraction bits whose smallest normal exponent is `least`.
fn to_float(v: f64, bits: i32, least: i32, mode: RoundMode) -> f64 {
    if v == 0.0 || !v.is_finite() {
        return v;
    }
    // The inputs are `f32` or `i32`, and normal as `f64`, so the field is the exponent.
    let exponent = (v.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    let quantum = exponent.max(least) - bits;
    let rounded = to_integral(v.abs() * power(-quantum), mode, v < 0.0) * power(quantum);
    rounded.copysign(v)
}

/// Rounds `f32` values to what `to` holds, by `mode`; the values stay `f32`, overflow becomes
/// infinity.
pub(super) fn narrow(to: Half, mode: RoundMode, dst: &mut [f32], src: &[f32]) {
    let (bits, least, max) = match to {
        Half::Bf16 => (7, -126, bf16::MAX.to_f64()),
        Half::F16 => (10, -14, f16::MAX.to_f64()),
    };
    for (d, s) in dst.iter_mut().zip(src) {
        let v = to_float(f64::from(*s), bits, least, mode);
        *d = if v.abs() > max {
            f32::INFINITY.copysign(*s)
        } else {
            v as f32
        };
    }
}

/// Prepares the result of a call of two steps for a narrower type. `i8` rounds to even here. A half
/// rounds when it is stored, and only an infinity exceeds its largest number. Nan gives 0 in both
/// (asc-devkit, table of boundary values of AddReluCast).
pub(super) fn settle(to: DType, values: &mut [f32]) -> Result<(), Trip> {
    let most = f16::MAX.to_f32();
    for v in values {
        *v = match to {
            _ if v.is_nan() => 0.0,
            DType::F16 if v.is_finite() => v.clamp(-most, most),
            DType::F16 => *v,
            DType::I8 => to_even(*v),
            DType::Bf16
            | DType::F32
            | DType::I32
            | DType::Bool
            | DType::I64
            | DType::I16
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::Bits => {
                return Err(Trip::malformed(format!(
                    "no call of two steps gives {}",
                    to.name()
                )))
            }
        };
    }
    Ok(())
}

/// Rounds to integral values; minus zero becomes zero.
pub(super) fn integral(mode: RoundMode, dst: &mut [f32], src: &[f32]) {
    rounded(mode, dst, src, |v| v + 0.0);
}

/// Rounds to integers; beyond the range saturates, nan gives 0.
pub(super) fn to_int(mode: RoundMode, dst: &mut [i32], src: &[f32]) {
    rounded(mode, dst, src, |v| v as i32);
}

/// Applies `done` to each number rounded to an integral one. There is a loop for each mode, and the
/// most frequent ones need no library call.
fn rounded<T>(mode: RoundMode, dst: &mut [T], src: &[f32], done: impl Fn(f32) -> T) {
    fn run<T>(dst: &mut [T], src: &[f32], f: impl Fn(f32) -> T) {
        dst.iter_mut().zip(src).for_each(|(d, s)| *d = f(*s));
    }
    match mode {
        RoundMode::None | RoundMode::Rint => run(dst, src, |v| done(to_even(v))),
        RoundMode::Floor => run(dst, src, |v| done(below(v))),
        RoundMode::Ceil => run(dst, src, |v| done(-below(-v))),
        RoundMode::Trunc => run(dst, src, |v| done(below(v.abs()).copysign(v))),
        RoundMode::Round => run(dst, src, |v| done(v.round())),
        RoundMode::Odd => {
            run(dst, src, |v| {
                done(to_integral(f64::from(v.abs()), mode, v < 0.0).copysign(f64::from(v)) as f32)
            });
        }
    }
}

/// Computes `round_ties_even`, which is a call where a processor may lack the instruction. Beyond
/// 2^23 every number is integral, and below it the sum with 2^23 rounds to one.
#[inline(always)]
fn to_even(v: f32) -> f32 {
    const INTEGRAL: f32 = 8_388_608.0;
    let far = INTEGRAL.copysign(v);
    if v.abs() < INTEGRAL {
        (v + far - far).copysign(v)
    } else {
        v
    }
}

/// Computes `floor` by `to_even`.
#[inline(always)]
fn below(v: f32) -> f32 {
    let even = to_even(v);
    if even > v {
        even - 1.0
    } else {
        even
    }
}

/// Converts integers to `f32`.
pub(super) fn from_int(mode: RoundMode, dst: &mut [f32], src: &[i32]) {
    for (d, s) in dst.iter_mut().zip(src) {
        *d = match mode {
            RoundMode::None | RoundMode::Rint => *s as f32,
            mode => to_float(f64::from(*s), 23, -126, mode) as f32,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RoundMode::*;

    fn narrowed(to: Half, mode: RoundMode, v: f32) -> f32 {
        let mut out = [0.0];
        narrow(to, mode, &mut out, &[v]);
        out[0]
    }

    #[test]
    fn long_integers_end_where_the_type_ends() {
        let near = [0, 1 << 31, 1 << 32, 1 << 33, i64::MAX / 3, i64::MAX - 1];
        for v in near.into_iter().flat_map(|v| [v - 1, v, v + 1, -v, -v - 1]) {
            assert_eq!(
                i64::from(int(v)),
                v.clamp(i32::MIN.into(), i32::MAX.into()),
                "{v}"
            );
        }
    }

    #[test]
    fn integral_numbers_are_those_that_rust_finds() {
        let ends = [
            0.0,
            0.5,
            1.5,
            2.5,
            8_388_607.5,
            8_388_608.0,
            8_388_609.0,
            16_777_217.0,
            3e9,
            f32::MAX,
            f32::INFINITY,
            1e-40,
            f32::NAN,
        ];
        let some = (0..1u32 << 16).map(|i| f32::from_bits(i.wrapping_mul(65_537).wrapping_add(i)));
        for v in ends
            .into_iter()
            .flat_map(|v| [v, -v, v + 0.25, -v - 0.25])
            .chain(some)
        {
            let same = |a: f32, b: f32, what: &str| {
                assert!(
                    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
                    "{what} of {v}: {a}, {b}"
                )
            };
            same(to_even(v), v.round_ties_even(), "rint");
            same(below(v), v.floor(), "floor");
            same(-below(-v), v.ceil(), "ceil");
            same(below(v.abs()).copysign(v), v.trunc(), "trunc");
        }
    }

    #[test]
    fn every_mode_rounds_halves_and_signs_as_documented() {
        // Values between the neighbours 1 and 1 + 2^-10 of half; the middle is a tie.
        let (low, high, step) = (1.0, 1.0 + 2f32.powi(-10), 2f32.powi(-10));
        for (mode, below, tie, above, negative_tie) in [
            (Rint, low, low, high, -low),
            (Floor, low, low, low, -high),
            (Ceil, high, high, high, -low),
            (Round, low, high, high, -high),
            (Trunc, low, low, low, -low),
            (Odd, high, high, high, -high),
        ] {
            let cast = |v| narrowed(Half::F16, mode, v);
            assert_eq!(cast(1.0 + step * 0.25), below, "{mode:?}");
            assert_eq!(cast(1.0 + step * 0.5), tie, "{mode:?}");
            assert_eq!(cast(1.0 + step * 0.75), above, "{mode:?}");
            assert_eq!(cast(-1.0 - step * 0.5), negative_tie, "{mode:?}");
            assert_eq!(cast(high), high, "{mode:?}");
        }
        assert_eq!(narrowed(Half::F16, Floor, 65535.0), 65504.0);
        assert_eq!(narrowed(Half::F16, Ceil, 65505.0), f32::INFINITY);
        assert_eq!(narrowed(Half::F16, Ceil, 1e-10), f16::from_bits(1).to_f32());
        assert_eq!(narrowed(Half::Bf16, Ceil, 1.0 + 1e-6), 1.0078125);
        assert_eq!(narrowed(Half::Bf16, Floor, f32::MAX), bf16::MAX.to_f32());
    }

    #[test]
    fn own_rounding_is_that_of_the_half_crate() {
        let mut bits = 0u32;
        for _ in 0..200_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let v = f32::from_bits(bits);
            if v.is_nan() {
                continue;
            }
            assert_eq!(bf16_bits(v), bf16::from_f32(v).to_bits(), "{v}");
            assert_eq!(
                narrowed(Half::Bf16, Rint, v),
                bf16::from_f32(v).to_f32(),
                "{v}"
            );
            assert_eq!(
                narrowed(Half::F16, Rint, v),
                f16::from_f32(v).to_f32(),
                "{v}"
            );
        }
    }

    #[test]
    fn integers_saturate_and_take_zero_for_nan() {
        let rounded = |mode, v: f32| {
            let mut out = [7];
            to_int(mode, &mut out, &[v]);
            out[0]
        };
        // Rows of the table of boundary values, float to int32_t.
        assert_eq!(rounded(Rint, f32::MAX), i32::MAX);
        assert_eq!(rounded(Rint, f32::MIN), i32::MIN);
        assert_eq!(rounded(Trunc, f32::INFINITY), i32::MAX);
        assert_eq!(rounded(Trunc, f32::NEG_INFINITY), i32::MIN);
        assert_eq!(rounded(Floor, f32::NAN), 0);
        for (mode, want) in [
            (Rint, -2),
            (Floor, -3),
            (Ceil, -2),
            (Round, -3),
            (Trunc, -2),
        ] {
            assert_eq!(rounded(mode, -2.5), want, "{mode:?}");
        }
        let mut out = [0.0; 2];
        from_int(None, &mut out, &[i32::MAX, i32::MIN]);
        assert_eq!(out, [2_147_483_648.0, -2_147_483_648.0]);
        from_int(Trunc, &mut out, &[i32::MAX, i32::MIN]);
        assert_eq!(out, [2_147_483_520.0, -2_147_483_648.0]);
        integral(Rint, &mut out, &[-0.0, -0.25]);
        assert_eq!(out.map(f32::to_bits), [0, 0]);
    }

    #[test]
    fn overflow_follows_the_mode() {
        let through = |dtype, v: f32, overflow| {
            let mut values = [v];
            round_through(
                dtype,
                &mut values,
                bytemuck::cast_slice_mut(&mut [0u32]),
                overflow,
            );
            values[0]
        };
        for (dtype, max) in [
            (DType::F16, f16::MAX.to_f32()),
            (DType::Bf16, bf16::MAX.to_f32()),
        ] {
            assert_eq!(through(dtype, f32::MAX, Overflow::InfNan), f32::INFINITY);
            assert_eq!(
                through(dtype, f32::MIN, Overflow::InfNan),
                f32::NEG_INFINITY
            );
            assert!(through(dtype, f32::NAN, Overflow::InfNan).is_nan());
            assert_eq!(through(dtype, f32::INFINITY, Overflow::Saturate), max);
            assert_eq!(through(dtype, f32::MIN, Overflow::Saturate), -max);
            assert_eq!(through(dtype, f32::NAN, Overflow::Saturate), 0.0);
        }
    }
}
