//! Finds copy in, compute and copy out in the tile loop, so that they become methods as AscendC
//! authors write them.
//!
//! It examines only the order of the statements. It moves nothing but scalar definitions, which
//! have no effects. A loop of another order (a second copy in the middle, tiles inside tiles) stays
//! one text in `Process`.

use crate::parts::let_var;
use crate::uses::{vars_in, Live};
use jumar_dsl::ir::queue::{Body, Stmt};
use jumar_dsl::ir::{
    walk_stmts, QueueId, QueueOp, QueueStmt, StmtKind, SyncOp, TPosition, TensorId, VarId,
};
use jumar_dsl::ops::contract::Pipe;
use std::collections::BTreeSet;

/// Names of the methods, in order.
pub(crate) const METHODS: [&str; 3] = ["CopyIn", "Compute", "CopyOut"];

/// The tile loop, cut in three.
#[derive(Debug)]
pub(crate) struct Stages<'a> {
    /// Index of the loop among the given statements.
    pub(crate) at: usize,
    /// Scalars that several stages use; they stay in the loop.
    pub(crate) shared: Vec<&'a Stmt>,
    /// Statements of each stage, with the scalars that only it uses.
    pub(crate) stages: [Vec<&'a Stmt>; 3],
    /// Variables that each stage takes from the loop and from before it, in order of definition.
    pub(crate) vars: [Vec<VarId>; 3],
    /// Tensors from before the loop that each stage takes.
    pub(crate) tensors: [Vec<TensorId>; 3],
}

/// Cuts the only loop of `stmts`. Every method can get the tensors `views` itself, and can read the
/// variables `members`.
pub(crate) fn find<'a>(
    body: &Body,
    stmts: &[&'a Stmt],
    views: &BTreeSet<TensorId>,
    members: &BTreeSet<VarId>,
) -> Option<Stages<'a>> {
    let mut loops = stmts
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, s)| matches!(s.kind, StmtKind::For { .. }));
    let (at, the_loop) = loops.next()?;
    if loops.next().is_some() {
        return None;
    }
    let StmtKind::For { body: turn, .. } = &the_loop.kind else {
        return None;
    };
    // A mutable variable would have to be passed by reference.
    let mut changes = false;
    for s in stmts {
        walk_stmts(std::slice::from_ref(*s), &mut |s| {
            changes |= matches!(s.kind, StmtKind::SetScalar { .. })
        });
    }
    if changes {
        return None;
    }
    // An iteration that the author orders by hand keeps the author's order.
    if body.orders_by_hand() {
        return None;
    }
    // A barrier of blocks in an iteration would be in the middle of a stage. If an iteration hands
    // out memory, cutting would divide its inner loops.
    let mut several = false;
    walk_stmts(turn, &mut |s| {
        several |= s.is_meeting() || matches!(s.kind, StmtKind::Do(QueueStmt::Reset { .. }))
    });
    if several {
        return None;
    }
    let live = Live::of(turn.iter());
    let mut stages: [Vec<&Stmt>; 3] = Default::default();
    let mut made: Vec<(TensorId, usize)> = Vec::new();
    let mut reached = 0;
    for s in turn {
        if matches!(s.kind, StmtKind::LetScalar { .. }) || !live.keeps(s) {
            continue;
        }
        let stage = stage_of(body, s, &made)?;
        if stage < reached || (stage == 1 && copies(s)) {
            return None;
        }
        reached = stage;
        stages[stage].push(s);
        walk_stmts(std::slice::from_ref(s), &mut |s| {
            made.extend(s.defines().map(|t| (t, stage)))
        });
    }
    if stages.iter().any(Vec::is_empty) {
        return None;
    }
    let lets: Vec<&Stmt> = turn
        .iter()
        .filter(|s| matches!(s.kind, StmtKind::LetScalar { .. }))
        .collect();
    let needs: [Live; 3] = std::array::from_fn(|i| closure(&stages[i], &lets));
    let mut shared = Vec::new();
    let mut own: [Vec<&Stmt>; 3] = Default::default();
    for s in lets {
        let StmtKind::LetScalar { var, .. } = &s.kind else {
            continue;
        };
        let users: Vec<usize> = (0..3).filter(|i| needs[*i].var(*var)).collect();
        match users[..] {
            [] => {}
            [one] => own[one].push(s),
            [_, _, ..] => shared.push(s),
        }
    }
    let outside: BTreeSet<VarId> = outside_vars(stmts, at, &shared).into_iter().collect();
    if !vars_of_lets(&shared)
        .iter()
        .all(|v| outside.contains(v) || members.contains(v))
    {
        return None;
    }
    let mut vars: [Vec<VarId>; 3] = Default::default();
    let mut taken: [Vec<TensorId>; 3] = Default::default();
    for i in 0..3 {
        // Shared scalars are arguments now; their own operands belong to the loop.
        let needs = closure(&stages[i], &own[i]);
        let inside: BTreeSet<VarId> =
            defined_vars(stages[i].iter().chain(&own[i]).copied()).collect();
        for v in needs
            .vars()
            .filter(|v| !inside.contains(v) && !members.contains(v))
        {
            if !outside.contains(&v) {
                return None;
            }
            vars[i].push(v);
        }
        for t in needs.tensors().filter(|t| !views.contains(t)) {
            match made.iter().find(|(m, _)| *m == t) {
                Some((_, stage)) if *stage == i => {}
                Some(_) => return None,
                None => taken[i].push(t),
            }
        }
        let mut all = std::mem::take(&mut own[i]);
        all.append(&mut stages[i]);
        // Scalars return to their old place if it is inside of the stage, else to its beginning.
        let place = |s: &Stmt| turn.iter().position(|t| std::ptr::eq(t, s));
        all.sort_by_key(|s| place(s));
        stages[i] = all;
    }
    Some(Stages {
        at,
        shared,
        stages,
        vars,
        tensors: taken,
    })
}

fn of_pipe(pipe: Pipe) -> usize {
    match pipe {
        Pipe::Mte2 => 0,
        Pipe::V | Pipe::S => 1,
        Pipe::Mte3 => 2,
    }
}

/// Returns 0 for copy in, 1 for compute, 2 for copy out; `None` for a statement that fits no stage.
fn stage_of(body: &Body, s: &Stmt, made: &[(TensorId, usize)]) -> Option<usize> {
    let at = |q: &QueueId| body.queues[q.index()].position;
    Some(match &s.kind {
        StmtKind::Do(QueueStmt::Instr { instr }) => of_pipe(instr.op.contract().pipe),
        // The wait follows the pipe that it waits for.
        StmtKind::Do(QueueStmt::Sync {
            what: SyncOp::Order { from, .. },
        }) => of_pipe(*from),
        StmtKind::Do(QueueStmt::Queue {
            op: QueueOp::Alloc | QueueOp::Enque,
            queue,
            ..
        }) if at(queue) == TPosition::VecIn => 0,
        StmtKind::Do(QueueStmt::Queue {
            op: QueueOp::Deque | QueueOp::Free,
            queue,
            ..
        }) if at(queue) == TPosition::VecOut => 2,
        StmtKind::Do(QueueStmt::View { of, .. }) => made
            .iter()
            .find(|(t, _)| Some(*t) == of.tensor())
            .map_or(1, |(_, stage)| *stage),
        StmtKind::Do(QueueStmt::Queue { .. }) => 1,
        StmtKind::LetScalar { .. }
        | StmtKind::SetScalar { .. }
        | StmtKind::Do(QueueStmt::Get { .. } | QueueStmt::Call { .. }) => 1,
        StmtKind::Promise { .. } => 1,
        // A compound statement belongs to the computation, if it copies nothing.
        StmtKind::For { .. } | StmtKind::If { .. } => 1,
        StmtKind::Do(
            QueueStmt::Place { .. }
            | QueueStmt::Sync { .. }
            | QueueStmt::Reset { .. }
            | QueueStmt::Host { .. },
        ) => return None,
    })
}

fn copies(s: &Stmt) -> bool {
    let mut found = false;
    walk_stmts(std::slice::from_ref(s), &mut |s| {
        found |= s
            .instr()
            .is_some_and(|instr| instr.op.contract().pipe.copies_gm());
    });
    found
}

/// Returns what statements use, together with the scalar definitions of the iteration that they
/// depend on.
fn closure(stage: &[&Stmt], lets: &[&Stmt]) -> Live {
    Live::of(stage.iter().chain(lets).copied())
}

fn defined_vars<'a>(stmts: impl Iterator<Item = &'a Stmt>) -> impl Iterator<Item = VarId> {
    let mut vars = Vec::new();
    for s in stmts {
        walk_stmts(std::slice::from_ref(s), &mut |s| vars.extend(s.sets()));
    }
    vars.into_iter()
}

/// Returns the variables that exist in the loop of `Process`: defined before it, its own, and the
/// shared ones.
fn outside_vars(stmts: &[&Stmt], at: usize, shared: &[&Stmt]) -> Vec<VarId> {
    let mut vars: Vec<VarId> = Vec::new();
    for s in &stmts[..at] {
        vars.extend(s.sets());
    }
    if let StmtKind::For { var, .. } = &stmts[at].kind {
        vars.push(*var);
    }
    vars.extend(shared.iter().filter_map(|s| let_var(s)));
    vars
}

/// Returns the variables that scalar definitions read.
fn vars_of_lets(lets: &[&Stmt]) -> BTreeSet<VarId> {
    let mut vars = BTreeSet::new();
    for s in lets {
        if let StmtKind::LetScalar { value, .. } = &s.kind {
            vars_in(value, &mut |v| {
                vars.insert(v);
            });
        }
    }
    vars
}
