//! Ops on the bits of whole numbers: joined byte by byte, and moved inside each element.

use super::vector::{Call, Core};
use super::{poison, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ops::{BitsFn, ShiftFn};

impl Core {
    /// `dst = f(a, b)` of the bits of elements; of one source `b` is `a`.
    pub(super) fn join_words(&mut self, call: &Call<'_>, f: BitsFn) -> Result<(), Trip> {
        let (extent, dst, srcs) = self.operands(call, call.srcs)?;
        let (a, b) = (srcs[0], srcs[call.srcs.len() - 1]);
        join(self.ub.bytes_mut(), extent.n * dst.op.size, dst.op.at, [a.op.at, b.op.at], f);
        poison::spread(&mut self.ub.valid, dst.op, &[a.op, b.op], extent);
        Ok(())
    }

    /// `dst = f(src, by)` of elements as whole numbers, of which the type keeps the low bits.
    pub(super) fn shift(&mut self, call: &Call<'_>, f: ShiftFn) -> Result<(), Trip> {
        let (extent, dst, [src, _]) = self.operands(call, call.srcs)?;
        let width = 8 * dst.op.size as u32;
        let by = u32::try_from(call.scalar.1).ok().filter(|by| *by <= width).ok_or_else(|| {
            let what = format!("`{}` by {} of elements of {width} bits", call.vector.name, call.scalar.1);
            Trip::new(Code::J0804, what)
        })?;
        let (bytes, n, at) = (self.ub.bytes_mut(), extent.n, [dst.op.at, src.op.at]);
        match src.dtype {
            DType::I8 => moved(bytes, n, at, |v| f(i8::from_le_bytes(v).into(), by)),
            DType::I16 => moved(bytes, n, at, |v| f(i16::from_le_bytes(v).into(), by)),
            DType::I32 => moved(bytes, n, at, |v| f(i32::from_le_bytes(v).into(), by)),
            DType::I64 => moved(bytes, n, at, |v| f(i64::from_le_bytes(v), by)),
            DType::U8 => moved(bytes, n, at, |v| f(u8::from_le_bytes(v).into(), by)),
            DType::U16 => moved(bytes, n, at, |v| f(u16::from_le_bytes(v).into(), by)),
            DType::U32 => moved(bytes, n, at, |v| f(u32::from_le_bytes(v).into(), by)),
            DType::F16 | DType::Bf16 | DType::F32 | DType::Bool | DType::Bits => {
                return Err(Trip::new(Code::J0804, format!("`{}` of {}", call.vector.name, src.dtype.name())));
            }
        }
        poison::spread(&mut self.ub.valid, dst.op, &[src.op], extent);
        Ok(())
    }
}

/// Bytes that are joined at once.
const PART: usize = 256;

/// Joins bytes at two places, bit by bit: what a function makes of no bits and of all says what it makes of each.
fn join(bytes: &mut [u8], n: usize, dst: usize, [a, b]: [usize; 2], f: BitsFn) {
    let [neither, second, first, both] = [(0, 0), (0, 255), (255, 0), (255, 255)].map(|(a, b)| f(a, b));
    let mut parts = [[0u8; PART]; 3];
    for from in (0..n).step_by(PART) {
        let len = PART.min(n - from);
        let [x, y, z] = &mut parts;
        x[..len].copy_from_slice(&bytes[a + from..][..len]);
        y[..len].copy_from_slice(&bytes[b + from..][..len]);
        for (z, (x, y)) in z.iter_mut().zip(x.iter().zip(y.iter())) {
            *z = !x & !y & neither | !x & y & second | x & !y & first | x & y & both;
        }
        bytes[dst + from..][..len].copy_from_slice(&z[..len]);
    }
}

/// Makes a number of each of `n` elements, of which the low bytes are kept.
fn moved<const N: usize>(bytes: &mut [u8], n: usize, [dst, src]: [usize; 2], f: impl Fn([u8; N]) -> i64) {
    for at in (0..n).map(|i| i * N) {
        let mut element = [0; N];
        element.copy_from_slice(&bytes[src + at..][..N]);
        bytes[dst + at..][..N].copy_from_slice(&f(element).to_le_bytes()[..N]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_joined_as_the_function_says_at_any_place_and_length() {
        let functions: [BitsFn; 4] = [|a, b| a & b, |a, b| a | b, |a, b| a ^ b, |a, _| !a];
        for f in functions {
            for (n, dst, a, b) in [(1, 0, 700, 900), (255, 3, 300, 3), (257, 0, 0, 300), (600, 601, 1, 601)] {
                let before: Vec<u8> = (0..1300usize).map(|i| (i * i % 251) as u8).collect();
                let mut bytes = before.clone();
                join(&mut bytes, n, dst, [a, b], f);
                let want =
                    |i: usize| if (dst..dst + n).contains(&i) { f(before[a + i - dst], before[b + i - dst]) } else { before[i] };
                assert!((0..1300).all(|i| bytes[i] == want(i)), "{n} {dst} {a} {b}");
            }
        }
    }
}
