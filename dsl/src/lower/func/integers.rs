//! Reductions of the last axis of integers, and products.
//!
//! The vector unit reduces no data blocks or repeats of integers, and has no product over the
//! elements of one tensor.
//!
//! - Each row is folded into an accumulator of a power of two of data blocks. The rows are repeats,
//!   chunk by chunk. If their distance exceeds a repeat stride, they are folded row by row in
//!   longer pieces.
//! - Accumulators are halved by ops on neighbouring data blocks, all rows in one call.
//! - The remaining data blocks are halved by ops on their even and odd elements.
//!
//! Accumulators begin as the neutral value, so padding of rows takes no part. Sums have this order
//! where integers saturate; where they wrap, all orders agree.

use super::builder::Writer;
use super::registry::{Funcs, Key, Reduce};
use super::rows::MOST_ROWS;
use crate::ir::{BinOp, Extent, FuncId, Lanes, Scalar, TensorId, Ty, View};
use crate::ops::contract::{Access, BLOCKS_PER_REPEAT};
use crate::ops::LayoutOp;

/// The largest distance of rows, in data blocks, that a repeat stride can hold.
const NEAR: i64 = u8::MAX as i64;

/// Data blocks of the accumulator of a row that is folded in pieces. Longer ones take fewer calls
/// and more UB.
const PIECE: i64 = 128;

/// Returns the work space of a row, in data blocks: the accumulator of `width` data blocks, and the
/// result of each halving.
const fn taken(width: i64) -> i64 {
    let all = 2 * width - 1;
    if all < LEAST {
        LEAST
    } else {
        all
    }
}

/// The least work space: the last data block of a row, its even elements and its odd ones.
const LEAST: i64 = 3;

/// Returns the elements of work space for each row of so many data blocks.
pub(in crate::lower) fn whole_work_a_row(blocks: &Scalar, lanes: i64) -> Scalar {
    // A minimum suffices: the work space of few data blocks is at most three times as large.
    let near = (blocks.clone() * LEAST).min(taken(BLOCKS_PER_REPEAT));
    let far = (blocks.clone() - NEAR).max(0).min(1) * (taken(PIECE) - taken(BLOCKS_PER_REPEAT));
    (near + far) * lanes
}

/// Returns the elements of work space behind all rows: strided sources of a partial last repeat
/// count as a whole repeat.
pub(in crate::lower) fn whole_work_behind(lanes: i64) -> i64 {
    2 * BLOCKS_PER_REPEAT * lanes
}

/// The tensors and sizes of one reduction.
struct Fold {
    op: Reduce,
    neutral: Scalar,
    lanes: i64,
    src: TensorId,
    work: TensorId,
    rows: Scalar,
    cols: Scalar,
    blocks: Scalar,
}

impl Funcs {
    /// Makes a function that reduces each row of integers:
    /// `(dst[rows], src[rows, blocks], work; rows, cols, blocks)`.
    pub fn reduce_whole(&mut self, op: Reduce, ty: Ty, lanes: i64) -> FuncId {
        self.reduce_folded(op, ty, lanes, Scalar::I32(op.whole_neutral()))
    }

    /// Makes this function for any numbers; `neutral` is the neutral value of the element type.
    pub fn reduce_folded(&mut self, op: Reduce, ty: Ty, lanes: i64, neutral: Scalar) -> FuncId {
        self.get(Key::Whole(op, ty), |_| {
            let (of, rows) = if op == Reduce::Prod {
                ("", "rows")
            } else {
                (" of integers", "whole_rows")
            };
            let doc = format!("The {} of each row{of}.", op.said());
            let mut w = Writer::new(&format!("{}_of_{rows}", op.word()), &doc);
            let [rows, cols, blocks] = ["rows", "cols", "blocks"].map(|n| w.size(n));
            w.requires(cols.clone().bin(BinOp::Le, blocks.clone() * lanes));
            w.requires(Scalar::Int(1).bin(BinOp::Le, blocks.clone()));
            w.requires(rows.clone().bin(BinOp::Le, MOST_ROWS));
            let dst = w.tensor("dst", ty, Access::Write, rows.clone());
            let src = w.tensor(
                "src",
                ty,
                Access::Read,
                rows.clone() * blocks.clone() * lanes,
            );
            let elements =
                rows.clone() * whole_work_a_row(&blocks, lanes) + whole_work_behind(lanes);
            let work = w.tensor("work", ty, Access::Scratch, elements);
            let fold = Fold {
                op,
                neutral,
                lanes,
                src,
                work,
                rows: rows.clone(),
                cols,
                blocks,
            };
            w.when(rows.bin(BinOp::Gt, 0), |w| {
                fold.by_width(w, &[1, 2, 4, BLOCKS_PER_REPEAT]);
                fold.to_blocks(w);
                fold.last_blocks(w, dst);
            });
            w.finish()
        })
    }
}

impl Fold {
    /// Returns the accumulators of `width` data blocks, from row `row` on.
    fn level(&self, width: i64, row: Scalar) -> View {
        View::local(
            self.work,
            self.rows.clone() * ((width - 1) * self.lanes) + row * (width * self.lanes),
        )
    }

    /// Folds into the smallest accumulators that hold a row or its chunks. The longest are halved
    /// until they are a repeat.
    fn by_width(&self, w: &mut Writer, widths: &[i64]) {
        let Some((width, wider)) = widths.split_first() else {
            self.fill(w, PIECE);
            self.pieces(w);
            return self.halve(w, PIECE, BLOCKS_PER_REPEAT);
        };
        let most = if wider.is_empty() { NEAR } else { *width };
        w.choose(
            self.blocks.clone().bin(BinOp::Le, most),
            |w| {
                self.fill(w, *width);
                self.chunks(w, *width);
            },
            |w| self.by_width(w, wider),
        );
    }

    /// Halves the accumulators, of at most a repeat, until one data block is left of each row.
    fn to_blocks(&self, w: &mut Writer) {
        let mut width = BLOCKS_PER_REPEAT;
        while width > 1 {
            w.when(self.blocks.clone().bin(BinOp::Gt, width / 2), |w| {
                self.halve(w, width, width / 2)
            });
            width /= 2;
        }
    }

    fn fill(&self, w: &mut Writer, width: i64) {
        let extent = Extent::Count {
            n: self.rows.clone() * (width * self.lanes),
        };
        w.op(
            LayoutOp::Duplicate,
            extent,
            [
                self.level(width, Scalar::Int(0)).into(),
                self.neutral.clone().into(),
            ],
        );
    }

    /// Folds chunks of the accumulator's length, with rows as repeats.
    fn chunks(&self, w: &mut Writer, width: i64) {
        if width < BLOCKS_PER_REPEAT {
            return self.chunk(w, width, &Scalar::Int(0), &self.cols);
        }
        let chunk = width * self.lanes;
        w.each("chunk", self.cols.clone().ceil_div(chunk), |w, number| {
            let at = w.define("at", number * chunk);
            let taken = w.define(
                "taken",
                Scalar::Int(chunk).min(self.cols.clone() - at.clone()),
            );
            self.chunk(w, width, &at, &taken);
        });
    }

    fn chunk(&self, w: &mut Writer, width: i64, at: &Scalar, taken: &Scalar) {
        w.grouped(&self.rows, |w, first, repeats| {
            let to = self.level(width, first.clone()).blocks(1, width);
            let from = View::local(
                self.src,
                first * (self.blocks.clone() * self.lanes) + at.clone(),
            )
            .blocks(1, self.blocks.clone());
            let extent = Extent::Repeat {
                mask: Lanes::first(taken.clone()),
                repeat: repeats,
            };
            w.op(
                self.op.step(),
                extent,
                [to.clone(), to, from].map(Into::into),
            );
        });
    }

    /// Folds each row in pieces of the accumulator's length.
    fn pieces(&self, w: &mut Writer) {
        let piece = PIECE * self.lanes;
        w.each("row", self.rows.clone(), |w, row| {
            let start = w.define("start", row.clone() * (self.blocks.clone() * self.lanes));
            w.each("piece", self.cols.clone().ceil_div(piece), |w, number| {
                let at = w.define("at", number * piece);
                let n = w.define(
                    "taken",
                    Scalar::Int(piece).min(self.cols.clone() - at.clone()),
                );
                let (to, from) = (self.level(PIECE, row), View::local(self.src, start + at));
                w.op(
                    self.op.step(),
                    Extent::Count { n },
                    [to.clone(), to, from].map(Into::into),
                );
            });
        });
    }

    /// Halves accumulators from `from` to `to` data blocks: each even data block with the odd one
    /// behind it.
    fn halve(&self, w: &mut Writer, from: i64, to: i64) {
        let mut width = from / 2;
        while width >= to {
            let into = self
                .level(width, Scalar::Int(0))
                .blocks(1, BLOCKS_PER_REPEAT);
            let even = self
                .level(2 * width, Scalar::Int(0))
                .blocks(2, 2 * BLOCKS_PER_REPEAT);
            let odd = View {
                offset: even.offset.clone() + self.lanes,
                ..even.clone()
            };
            let extent = Extent::Counter {
                n: self.rows.clone() * (width * self.lanes),
            };
            w.op(self.op.step(), extent, [into, even, odd].map(Into::into));
            width /= 2;
        }
    }

    /// Reduces the last data block of each row to its result.
    fn last_blocks(&self, w: &mut Writer, dst: TensorId) {
        let place = |number: i64| View::local(self.work, self.rows.clone() * (number * self.lanes));
        let mut left = self.lanes;
        while left > 1 {
            let n = self.rows.clone() * left;
            for (half, pattern) in [(1, 1), (2, 2)] {
                let args = [
                    place(half).into(),
                    place(0).into(),
                    Scalar::Int(pattern).into(),
                ];
                w.op(LayoutOp::GatherMask, Extent::Count { n: n.clone() }, args);
            }
            left /= 2;
            let to = if left > 1 {
                place(0)
            } else {
                View::local(dst, 0)
            };
            let extent = Extent::Count {
                n: self.rows.clone() * left,
            };
            w.op(
                self.op.step(),
                extent,
                [to, place(1), place(2)].map(Into::into),
            );
        }
    }
}
