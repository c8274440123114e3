//! Device functions as methods of a kernel class.

use super::barrier::Pending;
use super::call::is_param;
use super::class::{ClassCx, Place};
use super::stmt::Locals;
use crate::cpp::Cpp;
use crate::names::{camel, pascal, Scope};
use crate::scalar::{cpp_type, Helpers};
use crate::uses::Live;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{walk_stmts, Func, FuncId, QueueStmt, Scalar, StmtKind, TensorId, VarId, View};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Returns the functions that statements call, and those that these call.
fn called(funcs: &[Arc<Func>], stmts: &[Stmt]) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let see = |stmts: &[Stmt], found: &mut BTreeSet<FuncId>| {
        walk_stmts(stmts, &mut |s| {
            if let StmtKind::Do(QueueStmt::Call { func, .. }) = &s.kind {
                found.insert(*func);
            }
        });
    };
    see(stmts, &mut found);
    // A function calls only earlier ones.
    for (i, f) in funcs.iter().enumerate().rev() {
        if found.contains(&FuncId(i as u32)) {
            see(&f.body.stmts, &mut found);
        }
    }
    found
}

/// Returns a function with other numbers for its callees, or itself where nothing changes.
fn numbered(func: &Arc<Func>, numbers: &[FuncId]) -> Arc<Func> {
    fn renumber(stmts: &mut [Stmt], numbers: &[FuncId]) {
        for s in stmts {
            if let StmtKind::Do(QueueStmt::Call { func, .. }) = &mut s.kind {
                *func = numbers[func.index()];
            }
            s.children_mut()
                .into_iter()
                .flatten()
                .for_each(|inside| renumber(inside, numbers));
        }
    }
    let mut func = func.clone();
    if called(&[], &func.body.stmts)
        .into_iter()
        .any(|id| numbers[id.index()] != id)
    {
        renumber(&mut Arc::make_mut(&mut func).body.stmts, numbers);
    }
    func
}

/// The functions of all classes: each text occurs once.
#[derive(Default)]
pub(super) struct Functions {
    /// Functions, in an order in which each calls only earlier ones.
    all: Vec<Known>,
}

/// A function with everything that its text depends on.
struct Known {
    /// The function, with callees numbered as those of all classes.
    func: Arc<Func>,
    name: Rc<str>,
    text: String,
    helpers: Helpers,
}

impl Functions {
    /// Finds the index of a known function.
    fn find(&self, func: &Arc<Func>) -> Option<usize> {
        self.all.iter().position(|known| known.func == *func)
    }

    /// Adds the function that `make` gives for a name, and returns its index. The name is `wish`,
    /// or `wish` with a number where another text has it.
    fn add(&mut self, wish: &str, make: impl Fn(Rc<str>) -> Known) -> usize {
        let mut n = 1;
        loop {
            let made = make(if n == 1 {
                wish.into()
            } else {
                format!("{wish}{n}").into()
            });
            match self.all.iter().position(|known| known.name == made.name) {
                Some(at) if self.all[at].text == made.text => return at,
                Some(_) => n += 1,
                None => {
                    self.all.push(made);
                    return self.all.len() - 1;
                }
            }
        }
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
        self.func_names = vec![Rc::default(); self.source.funcs.len()];
        // The number of each function among those of all classes.
        let mut numbers: Vec<FuncId> = (0..self.source.funcs.len() as u32).map(FuncId).collect();
        for id in called(&self.source.funcs, &self.body.stmts) {
            let func = &self.source.funcs[id.index()];
            let numbered = numbered(func, &numbers);
            let at = funcs.find(&numbered).unwrap_or_else(|| {
                funcs.add(&pascal(&func.name), |name| {
                    let (text, helpers) = self.func_text(&name, func);
                    Known {
                        func: numbered.clone(),
                        name,
                        text,
                        helpers,
                    }
                })
            });
            let known = &funcs.all[at];
            numbers[id.index()] = FuncId(at as u32);
            self.func_names[id.index()] = known.name.clone();
            self.takes_helpers(known.helpers);
        }
    }

    /// Prints a call: `MaxOfRows(xLocal, yLocal, rows)`.
    pub(super) fn call(
        &self,
        func: FuncId,
        tensors: &[View],
        scalars: &[Scalar],
        locals: &Locals,
    ) -> String {
        let views = tensors.iter().map(|view| self.view(view, locals));
        let scalars = scalars.iter().map(|s| self.process().expr(s));
        format!(
            "{}({})",
            self.func_names[func.index()],
            views.chain(scalars).collect::<Vec<_>>().join(", ")
        )
    }

    fn func_text(&self, name: &str, f: &Func) -> (String, Helpers) {
        let mut out = Cpp::new();
        let live = Live::of(f.body.stmts.iter());
        let mut scope = Scope::default();
        let places = f
            .body
            .var_ids()
            .map(|v| self.func_place(f, v, &live, &mut scope))
            .collect();
        let cx = self.of_func(f, places, scope.clone());
        let locals = Locals::new(scope, f.body.tensors.len(), Pending::default());
        let mut params: Vec<String> = Vec::new();
        for (i, decl) in f.body.tensors.iter().enumerate() {
            let name = locals.define(TensorId(i as u32), &decl.name);
            params.push(format!(
                "const LocalTensor<{}> &{name}",
                self.ty(decl.dtype)
            ));
        }
        params.extend(
            f.params()
                .map(|v| format!("{} {}", cpp_type(f.body.var(v).ty), cx.var_name(v))),
        );
        out.comment(&f.doc);
        let open: BTreeSet<&str> = f
            .body
            .tensors
            .iter()
            .filter(|t| is_param(t.dtype))
            .map(|t| self.ty(t.dtype))
            .collect();
        if !open.is_empty() {
            let open: Vec<_> = open.iter().map(|name| format!("typename {name}")).collect();
            out.line(format_args!("template <{}>", open.join(", ")));
        }
        out.function(
            format_args!("__aicore__ inline void {name}({})", params.join(", ")),
            |out| {
                cx.stmts(f.body.stmts.iter(), &live, &locals, out);
            },
        );
        (out.finish(), cx.own_helpers())
    }

    fn func_place(&self, f: &Func, v: VarId, live: &Live, scope: &mut Scope) -> Option<Place> {
        let mut counts = false;
        f.body
            .walk(&mut |s| counts |= matches!(&s.kind, StmtKind::For { var, .. } if *var == v));
        match v.index() < f.scalars || counts || live.var(v) {
            true => Some(Place::Local(scope.unique(&camel(&f.body.var(v).name)))),
            false => None,
        }
    }
}
