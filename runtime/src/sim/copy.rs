//! Copies between GM and UB: DataCopyPad row by row, DataCopy in whole data blocks.
//!
//! DataCopyPad fills each row up to a data block with the row's first element. That filler is
//! poison here, since no kernel should depend on it; only behind one element alone it is not.
//! Plain DataCopy silently drops the rest of a data block that is not full, as the chip does.

use super::fields::CopyFields;
use super::gm::Choice;
use super::memory::DATA_BLOCK;
use super::touch::Strip;
use super::vector::{Core, Place};
use super::{poison, Gm, Overflow, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::ops::contract::Access;
use jumar_dsl::ops::math;

/// Position and size of a copy, in elements, with its scalars computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub gm_offset: i64,
    pub rows: i64,
    pub cols: i64,
    pub gm_stride: i64,
    pub ub_pitch: i64,
    pub pad: bool,
    /// The number of elements before each row, and the bits of the filler there and in the rest of
    /// the row's last data block.
    pub lead: Option<(i64, u32)>,
}

/// The memory that a copy touched: elements of GM, bytes of UB.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub gm: Strip,
    pub ub: Strip,
    /// Elements of GM with the bits that `store_any` stored there; empty for other copies.
    pub alike: Vec<(usize, u64)>,
}

/// A checked copy, in bytes; `None` where there is nothing to move.
struct Rows {
    rows: usize,
    bytes: usize,
    gm_at: usize,
    gm_stride: usize,
    ub_at: usize,
    ub_pitch: usize,
    /// Bytes before each row.
    lead: usize,
}

impl Core {
    /// Copies GM to UB. Returns `None` where there is nothing to move.
    pub fn copy_in(
        &mut self,
        gm: &Gm<'_>,
        place: Place,
        name: &str,
        moved: Moved,
    ) -> Result<Option<Moves>, Trip> {
        let Some(rows) = check(gm, place, name, moved)? else {
            return Ok(None);
        };
        if let Some((_, word)) = moved.lead {
            return Ok(Some(self.led_in(
                gm,
                &rows,
                word,
                place.dtype.bytes() as usize,
            )));
        }
        for (row, (gm_at, at)) in rows.each().enumerate() {
            let rows_at_once = if rows.is_one_run() { rows.rows } else { 1 };
            if row > 0 && rows_at_once > 1 {
                break;
            }
            let bytes = rows.bytes * rows_at_once;
            let padded = bytes.next_multiple_of(DATA_BLOCK);
            let ub = &mut self.ub.bytes_mut()[at..at + padded];
            gm.read(gm_at, &mut ub[..bytes]);
            if padded > bytes {
                let size = place.dtype.bytes() as usize;
                let (row, filler) = ub.split_at_mut(bytes);
                filler
                    .chunks_exact_mut(size)
                    .for_each(|c| c.copy_from_slice(&row[..size]));
                // One element alone fills its data block, and a kernel may use the whole block.
                let alone = rows.rows == 1 && bytes == size && size < 8;
                poison::mark(&mut self.ub.valid, at + bytes, padded - bytes, alone);
            }
            poison::mark(&mut self.ub.valid, at, bytes, true);
        }
        Ok(Some(rows.moves(place.dtype.bytes() as usize)))
    }

    /// Copies rows with filler before and after them.
    fn led_in(&mut self, gm: &Gm<'_>, rows: &Rows, word: u32, size: usize) -> Moves {
        for (gm_at, at) in rows.each() {
            let padded = (rows.lead + rows.bytes).next_multiple_of(DATA_BLOCK);
            let ub = &mut self.ub.bytes_mut()[at..at + padded];
            ub.chunks_exact_mut(size)
                .for_each(|c| c.copy_from_slice(&word.to_le_bytes()[..size]));
            gm.read(gm_at, &mut ub[rows.lead..rows.lead + rows.bytes]);
            poison::mark(&mut self.ub.valid, at, padded, true);
        }
        rows.moves(size)
    }

    /// Copies UB to GM. Returns `None` where there is nothing to move.
    pub fn copy_out(
        &mut self,
        gm: &Gm<'_>,
        place: Place,
        name: &str,
        moved: Moved,
        (does, overflow): (Access, Overflow),
    ) -> Result<Option<Moves>, Trip> {
        if !gm.is_writable() {
            return Err(Trip::new(
                Code::J0801,
                format!("a copy writes to `{}`, which is an input", gm.name),
            ));
        }
        let Some(rows) = check(gm, place, name, moved)? else {
            return Ok(None);
        };
        let rows_at_once = if rows.is_one_run() { rows.rows } else { 1 };
        let (size, mut alike) = (place.dtype.bytes() as usize, Vec::new());
        for (row, (gm_at, at)) in rows.each().enumerate().step_by(rows_at_once) {
            let bytes = rows.bytes * rows_at_once;
            if let Some(byte) = poison::first(&self.ub.valid, at, bytes) {
                let element = byte / place.dtype.bytes() as usize;
                let row = if rows.rows > 1 && rows_at_once == 1 {
                    format!("row {row}, ")
                } else {
                    String::new()
                };
                let message =
                    format!("the copy to `{}` reads {row}element {element} of `{name}`, which was never written", gm.name);
                return Err(Trip::new(Code::J0802, message));
            }
            let from = &self.ub.bytes()[at..at + bytes];
            if does == Access::Any {
                let bits = |element: &[u8]| {
                    element
                        .iter()
                        .rev()
                        .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
                };
                alike.extend(
                    from.chunks_exact(size)
                        .enumerate()
                        .map(|(i, element)| (gm_at / size + i, bits(element))),
                );
            }
            match does {
                Access::Add => gm.add(gm_at, from, place.dtype, overflow),
                Access::Max => gm.choose(
                    gm_at,
                    from,
                    place.dtype,
                    Choice {
                        float: math::max,
                        whole: i32::max,
                    },
                ),
                Access::Min => gm.choose(
                    gm_at,
                    from,
                    place.dtype,
                    Choice {
                        float: math::min,
                        whole: i32::min,
                    },
                ),
                Access::Write
                | Access::Any
                | Access::Disjoint
                | Access::Read
                | Access::Scratch
                | Access::Line => {
                    gm.write(gm_at, from);
                }
            }
        }
        Ok(Some(Moves {
            alike,
            ..rows.moves(size)
        }))
    }
}

impl Rows {
    /// True if the rows follow one another without gap on both sides.
    fn is_one_run(&self) -> bool {
        self.gm_stride == self.bytes
            && self.ub_pitch == self.bytes
            && self.bytes.is_multiple_of(DATA_BLOCK)
    }
    /// Returns the memory that it touches, for elements of `size` bytes. UB is read and filled up
    /// in whole data blocks.
    fn moves(&self, size: usize) -> Moves {
        Moves {
            gm: Strip::new(
                self.gm_at / size,
                self.bytes / size,
                self.rows,
                self.gm_stride / size,
            ),
            ub: Strip::new(
                self.ub_at,
                (self.lead + self.bytes).next_multiple_of(DATA_BLOCK),
                self.rows,
                self.ub_pitch,
            ),
            alike: Vec::new(),
        }
    }
    /// Iterates over the byte addresses of each row in GM and UB.
    fn each(&self) -> impl Iterator<Item = (usize, usize)> {
        let (gm_at, gm_stride, ub_at, ub_pitch) =
            (self.gm_at, self.gm_stride, self.ub_at, self.ub_pitch);
        (0..self.rows).map(move |r| (gm_at + r * gm_stride, ub_at + r * ub_pitch))
    }
}

fn check(gm: &Gm<'_>, place: Place, name: &str, moved: Moved) -> Result<Option<Rows>, Trip> {
    let trip = |message: String| Err(Trip::new(Code::J0801, message));
    let size = place.dtype.bytes() as usize;
    let natural = |v: i64, what: &str| {
        let message = || {
            Trip::new(
                Code::J0801,
                format!("a copy between `{}` and `{name}` has {what} {v}", gm.name),
            )
        };
        usize::try_from(v).map_err(|_| message())
    };
    let (rows, cols) = (
        natural(moved.rows, "row count")?,
        natural(moved.cols, "row length")?,
    );
    let offset = natural(moved.gm_offset, "GM offset")?;
    let (gm_stride, ub_pitch) = match rows {
        0 => return Ok(None),
        1 => (cols, cols),
        _ => (
            natural(moved.gm_stride, "GM stride")?,
            natural(moved.ub_pitch, "UB pitch")?,
        ),
    };
    if cols == 0 {
        return Ok(None);
    }
    // Integers up to 2^63 multiply without overflow in 128 bits.
    let end = offset as u128 + (rows as u128 - 1) * gm_stride as u128 + cols as u128;
    if end > gm.elems as u128 {
        return trip(format!(
            "a copy reaches element {} of `{}`, which has {}",
            end - 1,
            gm.name,
            gm.elems
        ));
    }
    let bytes = if moved.pad {
        cols * size
    } else {
        cols * size / DATA_BLOCK * DATA_BLOCK
    };
    let lead = match moved.lead {
        Some((lead, _)) => natural(lead, "a lead of")? * size,
        None => 0,
    };
    if lead >= DATA_BLOCK {
        return trip(format!("a copy puts {lead} bytes before the rows of `{name}`, which are fewer than {DATA_BLOCK}"));
    }
    let padded = (lead + bytes).next_multiple_of(DATA_BLOCK);
    if !place.at.is_multiple_of(DATA_BLOCK) {
        return trip(format!(
            "a copy takes `{name}` {} bytes behind the start of a data block",
            place.at % DATA_BLOCK
        ));
    }
    let ub_end =
        place.at as u128 + (rows as u128 - 1) * (ub_pitch as u128 * size as u128) + padded as u128;
    if ub_end > place.end as u128 {
        let (need, have) = (
            (ub_end - place.at as u128) / size as u128,
            (place.end - place.at) / size,
        );
        return trip(format!(
            "a copy reaches over {need} elements of `{name}`, whose buffer has {have} from there"
        ));
    }
    if rows > 1 {
        if !(ub_pitch * size).is_multiple_of(DATA_BLOCK) || ub_pitch * size < padded {
            return trip(format!("a copy lays rows of {cols} elements in `{name}` at a pitch of {ub_pitch}, which is no multiple of a data block that holds them"));
        }
        if gm_stride < cols
            || (!moved.pad && !(gm_stride * size - bytes).is_multiple_of(DATA_BLOCK))
        {
            return trip(format!(
                "a copy takes rows of {cols} elements of `{}` at a distance of {gm_stride}, which DataCopy cannot say",
                gm.name
            ));
        }
    }
    CopyFields {
        rows,
        cols,
        gm_stride,
        size,
        pads: moved.pad,
    }
    .hold(&gm.name)?;
    if bytes == 0 {
        return Ok(None);
    }
    Ok(Some(Rows {
        rows,
        bytes,
        gm_at: offset * size,
        gm_stride: gm_stride * size,
        ub_at: place.at,
        ub_pitch: ub_pitch * size,
        lead,
    }))
}
