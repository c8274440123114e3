//! What the two dialects share: a body, its declarations, and control around the statements of one of them.
//!
//! A [`Stmt`] is control ([`StmtKind`]) or one of its dialect's own. What stands inside of control is of the same dialect, so that no reader of one
//! meets a statement of the other: a pass of the lowering takes a [`super::tile::Body`], the simulator a [`super::queue::Body`].

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
    /// Its name, unique in the body.
    pub name: String,
    /// Its type.
    pub ty: ScalarTy,
    /// True where [`StmtKind::SetScalar`] may change it.
    pub mutable: bool,
}
text_struct!(VarDecl "var" { name, ty, mutable } line true);

/// What a dialect has beside control.
pub trait Dialect: Text + Clone + PartialEq + fmt::Debug {
    /// The list of statements inside one.
    fn inside(&self) -> Option<&Vec<Stmt<Self>>>;
    /// The same, to change it.
    fn inside_mut(&mut self) -> Option<&mut Vec<Stmt<Self>>>;
    /// Calls `f` on each scalar, without those of the statements inside.
    fn scalars<'a>(&'a self, f: &mut dyn FnMut(&'a Scalar));
    /// The same, to change them.
    fn scalars_mut<'a>(&'a mut self, f: &mut dyn FnMut(&'a mut Scalar));
    /// The scalar variable that it sets.
    fn sets(&self) -> Option<VarId>;
}

/// A statement with its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt<L> {
    /// What it does.
    pub kind: StmtKind<L>,
    /// Where it stands.
    pub span: SpanId,
}
text_struct!(Stmt<L> "stmt" { span, kind } line true);

/// Control, which both dialects share, or a statement of one.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind<L> {
    /// `let v = expr;`
    LetScalar {
        /// The variable.
        var: VarId,
        /// Its value.
        value: Scalar,
    },
    /// `v = expr;` on a mutable variable.
    SetScalar {
        /// The variable.
        var: VarId,
        /// Its new value.
        value: Scalar,
    },
    /// `for v in from..to`.
    For {
        /// Loop variable.
        var: VarId,
        /// First value.
        from: Scalar,
        /// One past the last value.
        to: Scalar,
        /// Statements of one turn.
        body: Vec<Stmt<L>>,
    },
    /// `if cond { .. } else { .. }`.
    If {
        /// Condition.
        cond: Scalar,
        /// Taken where it holds.
        then: Vec<Stmt<L>>,
        /// Taken where it does not.
        other: Vec<Stmt<L>>,
    },
    /// What the author promises of numbers that only a run knows. Proofs rely on it, and whoever runs the kernel holds them to it.
    Promise {
        /// What is promised.
        what: Promised,
    },
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

/// What an author promises.
#[derive(Clone, Debug, PartialEq)]
pub enum Promised {
    /// `assume(cond)`.
    Fact {
        /// What holds.
        cond: Scalar,
        /// The condition as the author wrote it.
        text: String,
    },
    /// A number that was read is an index below another, as the `#[index(..)]` of its tensor says, or as was proved; in what is lowered only.
    Index {
        /// The number.
        value: Scalar,
        /// What it is less than; it is not negative either.
        below: Scalar,
        /// The tensor; none of what was computed.
        of: Option<ParamId>,
    },
}
text_enum!(Promised { Fact = "fact" { cond, text }, Index = "index_of" { value, below, of } });

/// Declarations and statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Body<L> {
    /// Scalar variables.
    pub vars: Vec<VarDecl>,
    /// Axes of tiles.
    pub axes: Vec<AxDecl>,
    /// Tile values.
    pub values: Vec<ValueDecl>,
    /// Local tensors.
    pub tensors: Vec<TensorDecl>,
    /// Queues.
    pub queues: Vec<QueueDecl>,
    /// Buffers.
    pub bufs: Vec<BufDecl>,
    /// Workspaces.
    pub works: Vec<WorkDecl>,
    /// Statements in order.
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
    /// A scalar variable.
    pub fn var(&self, id: VarId) -> &VarDecl {
        &self.vars[id.index()]
    }
    /// Every scalar variable, in order.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars
            .iter()
            .enumerate()
            .map(|(i, v)| VarId::new(i, v.ty))
    }
    /// Declares a variable.
    pub fn add_var(&mut self, decl: VarDecl) -> VarId {
        let id = VarId::new(self.vars.len(), decl.ty);
        self.vars.push(decl);
        id
    }
    /// Declares a workspace.
    pub fn add_work(&mut self, decl: WorkDecl) -> WorkId {
        self.works.push(decl);
        WorkId(self.works.len() as u32 - 1)
    }
    /// A workspace.
    pub fn work(&self, id: WorkId) -> &WorkDecl {
        &self.works[id.index()]
    }
    /// Name of a tensor in GM.
    pub fn gm_name<'a>(&'a self, sig: &'a Signature, of: TensorRef) -> &'a str {
        match of {
            TensorRef::Param(id) => &sig.param(id).name,
            TensorRef::Work(id) => &self.work(id).name,
        }
    }
    /// Element type of a tensor in GM.
    ///
    /// # Panics
    /// Where it is an attribute.
    pub fn gm_ty(&self, sig: &Signature, of: TensorRef) -> Ty {
        match of {
            TensorRef::Param(id) => sig.dtype(id).expect("a verified view looks at a tensor"),
            TensorRef::Work(id) => self.work(id).dtype,
        }
    }
    /// The declarations with these statements.
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
    /// Puts what `f` makes of it in the place of each scalar of its statements.
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
