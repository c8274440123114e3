//! The door: a kernel's IR, as the author wrote it, as a program over named axes.
//!
//! The present tile dialect knows three loops and three accesses; here they become indices of tensors under a view. A row loop
//! makes two axes (its run of rows, the whole last axis), any other loop one. This is the only file that knows the dialect's
//! shapes; what it cannot read is an error, never a guess.

use super::program::{Access, Arg, AxId, Decl, Elem, Expr, Index, Kind, Program, Stmt};
use super::Trip;
use jumar_dsl::dtype::{DType, RoundMode};
use jumar_dsl::ir::{
    self, walk_stmts, Kernel, LoopId, LoopKind, ParamId, Scalar, SpanId, StmtKind, TileExpr, TileShape, Ty, ValueId,
};
use jumar_dsl::ops::{LayoutOp, Op, ReduceOp, RowReduceOp};
use std::collections::BTreeMap;

/// The program of the `instance`-th dtype instance of a tile kernel.
///
/// # Errors
/// A statement or shape that the tile dialect does not have, with its place.
pub(super) fn open(kernel: &Kernel, instance: usize) -> Result<Program, (SpanId, Trip)> {
    let binding = kernel.sig.instances.get(instance).ok_or_else(|| (SpanId(0), Trip::malformed("no such dtype instance")))?;
    let mut door = Door { kernel, binding, axes: Vec::new(), loops: BTreeMap::new(), span: SpanId(0) };
    walk_stmts(&kernel.body.stmts, &mut |s| {
        if let StmtKind::Loop { tile } = &s.kind {
            door.declare(tile);
        }
    });
    let mut values: Vec<Option<Decl>> = kernel.body.values.iter().map(|_| None).collect();
    // A pass may leave values behind that nothing defines any more.
    let mut wrong = None;
    walk_stmts(&kernel.body.stmts, &mut |s| {
        if let StmtKind::Def { value, .. } = &s.kind {
            match (values.get_mut(value.index()), kernel.body.values.get(value.index()).map(|v| door.decl(v))) {
                (Some(slot), Some(Ok(decl))) => *slot = Some(decl),
                (_, Some(Err(trip))) => wrong = Some((s.span, trip)),
                (_, None) | (None, _) => wrong = Some((s.span, Trip::malformed("a value that is not declared"))),
            }
        }
    });
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    let stmts = door.stmts(&kernel.body.stmts).map_err(|t| (door.span, t))?;
    let vars = kernel.body.vars.iter().map(|v| v.ty).collect();
    Ok(Program { axes: door.axes, values, vars, stmts })
}

type Made<T> = Result<T, Trip>;

/// The axes that a loop makes.
struct LoopAxes {
    kind: LoopKind,
    parent: Option<LoopId>,
    start: ir::VarId,
    /// The run of this turn.
    run: AxId,
    /// The whole last axis, of a row loop.
    whole: Option<AxId>,
}

struct Door<'a> {
    kernel: &'a Kernel,
    binding: &'a [DType],
    axes: Vec<Scalar>,
    loops: BTreeMap<LoopId, LoopAxes>,
    span: SpanId,
}

impl Door<'_> {
    fn axis(&mut self, extent: Scalar) -> AxId {
        self.axes.push(extent);
        AxId(self.axes.len() - 1)
    }

    fn declare(&mut self, tile: &ir::TileLoop) {
        let run = self.axis(tile.len.into());
        let whole = match tile.kind {
            LoopKind::Rows => Some(self.kernel.sig.rows_cols(tile.over).1),
            LoopKind::Flat | LoopKind::Cols => None,
        };
        let whole = whole.map(|extent| self.axis(extent));
        let axes = LoopAxes { kind: tile.kind, parent: tile.parent, start: tile.start, run, whole };
        self.loops.insert(tile.id, axes);
    }

    fn of(&self, id: LoopId) -> Made<&LoopAxes> {
        self.loops.get(&id).ok_or_else(|| Trip::malformed("a shape names a tile loop that does not exist"))
    }

    /// The axis of a loop's columns or elements.
    fn columns(&self, id: LoopId) -> Made<AxId> {
        let l = self.of(id)?;
        match l.kind {
            LoopKind::Rows => l.whole.ok_or_else(|| Trip::malformed("a row loop without columns")),
            LoopKind::Flat | LoopKind::Cols => Ok(l.run),
        }
    }

    fn shape(&self, shape: TileShape) -> Made<Vec<AxId>> {
        let mut axes = Vec::with_capacity(2);
        if let Some(rows) = shape.rows {
            let l = self.of(rows)?;
            if l.kind != LoopKind::Rows {
                return Err(Trip::malformed("rows of a loop that has none"));
            }
            axes.push(l.run);
        }
        if let Some(cols) = shape.cols {
            axes.push(self.columns(cols)?);
        }
        axes.sort_unstable();
        Ok(axes)
    }

    fn decl(&self, v: &ir::ValueDecl) -> Made<Decl> {
        let elem = match v.dtype {
            Ty::Mask => Elem::Mask,
            ty => Elem::Number(ty.resolve(self.binding)),
        };
        Ok(Decl { elem, axes: self.shape(v.shape)? })
    }

    fn axes_of(&self, v: ValueId) -> Made<Vec<AxId>> {
        let decl = self.kernel.body.values.get(v.index()).ok_or_else(|| Trip::malformed("a value that is not declared"))?;
        self.shape(decl.shape)
    }

    fn stmts(&mut self, stmts: &[ir::Stmt]) -> Made<Vec<Stmt>> {
        let mut out = Vec::with_capacity(stmts.len());
        for s in stmts {
            self.span = s.span;
            let kind = self.stmt(&s.kind)?;
            out.push(Stmt { kind, span: s.span });
        }
        Ok(out)
    }

    /// A scalar with `size_of::<T>()` as the number that it is here.
    fn scalar(&self, s: &Scalar) -> Scalar {
        s.sized(self.binding)
    }

    fn stmt(&mut self, kind: &StmtKind) -> Made<Kind> {
        Ok(match kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                Kind::Scalar { var: *var, value: self.scalar(value) }
            }
            StmtKind::For { var, from, to, body } => {
                Kind::For { var: *var, from: self.scalar(from), to: self.scalar(to), body: self.stmts(body)? }
            }
            StmtKind::If { cond, then, other } => {
                Kind::If { cond: self.scalar(cond), then: self.stmts(then)?, other: self.stmts(other)? }
            }
            StmtKind::Loop { tile } => {
                let (rows, cols) = self.kernel.sig.rows_cols(tile.over);
                let extent = match tile.kind {
                    LoopKind::Flat => self.kernel.sig.elements(tile.over),
                    LoopKind::Rows => rows,
                    LoopKind::Cols => cols,
                };
                Kind::Loop { start: tile.start, len: tile.len, extent, body: self.stmts(&tile.body)? }
            }
            StmtKind::Def { value, expr } => Kind::Def { value: *value, expr: self.expr(*value, expr)? },
            StmtKind::Set { value, from } => Kind::Set { value: *value, from: *from },
            StmtKind::Store { of, access, param, value } => Kind::Store { to: self.access(*of, *access, *param)?, value: *value },
            StmtKind::Split { .. }
            | StmtKind::FitTile { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Free { .. }
            | StmtKind::Get { .. }
            | StmtKind::View { .. }
            | StmtKind::Instr { .. }
            | StmtKind::Call { .. } => return Err(Trip::malformed("a statement of the queue level in a tile kernel")),
        })
    }

    fn expr(&self, value: ValueId, expr: &TileExpr) -> Made<Expr> {
        Ok(match expr {
            TileExpr::Load { of, access, param } => Expr::Load(self.access(*of, *access, *param)?),
            TileExpr::Fill { value } => Expr::Fill(self.scalar(value)),
            TileExpr::Op { op: Op::RowReduce(op), args } => {
                let [ir::Operand::Value { value: source }] = args.as_slice() else {
                    return Err(Trip::malformed("a row reduction of something else than one tile"));
                };
                // What the result lacks is what was reduced.
                let left = self.axes_of(value)?;
                let over = self.axes_of(*source)?.into_iter().filter(|a| !left.contains(a)).collect();
                Expr::Reduce { op: reduction(*op), value: *source, over }
            }
            TileExpr::Op { op: op @ (Op::Binary(_) | Op::Unary(_) | Op::Compare(_) | Op::Layout(LayoutOp::Select)), args } => {
                let arg = |a: &ir::Operand| match a {
                    ir::Operand::Value { value } => Arg::Tile(*value),
                    ir::Operand::Scalar { value } => Arg::Scalar(self.scalar(value)),
                };
                Expr::Elementwise { op: *op, args: args.iter().map(arg).collect() }
            }
            TileExpr::Op { op, .. } => return Err(Trip::malformed(format!("`{}` is no op of tiles", op.name()))),
            // Without a word of the author's a cast rounds to nearest, ties to even.
            TileExpr::Cast { value, mode } => Expr::Cast { value: *value, mode: mode.unwrap_or(RoundMode::Rint) },
            TileExpr::Round { value, mode } => Expr::Round { value: *value, mode: *mode },
            TileExpr::Copy { value } => Expr::Copy(*value),
        })
    }

    fn access(&self, of: LoopId, access: ir::Access, param: ParamId) -> Made<Access> {
        use ir::Access::{Col, Row, Tile};
        let sig = &self.kernel.sig;
        if sig.params.get(param.index()).is_none_or(|p| !matches!(p.kind, ir::ParamKind::Tensor { .. })) {
            return Err(Trip::malformed("an access of something that is no tensor"));
        }
        let l = self.of(of)?;
        let run = |l: &LoopAxes| Index { terms: vec![(l.run, 1)], offset: l.start.into() };
        let whole = |l: &LoopAxes| -> Made<Index> {
            let axis = l.whole.ok_or_else(|| Trip::malformed("a row loop without columns"))?;
            Ok(Index { terms: vec![(axis, 1)], offset: Scalar::Int(0) })
        };
        let rows_of = |l: &LoopAxes| self.of(l.parent.ok_or_else(|| Trip::malformed("columns without a row loop"))?);
        let one = |index| Access { tensor: param, dims: vec![sig.elements(param)], index: vec![index] };
        let two = |row, col| {
            let (rows, cols) = sig.rows_cols(param);
            Access { tensor: param, dims: vec![rows, cols], index: vec![row, col] }
        };
        Ok(match (l.kind, access) {
            (LoopKind::Flat, Tile) | (LoopKind::Cols, Row) | (LoopKind::Rows, Col) => one(run(l)),
            (LoopKind::Rows, Row) => one(whole(l)?),
            (LoopKind::Rows, Tile) => two(run(l), whole(l)?),
            (LoopKind::Cols, Tile) => two(run(rows_of(l)?), run(l)),
            (LoopKind::Cols, Col) => one(run(rows_of(l)?)),
            (LoopKind::Flat, Row | Col) => return Err(Trip::malformed("rows or columns of a flat tile")),
        })
    }
}

fn reduction(op: RowReduceOp) -> ReduceOp {
    match op {
        RowReduceOp::Sum => ReduceOp::Sum,
        RowReduceOp::Max => ReduceOp::Max,
        RowReduceOp::Min => ReduceOp::Min,
    }
}
