//! Waits between pipes, where no queue orders what they do.
//!
//! The IR means its statements one after the other. Queues order what the pipes do to the tensors that pass through
//! them; three things they leave open, and the last pass of every lowering closes them:
//! - **Scalar access to UB.** Reading or writing an element waits for the vector unit, and the vector unit for a write. So does a
//!   vector call that the scalar unit begins; inside it the vector unit waits by itself.
//! - **GM.** Two stores may still be under way on MTE3 together, a load on MTE2 may overtake a store before it, and a
//!   store may overtake a load that no vector call on its way has waited for. So a copy waits for those before it that
//!   may meet its elements. What the scalar unit writes goes through lines of its cache, which share nothing with the form of an offset: it
//!   waits for all copies of the tensor, and those for it. Turns of a loop are apart where what moves with the turns is the same in both places: a
//!   turn has a share of its own, as a block has.
//! - **Copies that fill one tensor.** Two copies from GM may be under way on MTE2 together. What an author copies into a tensor stays in the order of
//!   the text, unless the numbers or the turns show that the two fill different elements. What tile loops become fills each element once.

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

/// Puts every wait into a body that has none, of a kernel that was written at this level.
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

/// Puts a wait for the vector unit before a run of scalar accesses and before a call that the scalar unit begins, and one for the scalar
/// unit behind a run of writes.
fn with_scalars(stmts: Vec<Stmt>, begins_busy: bool) -> Vec<Stmt> {
    let mut out = Vec::with_capacity(stmts.len());
    // Whether vector calls may be under way, and whether an element was written since.
    let (mut busy, mut wrote) = (begins_busy, None);
    for mut s in stmts {
        // The turns of a loop that reads indices wait once.
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

/// Whether a statement reads indices; nothing of one that does more than that and copies.
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
        // What lies in GM no vector call touches.
        ScalarOp::GetGlobal | ScalarOp::SetGlobal | ScalarOp::CleanLine => None,
        ScalarOp::GetValue | ScalarOp::GetIndex | ScalarOp::SetValue | ScalarOp::Dump => Some(*op),
    }
}

fn begins_on_scalar(s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Do(QueueStmt::Instr { instr }) if instr.op.contract().begins == Some(Pipe::S))
}

// ---- copies ----

/// The waits before each statement, by its address: the statements stand still until all are found.
type Before = BTreeMap<*const Stmt, BTreeSet<Wait>>;

/// Of several before one statement those of a pipe for itself come last.
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

/// A copy from GM that stores after it may have to wait for.
#[derive(Clone, Debug)]
struct Load<'a> {
    touched: Touched<'a>,
    /// When the vector unit waited for it.
    dequeued: Option<u32>,
    /// True until a store has waited for it.
    open: bool,
    /// True until the scalar unit has waited for it.
    before_scalars: bool,
    /// The tensor that it fills.
    into: TensorId,
}

/// A copy to GM that copies after it may have to wait for.
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

/// A copy into a local tensor that the next one into it may have to wait for.
#[derive(Clone, Debug)]
struct Fill<'a> {
    touched: Touched<'a>,
    /// The elements from the first one on, where the tensor itself is filled.
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

    /// True where the elements are shown to be others, without a word about turns.
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

/// What the scalar unit has written of a tensor in GM: true until copies from GM, and copies to GM, have waited for it.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    before_loads: bool,
    before_stores: bool,
}

/// What may be under way at one point of the kernel.
#[derive(Clone, Debug, Default)]
struct Flight<'a> {
    loads: Vec<Load<'a>>,
    stores: Vec<Store<'a>>,
    fills: Vec<Fill<'a>>,
    written: BTreeMap<TensorRef, Written>,
    /// What a view looks at.
    roots: BTreeMap<TensorId, TensorId>,
    /// Of each queue, the tensors that wait, with the time of their EnQue.
    waiting: BTreeMap<QueueId, VecDeque<(TensorId, u32)>>,
    /// When a tensor that was dequeued had been enqueued.
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
        // What a queue without tensors gives is the protocol's business.
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

    /// Two ways to one place: what either has not waited for is still to be waited for.
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
    /// Whether copies may fill a tensor one over the other.
    fills: bool,
    /// Counts what happens to queues.
    clock: u32,
}

impl Copies<'_> {
    fn list<'a>(&mut self, stmts: &'a [Stmt], flight: &mut Flight<'a>) {
        for s in stmts {
            self.clock += 1;
            match &s.kind {
                StmtKind::Do(QueueStmt::Instr { instr }) => self.instr(s, instr, flight),
                // What a buffer held before the queue has ordered.
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
                    // Its body, then its body after itself; it may also make no turn.
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
                // Where an author orders pipes by hand nothing is put in.
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

    /// The scalar unit reads an element of GM, writes one, or writes a line back.
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
        // The vector unit sends a tensor on behind the loads that it has waited for until then.
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
