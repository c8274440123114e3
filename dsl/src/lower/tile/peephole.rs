//! Replaces ops by fewer ops with the same bits.
//!
//! - One op of f16 values in `f32` between casts is that op in `f16`, for + − × ÷ √. The mantissas
//!   have so many bits that rounding twice equals rounding once (Figueroa, When is double rounding
//!   innocuous?, 1995).
//! - `s - v * c` is `v * -c + s`: a product and its negative differ in the sign alone.
//! - An operand that is one number everywhere becomes that number.
//! - A value that is repeated for one op needs no repetition, if the other operand has the axes
//!   that it lacks.

use crate::dtype::{DType, RoundMode};
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts_mut, Axes, Operand, Scalar, ScalarTy, StmtKind, TileExpr, TileStmt, UnOp, ValueId,
};
use crate::lower::type_queries::Binding;
use crate::ops::{BinaryOp, Op, UnaryOp};
use crate::soc::Chip;
use half::{bf16, f16};
use std::collections::BTreeMap;

/// Values that are defined once, with their definitions and the number of their uses.
pub(super) struct Known {
    exprs: BTreeMap<ValueId, TileExpr>,
    reads: BTreeMap<ValueId, usize>,
}

impl Known {
    pub(super) fn of(body: &Body) -> Known {
        let (mut exprs, mut reads) = (BTreeMap::new(), BTreeMap::new());
        body.walk(&mut |s| {
            if let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind {
                if !body.values[value.index()].mutable {
                    exprs.insert(*value, expr.clone());
                }
            }
            let mut used = std::collections::BTreeSet::new();
            crate::ir::uses(s, &mut used);
            used.into_iter()
                .for_each(|v| *reads.entry(v).or_default() += 1);
        });
        Known { exprs, reads }
    }

    /// Returns the number that a value is everywhere. A cast from f16 or bf16 rounds it to that
    /// type first.
    fn number(&self, v: ValueId, is: &dyn Fn(ValueId, DType) -> bool) -> Option<Scalar> {
        let (from, c) = match self.exprs.get(&v)? {
            TileExpr::Fill { value } => return Some(value.clone()),
            TileExpr::Cast { value: from, .. } => match self.exprs.get(from)? {
                TileExpr::Fill {
                    value: Scalar::Float(c),
                } => (*from, *c),
                _ => return None,
            },
            _ => return None,
        };
        let (half, brain) = (f16::from_f32(c).to_f32(), bf16::from_f32(c).to_f32());
        let of = |dtype| is(from, dtype);
        let rounded = match () {
            () if !is(v, DType::F32) => return None,
            () if half == c && brain == c => c,
            () if of(DType::F16) => half,
            () if of(DType::Bf16) => brain,
            () => return None,
        };
        Some(Scalar::Float(rounded))
    }
    /// Returns the definition of a value that only one statement reads.
    pub(super) fn once(&self, v: ValueId) -> Option<&TileExpr> {
        self.exprs
            .get(&v)
            .filter(|_| self.reads.get(&v) == Some(&1))
    }
}

/// Rewrites a body with fewer ops.
pub fn run(body: &mut Body, binding: &Binding<'_>, chip: &Chip) {
    let known = Known::of(body);
    let mut negated = Vec::new();
    let types: Vec<_> = body.values.iter().map(|v| v.dtype).collect();
    let is = |v: ValueId, dtype: DType| binding.is(types[v.index()], dtype);
    let mutable: Vec<_> = body.values.iter().map(|v| v.mutable).collect();
    let axes: Vec<_> = body.values.iter().map(|v| v.axes.clone()).collect();
    walk_stmts_mut(&mut body.stmts, &mut |s| {
        let StmtKind::Do(TileStmt::Def { value, expr }) = &mut s.kind else {
            return;
        };
        if let TileExpr::Op {
            op: Op::Binary(_) | Op::Compare(_),
            args,
        } = expr
        {
            with_numbers(args, &|v| known.number(v, &is), &|v| {
                axes[v.index()] == axes[value.index()]
            });
        }
        let made = match expr {
            // Types are asked for last: instances that differ in nothing else are lowered once.
            TileExpr::Cast {
                value: from,
                mode: None | Some(RoundMode::Rint),
            } => {
                let halved =
                    |v: ValueId| halved(&known, v, &|v| !mutable[v.index()] && is(v, DType::F16));
                narrowed(&known, *from, chip, &halved).filter(|_| is(*value, DType::F16))
            }
            TileExpr::Op {
                op: op @ Op::Binary(_),
                args,
            } if args
                .iter()
                .filter_map(Operand::value)
                .any(|v| repeated_by(&known, v).is_some()) =>
            {
                let plain =
                    |v: ValueId| repeated_by(&known, v).filter(|from| !mutable[from.index()]);
                unrepeated(args, &plain, &|v| &axes[v.index()], &axes[value.index()])
                    .map(|args| TileExpr::Op { op: *op, args })
            }
            TileExpr::Op {
                op: Op::Binary(BinaryOp::Sub),
                args,
            } => match &args[..] {
                [Operand::Scalar { value: s }, Operand::Value { value: product }]
                    if s.ty() == ScalarTy::F32 =>
                {
                    scaled(&known, *product).map(|()| {
                        negated.push(*product);
                        let args = vec![
                            Operand::Value { value: *product },
                            Operand::Scalar { value: s.clone() },
                        ];
                        TileExpr::Op {
                            op: Op::Binary(BinaryOp::Add),
                            args,
                        }
                    })
                }
                _ => None,
            },
            TileExpr::Load { .. }
            | TileExpr::LoadOr { .. }
            | TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Cast { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Copy { .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. }
            | TileExpr::Op { .. } => None,
        };
        if let Some(made) = made {
            *expr = made;
        }
    });
    walk_stmts_mut(&mut body.stmts, &mut |s| negate(s, &negated));
    super::normalize::drop_idle(body);
}

/// Puts numbers in place of tiles of them, where the other operand has all axes of the result. Only
/// the second operand may be a number, as in a compare.
fn with_numbers(
    args: &mut [Operand],
    number: &dyn Fn(ValueId) -> Option<Scalar>,
    is_whole: &dyn Fn(ValueId) -> bool,
) {
    let [Operand::Value { value: a }, second @ Operand::Value { .. }] = args else {
        return;
    };
    let Operand::Value { value: b } = *second else {
        return;
    };
    if let Some(value) = number(b).filter(|_| is_whole(*a)) {
        *second = Operand::Scalar { value };
    }
}

/// Returns the source of a repetition that only one statement reads.
fn repeated_by(known: &Known, v: ValueId) -> Option<ValueId> {
    match known.once(v)? {
        TileExpr::Copy { value } => Some(*value),
        _ => None,
    }
}

/// Returns the operands without their repetitions, if the result keeps its axes.
fn unrepeated<'b>(
    args: &[Operand],
    plain: &dyn Fn(ValueId) -> Option<ValueId>,
    axes: &dyn Fn(ValueId) -> &'b Axes,
    result: &Axes,
) -> Option<Vec<Operand>> {
    let own = |a: &Operand| {
        a.value()
            .and_then(plain)
            .map_or(a.clone(), |value| Operand::Value { value })
    };
    let made: Vec<Operand> = args.iter().map(own).collect();
    let all = made
        .iter()
        .filter_map(Operand::value)
        .fold(Axes::default(), |all, v| all.union(axes(v)));
    (all == *result && made[..] != *args).then_some(made)
}

/// Returns the f16 value of which a value is the cast to `f32`.
fn halved(known: &Known, v: ValueId, is_half: &dyn Fn(ValueId) -> bool) -> Option<ValueId> {
    match known.exprs.get(&v)? {
        TileExpr::Cast { value, .. } if is_half(*value) => Some(*value),
        _ => None,
    }
}

/// Returns the f16 op that equals an op in `f32` whose operands all are casts from f16.
fn narrowed(
    known: &Known,
    v: ValueId,
    chip: &Chip,
    halved: &dyn Fn(ValueId) -> Option<ValueId>,
) -> Option<TileExpr> {
    let TileExpr::Op { op, args } = known.once(v)? else {
        return None;
    };
    let exact = matches!(
        op,
        Op::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div)
            | Op::Unary(UnaryOp::Sqrt)
    );
    if !exact || !op.def().dtypes(chip.arch).contains(&DType::F16) {
        return None;
    }
    let args = args.iter().map(|a| match a {
        Operand::Value { value } => Some(Operand::Value {
            value: halved(*value)?,
        }),
        Operand::Scalar {
            value: Scalar::Float(c),
        } if f16::from_f32(*c).to_f32().to_bits() == c.to_bits() => Some(a.clone()),
        Operand::Scalar { .. } => None,
    });
    Some(TileExpr::Op {
        op: *op,
        args: args.collect::<Option<_>>()?,
    })
}

/// Returns `Some` for a product with a number that only one statement reads.
fn scaled(known: &Known, v: ValueId) -> Option<()> {
    let TileExpr::Op {
        op: Op::Binary(BinaryOp::Mul),
        args,
    } = known.once(v)?
    else {
        return None;
    };
    args.iter()
        .any(|a| matches!(a, Operand::Scalar { value } if value.ty() == ScalarTy::F32))
        .then_some(())
}

/// Negates the number in a product.
fn negate(s: &mut Stmt, negated: &[ValueId]) {
    let StmtKind::Do(TileStmt::Def {
        value,
        expr: TileExpr::Op { args, .. },
    }) = &mut s.kind
    else {
        return;
    };
    if !negated.contains(value) {
        return;
    }
    for a in args {
        if let Operand::Scalar { value } = a {
            *value = match value {
                Scalar::Float(c) => Scalar::Float(-*c),
                _ => Scalar::un(UnOp::Neg, value.clone()),
            };
        }
    }
}
