//! Checks device functions and calls of them.

use super::body::Mode;
use super::queues::Walk;
use super::scalars::Leaves;
use super::{Checked, Cx};
use crate::ir::{Base, Func, FuncId, Layout, Scalar, ScalarTy, TensorId, VarId, View};
use crate::ops::contract::Access;
use std::collections::BTreeSet;
use std::sync::Arc;

impl<'a> Cx<'a> {
    /// Checks functions; each may call those before it.
    pub(super) fn functions(&mut self, funcs: &'a [Arc<Func>]) -> Checked {
        let mut names = BTreeSet::new();
        for (i, f) in funcs.iter().enumerate() {
            self.enter("Func");
            self.own_name(&f.name, &mut names)?;
            self.function(f)?;
            self.funcs = &funcs[..=i];
        }
        Ok(())
    }

    fn function(&mut self, f: &Func) -> Checked {
        let (scalars, tensors) = (f.body.vars.len(), f.body.tensors.len());
        self.holds(f.scalars <= scalars, || {
            format!("{} scalars are given to a body of {scalars}", f.scalars)
        })?;
        let given = f.tensors.len();
        self.holds(given == tensors, || {
            format!("{given} tensors are given to a body of {tensors}; a function has no others")
        })?;
        let free = f.body.queues.is_empty() && f.body.bufs.is_empty() && f.body.values.is_empty();
        self.holds(free, || {
            "a function with queues, buffers or tiles of its own".to_string()
        })?;
        let params: Vec<VarId> = f.params().collect();
        let at = self.at;
        for t in &f.tensors {
            self.enter("FuncTensor");
            self.formula(&t.elements, f, ScalarTy::Index)?;
            if let Some(over) = t.over {
                let read = f
                    .tensors
                    .get(over)
                    .is_some_and(|o| o.access == Access::Read && t.access == Access::Write);
                self.holds(read, || {
                    "one tensor may lie over another where it is written and that one read"
                        .to_string()
                })?;
            }
        }
        self.at = at;
        f.requires
            .iter()
            .try_for_each(|cond| self.formula(cond, f, ScalarTy::Bool))?;
        let tables = self.tables(&f.body, Mode::Func)?;
        let tensors: Vec<_> = (0..tensors as u32).map(TensorId).collect();
        self.statements(&f.body, tables, Mode::Func, (&params, &tensors))
    }

    /// Checks a scalar over the parameters of a function.
    fn formula(&self, s: &Scalar, f: &Func, due: ScalarTy) -> Checked {
        self.scalar(s, Leaves::Device, Some(&f.body.vars), due)?;
        let mut own = true;
        s.walk(&mut |n| {
            own &= !matches!(n, Scalar::Var(v) if v.index() >= f.scalars)
                && !matches!(n, Scalar::BlockIdx | Scalar::BlockDim)
        });
        self.holds(own, || {
            "a promise about what the caller does not give".to_string()
        })
    }

    pub(super) fn call(
        &self,
        walk: &Walk<'_>,
        id: FuncId,
        tensors: &[View],
        scalars: &[Scalar],
    ) -> Checked {
        self.holds(matches!(walk.mode, Mode::Device | Mode::Func), || {
            "a call of a function in a kernel that is not lowered; only the lowering puts it in"
                .to_string()
        })?;
        let at = self.declared(id.index(), self.funcs.len(), "function", || {
            format!("fn{}", id.0)
        })?;
        let f = &self.funcs[at];
        let name = &f.name;
        let arity = tensors.len() == f.tensors.len() && scalars.len() == f.scalars;
        self.holds(arity, || {
            let (found, allowed) = ((tensors.len(), scalars.len()), (f.tensors.len(), f.scalars));
            format!(
                "`{name}` of {} tensors and {} scalars, it takes {} and {}",
                found.0, found.1, allowed.0, allowed.1
            )
        })?;
        for (view, decl) in tensors.iter().zip(&f.body.tensors) {
            let plain = matches!(
                (view.base, &view.layout),
                (Base::Local(_), Layout::Dense {})
            );
            self.holds(plain, || {
                format!("`{}` of `{name}` is not dense in UB", decl.name)
            })?;
            let ty = self.view(walk, view)?;
            self.holds(self.same(ty, decl.dtype), || {
                let (found, due) = (self.sig.ty_name(ty), self.sig.ty_name(decl.dtype));
                format!(
                    "`{}` of `{name}` is of `{found}`, it takes `{due}`",
                    decl.name
                )
            })?;
        }
        for (s, var) in scalars.iter().zip(f.params()) {
            self.operand(walk, s, var.ty())?;
        }
        Ok(())
    }
}
