//! J0904: positions along an axis that are kept as `f32` and then taken for whole numbers again.
//!
//! `f32` holds every whole number up to 2^24; of two neighbours beyond that it may make one. So a tile of indices (`iota`) of an axis that nothing
//! bounds by 2^24 is followed through casts, copies and arithmetic that keeps whole numbers whole. Where it becomes whole numbers again, or is asked
//! for equality, some index is not the one that was meant. What is scaled, or joined with data, is a position more or less, and nothing is said of it.

use super::facts::Facts;
use crate::diag::{Code, Diagnostic, Spot};
use crate::dtype::DType;
use crate::ir::{AxFrom, AxId, BinOp, Body, Kernel, Level, Operand, Scalar, ScalarTy, SpanId, StmtKind, TileExpr, Ty, ValueId};
use crate::lower::WholeAxis;
use crate::ops::{BinaryOp, CompareOp, Op, UnaryOp};
use std::collections::BTreeMap;

/// Up to here `f32` holds every whole number.
const HELD: i64 = 1 << 24;

/// Judges what a tile kernel does with its indices in an instance; `whole` are the axes that UB bounds.
pub(super) fn check_positions(kernel: &Kernel, binding: &[DType], whole: &[WholeAxis], found: &mut Vec<Diagnostic>) {
    if kernel.level == Level::Queue {
        return;
    }
    let body = &kernel.body;
    let (mut cut, mut counts) = (BTreeMap::new(), false);
    body.walk(&mut |s| {
        counts |= matches!(&s.kind, StmtKind::Def { expr: TileExpr::Iota { .. }, .. });
        if let StmtKind::Loop { tile } = &s.kind {
            cut.extend(tile.specs.iter().map(|spec| (spec.ax, spec.of)));
        }
    });
    if !counts {
        return;
    }
    let mut facts = Facts::new(&kernel.sig, body);
    whole.iter().for_each(|of| facts.assume(&Scalar::Axis(of.axis).bin(BinOp::Le, of.most)));
    let mut walk = Walk { kernel, body, binding, facts, cut, kept: BTreeMap::new(), found };
    body.walk(&mut |s| {
        // No other statements make tiles.
        if let StmtKind::Def { value, expr } = &s.kind {
            walk.define(*value, expr, s.span);
        }
        if let StmtKind::Set { value, from } = &s.kind {
            walk.keep(*value, walk.kept.get(from).copied());
        }
    });
}

/// A tile of positions.
#[derive(Clone, Copy)]
struct Positions {
    ax: AxId,
    /// True where they have become floats.
    floats: bool,
    /// Where they were counted.
    counted: SpanId,
}

struct Walk<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    binding: &'a [DType],
    facts: Facts,
    /// Of what a run is a part.
    cut: BTreeMap<AxId, AxId>,
    kept: BTreeMap<ValueId, Positions>,
    found: &'a mut Vec<Diagnostic>,
}

impl Walk<'_> {
    fn keep(&mut self, value: ValueId, positions: Option<Positions>) {
        match positions {
            Some(positions) => _ = self.kept.insert(value, positions),
            None => _ = self.kept.remove(&value),
        }
    }

    fn dtype(&self, value: ValueId) -> Option<DType> {
        match self.body.values[value.index()].dtype {
            Ty::Mask => None,
            ty @ (Ty::Is(_) | Ty::Param(_) | Ty::Wide(_)) => Some(ty.resolve(self.binding)),
        }
    }

    fn define(&mut self, value: ValueId, expr: &TileExpr, span: SpanId) {
        let dtype = self.dtype(value);
        let positions = match expr {
            TileExpr::Iota { .. } => {
                let ax = self.body.values[value.index()].axes.iter().next();
                let long = ax.filter(|ax| self.extent(*ax).is_some_and(|n| !self.facts.proves_le(n, &Scalar::Int(HELD))));
                long.map(|ax| Positions { ax, floats: dtype == Some(DType::F32), counted: span })
            }
            TileExpr::Cast { value: from, .. } | TileExpr::Truncate { value: from } => {
                match (self.kept.get(from).copied(), dtype) {
                    (Some(positions), Some(DType::F32)) => Some(Positions { floats: true, ..positions }),
                    (Some(positions), Some(DType::I32 | DType::I64 | DType::U32)) => {
                        if positions.floats {
                            self.lost(positions, "become whole numbers again", span);
                        }
                        (!positions.floats).then_some(positions)
                    }
                    // Narrower types hold no such position, and nobody takes what is left for one.
                    (Some(_), _) | (None, _) => None,
                }
            }
            TileExpr::Copy { value: from } | TileExpr::Round { value: from, .. } => self.kept.get(from).copied(),
            TileExpr::Op { op, args } => self.computed(*op, args, span),
            // These choose, join or load, and what comes of it need be no position.
            TileExpr::Load { .. } | TileExpr::LoadOr { .. } | TileExpr::Fill { .. } | TileExpr::Across { .. } => None,
            TileExpr::Appended { .. } | TileExpr::Reduce { .. } | TileExpr::Pick { .. } => None,
            TileExpr::Top { .. } | TileExpr::Scan { .. } => None,
        };
        self.keep(value, positions);
    }

    /// What becomes of positions in an op: they stay such where whole numbers stay whole, and are not bounded from above.
    fn computed(&mut self, op: Op, args: &[Operand], span: SpanId) -> Option<Positions> {
        let of = |arg: &Operand| arg.value().and_then(|v| self.kept.get(&v).copied());
        let positions = args.iter().find_map(of)?;
        let keeps = |arg: &Operand| match arg {
            Operand::Value { value } => self.kept.contains_key(value) || self.dtype(*value).is_some_and(|d| !d.is_float()),
            Operand::Scalar { value } => is_whole(value),
        };
        match op {
            Op::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Max) => {
                args.iter().all(keeps).then_some(positions)
            }
            Op::Unary(UnaryOp::Neg | UnaryOp::Abs | UnaryOp::Relu) => Some(positions),
            Op::Compare(CompareOp::Eq | CompareOp::Ne) if positions.floats => {
                // A small number is equal to itself alone.
                let small = |arg: &Operand| matches!(arg, Operand::Scalar { value: Scalar::Float(v) } if v.abs() < HELD as f32);
                if !args.iter().any(small) {
                    self.lost(positions, "are asked for equality", span);
                }
                None
            }
            // What is computed of them otherwise is bounded, scaled, or no number.
            Op::Binary(BinaryOp::Div | BinaryOp::Min)
            | Op::Unary(_)
            | Op::Compare(_)
            | Op::Mask(_)
            | Op::Bit(_)
            | Op::Shift(_) => None,
            Op::Layout(_) | Op::BinaryScalar(_) | Op::CompareScalar(_) | Op::Reduce(_) | Op::AxisReduce(_) | Op::Copy(_) => None,
            Op::Scalar(_) | Op::Partial(_) | Op::Scan(_) | Op::Compound(_) | Op::Wait(_) => None,
        }
    }

    /// How many indices there are along an axis, or the one that it is a part of.
    fn extent(&self, ax: AxId) -> Option<&Scalar> {
        match &self.body.axes[ax.index()].from {
            AxFrom::Whole { extent } => Some(extent),
            AxFrom::Run { .. } => self.extent(*self.cut.get(&ax)?),
            AxFrom::Hull { of, .. } => self.extent(*of),
        }
    }

    fn lost(&mut self, positions: Positions, how: &str, span: SpanId) {
        let sig = &self.kernel.sig;
        let said = match self.extent(positions.ax) {
            Some(Scalar::Axis(axis)) => Some(&sig.axes[axis.index()].name),
            Some(Scalar::Attr(attr, _)) => Some(&sig.param(*attr).name),
            // A computed size has no name.
            Some(_) | None => None,
        };
        let (name, bound) = match said {
            Some(name) => (name, format!("`require({name} <= {HELD})`")),
            None => (&self.body.axes[positions.ax.index()].name, format!("require that the axis has at most {HELD} indices")),
        };
        let text = format!(
            "positions along `{name}` {how} after they were f32, which holds whole numbers up to {HELD}; nothing says that `{name}` ends there"
        );
        let help = format!("{bound}, or compute with the `i32` that `iota` gives");
        let d = Diagnostic::new(Code::J0904, span, text).label(positions.counted, "counted here").help(help);
        let first = self.kernel.body.stmts.first().map(|s| s.span);
        self.found.push(match (said, first) {
            (Some(name), Some(first)) => d.edit(first, Spot::StatementBefore, format!("require({name} <= {HELD});")).maybe(),
            _ => d,
        });
    }
}

/// True for a number that is known to be whole.
fn is_whole(s: &Scalar) -> bool {
    match s {
        Scalar::Float(v) => v.fract() == 0.0,
        Scalar::Cast(_, of) => matches!(of.ty(), ScalarTy::Index | ScalarTy::I32),
        _ => matches!(s.ty(), ScalarTy::Index | ScalarTy::I32),
    }
}
