//! Accesses that may leave their tensor: `x.at(t - p).load_or(v)`, `y.at(t + 1).store_in(v)`.
//!
//! For each index that may leave its axis, the scalar unit finds the steps that stay inside,
//! `from..to`. The box of these is copied.
//!
//! - A load copies the box to its place in the tile, and fills each row with the number up to whole
//!   data blocks. After the copy the vector unit fills the rest: whole rows, and whole data blocks
//!   of rows.
//! - A store drops elements outside of the box. A copy to GM begins at a data block of UB, so rows
//!   whose first elements are dropped are moved up first (`moved_up`).

use super::context::{instr, Site};
use super::copy::{in_loops, in_rows, plus, Level, Levels, Moved};
use super::ops::local_copy;
use super::strided::{computed_with, gathered};
use super::tables::offsets;
use crate::ir::queue::Stmt;
use crate::ir::scalar::product;
use crate::ir::{
    Access, Arg, BinOp, Extent, Scalar, ScalarTy, SpanId, StmtKind, TensorId, ValueId, View,
};
use crate::lower::gap::{Gap, Made};
use crate::ops::{CopyOp, LayoutOp};

/// The steps along an axis that stay inside.
struct Ends {
    from: Scalar,
    to: Scalar,
}

/// The part of an access that is inside of its tensor.
pub(super) struct Inside {
    levels: Levels,
    rows: Vec<Option<Ends>>,
    run: Option<Ends>,
    /// The condition that something is inside; `None` if that is always so.
    pub(super) cond: Option<Scalar>,
}

impl Inside {
    /// Finds the part that is inside. With `single`, each element takes so many elements of UB.
    pub(super) fn of(
        site: &mut Site<'_, '_>,
        access: &Access,
        single: Option<i64>,
        span: SpanId,
        out: &mut Vec<Stmt>,
    ) -> Made<Inside> {
        let levels = Levels::of(site, access, true, single, span)?;
        let mut clip = Clip {
            site,
            access,
            span,
            lets: Vec::new(),
            conds: Vec::new(),
        };
        clip.single_indices();
        let rows = levels.rows.iter().map(|level| clip.inside(level)).collect();
        let run = levels.run.as_ref().and_then(|run| clip.inside_of_run(run));
        let Clip { lets, conds, .. } = clip;
        out.extend(lets);
        Ok(Inside {
            levels,
            rows,
            run,
            cond: conds.into_iter().reduce(|a, b| a.bin(BinOp::And, b)),
        })
    }

    /// Narrows the levels to the rows inside, without their runs. Returns the first element in GM
    /// and in UB, relative to the access.
    fn rows(levels: &mut Levels, inside: Vec<Option<Ends>>) -> (Scalar, Scalar) {
        let (mut at, mut to) = (levels.at.clone(), Scalar::Int(0));
        for (level, inside) in levels.rows.iter_mut().zip(inside) {
            if let Some(Ends { from, to: end }) = inside {
                at = plus(at, product([from.clone(), level.stride.clone()]));
                to = plus(to, product([from.clone(), level.ub.clone()]));
                level.count = end - from;
            }
        }
        (at, to)
    }

    /// Copies the part to GM. Its runs begin with the first element inside.
    pub(super) fn copied_out(
        self,
        site: &mut Site<'_, '_>,
        access: &Access,
        tensor: TensorId,
        span: SpanId,
    ) -> Stmt {
        let Inside {
            mut levels,
            rows,
            run,
            ..
        } = self;
        let (at, to) = Inside::rows(&mut levels, rows);
        let (at, cols) = match (levels.run, run) {
            (_, Some(Ends { from, to: end })) => (plus(at, from.clone()), end - from),
            (Some(run), None) => (at, run.count),
            (None, None) => (at, Scalar::Int(1)),
        };
        let moved = Moved {
            op: CopyOp::OutPad,
            gm: View::gm(access.of, at),
            ub: View::local(tensor, to),
            cols,
            number: Vec::new(),
        };
        in_rows(site, levels.rows, moved, span)
    }

    /// Copies a value to the tensor that leaves, with each run beginning at its first element
    /// inside.
    pub(super) fn moved_up(
        &self,
        site: &mut Site<'_, '_>,
        tensor: TensorId,
        value: ValueId,
        span: SpanId,
        out: &mut Vec<Stmt>,
    ) -> Made<()> {
        let (home, tile, ty) = (
            site.home(value)?,
            site.values.tile(value)?,
            site.values.ty(value),
        );
        let Some(Ends { from, to }) = &self.run else {
            out.push(local_copy(site, tensor, home, value, span)?);
            return Ok(());
        };
        computed_with(site, ty, span)?;
        let [_, room, rows] = tile.runs();
        let mut moved = Vec::new();
        let size = Scalar::Int(site.values.size(ty));
        let offsets = offsets(site, &size, &room, span, &mut moved);
        let runs = [to.clone() - from.clone(), room, rows];
        let base = product([from.clone(), size]);
        moved.push(gathered(
            site,
            [tensor, home, offsets.table],
            runs,
            Scalar::Int(1),
            base,
            span,
        ));
        offsets.release(site);
        let as_it_is = vec![local_copy(site, tensor, home, value, span)?];
        let kind = StmtKind::If {
            cond: Scalar::Int(0).bin(BinOp::Lt, from.clone()),
            then: moved,
            other: as_it_is,
        };
        out.push(Stmt { kind, span });
        Ok(())
    }
}

/// Adds the copy of the part inside. Returns the statements that fill the rest behind the wait.
pub(super) fn copy_inside(
    site: &mut Site<'_, '_>,
    access: &Access,
    outside: &Scalar,
    filled: TensorId,
    ready: TensorId,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<Vec<Stmt>> {
    has_pad(site, "load_or", span)?;
    let ty = site.places.decls.ty(filled);
    let lanes = site.lanes(ty);
    let single = site.values.is_single(access, true).then_some(lanes);
    let number = Scalar::cast(
        site.host.binding.beside(ty),
        site.host.on_device(outside, "outside"),
    );
    let part = Inside::of(site, access, single, span, out)?;
    let fills = Fills {
        part: &part,
        number: &number,
        tensor: ready,
        lanes,
        span,
    }
    .all(site);
    let cond = part.cond.clone();
    let copied = copied_in(site, access, filled, part, number, span);
    let Some(cond) = cond else {
        out.push(copied);
        return Ok(Vec::new());
    };
    out.push(Stmt {
        kind: StmtKind::If {
            cond: cond.clone(),
            then: vec![copied],
            other: Vec::new(),
        },
        span,
    });
    let (then, other) = fills;
    Ok(vec![Stmt {
        kind: StmtKind::If { cond, then, other },
        span,
    }])
}

/// Puts statements under the condition that something is inside.
pub(super) fn where_inside(cond: Option<Scalar>, then: Vec<Stmt>, span: SpanId) -> Vec<Stmt> {
    match cond {
        Some(cond) => vec![Stmt {
            kind: StmtKind::If {
                cond,
                then,
                other: Vec::new(),
            },
            span,
        }],
        None => then,
    }
}

/// Requires a chip with copies of partial data blocks.
pub(super) fn has_pad(site: &Site<'_, '_>, what: &str, span: SpanId) -> Made<()> {
    if site.host.chip.has_data_copy_pad {
        return Ok(());
    }
    let help = "choose a chip with DataCopyPad: `#[chips(ascend910b1)]`";
    Err(Gap::not_yet(
        format!(
            "`{what}` on {}, which has no DataCopyPad",
            site.host.chip.name
        ),
        help,
        span,
    ))
}

/// Copies the box that is inside.
fn copied_in(
    site: &mut Site<'_, '_>,
    access: &Access,
    tensor: TensorId,
    part: Inside,
    number: Scalar,
    span: SpanId,
) -> Stmt {
    let lanes = site.lanes(site.places.decls.ty(tensor));
    // A load at data indices has no run with ends, so it needs no number around it.
    let Inside {
        mut levels,
        rows,
        run,
        ..
    } = part;
    let (mut at, mut to) = Inside::rows(&mut levels, rows);
    let (op, cols, number) = match (levels.run, run) {
        (_, Some(Ends { from, to: end })) => {
            at = plus(at, from.clone());
            to = plus(to, from.clone() / lanes * lanes);
            (
                CopyOp::InLead,
                end - from.clone(),
                vec![Arg::from(number), Arg::from(from % lanes)],
            )
        }
        (Some(run), None) => (CopyOp::InPad, run.count, Vec::new()),
        (None, None) => (CopyOp::InPad, Scalar::Int(1), Vec::new()),
    };
    let moved = Moved {
        op,
        gm: View::gm(access.of, at),
        ub: View::local(tensor, to),
        cols,
        number,
    };
    in_rows(site, levels.rows, moved, span)
}

/// Collects definitions and conditions for the ends of an access.
struct Clip<'c, 'h, 'a> {
    site: &'c mut Site<'h, 'a>,
    access: &'c Access,
    span: SpanId,
    lets: Vec<Stmt>,
    /// Conditions that together say that something is inside.
    conds: Vec<Scalar>,
}

impl Clip<'_, '_, '_> {
    fn define(&mut self, name: &str, value: Scalar) -> Scalar {
        let var = self.site.host.fresh(name, ScalarTy::Index);
        self.lets.push(Stmt {
            kind: StmtKind::LetScalar { var, value },
            span: self.span,
        });
        var.into()
    }

    fn offset_and_dim(&mut self, nth: usize) -> (Scalar, Scalar) {
        let offset = self
            .site
            .host
            .on_device(&self.access.index[nth].offset, "offset");
        (offset, self.site.host.known("dim", &self.access.dims[nth]))
    }

    /// Adds conditions for single indices.
    fn single_indices(&mut self) {
        for nth in 0..self.access.index.len() {
            if self.access.index[nth].terms.is_empty() && !self.site.values.is_own(self.access, nth)
            {
                let (at, dim) = self.offset_and_dim(nth);
                let at = self.define("single_index", at);
                self.conds.push(Scalar::Int(0).bin(BinOp::Le, at.clone()));
                self.conds.push(at.bin(BinOp::Lt, dim));
            }
        }
    }

    /// Returns the steps along an axis of rows that are inside; `None` if all are.
    fn inside(&mut self, level: &Level) -> Option<Ends> {
        if self.site.values.is_own(self.access, level.nth) {
            return None;
        }
        let (first, dim) = self.offset_and_dim(level.nth);
        let (least, end) = match &level.factor {
            // The index is `first - size * step`.
            Scalar::Int(f) if *f < 0 => {
                let size = f.checked_neg().unwrap_or(i64::MAX);
                // The first index is the largest. The condition alone shows proofs that nothing is
                // copied if it is negative.
                self.conds
                    .push(Scalar::Int(0).bin(BinOp::Le, first.clone()));
                let end = first.clone() + 1;
                (
                    (first - dim + 1).max(0).ceil_div(size),
                    if size == 1 {
                        end
                    } else {
                        end.max(0).ceil_div(size)
                    },
                )
            }
            Scalar::Int(1) => ((Scalar::Int(0) - first.clone()).max(0), dim - first),
            factor => {
                // This condition stands alone as well: beyond the end there are no steps.
                self.conds.push(first.clone().bin(BinOp::Lt, dim.clone()));
                (
                    (Scalar::Int(0) - first.clone())
                        .max(0)
                        .ceil_div(factor.clone()),
                    (dim - first).max(0).ceil_div(factor.clone()),
                )
            }
        };
        Some(self.ends(level, least, end))
    }

    /// Returns the elements of a run that are inside, counted from its first one.
    fn inside_of_run(&mut self, run: &Level) -> Option<Ends> {
        if self.site.values.is_own(self.access, run.nth) {
            return None;
        }
        let (mut first, dim) = self.offset_and_dim(run.nth);
        if run.factor.as_int().is_some_and(|f| f < 0) {
            first = first - (run.count.clone() - 1);
        }
        let first = self.define(
            &format!("{}_first", self.site.values.name_of(run.ax)),
            first,
        );
        Some(self.ends(run, (Scalar::Int(0) - first.clone()).max(0), dim - first))
    }

    /// Defines the first step that is not before the tensor, and the end of those in this iteration
    /// that are not behind it. If none is inside, the range is empty or reversed.
    fn ends(&mut self, level: &Level, least: Scalar, end: Scalar) -> Ends {
        let name = self.site.values.name_of(level.ax).to_string();
        let from = self.define(&format!("{name}_from"), least);
        let to = self.define(&format!("{name}_to"), end.min(level.count.clone()));
        self.conds.push(from.clone().bin(BinOp::Lt, to.clone()));
        Ends { from, to }
    }
}

/// Fills the tile outside of the box.
struct Fills<'f> {
    part: &'f Inside,
    number: &'f Scalar,
    tensor: TensorId,
    /// Elements of a data block.
    lanes: i64,
    span: SpanId,
}

impl Fills<'_> {
    /// Returns the statements for a box that is not empty, and those for an empty one.
    fn all(&self, site: &mut Site<'_, '_>) -> (Vec<Stmt>, Vec<Stmt>) {
        let mut around = Vec::new();
        for (at, (level, inside)) in self
            .part
            .levels
            .rows
            .iter()
            .zip(&self.part.rows)
            .enumerate()
        {
            if let Some(Ends { from, to }) = inside {
                let rows = |n: Scalar| product([n, level.ub.clone()]);
                let parts = [
                    (Scalar::Int(0), rows(from.clone())),
                    (rows(to.clone()), rows(level.count.clone() - to.clone())),
                ];
                let there = [
                    Scalar::Int(0).bin(BinOp::Lt, from.clone()),
                    to.clone().bin(BinOp::Lt, level.count.clone()),
                ];
                for ((from, n), cond) in parts.into_iter().zip(there) {
                    let filled = self.in_rows(site, &self.part.levels.rows[..at], from, n);
                    around.push(self.when(cond, filled));
                }
            }
        }
        let run_count = self
            .part
            .levels
            .run
            .as_ref()
            .map_or(Scalar::Int(1), |run| run.count.clone());
        if let Some(Ends { from, to }) = &self.part.run {
            // The copy itself fills data blocks that are partly inside.
            let before = from.clone() / self.lanes * self.lanes;
            let behind = to.clone().ceil_div(self.lanes) * self.lanes;
            let parts = [
                (
                    Scalar::Int(self.lanes).bin(BinOp::Le, from.clone()),
                    (Scalar::Int(0), before),
                ),
                (
                    behind.clone().bin(BinOp::Lt, run_count.clone()),
                    (behind.clone(), run_count.clone() - behind),
                ),
            ];
            for (cond, (from, n)) in parts {
                let filled = self.in_rows(site, &self.part.levels.rows, from, n);
                around.push(self.when(cond, filled));
            }
        }
        let all = match self.part.levels.rows.first() {
            Some(level) => product([level.count.clone(), level.ub.clone()]),
            None => run_count,
        };
        (around, vec![self.duplicate(Scalar::Int(0), all)])
    }

    fn when(&self, cond: Scalar, then: Stmt) -> Stmt {
        Stmt {
            kind: StmtKind::If {
                cond,
                then: vec![then],
                other: Vec::new(),
            },
            span: self.span,
        }
    }

    /// Fills `n` elements from `from` on, in each of these rows.
    fn in_rows(&self, site: &mut Site<'_, '_>, rows: &[Level], from: Scalar, n: Scalar) -> Stmt {
        let (mut at, mut loops) = (from, Vec::new());
        for level in rows {
            let var = site.host.fresh(
                &format!("{}_index", site.values.name_of(level.ax)),
                ScalarTy::Index,
            );
            at = plus(at, product([Scalar::Var(var), level.ub.clone()]));
            loops.push((var, level.count.clone()));
        }
        in_loops(loops, self.duplicate(at, n), self.span)
    }

    fn duplicate(&self, at: Scalar, n: Scalar) -> Stmt {
        let args = [
            View::local(self.tensor, at).into(),
            Arg::from(self.number.clone()),
        ];
        instr(LayoutOp::Duplicate, Extent::Count { n }, args, self.span)
    }
}
