//! Reductions of the last axis: `[rows, cols]` to `[rows]`, without scalars.
//!
//! - Every step makes one result of each data block (`BlockReduce`). One call takes all rows if
//!   they are contiguous or their padding is neutral. Else a call takes a row, or one repeat of all
//!   rows, whichever takes fewer calls.
//! - Once a row is one data block, the data blocks of all rows become the results.
//! - A few short rows become results at once (`WholeReduce`, seven cycles a row where `BlockReduce`
//!   takes one).
//!
//! Order of sums: a tree of neighbours within a data block, and again over data blocks.

use super::block_pairs::MOST_PAIRS;
use super::builder::{le, Writer};
use super::registry::{Funcs, Key, Reduce};
use crate::ir::{BinOp, Extent, FuncId, Lanes, Scalar, Ty, View};
use crate::ops::contract::{Access, BLOCKS_PER_REPEAT};
use crate::ops::PartialOp;
use crate::soc::Arch;

/// The most rows for which `WholeReduce` takes fewer cycles than two `BlockReduce`; the second
/// number holds if the rows behind the last eight need one more call.
const FEW_ROWS: i64 = 5;
const FEW_ROWS_WITH_REST: i64 = 13;

/// The most rows for which it takes fewer cycles than sums of two data blocks a row.
const FEW_PAIRS: i64 = 7;

/// The most rows whose data blocks become results in one call.
pub(in crate::lower) const MOST_ROWS: i64 = crate::soc::MAX_REPEATS * BLOCKS_PER_REPEAT;

/// The most steps from a row to one data block. Each leaves an eighth of the elements or less, and
/// UB holds no longer rows.
pub(super) const STEPS: u32 = 4;

/// Products are folded like integers instead (`integers`).
const fn unreachable_product() -> PartialOp {
    unreachable!()
}

impl Reduce {
    const fn blocks(self) -> PartialOp {
        match self {
            Reduce::Sum => PartialOp::BlockSum,
            Reduce::Max => PartialOp::BlockMax,
            Reduce::Min => PartialOp::BlockMin,
            Reduce::Prod => unreachable_product(),
        }
    }

    const fn whole(self) -> PartialOp {
        match self {
            Reduce::Sum => PartialOp::WholeSum,
            Reduce::Max => PartialOp::WholeMax,
            Reduce::Min => PartialOp::WholeMin,
            Reduce::Prod => unreachable_product(),
        }
    }
}

fn eq(a: &Scalar, b: impl Into<Scalar>) -> Scalar {
    a.clone().bin(BinOp::Eq, b.into())
}

/// Returns the number of data blocks that hold one result for each of `blocks` data blocks.
pub(super) fn of_results(blocks: Scalar, lanes: i64) -> Scalar {
    blocks.ceil_div(lanes)
}

/// Returns the work space of a row of `blocks` data blocks in so many steps, in data blocks.
fn work_blocks(blocks: Scalar, lanes: i64, steps: u32) -> Scalar {
    let results = of_results(blocks, lanes);
    match steps {
        0 | 1 => results,
        _ => results.clone() + work_blocks(results, lanes, steps - 1),
    }
}

/// Returns the elements of work space for each row, for rows that are `pitch` elements apart.
pub(in crate::lower) fn work_a_row(pitch: Scalar, lanes: i64) -> Scalar {
    work_blocks(pitch / lanes, lanes, STEPS) * lanes
}

/// Returns the elements of the longest row that a reduction takes.
pub(in crate::lower) fn longest_row(lanes: i64) -> i64 {
    most_blocks(lanes, STEPS) * lanes
}

/// Returns the data blocks of the longest row for so many steps; strides have 16 bits.
fn most_blocks(lanes: i64, steps: u32) -> i64 {
    lanes.pow(steps).min(i64::from(u16::MAX))
}

impl Funcs {
    /// Makes a function that reduces each row:
    /// `(dst[rows], src[rows, blocks], work; rows, cols, blocks)`. The padding must be neutral if
    /// [`takes_padding`] holds.
    pub fn reduce_rows(&mut self, op: Reduce, ty: Ty, lanes: i64, arch: Arch) -> FuncId {
        self.reduce_in_steps(op, ty, lanes, STEPS, arch)
    }

    pub(super) fn reduce_in_steps(
        &mut self,
        op: Reduce,
        ty: Ty,
        lanes: i64,
        steps: u32,
        arch: Arch,
    ) -> FuncId {
        self.get(Key::Rows(op, ty, steps), |funcs| {
            let of_blocks = funcs.reduce_blocks(op, ty, lanes);
            // On architecture 2002 WholeReduceMax and WholeReduceMin give pairs only (asc-devkit,
            // pages of both).
            let exists = !op.whole().def().dtypes(arch).is_empty();
            let of_repeats = exists.then(|| funcs.reduce_repeats(op, ty, lanes));
            let of_pairs = funcs.reduce_pairs(op, ty, lanes, arch);
            let step = funcs.reduce_step(op, ty, lanes);
            let deeper = (steps > 1).then(|| funcs.reduce_in_steps(op, ty, lanes, steps - 1, arch));
            let doc = match steps {
                STEPS => format!("The {} of each row.", op.said()),
                _ => format!(
                    "The {} of each row of at most {} data blocks.",
                    op.said(),
                    most_blocks(lanes, steps)
                ),
            };
            let name = match steps {
                STEPS => format!("{}_of_rows", op.word()),
                1 => format!("{}_in_one_step", op.word()),
                _ => format!("{}_in_{steps}_steps", op.word()),
            };
            let mut w = Writer::new(&name, &doc);
            let [rows, cols, blocks] = ["rows", "cols", "blocks"].map(|n| w.size(n));
            w.requires(le(&cols, blocks.clone() * lanes));
            w.requires(le(&Scalar::Int(1), blocks.clone()));
            w.requires(le(&blocks, most_blocks(lanes, steps)));
            w.requires(le(&rows, MOST_ROWS));
            let dst = w.tensor("dst", ty, Access::Write, rows.clone());
            let src = w.tensor(
                "src",
                ty,
                Access::Read,
                rows.clone() * blocks.clone() * lanes,
            );
            let elements = rows.clone() * work_blocks(blocks.clone(), lanes, steps) * lanes;
            let work = w.tensor("work", ty, Access::Scratch, elements);
            let [to, from, made] = [dst, src, work].map(|t| View::local(t, 0));
            let rest = (rows.clone() % BLOCKS_PER_REPEAT).bin(BinOp::Ne, 0);
            let few = le(
                &rows,
                Scalar::select(rest, FEW_ROWS_WITH_REST.into(), FEW_ROWS.into()),
            );
            let short = le(&cols, lanes * BLOCKS_PER_REPEAT);
            let in_steps = |w: &mut Writer| {
                // If the caller has filled the padding, all data blocks of a row count; later steps
                // have results alone.
                let results = cols.clone().ceil_div(lanes);
                let (taken, results) = match steps {
                    STEPS => {
                        let flat = || has_flat_form(&cols, &blocks, lanes);
                        let taken = Scalar::select(flat(), blocks.clone() * lanes, cols.clone());
                        (
                            w.define("taken", taken),
                            Scalar::select(flat(), blocks.clone(), results),
                        )
                    }
                    _ => (cols.clone(), results),
                };
                w.call(step, [made.clone(), from.clone()], [&rows, &taken, &blocks]);
                let results = w.define("results", results);
                match deeper {
                    None => w.call(of_blocks, [to.clone(), made.clone()], [&rows, &results]),
                    Some(deeper) => {
                        let next = w.define("result_blocks", of_results(blocks.clone(), lanes));
                        let work = View::local(work, rows.clone() * next.clone() * lanes);
                        w.call(
                            deeper,
                            [to.clone(), made.clone(), work],
                            [&rows, &results, &next],
                        );
                    }
                }
            };
            let from_repeats = |w: &mut Writer| match of_repeats {
                None => in_steps(w),
                Some(of_repeats) => w.choose(
                    few.bin(BinOp::And, short),
                    |w| {
                        w.call(
                            of_repeats,
                            [to.clone(), from.clone()],
                            [&rows, &cols, &blocks],
                        )
                    },
                    in_steps,
                ),
            };
            let many = le(&Scalar::Int(FEW_PAIRS + 1), rows.clone())
                .bin(BinOp::And, le(&rows, MOST_PAIRS));
            let two = eq(&blocks, 2).bin(BinOp::And, le(&Scalar::Int(lanes + 1), cols.clone()));
            w.choose(
                eq(&blocks, 1),
                |w| w.call(of_blocks, [to.clone(), from.clone()], [&rows, &cols]),
                |w| match of_pairs {
                    None => from_repeats(w),
                    Some(of_pairs) => w.choose(
                        two.bin(BinOp::And, many),
                        |w| {
                            w.call(
                                of_pairs,
                                [to.clone(), from.clone(), made.clone()],
                                [&rows, &cols],
                            )
                        },
                        from_repeats,
                    ),
                },
            );
            w.finish()
        })
    }

    /// Makes a function for rows of one data block with `cols` elements:
    /// `(dst[rows], src[rows, 1]; rows, cols)`.
    fn reduce_blocks(&mut self, op: Reduce, ty: Ty, lanes: i64) -> FuncId {
        self.get(Key::Blocks(op, ty), |_| {
            let doc = format!("The {} of each row of one data block.", op.said());
            let mut w = Writer::new(&format!("{}_of_blocks", op.word()), &doc);
            let [rows, cols] = ["rows", "cols"].map(|n| w.size(n));
            w.requires(le(&cols, lanes));
            w.requires(le(&rows, MOST_ROWS));
            let dst = w.tensor("dst", ty, Access::Write, rows.clone());
            let src = w.tensor("src", ty, Access::Read, rows.clone() * lanes);
            let call = |w: &mut Writer, extent, at: &Scalar| {
                w.op(
                    op.blocks(),
                    extent,
                    [
                        View::local(dst, at.clone()).into(),
                        View::local(src, at.clone() * lanes).into(),
                    ],
                );
            };
            let groups = |groups: Scalar| Lanes::Groups {
                from: Scalar::Int(0),
                to: cols.clone(),
                of: lanes,
                groups,
            };
            w.choose(
                eq(&cols, lanes),
                |w| {
                    call(
                        w,
                        Extent::Counter {
                            n: rows.clone() * lanes,
                        },
                        &Scalar::Int(0),
                    )
                },
                |w| {
                    let repeat = w.define("repeats", rows.clone() / BLOCKS_PER_REPEAT);
                    let mask = groups(Scalar::Int(BLOCKS_PER_REPEAT));
                    call(
                        w,
                        Extent::Repeat {
                            mask,
                            repeat: repeat.clone(),
                        },
                        &Scalar::Int(0),
                    );
                    let at = w.define("done", repeat * BLOCKS_PER_REPEAT);
                    let rest = w.define("rest", rows.clone() - at.clone());
                    w.when(rest.clone().bin(BinOp::Gt, 0), |w| {
                        call(
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
            w.finish()
        })
    }

    /// Makes a function for rows of at most one repeat:
    /// `(dst[rows], src[rows, blocks]; rows, cols, blocks)`.
    fn reduce_repeats(&mut self, op: Reduce, ty: Ty, lanes: i64) -> FuncId {
        self.get(Key::Repeats(op, ty), |_| {
            let doc = format!("The {} of each row of at most one repeat.", op.said());
            let mut w = Writer::new(&format!("{}_of_short_rows", op.word()), &doc);
            let [rows, cols, blocks] = ["rows", "cols", "blocks"].map(|n| w.size(n));
            w.requires(le(&cols, lanes * BLOCKS_PER_REPEAT));
            w.requires(le(&cols, blocks.clone() * lanes));
            w.requires(le(&blocks, i64::from(u16::MAX)));
            w.requires(le(&rows, crate::soc::MAX_REPEATS));
            let dst = w.tensor("dst", ty, Access::Write, rows.clone());
            let src = w.tensor(
                "src",
                ty,
                Access::Read,
                rows.clone() * blocks.clone() * lanes,
            );
            let extent = Extent::Repeat {
                mask: Lanes::first(cols),
                repeat: rows,
            };
            let views = [
                View::local(dst, 0).results(1),
                View::local(src, 0).blocks(1, blocks),
            ];
            w.op(op.whole(), extent, views.map(Into::into));
            w.finish()
        })
    }

    /// Makes a function that reduces each data block:
    /// `(dst, src[rows, blocks]; rows, cols, blocks)`.
    pub(super) fn reduce_step(&mut self, op: Reduce, ty: Ty, lanes: i64) -> FuncId {
        self.get(Key::Step(op, ty), |_| {
            let doc = format!("The {} of each data block of each row.", op.said());
            let mut w = Writer::new(&format!("{}_of_row_blocks", op.word()), &doc);
            let [rows, cols, blocks] = ["rows", "cols", "blocks"].map(|n| w.size(n));
            w.requires(le(&cols, blocks.clone() * lanes));
            w.requires(le(&rows, MOST_ROWS));
            let dst = w.tensor(
                "dst",
                ty,
                Access::Write,
                rows.clone() * of_results(blocks.clone(), lanes) * lanes,
            );
            let src = w.tensor(
                "src",
                ty,
                Access::Read,
                rows.clone() * blocks.clone() * lanes,
            );
            let repeat = lanes * BLOCKS_PER_REPEAT;
            let chunks = w.define("chunks", cols.clone().ceil_div(repeat));
            let pitch = w.define("pitch", of_results(blocks.clone(), lanes) * lanes);
            let call = |w: &mut Writer, extent, to: View, from: View| {
                w.op(op.blocks(), extent, [to.into(), from.into()])
            };
            w.choose(
                is_flat(&rows, &cols, &blocks, lanes),
                |w| {
                    let n = rows.clone() * blocks.clone() * lanes;
                    call(
                        w,
                        Extent::Counter { n },
                        View::local(dst, 0),
                        View::local(src, 0),
                    );
                },
                |w| {
                    w.choose(
                        rows.clone().bin(BinOp::Lt, chunks.clone()).bin(
                            BinOp::Or,
                            blocks.clone().bin(BinOp::Gt, i64::from(u16::MAX)),
                        ),
                        |w| {
                            w.each("row", rows.clone(), |w, row| {
                                let to = View::local(dst, row.clone() * pitch.clone());
                                let from = View::local(src, row * (blocks.clone() * lanes));
                                call(w, Extent::Counter { n: cols.clone() }, to, from);
                            });
                        },
                        |w| {
                            w.each("chunk", chunks.clone(), |w, chunk| {
                                let at = w.define("at", chunk.clone() * repeat);
                                let taken = w.define(
                                    "taken",
                                    Scalar::Int(repeat).min(cols.clone() - at.clone()),
                                );
                                w.grouped(&rows, |w, first, repeats| {
                                    let to = View::local(
                                        dst,
                                        first.clone() * pitch.clone() + chunk * BLOCKS_PER_REPEAT,
                                    );
                                    let from =
                                        View::local(src, first * (blocks.clone() * lanes) + at);
                                    let extent = Extent::Repeat {
                                        mask: Lanes::first(taken),
                                        repeat: repeats,
                                    };
                                    call(
                                        w,
                                        extent,
                                        to.results(pitch.clone() / BLOCKS_PER_REPEAT),
                                        from.blocks(1, blocks.clone()),
                                    );
                                });
                            });
                        },
                    );
                },
            );
            w.finish()
        })
    }
}

/// Returns the condition that one call makes the results of all rows. A row must be longer than a
/// repeat and have no padding, and its results must fill data blocks, so that rows end where
/// repeats do.
fn is_flat(rows: &Scalar, cols: &Scalar, blocks: &Scalar, lanes: i64) -> Scalar {
    let fills = eq(cols, blocks.clone() * lanes).bin(BinOp::And, eq(&(blocks.clone() % lanes), 0));
    let long = blocks.clone().bin(BinOp::Gt, BLOCKS_PER_REPEAT);
    rows.clone()
        .bin(BinOp::Gt, 1)
        .bin(BinOp::And, long.bin(BinOp::And, fills))
}

/// Returns the condition that rows are reduced together with their padding, which is short.
fn has_flat_form(cols: &Scalar, blocks: &Scalar, lanes: i64) -> Scalar {
    let long = blocks
        .clone()
        .bin(BinOp::Gt, BLOCKS_PER_REPEAT)
        .bin(BinOp::And, eq(&(blocks.clone() % lanes), 0));
    long.bin(
        BinOp::And,
        (cols.clone() + lanes * lanes).bin(BinOp::Gt, blocks.clone() * lanes),
    )
}

/// Returns the condition that a reduction of rows reads their padding.
pub(super) fn takes_padding(cols: &Scalar, blocks: &Scalar, lanes: i64) -> Scalar {
    cols.clone()
        .bin(BinOp::Lt, blocks.clone() * lanes)
        .bin(BinOp::And, has_flat_form(cols, blocks, lanes))
}
