//! Names for variables that a kernel assigns to, for a walk that follows the assignments.
//!
//! From one assignment to the next, a mutable variable stands for a fresh name. Facts about names
//! are kept like those about any other variable.

use super::facts::Facts;
use crate::ir::{stmt, walk_stmts, Dialect, Scalar, StmtKind, VarId};
use std::collections::BTreeSet;

impl Facts {
    /// Gives a mutable variable a fresh name without facts, which holds until its next assignment.
    pub fn renamed(&mut self, var: VarId) -> VarId {
        let name = VarId::new(self.vars + self.names.len(), var.ty());
        self.names.push(var);
        let form = self.work.get_mut().forms.of_var(name);
        self.lets.insert(var, (name.into(), form));
        name
    }

    /// Forgets the facts about variables that these statements assign to.
    pub fn assigned_in<L: Dialect>(&mut self, stmts: &[stmt::Stmt<L>]) {
        let mut assigned = BTreeSet::new();
        walk_stmts(stmts, &mut |s| {
            if let StmtKind::SetScalar { var, .. } = &s.kind {
                assigned.insert(*var);
            }
        });
        assigned.into_iter().for_each(|var| _ = self.renamed(var));
    }

    /// Names the variables that the arms of an `if` assign to: each has the value from the arm that
    /// ran. `cond` holds in the first arm; `arms` are the names at the end of each.
    pub fn joined(&mut self, cond: &Scalar, arms: [Vec<(VarId, VarId)>; 2]) {
        let [then, other] = arms;
        for (var, name) in then {
            let Some((_, otherwise)) = other.iter().find(|(of, _)| *of == var) else {
                continue;
            };
            if name != *otherwise {
                let joined = self.renamed(var);
                let value = Scalar::select(cond.clone(), name.into(), (*otherwise).into());
                self.define(joined, &value);
                self.name_again(&[(var, joined)]);
            }
        }
    }

    /// Returns the current names of mutable variables, to be restored where another arm begins.
    pub fn names_now(&self) -> Vec<(VarId, VarId)> {
        self.mutable
            .iter()
            .filter_map(|var| Some((*var, self.name_of(*var)?)))
            .collect()
    }

    /// Restores earlier names of variables.
    pub fn name_again(&mut self, names: &[(VarId, VarId)]) {
        for (var, name) in names.iter().copied().filter(|(var, name)| var != name) {
            let form = self.form(&name.into());
            self.lets.insert(var, (name.into(), form));
        }
    }

    /// Returns the current name of a mutable variable, if the walk follows it.
    pub(super) fn name_of(&self, var: VarId) -> Option<VarId> {
        match self.lets.get(&var) {
            Some((Scalar::Var(name), _)) if self.mutable.contains(&var) => Some(*name),
            Some(_) | None => None,
        }
    }

    /// True if a scalar contains such a name.
    pub(super) fn has_names(&self, s: &Scalar) -> bool {
        !self.names.is_empty() && s.vars().into_iter().any(|var| var.index() >= self.vars)
    }

    /// Returns the variable that a name stands for, else `var` itself.
    pub fn original(&self, var: VarId) -> VarId {
        var.index()
            .checked_sub(self.vars)
            .map_or(var, |at| self.names[at])
    }

    /// True if a scalar depends on a mutable variable, whatever its current name is.
    pub fn is_assigned(&self, s: &Scalar) -> bool {
        let mut found = false;
        s.walk(&mut |part| {
            if let Scalar::Var(var) = part {
                let is_own = self.mutable.contains(&self.original(*var));
                found |= is_own
                    || self
                        .lets
                        .get(var)
                        .is_some_and(|(value, _)| self.is_assigned(value));
            }
        });
        found
    }

    /// Replaces mutable variables by their names.
    pub fn named(&self, s: &Scalar) -> Scalar {
        if self.names.is_empty() {
            return s.clone();
        }
        s.replace(&|part| match part {
            Scalar::Var(var) => self.name_of(*var).map(Scalar::Var),
            _ => None,
        })
    }
}
