//! J0904: integers that go through floats which do not hold them all.
//!
//! `f32` holds every integer up to 2^24, `f16` up to 2^11, `bf16` up to 2^8. Beyond that, two
//! neighbours may round to one number. Two kinds of integers are followed:
//!
//! - indices (`iota`) of an axis that nothing bounds,
//! - loaded elements of a type with larger numbers, which no `#[index(..)]` bounds.
//!
//! Casts, copies and arithmetic that keeps integers exact carry them on. The check reports three
//! uses of integers that a float may have rounded:
//!
//! - a cast back to an integer type that holds more than the float did,
//! - a test for equality,
//! - an ordered comparison of two of them.
//!
//! An upper bound (`min`, `clamp`, `&`) that the float holds makes them safe; a larger one does
//! not. Integers that are scaled, divided, chosen or reduced are no longer followed.

use crate::check::prove::facts::Facts;
use crate::diag::{Code, Diagnostic, Spot};
use crate::dtype::DType;
use crate::ir::tile::Body;
use crate::ir::{
    AxFrom, AxId, BinOp, Kernel, Operand, ParamId, Scalar, ScalarTy, SpanId, TileExpr, TileStmt,
    Ty, ValueId,
};
use crate::lower::WholeAxis;
use crate::ops::{BinaryOp, BitOp, CompareOp, Op, UnaryOp};
use std::collections::BTreeMap;

/// Returns the bound up to which a float type holds every integer; `None` for other types.
fn held(dtype: DType) -> Option<i64> {
    match dtype {
        DType::F32 => Some(1 << 24),
        DType::F16 => Some(1 << 11),
        DType::Bf16 => Some(1 << 8),
        DType::Bits
        | DType::Bool
        | DType::I8
        | DType::U8
        | DType::I16
        | DType::U16
        | DType::I32
        | DType::U32
        | DType::I64 => None,
    }
}

/// Returns the largest value of an integer type; `None` for other types.
fn largest(dtype: DType) -> Option<i64> {
    match dtype {
        DType::I32 => Some(i32::MAX.into()),
        DType::U32 => Some(u32::MAX.into()),
        DType::I64 => Some(i64::MAX),
        DType::Bool | DType::I8 | DType::U8 | DType::I16 | DType::U16 => {
            dtype.ends().map(|ends| *ends.end())
        }
        DType::F16 | DType::Bf16 | DType::F32 | DType::Bits => None,
    }
}

/// Checks the integers of a tile kernel in an instance; `whole` are the axes that UB bounds.
pub fn check_positions(
    kernel: &Kernel,
    body: &Body,
    binding: &[DType],
    whole: &[WholeAxis],
    found: &mut Vec<Diagnostic>,
) {
    let (mut cut, mut counts) = (BTreeMap::new(), false);
    let is_float = |value: ValueId| match body.values[value.index()].dtype {
        Ty::Mask => None,
        ty @ (Ty::Is(_) | Ty::Param(_) | Ty::Wide(_)) => Some(ty.resolve(binding).is_float()),
    };
    body.walk(&mut |s| match s.own() {
        Some(TileStmt::Def {
            expr: TileExpr::Iota { .. },
            ..
        }) => counts = true,
        Some(TileStmt::Def {
            value,
            expr: TileExpr::Cast { value: from, .. },
        }) => {
            counts |= (is_float(*value), is_float(*from)) == (Some(true), Some(false));
        }
        Some(TileStmt::Loop { tile }) => {
            cut.extend(tile.specs.iter().map(|spec| (spec.ax, spec.of)))
        }
        Some(
            TileStmt::Def { .. }
            | TileStmt::Set { .. }
            | TileStmt::Store { .. }
            | TileStmt::Append { .. },
        ) => {}
        None | Some(TileStmt::Read { .. } | TileStmt::Dump { .. }) => {}
    });
    if !counts {
        return;
    }
    let mut facts = Facts::new(&kernel.sig, body);
    whole
        .iter()
        .for_each(|of| facts.assume(&Scalar::Axis(of.axis).bin(BinOp::Le, of.most)));
    let mut walk = Positions {
        kernel,
        body,
        binding,
        facts,
        cut,
        kept: BTreeMap::new(),
        filled: BTreeMap::new(),
        found,
    };
    body.walk(&mut |s| match s.own() {
        Some(TileStmt::Def { value, expr }) => walk.define(*value, expr, s.span),
        Some(TileStmt::Set { value, from }) => walk.keep(*value, walk.kept.get(from).copied()),
        Some(TileStmt::Loop { .. } | TileStmt::Store { .. } | TileStmt::Append { .. }) => {}
        None | Some(TileStmt::Read { .. } | TileStmt::Dump { .. }) => {}
    });
}

/// A tile of integers that the check follows.
#[derive(Clone, Copy)]
struct Numbers {
    of: Of,
    /// The float type that they went through and that does not hold them all.
    through: Option<DType>,
    /// Place where they were counted or loaded.
    from: SpanId,
    /// The upper bound that a constant operand sets.
    most: Option<i64>,
    /// True for a sum or difference of two such tiles. Then a small constant may equal several.
    joined: bool,
}

/// The origin of the integers.
#[derive(Clone, Copy)]
enum Of {
    Axis(AxId),
    /// Elements of this type, of a parameter or of a workspace.
    Elements(DType, Option<ParamId>),
}

struct Positions<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    binding: &'a [DType],
    facts: Facts,
    /// The axis that each run is a part of.
    cut: BTreeMap<AxId, AxId>,
    kept: BTreeMap<ValueId, Numbers>,
    /// Tiles that hold one constant.
    filled: BTreeMap<ValueId, i64>,
    found: &'a mut Vec<Diagnostic>,
}

impl Positions<'_> {
    fn keep(&mut self, value: ValueId, numbers: Option<Numbers>) {
        match numbers {
            Some(numbers) => _ = self.kept.insert(value, numbers),
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
        if let TileExpr::Fill {
            value: Scalar::I32(v),
        } = expr
        {
            self.filled.insert(value, i64::from(*v));
        }
        let numbers = match expr {
            TileExpr::Iota { .. } => {
                let ax = self.body.values[value.index()].axes.iter().next();
                ax.filter(|ax| self.extent(*ax).is_some())
                    .map(|ax| Numbers {
                        of: Of::Axis(ax),
                        through: None,
                        from: span,
                        most: None,
                        joined: false,
                    })
            }
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => {
                let own = dtype.filter(|dtype| largest(*dtype).is_some());
                own.map(|own| Numbers {
                    of: Of::Elements(own, from.param()),
                    through: None,
                    from: span,
                    most: None,
                    joined: false,
                })
            }
            TileExpr::Cast { value: from, .. } | TileExpr::Truncate { value: from } => {
                let numbers = self.kept.get(from).copied();
                match (
                    numbers,
                    numbers.and_then(|numbers| numbers.through),
                    dtype.and_then(largest),
                ) {
                    (Some(numbers), Some(through), Some(largest)) => {
                        // A narrower type holds no such integer, so the cast keeps none that was
                        // rounded.
                        if held(through).is_some_and(|held| largest > held) {
                            self.lost(numbers, through, "become integers again", span);
                        }
                        None
                    }
                    (Some(numbers), None, Some(_)) | (Some(numbers), _, None) => Some(numbers),
                    (None, _, _) => None,
                }
            }
            TileExpr::Copy { value: from } | TileExpr::Round { value: from, .. } => {
                self.kept.get(from).copied()
            }
            TileExpr::Op { op, args } => self.computed(*op, args, span),
            // These choose or join, and the result need not be such an integer.
            TileExpr::Fill { .. } | TileExpr::Across { .. } => None,
            TileExpr::Appended { .. } | TileExpr::Reduce { .. } | TileExpr::Pick { .. } => None,
            TileExpr::Top { .. } | TileExpr::Scan { .. } => None,
        };
        let through = |numbers: Numbers| match dtype.filter(|dtype| self.exceeds(numbers, *dtype)) {
            Some(dtype) => Numbers {
                through: Some(dtype),
                ..numbers
            },
            None => numbers,
        };
        let numbers = numbers.map(through);
        self.keep(value, numbers);
    }

    /// True if a float type does not hold all of them.
    fn exceeds(&self, numbers: Numbers, dtype: DType) -> bool {
        let Some(held) = held(dtype) else {
            return false;
        };
        if numbers.most.is_some_and(|most| most <= held) {
            return false;
        }
        match numbers.of {
            Of::Axis(ax) => self
                .extent(ax)
                .is_some_and(|n| !self.facts.proves_le(n, &Scalar::Int(held))),
            Of::Elements(own, param) => {
                let promise = param.and_then(|param| self.kernel.sig.promise(param));
                let is_bounded =
                    promise.is_some_and(|below| self.facts.proves_le(below, &Scalar::Int(held)));
                !is_bounded && largest(own).is_some_and(|largest| largest > held)
            }
        }
    }

    /// Returns the integers that an op passes on. It must keep integers exact and set no bound.
    fn computed(&mut self, op: Op, args: &[Operand], span: SpanId) -> Option<Numbers> {
        let of = |arg: &Operand| arg.value().and_then(|v| self.kept.get(&v).copied());
        // Integers that a float has rounded come first.
        let numbers = args
            .iter()
            .filter_map(of)
            .max_by_key(|numbers| numbers.through.is_some())?;
        let keeps = |arg: &Operand| match arg {
            Operand::Value { value } => {
                self.kept.contains_key(value) || self.dtype(*value).is_some_and(|d| !d.is_float())
            }
            Operand::Scalar { value } => is_whole(value),
        };
        // Bounded integers may enter any arithmetic. Their results are not followed, unless a float
        // has rounded them before.
        let open = |numbers: &Numbers| numbers.through.is_some() || numbers.most.is_none();
        let both: Vec<Numbers> = args.iter().filter_map(of).collect();
        let two = matches!(&both[..], [a, b] if a.from != b.from);
        match op {
            Op::Binary(by @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Max)) => {
                let joined = numbers.joined || two && matches!(by, BinaryOp::Add | BinaryOp::Sub);
                (args.iter().all(keeps) && open(&numbers)).then_some(Numbers { joined, ..numbers })
            }
            Op::Binary(BinaryOp::Min) => {
                let most = args.iter().find_map(literal).filter(|_| !numbers.joined)?;
                bounded(numbers, most)
            }
            Op::Bit(BitOp::And) => {
                let most = args
                    .iter()
                    .find_map(|arg| self.filled.get(&arg.value()?).copied())
                    .filter(|mask| *mask >= 0)?;
                bounded(numbers, most)
            }
            Op::Unary(UnaryOp::Neg | UnaryOp::Abs | UnaryOp::Relu) => {
                open(&numbers).then_some(numbers)
            }
            // The order of two rounded integers, or of their difference and 0, may be wrong.
            Op::Compare(CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge) => {
                let through = numbers.through?;
                if two || numbers.joined {
                    self.lost(numbers, through, "are compared", span);
                }
                None
            }
            Op::Compare(CompareOp::Eq | CompareOp::Ne) => {
                let through = numbers.through?;
                // The float holds a small integer exactly.
                let most = held(through)? as f32;
                let small = |arg: &Operand| matches!(arg, Operand::Scalar { value: Scalar::Float(v) } if v.abs() < most);
                // A comparison with themselves, such as a test for an integer, depends on no lost
                // bit.
                let themselves = args
                    .iter()
                    .all(|arg| of(arg).is_some_and(|other| other.from == numbers.from));
                if (numbers.joined || !args.iter().any(small)) && !themselves {
                    self.lost(numbers, through, "are asked for equality", span);
                }
                None
            }
            // The other ops bound or scale the integers, or give no number.
            Op::Binary(BinaryOp::Div)
            | Op::Unary(_)
            | Op::Mask(_)
            | Op::Bit(BitOp::Or | BitOp::Not)
            | Op::Shift(_) => None,
            Op::Layout(_)
            | Op::BinaryScalar(_)
            | Op::CompareScalar(_)
            | Op::Reduce(_)
            | Op::AxisReduce(_)
            | Op::Copy(_) => None,
            Op::Scalar(_) | Op::Partial(_) | Op::Scan(_) | Op::Compound(_) => None,
        }
    }

    /// Returns the size of an axis, or of the axis that it is a part of.
    fn extent(&self, ax: AxId) -> Option<&Scalar> {
        match &self.body.axes[ax.index()].from {
            AxFrom::Whole { extent } => Some(extent),
            AxFrom::Run { .. } => self.extent(*self.cut.get(&ax)?),
            AxFrom::Hull { of, .. } => self.extent(*of),
        }
    }

    fn lost(&mut self, numbers: Numbers, through: DType, how: &str, span: SpanId) {
        let held = held(through).expect("what numbers go through is a float");
        match numbers.of {
            Of::Axis(ax) => self.lost_positions(ax, numbers.from, through, held, how, span),
            Of::Elements(own, param) => {
                let whose = param.map_or("a workspace".to_string(), |param| {
                    format!("`{}`", self.kernel.sig.param(param).name)
                });
                let text = format!(
                    "integers of {whose}, which holds {own}, {how} after they were {through}, which holds integers up to {held}; nothing says \
                     that they end there"
                );
                let d = Diagnostic::new(Code::J0904, span, text).label(numbers.from, "read here");
                let clamp = format!(".clamp(-{held}, {held})");
                self.found.push(match own {
                    _ if !self.exceeds(numbers, DType::F32) => {
                        d.help(format!("go through `f32`, which holds all of `{own}`"))
                    }
                    DType::I32 => {
                        let help =
                            format!("compute in `i32`, or bound them before the cast: `{clamp}`");
                        d.help(help).edit(numbers.from, Spot::After, clamp).maybe()
                    }
                    _ => d.help("cast to `i32`, and compute there".to_string()),
                });
            }
        }
    }

    fn lost_positions(
        &mut self,
        ax: AxId,
        counted: SpanId,
        through: DType,
        held: i64,
        how: &str,
        span: SpanId,
    ) {
        let sig = &self.kernel.sig;
        let said = match self.extent(ax) {
            Some(Scalar::Axis(axis)) => Some(&sig.axes[axis.index()].name),
            Some(Scalar::Attr(attr, _)) => Some(&sig.param(*attr).name),
            // A computed size has no name.
            Some(_) | None => None,
        };
        let (name, bound) = match said {
            Some(name) => (name, format!("`require({name} <= {held})`")),
            None => (
                &self.body.axes[ax.index()].name,
                format!("require that the axis has at most {held} indices"),
            ),
        };
        let text = format!(
            "positions along `{name}` {how} after they were {through}, which holds integers up to {held}; nothing says that `{name}` ends there"
        );
        let help = format!("{bound}, or compute with the `i32` that `iota` gives");
        let d = Diagnostic::new(Code::J0904, span, text)
            .label(counted, "counted here")
            .help(help);
        let first = self.body.stmts.first().map(|s| s.span);
        self.found.push(match (said, first) {
            (Some(name), Some(first)) => d
                .edit(
                    first,
                    Spot::StatementBefore,
                    format!("require({name} <= {held});"),
                )
                .maybe(),
            _ => d,
        });
    }
}

/// Returns an operand that is an integer constant.
fn literal(arg: &Operand) -> Option<i64> {
    match arg {
        Operand::Scalar {
            value: Scalar::Float(v),
        } if v.fract() == 0.0 => Some(*v as i64),
        Operand::Scalar {
            value: Scalar::I32(v),
        } => Some(i64::from(*v)),
        Operand::Scalar { .. } | Operand::Value { .. } => None,
    }
}

/// Adds an upper bound. Returns `None` if the float that they went through holds it.
fn bounded(numbers: Numbers, most: i64) -> Option<Numbers> {
    let most = numbers.most.map_or(most, |own| own.min(most));
    let ends = numbers
        .through
        .and_then(held)
        .is_some_and(|held| most <= held);
    (!ends).then_some(Numbers {
        most: Some(most),
        ..numbers
    })
}

/// True for a scalar that is known to be an integer.
fn is_whole(s: &Scalar) -> bool {
    match s {
        Scalar::Float(v) => v.fract() == 0.0,
        Scalar::Cast(_, of) => matches!(of.ty(), ScalarTy::Index | ScalarTy::I32),
        _ => matches!(s.ty(), ScalarTy::Index | ScalarTy::I32),
    }
}
