//! Tile loops, accesses, shapes and element types of values.

use super::body::Walk;
use super::tables::{LoopFacts, Tables};
use super::{Checked, Cx};
use crate::ir::{
    Access, Dim, LoopId, LoopKind, Operand, ParamId, Scalar, ScalarTy, Stmt, StmtKind, TileExpr, TileLoop, TileShape, Ty,
    ValueDecl, ValueId,
};
use crate::ops::{LayoutOp, Op};
use crate::soc::MAX_BLOCKS_PER_POSITION;

impl Cx<'_> {
    pub(super) fn tile_statement(&mut self, walk: &mut Walk<'_>, s: &Stmt) -> Checked {
        let body = walk.body;
        match &s.kind {
            StmtKind::Loop { tile } => self.tile_loop(walk, tile),
            StmtKind::Def { value, expr } => {
                self.expr(walk, *value, expr)?;
                self.defines(&mut walk.scope, body, *value)
            }
            StmtKind::Set { value, from } => {
                self.uses(&walk.scope, body, *value)?;
                self.uses(&walk.scope, body, *from)?;
                let (to, from) = (&body.values[value.index()], &body.values[from.index()]);
                self.holds(to.mutable, || format!("`{}` is set again, but it is not mutable", to.name))?;
                self.alike(to, from, "set to")
            }
            StmtKind::Store { of, access, param, value } => {
                self.uses(&walk.scope, body, *value)?;
                self.open(walk, *of)?;
                let ty = self.touched(*param, true)?;
                let (decl, shape) = (&body.values[value.index()], self.access(&walk.tables, *of, *access, *param)?);
                self.holds(decl.shape == shape, || format!("`{}` is stored where another extent is due", decl.name))?;
                self.typed(decl, ty, "stored to a tensor of")
            }
            _ => self.fault("this is no statement of tiles"),
        }
    }

    fn facts(&self, tables: &Tables, id: LoopId) -> Checked<LoopFacts> {
        let found = tables.loops.get(&id).copied();
        found.map_or_else(|| self.fault(format!("there is no loop `!{}`", id.0)), Ok)
    }

    /// Holds a loop to being one of those around this statement.
    fn open(&self, walk: &Walk<'_>, id: LoopId) -> Checked {
        self.facts(&walk.tables, id)?;
        self.holds(walk.frames.contains(&Some(id)), || format!("loop `!{}` is used outside of it", id.0))
    }

    fn alike(&self, a: &ValueDecl, b: &ValueDecl, what: &str) -> Checked {
        self.typed(b, a.dtype, what)?;
        self.holds(a.shape == b.shape, || format!("`{}` is {what} `{}`, which has another extent", a.name, b.name))
    }

    fn typed(&self, decl: &ValueDecl, due: Ty, what: &str) -> Checked {
        self.holds(self.same(decl.dtype, due), || {
            format!("`{}` of `{}` is {what} `{}`", decl.name, self.sig.ty_name(decl.dtype), self.sig.ty_name(due))
        })
    }

    // ---- loops ----

    fn tile_loop(&mut self, walk: &mut Walk<'_>, tile: &TileLoop) -> Checked {
        self.tensor_param(tile.over)?;
        match tile.kind {
            LoopKind::Flat | LoopKind::Rows => self.outer_loop(walk, tile)?,
            LoopKind::Cols => self.column_loop(walk, tile)?,
        }
        let (length, rows) = (tile.tile_length.is_some(), tile.rows.is_some());
        let good = match tile.kind {
            LoopKind::Flat => !rows,
            LoopKind::Rows => !length,
            LoopKind::Cols => !rows && tile.block_dim.is_none(),
        };
        self.holds(good, || format!("a size that a loop of kind `{}` has not", tile.kind.word()))?;
        for size in tile.tile_length.iter().chain(&tile.rows).chain(&tile.block_dim) {
            self.host_operand(walk, size, "a size of a loop")?;
        }
        let most = MAX_BLOCKS_PER_POSITION;
        let buffers = tile.buffer_num.is_none_or(|n| (1..=most).contains(&n));
        self.holds(buffers, || format!("{} buffers, possible are 1 to {most}", tile.buffer_num.unwrap_or(0)))?;
        let start = walk.scope.open();
        self.result(walk, tile.start, Some(ScalarTy::Index))?;
        self.result(walk, tile.len, Some(ScalarTy::Index))?;
        self.inner(walk, Some(tile.id), &tile.body)?;
        walk.scope.close(start);
        Ok(())
    }

    fn outer_loop(&self, walk: &mut Walk<'_>, tile: &TileLoop) -> Checked {
        self.holds(walk.frames.is_empty(), || "a tile loop inside another statement; it stands at the top".to_string())?;
        self.holds(walk.outer.is_none(), || "a second tile loop; a kernel has one".to_string())?;
        self.holds(tile.parent.is_none(), || "an outermost loop with a loop around it".to_string())?;
        if tile.kind == LoopKind::Rows {
            let many = match self.sig.shape(tile.over).last() {
                Some(Dim::Axis { axis }) => self.axis(*axis)?,
                Some(Dim::Expr { .. }) => false,
                None => true,
            };
            self.holds(!many, || "a loop over the rows of a tensor whose last axis is not one by itself".to_string())?;
        }
        walk.outer = Some(tile.id);
        Ok(())
    }

    fn column_loop(&self, walk: &Walk<'_>, tile: &TileLoop) -> Checked {
        let Some(parent) = tile.parent else { return self.fault("a column loop without its row loop") };
        let around = self.facts(&walk.tables, parent)?;
        let inside = walk.frames.last() == Some(&Some(parent)) && around.kind == LoopKind::Rows;
        self.holds(inside, || "a column loop stands directly in its row loop".to_string())?;
        self.holds(around.over == tile.over, || "a column loop over another tensor than its row loop".to_string())
    }

    // ---- extents ----

    /// Holds the extent of a value to loops of the right kinds.
    pub(super) fn shape(&self, shape: TileShape, tables: &Tables) -> Checked {
        if let Some(r) = shape.rows {
            self.holds(self.facts(tables, r)?.kind == LoopKind::Rows, || format!("rows of loop `!{}`, which has none", r.0))?;
        }
        let good = match shape.cols {
            None => shape.rows.is_some(),
            Some(c) => {
                let facts = self.facts(tables, c)?;
                let around = match facts.kind {
                    LoopKind::Flat => None,
                    LoopKind::Rows => Some(c),
                    LoopKind::Cols => facts.parent,
                };
                shape.rows.is_none() || shape.rows == around
            }
        };
        self.holds(good, || "an extent of loops that do not belong together".to_string())
    }

    /// The extent of an access, with the shape of its tensor held to that of the loop's.
    fn access(&self, tables: &Tables, of: LoopId, access: Access, param: ParamId) -> Checked<TileShape> {
        let facts = self.facts(tables, of)?;
        let (whole, here) = (self.sig.shape(facts.over), self.sig.shape(param));
        let one = [Dim::Expr { size: Scalar::Int(1) }];
        let last = whole.len().saturating_sub(1);
        let due = match access {
            Access::Tile => whole,
            Access::Row => &whole[last..],
            Access::Col => &whole[..last],
        };
        let due = if due.is_empty() && access != Access::Tile { &one[..] } else { due };
        self.holds(due == here, || {
            let (name, over) = (&self.sig.param(param).name, &self.sig.param(facts.over).name);
            format!("`{name}` has other axes than this part of `{over}`, which the loop is over")
        })?;
        let rows = match facts.kind {
            LoopKind::Flat => None,
            LoopKind::Rows => Some(of),
            LoopKind::Cols => facts.parent,
        };
        match (facts.kind, access) {
            (_, Access::Tile) => Ok(TileShape { rows, cols: Some(of) }),
            (LoopKind::Rows | LoopKind::Cols, Access::Row) => Ok(TileShape { rows: None, cols: Some(of) }),
            (LoopKind::Rows, Access::Col) => Ok(TileShape { rows, cols: None }),
            (LoopKind::Flat, Access::Row | Access::Col) | (LoopKind::Cols, Access::Col) => {
                self.fault(format!("an access `{}` in a loop of kind `{}`", access.word(), facts.kind.word()))
            }
        }
    }

    // ---- definitions ----

    fn expr(&self, walk: &Walk<'_>, id: ValueId, expr: &TileExpr) -> Checked {
        let body = walk.body;
        self.declared(id.index(), body.values.len(), "value", || format!("%{}", id.0))?;
        let decl = &body.values[id.index()];
        self.shape(decl.shape, &walk.tables)?;
        self.in_its_loops(walk, decl, expr)?;
        let source = |value: &ValueId| -> Checked<&ValueDecl> {
            self.uses(&walk.scope, body, *value)?;
            Ok(&body.values[value.index()])
        };
        match expr {
            TileExpr::Load { of, access, param } => {
                let (ty, shape) = (self.touched(*param, false)?, self.access(&walk.tables, *of, *access, *param)?);
                self.typed(decl, ty, "loaded from a tensor of")?;
                self.extent_is(decl, shape)
            }
            TileExpr::Fill { value } => {
                self.elements(decl)?;
                self.number(walk, value, decl.dtype)
            }
            TileExpr::Op { op, args } => self.op(walk, decl, *op, args),
            TileExpr::Cast { value, .. } => {
                let from = source(value)?;
                self.elements(decl)?;
                self.elements(from)?;
                self.extent_is(decl, from.shape)
            }
            TileExpr::Round { value, .. } => {
                self.elements(decl)?;
                self.alike(decl, source(value)?, "the rounding of")
            }
            TileExpr::Copy { value } => self.alike(decl, source(value)?, "a copy of"),
        }
    }

    /// A value stands in the loops that it is over; rows may stand before theirs.
    fn in_its_loops(&self, walk: &Walk<'_>, decl: &ValueDecl, expr: &TileExpr) -> Checked {
        let loops = [decl.shape.rows, decl.shape.cols];
        let Some(outside) = loops.into_iter().flatten().find(|l| !walk.frames.contains(&Some(*l))) else {
            return match expr {
                TileExpr::Load { of, .. } => self.open(walk, *of),
                _ => Ok(()),
            };
        };
        let movable = match expr {
            TileExpr::Load { of, access, .. } => *access == Access::Row && *of == outside,
            TileExpr::Op { args, .. } => args.iter().any(|a| matches!(a, Operand::Value { .. })),
            TileExpr::Cast { .. } | TileExpr::Round { .. } => true,
            TileExpr::Fill { .. } | TileExpr::Copy { .. } => false,
        };
        let before = walk.frames.is_empty() && walk.outer.is_none();
        let row = decl.shape.rows.is_none() && self.facts(&walk.tables, outside)?.kind == LoopKind::Rows;
        self.holds(before && row && movable && !decl.mutable, || {
            format!(
                "`{}` is over loop `!{}` and stands outside of it; only rows may, before their row loop",
                decl.name, outside.0
            )
        })
    }

    fn extent_is(&self, decl: &ValueDecl, due: TileShape) -> Checked {
        self.holds(decl.shape == due, || format!("`{}` has another extent than what it is made of", decl.name))
    }

    fn elements(&self, decl: &ValueDecl) -> Checked {
        self.holds(decl.dtype != Ty::Mask, || format!("`{}` holds the bits of a compare, elements are due", decl.name))
    }

    fn op(&self, walk: &Walk<'_>, decl: &ValueDecl, op: Op, args: &[Operand]) -> Checked {
        let body = walk.body;
        for a in args {
            if let Operand::Value { value } = a {
                self.uses(&walk.scope, body, *value)?;
            }
        }
        let tile = |a: &Operand| match a {
            Operand::Value { value } => Some(&body.values[value.index()]),
            Operand::Scalar { .. } => None,
        };
        let good = match (op, args) {
            (Op::Binary(_), [a, b]) => tile(a).or(tile(b)).is_some(),
            (Op::Unary(_) | Op::RowReduce(_), [a]) => tile(a).is_some(),
            (Op::Compare(_), [a, _]) => tile(a).is_some(),
            (Op::Layout(LayoutOp::Select), [m, a, _]) => tile(m).is_some_and(|m| m.dtype == Ty::Mask) && tile(a).is_some(),
            _ => false,
        };
        self.holds(good, || format!("`{}` does not take these {} operands", op.name(), args.len()))?;
        // The mask of a select has bits, all other operands have elements of one type.
        let (mask, elements) = if op == Op::Layout(LayoutOp::Select) { args.split_at(1) } else { args.split_at(0) };
        let Some(ty) = elements.iter().find_map(tile).map(|d| d.dtype) else { return self.fault("an op without elements") };
        for a in elements {
            match a {
                Operand::Value { value } => {
                    let of = &body.values[value.index()];
                    self.elements(of)?;
                    self.typed(of, ty, "an operand among those of")?;
                }
                Operand::Scalar { value } => self.number(walk, value, ty)?,
            }
        }
        let due = if matches!(op, Op::Compare(_)) { Ty::Mask } else { ty };
        self.typed(decl, due, "the result of an op on")?;
        let mut shape = TileShape::default();
        for of in mask.iter().chain(elements).filter_map(tile) {
            let joined = broadcast(shape, of.shape);
            shape = joined.map_or_else(|| self.fault(format!("`{}` of tiles of different extent", op.name())), Ok)?;
        }
        if let Op::RowReduce(_) = op {
            self.holds(shape.rows.is_some() && shape.cols.is_some(), || {
                format!("`{}` of a tile without rows or columns", op.name())
            })?;
            shape.cols = None;
        }
        self.extent_is(decl, shape)
    }
}

/// Axis by axis the same, or one of them 1.
fn broadcast(a: TileShape, b: TileShape) -> Option<TileShape> {
    let axis = |x: Option<LoopId>, y: Option<LoopId>| match (x, y) {
        (Some(x), Some(y)) if x != y => None,
        (x, y) => Some(x.or(y)),
    };
    Some(TileShape { rows: axis(a.rows, b.rows)?, cols: axis(a.cols, b.cols)? })
}
