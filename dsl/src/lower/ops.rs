//! One tile op as vector calls.
//!
//! A scalar on the right is the scalar form of the op (`Adds`), on the left what gives the exact result: `s - x` is
//! `x * -1 + s`, `s / x` is Duplicate and Div, never the imprecise Reciprocal. A `[rows, 1]` operand is expanded by
//! Brcb and read with block stride 0 under a counter mask, one call a row; a `[1, cols]` operand is used once a row.

use super::tile::Builder;
use crate::dtype::{DType, RoundMode};
use crate::ir::{
    Form, LocalRef, LoopId, Operand, Scalar, ScalarTy, SpanId, Stmt, StmtKind, Strides, TensorId, TileExpr, TileShape, Ty, UnOp,
    ValueId, VarId, VectorCall,
};
use crate::ops::{BinaryOp, BinaryScalarOp, LayoutOp, Op, RowReduceOp, UnaryOp};

/// True where the result may take the place of an operand of the same shape and type that dies here.
pub(super) fn allows_in_place(expr: &TileExpr) -> bool {
    match expr {
        // Division with a scalar writes the scalar to the destination before it reads the tile.
        TileExpr::Op { op: Op::Binary(BinaryOp::Div), args } => args.iter().all(|a| matches!(a, Operand::Value { .. })),
        TileExpr::Op { op: Op::Binary(_) | Op::Unary(_), .. } => true,
        TileExpr::Op { op: Op::Layout(LayoutOp::Select), .. } => true,
        _ => false,
    }
}

fn call(op: impl Into<Op>, dst: LocalRef, srcs: Vec<LocalRef>, scalar: Option<Scalar>, form: Form) -> StmtKind {
    StmtKind::Vector { call: VectorCall { op: op.into(), dst, srcs, scalar, mode: None, tmp: None, form } }
}

fn whole(tensor: TensorId) -> LocalRef {
    LocalRef { tensor, offset: Scalar::Int(0) }
}

/// DataCopy inside UB.
pub(super) fn local_copy(dst: TensorId, src: TensorId, n: Scalar) -> StmtKind {
    call(LayoutOp::LocalCopy, whole(dst), vec![whole(src)], None, Form::Count { n })
}

/// Expands a column, eight elements a repeat.
pub(super) fn brcb(dst: TensorId, src: TensorId, repeat: Scalar) -> StmtKind {
    let form = Form::Repeat { mask: Scalar::Int(0), repeat, strides: Strides::DENSE };
    call(LayoutOp::Brcb, whole(dst), vec![whole(src)], None, form)
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
    match s {
        Scalar::Float(v) => Scalar::Float(-v),
        Scalar::Int(v) => Scalar::Int(-v),
        s => Scalar::un(UnOp::Neg, s.clone()),
    }
}

impl Builder<'_, '_> {
    /// Statements that compute `value` into its home.
    pub(super) fn define(&mut self, value: ValueId, expr: &TileExpr, span: SpanId, out: &mut Vec<Stmt>) {
        let shape = self.shape(value);
        let dst = self.home(value);
        match expr {
            TileExpr::Load { .. } => {}
            TileExpr::Fill { value } => {
                let scalar = self.host.on_device(value, "fill");
                self.count(LayoutOp::Duplicate, dst, &[], Some(scalar), shape, span, out);
            }
            TileExpr::Copy { value: from } => {
                let ty = self.ty(value);
                self.local_copy(dst, self.home(*from), shape, ty, span, out);
            }
            TileExpr::Cast { value: from, mode } => {
                let (source, own) = (self.ty(*from).resolve(self.host.binding), self.ty(value).resolve(self.host.binding));
                let modes = crate::dtype::cast_modes(self.host.chip.arch, source, own);
                let mode = mode.or(modes.first().copied()).unwrap_or(RoundMode::None);
                self.convert(*from, dst, mode, shape, span, out);
            }
            TileExpr::Round { value: from, mode } => self.convert(*from, dst, *mode, shape, span, out),
            TileExpr::Op { op, args } => self.op(*op, args, dst, shape, span, out),
        }
    }

    fn convert(&self, from: ValueId, dst: TensorId, mode: RoundMode, shape: TileShape, span: SpanId, out: &mut Vec<Stmt>) {
        let form = Form::Count { n: self.live(shape) };
        let mut kind = call(LayoutOp::Cast, whole(dst), vec![whole(self.home(from))], None, form);
        if let StmtKind::Vector { call } = &mut kind {
            call.mode = Some(mode);
        }
        out.push(Stmt { kind, span });
    }

    fn op(&mut self, op: Op, args: &[Operand], dst: TensorId, shape: TileShape, span: SpanId, out: &mut Vec<Stmt>) {
        match (op, args) {
            (Op::Binary(op), [Operand::Value { value: a }, Operand::Value { value: b }]) => {
                self.binary(op, *a, *b, dst, shape, span, out);
            }
            (Op::Binary(op), [Operand::Value { value: a }, Operand::Scalar { value: s }]) => {
                let s = self.host.on_device(s, "scalar");
                self.tile_scalar(op, *a, s, dst, shape, span, out);
            }
            (Op::Binary(op), [Operand::Scalar { value: s }, Operand::Value { value: b }]) => {
                let s = self.host.on_device(s, "scalar");
                self.scalar_tile(op, s, *b, dst, shape, span, out);
            }
            (Op::Unary(op), [Operand::Value { value: a }]) => {
                let a = self.home(*a);
                self.count(op, dst, &[a], None, shape, span, out);
            }
            (Op::Compare(op), [Operand::Value { value: a }, Operand::Value { value: b }]) => {
                let (a, drop_a) = self.materialized(*a, shape, span, out);
                let (b, drop_b) = self.materialized(*b, shape, span, out);
                self.count(op, dst, &[a, b], None, shape, span, out);
                drop_a.into_iter().chain(drop_b).for_each(|s| self.free_slot(s));
            }
            (Op::Compare(op), [Operand::Value { value: a }, Operand::Scalar { value: s }]) => {
                let s = self.host.on_device(s, "scalar");
                let a = self.home(*a);
                self.count(op.with_scalar(), dst, &[a], Some(s), shape, span, out);
            }
            (Op::Layout(LayoutOp::Select), [Operand::Value { value: m }, Operand::Value { value: a }, b]) => {
                let mask = self.home(*m);
                let (a, drop_a) = self.materialized(*a, shape, span, out);
                match b {
                    Operand::Value { value: b } => {
                        let (b, drop_b) = self.materialized(*b, shape, span, out);
                        self.count(LayoutOp::Select, dst, &[mask, a, b], None, shape, span, out);
                        drop_b.into_iter().for_each(|s| self.free_slot(s));
                    }
                    Operand::Scalar { value: s } => {
                        let s = self.host.on_device(s, "scalar");
                        self.count(LayoutOp::SelectScalar, dst, &[mask, a], Some(s), shape, span, out);
                    }
                }
                drop_a.into_iter().for_each(|s| self.free_slot(s));
            }
            (Op::RowReduce(op), [Operand::Value { value: a }]) => self.row_reduce(op, *a, dst, span, out),
            _ => {}
        }
    }

    /// A call in count form over everything of `shape`.
    #[allow(clippy::too_many_arguments)]
    fn count(
        &mut self,
        op: impl Into<Op>,
        dst: TensorId,
        srcs: &[TensorId],
        scalar: Option<Scalar>,
        shape: TileShape,
        span: SpanId,
        out: &mut Vec<Stmt>,
    ) {
        let form = Form::Count { n: self.live(shape) };
        out.push(Stmt { kind: call(op, whole(dst), srcs.iter().map(|t| whole(*t)).collect(), scalar, form), span });
    }

    /// A scalar as a number of the tile's kind, before anything is done with it: the integer 0 has no sign to turn.
    fn number(&self, s: Scalar, dtype: DType) -> Scalar {
        match (dtype.is_float(), &s) {
            (true, Scalar::Int(v)) => Scalar::Float(*v as f32),
            (true, _) if matches!(s.ty(), ScalarTy::Index | ScalarTy::I32) => Scalar::cast(ScalarTy::F32, s),
            _ => s,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn tile_scalar(
        &mut self,
        op: BinaryOp,
        a: ValueId,
        s: Scalar,
        dst: TensorId,
        shape: TileShape,
        span: SpanId,
        out: &mut Vec<Stmt>,
    ) {
        let dtype = self.ty(a).resolve(self.host.binding);
        let s = self.number(s, dtype);
        let a = self.home(a);
        let mut emit = |op: BinaryScalarOp, s: Scalar| self.count(op, dst, &[a], Some(s), shape, span, out);
        match op {
            BinaryOp::Add => emit(BinaryScalarOp::Adds, s),
            BinaryOp::Sub => emit(BinaryScalarOp::Adds, negated(&s)),
            BinaryOp::Mul => emit(BinaryScalarOp::Muls, s),
            BinaryOp::Max => emit(BinaryScalarOp::Maxs, s),
            BinaryOp::Min => emit(BinaryScalarOp::Mins, s),
            BinaryOp::Div => match exact_reciprocal(&s, dtype) {
                Some(r) => emit(BinaryScalarOp::Muls, r),
                None => {
                    self.count(LayoutOp::Duplicate, dst, &[], Some(s), shape, span, out);
                    self.count(BinaryOp::Div, dst, &[a, dst], None, shape, span, out);
                }
            },
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn scalar_tile(
        &mut self,
        op: BinaryOp,
        s: Scalar,
        b: ValueId,
        dst: TensorId,
        shape: TileShape,
        span: SpanId,
        out: &mut Vec<Stmt>,
    ) {
        match op {
            BinaryOp::Sub => {
                let b = self.home(b);
                self.count(UnaryOp::Neg, dst, &[b], None, shape, span, out);
                self.count(BinaryScalarOp::Adds, dst, &[dst], Some(s), shape, span, out);
            }
            BinaryOp::Div => {
                let b = self.home(b);
                self.count(LayoutOp::Duplicate, dst, &[], Some(s), shape, span, out);
                self.count(BinaryOp::Div, dst, &[dst, b], None, shape, span, out);
            }
            BinaryOp::Add | BinaryOp::Mul | BinaryOp::Max | BinaryOp::Min => self.tile_scalar(op, b, s, dst, shape, span, out),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn binary(
        &mut self,
        op: BinaryOp,
        a: ValueId,
        b: ValueId,
        dst: TensorId,
        shape: TileShape,
        span: SpanId,
        out: &mut Vec<Stmt>,
    ) {
        let (sa, sb) = (self.shape(a), self.shape(b));
        if sa == shape && sb == shape {
            let srcs = [self.home(a), self.home(b)];
            return self.count(op, dst, &srcs, None, shape, span, out);
        }
        let Some(cols) = shape.cols else { return };
        let column = |s: TileShape| s.cols.is_none();
        if !column(sa) && !column(sb) {
            // One operand is a row: the same for every row of the tile.
            let (ta, tb) = (self.home(a), self.home(b));
            return self.each_row(shape, span, out, |this, row| {
                let srcs = vec![this.row_ref(ta, sa, row), this.row_ref(tb, sb, row)];
                call(op, this.row_ref(dst, shape, row), srcs, None, Form::Count { n: this.cols_live(cols) })
            });
        }
        let ta = if column(sa) { self.blocks_of(a, span, out) } else { self.home(a) };
        let tb = if column(sb) { self.blocks_of(b, span, out) } else { self.home(b) };
        let ty = self.ty(a);
        let lanes = self.host.chip.data_block_bytes / self.size(ty);
        let source = move |this: &Self, t: TensorId, s: TileShape, row: VarId| {
            if column(s) {
                LocalRef { tensor: t, offset: Scalar::Var(row) * lanes }
            } else {
                this.row_ref(t, s, row)
            }
        };
        let still = |s: TileShape, dense: i64| if column(s) { 0 } else { dense };
        let strides = Strides {
            src0_blk: still(sa, 1),
            src0_rep: still(sa, 8),
            src1_blk: still(sb, 1),
            src1_rep: still(sb, 8),
            ..Strides::DENSE
        };
        self.counter(cols, ty, span, out, |this, out| {
            this.each_row(shape, span, out, |this, row| {
                let srcs = vec![source(this, ta, sa, row), source(this, tb, sb, row)];
                call(op, this.row_ref(dst, shape, row), srcs, None, Form::Counter { strides })
            });
        });
    }

    /// `for r in 0..rows { f(r) }`.
    fn each_row(&mut self, shape: TileShape, span: SpanId, out: &mut Vec<Stmt>, f: impl Fn(&Self, VarId) -> StmtKind) {
        let row = self.row_var();
        let body = vec![Stmt { kind: f(self, row), span }];
        let to = self.rows_of(shape);
        out.push(Stmt { kind: StmtKind::For { var: row, from: Scalar::Int(0), to, body }, span });
    }

    /// Puts statements between setting a counter mask of one row and going back to normal.
    fn counter(&mut self, cols: LoopId, dtype: Ty, span: SpanId, out: &mut Vec<Stmt>, f: impl FnOnce(&mut Self, &mut Vec<Stmt>)) {
        let n = self.cols_live(cols);
        out.push(Stmt { kind: StmtKind::MaskCount { dtype, n }, span });
        f(self, out);
        out.push(Stmt { kind: StmtKind::MaskNorm {}, span });
    }

    /// A value with every element in place, for ops without a broadcasting form; the slot is to be freed after use.
    fn materialized(&mut self, v: ValueId, shape: TileShape, span: SpanId, out: &mut Vec<Stmt>) -> (TensorId, Option<usize>) {
        let own = self.shape(v);
        let Some(cols) = shape.cols.filter(|_| own != shape) else { return (self.home(v), None) };
        let ty = self.ty(v);
        let bytes = self.buffer_bytes(shape, ty);
        let (slot, tensor) = self.take_slot(&bytes, ty, "calc", "intermediate values", span);
        if own.cols.is_none() {
            let blocks = self.blocks_of(v, span, out);
            let lanes = self.host.chip.data_block_bytes / self.size(ty);
            let strides = Strides { src0_blk: 0, src0_rep: 0, src1_blk: 0, src1_rep: 0, ..Strides::DENSE };
            // The larger of a value and itself is the value, nan and signed zero included.
            self.counter(cols, ty, span, out, |this, out| {
                this.each_row(shape, span, out, |this, row| {
                    let block = LocalRef { tensor: blocks, offset: Scalar::Var(row) * lanes };
                    let srcs = vec![block.clone(), block];
                    call(BinaryOp::Max, this.row_ref(tensor, shape, row), srcs, None, Form::Counter { strides })
                });
            });
        } else {
            let source = self.home(v);
            let n = self.pitch(cols);
            self.each_row(shape, span, out, |this, row| {
                let form = Form::Count { n: n.clone() };
                call(LayoutOp::LocalCopy, this.row_ref(tensor, shape, row), vec![whole(source)], None, form)
            });
        }
        (tensor, Some(slot))
    }

    fn row_reduce(&mut self, op: RowReduceOp, a: ValueId, dst: TensorId, span: SpanId, out: &mut Vec<Stmt>) {
        let shape = self.shape(a);
        let Some(cols) = shape.cols else { return };
        let work = self.work_tensor(cols, self.ty(a), span);
        let source = self.home(a);
        let column = TileShape { rows: shape.rows, cols: None };
        self.each_row(shape, span, out, |this, row| {
            let form = Form::Count { n: this.cols_live(cols) };
            let mut kind = call(op.whole(), this.row_ref(dst, column, row), vec![this.row_ref(source, shape, row)], None, form);
            if let StmtKind::Vector { call } = &mut kind {
                call.tmp = Some(whole(work));
            }
            kind
        });
    }
}
