//! Inputs that are read once and that L2 cannot hold: told so, it keeps what is read again.
//!
//! Each element of a tensor is read once where one copy of the tile loop is all that reads it. Whether L2 holds the tensor the host
//! decides with the bytes of the chip of the launch; the hint changes no value.

use crate::ir::queue::Stmt;
use crate::ir::{
    BinOp, ChipFact, Extent, ParamId, QueueStmt, ReadOnce, Role, Scalar, ScalarTy, StmtKind,
};
use crate::lower::host::Host;
use crate::ops::contract::Pipe;

/// The inputs that a body reads once, each with the host's answer whether L2 holds it.
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

/// How many copies read a tensor; `None` where one of them reads elements again or another pipe reads them: copies before the tile
/// loop are made by every block, those of a loop inside by several turns, and what begins at one place is the same in each turn.
fn reads(stmts: &[Stmt], param: ParamId, loops: usize) -> Option<usize> {
    stmts.iter().try_fold(0, |count, s| {
        let more = match &s.kind {
            StmtKind::For { body, .. } => reads(body, param, loops + 1)?,
            StmtKind::If { then, other, .. } => reads(then, param, loops)? + reads(other, param, loops)?,
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                let mut views = instr.views().filter(|(_, view)| view.param() == Some(param));
                // Of single elements several lie in what one of them brings.
                let alone = matches!(&instr.extent, Extent::Rows { rows, cols: Scalar::Int(1) } if *rows != Scalar::Int(1));
                let moves = loops == 1 && instr.op.contract().pipe == Pipe::Mte2 && !alone;
                views.try_fold(0, |n, (_, view)| (moves && !view.offset.has_no_variables()).then_some(n + 1))?
            }
            // No others read GM.
            StmtKind::Do(QueueStmt::Place { .. } | QueueStmt::Sync { .. }) => 0,
            StmtKind::Promise { .. } | StmtKind::Do(QueueStmt::Reset { .. }) => 0,
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::Do(QueueStmt::Call { .. } | QueueStmt::View { .. }) => 0,
            StmtKind::Do(QueueStmt::Queue { .. }) => 0,
            // A lowered body has no other than the first.
            StmtKind::Do(QueueStmt::Get { .. } | QueueStmt::Host { .. }) => 0,
        };
        Some(count + more)
    })
}
