//! One tile op as vector calls.
//!
//! A scalar on the right is the scalar form of the op (`Adds`), on the left what gives the exact result: `s - x` is
//! `x * -1 + s`, `s / x` is Duplicate and Div, never the imprecise Reciprocal. A `[rows, 1]` operand is expanded by
//! Brcb and read with block stride 0 under a counter mask, one call a row; a `[1, cols]` operand is used once a row.

use super::tile::Builder;
use super::{Gap, Made};
use crate::dtype::{cast_modes, DType};
use crate::ir::{
    Arg, Extent, Instr, LoopId, Operand, Scalar, ScalarTy, SpanId, Stmt, StmtKind, TensorId, TileExpr, TileShape, Ty, UnOp,
    ValueId, VarId, View,
};
use crate::ops::{BinaryOp, BinaryScalarOp, LayoutOp, MaskOp, Op, RowReduceOp, UnaryOp};

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

/// A power of two whose reciprocal is exact and a normal number of the element type, as it is itself.
fn exact_reciprocal(s: &Scalar, dtype: DType) -> Option<Scalar> {
    let Scalar::Float(v) = s else { return None };
    let normal = |v: f32| match dtype {
        DType::F16 => (2f32.powi(-14)..=2f32.powi(15)).contains(&v.abs()),
        DType::Bf16 | DType::F32 => v.is_normal(),
        DType::I32 | DType::U8 => false,
    };
    let mantissa = v.to_bits() & 0x007f_ffff;
    (mantissa == 0 && normal(*v) && normal(v.recip())).then(|| Scalar::Float(v.recip()))
}

fn negated(s: &Scalar) -> Scalar {
    Scalar::un(UnOp::Neg, s.clone())
}

/// Where the result of an op goes, and the statements that put it there.
pub(super) struct Dst<'o> {
    pub(super) tensor: TensorId,
    /// Its extent.
    pub(super) shape: TileShape,
    pub(super) span: SpanId,
    pub(super) out: &'o mut Vec<Stmt>,
}

impl Dst<'_> {
    fn push(&mut self, op: impl Into<Op>, extent: Extent, args: impl IntoIterator<Item = Arg>) {
        self.out.push(instr(op, extent, args, self.span));
    }
}

fn whole(tensor: TensorId) -> Arg {
    View::local(tensor, 0).into()
}

impl Builder<'_, '_> {
    /// Statements that compute `value` into its home.
    pub(super) fn define(&mut self, value: ValueId, expr: &TileExpr, span: SpanId, out: &mut Vec<Stmt>) -> Made<()> {
        let mut dst = Dst { tensor: self.home(value)?, shape: self.shape(value), span, out };
        match expr {
            TileExpr::Load { .. } => return Err(Gap::new("a load among computations", span)),
            TileExpr::Fill { value } => {
                let scalar = self.host.on_device(value, "fill");
                self.count(LayoutOp::Duplicate, &[], [scalar.into()], &mut dst);
            }
            TileExpr::Copy { value: from } => {
                let (ty, from) = (self.ty(value), self.home(*from)?);
                self.local_copy(dst.tensor, from, dst.shape, ty, span, dst.out);
            }
            TileExpr::Cast { value: from, mode } => {
                let (source, own) = (self.ty(*from).resolve(self.host.binding), self.ty(value).resolve(self.host.binding));
                let usual = cast_modes(self.host.chip.arch, source, own).first().copied();
                let mode = mode.or(usual).ok_or_else(|| Gap::new(format!("a cast from {source} to {own}"), span))?;
                self.count(LayoutOp::Cast, &[self.home(*from)?], [Arg::Mode { mode }], &mut dst);
            }
            TileExpr::Round { value: from, mode } => {
                self.count(LayoutOp::Cast, &[self.home(*from)?], [Arg::Mode { mode: *mode }], &mut dst);
            }
            TileExpr::Op { op, args } => self.op(*op, args, &mut dst)?,
        }
        Ok(())
    }

    fn op(&mut self, op: Op, args: &[Operand], dst: &mut Dst<'_>) -> Made<()> {
        match (op, args) {
            (Op::Binary(op), [Operand::Value { value: a }, Operand::Value { value: b }]) => self.binary(op, *a, *b, dst),
            (Op::Binary(op), [Operand::Value { value: a }, Operand::Scalar { value: s }]) => {
                let s = self.host.on_device(s, "scalar");
                self.tile_scalar(op, *a, s, dst)
            }
            (Op::Binary(op), [Operand::Scalar { value: s }, Operand::Value { value: b }]) => {
                let s = self.host.on_device(s, "scalar");
                self.scalar_tile(op, s, *b, dst)
            }
            (Op::Unary(op), [Operand::Value { value: a }]) => {
                self.count(op, &[self.home(*a)?], [], dst);
                Ok(())
            }
            (Op::Compare(op), [Operand::Value { value: a }, b]) => {
                let (a, drop_a) = self.materialized(*a, dst)?;
                match b {
                    Operand::Value { value: b } => {
                        let (b, drop_b) = self.materialized(*b, dst)?;
                        self.count(op, &[a, b], [], dst);
                        drop_b.into_iter().for_each(|s| self.free_slot(s));
                    }
                    Operand::Scalar { value: s } => {
                        let s = self.host.on_device(s, "scalar");
                        self.count(op.with_scalar(), &[a], [s.into()], dst);
                    }
                }
                drop_a.into_iter().for_each(|s| self.free_slot(s));
                Ok(())
            }
            (Op::Layout(LayoutOp::Select), [Operand::Value { value: m }, Operand::Value { value: a }, b]) => {
                let mask = self.home(*m)?;
                let (a, drop_a) = self.materialized(*a, dst)?;
                match b {
                    Operand::Value { value: b } => {
                        let (b, drop_b) = self.materialized(*b, dst)?;
                        self.count(LayoutOp::Select, &[mask, a, b], [], dst);
                        drop_b.into_iter().for_each(|s| self.free_slot(s));
                    }
                    Operand::Scalar { value: s } => {
                        let s = self.host.on_device(s, "scalar");
                        self.count(LayoutOp::SelectScalar, &[mask, a], [s.into()], dst);
                    }
                }
                drop_a.into_iter().for_each(|s| self.free_slot(s));
                Ok(())
            }
            (Op::RowReduce(op), [Operand::Value { value: a }]) => self.row_reduce(op, *a, dst),
            (op, args) => Err(Gap::new(format!("`{}` of {} operands", op.name(), args.len()), dst.span)),
        }
    }

    /// A call in count form over everything of the destination. Where the kernel leaves floats and whole numbers open, its
    /// scalars are whole until the instance is known.
    fn count<const N: usize>(&self, op: impl Into<Op>, srcs: &[TensorId], rest: [Arg; N], dst: &mut Dst<'_>) {
        let beside = self.out.tensors[srcs.last().unwrap_or(&dst.tensor).index()].dtype.resolve(self.host.binding);
        let rest = rest.map(|arg| match arg {
            Arg::Scalar { value } => Scalar::cast(ScalarTy::beside(beside), value).into(),
            Arg::View { .. } | Arg::Mode { .. } | Arg::Type { .. } | Arg::Var { .. } => arg,
        });
        let views = std::iter::once(whole(dst.tensor)).chain(srcs.iter().map(|t| whole(*t)));
        dst.push(op, Extent::Count { n: self.live(dst.shape) }, views.chain(rest));
    }

    fn tile_scalar(&mut self, op: BinaryOp, a: ValueId, s: Scalar, dst: &mut Dst<'_>) -> Made<()> {
        let dtype = self.ty(a).resolve(self.host.binding);
        // Before anything is done with it: the integer 0 has no sign to turn.
        let s = Scalar::cast(ScalarTy::beside(dtype), s);
        let a = self.home(a)?;
        let mut emit = |op: BinaryScalarOp, s: Scalar| self.count(op, &[a], [s.into()], dst);
        match op {
            BinaryOp::Add => emit(BinaryScalarOp::Adds, s),
            BinaryOp::Sub => emit(BinaryScalarOp::Adds, negated(&s)),
            BinaryOp::Mul => emit(BinaryScalarOp::Muls, s),
            BinaryOp::Max => emit(BinaryScalarOp::Maxs, s),
            BinaryOp::Min => emit(BinaryScalarOp::Mins, s),
            BinaryOp::Div => match exact_reciprocal(&s, dtype) {
                Some(r) => emit(BinaryScalarOp::Muls, r),
                None => {
                    self.count(LayoutOp::Duplicate, &[], [s.into()], dst);
                    self.count(BinaryOp::Div, &[a, dst.tensor], [], dst);
                }
            },
        }
        Ok(())
    }

    fn scalar_tile(&mut self, op: BinaryOp, s: Scalar, b: ValueId, dst: &mut Dst<'_>) -> Made<()> {
        match op {
            BinaryOp::Sub => {
                self.count(UnaryOp::Neg, &[self.home(b)?], [], dst);
                self.count(BinaryScalarOp::Adds, &[dst.tensor], [s.into()], dst);
                Ok(())
            }
            BinaryOp::Div => {
                let b = self.home(b)?;
                self.count(LayoutOp::Duplicate, &[], [s.into()], dst);
                self.count(BinaryOp::Div, &[dst.tensor, b], [], dst);
                Ok(())
            }
            BinaryOp::Add | BinaryOp::Mul | BinaryOp::Max | BinaryOp::Min => self.tile_scalar(op, b, s, dst),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId, dst: &mut Dst<'_>) -> Made<()> {
        let (shape, span) = (dst.shape, dst.span);
        let (sa, sb) = (self.shape(a), self.shape(b));
        if sa == shape && sb == shape {
            self.count(op, &[self.home(a)?, self.home(b)?], [], dst);
            return Ok(());
        }
        let Some(cols) = shape.cols else { return Err(Gap::new("two columns of different extent", span)) };
        let column = |s: TileShape| s.cols.is_none();
        let to = dst.tensor;
        if !column(sa) && !column(sb) {
            // One operand is a row: the same for every row of the tile.
            let (ta, tb) = (self.home(a)?, self.home(b)?);
            self.each_row(dst, |this, row| {
                let views = [this.row_view(to, shape, row), this.row_view(ta, sa, row), this.row_view(tb, sb, row)];
                Instr::new(op, Extent::Count { n: this.cols_live(cols) }, views.map(Arg::from))
            });
            return Ok(());
        }
        let ta = if column(sa) { self.blocks_of(a, span, dst.out)? } else { self.home(a)? };
        let tb = if column(sb) { self.blocks_of(b, span, dst.out)? } else { self.home(b)? };
        let ty = self.ty(a);
        self.counter(cols, ty, dst, |this, dst| {
            this.each_row(dst, |this, row| {
                let source = |t, s| if column(s) { this.block_view(t, ty, row) } else { this.row_view(t, s, row) };
                let views = [this.row_view(to, shape, row), source(ta, sa), source(tb, sb)];
                Instr::new(op, Extent::Counter {}, views.map(Arg::from))
            });
        });
        Ok(())
    }

    /// The data block of one row of an expanded column, for every block of a call.
    fn block_view(&self, tensor: TensorId, ty: Ty, row: VarId) -> View {
        let lanes = self.host.chip.data_block_bytes / self.size(ty);
        View::local(tensor, Scalar::Var(row) * lanes).blocks(0, 0)
    }

    /// `for r in 0..rows { f(r) }`.
    fn each_row(&mut self, dst: &mut Dst<'_>, f: impl Fn(&Self, VarId) -> Instr) {
        let row = self.row_var();
        let body = vec![Stmt { kind: StmtKind::Instr { instr: f(self, row) }, span: dst.span }];
        let to = self.rows_of(dst.shape);
        dst.out.push(Stmt { kind: StmtKind::For { var: row, from: Scalar::Int(0), to, body }, span: dst.span });
    }

    /// Puts statements between setting a counter mask of one row and going back to normal.
    fn counter(&mut self, cols: LoopId, dtype: Ty, dst: &mut Dst<'_>, f: impl FnOnce(&mut Self, &mut Dst<'_>)) {
        let n = self.cols_live(cols);
        dst.push(MaskOp::Count, Extent::Fixed {}, [Arg::Type { dtype }, n.into()]);
        f(self, dst);
        dst.push(MaskOp::Norm, Extent::Fixed {}, []);
    }

    /// A value with every element in place, for ops without a broadcasting form; the slot is to be freed after use.
    fn materialized(&mut self, v: ValueId, dst: &mut Dst<'_>) -> Made<(TensorId, Option<usize>)> {
        let (shape, own, span) = (dst.shape, self.shape(v), dst.span);
        let Some(cols) = shape.cols.filter(|_| own != shape) else { return Ok((self.home(v)?, None)) };
        let ty = self.ty(v);
        let bytes = self.buffer_bytes(shape, ty);
        let (slot, tensor) = self.take_slot(&bytes, ty, "calc", "intermediate values", span);
        if own.cols.is_none() {
            let blocks = self.blocks_of(v, span, dst.out)?;
            // The larger of a value and itself is the value, nan and signed zero included.
            self.counter(cols, ty, dst, |this, dst| {
                this.each_row(dst, |this, row| {
                    let block = this.block_view(blocks, ty, row);
                    let views = [this.row_view(tensor, shape, row), block.clone(), block];
                    Instr::new(BinaryOp::Max, Extent::Counter {}, views.map(Arg::from))
                });
            });
        } else {
            let source = self.home(v)?;
            let n = self.pitch(cols);
            self.each_row(dst, |this, row| {
                let views = [this.row_view(tensor, shape, row).into(), whole(source)];
                Instr::new(LayoutOp::LocalCopy, Extent::Count { n: n.clone() }, views)
            });
        }
        Ok((tensor, Some(slot)))
    }

    fn row_reduce(&mut self, op: RowReduceOp, a: ValueId, dst: &mut Dst<'_>) -> Made<()> {
        let shape = self.shape(a);
        let Some(cols) = shape.cols else { return Err(Gap::new("a reduction of a column", dst.span)) };
        let work = self.work_tensor(cols, self.ty(a), dst.span);
        let (source, to) = (self.home(a)?, dst.tensor);
        let column = TileShape { rows: shape.rows, cols: None };
        let mut rows = Dst { tensor: to, shape, span: dst.span, out: dst.out };
        self.each_row(&mut rows, |this, row| {
            let views = [this.row_view(to, column, row), this.row_view(source, shape, row), View::local(work, 0)];
            Instr::new(op.whole(), Extent::Count { n: this.cols_live(cols) }, views.map(Arg::from))
        });
        Ok(())
    }
}
