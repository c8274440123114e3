//! What the interpreter runs: statements over tensors and tiles whose axes have names.
//!
//! A tile is an element type and a *set* of axes; what an access reads has the axes of its index, and everything else goes by
//! axis: broadcasting, reduction, stores. Axes align only where they are the same axis, never by equal length. This is the
//! model of the tile level as it is meant; [`super::door`] brings a kernel's IR into it.

use jumar_dsl::dtype::{DType, RoundMode};
use jumar_dsl::ir::{ParamId, Scalar, ScalarTy, SpanId, ValueId, VarId};
use jumar_dsl::ops::{Op, ReduceOp};

/// An axis, by its place in [`Program::axes`]; sets of axes are sorted lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct AxId(pub usize);

/// A kernel's body over named axes.
pub(super) struct Program {
    /// Extent of each axis: a host size for a whole axis, the length of this turn's run for the axis of a loop.
    pub axes: Vec<Scalar>,
    /// The tiles; `None` for those that no statement defines.
    pub values: Vec<Option<Decl>>,
    /// Type of each scalar variable.
    pub vars: Vec<ScalarTy>,
    /// Statements in order.
    pub stmts: Vec<Stmt>,
}

/// A tile.
pub(super) struct Decl {
    pub elem: Elem,
    pub axes: Vec<AxId>,
}

/// What a tile's elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elem {
    Number(DType),
    /// The answers of a compare.
    Mask,
}

/// A statement with its place.
pub(super) struct Stmt {
    pub kind: Kind,
    pub span: SpanId,
}

/// What a statement does.
pub(super) enum Kind {
    /// Sets a scalar, for the first time or again.
    Scalar {
        var: VarId,
        value: Scalar,
    },
    For {
        var: VarId,
        from: Scalar,
        to: Scalar,
        body: Vec<Stmt>,
    },
    If {
        cond: Scalar,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    /// Runs its body for runs of indices that together are `0..extent`.
    Loop {
        start: VarId,
        len: VarId,
        extent: Scalar,
        body: Vec<Stmt>,
    },
    Def {
        value: ValueId,
        expr: Expr,
    },
    Set {
        value: ValueId,
        from: ValueId,
    },
    Store {
        to: Access,
        value: ValueId,
    },
}

/// What a tile is made of.
pub(super) enum Expr {
    Load(Access),
    Fill(Scalar),
    Elementwise {
        op: Op,
        args: Vec<Arg>,
    },
    Reduce {
        op: ReduceOp,
        value: ValueId,
        over: Vec<AxId>,
    },
    Cast {
        value: ValueId,
        mode: RoundMode,
    },
    /// To whole numbers, in the own type.
    Round {
        value: ValueId,
        mode: RoundMode,
    },
    Copy(ValueId),
}

/// Operand of an element-wise op.
pub(super) enum Arg {
    Tile(ValueId),
    Scalar(Scalar),
}

/// Part of a tensor, under a view that splits or joins its axes.
pub(super) struct Access {
    pub tensor: ParamId,
    /// The view: sizes, outermost first.
    pub dims: Vec<Scalar>,
    /// One index a size.
    pub index: Vec<Index>,
}

/// `offset + Σ factor * axis`: the axes of all indices are those of what is accessed.
pub(super) struct Index {
    pub terms: Vec<(AxId, i64)>,
    pub offset: Scalar,
}

impl Access {
    /// Its axes, sorted.
    pub fn axes(&self) -> Vec<AxId> {
        let mut axes: Vec<AxId> = self.index.iter().flat_map(|i| i.terms.iter().map(|(a, _)| *a)).collect();
        axes.sort_unstable();
        axes.dedup();
        axes
    }
}
