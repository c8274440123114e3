//! Fills the padding between rows in UB.

use super::builder::Writer;
use super::registry::{Funcs, Key};
use super::rows::takes_padding;
use crate::ir::{BinOp, Extent, FuncId, Lanes, Scalar, Ty, View};
use crate::ops::contract::{Access, BLOCKS_PER_REPEAT};
use crate::ops::LayoutOp;

impl Funcs {
    /// Makes a function that fills the padding behind the `cols` elements of each row with a
    /// number, if a reduction reads it ([`takes_padding`]):
    /// `(x[rows, blocks]; rows, cols, blocks, number)`.
    pub fn pad(&mut self, ty: Ty, lanes: i64) -> FuncId {
        self.get(Key::Pad(ty), |_| {
            let mut w = Writer::new(
                "pad_rows",
                "Fills what lies behind the elements of each row with a number, where a reduction takes it with them.",
            );
            let [rows, cols, blocks] = ["rows", "cols", "blocks"].map(|n| w.size(n));
            let number = w.number("number");
            w.requires(cols.clone().bin(BinOp::Le, blocks.clone() * lanes));
            w.requires(blocks.clone().bin(BinOp::Le, i64::from(u16::MAX)));
            let x = w.tensor("x", ty, Access::Write, rows.clone() * blocks.clone() * lanes);
            let repeat = lanes * BLOCKS_PER_REPEAT;
            w.when(takes_padding(&cols, &blocks, lanes), |w| {
                let first = w.define("first_chunk", cols.clone() / repeat);
                let chunks = w.define("chunks", (blocks.clone() * lanes).ceil_div(repeat) - first.clone());
                w.each("chunk", chunks, |w, chunk| {
                    let at = w.define("at", (first + chunk) * repeat);
                    let from = w.define("from", (cols.clone() - at.clone()).max(0));
                    let to = w.define("to", (blocks.clone() * lanes - at.clone()).min(repeat));
                    let fill = |w: &mut Writer, from: &Scalar, to: &Scalar, row: Scalar, repeats: Scalar, rep: Scalar| {
                        let mask = Lanes::Groups { from: from.clone(), to: to.clone(), of: repeat, groups: Scalar::Int(1) };
                        let view = View::local(x, row * (blocks.clone() * lanes) + at.clone()).blocks(1, rep);
                        w.op(LayoutOp::Duplicate, Extent::Repeat { mask, repeat: repeats }, [view.into(), number.clone().into()]);
                    };
                    w.choose(
                        blocks.clone().bin(BinOp::Le, i64::from(u8::MAX)),
                        |w| w.grouped(&rows, |w, first, repeats| fill(w, &from, &to, first, repeats, blocks.clone())),
                        |w| w.each("row", rows.clone(), |w, row| fill(w, &from, &to, row, Scalar::Int(1), Scalar::Int(0))),
                    );
                });
            });
            w.finish()
        })
    }
}
