//! Copies of part of each row.

use super::builder::{le, Writer};
use super::registry::{Funcs, Key};
use crate::ir::{BinOp, Extent, FuncId, Lanes, Scalar, Ty, View};
use crate::ops::contract::{Access, BLOCKS_PER_REPEAT};
use crate::ops::{BinaryScalarOp, LayoutOp};

impl Funcs {
    /// Makes a function that copies `cols` elements of each row of floats, from `at` on. Both are
    /// multiples of a data block:
    /// `(dst[rows, blocks], src[rows, apart]; rows, cols, blocks, apart, at)`.
    ///
    /// A call multiplies one repeat of each row by 1. If rows are fewer than their repeats, they
    /// are copied one by one.
    pub fn part(&mut self, ty: Ty, lanes: i64) -> FuncId {
        self.get(Key::Part(ty), |_| {
            let mut w = Writer::new(
                "part_of_rows",
                "Copies some elements of each row, which begin at a data block.",
            );
            let [rows, cols, blocks, apart, at] =
                ["rows", "cols", "blocks", "apart", "at"].map(|n| w.size(n));
            w.requires(le(&cols, blocks.clone() * lanes));
            w.requires(le(&(at.clone() + cols.clone()), apart.clone() * lanes));
            w.requires((at.clone() % lanes).bin(BinOp::Eq, 0));
            w.requires((cols.clone() % lanes).bin(BinOp::Eq, 0));
            let dst = w.tensor(
                "dst",
                ty,
                Access::Write,
                rows.clone() * blocks.clone() * lanes,
            );
            let src = w.tensor(
                "src",
                ty,
                Access::Read,
                rows.clone() * apart.clone() * lanes,
            );
            let repeat = lanes * BLOCKS_PER_REPEAT;
            let chunks = w.define("chunks", cols.clone().ceil_div(repeat));
            let places = |row: &Scalar, first: &Scalar| {
                let to = View::local(dst, row.clone() * (blocks.clone() * lanes) + first.clone());
                (
                    to,
                    View::local(
                        src,
                        row.clone() * (apart.clone() * lanes) + (at.clone() + first.clone()),
                    ),
                )
            };
            let few = rows.clone().bin(BinOp::Lt, chunks.clone());
            let far = apart
                .clone()
                .bin(BinOp::Gt, i64::from(u8::MAX))
                .bin(BinOp::Or, blocks.clone().bin(BinOp::Gt, i64::from(u8::MAX)));
            w.choose(
                few.bin(BinOp::Or, far),
                |w| {
                    w.each("row", rows.clone(), |w, row| {
                        let (to, from) = places(&row, &Scalar::Int(0));
                        w.op(
                            LayoutOp::LocalCopy,
                            Extent::Count { n: cols.clone() },
                            [to.into(), from.into()],
                        );
                    });
                },
                |w| {
                    w.each("chunk", chunks.clone(), |w, chunk| {
                        let first = w.define("first_element", chunk * repeat);
                        let n = w.define("width", (cols.clone() - first.clone()).min(repeat));
                        w.grouped(&rows, |w, row, repeats| {
                            let (to, from) = places(&row, &first);
                            let views =
                                [to.blocks(1, blocks.clone()), from.blocks(1, apart.clone())];
                            let [to, from] = views.map(Into::into);
                            let extent = Extent::Repeat {
                                mask: Lanes::first(n.clone()),
                                repeat: repeats,
                            };
                            w.op(
                                BinaryScalarOp::Muls,
                                extent,
                                [to, from, Scalar::Float(1.0).into()],
                            );
                        });
                    });
                },
            );
            w.finish()
        })
    }
}
