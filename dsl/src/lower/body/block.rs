//! One list of statements: the lives of its values, their stores, and the places where they are
//! computed.
//!
//! A stored value is computed in a VECOUT tensor, and so is the chain of values that die into it.
//! The new content of a mutable value is computed in the place of that value.

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
    /// The last statement that uses the tensor for other values before the stored one is computed
    /// there.
    lent: Option<usize>,
}

/// Stores that leave together.
struct Leaving<'s> {
    /// Their first tensor in GM.
    of: TensorRef,
    /// The stores, with their indices in the list.
    stores: Vec<(usize, &'s Access, StoreHow)>,
    leaves: Leaves,
    /// An append in place of stores.
    packed: Option<Packed<'s>>,
    /// The statement after which the tensor is complete and no longer read.
    ready: usize,
    /// True if that is the last use of the value, which may then be computed in the tensor; else
    /// the tensor holds a copy.
    waits: bool,
    value: ValueId,
    /// The first statement that computes the stored value. Until then the tensor may hold other
    /// values.
    begins: usize,
    span: SpanId,
}

/// The layout of a value in its VECOUT tensor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    /// The layout in which it was computed.
    AsItIs,
    /// A separate data block for each element.
    Single,
    /// Each run, from its first element inside of the tensor in GM on.
    MovedUp,
}

/// A statement that appends; `kept` is the number of elements that it packs.
#[derive(Clone, Copy)]
struct Packed<'s> {
    at: usize,
    to: &'s Access,
    kept: Option<VarId>,
}

/// The place of a value that has no buffer of its own.
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
    /// For each statement, the immutable values with their last use there, in the order of
    /// definitions.
    ends: BTreeMap<usize, Vec<ValueId>>,
    groups: Vec<Group<'s>>,
    targets: BTreeMap<ValueId, Target>,
    /// Statements at which parts of the list begin that run under separate conditions.
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
        // The source of a part lives as long as the part.
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

    /// Returns one group for each stored value whose copies to GM may all wait for its last use. A
    /// store gets its own group if a later statement accesses the same tensor or the value changes.
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
            // Copies at data indices need the indices, which may die before the last use.
            let last_use = last_use.filter(|last| *last == at || to.ids().next().is_none());
            // Other layouts cannot be computed in the tensor directly.
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

    /// Gives a group a queue: its own, or one whose tensor has left by then.
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

    /// Returns the definition of a value that this list computes and nothing changes later.
    fn computed(&self, v: ValueId, values: &Values<'_>) -> Option<&'s TileExpr> {
        let expr = self.life.expr(self.stmts, v)?;
        (!values.is_mutable(v) && !values.is_direct_load(expr)).then_some(expr)
    }

    /// Decides which values are computed in VECOUT tensors: stored ones, and those that die into
    /// them.
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

    /// Returns the operand of a value that may be computed in the value's place.
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

    /// True if another operand is part of `of`, whose elements must stay until that operand is
    /// read.
    fn reads_part(&self, expr: &TileExpr, of: ValueId, values: &Values<'_>) -> bool {
        let source =
            |a: ValueId| part_of(values, a, self.life.expr(self.stmts, a)?).map(|(from, _)| from);
        expr.operands()
            .any(|a| std::iter::successors(source(a), |from| source(*from)).any(|from| from == of))
    }

    /// True if an operand lies in the memory of a load that dies with it. The tensor of the value
    /// may then be lent to other values until it is needed.
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

    /// Decides which values are computed in the place of the mutable value that they become.
    /// Nothing may read the old content in between.
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
            // A value that is computed before the mutable one is defined cannot use its memory.
            let began = self.life.defs.get(&m).is_none_or(|begin| begin < at);
            let between = self.stmts[at + 1..i].iter().any(|s| touches(s, m));
            let reads_itself = expr.operands().any(|a| a == m);
            if began && !between && (!reads_itself || allows_in_place(expr)) {
                self.targets.insert(from, Target::Mutable(m));
            }
        }
    }

    /// Returns the value of which another one is part, with the first row, unless it has its own
    /// place.
    pub(super) fn part<'e>(
        &self,
        site: &Site<'_, '_>,
        value: ValueId,
        expr: &'e TileExpr,
    ) -> Option<(ValueId, &'e Scalar)> {
        part_of(&site.values, value, expr).filter(|_| !self.targets.contains_key(&value))
    }

    /// Returns the mutable value in whose place a value is computed.
    pub(super) fn replaces(&self, v: ValueId) -> Option<ValueId> {
        match self.targets.get(&v) {
            Some(Target::Mutable(m)) => Some(*m),
            Some(Target::Group(_)) | None => None,
        }
    }

    /// Returns the place of the value that statement `at` defines.
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

    /// Returns the place of an operand that dies.
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

    /// Returns the VECOUT tensor of a value that is computed only after this one dies.
    fn lent(
        &mut self,
        site: &mut Site<'_, '_>,
        at: usize,
        value: ValueId,
        out: &mut Vec<queue::Stmt>,
    ) -> Option<TensorId> {
        let last = *self.life.last.get(&value)?;
        // Queues that stores share hold a tensor only as long as its own store needs it.
        if site.places.queues.buffers.stores != Stores::Alone {
            return None;
        }
        let parts = &self.parts;
        let part = |at: usize| parts.iter().filter(|from| at >= **from).count();
        let free = |g: &&mut Group<'_>| {
            let alike =
                site.values.are_alike(g.leaving.value, value) && !site.values.is_mutable(value);
            // Such a tensor exists only under the condition that some elements are inside.
            let lends =
                g.leaving.leaves != Leaves::MovedUp && g.lent.is_none_or(|until| until < at);
            let alike = alike && site.host.binding.same(g.ty(site), site.values.ty(value));
            alike && part(at) == part(g.leaving.begins) && last < g.leaving.begins && lends
        };
        let group = self.groups.iter_mut().find(free)?;
        group.lent = Some(last);
        Some(group.begin(site, self.stmts[at].span, out))
    }

    /// Stores a value. It is copied if it could not be computed in place, as loads, mutable values
    /// and values of other lists.
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
        // A lent tensor exists before its value does. Later stores of the group use the copy of the
        // first one.
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

    /// Packs the elements of a value under a mask into the tensor that leaves.
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

    /// Ends statement `at`: frees the memory of values that died, and sends complete tensors out.
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
    /// Returns the element type of its tensor. Appended values may be packed in another type.
    fn ty(&self, site: &Site<'_, '_>) -> Ty {
        let packed = self
            .leaving
            .packed
            .as_ref()
            .and_then(|packed| packed.to.param())
            .and_then(|param| site.host.sig().dtype(param));
        packed.unwrap_or(site.values.ty(self.leaving.value))
    }

    /// Returns its tensor, which is allocated at the first use.
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

    /// Stores the part of a value that lies inside of its tensor in GM, with each run moved up to
    /// its first such element.
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

    /// Passes the tensor through its queue, and returns it under the name after DeQue.
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

    /// Copies the tensor to GM.
    fn leave(
        &self,
        stmts: &[tile::Stmt],
        site: &mut Site<'_, '_>,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<()> {
        // These have left with their store.
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

/// Releases the memory of a value.
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
