//! J0411: accesses of one block without an order, of which one writes what the other touches.
//!
//! The lowering inserts the waits that no queue brings (`lower/sync`), and judges by the form of
//! offsets if iterations are disjoint. This check is an independent second opinion. Every access
//! has the set of pipes that begin nothing before it has ended. If the pipe of a later access is
//! not in it, the two must be *proved* disjoint. A pipe learns from
//!
//! - waits: `from` tells `to` of all that it was given so far, and of all that it knows;
//! - queues: EnQue tells what the producer has done and knows, and DeQue lets the consumer know.
//!   FreeTensor and AllocTensor go the other way, which counts only for queues of one buffer. With
//!   several, it is unknown here which buffer is next;
//! - the scalar unit, which issues all instructions: everything that it has waited for is known to
//!   all;
//! - a barrier of all blocks, which begins with a barrier of all pipes (asc-devkit, SyncAllImpl of
//!   dav_c220).
//!
//! Vector calls end in order, and so do scalar accesses. Copies of one pipe do not (asc-devkit,
//! pages of PipeBarrier and SetFlag/WaitFlag).
//!
//! **Loops.** A loop is walked twice. The second walk stands for any iteration, and the accesses of
//! the first for any iteration before it ([`Window`]). An iteration knows least of the one right
//! before it, which two successive walks show.
//!
//! Only the first time that the check comes to a loop needs the second walk. In a second walk of an
//! outer loop, one walk is enough, if promises and waiting tensors are equal. A pipe never knows
//! less of an access later on, so the first time is the strictest. Nested loops then cost one walk
//! each, instead of doubling at each level.
//!
//! **Scope.** Accesses to GM are followed if the kernel writes the tensor. Accesses to UB are
//! followed if the scalar unit touches the same memory. The queue protocol covers the rest of UB.

pub mod flight;
pub mod unordered;

use super::lowered::homes::{Home, Homes};
use super::prove::facts::Facts;
use super::prove::window::{Earlier, Lie, Turn, Window};
use crate::diag::Diagnostic;
use crate::ir::queue::Stmt;
use crate::ir::{
    Base, Extent, Instr, Layout, Level, Lowered, Promised, QueueId, QueueOp, QueueStmt, Scalar,
    SpanId, StmtKind, SyncOp, TensorId, TensorRef, VarId, Variant, View,
};
use crate::ops::contract::{Access, Pipe, ViewRule};
use crate::soc::CACHE_LINE_BYTES;
use flight::{Flight, Live, Spot};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Checks the order of the accesses of a variant. A missing proof is an error at tile level, and a
/// lint at queue level.
pub(super) fn check_order(
    lowered: &Lowered,
    variant: &Variant,
    level: Level,
    facts: &mut Facts,
    found: &mut Vec<Diagnostic>,
) {
    let mut order = Order {
        lowered,
        variant,
        level,
        found,
        followed: Followed::of(lowered, variant),
        facts,
        homes: Homes::new(lowered.binding(), &variant.body),
        turns: Vec::new(),
        promised: Vec::new(),
        names: variant.body.vars.len(),
        accesses: 0,
        told: BTreeSet::new(),
        walked: FxHashMap::default(),
        lies: FxHashMap::default(),
    };
    order.list(&variant.body.stmts, &mut Flight::default());
}

/// The memory worth following. The rest needs no order, or has it from the queues.
struct Followed {
    /// Tensors in GM that are written.
    gms: BTreeSet<TensorRef>,
    /// Memory in UB that the scalar unit touches.
    homes: BTreeSet<Home>,
}

impl Followed {
    fn of(lowered: &Lowered, variant: &Variant) -> Followed {
        let (mut gms, mut scalars, mut homes) = (
            BTreeSet::new(),
            BTreeSet::new(),
            Homes::new(lowered.binding(), &variant.body),
        );
        variant.body.walk(&mut |s| {
            homes.after(s);
            let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind else {
                return;
            };
            gms.extend(
                instr
                    .views()
                    .filter(|(rule, _)| rule.access.stores())
                    .filter_map(|(_, view)| view.global()),
            );
            let contract = instr.op.contract();
            if contract.pipe == Pipe::S || contract.begins == Some(Pipe::S) {
                scalars.extend(
                    instr
                        .views()
                        .filter_map(|(_, v)| v.tensor())
                        .map(|t| homes.home(t)),
                );
            }
        });
        Followed {
            gms,
            homes: scalars,
        }
    }
}

pub(super) struct Order<'a> {
    pub(super) lowered: &'a Lowered,
    pub(super) variant: &'a Variant,
    pub(super) level: Level,
    found: &'a mut Vec<Diagnostic>,
    followed: Followed,
    pub(super) facts: &'a mut Facts,
    homes: Homes,
    /// The loops around the walk.
    turns: Vec<Turn>,
    /// Promises about values that are still current, and conditions of the branches around the
    /// walk.
    promised: Vec<Scalar>,
    /// Number of variable names, those of windows included.
    names: usize,
    /// Number of accesses so far.
    accesses: u32,
    /// Places that were reported.
    told: BTreeSet<SpanId>,
    /// State in which the walk first came to each loop.
    walked: FxHashMap<*const Stmt, Entered>,
    /// Cached relations of windows to that of a statement. Each iteration of a loop around repeats
    /// the question.
    lies: FxHashMap<(*const Stmt, Window, Window), Lie>,
}

/// The state at the head of a loop, apart from the accesses under way.
#[derive(PartialEq)]
struct Entered {
    promised: Vec<Scalar>,
    /// Number of tensors that wait in each queue.
    waiting: Vec<(QueueId, usize)>,
}

impl<'a> Order<'a> {
    fn list(&mut self, stmts: &'a [Stmt], flight: &mut Flight<'a>) {
        stmts.iter().for_each(|s| self.statement(s, flight));
    }

    fn statement(&mut self, s: &'a Stmt, flight: &mut Flight<'a>) {
        self.homes.after(s);
        match &s.kind {
            StmtKind::LetScalar { var, value } => {
                self.set(*var, flight);
                self.facts.define(*var, value);
            }
            StmtKind::Promise { what } => {
                self.facts.promise(what);
                if let Promised::Fact { cond, .. } = what {
                    self.promised.push(self.facts.inline(cond));
                }
            }
            StmtKind::SetScalar { var, .. } => self.set(*var, flight),
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => self.turns(s, *var, from, to, body, flight),
            StmtKind::If { cond, then, other } => self.arms(cond, then, other, flight),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                tensor,
                queue,
            }) => {
                let Some((producer, _)) = self.ends(*queue) else {
                    return;
                };
                if self.buffers(*queue) == Some(1) {
                    flight.take_back(*queue, producer);
                }
                self.hands_over(s, *tensor, producer, flight);
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                tensor,
                queue,
            }) => {
                let Some((producer, _)) = self.ends(*queue) else {
                    return;
                };
                self.hands_over(s, *tensor, producer, flight);
                flight.enque(*queue, producer);
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                tensor,
                queue,
            }) => {
                let Some((_, consumer)) = self.ends(*queue) else {
                    return;
                };
                flight.deque(*queue, consumer);
                self.hands_over(s, *tensor, consumer, flight);
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Free,
                tensor,
                queue,
            }) => {
                let Some((_, consumer)) = self.ends(*queue) else {
                    return;
                };
                self.hands_over(s, *tensor, consumer, flight);
                flight.give_back(*queue, consumer);
            }
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                self.instr(s, instr, flight);
                if let Some(var) = instr.result() {
                    self.set(var, flight);
                }
                self.facts.kept(instr);
            }
            StmtKind::Do(QueueStmt::Call { func, tensors, .. }) => {
                for (given, view) in self.lowered.funcs[func.index()].tensors.iter().zip(tensors) {
                    if let Some(spot) = self.in_sight(view.tensor(), Pipe::V) {
                        self.access(s, Pipe::V, given.access, spot, flight);
                    }
                }
            }
            StmtKind::Do(
                QueueStmt::Sync {
                    what: SyncOp::All {},
                }
                | QueueStmt::Reset { .. },
            ) => flight.all_end(),
            StmtKind::Do(QueueStmt::Sync {
                what: SyncOp::Order { from, to },
            }) => flight.wait(*from, *to),
            StmtKind::Do(
                QueueStmt::Get { .. }
                | QueueStmt::View { .. }
                | QueueStmt::Place { .. }
                | QueueStmt::Sync { .. }
                | QueueStmt::Host { .. },
            ) => {}
        }
    }

    fn ends(&self, queue: QueueId) -> Option<(Pipe, Pipe)> {
        self.variant.body.queues[queue.index()].position.pipes()
    }

    fn buffers(&self, queue: QueueId) -> Option<i64> {
        self.variant.body.queues[queue.index()]
            .buffers()
            .map(|n| *n.end())
    }

    fn name(&mut self, of: VarId) -> VarId {
        self.names += 1;
        VarId::new(self.names - 1, of.ty())
    }

    /// Assigns a variable. Windows keep the old value under another name.
    fn set(&mut self, var: VarId, flight: &mut Flight<'a>) {
        let name = self.name(var);
        flight.mentioning(var, |w| w.rename(var, name));
        self.promised.retain(|cond| !cond.mentions(var));
    }

    /// Drops promises of statements that may not have been reached.
    fn forget(&mut self, before: &[Scalar]) {
        self.promised.retain(|cond| before.contains(cond));
    }

    fn turns(
        &mut self,
        s: &'a Stmt,
        var: VarId,
        from: &Scalar,
        to: &Scalar,
        body: &'a [Stmt],
        flight: &mut Flight<'a>,
    ) {
        // These windows are from an earlier run of this loop, in another iteration of an outer one.
        self.set(var, flight);
        let (skipped, mark, first) = (flight.clone(), self.facts.mark(), self.accesses);
        let promised = self.promised.clone();
        let now = Entered {
            promised: promised.clone(),
            waiting: flight.waiting().collect(),
        };
        let again = self.walked.get(&std::ptr::from_ref(s)) == Some(&now);
        self.walked.entry(s).or_insert(now);
        self.facts.runs(var, from, to);
        self.turns.push(Turn {
            var,
            from: self.facts.inline(from),
            to: self.facts.inline(to),
        });
        self.list(body, flight);
        let second = self.accesses;
        if flight.has_any() && !again {
            let before = self.name(var);
            flight.mentioning(var, |w| {
                w.rename(var, before);
                w.earlier.push(Earlier {
                    first: before,
                    now: var,
                });
            });
            self.list(body, flight);
        }
        self.turns.pop();
        self.facts.back(mark);
        self.forget(&promised);
        flight.one_turn_for_all(first..second);
        // The loop may also have no iteration.
        flight.join(skipped);
    }

    fn arms(
        &mut self,
        cond: &Scalar,
        then: &'a [Stmt],
        other: &'a [Stmt],
        flight: &mut Flight<'a>,
    ) {
        let mut otherwise = flight.clone();
        let (mark, promised) = (self.facts.mark(), self.promised.clone());
        self.facts.assume(cond);
        // Accesses in this arm have numbers that meet the condition.
        self.promised.push(self.facts.inline(cond));
        self.list(then, flight);
        self.facts.back(mark);
        self.forget(&promised);
        let mark = self.facts.mark();
        self.facts.assume_not(cond);
        self.list(other, &mut otherwise);
        self.facts.back(mark);
        self.forget(&promised);
        flight.join(otherwise);
    }

    fn instr(&mut self, s: &'a Stmt, instr: &'a Instr, flight: &mut Flight<'a>) {
        let contract = instr.op.contract();
        if let Some(begins) = contract.begins {
            self.accesses_of(s, instr, begins, flight);
            flight.wait(begins, contract.pipe);
        }
        self.accesses_of(s, instr, contract.pipe, flight);
        if let Some(var) = instr.result() {
            self.set(var, flight);
        }
    }

    /// Handles the accesses of a pipe for an instruction.
    fn accesses_of(&mut self, s: &'a Stmt, instr: &Instr, pipe: Pipe, flight: &mut Flight<'a>) {
        for (rule, view) in instr.views() {
            let spot = match view.base {
                Base::Gm(_) => self.window(instr, rule, view),
                Base::Local(tensor) => self.in_sight(Some(tensor), pipe),
            };
            if let Some(spot) = spot {
                self.access(s, pipe, rule.access, spot, flight);
            }
        }
    }

    /// Returns the elements in GM that a copy touches, if the kernel writes the tensor.
    fn window(&self, instr: &Instr, rule: &ViewRule, view: &View) -> Option<Spot> {
        let of = view.global().filter(|of| self.followed.gms.contains(of))?;
        let (rows, cols) = match &instr.extent {
            Extent::Rows { rows, cols } => (rows.clone(), cols.clone()),
            Extent::Count { n } => (Scalar::Int(1), n.clone()),
            Extent::Eights { repeat } => (Scalar::Int(1), repeat.clone() * 8),
            Extent::Fixed {} => (Scalar::Int(1), Scalar::Int(1)),
            // Only vector calls have masks, and those touch no GM.
            Extent::Repeat { .. } | Extent::Counter { .. } => return None,
        };
        let pitch = match &view.layout {
            Layout::Rows { pitch } => Some(self.facts.inline(pitch)),
            Layout::Dense {} | Layout::Blocks { .. } | Layout::Results { .. } => None,
        };
        let (mut offset, mut cols) = (view.offset.clone(), cols);
        if rule.access == Access::Line {
            // The element may be anywhere in its line.
            let ty = view.ty(&self.lowered.sig, &self.variant.body);
            let before = CACHE_LINE_BYTES / ty.resolve(self.lowered.binding()).bytes() - 1;
            (offset, cols) = (offset - before, Scalar::Int(2 * before + 1));
        }
        let sizes = [&offset, &rows, &cols].map(|s| self.facts.inline(s));
        Some(Spot::Gm(
            of,
            Box::new(Window::new(
                sizes,
                pitch,
                self.turns.clone(),
                &self.promised,
            )),
        ))
    }

    /// Handles a hand-over of a tensor by a pipe. For the vector unit it is an access like any
    /// other.
    fn hands_over(&mut self, s: &'a Stmt, tensor: TensorId, pipe: Pipe, flight: &mut Flight<'a>) {
        if let Some(spot) = self.in_sight(Some(tensor), pipe) {
            self.access(s, pipe, Access::Write, spot, flight);
        }
    }

    /// Returns the memory in UB that a pipe touches, if the scalar unit does, too. Copies have
    /// their tensors to themselves.
    fn in_sight(&self, tensor: Option<TensorId>, pipe: Pipe) -> Option<Spot> {
        let home = tensor
            .map(|t| self.homes.home(t))
            .filter(|h| self.followed.homes.contains(h))?;
        match pipe {
            Pipe::S | Pipe::V => Some(Spot::Ub(home)),
            Pipe::Mte2 | Pipe::Mte3 => None,
        }
    }

    fn access(
        &mut self,
        s: &'a Stmt,
        pipe: Pipe,
        does: Access,
        spot: Spot,
        flight: &mut Flight<'a>,
    ) {
        let new = Live::new(self.accesses, s, pipe, does, spot);
        self.accesses += 1;
        for old in flight.pending(&new) {
            let lie = match (&old.spot, &new.spot) {
                (Spot::Gm(_, old), Spot::Gm(_, new)) => self.lies(s, old, new),
                (Spot::Ub(_), _) | (_, Spot::Ub(_)) => Lie::Meet,
            };
            if lie != Lie::Apart && self.told.insert(s.span) {
                let d = self.unordered(old, &new, lie);
                self.found.push(d);
            }
        }
        flight.push(new);
    }

    /// Returns the relation of a window to that of a statement. The facts there are equal whenever
    /// the walk comes to it, so results are cached.
    fn lies(&mut self, s: &'a Stmt, old: &Window, new: &Window) -> Lie {
        let old = old.tidied(self.variant.body.vars.len());
        let key = (std::ptr::from_ref(s), old, new.clone());
        if let Some(lie) = self.lies.get(&key) {
            return *lie;
        }
        let lie = key.1.lies(new, self.facts, &self.turns);
        self.lies.insert(key, lie);
        lie
    }
}
