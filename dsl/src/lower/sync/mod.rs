//! Inserts waits between pipes, where no queue orders them.
//!
//! The IR means its statements one after the other. Queues order the pipes on tensors that pass
//! through them. Three things stay open, which this last pass of every lowering closes:
//!
//! - **Scalar access to UB.** A read or write of an element waits for the vector unit, and the
//!   vector unit waits for a write. A vector call that the scalar unit begins waits likewise;
//!   inside the call the vector unit waits by itself.
//! - **GM.** Two stores may be in flight on MTE3 together. A load on MTE2 may overtake a store
//!   before it. A store may overtake a load for which no vector call on its way has waited. So a
//!   copy waits for earlier copies that may touch its elements.
//! - **Copies that fill one tensor.** Two copies from GM may be in flight on MTE2 together. Copies
//!   of an author into one tensor stay in the order of the text, unless offsets or iterations show
//!   different elements. Lowered tile loops fill each element once.
//!
//! The scalar unit writes GM through lines of its cache, for which offsets say nothing. So it waits
//! for all copies of the tensor, and they wait for it.
//!
//! Two iterations of a loop touch different elements if those terms of both offsets that depend on
//! the iteration are equal: an iteration has its own share, as a block has.

pub mod overlap;

use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    Extent, Instr, Layout, Level, QueueId, QueueOp, QueueStmt, Scalar, SpanId, StmtKind, SyncOp,
    TensorId, TensorRef, View,
};
use crate::ops::contract::{Access, Pipe};
use crate::ops::{Op, ScalarOp};
use overlap::{Meeting, Touched};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Inserts all waits into a body that has none. `level` is the level at which the kernel was
/// written.
pub(super) fn insert_waits(body: &mut Body, level: Level) {
    let meeting = Meeting::of(&body.stmts);
    let fills = level == Level::Queue;
    let mut copies = Copies {
        meeting: &meeting,
        before: BTreeMap::new(),
        clock: 0,
        fills,
    };
    copies.list(&body.stmts, &mut Flight::default());
    let before = copies.before;
    let mut stmts = std::mem::take(&mut body.stmts);
    if !before.is_empty() {
        stmts = with_copies(stmts, &before);
    }
    body.stmts = with_scalars(stmts, true);
}

fn order(from: Pipe, to: Pipe, span: SpanId) -> Stmt {
    Stmt {
        kind: StmtKind::Do(QueueStmt::Sync {
            what: SyncOp::Order { from, to },
        }),
        span,
    }
}

// ---- scalar access ----

/// Inserts a wait for the vector unit before a run of scalar accesses, and before a call that the
/// scalar unit begins. Inserts a wait for the scalar unit behind a run of writes.
fn with_scalars(stmts: Vec<Stmt>, begins_busy: bool) -> Vec<Stmt> {
    let mut out = Vec::with_capacity(stmts.len());
    // `busy`: vector calls may be in flight. `wrote`: an element was written since.
    let (mut busy, mut wrote) = (begins_busy, None);
    for mut s in stmts {
        // A loop that reads indices waits once, before all its iterations.
        let reads = matches!(s.kind, StmtKind::For { .. }) && reads_indices(&s) == Some(true);
        for list in s.children_mut().into_iter().flatten() {
            *list = with_scalars(std::mem::take(list), !reads);
        }
        let access = scalar_op(&s).or(reads.then_some(ScalarOp::GetIndex));
        let is_plain = matches!(
            s.kind,
            StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Promise { .. }
        );
        match access {
            Some(op) => {
                if busy {
                    out.push(order(Pipe::V, Pipe::S, s.span));
                }
                busy = false;
                if op == ScalarOp::SetValue {
                    wrote = Some(s.span);
                }
            }
            // The scalar unit computes these itself.
            None if is_plain => {}
            None => {
                out.extend(wrote.take().map(|span| order(Pipe::S, Pipe::V, span)));
                if busy && begins_on_scalar(&s) {
                    out.push(order(Pipe::V, Pipe::S, s.span));
                }
                busy = true;
            }
        }
        out.push(s);
    }
    out.extend(wrote.map(|span| order(Pipe::S, Pipe::V, span)));
    out
}

/// Returns true if a statement reads indices; `None` if it does anything else than that and copies.
fn reads_indices(s: &Stmt) -> Option<bool> {
    match &s.kind {
        StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Promise { .. } => {
            Some(false)
        }
        StmtKind::Do(QueueStmt::Instr { instr }) => match instr.op.contract().pipe {
            Pipe::Mte2 | Pipe::Mte3 => Some(false),
            Pipe::S if instr.op == Op::Scalar(ScalarOp::GetIndex) => Some(true),
            Pipe::S | Pipe::V => None,
        },
        StmtKind::For { body, .. } => body
            .iter()
            .try_fold(false, |found, s| Some(reads_indices(s)? || found)),
        StmtKind::If { .. } | StmtKind::Do(_) => None,
    }
}

fn scalar_op(s: &Stmt) -> Option<ScalarOp> {
    let StmtKind::Do(QueueStmt::Instr {
        instr: Instr {
            op: Op::Scalar(op), ..
        },
    }) = &s.kind
    else {
        return None;
    };
    match op {
        // No vector call touches GM.
        ScalarOp::GetGlobal | ScalarOp::SetGlobal | ScalarOp::CleanLine => None,
        ScalarOp::GetValue | ScalarOp::GetIndex | ScalarOp::SetValue | ScalarOp::Dump => Some(*op),
    }
}

fn begins_on_scalar(s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Do(QueueStmt::Instr { instr }) if instr.op.contract().begins == Some(Pipe::S))
}

// ---- copies ----

/// The waits before each statement, keyed by its address: statements do not move until all are
/// found.
type Before = BTreeMap<*const Stmt, BTreeSet<Wait>>;

/// A wait between two pipes. Before one statement, barriers of a pipe with itself come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wait {
    is_barrier: bool,
    from: Pipe,
    to: Pipe,
}

fn with_copies(mut stmts: Vec<Stmt>, before: &Before) -> Vec<Stmt> {
    let waits: Vec<_> = stmts
        .iter()
        .map(|s| before.get(&std::ptr::from_ref(s)))
        .collect();
    for s in &mut stmts {
        for list in s.children_mut().into_iter().flatten() {
            *list = with_copies(std::mem::take(list), before);
        }
    }
    let mut out = Vec::with_capacity(stmts.len());
    for (s, waits) in stmts.into_iter().zip(waits) {
        out.extend(
            waits
                .into_iter()
                .flatten()
                .map(|wait| order(wait.from, wait.to, s.span)),
        );
        out.push(s);
    }
    out
}

/// A copy from GM for which later stores may have to wait.
#[derive(Clone, Debug)]
struct Load<'a> {
    touched: Touched<'a>,
    /// The time at which the vector unit waited for it.
    dequeued: Option<u32>,
    /// True until a store has waited for it.
    open: bool,
    /// True until the scalar unit has waited for it.
    before_scalars: bool,
    /// The tensor that it fills.
    into: TensorId,
}

/// A copy to GM for which later copies may have to wait.
#[derive(Clone, Debug)]
struct Store<'a> {
    touched: Touched<'a>,
    does: Access,
    /// True until a load has waited for it.
    before_loads: bool,
    /// True until a store has waited for it.
    before_stores: bool,
    /// True until the scalar unit has waited for it.
    before_scalars: bool,
}

/// A copy into a local tensor for which the next one into it may have to wait.
#[derive(Clone, Debug)]
struct Fill<'a> {
    touched: Touched<'a>,
    /// The range of elements, if the tensor itself is filled and not a view of it.
    elements: Option<(Scalar, Scalar)>,
    into: TensorId,
}

impl<'a> Fill<'a> {
    fn new(dst: &'a View, extent: &'a Extent, into: TensorId) -> Self {
        let ends = |len: Scalar| (dst.offset.clone(), dst.offset.clone() + len);
        let len = match (extent, &dst.layout) {
            (Extent::Count { n }, Layout::Dense {}) => Some(n.clone()),
            (Extent::Rows { rows, cols }, Layout::Dense {}) => Some(rows.clone() * cols.clone()),
            (Extent::Rows { rows, cols }, Layout::Rows { pitch }) => {
                Some((rows.clone() - 1) * pitch.clone() + cols.clone())
            }
            _ => None,
        };
        let elements = len.filter(|_| dst.tensor() == Some(into)).map(ends);
        Fill {
            touched: Touched::new(dst, extent),
            elements,
            into,
        }
    }

    /// True if the ranges are disjoint, iterations aside.
    fn is_beside(&self, other: &Fill<'_>) -> bool {
        let ends = |of: &Fill<'_>| of.elements.clone();
        let Some(((from, to), (other_from, other_to))) = ends(self).zip(ends(other)) else {
            return false;
        };
        let behind = |to: &Scalar, from: &Scalar| match (to, from) {
            (Scalar::Int(to), Scalar::Int(from)) => to <= from,
            _ => to == from,
        };
        behind(&to, &other_from) || behind(&other_to, &from)
    }
}

/// Writes of the scalar unit to a tensor in GM: true until copies from GM, and copies to GM, have
/// waited.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    before_loads: bool,
    before_stores: bool,
}

/// Accesses that may be in flight at one point of the kernel.
#[derive(Clone, Debug, Default)]
struct Flight<'a> {
    loads: Vec<Load<'a>>,
    stores: Vec<Store<'a>>,
    fills: Vec<Fill<'a>>,
    written: BTreeMap<TensorRef, Written>,
    /// The tensor of each view.
    roots: BTreeMap<TensorId, TensorId>,
    /// For each queue, the enqueued tensors with the time of their EnQue.
    waiting: BTreeMap<QueueId, VecDeque<(TensorId, u32)>>,
    /// For each dequeued tensor, the time of its EnQue.
    sent: BTreeMap<TensorId, u32>,
}

impl<'a> Flight<'a> {
    fn root(&self, tensor: TensorId) -> TensorId {
        self.roots.get(&tensor).copied().unwrap_or(tensor)
    }

    fn enque(&mut self, tensor: TensorId, queue: QueueId, now: u32) {
        self.waiting
            .entry(queue)
            .or_default()
            .push_back((tensor, now));
    }

    fn deque(&mut self, tensor: TensorId, queue: QueueId, now: u32) {
        // A DeQue of an empty queue is an error that the protocol check reports.
        let Some((filled, then)) = self.waiting.get_mut(&queue).and_then(VecDeque::pop_front)
        else {
            return;
        };
        self.sent.insert(tensor, then);
        for load in self
            .loads
            .iter_mut()
            .filter(|l| l.into == filled && l.dequeued.is_none())
        {
            load.dequeued = Some(now);
        }
    }

    fn turned(&mut self, change: &mut dyn FnMut(&mut Touched<'a>)) {
        let fills = self.fills.iter_mut().map(|f| &mut f.touched);
        let loads = self.loads.iter_mut().map(|l| &mut l.touched);
        loads
            .chain(self.stores.iter_mut().map(|s| &mut s.touched))
            .chain(fills)
            .for_each(change);
    }

    /// Merges two paths: accesses stay open if either path has not waited for them.
    fn join(&mut self, other: Flight<'a>) {
        for theirs in other.stores {
            match self
                .stores
                .iter_mut()
                .find(|s| s.does == theirs.does && s.touched.is_at(&theirs.touched))
            {
                Some(ours) => {
                    ours.before_loads |= theirs.before_loads;
                    ours.before_stores |= theirs.before_stores;
                    ours.before_scalars |= theirs.before_scalars;
                    ours.touched.join(&theirs.touched);
                }
                None => self.stores.push(theirs),
            }
        }
        for theirs in other.fills {
            match self
                .fills
                .iter_mut()
                .find(|f| f.into == theirs.into && f.touched.is_at(&theirs.touched))
            {
                Some(ours) => ours.touched.join(&theirs.touched),
                None => self.fills.push(theirs),
            }
        }
        for theirs in other.loads {
            match self
                .loads
                .iter_mut()
                .find(|l| l.into == theirs.into && l.touched.is_at(&theirs.touched))
            {
                Some(ours) => {
                    ours.open |= theirs.open;
                    ours.before_scalars |= theirs.before_scalars;
                    ours.dequeued = ours.dequeued.zip(theirs.dequeued).map(|(a, b)| a.max(b));
                    ours.touched.join(&theirs.touched);
                }
                None => self.loads.push(theirs),
            }
        }
        for (of, theirs) in other.written {
            let ours = self.written.entry(of).or_default();
            ours.before_loads |= theirs.before_loads;
            ours.before_stores |= theirs.before_stores;
        }
    }
}

/// The walk that finds the waits of copies.
struct Copies<'m> {
    meeting: &'m Meeting,
    before: Before,
    /// True if copies may fill a tensor one over the other.
    fills: bool,
    /// Counts statements, as the time of queue events.
    clock: u32,
}

impl Copies<'_> {
    fn list<'a>(&mut self, stmts: &'a [Stmt], flight: &mut Flight<'a>) {
        for s in stmts {
            self.clock += 1;
            match &s.kind {
                StmtKind::Do(QueueStmt::Instr { instr }) => self.instr(s, instr, flight),
                // The queue has ordered accesses to the former content of the buffer.
                StmtKind::Do(QueueStmt::Queue {
                    op: QueueOp::Alloc,
                    tensor,
                    ..
                }) => flight.fills.retain(|f| f.into != *tensor),
                StmtKind::Do(QueueStmt::Queue {
                    op: QueueOp::Enque,
                    tensor,
                    queue,
                }) => flight.enque(*tensor, *queue, self.clock),
                StmtKind::Do(QueueStmt::Queue {
                    op: QueueOp::Deque,
                    tensor,
                    queue,
                }) => flight.deque(*tensor, *queue, self.clock),
                StmtKind::Do(QueueStmt::View { tensor, of }) => {
                    if let Some(base) = of.tensor() {
                        flight.roots.insert(*tensor, flight.root(base));
                    }
                }
                StmtKind::For { var, body, .. } => {
                    // The body runs, and runs again after itself; or the loop has no iteration.
                    let skipped = flight.clone();
                    self.list(body, flight);
                    flight.turned(&mut |t| t.enter(*var));
                    self.list(body, flight);
                    flight.turned(&mut |t| t.leave(*var));
                    flight.join(skipped);
                }
                StmtKind::If { then, other, .. } => {
                    let mut otherwise = flight.clone();
                    self.list(then, flight);
                    self.list(other, &mut otherwise);
                    flight.join(otherwise);
                }
                // Both begin with a barrier of all pipes (asc-devkit, SyncAllImpl of dav_c220).
                StmtKind::Do(
                    QueueStmt::Sync {
                        what: SyncOp::All {},
                    }
                    | QueueStmt::Reset { .. },
                ) => {
                    flight.loads.clear();
                    flight.stores.clear();
                    flight.fills.clear();
                    flight.written.clear();
                }
                // An author who orders pipes by hand gets no more waits.
                StmtKind::Do(QueueStmt::Place { .. } | QueueStmt::Sync { .. }) => {}
                // A function makes vector calls only.
                StmtKind::Do(QueueStmt::Call { .. }) => {}
                // These touch neither GM nor the order of tensors in a queue.
                StmtKind::LetScalar { .. }
                | StmtKind::Promise { .. }
                | StmtKind::SetScalar { .. }
                | StmtKind::Do(
                    QueueStmt::Queue {
                        op: QueueOp::Free, ..
                    }
                    | QueueStmt::Get { .. }
                    | QueueStmt::Host { .. },
                ) => {}
            }
        }
    }

    fn instr<'a>(&mut self, s: &'a Stmt, instr: &'a Instr, flight: &mut Flight<'a>) {
        for (rule, view) in instr.views().filter(|(_, view)| view.global().is_some()) {
            match rule.access {
                _ if instr.op.contract().pipe == Pipe::S => {
                    self.scalar(s, rule.access, view, flight)
                }
                Access::Read => self.load(s, instr, view, flight),
                Access::Write
                | Access::Scratch
                | Access::Any
                | Access::Disjoint
                | Access::Add
                | Access::Max
                | Access::Min
                | Access::Line => self.store(s, instr, rule.access, view, flight),
            }
        }
    }

    /// Handles an access of the scalar unit to GM: it reads or writes an element, or writes a line
    /// back.
    fn scalar<'a>(&mut self, s: &'a Stmt, does: Access, at: &'a View, flight: &mut Flight<'a>) {
        if flight
            .stores
            .iter()
            .any(|w| w.before_scalars && w.touched.is_of(at))
        {
            self.wait(s, Pipe::Mte3, Pipe::S);
            flight
                .stores
                .iter_mut()
                .for_each(|w| w.before_scalars = false);
        }
        let Some(of) = at.global().filter(|_| does != Access::Read) else {
            return;
        };
        if flight
            .loads
            .iter()
            .any(|l| l.before_scalars && l.touched.is_of(at))
        {
            self.wait(s, Pipe::Mte2, Pipe::S);
            flight
                .loads
                .iter_mut()
                .for_each(|l| l.before_scalars = false);
        }
        flight.written.insert(
            of,
            Written {
                before_loads: true,
                before_stores: true,
            },
        );
    }

    fn load<'a>(&mut self, s: &'a Stmt, instr: &'a Instr, at: &'a View, flight: &mut Flight<'a>) {
        if at
            .global()
            .is_some_and(|of| flight.written.get(&of).is_some_and(|w| w.before_loads))
        {
            self.wait(s, Pipe::S, Pipe::Mte2);
            flight
                .written
                .values_mut()
                .for_each(|w| w.before_loads = false);
        }
        if flight
            .stores
            .iter()
            .any(|w| w.before_loads && self.meeting.meet(&w.touched, at))
        {
            self.wait(s, Pipe::Mte3, Pipe::Mte2);
            flight
                .stores
                .iter_mut()
                .for_each(|w| w.before_loads = false);
        }
        let touched = Touched::new(at, &instr.extent);
        let into = instr.dst().and_then(View::tensor).map(|t| flight.root(t));
        if let Some((into, dst)) = into.zip(instr.dst()).filter(|_| self.fills) {
            let fill = Fill::new(dst, &instr.extent, into);
            let over = |old: &Fill<'_>| {
                let other_name = old.touched.base() != &dst.base;
                old.into == into
                    && (other_name || self.meeting.meet(&old.touched, dst))
                    && !old.is_beside(&fill)
            };
            if flight.fills.iter().any(over) {
                self.wait(s, Pipe::Mte2, Pipe::Mte2);
                flight.fills.clear();
            }
            flight
                .fills
                .retain(|f| !(f.into == into && f.touched.is_at(&fill.touched)));
            flight.fills.push(fill);
        }
        if let Some(into) = into {
            flight
                .loads
                .retain(|l| !(l.into == into && l.touched.is_at(&touched)));
            flight.loads.push(Load {
                touched,
                dequeued: None,
                open: true,
                before_scalars: true,
                into,
            });
        }
    }

    fn store<'a>(
        &mut self,
        s: &'a Stmt,
        instr: &'a Instr,
        does: Access,
        at: &'a View,
        flight: &mut Flight<'a>,
    ) {
        if at
            .global()
            .is_some_and(|of| flight.written.get(&of).is_some_and(|w| w.before_stores))
        {
            self.wait(s, Pipe::S, Pipe::Mte3);
            flight
                .written
                .values_mut()
                .for_each(|w| w.before_stores = false);
        }
        let waits = |w: &Store<'_>| w.before_stores && !w.does.needs_no_order(does);
        if flight
            .stores
            .iter()
            .any(|w| waits(w) && self.meeting.meet(&w.touched, at))
        {
            self.wait(s, Pipe::Mte3, Pipe::Mte3);
            flight
                .stores
                .iter_mut()
                .for_each(|w| w.before_stores = false);
        }
        // The vector unit enqueues a tensor only after the loads that it has waited for.
        let source = instr
            .accessed(Access::Read)
            .filter_map(View::tensor)
            .map(|t| flight.root(t))
            .next();
        let sent = source.and_then(|t| flight.sent.get(&t).copied());
        let passed = |l: &Load<'_>| {
            l.dequeued
                .zip(sent)
                .is_some_and(|(dequeued, sent)| dequeued < sent)
        };
        if flight
            .loads
            .iter()
            .any(|l| l.open && !passed(l) && self.meeting.meet(&l.touched, at))
        {
            self.wait(s, Pipe::Mte2, Pipe::Mte3);
            flight.loads.iter_mut().for_each(|l| l.open = false);
        }
        let touched = Touched::new(at, &instr.extent);
        flight
            .stores
            .retain(|w| !(w.does == does && w.touched.is_at(&touched)));
        flight.stores.push(Store {
            touched,
            does,
            before_loads: true,
            before_stores: true,
            before_scalars: true,
        });
    }

    fn wait(&mut self, s: &Stmt, from: Pipe, to: Pipe) {
        self.before
            .entry(std::ptr::from_ref(s))
            .or_default()
            .insert(Wait {
                is_barrier: from == to,
                from,
                to,
            });
    }
}
