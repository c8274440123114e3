//! Ranges of scalars: where a result fits its type, the C++ text uses the plain operator.

use jumar_dsl::ir::{
    BinOp, ChipFact, HostStep, Lowered, Scalar, ScalarTy, Signature, StmtKind, UnOp, VarId, Variant,
};
use jumar_dsl::tiling::{size_limits, MAX_ELEMENTS};
use std::collections::BTreeMap;

/// Numbers from `low` to `high`; `i128` holds the result of every operation on 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub low: i128,
    pub high: i128,
}

impl Range {
    /// Makes the range from `low` to `high`.
    pub(crate) fn new(low: impl Into<i128>, high: impl Into<i128>) -> Range {
        Range {
            low: low.into(),
            high: high.into(),
        }
    }

    /// Returns all numbers of a type. Ranges of floats are never used.
    pub(crate) fn of_type(ty: ScalarTy) -> Range {
        match ty {
            ScalarTy::Index | ScalarTy::F32 => Range::new(i64::MIN, i64::MAX),
            ScalarTy::I32 => Range::new(i32::MIN, i32::MAX),
            ScalarTy::Bool => Range::new(0, 1),
        }
    }

    /// True if `other` contains every number of the range.
    pub(crate) fn is_within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// True if the range contains `v`.
    pub(crate) fn has(self, v: i64) -> bool {
        (self.low..=self.high).contains(&v.into())
    }

    /// Returns the intersection, or `other` where it would be empty.
    pub(crate) fn meet(self, other: Range) -> Range {
        let both = Range {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        };
        if both.low <= both.high {
            both
        } else {
            other
        }
    }

    fn join(self, other: Range) -> Range {
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    fn around(values: [i128; 4]) -> Range {
        let [first, rest @ ..] = values.map(|v| Range::new(v, v));
        rest.into_iter().fold(first, Range::join)
    }

    fn farthest(self) -> i128 {
        self.low.abs().max(self.high.abs())
    }
}

/// Facts about expressions, besides those that follow from their form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    /// Ranges of variables, the most frequent facts.
    vars: BTreeMap<VarId, Range>,
    /// Ranges of other expressions.
    known: Vec<(Scalar, Range)>,
    /// Expressions that are not 0, where 0 is no end of their range.
    nonzero: Vec<Scalar>,
}

impl Ranges {
    /// Returns the facts about sizes of a signature, by the limits of a launch.
    pub(crate) fn of_signature(sig: &Signature) -> Ranges {
        let mut ranges = Ranges::default();
        let held = Range::new(0, MAX_ELEMENTS);
        for limit in size_limits(sig) {
            let mut product: Option<Scalar> = None;
            for axis in limit.axes {
                let size = Scalar::Axis(axis);
                ranges.know(&size, held);
                let all = product.map_or(size.clone(), |p| p * size);
                ranges.know(&all, held);
                product = Some(all);
            }
        }
        ranges
    }

    /// Returns the facts about variables of a variant's body.
    pub(crate) fn of_variant(lowered: &Lowered, variant: &Variant) -> Ranges {
        let mut ranges = Ranges::of_signature(&lowered.sig);
        for step in lowered.steps(variant) {
            match step {
                HostStep::Let { var, value } => ranges.define(*var, value),
                HostStep::Solve { var, .. } => {
                    ranges.know(&Scalar::Var(*var), Range::new(0, i64::MAX))
                }
                HostStep::Require { cond, .. } => ranges.assume(cond),
                HostStep::Fits { .. } => {}
            }
        }
        ranges.assume(&lowered.case(variant).when);
        ranges.assume(&variant.when);
        variant.body.walk(&mut |s| match &s.kind {
            StmtKind::LetScalar { var, value } if !variant.body.var(*var).mutable => {
                ranges.define(*var, value)
            }
            StmtKind::For { var, from, to, .. } => {
                let range = Range {
                    low: ranges.of(from).low,
                    high: ranges.of(to).high - 1,
                };
                ranges.know(&Scalar::Var(*var), range);
            }
            // Mutable variables, values that are read, and facts of one branch give no range.
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(_) => {}
        });
        ranges
    }

    /// Records that a variable is `value`.
    pub(crate) fn define(&mut self, var: VarId, value: &Scalar) {
        self.know(&Scalar::Var(var), self.of(value));
    }

    /// Records that `s` lies in `range`.
    pub(crate) fn know(&mut self, s: &Scalar, range: Range) {
        let before = match s {
            Scalar::Var(v) => self.vars.get_mut(v),
            _ => self.known.iter_mut().find(|(k, _)| k == s).map(|(_, r)| r),
        };
        match (before, s) {
            (Some(r), _) => *r = r.meet(range),
            (None, Scalar::Var(v)) => drop(self.vars.insert(*v, range)),
            (None, _) => self.known.push((s.clone(), range)),
        }
    }

    fn known(&self, s: &Scalar) -> Option<Range> {
        match s {
            Scalar::Var(v) => self.vars.get(v).copied(),
            _ => self.known.iter().find(|(k, _)| k == s).map(|(_, r)| *r),
        }
    }

    /// Returns the range of an expression.
    pub(crate) fn of(&self, s: &Scalar) -> Range {
        self.of_parts(s, numbers(s).map(|part| part.map(|part| self.of(part))))
    }

    /// Returns the range of an expression whose [`numbers`] lie in `parts`.
    pub(crate) fn of_parts(&self, s: &Scalar, parts: [Option<Range>; 2]) -> Range {
        let whole = Range::of_type(s.ty());
        let range = by_form(s, parts.map(|part| part.unwrap_or(whole)), whole).meet(whole);
        self.known(s).map_or(range, |known| range.meet(known))
    }

    /// True if an expression that lies in `range` may be 0.
    pub(crate) fn may_be_zero(&self, s: &Scalar, range: Range) -> bool {
        range.has(0) && !self.nonzero.contains(s)
    }

    /// True if a fact about an operation's result is recorded: it was computed before, so it has
    /// a value.
    pub(crate) fn is_known(&self, op: BinOp, a: &Scalar, b: &Scalar) -> bool {
        self.known
            .iter()
            .any(|(k, _)| matches!(k, Scalar::Bin(o, x, y) if *o == op && **x == *a && **y == *b))
    }

    /// Returns the range of an operation's exact result, regardless of its type.
    pub(crate) fn exact(&self, op: BinOp, a: &Scalar, b: &Scalar) -> Range {
        Range::exact(op, self.of(a), self.of(b))
    }

    /// True if an operation on two `i32` may overflow.
    pub(crate) fn wraps(&self, op: BinOp, a: &Scalar, b: &Scalar) -> bool {
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul => !self
                .exact(op, a, b)
                .is_within(Range::of_type(ScalarTy::I32)),
            BinOp::Div | BinOp::Rem => self.wraps_negated(a) && self.of(b).has(-1),
            // These two compute their larger intermediate numbers in 64 bits.
            BinOp::CeilDiv | BinOp::AlignUp => false,
            BinOp::Min
            | BinOp::Max
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::And
            | BinOp::Or => false,
        }
    }

    /// True if the negation of an `i32` may overflow.
    pub(crate) fn wraps_negated(&self, a: &Scalar) -> bool {
        self.of(a).has(i32::MIN.into())
    }

    /// Records that a condition holds.
    pub(crate) fn assume(&mut self, cond: &Scalar) {
        let Scalar::Bin(op, a, b) = cond else { return };
        let whole = matches!(a.ty(), ScalarTy::Index | ScalarTy::I32);
        match op {
            BinOp::And => {
                self.assume(a);
                self.assume(b);
            }
            // Facts about floats and conditions are never used.
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne if !whole => {}
            BinOp::Lt | BinOp::Le => self.order(a, b, i128::from(*op == BinOp::Lt)),
            BinOp::Gt | BinOp::Ge => self.order(b, a, i128::from(*op == BinOp::Gt)),
            BinOp::Eq => {
                self.order(a, b, 0);
                self.order(b, a, 0);
            }
            BinOp::Ne => {
                self.differ(a, b);
                self.differ(b, a);
            }
            // A disjunction proves neither side, and a number is no condition.
            BinOp::Or
            | BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::CeilDiv
            | BinOp::Min
            | BinOp::Max
            | BinOp::AlignUp => {}
        }
    }

    /// Records the fact `low + gap <= high`.
    fn order(&mut self, low: &Scalar, high: &Scalar, gap: i128) {
        let (l, h) = (self.of(low), self.of(high));
        self.know(
            low,
            Range {
                low: l.low,
                high: l.high.min(h.high - gap),
            },
        );
        self.know(
            high,
            Range {
                low: h.low.max(l.low + gap),
                high: h.high,
            },
        );
    }

    fn differ(&mut self, s: &Scalar, from: &Scalar) {
        let (Some(v), range) = (from.as_int(), self.of(s)) else {
            return;
        };
        let low = range.low + i128::from(range.low == v.into());
        let high = range.high - i128::from(range.high == v.into());
        self.know(s, Range { low, high });
        if v == 0 {
            self.nonzero.push(s.clone());
        }
    }

    /// Records that a condition does not hold.
    pub(crate) fn assume_not(&mut self, cond: &Scalar) {
        let Scalar::Bin(op, a, b) = cond else { return };
        let turned = match op {
            BinOp::Or => {
                self.assume_not(a);
                return self.assume_not(b);
            }
            BinOp::Lt => BinOp::Ge,
            BinOp::Le => BinOp::Gt,
            BinOp::Gt => BinOp::Le,
            BinOp::Ge => BinOp::Lt,
            BinOp::Eq => BinOp::Ne,
            BinOp::Ne => BinOp::Eq,
            // A false conjunction refutes neither side, and a number is no condition.
            BinOp::And
            | BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::CeilDiv
            | BinOp::Min
            | BinOp::Max
            | BinOp::AlignUp => return,
        };
        self.assume(&Scalar::Bin(turned, a.clone(), b.clone()));
    }
}

/// Returns the operands whose ranges determine that of an expression; those of conditions do not.
pub(crate) fn numbers(s: &Scalar) -> [Option<&Scalar>; 2] {
    match s {
        Scalar::Bin(op, ..) if op.is_predicate() => [None, None],
        Scalar::Select(_, a, b) => [Some(a), Some(b)],
        s => [s.parts()[0], s.parts()[1]],
    }
}

/// Returns the range of an expression of the type `whole`, whose [`numbers`] lie in `x` and `y`.
fn by_form(s: &Scalar, [x, y]: [Range; 2], whole: Range) -> Range {
    // An `i32` that overflows wraps to any number; a `usize` that overflows is refused.
    let held = |r: Range| {
        if r.is_within(whole) || s.ty() != ScalarTy::I32 {
            r
        } else {
            whole
        }
    };
    match s {
        Scalar::Int(v) => Range::new(*v, *v),
        Scalar::I32(v) => Range::new(*v, *v),
        Scalar::Axis(_) | Scalar::Attr(_, ScalarTy::Index) => Range::new(0, i64::MAX),
        Scalar::Chip(ChipFact::VectorCores | ChipFact::UbBytes | ChipFact::L2Bytes)
        | Scalar::BlockDim => Range::new(1, i32::MAX),
        Scalar::BlockIdx => Range::new(0, i32::MAX),
        Scalar::SizeOf(_) => Range::new(1, 8),
        Scalar::Un(UnOp::Neg, _) => held(Range {
            low: -x.high,
            high: -x.low,
        }),
        Scalar::Bin(op, ..) if !op.is_predicate() && s.ty() != ScalarTy::F32 => {
            held(Range::exact(*op, x, y))
        }
        Scalar::Select(..) => x.join(y),
        Scalar::Cast(_, a) if a.ty() != ScalarTy::F32 => held(x),
        // The result is any number of the type: conditions, floats and casts from them, and
        // attributes and variables without facts.
        Scalar::Bin(..) | Scalar::Cast(..) | Scalar::Un(UnOp::Not | UnOp::Sqrt, _) => whole,
        Scalar::Float(_) | Scalar::Bool(_) | Scalar::Attr(..) | Scalar::Var(_) => whole,
    }
}

impl Range {
    /// Returns the range of an operation's exact result, regardless of its type.
    pub(crate) fn exact(op: BinOp, a: Range, b: Range) -> Range {
        let ends = |f: fn(i128, i128) -> i128| {
            Range::around([
                f(a.low, b.low),
                f(a.low, b.high),
                f(a.high, b.low),
                f(a.high, b.high),
            ])
        };
        let far = a.farthest();
        match op {
            BinOp::Add => Range {
                low: a.low + b.low,
                high: a.high + b.high,
            },
            BinOp::Sub => Range {
                low: a.low - b.high,
                high: a.high - b.low,
            },
            BinOp::Mul => ends(|a, b| a * b),
            BinOp::Div if b.low > 0 => ends(|a, b| a / b),
            BinOp::Rem => {
                let most = (b.farthest() - 1).min(far).max(0);
                Range {
                    low: if a.low < 0 { -most } else { 0 },
                    high: if a.high > 0 { most } else { 0 },
                }
            }
            BinOp::CeilDiv if b.low > 0 => ends(|a, b| a / b + i128::from(a % b > 0)),
            BinOp::AlignUp if b.low > 0 => Range {
                low: a.low,
                high: a.high + b.high - 1,
            },
            BinOp::Min => Range {
                low: a.low.min(b.low),
                high: a.high.min(b.high),
            },
            BinOp::Max => Range {
                low: a.low.max(b.low),
                high: a.high.max(b.high),
            },
            BinOp::Div | BinOp::CeilDiv => Range {
                low: -far,
                high: far,
            },
            BinOp::AlignUp => Range {
                low: -far - b.farthest(),
                high: far + b.farthest(),
            },
            BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::And
            | BinOp::Or => Range::of_type(ScalarTy::Bool),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(text: &str) -> Scalar {
        jumar_dsl::ir::text::from_text(&format!("{}\n{text}", jumar_dsl::ir::text::VERSION))
            .expect("IR text")
    }

    #[test]
    fn ranges_follow_the_form_of_an_expression() {
        let full = (i128::from(i32::MIN), i128::from(i32::MAX));
        for (text, want) in [
            ("(+ $0i 1i)", full),
            ("(% $0i 10i)", (-9, 9)),
            ("(+ (% $0i 10i) 1i)", (-8, 10)),
            ("(* (min (max $0i 0i) 7i) -2i)", (-14, 0)),
            ("(neg $0i)", full),
            ("(/ $0i 2i)", (-(1 << 30), (1 << 30) - 1)),
            ("(select $1b 3i (as_i32 $1b))", (0, 3)),
            ("(as_i32 $0)", full),
            ("(% #0 8)", (0, 7)),
            ("(ceil_div (% #0 8) 3)", (0, 3)),
        ] {
            let range = Ranges::default().of(&scalar(text));
            assert_eq!((range.low, range.high), want, "{text}");
        }
    }

    #[test]
    fn ranges_without_a_number_in_common_meet_in_the_later_one() {
        for (a, b, both) in [
            ((0, 5), (3, 9), (3, 5)),
            ((0, 5), (5, 9), (5, 5)),
            ((0, 5), (7, 9), (7, 9)),
            ((7, 9), (0, 5), (0, 5)),
        ] {
            let range = |(low, high)| Range::new(low, high);
            assert_eq!(range(a).meet(range(b)), range(both), "{a:?} and {b:?}");
        }
    }

    #[test]
    fn conditions_narrow_what_they_compare() {
        let mut ranges = Ranges::default();
        ranges.assume(&scalar("(and (<= #0 4096) (!= &0 0))"));
        ranges.assume_not(&scalar("(or (>= $0i 8i) (< $0i -1i))"));
        assert_eq!(ranges.of(&scalar("#0")), Range::new(0, 4096));
        assert_eq!(ranges.of(&scalar("&0")).low, 1);
        assert_eq!(ranges.of(&scalar("(+ $0i 1i)")), Range::new(0, 8));
    }
}
