//! Checks accesses to tensors that a launch may leave out.
//!
//! The statements around must test that the tensor was given, or the access must name the value
//! that is read instead.

use super::body::Own;
use super::{Checked, Cx};
use crate::ir::{
    BinOp, HostStep, Lowered, ParamId, ParamKind, Scalar, Stmt, StmtKind, UnOp, VarId, Variant,
};
use std::collections::BTreeMap;

/// Host variables that are true where a tensor was given.
pub(super) type Flags = BTreeMap<VarId, ParamId>;

impl Cx<'_> {
    /// Collects the flags of a variant.
    pub(super) fn flags(&self, lowered: &Lowered, variant: &Variant) -> Flags {
        lowered
            .steps(variant)
            .filter_map(|step| match step {
                HostStep::Let { var, value } => Some((*var, self.flag(value, &Flags::new())?)),
                HostStep::Solve { .. } | HostStep::Fits { .. } | HostStep::Require { .. } => None,
            })
            .collect()
    }

    /// Returns the tensor whose flag a scalar is.
    fn flag(&self, s: &Scalar, flags: &Flags) -> Option<ParamId> {
        match s {
            Scalar::Attr(p, _)
                if matches!(
                    self.sig.params.get(p.index())?.kind,
                    ParamKind::Tensor { .. }
                ) =>
            {
                Some(*p)
            }
            Scalar::Var(v) => flags.get(v).copied(),
            _ => None,
        }
    }

    /// Collects the tensors that were given where a condition holds, or where it does not.
    fn given_where(&self, cond: &Scalar, holds: bool, flags: &Flags, into: &mut Vec<ParamId>) {
        match cond {
            Scalar::Bin(BinOp::And, a, b) if holds => {
                self.given_where(a, true, flags, into);
                self.given_where(b, true, flags, into);
            }
            Scalar::Bin(BinOp::Or, a, b) if !holds => {
                self.given_where(a, false, flags, into);
                self.given_where(b, false, flags, into);
            }
            Scalar::Un(UnOp::Not, a) => self.given_where(a, !holds, flags, into),
            other if holds => into.extend(self.flag(other, flags)),
            _ => {}
        }
    }

    /// Checks statements that are reached where conditions hold.
    pub(super) fn is_given<L: Own>(
        &mut self,
        stmts: &[Stmt<L>],
        when: &[Scalar],
        flags: &Flags,
    ) -> Checked {
        if self.sig.tensors().all(|(id, ..)| !self.sig.is_optional(id)) {
            return Ok(());
        }
        let mut given = Vec::new();
        when.iter()
            .for_each(|cond| self.given_where(cond, true, flags, &mut given));
        self.given_in(stmts, &mut given, flags)
    }

    fn given_in<L: Own>(
        &mut self,
        stmts: &[Stmt<L>],
        given: &mut Vec<ParamId>,
        flags: &Flags,
    ) -> Checked {
        for s in stmts {
            self.span = Some(s.span);
            self.touched_is_given(s, given)?;
            if let StmtKind::If { cond, then, other } = &s.kind {
                let known = given.len();
                for (holds, branch) in [(true, then), (false, other)] {
                    self.given_where(cond, holds, flags, given);
                    self.given_in(branch, given, flags)?;
                    given.truncate(known);
                }
                continue;
            }
            for inner in s.children().into_iter().flatten() {
                self.given_in(inner, given, flags)?;
            }
        }
        Ok(())
    }

    fn touched_is_given<L: Own>(&self, s: &Stmt<L>, given: &[ParamId]) -> Checked {
        let touched = s.own().map(L::touched).unwrap_or_default();
        match touched
            .into_iter()
            .find(|p| self.sig.is_optional(*p) && !given.contains(p))
        {
            Some(p) => self.fault(format!(
                "`{}`, which may be left out, where nothing says that it was given",
                self.sig.param(p).name
            )),
            None => Ok(()),
        }
    }
}
