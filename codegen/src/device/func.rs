//! Device functions as methods of a kernel class.

use super::barrier::Pending;
use super::class::{ClassCx, Place};
use super::stmt::Locals;
use crate::cpp::Cpp;
use crate::names::{camel, pascal, Scope};
use crate::scalar::cpp_type;
use crate::uses::Live;
use jumar_dsl::ir::{walk_stmts, Func, FuncId, Scalar, Stmt, StmtKind, TensorId, VarId, View};
use std::collections::BTreeSet;

/// The functions that statements call, and those that these call.
fn called(funcs: &[Func], stmts: &[Stmt]) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let see = |stmts: &[Stmt], found: &mut BTreeSet<FuncId>| {
        walk_stmts(stmts, &mut |s| {
            if let StmtKind::Call { func, .. } = &s.kind {
                found.insert(*func);
            }
        });
    };
    see(stmts, &mut found);
    // A function calls those before it only.
    for (i, f) in funcs.iter().enumerate().rev() {
        if found.contains(&FuncId(i as u32)) {
            see(&f.body.stmts, &mut found);
        }
    }
    found
}

impl ClassCx<'_> {
    /// The name of a function of the class.
    pub(super) fn func_name(&self, id: FuncId) -> String {
        pascal(&self.source.funcs[id.index()].name)
    }

    /// `MaxOfRows(xLocal, yLocal, rows)`.
    pub(super) fn call(&self, func: FuncId, tensors: &[View], scalars: &[Scalar], locals: &Locals) -> String {
        let views = tensors.iter().map(|view| self.view(view, locals));
        let scalars = scalars.iter().map(|s| self.process().expr(s));
        format!("{}({})", self.func_name(func), views.chain(scalars).collect::<Vec<_>>().join(", "))
    }

    /// Prints the functions that the class calls.
    pub(super) fn print_funcs(&self, out: &mut Cpp) {
        for id in called(&self.source.funcs, &self.body.stmts) {
            out.blank();
            self.print_func(&self.source.funcs[id.index()], out);
        }
    }

    fn print_func(&self, f: &Func, out: &mut Cpp) {
        let live = Live::of(f.body.stmts.iter());
        let mut scope = Scope::default();
        let places = f.body.var_ids().map(|v| self.func_place(f, v, &live, &mut scope)).collect();
        let cx = self.of_func(f, places, scope.clone());
        let locals = Locals::new(scope, f.body.tensors.len(), Pending::default());
        let mut params: Vec<String> = Vec::new();
        for (i, decl) in f.body.tensors.iter().enumerate() {
            let name = locals.define(TensorId(i as u32), &decl.name);
            params.push(format!("const LocalTensor<{}> &{name}", self.ty(decl.dtype)));
        }
        params.extend(f.params().map(|v| format!("{} {}", cpp_type(f.body.var(v).ty), cx.var_name(v))));
        out.comment(&f.doc);
        out.function(format_args!("__aicore__ inline void {}({})", pascal(&f.name), params.join(", ")), |out| {
            cx.stmts(f.body.stmts.iter(), &live, &locals, out);
        });
        self.takes_helpers(&cx);
    }

    fn func_place(&self, f: &Func, v: VarId, live: &Live, scope: &mut Scope) -> Place {
        let mut counts = false;
        f.body.walk(&mut |s| counts |= matches!(&s.kind, StmtKind::For { var, .. } if *var == v));
        match v.index() < f.scalars || counts || live.var(v) {
            true => Place::Local(scope.unique(&camel(&f.body.var(v).name))),
            false => Place::Nowhere,
        }
    }
}
