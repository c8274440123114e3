//! Rows of a copy: their number, their distances in GM and UB, and the elements before each.

use super::bounds::Bounds;
use super::limits::{Count, Limit};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Base, BinOp, Extent, Instr, Layout, Level, Scalar, SpanId, View};
use crate::ops::{CopyOp, Op};
use crate::soc::MAX_COPY_BLOCKS;

impl Bounds<'_> {
    /// Reports J0306, J0307 and J0310 for rows that an author or the lowering copies.
    pub(super) fn rows(&mut self, instr: &Instr, span: SpanId) {
        let (Op::Copy(op), Extent::Rows { rows, cols }) = (instr.op, &instr.extent) else {
            return;
        };
        if self.level == Level::Tile && self.limits.is_none() {
            return;
        }
        let help = format!("`blockCount` is at most {MAX_COPY_BLOCKS}: write a loop over copies");
        self.within(
            rows,
            &Limit {
                what: "rows of one copy",
                least: 0,
                most: MAX_COPY_BLOCKS,
                help: &help,
            },
            span,
        );
        let Some(size) = instr
            .views()
            .find_map(|(_, view)| view.tensor())
            .map(|t| self.size(t))
        else {
            return;
        };
        let lanes = self.chip.data_block_bytes / size;
        if !op.pads() && self.facts.multiple_of(cols) % lanes != 0 {
            // Rows that are no whole data blocks are already reported. Rows that overlap in GM are
            // wrong for any copy.
            for (_, view) in instr.views().filter(|(_, view)| view.global().is_some()) {
                match &view.layout {
                    Layout::Rows { pitch } if self.below_zero(&(pitch.clone() - cols.clone())) => {
                        self.between_rows_of_gm(op, view, pitch, cols, size, span);
                    }
                    Layout::Rows { .. }
                    | Layout::Dense {}
                    | Layout::Blocks { .. }
                    | Layout::Results { .. } => {}
                }
            }
            return;
        }
        let lead = instr.lead().cloned().unwrap_or(Scalar::Int(0));
        let help = "what is put before a row is less than a data block of 32 bytes";
        self.within(
            &lead,
            &Limit {
                what: "elements put before a row",
                least: 0,
                most: lanes - 1,
                help,
            },
            span,
        );
        for (_, view) in instr.views() {
            let Layout::Rows { pitch } = &view.layout else {
                continue;
            };
            match view.base {
                Base::Gm(_) => self.rows_of_gm(op, view, pitch, cols, size, span),
                // A gap between rows inside of UB cannot exceed UB.
                Base::Local(_) if self.limits.is_some() => {}
                Base::Local(_) => {
                    self.rows_of_ub(view, pitch, &(lead.clone() + cols.clone()), size, span)
                }
            }
        }
    }

    fn rows_of_gm(
        &mut self,
        op: CopyOp,
        view: &View,
        pitch: &Scalar,
        cols: &Scalar,
        size: i64,
        span: SpanId,
    ) {
        let Some(of) = view.global() else { return };
        let name = self.body.gm_name(&self.lowered.sig, of).to_string();
        let block = self.chip.data_block_bytes;
        let bytes = |n: i64| i128::from(n) * i128::from(size);
        if !op.pads() && self.facts.multiple_of(&(pitch.clone() * size)) % block != 0 {
            let text = match self.facts.as_int(pitch) {
                Some(n) => format!(
                    "rows of `{name}` lie {n} elements apart, {} bytes, not a multiple of {block}",
                    bytes(n)
                ),
                None => format!(
                    "the pitch of rows of `{name}` cannot be proved a multiple of {block} bytes"
                ),
            };
            let d = Diagnostic::new(Code::J0306, span, text)
                .note("DataCopy counts what lies between rows in whole data blocks");
            self.found.push(match self.chip.has_data_copy_pad {
                true => d.help("`data_copy_pad` takes any pitch").word(
                    span,
                    super::bounds::author(op),
                    format!("{}_pad", super::bounds::author(op)),
                ),
                false => d.help(format!("make it a multiple of {} elements", block / size)),
            });
        }
        self.between_rows_of_gm(op, view, pitch, cols, size, span);
    }

    fn between_rows_of_gm(
        &mut self,
        op: CopyOp,
        view: &View,
        pitch: &Scalar,
        cols: &Scalar,
        size: i64,
        span: SpanId,
    ) {
        let Some(of) = view.global() else { return };
        let gap = pitch.clone() - cols.clone();
        let what = format!(
            "elements between rows of `{}`",
            self.body.gm_name(&self.lowered.sig, of)
        );
        // DataCopyExtParams has 32 bits for bytes, DataCopyParams 16 for data blocks (asc-devkit,
        // pages of both structs).
        let most = match op.pads() {
            true => i64::from(u32::MAX) / size,
            false => i64::from(u16::MAX) * (self.chip.data_block_bytes / size),
        };
        let help = "`.rows(r, pitch)` goes from the start of a row to that of the next; what lies between has a field of 32 bits for bytes in \
                    `data_copy_pad`, of 16 for data blocks in `data_copy`";
        // The gap between two rows is at most the distance from one to the next.
        if self.limits.is_some() {
            let whole = Scalar::Int(0).bin(BinOp::Le, gap.clone());
            let distance = pitch.clone().bin(BinOp::Le, most);
            if (self.not_negative(&gap) || self.facts.proves(&whole))
                && self.facts.proves(&distance)
            {
                return;
            }
        }
        // Only tensors that fill GM have such gaps, so no proof of the contrary is demanded.
        let open = self.limits.is_none()
            && op.pads()
            && self.not_negative(&gap)
            && !self.facts.proves_le(&Scalar::Int(most + 1), &gap);
        if !open {
            self.within(
                &gap,
                &Limit {
                    what: &what,
                    least: 0,
                    most,
                    help,
                },
                span,
            );
        }
    }

    fn rows_of_ub(
        &mut self,
        view: &View,
        pitch: &Scalar,
        filled: &Scalar,
        size: i64,
        span: SpanId,
    ) {
        let Some(name) = view.tensor().map(|t| self.tensor_name(t)) else {
            return;
        };
        let block = self.chip.data_block_bytes;
        let bytes = |n: i64| i128::from(n) * i128::from(size);
        let help = format!(
            "each row begins at a data block: the pitch is a multiple of {} elements",
            block / size
        );
        let count = Count {
            number: pitch,
            size,
            unit: block,
        };
        let is_off = self.off_unit(
            count,
            &format!("the pitch of rows of `{name}`"),
            help,
            span,
            |n| {
                format!(
                    "rows of `{name}` lie {n} elements apart, {} bytes, not a multiple of {block}",
                    bytes(n)
                )
            },
        );
        if is_off {
            return;
        }
        let gap = pitch.clone() - filled.clone().align_up(block / size);
        let what = format!("elements between rows of `{name}`");
        let help = "`.rows(pitch)` goes from the start of a row to that of the next, and a row fills its last data block";
        self.within(
            &gap,
            &Limit {
                what: &what,
                least: 0,
                most: self.chip.ub_bytes,
                help,
            },
            span,
        );
    }
}
