//! Inputs that are read once and that L2 cannot hold: it is told not to keep them, so that it keeps what is read again.
//!
//! Only the loads of a loop over all elements are sure to read a tensor once, and only of those the tiling data says how many
//! elements there are. The bytes of L2 are those of the chip that the kernel was checked for; the hint changes no value.

use super::class::ClassCx;
use crate::cpp::Cpp;
use crate::scalar::Helper;
use jumar_dsl::ir::{HostStep, Level, ParamId, Role, Scalar, Stmt, StmtKind, VarId};
use jumar_dsl::ops::contract::Pipe;

impl ClassCx<'_> {
    /// The hints, each under its condition.
    pub(super) fn print_l2_hints(&self, out: &mut Cpp) {
        for (id, _, role, _) in self.plan.sig.tensors() {
            let Some(elements) = self.length(id).filter(|_| role == Role::In && self.is_read_once(id)) else { continue };
            self.need(Helper::L2Bytes);
            let bytes = self.init().expr(&(Scalar::Var(elements) * Scalar::SizeOf(self.source.param(id))));
            out.block(format_args!("if ({bytes} > L2_BYTES)"), |out| {
                out.line(format_args!("{}.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);", self.gm_member(id)));
            });
        }
    }

    /// True where one load of the tile loop is all that reads a tensor. A loop inside would read a tile again.
    fn is_read_once(&self, param: ParamId) -> bool {
        let hint = self.plan.chip.has_l2_hint() && self.plan.level == Level::Tile;
        hint && self.class.tensors.contains(&param) && reads(&self.body.stmts, param, 0) == Some(1)
    }

    /// The member of the tiling data that counts the elements of a tensor, where there is one.
    fn length(&self, param: ParamId) -> Option<VarId> {
        let elements = self.plan.sig.elements(param);
        self.source.fields.iter().copied().find(|field| {
            self.class.serves.iter().all(|(at, variant)| {
                let lowered = &self.plan.instances[*at];
                let mut steps = lowered.steps.iter().chain(&lowered.variants[*variant].steps);
                steps.any(|s| matches!(s, HostStep::Let { var, value } if var == field && *value == elements))
            })
        })
    }
}

/// How many copies read a tensor; `None` where a loop inside of the tile loop repeats one, or another pipe reads.
fn reads(stmts: &[Stmt], param: ParamId, loops: usize) -> Option<usize> {
    stmts.iter().try_fold(0, |count, s| {
        let more = match &s.kind {
            StmtKind::For { body, .. } => reads(body, param, loops + 1)?,
            StmtKind::If { then, other, .. } => reads(then, param, loops)? + reads(other, param, loops)?,
            StmtKind::Instr { instr } if instr.views().any(|(_, view)| view.param() == Some(param)) => {
                (loops <= 1 && instr.op.contract().pipe == Pipe::Mte2).then_some(1)?
            }
            _ => 0,
        };
        Some(count + more)
    })
}
