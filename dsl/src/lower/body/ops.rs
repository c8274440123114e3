//! One tile op as vector calls.
//!
//! - A scalar on the right is the scalar form of the op (`Adds`).
//! - A scalar on the left becomes the form with the exact result: `s - x` is `x * -1 + s`, and
//!   `s / x` is Duplicate and Div, never the imprecise Reciprocal.
//! - A device function (`func`) makes the calls of reductions, and of broadcasts: an operand is one
//!   value a row, which Brcb expands to data blocks, or one row for all.

use super::context::{instr, Site};
use super::shapes::Tile;
use super::tables::evenly;
use crate::ir::queue::Stmt;
use crate::ir::scalar::product;
use crate::ir::{
    Arg, BinOp, Extent, FuncId, Operand, QueueStmt, Scalar, SpanId, Stage, StmtKind, TensorId,
    TileExpr, Ty, UnOp, ValueId, View,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::memory::buffers::{Purpose, SlotId, Wanted};
use crate::ops::{BinaryOp, BinaryScalarOp, LayoutOp, MaskOp, Op, UnaryOp};

/// True if the result may take the memory of an operand of its shape and type that dies here.
pub(super) fn allows_in_place(expr: &TileExpr) -> bool {
    match expr {
        TileExpr::Op {
            op:
                Op::Binary(_) | Op::Unary(_) | Op::Bit(_) | Op::Shift(_) | Op::Layout(LayoutOp::Select),
            ..
        }
        | TileExpr::Reduce { onto: Some(_), .. } => true,
        TileExpr::Op { .. }
        | TileExpr::Reduce { onto: None, .. }
        | TileExpr::Load { .. }
        | TileExpr::LoadOr { .. }
        | TileExpr::Fill { .. }
        | TileExpr::Iota { .. }
        | TileExpr::Across { .. }
        | TileExpr::Appended { .. }
        | TileExpr::Cast { .. }
        | TileExpr::Truncate { .. }
        | TileExpr::Round { .. }
        | TileExpr::Pick { .. }
        | TileExpr::Top { .. }
        | TileExpr::Scan { .. }
        | TileExpr::Copy { .. } => false,
    }
}

fn negated(s: &Scalar) -> Scalar {
    Scalar::un(UnOp::Neg, s.clone())
}

fn whole(tensor: TensorId) -> Arg {
    View::local(tensor, 0).into()
}

/// Copies a value between tensors, in whole data blocks. A mask has no elements for DataCopy, so it
/// is `And`ed with itself.
pub(super) fn local_copy(
    site: &Site<'_, '_>,
    dst: TensorId,
    src: TensorId,
    v: ValueId,
    span: SpanId,
) -> Made<Stmt> {
    if site.values.ty(v) == Ty::Mask {
        let n = site.values.tile(v)?.live();
        return Ok(instr(
            MaskOp::And,
            Extent::Count { n },
            [whole(dst), whole(src), whole(src)],
            span,
        ));
    }
    let n = site
        .host
        .rounded(site.values.tile(v)?.live(), site.lanes(site.values.ty(v)));
    Ok(instr(
        LayoutOp::LocalCopy,
        Extent::Count { n },
        [whole(dst), whole(src)],
        span,
    ))
}

/// Returns the column value with each element expanded to a data block, made at the first use.
pub(super) fn expanded(
    site: &mut Site<'_, '_>,
    v: ValueId,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<TensorId> {
    if let Some(tensor) = site.places.columns.find(v) {
        return Ok(tensor);
    }
    let bytes = site.values.tile(v)?.room_rows().align_up(8) * site.host.chip.data_block_bytes;
    let wanted = Wanted {
        bytes,
        ty: site.values.ty(v),
        purpose: Purpose::Columns,
        span,
    };
    let (slot, tensor) = site.places.take(&wanted);
    let extent = Extent::Eights {
        repeat: site.values.tile(v)?.live_rows().ceil_div(8),
    };
    out.push(instr(
        LayoutOp::Brcb,
        extent,
        [whole(tensor), whole(site.home(v)?)],
        span,
    ));
    site.places.columns.add(v, slot, tensor);
    Ok(tensor)
}

/// Stores a row a second time behind itself, if that is worth its memory.
pub(super) fn stand_again(
    site: &mut Site<'_, '_>,
    v: ValueId,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    let (Some(n), Some((_, pitch))) = (site.values.again(v), site.values.tile(v)?.row()) else {
        return Ok(());
    };
    let tensor = site.home(v)?;
    let views = [View::local(tensor, pitch).into(), whole(tensor)];
    let copy = instr(
        LayoutOp::LocalCopy,
        Extent::Count { n: n.into() },
        views,
        span,
    );
    let kind = StmtKind::If {
        cond: Scalar::Var(n).bin(BinOp::Gt, 0),
        then: vec![copy],
        other: Vec::new(),
    };
    out.push(Stmt { kind, span });
    Ok(())
}

/// Adds the statements that compute `value` into its home.
pub(super) fn define(
    site: &mut Site<'_, '_>,
    value: ValueId,
    expr: &TileExpr,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    let (tensor, tile) = (site.home(value)?, site.values.tile(value)?);
    Calls {
        site,
        tensor,
        tile,
        span,
        out,
    }
    .define(value, expr)
}

/// The calls of one op, with the place of its result.
pub(super) struct Calls<'c, 'h, 'a> {
    pub(super) site: &'c mut Site<'h, 'a>,
    pub(super) tensor: TensorId,
    /// The extent of the result.
    pub(super) tile: Tile,
    pub span: SpanId,
    pub(super) out: &'c mut Vec<Stmt>,
}

impl Calls<'_, '_, '_> {
    fn push(&mut self, op: impl Into<Op>, extent: Extent, args: impl IntoIterator<Item = Arg>) {
        self.out.push(instr(op, extent, args, self.span));
    }

    fn define(&mut self, value: ValueId, expr: &TileExpr) -> Made<()> {
        match expr {
            TileExpr::Load { .. } | TileExpr::LoadOr { .. } => {
                return Err(Gap::new("a load among computations", self.span))
            }
            TileExpr::Appended { .. } => {
                return Err(Gap::new("what was packed among computations", self.span))
            }
            TileExpr::Across { .. } => {
                return Err(Gap::new(
                    "a value over the cores among computations",
                    self.span,
                ))
            }
            TileExpr::Fill { value } => {
                let scalar = self.site.host.on_device(value, "fill");
                self.count(LayoutOp::Duplicate, &[], [scalar.into()]);
            }
            TileExpr::Iota { first } => {
                let adds = BinaryScalarOp::Adds;
                let ty = self.site.places.decls.ty(self.tensor);
                let taken = adds
                    .def()
                    .dtypes(self.site.host.chip.arch)
                    .iter()
                    .any(|of| self.site.host.binding.is(ty, *of));
                let is_of_turn = taken && self.site.host.stage(first) > Stage::Host;
                let first = self.site.scalar(first);
                if !is_of_turn {
                    self.count(LayoutOp::CreateVecIndex, &[], [first.into()]);
                    return Ok(());
                }
                // Indices take some 50 cycles a repeat, and a sum takes one: those from 0 on are
                // made once.
                let places = evenly(
                    self.site,
                    ty,
                    &Scalar::Int(1),
                    &self.tile.room(),
                    self.span,
                    self.out,
                );
                self.count(adds, &[places.table], [first.into()]);
                places.release(self.site);
            }
            TileExpr::Copy { value: from } if self.site.values.tile(*from)? != self.tile => {
                // `max(v, v)` is `v`, also for nan and signed zero.
                self.broadcast(BinaryOp::Max, self.tensor, [*from, *from])?;
            }
            TileExpr::Copy { value: from } => {
                let copy = local_copy(
                    self.site,
                    self.tensor,
                    self.site.home(*from)?,
                    value,
                    self.span,
                )?;
                self.out.push(copy);
            }
            TileExpr::Truncate { .. } => {
                return Err(Gap::new(
                    "a conversion toward zero among computations",
                    self.span,
                ))
            }
            TileExpr::Cast { value: from, mode } => {
                let usual = self
                    .site
                    .host
                    .binding
                    .cast_mode(self.site.values.ty(*from), self.site.values.ty(value));
                let mode = mode
                    .or(usual)
                    .ok_or_else(|| Gap::new("a cast between these element types", self.span))?;
                self.count(
                    LayoutOp::Cast,
                    &[self.site.home(*from)?],
                    [Arg::Mode { mode }],
                );
            }
            TileExpr::Round { value: from, mode } => {
                self.count(
                    LayoutOp::Cast,
                    &[self.site.home(*from)?],
                    [Arg::Mode { mode: *mode }],
                );
            }
            TileExpr::Reduce {
                op,
                value: from,
                over,
                onto,
            } => {
                if let Some(onto) = onto {
                    let onto = self.site.home(*onto)?;
                    if onto != self.tensor {
                        let copy = local_copy(self.site, self.tensor, onto, value, self.span)?;
                        self.out.push(copy);
                    }
                }
                self.reduce(*op, *from, over, onto.is_some())?;
            }
            TileExpr::Op { op, args } => self.op(*op, args)?,
            TileExpr::Pick {
                value: from,
                along,
                at,
            } => self.pick(*from, *along, at)?,
            TileExpr::Scan {
                op,
                value: from,
                along,
            } => self.scan(*op, *from, *along)?,
            TileExpr::Top {
                value: from,
                along,
                to,
            } => self.top(*from, *along, *to)?,
        }
        Ok(())
    }

    fn op(&mut self, op: Op, args: &[Operand]) -> Made<()> {
        match (op, args) {
            (Op::Binary(op), [Operand::Value { value: a }, Operand::Value { value: b }]) => {
                self.binary(op, *a, *b)
            }
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
            (Op::Bit(op), [Operand::Value { value: a }]) => {
                self.count(op, &[self.site.home(*a)?], []);
                Ok(())
            }
            (Op::Bit(op), [Operand::Value { value: a }, Operand::Value { value: b }]) => {
                self.materialized([*a, *b], |this, [a, b]| this.count(op, &[a, b], []))
            }
            (Op::Layout(LayoutOp::LocalCopy), [Operand::Value { value: a }]) => self.seen(*a),
            (
                Op::Layout(LayoutOp::GatherMask),
                [Operand::Value { value: a }, Operand::Scalar { value: pattern }],
            ) => self.words(*a, pattern),
            (Op::Shift(op), [Operand::Value { value: a }, Operand::Scalar { value: by }]) => {
                let by = self.site.scalar(by);
                self.count(op, &[self.site.home(*a)?], [by.into()]);
                Ok(())
            }
            (Op::Compare(op), [Operand::Value { value: a }, Operand::Value { value: b }]) => {
                self.materialized([*a, *b], |this, [a, b]| this.count(op, &[a, b], []))
            }
            (Op::Compare(op), [Operand::Value { value: a }, Operand::Scalar { value: s }]) => self
                .materialized([*a], |this, [a]| {
                    let s = this.site.scalar(s);
                    this.count(op.with_scalar(), &[a], [s.into()]);
                }),
            (
                Op::Layout(LayoutOp::Select),
                [Operand::Value { value: m }, Operand::Value { value: a }, b],
            ) => {
                let mask = self.site.home(*m)?;
                match b {
                    Operand::Value { value: b } => self.materialized([*a, *b], |this, [a, b]| {
                        this.count(LayoutOp::Select, &[mask, a, b], [])
                    }),
                    Operand::Scalar { value: s } => self.materialized([*a], |this, [a]| {
                        let s = this.site.scalar(s);
                        this.count(LayoutOp::SelectScalar, &[mask, a], [s.into()]);
                    }),
                }
            }
            (Op::Mask(op), args) => {
                let masks = args
                    .iter()
                    .filter_map(Operand::value)
                    .map(|mask| self.site.home(mask))
                    .collect::<Made<Vec<_>>>()?;
                self.count(op, &masks, []);
                Ok(())
            }
            (op, args) => Err(Gap::new(
                format!("`{}` of {} operands", op.name(), args.len()),
                self.span,
            )),
        }
    }

    /// Adds a call in count form over the whole destination. Where the kernel leaves open if
    /// elements are floats or integers, its scalars are integers until the instance is known.
    fn count<const N: usize>(&mut self, op: impl Into<Op>, srcs: &[TensorId], rest: [Arg; N]) {
        let beside = self
            .site
            .places
            .decls
            .ty(*srcs.last().unwrap_or(&self.tensor));
        let beside = self.site.host.binding.beside(beside);
        let rest = rest.map(|arg| match arg {
            Arg::Scalar { value } => Scalar::cast(beside, value).into(),
            Arg::View { .. } | Arg::Mode { .. } | Arg::Var { .. } | Arg::Title { .. } => arg,
        });
        let views = std::iter::once(whole(self.tensor)).chain(srcs.iter().map(|t| whole(*t)));
        self.push(
            op,
            Extent::Count {
                n: self.tile.live(),
            },
            views.chain(rest).collect::<Vec<_>>(),
        );
    }

    /// Copies the bits of a value as elements of the result's type, which has the same size.
    fn seen(&mut self, a: ValueId) -> Made<()> {
        let lanes = self.site.lanes(self.site.places.decls.ty(self.tensor));
        let n = self.site.host.rounded(self.tile.live(), lanes);
        let seen = self.viewed(a, "bits")?;
        self.push(
            LayoutOp::LocalCopy,
            Extent::Count { n },
            [whole(self.tensor), whole(seen)],
        );
        Ok(())
    }

    /// Returns a view of a value as elements of the result's type.
    fn viewed(&mut self, a: ValueId, what: &str) -> Made<TensorId> {
        let (home, ty) = (self.site.home(a)?, self.site.places.decls.ty(self.tensor));
        let name = self.site.places.decls.tensors[home.index()].name.clone();
        let seen = self.site.places.decls.tensor(&format!("{name}_{what}"), ty);
        self.out.push(Stmt {
            kind: StmtKind::Do(QueueStmt::View {
                tensor: seen,
                of: View::local(home, 0),
            }),
            span: self.span,
        });
        Ok(seen)
    }

    /// Takes the words of 64-bit elements that match a pattern.
    fn words(&mut self, a: ValueId, pattern: &Scalar) -> Made<()> {
        let seen = self.viewed(a, "words")?;
        let n = product([self.tile.live(), Scalar::Int(2)]);
        self.push(
            LayoutOp::GatherMask,
            Extent::Count { n },
            [whole(self.tensor), whole(seen), pattern.clone().into()],
        );
        Ok(())
    }

    fn tile_scalar(&mut self, op: BinaryOp, a: ValueId, s: Scalar) -> Made<()> {
        let (ty, binding) = (self.site.values.ty(a), self.site.host.binding);
        // The cast comes before the negation: the integer 0 has no sign.
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
                None => self.beside_one_block(s, ty, |block, to| [to, View::local(a, 0), block]),
            },
        }
        Ok(())
    }

    /// Divides by a number, or a number by a tile. The number fills one data block, which is made
    /// once if the host knows it.
    fn beside_one_block(
        &mut self,
        s: Scalar,
        ty: Ty,
        operands: impl FnOnce(View, View) -> [View; 3],
    ) {
        let (bytes, n) = (
            Scalar::Int(self.site.host.chip.data_block_bytes),
            Scalar::Int(self.site.lanes(ty)),
        );
        let wanted = |purpose| Wanted {
            bytes: bytes.clone(),
            ty,
            purpose,
            span: self.span,
        };
        let fill = |block| {
            instr(
                LayoutOp::Duplicate,
                Extent::Count { n: n.clone() },
                [whole(block), s.clone().into()],
                self.span,
            )
        };
        let is_known = self.site.host.stage(&s) <= Stage::Host;
        let kept = is_known
            .then(|| {
                self.site
                    .places
                    .constant(&s, &wanted(Purpose::Constant), fill)
            })
            .flatten();
        let (block, slot) = kept.map_or_else(
            || {
                let (slot, block) = self.site.places.take(&wanted(Purpose::Columns));
                self.out.push(fill(block));
                (block, Some(slot))
            },
            |block| (block, None),
        );
        let views = operands(
            View::local(block, 0).blocks(0, 0),
            View::local(self.tensor, 0),
        );
        self.push(
            BinaryOp::Div,
            Extent::Counter {
                n: self.tile.live(),
            },
            views.map(Arg::from),
        );
        slot.into_iter()
            .for_each(|slot| self.site.places.pool.release(slot));
    }

    fn scalar_tile(&mut self, op: BinaryOp, s: Scalar, b: ValueId) -> Made<()> {
        match op {
            BinaryOp::Sub => {
                self.count(UnaryOp::Neg, &[self.site.home(b)?], []);
                self.count(BinaryScalarOp::Adds, &[self.tensor], [s.into()]);
                Ok(())
            }
            BinaryOp::Div => {
                let (ty, b) = (self.site.values.ty(b), self.site.home(b)?);
                let s = Scalar::cast(self.site.host.binding.beside(ty), s);
                self.beside_one_block(s, ty, |block, to| [to, block, View::local(b, 0)]);
                Ok(())
            }
            BinaryOp::Add | BinaryOp::Mul | BinaryOp::Max | BinaryOp::Min => {
                self.tile_scalar(op, b, s)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Made<()> {
        let (own, tiles) = (
            self.tile.clone(),
            [self.site.values.tile(a)?, self.site.values.tile(b)?],
        );
        if tiles.iter().all(|t| *t == own) {
            self.count(op, &[self.site.home(a)?, self.site.home(b)?], []);
            return Ok(());
        }
        self.broadcast(op, self.tensor, [a, b])
    }

    /// Calls `f` with full tiles of the values, for ops without a broadcasting form.
    fn materialized<const N: usize>(
        &mut self,
        values: [ValueId; N],
        f: impl FnOnce(&mut Self, [TensorId; N]),
    ) -> Made<()> {
        let (mut tensors, mut slots) = ([self.tensor; N], Vec::new());
        for (tensor, v) in tensors.iter_mut().zip(values) {
            let slot;
            (*tensor, slot) = self.in_place(v)?;
            slots.extend(slot);
        }
        f(self, tensors);
        slots
            .into_iter()
            .for_each(|slot| self.site.places.pool.release(slot));
        Ok(())
    }

    /// Returns the full tile of a value; the slot is to be released after use.
    fn in_place(&mut self, v: ValueId) -> Made<(TensorId, Option<SlotId>)> {
        let (whole_tile, own) = (self.tile.clone(), self.site.values.tile(v)?);
        if own == whole_tile {
            return Ok((self.site.home(v)?, None));
        }
        let ty = self.site.values.ty(v);
        let wanted = Wanted {
            purpose: Purpose::Intermediate,
            ..self.site.wanted(&whole_tile, ty, self.span)
        };
        let (slot, tensor) = self.site.places.take(&wanted);
        // `max(v, v)` is `v`, also for nan and signed zero.
        self.broadcast(BinaryOp::Max, tensor, [v, v])?;
        Ok((tensor, Some(slot)))
    }

    pub(super) fn call<const N: usize>(
        &mut self,
        func: FuncId,
        tensors: [TensorId; N],
        scalars: impl IntoIterator<Item = Scalar>,
    ) {
        let (tensors, scalars) = (
            tensors.map(|t| View::local(t, 0)).into(),
            scalars.into_iter().collect(),
        );
        self.out.push(Stmt {
            kind: StmtKind::Do(QueueStmt::Call {
                func,
                tensors,
                scalars,
            }),
            span: self.span,
        });
    }

    /// Returns work space of so many elements.
    pub(super) fn work_space(&mut self, elements: Scalar, ty: Ty) -> TensorId {
        let bytes = elements * Scalar::SizeOf(ty);
        let places = &mut self.site.places;
        places.pool.work(
            &Wanted {
                bytes,
                ty,
                purpose: Purpose::Work,
                span: self.span,
            },
            &mut places.decls,
        )
    }
}
