//! Puts a counting loop before each loop that appends.
//!
//! The counts of all cores are a cross-core accumulator (`cross_core`). A block packs behind the
//! elements that the blocks before it have counted. Both loops are divided alike, and the
//! iterations of a block follow those of the block before it.
//!
//! - The counting loop keeps those statements of the other one that the masks need.
//! - In a loop over several axes, the last axis becomes a loop inside, in both loops. Sizes are
//!   solved for each loop alone, and the number of iterations over the other axes does not depend
//!   on them.
//!
//! A pass of the tile dialect. Behind it, an append names the value that counts.

use crate::dtype::DType;
use crate::ir::names::unique;
use crate::ir::scalar::product;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, walk_stmts_mut, AxDecl, AxFrom, AxId, Axes, BinOp, Chosen, LoopId, Operand, Scalar,
    Signature, SpanId, StmtKind, TensorRef, TileExpr, TileLoop, TileStmt, Ty, ValueDecl, ValueId,
    VarDecl, VarId,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::host::require;
use crate::lower::host::Host;
use crate::lower::nest;
use crate::lower::nest::Nest;
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use std::collections::{BTreeMap, BTreeSet};

/// Refuses loops that read a scalar from a tile: the statements that a mask needs are found through
/// tiles alone.
fn no_scalars(stmts: &[Stmt]) -> Made<()> {
    let mut read = None;
    walk_stmts(stmts, &mut |s| {
        if matches!(
            s.kind,
            StmtKind::Promise { .. } | StmtKind::Do(TileStmt::Read { .. })
        ) {
            read.get_or_insert(s.span);
        }
    });
    let help = "choose with masks and tiles, which take a tile without axes as it is";
    read.map_or(Ok(()), |span| {
        Err(Gap::not_yet(
            "a scalar of a tile in a loop that appends",
            help,
            span,
        ))
    })
}

/// Inserts the counting loops. Returns each with the loop that packs what it counts.
pub fn run(body: &mut Body, sig: &Signature) -> Made<Vec<[LoopId; 2]>> {
    let (mut twins, mut counts) = (Vec::new(), BTreeMap::new());
    let mut stmts = Vec::with_capacity(body.stmts.len());
    for mut s in std::mem::take(&mut body.stmts) {
        let StmtKind::Do(TileStmt::Loop { tile }) = &mut s.kind else {
            stmts.push(s);
            continue;
        };
        let packs = found(&tile.body);
        if !packs.is_empty() {
            no_scalars(&tile.body)?;
            inner_run(body, tile, s.span);
            for pack in &packs {
                let name = format!("{}_count", body.gm_name(sig, pack.to));
                let value = count(body, &name);
                if counts.insert(pack.to, value).is_some() {
                    return Err(Gap::new("two appends to one tensor", pack.span));
                }
                let expr = TileExpr::Across {
                    op: AxisReduceOp::Sum,
                    init: Scalar::I32(0),
                };
                stmts.push(Stmt {
                    kind: StmtKind::Do(TileStmt::Def { value, expr }),
                    span: pack.span,
                });
            }
            let counting = Counting {
                body,
                packs: &packs,
                counts: &counts,
                renamed: Renamed::default(),
            }
            .loop_of(tile)?;
            twins.push([counting.id, tile.id]);
            stmts.push(Stmt {
                kind: StmtKind::Do(TileStmt::Loop { tile: counting }),
                span: s.span,
            });
            walk_stmts_mut(&mut tile.body, &mut |s| {
                if let StmtKind::Do(TileStmt::Append {
                    to, counts: known, ..
                }) = &mut s.kind
                {
                    *known = counts.get(&to.of).copied();
                }
            });
        }
        stmts.push(s);
    }
    walk_stmts_mut(&mut stmts, &mut |s| {
        if let StmtKind::Do(TileStmt::Def { expr, .. }) = &mut s.kind {
            if let Some(value) = appended(expr).and_then(|of| counts.get(&of).copied()) {
                *expr = TileExpr::Copy { value };
            }
        }
    });
    body.stmts = stmts;
    Ok(twins)
}

/// Adds a check of the host that refuses more elements than an `i32` counts.
pub fn require_countable(host: &mut Host<'_>, outer: &TileLoop, nest: &Nest) -> Made<()> {
    let inside = nest::inner_loops(outer)
        .into_iter()
        .filter(|tile| packs(&tile.body));
    let specs = outer
        .specs
        .iter()
        .chain(inside.flat_map(|tile| &tile.specs));
    let all = specs
        .map(|spec| nest.extent(spec.of).cloned())
        .collect::<Made<Vec<Scalar>>>()?;
    let all = host.known("appended_most", &product(all));
    let most = i64::from(i32::MAX);
    if all.as_int().is_none_or(|n| n > most) {
        let text = format!("a loop that appends goes through at most {most} elements");
        host.steps.push(require(all.bin(BinOp::Le, most), text));
    }
    Ok(())
}

fn appended(expr: &TileExpr) -> Option<TensorRef> {
    match expr {
        TileExpr::Appended { of } => Some(*of),
        _ => None,
    }
}

/// True if a statement appends.
pub fn packs(stmts: &[Stmt]) -> bool {
    !found(stmts).is_empty()
}

/// A statement that appends.
struct Pack {
    to: TensorRef,
    mask: ValueId,
    span: SpanId,
}

fn found(stmts: &[Stmt]) -> Vec<Pack> {
    let mut all = Vec::new();
    walk_stmts(stmts, &mut |s| {
        if let StmtKind::Do(TileStmt::Append { to, mask, .. }) = &s.kind {
            all.push(Pack {
                to: to.of,
                mask: *mask,
                span: s.span,
            });
        }
    });
    all
}

/// Declares the accumulator that counts over all cores.
fn count(body: &mut Body, name: &str) -> ValueId {
    value(
        body,
        ValueDecl {
            name: name.to_string(),
            dtype: Ty::Is(DType::I32),
            axes: Axes::default(),
            mutable: true,
        },
    )
}

fn value(body: &mut Body, decl: ValueDecl) -> ValueId {
    let name = unique(&decl.name, |n| body.values.iter().any(|v| v.name == n));
    body.add_value(ValueDecl { name, ..decl })
}

/// Moves the last axis of a loop over several axes to a loop inside.
fn inner_run(body: &mut Body, tile: &mut TileLoop, span: SpanId) {
    if tile.specs.len() < 2 {
        return;
    }
    let id = body.next_loop();
    let Some(last) = tile.specs.pop() else { return };
    body.axes[last.ax.index()].from = AxFrom::Run { of: id };
    let inside = TileLoop {
        id,
        specs: vec![last],
        buffer_num: None,
        block_dim: None,
        exact: false,
        any_cut: false,
        split: None,
        body: std::mem::take(&mut tile.body),
    };
    tile.body.push(Stmt {
        kind: StmtKind::Do(TileStmt::Loop { tile: inside }),
        span,
    });
}

/// New names for the declarations of a loop.
#[derive(Default)]
struct Renamed {
    values: BTreeMap<ValueId, ValueId>,
    vars: BTreeMap<VarId, VarId>,
    axes: BTreeMap<AxId, AxId>,
}

impl Renamed {
    fn value(&self, v: ValueId) -> ValueId {
        self.values.get(&v).copied().unwrap_or(v)
    }
    fn var(&self, v: VarId) -> VarId {
        self.vars.get(&v).copied().unwrap_or(v)
    }
    fn ax(&self, ax: AxId) -> AxId {
        self.axes.get(&ax).copied().unwrap_or(ax)
    }
    fn set(&self, axes: &Axes) -> Axes {
        axes.iter().map(|ax| self.ax(ax)).collect()
    }
    fn scalar(&self, s: &mut Scalar) {
        *s = s.replace(&|node| match node {
            Scalar::Var(v) => self.vars.get(v).map(|v| Scalar::Var(*v)),
            _ => None,
        });
    }
}

/// The counting loop, under construction.
struct Counting<'a> {
    body: &'a mut Body,
    packs: &'a [Pack],
    counts: &'a BTreeMap<TensorRef, ValueId>,
    renamed: Renamed,
}

impl Counting<'_> {
    fn loop_of(&mut self, tile: &TileLoop) -> Made<TileLoop> {
        let mut needed: BTreeSet<ValueId> = self.packs.iter().map(|pack| pack.mask).collect();
        while close(&tile.body, &mut needed) {}
        if let Some(span) = loaded_again(turn(&tile.body), &needed) {
            let help = "store it in a loop before: what that leaves the next one finds";
            return Err(Gap::not_yet(
                "an append whose mask is loaded of what its own iteration stores",
                help,
                span,
            ));
        }
        let mut own = vec![Stmt {
            kind: StmtKind::Do(TileStmt::Loop { tile: tile.clone() }),
            span: SpanId(0),
        }];
        prune(&mut own, &needed);
        self.declare(&own);
        let mut changed = None;
        walk_stmts(&own, &mut |s| {
            if matches!(&s.kind, StmtKind::SetScalar { var, .. } if !self.renamed.vars.contains_key(var))
            {
                changed.get_or_insert(s.span);
            }
        });
        if let Some(span) = changed {
            let help =
                "give what changes there a loop of its own, or compute it anew in each iteration";
            return Err(Gap::not_yet(
                "a scalar from outside that changes in a loop that appends",
                help,
                span,
            ));
        }
        self.rename(&mut own);
        self.count(&mut own)?;
        let Some(StmtKind::Do(TileStmt::Loop { tile })) = own.pop().map(|s| s.kind) else {
            return Err(Gap::of_kernel("a loop that counts nothing"));
        };
        Ok(tile)
    }

    /// Adds a new declaration for each declaration of a loop.
    fn declare(&mut self, stmts: &[Stmt]) {
        let (mut vars, mut values, mut loops) = (Vec::new(), Vec::new(), Vec::new());
        walk_stmts(stmts, &mut |s| {
            // A `SetScalar` declares nothing: its variable has a `let`.
            if !matches!(s.kind, StmtKind::SetScalar { .. }) {
                vars.extend(s.sets());
            }
            values.extend(s.def().map(|(value, _)| value));
            if let Some(TileStmt::Loop { tile }) = s.own() {
                loops.push(tile.clone());
            }
        });
        for tile in loops {
            let id = self.body.next_loop();
            for spec in &tile.specs {
                vars.extend([spec.start, spec.len]);
                let name = unique(&self.body.axes[spec.ax.index()].name, |n| {
                    self.body.axes.iter().any(|ax| ax.name == n)
                });
                self.renamed.axes.insert(
                    spec.ax,
                    self.body.add_axis(AxDecl {
                        name,
                        from: AxFrom::Run { of: id },
                    }),
                );
            }
        }
        for var in vars {
            let VarDecl { name, ty, mutable } = self.body.var(var).clone();
            let name = unique(&name, |n| self.body.vars.iter().any(|v| v.name == n));
            let new = self.body.add_var(VarDecl { name, ty, mutable });
            self.renamed.vars.insert(var, new);
        }
        for old in values {
            let decl = self.body.values[old.index()].clone();
            let axes = self.renamed.set(&decl.axes);
            let new = value(self.body, ValueDecl { axes, ..decl });
            self.renamed.values.insert(old, new);
        }
    }

    fn rename(&self, stmts: &mut [Stmt]) {
        let new = &self.renamed;
        walk_stmts_mut(stmts, &mut |s| {
            s.scalars_mut(&mut |scalar| new.scalar(scalar));
            match &mut s.kind {
                StmtKind::LetScalar { var, .. }
                | StmtKind::SetScalar { var, .. }
                | StmtKind::For { var, .. } => *var = new.var(*var),
                StmtKind::Do(TileStmt::Loop { tile }) => {
                    for spec in &mut tile.specs {
                        (spec.ax, spec.start, spec.len) =
                            (new.ax(spec.ax), new.var(spec.start), new.var(spec.len));
                        if let AxFrom::Run { of } = self.body.axes[spec.ax.index()].from {
                            tile.id = of;
                        }
                    }
                }
                StmtKind::Do(TileStmt::Def { value, expr }) => {
                    *value = new.value(*value);
                    expr.rename(|v| new.value(v));
                    match expr {
                        TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => {
                            let terms = from.index.iter_mut().flat_map(|index| &mut index.terms);
                            terms.for_each(|term| term.ax = new.ax(term.ax));
                        }
                        TileExpr::Reduce { over, .. } => *over = new.set(over),
                        TileExpr::Scan { along, .. } => *along = new.ax(*along),
                        TileExpr::Top { along, to, .. } => {
                            [along, to].into_iter().for_each(|ax| *ax = new.ax(*ax))
                        }
                        TileExpr::Pick { along, at, .. } => {
                            *along = new.ax(*along);
                            if let Chosen::Index { index } = at {
                                index
                                    .terms
                                    .iter_mut()
                                    .for_each(|term| term.ax = new.ax(term.ax));
                            }
                        }
                        TileExpr::Fill { .. }
                        | TileExpr::Iota { .. }
                        | TileExpr::Across { .. }
                        | TileExpr::Appended { .. }
                        | TileExpr::Op { .. }
                        | TileExpr::Cast { .. }
                        | TileExpr::Truncate { .. }
                        | TileExpr::Round { .. }
                        | TileExpr::Copy { .. } => {}
                    }
                }
                StmtKind::Do(TileStmt::Set { value, from }) => {
                    (*value, *from) = (new.value(*value), new.value(*from))
                }
                StmtKind::Do(TileStmt::Append { value, mask, .. }) => {
                    (*value, *mask) = (new.value(*value), new.value(*mask))
                }
                StmtKind::Do(TileStmt::Read { var, value }) => {
                    (*var, *value) = (new.var(*var), new.value(*value))
                }
                StmtKind::If { .. }
                | StmtKind::Promise { .. }
                | StmtKind::Do(TileStmt::Store { .. } | TileStmt::Dump { .. }) => {}
            }
        });
    }

    /// Replaces each append by a count. The bits are counted as `f32`, which is exact for tiles of
    /// fewer than 2^24 elements.
    fn count(&mut self, stmts: &mut Vec<Stmt>) -> Made<()> {
        let mut out = Vec::with_capacity(stmts.len());
        for mut s in stmts.drain(..) {
            for list in s.children_mut().into_iter().flatten() {
                self.count(list)?;
            }
            let StmtKind::Do(TileStmt::Append { to, mask, .. }) = &s.kind else {
                out.push(s);
                continue;
            };
            let all = *self
                .counts
                .get(&to.of)
                .ok_or_else(|| Gap::new("a pack that nothing counts", s.span))?;
            let axes = self.body.values[mask.index()].axes.clone();
            let name = self.body.values[all.index()].name.clone();
            let span = s.span;
            let mut def = |what: &str, dtype: DType, axes: Axes, expr: TileExpr| {
                let decl = ValueDecl {
                    name: format!("{name}_{what}"),
                    dtype: Ty::Is(dtype),
                    axes,
                    mutable: false,
                };
                let made = value(self.body, decl);
                out.push(Stmt {
                    kind: StmtKind::Do(TileStmt::Def { value: made, expr }),
                    span,
                });
                made
            };
            let ones = def(
                "bits",
                DType::F32,
                axes.clone(),
                TileExpr::Cast {
                    value: *mask,
                    mode: None,
                },
            );
            let sum = def(
                "tile",
                DType::F32,
                Axes::default(),
                TileExpr::reduction(AxisReduceOp::Sum, ones, axes),
            );
            let sum = def(
                "part",
                DType::I32,
                Axes::default(),
                TileExpr::Cast {
                    value: sum,
                    mode: None,
                },
            );
            let args = [all, sum].map(|value| Operand::Value { value }).to_vec();
            let next = def(
                "next",
                DType::I32,
                Axes::default(),
                TileExpr::Op {
                    op: Op::Binary(BinaryOp::Add),
                    args,
                },
            );
            out.push(Stmt {
                kind: StmtKind::Do(TileStmt::Set {
                    value: all,
                    from: next,
                }),
                span,
            });
        }
        *stmts = out;
        Ok(())
    }
}

/// Returns the list that holds the appends, below loops that hold nothing else.
fn turn(stmts: &[Stmt]) -> &[Stmt] {
    if let [Stmt {
        kind: StmtKind::Do(TileStmt::Loop { tile }),
        ..
    }] = stmts
    {
        turn(&tile.body)
    } else {
        stmts
    }
}

/// Finds a load for a needed value behind a store to its tensor, or in one statement with it. The
/// counting loop stores nothing and would load the old content.
fn loaded_again(stmts: &[Stmt], needed: &BTreeSet<ValueId>) -> Option<SpanId> {
    let (mut stored, mut again) = (BTreeSet::new(), None);
    for s in stmts {
        walk_stmts(std::slice::from_ref(s), &mut |s| {
            if let StmtKind::Do(TileStmt::Store { to, .. }) = &s.kind {
                stored.insert(to.of);
            }
        });
        walk_stmts(std::slice::from_ref(s), &mut |s| {
            let is_needed = matches!(&s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if needed.contains(value));
            if is_needed && s.access().is_some_and(|from| stored.contains(&from.of)) {
                again.get_or_insert(s.span);
            }
        });
    }
    again
}

/// Adds the operands of needed values. Returns true if there were new ones.
fn close(stmts: &[Stmt], needed: &mut BTreeSet<ValueId>) -> bool {
    let before = needed.len();
    walk_stmts(stmts, &mut |s| match s.own() {
        Some(TileStmt::Def { value, expr }) if needed.contains(value) => {
            needed.extend(expr.operands())
        }
        Some(TileStmt::Set { value, from }) if needed.contains(value) => _ = needed.insert(*from),
        Some(TileStmt::Def { .. } | TileStmt::Set { .. }) => {}
        // No other statement gives a value.
        Some(
            TileStmt::Loop { .. }
            | TileStmt::Store { .. }
            | TileStmt::Append { .. }
            | TileStmt::Read { .. }
            | TileStmt::Dump { .. },
        )
        | None => {}
    });
    needed.len() > before
}

/// Drops definitions of other values, stores, dumps, and statements that are empty without them.
fn prune(stmts: &mut Vec<Stmt>, needed: &BTreeSet<ValueId>) {
    for list in stmts
        .iter_mut()
        .flat_map(|s| s.children_mut().into_iter().flatten())
    {
        prune(list, needed);
    }
    stmts.retain(|s| match &s.kind {
        StmtKind::Do(TileStmt::Def { value, .. } | TileStmt::Set { value, .. }) => {
            needed.contains(value)
        }
        StmtKind::Do(TileStmt::Store { .. } | TileStmt::Dump { .. }) => false,
        StmtKind::For { body, .. } => !body.is_empty(),
        StmtKind::If { then, other, .. } => !(then.is_empty() && other.is_empty()),
        StmtKind::Do(TileStmt::Loop { tile }) => !tile.body.is_empty(),
        // Conditions and indices depend on these; appends become counts later, and `no_scalars` has
        // refused reads.
        StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Promise { .. } => true,
        StmtKind::Do(TileStmt::Append { .. } | TileStmt::Read { .. }) => true,
    });
}
