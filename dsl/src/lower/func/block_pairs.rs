//! Sums of rows of two data blocks.
//!
//! The sums of all data blocks are stored contiguously, two for each row, and neighbours are added
//! (`PairReduceSum`). That takes an eighth of the repeats of rows as repeats.

use super::builder::Writer;
use super::registry::{Funcs, Key, Reduce};
use crate::ir::{BinOp, Extent, FuncId, Lanes, Scalar, Ty, View};
use crate::ops::contract::{Access, BLOCKS_PER_REPEAT};
use crate::ops::PartialOp;
use crate::soc::{Arch, MAX_REPEATS};

/// Rows of two data blocks in a repeat.
const ROWS_A_REPEAT: i64 = BLOCKS_PER_REPEAT / 2;

/// The largest number of such rows of which one call sums all data blocks.
pub(super) const MOST_PAIRS: i64 = MAX_REPEATS * ROWS_A_REPEAT;

impl Funcs {
    /// Makes a function for rows of more than one data block:
    /// `(dst[rows], src[rows, 2], work; rows, cols)`. `None` if there is no such instruction.
    pub(super) fn reduce_pairs(
        &mut self,
        op: Reduce,
        ty: Ty,
        lanes: i64,
        arch: Arch,
    ) -> Option<FuncId> {
        let exists = op == Reduce::Sum && !PartialOp::PairSum.def().dtypes(arch).is_empty();
        exists.then(|| self.get(Key::Pairs(ty), |_| pairs(ty, lanes)))
    }
}

fn pairs(ty: Ty, lanes: i64) -> crate::ir::Func {
    let mut w = Writer::new(
        "sum_of_two_blocks",
        "The sum of each row of two data blocks.",
    );
    let [rows, cols] = ["rows", "cols"].map(|n| w.size(n));
    w.requires(Scalar::Int(lanes).bin(BinOp::Lt, cols.clone()));
    w.requires(cols.clone().bin(BinOp::Le, 2 * lanes));
    w.requires(rows.clone().bin(BinOp::Le, MOST_PAIRS));
    let dst = w.tensor("dst", ty, Access::Write, rows.clone());
    let src = w.tensor("src", ty, Access::Read, rows.clone() * (2 * lanes));
    let work = w.tensor("work", ty, Access::Scratch, rows.clone() * 2);
    let blocks = |w: &mut Writer, extent, row: &Scalar| {
        let views = [
            View::local(work, row.clone() * 2),
            View::local(src, row.clone() * (2 * lanes)),
        ];
        w.op(PartialOp::BlockSum, extent, views.map(Into::into));
    };
    let groups = |groups: Scalar| Lanes::Groups {
        from: Scalar::Int(0),
        to: cols.clone(),
        of: 2 * lanes,
        groups,
    };
    w.choose(
        cols.clone().bin(BinOp::Eq, 2 * lanes),
        |w| {
            blocks(
                w,
                Extent::Counter {
                    n: rows.clone() * (2 * lanes),
                },
                &Scalar::Int(0),
            )
        },
        |w| {
            let repeat = w.define("repeats", rows.clone() / ROWS_A_REPEAT);
            let mask = groups(Scalar::Int(ROWS_A_REPEAT));
            blocks(
                w,
                Extent::Repeat {
                    mask,
                    repeat: repeat.clone(),
                },
                &Scalar::Int(0),
            );
            let at = w.define("done", repeat * ROWS_A_REPEAT);
            let rest = w.define("rest", rows.clone() - at.clone());
            w.when(rest.clone().bin(BinOp::Gt, 0), |w| {
                blocks(
                    w,
                    Extent::Repeat {
                        mask: groups(rest),
                        repeat: Scalar::Int(1),
                    },
                    &at,
                );
            });
        },
    );
    let views = [View::local(dst, 0), View::local(work, 0)];
    w.op(
        PartialOp::PairSum,
        Extent::Counter { n: rows * 2 },
        views.map(Into::into),
    );
    w.finish()
}
