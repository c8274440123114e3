//! Kernels of several outermost loops, one phase each.
//!
//! Every phase has its own buffers, for which TPipe hands out the memory anew (`StmtKind::Reset`), so that each has all of UB. What
//! stands between loops and is a tile is computed again in each phase that uses it. Before a phase all blocks meet (`SyncAll`) where
//! it touches in GM what another block may have touched in an earlier one and one of the two wrote; where both loops divide one axis
//! alike and go along it, a block finds only what it touched itself, which the barrier of the reset orders.

use super::across;
use super::nest::{self, Divided, Nest};
use super::order;
use super::simplify::uses;
use super::sizes::Form;
use super::split::{divide_all, TileSplit};
use super::variant::{self, fields};
use super::{Asked, Gap, Host, Lowering, Made, Own, Plan, Verify};
use crate::ir::{
    walk_stmts, Access, Body, HostStep, Index, Known, Lowered, Memory, Scalar, SpanId, Stmt, StmtKind, TileExpr, TileLoop,
    Variant, WorkDecl,
};
use crate::soc::Chip;
use std::collections::BTreeSet;

/// Lowers a body of several outermost loops.
pub(super) fn lower(own: Own<'_>, instance: usize, body: &Body, chip: &'static Chip) -> Made<Lowering> {
    let Own { kernel, binding, .. } = own;
    let mut host = Host::new(kernel, binding, chip, body.vars.clone());
    let dim = host.later("block_dim");
    let mut body = body.clone();
    let across = across::all(&mut body, &host, dim)?;
    let phases = phases(&body)?;
    let mut written = Vec::new();
    for mut phase in phases {
        let mut wholes = Vec::new();
        for value in &across {
            if value.rewrite(&mut phase, &host, dim)? {
                wholes.extend(value.whole_phase(&body, &mut host, dim)?);
            }
        }
        written.push(sunk(phase));
        written.append(&mut wholes);
    }
    let phases = written;
    phases.iter().for_each(|phase| host.take_lets(nest::before(phase)));
    let nests = phases.iter().map(Nest::of).collect::<Made<Vec<Nest>>>()?;
    let mut splits = Vec::new();
    for (phase, nest) in phases.iter().zip(&nests) {
        splits.push((TileSplit::new(&mut host, phase, nest, Some(dim))?, nest::outer(phase)?));
    }
    divide_all(&mut host, &splits, dim)?;
    let meets = meetings(&phases, &nests, &splits);
    // What hands parts on speaks of workspaces and blocks, which are no longer the tile dialect.
    let own = if across.is_empty() { own } else { Own { verify: Verify::Result, ..own } };
    let mut made = Phases::default();
    for (at, (phase, nest)) in phases.iter().zip(&nests).enumerate() {
        let scalars: Vec<Stmt> = phases[..at].iter().flat_map(scalars).cloned().collect();
        let arranged = own.arranged((phase, nest), &scalars)?;
        let form = if nest.has_whole_rows() { Form::WholeRows } else { Form::Tiles };
        let built = variant::build(form, &mut host, &splits[at].0, (&arranged, nest), &made.body)?;
        made.add(built.finish(&mut host), meets[at]);
    }
    let mut works = body.works;
    let workspace = super::workspace::place(&mut host, &mut works, &dim.into());
    let (variant, plan) = made.finish(&mut host, (dim.into(), works, workspace));
    let lowered = Lowered {
        sig: kernel.sig.clone(),
        instance,
        chip: chip.name.to_string(),
        steps: host.steps.clone(),
        vars: host.vars.clone(),
        funcs: host.funcs.all.clone(),
        variants: vec![variant],
        spans: kernel.spans.clone(),
    };
    Ok(Lowering { lowered, plans: vec![plan], asked: Asked::default() })
}

/// The phases so far.
#[derive(Default)]
struct Phases {
    /// What they declare, and their statements.
    body: Body,
    steps: Vec<HostStep>,
    known: Vec<Known>,
    /// What the first one is handed out.
    memory: Option<Vec<Memory>>,
    plan: Option<Plan>,
}

impl Phases {
    fn add(&mut self, (variant, plan): (Variant, Plan), meets: bool) {
        let mut stmts = std::mem::take(&mut self.body.stmts);
        let span = variant.body.stmts.first().map_or(SpanId(0), |s| s.span);
        match &self.memory {
            None => self.memory = Some(variant.memory),
            Some(_) => {
                stmts.extend(meets.then_some(Stmt { kind: StmtKind::SyncAll {}, span }));
                stmts.push(Stmt { kind: StmtKind::Reset { memory: variant.memory }, span });
            }
        }
        let Body { stmts: own, .. } = &variant.body;
        stmts.extend(own.iter().cloned());
        self.body = Body { stmts, ..variant.body };
        self.steps.extend(variant.steps);
        self.known.extend(variant.known);
        self.plan = Some(match self.plan.take() {
            None => Plan { row_pitch: None, ..plan },
            Some(mut before) => {
                before.bytes = before.bytes.max(plan.bytes);
                before.sizes.extend(plan.sizes);
                before
            }
        });
    }

    fn finish(self, host: &mut Host<'_>, (block_dim, works, workspace): (Scalar, Vec<WorkDecl>, Scalar)) -> (Variant, Plan) {
        let Phases { body, steps, known, memory, plan } = self;
        let body = Body { vars: host.vars.clone(), works, ..body };
        let variant = Variant {
            name: "phases".to_string(),
            when: Scalar::Bool(true),
            steps,
            block_dim,
            workspace,
            fields: fields(host, &body),
            known,
            memory: memory.unwrap_or_default(),
            // What one phase reads once another may read again.
            once: Vec::new(),
            body,
        };
        (variant, plan.unwrap_or(Plan { bytes: Scalar::Int(0), sizes: Vec::new(), row_pitch: None }))
    }
}

/// The bodies of the phases: each loop with the statements that stand between it and the loop before, and the tiles that it needs of
/// those before.
fn phases(body: &Body) -> Made<Vec<Body>> {
    let (mut phases, mut stmts, mut earlier): (Vec<Body>, Vec<Stmt>, Vec<Stmt>) = Default::default();
    for s in &body.stmts {
        stmts.push(s.clone());
        if matches!(s.kind, StmtKind::Loop { .. }) {
            let mut own = needed(body, &earlier, &stmts, &phases)?;
            own.append(&mut stmts);
            earlier.extend(own.iter().filter(|s| matches!(s.kind, StmtKind::Def { .. })).cloned());
            phases.push(Body { stmts: own, ..body.clone() });
        }
    }
    Ok(phases)
}

/// What a phase computes of scalars outside of its loop, which later ones may read.
fn scalars(phase: &Body) -> impl Iterator<Item = &Stmt> {
    let holds_tiles = |s: &Stmt| {
        let mut found = false;
        walk_stmts(std::slice::from_ref(s), &mut |s| {
            found |=
                matches!(s.kind, StmtKind::Loop { .. } | StmtKind::Def { .. } | StmtKind::Set { .. } | StmtKind::Store { .. });
        });
        found
    };
    phase.stmts.iter().filter(move |s| !holds_tiles(s))
}

/// A phase of one turn with what it computes inside of it: the other blocks have no use for that.
fn sunk(phase: Body) -> Body {
    let once = nest::outer(&phase).is_ok_and(|outer| nest::is_once(&phase, outer) && !outer.body.is_empty());
    // What every block leaves it makes itself.
    let leaves = phase.stmts.iter().any(|s| matches!(s.kind, StmtKind::Store { .. }));
    if !once || leaves {
        return phase;
    }
    let (mut defs, mut stmts): (Vec<Stmt>, Vec<Stmt>) =
        phase.stmts.into_iter().partition(|s| matches!(s.kind, StmtKind::Def { .. }));
    for s in &mut stmts {
        if let StmtKind::Loop { tile } = &mut s.kind {
            defs.append(&mut tile.body);
            std::mem::swap(&mut defs, &mut tile.body);
        }
    }
    Body { stmts, ..phase }
}

/// The definitions among those before that statements need.
fn needed(body: &Body, earlier: &[Stmt], stmts: &[Stmt], before: &[Body]) -> Made<Vec<Stmt>> {
    let mut wanted = BTreeSet::new();
    walk_stmts(stmts, &mut |s| uses(s, &mut wanted));
    let mut own: Vec<Stmt> = Vec::new();
    for s in earlier.iter().rev() {
        let StmtKind::Def { value, expr } = &s.kind else { continue };
        let known = own.iter().any(|o| matches!(&o.kind, StmtKind::Def { value: v, .. } if v == value));
        if !wanted.contains(value) || known {
            continue;
        }
        if matches!(expr, TileExpr::Across { .. }) {
            continue;
        }
        if body.values[value.index()].mutable {
            let help = "a tile lives as long as one loop; hand it on through a tensor";
            return Err(Gap::not_yet("a tile that changes and lives through several loops", help, s.span));
        }
        let mut changes = false;
        s.scalars(&mut |e| e.walk(&mut |n| changes |= matches!(n, Scalar::Var(v) if body.var(*v).mutable)));
        if changes {
            let help = "compute it again behind the loop, or give the scalar a `let` without `mut`";
            return Err(Gap::not_yet("a tile for several loops that was computed with a scalar that changes", help, s.span));
        }
        if let TileExpr::Load { from } | TileExpr::LoadOr { from, .. } = expr {
            let stored = before.iter().any(|phase| order::stored(&phase.stmts).contains(&from.of));
            if stored {
                let help = "load it again behind the loop, where the new content is meant";
                return Err(Gap::not_yet("a tile that was loaded before a loop stores to its tensor", help, s.span));
            }
        }
        uses(s, &mut wanted);
        own.push(s.clone());
    }
    own.reverse();
    Ok(own)
}

/// Before which phases all blocks meet.
fn meetings(phases: &[Body], nests: &[Nest], splits: &[(TileSplit, &TileLoop)]) -> Vec<bool> {
    let mut meets = vec![false; splits.len()];
    for later in 1..splits.len() {
        let since = meets[..later].iter().rposition(|meets| *meets).unwrap_or(0);
        meets[later] = (since..later).any(|earlier| conflict([earlier, later], phases, nests, splits));
    }
    meets
}

/// True where a block may touch in the later loop what another one touched in the earlier one, and one of them writes it.
fn conflict(of: [usize; 2], phases: &[Body], nests: &[Nest], splits: &[(TileSplit, &TileLoop)]) -> bool {
    let [first, second] = of.map(|at| nest::accesses(&phases[at].stmts));
    let alike = shares_alike(of, nests, splits);
    // What lies in a workspace at the place of a block is that block's.
    let is_own = |a: &Access| {
        let is = |index: &Index| index.terms.is_empty() && index.offset == Scalar::BlockIdx;
        a.param().is_none() && a.index.first().is_some_and(is)
    };
    first.iter().any(|(a, writes)| {
        let mut others = second.iter().filter(|(b, also)| a.of == b.of && (*writes || *also) && !(is_own(a) && is_own(b)));
        others.any(|(b, _)| !(alike && same_place(a, b, of.map(|at| splits[at].1))))
    })
}

/// True where both loops divide the indices of one axis in the same way.
fn shares_alike(of: [usize; 2], nests: &[Nest], splits: &[(TileSplit, &TileLoop)]) -> bool {
    let [(a, outer_a), (b, outer_b)] = of.map(|at| &splits[at]);
    let [kind, other] = of.map(|at| nests[at].divided);
    let axes = [outer_a, outer_b].map(|outer| outer.specs.first().map(|spec| spec.of));
    kind == other
        && kind != Divided::Turns
        && axes[0] == axes[1]
        && a.share.total == b.share.total
        && a.share.unit == b.share.unit
}

/// True where both go along the axis that their loops divide, at the same index of the tensor.
fn same_place(a: &Access, b: &Access, loops: [&TileLoop; 2]) -> bool {
    let along = |access: &Access, of: &TileLoop| {
        let spec = of.specs.first()?;
        let run = Index::along(spec.ax, spec.start);
        access.index.iter().position(|index| *index == run)
    };
    let places = (along(a, loops[0]), along(b, loops[1]));
    a.dims == b.dims && places.0.is_some() && places.0 == places.1
}
