//! Checks of single indices that only the host knows, `x.at(k, ..)` with an attribute `k`.
//!
//! The checker leaves them to the launch (`check/source/addresses.rs`, `inside`), and the host gets
//! a step for each here. Accesses under a condition that only a core knows are proved by the
//! checker.

use super::require;
use super::Host;
use crate::ir::linear::Definitions;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    Access, AxFrom, AxId, BinOp, Index, Scalar, ScalarTy, Stage, StmtKind, TileStmt, UnOp,
};
use crate::lower::nest;

/// Adds host steps that check such indices, for launches in which an iteration uses them.
pub(super) fn require_inside(host: &mut Host<'_>, body: &Body) {
    let mut walk = IndexBounds {
        host,
        body,
        lets: Definitions::default(),
        idle: Vec::new(),
        depends: false,
    };
    walk.list(&body.stmts);
}

struct IndexBounds<'h, 'a, 'b> {
    host: &'h mut Host<'a>,
    body: &'b Body,
    /// Scalars that the body defines.
    lets: Definitions,
    /// Conditions of which each means that nothing here runs.
    idle: Vec<Scalar>,
    /// True under a condition.
    depends: bool,
}

impl IndexBounds<'_, '_, '_> {
    fn list(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Stmt) {
        let before = self.idle.len();
        match &s.kind {
            StmtKind::LetScalar { var, value } if !self.body.var(*var).mutable => {
                self.lets.define(*var, value);
            }
            StmtKind::Do(TileStmt::Loop { tile }) => {
                for spec in tile.specs.iter().filter(|spec| spec.length.is_none()) {
                    self.idle_without(spec.of);
                }
                self.list(&tile.body);
            }
            StmtKind::For { from, to, body, .. } => {
                self.idle_if(to.clone().bin(BinOp::Le, from.clone()));
                self.list(body);
            }
            StmtKind::If { cond, then, other } => {
                if let Some(cond) = self.of_host(cond) {
                    let depends = std::mem::replace(&mut self.depends, true);
                    for (stmts, idle) in
                        [(then, Scalar::un(UnOp::Not, cond.clone())), (other, cond)]
                    {
                        self.idle.push(idle);
                        self.list(stmts);
                        self.idle.truncate(before);
                    }
                    self.depends = depends;
                }
            }
            // Outside of its tensor, such an access gives a number or is dropped.
            StmtKind::Do(TileStmt::Append { .. }) => {}
            StmtKind::Do(TileStmt::Def { .. } | TileStmt::Store { .. }) if s.may_be_outside() => {}
            StmtKind::Do(TileStmt::Def { .. } | TileStmt::Store { .. }) => {
                s.access()
                    .into_iter()
                    .for_each(|access| self.access(access));
            }
            StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Promise { .. } => {}
            StmtKind::Do(TileStmt::Set { .. } | TileStmt::Read { .. } | TileStmt::Dump { .. }) => {}
        }
        self.idle.truncate(before);
    }

    fn access(&mut self, access: &Access) {
        let before = self.idle.len();
        access.axes().iter().for_each(|ax| self.idle_without(ax));
        for (nth, (index, dim)) in access.index.iter().zip(&access.dims).enumerate() {
            let Index {
                terms,
                offset,
                ids: None,
            } = index
            else {
                continue;
            };
            let number = offset
                .as_int()
                .zip(dim.as_int())
                .is_some_and(|(at, dim)| (0..dim).contains(&at));
            let offset = self.of_host(offset).filter(|_| terms.is_empty() && !number);
            if let Some((offset, dim)) = offset.zip(self.of_host(dim)) {
                self.ask(access, nth, offset, dim);
            }
        }
        self.idle.truncate(before);
    }

    fn ask(&mut self, access: &Access, nth: usize, offset: Scalar, dim: Scalar) {
        let below = offset.clone().bin(BinOp::Lt, dim);
        let inside = match is_natural(&offset) {
            true if self.is_required(&below) => return,
            true => below,
            false => Scalar::Int(0).bin(BinOp::Le, offset).bin(BinOp::And, below),
        };
        // Copies of single elements rely on it even if no iteration runs: it shows that two
        // iterations have different elements.
        let idle = self
            .idle
            .iter()
            .filter(|_| self.depends || !nest::is_single(access));
        let cond = idle.fold(inside, |cond, idle| idle.clone().bin(BinOp::Or, cond));
        let name = self.body.gm_name(self.host.sig(), access.of);
        let step = require(
            cond,
            format!(
                "a single index of `{name}` lies outside of its axis {}",
                nth + 1
            ),
        );
        if !self.host.steps.contains(&step) {
            self.host.steps.push(step);
        }
    }

    /// True if the signature requires a condition.
    fn is_required(&self, cond: &Scalar) -> bool {
        self.host
            .sig()
            .facts
            .iter()
            .any(|fact| has_part(&fact.cond, cond))
    }

    /// Returns a scalar in terms of the host, if the host can compute it.
    fn of_host(&self, s: &Scalar) -> Option<Scalar> {
        let written = self.lets.write_out(s);
        (self.host.stage(&written) <= Stage::Host).then_some(written)
    }

    /// Adds the condition that an axis has no indices, in which case nothing runs.
    fn idle_without(&mut self, of: AxId) {
        if let AxFrom::Whole { extent } = &self.body.axes[of.index()].from {
            self.idle_if(extent.clone().bin(BinOp::Le, 0));
        }
    }

    fn idle_if(&mut self, cond: Scalar) {
        if let Some(cond) = self
            .of_host(&cond)
            .filter(|cond| *cond != Scalar::Bool(false) && !self.idle.contains(cond))
        {
            self.idle.push(cond);
        }
    }
}

/// True for scalars that are not negative in any launch.
fn is_natural(s: &Scalar) -> bool {
    match s {
        Scalar::Axis(_) | Scalar::Attr(_, ScalarTy::Index) => true,
        Scalar::Int(n) => *n >= 0,
        Scalar::Bin(BinOp::Add | BinOp::Mul, a, b) => is_natural(a) && is_natural(b),
        _ => false,
    }
}

/// True if a conjunction contains a condition.
fn has_part(all: &Scalar, part: &Scalar) -> bool {
    all == part
        || matches!(all, Scalar::Bin(BinOp::And, a, b) if has_part(a, part) || has_part(b, part))
}
