//! Classes of values along one cut, and the effect of each op on them.
//!
//! | class | along a run R |
//! |---|---|
//! | free | independent of the cut: one number for each element, or one for all of R |
//! | part | part of a named monoid: `v(R ∪ R') = v(R) ⊕ v(R')` |
//! | running | merged, iteration by iteration, into the value from before the loop |
//! | cut | anything else |
//!
//! An op without a rule here returns free for free operands, else cut.

use super::cause::Cause;
use crate::dtype::DType;
use crate::ir::tile::Stmt;
use crate::ir::{SpanId, StmtKind, TileStmt, Ty, ValueId, VarId};
use crate::ops::{AxisReduceOp, BinaryOp, MaskOp};
use std::rc::Rc;

/// The operation that combines the parts of runs into that of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Monoid {
    Sum,
    Prod,
    Max,
    Min,
    Any,
    All,
}

impl Monoid {
    /// Returns the monoid of a reduction along the run. A mean or a place has none.
    pub fn of_reduction(op: AxisReduceOp) -> Option<Monoid> {
        match op {
            AxisReduceOp::Sum => Some(Monoid::Sum),
            AxisReduceOp::Prod => Some(Monoid::Prod),
            AxisReduceOp::Max => Some(Monoid::Max),
            AxisReduceOp::Min => Some(Monoid::Min),
            AxisReduceOp::Any => Some(Monoid::Any),
            AxisReduceOp::All => Some(Monoid::All),
            AxisReduceOp::Mean | AxisReduceOp::ArgMax | AxisReduceOp::ArgMin => None,
        }
    }

    /// Returns the monoid of which an op is one step.
    pub fn of_step(op: Step) -> Monoid {
        match op {
            Step::Binary(BinaryOp::Add | BinaryOp::Sub) => Monoid::Sum,
            Step::Binary(BinaryOp::Mul | BinaryOp::Div) => Monoid::Prod,
            Step::Binary(BinaryOp::Max) => Monoid::Max,
            Step::Binary(BinaryOp::Min) => Monoid::Min,
            Step::Or => Monoid::Any,
            Step::And => Monoid::All,
        }
    }

    /// True if an element that is merged twice counts once.
    pub fn is_idempotent(self) -> bool {
        match self {
            Monoid::Max | Monoid::Min | Monoid::Any | Monoid::All => true,
            Monoid::Sum | Monoid::Prod => false,
        }
    }

    /// Returns the monoid of the negated parts.
    fn negated(self) -> Option<Monoid> {
        match self {
            Monoid::Sum => Some(Monoid::Sum),
            Monoid::Max => Some(Monoid::Min),
            Monoid::Min => Some(Monoid::Max),
            Monoid::Prod | Monoid::Any | Monoid::All => None,
        }
    }

    /// True if a monotonic op keeps parts of it.
    fn keeps_order(self) -> bool {
        matches!(self, Monoid::Max | Monoid::Min)
    }

    /// True if merging a free number is harmless.
    fn is_neutral(self, number: f64) -> bool {
        match self {
            Monoid::Sum => number == 0.0,
            Monoid::Prod => number == 1.0,
            // These are idempotent, so merging any number again changes nothing.
            Monoid::Max | Monoid::Min | Monoid::Any | Monoid::All => true,
        }
    }

    /// Names the whole in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Monoid::Sum => "sum",
            Monoid::Prod => "product",
            Monoid::Max => "maximum",
            Monoid::Min => "minimum",
            Monoid::Any => "`any`",
            Monoid::All => "`all`",
        }
    }
}

/// An op that may be one step of a merge.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Binary(BinaryOp),
    Or,
    And,
}

impl Step {
    pub fn of_mask(op: MaskOp) -> Option<Step> {
        match op {
            MaskOp::And => Some(Step::And),
            MaskOp::Or => Some(Step::Or),
            MaskOp::Not => None,
        }
    }
}

/// A value that a loop carries from iteration to iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Carried {
    Tile(ValueId),
    Scalar(VarId),
}

impl Carried {
    /// Returns the value that a statement sets or defines.
    pub(super) fn given_by(s: &Stmt) -> Option<Carried> {
        match s.own() {
            Some(TileStmt::Def { value, .. } | TileStmt::Set { value, .. }) => {
                Some(Carried::Tile(*value))
            }
            Some(
                TileStmt::Loop { .. }
                | TileStmt::Store { .. }
                | TileStmt::Append { .. }
                | TileStmt::Dump { .. },
            ) => None,
            None | Some(TileStmt::Read { .. }) => s.sets().map(Carried::Scalar),
        }
    }

    /// Returns the value that a statement assigns, if it was declared before.
    pub(super) fn set_by(s: &Stmt) -> Option<Carried> {
        let is_set = matches!(
            s.kind,
            StmtKind::SetScalar { .. } | StmtKind::Do(TileStmt::Set { .. })
        );
        Carried::given_by(s).filter(|_| is_set)
    }
}

/// The class of a value along one cut.
#[derive(Clone, Debug)]
pub(super) enum Class {
    /// Independent of the cut, with the number where it is known.
    Free(Option<f64>),
    /// Part of a monoid, with the place where the run was reduced.
    Part(Monoid, SpanId),
    /// A carried value, with the monoid by which it is merged so far.
    Running(Carried, Option<Monoid>),
    Cut(Rc<Cause>),
}

/// Builds the reason why an op on these classes depends on the cut.
pub(super) type Because<'b> = &'b dyn Fn(&[Class]) -> Rc<Cause>;

impl Class {
    pub const FREE: Class = Class::Free(None);

    /// Returns the monoid of a part, and the place where the run was reduced.
    pub fn part(&self) -> Option<(Monoid, SpanId)> {
        match self {
            Class::Part(monoid, at) => Some((*monoid, *at)),
            Class::Free(_) | Class::Running(..) | Class::Cut(_) => None,
        }
    }

    pub fn is_free(&self) -> bool {
        matches!(self, Class::Free(_))
    }

    /// True if it may be merged as a part of `monoid`. With `elements`, each iteration is one
    /// element of the run, and any free number is a part.
    pub fn counts_as(&self, monoid: Monoid, elements: bool) -> bool {
        match self {
            Class::Part(own, _) => *own == monoid && !elements,
            Class::Free(number) => {
                elements || number.map_or(monoid.is_idempotent(), |n| monoid.is_neutral(n))
            }
            Class::Running(..) | Class::Cut(_) => false,
        }
    }

    /// True if both classes are equal, places and causes aside.
    pub fn is_same(&self, other: &Class) -> bool {
        match (self, other) {
            (Class::Free(a), Class::Free(b)) => a.map(f64::to_bits) == b.map(f64::to_bits),
            (Class::Part(a, _), Class::Part(b, _)) => a == b,
            (Class::Running(a, m), Class::Running(b, n)) => (a, m) == (b, n),
            (Class::Cut(_), Class::Cut(_)) => true,
            (Class::Free(_) | Class::Part(..) | Class::Running(..) | Class::Cut(_), _) => false,
        }
    }

    /// Returns the class of one of two values, if the choice does not depend on the cut.
    pub fn join(&self, other: &Class, because: Because<'_>) -> Class {
        match (self, other) {
            (Class::Cut(_), _) => self.clone(),
            (_, Class::Cut(_)) => other.clone(),
            (Class::Free(a), Class::Free(b)) => {
                Class::Free(a.filter(|a| b.is_some_and(|b| a.to_bits() == b.to_bits())))
            }
            (Class::Part(m, at), free @ Class::Free(_))
            | (free @ Class::Free(_), Class::Part(m, at))
                if free.counts_as(*m, false) =>
            {
                Class::Part(*m, *at)
            }
            (Class::Part(a, at), Class::Part(b, _)) if a == b => Class::Part(*a, *at),
            (Class::Running(a, m), Class::Running(b, n))
                if a == b && (m == n || m.is_none() || n.is_none()) =>
            {
                Class::Running(*a, m.or(*n))
            }
            (Class::Free(_) | Class::Part(..) | Class::Running(..), _) => {
                Class::Cut(because(&[self.clone(), other.clone()]))
            }
        }
    }
}

/// Returns free if all operands are free, else cut.
pub(super) fn only_free(args: &[Class], because: Because<'_>) -> Class {
    match args.iter().find(|class| !class.is_free()) {
        None => Class::FREE,
        Some(_) => cut(args, because),
    }
}

/// Returns cut, with the first known cause.
pub(super) fn cut(args: &[Class], because: Because<'_>) -> Class {
    let known = args.iter().find_map(|class| match class {
        Class::Cut(cause) => Some(cause.clone()),
        Class::Free(_) | Class::Part(..) | Class::Running(..) => None,
    });
    Class::Cut(known.unwrap_or_else(|| because(args)))
}

/// Returns the class of `a op b`. `signs` holds 1 or -1 for an operand of known sign.
pub(super) fn step(
    op: Step,
    args: [&Class; 2],
    signs: [Option<i8>; 2],
    elements: bool,
    because: Because<'_>,
) -> Class {
    let [a, b] = args;
    let wrong = || cut(&[a.clone(), b.clone()], because);
    let monoid = Monoid::of_step(op);
    let one_sided = matches!(op, Step::Binary(BinaryOp::Sub | BinaryOp::Div));
    match (a, b) {
        (Class::Free(_), Class::Free(_)) => Class::FREE,
        (Class::Cut(_), _) | (_, Class::Cut(_)) => wrong(),
        (Class::Running(own, merged), part)
            if part.counts_as(monoid, elements) && merged.is_none_or(|m| m == monoid) =>
        {
            Class::Running(*own, Some(monoid))
        }
        (part, Class::Running(own, merged))
            if !one_sided
                && part.counts_as(monoid, elements)
                && merged.is_none_or(|m| m == monoid) =>
        {
            Class::Running(*own, Some(monoid))
        }
        (Class::Running(..), _) | (_, Class::Running(..)) => wrong(),
        _ => parts(op, args, signs).unwrap_or_else(wrong),
    }
}

/// Returns the class of `a op b` with at least one part; `None` if it is cut.
fn parts(op: Step, [a, b]: [&Class; 2], signs: [Option<i8>; 2]) -> Option<Class> {
    let monoid = Monoid::of_step(op);
    // Two parts, or a part and a neutral number, under the op of their monoid.
    let own = |class: &Class| class.counts_as(monoid, false);
    if own(a) && own(b) {
        return [a, b]
            .into_iter()
            .find_map(Class::part)
            .map(|(_, at)| Class::Part(monoid, at));
    }
    let ((part, at), is_left) = match (a, b) {
        (Class::Part(m, at), Class::Free(_)) => ((*m, *at), true),
        (Class::Free(_), Class::Part(m, at)) => ((*m, *at), false),
        (Class::Free(_) | Class::Part(..) | Class::Running(..) | Class::Cut(_), _) => return None,
    };
    let sign = if is_left { signs[1] } else { signs[0] };
    let monoid = match (op, part) {
        (Step::Binary(BinaryOp::Mul), Monoid::Sum) => Some(Monoid::Sum),
        (Step::Binary(BinaryOp::Div), Monoid::Sum) if is_left => Some(Monoid::Sum),
        // A free number shifts a maximum. Subtracting a maximum from it yields a minimum.
        (Step::Binary(BinaryOp::Add), Monoid::Max | Monoid::Min) => Some(part),
        (Step::Binary(BinaryOp::Sub), Monoid::Max | Monoid::Min) if is_left => Some(part),
        (Step::Binary(BinaryOp::Sub), Monoid::Max | Monoid::Min) => part.negated(),
        (Step::Binary(BinaryOp::Mul), Monoid::Max | Monoid::Min) if sign? == 1 => Some(part),
        (Step::Binary(BinaryOp::Div), Monoid::Max | Monoid::Min) if is_left && sign? == 1 => {
            Some(part)
        }
        (Step::Binary(BinaryOp::Mul), Monoid::Max | Monoid::Min) => part.negated(),
        (Step::Binary(BinaryOp::Div), Monoid::Max | Monoid::Min) if is_left => part.negated(),
        // A free bound commutes with a maximum or minimum, and a free mask with `any` and `all`.
        (Step::Binary(BinaryOp::Max | BinaryOp::Min), Monoid::Max | Monoid::Min) => Some(part),
        (Step::Or | Step::And, Monoid::Any | Monoid::All) => Some(part),
        (
            Step::Binary(BinaryOp::Add | BinaryOp::Sub),
            Monoid::Sum | Monoid::Prod | Monoid::Any | Monoid::All,
        )
        | (Step::Binary(BinaryOp::Mul), Monoid::Prod | Monoid::Any | Monoid::All)
        | (
            Step::Binary(BinaryOp::Div),
            Monoid::Sum | Monoid::Prod | Monoid::Max | Monoid::Min | Monoid::Any | Monoid::All,
        )
        | (
            Step::Binary(BinaryOp::Max | BinaryOp::Min),
            Monoid::Sum | Monoid::Prod | Monoid::Any | Monoid::All,
        )
        | (Step::Or | Step::And, Monoid::Sum | Monoid::Prod | Monoid::Max | Monoid::Min) => None,
    };
    monoid.map(|monoid| Class::Part(monoid, at))
}

/// Returns the class of `-v`.
pub(super) fn negated(v: &Class, because: Because<'_>) -> Class {
    match v {
        Class::Free(number) => Class::Free(number.map(|n| -n)),
        Class::Part(m, at) => match m.negated() {
            Some(m) => Class::Part(m, *at),
            None => cut(std::slice::from_ref(v), because),
        },
        Class::Running(..) | Class::Cut(_) => cut(std::slice::from_ref(v), because),
    }
}

/// Returns the class of an op that is monotonic in its operand, such as `exp` or a rounding.
pub(super) fn rising(v: &Class, because: Because<'_>) -> Class {
    match v {
        Class::Free(_) => Class::FREE,
        Class::Part(m, at) if m.keeps_order() => Class::Part(*m, *at),
        Class::Part(..) | Class::Running(..) | Class::Cut(_) => {
            cut(std::slice::from_ref(v), because)
        }
    }
}

/// Returns the class of `!m`.
pub(super) fn inverted(v: &Class, because: Because<'_>) -> Class {
    match v {
        Class::Free(_) => Class::FREE,
        Class::Part(Monoid::Any, at) => Class::Part(Monoid::All, *at),
        Class::Part(Monoid::All, at) => Class::Part(Monoid::Any, *at),
        Class::Part(..) | Class::Running(..) | Class::Cut(_) => {
            cut(std::slice::from_ref(v), because)
        }
    }
}

/// Returns the class of `m.select(a, b)` of two numbers. An `any` yields the larger or smaller one
/// as a maximum or minimum, and an `all` the reverse.
pub(super) fn chosen(m: &Class, a: f64, b: f64, because: Because<'_>) -> Class {
    let (larger, smaller) = if a >= b {
        (Monoid::Max, Monoid::Min)
    } else {
        (Monoid::Min, Monoid::Max)
    };
    match m {
        Class::Free(_) => Class::Free(Some(a).filter(|_| a.to_bits() == b.to_bits())),
        Class::Part(Monoid::Any, at) => Class::Part(larger, *at),
        Class::Part(Monoid::All, at) => Class::Part(smaller, *at),
        Class::Part(..) | Class::Running(..) | Class::Cut(_) => {
            cut(std::slice::from_ref(m), because)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Mask,
    Whole(DType),
    Float(i64),
    /// Floats that hold integers.
    Integral,
}

impl Kind {
    /// Returns the kind of a type in an instance.
    pub fn of(ty: Ty, binding: &[DType]) -> Kind {
        match ty {
            Ty::Mask => Kind::Mask,
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => {
                let dtype = ty.resolve(binding);
                match dtype {
                    DType::F16 | DType::Bf16 | DType::F32 => Kind::Float(dtype.bytes()),
                    DType::I8
                    | DType::I16
                    | DType::I32
                    | DType::I64
                    | DType::U8
                    | DType::U16
                    | DType::U32
                    | DType::Bool
                    | DType::Bits => Kind::Whole(dtype),
                }
            }
        }
    }

    /// True if this type holds all integers of the other one. An integer that it does not hold
    /// becomes the nearest end of the type, which breaks sums.
    fn holds(self, from: Kind) -> bool {
        match (from, self) {
            (Kind::Whole(from), Kind::Whole(to)) => to.holds_all_of(from),
            // A sum of floats is rounded far below the ends of 32 bits.
            (Kind::Integral, Kind::Whole(to)) => to.holds_all_of(DType::I32),
            (Kind::Mask | Kind::Whole(_) | Kind::Float(_) | Kind::Integral, _) => false,
        }
    }
}

/// Returns the class of a conversion. `rounds` is true if it has a mode of its own, or goes toward
/// zero.
pub(super) fn converted(
    v: &Class,
    from: Kind,
    to: Kind,
    rounds: bool,
    because: Because<'_>,
) -> Class {
    let wrong = || cut(std::slice::from_ref(v), because);
    let (monoid, at) = match v {
        Class::Free(number) => {
            return Class::Free(number.filter(|_| !rounds && matches!(to, Kind::Float(4))))
        }
        Class::Running(..) if from == to && !rounds => return v.clone(),
        Class::Running(..) | Class::Cut(_) => return wrong(),
        Class::Part(monoid, at) => (*monoid, *at),
    };
    let keeps = match (from, to) {
        (Kind::Mask, Kind::Mask) => Some(monoid),
        (Kind::Mask, Kind::Whole(_) | Kind::Float(_) | Kind::Integral) => match monoid {
            Monoid::Any => Some(Monoid::Max),
            Monoid::All => Some(Monoid::Min),
            Monoid::Sum | Monoid::Prod | Monoid::Max | Monoid::Min => None,
        },
        (Kind::Float(_), Kind::Float(_)) => Some(monoid).filter(|m| !rounds || m.keeps_order()),
        // Conversion to the nearest end of the type is monotonic.
        (Kind::Whole(_) | Kind::Integral, Kind::Whole(_)) => Some(monoid)
            .filter(|m| from == to || m.keeps_order() || *m == Monoid::Sum && to.holds(from)),
        (Kind::Whole(_), Kind::Float(4)) if monoid == Monoid::Sum && !rounds => Some(monoid),
        (Kind::Whole(_), Kind::Float(_)) => Some(monoid).filter(|m| m.keeps_order()),
        // These round, and NaN becomes 0.
        (Kind::Whole(_) | Kind::Float(_), Kind::Whole(_) | Kind::Mask) => None,
        // Only a conversion from integer types is known to yield integers.
        (_, Kind::Integral) | (Kind::Integral, Kind::Mask | Kind::Float(_)) => None,
    };
    keeps.map_or_else(wrong, |monoid| Class::Part(monoid, at))
}
