//! Variables that a kernel assigns to, for a walk that follows them: from one assignment to the next a variable stands for a name of its own, of which
//! facts are kept like those of any other.

use super::facts::Facts;
use crate::ir::{stmt, walk_stmts, Dialect, Scalar, StmtKind, VarId};
use std::collections::BTreeSet;

impl Facts {
    /// Gives a variable that changes a new name, of which nothing is known, until it is assigned to again.
    pub fn renamed(&mut self, var: VarId) -> VarId {
        let name = VarId::new(self.vars + self.names.len(), var.ty());
        self.names.push(var);
        let form = self.work.get_mut().forms.of_var(name);
        self.lets.insert(var, (name.into(), form));
        name
    }

    /// Forgets what is assigned somewhere in these statements.
    pub fn assigned_in<L: Dialect>(&mut self, stmts: &[stmt::Stmt<L>]) {
        let mut assigned = BTreeSet::new();
        walk_stmts(stmts, &mut |s| {
            if let StmtKind::SetScalar { var, .. } = &s.kind {
                assigned.insert(*var);
            }
        });
        assigned.into_iter().for_each(|var| _ = self.renamed(var));
    }

    /// The names that variables have now, to be given back where another arm begins.
    pub fn names_now(&self) -> Vec<(VarId, VarId)> {
        self.mutable
            .iter()
            .filter_map(|var| Some((*var, self.name_of(*var)?)))
            .collect()
    }

    /// Gives variables the names back that they had.
    pub fn name_again(&mut self, names: &[(VarId, VarId)]) {
        for (var, name) in names.iter().copied().filter(|(var, name)| var != name) {
            let form = self.form(&name.into());
            self.lets.insert(var, (name.into(), form));
        }
    }

    /// The name that a variable which changes has now, where it is followed.
    pub(super) fn name_of(&self, var: VarId) -> Option<VarId> {
        match self.lets.get(&var) {
            Some((Scalar::Var(name), _)) if self.mutable.contains(&var) => Some(*name),
            Some(_) | None => None,
        }
    }

    /// True where a name of a variable that changes stands in a scalar.
    pub(super) fn has_names(&self, s: &Scalar) -> bool {
        !self.names.is_empty() && s.vars().into_iter().any(|var| var.index() >= self.vars)
    }

    /// The variable that a name is one of, else itself.
    pub fn original(&self, var: VarId) -> VarId {
        var.index()
            .checked_sub(self.vars)
            .map_or(var, |at| self.names[at])
    }

    /// True of what is computed of a variable that is assigned to, whatever it is now.
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

    /// A scalar with the names of what changes.
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
