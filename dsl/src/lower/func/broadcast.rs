//! Element-wise ops on rows with operands of one value a row, or of one row for all.

use super::builder::Writer;
use super::registry::{Funcs, Key, Side};
use crate::ir::{BinOp, Extent, FuncId, Lanes, Scalar, TensorId, Ty, View};
use crate::ops::contract::{Access, BLOCKS_PER_REPEAT};
use crate::ops::BinaryOp;

/// True if a row operand may be stored twice, so that a call takes two rows.
pub(in crate::lower) fn has_again(sides: [Side; 2]) -> bool {
    sides.contains(&Side::Row) && !sides.contains(&Side::Column)
}

/// A call over rows.
struct Call {
    extent: Extent,
    /// The first row.
    row: Scalar,
    /// The first element within the row.
    at: Scalar,
    /// True if the repeats of a call are rows; else they are repeats of one row.
    rows_are_repeats: bool,
}

impl Funcs {
    /// Makes a function `(dst[rows, blocks], a, b; rows, cols, blocks)`. If [`has_again`] holds, it
    /// has one more size: the elements of the row that are repeated behind it, all or none.
    pub fn broadcast(&mut self, op: BinaryOp, sides: [Side; 2], ty: Ty, lanes: i64) -> FuncId {
        self.get(Key::Broadcast(op, sides, ty), |_| {
            let name = format!(
                "{}_{}",
                crate::ops::Op::Binary(op).name(),
                sides.map(Side::word).join("_")
            );
            let [left, right] = sides.map(Side::said);
            let doc = format!(
                "{} of {left} and {right}.",
                crate::ops::Op::Binary(op).def().ascendc
            );
            let mut w = Writer::new(&name, &doc);
            let [rows, cols, blocks] = ["rows", "cols", "blocks"].map(|n| w.size(n));
            w.requires(cols.clone().bin(BinOp::Le, blocks.clone() * lanes));
            let again = has_again(sides).then(|| w.size("again"));
            let all = rows.clone() * blocks.clone() * lanes;
            let dst = w.tensor("dst", ty, Access::Write, all.clone());
            let [a, b] = [("a", sides[0]), ("b", sides[1])].map(|(name, side)| {
                let elements = match side {
                    Side::Whole => all.clone(),
                    Side::Column => rows.clone() * lanes,
                    Side::Row => again
                        .iter()
                        .fold(blocks.clone() * lanes, |row, again| row + again.clone()),
                };
                w.tensor(name, ty, Access::Read, elements)
            });
            for (tensor, side) in [a, b].into_iter().zip(sides) {
                if side == Side::Whole {
                    w.may_lie_over(dst, tensor);
                }
            }
            let body = Broadcast {
                op,
                lanes,
                blocks: blocks.clone(),
                operands: [(dst, Side::Whole), (a, sides[0]), (b, sides[1])],
            };
            let repeat = lanes * BLOCKS_PER_REPEAT;
            w.choose(
                blocks.clone().bin(BinOp::Eq, 1),
                |w| body.blocks(w, &rows),
                |w| {
                    // Whole repeats are cheaper than partial ones, so padding that fills the last
                    // repeat takes part.
                    let fills = (blocks.clone() % BLOCKS_PER_REPEAT).bin(BinOp::Eq, 0);
                    let width =
                        w.define("width", Scalar::select(fills, blocks.clone() * lanes, cols));
                    let chunks = width.clone().ceil_div(repeat);
                    let by_rows = |calls: Scalar| {
                        calls
                            .bin(BinOp::Lt, chunks.clone())
                            .bin(BinOp::Or, blocks.clone().bin(BinOp::Gt, i64::from(u8::MAX)))
                    };
                    let in_chunks = |w: &mut Writer| body.chunks(w, &rows, &width);
                    let in_rows = |w: &mut Writer| {
                        let each = |w: &mut Writer| {
                            w.each("row", rows.clone(), |w, row| {
                                let extent = Extent::Counter { n: width.clone() };
                                body.call(
                                    w,
                                    Call {
                                        extent,
                                        row,
                                        at: Scalar::Int(0),
                                        rows_are_repeats: false,
                                    },
                                );
                            });
                        };
                        w.choose(by_rows(rows.clone()), each, in_chunks);
                    };
                    match &again {
                        None => in_rows(w),
                        Some(again) => {
                            let pairs = rows.clone().ceil_div(2);
                            let twice = again
                                .clone()
                                .bin(BinOp::Eq, blocks.clone() * lanes)
                                .bin(BinOp::And, by_rows(pairs.clone()));
                            w.choose(twice, |w| body.pairs(w, &rows, pairs), in_rows);
                        }
                    }
                },
            );
            w.finish()
        })
    }
}

/// The common parts of the calls of a function.
struct Broadcast {
    op: BinaryOp,
    lanes: i64,
    blocks: Scalar,
    operands: [(TensorId, Side); 3],
}

impl Broadcast {
    /// Handles rows of one data block: an expanded column has the same layout, and a row is a data
    /// block for all.
    fn blocks(&self, w: &mut Writer, rows: &Scalar) {
        let views = self.operands.map(|(tensor, side)| match side {
            Side::Whole | Side::Column => View::local(tensor, 0).blocks(1, BLOCKS_PER_REPEAT),
            Side::Row => View::local(tensor, 0).blocks(0, 0),
        });
        w.op(
            self.op,
            Extent::Counter {
                n: rows.clone() * self.lanes,
            },
            views.map(Into::into),
        );
    }

    /// Takes two rows a call, with the row operand that is stored twice.
    fn pairs(&self, w: &mut Writer, rows: &Scalar, pairs: Scalar) {
        w.each("pair", pairs, |w, pair| {
            let row = w.define("first", pair * 2);
            let n =
                Scalar::Int(2).min(rows.clone() - row.clone()) * (self.blocks.clone() * self.lanes);
            self.call(
                w,
                Call {
                    extent: Extent::Counter { n },
                    row,
                    at: Scalar::Int(0),
                    rows_are_repeats: false,
                },
            );
        });
    }

    /// Takes all rows in a call, one repeat of each at a time.
    fn chunks(&self, w: &mut Writer, rows: &Scalar, width: &Scalar) {
        let repeat = self.lanes * BLOCKS_PER_REPEAT;
        let whole = w.define("whole_chunks", width.clone() / repeat);
        // Rows shorter than a repeat have no whole chunk.
        w.when(
            Scalar::Int(BLOCKS_PER_REPEAT).bin(BinOp::Le, self.blocks.clone()),
            |w| {
                w.each("chunk", whole.clone(), |w, chunk| {
                    let extent = Extent::Counter {
                        n: rows.clone() * repeat,
                    };
                    self.call(
                        w,
                        Call {
                            extent,
                            row: Scalar::Int(0),
                            at: chunk * repeat,
                            rows_are_repeats: true,
                        },
                    );
                });
            },
        );
        let at = w.define("at", whole * repeat);
        let rest = w.define("rest", width.clone() - at.clone());
        w.when(rest.clone().bin(BinOp::Gt, 0), |w| {
            w.grouped(rows, |w, first, repeats| {
                let extent = Extent::Repeat {
                    mask: Lanes::first(rest),
                    repeat: repeats,
                };
                self.call(
                    w,
                    Call {
                        extent,
                        row: first,
                        at,
                        rows_are_repeats: true,
                    },
                );
            });
        });
    }

    fn call(&self, w: &mut Writer, call: Call) {
        let pitch = self.blocks.clone() * self.lanes;
        let views = self.operands.map(|(tensor, side)| {
            let at = match side {
                Side::Whole => first(&call.row, &pitch) + call.at.clone(),
                Side::Column => first(&call.row, &self.lanes.into()),
                Side::Row => call.at.clone(),
            };
            let view = View::local(tensor, at);
            match (side, call.rows_are_repeats) {
                (Side::Whole, true) => view.blocks(1, self.blocks.clone()),
                (Side::Column, true) => view.blocks(0, 1),
                (Side::Row, true) => view.blocks(1, 0),
                (Side::Whole | Side::Row, false) => view.blocks(1, BLOCKS_PER_REPEAT),
                (Side::Column, false) => view.blocks(0, 0),
            }
        });
        w.op(self.op, call.extent, views.map(Into::into));
    }
}

/// Returns the first element of a row.
fn first(row: &Scalar, pitch: &Scalar) -> Scalar {
    match row {
        Scalar::Int(0) => Scalar::Int(0),
        row => row.clone() * pitch.clone(),
    }
}
