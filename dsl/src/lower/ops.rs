//! One tile op as vector calls.
//!
//! A scalar on the right is the scalar form of the op (`Adds`), on the left what gives the exact result: `s - x` is
//! `x * -1 + s`, `s / x` is Duplicate and Div, never the imprecise Reciprocal. A `[rows, 1]` operand is expanded by
//! Brcb and read with block stride 0 under a counter mask, one call a row; a `[1, cols]` operand is used once a row.

use super::site::Site;
use super::tbuf::{Purpose, SlotId, Wanted};
use super::values::Tile;
use super::{Gap, Made};
use crate::ir::{
    Arg, Extent, Instr, Operand, Scalar, SpanId, Stmt, StmtKind, TensorId, TileExpr, Ty, UnOp, ValueId, VarId, View,
};
use crate::ops::{BinaryOp, BinaryScalarOp, LayoutOp, Op, RowReduceOp, UnaryOp};

/// True where the result may take the place of an operand of the same shape and type that dies here.
pub(super) fn allows_in_place(expr: &TileExpr) -> bool {
    match expr {
        // Division with a scalar writes the scalar to the destination before it reads the tile.
        TileExpr::Op { op: Op::Binary(BinaryOp::Div), args } => args.iter().all(|a| matches!(a, Operand::Value { .. })),
        TileExpr::Op { op: Op::Binary(_) | Op::Unary(_) | Op::Layout(LayoutOp::Select), .. } => true,
        TileExpr::Op { .. }
        | TileExpr::Load { .. }
        | TileExpr::Fill { .. }
        | TileExpr::Cast { .. }
        | TileExpr::Round { .. }
        | TileExpr::Copy { .. } => false,
    }
}

/// An instruction as a statement.
pub(super) fn instr(op: impl Into<Op>, extent: Extent, args: impl IntoIterator<Item = Arg>, span: SpanId) -> Stmt {
    Stmt { kind: StmtKind::Instr { instr: Instr::new(op, extent, args) }, span }
}

fn negated(s: &Scalar) -> Scalar {
    Scalar::un(UnOp::Neg, s.clone())
}

fn whole(tensor: TensorId) -> Arg {
    View::local(tensor, 0).into()
}

/// A value copied from tensor to tensor, in whole data blocks.
pub(super) fn local_copy(site: &Site<'_, '_>, dst: TensorId, src: TensorId, v: ValueId, span: SpanId) -> Made<Stmt> {
    let n = site.host.rounded(site.values.tile(v)?.live(), site.lanes(site.values.ty(v)));
    Ok(instr(LayoutOp::LocalCopy, Extent::Count { n }, [whole(dst), whole(src)], span))
}

/// The column value expanded so that each element fills a data block; made where it is not there yet.
pub(super) fn expanded(site: &mut Site<'_, '_>, v: ValueId, span: SpanId, out: &mut Vec<Stmt>) -> Made<TensorId> {
    if let Some(tensor) = site.places.columns.find(v) {
        return Ok(tensor);
    }
    let bytes = site.values.tile_rows()?.align_up(8) * site.host.chip.data_block_bytes;
    let wanted = Wanted { bytes, ty: site.values.ty(v), purpose: Purpose::Columns, span };
    let (slot, tensor) = site.places.take(&wanted);
    let extent = Extent::Eights { repeat: site.values.tile(v)?.live_rows().ceil_div(8) };
    out.push(instr(LayoutOp::Brcb, extent, [whole(tensor), whole(site.home(v)?)], span));
    site.places.columns.add(v, (slot, tensor));
    Ok(tensor)
}

/// Statements that compute `value` into its home.
pub(super) fn define(
    site: &mut Site<'_, '_>,
    (value, expr): (ValueId, &TileExpr),
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    let (tensor, tile) = (site.home(value)?, site.values.tile(value)?);
    Calls { site, tensor, tile, span, out }.define(value, expr)
}

/// The calls of one op, with the place of its result.
struct Calls<'c, 'h, 'a> {
    site: &'c mut Site<'h, 'a>,
    tensor: TensorId,
    /// Extent of the result.
    tile: Tile,
    span: SpanId,
    out: &'c mut Vec<Stmt>,
}

impl Calls<'_, '_, '_> {
    fn push(&mut self, op: impl Into<Op>, extent: Extent, args: impl IntoIterator<Item = Arg>) {
        self.out.push(instr(op, extent, args, self.span));
    }

    fn define(&mut self, value: ValueId, expr: &TileExpr) -> Made<()> {
        match expr {
            TileExpr::Load { .. } => return Err(Gap::new("a load among computations", self.span)),
            TileExpr::Fill { value } => {
                let scalar = self.site.host.on_device(value, "fill");
                self.count(LayoutOp::Duplicate, &[], [scalar.into()]);
            }
            TileExpr::Copy { value: from } => {
                let copy = local_copy(self.site, self.tensor, self.site.home(*from)?, value, self.span)?;
                self.out.push(copy);
            }
            TileExpr::Cast { value: from, mode } => {
                let usual = self.site.host.binding.cast_mode(self.site.values.ty(*from), self.site.values.ty(value));
                let mode = mode.or(usual).ok_or_else(|| Gap::new("a cast between these element types", self.span))?;
                self.count(LayoutOp::Cast, &[self.site.home(*from)?], [Arg::Mode { mode }]);
            }
            TileExpr::Round { value: from, mode } => {
                self.count(LayoutOp::Cast, &[self.site.home(*from)?], [Arg::Mode { mode: *mode }]);
            }
            TileExpr::Op { op, args } => self.op(*op, args)?,
        }
        Ok(())
    }

    fn op(&mut self, op: Op, args: &[Operand]) -> Made<()> {
        match (op, args) {
            (Op::Binary(op), [Operand::Value { value: a }, Operand::Value { value: b }]) => self.binary(op, *a, *b),
            (Op::Binary(op), [Operand::Value { value: a }, Operand::Scalar { value: s }]) => {
                let s = self.site.scalar(s);
                self.tile_scalar(op, *a, s)
            }
            (Op::Binary(op), [Operand::Scalar { value: s }, Operand::Value { value: b }]) => {
                let s = self.site.scalar(s);
                self.scalar_tile(op, s, *b)
            }
            (Op::Unary(op), [Operand::Value { value: a }]) => {
                self.count(op, &[self.site.home(*a)?], []);
                Ok(())
            }
            (Op::Compare(op), [Operand::Value { value: a }, Operand::Value { value: b }]) => {
                self.materialized([*a, *b], |this, [a, b]| this.count(op, &[a, b], []))
            }
            (Op::Compare(op), [Operand::Value { value: a }, Operand::Scalar { value: s }]) => {
                self.materialized([*a], |this, [a]| {
                    let s = this.site.scalar(s);
                    this.count(op.with_scalar(), &[a], [s.into()]);
                })
            }
            (Op::Layout(LayoutOp::Select), [Operand::Value { value: m }, Operand::Value { value: a }, b]) => {
                let mask = self.site.home(*m)?;
                match b {
                    Operand::Value { value: b } => {
                        self.materialized([*a, *b], |this, [a, b]| this.count(LayoutOp::Select, &[mask, a, b], []))
                    }
                    Operand::Scalar { value: s } => self.materialized([*a], |this, [a]| {
                        let s = this.site.scalar(s);
                        this.count(LayoutOp::SelectScalar, &[mask, a], [s.into()]);
                    }),
                }
            }
            (Op::RowReduce(op), [Operand::Value { value: a }]) => self.row_reduce(op, *a),
            (op, args) => Err(Gap::new(format!("`{}` of {} operands", op.name(), args.len()), self.span)),
        }
    }

    /// A call in count form over everything of the destination. Where the kernel leaves floats and whole numbers open, its
    /// scalars are whole until the instance is known.
    fn count<const N: usize>(&mut self, op: impl Into<Op>, srcs: &[TensorId], rest: [Arg; N]) {
        let beside = self.site.places.decls.ty(*srcs.last().unwrap_or(&self.tensor));
        let beside = self.site.host.binding.beside(beside);
        let rest = rest.map(|arg| match arg {
            Arg::Scalar { value } => Scalar::cast(beside, value).into(),
            Arg::View { .. } | Arg::Mode { .. } | Arg::Var { .. } => arg,
        });
        let views = std::iter::once(whole(self.tensor)).chain(srcs.iter().map(|t| whole(*t)));
        self.push(op, Extent::Count { n: self.tile.live() }, views.chain(rest).collect::<Vec<_>>());
    }

    fn tile_scalar(&mut self, op: BinaryOp, a: ValueId, s: Scalar) -> Made<()> {
        let (ty, binding) = (self.site.values.ty(a), self.site.host.binding);
        // Before anything is done with it: the integer 0 has no sign to turn.
        let s = Scalar::cast(binding.beside(ty), s);
        let a = self.site.home(a)?;
        let mut emit = |op: BinaryScalarOp, s: Scalar| self.count(op, &[a], [s.into()]);
        match op {
            BinaryOp::Add => emit(BinaryScalarOp::Adds, s),
            BinaryOp::Sub => emit(BinaryScalarOp::Adds, negated(&s)),
            BinaryOp::Mul => emit(BinaryScalarOp::Muls, s),
            BinaryOp::Max => emit(BinaryScalarOp::Maxs, s),
            BinaryOp::Min => emit(BinaryScalarOp::Mins, s),
            BinaryOp::Div => match binding.reciprocal(&s, ty) {
                Some(r) => emit(BinaryScalarOp::Muls, r),
                None => {
                    self.count(LayoutOp::Duplicate, &[], [s.into()]);
                    self.count(BinaryOp::Div, &[a, self.tensor], []);
                }
            },
        }
        Ok(())
    }

    fn scalar_tile(&mut self, op: BinaryOp, s: Scalar, b: ValueId) -> Made<()> {
        match op {
            BinaryOp::Sub => {
                self.count(UnaryOp::Neg, &[self.site.home(b)?], []);
                self.count(BinaryScalarOp::Adds, &[self.tensor], [s.into()]);
                Ok(())
            }
            BinaryOp::Div => {
                let b = self.site.home(b)?;
                self.count(LayoutOp::Duplicate, &[], [s.into()]);
                self.count(BinaryOp::Div, &[self.tensor, b], []);
                Ok(())
            }
            BinaryOp::Add | BinaryOp::Mul | BinaryOp::Max | BinaryOp::Min => self.tile_scalar(op, b, s),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Made<()> {
        let (own, tiles) = (self.tile.clone(), [self.site.values.tile(a)?, self.site.values.tile(b)?]);
        if tiles.iter().all(|t| *t == own) {
            self.count(op, &[self.site.home(a)?, self.site.home(b)?], []);
            return Ok(());
        }
        let Some((live, _)) = own.row() else { return Err(Gap::new("two columns of different extent", self.span)) };
        let to = self.tensor;
        if !tiles.iter().any(Tile::is_column) {
            // One operand is a row: the same for every row of the tile.
            let (ta, tb) = (self.site.home(a)?, self.site.home(b)?);
            self.each_row(&own, |row| {
                let views = [own.row_view(to, row), tiles[0].row_view(ta, row), tiles[1].row_view(tb, row)];
                Instr::new(op, Extent::Count { n: live.clone() }, views.map(Arg::from))
            });
            return Ok(());
        }
        let [a, b] = [self.by_rows(a, &tiles[0])?, self.by_rows(b, &tiles[1])?];
        self.each_row(&own, |row| {
            let views = [own.row_view(to, row), a.view(row), b.view(row)];
            Instr::new(op, Extent::Counter { n: live.clone() }, views.map(Arg::from))
        });
        Ok(())
    }

    /// An operand of calls that do one row each under a counter mask.
    fn by_rows(&mut self, v: ValueId, tile: &Tile) -> Made<ByRows> {
        if tile.is_column() {
            let tensor = expanded(self.site, v, self.span, self.out)?;
            return Ok(ByRows::Block { tensor, lanes: self.site.lanes(self.site.values.ty(v)) });
        }
        Ok(ByRows::Row { tensor: self.site.home(v)?, tile: tile.clone() })
    }

    /// `for r in 0..rows { f(r) }`.
    fn each_row(&mut self, tile: &Tile, f: impl Fn(VarId) -> Instr) {
        let (row, span) = (self.site.row_var(), self.span);
        let body = vec![Stmt { kind: StmtKind::Instr { instr: f(row) }, span }];
        self.out.push(Stmt { kind: StmtKind::For { var: row, from: Scalar::Int(0), to: tile.live_rows(), body }, span });
    }

    /// Does something with values of which every element is in place, for ops without a broadcasting form.
    fn materialized<const N: usize>(&mut self, values: [ValueId; N], f: impl FnOnce(&mut Self, [TensorId; N])) -> Made<()> {
        let (mut tensors, mut slots) = ([self.tensor; N], Vec::new());
        for (tensor, v) in tensors.iter_mut().zip(values) {
            let slot;
            (*tensor, slot) = self.in_place(v)?;
            slots.extend(slot);
        }
        f(self, tensors);
        slots.into_iter().for_each(|slot| self.site.places.pool.release(slot));
        Ok(())
    }

    /// A value with every element in place; the slot is to be released after use.
    fn in_place(&mut self, v: ValueId) -> Made<(TensorId, Option<SlotId>)> {
        let (whole_tile, own) = (self.tile.clone(), self.site.values.tile(v)?);
        let Some((live, pitch)) = whole_tile.row().filter(|_| own != whole_tile) else { return Ok((self.site.home(v)?, None)) };
        let ty = self.site.values.ty(v);
        let wanted = Wanted { purpose: Purpose::Intermediate, ..self.site.wanted(&whole_tile, ty, self.span) };
        let (slot, tensor) = self.site.places.take(&wanted);
        match self.by_rows(v, &own)? {
            // The larger of a value and itself is the value, nan and signed zero included.
            block @ ByRows::Block { .. } => self.each_row(&whole_tile, |row| {
                let views = [whole_tile.row_view(tensor, row), block.view(row), block.view(row)];
                Instr::new(BinaryOp::Max, Extent::Counter { n: live.clone() }, views.map(Arg::from))
            }),
            ByRows::Row { tensor: source, .. } => self.each_row(&whole_tile, |row| {
                let views = [whole_tile.row_view(tensor, row).into(), whole(source)];
                Instr::new(LayoutOp::LocalCopy, Extent::Count { n: pitch.clone() }, views)
            }),
        }
        Ok((tensor, Some(slot)))
    }

    fn row_reduce(&mut self, op: RowReduceOp, a: ValueId) -> Made<()> {
        let tile = self.site.values.tile(a)?;
        let Some((live, pitch)) = tile.row() else { return Err(Gap::new("a reduction of a column", self.span)) };
        let work = self.work_space(pitch, self.site.values.ty(a));
        let (source, to, column) = (self.site.home(a)?, self.tensor, tile.column());
        self.each_row(&tile, |row| {
            let views = [column.row_view(to, row), tile.row_view(source, row), View::local(work, 0)];
            Instr::new(op.whole(), Extent::Count { n: live.clone() }, views.map(Arg::from))
        });
        Ok(())
    }

    /// Work space of a reduction over rows of `pitch` elements.
    fn work_space(&mut self, pitch: Scalar, ty: Ty) -> TensorId {
        // Two elements of the widest type for each repeat of a row (ReduceMax page); ReduceSum needs less.
        let chip = self.site.host.chip;
        let repeats = (pitch * 4).ceil_div(chip.repeat_bytes);
        let bytes = (repeats * 8).align_up(chip.data_block_bytes);
        let places = &mut self.site.places;
        places.pool.work(&Wanted { bytes, ty, purpose: Purpose::Work, span: self.span }, &mut places.decls)
    }
}

/// An operand of calls that do one row each.
enum ByRows {
    /// One value a row: the data block of each in an expanded column, for every block of a call.
    Block { tensor: TensorId, lanes: i64 },
    /// Values of a row, or one row for all.
    Row { tensor: TensorId, tile: Tile },
}

impl ByRows {
    fn view(&self, row: VarId) -> View {
        match self {
            ByRows::Block { tensor, lanes } => View::local(*tensor, Scalar::Var(row) * *lanes).blocks(0, 0),
            ByRows::Row { tensor, tile } => tile.row_view(*tensor, row),
        }
    }
}
