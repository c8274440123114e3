//! The walk over the statements of a tile kernel, which become the queue dialect.
//!
//! - Loads come first in their list of statements (the CopyIn stage), each through a VECIN queue.
//! - A stored value is computed in a VECOUT tensor, and so is the chain of values that die into it.
//! - Other values live in TBufs shared by liveness, or in place of an operand that dies.
//! - Loads that do not depend on the loop stand before it.

use super::block::Scope;
use super::context::{instr, Site};
use super::loads::{load_run, Load};
use super::ops::{define, expanded, local_copy, stand_again};
use super::pack;
use super::strided::spread_load;
use crate::ir::scalar::product;
use crate::ir::{
    queue, tile, walk_stmts, Arg, AxId, AxSpec, BinOp, Extent, Known, Promised, QueueStmt, Scalar,
    ScalarTy, SpanId, Stage, Stmt, StmtKind, TileLoop, TileStmt, ValueId, VarId, View, NO_BOUND,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::host::core_split::TileSplit;
use crate::lower::host::Host;
use crate::lower::memory::homes::{Home, Owner};
use crate::lower::nest::Divided;
use crate::ops::ScalarOp;
use std::collections::BTreeSet;

/// Lowers lists of statements.
pub(super) struct Walk<'w, 'h, 'a> {
    pub(super) site: &'w mut Site<'h, 'a>,
    pub(super) split: &'w TileSplit,
    /// The start and length of this block's share, once they are computed.
    pub(super) share: Option<(VarId, VarId)>,
}

impl Walk<'_, '_, '_> {
    /// Lowers a list of statements, which is the scope of its values.
    pub(super) fn list(&mut self, stmts: &[tile::Stmt], out: &mut Vec<queue::Stmt>) -> Made<()> {
        self.parts(stmts, &[], out).map(drop)
    }

    /// Lowers a list whose parts run under separate conditions; `parts` has their first statements.
    /// Returns the end of each statement in `out`.
    pub(super) fn parts(
        &mut self,
        stmts: &[tile::Stmt],
        parts: &[usize],
        out: &mut Vec<queue::Stmt>,
    ) -> Made<Vec<usize>> {
        let padding = self.site.padding.clone();
        let mut scope = Scope::open(stmts, parts, self.site)?;
        let mut ends = Vec::new();
        for at in 0..stmts.len() {
            self.statement(&mut scope, at, out)?;
            scope.pass(self.site, at, out)?;
            ends.push(out.len());
        }
        // Code that does not reach this list does not see its padding.
        self.site.padding = padding;
        scope.close(self.site, out)?;
        Ok(ends)
    }

    fn statement(
        &mut self,
        scope: &mut Scope<'_>,
        at: usize,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let stmts = scope.stmts;
        let s = &stmts[at];
        match &s.kind {
            StmtKind::Do(TileStmt::Def { value, expr })
                if self.site.values.is_direct_load(expr) =>
            {
                self.loads(*value, &stmts[at..], out)?
            }
            StmtKind::Do(TileStmt::Def { value, expr }) => {
                if let Some((from, first)) = scope.part(self.site, *value, expr) {
                    return self.part(*value, from, first, s.span, out);
                }
                let home = scope.place(self.site, at, *value, expr, out)?;
                self.site.places.settle(*value, home);
                if let Some(replaced) = scope.replaces(*value) {
                    self.changes(replaced);
                }
                match Load::of(s) {
                    Some(load) => spread_load(self.site, load, out)?,
                    None => define(self.site, *value, expr, s.span, out)?,
                }
                self.site.padding.defined(*value, expr, &self.site.values);
                stand_again(self.site, *value, s.span, out)?;
            }
            StmtKind::Do(TileStmt::Set { value, from }) => self.set(*value, *from, s.span, out)?,
            StmtKind::Do(TileStmt::Store { value, .. }) => {
                scope.store(self.site, at, *value, out)?
            }
            StmtKind::Do(TileStmt::Append { value, mask, .. }) => {
                scope.append(self.site, at, *value, *mask, out)?
            }
            StmtKind::Do(TileStmt::Read { var, value }) => {
                out.push(self.read(*var, *value, s.span)?);
                out.extend(self.promise(*var, *value, s.span));
            }
            StmtKind::Do(TileStmt::Dump { value, name }) => {
                out.push(self.dump(*value, name, s.span)?)
            }
            StmtKind::Promise {
                what: Promised::Fact { cond, text },
            } => {
                let what = Promised::Fact {
                    cond: self.site.host.on_device(cond, "fact"),
                    text: text.clone(),
                };
                out.push(Stmt {
                    kind: StmtKind::Promise { what },
                    span: s.span,
                });
            }
            StmtKind::LetScalar { var, value } => {
                let_scalar(self.site.host, *var, value, s.span, out)
            }
            StmtKind::SetScalar { var, value } => {
                let value = self.site.scalar(value);
                out.push(Stmt {
                    kind: StmtKind::SetScalar { var: *var, value },
                    span: s.span,
                });
            }
            StmtKind::Do(TileStmt::Loop { tile }) => self.tile_loop(tile, s.span, out)?,
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let from = self.site.host.on_device(from, "from");
                let to = self.site.host.on_device(to, "to");
                self.repeats(body);
                let body = self.inner(body)?;
                out.push(Stmt {
                    kind: StmtKind::For {
                        var: *var,
                        from,
                        to,
                        body,
                    },
                    span: s.span,
                });
            }
            StmtKind::If { cond, then, other } => {
                let cond = self.site.host.on_device(cond, "condition");
                let (then, other) = (self.inner(then)?, self.inner(other)?);
                out.push(Stmt {
                    kind: StmtKind::If { cond, then, other },
                    span: s.span,
                });
            }
            StmtKind::Promise {
                what: Promised::Index { .. },
            } => return Err(Gap::new("a promise that only the lowering makes", s.span)),
        }
        Ok(())
    }

    /// Makes a value a view of some rows of another one.
    fn part(
        &mut self,
        value: ValueId,
        from: ValueId,
        first: &Scalar,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let apart = self
            .site
            .values
            .tile(from)?
            .rows
            .first()
            .and_then(|row| self.site.values.tile(from).ok()?.apart(row.ax));
        let apart = apart.ok_or_else(|| Gap::new("a part of a value without rows", span))?;
        let at = product([self.site.scalar(first), apart]);
        let name = self.site.values.name(value).to_string();
        let (of, ty) = (
            View::local(self.site.home(from)?, at),
            self.site.values.ty(value),
        );
        let tensor = self.site.places.decls.tensor(&name, ty);
        out.push(Stmt {
            kind: StmtKind::Do(QueueStmt::View { tensor, of }),
            span,
        });
        self.site.places.settle(
            value,
            Home {
                tensor,
                owner: Owner::Other,
            },
        );
        Ok(())
    }

    fn inner(&mut self, stmts: &[tile::Stmt]) -> Made<Vec<queue::Stmt>> {
        let mut out = Vec::new();
        self.list(stmts, &mut out)?;
        Ok(out)
    }

    /// Adds consecutive loads together. Values that an earlier call has loaded are skipped.
    fn loads(
        &mut self,
        first: ValueId,
        stmts: &[tile::Stmt],
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        if self.site.places.find(first).is_some() {
            return Ok(());
        }
        // A load at data indices needs the tile of indices first.
        let direct = |load: &Load<'_>| {
            self.site
                .values
                .is_direct(load.from, load.outside.is_some())
                && load.from.ids().next().is_none()
        };
        let mut run: Vec<Load<'_>> = stmts.iter().map_while(Load::of).filter(direct).collect();
        if run.iter().all(|load| load.value != first) {
            run = stmts.iter().take(1).filter_map(Load::of).collect();
        }
        load_run(self.site, &run, out)?;
        run.iter()
            .try_for_each(|load| stand_again(self.site, load.value, load.span, out))
    }

    /// Forgets expansions of a value that changes.
    fn changes(&mut self, value: ValueId) {
        let places = &mut self.site.places;
        places.columns.forget(value, &mut places.pool);
    }

    /// Forgets expansions of values that a loop changes: the next iteration would read old content.
    fn repeats(&mut self, body: &[tile::Stmt]) {
        read_and_changed(body)
            .1
            .into_iter()
            .for_each(|value| self.changes(value));
    }

    /// Reads the single element of a value into a scalar.
    fn read(&self, var: VarId, value: ValueId, span: SpanId) -> Made<queue::Stmt> {
        let op = if var.ty() == ScalarTy::Index {
            ScalarOp::GetIndex
        } else {
            ScalarOp::GetValue
        };
        Ok(instr(
            op,
            Extent::Fixed {},
            [
                Arg::Var { var },
                View::local(self.site.home(value)?, 0).into(),
            ],
            span,
        ))
    }

    /// Adds the promise of a tensor that its elements are indices.
    fn promise(&mut self, var: VarId, value: ValueId, span: SpanId) -> Option<queue::Stmt> {
        let (of, below) = self.site.values.promised.get(&value).cloned()?;
        let name = format!("{}_end", self.site.host.sig().param(of).name);
        let below = self.site.host.known(&name, &below);
        let what = Promised::Index {
            value: Scalar::cast(ScalarTy::Index, var.into()),
            below,
            of: Some(of),
        };
        Some(Stmt {
            kind: StmtKind::Promise { what },
            span,
        })
    }

    /// Dumps the elements of a value row by row, without padding. The title has the name, and the
    /// axes in the order of UB.
    fn dump(&self, value: ValueId, name: &str, span: SpanId) -> Made<queue::Stmt> {
        let tile = self.site.values.tile(value)?;
        let axes = tile
            .rows
            .iter()
            .chain(&tile.lanes)
            .map(|axis| self.site.values.name_of(axis.ax));
        let text = format!("{name} [{}]", axes.collect::<Vec<_>>().join(", "));
        let [cols, pitch, rows] = tile.runs();
        let from = View::local(self.site.home(value)?, 0);
        let from = if rows == Scalar::Int(1) {
            from
        } else {
            from.rows(pitch)
        };
        Ok(instr(
            ScalarOp::Dump,
            Extent::Rows { rows, cols },
            [from.into(), Arg::Title { text }],
            span,
        ))
    }

    fn set(
        &mut self,
        value: ValueId,
        from: ValueId,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let (to, source) = (self.site.home(value)?, self.site.home(from)?);
        if to != source {
            out.push(local_copy(self.site, to, source, value, span)?);
        }
        self.changes(value);
        Ok(())
    }

    fn tile_loop(&mut self, tile: &TileLoop, span: SpanId, out: &mut Vec<queue::Stmt>) -> Made<()> {
        let outer = self.site.values.nest.outer;
        let is_divided = |tile: &TileLoop| tile.specs.first().is_some_and(|spec| spec.ax == outer);
        let divided = is_divided(tile);
        if divided {
            pack::begun(self.site, tile, out)?;
        } else if tile
            .body
            .iter()
            .any(|s| matches!(&s.kind, StmtKind::Do(TileStmt::Loop { tile }) if is_divided(tile)))
        {
            // Each iteration of this loop has the same share.
            self.shared(span, out);
        }
        if divided && self.split.share.on_core {
            return self.divided_here(tile, span, out);
        }
        match (divided, self.site.values.nest.divided) {
            (false, _) => self.inner_loop(tile, span, out),
            (true, Divided::Turns) if self.site.values.nest.is_once => self.once(tile, span, out),
            (true, Divided::Turns) => self.turns(tile, &self.split.turns, span, out),
            (true, Divided::Elements | Divided::Rows) => self.share(tile, span, out),
        }
    }

    /// Divides the outermost loop over a range that only a core knows. Each core does that for
    /// itself, if the range is not empty.
    fn divided_here(
        &mut self,
        tile: &TileLoop,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let nest = self.site.values.nest;
        let (mut some, mut counts, mut then) = (
            Vec::from_iter(self.split.counted(nest)),
            Vec::new(),
            Vec::new(),
        );
        for (at, spec) in tile.specs.iter().enumerate() {
            let count = self.split.turns.get(at).map(|(_, count)| count.clone());
            let Some(length) = spec
                .length
                .is_some()
                .then(|| self.indices(spec))
                .transpose()?
            else {
                counts.extend(count.map(|count| (spec.of, count)));
                continue;
            };
            some.push(length.clone().bin(BinOp::Gt, 0));
            let count = match count {
                Some(_) if !spec.size.is_each() => length.ceil_div(self.site.values.room(spec.ax)?),
                Some(_) | None => length,
            };
            let name = format!("{}_turns", self.site.values.name_of(spec.ax));
            counts.push((spec.of, self.named(&name, count, span, &mut then)));
        }
        let total = product(counts.iter().map(|(_, count)| count.clone()));
        let share = self
            .split
            .share
            .divided_here(self.site.host, total, span, &mut then);
        self.share = Some(share.share(self.site.host, span, &mut then));
        match nest.divided {
            Divided::Turns => self.turns(tile, &counts, span, &mut then)?,
            Divided::Elements | Divided::Rows => self.share(tile, span, &mut then)?,
        }
        let cond = some
            .into_iter()
            .reduce(|a, b| a.bin(BinOp::And, b))
            .unwrap_or(Scalar::Bool(true));
        out.push(Stmt {
            kind: StmtKind::If {
                cond,
                then,
                other: Vec::new(),
            },
            span,
        });
        Ok(())
    }

    /// Names a computed scalar.
    fn named(
        &mut self,
        name: &str,
        value: Scalar,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> Scalar {
        if matches!(value, Scalar::Var(_) | Scalar::Int(_)) {
            return value;
        }
        let var = self.site.host.fresh(name, ScalarTy::Index);
        out.push(Stmt {
            kind: StmtKind::LetScalar { var, value },
            span,
        });
        var.into()
    }

    /// Returns this block's share, computed once.
    fn shared(&mut self, span: SpanId, out: &mut Vec<queue::Stmt>) -> (VarId, VarId) {
        let (split, site) = (self.split, &mut *self.site);
        *self
            .share
            .get_or_insert_with(|| split.share.share(site.host, span, out))
    }

    /// Makes the loop over the runs of this block's share of one axis.
    fn share(&mut self, tile: &TileLoop, span: SpanId, out: &mut Vec<queue::Stmt>) -> Made<()> {
        let [spec] = &tile.specs[..] else {
            return Err(Gap::new("a share of several axes", span));
        };
        let index = self.site.host.fresh("tile_index", ScalarTy::Index);
        let (start, len) = self.shared(span, out);
        self.repeats(&tile.body);
        let runs = self.runs(spec, index, start.into(), len.into(), span)?;
        let body = self.turn(tile, runs.0)?;
        out.push(Stmt {
            kind: StmtKind::For {
                var: index,
                from: Scalar::Int(0),
                to: runs.1,
                body,
            },
            span,
        });
        Ok(())
    }

    /// Makes the loops over the runs of an inner tile loop, one for each axis.
    fn inner_loop(
        &mut self,
        tile: &TileLoop,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        self.repeats(&tile.body);
        self.expand_before(tile, span, out)?;
        let (mut loops, mut lets) = (Vec::new(), Vec::new());
        for spec in &tile.specs {
            let extent = self.indices(spec)?;
            if spec.size.is_each() {
                loops.push((spec.start, extent));
                continue;
            }
            let plain = self.site.values.nest.row_of_loops() == Some(spec.of);
            let name = if plain {
                "col_index".to_string()
            } else {
                format!("{}_index", self.site.values.name_of(spec.ax))
            };
            let index = self.site.host.fresh(&name, ScalarTy::Index);
            let (own, turns) = self.runs(spec, index, Scalar::Int(0), extent, span)?;
            lets.extend(own);
            loops.push((index, turns));
        }
        let body = self.turn(tile, lets)?;
        let nested = loops.into_iter().rev().fold(body, |body, (var, to)| {
            vec![Stmt {
                kind: StmtKind::For {
                    var,
                    from: Scalar::Int(0),
                    to,
                    body,
                },
                span,
            }]
        });
        out.extend(nested);
        Ok(())
    }

    /// Returns the number of indices of a loop.
    fn indices(&mut self, spec: &AxSpec) -> Made<Scalar> {
        // If indices are divided, those of the divided axis are the share's.
        let most = match spec.ax == self.site.values.nest.outer && self.split.turns.is_empty() {
            true => self.split.share.total.into(),
            false => self.site.values.sizes.extent(spec.of)?,
        };
        let Some(length) = &spec.length else {
            return Ok(most);
        };
        if let (Scalar::Var(var), true) = (length, most != Scalar::Int(NO_BOUND)) {
            let known = Known::Most { var: *var, most };
            if !self.site.host.known_vars.contains(&known) {
                self.site.host.known_vars.push(known);
            }
        }
        Ok(self.site.host.on_device(length, "length"))
    }

    /// Lets block 0 run a loop of one iteration.
    fn once(&mut self, tile: &TileLoop, span: SpanId, out: &mut Vec<queue::Stmt>) -> Made<()> {
        let first = |spec: &AxSpec| Stmt {
            kind: StmtKind::LetScalar {
                var: spec.start,
                value: Scalar::Int(0),
            },
            span,
        };
        let mut then: Vec<queue::Stmt> = tile.specs.iter().map(first).collect();
        self.list(&tile.body, &mut then)?;
        if tile.body.is_empty() {
            return Ok(());
        }
        let cond = Scalar::BlockIdx.bin(BinOp::Eq, 0);
        out.push(Stmt {
            kind: StmtKind::If {
                cond,
                then,
                other: Vec::new(),
            },
            span,
        });
        Ok(())
    }

    /// Makes the loops over this block's share of the iterations of a loop over several axes, or
    /// over single indices. There is one loop for each axis; its first and last iteration may run
    /// only some iterations of the inner loops.
    fn turns(
        &mut self,
        tile: &TileLoop,
        counts: &[(AxId, Scalar)],
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let (start, len) = self.shared(span, out);
        self.repeats(&tile.body);
        let (mut loops, mut list) = (Vec::new(), Vec::new());
        let (mut first, mut end) = (Scalar::Var(start), Scalar::Var(start) + len);
        for (at, (spec, (_, count))) in tile.specs.iter().zip(counts).enumerate() {
            let index = match spec.size.is_each() {
                true => spec.start,
                false => self.site.host.fresh(
                    &format!("{}_index", self.site.values.name_of(spec.ax)),
                    ScalarTy::Index,
                ),
            };
            let inside = product(counts[at + 1..].iter().map(|(_, count)| count.clone()));
            let is_last = at + 1 == tile.specs.len();
            // An axis without indices counts as one iteration, but none runs: proofs that stores
            // are apart rely on that.
            let most = match spec.size.is_each() {
                true => self.indices(spec)?,
                false => count.clone(),
            };
            let (from, to) = match is_last {
                true if spec.size.is_each() => (first.clone(), end.clone().min(most)),
                true => (first.clone(), end.clone()),
                false => (
                    first.clone() / inside.clone(),
                    end.clone().ceil_div(inside.clone()).min(most),
                ),
            };
            loops.push((index, from, to, std::mem::take(&mut list)));
            if !spec.size.is_each() {
                let extent = self.indices(spec)?;
                list.extend(self.runs(spec, index, Scalar::Int(0), extent, span)?.0);
            }
            if !is_last {
                let [own_first, own_end] = ["first_turn", "end_turn"]
                    .map(|name| self.site.host.fresh(name, ScalarTy::Index));
                let before = || Scalar::Var(index) * inside.clone();
                let lets = [
                    (own_first, (first - before()).max(0)),
                    (own_end, (end - before()).min(inside.clone())),
                ];
                list.extend(lets.map(|(var, value)| Stmt {
                    kind: StmtKind::LetScalar { var, value },
                    span,
                }));
                (first, end) = (own_first.into(), own_end.into());
            }
        }
        self.list(&tile.body, &mut list)?;
        let nested = loops
            .into_iter()
            .rev()
            .fold(list, |body, (var, from, to, mut before)| {
                before.push(Stmt {
                    kind: StmtKind::For {
                        var,
                        from,
                        to,
                        body,
                    },
                    span,
                });
                before
            });
        out.extend(nested);
        Ok(())
    }

    /// Returns the statements that define the run with number `index`, and the number of runs. The
    /// runs cover `length` indices from `first` on.
    fn runs(
        &self,
        spec: &AxSpec,
        index: VarId,
        first: Scalar,
        length: Scalar,
        span: SpanId,
    ) -> Made<([queue::Stmt; 2], Scalar)> {
        let step = self.site.values.room(spec.ax)?;
        let at = Scalar::Var(index) * step.clone();
        let lets = [
            (spec.start, first + at.clone()),
            (spec.len, step.clone().min(length.clone() - at)),
        ];
        let lets = lets.map(|(var, value)| Stmt {
            kind: StmtKind::LetScalar { var, value },
            span,
        });
        Ok((lets, length.ceil_div(step)))
    }

    /// Lowers the statements of one iteration behind its definitions.
    fn turn(
        &mut self,
        tile: &TileLoop,
        first: impl IntoIterator<Item = queue::Stmt>,
    ) -> Made<Vec<queue::Stmt>> {
        let mut body = first.into_iter().collect();
        self.list(&tile.body, &mut body)?;
        Ok(body)
    }

    /// Expands column values before a column loop that uses but does not change them.
    fn expand_before(
        &mut self,
        tile: &TileLoop,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let (wanted, changed) = read_and_changed(&tile.body);
        for (v, by) in wanted {
            let here = self.site.places.find(v).is_some() && !changed.contains(&v);
            if here
                && !self.site.values.tile(by)?.is_column()
                && self.site.values.tile(v)?.is_column_of_rows()
            {
                expanded(self.site, v, span, out)?;
            }
        }
        Ok(())
    }
}

/// Returns the values that statements read, each with the value that uses it, and the mutable ones
/// that they change.
fn read_and_changed(stmts: &[tile::Stmt]) -> (Vec<(ValueId, ValueId)>, BTreeSet<ValueId>) {
    let (mut read, mut changed) = (Vec::new(), BTreeSet::new());
    walk_stmts(stmts, &mut |s| {
        // Indices are read one by one, not as a column.
        if let (StmtKind::Do(TileStmt::Def { value, expr }), None) = (&s.kind, Load::of(s)) {
            read.extend(expr.operands().map(|v| (v, *value)));
        }
        if let StmtKind::Do(TileStmt::Set { value, .. }) = &s.kind {
            changed.insert(*value);
        }
    });
    (read, changed)
}

/// Defines a scalar on the host if the host can compute it, else on the device.
pub fn let_scalar(
    host: &mut Host<'_>,
    var: VarId,
    value: &Scalar,
    span: SpanId,
    out: &mut Vec<queue::Stmt>,
) {
    let name = host.vars[var.index()].name.clone();
    if host.vars[var.index()].mutable || host.stage(value) > Stage::Host {
        let value = host.on_device(value, &name);
        out.push(Stmt {
            kind: StmtKind::LetScalar { var, value },
            span,
        });
    } else if !host.is_host_var(var) {
        host.define_as(var, value.clone());
    }
}
