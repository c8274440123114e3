//! The first step of a reduction over a middle axis.
//!
//! It combines rows of the first half with rows of the second half. The results of all outer
//! indices lie side by side. The repeats of a call are outer indices or pairs of rows, since
//! strides have room for only one of the two.

use super::builder::{le, Writer};
use super::middle::{halved, NEAR};
use super::registry::{Funcs, Key, Reduce, Repeats};
use crate::ir::{BinOp, Extent, FuncId, Lanes, Scalar, TensorId, Ty, View};
use crate::ops::contract::{Access, BLOCKS_PER_REPEAT};

impl Funcs {
    /// Makes a function that pairs the rows of both halves, and adds a last row without a partner
    /// to the first result:
    /// `(dst[rows / 2, outer, blocks], src[outer, rows, blocks]; outer, rows, blocks)`.
    pub(super) fn pair_rows(&mut self, op: Reduce, ty: Ty, lanes: i64, repeats: Repeats) -> FuncId {
        self.get(Key::PairRows(op, ty, repeats), |_| {
            let doc = format!(
                "The {} of each two rows of both halves, side by side; {}.",
                op.said(),
                repeats.said()
            );
            let mut w = Writer::new(&format!("{}_of_{}", op.word(), repeats.word()), &doc);
            let [outer, rows, blocks] = ["outer", "rows", "blocks"].map(|n| w.size(n));
            let row = blocks.clone() * lanes;
            w.requires(le(&Scalar::Int(2), rows.clone()));
            w.requires(le(&blocks, NEAR));
            w.requires(le(&repeats.stride(&outer, &rows, &blocks), NEAR));
            let dst = w.tensor(
                "dst",
                ty,
                Access::Write,
                outer.clone() * halved(&rows) * row.clone(),
            );
            let src = w.tensor("src", ty, Access::Read, outer.clone() * rows.clone() * row);
            let row = w.define("row", blocks.clone() * lanes);
            let half = w.define("pairs", halved(&rows));
            w.each(
                "chunk",
                blocks.clone().ceil_div(BLOCKS_PER_REPEAT),
                |w, chunk| {
                    let at = w.define("at", chunk * (BLOCKS_PER_REPEAT * lanes));
                    let taken = w.define(
                        "taken",
                        Scalar::Int(BLOCKS_PER_REPEAT * lanes).min(row.clone() - at.clone()),
                    );
                    let pairs = Pairs {
                        op,
                        dst,
                        src,
                        outer,
                        rows,
                        blocks: blocks.clone(),
                        row: row.clone(),
                        half,
                        at,
                        taken,
                    };
                    match repeats {
                        Repeats::Outer => pairs.by_outer(w),
                        Repeats::Rows => pairs.by_rows(w),
                    }
                },
            );
            w.finish()
        })
    }
}

/// The tensors and sizes of one such step, for one repeat of each row.
struct Pairs {
    op: Reduce,
    dst: TensorId,
    src: TensorId,
    outer: Scalar,
    rows: Scalar,
    blocks: Scalar,
    /// Elements of a row.
    row: Scalar,
    half: Scalar,
    /// The first element of the repeat in its row, and the number of its elements.
    at: Scalar,
    taken: Scalar,
}

impl Pairs {
    fn from(&self, index: &Scalar, number: Scalar) -> View {
        let start =
            index.clone() * (self.rows.clone() * self.row.clone()) + number * self.row.clone();
        View::local(self.src, start + self.at.clone())
    }

    fn to(&self, index: &Scalar, number: Scalar) -> View {
        let start = number * (self.outer.clone() * self.row.clone());
        View::local(self.dst, start + self.first_of(index))
    }

    /// Returns the offset of the first result of an outer index.
    fn first_of(&self, index: &Scalar) -> Scalar {
        index.clone() * self.row.clone() + self.at.clone()
    }

    /// Writes `to = first op second`, in repeats of the given strides in data blocks.
    fn fold(&self, w: &mut Writer, repeat: Scalar, views: [View; 3], [to, from]: [&Scalar; 2]) {
        let own = views[0] == views[1];
        let extent = Extent::Repeat {
            mask: Lanes::first(self.taken.clone()),
            repeat,
        };
        let [dst, first, second] = views;
        let first = first.blocks(1, if own { to.clone() } else { from.clone() });
        let views = [
            dst.blocks(1, to.clone()),
            first,
            second.blocks(1, from.clone()),
        ];
        w.op(self.op.step(), extent, views.map(Into::into));
    }

    fn has_rest(&self) -> Scalar {
        self.rows.clone().bin(BinOp::Gt, self.half.clone() * 2)
    }

    fn by_outer(&self, w: &mut Writer) {
        let strides = [&self.blocks, &(self.rows.clone() * self.blocks.clone())];
        w.grouped(&self.outer, |w, first, repeats| {
            w.each("row", self.half.clone(), |w, number| {
                let second = self.from(&first, number.clone() + self.half.clone());
                let views = [
                    self.to(&first, number.clone()),
                    self.from(&first, number),
                    second,
                ];
                self.fold(w, repeats.clone(), views, strides);
            });
            w.when(self.has_rest(), |w| {
                let (to, last) = (
                    View::local(self.dst, self.first_of(&first)),
                    self.from(&first, self.half.clone() * 2),
                );
                self.fold(w, repeats.clone(), [to.clone(), to, last], strides);
            });
        });
    }

    fn by_rows(&self, w: &mut Writer) {
        let strides = [&(self.outer.clone() * self.blocks.clone()), &self.blocks];
        w.each("index", self.outer.clone(), |w, index| {
            w.grouped(&self.half, |w, first, repeats| {
                let second = self.from(&index, first.clone() + self.half.clone());
                let views = [
                    self.to(&index, first.clone()),
                    self.from(&index, first),
                    second,
                ];
                self.fold(w, repeats, views, strides);
            });
            w.when(self.has_rest(), |w| {
                let (to, last) = (
                    View::local(self.dst, self.first_of(&index)),
                    self.from(&index, self.half.clone() * 2),
                );
                self.fold(w, 1.into(), [to.clone(), to, last], strides);
            });
        });
    }
}
