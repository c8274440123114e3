//! Device functions as methods of a kernel class.

use super::barrier::Pending;
use super::call::is_param;
use super::class::{ClassCx, Place};
use super::stmt::Locals;
use crate::cpp::Cpp;
use crate::names::{camel, pascal, Scope};
use crate::scalar::{cpp_type, Helpers};
use crate::uses::Live;
use jumar_dsl::ir::{walk_stmts, Func, FuncId, Scalar, Stmt, StmtKind, TensorId, VarId, View};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The functions that statements call, and those that these call.
fn called(funcs: &[Arc<Func>], stmts: &[Stmt]) -> BTreeSet<FuncId> {
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
    /// In the order in which they may call one another.
    all: Vec<Known>,
}

/// A function with all that its text depends on.
struct Known {
    func: Arc<Func>,
    /// Element types of its tensors.
    types: Vec<String>,
    /// Names of what it calls.
    callees: Vec<String>,
    name: String,
    text: String,
    helpers: Helpers,
}

impl Functions {
    fn find(&self, func: &Arc<Func>, types: &[String], callees: &[String]) -> Option<&Known> {
        self.all.iter().find(|known| known.types == types && known.callees == callees && known.func == *func)
    }

    /// The function that `make` gives for a name: under the wish, or with a number behind it where another text has that.
    fn add(&mut self, wish: &str, make: impl Fn(String) -> Known) -> &Known {
        for n in 1.. {
            let made = make(if n == 1 { wish.to_string() } else { format!("{wish}{n}") });
            match self.all.iter().position(|known| known.name == made.name) {
                Some(at) if self.all[at].text == made.text => return &self.all[at],
                Some(_) => {}
                None => {
                    self.all.push(made);
                    return &self.all[self.all.len() - 1];
                }
            }
        }
        unreachable!("some number is free")
    }

    pub(super) fn print(&self, out: &mut Cpp) {
        for known in &self.all {
            out.blank();
            out.raw(&known.text);
        }
    }
}

impl ClassCx<'_> {
    /// Finds or makes the functions that the class calls.
    pub(super) fn name_funcs(&mut self, funcs: &mut Functions) {
        self.func_names = vec![String::new(); self.source.funcs.len()];
        for id in called(&self.source.funcs, &self.body.stmts) {
            let func = &self.source.funcs[id.index()];
            let types: Vec<String> = func.body.tensors.iter().map(|t| self.ty(t.dtype).to_string()).collect();
            let callees =
                called(&[], &func.body.stmts).into_iter().map(|id| self.func_names[id.index()].clone()).collect::<Vec<_>>();
            let (name, helpers) = match funcs.find(func, &types, &callees) {
                Some(known) => (known.name.clone(), known.helpers),
                None => {
                    let known = funcs.add(&pascal(&func.name), |name| {
                        let (text, helpers) = self.func_text(&name, func);
                        Known { func: func.clone(), types: types.clone(), callees: callees.clone(), name, text, helpers }
                    });
                    (known.name.clone(), known.helpers)
                }
            };
            self.func_names[id.index()] = name;
            self.takes_helpers(helpers);
        }
    }

    /// `MaxOfRows(xLocal, yLocal, rows)`.
    pub(super) fn call(&self, func: FuncId, tensors: &[View], scalars: &[Scalar], locals: &Locals) -> String {
        let views = tensors.iter().map(|view| self.view(view, locals));
        let scalars = scalars.iter().map(|s| self.process().expr(s));
        format!("{}({})", self.func_names[func.index()], views.chain(scalars).collect::<Vec<_>>().join(", "))
    }

    fn func_text(&self, name: &str, f: &Func) -> (String, Helpers) {
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
        (out.finish(), cx.own_helpers())
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
