//! Finds sums of squared differences from a mean beside the mean, in one pass instead of two.
//!
//! A streamed layer norm finds its mean in one pass over its row and `Σ (v - mean)²` in the next.
//! Chan, Golub and LeVeque (Updating formulae and a pairwise algorithm for computing sample
//! variances, 1979) merge the squares of parts, each around the mean of its own part. There are `n`
//! elements so far and `n_b` in this part; `mean'` is the mean of all of them, `mean_b` that of
//! this part:
//!
//! ```text
//! M2' = M2 + Σ_b (v - mean_b)² + (mean_b - mean')² · n_b · (n + n_b) / n
//! ```
//!
//! This is their `(mean_b - mean)² · n · n_b / (n + n_b)`, written with the new mean. The new mean
//! comes from the accumulated sum, so an infinite sum gives nan as in two passes. In the first part
//! (n = 0) the factor is 0. A part has at least one element: an axis without indices has no
//! iteration.
//!
//! The rule holds for passes in which each reduction is such a sum of squares, all in `f32`. It is
//! rounded otherwise than in two passes; `.exact()` keeps two passes.

use super::{joined, op, with, Found, TwoPasses};
use crate::dtype::DType;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    AxDecl, AxFrom, AxId, BinOp, LoopId, Operand, Scalar, ScalarTy, SpanId, TileExpr, ValueId,
    VarId,
};
use crate::lower::type_queries::Binding;
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use std::collections::{BTreeMap, BTreeSet};

/// Fuses such passes. Returns their sources. `lets` are immutable scalars of the kernel.
pub fn run(
    binding: &Binding<'_>,
    body: &mut Body,
    authors: &BTreeSet<LoopId>,
    lets: &BTreeMap<VarId, Scalar>,
) -> Vec<SpanId> {
    let axes = body.axes.clone();
    joined(body, authors, &|pair| {
        Chan {
            binding,
            axes: &axes,
            lets,
            pair,
        }
        .join()
    })
}

/// A sum of squared differences from a mean.
struct Squares {
    found: Found,
    /// The sum in the first loop from which the mean is made.
    sum: Found,
    mean: ValueId,
}

struct Chan<'c, 'b> {
    binding: &'c Binding<'c>,
    axes: &'c [AxDecl],
    lets: &'c BTreeMap<VarId, Scalar>,
    pair: &'c mut TwoPasses<'b>,
}

/// Numbers of elements of a reduction.
struct Counts {
    /// Elements in the parts before.
    before: Scalar,
    /// Elements in this part.
    part: Scalar,
}

impl Chan<'_, '_> {
    fn join(mut self) -> Option<Vec<Stmt>> {
        let all: Vec<Squares> = self
            .pair
            .seconds
            .clone()
            .into_iter()
            .map(|found| self.squares(found))
            .collect::<Option<_>>()?;
        let counts: Vec<Counts> = all
            .iter()
            .map(|of| self.counts(&of.sum))
            .collect::<Option<_>>()?;
        let mut means = Vec::new();
        for (of, counts) in all.iter().zip(&counts) {
            if self.pair.now(of.mean) == of.mean {
                let own = with(BinaryOp::Mul, of.sum.part, reciprocal(counts.part.clone()));
                let own = self.pair.like(of.mean, "part", own);
                self.pair.stands_for(own, of.mean);
            }
            means.push(self.pair.now(of.mean));
        }
        self.pair.place_late();
        for ((of, counts), own) in all.iter().zip(&counts).zip(means) {
            self.grown(of, counts, own);
        }
        Some(Vec::new())
    }

    /// Matches a sum of squared differences from a mean.
    fn squares(&self, found: Found) -> Option<Squares> {
        let TileExpr::Op {
            op: Op::Binary(BinaryOp::Mul),
            args,
        } = self.pair.def(found.source)?
        else {
            return None;
        };
        let [Operand::Value { value: a }, Operand::Value { value: b }] = args[..] else {
            return None;
        };
        let difference = self.pair.def(a)?;
        (found.op == AxisReduceOp::Sum && Some(difference) == self.pair.def(b)).then_some(())?;
        let TileExpr::Op {
            op: Op::Binary(BinaryOp::Sub),
            args,
        } = difference
        else {
            return None;
        };
        let (v, mean) = match [args[0].value()?, args[1].value()?] {
            [v, mean] if self.pair.is_late(mean) => (v, mean),
            [mean, v] => (v, mean),
        };
        let sum = self.sum_of(mean)?;
        let same = sum.source == self.pair.now(v) && sum.over == self.pair.axes(&found.over);
        let is_f32 = |v: ValueId| self.binding.is(self.pair.ty(v), DType::F32);
        (same && !self.pair.is_late(v) && is_f32(found.sum) && is_f32(sum.sum)).then_some(Squares {
            found,
            sum,
            mean,
        })
    }

    /// Finds the sum of the first loop of which a value is the mean.
    fn sum_of(&self, mean: ValueId) -> Option<Found> {
        let TileExpr::Op {
            op: Op::Binary(by),
            args,
        } = self.pair.def(mean)?
        else {
            return None;
        };
        let [Operand::Value { value }, Operand::Scalar { value: count }] = &args[..] else {
            return None;
        };
        let sum = self
            .pair
            .firsts
            .iter()
            .find(|found| found.sum == *value && found.op == AxisReduceOp::Sum)?;
        let count = match by {
            BinaryOp::Div => count.clone(),
            BinaryOp::Mul => self.divisor(count)?,
            _ => return None,
        };
        self.counts_all(&count, sum).then(|| sum.clone())
    }

    /// Returns the number of which a scalar is the reciprocal.
    fn divisor(&self, s: &Scalar) -> Option<Scalar> {
        match s {
            Scalar::Var(var) => self.divisor(self.lets.get(var)?),
            Scalar::Bin(BinOp::Div, one, count) if **one == Scalar::Float(1.0) => {
                Some((**count).clone())
            }
            _ => None,
        }
    }

    /// True if a scalar is the total number of elements of a reduction.
    fn counts_all(&self, count: &Scalar, sum: &Found) -> bool {
        let (mut said, mut due) = (Vec::new(), Vec::new());
        self.factors(count, &mut said);
        for ax in sum.over.iter() {
            match self.extent(self.whole(ax)) {
                Some(extent) => self.factors(&extent, &mut due),
                None => return false,
            }
        }
        for factor in due {
            match said.iter().position(|other| *other == factor) {
                Some(at) => drop(said.remove(at)),
                None => return false,
            }
        }
        said.is_empty()
    }

    /// Collects the factors of a product of sizes.
    fn factors(&self, s: &Scalar, to: &mut Vec<Scalar>) {
        match s {
            Scalar::Var(var) if self.lets.contains_key(var) => self.factors(&self.lets[var], to),
            Scalar::Cast(ScalarTy::F32 | ScalarTy::Index, of) => self.factors(of, to),
            Scalar::Bin(BinOp::Mul, a, b) => [a, b].into_iter().for_each(|s| self.factors(s, to)),
            other => to.push(other.clone()),
        }
    }

    /// Returns the whole axis of a run.
    fn whole(&self, ax: AxId) -> AxId {
        self.pair
            .first
            .specs
            .iter()
            .find(|spec| spec.ax == ax)
            .map_or(ax, |spec| spec.of)
    }

    fn extent(&self, ax: AxId) -> Option<Scalar> {
        match &self.axes[ax.index()].from {
            AxFrom::Whole { extent } => Some(extent.clone()),
            AxFrom::Run { .. } | AxFrom::Hull { .. } => None,
        }
    }

    /// Returns the elements of a sum in an iteration and before it. Iterations follow the order of
    /// the axes, the last one fastest. `None` if the loop cuts other axes than those of the sum.
    fn counts(&self, sum: &Found) -> Option<Counts> {
        let specs = &self.pair.first.specs;
        specs
            .iter()
            .all(|spec| sum.over.contains(spec.ax))
            .then_some(())?;
        let (mut before, mut part) = (Scalar::Int(0), Scalar::Int(1));
        for spec in specs {
            before = before * self.extent(spec.of)? + part.clone() * Scalar::Var(spec.start);
            part = part * Scalar::Var(spec.len);
        }
        for ax in sum
            .over
            .iter()
            .filter(|ax| specs.iter().all(|spec| spec.ax != *ax))
        {
            let whole = self.extent(ax)?;
            (before, part) = (before * whole.clone(), part * whole);
        }
        Some(Counts { before, part })
    }

    /// Merges the squares of this part into those so far.
    fn grown(&mut self, Squares { found, sum, .. }: &Squares, counts: &Counts, own: ValueId) {
        let Counts { before, part } = counts;
        let so_far = before.clone() + part.clone();
        let squares = self.pair.part(found);
        let mean = self.pair.like(
            own,
            "all",
            with(BinaryOp::Mul, sum.sum, reciprocal(so_far.clone())),
        );
        let apart = self.pair.like(own, "apart", op(BinaryOp::Sub, own, mean));
        let square = self
            .pair
            .like(own, "square", op(BinaryOp::Mul, apart, apart));
        let weight = float(part) * (float(&so_far) / float(before));
        let weight = Scalar::select(
            before.clone().bin(BinOp::Eq, Scalar::Int(0)),
            Scalar::Float(0.0),
            weight,
        );
        let moved = self
            .pair
            .like(own, "moved", with(BinaryOp::Mul, square, weight));
        let grown = self
            .pair
            .like(found.sum, "grown", op(BinaryOp::Add, squares, moved));
        let next = self
            .pair
            .like(found.sum, "next", op(BinaryOp::Add, found.sum, grown));
        self.pair.set(found.sum, next);
    }
}

fn float(count: &Scalar) -> Scalar {
    Scalar::cast(ScalarTy::F32, count.clone())
}

fn reciprocal(count: Scalar) -> Scalar {
    Scalar::Float(1.0) / float(&count)
}
