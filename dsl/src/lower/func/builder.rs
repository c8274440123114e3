//! Writes device functions, statement by statement.

use crate::ir::names;
use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    Arg, BinOp, Extent, Func, FuncId, FuncTensor, Instr, QueueStmt, Scalar, ScalarTy, SpanId,
    StmtKind, TensorDecl, TensorId, Ty, VarDecl, VarId, View,
};
use crate::ops::contract::Access;
use crate::ops::Op;

/// Makes the condition `a <= b`.
pub(super) fn le(a: &Scalar, b: impl Into<Scalar>) -> Scalar {
    a.clone().bin(BinOp::Le, b.into())
}

/// A function under construction: first its scalars, then its tensors, then its statements.
pub(super) struct Writer {
    func: Func,
    /// Open lists of statements, the innermost last.
    lists: Vec<Vec<Stmt>>,
}

impl Writer {
    pub fn new(name: &str, doc: &str) -> Writer {
        let (name, doc) = (name.to_string(), doc.to_string());
        let func = Func {
            name,
            doc,
            tensors: Vec::new(),
            scalars: 0,
            requires: Vec::new(),
            body: Body::default(),
        };
        Writer {
            func,
            lists: vec![Vec::new()],
        }
    }

    /// Declares a size that the caller gives and that is not negative.
    pub fn size(&mut self, name: &str) -> Scalar {
        let var = self.var(name);
        self.func.scalars += 1;
        self.func
            .requires
            .push(Scalar::Int(0).bin(crate::ir::BinOp::Le, var));
        var.into()
    }

    /// Declares a number that becomes an element.
    pub fn number(&mut self, name: &str) -> Scalar {
        self.func.scalars += 1;
        self.declared(name, ScalarTy::F32).into()
    }

    pub fn requires(&mut self, cond: Scalar) {
        self.func.requires.push(cond);
    }

    pub fn tensor(&mut self, name: &str, dtype: Ty, access: Access, elements: Scalar) -> TensorId {
        self.func.body.tensors.push(TensorDecl {
            name: name.to_string(),
            dtype,
        });
        self.func.tensors.push(FuncTensor {
            access,
            elements,
            over: None,
        });
        TensorId(self.func.tensors.len() as u32 - 1)
    }

    /// Allows a written tensor to lie in the place of a read one.
    pub fn may_lie_over(&mut self, written: TensorId, read: TensorId) {
        self.func.tensors[written.index()].over = Some(read.index());
    }

    fn var(&mut self, name: &str) -> VarId {
        self.declared(name, ScalarTy::Index)
    }

    fn declared(&mut self, name: &str, ty: ScalarTy) -> VarId {
        let name = names::unique(name, |n| self.func.body.vars.iter().any(|v| v.name == n));
        self.func.body.add_var(VarDecl {
            name,
            ty,
            mutable: false,
        })
    }

    fn push(&mut self, kind: StmtKind<QueueStmt>) {
        let list = self
            .lists
            .last_mut()
            .expect("a function has a list of statements");
        list.push(Stmt {
            kind,
            span: SpanId(0),
        });
    }

    fn inner(&mut self, f: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        self.lists.push(Vec::new());
        f(self);
        self.lists.pop().expect("the list that was begun")
    }

    pub fn define(&mut self, name: &str, value: Scalar) -> Scalar {
        let var = self.var(name);
        self.push(StmtKind::LetScalar { var, value });
        var.into()
    }

    pub fn when(&mut self, cond: Scalar, then: impl FnOnce(&mut Self)) {
        self.choose(cond, then, |_| {});
    }

    pub fn choose(
        &mut self,
        cond: Scalar,
        then: impl FnOnce(&mut Self),
        other: impl FnOnce(&mut Self),
    ) {
        let (then, other) = (self.inner(then), self.inner(other));
        self.push(StmtKind::If { cond, then, other });
    }

    pub fn each(&mut self, name: &str, to: Scalar, f: impl FnOnce(&mut Self, Scalar)) {
        let var = self.var(name);
        let body = self.inner(|w| f(w, var.into()));
        self.push(StmtKind::For {
            var,
            from: Scalar::Int(0),
            to,
            body,
        });
    }

    /// Writes a loop over `rows` rows in groups of at most the repeats of one call. `f` gets the
    /// first row of a group and its number of rows.
    pub fn grouped(&mut self, rows: &Scalar, f: impl FnOnce(&mut Self, Scalar, Scalar)) {
        let most = crate::soc::MAX_REPEATS;
        self.each("group", rows.clone().ceil_div(most), |w, group| {
            let first = w.define("first", group * most);
            let repeats = w.define(
                "repeats",
                Scalar::Int(most).min(rows.clone() - first.clone()),
            );
            f(w, first, repeats);
        });
    }

    pub fn op<const N: usize>(&mut self, op: impl Into<Op>, extent: Extent, args: [Arg; N]) {
        self.push(StmtKind::Do(QueueStmt::Instr {
            instr: Instr::new(op, extent, args),
        }));
    }

    pub fn call<const N: usize, const M: usize>(
        &mut self,
        func: FuncId,
        tensors: [View; N],
        scalars: [&Scalar; M],
    ) {
        self.push(StmtKind::Do(QueueStmt::Call {
            func,
            tensors: tensors.into(),
            scalars: scalars.map(Clone::clone).into(),
        }));
    }

    pub fn finish(mut self) -> Func {
        self.func.body.stmts = self
            .lists
            .pop()
            .expect("a function has a list of statements");
        self.func
    }
}
