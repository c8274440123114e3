//! Select by a mask of bytes (asc-devkit, `impl/adv_api/detail/select/selectwithbytesmask`).
//!
//! The mask becomes half, a comparison with 0 makes bits of it, and those select between the tensor
//! and the number.

use super::elementwise::pieces;
use super::steps::{Steps, Tensor, BLOCK, BLOCKS, REPEAT};
use super::{Call, Unknown};

/// Adds the instructions of a call.
pub(super) fn issue(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    let (dst, src) = (call.tensor("dst")?, call.tensor("src")?);
    let elements = call.number("elements")?;
    let (row, mask_row) = (call.number("row")?, call.number("mask_row")?);
    let mut tmp = Tensor {
        at: call.number("tmp")?,
        size: 2,
    };
    let mut room = call.number("tmp_bytes")?;
    let mut mask = Tensor {
        at: call.number("mask")?,
        size: call.number("mask_size")?,
    };
    let number = tmp.sized(dst.size);
    let shortens = row != mask_row;
    let copied = if shortens && !call.is("reuses")? {
        let copied = number.sized(mask.size);
        let bytes = (elements * mask.size).next_multiple_of(BLOCK);
        (tmp.at, room) = (tmp.at + bytes, room - bytes);
        copied
    } else {
        mask
    };
    let most = 255 * REPEAT / 2;
    let at_once = ((room - REPEAT) / 2 / 32 * 32).min(most);
    steps.barrier();
    steps.counted("Duplicate", REPEAT / dst.size, number, &[]);
    steps.barrier();
    steps.repeated("SetCmpMask", 1, None, &[number.into()]);
    steps.barrier();
    if shortens {
        let rows = call.number("rows")?;
        let repeats = rows * (row * mask.size).div_ceil(REPEAT);
        let from = mask.sized(2).steps(1, mask_row * mask.size / BLOCK);
        steps.repeated("GatherMask", repeats, copied.sized(2), &[from]);
        steps.barrier();
        mask = copied;
    }
    for (first, count) in pieces(elements, at_once) {
        let bits = tmp.sized(1).steps(1, BLOCKS);
        steps.counted("Cast", count, tmp, &[mask.from(first).into()]);
        steps.barrier();
        steps.counted("CompareScalar", count, bits, &[tmp.into()]);
        steps.barrier();
        let from = [src.from(first).into(), bits];
        steps.counted("Select", count, dst.from(first), &from);
        steps.barrier();
    }
    Ok(())
}
