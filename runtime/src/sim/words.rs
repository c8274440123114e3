//! Ops on the bits of integers: combined byte by byte, and shifted inside of each element.

use super::vector::{Call, Core};
use super::{poison, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ops::{BinaryFn, Shifts};

impl Core {
    /// Computes `dst = f(a, b)` on the bits of elements; with one source `b` is `a`.
    pub(super) fn join_words(&mut self, call: &Call<'_>, f: BinaryFn<u8>) -> Result<(), Trip> {
        let (extent, dst, srcs) = self.operands(call, call.srcs)?;
        let (a, b) = (srcs[0], srcs[call.srcs.len() - 1]);
        self.on_runs(
            extent.n * dst.op.size,
            dst.op.at,
            [a.op.at, b.op.at],
            false,
            f,
        );
        poison::spread(&mut self.ub.valid, dst.op, &[a.op, b.op], extent);
        Ok(())
    }

    /// Computes `dst = f(src, by)` on elements as integers, of which the type keeps the low bits.
    pub(super) fn shift(&mut self, call: &Call<'_>, f: Shifts) -> Result<(), Trip> {
        let (extent, dst, [src, _]) = self.operands(call, call.srcs)?;
        let width = 8 * dst.op.size as u32;
        let by = u32::try_from(call.scalar.1)
            .ok()
            .filter(|by| *by <= width)
            .ok_or_else(|| {
                let what = format!(
                    "`{}` by {} of elements of {width} bits",
                    call.vector.name, call.scalar.1
                );
                Trip::new(Code::J0804, what)
            })?;
        let (n, to, from) = (extent.n, dst.op.at, [src.op.at; 2]);
        match src.dtype {
            DType::I16 => self.on_runs(n, to, from, false, |d, s, _| (f.i16)(d, s, by)),
            DType::U16 => self.on_runs(n, to, from, false, |d, s, _| (f.u16)(d, s, by)),
            DType::I32 => self.on_runs(n, to, from, false, |d, s, _| (f.i32)(d, s, by)),
            DType::U32 => self.on_runs(n, to, from, false, |d, s, _| (f.u32)(d, s, by)),
            DType::I8
            | DType::I64
            | DType::U8
            | DType::F16
            | DType::Bf16
            | DType::F32
            | DType::Bool
            | DType::Bits => {
                return Err(Trip::new(
                    Code::J0804,
                    format!("`{}` of {}", call.vector.name, src.dtype.name()),
                ));
            }
        }
        poison::spread(&mut self.ub.valid, dst.op, &[src.op], extent);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Ub;
    use super::*;
    use crate::sim::Overflow;
    use jumar_dsl::ops::{bits::BitOp, Eval};
    use jumar_dsl::soc::Arch;

    #[test]
    fn bytes_are_joined_at_any_place_and_length_over_their_sources_or_apart() {
        type Each = fn(u8, u8) -> u8;
        let functions: [(BitOp, Each); 3] = [
            (BitOp::And, |a, b| a & b),
            (BitOp::Or, |a, b| a | b),
            (BitOp::Not, |a, _| !a),
        ];
        for (op, each) in functions {
            let Eval::Bits(f) = op.def().eval else {
                panic!("an op on bits")
            };
            let places = [
                (1, 0, 700, 900),
                (255, 3, 300, 3),
                (257, 0, 0, 300),
                (600, 601, 1, 601),
                (5000, 0, 5000, 0),
                (9000, 4, 4, 4),
            ];
            for (n, dst, a, b) in places {
                let mut core = Core::new(Ub::new(10_240, false), Overflow::InfNan, Arch::V220, 256);
                core.ub
                    .bytes_mut()
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, b)| *b = (i * i % 251) as u8);
                let before = core.ub.bytes().to_vec();
                core.on_runs(n, dst, [a, b], false, f);
                let want = |i: usize| {
                    if (dst..dst + n).contains(&i) {
                        each(before[a + i - dst], before[b + i - dst])
                    } else {
                        before[i]
                    }
                };
                assert!(
                    (0..before.len()).all(|i| core.ub.bytes()[i] == want(i)),
                    "{n} {dst} {a} {b}"
                );
            }
        }
    }
}
