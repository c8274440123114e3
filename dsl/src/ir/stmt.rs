//! The parts that the two dialects share: a body, its declarations, and control statements.
//!
//! A [`Stmt`] is control ([`StmtKind`]) or a statement of its dialect. Statements inside of control
//! are of that dialect as well, so no reader of one sees a statement of the other. A pass of the
//! lowering takes a [`super::tile::Body`], the simulator a [`super::queue::Body`].

use super::text::{text_enum, text_struct, Text};
use super::visit::{walk_stmts, walk_stmts_mut};
use super::{
    AxDecl, BufDecl, ParamId, QueueDecl, Scalar, ScalarTy, Signature, SpanId, TensorDecl,
    TensorRef, Ty, ValueDecl, VarId, WorkDecl, WorkId,
};
use std::fmt;

/// A scalar variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// Name, unique in the body.
    pub name: String,
    pub ty: ScalarTy,
    /// True where [`StmtKind::SetScalar`] may change it.
    pub mutable: bool,
}
text_struct!(VarDecl "var" { name, ty, mutable } line true);

/// The statements of a dialect besides control.
pub trait Dialect: Text + Clone + PartialEq + fmt::Debug {
    /// Returns the list of statements inside of one.
    fn inside(&self) -> Option<&Vec<Stmt<Self>>>;
    /// Returns the list of statements inside of one for changes.
    fn inside_mut(&mut self) -> Option<&mut Vec<Stmt<Self>>>;
    /// Calls `f` on each scalar, without those of the statements inside.
    fn scalars<'a>(&'a self, f: &mut dyn FnMut(&'a Scalar));
    /// Calls `f` on each scalar for changes, without those of the statements inside.
    fn scalars_mut<'a>(&'a mut self, f: &mut dyn FnMut(&'a mut Scalar));
    /// Returns the scalar variable that it sets.
    fn sets(&self) -> Option<VarId>;
}

/// A statement with its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt<L> {
    pub kind: StmtKind<L>,
    pub span: SpanId,
}
text_struct!(Stmt<L> "stmt" { span, kind } line true);

/// Control, which both dialects share, or a statement of one.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind<L> {
    /// The statement `let v = expr;`.
    LetScalar { var: VarId, value: Scalar },
    /// The statement `v = expr;` on a mutable variable.
    SetScalar { var: VarId, value: Scalar },
    /// The loop `for v in from..to`.
    For {
        var: VarId,
        from: Scalar,
        /// One past the last value.
        to: Scalar,
        /// Statements of one iteration.
        body: Vec<Stmt<L>>,
    },
    /// The branch `if cond { .. } else { .. }`.
    If {
        cond: Scalar,
        /// Statements where the condition holds.
        then: Vec<Stmt<L>>,
        /// Statements where it does not.
        other: Vec<Stmt<L>>,
    },
    /// A promise of the author about numbers that only a run knows. Proofs rely on it, and every
    /// runner of the kernel checks it.
    Promise { what: Promised },
    /// A statement of the dialect.
    Do(L),
}
text_enum!(StmtKind<L> {
    LetScalar = "let" { var, value },
    SetScalar = "set_scalar" { var, value },
    For = "for" { var, from, to, body },
    If = "if" { cond, then, other },
    Promise = "promise" { what },
} else Do(L));

/// A promise of the author.
#[derive(Clone, Debug, PartialEq)]
pub enum Promised {
    /// A call of `assume(cond)`.
    Fact {
        cond: Scalar,
        /// The condition as the author wrote it.
        text: String,
    },
    /// A number that was read is an index below another. The `#[index(..)]` of its tensor says so,
    /// or it was proved. Only lowered kernels have it.
    Index {
        value: Scalar,
        /// Upper bound, exclusive; the number is not negative either.
        below: Scalar,
        /// The tensor; `None` for a computed number.
        of: Option<ParamId>,
    },
}
text_enum!(Promised { Fact = "fact" { cond, text }, Index = "index_of" { value, below, of } });

/// Declarations and statements of one dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct Body<L> {
    pub vars: Vec<VarDecl>,
    pub axes: Vec<AxDecl>,
    pub values: Vec<ValueDecl>,
    pub tensors: Vec<TensorDecl>,
    pub queues: Vec<QueueDecl>,
    pub bufs: Vec<BufDecl>,
    pub works: Vec<WorkDecl>,
    pub stmts: Vec<Stmt<L>>,
}
text_struct!(Body<L> "body" { vars, axes, values, tensors, queues, bufs, works, stmts });

impl<L> Default for Body<L> {
    fn default() -> Self {
        let (vars, axes, values, tensors, queues, bufs, works, stmts) = Default::default();
        Body {
            vars,
            axes,
            values,
            tensors,
            queues,
            bufs,
            works,
            stmts,
        }
    }
}

impl<L: Dialect> Body<L> {
    pub fn var(&self, id: VarId) -> &VarDecl {
        &self.vars[id.index()]
    }
    /// Returns every scalar variable, in order.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars
            .iter()
            .enumerate()
            .map(|(i, v)| VarId::new(i, v.ty))
    }
    pub fn add_var(&mut self, decl: VarDecl) -> VarId {
        let id = VarId::new(self.vars.len(), decl.ty);
        self.vars.push(decl);
        id
    }
    pub fn add_work(&mut self, decl: WorkDecl) -> WorkId {
        self.works.push(decl);
        WorkId(self.works.len() as u32 - 1)
    }
    pub fn work(&self, id: WorkId) -> &WorkDecl {
        &self.works[id.index()]
    }
    /// Returns the name of a tensor in GM.
    pub fn gm_name<'a>(&'a self, sig: &'a Signature, of: TensorRef) -> &'a str {
        match of {
            TensorRef::Param(id) => &sig.param(id).name,
            TensorRef::Work(id) => &self.work(id).name,
        }
    }
    /// Returns the element type of a tensor in GM.
    ///
    /// # Panics
    /// Panics for an attribute.
    pub fn gm_ty(&self, sig: &Signature, of: TensorRef) -> Ty {
        match of {
            TensorRef::Param(id) => sig.dtype(id).expect("a verified view looks at a tensor"),
            TensorRef::Work(id) => self.work(id).dtype,
        }
    }
    /// Returns the declarations with these statements.
    pub fn with<M>(self, stmts: Vec<Stmt<M>>) -> Body<M> {
        let Body {
            vars,
            axes,
            values,
            tensors,
            queues,
            bufs,
            works,
            ..
        } = self;
        Body {
            vars,
            axes,
            values,
            tensors,
            queues,
            bufs,
            works,
            stmts,
        }
    }
    /// Replaces each scalar of the statements by the result of `f`.
    pub fn change_scalars(&mut self, f: impl Fn(&Scalar) -> Scalar) {
        walk_stmts_mut(&mut self.stmts, &mut |s| {
            s.scalars_mut(&mut |scalar| *scalar = f(scalar))
        });
    }
    /// Calls `f` on every statement, outer before inner, in order.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Stmt<L>)) {
        walk_stmts(&self.stmts, f);
    }
}
