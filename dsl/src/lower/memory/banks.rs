//! Places sources that one call reads together in different banks of UB.
//!
//! The data blocks of UB are distributed over groups of banks in rotation, and a group reads one
//! block at a time. A repeat reads half as many blocks of each source as there are groups. Two
//! sources whose distance is a multiple of a period collide in every group, and a repeat takes two
//! cycles instead of one. Half a period apart they never collide.
//!
//! TPipe hands out UB in the order of the `InitBuffer` calls:
//! `[side, side, .. | skew | other, other, .. | everything else]`.
//!
//! - Memories that calls read together are divided into two sides, with half a period between them.
//! - Each of these memories takes whole periods, so that all buffers of a queue are aligned alike.
//! - All other memory keeps its bytes and stands behind, where it moves nothing.
//!
//! The sides are a 2-colouring of the graph of these pairs. Pairs are joined in the order of their
//! weight: first loops around the call, then the number of calls. Without odd cycles every pair is
//! separated; in an odd cycle the lightest pair stays together.
//!
//! These cases cannot be helped:
//!
//! - a call that reads one memory twice;
//! - work space, which a function reads at places that depend on its sizes;
//! - sources that begin inside their memory: parts of a shared block, and rows whose pitch is no
//!   multiple of a period;
//! - a column beside rows, which is in another group for each row;
//! - destinations, which collide with sources only if they lie one row of banks behind them.
//!
//! The result depends on declarations and statements alone.

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

/// Orders the memory of a body, rounds memories that are read together to whole periods, and
/// declares the skew between the sides. Returns the new order.
///
/// A body whose calls read nothing together stays as it is. Only memory counts whose bytes depend
/// on one of the `lengths` of tiles and rows: one value a row takes only a repeat or two.
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

/// Returns the number of buffers that a body requests from TPipe.
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
    // There is at least one: two memories are read together.
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

/// Two memories that calls read together.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    of: [Memory; 2],
    /// The most loops around such a call.
    loops: usize,
    calls: usize,
}

/// Returns the side of each memory of the pairs. The first memory of a connected component is on
/// the first side.
fn sides(order: &[Memory], mut pairs: Vec<Pair>) -> BTreeMap<Memory, bool> {
    // The sort is stable: pairs of equal weight keep their order.
    pairs.sort_by_key(|pair| std::cmp::Reverse((pair.loops, pair.calls)));
    // For each memory, the first one of its component, and true if it is on the other side than
    // that one.
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

/// Returns the pairs of a body, in order.
fn pairs(body: &Body, funcs: &[Arc<Func>]) -> Vec<Pair> {
    let mut meeting = Meeting {
        funcs,
        pairs: Vec::new(),
    };
    meeting.list(&body.stmts, &mut vec![None; body.tensors.len()], 0);
    meeting.pairs
}

/// A walk over calls that collects pairs.
struct Meeting<'a> {
    funcs: &'a [Arc<Func>],
    pairs: Vec<Pair>,
}

/// The memory of each tensor, if it is known.
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
                // The author places such tensors.
                StmtKind::Do(QueueStmt::Place { .. } | QueueStmt::Sync { .. }) => {}
                StmtKind::Promise { .. } | StmtKind::Do(QueueStmt::Reset { .. }) => {}
                // Statements of the tile dialect do not occur here.
                StmtKind::Do(QueueStmt::Host { .. }) => {}
            }
        }
    }

    /// Visits the calls of a function. The iterations of its own loops depend on the launch and do
    /// not count.
    fn function(&mut self, func: &Func, tensors: &[View], homes: &Homes, loops: usize) {
        // A function decides itself how it reads its work space.
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
        // The launch chooses between forms of a function, so each pair counts once.
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

/// True if a repeat reads contiguous data blocks.
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
