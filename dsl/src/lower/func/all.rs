//! Reductions over all axes, of densely packed elements to one.
//!
//! - Floats are one long row of data blocks. Every step makes one result of each data block. That
//!   takes work space of an eighth of the elements, where halving would take half of them.
//! - Integers have no such instruction. They are rows of one repeat each, halved until one is left,
//!   which is reduced like any row of integers.
//!
//! Nothing behind the last element takes part, and the source stays unchanged.

use super::builder::{le, Writer};
use super::integers::{whole_work_a_row, whole_work_behind};
use super::middle::MOST_FOLDED;
use super::registry::{Funcs, Key, Reduce};
use super::rows::longest_row;
use super::rows::{of_results, work_a_row, STEPS};
use crate::ir::{BinOp, Extent, FuncId, Scalar, TensorId, Ty, View};
use crate::ops::contract::{Access, BLOCKS_PER_REPEAT};
use crate::soc::Arch;

/// Returns the elements of work space for so many data blocks of floats.
pub(in crate::lower) fn all_work(blocks: Scalar, lanes: i64) -> Scalar {
    work_a_row(blocks * lanes, lanes)
}

/// Returns the elements of work space for so many integers: one repeat, half of the others, and the
/// work space of the last row.
pub(in crate::lower) fn all_whole_work(n: &Scalar, lanes: i64) -> Scalar {
    let repeat = BLOCKS_PER_REPEAT * lanes;
    let last = whole_work_a_row(&Scalar::Int(BLOCKS_PER_REPEAT), lanes) + whole_work_behind(lanes);
    n.clone() / (2 * repeat) * repeat + last + repeat
}

/// Begins a function `(dst[1], src, work)`, without sizes yet.
fn begin(op: Reduce) -> Writer {
    Writer::new(
        &format!("{}_of_all", op.word()),
        &format!("The {} of all elements.", op.said()),
    )
}

/// Declares its tensors, with the numbers of elements of `src` and `work`.
fn tensors(w: &mut Writer, ty: Ty, src: Scalar, work: Scalar) -> [TensorId; 3] {
    let all = [
        ("dst", Access::Write, Scalar::Int(1)),
        ("src", Access::Read, src),
        ("work", Access::Scratch, work),
    ];
    all.map(|(name, access, elements)| w.tensor(name, ty, access, elements))
}

impl Funcs {
    /// Makes a function that reduces floats: `(dst[1], src[blocks], work; n, blocks)`.
    pub fn reduce_all(&mut self, op: Reduce, ty: Ty, lanes: i64, arch: Arch) -> FuncId {
        self.get(Key::All(op, ty), |funcs| {
            let step = funcs.reduce_step(op, ty, lanes);
            let rows = funcs.reduce_in_steps(op, ty, lanes, STEPS - 1, arch);
            let mut w = begin(op);
            let [n, blocks] = ["n", "blocks"].map(|n| w.size(n));
            w.requires(le(&n, blocks.clone() * lanes));
            w.requires(le(&Scalar::Int(1), blocks.clone()));
            w.requires(le(&blocks, longest_row(lanes) / lanes));
            let [dst, src, work] = tensors(
                &mut w,
                ty,
                blocks.clone() * lanes,
                all_work(blocks.clone(), lanes),
            );
            let [to, from, made] = [dst, src, work].map(|t| View::local(t, 0));
            let one = Scalar::Int(1);
            w.choose(
                le(&blocks, BLOCKS_PER_REPEAT),
                |w| {
                    w.call(
                        rows,
                        [to.clone(), from.clone(), made.clone()],
                        [&one, &n, &blocks],
                    )
                },
                |w| {
                    w.call(step, [made.clone(), from.clone()], [&one, &n, &blocks]);
                    let results = w.define("results", n.clone().ceil_div(lanes));
                    let next = w.define("result_blocks", of_results(blocks.clone(), lanes));
                    let work = View::local(work, next.clone() * lanes);
                    w.call(
                        rows,
                        [to.clone(), made.clone(), work],
                        [&one, &results, &next],
                    );
                },
            );
            w.finish()
        })
    }

    /// Makes a function that reduces integers: `(dst[1], src[n], work; n)`.
    pub fn reduce_all_whole(&mut self, op: Reduce, ty: Ty, lanes: i64) -> FuncId {
        self.get(Key::All(op, ty), |funcs| {
            let first = funcs.reduce_first(op, ty, lanes, false);
            let whole = funcs.reduce_whole(op, ty, lanes);
            let repeat = BLOCKS_PER_REPEAT * lanes;
            let mut w = begin(op);
            let n = w.size("n");
            w.requires(le(&Scalar::Int(1), n.clone()));
            w.requires(le(&n, MOST_FOLDED * repeat));
            let [dst, src, work] = tensors(
                &mut w,
                ty,
                n.clone().align_up(lanes),
                all_whole_work(&n, lanes),
            );
            let [to, from, made] = [dst, src, work].map(|t| View::local(t, 0));
            let [one, eight] = [1, BLOCKS_PER_REPEAT].map(Scalar::Int);
            w.choose(
                le(&n, repeat),
                |w| {
                    let blocks = w.define("blocks", n.clone().ceil_div(lanes));
                    w.call(
                        whole,
                        [to.clone(), from.clone(), made.clone()],
                        [&one, &n, &blocks],
                    );
                },
                |w| {
                    let rows = w.define("rows", n.clone() / repeat);
                    let behind = View::local(work, repeat);
                    w.call(
                        first,
                        [made.clone(), from.clone(), behind.clone()],
                        [&rows, &eight],
                    );
                    let at = w.define("at", rows * repeat);
                    let rest = w.define("rest", n.clone() - at.clone());
                    w.when(rest.clone().bin(BinOp::Gt, 0), |w| {
                        let views = [made.clone(), made.clone(), View::local(src, at)];
                        w.op(op.step(), Extent::Count { n: rest }, views.map(Into::into));
                    });
                    w.call(
                        whole,
                        [to.clone(), made.clone(), behind],
                        [&one, &Scalar::Int(repeat), &eight],
                    );
                },
            );
            w.finish()
        })
    }
}
