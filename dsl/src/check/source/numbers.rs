//! Bounds of the numbers in `i32` tiles, before the kernel runs.
//!
//! Clamps, indices along axes, and promises give bounds. Arithmetic on `i32` wraps around, so a
//! bound goes through it only where no number can leave the type.

use crate::check::prove::facts::Facts;
use crate::dtype::DType;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    uses, walk_stmts, AxFrom, AxId, BinOp, Operand, Scalar, ScalarTy, Signature, StmtKind,
    TileExpr, TileStmt, Ty, ValueId, VarId,
};
use crate::ops::{BinaryOp, BitOp, LayoutOp, Op, ShiftOp, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// Upper bound of an axis that lies in UB from end to end, on any chip.
pub(super) const MOST_IN_UB: i64 = 1 << 30;

/// Most bounds of one kind that are kept. `MOST_STEPS` limits the chain of definitions.
const MOST_BOUNDS: usize = 4;
const MOST_STEPS: u32 = 12;

/// Lower and upper bounds of all elements of a tile. Each bound of a list holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    pub least: Vec<Scalar>,
    pub most: Vec<Scalar>,
}

impl Bounds {
    fn of(least: impl Into<Scalar>, most: impl Into<Scalar>) -> Bounds {
        Bounds {
            least: vec![least.into()],
            most: vec![most.into()],
        }
    }
}

/// Finds the ranges of values.
pub(super) struct Numbers<'a> {
    sig: &'a Signature,
    body: &'a Body,
    /// Values with one definition.
    defs: BTreeMap<ValueId, &'a TileExpr>,
    /// Values that an `if` chooses.
    chosen: BTreeMap<ValueId, Arms<'a>>,
    /// Scalars with one definition.
    lets: BTreeMap<VarId, &'a Scalar>,
    /// First index and whole axis of each run.
    starts: BTreeMap<AxId, (VarId, AxId)>,
}

impl<'a> Numbers<'a> {
    pub fn new(sig: &'a Signature, body: &'a Body, starts: &BTreeMap<AxId, (VarId, AxId)>) -> Self {
        let (mut defs, mut lets) = (BTreeMap::new(), BTreeMap::new());
        body.walk(&mut |s| match &s.kind {
            StmtKind::Do(TileStmt::Def { value, expr }) => _ = defs.insert(*value, expr),
            StmtKind::LetScalar { var, value } => _ = lets.insert(*var, value),
            StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. } => {}
            StmtKind::Do(TileStmt::Loop { .. } | TileStmt::Set { .. } | TileStmt::Store { .. }) => {
            }
            StmtKind::Do(
                TileStmt::Append { .. } | TileStmt::Read { .. } | TileStmt::Dump { .. },
            ) => {}
        });
        defs.retain(|value, _| !body.values[value.index()].mutable);
        lets.retain(|var, _| !body.var(*var).mutable);
        Numbers {
            sig,
            body,
            defs,
            chosen: chosen(body),
            lets,
            starts: starts.clone(),
        }
    }

    /// Returns the bounds of an `i32` tile under the facts on sizes.
    pub fn of(&self, value: ValueId, facts: &Facts) -> Bounds {
        Known {
            numbers: self,
            facts,
        }
        .range(value, MOST_STEPS)
    }
}

struct Known<'r, 'a> {
    numbers: &'r Numbers<'a>,
    facts: &'r Facts,
}

impl Known<'_, '_> {
    fn dtype(&self, value: ValueId) -> Ty {
        self.numbers.body.values[value.index()].dtype
    }

    fn range(&self, value: ValueId, steps: u32) -> Bounds {
        let Some(steps) = steps.checked_sub(1) else {
            return Bounds::default();
        };
        let arms = self.numbers.chosen.get(&value);
        if let Some(arms) = arms {
            let [a, b] = arms.map(|arm| match arm {
                Arm::Sets(from) => self.range(from, steps),
                Arm::Keeps(expr) => self.made(value, expr, steps),
            });
            return either(&a, &b);
        }
        self.numbers
            .defs
            .get(&value)
            .map(|expr| self.made(value, expr, steps))
            .unwrap_or_default()
    }

    /// Returns the bounds of the value that an expression computes.
    fn made(&self, value: ValueId, expr: &TileExpr, steps: u32) -> Bounds {
        match expr {
            TileExpr::Load { from } => {
                match from.param().and_then(|of| self.numbers.sig.promise(of)) {
                    Some(below) => Bounds::of(0, below.clone() - 1),
                    None => Bounds::default(),
                }
            }
            TileExpr::Fill { value } => self.number(value),
            TileExpr::Iota { first } => self.indices(value, first),
            TileExpr::Reduce {
                op,
                over,
                onto: None,
                ..
            } if op.is_place() => {
                let mut ends = over
                    .iter()
                    .filter_map(|ax| self.extent(ax))
                    .map(|n| Bounds::of(0, n - 1));
                ends.next().unwrap_or_default()
            }
            TileExpr::Top { along, .. } => self
                .extent(*along)
                .map(|n| Bounds::of(0, n - 1))
                .unwrap_or_default(),
            TileExpr::Op {
                op: Op::Binary(op),
                args,
            } => match &args[..] {
                [a, b] => self.binary(*op, &self.operand(a, steps), &self.operand(b, steps)),
                _ => Bounds::default(),
            },
            TileExpr::Op {
                op: Op::Bit(BitOp::And),
                args,
            } => match &args[..] {
                [a, b] => self.masked(&self.operand(a, steps), &self.operand(b, steps)),
                _ => Bounds::default(),
            },
            TileExpr::Op {
                op: Op::Shift(op),
                args,
            } => match &args[..] {
                [a, Operand::Scalar { value: by }] => {
                    self.shifted(*op, &self.operand(a, steps), by)
                }
                _ => Bounds::default(),
            },
            TileExpr::Op {
                op: Op::Layout(LayoutOp::Select),
                args,
            } => match &args[..] {
                [_, a, b] => either(&self.operand(a, steps), &self.operand(b, steps)),
                _ => Bounds::default(),
            },
            TileExpr::Cast { value: from, .. } | TileExpr::Truncate { value: from } => {
                match self.dtype(*from) {
                    Ty::Is(DType::I32 | DType::I64) => self.within(self.range(*from, steps)),
                    // A cast saturates: too large a float becomes `i32::MAX`, and NaN becomes 0.
                    Ty::Is(DType::F16 | DType::Bf16 | DType::F32)
                        if self.not_negative(*from, steps) =>
                    {
                        Bounds::of(0, i64::from(i32::MAX))
                    }
                    Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) | Ty::Mask => Bounds::default(),
                }
            }
            TileExpr::Copy { value } | TileExpr::Pick { value, .. } => self.range(*value, steps),
            TileExpr::LoadOr { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Round { .. }
            | TileExpr::Scan { .. }
            | TileExpr::Op { .. } => Bounds::default(),
        }
    }

    fn operand(&self, a: &Operand, steps: u32) -> Bounds {
        match a {
            Operand::Value { value } => self.range(*value, steps),
            Operand::Scalar { value } => self.number(value),
        }
    }

    fn number(&self, s: &Scalar) -> Bounds {
        self.whole(s)
            .map(|n| Bounds::of(n.clone(), n))
            .unwrap_or_default()
    }

    /// Returns an `i32` scalar as a size, if no arithmetic wraps.
    fn whole(&self, s: &Scalar) -> Option<Scalar> {
        let exact = match s {
            Scalar::I32(v) => return Some(Scalar::Int(i64::from(*v))),
            Scalar::Var(var) => return self.whole(self.numbers.lets.get(var)?),
            Scalar::Cast(ScalarTy::I32, of) if of.ty() == ScalarTy::Index => (**of).clone(),
            Scalar::Bin(
                op @ (BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Min | BinOp::Max),
                a,
                b,
            ) => self.whole(a)?.bin(*op, self.whole(b)?),
            _ => return None,
        };
        self.fits(&exact, &exact).then_some(exact)
    }

    /// True if all numbers from `least` to `most` fit in `i32`.
    fn fits(&self, least: &Scalar, most: &Scalar) -> bool {
        let (low, high) = (
            Scalar::Int(i64::from(i32::MIN)),
            Scalar::Int(i64::from(i32::MAX)),
        );
        self.facts.proves_le(&low, least) && self.facts.proves_le(most, &high)
    }

    /// Returns the bounds if they keep all numbers inside of `i32`, else none.
    fn within(&self, range: Bounds) -> Bounds {
        let fits = range
            .least
            .iter()
            .any(|low| range.most.iter().any(|high| self.fits(low, high)));
        if fits {
            range
        } else {
            Bounds::default()
        }
    }

    fn extent(&self, ax: AxId) -> Option<Scalar> {
        let of = self.numbers.starts.get(&ax).map_or(ax, |(_, of)| *of);
        match &self.numbers.body.axes[of.index()].from {
            AxFrom::Whole { extent } => Some(self.facts.inline(extent)),
            AxFrom::Run { .. } | AxFrom::Hull { .. } => None,
        }
    }

    /// Returns the bounds of indices along an axis, which the host keeps within `i32`.
    fn indices(&self, value: ValueId, first: &Scalar) -> Bounds {
        let Some(ax) = self.numbers.body.values[value.index()].axes.iter().next() else {
            return Bounds::default();
        };
        let own = match self.numbers.starts.get(&ax) {
            Some((start, _)) => Scalar::cast(ScalarTy::I32, Scalar::Var(*start)),
            None => Scalar::cast(ScalarTy::I32, Scalar::Int(0)),
        };
        match self.extent(ax) {
            Some(extent) if own == *first => Bounds::of(0, extent - 1),
            Some(_) | None => Bounds::default(),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Bounds, b: &Bounds) -> Bounds {
        let all =
            |a: &[Scalar], b: &[Scalar]| a.iter().chain(b).take(MOST_BOUNDS).cloned().collect();
        match op {
            BinaryOp::Max => Bounds {
                least: all(&a.least, &b.least),
                most: pairs(&a.most, &b.most, Scalar::max),
            },
            BinaryOp::Min => Bounds {
                least: pairs(&a.least, &b.least, Scalar::min),
                most: all(&a.most, &b.most),
            },
            BinaryOp::Add => self.within(Bounds {
                least: pairs(&a.least, &b.least, |a, b| a + b),
                most: pairs(&a.most, &b.most, |a, b| a + b),
            }),
            BinaryOp::Sub => self.within(Bounds {
                least: pairs(&a.least, &b.most, |a, b| a - b),
                most: pairs(&a.most, &b.least, |a, b| a - b),
            }),
            BinaryOp::Mul => match [a, b].iter().all(|range| self.is_not_negative(range)) {
                true => self.within(Bounds {
                    least: vec![Scalar::Int(0)],
                    most: pairs(&a.most, &b.most, |a, b| a * b),
                }),
                false => Bounds::default(),
            },
            BinaryOp::Div => Bounds::default(),
        }
    }

    fn is_not_negative(&self, range: &Bounds) -> bool {
        range
            .least
            .iter()
            .any(|low| self.facts.proves_le(&Scalar::Int(0), low))
    }

    /// Returns the bounds of a bitwise and. A nonnegative operand bounds the result from above.
    fn masked(&self, a: &Bounds, b: &Bounds) -> Bounds {
        let own: Vec<&Bounds> = [a, b]
            .into_iter()
            .filter(|range| self.is_not_negative(range))
            .collect();
        let most = own
            .iter()
            .flat_map(|range| range.most.iter().cloned())
            .take(MOST_BOUNDS)
            .collect();
        Bounds {
            least: if own.is_empty() {
                Vec::new()
            } else {
                vec![Scalar::Int(0)]
            },
            most,
        }
    }

    /// Returns the bounds of nonnegative numbers that are shifted by a constant.
    fn shifted(&self, op: ShiftOp, a: &Bounds, by: &Scalar) -> Bounds {
        let power = by
            .as_int()
            .filter(|by| (0..31).contains(by))
            .map(|by| 1_i64 << by);
        let Some(power) = power.filter(|_| self.is_not_negative(a)) else {
            return Bounds::default();
        };
        let each = |f: &dyn Fn(Scalar) -> Scalar| a.most.iter().cloned().map(f).collect();
        match op {
            ShiftOp::Right => Bounds {
                least: vec![Scalar::Int(0)],
                most: each(&|most| most / power),
            },
            ShiftOp::Left => self.within(Bounds {
                least: vec![Scalar::Int(0)],
                most: each(&|most| most * power),
            }),
        }
    }

    /// True for floats of which none is below 0; NaN is allowed.
    fn not_negative(&self, value: ValueId, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else {
            return false;
        };
        if let Some(arms) = self.numbers.chosen.get(&value) {
            return arms.iter().all(|arm| match arm {
                Arm::Sets(from) => self.not_negative(*from, steps),
                Arm::Keeps(expr) => self.is_made_not_negative(expr, steps),
            });
        }
        self.numbers
            .defs
            .get(&value)
            .is_some_and(|expr| self.is_made_not_negative(expr, steps))
    }

    fn is_made_not_negative(&self, expr: &TileExpr, steps: u32) -> bool {
        let operand = |a: &Operand| match a {
            Operand::Value { value } => self.not_negative(*value, steps),
            Operand::Scalar { value } => self.is_positive_zero_or_more(value),
        };
        match expr {
            TileExpr::Fill { value } => self.is_positive_zero_or_more(value),
            TileExpr::Op {
                op: Op::Unary(UnaryOp::Abs | UnaryOp::Sqrt | UnaryOp::Exp | UnaryOp::Relu),
                ..
            } => true,
            TileExpr::Op {
                op: Op::Binary(op),
                args,
            } => match (op, &args[..]) {
                (BinaryOp::Max, [a, b]) => operand(a) || operand(b),
                (BinaryOp::Min | BinaryOp::Add | BinaryOp::Mul, [a, b]) => operand(a) && operand(b),
                // A division by -0 flips the sign, so the divisor must be a scalar of known sign.
                (BinaryOp::Div, [a, by @ Operand::Scalar { .. }]) => operand(a) && operand(by),
                (
                    BinaryOp::Div
                    | BinaryOp::Sub
                    | BinaryOp::Max
                    | BinaryOp::Min
                    | BinaryOp::Add
                    | BinaryOp::Mul,
                    [..],
                ) => false,
            },
            TileExpr::Op {
                op: Op::Layout(LayoutOp::Select),
                args,
            } => args[1..].iter().all(operand),
            TileExpr::Cast { value: from, .. } | TileExpr::Truncate { value: from } => match self
                .dtype(*from)
            {
                Ty::Is(DType::I32 | DType::I64) => self
                    .range(*from, steps)
                    .least
                    .iter()
                    .any(|low| self.facts.proves_le(&Scalar::Int(0), low)),
                Ty::Is(DType::F16 | DType::Bf16 | DType::F32) => self.not_negative(*from, steps),
                // Sums of integers wrap around, so only parameters of the set `Float` qualify.
                Ty::Param(i) | Ty::Wide(i) => {
                    self.numbers.sig.dtypes[usize::from(i)].set == "Float"
                        && self.not_negative(*from, steps)
                }
                Ty::Is(DType::I8 | DType::I16) => false,
                Ty::Is(DType::Bool | DType::U8 | DType::U16 | DType::U32 | DType::Bits)
                | Ty::Mask => true,
            },
            TileExpr::Copy { value }
            | TileExpr::Round { value, .. }
            | TileExpr::Pick { value, .. } => self.not_negative(*value, steps),
            TileExpr::Top { .. } => true,
            TileExpr::Load { .. }
            | TileExpr::LoadOr { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Scan { .. }
            | TileExpr::Op { .. } => false,
        }
    }

    /// True for a float that is at least 0 and not -0.
    fn is_positive_zero_or_more(&self, s: &Scalar) -> bool {
        match s {
            Scalar::Float(v) => *v >= 0.0 && v.is_sign_positive(),
            Scalar::Var(var) => self
                .numbers
                .lets
                .get(var)
                .is_some_and(|s| self.is_positive_zero_or_more(s)),
            Scalar::Cast(ScalarTy::F32, of) if of.ty() == ScalarTy::Index => {
                self.facts.proves_le(&Scalar::Int(0), of)
            }
            Scalar::Bin(BinOp::Add | BinOp::Mul | BinOp::Div | BinOp::Min | BinOp::Max, a, b) => {
                self.is_positive_zero_or_more(a) && self.is_positive_zero_or_more(b)
            }
            _ => false,
        }
    }
}

/// Returns the bounds of numbers that lie in one range or in the other.
fn either(a: &Bounds, b: &Bounds) -> Bounds {
    Bounds {
        least: pairs(&a.least, &b.least, Scalar::min),
        most: pairs(&a.most, &b.most, Scalar::max),
    }
}

/// The effect of one arm of an `if` on a value.
#[derive(Clone, Copy)]
enum Arm<'a> {
    /// The arm sets it to another value.
    Sets(ValueId),
    /// The arm keeps the value of this earlier definition.
    Keeps(&'a TileExpr),
}

/// The effects of both arms.
type Arms<'a> = [Arm<'a>; 2];

/// Finds the values that only the arms of one `if` set, behind their definition, and that nothing
/// reads before the arms join.
fn chosen(body: &Body) -> BTreeMap<ValueId, Arms<'_>> {
    let mut sets: BTreeMap<ValueId, usize> = BTreeMap::new();
    body.walk(&mut |s| {
        if let Some(TileStmt::Set { value, .. }) = s.own() {
            *sets.entry(*value).or_default() += 1;
        }
    });
    let mut found = BTreeMap::new();
    chosen_in(&body.stmts, &sets, &mut found);
    found
}

fn chosen_in<'a>(
    stmts: &'a [Stmt],
    sets: &BTreeMap<ValueId, usize>,
    found: &mut BTreeMap<ValueId, Arms<'a>>,
) {
    for (at, s) in stmts.iter().enumerate() {
        s.children()
            .into_iter()
            .flatten()
            .for_each(|inner| chosen_in(inner, sets, found));
        let StmtKind::If { then, other, .. } = &s.kind else {
            continue;
        };
        let before = stmts[..at].iter().enumerate().rev().map_while(|(nth, s)| {
            let TileStmt::Def { value, expr } = s.own()? else {
                return None;
            };
            Some((nth, *value, expr))
        });
        for (nth, value, expr) in before {
            let set = [then, other].map(|arm| last_set(arm, value));
            let own = set.iter().flatten().count();
            let is_read = [&stmts[nth..at], then, other]
                .into_iter()
                .any(|list| is_read(list, value));
            if own > 0 && sets.get(&value) == Some(&own) && !is_read {
                found.insert(
                    value,
                    set.map(|from| from.map_or(Arm::Keeps(expr), Arm::Sets)),
                );
            }
        }
    }
}

/// Returns the value that the last `Set` of `to` in this list assigns.
fn last_set(stmts: &[Stmt], to: ValueId) -> Option<ValueId> {
    stmts.iter().rev().find_map(|s| {
        let TileStmt::Set { value, from } = s.own()? else {
            return None;
        };
        (*value == to).then_some(*from)
    })
}

/// True if a statement uses the value as an operand.
fn is_read(stmts: &[Stmt], value: ValueId) -> bool {
    let mut used = BTreeSet::new();
    walk_stmts(stmts, &mut |s| {
        if let Some(TileStmt::Set { from, .. }) = s.own() {
            used.insert(*from);
        } else {
            uses(s, &mut used);
        }
    });
    used.contains(&value)
}

/// Combines each bound of one list with each bound of the other.
fn pairs(a: &[Scalar], b: &[Scalar], f: impl Fn(Scalar, Scalar) -> Scalar) -> Vec<Scalar> {
    let all = a
        .iter()
        .flat_map(|a| b.iter().map(move |b| (a.clone(), b.clone())));
    all.take(MOST_BOUNDS).map(|(a, b)| f(a, b)).collect()
}
