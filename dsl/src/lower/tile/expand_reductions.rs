//! Replaces ops that have no instruction by ops that have one, before the later passes run.
//!
//! - A mean is the sum times the reciprocal of the number of elements, which the host computes.
//! - `any` and `all` of a mask are the largest and the smallest of its bits as numbers. They are
//!   f16: a call takes twice as many as of f32, and both are exact.
//! - `argmax` and `argmin` are the lowest index at which an element equals the extreme. Compares
//!   are false beside a nan, so a nan element contributes its own index. The extreme is a nan then,
//!   and no other element equals it.
//! - Indices are counted in `f32`, whose data blocks can be reduced. 2^24 of them are exact, and
//!   the host refuses longer axes.
//! - A mask that lacks axes of its operands is repeated along them as numbers.
//! - Elements that no instruction repeats are repeated as elements of the same bits.
//! - Selects and integer compares without an instruction are replaced exactly
//!   (`legalize::compare`).
//! - Rounding of floats goes through `i32` where no cast to the own type does it.
//! - A cast without an instruction becomes a sequence of casts (`dtype::cast_route`). Masks become
//!   numbers through `f16`. A number is true if it is not equal to 0, which holds for a nan.
//! - A truncating conversion is a cast in that mode where the pair of types has it. Else floats are
//!   truncated in `f32`, and the result is exact in every type.

use crate::dtype::{DType, RoundMode};
use crate::ir::names::unique;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    AxFrom, Axes, BinOp, Operand, Scalar, ScalarTy, SpanId, StmtKind, TileExpr, TileStmt, Ty,
    ValueDecl, ValueId, VarId,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::tile::legalize::unsigned::seen;
use crate::lower::type_queries::Binding;
use crate::ops::{AxisReduceOp, BinaryOp, CompareOp, LayoutOp, Op, UnaryOp};
use std::collections::BTreeMap;

/// The type of the bits of masks as numbers.
pub(super) const BITS: Ty = Ty::Is(DType::F16);
/// The type in which indices are counted.
const PLACES: Ty = Ty::Is(DType::F32);

/// Replaces ops without an instruction in a body.
pub fn run(body: &mut Body, binding: &Binding<'_>) -> Made<()> {
    let stmts = std::mem::take(&mut body.stmts);
    let mut starts = BTreeMap::new();
    crate::ir::walk_stmts(&stmts, &mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            starts.extend(tile.specs.iter().map(|spec| (spec.ax, spec.start)));
        }
    });
    let mut rewrite = Rewrite {
        body,
        binding,
        starts,
        span: SpanId(0),
        out: Vec::new(),
    };
    let stmts = rewrite.list(stmts)?;
    body.stmts = stmts;
    Ok(())
}

pub(super) struct Rewrite<'a> {
    pub(super) body: &'a mut Body,
    pub(super) binding: &'a Binding<'a>,
    /// The first index of each run of a tile loop.
    starts: BTreeMap<crate::ir::AxId, VarId>,
    /// The source of the statement that is being rewritten.
    pub span: SpanId,
    out: Vec<Stmt>,
}

pub(super) fn value(v: ValueId) -> Operand {
    Operand::Value { value: v }
}

pub(super) fn number(v: f32) -> Operand {
    Operand::Scalar {
        value: Scalar::Float(v),
    }
}

pub(super) fn compare(op: CompareOp, a: ValueId, b: Operand) -> TileExpr {
    TileExpr::Op {
        op: Op::Compare(op),
        args: vec![value(a), b],
    }
}

pub(super) fn select(mask: ValueId, a: ValueId, b: Operand) -> TileExpr {
    TileExpr::Op {
        op: Op::Layout(LayoutOp::Select),
        args: vec![value(mask), value(a), b],
    }
}

impl Rewrite<'_> {
    fn list(&mut self, stmts: Vec<Stmt>) -> Made<Vec<Stmt>> {
        let outer = std::mem::take(&mut self.out);
        for mut s in stmts {
            for inner in s.children_mut().into_iter().flatten() {
                *inner = self.list(std::mem::take(inner))?;
            }
            self.span = s.span;
            if let StmtKind::Do(TileStmt::Def { value, expr }) = &mut s.kind {
                if let Some(made) = self.made(*value, expr)? {
                    *expr = made;
                }
            }
            if let StmtKind::Do(TileStmt::Append { value, mask, .. }) = &mut s.kind {
                (*value, *mask) = self.packed(*value, *mask);
            }
            self.out.push(s);
        }
        Ok(std::mem::replace(&mut self.out, outer))
    }

    /// Returns the new definition of a value, after adding the statements that it needs.
    fn made(&mut self, to: ValueId, expr: &TileExpr) -> Made<Option<TileExpr>> {
        match expr {
            TileExpr::Reduce {
                op,
                value,
                over,
                onto: None,
            } => match op {
                AxisReduceOp::Sum | AxisReduceOp::Max | AxisReduceOp::Min | AxisReduceOp::Prod => {
                    self.reduced(to, *op, *value, over)
                }
                AxisReduceOp::Mean => self.mean(to, *value, over).map(Some),
                AxisReduceOp::Any => Ok(Some(self.of_mask(to, AxisReduceOp::Max, *value, over))),
                AxisReduceOp::All => Ok(Some(self.of_mask(to, AxisReduceOp::Min, *value, over))),
                AxisReduceOp::ArgMax => self.place(to, AxisReduceOp::Max, *value, over).map(Some),
                AxisReduceOp::ArgMin => self.place(to, AxisReduceOp::Min, *value, over).map(Some),
            },
            TileExpr::Op {
                op: op @ Op::Layout(LayoutOp::Select),
                args,
            } => {
                let [Operand::Value { value: mask }, rest @ ..] = &args[..] else {
                    return Ok(None);
                };
                let is_whole = self.axes(*mask) == self.axes(to);
                let composed =
                    self.binding.is_composed(*op, self.ty(to)) || self.repeats_by_way(to, rest);
                let filled = if composed {
                    None
                } else {
                    self.filled_choice(to, rest)
                };
                if is_whole && !composed && filled.is_none() {
                    return Ok(None);
                }
                let mask = if is_whole {
                    *mask
                } else {
                    self.repeated(to, *mask)
                };
                if composed {
                    return self.choice(to, mask, rest).map(Some);
                }
                let rest = filled.unwrap_or_else(|| rest.to_vec());
                Ok(Some(TileExpr::Op {
                    op: *op,
                    args: std::iter::once(value(mask)).chain(rest).collect(),
                }))
            }
            TileExpr::Op {
                op: Op::Compare(op),
                args,
            } => self.compared(to, *op, args),
            TileExpr::Op {
                op: op @ (Op::Binary(_) | Op::Unary(_)),
                args,
            } => self.computed(to, *op, args),
            TileExpr::Fill { value }
                if self
                    .binding
                    .is_composed(LayoutOp::Duplicate.into(), self.ty(to)) =>
            {
                Ok(Some(self.filled_by_cast(to, value)))
            }
            TileExpr::Op {
                op: op @ Op::Mask(_),
                args,
            } => {
                let all = self.axes(to);
                if args
                    .iter()
                    .filter_map(Operand::value)
                    .all(|mask| self.axes(mask) == all)
                {
                    return Ok(None);
                }
                let masks: Vec<ValueId> = args.iter().filter_map(Operand::value).collect();
                let args = masks.into_iter().map(|mask| match self.axes(mask) == all {
                    true => value(mask),
                    false => value(self.repeated(to, mask)),
                });
                Ok(Some(TileExpr::Op {
                    op: *op,
                    args: args.collect(),
                }))
            }
            TileExpr::Op {
                op: op @ Op::Bit(_),
                args,
            } => {
                let all = self.axes(to);
                let tiles: Vec<ValueId> = args.iter().filter_map(Operand::value).collect();
                let is_repeated = tiles.iter().any(|tile| self.axes(*tile) != all);
                let bits = is_repeated
                    .then(|| self.binding.repeated_by(self.ty(to)))
                    .flatten();
                Ok(bits.map(|bits| {
                    let args = tiles.into_iter().map(|tile| match self.axes(tile) == all {
                        true => value(tile),
                        false => value(self.repeated_bits(to, tile, Ty::Is(bits))),
                    });
                    TileExpr::Op {
                        op: *op,
                        args: args.collect(),
                    }
                }))
            }
            TileExpr::Copy { value: from } => {
                let is_repeated = self.axes(*from) != self.axes(to);
                let bits = is_repeated
                    .then(|| self.binding.repeated_by(self.ty(to)))
                    .flatten();
                Ok(bits.map(|bits| TileExpr::Copy {
                    value: self.repeated_bits(to, *from, Ty::Is(bits)),
                }))
            }
            TileExpr::Cast { value, mode: None } => self.cast(to, *value),
            TileExpr::Truncate { value } => self.truncated(to, *value).map(Some),
            TileExpr::Round { value, mode } => Ok(self.rounded(to, *value, *mode)),
            TileExpr::Op { .. }
            | TileExpr::Reduce { onto: Some(_), .. }
            | TileExpr::LoadOr { .. }
            | TileExpr::Load { .. }
            | TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Cast { mode: Some(_), .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. } => Ok(None),
        }
    }

    pub(super) fn axes(&self, v: ValueId) -> Axes {
        self.body.values[v.index()].axes.clone()
    }

    /// Repeats a value along all axes of another one, by its bits.
    fn repeated_bits(&mut self, to: ValueId, from: ValueId, bits: Ty) -> ValueId {
        let (own, ty, all) = (self.axes(from), self.ty(to), self.axes(to));
        let few = self.def(to, "bits", bits, own, seen(from));
        let many = self.def(
            to,
            "all_bits",
            bits,
            all.clone(),
            TileExpr::Copy { value: few },
        );
        self.def(to, "all", ty, all, seen(many))
    }

    /// Defines a value that is named after the one it is made for.
    pub(super) fn def(
        &mut self,
        of: ValueId,
        what: &str,
        dtype: Ty,
        axes: Axes,
        expr: TileExpr,
    ) -> ValueId {
        self.def_with(of, what, dtype, axes, |_, _| expr)
    }

    /// Defines a value by an expression whose own steps are named after it.
    pub(super) fn def_with(
        &mut self,
        of: ValueId,
        what: &str,
        dtype: Ty,
        axes: Axes,
        expr: impl FnOnce(&mut Self, ValueId) -> TileExpr,
    ) -> ValueId {
        let values = &self.body.values;
        let name = unique(&format!("{}_{what}", values[of.index()].name), |n| {
            values.iter().any(|v| v.name == n)
        });
        let made = self.body.add_value(ValueDecl {
            name,
            dtype,
            axes,
            mutable: false,
        });
        let expr = expr(self, made);
        self.out.push(Stmt {
            kind: StmtKind::Do(TileStmt::Def { value: made, expr }),
            span: self.span,
        });
        made
    }

    fn cast(&mut self, to: ValueId, from: ValueId) -> Made<Option<TileExpr>> {
        let ty = |v: ValueId| self.body.values[v.index()].dtype;
        let (source, target) = (ty(from), ty(to));
        let is_bytes = |ty: Ty| ty != Ty::Mask && self.binding.is(ty, DType::Bool);
        match (source, target) {
            (Ty::Mask, Ty::Mask) => Err(Gap::new("a cast of a mask to a mask", self.span)),
            (Ty::Mask, target) if self.binding.is(target, DType::F16) => {
                let axes = self.axes(from);
                let ones = self.def(
                    to,
                    "ones",
                    BITS,
                    axes,
                    TileExpr::Fill {
                        value: Scalar::Float(1.0),
                    },
                );
                Ok(Some(select(from, ones, number(0.0))))
            }
            (Ty::Mask, target) if self.binding.is(target, DType::Bf16) => {
                let bits = self.bits(to, from);
                let (wide, axes) = (Ty::Is(DType::F32), self.axes(from));
                let wide = self.def(
                    to,
                    "wide",
                    wide,
                    axes,
                    TileExpr::Cast {
                        value: bits,
                        mode: None,
                    },
                );
                Ok(Some(TileExpr::Cast {
                    value: wide,
                    mode: Some(RoundMode::Rint),
                }))
            }
            (Ty::Mask, target) => {
                let bits = self.bits(to, from);
                Ok(Some(self.converted(to, bits, target)))
            }
            (source, Ty::Mask) => self.truth(to, from, source).map(Some),
            (source, target) if is_bytes(target) && !is_bytes(source) => {
                let axes = self.axes(from);
                let truth = self.truth(to, from, source)?;
                let mask = self.def(to, "mask", Ty::Mask, axes, truth);
                let bits = self.bits(to, mask);
                Ok(Some(self.steps(to, bits, target)))
            }
            (source, target) => {
                let several = self.binding.casts_by_bits(source, target)
                    || self.binding.route(source, target).is_some();
                Ok(several.then(|| self.converted(to, from, target)))
            }
        }
    }

    /// Makes a conversion from floats to integers that truncates; all other conversions are casts.
    fn truncated(&mut self, to: ValueId, from: ValueId) -> Made<TileExpr> {
        let (source, target) = (self.ty(from), self.ty(to));
        if !self.binding.is_float(source)
            || self.binding.is_float(target)
            || self.is(target, DType::Bool)
        {
            let cast = TileExpr::Cast {
                value: from,
                mode: None,
            };
            return Ok(self.cast(to, from)?.unwrap_or(cast));
        }
        if self.binding.casts_in(source, target, RoundMode::Trunc) {
            return Ok(TileExpr::Cast {
                value: from,
                mode: Some(RoundMode::Trunc),
            });
        }
        let (wide, axes) = (Ty::Is(DType::F32), self.axes(from));
        let number_of = match self.is(source, DType::F32) {
            true => from,
            false => self.def(
                to,
                "wide",
                wide,
                axes.clone(),
                TileExpr::Cast {
                    value: from,
                    mode: None,
                },
            ),
        };
        let whole = self.def_with(to, "whole", wide, axes, |cx, whole| {
            let round = TileExpr::Round {
                value: number_of,
                mode: RoundMode::Trunc,
            };
            cx.rounded(whole, number_of, RoundMode::Trunc)
                .unwrap_or(round)
        });
        Ok(self.converted(to, whole, target))
    }

    /// Rounds by way of `i32`. From 2^23 on there is nothing to round; infinities and nan are
    /// beyond that, too.
    fn rounded(&mut self, to: ValueId, from: ValueId, mode: RoundMode) -> Option<TileExpr> {
        let ty = self.body.values[to.index()].dtype;
        if !self.binding.rounds_by_way(ty, mode) {
            return None;
        }
        let axes = self.axes(to);
        let whole = Ty::Is(DType::I32);
        let whole = self.def(
            to,
            "whole",
            whole,
            axes.clone(),
            TileExpr::Cast {
                value: from,
                mode: Some(mode),
            },
        );
        let number_of = self.def(
            to,
            "number",
            ty,
            axes.clone(),
            TileExpr::Cast {
                value: whole,
                mode: None,
            },
        );
        let size = TileExpr::Op {
            op: Op::Unary(UnaryOp::Abs),
            args: vec![value(from)],
        };
        let size = self.def(to, "size", ty, axes.clone(), size);
        let small = self.def(
            to,
            "small",
            Ty::Mask,
            axes,
            compare(CompareOp::Lt, size, number(8_388_608.0)),
        );
        Some(select(small, number_of, value(from)))
    }

    /// Returns the last step of a conversion, by bits or by a sequence of casts.
    pub(super) fn converted(&mut self, to: ValueId, from: ValueId, target: Ty) -> TileExpr {
        match self.binding.casts_by_bits(self.ty(from), target) {
            true => self.unsigned(to, from, target),
            false => self.steps(to, from, target),
        }
    }

    /// Returns the last cast of a sequence, after adding the casts before it.
    pub(super) fn steps(&mut self, to: ValueId, from: ValueId, target: Ty) -> TileExpr {
        let direct = TileExpr::Cast {
            value: from,
            mode: None,
        };
        let Some((last, steps)) = self
            .binding
            .route(self.ty(from), target)
            .and_then(<[_]>::split_last)
        else {
            return direct;
        };
        let (mut at, axes) = (from, self.axes(from));
        for (dtype, mode) in steps {
            let step = TileExpr::Cast {
                value: at,
                mode: Some(*mode),
            };
            at = self.def(to, dtype.name(), Ty::Is(*dtype), axes.clone(), step);
        }
        TileExpr::Cast {
            value: at,
            mode: Some(last.1),
        }
    }

    /// Makes a mask of the numbers that are not equal to 0.
    fn truth(&mut self, to: ValueId, from: ValueId, source: Ty) -> Made<TileExpr> {
        let none = || Gap::new("a compare of these elements with 0", self.span);
        let dtype = self.binding.compared_in(source).ok_or_else(none)?;
        let axes = self.axes(from);
        let number_of = match self.binding.is(source, dtype) {
            true => from,
            false => {
                let number_of = self.converted(to, from, Ty::Is(dtype));
                self.def(to, dtype.name(), Ty::Is(dtype), axes.clone(), number_of)
            }
        };
        // Not-equal is false beside a nan on the chip; integers have none.
        if !self.binding.is_float(source) {
            return Ok(compare(CompareOp::Ne, number_of, number(0.0)));
        }
        Ok(self.opposite(to, compare(CompareOp::Eq, number_of, number(0.0))))
    }

    fn mean(&mut self, to: ValueId, of: ValueId, over: &Axes) -> Made<TileExpr> {
        let mut count: Option<Scalar> = None;
        for ax in over.iter() {
            let AxFrom::Whole { extent } = &self.body.axes[ax.index()].from else {
                return Err(Gap::new("a mean along a run", self.span));
            };
            count = Some(count.map_or(extent.clone(), |n| n * extent.clone()));
        }
        let count = count.ok_or_else(|| Gap::new("a mean along no axis", self.span))?;
        let ty = self.body.values[of.index()].dtype;
        let sum = TileExpr::reduction(AxisReduceOp::Sum, of, over.clone());
        let sum = self.def(to, "sum", ty, self.axes(to), sum);
        let factor = Scalar::Float(1.0).bin(BinOp::Div, Scalar::cast(ScalarTy::F32, count));
        let args = vec![value(sum), Operand::Scalar { value: factor }];
        Ok(TileExpr::Op {
            op: Op::Binary(BinaryOp::Mul),
            args,
        })
    }

    /// Makes numbers of the bits of a mask.
    pub(super) fn bits(&mut self, to: ValueId, mask: ValueId) -> ValueId {
        let axes = self.axes(mask);
        let ones = self.def(
            to,
            "ones",
            BITS,
            axes.clone(),
            TileExpr::Fill {
                value: Scalar::Float(1.0),
            },
        );
        self.def(to, "bits", BITS, axes, select(mask, ones, number(0.0)))
    }

    fn of_mask(&mut self, to: ValueId, op: AxisReduceOp, mask: ValueId, over: &Axes) -> TileExpr {
        let bits = self.bits(to, mask);
        let found = TileExpr::reduction(op, bits, over.clone());
        let found = self.def(to, "found", BITS, self.axes(to), found);
        compare(CompareOp::Gt, found, number(0.0))
    }

    /// Fills a tile with the number of a select, for types whose select takes two tiles alone.
    fn filled_choice(&mut self, to: ValueId, choices: &[Operand]) -> Option<Vec<Operand>> {
        let [first, Operand::Scalar { value: number }] = choices else {
            return None;
        };
        let ty = self.ty(to);
        self.binding
            .is_composed(LayoutOp::SelectScalar.into(), ty)
            .then(|| {
                let filled = self.def(
                    to,
                    "number",
                    ty,
                    self.axes(to),
                    TileExpr::Fill {
                        value: number.clone(),
                    },
                );
                vec![first.clone(), value(filled)]
            })
    }

    /// Repeats a mask along the axes of the tiles that it selects from.
    fn repeated(&mut self, to: ValueId, mask: ValueId) -> ValueId {
        let (bits, axes) = (self.bits(to, mask), self.axes(to));
        let all = self.def(
            to,
            "all_bits",
            BITS,
            axes.clone(),
            TileExpr::Copy { value: bits },
        );
        self.def(
            to,
            "mask",
            Ty::Mask,
            axes,
            compare(CompareOp::Gt, all, number(0.0)),
        )
    }

    fn place(&mut self, to: ValueId, op: AxisReduceOp, of: ValueId, over: &Axes) -> Made<TileExpr> {
        let (own, axes) = (self.ty(of), self.axes(of));
        let is_pair = self.is(own, DType::I64);
        let of = if is_pair { of } else { self.ordered(to, of) };
        let end = if is_pair {
            None
        } else {
            Some(self.end_of(to, op, of, over))
        };
        let index = self.def(
            to,
            "index",
            PLACES,
            over.clone(),
            TileExpr::Iota {
                first: Scalar::Float(0.0),
            },
        );
        let index = match axes == *over {
            true => index,
            // Two selects read it.
            false => self.def(
                to,
                "indices",
                PLACES,
                axes.clone(),
                TileExpr::Copy { value: index },
            ),
        };
        let equal = match end {
            Some(end) => self.def(
                to,
                "equal",
                Ty::Mask,
                axes.clone(),
                compare(CompareOp::Eq, of, value(end)),
            ),
            None => self.is_end_along(to, op, of, over)?,
        };
        let mut at = self.def(
            to,
            "at",
            PLACES,
            axes.clone(),
            select(equal, index, number(f32::INFINITY)),
        );
        // Integers, converted or not, have no nan.
        if self.ty(of) == own && !is_pair && !self.is(own, DType::I32) {
            let numbers = self.def(
                to,
                "numbers",
                Ty::Mask,
                axes.clone(),
                compare(CompareOp::Eq, of, value(of)),
            );
            at = self.def(
                to,
                "place",
                PLACES,
                axes.clone(),
                select(numbers, at, value(index)),
            );
        }
        let lowest = TileExpr::reduction(AxisReduceOp::Min, at, over.clone());
        let lowest = self.def(to, "lowest", PLACES, axes.without(over), lowest);
        let found = TileExpr::Cast {
            value: lowest,
            mode: None,
        };
        let Some(start) = over.iter().find_map(|ax| self.starts.get(&ax).copied()) else {
            return Ok(found);
        };
        let found = self.def(to, "found", Ty::Is(DType::I32), axes.without(over), found);
        let start = Scalar::cast(ScalarTy::I32, Scalar::Var(start));
        Ok(TileExpr::Op {
            op: Op::Binary(BinaryOp::Add),
            args: vec![value(found), Operand::Scalar { value: start }],
        })
    }

    fn end_of(&mut self, to: ValueId, op: AxisReduceOp, of: ValueId, over: &Axes) -> ValueId {
        let (ty, left) = (self.ty(of), self.axes(of).without(over));
        self.def(
            to,
            "end",
            ty,
            left,
            TileExpr::reduction(op, of, over.clone()),
        )
    }
}
