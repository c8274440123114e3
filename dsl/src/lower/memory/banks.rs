//! Banks of UB: sources that one call reads side by side begin in different halves of them.
//!
//! The data blocks of UB lie in groups of banks by turns, and of each group one block is read at a time. A repeat reads half as many
//! blocks of each source as there are groups; two sources that begin a whole number of periods apart meet in every group, and
//! a repeat takes two cycles instead of one. Half a period apart they never meet.
//!
//! TPipe hands out UB in the order of the `InitBuffer` calls. So the memories that calls read side by side are divided in two sides,
//! each memory takes whole periods, which keeps all buffers of a queue alike, and half a period of nothing stands between the
//! sides: `[side, side, .. | skew | other, other, .. | everything else]`. What no call reads beside another keeps its bytes and stands
//! behind, where it moves nothing.
//!
//! The sides are a 2-colouring of the graph of these pairs, found by joining pairs in the order of their weight (loops around the call,
//! then calls). In a graph without odd cycles each pair is kept apart; of an odd cycle the lightest pair stays together. What cannot be
//! helped here: a call that reads one memory twice; work space that a function reads where its sizes say; sources that begin inside
//! their memory, such as parts of a shared block, and rows whose pitch is no whole period; a column beside rows, which is in another group
//! for each of them; and destinations, which meet sources only where they lie one row of banks behind them.
//!
//! A function of declarations and statements: of the kernel nothing is asked but which memories meet.

use super::decls::Decls;
use crate::ir::names::unique;
use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    BufDecl, BufId, Func, Instr, Layout, Memory, QueueOp, QueueStmt, Scalar, StmtKind, TPosition,
    TensorId, VarId, View,
};
use crate::lower::host::Host;
use crate::ops::contract::{Access, Pipe};
use crate::soc::MAX_BUFFERS;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Orders the memory of a body, rounds what is read side by side to whole periods of the banks, and declares what stands between the
/// sides. A body whose calls read nothing side by side stays as it is. Memory counts whose bytes grow with one of the `lengths`, those
/// of tiles and rows: one value a row takes a repeat or two.
pub fn spread(host: &Host<'_>, body: &mut Body, earlier: &Decls, lengths: &[VarId]) -> Vec<Memory> {
    let plain: Vec<Memory> = body
        .memory()
        .into_iter()
        .filter(|memory| earlier.is_own(*memory))
        .collect();
    let Some(period) = host.chip.ub_bank_period() else {
        return plain;
    };
    let mut pairs = pairs(body, &host.funcs.all);
    let is_long = |memory: &Memory| {
        lengths
            .iter()
            .any(|length| bytes(body, *memory).mentions(*length))
    };
    pairs.retain(|pair| pair.of.iter().all(is_long));
    let sides = sides(&plain, pairs);
    if sides.is_empty() || buffers(body) >= MAX_BUFFERS {
        return plain;
    }
    for memory in sides.keys() {
        let rounded = host.rounded(bytes(body, *memory).clone(), period);
        *bytes_mut(body, *memory) = rounded;
    }
    let skew = Memory::Skew {
        buf: declare_skew(body, period / 2),
    };
    let side = |memory: &Memory| sides.get(memory).copied();
    let on = |of: Option<bool>| {
        plain
            .iter()
            .copied()
            .filter(move |memory| side(memory) == of)
    };
    on(Some(false))
        .chain([skew])
        .chain(on(Some(true)))
        .chain(on(None))
        .collect()
}

/// Buffers that a body asks TPipe for.
fn buffers(body: &Body) -> i64 {
    let of_queues = body
        .queues
        .iter()
        .filter_map(|q| q.buffers())
        .map(|n| *n.end());
    of_queues.fold(body.bufs.len() as i64, i64::saturating_add)
}

fn bytes(body: &Body, memory: Memory) -> &Scalar {
    match memory {
        Memory::Queue { queue } => &body.queues[queue.index()].bytes,
        Memory::Buf { buf } | Memory::Skew { buf } => &body.bufs[buf.index()].bytes,
    }
}

fn bytes_mut(body: &mut Body, memory: Memory) -> &mut Scalar {
    match memory {
        Memory::Queue { queue } => &mut body.queues[queue.index()].bytes,
        Memory::Buf { buf } | Memory::Skew { buf } => &mut body.bufs[buf.index()].bytes,
    }
}

fn declare_skew(body: &mut Body, bytes: i64) -> BufId {
    let queues = body.queues.iter().map(|q| (&q.name, q.span));
    let taken: Vec<_> = queues
        .chain(body.bufs.iter().map(|b| (&b.name, b.span)))
        .collect();
    let name = unique("bank_skew", |name| {
        taken.iter().any(|(other, _)| *other == name)
    });
    // Two memories are read side by side, so there is one.
    let span = taken[0].1;
    let purpose = "keeps sources of one call in different banks".to_string();
    body.bufs.push(BufDecl {
        name,
        position: TPosition::VecCalc,
        bytes: bytes.into(),
        purpose,
        span,
    });
    BufId(body.bufs.len() as u32 - 1)
}

/// Two memories that calls read side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    of: [Memory; 2],
    /// Most loops around such a call.
    loops: usize,
    calls: usize,
}

/// The side of each memory of the pairs; the first one of those that hang together is on the first side.
fn sides(order: &[Memory], mut pairs: Vec<Pair>) -> BTreeMap<Memory, bool> {
    // Pairs of one weight stay in the order in which they were met.
    pairs.sort_by_key(|pair| std::cmp::Reverse((pair.loops, pair.calls)));
    // Each memory with the first one of those that it hangs together with, and whether it is on the other side than that one.
    let rank = |memory: Memory| order.iter().position(|m| *m == memory);
    let mut at: BTreeMap<Memory, (Option<usize>, bool)> = BTreeMap::new();
    for memory in pairs.iter().flat_map(|pair| pair.of) {
        at.insert(memory, (rank(memory), false));
    }
    for Pair { of: [a, b], .. } in pairs {
        let ((first, a), (second, b)) = (at[&a], at[&b]);
        if first == second {
            continue;
        }
        let joined = first.min(second);
        for (group, side) in at
            .values_mut()
            .filter(|(group, _)| *group == first.max(second))
        {
            *group = joined;
            *side ^= a == b;
        }
    }
    at.into_iter()
        .map(|(memory, (_, side))| (memory, side))
        .collect()
}

/// The pairs of a body, in the order in which they are met.
fn pairs(body: &Body, funcs: &[Arc<Func>]) -> Vec<Pair> {
    let mut meeting = Meeting {
        funcs,
        pairs: Vec::new(),
    };
    meeting.list(&body.stmts, &mut vec![None; body.tensors.len()], 0);
    meeting.pairs
}

/// A walk over calls.
struct Meeting<'a> {
    funcs: &'a [Arc<Func>],
    pairs: Vec<Pair>,
}

/// The memory of each tensor, where it is known.
type Homes = Vec<Option<Memory>>;

impl Meeting<'_> {
    fn list(&mut self, stmts: &[Stmt], homes: &mut Homes, loops: usize) {
        for s in stmts {
            match &s.kind {
                StmtKind::Do(QueueStmt::Get { tensor, buf }) => {
                    homes[tensor.index()] = Some(Memory::Buf { buf: *buf })
                }
                StmtKind::Do(QueueStmt::Queue {
                    op: QueueOp::Alloc | QueueOp::Deque,
                    tensor,
                    queue,
                }) => {
                    homes[tensor.index()] = Some(Memory::Queue { queue: *queue });
                }
                StmtKind::Do(QueueStmt::View { tensor, of }) => {
                    homes[tensor.index()] = home(homes, of)
                }
                StmtKind::Do(QueueStmt::Instr { instr }) => self.call(instr, homes, loops),
                StmtKind::Do(QueueStmt::Call { func, tensors, .. }) => {
                    self.function(&self.funcs[func.index()], tensors, homes, loops)
                }
                StmtKind::For { body, .. } => self.list(body, homes, loops + 1),
                StmtKind::If { then, other, .. } => {
                    self.list(then, homes, loops);
                    self.list(other, homes, loops);
                }
                StmtKind::LetScalar { .. }
                | StmtKind::SetScalar { .. }
                | StmtKind::Do(QueueStmt::Queue {
                    op: QueueOp::Enque | QueueOp::Free,
                    ..
                }) => {}
                // Where tensors lie that the author places himself is for him to say.
                StmtKind::Do(QueueStmt::Place { .. } | QueueStmt::Sync { .. }) => {}
                StmtKind::Promise { .. } | StmtKind::Do(QueueStmt::Reset { .. }) => {}
                // What the tile dialect has is gone here.
                StmtKind::Do(QueueStmt::Host { .. }) => {}
            }
        }
    }

    /// The calls of a function: how often its own loops run is the launch's to say.
    fn function(&mut self, func: &Func, tensors: &[View], homes: &Homes, loops: usize) {
        // What work space is read for, and where in it, is the function's to say.
        let given = func
            .tensors
            .iter()
            .zip(tensors)
            .map(|(of, view)| home(homes, view).filter(|_| of.access != Access::Scratch));
        let mut own: Homes = given.collect();
        own.resize(func.body.tensors.len(), None);
        let mut inner = Meeting {
            funcs: self.funcs,
            pairs: Vec::new(),
        };
        inner.list(&func.body.stmts, &mut own, 0);
        // Which of its forms is taken is the launch's to say, too: whatever it reads side by side is read once.
        inner
            .pairs
            .iter()
            .for_each(|pair| self.note(pair.of, loops));
    }

    fn call(&mut self, instr: &Instr, homes: &Homes, loops: usize) {
        if instr.op.contract().pipe != Pipe::V {
            return;
        }
        let sources: Vec<Memory> = instr
            .views()
            .filter(|(rule, view)| rule.reads_blocks() && has_all_blocks(&view.layout))
            .filter_map(|(_, view)| home(homes, view))
            .collect();
        for (i, a) in sources.iter().enumerate() {
            sources[..i]
                .iter()
                .filter(|b| *b != a)
                .for_each(|b| self.note([*b, *a], loops));
        }
    }

    fn note(&mut self, of: [Memory; 2], loops: usize) {
        let [a, b] = of;
        match self
            .pairs
            .iter_mut()
            .find(|pair| pair.of == of || pair.of == [b, a])
        {
            Some(pair) => {
                pair.loops = pair.loops.max(loops);
                pair.calls += 1;
            }
            None => self.pairs.push(Pair {
                of,
                loops,
                calls: 1,
            }),
        }
    }
}

/// True where a repeat reads data blocks that follow one another.
fn has_all_blocks(layout: &Layout) -> bool {
    match layout {
        Layout::Dense {} => true,
        Layout::Blocks { blk, .. } => blk.as_int() == Some(1),
        Layout::Rows { .. } | Layout::Results { .. } => false,
    }
}

fn home(homes: &Homes, view: &View) -> Option<Memory> {
    view.tensor()
        .and_then(|tensor: TensorId| homes[tensor.index()])
}
