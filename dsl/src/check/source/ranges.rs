//! Runs of tile loops, and upper bounds of ranges whose length only a core knows.
//!
//! A run is the part of an axis that one iteration of a tile loop covers.

use crate::check::prove::facts::Facts;
use crate::ir::linear::tidied;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, Access, AxFrom, AxId, AxSpec, AxisId, BinOp, Index, Promised, Scalar, Signature,
    StmtKind, TileLoop, TileStmt, VarId,
};
use std::collections::BTreeMap;

/// The run of a tile loop around a statement.
#[derive(Clone)]
pub(super) struct Run {
    start: VarId,
    len: VarId,
    /// Indices that all runs of the loop have together, inside of an iteration.
    pub all: Scalar,
}

impl Run {
    /// Adds the facts of an iteration. The first index of a run stands for any index of it. Returns
    /// `None` for a loop that goes through no whole axis.
    pub fn entered(spec: &AxSpec, body: &Body, facts: &mut Facts) -> Option<Run> {
        let AxFrom::Whole { extent } = &body.axes[spec.of.index()].from else {
            return None;
        };
        let all = match &spec.length {
            Some(length) => facts.inline(length),
            None => in_a_turn(facts.inline(extent)),
        };
        facts.runs(spec.start, &Scalar::Int(0), &all);
        if spec.length.is_some() {
            facts.unit(spec.len, 1, 1);
            facts.at_most(spec.len, &all);
        }
        Some(Run {
            start: spec.start,
            len: spec.len,
            all,
        })
    }

    /// Assumes that the run ends inside of its axis. This holds only while `start` is the first
    /// index. While it stands for any index of the run, nothing may be proved.
    pub fn ends_inside(&self, facts: &mut Facts) {
        let end = Scalar::Var(self.start) + Scalar::Var(self.len);
        facts.assume(&end.bin(BinOp::Le, self.all.clone()));
    }

    /// Returns the distance of `value` behind the end of this run, if the run does not change it.
    fn behind(&self, value: &Scalar) -> Option<Scalar> {
        let rest = value
            .mentions(self.len)
            .then(|| tidied(&(value.clone() - self.start - self.len)))?;
        (!rest.mentions(self.start) && !rest.mentions(self.len)).then_some(rest)
    }
}

/// Adds the value of a variable to the facts. A mutable variable gets a fresh name, which holds
/// until its next assignment.
pub(super) fn assigned(var: VarId, value: &Scalar, runs: &[Run], body: &Body, facts: &mut Facts) {
    let value = facts.named(value);
    let name = if body.var(var).mutable {
        facts.renamed(var)
    } else {
        var
    };
    defined(name, &value, runs, facts);
    facts.name_again(&[(var, name)]);
}

/// Adds the definition of a scalar. The end of a run is not one of the indices that `start` stands
/// for, so an equation would be wrong. Only bounds of the end are kept: it lies inside of the axis.
fn defined(var: VarId, value: &Scalar, runs: &[Run], facts: &mut Facts) {
    let Some((run, rest)) = runs.iter().find_map(|run| Some((run, run.behind(value)?))) else {
        return facts.define(var, value);
    };
    facts.assume(&(rest.clone() + 1).bin(BinOp::Le, Scalar::Var(var)));
    facts.assume(&Scalar::Var(var).bin(BinOp::Le, rest + run.all.clone()));
}

/// Returns the size of an axis inside of a loop over it. There the range is not empty, so the clamp
/// of its length at 0 has no effect.
fn in_a_turn(extent: Scalar) -> Scalar {
    match extent {
        Scalar::Bin(BinOp::Max, length, least) if *least == Scalar::Int(0) => (*length).clone(),
        extent => extent,
    }
}

/// Upper bounds of a range: the least of the sizes of tensors and axes that are proved to be one.
#[derive(Default)]
pub(crate) struct Most {
    /// Number of its indices.
    pub indices: Option<Scalar>,
    pub end: Option<Scalar>,
}

/// Returns upper bounds of the ranges whose ends only a core knows, by their whole axes.
///
/// The sizes that every iteration accesses bound a range without a proof. The check of addresses
/// proves that those accesses stay inside of their tensors.
pub(crate) fn most_of_ranges(
    sig: &Signature,
    body: &Body,
    stmts: &[Stmt],
    ends: &BTreeMap<AxId, Scalar>,
) -> BTreeMap<AxId, Most> {
    let sizes = (0..sig.axes.len() as u32)
        .map(|at| Scalar::Axis(AxisId(at)))
        .collect();
    let mut walk = Lengths {
        body,
        ends,
        facts: Facts::new(sig, body),
        sizes,
        runs: Vec::new(),
        found: BTreeMap::new(),
    };
    walk.list(stmts);
    walk.found
}

struct Lengths<'a> {
    body: &'a Body,
    ends: &'a BTreeMap<AxId, Scalar>,
    facts: Facts,
    /// Named axes of the signature.
    sizes: Vec<Scalar>,
    runs: Vec<Run>,
    found: BTreeMap<AxId, Most>,
}

impl Lengths<'_> {
    fn list(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Stmt) {
        let mark = self.facts.mark();
        match &s.kind {
            StmtKind::LetScalar { var, value } => {
                return defined(*var, value, &self.runs, &mut self.facts)
            }
            StmtKind::Promise {
                what: Promised::Fact { cond, .. },
            } => return self.facts.assume(cond),
            StmtKind::If { cond, then, other } => {
                self.facts.assume(cond);
                self.list(then);
                self.facts.back(mark);
                let mark = self.facts.mark();
                self.facts.assume_not(cond);
                self.list(other);
                return self.facts.back(mark);
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                self.facts.runs(*var, from, to);
                self.list(body);
            }
            StmtKind::Do(TileStmt::Loop { tile }) => self.tile_loop(tile),
            // These say nothing of sizes.
            StmtKind::SetScalar { .. }
            | StmtKind::Promise {
                what: Promised::Index { .. },
            } => {}
            StmtKind::Do(
                TileStmt::Def { .. }
                | TileStmt::Set { .. }
                | TileStmt::Store { .. }
                | TileStmt::Append { .. },
            ) => {}
            StmtKind::Do(TileStmt::Read { .. } | TileStmt::Dump { .. }) => {}
        }
        self.facts.back(mark);
    }

    fn tile_loop(&mut self, tile: &TileLoop) {
        let before = self.runs.len();
        self.runs.extend(
            tile.specs
                .iter()
                .filter_map(|spec| Run::entered(spec, self.body, &mut self.facts)),
        );
        for spec in &tile.specs {
            if let Some(length) = &spec.length {
                let sure: Vec<&Scalar> = tile.body.iter().flat_map(|s| met(s, spec)).collect();
                let mut sizes: Vec<&Scalar> = sure.clone();
                walk_stmts(&tile.body, &mut |s| sizes.extend(met(s, spec)));
                sizes.extend(&self.sizes);
                let indices = self.least(&sizes, |size| {
                    sure.contains(&size) || self.facts.proves_le(length, size)
                });
                let end = self.ends.get(&spec.of);
                let end =
                    end.and_then(|end| self.least(&sizes, |size| self.facts.proves_le(end, size)));
                self.found.insert(spec.of, Most { indices, end });
            }
        }
        self.list(&tile.body);
        self.runs.truncate(before);
    }

    /// Returns the minimum of the sizes that `is_bound` accepts.
    fn least(&self, sizes: &[&Scalar], is_bound: impl Fn(&Scalar) -> bool) -> Option<Scalar> {
        let mut found: Vec<&Scalar> = Vec::new();
        for size in sizes.iter().copied().filter(|size| is_bound(size)) {
            if !found.iter().any(|known| self.facts.proves_le(known, size)) {
                found.retain(|known| !self.facts.proves_le(size, known));
                found.push(size);
            }
        }
        found.into_iter().cloned().reduce(Scalar::min)
    }
}

/// Returns the sizes of the dimensions that a statement accesses at the indices of a run. The run
/// lies inside of them.
fn met<'s>(s: &'s Stmt, spec: &AxSpec) -> Vec<&'s Scalar> {
    let Some(Access { dims, index, .. }) = s.access().filter(|_| !s.may_be_outside()) else {
        return Vec::new();
    };
    let along =
        |index: &Index| index.ids.is_none() && index.terms.iter().any(|term| term.ax == spec.ax);
    dims.iter()
        .zip(index)
        .filter(|(_, index)| along(index))
        .map(|(dim, _)| dim)
        .collect()
}
