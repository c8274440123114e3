//! The variables, values and tensors that are set at a point of the walk.
//!
//! A block of statements forgets at its end everything that it set, since nothing behind it may
//! read that: a branch may not be taken, a loop may make no iteration.

use super::{Checked, Cx};
use crate::ir::{Body, Dialect, Scalar, TensorId, ValueId, VarId};

/// The setter of a variable.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    Nothing,
    /// One statement, or the host.
    Once,
    /// Loops that count with it, one after the other.
    Counter,
}

enum Item {
    Var(usize),
    Value(usize),
    Tensor(usize),
}

/// The set of definitions at this point.
pub(super) struct Scope {
    vars: Vec<bool>,
    sources: Vec<Source>,
    /// Variables whose value the host knows.
    known: Vec<bool>,
    values: Vec<bool>,
    defined: Vec<bool>,
    tensors: Vec<bool>,
    made: Vec<bool>,
    /// Definitions in order, innermost block last.
    log: Vec<Item>,
}

impl Scope {
    pub fn new<L>(body: &Body<L>) -> Scope {
        let (vars, values, tensors) = (body.vars.len(), body.values.len(), body.tensors.len());
        Scope {
            vars: vec![false; vars],
            sources: vec![Source::Nothing; vars],
            known: vec![false; vars],
            values: vec![false; values],
            defined: vec![false; values],
            tensors: vec![false; tensors],
            made: vec![false; tensors],
            log: Vec::new(),
        }
    }

    /// Marks the start of a block.
    pub fn open(&self) -> usize {
        self.log.len()
    }

    /// Forgets the definitions of the block that started there.
    pub fn close(&mut self, start: usize) {
        for item in self.log.drain(start..) {
            match item {
                Item::Var(i) => self.vars[i] = false,
                Item::Value(i) => self.values[i] = false,
                Item::Tensor(i) => self.tensors[i] = false,
            }
        }
    }

    fn mark(&mut self, var: VarId, source: Source) {
        self.sources[var.index()] = source;
        if !std::mem::replace(&mut self.vars[var.index()], true) {
            self.log.push(Item::Var(var.index()));
        }
    }

    /// True where the host can compute an expression.
    pub fn host_knows(&self, s: &Scalar) -> bool {
        let mut knows = true;
        s.walk(&mut |n| match n {
            Scalar::Var(v) => knows &= self.known[v.index()],
            Scalar::BlockIdx | Scalar::BlockDim => knows = false,
            _ => {}
        });
        knows
    }

    pub fn note_known(&mut self, var: VarId) {
        self.known[var.index()] = true;
    }
}

/// All ids that these take are declared.
impl Cx<'_> {
    /// Notes the only definition of a variable, by a statement or the host.
    pub(super) fn sets<L: Dialect>(
        &self,
        scope: &mut Scope,
        body: &Body<L>,
        var: VarId,
    ) -> Checked {
        self.holds(scope.sources[var.index()] == Source::Nothing, || {
            format!(
                "a second definition of `{}` (`${}`); each variable has one",
                body.var(var).name,
                var.index()
            )
        })?;
        scope.mark(var, Source::Once);
        Ok(())
    }

    /// Notes a loop that counts with a variable. Such loops may follow, but not contain one
    /// another.
    pub(super) fn counts<L: Dialect>(
        &self,
        scope: &mut Scope,
        body: &Body<L>,
        var: VarId,
    ) -> Checked {
        let free = scope.sources[var.index()] != Source::Once && !scope.vars[var.index()];
        self.holds(free, || {
            format!(
                "a loop that counts with `{}` (`${}`), which holds something else here",
                body.var(var).name,
                var.index()
            )
        })?;
        scope.mark(var, Source::Counter);
        Ok(())
    }

    /// Checks that every variable of an expression is set before.
    pub(super) fn reads<L: Dialect>(&self, scope: &Scope, body: &Body<L>, s: &Scalar) -> Checked {
        let mut unset = None;
        s.walk(&mut |n| match n {
            Scalar::Var(v) if !scope.vars[v.index()] => unset = unset.or(Some(*v)),
            _ => {}
        });
        match unset {
            None => Ok(()),
            Some(v) => self.is_set(scope, body, v),
        }
    }

    pub(super) fn is_set<L: Dialect>(&self, scope: &Scope, body: &Body<L>, var: VarId) -> Checked {
        self.holds(scope.vars[var.index()], || {
            format!(
                "`{}` (`${}`) is read here, but no statement before sets it",
                body.var(var).name,
                var.index()
            )
        })
    }

    pub(super) fn defines<L: Dialect>(
        &self,
        scope: &mut Scope,
        body: &Body<L>,
        id: ValueId,
    ) -> Checked {
        let at = self.value(body, id)?;
        self.holds(!scope.defined[at], || {
            format!(
                "a second definition of `{}` (`%{at}`); each value has one",
                body.values[at].name
            )
        })?;
        scope.defined[at] = true;
        scope.values[at] = true;
        scope.log.push(Item::Value(at));
        Ok(())
    }

    pub(super) fn uses<L: Dialect>(&self, scope: &Scope, body: &Body<L>, id: ValueId) -> Checked {
        let at = self.value(body, id)?;
        self.holds(scope.values[at], || {
            format!(
                "`{}` (`%{at}`) is used here, but no statement before in this block or around it defines it",
                body.values[at].name
            )
        })
    }

    fn value<L>(&self, body: &Body<L>, id: ValueId) -> Checked<usize> {
        self.declared(id.index(), body.values.len(), "value", || {
            format!("%{}", id.0)
        })
    }

    pub(super) fn makes<L: Dialect>(
        &self,
        scope: &mut Scope,
        body: &Body<L>,
        id: TensorId,
    ) -> Checked {
        let at = self.tensor(body, id)?;
        self.holds(!scope.made[at], || {
            format!(
                "a second definition of `{}` (`*{at}`); each local tensor has one",
                body.tensors[at].name
            )
        })?;
        scope.made[at] = true;
        scope.tensors[at] = true;
        scope.log.push(Item::Tensor(at));
        Ok(())
    }

    pub(super) fn touches<L: Dialect>(
        &self,
        scope: &Scope,
        body: &Body<L>,
        id: TensorId,
    ) -> Checked {
        let at = self.tensor(body, id)?;
        self.holds(scope.tensors[at], || {
            format!(
                "`{}` (`*{at}`) is used here, but no statement before in this block or around it makes it",
                body.tensors[at].name
            )
        })
    }

    fn tensor<L>(&self, body: &Body<L>, id: TensorId) -> Checked<usize> {
        self.declared(id.index(), body.tensors.len(), "local tensor", || {
            format!("*{}", id.0)
        })
    }
}
