//! J0902: sums of tile kernels that are rounded to 16 bits after each of many steps.
//!
//! It covers reductions, sums that a loop carries from iteration to iteration, and sums in GM. A
//! sum of at most [`FEW`] elements loses little and is not reported.
//!
//! A reduction whose result a loop adds up, or that is added to GM, loses most between the
//! iterations. A cast around the reduction does not mend that, so no edit is offered. A kernel over
//! element types carries and adds in the type that its caller chose. There the check reports only
//! reductions.

use crate::check::prove::facts::Facts;
use crate::diag::{Code, Diagnostic, Spot};
use crate::dtype::DType;
use crate::ir::tile::{Body, Stmt};
use crate::ir::uses;
use crate::ir::{
    AxFrom, AxId, BinOp, Kernel, Operand, Scalar, SpanId, StmtKind, StoreHow, TileExpr, TileStmt,
    Ty, ValueId,
};
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use std::collections::{BTreeMap, BTreeSet};

/// The most elements that a tree sums in three steps.
const FEW: i64 = 8;

/// Checks the sums of a tile kernel in an instance.
pub fn check_half_sums(
    kernel: &Kernel,
    body: &Body,
    binding: &[DType],
    found: &mut Vec<Diagnostic>,
) {
    if !body
        .values
        .iter()
        .any(|value| half(value.dtype, binding).is_some())
    {
        return;
    }
    let (defs, around, cut) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let (read, sums, carried, added) = (BTreeSet::new(), Vec::new(), Vec::new(), Vec::new());
    let mut all = Sums {
        kernel,
        body,
        binding,
        defs,
        around,
        cut,
        read,
        sums,
        carried,
        added,
    };
    all.stmts(&body.stmts, &[]);
    if !(all.sums.is_empty() && all.carried.is_empty() && all.added.is_empty()) {
        all.report(&Facts::new(&kernel.sig, body), found);
    }
}

/// Returns the type if it is a float type of 16 bits.
fn half(ty: Ty, binding: &[DType]) -> Option<DType> {
    match ty {
        Ty::Mask => None,
        Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => {
            let dtype = ty.resolve(binding);
            (dtype.is_float() && dtype.bytes() == 2).then_some(dtype)
        }
    }
}

/// A number of elements or iterations, where it is known.
type Count = Option<Scalar>;

struct Sums<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    binding: &'a [DType],
    defs: BTreeMap<ValueId, &'a TileExpr>,
    /// Number of loops around each definition.
    around: BTreeMap<ValueId, usize>,
    /// The axis that each run is a part of.
    cut: BTreeMap<AxId, AxId>,
    /// Values that statements other than casts read.
    read: BTreeSet<ValueId>,
    /// Reductions: the result, the operand, and the statement.
    sums: Vec<(ValueId, ValueId, SpanId)>,
    /// Values that a loop adds to another one in each iteration, with the iteration counts.
    carried: Vec<(ValueId, Vec<Count>, SpanId)>,
    /// Values that are added to GM.
    added: Vec<(ValueId, SpanId)>,
}

impl<'a> Sums<'a> {
    fn half(&self, value: ValueId) -> Option<DType> {
        half(self.body.values[value.index()].dtype, self.binding)
    }

    /// Returns the type if it has 16 bits and the author wrote it, not a type parameter.
    fn written(&self, value: ValueId) -> Option<DType> {
        self.half(value)
            .filter(|_| matches!(self.body.values[value.index()].dtype, Ty::Is(_)))
    }

    fn stmts(&mut self, stmts: &'a [Stmt], loops: &[Count]) {
        for s in stmts {
            let mut inner = loops.to_vec();
            if !matches!(
                &s.kind,
                StmtKind::Do(TileStmt::Def {
                    expr: TileExpr::Cast { .. } | TileExpr::Truncate { .. },
                    ..
                })
            ) {
                uses(s, &mut self.read);
            }
            match &s.kind {
                StmtKind::Do(TileStmt::Def { value, expr }) => {
                    self.defs.insert(*value, expr);
                    self.around.insert(*value, loops.len());
                    match expr {
                        // bf16 is summed in f32.
                        TileExpr::Reduce {
                            op: AxisReduceOp::Sum | AxisReduceOp::Mean,
                            value: from,
                            ..
                        } if self.half(*from) == Some(DType::F16) => {
                            self.sums.push((*value, *from, s.span));
                        }
                        _ => {}
                    }
                }
                StmtKind::Do(TileStmt::Set { value, from }) => {
                    self.set(*value, *from, loops, s.span)
                }
                StmtKind::Do(TileStmt::Store { value, how, .. }) => {
                    let is_sum = *how == StoreHow::Add && self.written(*value).is_some();
                    self.added.extend(is_sum.then_some((*value, s.span)));
                }
                StmtKind::For { from, to, .. } => inner.push(Some(to.clone() - from.clone())),
                StmtKind::Do(TileStmt::Loop { tile }) => {
                    self.cut
                        .extend(tile.specs.iter().map(|spec| (spec.ax, spec.of)));
                    inner.extend(tile.specs.iter().map(|spec| self.extent(spec.of)));
                }
                StmtKind::LetScalar { .. }
                | StmtKind::SetScalar { .. }
                | StmtKind::If { .. }
                | StmtKind::Promise { .. } => {}
                StmtKind::Do(
                    TileStmt::Append { .. } | TileStmt::Read { .. } | TileStmt::Dump { .. },
                ) => {}
            }
            s.children()
                .into_iter()
                .flatten()
                .for_each(|stmts| self.stmts(stmts, &inner));
        }
    }

    /// Notes a value that becomes the sum of itself and another.
    fn set(&mut self, value: ValueId, from: ValueId, loops: &[Count], span: SpanId) {
        let Some(TileExpr::Op {
            op: Op::Binary(BinaryOp::Add),
            args,
        }) = self.defs.get(&from)
        else {
            return;
        };
        let part = match &args[..] {
            [Operand::Value { value: old }, Operand::Value { value: part }]
            | [Operand::Value { value: part }, Operand::Value { value: old }]
                if *old == value =>
            {
                *part
            }
            _ => return,
        };
        let Some(turns) = self
            .around
            .get(&value)
            .and_then(|around| loops.get(*around..))
        else {
            return;
        };
        if self.written(value).is_some() && !turns.is_empty() {
            self.carried.push((part, turns.to_vec(), span));
        }
    }

    /// Returns the size of an axis, or of the axis that it is a part of.
    fn extent(&self, ax: AxId) -> Count {
        match &self.body.axes[ax.index()].from {
            AxFrom::Whole { extent } => Some(extent.clone()),
            AxFrom::Run { .. } => self.extent(*self.cut.get(&ax)?),
            AxFrom::Hull { .. } => None,
        }
    }

    fn report(&self, facts: &Facts, found: &mut Vec<Diagnostic>) {
        let few = |counts: Vec<Count>| {
            let all = counts.into_iter().try_fold(Scalar::Int(1), |all, count| {
                Some(all.bin(BinOp::Mul, facts.inline(&count?)))
            });
            all.is_some_and(|all| facts.proves_le(&all, &Scalar::Int(FEW)))
        };
        let joined: BTreeSet<ValueId> = self
            .carried
            .iter()
            .map(|(part, ..)| *part)
            .chain(self.added.iter().map(|(part, _)| *part))
            .collect();
        let mut told = BTreeSet::new();
        for (value, from, span) in &self.sums {
            let Some(TileExpr::Reduce { op, over, .. }) = self.defs.get(value) else {
                continue;
            };
            if few(over.iter().map(|ax| self.extent(ax)).collect()) {
                continue;
            }
            told.insert(*value);
            let d = half_sum(*span);
            found.push(match joined.contains(value) {
                true => d.help(
                    "the sum of these sums is rounded, too: add up in `f32`, from the first iteration on, and cast behind the loop",
                ),
                false => self.through(d, Op::AxisReduce(*op).name(), *value, *from, *span),
            });
        }
        for (part, turns, span) in &self.carried {
            if !told.contains(part) && !few(turns.clone()) {
                let text = format!(
                    "a sum that a loop carries on in {} rounds after every iteration{}",
                    self.name(*part),
                    past(self.half(*part))
                );
                found.push(
                    Diagnostic::new(Code::J0902, *span, text)
                        .help("carry it on in `f32`, and cast behind the loop"),
                );
            }
        }
        for (part, span) in &self.added {
            if !told.contains(part) {
                let text = format!(
                    "sums of {} in GM round after every iteration{}",
                    self.name(*part),
                    past(self.half(*part))
                );
                let help = "add up in a tensor or workspace of `f32`, and cast in a loop behind";
                found.push(Diagnostic::new(Code::J0902, *span, text).help(help));
            }
        }
    }

    fn name(&self, value: ValueId) -> &'static str {
        self.half(value).map_or("16 bits", DType::name)
    }

    /// Adds the edits for a reduction: wider elements, and a cast back where more than casts read
    /// it.
    fn through(
        &self,
        d: Diagnostic,
        method: &str,
        sum: ValueId,
        from: ValueId,
        span: SpanId,
    ) -> Diagnostic {
        let back = self
            .kernel
            .sig
            .ty_name(self.body.values[from.index()].dtype);
        let d = d.word(span, method, format!("cast::<f32>().{method}"));
        match self.read.contains(&sum) {
            true => d.edit(span, Spot::After, format!(".cast::<{back}>()")),
            false => d,
        }
    }
}

/// Returns the finding for a sum in f16.
pub(super) fn half_sum(span: SpanId) -> Diagnostic {
    let text = "a sum in f16 rounds after every step and overflows past 65504";
    Diagnostic::new(Code::J0902, span, text).help("widen first: `.cast::<f32>()`")
}

/// Describes the overflow of a type that reaches its largest number early.
fn past(dtype: Option<DType>) -> &'static str {
    match dtype {
        Some(DType::F16) => " and overflows past 65504",
        Some(_) | None => "",
    }
}
