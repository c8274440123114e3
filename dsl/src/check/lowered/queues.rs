//! The queue protocol, checked by a walk with the state of every tensor and queue.
//!
//! A block goes free → allocated → enqueued → dequeued → free. MTE2 fills an allocated VECIN
//! tensor. Pipe V works on dequeued VECIN, allocated VECOUT and TBuf tensors. MTE3 empties a
//! dequeued VECOUT tensor. The events behind EnQue and DeQue order exactly that, and anything else
//! races.
//!
//! A loop body must leave the queues as it found them, and both arms of an `if` must leave them
//! equal. Then one walk of each stands for any number of iterations. A tensor that was taken before
//! the loop or `if` keeps its state through the body, or changes it in both arms.
//!
//! A loop of a few iterations between constants is exempt if a walk of all its iterations finds no
//! mistake: it may empty a queue that was filled before it.

use crate::diag::{Applicability, Code, Diagnostic, Fix, Spot, Told};
use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    BufId, QueueId, QueueOp, QueueStmt, Scalar, Signature, SpanId, StmtKind, TPosition, TensorId,
    View,
};
use crate::ops::contract::Pipe;
use std::collections::{BTreeMap, BTreeSet};

/// Most iterations of a loop, inner loops included, that are walked one by one.
const TURNS: i64 = 16;

/// Checks the queue protocol of a lowered body; `buffers` has one entry for each queue.
pub fn check_queues(sig: &Signature, body: &Body, buffers: &[i64], found: &mut Vec<Diagnostic>) {
    let by_hand = body.orders_by_hand();
    let (queue_of, last_use) = (BTreeMap::new(), BTreeMap::new());
    let (now, silent, lost) = (Point::default(), Vec::new(), BTreeSet::new());
    let mut walk = QueueUse {
        sig,
        body,
        by_hand,
        buffers,
        found,
        now,
        silent,
        lost,
        room: TURNS,
        queue_of,
        last_use,
        block: 0,
        blocks: 0,
        changed_in: BTreeMap::new(),
    };
    walk.statements(&body.stmts);
    walk.leaks(&Point::default());
    walk.waiting(&Point::default());
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Allocated(QueueId),
    Enqueued(QueueId),
    Dequeued(QueueId),
    Freed,
    Buffer(BufId),
    /// At an address of the author.
    Placed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Tensor {
    state: State,
    /// Place where it was taken (alloc or deque), and in `to` where it went (enque or free).
    from: SpanId,
    to: SpanId,
}

impl Tensor {
    /// True if the author no longer has it, whichever way it went.
    fn is_gone(&self) -> bool {
        matches!(self.state, State::Enqueued(_) | State::Freed)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Queue {
    /// Blocks that are not free.
    busy: i64,
    /// Places where the waiting blocks were enqueued, the oldest first.
    waiting: Vec<SpanId>,
}

/// The tensors and queues at one point of the kernel.
#[derive(Clone, Default)]
struct Point {
    tensors: BTreeMap<TensorId, Tensor>,
    queues: BTreeMap<QueueId, Queue>,
    /// The tensor behind each view; only that one has a state.
    roots: BTreeMap<TensorId, TensorId>,
}

impl Point {
    fn root(&self, t: TensorId) -> TensorId {
        self.roots.get(&t).copied().unwrap_or(t)
    }

    /// Returns the busy and waiting blocks of each queue, without queues that are entirely free.
    fn balance(&self) -> BTreeMap<QueueId, (i64, usize)> {
        let counts = self
            .queues
            .iter()
            .map(|(id, q)| (*id, (q.busy, q.waiting.len())));
        counts.filter(|(_, counts)| *counts != (0, 0)).collect()
    }
}

/// Returns the iteration count of a loop between constants.
fn number_of_turns(from: &Scalar, to: &Scalar) -> Option<i64> {
    Some(to.as_int()?.checked_sub(from.as_int()?)?.max(0))
}

/// The user of a tensor.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Copy,
    Vector,
    /// The author, who takes a part of it or hands it over.
    Hand,
}

impl By {
    /// True for the side that fills tensors of a position, and so is done before `enque`.
    fn fills(self, position: TPosition) -> bool {
        match position {
            TPosition::VecIn => self == By::Copy,
            TPosition::VecOut => self == By::Vector,
            TPosition::VecCalc
            | TPosition::A1
            | TPosition::A2
            | TPosition::B1
            | TPosition::B2
            | TPosition::C1
            | TPosition::C2
            | TPosition::CO1
            | TPosition::CO2 => false,
        }
    }
}

struct QueueUse<'a> {
    sig: &'a Signature,
    body: &'a Body,
    /// True if the author orders pipes by hand.
    by_hand: bool,
    buffers: &'a [i64],
    found: &'a mut Vec<Diagnostic>,
    now: Point,
    /// Tensors that were reported once.
    silent: Vec<TensorId>,
    /// Queues with an unknown balance. Follow-up errors are not reported.
    lost: BTreeSet<QueueId>,
    /// Iterations that may still be walked one by one.
    room: i64,
    /// The queue that each tensor was given back to.
    queue_of: BTreeMap<TensorId, QueueId>,
    /// Number of the statement list that is walked; `changed_in` has that of the last state change
    /// of each tensor.
    block: usize,
    blocks: usize,
    changed_in: BTreeMap<TensorId, usize>,
    /// The last place that names a tensor.
    last_use: BTreeMap<TensorId, (SpanId, usize)>,
}

impl QueueUse<'_> {
    /// Builds a fix of edits, each next to its place. `@` stands for the name of the taken tensor.
    fn edits(edits: Vec<(SpanId, Spot, String)>, named: SpanId) -> Option<Fix> {
        let none = Diagnostic::new(Code::J0405, named, "");
        edits
            .into_iter()
            .fold(none, |d, (span, spot, text)| {
                d.edit_told(span, spot, Told::Name(named), text)
            })
            .fix
    }

    fn report(&mut self, code: Code, span: SpanId, text: String) -> &mut Diagnostic {
        let at = self.found.len();
        self.found.push(Diagnostic::new(code, span, text));
        &mut self.found[at]
    }

    fn name(&self, t: TensorId) -> &str {
        &self.body.tensors[t.index()].name
    }

    fn queue_name(&self, q: QueueId) -> &str {
        &self.body.queues[q.index()].name
    }

    fn position(&self, q: QueueId) -> TPosition {
        self.body.queues[q.index()].position
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        self.blocks += 1;
        let around = std::mem::replace(&mut self.block, self.blocks);
        for s in stmts {
            self.statement(s);
        }
        self.block = around;
    }

    /// Sets the state of a tensor.
    fn set(&mut self, t: TensorId, tensor: Tensor) {
        self.now.tensors.insert(t, tensor);
        self.changed_in.insert(t, self.block);
    }

    /// True if a tensor came into its state in this statement list.
    fn changed_here(&self, t: TensorId) -> bool {
        self.changed_in.get(&t) == Some(&self.block)
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                tensor,
                queue,
            }) => self.alloc(*tensor, *queue, s.span),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                tensor,
                queue,
            }) => self.enque(*tensor, *queue, s.span),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                tensor,
                queue,
            }) => self.deque(*tensor, *queue, s.span),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Free,
                tensor,
                queue,
            }) => self.free(*tensor, *queue, s.span),
            StmtKind::Do(QueueStmt::Get { tensor, buf }) => {
                self.now.tensors.insert(
                    *tensor,
                    Tensor {
                        state: State::Buffer(*buf),
                        from: s.span,
                        to: s.span,
                    },
                );
            }
            StmtKind::Do(QueueStmt::Place { tensor, .. }) => {
                self.now.tensors.insert(
                    *tensor,
                    Tensor {
                        state: State::Placed,
                        from: s.span,
                        to: s.span,
                    },
                );
            }
            StmtKind::Do(QueueStmt::View { tensor, of }) => {
                if let Some(base) = of.tensor() {
                    let root = self.now.root(base);
                    self.now.roots.insert(*tensor, root);
                    self.live(root, s.span, By::Hand);
                }
            }
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                for tensor in instr
                    .views()
                    .filter_map(|(_, view)| view.tensor())
                    .map(|t| self.now.root(t))
                    .collect::<Vec<_>>()
                {
                    match instr.op.contract().pipe {
                        Pipe::Mte2 => self.copy_end(tensor, TPosition::VecIn, s.span),
                        Pipe::Mte3 => self.copy_end(tensor, TPosition::VecOut, s.span),
                        Pipe::V | Pipe::S => self.vector_operand(tensor, s.span),
                    }
                }
            }
            StmtKind::Do(QueueStmt::Call { tensors, .. }) => {
                for tensor in tensors
                    .iter()
                    .filter_map(View::tensor)
                    .map(|t| self.now.root(t))
                    .collect::<Vec<_>>()
                {
                    self.vector_operand(tensor, s.span);
                }
            }
            StmtKind::For { from, to, body, .. } => {
                self.turns(number_of_turns(from, to), body, s.span)
            }
            StmtKind::If { then, other, .. } => self.arms(then, other, s.span),
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(
                QueueStmt::Host { .. } | QueueStmt::Sync { .. } | QueueStmt::Reset { .. },
            ) => {}
        }
    }

    /// Walks one iteration for all. If that fails, a few iterations may still be correct.
    fn turns(&mut self, number: Option<i64>, body: &[Stmt], span: SpanId) {
        let (before, reported) = (self.now.clone(), self.found.len());
        let (silent, lost) = (self.silent.len(), self.lost.clone());
        self.any_turn(body, span);
        let few = number.filter(|n| self.found.len() > reported && (1..=self.room).contains(n));
        let Some(few) = few else { return };
        let told = self.found.split_off(reported);
        let after = std::mem::replace(&mut self.now, before.clone());
        let (silent_after, lost_after) = (
            self.silent.split_off(silent),
            std::mem::replace(&mut self.lost, lost),
        );
        let room = self.room;
        self.room /= few;
        for _ in 0..few {
            self.statements(body);
            self.leaks(&before);
        }
        self.room = room;
        if self.found.len() > reported {
            self.found.truncate(reported);
            self.found.extend(told);
            self.silent.truncate(silent);
            self.silent.extend(silent_after);
            (self.now, self.lost) = (after, lost_after);
        }
    }

    /// Walks one iteration for all: it must find the state that the one before left.
    fn any_turn(&mut self, body: &[Stmt], span: SpanId) {
        let (before, reported) = (self.now.clone(), self.found.len());
        self.statements(body);
        self.leaks(&before);
        for (t, was) in &before.tensors {
            let is = self.now.tensors[t];
            if is.is_gone() != was.is_gone() {
                self.changed_each_turn(*t, is);
            }
        }
        if self.found.len() == reported {
            self.waiting(&before);
        }
        if let (Some(queue), true) = (self.unbalanced(&before), self.found.len() == reported) {
            let text = format!(
                "each iteration of this loop takes more from queue `{queue}` than it gives, so that a later one waits for ever"
            );
            let help = "enque and deque, alloc and free as often in each iteration";
            self.report(Code::J0405, span, text).help.push(help.into());
        }
        self.now.queues = before.queues;
    }

    /// Reports a tensor from before a loop that the body hands over: the second iteration lacks it.
    fn changed_each_turn(&mut self, t: TensorId, is: Tensor) {
        if self.silent.contains(&t) {
            return;
        }
        self.silent.push(t);
        let (code, verb) = match is.state {
            State::Enqueued(_) => (Code::J0403, "enqueued"),
            _ => (Code::J0402, "given back"),
        };
        let text = format!(
            "`{}` is {verb} in every iteration of a loop, but was taken once, before it",
            self.name(t)
        );
        let d = self.report(code, is.to, text);
        d.labels.push(crate::diag::Label {
            span: is.from,
            text: "taken here".into(),
        });
        d.help
            .push("take it inside the loop, or hand it over after the loop".into());
    }

    /// Walks both arms, which must leave one state.
    fn arms(&mut self, then: &[Stmt], other: &[Stmt], span: SpanId) {
        let (before, reported) = (self.now.clone(), self.found.len());
        self.statements(then);
        self.leaks(&before);
        let after = std::mem::replace(&mut self.now, before.clone());
        self.statements(other);
        self.leaks(&before);
        for t in before.tensors.keys() {
            let (a, b) = (after.tensors[t], self.now.tensors[t]);
            if a.is_gone() != b.is_gone() {
                self.changed_in_one_arm(*t, if a.is_gone() { a } else { b }, span);
            } else {
                self.now.tensors.insert(*t, a);
            }
        }
        if let (Some(queue), true) = (self.unbalanced(&after), self.found.len() == reported) {
            let text =
                format!("the two arms of this `if` leave queue `{queue}` in different states");
            self.report(Code::J0405, span, text)
                .help
                .push("give every tensor back in the arm that took it".into());
        }
    }

    fn changed_in_one_arm(&mut self, t: TensorId, changed: Tensor, span: SpanId) {
        // After an earlier report, the walk goes on as if the tensor was handed over.
        self.now.tensors.insert(t, changed);
        if self.silent.contains(&t) {
            return;
        }
        self.silent.push(t);
        let (text, help) = match changed.state {
            State::Enqueued(_) => (
                "enqueued in one arm of this `if` only",
                "enque it in both arms, or after the `if`",
            ),
            _ => (
                "given back in one arm of this `if` only",
                "free it in both arms, or after the `if`",
            ),
        };
        let text = format!("`{}` is {text}", self.name(t));
        let d = self.report(Code::J0405, span, text);
        d.labels.push(crate::diag::Label {
            span: changed.to,
            text: "here".into(),
        });
        d.help.push(help.into());
    }

    /// Returns the first queue whose balance differs from `other`. Such queues are no longer
    /// checked.
    fn unbalanced(&mut self, other: &Point) -> Option<String> {
        let (a, b) = (self.now.balance(), other.balance());
        let differs = |q: &&QueueId| a.get(*q) != b.get(*q) && !self.lost.contains(*q);
        let queues: BTreeSet<QueueId> = a.keys().chain(b.keys()).filter(differs).copied().collect();
        self.lost.extend(&queues);
        queues.first().map(|q| self.queue_name(*q).to_string())
    }

    fn alloc(&mut self, tensor: TensorId, queue: QueueId, span: SpanId) {
        let buffers = self.buffers[queue.index()];
        let q = self.now.queues.entry(queue).or_default();
        q.busy += 1;
        let busy = q.busy;
        if busy > buffers && buffers > 0 && !self.lost.contains(&queue) {
            let name = self.queue_name(queue).to_string();
            let text = format!("queue `{name}` has {buffers} buffers and all are taken: this alloc would wait for ever");
            let d = self.report(Code::J0408, span, text);
            d.help
                .push("free a tensor first, or give the queue more buffers".into());
            d.numbers = vec![("found", busy), ("allowed", buffers)];
        }
        self.set(
            tensor,
            Tensor {
                state: State::Allocated(queue),
                from: span,
                to: span,
            },
        );
    }

    /// Returns the state of a tensor. A tensor that is gone is reported once.
    fn live(&mut self, t: TensorId, span: SpanId, by: By) -> Option<Tensor> {
        self.live_until(t, span, by, None)
    }

    /// Does so for a use that hands the tensor over into this state.
    fn live_until(
        &mut self,
        t: TensorId,
        span: SpanId,
        by: By,
        hands_over: Option<State>,
    ) -> Option<Tensor> {
        let tensor = *self.now.tensors.get(&t)?;
        self.last_use.insert(t, (span, self.block));
        let name = self.name(t).to_string();
        let (code, text, label, help) = match tensor.state {
            State::Freed => (
                Code::J0402,
                format!("`{name}` is used after `free_tensor`"),
                "freed here",
                "free it after its last use",
            ),
            State::Enqueued(_) => (
                Code::J0403,
                format!("`{name}` is used after `enque`"),
                "enqueued here",
                "`deque` gives it back once the other pipe is done with it",
            ),
            _ => return Some(tensor),
        };
        let fix = self.in_time(t, tensor, span, by, hands_over);
        if self.silent.contains(&t) {
            self.used_again(&tensor, fix);
        } else {
            self.silent.push(t);
            let d = self.report(code, span, text);
            d.labels.push(crate::diag::Label {
                span: tensor.to,
                text: label.into(),
            });
            d.help.push(help.into());
            d.fix = fix;
        }
        None
    }

    /// Extends or drops the fix of an earlier report, since the tensor is used once more.
    fn used_again(&mut self, tensor: &Tensor, fix: Option<Fix>) {
        let moves = |fix: &Fix| {
            fix.edits
                .iter()
                .any(|edit| edit.spot == Spot::StatementAfter)
        };
        let takes = |fix: &Fix| {
            fix.edits
                .iter()
                .any(|edit| edit.spot == Spot::StatementBefore)
        };
        for d in self
            .found
            .iter_mut()
            .filter(|d| d.labels.iter().any(|label| label.span == tensor.to))
        {
            d.fix = match d.fix.take() {
                Some(old) if moves(&old) => fix.clone().filter(moves),
                Some(old) if takes(&old) => Some(old),
                Some(_) | None => None,
            };
        }
    }

    /// Returns a fix that makes the tensor available to a late use. It moves the hand-over behind
    /// the use, or takes the tensor before it. A repeated hand-over is removed.
    fn in_time(
        &self,
        t: TensorId,
        tensor: Tensor,
        span: SpanId,
        by: By,
        hands_over: Option<State>,
    ) -> Option<Fix> {
        if !self.changed_here(t) {
            return None;
        }
        if hands_over == Some(tensor.state) {
            return Self::edits(vec![(span, Spot::Statement, String::new())], tensor.from);
        }
        match (tensor.state, self.queue_of.get(&t)) {
            (State::Freed, Some(q)) if hands_over.is_none() && !by.fills(self.position(*q)) => self
                .behind(
                    t,
                    tensor,
                    span,
                    format!("{}.free_tensor(@);", self.queue_name(*q)),
                ),
            (State::Enqueued(q), _) if hands_over.is_none() && by.fills(self.position(q)) => {
                self.behind(t, tensor, span, format!("{}.enque(@);", self.queue_name(q)))
            }
            // The other side of the queue gets the tensor by `deque`.
            (State::Enqueued(q), _) if !by.fills(self.position(q)) && !self.dequeues(q) => {
                let ty = self.sig.ty_name(self.body.tensors[t.index()].dtype);
                let call = format!("let @ = {}.deque::<{ty}>();", self.queue_name(q));
                Self::edits(vec![(span, Spot::StatementBefore, call)], tensor.from)
            }
            (State::Freed | State::Enqueued(_), _) => None,
            (State::Allocated(_) | State::Dequeued(_) | State::Buffer(_) | State::Placed, _) => {
                None
            }
        }
    }

    /// Moves a hand-over behind a use. With several hand-overs, another one may be the right one.
    fn behind(&self, t: TensorId, tensor: Tensor, span: SpanId, call: String) -> Option<Fix> {
        let edits = vec![
            (tensor.to, Spot::Statement, String::new()),
            (span, Spot::StatementAfter, call),
        ];
        let fix = Self::edits(edits, tensor.from).filter(|_| self.hand_overs(t) == 1)?;
        Some(Fix {
            applicability: Applicability::MaybeIncorrect,
            ..fix
        })
    }

    fn on_its_queue(
        &mut self,
        t: TensorId,
        tensor: Tensor,
        queue: QueueId,
        what: &str,
        span: SpanId,
    ) -> bool {
        let own = match tensor.state {
            State::Allocated(q) | State::Dequeued(q) | State::Enqueued(q) => Some(q),
            State::Freed | State::Buffer(_) | State::Placed => None,
        };
        if own == Some(queue) {
            return true;
        }
        let apart = if tensor.state == State::Placed {
            "no queue"
        } else {
            "a TBuf"
        };
        let from = own.map_or(apart.to_string(), |q| {
            format!("queue `{}`", self.queue_name(q))
        });
        let text = format!(
            "`{}` is from {from}, but {what} queue `{}`",
            self.name(t),
            self.queue_name(queue)
        );
        // A wrong enqueue mostly comes with a wrong dequeue, so only a wrong free has a fix.
        let own_queue = own.filter(|_| what == "given back to");
        let fix = own_queue.map(|own| {
            (
                self.queue_name(queue).to_owned(),
                self.queue_name(own).to_owned(),
            )
        });
        let d = self.report(Code::J0409, span, text);
        d.labels.push(crate::diag::Label {
            span: tensor.from,
            text: "taken here".into(),
        });
        if let Some((wrong, right)) = fix {
            d.expected = vec![right.clone()];
            d.fix = Diagnostic::new(Code::J0409, span, "")
                .word(span, &wrong, right)
                .fix;
        }
        self.silent.push(t);
        // The block went back to the wrong queue; from here on it counts as handed over.
        if let Some(q) = own {
            self.now.queues.entry(q).or_default().busy -= 1;
        }
        self.now.tensors.insert(
            t,
            Tensor {
                state: State::Freed,
                to: span,
                ..tensor
            },
        );
        false
    }

    fn enque(&mut self, t: TensorId, queue: QueueId, span: SpanId) {
        let Some(tensor) = self.live_until(t, span, By::Hand, Some(State::Enqueued(queue))) else {
            self.lost.insert(queue);
            return;
        };
        if !self.on_its_queue(t, tensor, queue, "enqueued to", span) {
            // The right queue is unknown, so later effects are not reported.
            self.lost.insert(queue);
            return;
        }
        let depth = self.body.queues[queue.index()].depth;
        let q = self.now.queues.entry(queue).or_default();
        q.waiting.push(span);
        let waiting = q.waiting.len() as i64;
        if waiting > depth {
            let name = self.queue_name(queue).to_string();
            let declared = self.body.queues[queue.index()].span;
            let text = format!("{waiting} enque in a row on queue `{name}`, which is {depth} deep");
            let d = self.report(Code::J0404, span, text);
            d.numbers = vec![("found", waiting), ("allowed", depth)];
            d.help
                .push(format!("deque first, or declare `TQue::<_, {waiting}>`"));
            d.expected = vec![format!("TQue::<_, {waiting}>")];
            let deeper = Diagnostic::new(Code::J0404, declared, "").word(
                declared,
                &depth.to_string(),
                waiting.to_string(),
            );
            d.fix = deeper.maybe().fix;
        }
        self.set(
            t,
            Tensor {
                state: State::Enqueued(queue),
                to: span,
                ..tensor
            },
        );
    }

    fn deque(&mut self, t: TensorId, queue: QueueId, span: SpanId) {
        let q = self.now.queues.entry(queue).or_default();
        if !q.waiting.is_empty() {
            q.waiting.remove(0);
        } else {
            q.busy += 1;
            if self.lost.insert(queue) {
                let text = format!(
                    "deque from queue `{}`, which holds nothing",
                    self.queue_name(queue)
                );
                self.report(Code::J0407, span, text)
                    .help
                    .push("enque a filled tensor first".into());
            }
        }
        self.set(
            t,
            Tensor {
                state: State::Dequeued(queue),
                from: span,
                to: span,
            },
        );
    }

    fn free(&mut self, t: TensorId, queue: QueueId, span: SpanId) {
        let Some(tensor) = self.live_until(t, span, By::Hand, Some(State::Freed)) else {
            return;
        };
        if !self.on_its_queue(t, tensor, queue, "given back to", span) {
            return;
        }
        self.now.queues.entry(queue).or_default().busy -= 1;
        self.queue_of.insert(t, queue);
        self.set(
            t,
            Tensor {
                state: State::Freed,
                to: span,
                ..tensor
            },
        );
    }

    /// Checks a copy that fills an allocated VECIN tensor or empties a dequeued VECOUT one.
    fn copy_end(&mut self, t: TensorId, wanted: TPosition, span: SpanId) {
        let Some(tensor) = self.live(t, span, By::Copy) else {
            return;
        };
        let name = self.name(t).to_string();
        let direction = if wanted == TPosition::VecIn {
            "a copy from GM goes to"
        } else {
            "a copy to GM comes from"
        };
        match tensor.state {
            State::Allocated(q) | State::Dequeued(q) if self.position(q) != wanted => {
                let text = format!(
                    "{direction} a {} tensor, `{name}` is of position {}",
                    wanted.word(),
                    self.position(q).word()
                );
                self.report(Code::J0406, span, text);
            }
            // `by_hand` finds a missing order.
            State::Buffer(_) if self.by_hand => {}
            State::Buffer(_) => {
                let text = format!(
                    "{direction} a {} tensor, `{name}` is in a TBuf, which no event protects",
                    wanted.word()
                );
                self.report(Code::J0406, span, text).help.push(
                    "use a queue: its EnQue and DeQue order the pipes; or order them by hand with `set_flag` and `wait_flag`"
                        .into(),
                );
            }
            State::Dequeued(_) if wanted == TPosition::VecIn => {
                let text = format!(
                    "`{name}` is filled after its deque; the vector pipe may be reading it"
                );
                self.report(Code::J0401, span, text)
                    .help
                    .push("copy before `enque`".into());
            }
            State::Allocated(_) if wanted == TPosition::VecOut => {
                let text =
                    format!("`{name}` is copied out before it went through its queue; the vector pipe may still be writing it");
                let fix = self.through_queue(t, tensor, span);
                let d = self.report(Code::J0401, span, text);
                d.help
                    .push("`enque` it and copy out what `deque` gives".into());
                d.fix = fix;
            }
            _ => {}
        }
    }

    /// Returns a fix that adds `enque` and `deque` before a use.
    fn through_queue(&self, t: TensorId, tensor: Tensor, span: SpanId) -> Option<Fix> {
        let State::Allocated(q) = tensor.state else {
            return None;
        };
        let (mut enqueued, mut waiting, mut lone) = (false, 0usize, false);
        self.body.walk(&mut |s| {
            if let StmtKind::Do(QueueStmt::Queue { op: QueueOp::Enque, tensor, queue }) = &s.kind {
                enqueued |= *tensor == t;
                waiting += usize::from(*queue == q);
            }
            if matches!(&s.kind, StmtKind::Do(QueueStmt::Queue { op: QueueOp::Deque, queue, .. }) if *queue == q) {
                lone |= waiting == 0;
                waiting = waiting.saturating_sub(1);
            }
        });
        // A later enqueue was meant to come first, and a `deque` of nothing was meant for this
        // tensor.
        let seen = self.now.roots.values().any(|root| *root == t);
        // `deque` returns the oldest one.
        let others = self
            .now
            .queues
            .get(&q)
            .is_some_and(|queue| !queue.waiting.is_empty());
        if !self.changed_here(t) || enqueued || lone || seen || others {
            return None;
        }
        let (queue, ty) = (
            self.queue_name(q),
            self.sig.ty_name(self.body.tensors[t.index()].dtype),
        );
        let calls = [
            format!("{queue}.enque(@);"),
            format!("let @ = {queue}.deque::<{ty}>();"),
        ];
        Self::edits(
            calls
                .into_iter()
                .map(|call| (span, Spot::StatementBefore, call))
                .collect(),
            tensor.from,
        )
    }

    fn vector_operand(&mut self, t: TensorId, span: SpanId) {
        let Some(tensor) = self.live(t, span, By::Vector) else {
            return;
        };
        let name = self.name(t).to_string();
        match tensor.state {
            State::Allocated(q) if self.position(q) == TPosition::VecIn => {
                let text = format!("`{name}` is used before it went through its queue; the copy from GM may not have arrived");
                if !self.silent.contains(&t) {
                    self.silent.push(t);
                    let fix = self.through_queue(t, tensor, span);
                    let d = self.report(Code::J0401, span, text);
                    d.help
                        .push("`enque` it and work on what `deque` gives".into());
                    d.fix = fix;
                }
            }
            State::Dequeued(q) if self.position(q) == TPosition::VecOut => {
                let text = format!("`{name}` was dequeued for the copy to GM; the vector pipe may not touch it any more");
                self.report(Code::J0406, span, text)
                    .help
                    .push("compute before `enque`".into());
            }
            _ => {}
        }
    }

    /// Reports J0405 for tensors taken since `before` that are still out.
    fn leaks(&mut self, before: &Point) {
        let out: Vec<(TensorId, Tensor)> = self
            .now
            .tensors
            .iter()
            .filter(|(t, _)| !before.tensors.contains_key(t))
            .filter(|(t, s)| {
                matches!(s.state, State::Allocated(_) | State::Dequeued(_))
                    && !self.silent.contains(t)
            })
            .map(|(t, s)| (*t, *s))
            .collect();
        for (t, tensor) in out {
            self.silent.push(t);
            let text = format!("`{}` is never given back with `free_tensor`", self.name(t));
            let fix = self.given_back(t, tensor);
            let d = self.report(Code::J0405, tensor.from, text);
            d.help
                .push("without it the queue runs out of buffers and the core hangs".into());
            d.fix = fix;
        }
    }

    /// Counts the statements that hand a tensor over.
    fn hand_overs(&self, t: TensorId) -> usize {
        let mut count = 0;
        self.body.walk(&mut |s| {
            let is_one =
                matches!(&s.kind, StmtKind::Do(QueueStmt::Queue { op: QueueOp::Enque | QueueOp::Free, tensor, .. }) if *tensor == t);
            count += usize::from(is_one);
        });
        count
    }

    /// True if the body dequeues from a queue anywhere.
    fn dequeues(&self, q: QueueId) -> bool {
        let mut found = false;
        self.body.walk(&mut |s| {
            found |= matches!(&s.kind, StmtKind::Do(QueueStmt::Queue { op: QueueOp::Deque, queue, .. }) if *queue == q)
        });
        found
    }

    /// Returns a fix that frees a tensor behind its last use.
    fn given_back(&self, t: TensorId, tensor: Tensor) -> Option<Fix> {
        let (State::Allocated(q) | State::Dequeued(q)) = tensor.state else {
            return None;
        };
        if self.lost.contains(&q) {
            return None;
        }
        let taken = self.changed_in.get(&t);
        let last = match self.last_use.get(&t) {
            Some((last, block)) => Some(*last).filter(|_| Some(block) == taken)?,
            None => tensor.from,
        };
        Self::edits(
            vec![(
                last,
                Spot::StatementAfter,
                format!("{}.free_tensor(@);", self.queue_name(q)),
            )],
            tensor.from,
        )
    }

    /// Reports J0405 for tensors that were enqueued since `before` and still wait.
    fn waiting(&mut self, before: &Point) {
        let mut left = Vec::new();
        for (id, q) in self
            .now
            .queues
            .iter()
            .filter(|(id, _)| !self.lost.contains(id))
        {
            let had = before.queues.get(id).map_or(0, |q| q.waiting.len());
            left.extend(
                q.waiting[had.min(q.waiting.len())..]
                    .iter()
                    .map(|span| (*id, *span)),
            );
        }
        for (q, span) in left {
            let text = format!(
                "a tensor enqueued to `{}` is never dequeued and given back",
                self.queue_name(q)
            );
            self.report(Code::J0405, span, text);
        }
    }
}
