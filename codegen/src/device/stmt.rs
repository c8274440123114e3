//! Statements of a kernel class, with a comment for the kernel's line wherever it changes.

use super::barrier::Pending;
use super::call::{counter_of, is_param};
use super::class::ClassCx;
use crate::cpp::Cpp;
use crate::names::{camel, Scope};
use crate::plan::Fixed;
use crate::scalar::cpp_type;
use crate::uses::Live;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{
    Barrier, Level, Promised, QueueOp, QueueStmt, Scalar, SpanId, StmtKind, SyncOp, TensorId, Ty,
    VarId,
};
use jumar_dsl::ops::contract::Pipe;
use jumar_dsl::ops::{Op, ScalarOp};
use std::cell::{Cell, RefCell};

/// The state of one method: names of its tensors, the last printed source line, and pending vector
/// calls.
#[derive(Debug)]
pub(super) struct Locals {
    scope: RefCell<Scope>,
    tensors: RefCell<Vec<Option<String>>>,
    pub(super) line: Cell<u32>,
    /// True inside of a loop that is under a counter mask as a whole.
    counting: Cell<bool>,
    /// True inside of a statement whose copies all add.
    adding: Cell<bool>,
    pub(super) pending: RefCell<Pending>,
}

impl Locals {
    pub(super) fn new(scope: Scope, tensors: usize, pending: Pending) -> Self {
        let (scope, tensors) = (RefCell::new(scope), RefCell::new(vec![None; tensors]));
        let (counting, adding) = (Cell::new(false), Cell::new(false));
        Locals {
            scope,
            tensors,
            line: Cell::new(0),
            counting,
            adding,
            pending: RefCell::new(pending),
        }
    }

    /// Runs `f`, and releases the names that it takes, as at the end of a block.
    fn block<R>(&self, f: impl FnOnce() -> R) -> R {
        let before = self.scope.borrow().mark();
        let result = f();
        self.scope.borrow_mut().release(before);
        result
    }

    /// Returns a name that nothing else has here.
    pub(super) fn unique(&self, wish: &str) -> String {
        self.scope.borrow_mut().unique(wish)
    }

    /// Returns the name of a tensor defined before.
    pub(super) fn tensor(&self, id: TensorId) -> String {
        self.tensors.borrow()[id.index()]
            .clone()
            .expect("a tensor is defined before it is used")
    }

    /// Names a tensor: `xLocal`. Numbers that make names unique in the whole kernel are dropped,
    /// since methods and iterations each have a scope.
    pub(super) fn define(&self, id: TensorId, ir_name: &str) -> String {
        let stem = ir_name.trim_end_matches(|c: char| c.is_ascii_digit());
        let stem = if stem.len() > 1 && stem.ends_with('_') {
            stem.trim_end_matches('_')
        } else {
            ir_name
        };
        let mut wish = camel(stem);
        if !wish.ends_with("Local") {
            wish.push_str("Local");
        }
        let name = self.scope.borrow_mut().unique(&wish);
        self.tensors.borrow_mut()[id.index()] = Some(name.clone());
        name
    }
}

impl ClassCx<'_> {
    /// Prints `// swish.rs:7`, where the line changes.
    pub(super) fn source_line(&self, span: SpanId, last: &Cell<u32>, out: &mut Cpp) {
        let line = self.line(span);
        if line != 0 && last.replace(line) != line {
            self.source_lines(line, line, out);
        }
    }

    fn line(&self, span: SpanId) -> u32 {
        match self.is_func {
            true => 0,
            false => self.source.lines.get(span.index()).copied().unwrap_or(0),
        }
    }

    fn source_lines(&self, first: u32, last: u32, out: &mut Cpp) {
        let range = if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        };
        out.blank();
        match &self.plan.source {
            Some(file) => out.line(format_args!("// {file}:{range}")),
            None => out.line(format_args!("// line {range}")),
        }
    }

    /// Prints statements in order, without those that `live` does not need.
    pub(super) fn stmts<'s>(
        &self,
        stmts: impl IntoIterator<Item = &'s Stmt>,
        live: &Live,
        locals: &Locals,
        out: &mut Cpp,
    ) {
        let kept: Vec<&Stmt> = stmts.into_iter().filter(|s| live.keeps(s)).collect();
        let lines: Vec<u32> = kept.iter().map(|s| self.line(s.span)).collect();
        let mut told = 0;
        for (i, s) in kept.iter().enumerate() {
            if i >= told {
                told = steady_run(self.plan.level, &kept[i..], &lines[i..]) + i;
                if told > i && lines[i] != locals.line.get() {
                    self.source_lines(lines[i], lines[told - 1], out);
                    locals.line.set(lines[told - 1]);
                } else {
                    told = i;
                }
            }
            if i >= told {
                self.source_line(s.span, &locals.line, out);
            }
            self.under_sum(&kept, i, locals, out, |out| {
                self.under_mask(&kept, i, locals, out, |out| self.stmt(s, live, locals, out));
            });
        }
    }

    /// Prints the `i`-th of some statements. Adjacent statements whose copies combine with GM in
    /// one way stand between one pair of switches, loops over rows as a whole.
    fn under_sum(
        &self,
        stmts: &[&Stmt],
        i: usize,
        locals: &Locals,
        out: &mut Cpp,
        print: impl FnOnce(&mut Cpp),
    ) {
        let joins = |s: Option<&&Stmt>| s.and_then(|s| self.joins(s));
        let Some(how) = joins(stmts.get(i)).filter(|_| !locals.adding.get()) else {
            return print(out);
        };
        if i == 0 || joins(stmts.get(i - 1)) != Some(how) {
            out.stmt(format_args!("{}<{}>()", how.0, self.ty(how.1)));
        }
        locals.adding.set(true);
        print(out);
        locals.adding.set(false);
        if joins(stmts.get(i + 1)) != Some(how) {
            out.stmt("SetAtomicNone()");
        }
    }

    /// Returns how a copy combines with GM, and its element type. A loop counts as a copy if it
    /// contains only such copies and the computation of their places.
    fn joins(&self, s: &Stmt) -> Option<(&'static str, Ty)> {
        let StmtKind::For { body, .. } = &s.kind else {
            let instr = s.instr()?;
            let Op::Copy(op) = instr.op else { return None };
            return op.atomic().map(|how| (how, self.own_ty(instr)));
        };
        let finds = |s: &Stmt| {
            matches!(
                s.kind,
                StmtKind::LetScalar { .. } | StmtKind::Promise { .. }
            ) || s
                .instr()
                .is_some_and(|instr| instr.op == Op::Scalar(ScalarOp::GetIndex))
        };
        let mut types = body.iter().filter(|s| !finds(s)).map(|s| self.joins(s));
        let first = types.next()??;
        types.all(|other| other == Some(first)).then_some(first)
    }

    /// Prints the `i`-th of some statements. Adjacent statements that compute equally many elements
    /// in counter mode stand under one mask.
    fn under_mask(
        &self,
        stmts: &[&Stmt],
        i: usize,
        locals: &Locals,
        out: &mut Cpp,
        print: impl FnOnce(&mut Cpp),
    ) {
        let Some((instr, n)) = counter_of(stmts[i]).filter(|_| !locals.counting.get()) else {
            return print(out);
        };
        let goes_on = |other: Option<&&Stmt>| {
            other
                .and_then(|s| counter_of(s))
                .is_some_and(|(_, m)| m == n)
        };
        if i == 0 || !goes_on(stmts.get(i - 1)) {
            self.begin_counter(instr, n, out);
        }
        locals.counting.set(true);
        print(out);
        locals.counting.set(false);
        if !goes_on(stmts.get(i + 1)) {
            self.end_counter(out);
        }
    }

    pub(super) fn stmt(&self, s: &Stmt, live: &Live, locals: &Locals, out: &mut Cpp) {
        let p = self.process();
        match &s.kind {
            StmtKind::LetScalar { var, value } => {
                let decl = self.body.var(*var);
                let constant = if decl.mutable { "" } else { "const " };
                let value = p.expr_as(value, decl.ty);
                out.stmt(format_args!(
                    "{constant}{} {} = {value}",
                    cpp_type(decl.ty),
                    self.var_name(*var)
                ));
            }
            StmtKind::SetScalar { var, value } => {
                out.stmt(format_args!(
                    "{} = {}",
                    self.var_name(*var),
                    p.expr_as(value, self.body.var(*var).ty)
                ));
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                self.for_loop(*var, from, to, locals, out, |out| {
                    // The first iteration follows the statements before, and later ones follow an
                    // iteration. The statements after the loop follow either.
                    locals.pending.borrow_mut().join(self.pending(body));
                    let before = locals.pending.borrow().clone();
                    locals.block(|| self.stmts(body, live, locals, out));
                    locals.pending.borrow_mut().join(before);
                })
            }
            StmtKind::If { cond, then, other } => {
                out.line(format_args!("if ({}) {{", p.expr(cond)));
                self.arms(then, other, live, locals, out);
            }
            StmtKind::Promise {
                what: Promised::Fact { cond, text },
            } => {
                let text = text.replace('%', "%%");
                out.stmt(format_args!(
                    "ascendc_assert({}, \"assume({text}) does not hold\\n\")",
                    p.expr(cond)
                ));
            }
            // A proved promise is not checked at run time.
            StmtKind::Promise {
                what: Promised::Index { of: None, .. },
            } => {}
            StmtKind::Promise {
                what:
                    Promised::Index {
                        value,
                        below,
                        of: Some(of),
                    },
            } => {
                let (value, below, ids) =
                    (p.expr(value), p.expr(below), &self.plan.sig.param(*of).name);
                let text = format!("`{ids}` holds %ld where indices below %ld are promised");
                out.stmt(format_args!("ascendc_assert({value} >= 0 && {value} < {below}, \"{text}\\n\", {value}, {below})"));
            }
            StmtKind::Do(QueueStmt::Reset { memory }) => {
                self.print_reset(memory, out);
                *locals.pending.borrow_mut() = Pending::default();
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                tensor,
                queue,
            }) => {
                let from = format!(
                    "{}.AllocTensor<{}>()",
                    self.queue(*queue),
                    self.tensor_cpp(*tensor)
                );
                self.new_tensor(*tensor, &from, locals, out);
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                tensor,
                queue,
            }) => {
                let from = format!(
                    "{}.DeQue<{}>()",
                    self.queue(*queue),
                    self.tensor_cpp(*tensor)
                );
                self.new_tensor(*tensor, &from, locals, out);
            }
            StmtKind::Do(QueueStmt::Get { tensor, buf }) => self.get(*tensor, *buf, locals, out),
            StmtKind::Do(QueueStmt::View { tensor, of }) => {
                let base = self.view_ty(of);
                let to = self.body.tensors[tensor.index()].dtype;
                let mut from = self.view(of, locals);
                if base != to {
                    // The base has a dependent type only where its element type is a template
                    // parameter.
                    let template = if is_param(base) { "template " } else { "" };
                    from = format!("{from}.{template}ReinterpretCast<{}>()", self.ty(to));
                }
                self.new_tensor(*tensor, &from, locals, out);
            }
            StmtKind::Do(QueueStmt::Place {
                tensor,
                position,
                at,
                len,
            }) => {
                let (name, ty) = (
                    locals.define(*tensor, &self.body.tensors[tensor.index()].name),
                    self.tensor_cpp(*tensor),
                );
                let (at, len) = (self.narrow(at), self.narrow(len));
                out.stmt(format_args!(
                    "LocalTensor<{ty}> {name}(TPosition::{}, {at}, {len})",
                    position.word()
                ));
            }
            StmtKind::Do(QueueStmt::Sync { what }) => {
                let call = match what {
                    SyncOp::Set { event, id } => format!(
                        "SetFlag<HardEvent::{}>({})",
                        event.word(),
                        self.event_id(*event, id)
                    ),
                    SyncOp::Wait { event, id } => format!(
                        "WaitFlag<HardEvent::{}>({})",
                        event.word(),
                        self.event_id(*event, id)
                    ),
                    SyncOp::Barrier { of } => format!("PipeBarrier<{}>()", of.word()),
                    SyncOp::All {} if matches!(self.plan.fixed, Some(Fixed { alone: true })) => {
                        out.comment(
                            "The only block: what it has stored to GM is there before it goes on.",
                        );
                        "PipeBarrier<PIPE_ALL>()".to_string()
                    }
                    SyncOp::All {} => {
                        out.comment("All blocks have come here, and what they have stored to GM is there, before any goes on.");
                        "SyncAll<true>()".to_string()
                    }
                    SyncOp::Order { from, to } => self.order(*from, *to),
                    SyncOp::CrossSet { pipe, id } => {
                        format!(
                            "CrossCoreSetFlag<0, {}>({})",
                            pipe.word(),
                            self.cross_id(id)
                        )
                    }
                    SyncOp::CrossWait { id } => format!("CrossCoreWaitFlag({})", self.cross_id(id)),
                };
                out.stmt(call);
                if matches!(
                    what,
                    SyncOp::All {}
                        | SyncOp::Barrier {
                            of: Barrier::Of(Pipe::V) | Barrier::All
                        }
                ) {
                    *locals.pending.borrow_mut() = Pending::default();
                }
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                tensor,
                queue,
            }) => {
                out.stmt(format_args!(
                    "{}.EnQue({})",
                    self.queue(*queue),
                    locals.tensor(*tensor)
                ));
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Free,
                tensor,
                queue,
            }) => {
                out.stmt(format_args!(
                    "{}.FreeTensor({})",
                    self.queue(*queue),
                    locals.tensor(*tensor)
                ));
            }
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                self.barrier(s, locals, out);
                self.instr(instr, self.line(s.span), locals, out);
            }
            StmtKind::Do(QueueStmt::Call {
                func,
                tensors,
                scalars,
            }) => {
                self.barrier(s, locals, out);
                out.stmt(self.call(*func, tensors, scalars, locals));
            }
            StmtKind::Do(QueueStmt::Host { .. }) => {
                unreachable!("a lowered body has no statement of another dialect")
            }
        }
    }

    /// Prints the arms of an `if` after its head; an arm that is only an `if` continues in the same
    /// line.
    fn arms(&self, then: &[Stmt], other: &[Stmt], live: &Live, locals: &Locals, out: &mut Cpp) {
        let before = locals.pending.borrow().clone();
        out.inside(|out| locals.block(|| self.stmts(then, live, locals, out)));
        let after = locals.pending.replace(before);
        if let (
            [Stmt {
                kind: StmtKind::If { cond, then, other },
                ..
            }],
            true,
        ) = (other, self.is_func)
        {
            out.line(format_args!(
                "}} else if ({}) {{",
                self.process().expr(cond)
            ));
            self.arms(then, other, live, locals, out);
        } else if other.is_empty() {
            out.line("}");
        } else {
            out.line("} else {");
            out.inside(|out| locals.block(|| self.stmts(other, live, locals, out)));
            out.line("}");
        }
        locals.pending.borrow_mut().join(after);
    }

    /// Prints a barrier before a statement that conflicts with pending vector calls, where the text
    /// has barriers.
    fn barrier(&self, s: &Stmt, locals: &Locals, out: &mut Cpp) {
        if self
            .memories
            .as_ref()
            .is_some_and(|m| locals.pending.borrow_mut().must_wait(s, m))
        {
            out.line("PipeBarrier<PIPE_V>();");
        }
    }

    /// Prints a loop whose bound is computed once, as the IR means it and as the scalar unit
    /// prefers it.
    pub(super) fn for_loop(
        &self,
        var: VarId,
        from: &Scalar,
        to: &Scalar,
        locals: &Locals,
        out: &mut Cpp,
        body: impl FnOnce(&mut Cpp),
    ) {
        let p = self.process();
        let ty = self.body.var(var).ty;
        let name = self.var_name(var);
        let end = match to {
            Scalar::Int(_) => p.expr_as(to, ty),
            Scalar::Var(v) if !self.body.var(*v).mutable => p.expr_as(to, ty),
            _ => {
                // A loop with `tileIndex` ends at `tileNum`.
                let suffix = if from.as_int() == Some(0) {
                    "Num"
                } else {
                    "End"
                };
                let stem = name
                    .strip_suffix("Index")
                    .filter(|s| !s.is_empty())
                    .unwrap_or(name);
                let end = locals.scope.borrow_mut().unique(&format!("{stem}{suffix}"));
                out.stmt(format_args!(
                    "const {} {end} = {}",
                    cpp_type(ty),
                    p.expr_as(to, ty)
                ));
                end
            }
        };
        let head = format!(
            "for ({} {name} = {}; {name} < {end}; ++{name})",
            cpp_type(ty),
            p.expr_as(from, ty)
        );
        out.block(head, body);
    }

    fn tensor_cpp(&self, id: TensorId) -> &str {
        self.ty(self.body.tensors[id.index()].dtype)
    }

    fn new_tensor(&self, id: TensorId, from: &str, locals: &Locals, out: &mut Cpp) {
        let name = locals.define(id, &self.body.tensors[id.index()].name);
        out.stmt(format_args!(
            "LocalTensor<{}> {name} = {from}",
            self.tensor_cpp(id)
        ));
    }

    pub(super) fn get(
        &self,
        tensor: TensorId,
        buf: jumar_dsl::ir::BufId,
        locals: &Locals,
        out: &mut Cpp,
    ) {
        let from = format!("{}.Get<{}>()", self.buf(buf), self.tensor_cpp(tensor));
        self.new_tensor(tensor, &from, locals, out);
    }
}

/// Returns the number of statements at the beginning that share one comment, 0 for none. A comment
/// on each line would hide code that follows the source line by line, as a queue-level kernel does,
/// or that only takes tensors from queues.
fn steady_run(level: Level, stmts: &[&Stmt], lines: &[u32]) -> usize {
    let (mut end, mut runs) = (0, 0);
    while end < stmts.len() {
        let line = lines[end];
        let len = lines[end..].iter().take_while(|l| **l == line).count();
        // The author did not write waits.
        let own = stmts[end..end + len]
            .iter()
            .filter(|s| s.waits().is_none())
            .count();
        let plain = |s: &&Stmt| match level {
            Level::Queue => !matches!(s.kind, StmtKind::For { .. } | StmtKind::If { .. }),
            Level::Tile => {
                matches!(
                    s.kind,
                    StmtKind::Do(QueueStmt::Queue {
                        op: QueueOp::Deque,
                        ..
                    })
                )
            }
        };
        let follows = end == 0 || (line > lines[end - 1] && line <= lines[end - 1] + 2);
        if own > 2 || line == 0 || !follows || !stmts[end..end + len].iter().all(plain) {
            break;
        }
        end += len;
        runs += 1;
    }
    let least = if level == Level::Queue { 3 } else { 2 };
    if runs >= least {
        end
    } else {
        0
    }
}
