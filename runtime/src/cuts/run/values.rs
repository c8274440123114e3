//! Evaluates tile expressions, places and scalars of a run on [`Number`]s.

use super::{each, fault, unknown, Array, Done, Runner, Single, Sized};
use crate::cuts::number::Number;
use jumar_dsl::dtype::{DType, RoundMode};
use jumar_dsl::ir::{
    Access, AxId, Axes, BinOp, ChipFact, Chosen, Operand, Scalar, ScalarTy, TileExpr, Ty, UnOp,
    ValueId,
};
use jumar_dsl::ops::{
    AxisReduceOp, BinaryOp, BitOp, CompareOp, LayoutOp, MaskOp, Op, ShiftOp, UnaryOp,
};
use jumar_dsl::scalar::{binary, Value};
use std::cmp::Ordering;
use std::rc::Rc;

impl Runner<'_> {
    pub(super) fn tile(&self, v: ValueId) -> Done<&Array> {
        match &self.own[self.block].values[v.index()] {
            Some(tile) => Ok(tile),
            None => fault("a tile is used before it is defined"),
        }
    }

    /// Returns the element type of a value; `None` for a mask.
    pub(super) fn elem(&self, v: ValueId) -> Option<DType> {
        match self.body.values[v.index()].dtype {
            Ty::Mask => None,
            ty @ (Ty::Is(_) | Ty::Param(_) | Ty::Wide(_)) => Some(ty.resolve(self.binding)),
        }
    }

    pub(super) fn sized(&self, axes: &Axes) -> Done<Vec<Sized>> {
        axes.iter()
            .map(|ax| {
                Ok((
                    ax,
                    usize::try_from(self.whole(&self.extents[ax.index()])?).unwrap_or(0),
                ))
            })
            .collect()
    }

    /// Returns the element of each place of an access; `None` where it lies outside.
    pub(super) fn places(&self, access: &Access, axes: &[Sized]) -> Done<Vec<Option<usize>>> {
        struct Place {
            size: i64,
            offset: i64,
            terms: Vec<(usize, i64)>,
            ids: Option<Vec<i64>>,
        }
        let mut places = Vec::new();
        for (size, index) in access.dims.iter().zip(&access.index) {
            let mut terms = Vec::new();
            for term in &index.terms {
                let Some(at) = axes.iter().position(|(ax, _)| *ax == term.ax) else {
                    return unknown("an index along an axis that the access does not have");
                };
                terms.push((at, self.whole(&term.factor)?));
            }
            let size = self.whole(size)?;
            let ids = match &index.ids {
                None => None,
                Some(ids) => {
                    let below = match ids.of {
                        Some(of) => self
                            .kernel
                            .sig
                            .promise(of)
                            .map_or(Ok(size), |s| self.whole(s))?,
                        None => size,
                    };
                    let all: Vec<i64> = self
                        .tile(ids.value)?
                        .all
                        .iter()
                        .map(|v| v.as_whole())
                        .collect();
                    if let Some(at) = all.iter().find(|at| !(0..below).contains(*at)) {
                        return fault(format!("an index is {at}, of {below}"));
                    }
                    Some(all)
                }
            };
            places.push(Place {
                size,
                offset: self.whole(&index.offset)?,
                terms,
                ids,
            });
        }
        let len = self.tensor(access.of)?.all.len() as i64;
        if places.iter().map(|p| p.size).product::<i64>() != len {
            return fault("a view of another size than its tensor");
        }
        let mut found = Vec::new();
        each(axes, |at| {
            let mut element = Some(0i64);
            for place in &places {
                let (mut index, mut nth) = (place.offset, 0);
                for (own, factor) in &place.terms {
                    index += factor * at[*own] as i64;
                    nth = nth * axes[*own].1 + at[*own];
                }
                let index = place.ids.as_ref().map_or(index, |ids| ids[nth]);
                element = element
                    .filter(|_| (0..place.size).contains(&index))
                    .map(|e| e * place.size + index);
            }
            found.push(element.map(|e| e as usize));
        });
        Ok(found)
    }

    pub(super) fn load(&self, from: &Access, outside: Option<Number>) -> Done<Array> {
        let axes = self.sized(&from.axes())?;
        let tensor = self.tensor(from.of)?;
        let read = |place: Option<usize>| match (place, outside) {
            (Some(at), _) => match tensor.all[at] {
                Some(v) => Ok(v),
                None => fault(format!(
                    "a load of `{}` reads what was not stored",
                    tensor.name
                )),
            },
            (None, Some(outside)) => Ok(outside),
            (None, None) => fault(format!("a load outside of `{}`", tensor.name)),
        };
        let all: Vec<Number> = self
            .places(from, &axes)?
            .into_iter()
            .map(read)
            .collect::<Done<_>>()?;
        Ok(Array {
            axes,
            all: Rc::new(all),
        })
    }

    pub(super) fn expr(&self, value: ValueId, expr: &TileExpr) -> Done<Array> {
        let dtype = self.elem(value);
        let axes = self.sized(&self.body.values[value.index()].axes)?;
        let len: usize = axes.iter().map(|(_, n)| n).product();
        let filled = |v: Number| Array {
            axes: axes.clone(),
            all: Rc::new(vec![v; len]),
        };
        Ok(match expr {
            TileExpr::Load {
                from:
                    from @ Access {
                        otherwise: Some(number),
                        ..
                    },
            } if self.tensor(from.of).is_err() => filled(self.element(number, dtype)?),
            TileExpr::Load { from } => self.load(from, None)?,
            TileExpr::LoadOr { from, outside } => {
                self.load(from, Some(self.element(outside, dtype)?))?
            }
            TileExpr::Fill { value } | TileExpr::Across { init: value, .. } => {
                filled(self.element(value, dtype)?)
            }
            TileExpr::Appended { of } => filled(Number::whole(self.tensor(*of)?.appended as i64)),
            TileExpr::Iota { first } => {
                let first = self.element(first, dtype)?;
                let all = (0..len)
                    .map(|i| first.plus(Number::whole(i as i64)))
                    .collect();
                Array {
                    axes,
                    all: Rc::new(all),
                }
            }
            TileExpr::Reduce {
                op,
                value,
                over,
                onto,
            } => {
                let over: Vec<AxId> = over.iter().collect();
                let first = over.iter().find_map(|ax| self.starts[ax.index()]);
                let first = first.map_or(Ok(0), |start| self.whole(&Scalar::Var(start)))?;
                let (rows, kept) = self.tile(*value)?.rows(&over);
                let all = rows
                    .iter()
                    .map(|row| reduced(*op, row, first))
                    .collect::<Done<Vec<Number>>>()?;
                let made = Array {
                    axes: kept,
                    all: Rc::new(all),
                };
                match onto {
                    None => made,
                    Some(onto) => {
                        let (a, b) = (self.tile(*onto)?.expand(&axes), made.expand(&axes));
                        let all = a
                            .all
                            .iter()
                            .zip(b.all.iter())
                            .map(|(a, b)| step(*op, *a, *b))
                            .collect::<Done<_>>()?;
                        Array {
                            axes,
                            all: Rc::new(all),
                        }
                    }
                }
            }
            TileExpr::Op { op, args } => self.op(*op, args, dtype, axes)?,
            TileExpr::Cast { value: from, mode } => {
                self.cast(*from, dtype, mode.unwrap_or(RoundMode::Rint))?
            }
            TileExpr::Truncate { value: from } => {
                let cuts = self.elem(*from).is_some_and(DType::is_float)
                    && dtype.is_some_and(|to| !to.is_float());
                self.cast(
                    *from,
                    dtype,
                    if cuts {
                        RoundMode::Trunc
                    } else {
                        RoundMode::Rint
                    },
                )?
            }
            TileExpr::Round { value, mode } => {
                let from = self.tile(*value)?;
                let all = from
                    .all
                    .iter()
                    .map(|v| v.rounded(1.0, |v| whole(v, *mode)))
                    .collect();
                Array {
                    axes: from.axes.clone(),
                    all: Rc::new(all),
                }
            }
            TileExpr::Copy { value } => self.tile(*value)?.expand(&axes),
            TileExpr::Pick { value, along, at } => {
                self.pick(self.tile(*value)?, *along, at, axes)?
            }
            TileExpr::Top { value, along, to } => {
                let most = axes.iter().find(|(ax, _)| ax == to).map_or(0, |(_, n)| *n);
                let (rows, mut own) = self.tile(*value)?.rows(&[*along]);
                own.push((*to, most));
                let mut all = Vec::new();
                for row in rows {
                    let mut order: Vec<usize> = (0..row.len()).collect();
                    order.sort_by(|a, b| row[*b].order(row[*a]).unwrap_or(Ordering::Equal));
                    if most > order.len() || row.iter().any(|v| v.double().is_nan()) {
                        return fault("an order of nan, or of too few elements");
                    }
                    all.extend(order[..most].iter().map(|at| Number::whole(*at as i64)));
                }
                Array {
                    axes: own,
                    all: Rc::new(all),
                }
                .expand(&axes)
            }
            TileExpr::Scan { op, value, along } => {
                let (rows, mut own) = self.tile(*value)?.rows(&[*along]);
                own.extend(axes.iter().find(|(ax, _)| ax == along));
                let mut all = Vec::new();
                for row in rows {
                    let mut sum = None;
                    for v in row {
                        let next = sum.map_or(Ok(v), |sum| step(*op, sum, v))?;
                        sum = Some(next);
                        all.push(next);
                    }
                }
                Array {
                    axes: own,
                    all: Rc::new(all),
                }
                .expand(&axes)
            }
        })
    }

    fn pick(&self, from: &Array, along: AxId, at: &Chosen, axes: Vec<Sized>) -> Done<Array> {
        let Some((_, n)) = from.axes.iter().find(|(ax, _)| *ax == along).copied() else {
            return unknown("a choice along an axis that the tile does not have");
        };
        let (ids, moves) = match at {
            Chosen::Tile { value } => (Some(self.tile(*value)?.expand(&axes)), None),
            Chosen::Index { index } => {
                let first = self.whole(&index.offset)?;
                let moves = match &index.terms[..] {
                    [] => (first, None),
                    [term] => (
                        first,
                        Some((
                            axes.iter().position(|(ax, _)| *ax == term.ax),
                            self.whole(&term.factor)?,
                        )),
                    ),
                    [..] => return unknown("an index along several axes"),
                };
                (None, Some(moves))
            }
        };
        let strides: Vec<usize> = axes
            .iter()
            .map(|(ax, _)| if *ax == along { 0 } else { from.stride(*ax) })
            .collect();
        let (own, mut all, mut nth, mut wrong) = (from.stride(along), Vec::new(), 0, None);
        each(&axes, |place| {
            let index = match (&ids, moves) {
                (Some(ids), _) => ids.all[nth].as_whole(),
                (None, Some((first, Some((Some(at), factor))))) => {
                    first + factor * place[at] as i64
                }
                (None, Some((first, _))) => first,
                (None, None) => -1,
            };
            nth += 1;
            match usize::try_from(index).ok().filter(|index| *index < n) {
                Some(index) => all.push(
                    from.all[index * own
                        + place
                            .iter()
                            .zip(&strides)
                            .map(|(i, s)| i * s)
                            .sum::<usize>()],
                ),
                None => wrong = Some(index),
            }
        });
        match wrong {
            Some(index) => fault(format!("an index of `pick` is {index}, of {n}")),
            None => Ok(Array {
                axes,
                all: Rc::new(all),
            }),
        }
    }

    fn cast(&self, from: ValueId, to: Option<DType>, mode: RoundMode) -> Done<Array> {
        let tile = self.tile(from)?;
        let of = self.elem(from);
        let one = |v: &Number| match (of, to) {
            (_, None) => Number::truth(v.is_true()),
            (Some(DType::Bool) | None, _) => Number::truth(v.is_true()),
            (_, Some(DType::Bool)) => Number::truth(v.is_true()),
            (Some(of), Some(to)) if of == to => *v,
            (Some(of), Some(to)) if of.is_float() && to.is_float() => match mode {
                RoundMode::None | RoundMode::Rint => *v,
                RoundMode::Floor
                | RoundMode::Ceil
                | RoundMode::Round
                | RoundMode::Trunc
                | RoundMode::Odd
                    if to.bytes() < of.bytes() =>
                {
                    v.rounded(0.5, |v| whole(v, mode))
                }
                RoundMode::Floor
                | RoundMode::Ceil
                | RoundMode::Round
                | RoundMode::Trunc
                | RoundMode::Odd => *v,
            },
            // The cast of nan to an integer is 0.
            (Some(of), Some(_)) if of.is_float() && v.double().is_nan() => Number::ZERO,
            (Some(of), Some(_)) if of.is_float() => {
                let most = f64::from(i32::MAX);
                v.rounded(1.0, |v| whole(v, mode).clamp(-most - 1.0, most))
            }
            (Some(_), Some(_)) => *v,
        };
        Ok(Array {
            axes: tile.axes.clone(),
            all: Rc::new(tile.all.iter().map(one).collect()),
        })
    }

    fn op(&self, op: Op, args: &[Operand], dtype: Option<DType>, axes: Vec<Sized>) -> Done<Array> {
        let beside = { args.iter().filter_map(Operand::value) }
            .find_map(|v| self.elem(v))
            .or(dtype);
        let len: usize = axes.iter().map(|(_, n)| n).product();
        let operand = |arg: &Operand| match arg {
            Operand::Value { value } => Ok(self.tile(*value)?.expand(&axes).all),
            Operand::Scalar { value } => Ok(Rc::new(vec![self.element(value, beside)?; len])),
        };
        let args: Vec<Rc<Vec<Number>>> = args.iter().map(operand).collect::<Done<_>>()?;
        let arg = |nth: usize, at: usize| args.get(nth).map_or(Number::ZERO, |all| all[at]);
        let is_whole = beside.is_some_and(|of| !of.is_float());
        let one = |at: usize| -> Done<Number> {
            let (a, b) = (arg(0, at), arg(1, at));
            Ok(match op {
                Op::Binary(BinaryOp::Add) => a.plus(b),
                Op::Binary(BinaryOp::Sub) => a.minus(b),
                Op::Binary(BinaryOp::Mul) => a.times(b),
                Op::Binary(BinaryOp::Div) if is_whole => a.over(b).rounded(1.0, f64::trunc),
                Op::Binary(BinaryOp::Div) => a.over(b),
                Op::Binary(BinaryOp::Max) => a.larger(b),
                Op::Binary(BinaryOp::Min) => a.smaller(b),
                Op::Unary(UnaryOp::Exp) => a.exp(),
                Op::Unary(UnaryOp::Ln) => a.hashed(1, f64::ln),
                Op::Unary(UnaryOp::Sqrt) => a.hashed(2, f64::sqrt),
                Op::Unary(UnaryOp::Rsqrt) => Number::ONE.over(a.hashed(2, f64::sqrt)),
                Op::Unary(UnaryOp::Reciprocal) => Number::ONE.over(a),
                Op::Unary(UnaryOp::Abs) if a.double() < 0.0 => a.negative(),
                Op::Unary(UnaryOp::Abs) => a,
                Op::Unary(UnaryOp::Neg) => a.negative(),
                Op::Unary(UnaryOp::Relu) if a.double() < 0.0 => Number::ZERO,
                Op::Unary(UnaryOp::Relu) => a,
                Op::Compare(how) => Number::truth(compared(how, a, b)),
                Op::Mask(MaskOp::And) => Number::truth(a.is_true() && b.is_true()),
                Op::Mask(MaskOp::Or) => Number::truth(a.is_true() || b.is_true()),
                Op::Mask(MaskOp::Not) => Number::truth(!a.is_true()),
                Op::Layout(LayoutOp::Select) => {
                    if a.is_true() {
                        b
                    } else {
                        arg(2, at)
                    }
                }
                Op::Bit(BitOp::And) => Number::whole(a.as_whole() & b.as_whole()),
                Op::Bit(BitOp::Or) => Number::whole(a.as_whole() | b.as_whole()),
                Op::Bit(BitOp::Not) => Number::whole(!a.as_whole()),
                Op::Shift(ShiftOp::Left) => {
                    Number::whole(a.as_whole().wrapping_shl(b.as_whole() as u32))
                }
                Op::Shift(ShiftOp::Right) => {
                    Number::whole(a.as_whole() >> b.as_whole().clamp(0, 63))
                }
                Op::Layout(LayoutOp::LocalCopy)
                    if is_whole && dtype.is_some_and(|to| !to.is_float()) =>
                {
                    a
                }
                Op::Layout(LayoutOp::LocalCopy)
                    if beside == Some(DType::I32) && dtype == Some(DType::F32) =>
                {
                    Number::of(f64::from(f32::from_bits(a.as_whole() as i32 as u32)))
                }
                Op::Layout(LayoutOp::GatherMask) if is_whole => Number::whole(i64::from(
                    (a.as_whole() >> (32 * (b.as_whole() - 1).clamp(0, 1))) as i32,
                )),
                _ => return unknown(format!("`{}`", op.name())),
            })
        };
        let all = (0..len).map(one).collect::<Done<Vec<Number>>>()?;
        Ok(Array {
            axes,
            all: Rc::new(all),
        })
    }

    /// Converts a scalar to an element beside tiles of a type.
    pub(super) fn element(&self, s: &Scalar, dtype: Option<DType>) -> Done<Number> {
        Ok(match self.scalar(s)? {
            Single::Whole(v) => Number::whole(v),
            Single::Truth(v) => Number::truth(v),
            Single::Number(v) if dtype.is_some_and(|of| !of.is_float()) => {
                v.rounded(1.0, f64::trunc)
            }
            Single::Number(v) => v,
        })
    }

    pub(super) fn whole(&self, s: &Scalar) -> Done<i64> {
        match self.scalar(s)? {
            Single::Whole(v) => Ok(v),
            Single::Number(_) | Single::Truth(_) => unknown("a size that is no integer"),
        }
    }

    pub(super) fn truth(&self, s: &Scalar) -> Done<bool> {
        match self.scalar(s)? {
            Single::Truth(v) => Ok(v),
            Single::Whole(_) | Single::Number(_) => unknown("a condition that is no truth value"),
        }
    }

    pub(super) fn scalar(&self, s: &Scalar) -> Done<Single> {
        let ints = |a: i64, b: i64, op: BinOp| match binary(op, Value::Int(a), Value::Int(b)) {
            Ok(Value::Int(v)) => Ok(Single::Whole(v)),
            Ok(Value::Bool(v)) => Ok(Single::Truth(v)),
            Ok(Value::I32(_) | Value::F32(_)) | Err(_) => {
                fault(format!("{a} and {b} have no result"))
            }
        };
        Ok(match s {
            Scalar::Int(v) => Single::Whole(*v),
            Scalar::I32(v) => Single::Whole(i64::from(*v)),
            Scalar::Float(v) => Single::Number(Number::of(f64::from(*v))),
            Scalar::Bool(v) => Single::Truth(*v),
            Scalar::Axis(a) => Single::Whole(self.draw.dims[a.index()]),
            Scalar::Attr(p, _) => match self.draw.attrs.get(p.index()).copied().flatten() {
                Some(Value::Int(v)) => Single::Whole(v),
                Some(Value::I32(v)) => Single::Whole(i64::from(v)),
                Some(Value::F32(v)) => Single::Number(Number::of(f64::from(v))),
                Some(Value::Bool(v)) => Single::Truth(v),
                None => return unknown("an attribute without a value"),
            },
            Scalar::Chip(ChipFact::VectorCores) => Single::Whole(self.chip.vector_cores),
            Scalar::Chip(ChipFact::UbBytes) => Single::Whole(self.chip.ub_usable()),
            Scalar::Chip(ChipFact::L2Bytes) => Single::Whole(self.chip.l2_bytes),
            Scalar::Var(v) => match self.own[self.block].vars[v.index()] {
                Some(v) => v,
                None => return fault("a variable without a value"),
            },
            Scalar::SizeOf(ty) => Single::Whole(ty.resolve(self.binding).bytes()),
            Scalar::BlockIdx => Single::Whole(self.block as i64),
            Scalar::BlockDim => Single::Whole(self.how.blocks as i64),
            Scalar::Un(op, a) => match (op, self.scalar(a)?) {
                (UnOp::Neg, Single::Whole(v)) => Single::Whole(-v),
                (UnOp::Neg, Single::Number(v)) => Single::Number(v.negative()),
                (UnOp::Not, Single::Truth(v)) => Single::Truth(!v),
                (UnOp::Sqrt, Single::Number(v)) => Single::Number(v.hashed(2, f64::sqrt)),
                (UnOp::Neg | UnOp::Not | UnOp::Sqrt, _) => {
                    return unknown("an operator of another type")
                }
            },
            Scalar::Bin(BinOp::And, a, b) => Single::Truth(self.truth(a)? && self.truth(b)?),
            Scalar::Bin(BinOp::Or, a, b) => Single::Truth(self.truth(a)? || self.truth(b)?),
            Scalar::Bin(op, a, b) => match (self.scalar(a)?, self.scalar(b)?) {
                (Single::Whole(a), Single::Whole(b)) => ints(a, b, *op)?,
                (Single::Truth(a), Single::Truth(b)) => match op {
                    BinOp::Eq => Single::Truth(a == b),
                    BinOp::Ne => Single::Truth(a != b),
                    _ => return unknown("an operator of truth values"),
                },
                (Single::Number(a), Single::Number(b)) => floats(*op, a, b)?,
                _ => return unknown("operands of two types"),
            },
            Scalar::Select(c, a, b) => self.scalar(if self.truth(c)? { a } else { b })?,
            Scalar::Cast(ty, a) => match (ty, self.scalar(a)?) {
                (ScalarTy::Index | ScalarTy::I32, Single::Number(v)) => {
                    let cut = v.rounded(1.0, f64::trunc).double();
                    Single::Whole(if cut.is_finite() { cut as i64 } else { 0 })
                }
                (ScalarTy::Index | ScalarTy::I32, Single::Truth(v)) => Single::Whole(i64::from(v)),
                (ScalarTy::F32, Single::Whole(v)) => Single::Number(Number::whole(v)),
                (_, same) => same,
            },
        })
    }
}

fn floats(op: BinOp, a: Number, b: Number) -> Done<Single> {
    let how = |how| Single::Truth(compared(how, a, b));
    Ok(match op {
        BinOp::Add => Single::Number(a.plus(b)),
        BinOp::Sub => Single::Number(a.minus(b)),
        BinOp::Mul => Single::Number(a.times(b)),
        BinOp::Div => Single::Number(a.over(b)),
        BinOp::Min => Single::Number(a.smaller(b)),
        BinOp::Max => Single::Number(a.larger(b)),
        BinOp::Lt => how(CompareOp::Lt),
        BinOp::Le => how(CompareOp::Le),
        BinOp::Gt => how(CompareOp::Gt),
        BinOp::Ge => how(CompareOp::Ge),
        BinOp::Eq => how(CompareOp::Eq),
        BinOp::Ne => how(CompareOp::Ne),
        BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp | BinOp::And | BinOp::Or => {
            return unknown("an operator of integers")
        }
    })
}

fn compared(how: CompareOp, a: Number, b: Number) -> bool {
    let Some(order) = a.order(b) else {
        return false;
    };
    match how {
        CompareOp::Lt => order.is_lt(),
        CompareOp::Le => order.is_le(),
        CompareOp::Gt => order.is_gt(),
        CompareOp::Ge => order.is_ge(),
        CompareOp::Eq => order.is_eq(),
        CompareOp::Ne => order.is_ne(),
    }
}

/// Rounds to an integer.
fn whole(v: f64, mode: RoundMode) -> f64 {
    match mode {
        RoundMode::None | RoundMode::Rint => v.round_ties_even(),
        RoundMode::Floor => v.floor(),
        RoundMode::Ceil => v.ceil(),
        RoundMode::Round => v.round(),
        RoundMode::Trunc => v.trunc(),
        RoundMode::Odd if v.floor() == v || v.is_nan() => v,
        RoundMode::Odd if v.floor() % 2.0 != 0.0 => v.floor(),
        RoundMode::Odd => v.ceil(),
    }
}

/// Returns the neutral element of a merge.
pub(super) fn neutral(op: AxisReduceOp) -> Done<Number> {
    Ok(match op {
        AxisReduceOp::Sum | AxisReduceOp::Any => Number::ZERO,
        AxisReduceOp::Prod | AxisReduceOp::All => Number::ONE,
        AxisReduceOp::Max => Number::of(f64::NEG_INFINITY),
        AxisReduceOp::Min => Number::of(f64::INFINITY),
        AxisReduceOp::Mean | AxisReduceOp::ArgMax | AxisReduceOp::ArgMin => {
            return unknown("a reduction without steps")
        }
    })
}

pub(super) fn step(op: AxisReduceOp, a: Number, b: Number) -> Done<Number> {
    Ok(match op {
        AxisReduceOp::Sum => a.plus(b),
        AxisReduceOp::Prod => a.times(b),
        AxisReduceOp::Max => a.larger(b),
        AxisReduceOp::Min => a.smaller(b),
        AxisReduceOp::Any => Number::truth(a.is_true() || b.is_true()),
        AxisReduceOp::All => Number::truth(a.is_true() && b.is_true()),
        AxisReduceOp::Mean | AxisReduceOp::ArgMax | AxisReduceOp::ArgMin => {
            return unknown("a reduction without steps")
        }
    })
}

fn reduced(op: AxisReduceOp, row: &[Number], first: i64) -> Done<Number> {
    let ahead = |wanted: Ordering| {
        let mut best = 0;
        for (at, v) in row.iter().enumerate().skip(1) {
            let held: Number = row[best];
            if !held.double().is_nan() && (v.double().is_nan() || v.order(held) == Some(wanted)) {
                best = at;
            }
        }
        match row.is_empty() {
            true => fault("the place of an element among none"),
            false => Ok(Number::whole(first + best as i64)),
        }
    };
    match op {
        AxisReduceOp::ArgMax => ahead(Ordering::Greater),
        AxisReduceOp::ArgMin => ahead(Ordering::Less),
        AxisReduceOp::Mean => {
            let sum = row.iter().fold(Number::ZERO, |sum, v| sum.plus(*v));
            Ok(sum.over(Number::whole(row.len() as i64)))
        }
        AxisReduceOp::Sum
        | AxisReduceOp::Prod
        | AxisReduceOp::Max
        | AxisReduceOp::Min
        | AxisReduceOp::Any
        | AxisReduceOp::All => row
            .iter()
            .try_fold(neutral(op)?, |held, v| step(op, held, *v)),
    }
}
