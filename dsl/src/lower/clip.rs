//! Loads of parts that may lie outside of their tensor: `x.at(t - p).load_or(v)`.
//!
//! Of each index that may leave its axis the scalar unit finds which of its steps stay inside, `from..to`. The box of these is copied to
//! where it lies in the tile, the number around a row coming with the copy up to whole data blocks. What is left of the tile outside the
//! box, whole rows and whole data blocks of rows, the vector unit fills once the copy has come.

use super::copy::{in_loops, in_rows, plus, Level, Levels, Moved};
use super::ops::instr;
use super::site::Site;
use super::values::product;
use super::{Gap, Made};
use crate::ir::{Access, Arg, BinOp, Extent, Scalar, ScalarTy, SpanId, Stmt, StmtKind, TensorId, View};
use crate::ops::{CopyOp, LayoutOp};

/// The steps along an axis that stay inside.
struct Inside {
    from: Scalar,
    to: Scalar,
}

/// The copy of what is inside of a tensor, and the statements that fill what is not, for behind the wait.
pub(super) fn copy_inside(
    site: &mut Site<'_, '_>,
    (access, outside): (&Access, &Scalar),
    (filled, ready): (TensorId, TensorId),
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<Vec<Stmt>> {
    if !site.host.chip.has_data_copy_pad {
        let help = "choose a chip with DataCopyPad: `#[chips(ascend910b1)]`";
        return Err(Gap::not_yet(format!("`load_or` on {}, which has no DataCopyPad", site.host.chip.name), help, span));
    }
    let ty = site.places.decls.ty(filled);
    let single = site.values.is_single(access, true).then(|| site.lanes(ty));
    let levels = Levels::of(site, access, (true, single), span)?;
    let number = Scalar::cast(site.host.binding.beside(ty), site.host.on_device(outside, "outside"));
    let mut clip = Clip { site, access, span, lets: Vec::new(), conds: Vec::new() };
    clip.single_indices();
    let rows: Vec<Option<Inside>> = levels.rows.iter().map(|level| clip.inside(level)).collect();
    let run = levels.run.as_ref().and_then(|run| clip.inside_of_run(run));
    let Clip { lets, conds, .. } = clip;
    out.extend(lets);
    let cond = conds.into_iter().reduce(|a, b| a.bin(BinOp::And, b));
    let lanes = site.lanes(ty);
    let fills = Fills { levels: &levels, rows: &rows, run: run.as_ref(), number: &number, tensor: ready, lanes, span }.all(site);
    let copied = copied(site, (access, filled), levels, (rows, run), (number, lanes), span);
    let Some(cond) = cond else {
        out.push(copied);
        return Ok(Vec::new());
    };
    out.push(Stmt { kind: StmtKind::If { cond: cond.clone(), then: vec![copied], other: Vec::new() }, span });
    let (then, other) = fills;
    Ok(vec![Stmt { kind: StmtKind::If { cond, then, other }, span }])
}

/// The copy of the box that is inside.
fn copied(
    site: &mut Site<'_, '_>,
    (access, tensor): (&Access, TensorId),
    levels: Levels,
    (inside, run_inside): (Vec<Option<Inside>>, Option<Inside>),
    (number, lanes): (Scalar, i64),
    span: SpanId,
) -> Stmt {
    // A load at a tile of indices has no number around it.
    let Levels { mut at, mut rows, run, .. } = levels;
    let mut to = Scalar::Int(0);
    for (level, inside) in rows.iter_mut().zip(inside) {
        if let Some(Inside { from, to: end }) = inside {
            at = plus(at, product([from.clone(), level.stride.clone()]));
            to = plus(to, product([from.clone(), level.ub.clone()]));
            level.count = end - from;
        }
    }
    let (op, cols, number) = match (run, run_inside) {
        (_, Some(Inside { from, to: end })) => {
            at = plus(at, from.clone());
            to = plus(to, from.clone() / lanes * lanes);
            (CopyOp::InLead, end - from.clone(), vec![Arg::from(number), Arg::from(from % lanes)])
        }
        (Some(run), None) => (CopyOp::InPad, run.count, Vec::new()),
        (None, None) => (CopyOp::InPad, Scalar::Int(1), Vec::new()),
    };
    let moved = Moved { op, gm: View::gm(access.of, at), ub: View::local(tensor, to), cols, number };
    in_rows(site, rows, moved, span)
}

/// What is found out of the ends of an access.
struct Clip<'c, 'h, 'a> {
    site: &'c mut Site<'h, 'a>,
    access: &'c Access,
    span: SpanId,
    lets: Vec<Stmt>,
    /// What holds where something is inside.
    conds: Vec<Scalar>,
}

impl Clip<'_, '_, '_> {
    fn define(&mut self, name: &str, value: Scalar) -> Scalar {
        let var = self.site.host.fresh(name, ScalarTy::Index);
        self.lets.push(Stmt { kind: StmtKind::LetScalar { var, value }, span: self.span });
        var.into()
    }

    fn offset_and_dim(&mut self, nth: usize) -> (Scalar, Scalar) {
        let offset = self.site.host.on_device(&self.access.index[nth].offset, "offset");
        (offset, self.site.host.known("dim", &self.access.dims[nth]))
    }

    /// Scalars are inside or not.
    fn single_indices(&mut self) {
        for nth in 0..self.access.index.len() {
            if self.access.index[nth].terms.is_empty() && !self.site.values.is_own(self.access, nth) {
                let (at, dim) = self.offset_and_dim(nth);
                let at = self.define("single_index", at);
                self.conds.push(Scalar::Int(0).bin(BinOp::Le, at.clone()));
                self.conds.push(at.bin(BinOp::Lt, dim));
            }
        }
    }

    /// The steps along the axis of rows that are inside; nothing where all are.
    fn inside(&mut self, level: &Level) -> Option<Inside> {
        if self.site.values.is_own(self.access, level.nth) {
            return None;
        }
        let (first, dim) = self.offset_and_dim(level.nth);
        let (least, end) = match &level.factor {
            // An index is `first - size * step`.
            Scalar::Int(f) if *f < 0 => {
                let size = f.checked_neg().unwrap_or(i64::MAX);
                // The first index is the last one inside: said alone it shows proofs that nothing is copied where it is negative.
                self.conds.push(Scalar::Int(0).bin(BinOp::Le, first.clone()));
                ((first.clone() - dim + 1).max(0).ceil_div(size), (first + 1).max(0).ceil_div(size))
            }
            factor => {
                ((Scalar::Int(0) - first.clone()).max(0).ceil_div(factor.clone()), (dim - first).max(0).ceil_div(factor.clone()))
            }
        };
        Some(self.ends(level, least, end))
    }

    /// The elements of a run that are inside, counted from its first one.
    fn inside_of_run(&mut self, run: &Level) -> Option<Inside> {
        if self.site.values.is_own(self.access, run.nth) {
            return None;
        }
        let (mut first, dim) = self.offset_and_dim(run.nth);
        if run.factor.as_int().is_some_and(|f| f < 0) {
            first = first - (run.count.clone() - 1);
        }
        let first = self.define(&format!("{}_first", self.site.values.name_of(run.ax)), first);
        Some(self.ends(run, (Scalar::Int(0) - first.clone()).max(0), (dim - first).max(0)))
    }

    /// Ends within the steps of this turn; where none is inside the first one is the last.
    fn ends(&mut self, level: &Level, least: Scalar, end: Scalar) -> Inside {
        let name = self.site.values.name_of(level.ax).to_string();
        let from = self.define(&format!("{name}_from"), least.min(level.count.clone()));
        let to = self.define(&format!("{name}_to"), end.min(level.count.clone()).max(from.clone()));
        self.conds.push(from.clone().bin(BinOp::Lt, to.clone()));
        Inside { from, to }
    }
}

/// What fills the tile outside of the box.
struct Fills<'f> {
    levels: &'f Levels,
    rows: &'f [Option<Inside>],
    run: Option<&'f Inside>,
    number: &'f Scalar,
    tensor: TensorId,
    /// Elements of a data block.
    lanes: i64,
    span: SpanId,
}

impl Fills<'_> {
    /// The statements for a box with something in it, and those for one without.
    fn all(&self, site: &mut Site<'_, '_>) -> (Vec<Stmt>, Vec<Stmt>) {
        let mut around = Vec::new();
        for (at, (level, inside)) in self.levels.rows.iter().zip(self.rows).enumerate() {
            if let Some(Inside { from, to }) = inside {
                let rows = |n: Scalar| product([n, level.ub.clone()]);
                let parts = [(Scalar::Int(0), rows(from.clone())), (rows(to.clone()), rows(level.count.clone() - to.clone()))];
                let there = [Scalar::Int(0).bin(BinOp::Lt, from.clone()), to.clone().bin(BinOp::Lt, level.count.clone())];
                for (part, cond) in parts.into_iter().zip(there) {
                    let filled = self.in_rows(site, &self.levels.rows[..at], part);
                    around.push(self.when(cond, filled));
                }
            }
        }
        let run_count = self.levels.run.as_ref().map_or(Scalar::Int(1), |run| run.count.clone());
        if let Some(Inside { from, to }) = self.run {
            // The copy fills up data blocks that are inside in part.
            let before = from.clone() / self.lanes * self.lanes;
            let behind = to.clone().ceil_div(self.lanes) * self.lanes;
            let parts = [
                (Scalar::Int(self.lanes).bin(BinOp::Le, from.clone()), (Scalar::Int(0), before)),
                (behind.clone().bin(BinOp::Lt, run_count.clone()), (behind.clone(), run_count.clone() - behind)),
            ];
            for (cond, part) in parts {
                let filled = self.in_rows(site, &self.levels.rows, part);
                around.push(self.when(cond, filled));
            }
        }
        let all = match self.levels.rows.first() {
            Some(level) => product([level.count.clone(), level.ub.clone()]),
            None => run_count,
        };
        (around, vec![self.duplicate(Scalar::Int(0), all)])
    }

    fn when(&self, cond: Scalar, then: Stmt) -> Stmt {
        Stmt { kind: StmtKind::If { cond, then: vec![then], other: Vec::new() }, span: self.span }
    }

    /// A fill of so many elements from one on, in each of these rows.
    fn in_rows(&self, site: &mut Site<'_, '_>, rows: &[Level], (from, n): (Scalar, Scalar)) -> Stmt {
        let (mut at, mut loops) = (from, Vec::new());
        for level in rows {
            let var = site.host.fresh(&format!("{}_index", site.values.name_of(level.ax)), ScalarTy::Index);
            at = plus(at, product([Scalar::Var(var), level.ub.clone()]));
            loops.push((var, level.count.clone()));
        }
        in_loops(loops, self.duplicate(at, n), self.span)
    }

    fn duplicate(&self, at: Scalar, n: Scalar) -> Stmt {
        let args = [View::local(self.tensor, at).into(), Arg::from(self.number.clone())];
        instr(LayoutOp::Duplicate, Extent::Count { n }, args, self.span)
    }
}
