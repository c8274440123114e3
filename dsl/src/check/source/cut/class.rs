//! Classes of values along one cut, and what each op does to them.
//!
//! Along a run R a value is *free* (for each element, or without the run's axis for all of R, one number whatever the cut), *part* of a named
//! monoid (`v(R ∪ R') = v(R) ⊕ v(R')`), *running* (merged, turn by turn, into what stood before the loop) or *cut*. What no rule here names
//! gives free of free, else cut.

use super::cause::Cause;
use crate::dtype::DType;
use crate::ir::tile::Stmt;
use crate::ir::{SpanId, StmtKind, TileStmt, Ty, ValueId, VarId};
use crate::ops::{AxisReduceOp, BinaryOp, MaskOp};
use std::rc::Rc;

/// How parts of runs become that of the whole.
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
    /// That of a reduction along the run itself; none of a mean and of places.
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

    /// That of which an op is one step.
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

    /// True where an element that counts twice counts once.
    pub fn is_idempotent(self) -> bool {
        match self {
            Monoid::Max | Monoid::Min | Monoid::Any | Monoid::All => true,
            Monoid::Sum | Monoid::Prod => false,
        }
    }

    /// That of what is negated.
    fn negated(self) -> Option<Monoid> {
        match self {
            Monoid::Sum => Some(Monoid::Sum),
            Monoid::Max => Some(Monoid::Min),
            Monoid::Min => Some(Monoid::Max),
            Monoid::Prod | Monoid::Any | Monoid::All => None,
        }
    }

    /// True for those by which a value that rises with its operand goes on.
    fn keeps_order(self) -> bool {
        matches!(self, Monoid::Max | Monoid::Min)
    }

    /// True where a number changes nothing that it is merged with.
    fn is_neutral(self, number: f64) -> bool {
        match self {
            Monoid::Sum => number == 0.0,
            Monoid::Prod => number == 1.0,
            // Any number is one of its largest: these are idempotent.
            Monoid::Max | Monoid::Min | Monoid::Any | Monoid::All => true,
        }
    }

    /// How messages name the whole.
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

/// A value that a loop carries from turn to turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Carried {
    Tile(ValueId),
    Scalar(VarId),
}

impl Carried {
    /// Returns what a statement gives a value.
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

    /// Returns what a statement assigns of what was declared before.
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
    /// It does not depend on the cut; its number, where that is known.
    Free(Option<f64>),
    /// With the place where the run was reduced.
    Part(Monoid, SpanId),
    /// A carried value, merged so far by this.
    Running(Carried, Option<Monoid>),
    Cut(Rc<Cause>),
}

/// Says why an op gives what depends on the cut.
pub(super) type Because<'b> = &'b dyn Fn(&[Class]) -> Rc<Cause>;

impl Class {
    pub const FREE: Class = Class::Free(None);

    /// The monoid that it is a part of, and where the run was reduced.
    pub fn part(&self) -> Option<(Monoid, SpanId)> {
        match self {
            Class::Part(monoid, at) => Some((*monoid, *at)),
            Class::Free(_) | Class::Running(..) | Class::Cut(_) => None,
        }
    }

    pub fn is_free(&self) -> bool {
        matches!(self, Class::Free(_))
    }

    /// True where it stands for a part of `monoid`; `elements` where each turn is one element of the run, of which any free number is a part.
    pub fn counts_as(&self, monoid: Monoid, elements: bool) -> bool {
        match self {
            Class::Part(own, _) => *own == monoid && !elements,
            Class::Free(number) => {
                elements || number.map_or(monoid.is_idempotent(), |n| monoid.is_neutral(n))
            }
            Class::Running(..) | Class::Cut(_) => false,
        }
    }

    /// True where both say the same.
    pub fn is_same(&self, other: &Class) -> bool {
        match (self, other) {
            (Class::Free(a), Class::Free(b)) => a.map(f64::to_bits) == b.map(f64::to_bits),
            (Class::Part(a, _), Class::Part(b, _)) => a == b,
            (Class::Running(a, m), Class::Running(b, n)) => (a, m) == (b, n),
            (Class::Cut(_), Class::Cut(_)) => true,
            (Class::Free(_) | Class::Part(..) | Class::Running(..) | Class::Cut(_), _) => false,
        }
    }

    /// The class of one of two, by a choice that does not depend on the cut.
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

/// Free of free, and else cut.
pub(super) fn only_free(args: &[Class], because: Because<'_>) -> Class {
    match args.iter().find(|class| !class.is_free()) {
        None => Class::FREE,
        Some(_) => cut(args, because),
    }
}

/// Cut, for the first reason there is.
pub(super) fn cut(args: &[Class], because: Because<'_>) -> Class {
    let known = args.iter().find_map(|class| match class {
        Class::Cut(cause) => Some(cause.clone()),
        Class::Free(_) | Class::Part(..) | Class::Running(..) => None,
    });
    Class::Cut(known.unwrap_or_else(|| because(args)))
}

/// The class of `a op b`; `signs` says of each whether it is known to be positive (1) or negative (-1).
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

/// The same where one at least is a part; none where that is cut.
fn parts(op: Step, [a, b]: [&Class; 2], signs: [Option<i8>; 2]) -> Option<Class> {
    let monoid = Monoid::of_step(op);
    // Two parts, or one and what changes nothing, by their own op.
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
        // The largest, moved by what is free; taken from it, it is a smallest.
        (Step::Binary(BinaryOp::Add), Monoid::Max | Monoid::Min) => Some(part),
        (Step::Binary(BinaryOp::Sub), Monoid::Max | Monoid::Min) if is_left => Some(part),
        (Step::Binary(BinaryOp::Sub), Monoid::Max | Monoid::Min) => part.negated(),
        (Step::Binary(BinaryOp::Mul), Monoid::Max | Monoid::Min) if sign? == 1 => Some(part),
        (Step::Binary(BinaryOp::Div), Monoid::Max | Monoid::Min) if is_left && sign? == 1 => {
            Some(part)
        }
        (Step::Binary(BinaryOp::Mul), Monoid::Max | Monoid::Min) => part.negated(),
        (Step::Binary(BinaryOp::Div), Monoid::Max | Monoid::Min) if is_left => part.negated(),
        // A largest that is no less than what is free, a smallest that is no more, an `any` of those for which that holds.
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

/// The class of `-v`.
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

/// The class of an op that rises with its operand, as `exp` and roundings do.
pub(super) fn rising(v: &Class, because: Because<'_>) -> Class {
    match v {
        Class::Free(_) => Class::FREE,
        Class::Part(m, at) if m.keeps_order() => Class::Part(*m, *at),
        Class::Part(..) | Class::Running(..) | Class::Cut(_) => {
            cut(std::slice::from_ref(v), because)
        }
    }
}

/// The class of `!m`.
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

/// The class of `m.select(a, b)` of two numbers: the larger one if it holds of any, or of all.
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

/// A side of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Mask,
    Whole(DType),
    Float(i64),
    /// Floats that are integers.
    Integral,
}

impl Kind {
    /// That of a type in an instance.
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

    /// True for integers of which each is one of the other side, too: a number that has no place there becomes the nearest end, which is no step of a sum.
    fn holds(self, from: Kind) -> bool {
        match (from, self) {
            (Kind::Whole(from), Kind::Whole(to)) => to.holds_all_of(from),
            // A sum of floats is rounded far below the ends of 32 bits.
            (Kind::Integral, Kind::Whole(to)) => to.holds_all_of(DType::I32),
            (Kind::Mask | Kind::Whole(_) | Kind::Float(_) | Kind::Integral, _) => false,
        }
    }
}

/// The class of a conversion; `rounds` where it has a mode of its own, or goes toward zero.
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
        // What has no place becomes the nearest end, and so rises with what it is made of.
        (Kind::Whole(_) | Kind::Integral, Kind::Whole(_)) => Some(monoid)
            .filter(|m| from == to || m.keeps_order() || *m == Monoid::Sum && to.holds(from)),
        (Kind::Whole(_), Kind::Float(4)) if monoid == Monoid::Sum && !rounds => Some(monoid),
        (Kind::Whole(_), Kind::Float(_)) => Some(monoid).filter(|m| m.keeps_order()),
        // Rounded; and nan becomes 0.
        (Kind::Whole(_) | Kind::Float(_), Kind::Whole(_) | Kind::Mask) => None,
        // No conversion is known to lead to integers but one to their types.
        (_, Kind::Integral) | (Kind::Integral, Kind::Mask | Kind::Float(_)) => None,
    };
    keeps.map_or_else(wrong, |monoid| Class::Part(monoid, at))
}
