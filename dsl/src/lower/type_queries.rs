//! Element types of an instance, as far as the lowering may know them: it asks questions, and every question is noted.
//! Instances for which all that was asked has the same answers are lowered alike, so one of them is lowered.

use crate::dtype::{cast_modes, cast_route, casts_by_bits, compared_in, rounds_by_way, DType, RoundMode, Step};
use crate::ir::{Scalar, ScalarTy, Ty};
use crate::ops::{is_composed, Op};
use crate::soc::Chip;
use std::cell::RefCell;
use std::collections::HashSet;

/// What the lowering asks of element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Question {
    /// Bytes of an element.
    Bytes(Ty),
    /// Whether two types are one.
    Same(Ty, Ty),
    /// Whether a type is a certain one.
    Is(Ty, DType),
    /// Whether elements are floats.
    Float(Ty),
    /// The type of scalars beside the elements.
    Beside(Ty),
    /// The usual mode of a cast.
    CastMode(Ty, Ty),
    /// Whether one instruction casts in a mode.
    CastsIn(Ty, Ty, RoundMode),
    /// The steps of a conversion that the chip has none of.
    Route(Ty, Ty),
    /// Whether a conversion goes by the bits of numbers without a sign.
    ByBits(Ty, Ty),
    /// In which type a number is compared with 0.
    ComparedIn(Ty),
    /// Whether an op of tiles is made of others.
    Composed(Op, Ty),
    /// Whether rounding to whole numbers takes a type of these.
    RoundsByWay(Ty, RoundMode),
    /// Whether a division by the number of these bits is a product.
    Reciprocal(Ty, u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    Number(i64),
    Truth(bool),
    Scalar(ScalarTy),
    Mode(Option<RoundMode>),
    Route(Option<&'static [Step]>),
    Type(Option<DType>),
}

impl Question {
    fn answer(self, types: &[DType], chip: &Chip) -> Answer {
        match self {
            Question::Bytes(ty) => Answer::Number(ty.resolve(types).bytes()),
            Question::Same(a, b) => Answer::Truth(a.resolve(types) == b.resolve(types)),
            Question::Is(ty, dtype) => Answer::Truth(ty.resolve(types) == dtype),
            Question::Float(ty) => Answer::Truth(ty.resolve(types).is_float()),
            Question::Beside(ty) => Answer::Scalar(ScalarTy::beside(ty.resolve(types))),
            Question::CastMode(from, to) => {
                Answer::Mode(cast_modes(chip.arch, from.resolve(types), to.resolve(types)).first().copied())
            }
            Question::CastsIn(from, to, mode) => {
                Answer::Truth(cast_modes(chip.arch, from.resolve(types), to.resolve(types)).contains(&mode))
            }
            Question::Route(from, to) => Answer::Route(cast_route(chip.arch, from.resolve(types), to.resolve(types))),
            Question::ByBits(from, to) => Answer::Truth(casts_by_bits(chip.arch, from.resolve(types), to.resolve(types))),
            Question::ComparedIn(ty) => Answer::Type(compared_in(chip.arch, ty.resolve(types))),
            Question::Composed(op, ty) => Answer::Truth(is_composed(op, ty.resolve(types), chip.arch)),
            Question::RoundsByWay(ty, mode) => Answer::Truth(rounds_by_way(chip.arch, ty.resolve(types), mode)),
            Question::Reciprocal(ty, bits) => Answer::Truth(has_reciprocal(f32::from_bits(bits), ty.resolve(types))),
        }
    }
}

/// What was asked in a lowering.
#[derive(Clone, Debug, Default)]
pub struct Asked(HashSet<Question>);

impl Asked {
    /// True where two instances have the same answers.
    pub fn is_answered_alike(&self, a: &[DType], b: &[DType], chip: &Chip) -> bool {
        self.0.iter().all(|question| question.answer(a, chip) == question.answer(b, chip))
    }
}

/// The element types of an instance.
pub(super) struct Binding<'a> {
    types: &'a [DType],
    chip: &'static Chip,
    asked: RefCell<HashSet<Question>>,
}

impl<'a> Binding<'a> {
    pub(super) fn new(types: &'a [DType], chip: &'static Chip) -> Self {
        Binding { types, chip, asked: RefCell::default() }
    }

    pub(super) fn asked(self) -> Asked {
        Asked(self.asked.into_inner())
    }

    fn note(&self, question: Question) -> Answer {
        self.asked.borrow_mut().insert(question);
        question.answer(self.types, self.chip)
    }

    /// Bytes of an element.
    pub(super) fn bytes(&self, ty: Ty) -> i64 {
        match self.note(Question::Bytes(ty)) {
            Answer::Number(bytes) => bytes,
            other => unreachable!("{other:?} bytes"),
        }
    }

    pub(super) fn same(&self, a: Ty, b: Ty) -> bool {
        self.note(Question::Same(a, b)) == Answer::Truth(true)
    }

    pub(super) fn is(&self, ty: Ty, dtype: DType) -> bool {
        self.note(Question::Is(ty, dtype)) == Answer::Truth(true)
    }

    pub(super) fn is_float(&self, ty: Ty) -> bool {
        self.note(Question::Float(ty)) == Answer::Truth(true)
    }

    /// The type of scalars beside the elements.
    pub(super) fn beside(&self, ty: Ty) -> ScalarTy {
        match self.note(Question::Beside(ty)) {
            Answer::Scalar(ty) => ty,
            other => unreachable!("{other:?} beside elements"),
        }
    }

    /// The usual mode of a cast, where the chip has one.
    pub(super) fn cast_mode(&self, from: Ty, to: Ty) -> Option<RoundMode> {
        match self.note(Question::CastMode(from, to)) {
            Answer::Mode(mode) => mode,
            other => unreachable!("a cast by {other:?}"),
        }
    }

    /// Whether one instruction casts in a mode.
    pub(super) fn casts_in(&self, from: Ty, to: Ty, mode: RoundMode) -> bool {
        self.note(Question::CastsIn(from, to, mode)) == Answer::Truth(true)
    }

    /// The steps of a conversion, where it takes several.
    pub(super) fn route(&self, from: Ty, to: Ty) -> Option<&'static [Step]> {
        match self.note(Question::Route(from, to)) {
            Answer::Route(steps) => steps,
            other => unreachable!("a conversion by {other:?}"),
        }
    }

    /// Whether a conversion goes by the bits of numbers without a sign.
    pub(super) fn casts_by_bits(&self, from: Ty, to: Ty) -> bool {
        self.note(Question::ByBits(from, to)) == Answer::Truth(true)
    }

    /// A type in which a number is 0 where it is 0 in its own.
    pub(super) fn compared_in(&self, ty: Ty) -> Option<DType> {
        match self.note(Question::ComparedIn(ty)) {
            Answer::Type(dtype) => dtype,
            other => unreachable!("a compare in {other:?}"),
        }
    }

    /// Whether an op of tiles with these elements is made of others.
    pub(super) fn is_composed(&self, op: Op, ty: Ty) -> bool {
        self.note(Question::Composed(op, ty)) == Answer::Truth(true)
    }

    /// Whether rounding to whole numbers takes a type of these.
    pub(super) fn rounds_by_way(&self, ty: Ty, mode: RoundMode) -> bool {
        self.note(Question::RoundsByWay(ty, mode)) == Answer::Truth(true)
    }

    /// The reciprocal of a power of two where that is exact and a normal number of the element type, as the power is itself.
    pub(super) fn reciprocal(&self, s: &Scalar, ty: Ty) -> Option<Scalar> {
        let Scalar::Float(v) = s else { return None };
        let exact = self.note(Question::Reciprocal(ty, v.to_bits())) == Answer::Truth(true);
        exact.then(|| Scalar::Float(v.recip()))
    }

    /// With the number of bytes in the place of each `size_of`.
    pub(super) fn sized(&self, s: &Scalar) -> Scalar {
        s.walk(&mut |node| {
            if let Scalar::SizeOf(ty) = node {
                self.note(Question::Bytes(*ty));
            }
        });
        s.sized(self.types)
    }

    /// True where two sizes are one, with all element types known.
    pub(super) fn same_size(&self, a: &Scalar, b: &Scalar) -> bool {
        self.sized(a) == self.sized(b)
    }
}

fn has_reciprocal(v: f32, dtype: DType) -> bool {
    let normal = |v: f32| match dtype {
        DType::F16 => (2f32.powi(-14)..=2f32.powi(15)).contains(&v.abs()),
        DType::Bf16 | DType::F32 => v.is_normal(),
        DType::I32 | DType::Bool | DType::I8 | DType::I64 | DType::I16 | DType::U8 | DType::U16 | DType::U32 | DType::Bits => {
            false
        }
    };
    v.to_bits() & 0x007f_ffff == 0 && normal(v) && normal(v.recip())
}
