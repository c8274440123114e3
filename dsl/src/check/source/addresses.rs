//! Checks the indices of a tile kernel as the author wrote it.
//!
//! | code | finding |
//! |---|---|
//! | J0216, J0217 | an index that may leave its tensor |
//! | J0505 | iterations on different cores that may store to one element |
//! | J0214 | iterations whose result depends on the tile size |
//! | J0411 | an iteration that may load elements that another one stores |
//!
//! A tile at an index of its own axis is inside. The ends of any other index must be proved, from
//! the ranges of loops and from `require`.
//!
//! Two accesses that touch one element must belong to one iteration. That is proved index by index
//! (`turns`): if both indices are `c * v + rest`, and the rests differ by less than `c`, both have
//! one `v`.

use super::numbers::{Bounds, Numbers, MOST_IN_UB};
use super::ranges::{assigned, Run};
use super::turns::{Moves, Range, Touch, TurnIndex};
use crate::check::prove::facts::Facts;
use crate::diag::{Code, Diagnostic, Spot};
use crate::dtype::DType;
use crate::ir::linear::tidied;
use crate::ir::tile::{Body, Stmt};
use crate::ir::uses;
use crate::ir::{
    walk_stmts, Access, AxFrom, AxId, BinOp, Chosen, Index, Kernel, ParamId, Promised, Scalar,
    ScalarTy, Signature, SpanId, StmtKind, StoreHow, TensorRef, TileExpr, TileLoop, TileStmt, Ty,
    ValueId, VarId,
};
use crate::ops::contract::Access as Does;
use std::collections::{BTreeMap, BTreeSet};

/// Checks the accesses of a tile kernel.
pub fn check_addresses(kernel: &Kernel, body: &Body, found: &mut Vec<Diagnostic>) {
    let (mut starts, mut open) = (BTreeMap::new(), BTreeSet::new());
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            open.extend(
                tile.specs
                    .iter()
                    .filter(|spec| spec.length.is_some())
                    .map(|spec| spec.of),
            );
            starts.extend(
                tile.specs
                    .iter()
                    .map(|spec| (spec.ax, (spec.start, spec.of))),
            );
        }
    });
    let mut facts = Facts::new(&kernel.sig, body);
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Def {
            expr: TileExpr::Pick { along, .. },
            ..
        }) = &s.kind
        {
            if let AxFrom::Whole { extent } = &body.axes[along.index()].from {
                facts.assume(&extent.clone().bin(BinOp::Le, MOST_IN_UB));
            }
        }
    });
    let (around, numbers) = (Around::default(), Numbers::new(&kernel.sig, body, &starts));
    let mut walk = Addresses {
        sig: &kernel.sig,
        body,
        found,
        facts,
        starts,
        open,
        numbers,
        around,
        arms: 0,
        named: BTreeMap::new(),
        read_in: BTreeMap::new(),
        touched: Vec::new(),
        outside: BTreeMap::new(),
        loaded: Vec::new(),
    };
    walk.list(&body.stmts);
}

/// The loops and conditions around a statement.
#[derive(Clone, Default)]
struct Around {
    /// Variables of the loops, with their ranges.
    ranges: BTreeMap<VarId, Range>,
    /// Variables of the loops that cores divide.
    divided: Vec<VarId>,
    /// First indices of the runs of inner loops. Their step depends on the tile size.
    runs: Vec<VarId>,
    /// All runs of the loops around.
    tiles: Vec<Run>,
    /// Variables of loops around the phase, which are constant in all of it.
    steady: BTreeSet<VarId>,
    /// True inside of a tile loop.
    in_phase: bool,
    /// True under a condition that the host does not know.
    depends: bool,
    /// Numbers of the arms of conditions.
    arms: Vec<usize>,
}

struct Addresses<'a> {
    sig: &'a Signature,
    body: &'a Body,
    found: &'a mut Vec<Diagnostic>,
    facts: Facts,
    /// First index and whole axis of each run.
    starts: BTreeMap<AxId, (VarId, AxId)>,
    /// Whole axes of loops over ranges whose length only a core knows.
    open: BTreeSet<AxId>,
    numbers: Numbers<'a>,
    around: Around,
    /// Number of arms so far.
    arms: usize,
    /// Named scalars, and those that were read from tiles.
    named: BTreeMap<VarId, Moves>,
    /// Variables of the loops around each of them.
    read_in: BTreeMap<VarId, BTreeSet<VarId>>,
    /// Accesses of this phase.
    touched: Vec<Touch>,
    /// Tiles that are defined outside of tile loops, with their operands.
    outside: BTreeMap<ValueId, Vec<ValueId>>,
    /// Accesses of their loads, for each phase that needs them.
    loaded: Vec<(ValueId, Touch)>,
}

impl Addresses<'_> {
    fn list(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Stmt) {
        self.judge(s);
        if let (StmtKind::Do(TileStmt::Def { value, expr }), false) =
            (&s.kind, self.around.in_phase)
        {
            self.outside.insert(*value, expr.operands().collect());
            self.loaded
                .extend(self.touched.drain(..).map(|touch| (*value, touch)));
        }
    }

    fn judge(&mut self, s: &Stmt) {
        if let (StmtKind::LetScalar { .. } | StmtKind::Do(TileStmt::Read { .. }), Some(var)) =
            (&s.kind, s.sets())
        {
            self.read_in
                .insert(var, self.around.ranges.keys().copied().collect());
        }
        match &s.kind {
            StmtKind::LetScalar { var, value } => {
                // A `let` keeps the value that a mutable scalar has here.
                let moves = match (self.around.in_phase, self.moves_of(value)) {
                    // A later phase sees one value in all iterations.
                    (false, _) => Moves::Never,
                    (true, Moves::Changes) => Moves::Freely,
                    (true, moves) => moves,
                };
                self.named.insert(*var, moves);
                assigned(*var, value, &self.around.tiles, self.body, &mut self.facts);
            }
            StmtKind::SetScalar { var, value } => {
                assigned(*var, value, &self.around.tiles, self.body, &mut self.facts)
            }
            StmtKind::Do(TileStmt::Loop { tile }) => self.tile_loop(tile),
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let (mark, before) = (self.facts.mark(), self.around.clone());
                let (from, to) = (self.facts.inline(from), self.facts.inline(to));
                self.facts.assigned_in(body);
                self.facts.runs(*var, &from, &to);
                self.around.ranges.insert(
                    *var,
                    Range {
                        least: from,
                        most: to - 1,
                    },
                );
                if !self.around.in_phase {
                    self.around.steady.insert(*var);
                }
                self.list(body);
                self.around = before;
                self.facts.back(mark);
                self.facts.assigned_in(body);
            }
            StmtKind::If { cond, then, other } => {
                let depends = self.around.depends;
                self.around.depends |= !self.is_of_host(cond);
                let (names, chosen) = (self.facts.names_now(), self.facts.named(cond));
                let first = self.arms;
                self.arms += 2;
                let arms = [(0, then, true), (1, other, false)].map(|(nth, arm, holds)| {
                    let mark = self.facts.mark();
                    self.facts.name_again(&names);
                    if holds {
                        self.facts.assume(cond)
                    } else {
                        self.facts.assume_not(cond)
                    }
                    self.around.arms.push(first + nth);
                    self.list(arm);
                    self.around.arms.pop();
                    self.facts.back(mark);
                    self.facts.names_now()
                });
                [then, other]
                    .into_iter()
                    .for_each(|arm| self.facts.assigned_in(arm));
                self.facts.joined(&chosen, arms);
                self.around.depends = depends;
            }
            // Elements outside of a tensor are dropped there.
            StmtKind::Do(TileStmt::Store {
                to,
                how: how @ StoreHow::Inside,
                ..
            }) => self.touch(to, how.does(), s.span),
            StmtKind::Do(TileStmt::Store { to, how, .. }) => self.access(to, how.does(), s.span),
            StmtKind::Do(TileStmt::Def {
                expr: TileExpr::Load { from },
                ..
            }) => self.access(from, Does::Read, s.span),
            StmtKind::Do(TileStmt::Def {
                expr: TileExpr::LoadOr { from, .. },
                ..
            }) => self.touch(from, Does::Read, s.span),
            StmtKind::Do(TileStmt::Def {
                expr: TileExpr::Pick { along, at, .. },
                ..
            }) => self.picked(*along, at, s.span),
            // Only a run tells where its elements go; nothing else touches its tensor.
            StmtKind::Do(TileStmt::Append { .. }) => {}
            StmtKind::Promise {
                what: Promised::Fact { cond, .. },
            } => self.facts.assume(cond),
            StmtKind::Do(TileStmt::Def { .. } | TileStmt::Set { .. } | TileStmt::Dump { .. }) => {}
            StmtKind::Do(TileStmt::Read { var, value }) => {
                // The bounds of the one element hold for the number.
                let bounds = match var.ty() {
                    ScalarTy::Index | ScalarTy::I32 => self.numbers.of(*value, &self.facts),
                    ScalarTy::F32 | ScalarTy::Bool => Bounds::default(),
                };
                let number = Scalar::cast(ScalarTy::Index, Scalar::Var(*var));
                bounds.least.iter().for_each(|least| {
                    self.facts
                        .assume(&least.clone().bin(BinOp::Le, number.clone()))
                });
                bounds.most.iter().for_each(|most| {
                    self.facts
                        .assume(&number.clone().bin(BinOp::Le, most.clone()))
                });
                let moves = if self.around.in_phase {
                    Moves::Freely
                } else {
                    Moves::Never
                };
                self.named.insert(*var, moves);
            }
            // A tile kernel has none of these.
            StmtKind::Promise {
                what: Promised::Index { .. },
            } => {}
        }
    }

    fn tile_loop(&mut self, tile: &TileLoop) {
        let (mark, before) = (self.facts.mark(), self.around.clone());
        let is_outer = !std::mem::replace(&mut self.around.in_phase, true);
        for spec in &tile.specs {
            // The range is unknown if the loop goes through no whole axis; an index by it is
            // refused.
            let Some(run) = Run::entered(spec, self.body, &mut self.facts) else {
                continue;
            };
            // The length of a range may change between iterations; only its bound is known.
            let extent = if spec.length.is_some() {
                self.extent(spec.of)
            } else {
                Some(run.all.clone())
            };
            let Some(extent) = extent else { continue };
            self.around.tiles.push(run);
            self.around.ranges.insert(
                spec.start,
                Range {
                    least: Scalar::Int(0),
                    most: tidied(&(extent.clone() - 1)),
                },
            );
            match (is_outer, spec.size.is_each()) {
                (true, _) if extent == Scalar::Int(1) => {}
                (true, _) => self.around.divided.push(spec.start),
                (false, false) => self.around.runs.push(spec.start),
                // Its iterations run in order, however tiles are cut.
                (false, true) => {}
            }
        }
        // An iteration has an index of each axis, so demands on empty launches say nothing here.
        let _ = self.facts.assume_what_is_left();
        if is_outer {
            self.touched = self.loaded_for(&tile.body);
        }
        self.facts.assigned_in(&tile.body);
        self.list(&tile.body);
        if is_outer {
            self.phase();
        }
        self.around = before;
        self.facts.back(mark);
        self.facts.assigned_in(&tile.body);
    }

    /// Returns the loads before a loop whose tiles it needs: each phase loads those itself.
    fn loaded_for(&self, stmts: &[Stmt]) -> Vec<Touch> {
        let (mut open, mut needed) = (BTreeSet::new(), BTreeSet::new());
        walk_stmts(stmts, &mut |s| uses(s, &mut open));
        while let Some(value) = open.pop_first() {
            if needed.insert(value) {
                open.extend(self.outside.get(&value).into_iter().flatten());
            }
        }
        self.loaded
            .iter()
            .filter(|(value, _)| needed.contains(value))
            .map(|(_, touch)| touch.clone())
            .collect()
    }

    fn extent(&self, of: AxId) -> Option<Scalar> {
        match &self.body.axes[of.index()].from {
            AxFrom::Whole { extent } => Some(self.facts.inline(extent)),
            AxFrom::Run { .. } | AxFrom::Hull { .. } => None,
        }
    }

    // ---- one access ----

    fn access(&mut self, access: &Access, does: Does, span: SpanId) {
        for (nth, dim) in access.dims.iter().enumerate() {
            if let Some(ids) = &access.index[nth].ids {
                match ids.of {
                    Some(of) => self.chosen(access, nth, dim, of, span),
                    None => self.computed(access, nth, dim, ids.value, span),
                }
                continue;
            }
            let number = matches!(access.index[nth], Index { ref terms, offset: Scalar::Int(_), .. } if terms.is_empty());
            if number || !self.is_own(access, nth) {
                let form = self.form(access, nth);
                self.inside(access, nth, dim, does, form.as_ref(), span);
            }
        }
        self.touch(access, does, span);
    }

    /// Reports J0216 for loaded indices whose promised bound exceeds the dimension.
    fn chosen(&mut self, access: &Access, nth: usize, dim: &Scalar, ids: ParamId, span: SpanId) {
        let Some(below) = self.sig.promise(ids) else {
            return;
        };
        if self.facts.proves_le(below, dim) {
            return;
        }
        let (ids, name) = (self.sig.param(ids), self.body.gm_name(self.sig, access.of));
        let (most, end) = (
            self.said(&(below.clone() - 1)),
            self.said(&(dim.clone() - 1)),
        );
        let place = if access.dims.len() > 1 {
            format!(", the {} one,", ordinal(nth))
        } else {
            String::new()
        };
        let text = format!(
            "this index of `{name}`{place} may go up to `{most}`, as `{}` promises; its indices end at `{end}`",
            ids.name
        );
        let help = format!(
            "promise what there is: `#[index({})] {}`",
            self.said(dim),
            ids.name
        );
        let d = Diagnostic::new(Code::J0216, span, text)
            .label(ids.span, "declared here")
            .help(help);
        self.found
            .push(d.expected([format!("#[index({})]", self.said(dim))]));
    }

    /// Reports J0217 for computed indices that are not shown to be indices of the tensor.
    fn computed(
        &mut self,
        access: &Access,
        nth: usize,
        dim: &Scalar,
        value: ValueId,
        span: SpanId,
    ) {
        let last = self.facts.inline(dim) - 1;
        let (above, below) = self.within(&self.numbers.of(value, &self.facts), &last);
        if above && below || self.facts.are_impossible() {
            return;
        }
        let name = self.body.gm_name(self.sig, access.of);
        let place = if access.dims.len() > 1 {
            format!("the {} index of `{name}`", ordinal(nth))
        } else {
            format!("an index of `{name}`")
        };
        let lacks = missing(above, below, &self.said(&last));
        let d = self.unpromised(&place, value, lacks, &self.said(dim), span);
        self.found.push(d);
    }

    /// J0217 for a tile of indices: the remedy names it if its author did.
    fn unpromised(
        &self,
        place: &str,
        value: ValueId,
        lacks: (&str, String),
        axis: &str,
        span: SpanId,
    ) -> Diagnostic {
        let (what, clamp) = lacks;
        let name = &self.body.values[value.index()].name;
        let is_named = !self.is_op(value, name);
        let ids = if is_named {
            format!("the elements of `{name}`")
        } else {
            "they".to_string()
        };
        let d = Diagnostic::new(
            Code::J0217,
            span,
            format!("{place}: nothing shows that {ids} {what}"),
        );
        let load = format!("or load them, as they are, of a tensor with `#[index({axis})]`");
        match is_named {
            true => d
                .help(format!("clamp them: `{name}.{clamp}`; {load}"))
                .edit(span, Spot::Name(name.clone()), format!("{name}.{clamp}"))
                .maybe(),
            false => d.help(format!("clamp them, `.{clamp}`; {load}")),
        }
    }

    /// True if a value has the name of the op that makes it, which its author never wrote.
    fn is_op(&self, value: ValueId, name: &str) -> bool {
        let mut found = false;
        self.body.walk(&mut |s| {
            if let Some(TileStmt::Def {
                value: own,
                expr: TileExpr::Op { op, .. },
            }) = s.own()
            {
                let rest = name.strip_prefix(op.name()).filter(|_| *own == value);
                found |= rest.is_some_and(|rest| {
                    rest.trim_start_matches('_')
                        .bytes()
                        .all(|c| c.is_ascii_digit())
                });
            }
        });
        found
    }

    /// Returns the number for elements outside of a tensor, if its elements have one.
    fn number_outside(&self, of: TensorRef) -> Option<&'static str> {
        let ty = match of {
            TensorRef::Param(p) => self.sig.dtype(p)?,
            TensorRef::Work(w) => self.body.work(w).dtype,
        };
        let floats = |ty: Ty| {
            self.sig
                .instances
                .iter()
                .all(|instance| ty.resolve(instance).is_float())
        };
        match ty {
            Ty::Mask => None,
            Ty::Is(DType::I32 | DType::I16) => Some("0"),
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => floats(ty).then_some("0.0"),
        }
    }

    /// Tests if numbers are at least 0, and if they are at most the last index.
    fn within(&self, numbers: &Bounds, last: &Scalar) -> (bool, bool) {
        let above = numbers
            .least
            .iter()
            .any(|low| self.facts.proves_le(&Scalar::Int(0), low));
        (
            above,
            numbers
                .most
                .iter()
                .any(|high| self.facts.proves_le(high, last)),
        )
    }

    /// Reports J0216 or J0217 for a `pick` along an axis that may lack the chosen element.
    fn picked(&mut self, along: AxId, at: &Chosen, span: SpanId) {
        let (Some(extent), name) = (self.extent(along), &self.body.axes[along.index()].name) else {
            return;
        };
        let last = extent.clone() - 1;
        let numbers = match at {
            Chosen::Index { index } => match self.ends(index) {
                Some([least, most]) => Bounds {
                    least: vec![least],
                    most: vec![most],
                },
                None => Bounds::default(),
            },
            Chosen::Tile { value } => self.numbers.of(*value, &self.facts),
        };
        let (above, below) = self.within(&numbers, &last);
        if above && below || self.facts.are_impossible() {
            return;
        }
        let end = self.said(&last);
        let d = match at {
            Chosen::Index { index } if !index.terms.is_empty() => {
                let what = match (above, below) {
                    (true, _) => {
                        format!("stays below `{}`, the size of `{name}`", self.said(&extent))
                    }
                    (false, _) => format!("is none below 0, nor above `{end}`"),
                };
                let text = format!(
                    "it could not be proved that this index of `pick` along `{name}` {what}"
                );
                Diagnostic::new(Code::J0216, span, text).help(
                    "say how large the axis is where it is declared or by `require(..)`; elements outside of a tensor are loaded by `load_or`, as part of a longer axis: \
                     `let c = new_axis(n + 2);` and `x.at(c.indices() - 1).load_or(0.0)`",
                )
            }
            Chosen::Index {
                index: Index { offset: value, .. },
            } => {
                let text = format!(
                    "it could not be proved that this index of `pick` stays below `{}`, the size of `{name}`",
                    self.said(&extent)
                );
                let clamped = format!("{}.min({end})", self.as_receiver(value));
                Diagnostic::new(Code::J0216, span, text).help(format!(
                    "say that it does by `require(..)`, or clamp it: `{clamped}`"
                ))
            }
            Chosen::Tile { value } => {
                let lacks = missing(above, below, &end);
                self.unpromised(
                    &format!("`pick` along `{name}`"),
                    *value,
                    lacks,
                    &self.said(&extent),
                    span,
                )
            }
        };
        self.found.push(d);
    }

    /// Returns the least and the largest value of an index. The first index of a run stands for
    /// each index of the run.
    fn ends(&self, index: &Index) -> Option<[Scalar; 2]> {
        let offset = self.facts.inline(&index.offset);
        let [term] = &index.terms[..] else {
            return index.terms.is_empty().then(|| [offset.clone(), offset]);
        };
        match self.starts.get(&term.ax) {
            Some(_) => self.moved(index).map(|form| [form.value(), form.value()]),
            None => {
                let far =
                    offset.clone() + (self.extent(term.ax)? - 1) * self.facts.inline(&term.factor);
                let is_backwards = term.factor.as_int().is_some_and(|f| f < 0);
                Some(if is_backwards {
                    [far, offset]
                } else {
                    [offset, far]
                })
            }
        }
    }

    /// Records an access of this phase.
    fn touch(&mut self, access: &Access, does: Does, span: SpanId) {
        let forms: Vec<Option<TurnIndex>> = (0..access.index.len())
            .map(|nth| self.form(access, nth))
            .collect();
        let open = forms.iter().flatten().flat_map(TurnIndex::open_vars);
        let around = |var: VarId| match self.around.ranges.contains_key(&var) {
            true => BTreeSet::from([var]),
            false => self.read_in.get(&var).cloned().unwrap_or_default(),
        };
        let read_in = open.flat_map(around).collect();
        let plain = (0..access.index.len()).all(|nth| self.is_own(access, nth));
        let steadily = |index: &Index| {
            let is_set_once = index
                .ids
                .as_ref()
                .is_none_or(|ids| !self.body.values[ids.value.index()].mutable);
            is_set_once
                && index
                    .offset
                    .vars()
                    .iter()
                    .all(|var| self.moves(*var) != Moves::Changes)
        };
        let index = access
            .index
            .iter()
            .all(steadily)
            .then(|| access.index.clone());
        let Around {
            ranges,
            divided,
            runs,
            steady,
            arms,
            ..
        } = self.around.clone();
        let dims = access
            .dims
            .iter()
            .map(|dim| self.facts.inline(dim))
            .collect();
        let of = access.of;
        self.touched.push(Touch {
            of,
            dims,
            index,
            arms,
            forms,
            ranges,
            read_in,
            divided,
            runs,
            steady,
            plain,
            does,
            span,
        });
    }

    /// True for an index of its own axis: all of it, a run, a single index of a loop, or a
    /// constant.
    fn is_own(&self, access: &Access, nth: usize) -> bool {
        let (index, dim) = (&access.index[nth], &access.dims[nth]);
        if index.ids.is_some() {
            return false;
        }
        let is_dim = |ax: AxId| matches!(&self.body.axes[ax.index()].from, AxFrom::Whole { extent } if extent == dim);
        // The end of a range that a core finds must be proved to fit the dimension.
        let whole = |ax: AxId| is_dim(ax) && !self.open.contains(&ax);
        match &index.terms[..] {
            [] => {
                let mut of = self
                    .starts
                    .values()
                    .filter(|(start, _)| index.offset == Scalar::Var(*start));
                matches!(index.offset, Scalar::Int(_)) || of.any(|(_, of)| whole(*of))
            }
            [term] if term.factor == Scalar::Int(1) => match self.starts.get(&term.ax) {
                Some((start, of)) => index.offset == Scalar::Var(*start) && whole(*of),
                None => index.offset == Scalar::Int(0) && whole(term.ax),
            },
            _ => false,
        }
    }

    /// Returns an index as a sum over loop variables, if it is one. The first index of a run stands
    /// for each index of the run.
    fn form(&self, access: &Access, nth: usize) -> Option<TurnIndex> {
        let index = &access.index[nth];
        if index.ids.is_some() {
            return None;
        }
        self.moved(index)
    }

    /// Returns that sum for an index without a tile of indices.
    fn moved(&self, index: &Index) -> Option<TurnIndex> {
        let form = TurnIndex::of(&self.facts.inline(&index.offset), &|var| self.moves(var))?;
        let Some(term) = index.terms.first() else {
            return Some(form);
        };
        match self.starts.get(&term.ax) {
            // Nothing is known of an index whose open part uses `t.start()`.
            Some((start, _)) if form.is_open_by(*start) => None,
            Some((start, _)) => form
                .factor_of(*start)
                .is_some_and(|f| self.facts.equal(f, &term.factor))
                .then_some(form),
            // All of an axis overlaps every index along it.
            None => None,
        }
    }

    /// Returns how a computed scalar may change between iterations.
    fn moves_of(&self, value: &Scalar) -> Moves {
        let found: BTreeSet<Moves> = value
            .vars()
            .into_iter()
            .map(|var| self.moves(var))
            .collect();
        match (
            found.contains(&Moves::Changes),
            found.iter().all(|moves| *moves == Moves::Never),
        ) {
            (true, _) => Moves::Changes,
            (false, true) => Moves::Never,
            (false, false) => Moves::Freely,
        }
    }

    /// Returns how a variable may change between iterations.
    fn moves(&self, var: VarId) -> Moves {
        if self.around.ranges.contains_key(&var) {
            return Moves::WithLoop;
        }
        match self.named.get(&var) {
            Some(moves) if !self.body.var(var).mutable => *moves,
            Some(_) | None => Moves::Changes,
        }
    }

    /// Reports J0216 for an index that is not proved to stay inside. A single index that the host
    /// knows is refused only if it is certainly outside. The launch checks the others
    /// (`lower/host/index_bounds.rs`).
    fn inside(
        &mut self,
        access: &Access,
        nth: usize,
        dim: &Scalar,
        does: Does,
        form: Option<&TurnIndex>,
        span: SpanId,
    ) {
        let (index, last) = (&access.index[nth], dim.clone() - 1);
        let ends = form
            .map(TurnIndex::value)
            .map(|value| [value.clone(), value])
            .or_else(|| self.ends(index));
        let mark = self.facts.mark();
        if index.terms.is_empty() {
            // `t.start() + i` names the first index of a run itself.
            self.around
                .tiles
                .iter()
                .for_each(|run| run.ends_inside(&mut self.facts));
        }
        let is_right = match &ends {
            Some([least, most])
                if index.terms.is_empty()
                    && !self.around.depends
                    && self.is_of_host(&index.offset) =>
            {
                !self.facts.proves_le(most, &Scalar::Int(-1)) && !self.facts.proves_le(dim, least)
            }
            Some([least, most]) => {
                self.facts.proves_le(&Scalar::Int(0), least) && self.facts.proves_le(most, &last)
            }
            None => false,
        };
        self.facts.back(mark);
        if !is_right {
            self.outside(access, nth, dim, does, form, span);
        }
    }

    /// True if the scalar depends on the variable of a loop.
    fn is_of_loop(&self, s: &Scalar) -> bool {
        s.vars()
            .iter()
            .any(|var| self.around.ranges.contains_key(var))
    }

    /// True if the scalar depends only on loop variables and on what the host knows.
    fn is_known_by_loops(&self, s: &Scalar) -> bool {
        s.vars()
            .iter()
            .all(|var| self.around.ranges.contains_key(var))
    }

    /// True if the scalar depends on sizes and attributes alone, and on nothing that is assigned.
    fn is_of_host(&self, s: &Scalar) -> bool {
        if self.facts.is_assigned(s) {
            return false;
        }
        let s = self.facts.inline(s);
        let mut is_same = true;
        s.walk(&mut |n| is_same &= !matches!(n, Scalar::BlockIdx | Scalar::BlockDim));
        is_same && s.vars().is_empty()
    }

    fn outside(
        &mut self,
        access: &Access,
        nth: usize,
        dim: &Scalar,
        does: Does,
        form: Option<&TurnIndex>,
        span: SpanId,
    ) {
        if self.facts.are_impossible() {
            return;
        }
        let name = self.body.gm_name(self.sig, access.of).to_string();
        let extent = self.said(dim);
        let ranged = access.index[nth].terms.iter().any(|term| {
            self.starts
                .get(&term.ax)
                .is_some_and(|(_, of)| self.open.contains(of))
        });
        // Nonlinear expressions of loop variables, and read numbers, have no known ends.
        let ends = match form {
            _ if ranged => None,
            Some(form) => form.ends(&self.around.ranges, &self.facts),
            None => self
                .ends(&access.index[nth])
                .filter(|ends| !ends.iter().any(|end| self.is_of_loop(end)))
                .map(|[least, most]| (least, most)),
        };
        let ends = ends
            .filter(|(least, most)| self.is_known_by_loops(least) && self.is_known_by_loops(most));
        let place = if access.index.len() == 1 {
            String::new()
        } else {
            format!(", the {} one,", ordinal(nth))
        };
        let Some((least, most)) = ends else {
            let text =
                format!("it could not be proved that this index of `{name}`{place} stays inside, from 0 to below `{extent}`");
            let offset = &access.index[nth].offset;
            let whole = self.facts.inline(offset);
            // The last index of an empty axis is -1.
            let some = match self.facts.proves_le(&Scalar::Int(1), dim) {
                true => String::new(),
                false => format!(" with `require({extent} > 0);`"),
            };
            let by_loops = access.index[nth].terms.is_empty()
                && self.is_of_loop(&whole)
                && self.is_known_by_loops(&whole);
            let help = match () {
                () if by_loops => {
                    let (index, last) = (self.as_receiver(offset), self.said(&(dim.clone() - 1)));
                    format!("what is computed of a loop otherwise than as a sum is clamped: `{index}.min({last})`{some}; a quotient is not below 0 where what divides is shown to be at least 1")
                }
                () if ranged => format!(
                    "the ends of a range that only a core knows are clamped, `.max(0)` and `.min({extent})`, or promised: `assume(lo >= 0 && hi <= {extent});`"
                ),
                () if !self.is_known_by_loops(&whole) => {
                    let (index, last) = (self.said(offset), self.said(&(dim.clone() - 1)));
                    format!("what is read of a tile, or changes, is clamped, `.max(0).min({last})`{some}, or promised: `assume(0 <= {index} && {index} <= {last})`")
                }
                () => "an index is a tile or a single index of a loop, times what the host knows, plus a number".to_string(),
            };
            return self
                .found
                .push(Diagnostic::new(Code::J0216, span, text).help(help));
        };
        let below = !self.facts.proves_le(&Scalar::Int(0), &least);
        let (end, word) = if below {
            (&least, "down to")
        } else {
            (&most, "up to")
        };
        let range = if below {
            "begin at 0".to_string()
        } else {
            format!("end at `{}`", self.said(&(dim.clone() - 1)))
        };
        let text = format!(
            "this index of `{name}`{place} may go {word} `{}`; its indices {range}",
            self.said(end)
        );
        let (low, high) = if below {
            (Scalar::Int(0), least.clone())
        } else {
            (most.clone() + 1, dim.clone())
        };
        let never = self.facts.proves_le(&(high + 1), &low);
        let mut d = Diagnostic::new(Code::J0216, span, text);
        match does {
            Does::Write => {
                d = d
                    .word(span, "store", "store_in")
                    .expected(["store_in"])
                    .maybe()
            }
            Does::Read => {
                let number = self.number_outside(access.of);
                let now = number.map(|number| format!("load_or({number})"));
                d = d.expected(now.clone());
                if let Some(now) = now {
                    d = d
                        .edit(span, Spot::Call("load".into()), format!(".{now}"))
                        .maybe();
                }
            }
            Does::Add
            | Does::Max
            | Does::Min
            | Does::Any
            | Does::Disjoint
            | Does::Scratch
            | Does::Line => {}
        }
        if !never {
            let fact = if below {
                format!("{} >= 0", self.said(&least))
            } else {
                format!("{} < {extent}", self.said(&most))
            };
            d = d.note(format!("`require({fact});` says that it does not"));
        }
        d = d.help(match does {
            Does::Write => "where what lies outside is dropped: `.store_in(v)`; else go through an axis that fits, `let k = new_axis(..)` or a named size of `#[shape(..)]`; the last index of it decides",
            Does::Add | Does::Max | Does::Min | Does::Any | Does::Disjoint | Does::Scratch | Does::Line => "go through an axis that fits, `let k = new_axis(..)` or a named size of `#[shape(..)]`; the last index of it decides",
            Does::Read => "where what lies outside reads a number: `.load_or(0.0)`; else go through an axis that fits, `let k = new_axis(..)` or a named size of `#[shape(..)]`",
        });
        if let Some(param) = access.param() {
            d = d.label(self.sig.param(param).span, "declared here");
        }
        self.found.push(d);
    }

    // ---- iterations ----

    /// Compares the accesses of a phase with each other.
    fn phase(&mut self) {
        let touched = std::mem::take(&mut self.touched);
        let mut told: Vec<(SpanId, TensorRef)> = Vec::new();
        // By its promise, no other iteration of the loop stores these elements, in any statement.
        let owned: Vec<bool> = touched
            .iter()
            .map(|touch| touch.is_stored_by(&touched))
            .collect();
        for (at, new) in touched.iter().enumerate() {
            // A store is compared with itself, too: another iteration repeats it.
            for (before, old) in touched[..=at].iter().enumerate() {
                if old.of != new.of
                    || old.does.needs_no_order(new.does)
                    || told.contains(&(new.span, new.of))
                {
                    continue;
                }
                // The front end has checked stores in which each index is that of its own axis.
                let stores = old.does == Does::Write && new.does == Does::Write;
                if stores && old.plain && new.plain {
                    continue;
                }
                if owned[before] && new.does == Does::Disjoint
                    || owned[at] && old.does == Does::Disjoint
                {
                    continue;
                }
                let Some(var) = old.other_turn(new, &self.facts) else {
                    continue;
                };
                told.push((new.span, new.of));
                let d = if new.writes() && !old.writes() {
                    self.turns_meet(new, old, var)
                } else {
                    self.turns_meet(old, new, var)
                };
                self.found.push(d);
            }
        }
    }

    fn turns_meet(&self, old: &Touch, new: &Touch, var: VarId) -> Diagnostic {
        let tensor = self.body.gm_name(self.sig, new.of);
        let is_divided = old.divided.contains(&var) || new.divided.contains(&var);
        let handle = self.handle(var);
        let (old_does, new_does) = (old.does, new.does);
        let one = |does: Does| old_does == does || new_does == does;
        let stores = old.writes() && new.writes();
        let (code, text) = match (stores, is_divided) {
            _ if one(Does::Add) => {
                let other = if stores { "store to" } else { "load" };
                let text = format!("an iteration of `{handle}` may {other} elements of `{tensor}` to which another iteration adds: what it finds depends on which comes first");
                (if stores { Code::J0505 } else { Code::J0411 }, text)
            }
            (true, true) => (Code::J0505, format!("two iterations of `{handle}` may store to the same elements of `{tensor}`, on different cores")),
            (true, false) => (Code::J0214, format!("two iterations of `{handle}` may store to the same elements of `{tensor}`: what is there in the end depends on the tile size")),
            (false, true) => {
                (Code::J0411, format!("an iteration of `{handle}` may load elements of `{tensor}` that another iteration stores, on another core"))
            }
            (false, false) => {
                (Code::J0214, format!("an iteration of `{handle}` may load elements of `{tensor}` that another iteration stores: what it finds depends on the tile size"))
            }
        };
        let help = match (stores, old.span == new.span) {
            (true, false) if one(Does::Add) => {
                "add in a loop behind the one that stores: all cores meet between two loops".to_string()
            }
            (false, _) if one(Does::Add) => {
                "add in one loop and load in the next: all cores meet between two loops".to_string()
            }
            (true, true) => {
                let inner = if handle == "k" { "j" } else { "k" };
                format!("store at `{handle}` plus a number, or at a multiple that leaves room: `{handle} * 2 + {inner}` with `{inner}` of two")
            }
            (true, false) => "let each store have elements of its own, or stand in a loop behind the other one's".to_string(),
            (false, _) => {
                "load in one loop and store in the next: all cores meet between two loops; or load what this iteration stores, at the same index".to_string()
            }
        };
        let mut d = Diagnostic::new(code, new.span, text).help(help);
        if old.span != new.span {
            d = d.label(old.span, old.does.noun());
        }
        d
    }

    /// Returns the name that an author uses for a loop variable.
    fn handle(&self, var: VarId) -> String {
        let var = self.facts.original(var);
        let run = self.starts.iter().find(|(_, (start, _))| *start == var);
        run.map_or_else(
            || self.body.var(var).name.clone(),
            |(ax, _)| self.body.axes[ax.index()].name.clone(),
        )
    }

    // ---- words ----

    /// Formats a size as an author writes it.
    fn said(&self, s: &Scalar) -> String {
        self.sig.said(&tidied(s), &|var| self.handle(var))
    }

    fn as_receiver(&self, s: &Scalar) -> String {
        self.sig
            .said_as_receiver(&tidied(s), &|var| self.handle(var))
    }
}

fn ordinal(nth: usize) -> String {
    match nth {
        0 => "first".to_string(),
        1 => "second".to_string(),
        2 => "third".to_string(),
        n => format!("{}th", n + 1),
    }
}

/// Describes what numbers lack to be indices up to `end`, with the clamp that helps.
fn missing(above: bool, below: bool, end: &str) -> (&'static str, String) {
    match (above, below) {
        (false, true) => ("are not below 0", "max(0)".to_string()),
        (true, _) => ("stay below its size", format!("min({end})")),
        (false, false) => ("are indices of it", format!("max(0).min({end})")),
    }
}
