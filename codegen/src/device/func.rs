//! Device functions as methods of a kernel class.

use super::barrier::Pending;
use super::call::is_param;
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

/// The functions of all classes: each text stands once.
#[derive(Default)]
pub(super) struct Functions {
    /// Name and text, in the order in which they may call one another.
    all: Vec<(String, String)>,
}

impl Functions {
    /// The name under which a text stands, which `text` gives for a name: that of an equal one, else the wish, with a number
    /// where another text has it.
    fn name(&mut self, wish: &str, text: impl Fn(&str) -> String) -> String {
        for n in 1.. {
            let name = if n == 1 { wish.to_string() } else { format!("{wish}{n}") };
            let text = text(&name);
            match self.all.iter().find(|(known, _)| *known == name) {
                Some((_, known)) if *known == text => return name,
                Some(_) => {}
                None => {
                    self.all.push((name.clone(), text));
                    return name;
                }
            }
        }
        unreachable!("some number is free")
    }

    pub(super) fn print(&self, out: &mut Cpp) {
        for (_, text) in &self.all {
            out.blank();
            out.raw(text);
        }
    }
}

impl ClassCx<'_> {
    /// Finds or makes the functions that the class calls.
    pub(super) fn name_funcs(&mut self, funcs: &mut Functions) {
        self.func_names = vec![String::new(); self.source.funcs.len()];
        for id in called(&self.source.funcs, &self.body.stmts) {
            let func = &self.source.funcs[id.index()];
            self.func_names[id.index()] = funcs.name(&pascal(&func.name), |name| self.func_text(name, func));
        }
    }

    /// `MaxOfRows(xLocal, yLocal, rows)`.
    pub(super) fn call(&self, func: FuncId, tensors: &[View], scalars: &[Scalar], locals: &Locals) -> String {
        let views = tensors.iter().map(|view| self.view(view, locals));
        let scalars = scalars.iter().map(|s| self.process().expr(s));
        format!("{}({})", self.func_names[func.index()], views.chain(scalars).collect::<Vec<_>>().join(", "))
    }

    fn func_text(&self, name: &str, f: &Func) -> String {
        let mut out = Cpp::new();
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
        let open: BTreeSet<&str> = f.body.tensors.iter().filter(|t| is_param(t.dtype)).map(|t| self.ty(t.dtype)).collect();
        if !open.is_empty() {
            let open: Vec<_> = open.iter().map(|name| format!("typename {name}")).collect();
            out.line(format_args!("template <{}>", open.join(", ")));
        }
        out.function(format_args!("__aicore__ inline void {name}({})", params.join(", ")), |out| {
            cx.stmts(f.body.stmts.iter(), &live, &locals, out);
        });
        self.takes_helpers(&cx);
        out.finish()
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
