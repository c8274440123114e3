//! Meetings of all blocks (`sync_all`) that some blocks would come to and others not.
//!
//! A block waits there until all others have come. So what decides whether a block comes to a meeting, and how often, must be the same
//! in every block: it depends neither on the block index and the shares, nor on what is in tensors. Each variable that does is noted
//! with the place that makes it so, whatever stands before or behind that; then each loop and branch around a meeting is judged.
//!
//! At tile level all blocks meet before one loads what another wrote, so that what is at one place of GM is the same for all: there an
//! element differs where something on the way to it does, and what is in UB is followed by the memory that it lies in. At queue level an
//! author may have left out that meeting, and no element is taken to be the same.

use super::homes::{Home, Homes};
use crate::diag::{Code, Diagnostic};
use crate::ir::queue::Stmt;
use crate::ir::{
    Instr, Level, Lowered, QueueId, QueueOp, QueueStmt, Scalar, SpanId, StmtKind, TensorId, VarId,
    Variant, View,
};
use crate::ops::contract::Access;
use std::collections::BTreeMap;

/// Checks every meeting of a variant, which launches several blocks.
pub fn check_meetings(
    lowered: &Lowered,
    variant: &Variant,
    level: Level,
    found: &mut Vec<Diagnostic>,
) {
    let mut meets = false;
    variant.body.walk(&mut |s| meets |= s.is_meeting());
    if !meets {
        return;
    }
    let mut homes = Homes::new(lowered.binding(), &variant.body);
    variant.body.walk(&mut |s| homes.after(s));
    let mut differing = Differing {
        level,
        homes,
        vars: BTreeMap::new(),
        memory: BTreeMap::new(),
        waiting: BTreeMap::new(),
    };
    loop {
        let before = differing.count();
        differing.learn(&variant.body.stmts, None);
        if differing.count() == before {
            break;
        }
    }
    differing.judge(&variant.body.stmts, None, found);
}

/// Why something is not the same in all blocks.
#[derive(Clone, Copy)]
enum Cause {
    /// It depends on the block.
    Block,
    /// It depends on an element of a tensor.
    Data,
}

/// Something that is not the same in all blocks, and the place that makes it so.
#[derive(Clone, Copy)]
struct Difference {
    cause: Cause,
    at: SpanId,
}

/// A loop or branch that not every block goes through alike.
#[derive(Clone, Copy)]
struct Parting {
    difference: Difference,
    at: SpanId,
    is_loop: bool,
}

/// What is not the same in all blocks.
struct Differing {
    level: Level,
    homes: Homes,
    vars: BTreeMap<VarId, Difference>,
    /// Memory in UB, whatever lay there before or does afterwards.
    memory: BTreeMap<Home, Difference>,
    /// What goes through a queue.
    waiting: BTreeMap<QueueId, Difference>,
}

impl Differing {
    fn count(&self) -> usize {
        self.vars.len() + self.memory.len() + self.waiting.len()
    }

    /// What makes an expression at `at` differ.
    fn of(&self, s: &Scalar, at: SpanId) -> Option<Difference> {
        let mut found = None;
        s.walk(&mut |n| {
            let here = match n {
                Scalar::BlockIdx => Some(Difference {
                    cause: Cause::Block,
                    at,
                }),
                Scalar::Var(v) => self.vars.get(v).copied(),
                _ => None,
            };
            found = found.or(here);
        });
        found
    }

    /// What makes the scalars of a statement differ: the turns of a loop, the choice of a branch, places and numbers of elements.
    fn parts(&self, s: &Stmt) -> Option<Difference> {
        let mut found = None;
        s.scalars(&mut |e| found = found.or(self.of(e, s.span)));
        found
    }

    fn holds(&self, tensor: TensorId) -> Option<Difference> {
        self.memory.get(&self.homes.home(tensor)).copied()
    }

    /// Notes what a tensor holds.
    fn writes(&mut self, tensor: TensorId, differs: Option<Difference>) {
        if let Some(difference) = differs {
            self.memory
                .entry(self.homes.home(tensor))
                .or_insert(difference);
        }
    }

    /// What makes the elements differ that an instruction reads.
    fn read(&self, instr: &Instr, at: SpanId) -> Option<Difference> {
        let element = (self.level == Level::Queue).then_some(Difference {
            cause: Cause::Data,
            at,
        });
        element.or_else(|| {
            instr
                .accessed(Access::Read)
                .filter_map(View::tensor)
                .find_map(|tensor| self.holds(tensor))
        })
    }

    /// Notes the variables that statements set and what is in memory, where `under` is what parts the blocks around them.
    fn learn(&mut self, stmts: &[Stmt], under: Option<Difference>) {
        for s in stmts {
            let scalars = under.or(self.parts(s));
            let differs = match &s.kind {
                StmtKind::Do(QueueStmt::Instr { instr }) => {
                    let differs = scalars.or(self.read(instr, s.span));
                    instr
                        .accessed(Access::Write)
                        .filter_map(View::tensor)
                        .for_each(|tensor| self.writes(tensor, differs));
                    differs
                }
                StmtKind::Do(QueueStmt::Call { tensors, .. }) => {
                    let given = || tensors.iter().filter_map(View::tensor);
                    let differs = scalars.or(given().find_map(|tensor| self.holds(tensor)));
                    given().for_each(|tensor| self.writes(tensor, differs));
                    differs
                }
                StmtKind::Do(QueueStmt::Queue {
                    op: QueueOp::Enque,
                    tensor,
                    queue,
                }) => {
                    let differs = scalars.or(self.holds(*tensor));
                    self.waiting.extend(
                        differs
                            .filter(|_| !self.waiting.contains_key(queue))
                            .map(|differs| (*queue, differs)),
                    );
                    differs
                }
                StmtKind::Do(QueueStmt::Queue {
                    op: QueueOp::Deque,
                    tensor,
                    queue,
                }) => {
                    let differs = scalars.or(self.waiting.get(queue).copied());
                    self.writes(*tensor, differs);
                    differs
                }
                StmtKind::Do(QueueStmt::View { tensor, .. } | QueueStmt::Place { tensor, .. }) => {
                    self.writes(*tensor, scalars);
                    scalars
                }
                StmtKind::LetScalar { .. }
                | StmtKind::SetScalar { .. }
                | StmtKind::For { .. }
                | StmtKind::If { .. }
                | StmtKind::Promise { .. }
                | StmtKind::Do(
                    QueueStmt::Queue {
                        op: QueueOp::Alloc | QueueOp::Free,
                        ..
                    }
                    | QueueStmt::Get { .. }
                    | QueueStmt::Sync { .. }
                    | QueueStmt::Reset { .. }
                    | QueueStmt::Host { .. },
                ) => scalars,
            };
            if let Some((var, difference)) = s.sets().zip(differs) {
                self.vars.entry(var).or_insert(difference);
            }
            s.children()
                .into_iter()
                .flatten()
                .for_each(|inner| self.learn(inner, differs));
        }
    }

    fn judge(&self, stmts: &[Stmt], around: Option<Parting>, found: &mut Vec<Diagnostic>) {
        for s in stmts {
            found.extend(
                around
                    .filter(|_| s.is_meeting())
                    .map(|parting| parting.missed(s.span)),
            );
            let is_loop = matches!(s.kind, StmtKind::For { .. });
            let here = || {
                self.parts(s).map(|difference| Parting {
                    difference,
                    at: s.span,
                    is_loop,
                })
            };
            for inner in s.children().into_iter().flatten() {
                self.judge(inner, around.or_else(here), found);
            }
        }
    }
}

impl Parting {
    /// J0412 for a meeting that not every block comes to, or not equally often.
    fn missed(&self, meeting: SpanId) -> Diagnostic {
        let (what, label) = match self.is_loop {
            true => (
                "not every block comes to this `sync_all` equally often",
                "how often this loop turns",
            ),
            false => (
                "not every block comes to this `sync_all`",
                "whether this is taken",
            ),
        };
        let on = match self.difference.cause {
            Cause::Block => "depends on the block",
            Cause::Data => "depends on what is in a tensor",
        };
        let mut d = Diagnostic::new(Code::J0412, meeting, what)
            .label(self.at, format!("{label} {on}"))
            .note("a block waits there until all others have come, so that the launch would hang".to_string())
            .help("meet under conditions of the host alone: sizes, attributes, `get_block_num()`; put what one block does into an `if` before or behind it");
        if self.difference.at != self.at {
            d = d.label(self.difference.at, "this is not the same in every block");
        }
        d
    }
}
