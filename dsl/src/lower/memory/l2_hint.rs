//! Finds inputs that are read once and that L2 cannot hold, so that L2 keeps other data.
//!
//! A tensor is read once if one copy of the tile loop is its only reader. The host compares its
//! size with the L2 bytes of the chip of the launch. The hint changes no value.

use crate::ir::queue::Stmt;
use crate::ir::{
    BinOp, ChipFact, Extent, ParamId, QueueStmt, ReadOnce, Role, Scalar, ScalarTy, StmtKind,
};
use crate::lower::host::Host;
use crate::ops::contract::Pipe;

/// Returns the inputs that a body reads once, each with the host's condition that L2 cannot hold
/// it.
pub fn read_once(host: &mut Host<'_>, stmts: &[Stmt]) -> Vec<ReadOnce> {
    if !host.chip.has_l2_hint {
        return Vec::new();
    }
    let sig = host.sig();
    let inputs = sig
        .tensors()
        .filter(|(id, _, role, _)| *role == Role::In && reads(stmts, *id, 0) == Some(1));
    let once = inputs.map(|(param, _, _, ty)| {
        let bytes = sig.elements(param) * Scalar::SizeOf(ty);
        let larger = bytes.bin(BinOp::Gt, Scalar::Chip(ChipFact::L2Bytes));
        ReadOnce {
            param,
            exceeds_l2: host.define("exceeds_cache", ScalarTy::Bool, larger),
        }
    });
    once.collect()
}

/// Counts the copies that read a tensor; `None` if elements may be read again or by another pipe.
///
/// - Copies before the tile loop run in every block.
/// - Copies of a loop inside run in several iterations.
/// - A copy at a constant offset reads the same elements in each iteration.
fn reads(stmts: &[Stmt], param: ParamId, loops: usize) -> Option<usize> {
    stmts.iter().try_fold(0, |count, s| {
        let more = match &s.kind {
            StmtKind::For { body, .. } => reads(body, param, loops + 1)?,
            StmtKind::If { then, other, .. } => reads(then, param, loops)? + reads(other, param, loops)?,
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                let mut views = instr.views().filter(|(_, view)| view.param() == Some(param));
                // The 32 bytes of a single element contain other elements, which are read again.
                let alone = matches!(&instr.extent, Extent::Rows { rows, cols: Scalar::Int(1) } if *rows != Scalar::Int(1));
                let moves = loops == 1 && instr.op.contract().pipe == Pipe::Mte2 && !alone;
                views.try_fold(0, |n, (_, view)| (moves && !view.offset.has_no_variables()).then_some(n + 1))?
            }
            // No other statement reads GM.
            StmtKind::Do(QueueStmt::Place { .. } | QueueStmt::Sync { .. }) => 0,
            StmtKind::Promise { .. } | StmtKind::Do(QueueStmt::Reset { .. }) => 0,
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::Do(QueueStmt::Call { .. } | QueueStmt::View { .. }) => 0,
            StmtKind::Do(QueueStmt::Queue { .. }) => 0,
            // A lowered body has `Get` alone, no `Host`.
            StmtKind::Do(QueueStmt::Get { .. } | QueueStmt::Host { .. }) => 0,
        };
        Some(count + more)
    })
}
