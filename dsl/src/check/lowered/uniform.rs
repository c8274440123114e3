//! J0412: barriers of all blocks (`sync_all`) that only some blocks reach.
//!
//! A block waits at a barrier until all others arrive. So the conditions and iteration counts
//! around a barrier must be equal in every block. They must depend neither on the block index and
//! the shares, nor on the contents of tensors. Each variable that does is noted with the place of
//! the dependence, in any order of statements. Then each loop and branch around a barrier is
//! judged.
//!
//! At tile level, all blocks synchronize before one loads what another wrote. So one place of GM
//! has one value for all blocks. There an element differs only if something on the way to it does,
//! and values in UB are followed by their memory. At queue level an author may have omitted that
//! barrier, and no element counts as equal.

use super::homes::{Home, Homes};
use crate::diag::{Code, Diagnostic};
use crate::ir::queue::Stmt;
use crate::ir::{
    Instr, Level, Lowered, QueueId, QueueOp, QueueStmt, Scalar, SpanId, StmtKind, TensorId, VarId,
    Variant, View,
};
use crate::ops::contract::Access;
use std::collections::BTreeMap;

/// Checks every barrier of a variant that launches several blocks.
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

/// The reason why something differs between blocks.
#[derive(Clone, Copy)]
enum Cause {
    Block,
    Data,
}

/// Something that differs between blocks, and the place where that begins.
#[derive(Clone, Copy)]
struct Difference {
    cause: Cause,
    at: SpanId,
}

/// A loop or branch that blocks execute differently.
#[derive(Clone, Copy)]
struct Parting {
    difference: Difference,
    at: SpanId,
    is_loop: bool,
}

/// Everything that differs between blocks.
struct Differing {
    level: Level,
    homes: Homes,
    vars: BTreeMap<VarId, Difference>,
    /// Memory in UB, at any time.
    memory: BTreeMap<Home, Difference>,
    /// Values that go through a queue.
    waiting: BTreeMap<QueueId, Difference>,
}

impl Differing {
    fn count(&self) -> usize {
        self.vars.len() + self.memory.len() + self.waiting.len()
    }

    /// Returns the reason why an expression at `at` differs.
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

    /// Returns the reason why a scalar of a statement differs: an iteration count, a condition, a
    /// place or a number of elements.
    fn parts(&self, s: &Stmt) -> Option<Difference> {
        let mut found = None;
        s.scalars(&mut |e| found = found.or(self.of(e, s.span)));
        found
    }

    fn holds(&self, tensor: TensorId) -> Option<Difference> {
        self.memory.get(&self.homes.home(tensor)).copied()
    }

    /// Notes the value of a tensor.
    fn writes(&mut self, tensor: TensorId, differs: Option<Difference>) {
        if let Some(difference) = differs {
            self.memory
                .entry(self.homes.home(tensor))
                .or_insert(difference);
        }
    }

    /// Returns the reason why the elements differ that an instruction reads.
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

    /// Notes the variables and the memory that statements set. `under` is the difference of a
    /// construct around them.
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
    /// Reports J0412 for a barrier that not every block reaches, or not equally often.
    fn missed(&self, meeting: SpanId) -> Diagnostic {
        let (what, label) = match self.is_loop {
            true => (
                "not every block comes to this `sync_all` equally often",
                "how often this loop iterates",
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
