//! One list of statements: how long its values live, which leave it together, and what is computed right where it is wanted.
//!
//! A stored value is computed in a VECOUT tensor, and so is the chain of values that die into it; a value that a mutable one
//! becomes, in the place of that one.

use super::boundary::{has_pad, where_inside, Inside};
use super::context::Site;
use super::copy::{copy_out, single_store};
use super::gather::part_of;
use super::liveness::{touches, Life};
use super::ops::{allows_in_place, local_copy};
use super::pack;
use super::shapes::Values;
use super::strided::{spread_bytes, spread_out};
use crate::ir::{
    first_access, queue, tile, Access, QueueId, QueueOp, Scalar, ScalarTy, SpanId, StmtKind,
    StoreHow, TensorId, TensorRef, TileExpr, TileStmt, Ty, ValueId, VarId,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::memory::buffers::Wanted;
use crate::lower::memory::homes::{Home, Owner};
use crate::lower::memory::queues::{Passage, Stores, Way};
use std::collections::BTreeMap;

/// Stores of one value that leave through one VECOUT tensor.
struct Group<'s> {
    leaving: Leaving<'s>,
    queue: QueueId,
    tensor: Option<TensorId>,
    /// Index of the last statement that needs what lies in the tensor before what leaves is computed there.
    lent: Option<usize>,
}

/// What leaves in one.
struct Leaving<'s> {
    /// Its first tensor in GM.
    of: TensorRef,
    /// Its stores, with their indices in the list.
    stores: Vec<(usize, &'s Access, StoreHow)>,
    leaves: Leaves,
    /// What is packed instead, with the variable that says how many elements there are.
    packed: Option<Packed<'s>>,
    /// Index of the statement after which the tensor is complete and no longer read.
    ready: usize,
    /// True where that is the last use of the value, which may then be computed there; else it holds a copy.
    waits: bool,
    value: ValueId,
    /// Index of the first statement that computes what leaves; what is done before it may lie there until then.
    begins: usize,
    span: SpanId,
}

/// How a value lies in the VECOUT tensor that it leaves through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    /// As where it was computed.
    AsItIs,
    /// Each element in a data block of its own.
    Single,
    /// Each run from its first element on that is inside of the tensor in GM.
    MovedUp,
}

/// What a statement packs.
#[derive(Clone, Copy)]
struct Packed<'s> {
    at: usize,
    to: &'s Access,
    kept: Option<VarId>,
}

/// Where a value is computed when not in a buffer of its own.
#[derive(Clone, Copy)]
enum Target {
    /// The VECOUT tensor of a store group.
    Group(usize),
    /// The buffer of the mutable value that it becomes.
    Mutable(ValueId),
}

/// A list of statements that is being lowered.
pub(super) struct Scope<'s> {
    pub(super) stmts: &'s [tile::Stmt],
    life: Life,
    /// Values that nothing reads behind a statement, by its index, in the order of their definitions; none that change.
    ends: BTreeMap<usize, Vec<ValueId>>,
    groups: Vec<Group<'s>>,
    targets: BTreeMap<ValueId, Target>,
    /// Where parts of the list begin that are not all made wherever one of them is.
    parts: Vec<usize>,
}

impl<'s> Scope<'s> {
    /// Begins a list.
    pub(super) fn open(
        stmts: &'s [tile::Stmt],
        parts: &[usize],
        site: &mut Site<'_, '_>,
    ) -> Made<Self> {
        site.places.queues.enter();
        site.places.columns.enter();
        // What is part of another value is there as long as that is.
        let mut life = Life::of(stmts);
        for s in stmts.iter().rev() {
            let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind else {
                continue;
            };
            if let Some((from, _)) = part_of(&site.values, *value, expr) {
                life.outlives(from, *value);
            }
        }
        let mut ends: BTreeMap<usize, Vec<ValueId>> = BTreeMap::new();
        for value in life.defined.iter().filter(|v| !site.values.is_mutable(**v)) {
            ends.entry(life.last[value]).or_default().push(*value);
        }
        let mut scope = Scope {
            stmts,
            life,
            ends,
            groups: Vec::new(),
            targets: BTreeMap::new(),
            parts: parts.to_vec(),
        };
        let mut leaving = scope.leaving(site);
        scope.designate(
            &mut leaving,
            &site.values,
            site.places.queues.buffers.stores,
        );
        for leaving in leaving {
            scope.groups.push(scope.group(site, leaving)?);
        }
        scope.designate_mutables(&site.values);
        site.places
            .queues
            .claim(scope.groups.iter().map(|g| g.queue));
        Ok(scope)
    }

    /// One group for each value that statements of this list store, where all its copies to GM may wait for the last use of
    /// the value. What must leave before, since a later statement touches the same tensor or the value changes, is a copy of
    /// its own.
    fn leaving(&self, site: &Site<'_, '_>) -> Vec<Leaving<'s>> {
        let mut all: Vec<Leaving<'s>> = Vec::new();
        for (at, s) in self.stmts.iter().enumerate() {
            let one = |of: TensorRef, value: ValueId, leaves: Leaves| {
                let (stores, packed, span) = (Vec::new(), None, s.span);
                Leaving {
                    of,
                    stores,
                    leaves,
                    packed,
                    ready: at,
                    waits: false,
                    value,
                    begins: at,
                    span,
                }
            };
            if let StmtKind::Do(TileStmt::Append { to, value, .. }) = &s.kind {
                let packed = Some(Packed { at, to, kept: None });
                all.push(Leaving {
                    packed,
                    ..one(to.of, *value, Leaves::AsItIs)
                });
                continue;
            }
            let StmtKind::Do(TileStmt::Store { to, value, how }) = &s.kind else {
                continue;
            };
            let (param, value) = (to.of, *value);
            let last_use = self
                .life
                .last
                .get(&value)
                .copied()
                .filter(|_| !site.values.is_mutable(value));
            // What indices choose is copied while they are there.
            let last_use = last_use.filter(|last| *last == at || to.ids().next().is_none());
            // What does not leave as it is is computed elsewhere.
            let leaves = match (single_store(site, to, *how, site.values.ty(value)), how) {
                (Some(_), _) => Leaves::Single,
                (None, StoreHow::Inside) if !site.values.is_inside_along_run(to) => Leaves::MovedUp,
                (None, _) => Leaves::AsItIs,
            };
            let may_wait =
                leaves == Leaves::AsItIs && site.places.queues.buffers.stores != Stores::Copied;
            let last_use = last_use.filter(|_| may_wait);
            let waits =
                last_use.filter(|last| first_access(&self.stmts[at + 1..=*last], param).is_none());
            let same = all
                .iter_mut()
                .find(|g| waits.is_some() && g.waits && g.value == value);
            if let Some(leaving) = same {
                leaving.stores.push((at, to, *how));
                continue;
            }
            let (ready, waits) = (waits.unwrap_or(at), waits.is_some());
            all.push(Leaving {
                stores: vec![(at, to, *how)],
                ready,
                waits,
                ..one(param, value, leaves)
            });
        }
        all
    }

    /// With a queue: one of its own, or one of which a tensor that has left by then was.
    fn group(&self, site: &mut Site<'_, '_>, leaving: Leaving<'s>) -> Made<Group<'s>> {
        let bytes = match leaving.leaves {
            Leaves::Single => spread_bytes(site, leaving.value)?,
            Leaves::AsItIs | Leaves::MovedUp => {
                site.values.value_bytes(site.host, leaving.value)?
            }
        };
        let (name, before) = (
            site.tensor_name(leaving.of),
            self.groups
                .iter()
                .map(|g| (g.queue, g.leaving.ready < leaving.begins)),
        );
        let (queues, decls) = (&mut site.places.queues, &mut site.places.decls);
        let queue = queues.take_turns(before, &bytes, decls).unwrap_or_else(|| {
            queues.take(
                Passage {
                    way: Way::Out,
                    name: &name,
                    bytes,
                    ordinal: self.groups.len(),
                    span: leaving.span,
                },
                decls,
            )
        });
        Ok(Group {
            leaving,
            queue,
            tensor: None,
            lent: None,
        })
    }

    /// The definition of a value that this list computes, and that nothing changes afterwards.
    fn computed(&self, v: ValueId, values: &Values<'_>) -> Option<&'s TileExpr> {
        let expr = self.life.expr(self.stmts, v)?;
        (!values.is_mutable(v) && !values.is_direct_load(expr)).then_some(expr)
    }

    /// Stored values are computed in their VECOUT tensors, and so is what dies into them.
    fn designate(&mut self, leaving: &mut [Leaving<'s>], values: &Values<'_>, stores: Stores) {
        let stored: Vec<ValueId> = leaving.iter().map(|g| g.value).collect();
        for (at, group) in leaving.iter_mut().enumerate() {
            let mut next =
                Some(group.value).filter(|v| group.waits && self.computed(*v, values).is_some());
            while let Some(v) = next {
                self.targets.insert(v, Target::Group(at));
                group.begins = self.life.defs[&v];
                let before = self
                    .dies_into(v, values, &stored)
                    .filter(|_| stores == Stores::Alone);
                next = before.filter(|a| !self.leaves_room(*a, v, values));
            }
        }
    }

    /// The operand of a value that may be computed in the value's place.
    fn dies_into(&self, v: ValueId, values: &Values<'_>, stored: &[ValueId]) -> Option<ValueId> {
        let expr = self.computed(v, values).filter(|e| allows_in_place(e))?;
        let at = self.life.defs.get(&v)?;
        let may = |a: &ValueId| {
            !self.reads_part(expr, *a, values)
                && self
                    .computed(*a, values)
                    .is_some_and(|expr| part_of(values, *a, expr).is_none())
                && values.are_alike(*a, v)
                && !stored.contains(a)
                && !self.targets.contains_key(a)
                && self.life.last.get(a) == Some(at)
        };
        expr.operands().find(may)
    }

    /// True where an operand is part of a value, whose elements must be there until all of that operand is read.
    fn reads_part(&self, expr: &TileExpr, of: ValueId, values: &Values<'_>) -> bool {
        let source =
            |a: ValueId| part_of(values, a, self.life.expr(self.stmts, a)?).map(|(from, _)| from);
        expr.operands()
            .any(|a| std::iter::successors(source(a), |from| source(*from)).any(|from| from == of))
    }

    /// True where an operand has the place of a load that dies with it, and the tensor of the value may be lent until then.
    fn leaves_room(&self, operand: ValueId, v: ValueId, values: &Values<'_>) -> bool {
        let (from, to) = (self.life.defs[&operand], self.life.defs[&v]);
        let dies_at =
            |a: &ValueId, at: usize| self.life.last.get(a) == Some(&at) && !values.is_mutable(*a);
        let loaded = |a: &ValueId| {
            self.life
                .expr(self.stmts, *a)
                .is_some_and(|expr| values.is_direct_load(expr))
        };
        let replaced = |v: ValueId| {
            let expr = self.computed(v, values).filter(|e| allows_in_place(e));
            expr.and_then(|e| {
                e.operands()
                    .find(|a| dies_at(a, self.life.defs[&v]) && values.are_alike(*a, v))
            })
        };
        let borrows = |t: &&ValueId| {
            let between =
                self.life.defs[t] > from && self.life.last[t] < to && values.are_alike(**t, v);
            between && self.computed(**t, values).is_some() && replaced(**t).is_none()
        };
        replaced(operand).is_some_and(|a| loaded(&a))
            && self.life.defined.iter().any(|t| borrows(&t))
    }

    /// What a mutable value becomes is computed in its place, where nothing reads the old content in between.
    fn designate_mutables(&mut self, values: &Values<'_>) {
        for (i, s) in self.stmts.iter().enumerate() {
            let StmtKind::Do(TileStmt::Set { value: m, from }) = s.kind else {
                continue;
            };
            let (Some(expr), Some(at)) = (self.computed(from, values), self.life.defs.get(&from))
            else {
                continue;
            };
            if self.targets.contains_key(&from) || self.life.last.get(&from) != Some(&i) {
                continue;
            }
            // A value that was computed before the mutable one began has no place of that one to go to.
            let began = self.life.defs.get(&m).is_none_or(|begin| begin < at);
            let between = self.stmts[at + 1..i].iter().any(|s| touches(s, m));
            let reads_itself = expr.operands().any(|a| a == m);
            if began && !between && (!reads_itself || allows_in_place(expr)) {
                self.targets.insert(from, Target::Mutable(m));
            }
        }
    }

    /// The value that another one is part of, and where, unless it has a place of its own.
    pub(super) fn part<'e>(
        &self,
        site: &Site<'_, '_>,
        value: ValueId,
        expr: &'e TileExpr,
    ) -> Option<(ValueId, &'e Scalar)> {
        part_of(&site.values, value, expr).filter(|_| !self.targets.contains_key(&value))
    }

    /// The mutable value whose place a value is computed in.
    pub(super) fn replaces(&self, v: ValueId) -> Option<ValueId> {
        match self.targets.get(&v) {
            Some(Target::Mutable(m)) => Some(*m),
            Some(Target::Group(_)) | None => None,
        }
    }

    /// Where the value that statement `at` defines is to be computed.
    pub(super) fn place(
        &mut self,
        site: &mut Site<'_, '_>,
        at: usize,
        value: ValueId,
        expr: &TileExpr,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<Home> {
        let span = self.stmts[at].span;
        match self.targets.get(&value) {
            Some(Target::Group(g)) => {
                let tensor = self.groups[*g].begin(site, span, out);
                return Ok(Home {
                    tensor,
                    owner: Owner::Other,
                });
            }
            Some(Target::Mutable(m)) => {
                return Ok(Home {
                    tensor: site.home(*m)?,
                    owner: Owner::Other,
                })
            }
            None => {}
        }
        if let Some(home) = self.in_place(site, at, value, expr) {
            return Ok(home);
        }
        if let Some(tensor) = self.lent(site, at, value, out) {
            return Ok(Home {
                tensor,
                owner: Owner::Other,
            });
        }
        let bytes = site.values.value_bytes(site.host, value)?;
        let wanted = Wanted {
            bytes,
            ..site.wanted(&site.values.tile(value)?, site.values.ty(value), span)
        };
        let (slot, tensor) = site.places.take_for(site.values.name(value), &wanted);
        Ok(Home {
            tensor,
            owner: Owner::Slot(slot),
        })
    }

    /// The place of an operand that dies.
    fn in_place(
        &self,
        site: &mut Site<'_, '_>,
        at: usize,
        value: ValueId,
        expr: &TileExpr,
    ) -> Option<Home> {
        if site.values.is_mutable(value) || !allows_in_place(expr) {
            return None;
        }
        expr.operands().find_map(|a| {
            let dies = self.life.last.get(&a) == Some(&at) && !site.values.is_mutable(a);
            let may =
                dies && site.values.are_alike(a, value) && !self.reads_part(expr, a, &site.values);
            may.then(|| site.places.take_over(a)).flatten()
        })
    }

    /// The VECOUT tensor of a value that is computed only after this one is no longer needed: no memory of its own.
    fn lent(
        &mut self,
        site: &mut Site<'_, '_>,
        at: usize,
        value: ValueId,
        out: &mut Vec<queue::Stmt>,
    ) -> Option<TensorId> {
        let last = *self.life.last.get(&value)?;
        // Where stores take turns with queues a tensor is there as long as what leaves alone.
        if site.places.queues.buffers.stores != Stores::Alone {
            return None;
        }
        let parts = &self.parts;
        let part = |at: usize| parts.iter().filter(|from| at >= **from).count();
        let free = |g: &&mut Group<'_>| {
            let alike =
                site.values.are_alike(g.leaving.value, value) && !site.values.is_mutable(value);
            // A tensor that is sent only where something is inside is there no longer than that.
            let lends =
                g.leaving.leaves != Leaves::MovedUp && g.lent.is_none_or(|until| until < at);
            let alike = alike && site.host.binding.same(g.ty(site), site.values.ty(value));
            alike && part(at) == part(g.leaving.begins) && last < g.leaving.begins && lends
        };
        let group = self.groups.iter_mut().find(free)?;
        group.lent = Some(last);
        Some(group.begin(site, self.stmts[at].span, out))
    }

    /// A value is stored: what could not be computed in place (a load, a mutable value, one of another list) is copied.
    pub(super) fn store(
        &mut self,
        site: &mut Site<'_, '_>,
        at: usize,
        value: ValueId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let span = self.stmts[at].span;
        let group = self
            .groups
            .iter_mut()
            .find(|g| g.leaving.stores.iter().any(|(i, ..)| *i == at));
        let group = group.ok_or_else(|| Gap::new("a store of no group", span))?;
        // The tensor may be there though the value is not: it was lent. Later stores of the group find the copy of the first.
        let is_first = group.leaving.stores.iter().all(|(i, ..)| *i >= at);
        if group.leaving.leaves == Leaves::MovedUp {
            return group.leave_moved_up(site, span, out);
        }
        let (tensor, home) = (group.begin(site, span, out), site.home(value)?);
        if group.leaving.leaves == Leaves::Single {
            return spread_out(site, tensor, value, span, out);
        }
        if is_first && home != tensor {
            out.push(local_copy(site, tensor, home, value, span)?);
        }
        Ok(())
    }

    /// The elements of a value whose bits are 1 go to the tensor that leaves, one behind the other.
    pub(super) fn append(
        &mut self,
        site: &mut Site<'_, '_>,
        at: usize,
        value: ValueId,
        mask: ValueId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let span = self.stmts[at].span;
        let group = self
            .groups
            .iter_mut()
            .find(|g| g.leaving.packed.is_some_and(|packed| packed.at == at));
        let group = group.ok_or_else(|| Gap::new("an append of no group", span))?;
        let tensor = group.begin(site, span, out);
        let kept = site.host.fresh(
            &format!("{}_kept", site.tensor_name(group.leaving.of)),
            ScalarTy::Index,
        );
        group
            .leaving
            .packed
            .iter_mut()
            .for_each(|packed| packed.kept = Some(kept));
        pack::gathered(site, tensor, value, mask, kept, span, out)
    }

    /// Statement `at` is done: what died there gives its memory back, and what is complete is sent out.
    pub(super) fn pass(
        &self,
        site: &mut Site<'_, '_>,
        at: usize,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let span = self.stmts[at].span;
        let leaving = || self.groups.iter().filter(|g| g.leaving.ready == at);
        let chooses = |v: &ValueId| {
            leaving().any(|g| {
                g.leaving
                    .stores
                    .iter()
                    .any(|(_, to, _)| to.ids().any(|ids| ids.value == *v))
            })
        };
        let (late, dead): (Vec<_>, Vec<_>) = self
            .ends
            .get(&at)
            .into_iter()
            .flatten()
            .copied()
            .partition(chooses);
        dead.into_iter()
            .try_for_each(|v| release(site, v, span, out))?;
        leaving().try_for_each(|g| g.leave(self.stmts, site, out))?;
        late.into_iter()
            .try_for_each(|v| release(site, v, span, out))
    }

    /// Ends the list.
    pub(super) fn close(self, site: &mut Site<'_, '_>, out: &mut Vec<queue::Stmt>) -> Made<()> {
        let mutable: Vec<ValueId> = self
            .life
            .defined
            .iter()
            .filter(|v| site.values.is_mutable(**v))
            .copied()
            .collect();
        if let Some(end) = self.stmts.last() {
            mutable
                .into_iter()
                .try_for_each(|v| release(site, v, end.span, out))?;
        }
        site.places.columns.leave(&mut site.places.pool);
        site.places.queues.leave();
        Ok(())
    }
}

impl Group<'_> {
    /// Element type of its tensor: what is packed is a value of a type in which it can be.
    fn ty(&self, site: &Site<'_, '_>) -> Ty {
        let packed = self
            .leaving
            .packed
            .as_ref()
            .and_then(|packed| packed.to.param())
            .and_then(|param| site.host.sig().dtype(param));
        packed.unwrap_or(site.values.ty(self.leaving.value))
    }

    /// Its tensor, made where it is not there yet.
    fn begin(
        &mut self,
        site: &mut Site<'_, '_>,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> TensorId {
        let ty = self.ty(site);
        *self.tensor.get_or_insert_with(|| {
            let tensor = site
                .places
                .decls
                .tensor(&format!("{}_out", site.tensor_name(self.leaving.of)), ty);
            out.push(QueueOp::Alloc.of(tensor, self.queue, span));
            tensor
        })
    }

    /// Sends out what of it is inside of its tensor in GM, each run moved up to begin with that.
    fn leave_moved_up(
        &mut self,
        site: &mut Site<'_, '_>,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        let [(_, to, _)] = self.leaving.stores[..] else {
            return Err(Gap::new("several stores that are moved up as one", span));
        };
        has_pad(site, "store_in", span)?;
        let part = Inside::of(site, to, None, span, out)?;
        let (cond, mut sent) = (part.cond.clone(), Vec::new());
        let tensor = self.begin(site, span, &mut sent);
        part.moved_up(site, tensor, self.leaving.value, span, &mut sent)?;
        let done = self.pass_on(site, tensor, span, &mut sent);
        sent.push(part.copied_out(site, to, done, span));
        sent.push(QueueOp::Free.of(done, self.queue, span));
        out.extend(where_inside(cond, sent, span));
        Ok(())
    }

    /// What is computed in it is there for the copy, under another name.
    fn pass_on(
        &self,
        site: &mut Site<'_, '_>,
        tensor: TensorId,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> TensorId {
        out.push(QueueOp::Enque.of(tensor, self.queue, span));
        let decls = &mut site.places.decls;
        let name = decls.tensors[tensor.index()].name.replace("_out", "_done");
        let done = decls.tensor(&name, decls.ty(tensor));
        out.push(QueueOp::Deque.of(done, self.queue, span));
        done
    }

    /// Sends it out.
    fn leave(
        &self,
        stmts: &[tile::Stmt],
        site: &mut Site<'_, '_>,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        // That has left with its store.
        if self.leaving.leaves == Leaves::MovedUp {
            return Ok(());
        }
        let (queue, span_of) = (self.queue, |at: usize| stmts[at].span);
        let span = self
            .leaving
            .stores
            .last()
            .map_or(stmts[self.leaving.ready].span, |(at, ..)| span_of(*at));
        let tensor = self
            .tensor
            .ok_or_else(|| Gap::new("a store of a value that was not computed", span))?;
        let done = self.pass_on(site, tensor, span, out);
        for (at, to, how) in &self.leaving.stores {
            copy_out(site, to, *how, done, span_of(*at), out)?;
        }
        if let Some(Packed {
            to,
            kept: Some(kept),
            ..
        }) = self.leaving.packed
        {
            pack::copied(site, to, kept, done, span, out)?;
        }
        out.push(QueueOp::Free.of(done, queue, span));
        Ok(())
    }
}

/// Takes back what a value held.
fn release(
    site: &mut Site<'_, '_>,
    v: ValueId,
    span: SpanId,
    out: &mut Vec<queue::Stmt>,
) -> Made<()> {
    let freed = site.places.release(v)?;
    out.extend(freed.map(|(queue, tensor)| QueueOp::Free.of(tensor, queue, span)));
    Ok(())
}
