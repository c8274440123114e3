//! Flags: conditions that no iteration of a loop changes.
//!
//! A flag has one value in all iterations, whatever it compares. `a >= b` is stored as `!(a < b)`,
//! so that a condition and its negation never both hold.

use super::Turn;
use crate::check::source::cut::number::hash;
use crate::ir::tile::Stmt;
use crate::ir::{BinOp, Scalar, StmtKind, TileStmt, UnOp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Most flags of a loop. Up to `MOST_COMBINED`, every combination is tried.
pub(super) const MOST_FLAGS: usize = 16;
const MOST_COMBINED: usize = 5;

impl Turn<'_> {
    /// Returns the flags: the atoms of conditions that no iteration changes.
    pub(super) fn flags(&self) -> Vec<Scalar> {
        let (mut inside, mut found) = (BTreeSet::new(), Vec::new());
        crate::ir::walk_stmts(&self.tile.body, &mut |s| {
            inside.extend(s.sets());
            if let Some(TileStmt::Loop { tile }) = s.own() {
                inside.extend(tile.specs.iter().flat_map(|spec| [spec.start, spec.len]));
            }
        });
        inside.extend(
            self.tile
                .specs
                .iter()
                .flat_map(|spec| [spec.start, spec.len]),
        );
        crate::ir::walk_stmts(&self.tile.body, &mut |s| {
            if let StmtKind::If { cond, .. } = &s.kind {
                flags_of(&self.context.definitions.write_out(cond), &mut |flag| {
                    if !inside.iter().any(|var| flag.mentions(*var)) && !found.contains(flag) {
                        found.push(flag.clone());
                    }
                });
            }
        });
        found
    }

    /// Returns the values of the flags to try: every combination of few flags. With more, each way
    /// of each branch is taken once, and all other flags are drawn.
    pub(super) fn combinations(&self, flags: &[Scalar]) -> Vec<u64> {
        let count = 1u64 << flags.len();
        if flags.len() <= MOST_COMBINED {
            return (0..count).collect();
        }
        let mut found = BTreeSet::from([0, count - 1]);
        self.ways(&self.tile.body, flags, &BTreeMap::new(), &mut found);
        found.into_iter().collect()
    }

    fn ways(
        &self,
        stmts: &[Stmt],
        flags: &[Scalar],
        fixed: &BTreeMap<usize, bool>,
        found: &mut BTreeSet<u64>,
    ) {
        for s in stmts {
            let StmtKind::If { cond, then, other } = &s.kind else {
                s.children()
                    .into_iter()
                    .flatten()
                    .for_each(|inner| self.ways(inner, flags, fixed, found));
                continue;
            };
            let cond = self.context.definitions.write_out(cond);
            for (holds, inner) in [(true, then), (false, other)] {
                let mut fixed = fixed.clone();
                force(&cond, holds, flags, &mut fixed);
                for nth in 0..2 {
                    let drawn = hash(&[found.len() as u64, nth]);
                    let bit = |at: usize| fixed.get(&at).copied().unwrap_or(drawn >> at & 1 == 1);
                    found.insert(
                        (0..flags.len())
                            .filter(|at| bit(*at))
                            .fold(0, |all, at| all | 1 << at),
                    );
                }
                self.ways(inner, flags, &fixed, found);
            }
        }
    }
}

/// Rewrites a comparison to `<` or `==`, and returns true with it if it is negated.
pub(super) fn compared(s: &Scalar) -> (Scalar, bool) {
    let Scalar::Bin(op, a, b) = s else {
        return (s.clone(), false);
    };
    let of = |op, a: &Arc<Scalar>, b: &Arc<Scalar>| Scalar::Bin(op, a.clone(), b.clone());
    match op {
        BinOp::Ge => (of(BinOp::Lt, a, b), true),
        BinOp::Gt => (of(BinOp::Lt, b, a), false),
        BinOp::Le => (of(BinOp::Lt, b, a), true),
        BinOp::Ne => (of(BinOp::Eq, a, b), true),
        _ => (s.clone(), false),
    }
}

/// Visits the flags of a condition.
fn flags_of(cond: &Scalar, found: &mut impl FnMut(&Scalar)) {
    match cond {
        Scalar::Bool(_) => {}
        Scalar::Un(UnOp::Not, a) => flags_of(a, found),
        Scalar::Bin(BinOp::And | BinOp::Or, a, b) => {
            flags_of(a, found);
            flags_of(b, found);
        }
        _ => found(&compared(cond).0),
    }
}

/// Sets the flags that make a condition hold or fail, where they are still open.
fn force(cond: &Scalar, holds: bool, flags: &[Scalar], fixed: &mut BTreeMap<usize, bool>) {
    match cond {
        Scalar::Un(UnOp::Not, a) => force(a, !holds, flags, fixed),
        Scalar::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
            force(a, holds, flags, fixed);
            if (*op == BinOp::And) == holds {
                force(b, holds, flags, fixed);
            }
        }
        _ => {
            let (flag, is_inverted) = compared(cond);
            if let Some(at) = flags.iter().position(|own| *own == flag) {
                fixed.entry(at).or_insert(holds != is_inverted);
            }
        }
    }
}
