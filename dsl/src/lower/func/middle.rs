//! Reductions of an axis that is not the last one, by halving: `[outer, rows, blocks]` to
//! `[outer, blocks]`.
//!
//! One call combines the second half of the rows with the first one, so the number of calls is
//! logarithmic.
//!
//! - The first step writes into work space and keeps the source. There the rows of all outer
//!   indices lie side by side, so each later step is one dense call for all of them. The last one
//!   writes the result.
//! - The repeats of the first step are outer indices or pairs of rows, whichever takes fewer calls.
//! - Each outer index is reduced alone if strides are too short for that or it takes more calls.
//!
//! Order of sums: row `j` and row `j + h` are added, where `h` is half of the rows, rounded down; a
//! last row without a partner is added to the first sum. Later `h` is the largest power of two
//! below the number of rows that are left. The order depends on the number of rows alone.

use super::builder::{le, Writer};
use super::registry::Repeats;
use super::registry::{Funcs, Key, Reduce};
use crate::ir::{BinOp, Extent, FuncId, Scalar, TensorId, Ty, View};
use crate::ops::contract::{Access, BLOCKS_PER_REPEAT};
use crate::ops::LayoutOp;

/// Steps in place from the most rows to two.
const STEPS: u32 = 11;

/// The most rows that are halved in place; UB holds no more.
const MOST_HALVED: i64 = 2 << STEPS;

/// The most rows that can be reduced.
pub(in crate::lower) const MOST_FOLDED: i64 = 2 * MOST_HALVED;

/// The most rows that the first step reduces to the result.
const IN_ONE_STEP: i64 = 3;

/// The largest distance of repeats, in data blocks, that a stride can hold.
pub(super) const NEAR: i64 = u8::MAX as i64;

/// The number of calls that the choice assumes for one outer index alone; from eight rows on it is
/// a little larger.
const FEW_STEPS: i64 = 3;

/// Returns the elements of work space for a reduction over the middle one of three axes.
pub(in crate::lower) fn middle_work(
    outer: Scalar,
    rows: &Scalar,
    blocks: Scalar,
    lanes: i64,
    onto: bool,
) -> Scalar {
    let half = halved(rows);
    let left = match onto {
        true => half,
        // Two or three rows need none, since the first step writes the result.
        false => half.clone().min(half * 2 - 2).max(0),
    };
    outer * left * blocks * lanes
}

/// Returns half of the rows, rounded down.
pub(super) fn halved(rows: &Scalar) -> Scalar {
    rows.clone() / 2
}

/// Writes `to = first op second` for `n` elements.
fn fold(w: &mut Writer, op: Reduce, n: Scalar, [to, first, second]: [View; 3]) {
    w.op(
        op.step(),
        Extent::Count { n },
        [to, first, second].map(Into::into),
    );
}

fn copy(w: &mut Writer, n: Scalar, dst: TensorId, src: TensorId) {
    w.op(
        LayoutOp::LocalCopy,
        Extent::Count { n },
        [dst, src].map(|t| View::local(t, 0).into()),
    );
}

/// Returns the suffix of the name and the addition to the documentation of a function that
/// accumulates onto its destination.
const fn said_onto(onto: bool) -> (&'static str, &'static str) {
    match onto {
        true => ("_onto", " and of what `dst` holds"),
        false => ("", ""),
    }
}

impl Funcs {
    /// Makes a function that reduces the rows of each outer index, optionally onto the destination:
    /// `(dst[outer, blocks], src[outer, rows, blocks], work; outer, rows, blocks)`.
    pub fn reduce_middle(&mut self, op: Reduce, ty: Ty, lanes: i64, onto: bool) -> FuncId {
        self.get(Key::Middle(op, ty, onto), |funcs| {
            let [by_outer, by_rows] =
                [Repeats::Outer, Repeats::Rows].map(|r| funcs.pair_rows(op, ty, lanes, r));
            let halves = funcs.reduce_halves(op, ty, lanes, onto);
            let alone = funcs.reduce_first(op, ty, lanes, onto);
            let (behind, also) = said_onto(onto);
            let doc = format!(
                "The {} of all rows of each outer index{also}, element for element.",
                op.said()
            );
            let mut w = Writer::new(&format!("{}_of_middle{behind}", op.word()), &doc);
            let [outer, rows, blocks] = ["outer", "rows", "blocks"].map(|n| w.size(n));
            w.requires(le(&Scalar::Int(1), rows.clone()));
            w.requires(le(&rows, MOST_FOLDED));
            let row = blocks.clone() * lanes;
            let dst = w.tensor("dst", ty, Access::Write, outer.clone() * row.clone());
            let src = w.tensor(
                "src",
                ty,
                Access::Read,
                outer.clone() * rows.clone() * row.clone(),
            );
            let left = middle_work(outer.clone(), &rows, blocks.clone(), lanes, onto);
            let work = w.tensor("work", ty, Access::Scratch, left);
            let [to, from, made] = [dst, src, work].map(|t| View::local(t, 0));
            let in_steps = |w: &mut Writer, paired: FuncId, half: &Scalar| {
                w.call(
                    paired,
                    [made.clone(), from.clone()],
                    [&outer, &rows, &blocks],
                );
                w.call(
                    halves,
                    [to.clone(), made.clone()],
                    [half, &(outer.clone() * blocks.clone())],
                );
            };
            let all = outer.clone() * row.clone();
            let in_one_step = |w: &mut Writer| match onto {
                true => {
                    w.call(
                        by_outer,
                        [made.clone(), from.clone()],
                        [&outer, &rows, &blocks],
                    );
                    fold(w, op, all.clone(), [to.clone(), to.clone(), made.clone()]);
                }
                false => w.call(
                    by_outer,
                    [to.clone(), from.clone()],
                    [&outer, &rows, &blocks],
                ),
            };
            let one_by_one = |w: &mut Writer| {
                w.each("index", outer.clone(), |w, index| {
                    let to = View::local(dst, index.clone() * row.clone());
                    let from = View::local(src, index * (rows.clone() * row.clone()));
                    w.call(alone, [to, from, made.clone()], [&rows, &blocks]);
                });
            };
            w.choose(
                le(&rows, 1),
                |w| match onto {
                    true => fold(w, op, all.clone(), [to.clone(), to.clone(), from.clone()]),
                    false => copy(w, all.clone(), dst, src),
                },
                |w| {
                    let half = w.define("pairs", halved(&rows));
                    let chunks = w.define("chunks", blocks.clone().ceil_div(BLOCKS_PER_REPEAT));
                    let steps = half.clone().min(FEW_STEPS);
                    let near = |r: Repeats| {
                        le(&r.stride(&outer, &rows, &blocks), NEAR)
                            .bin(BinOp::And, le(&blocks, NEAR))
                    };
                    let fewer = (half.clone() * chunks.clone())
                        .bin(BinOp::Lt, outer.clone() * steps.clone());
                    let outer_repeats = le(&half, outer.clone()).bin(BinOp::And, fewer);
                    let many = outer
                        .clone()
                        .bin(BinOp::Gt, 1)
                        .bin(BinOp::And, rows.clone().bin(BinOp::Gt, IN_ONE_STEP));
                    let row_repeats = many.bin(BinOp::And, chunks.bin(BinOp::Lt, steps));
                    w.choose(
                        near(Repeats::Outer).bin(BinOp::And, outer_repeats),
                        |w| {
                            w.choose(le(&rows, IN_ONE_STEP), in_one_step, |w| {
                                in_steps(w, by_outer, &half)
                            })
                        },
                        |w| {
                            let rows_fit = near(Repeats::Rows).bin(BinOp::And, row_repeats);
                            w.choose(rows_fit, |w| in_steps(w, by_rows, &half), one_by_one);
                        },
                    );
                },
            );
            w.finish()
        })
    }

    /// Makes a function that reduces rows element by element, optionally onto the destination:
    /// `(dst[blocks], src[rows, blocks], work; rows, blocks)`.
    pub(super) fn reduce_first(&mut self, op: Reduce, ty: Ty, lanes: i64, onto: bool) -> FuncId {
        self.get(Key::First(op, ty, onto), |funcs| {
            let halves = funcs.reduce_halves(op, ty, lanes, onto);
            let (behind, also) = said_onto(onto);
            let doc = format!("The {} of all rows{also}, element for element.", op.said());
            let mut w = Writer::new(&format!("{}_of_first{behind}", op.word()), &doc);
            let [rows, blocks] = ["rows", "blocks"].map(|n| w.size(n));
            w.requires(le(&Scalar::Int(1), rows.clone()));
            w.requires(le(&rows, MOST_FOLDED));
            let row = blocks.clone() * lanes;
            let dst = w.tensor("dst", ty, Access::Write, row.clone());
            let src = w.tensor("src", ty, Access::Read, rows.clone() * row.clone());
            let work = w.tensor(
                "work",
                ty,
                Access::Scratch,
                middle_work(1.into(), &rows, blocks.clone(), lanes, onto),
            );
            let [there, made] = [dst, work].map(|t| View::local(t, 0));
            let first = |w: &mut Writer, to: TensorId, half: Scalar| {
                let to = View::local(to, 0);
                let n = half.clone() * row.clone();
                fold(
                    w,
                    op,
                    n.clone(),
                    [to.clone(), View::local(src, 0), View::local(src, n.clone())],
                );
                let last = View::local(src, n * 2);
                w.when(rows.clone().bin(BinOp::Gt, half * 2), |w| {
                    fold(w, op, row.clone(), [to.clone(), to, last])
                });
            };
            w.choose(
                le(&rows, 1),
                |w| match onto {
                    true => fold(
                        w,
                        op,
                        row.clone(),
                        [there.clone(), there.clone(), View::local(src, 0)],
                    ),
                    false => copy(w, row.clone(), dst, src),
                },
                |w| {
                    let half = w.define("pairs", halved(&rows));
                    w.choose(
                        le(&rows, IN_ONE_STEP),
                        |w| match onto {
                            true => {
                                first(w, work, Scalar::Int(1));
                                fold(
                                    w,
                                    op,
                                    row.clone(),
                                    [there.clone(), there.clone(), made.clone()],
                                );
                            }
                            false => first(w, dst, Scalar::Int(1)),
                        },
                        |w| {
                            first(w, work, half.clone());
                            w.call(halves, [there.clone(), made.clone()], [&half, &blocks]);
                        },
                    );
                },
            );
            w.finish()
        })
    }

    /// Makes a function that reduces two or more rows and destroys them, optionally onto the
    /// destination: `(dst[blocks], x[rows, blocks]; rows, blocks)`.
    fn reduce_halves(&mut self, op: Reduce, ty: Ty, lanes: i64, onto: bool) -> FuncId {
        self.get(Key::Halves(op, ty, onto), |_| {
            let (behind, also) = said_onto(onto);
            let doc = format!(
                "The {} of all rows{also}, element for element; the rows are lost.",
                op.said()
            );
            let mut w = Writer::new(&format!("{}_of_halves{behind}", op.word()), &doc);
            let [rows, blocks] = ["rows", "blocks"].map(|n| w.size(n));
            w.requires(le(&Scalar::Int(2), rows.clone()));
            w.requires(le(&rows, MOST_HALVED));
            let row = blocks * lanes;
            let dst = w.tensor("dst", ty, Access::Write, row.clone());
            let x = w.tensor("x", ty, Access::Write, rows.clone() * row.clone());
            let from = |first: i64| View::local(x, row.clone() * first);
            for step in (1..=STEPS).rev() {
                let half = 1 << step;
                let n = (rows.clone().min(2 * half) - half) * row.clone();
                w.when(rows.clone().bin(BinOp::Gt, half), |w| {
                    fold(w, op, n, [from(0), from(0), from(half)])
                });
            }
            let to = View::local(dst, 0);
            match onto {
                true => {
                    fold(&mut w, op, row.clone(), [from(0), from(0), from(1)]);
                    fold(&mut w, op, row.clone(), [to.clone(), to, from(0)]);
                }
                false => fold(&mut w, op, row.clone(), [to, from(0), from(1)]),
            }
            w.finish()
        })
    }
}
