//! `Process` of a kernel class, and the methods that it calls where the tile loop has three stages.

use super::barrier::Pending;
use super::class::ClassCx;
use super::stages::{self, Stages, METHODS};
use super::stmt::Locals;
use crate::cpp::Cpp;
use crate::parts::{let_var, Contents, Split};
use crate::scalar::cpp_type;
use crate::uses::Live;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{StmtKind, TensorId, VarId};
use std::collections::BTreeSet;

impl<'a> ClassCx<'a> {
    /// Prints `Process` into `out`, and the methods it calls into `private`.
    pub(super) fn print_process(&self, c: &Contents<'a>, out: &mut Cpp, private: &mut Cpp) {
        let (parts, live) = (&c.parts, &c.live);
        let views: BTreeSet<TensorId> = parts.gets.iter().filter_map(|s| s.defines()).collect();
        let members: BTreeSet<VarId> = self
            .source
            .fields
            .iter()
            .copied()
            .chain(parts.lets.iter().filter_map(|s| let_var(s)))
            .collect();
        let found = stages::find(self.body, &parts.rest, &views, &members);
        out.function("__aicore__ inline void Process()", |out| {
            let locals = self.new_locals();
            let Some(st) = &found else {
                self.print_gets(parts, live, &locals, out);
                self.stmts(parts.rest.iter().copied(), live, &locals, out);
                self.end_process(out);
                return;
            };
            // The loop itself only uses the arguments of its methods.
            let around = Live::of(
                parts.rest[..st.at]
                    .iter()
                    .chain(&parts.rest[st.at + 1..])
                    .copied(),
            );
            let around = around
                .and(st.tensors.iter().flatten().copied())
                .with(parts.rest[..st.at].iter().copied());
            self.print_gets(parts, &around, &locals, out);
            self.stmts(parts.rest[..st.at].iter().copied(), live, &locals, out);
            self.print_turns(parts.rest[st.at], st, &locals, out);
            locals
                .pending
                .borrow_mut()
                .join(self.pending([parts.rest[st.at]]));
            self.stmts(parts.rest[st.at + 1..].iter().copied(), live, &locals, out);
        });
        if let Some(st) = &found {
            for i in 0..METHODS.len() {
                private.blank();
                self.print_method(parts, st, i, live, private);
            }
        }
    }

    fn new_locals(&self) -> Locals {
        Locals::new(
            self.locals.clone(),
            self.body.tensors.len(),
            self.pending(&self.body.stmts),
        )
    }

    /// Returns the pending accesses of the vector calls in statements, where barriers are wanted.
    pub(super) fn pending<'s>(&self, stmts: impl IntoIterator<Item = &'s Stmt>) -> Pending {
        self.memories
            .as_ref()
            .map_or_else(Pending::default, |m| Pending::of(stmts, m))
    }

    fn print_gets(&self, parts: &Split<'a>, live: &Live, locals: &Locals, out: &mut Cpp) {
        let live = live.clone().with(parts.gets.iter().copied());
        for s in parts.gets.iter().filter(|s| live.keeps(s)) {
            self.stmt(s, &live, locals, out);
        }
    }

    /// Prints the tile loop with calls of the methods.
    fn print_turns(&self, the_loop: &Stmt, st: &Stages<'a>, locals: &Locals, out: &mut Cpp) {
        let StmtKind::For { var, from, to, .. } = &the_loop.kind else {
            return;
        };
        self.source_line(the_loop.span, &locals.line, out);
        self.for_loop(*var, from, to, locals, out, |out| {
            for s in &st.shared {
                if let StmtKind::LetScalar { var, value } = &s.kind {
                    let ty = self.body.var(*var).ty;
                    let value = self.process().expr_as(value, ty);
                    out.stmt(format_args!(
                        "const {} {} = {value}",
                        cpp_type(ty),
                        self.var_name(*var)
                    ));
                }
            }
            for (i, method) in METHODS.iter().enumerate() {
                let vars = st.vars[i].iter().map(|v| self.var_name(*v).to_string());
                let args: Vec<_> = vars
                    .chain(st.tensors[i].iter().map(|t| locals.tensor(*t)))
                    .collect();
                out.stmt(format_args!("{method}({})", args.join(", ")));
            }
        });
    }

    fn print_method(
        &self,
        parts: &Split<'a>,
        st: &Stages<'a>,
        i: usize,
        live: &Live,
        out: &mut Cpp,
    ) {
        let locals = self.new_locals();
        let mut params: Vec<String> = st.vars[i]
            .iter()
            .map(|v| format!("{} {}", cpp_type(self.body.var(*v).ty), self.var_name(*v)))
            .collect();
        for t in &st.tensors[i] {
            let decl = &self.body.tensors[t.index()];
            params.push(format!(
                "const LocalTensor<{}> &{}",
                self.ty(decl.dtype),
                locals.define(*t, &decl.name)
            ));
        }
        let used = Live::of(st.stages[i].iter().copied());
        out.function(
            format_args!(
                "__aicore__ inline void {}({})",
                METHODS[i],
                params.join(", ")
            ),
            |out| {
                self.print_gets(parts, &used, &locals, out);
                self.stmts(st.stages[i].iter().copied(), live, &locals, out);
            },
        );
    }
}
