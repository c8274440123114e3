//! Streaming: cuts the whole axes of tiles that do not fit in UB, as a rewrite inside the tile
//! dialect.
//!
//! - Axes without reductions along them are cut by one loop around all values that have them.
//! - Axes with reductions are cut by one loop for each pass (`passes`). Pass k computes the
//!   reductions whose operand has level k, and loads its inputs again. The values of level k + 1
//!   follow it.
//! - Where no loop over all reduced axes is possible, one over a single axis is tried.
//! - The author's `for`, `if` and loops over other axes stay as they are, in one pass.
//!
//! Each phase of a kernel has a streamed form of its own, or none.
//!
//! A value that a block accumulates through all iterations of a phase (`cross_core`) has whole
//! axes. Loops inside cannot cut those: between two iterations every part would have to be kept. A
//! loop *around* the divided loop cuts them. For each part, every block starts with the neutral
//! value, makes its share of the iterations, and stores the part. Such a phase must be pointwise
//! along the axis: each part of a reduction along it would need the parts to come.

pub mod passes;

use crate::ir::names;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, walk_stmts_mut, Access, AxDecl, AxFrom, AxId, AxSpec, Axes, Index, LoopId, Operand,
    RunSize, Scalar, ScalarTy, StmtKind, TileExpr, TileLoop, TileStmt, ValueDecl, ValueId, VarDecl,
    VarId,
};
use crate::lower::func::Reduce;
use crate::lower::gap::Made;
use crate::lower::nest;
use crate::lower::nest::{Loop, Nest};
use crate::lower::type_queries::Binding;
use crate::ops::{BinaryOp, Op};
use passes::{Carried, Cut, Node, Reduction};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the streamed form of a loop; `None` if it cannot be streamed.
pub fn run(binding: &Binding<'_>, src: Loop<'_>) -> Made<Option<Body>> {
    if !has_cuts(src)? {
        return Ok(None);
    }
    let Loop { body, nest } = src;
    let (kept, open): (Vec<AxId>, Vec<AxId>) = streamable(src)
        .into_iter()
        .partition(|ax| lives_through(body, *ax));
    let inner = (!open.is_empty())
        .then(|| inside(binding, src, &kept, &open))
        .flatten();
    let cut = (!kept.is_empty())
        .then(|| around(binding, nest, inner.as_ref().unwrap_or(body), &kept))
        .flatten();
    Ok(cut.or(inner))
}

/// Returns false for a loop that surely has no streamed form.
pub fn has_cuts(src: Loop<'_>) -> Made<bool> {
    // Rows of a given number are whole in UB, or the launch is refused. The host would never choose
    // a streamed form.
    let given = nest::outer(src.body)?
        .specs
        .iter()
        .any(|spec| spec.size.given().is_some());
    Ok(!given && !reads(src.body) && !streamable(src).is_empty())
}

/// True if a body reads or dumps a tile, which needs all parts of it, or has a range whose length
/// only a core knows.
fn reads(body: &Body) -> bool {
    let mut reads = false;
    body.walk(&mut |s| {
        reads |= match s.own() {
            Some(TileStmt::Loop { tile }) => tile.specs.iter().any(|spec| spec.length.is_some()),
            Some(TileStmt::Read { .. } | TileStmt::Dump { .. }) => true,
            Some(
                TileStmt::Def { .. }
                | TileStmt::Set { .. }
                | TileStmt::Store { .. }
                | TileStmt::Append { .. },
            )
            | None => false,
        }
    });
    reads
}

/// True for an axis of a value that the iterations of the divided loop change.
fn lives_through(body: &Body, ax: AxId) -> bool {
    let decls = nest::before(body)
        .iter()
        .filter_map(|s| s.def())
        .map(|(value, _)| &body.values[value.index()]);
    decls
        .into_iter()
        .any(|decl| decl.mutable && decl.axes.contains(ax))
}

/// Cuts the axes of values that live through the loop, by a loop around it. `None` if that is not
/// possible.
fn around(binding: &Binding<'_>, nest: &Nest, body: &Body, kept: &[AxId]) -> Option<Body> {
    let mut out = body.clone();
    super::hoist::run(&mut out);
    let stmts = std::mem::take(&mut out.stmts);
    let one = |list: &Vec<Stmt>| {
        list.iter()
            .filter(|s| matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. })))
            .count()
            == 1
    };
    let stmts = candidates(kept)
        .find_map(|axes| cut(binding, nest, &mut out, &stmts, axes, &[]).filter(one))?;
    Some(Body { stmts, ..out })
}

/// Cuts the other axes, by loops inside the divided one.
fn inside(binding: &Binding<'_>, src: Loop<'_>, kept: &[AxId], open: &[AxId]) -> Option<Body> {
    let Loop { body, nest } = src;
    let along = reduced(body);
    let (reduced, free): (Vec<AxId>, Vec<AxId>) =
        open.iter().copied().partition(|ax| along.contains(ax));
    let (before, list) = sunk(src, kept)?;
    let mut out = Body {
        stmts: Vec::new(),
        ..body.clone()
    };
    let around = (!free.is_empty())
        .then(|| cut(binding, nest, &mut out, &list, &free, &reduced))
        .flatten();
    let list = match around {
        None => in_passes(binding, nest, &mut out, &list, &reduced)?,
        Some(list) => within(
            list,
            |out, inner| in_passes(binding, nest, out, inner, &reduced),
            &mut out,
        ),
    };
    out.stmts = before;
    for s in &body.stmts {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            let kind = StmtKind::Do(TileStmt::Loop {
                tile: TileLoop {
                    body: list.clone(),
                    ..tile.clone()
                },
            });
            out.stmts.push(Stmt { kind, span: s.span });
        }
    }
    let behind = body
        .stmts
        .iter()
        .skip_while(|s| !matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. })))
        .skip(1);
    out.stmts.extend(behind.cloned());
    Some(out)
}

/// Returns the whole axes that something is reduced or scanned along.
fn reduced(body: &Body) -> BTreeSet<AxId> {
    let mut reduced = BTreeSet::new();
    body.walk(&mut |s| match s.def() {
        Some((_, TileExpr::Reduce { over, .. })) => reduced.extend(over.iter()),
        Some((_, TileExpr::Scan { along, .. })) => reduced.extend([*along]),
        _ => {}
    });
    reduced
}

/// Returns the whole axes of tiles that may be cut.
fn streamable(Loop { body, nest }: Loop<'_>) -> Vec<AxId> {
    let runs: BTreeSet<AxId> = body
        .axes
        .iter()
        .zip((0..).map(AxId))
        .filter(|(_, ax)| nest.whole(*ax) != *ax)
        .map(|(_, ax)| nest.whole(ax))
        .collect();
    // An extent that is a number of the text is assumed to be small.
    let is_open = |ax: &AxId| nest.extent(*ax).is_ok_and(|n| n.as_int().is_none());
    // Part of an axis around other axes without lanes is no contiguous run of elements.
    let accesses = nest::accesses(&body.stmts);
    let is_loose = |ax: &AxId| {
        let mut own = accesses
            .iter()
            .map(|(access, _)| access.axes())
            .filter(|axes| axes.contains(*ax));
        own.all(|axes| axes.len() == 1 || !nest.is_column(&axes))
    };
    nest.sized()
        .filter(|ax| !runs.contains(ax) && is_open(ax) && is_loose(ax))
        .collect()
}

/// Returns all of some axes, then each alone, the innermost first.
fn candidates(axes: &[AxId]) -> impl Iterator<Item = &[AxId]> {
    let single = axes
        .iter()
        .rev()
        .filter(|_| axes.len() > 1)
        .map(std::slice::from_ref);
    (!axes.is_empty()).then_some(axes).into_iter().chain(single)
}

/// Returns the statements before the loop and the list inside it. Definitions with whole axes move
/// into the list, unless all of these axes are `kept`.
fn sunk(Loop { body, nest }: Loop<'_>, kept: &[AxId]) -> Option<(Vec<Stmt>, Vec<Stmt>)> {
    let outer = nest::outer(body).ok()?;
    let (mut before, mut list) = (Vec::new(), Vec::new());
    let mut moved = BTreeSet::new();
    let written = nest::stored(&outer.body);
    for s in nest::before(body) {
        let mut reads = BTreeSet::new();
        walk_stmts(std::slice::from_ref(s), &mut |s| {
            crate::ir::uses(s, &mut reads)
        });
        let hangs = !reads.is_disjoint(&moved);
        let defined = s
            .def()
            .map(|(value, _)| (value, &body.values[value.index()]));
        let is_cut = |axes: &Axes| {
            axes.iter()
                .any(|ax| nest.uncut().any(|other| other == ax && !kept.contains(&ax)))
        };
        if !(hangs || defined.is_some_and(|(_, decl)| is_cut(&decl.axes))) {
            before.push(s.clone());
            continue;
        }
        let (value, decl) = defined?;
        let stored = s.access().is_some_and(|from| written.contains(&from.of));
        (!decl.mutable && !stored).then_some(())?;
        moved.insert(value);
        list.push(s.clone());
    }
    list.extend(outer.body.iter().cloned());
    Some((before, list))
}

/// Cuts the reduced axes of a list: all of them by one loop, or else a single one.
fn in_passes(
    binding: &Binding<'_>,
    nest: &Nest,
    out: &mut Body,
    list: &[Stmt],
    reduced: &[AxId],
) -> Option<Vec<Stmt>> {
    candidates(reduced).find_map(|axes| cut(binding, nest, out, list, axes, &[]))
}

/// Applies `f` to the body of the loop that was made last, and keeps the old body if it returns
/// `None`.
fn within(
    mut list: Vec<Stmt>,
    f: impl Fn(&mut Body, &[Stmt]) -> Option<Vec<Stmt>>,
    out: &mut Body,
) -> Vec<Stmt> {
    if let Some(StmtKind::Do(TileStmt::Loop { tile })) = list.last_mut().map(|s| &mut s.kind) {
        tile.body = f(out, &tile.body).unwrap_or(std::mem::take(&mut tile.body));
    }
    list
}

/// Cuts an axis of a list by loops that the cores divide, one a pass.
pub(super) fn over_cores(
    binding: &Binding<'_>,
    nest: &Nest,
    out: &mut Body,
    list: &[Stmt],
    along: AxId,
) -> Option<Vec<Stmt>> {
    cut_by(Parts::OfCores, binding, nest, out, list, &[along], &[])
}

/// Cuts axes of a list by loops inside one core.
fn cut(
    binding: &Binding<'_>,
    nest: &Nest,
    out: &mut Body,
    list: &[Stmt],
    axes: &[AxId],
    later: &[AxId],
) -> Option<Vec<Stmt>> {
    cut_by(Parts::OfTurns, binding, nest, out, list, axes, later)
}

/// The loops that make the parts of reductions.
#[derive(Clone, Copy, PartialEq)]
enum Parts {
    /// The iterations of a loop inside.
    OfTurns,
    /// All iterations of all cores.
    OfCores,
}

/// Cuts axes of a list. New declarations stay only if that is possible.
fn cut_by(
    parts: Parts,
    binding: &Binding<'_>,
    nest: &Nest,
    out: &mut Body,
    list: &[Stmt],
    axes: &[AxId],
    later: &[AxId],
) -> Option<Vec<Stmt>> {
    let body = out.clone();
    let cut = Cut {
        body: &body,
        axes: axes.to_vec(),
        later: later.to_vec(),
    };
    let nodes = passes::nodes(&cut, list)?;
    // A scan continues from the part before, so cores would have to run one after the other.
    (parts == Parts::OfTurns || nodes.iter().all(|n| n.carried.is_none())).then_some(())?;
    let passes = nodes
        .iter()
        .map(|n| n.pass.unwrap_or(n.level))
        .max()
        .unwrap_or(0);
    let mut trial = body.clone();
    let mut rewrite = Rewrite {
        parts,
        binding,
        nest,
        cut: &cut,
        nodes: &nodes,
        out: &mut trial,
        stmts: Vec::new(),
        once: BTreeMap::new(),
        placed: BTreeSet::new(),
    };
    (0..=passes).try_for_each(|pass| rewrite.pass(pass))?;
    let stmts = rewrite.stmts;
    *out = trial;
    Some(stmts)
}

struct Rewrite<'a> {
    parts: Parts,
    binding: &'a Binding<'a>,
    nest: &'a Nest,
    cut: &'a Cut<'a>,
    nodes: &'a [Node<'a>],
    out: &'a mut Body,
    stmts: Vec<Stmt>,
    /// The accumulator of each reduction so far.
    once: BTreeMap<ValueId, ValueId>,
    /// Positions of placed statements with lists inside; their variables and loops are declared
    /// only once.
    placed: BTreeSet<usize>,
}

impl Rewrite<'_> {
    fn pass(&mut self, pass: usize) -> Option<()> {
        for node in self
            .nodes
            .iter()
            .filter(|n| !n.inside && n.reduction.is_none() && n.pass.unwrap_or(n.level) == pass)
        {
            let mut s = node.stmt.clone();
            rename(std::slice::from_mut(&mut s), &self.once);
            self.stmts.push(s);
        }
        let needed = self.needed(pass);
        if needed.is_empty() {
            return Some(());
        }
        for at in &needed {
            let several = self.nodes[*at]
                .stmt
                .children()
                .into_iter()
                .any(|inner| inner.is_some());
            (!several || self.placed.insert(*at)).then_some(())?;
        }
        self.turn(pass, &needed)
    }

    /// Returns the statements that a pass makes part by part, for its own reductions and stores.
    fn needed(&self, pass: usize) -> Vec<usize> {
        let (mut needed, mut wanted) = (Vec::new(), BTreeSet::new());
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let reduces = node.reduction.is_some();
            let root = reduces && node.level == pass || node.inside && node.pass == Some(pass);
            let used = node.inside && !reduces && node.gives.iter().any(|v| wanted.contains(v));
            if root || used {
                needed.push(at);
                wanted.extend(node.reads.iter().copied());
            }
        }
        needed.reverse();
        needed
    }

    /// Adds the loop of one pass, and its accumulators before it.
    fn turn(&mut self, pass: usize, needed: &[usize]) -> Option<()> {
        let id = self.out.next_loop();
        let specs: Vec<AxSpec> = self
            .cut
            .axes
            .clone()
            .into_iter()
            .map(|of| self.spec(of, id))
            .collect();
        let mut inner = Inner {
            specs,
            new: BTreeMap::new(),
            stmts: Vec::new(),
        };
        for node in needed.iter().map(|at| &self.nodes[*at]) {
            match (node.reduction, node.carried, node.stmt.def()) {
                (Some(reduction), _, Some((value, TileExpr::Reduce { over, .. })))
                    if node.level == pass =>
                {
                    self.reduce(&mut inner, reduction, value, over, node.stmt);
                }
                (None, Some(carried), Some((value, _))) => {
                    self.carry(&mut inner, carried, value, node.stmt)?
                }
                (Some(_) | None, Some(_) | None, Some(_) | None) => {
                    self.inside(&mut inner, node.stmt)
                }
            }
        }
        let span = self.stmts.last().or(inner.stmts.first()).map(|s| s.span)?;
        let buffer_num = self
            .cut
            .body
            .outer_loops()
            .first()
            .and_then(|outer| outer.buffer_num);
        let tile = TileLoop {
            id,
            specs: inner.specs,
            buffer_num,
            block_dim: None,
            exact: false,
            any_cut: false,
            split: None,
            body: inner.stmts,
        };
        self.stmts.push(Stmt {
            kind: StmtKind::Do(TileStmt::Loop { tile }),
            span,
        });
        Some(())
    }

    /// Declares a run of an axis.
    fn spec(&mut self, of: AxId, id: LoopId) -> AxSpec {
        let own = self.out.axes[of.index()].name.clone();
        let plain = self.nest.row_of_loops() == Some(of);
        let stem = if plain { "col" } else { own.as_str() };
        let [start, len] = ["start", "length"].map(|name| self.var(&format!("{stem}_{name}")));
        let ax = self.out.add_axis(AxDecl {
            name: format!("{own}_tile"),
            from: AxFrom::Run { of: id },
        });
        AxSpec {
            ax,
            of,
            start,
            len,
            size: RunSize::Solved {},
            length: None,
        }
    }

    /// Adds the reduction of one part, and combines it with the accumulator.
    fn reduce(
        &mut self,
        inner: &mut Inner,
        reduction: Reduction,
        value: ValueId,
        over: &Axes,
        s: &Stmt,
    ) {
        let Reduction {
            op,
            step,
            neutral,
            source,
        } = reduction;
        let decl = ValueDecl {
            mutable: false,
            ..self.out.values[value.index()].clone()
        };
        let init = neutral.begin(self.binding, decl.dtype);
        let begin = match self.parts {
            Parts::OfTurns => TileExpr::Fill { value: init },
            Parts::OfCores => TileExpr::Across { op, init },
        };
        let sum = self.out.add_value(ValueDecl {
            mutable: true,
            ..decl.clone()
        });
        self.stmts.push(Stmt {
            kind: StmtKind::Do(TileStmt::Def {
                value: sum,
                expr: begin,
            }),
            span: s.span,
        });
        self.once.insert(value, sum);
        let part = self.out.add_value(ValueDecl {
            name: format!("{}_part", decl.name),
            ..decl.clone()
        });
        let source = inner.new.get(&source).copied().unwrap_or(source);
        let expr = TileExpr::reduction(op, source, inner.cut(over));
        inner.stmts.push(Stmt {
            kind: StmtKind::Do(TileStmt::Def { value: part, expr }),
            span: s.span,
        });
        let next = self.out.add_value(ValueDecl {
            name: format!("{}_next", decl.name),
            ..decl
        });
        let expr = joined(step, sum, part);
        inner.stmts.push(Stmt {
            kind: StmtKind::Do(TileStmt::Def { value: next, expr }),
            span: s.span,
        });
        inner.stmts.push(Stmt {
            kind: StmtKind::Do(TileStmt::Set {
                value: sum,
                from: next,
            }),
            span: s.span,
        });
    }

    /// Adds the scan of one part: it is combined with the total of all parts before, which then
    /// grows.
    fn carry(
        &mut self,
        inner: &mut Inner,
        carried: Carried,
        value: ValueId,
        s: &Stmt,
    ) -> Option<()> {
        let Carried { op, step, source } = carried;
        let [spec] = &inner.specs[..] else {
            return None;
        };
        let (along, over) = (spec.ax, Axes::from([spec.of]));
        let decl = ValueDecl {
            mutable: false,
            ..self.cut.body.values[value.index()].clone()
        };
        let axes = decl.axes.without(&over);
        let name = |word: &str| format!("{}_{word}", decl.name);
        let begin = match Reduce::of(op)? {
            // -0.0 is the neutral value: -0.0 + 0.0 would be 0.0.
            Reduce::Sum if self.binding.beside(decl.dtype) == ScalarTy::F32 => Scalar::Float(-0.0),
            neutral => neutral.begin(self.binding, decl.dtype),
        };
        let before = self.out.add_value(ValueDecl {
            mutable: true,
            name: name("before"),
            axes: axes.clone(),
            ..decl.clone()
        });
        self.stmts.push(Stmt {
            kind: StmtKind::Do(TileStmt::Def {
                value: before,
                expr: TileExpr::Fill { value: begin },
            }),
            span: s.span,
        });
        let source = inner.new.get(&source).copied().unwrap_or(source);
        let part = self.out.add_value(ValueDecl {
            name: name("part"),
            axes: inner.cut(&decl.axes),
            ..decl.clone()
        });
        let new = self.out.add_value(ValueDecl {
            axes: inner.cut(&decl.axes),
            ..decl.clone()
        });
        let total = self.out.add_value(ValueDecl {
            name: name("of_part"),
            axes: axes.clone(),
            ..decl.clone()
        });
        let next = self.out.add_value(ValueDecl {
            name: name("next"),
            axes,
            ..decl.clone()
        });
        let defs = [
            (
                part,
                TileExpr::Scan {
                    op,
                    value: source,
                    along,
                },
            ),
            (new, joined(step, part, before)),
            (total, TileExpr::reduction(op, source, Axes::from([along]))),
            (next, joined(step, before, total)),
        ];
        inner.stmts.extend(defs.map(|(value, expr)| Stmt {
            kind: StmtKind::Do(TileStmt::Def { value, expr }),
            span: s.span,
        }));
        inner.stmts.push(Stmt {
            kind: StmtKind::Do(TileStmt::Set {
                value: before,
                from: next,
            }),
            span: s.span,
        });
        inner.new.insert(value, new);
        Some(())
    }

    /// Adds a statement, cut to one part.
    fn inside(&mut self, inner: &mut Inner, s: &Stmt) {
        let mut s = s.clone();
        let mut defined = Vec::new();
        walk_stmts(std::slice::from_ref(&s), &mut |s| {
            if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
                defined.push(*value);
            }
        });
        for value in defined {
            let decl = self.cut.body.values[value.index()].clone();
            let axes = inner.cut(&decl.axes);
            let new = self.out.add_value(ValueDecl { axes, ..decl });
            inner.new.insert(value, new);
        }
        walk_stmts_mut(std::slice::from_mut(&mut s), &mut |s| self.part(inner, s));
        rename(std::slice::from_mut(&mut s), &self.once);
        rename(std::slice::from_mut(&mut s), &inner.new);
        inner.stmts.push(s);
    }

    /// Cuts the accesses and indices of a statement to one part.
    fn part(&self, inner: &Inner, s: &mut Stmt) {
        if let StmtKind::Do(TileStmt::Store { to, .. }) = &mut s.kind {
            inner.access(to);
        }
        let StmtKind::Do(TileStmt::Def { value, expr }) = &mut s.kind else {
            return;
        };
        match expr {
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => inner.access(from),
            TileExpr::Iota { first } => {
                let decl = &self.cut.body.values[value.index()];
                for spec in inner
                    .specs
                    .iter()
                    .filter(|spec| decl.axes.contains(spec.of))
                {
                    let beside = self.binding.beside(decl.dtype);
                    *first = Scalar::cast(beside, Scalar::Var(spec.start)) + first.clone();
                }
            }
            TileExpr::Fill { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Op { .. }
            | TileExpr::Cast { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. }
            | TileExpr::Copy { .. } => {}
        }
    }

    fn var(&mut self, name: &str) -> VarId {
        let name = names::unique(name, |n| self.out.vars.iter().any(|v| v.name == n));
        self.out.add_var(VarDecl {
            name,
            ty: ScalarTy::Index,
            mutable: false,
        })
    }
}

/// Combines two values.
fn joined(step: BinaryOp, a: ValueId, b: ValueId) -> TileExpr {
    TileExpr::Op {
        op: Op::Binary(step),
        args: vec![Operand::Value { value: a }, Operand::Value { value: b }],
    }
}

/// The loop of a pass under construction.
struct Inner {
    specs: Vec<AxSpec>,
    /// For each value over whole axes, the value over one part.
    new: BTreeMap<ValueId, ValueId>,
    stmts: Vec<Stmt>,
}

impl Inner {
    fn cut(&self, axes: &Axes) -> Axes {
        self.specs
            .iter()
            .fold(axes.clone(), |axes, spec| axes.replaced(spec.of, spec.ax))
    }

    /// Cuts an access to the part of one iteration.
    fn access(&self, access: &mut Access) {
        for index in &mut access.index {
            // A tile of indices is itself cut, so its offset stays.
            if let Some(ids) = index.ids.take() {
                let axes = self.cut(&index.terms.iter().map(|term| term.ax).collect());
                *index = Index::chosen(ids, &axes);
                continue;
            }
            for spec in &self.specs {
                let mut own = index
                    .terms
                    .iter()
                    .filter(|term| term.ax == spec.of)
                    .peekable();
                if own.peek().is_none() {
                    continue;
                }
                if index.offset == Scalar::Int(0) && own.all(|term| term.factor == Scalar::Int(1)) {
                    *index = Index::along(spec.ax, spec.start);
                    continue;
                }
                for term in index.terms.iter_mut().filter(|term| term.ax == spec.of) {
                    term.ax = spec.ax;
                    index.offset =
                        index.offset.clone() + Scalar::Var(spec.start) * term.factor.clone();
                }
            }
        }
    }
}

/// Replaces values by others in all statements.
pub fn rename(stmts: &mut [Stmt], to: &BTreeMap<ValueId, ValueId>) {
    let new = |v: ValueId| to.get(&v).copied().unwrap_or(v);
    walk_stmts_mut(stmts, &mut |s| {
        s.own_mut().into_iter().for_each(|own| own.rename(new))
    });
}
