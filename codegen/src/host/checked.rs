//! Host arithmetic that may have no value: a `usize` that leaves 64 bits, a division by zero.
//!
//! The evaluator refuses such a launch, and so does the emitted text. The operation is taken out of
//! its expression and tested in a separate statement; the rest of the expression is plain C++. An
//! operation whose range shows that it has a value is not tested. Tests are therefore rare: limits
//! of a launch bound sizes, but nothing bounds attributes.

use super::HostLeaves;
use crate::cpp::{string_literal, Cpp};
use crate::names::Scope;
use crate::plan::Plan;
use crate::range::{numbers, Range, Ranges};
use crate::scalar::{self, cpp_type, Helper, Helpers, ScalarPrinter};
use jumar_dsl::ir::{BinOp, Scalar, ScalarTy, UnOp, VarId};
use jumar_dsl::scalar::EvalError;
use std::cell::Cell;
use std::collections::BTreeMap;

/// The state of a function: taken names, and known facts.
#[derive(Clone)]
pub(super) struct Steps<'a> {
    pub plan: &'a Plan<'a>,
    pub helpers: &'a Cell<Helpers>,
    pub scope: Scope,
    /// Names of the variables, by index.
    pub names: BTreeMap<usize, String>,
    pub ranges: Ranges,
    /// The reaction to a missing value.
    pub refusal: Refusal,
}

/// The ways in which a text reports a missing value.
#[derive(Clone, Copy)]
pub(super) enum Refusal {
    /// Ends the function with a reason.
    Launch,
    /// Makes a footprint beyond 64 bits too large.
    Footprint,
}

/// An operation that the compiler can test for overflow.
#[derive(Clone, Copy)]
enum BuiltIn {
    Add,
    Sub,
    Mul,
}

impl BuiltIn {
    /// Returns the middle part of its name, and its operation.
    const fn name_and_op(self) -> (&'static str, BinOp) {
        match self {
            BuiltIn::Add => ("add", BinOp::Add),
            BuiltIn::Sub => ("sub", BinOp::Sub),
            BuiltIn::Mul => ("mul", BinOp::Mul),
        }
    }
}

/// The index of the first variable that does not come from the IR.
const FIRST_OWN: usize = 1 << 30;

impl<'a> Steps<'a> {
    pub(super) fn leaves(&self) -> HostLeaves<'_> {
        HostLeaves::new(self.plan, &self.names, &self.ranges, self.helpers)
    }

    /// Returns the text of an expression.
    pub(super) fn expr(&self, s: &Scalar) -> String {
        ScalarPrinter::new(&self.leaves(), self.helpers).expr(s)
    }

    /// Returns the text of an expression, and prints its tests before.
    pub(super) fn checked_expr(&mut self, s: &Scalar, out: &mut Cpp) -> String {
        let s = self.checked(s, None, out);
        self.expr(&s)
    }

    pub(super) fn fail(&self, message: &str, out: &mut Cpp) {
        self.fail_saying(
            |out| out.line(format_args!("*error = {};", string_literal(message))),
            out,
        );
    }

    /// Prints a refusal with the reason that `say` sets.
    pub(super) fn fail_saying(&self, say: impl FnOnce(&mut Cpp), out: &mut Cpp) {
        match self.refusal {
            Refusal::Launch => {
                self.need(Helper::Error);
                say(out);
                out.line("return false;");
            }
            Refusal::Footprint => out.line("return INT64_MAX;"),
        }
    }

    fn fail_with(&self, error: &EvalError, out: &mut Cpp) {
        self.fail(&error.to_string(), out);
    }

    /// Prints the tests of an expression, and returns the rest of it, which has a value. Where the
    /// whole expression is an operation that must be tested, its result is the variable `into`.
    pub(super) fn checked(&mut self, s: &Scalar, into: Option<VarId>, out: &mut Cpp) -> Scalar {
        if !may_fail(&self.ranges, s) {
            return s.clone();
        }
        match s {
            Scalar::Un(op, a) => {
                let a = self.checked(a, None, out);
                if *op == UnOp::Neg && may_fail(&self.ranges, &Scalar::un(*op, a.clone())) {
                    return self.built_in(BuiltIn::Sub, &Scalar::Int(0), &a, into, "opposite", out);
                }
                Scalar::un(*op, a)
            }
            Scalar::Cast(ty, a) => Scalar::cast(*ty, self.checked(a, None, out)),
            Scalar::Select(c, a, b) => {
                let c = self.checked(c, None, out);
                self.branches(&c, a, b, into, out)
            }
            Scalar::Bin(BinOp::And, a, b) if may_fail(&self.ranges, b) => {
                let a = self.checked(a, None, out);
                self.branches(&a, b, &Scalar::Bool(false), into, out)
            }
            Scalar::Bin(BinOp::Or, a, b) if may_fail(&self.ranges, b) => {
                let a = self.checked(a, None, out);
                self.branches(&a, &Scalar::Bool(true), b, into, out)
            }
            Scalar::Bin(op, a, b) => {
                let a = self.checked(a, None, out);
                let b = self.checked(b, None, out);
                self.operation(*op, a, b, into, out)
            }
            Scalar::Int(_)
            | Scalar::I32(_)
            | Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_)
            | Scalar::Var(_)
            | Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim => s.clone(),
        }
    }

    fn operation(
        &mut self,
        op: BinOp,
        a: Scalar,
        b: Scalar,
        into: Option<VarId>,
        out: &mut Cpp,
    ) -> Scalar {
        let [x, y] = [&a, &b].map(|side| self.ranges.of(side));
        let danger = Danger::of(&self.ranges, op, (&a, x), (&b, y));
        if b.as_int() == Some(0) && danger.zero {
            // No test is printed, so that no compiler sees the division.
            self.fail_with(&EvalError::DivisionByZero, out);
            return b;
        }
        let zero = Scalar::cast(b.ty(), Scalar::Int(0));
        if danger.zero {
            self.refuse_where(
                &b.clone().bin(BinOp::Eq, zero.clone()),
                &EvalError::DivisionByZero,
                out,
            );
        }
        if danger.negative {
            self.refuse_where(
                &b.clone().bin(BinOp::Lt, zero),
                &EvalError::NegativeDivisor,
                out,
            );
        }
        if danger.least {
            let least = a
                .clone()
                .bin(BinOp::Eq, i64::MIN)
                .bin(BinOp::And, b.clone().bin(BinOp::Eq, -1));
            self.refuse_where(&least, &EvalError::Overflow, out);
        }
        let Some(built_in) = danger.overflow else {
            return a.bin(op, b);
        };
        let (a, wish) = match built_in {
            BuiltIn::Add => (a, "sum"),
            BuiltIn::Sub => (a, "difference"),
            BuiltIn::Mul if op == BinOp::AlignUp => (a.ceil_div(b.clone()), "rounded"),
            BuiltIn::Mul => (a, "product"),
        };
        self.built_in(built_in, &a, &b, into, wish, out)
    }

    fn refuse_where(&mut self, cond: &Scalar, error: &EvalError, out: &mut Cpp) {
        out.block(format_args!("if ({})", self.expr(cond)), |out| {
            self.fail_with(error, out)
        });
        self.ranges.assume_not(cond);
    }

    /// Returns a new variable of this text, or the one that takes the result.
    fn variable(&mut self, into: Option<VarId>, wish: &str, ty: ScalarTy) -> VarId {
        into.unwrap_or_else(|| {
            let own = self.names.range(FIRST_OWN..).count();
            let var = VarId::new(FIRST_OWN + own, ty);
            self.names.insert(var.index(), self.scope.unique(wish));
            var
        })
    }

    fn built_in(
        &mut self,
        built_in: BuiltIn,
        a: &Scalar,
        b: &Scalar,
        into: Option<VarId>,
        wish: &str,
        out: &mut Cpp,
    ) -> Scalar {
        let (name, op) = built_in.name_and_op();
        let (left, right) = (self.expr(a), self.expr(b));
        let var = self.variable(into, wish, ScalarTy::Index);
        let result = &self.names[&var.index()];
        out.line(format_args!("int64_t {result} = 0;"));
        let head = format!("if (__builtin_{name}_overflow({left}, {right}, &{result}))");
        out.block(head, |out| self.fail_with(&EvalError::Overflow, out));
        let range = self
            .ranges
            .exact(op, a, b)
            .meet(Range::of_type(ScalarTy::Index));
        self.ranges.know(&Scalar::Var(var), range);
        Scalar::Var(var)
    }

    /// Prints a choice of two values, each with its tests where it is computed.
    fn branches(
        &mut self,
        c: &Scalar,
        a: &Scalar,
        b: &Scalar,
        into: Option<VarId>,
        out: &mut Cpp,
    ) -> Scalar {
        let ty = a.ty();
        let cond = self.expr(c);
        let before = self.ranges.clone();
        let mut sides = Vec::new();
        let var = self.variable(into, "chosen", ty);
        let name = self.names[&var.index()].clone();
        for (value, holds) in [(a, true), (b, false)] {
            if holds {
                self.ranges.assume(c);
            } else {
                self.ranges.assume_not(c);
            }
            let mut side = Cpp::indented(0);
            let value = self.checked(value, None, &mut side);
            side.stmt(format_args!("{name} = {}", self.expr(&value)));
            sides.push((side.finish(), self.ranges.of(&value)));
            self.ranges = before.clone();
        }
        let start = match ty {
            ScalarTy::Bool => "false",
            ScalarTy::F32 => "0.0f",
            ScalarTy::Index | ScalarTy::I32 => "0",
        };
        out.line(format_args!("{} {name} = {start};", cpp_type(ty)));
        out.line(format_args!("if ({cond}) {{"));
        out.inside(|out| sides[0].0.lines().for_each(|l| out.line(l)));
        out.line("} else {");
        out.inside(|out| sides[1].0.lines().for_each(|l| out.line(l)));
        out.line("}");
        let (x, y) = (sides[0].1, sides[1].1);
        self.ranges.know(
            &Scalar::Var(var),
            Range {
                low: x.low.min(y.low),
                high: x.high.max(y.high),
            },
        );
        Scalar::Var(var)
    }

    /// Records a helper that a text calls.
    pub(super) fn need(&self, helper: Helper) {
        scalar::need(self.helpers, helper);
    }
}

/// The possible failures of one operation.
struct Danger {
    zero: bool,
    negative: bool,
    /// The least number over -1.
    least: bool,
    /// The built-in that tests for a result beyond 64 bits.
    overflow: Option<BuiltIn>,
}

impl Danger {
    /// Finds the failures of an operation on two expressions that lie in `x` and `y`.
    fn of(
        ranges: &Ranges,
        op: BinOp,
        (a, x): (&Scalar, Range),
        (b, y): (&Scalar, Range),
    ) -> Danger {
        let ty = a.ty();
        if op.is_predicate() || ty == ScalarTy::F32 || ranges.is_known(op, a, b) {
            return Danger {
                zero: false,
                negative: false,
                least: false,
                overflow: None,
            };
        }
        let rounds_up = matches!(op, BinOp::CeilDiv | BinOp::AlignUp);
        let divides = rounds_up || matches!(op, BinOp::Div | BinOp::Rem);
        let tested = |by: BuiltIn, exact: Range| {
            (ty == ScalarTy::Index && !exact.is_within(Range::of_type(ScalarTy::Index)))
                .then_some(by)
        };
        let overflow = match op {
            BinOp::Add => tested(BuiltIn::Add, Range::exact(op, x, y)),
            BinOp::Sub => tested(BuiltIn::Sub, Range::exact(op, x, y)),
            BinOp::Mul => tested(BuiltIn::Mul, Range::exact(op, x, y)),
            BinOp::AlignUp => tested(
                BuiltIn::Mul,
                Range {
                    low: x.low,
                    high: x.high + y.high.max(1) - 1,
                },
            ),
            // These stay within the type of their operands, except the least number over -1.
            BinOp::Div | BinOp::Rem | BinOp::CeilDiv | BinOp::Min | BinOp::Max => None,
            BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::And
            | BinOp::Or => None,
        };
        Danger {
            zero: divides && ranges.may_be_zero(b, y),
            negative: rounds_up && y.low < 0,
            least: ty == ScalarTy::Index && divides && !rounds_up && x.has(i64::MIN) && y.has(-1),
            overflow,
        }
    }

    fn any(&self) -> bool {
        self.zero || self.negative || self.least || self.overflow.is_some()
    }
}

/// True if an expression may have no value.
pub(super) fn may_fail(ranges: &Ranges, s: &Scalar) -> bool {
    judged(ranges, s).1
}

/// Returns the range of an expression, and whether it may have no value. One pass computes both,
/// since the second needs the ranges of all parts.
fn judged(ranges: &Ranges, s: &Scalar) -> (Range, bool) {
    let parts = numbers(s).map(|part| part.map(|part| judged(ranges, part)));
    let [x, y] = parts.map(|part| part.map(|(range, _)| range));
    let [first, second] = parts.map(|part| part.is_some_and(|(_, fails)| fails));
    let fails = match (s, x, y) {
        (Scalar::Un(UnOp::Neg, a), Some(x), _) if a.ty() == ScalarTy::Index => {
            first || x.has(i64::MIN)
        }
        (Scalar::Un(..) | Scalar::Cast(..), ..) => first,
        (Scalar::Bin(BinOp::And, a, b), ..) => {
            may_fail(ranges, a) || may_fail_under(ranges, a, true, b)
        }
        (Scalar::Bin(BinOp::Or, a, b), ..) => {
            may_fail(ranges, a) || may_fail_under(ranges, a, false, b)
        }
        (Scalar::Bin(op, a, b), Some(x), Some(y)) => {
            first || second || Danger::of(ranges, *op, (a, x), (b, y)).any()
        }
        // A comparison has a value if its sides have.
        (Scalar::Bin(_, a, b), ..) => may_fail(ranges, a) || may_fail(ranges, b),
        (Scalar::Select(c, a, b), ..) => {
            let either = || {
                (first && may_fail_under(ranges, c, true, a))
                    || (second && may_fail_under(ranges, c, false, b))
            };
            may_fail(ranges, c) || either()
        }
        (
            Scalar::Int(_)
            | Scalar::I32(_)
            | Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_)
            | Scalar::Var(_)
            | Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim,
            ..,
        ) => false,
    };
    (ranges.of_parts(s, [x, y]), fails)
}

/// True if an expression may have no value although a condition holds, or does not.
fn may_fail_under(ranges: &Ranges, cond: &Scalar, holds: bool, s: &Scalar) -> bool {
    may_fail(ranges, s) && {
        let mut ranges = ranges.clone();
        if holds {
            ranges.assume(cond);
        } else {
            ranges.assume_not(cond);
        }
        may_fail(&ranges, s)
    }
}
