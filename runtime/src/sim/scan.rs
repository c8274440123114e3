//! Running sums and products, joined in the order that the op's row documents.

use super::cast::Lane;
use super::vector::{Call, Core};
use super::{poison, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::ops::contract::most_chosen;
use jumar_dsl::ops::BinaryFn;

impl Core {
    /// Joins each of `n` elements with all before it. Afterwards the work space and the filler of
    /// the result's last data block have no value.
    pub(super) fn scan<L: Lane>(&mut self, call: &Call<'_>, join: BinaryFn<L>) -> Result<(), Trip> {
        let refused = |text: String| Trip::new(Code::J0801, text);
        let (name, dst, [src, offsets]) =
            (call.vector.name, call.dst, [call.srcs[0], call.srcs[1]]);
        let size = dst.dtype.bytes() as usize;
        let (lanes, block) = (self.repeat_bytes / size, super::memory::DATA_BLOCK / size);
        let n = self.extent(call, lanes, false)?.n;
        call.by_offsets(n, 1, most_chosen(lanes as i64))?;
        let Some(work) = call.work else {
            return Err(refused(format!("`{name}` has no work space")));
        };
        let all = n.next_multiple_of(block);
        call.all_apart([
            (dst, all * size),
            (src, all * size),
            (offsets, n * 4),
            (work, 2 * (all + block) * size),
        ])?;
        // Offsets are read where elements less than a data block apart are joined.
        for i in (0..n).filter(|_| n > 1) {
            let at = offsets.at + i * 4;
            let offset = i64::from(bytemuck::pod_read_unaligned::<i32>(
                &self.ub.bytes()[at..at + 4],
            ));
            if !poison::element(&self.ub.valid, at, 4) || offset != (i * size) as i64 {
                let of = &call.tensors[offsets.tensor].name;
                return Err(refused(format!(
                    "`{name}` takes element {i} of `{of}` for an offset: it is to be {}",
                    i * size
                )));
            }
        }
        let element = |i: usize| src.at + i * size;
        let mut values: Vec<L> = (0..n)
            .map(|i| bytemuck::pod_read_unaligned(&self.ub.bytes()[element(i)..element(i) + size]))
            .collect();
        let mut known: Vec<bool> = (0..n)
            .map(|i| poison::element(&self.ub.valid, element(i), size))
            .collect();
        for i in 1..n {
            known[i] &= known[i - 1];
        }
        let mut by = 1;
        while by < n {
            let before = values.clone();
            join(&mut values[by..], &before[by..], &before[..n - by]);
            by *= 2;
        }
        for (i, (value, ok)) in values.iter().zip(known).enumerate() {
            let to = dst.at + i * size;
            self.ub.bytes_mut()[to..to + size].copy_from_slice(bytemuck::bytes_of(value));
            poison::mark(&mut self.ub.valid, to, size, ok);
        }
        poison::mark(
            &mut self.ub.valid,
            dst.at + n * size,
            (all - n) * size,
            false,
        );
        poison::mark(&mut self.ub.valid, work.at, 2 * (all + block) * size, false);
        Ok(())
    }
}
