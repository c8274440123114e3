//! Where values live: in a dequeued VECIN tensor, in a VECOUT tensor on its way out, or in a TBuf shared by liveness.

use super::life::{touches, Life};
use super::ops::allows_in_place;
use super::stream::operands;
use super::tile::Builder;
use crate::ir::{
    Arg, Extent, ParamId, QueueId, SpanId, Stmt, StmtKind, TPosition, TensorId, TileExpr, TileShape, Ty, ValueId, View,
};
use crate::ops::LayoutOp;
use std::collections::BTreeMap;

/// Where a value lives.
#[derive(Clone, Debug)]
pub(super) struct Home {
    pub(super) tensor: TensorId,
    pub(super) owner: Owner,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Owner {
    /// A dequeued VECIN tensor, to be freed with its last value.
    In(QueueId),
    /// Part of the block that the loads of a run share.
    Group(QueueId),
    /// A VECOUT tensor of the n-th store group of the block of statements.
    Out(usize),
    /// A TBuf.
    Slot(usize),
    /// Nothing: the place went on to the value computed in it.
    Passed,
}

/// Values that leave through one VECOUT tensor.
pub(super) struct Group {
    pub(super) queue: QueueId,
    pub(super) tensor: Option<TensorId>,
    /// Its stores, with their indices in the scope.
    pub(super) stores: Vec<(usize, Stmt)>,
    /// Index of the statement after which the tensor is complete and no longer read.
    pub(super) ready: usize,
    /// True where that is the last use of the value, which may then be computed there; else it holds a copy.
    pub(super) waits: bool,
    pub(super) value: ValueId,
}

/// Where a value is computed when not in a buffer of its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// The VECOUT tensor of a store group.
    Group(usize),
    /// The buffer of the mutable value that it becomes.
    Mutable(ValueId),
}

impl Builder<'_, '_> {
    // ---- results ----

    /// Where a value is to be computed.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn target(
        &mut self,
        value: ValueId,
        expr: &TileExpr,
        i: usize,
        span: SpanId,
        life: &Life,
        groups: &mut [Group],
        designated: &BTreeMap<ValueId, Target>,
        out: &mut Vec<Stmt>,
    ) -> Home {
        let ty = self.ty(value);
        match designated.get(&value) {
            Some(Target::Group(g)) => {
                let tensor = match groups[*g].tensor {
                    Some(t) => t,
                    None => {
                        let stored = groups[*g].value;
                        self.alloc_out(&mut groups[*g], self.ty(stored), span, out)
                    }
                };
                return Home { tensor, owner: Owner::Out(*g) };
            }
            Some(Target::Mutable(m)) => {
                if let Some(h) = self.homes.get(m) {
                    return Home { tensor: h.tensor, owner: Owner::Passed };
                }
            }
            None => {}
        }
        let shape = self.shape(value);
        let mutable = self.src.values[value.index()].mutable;
        if !mutable && allows_in_place(expr) {
            for a in operands(expr) {
                let dies = life.last.get(&a) == Some(&i) && !self.src.values[a.index()].mutable;
                let fits = self.shape(a) == shape && self.ty(a).resolve(self.host.binding) == ty.resolve(self.host.binding);
                let Some(home) = self.homes.get(&a) else { continue };
                if dies && fits && matches!(home.owner, Owner::In(_) | Owner::Slot(_)) {
                    let home = home.clone();
                    self.homes.insert(a, Home { tensor: home.tensor, owner: Owner::Passed });
                    return home;
                }
            }
        }
        let bytes = self.buffer_bytes(shape, ty);
        let (name, purpose) = if ty == Ty::Mask { ("mask", "bits of a compare") } else { ("calc", "intermediate values") };
        let (slot, tensor) = self.take_slot(&bytes, ty, name, purpose, span);
        Home { tensor, owner: Owner::Slot(slot) }
    }

    pub(super) fn alloc_out(&mut self, group: &mut Group, ty: Ty, span: SpanId, out: &mut Vec<Stmt>) -> TensorId {
        let name = match group.stores.first().map(|(_, s)| &s.kind) {
            Some(StmtKind::Store { param, .. }) => self.host.sig().param(*param).name.clone(),
            _ => "result".to_string(),
        };
        let tensor = self.tensor(&format!("{name}_out"), ty);
        out.push(Stmt { kind: StmtKind::Alloc { tensor, queue: group.queue }, span });
        group.tensor = Some(tensor);
        tensor
    }

    pub(super) fn local_copy(
        &mut self,
        dst: TensorId,
        src: TensorId,
        shape: TileShape,
        ty: Ty,
        span: SpanId,
        out: &mut Vec<Stmt>,
    ) {
        let lanes = self.host.chip.data_block_bytes / self.size(ty);
        let live = self.live(shape);
        let n = if self.host.multiple_of(&live) % lanes == 0 { live } else { live.align_up(lanes) };
        let views = [View::local(dst, 0), View::local(src, 0)];
        out.push(super::ops::instr(LayoutOp::LocalCopy, Extent::Count { n }, views.map(Arg::from), span));
    }

    /// One group for each value that statements of this scope store, where all its copies to GM may wait for the last use of
    /// the value. What must leave before, since a later statement touches the same tensor or the value changes, is a copy of
    /// its own.
    pub(super) fn store_groups(&mut self, stmts: &[Stmt], life: &Life) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (i, s) in stmts.iter().enumerate() {
            let StmtKind::Store { value, param, .. } = &s.kind else { continue };
            let last = life.last.get(value).copied().unwrap_or(i).max(i);
            let waits = !self.src.values[value.index()].mutable
                && life.defs.contains_key(value)
                && !stmts[i + 1..=last].iter().any(|s| touches_tensor(s, *param));
            if waits {
                if let Some(g) = groups.iter_mut().find(|g| g.waits && g.value == *value) {
                    g.stores.push((i, s.clone()));
                    continue;
                }
            }
            let name = self.host.sig().param(*param).name.clone();
            let bytes = self.buffer_bytes(self.shape(*value), self.ty(*value));
            let queue = self.queue(TPosition::VecOut, &name, bytes, groups.len(), s.span);
            let ready = if waits { last } else { i };
            groups.push(Group { queue, tensor: None, stores: vec![(i, s.clone())], ready, waits, value: *value });
        }
        groups
    }

    /// Values that are computed right where they are wanted: in a VECOUT tensor, or in the mutable value they become.
    pub(super) fn designate(&self, stmts: &[Stmt], life: &Life, groups: &[Group]) -> BTreeMap<ValueId, Target> {
        let mut found: BTreeMap<ValueId, Target> = BTreeMap::new();
        let own = |v: &ValueId| life.defs.contains_key(v) && !self.src.values[v.index()].mutable;
        let computed = |v: &ValueId| own(v) && !matches!(life.expr(stmts, *v), Some(TileExpr::Load { .. }) | None);
        for (g, group) in groups.iter().enumerate() {
            let mut v = group.value;
            if !group.waits || !computed(&v) {
                continue;
            }
            found.insert(v, Target::Group(g));
            while let Some(expr) = life.expr(stmts, v).filter(|e| allows_in_place(e)) {
                let at = life.defs[&v];
                let same = |a: &ValueId| {
                    self.shape(*a) == self.shape(v)
                        && self.ty(*a).resolve(self.host.binding) == self.ty(v).resolve(self.host.binding)
                };
                let stored = |a: &ValueId| groups.iter().any(|g| g.value == *a);
                let next = operands(expr)
                    .find(|a| computed(a) && same(a) && !stored(a) && !found.contains_key(a) && life.last.get(a) == Some(&at));
                let Some(a) = next else { break };
                found.insert(a, Target::Group(g));
                v = a;
            }
        }
        for (i, s) in stmts.iter().enumerate() {
            let StmtKind::Set { value: m, from } = &s.kind else { continue };
            if !computed(from) || found.contains_key(from) || life.last.get(from) != Some(&i) {
                continue;
            }
            let Some(expr) = life.expr(stmts, *from) else { continue };
            let at = life.defs[from];
            let between = stmts[at + 1..i].iter().any(|s| touches(s, *m));
            let reads_itself = operands(expr).any(|a| a == *m);
            if !between && (!reads_itself || allows_in_place(expr)) {
                found.insert(*from, Target::Mutable(*m));
            }
        }
        found
    }

    /// Sends out the tensors that are complete.
    pub(super) fn leave(&mut self, i: usize, groups: &mut [Group], out: &mut Vec<Stmt>) {
        for group in groups.iter_mut().filter(|g| g.ready == i) {
            let Some(tensor) = group.tensor else { continue };
            let queue = group.queue;
            let span = group.stores.last().map_or(SpanId(0), |(_, s)| s.span);
            out.push(Stmt { kind: StmtKind::Enque { tensor, queue }, span });
            let name = self.out.tensors[tensor.index()].name.replace("_out", "_done");
            let dtype = self.out.tensors[tensor.index()].dtype;
            let done = self.tensor(&name, dtype);
            out.push(Stmt { kind: StmtKind::Deque { tensor: done, queue }, span });
            for (_, s) in &group.stores {
                let StmtKind::Store { of, access, param, .. } = &s.kind else { continue };
                out.push(self.copy_out((*of, *access, *param), done, s.span));
            }
            out.push(Stmt { kind: StmtKind::Free { tensor: done, queue }, span });
        }
    }

    /// Gives back what the values that die at statement `i` held.
    pub(super) fn release(&mut self, i: usize, life: &Life, span: SpanId, out: &mut Vec<Stmt>) {
        let dead: Vec<ValueId> = life
            .defined
            .iter()
            .filter(|v| life.last.get(v) == Some(&i) && !self.src.values[v.index()].mutable)
            .copied()
            .collect();
        for v in dead {
            self.drop_value(v, span, out);
        }
    }

    pub(super) fn drop_value(&mut self, v: ValueId, span: SpanId, out: &mut Vec<Stmt>) {
        let Some(home) = self.homes.remove(&v) else { return };
        self.drop_blocks(|_, b| b != v);
        match home.owner {
            Owner::In(queue) => out.push(Stmt { kind: StmtKind::Free { tensor: home.tensor, queue }, span }),
            Owner::Slot(slot) => self.free_slot(slot),
            Owner::Out(_) | Owner::Passed => {}
            Owner::Group(queue) => {
                let Some((tensor, left)) = self.group_left.get_mut(&queue) else { return };
                *left -= 1;
                if *left == 0 {
                    out.push(Stmt { kind: StmtKind::Free { tensor: *tensor, queue }, span });
                    self.group_left.remove(&queue);
                }
            }
        }
    }
}

/// True where a statement, or one below it, reads from or writes to a tensor.
fn touches_tensor(s: &Stmt, tensor: ParamId) -> bool {
    let mut found = false;
    crate::ir::walk_stmts(std::slice::from_ref(s), &mut |s| {
        found |= match &s.kind {
            StmtKind::Store { param, .. } | StmtKind::Def { expr: TileExpr::Load { param, .. }, .. } => *param == tensor,
            _ => false,
        }
    });
    found
}
