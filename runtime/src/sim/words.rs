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
        let bytes = self.ub.bytes_mut();
        for at in 0..extent.n * dst.op.size {
            bytes[dst.op.at + at] = f(bytes[a.op.at + at], bytes[b.op.at + at]);
        }
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
        let bytes = self.ub.bytes_mut();
        for at in (0..extent.n).map(|i| i * dst.op.size) {
            let moved = f(number(src.dtype, &bytes[src.op.at + at..][..src.op.size]), by);
            bytes[dst.op.at + at..][..dst.op.size].copy_from_slice(&moved.to_le_bytes()[..dst.op.size]);
        }
        poison::spread(&mut self.ub.valid, dst.op, &[src.op], extent);
        Ok(())
    }
}

/// The whole number that some bytes are.
fn number(dtype: DType, bytes: &[u8]) -> i64 {
    let word = bytes.iter().rev().fold(0u64, |w, b| w << 8 | u64::from(*b));
    match dtype {
        DType::I8 => i64::from(word as i8),
        DType::I16 => i64::from(word as i16),
        DType::I32 => i64::from(word as i32),
        DType::I64 | DType::U8 | DType::U16 | DType::U32 => word as i64,
        DType::F16 | DType::Bf16 | DType::F32 | DType::Bool | DType::Bits => unreachable!("{} is not moved", dtype.name()),
    }
}
