//! Element types of an instance, as far as the lowering may know them: it asks questions, and every question is noted.
//! Instances for which all that was asked has the same answers are lowered alike, so one of them is lowered.

use crate::dtype::{
    cast_modes, cast_route, casts_by_bits, compared_in, rounds_by_way, DType, RoundMode, Step,
};
use crate::ir::{Scalar, ScalarTy, Ty};
use crate::ops::{is_composed, repeated_as, Op};
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
    /// By which other type's elements these are repeated.
    RepeatedBy(Ty),
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

/// The element types of an instance, and the chip.
#[derive(Clone, Copy)]
struct Types<'a> {
    types: &'a [DType],
    chip: &'a Chip,
}

impl Types<'_> {
    fn of(self, ty: Ty) -> DType {
        ty.resolve(self.types)
    }

    fn bytes(self, ty: Ty) -> i64 {
        self.of(ty).bytes()
    }

    fn beside(self, ty: Ty) -> ScalarTy {
        ScalarTy::beside(self.of(ty))
    }

    fn cast_mode(self, from: Ty, to: Ty) -> Option<RoundMode> {
        cast_modes(self.chip.arch, self.of(from), self.of(to))
            .first()
            .copied()
    }

    fn route(self, from: Ty, to: Ty) -> Option<&'static [Step]> {
        cast_route(self.chip.arch, self.of(from), self.of(to))
    }

    fn compared_in(self, ty: Ty) -> Option<DType> {
        compared_in(self.chip.arch, self.of(ty))
    }

    fn repeated_by(self, ty: Ty) -> Option<DType> {
        repeated_as(self.of(ty), self.chip.arch).filter(|bits| *bits != self.of(ty))
    }

    fn answer(self, question: Question) -> Answer {
        let arch = self.chip.arch;
        match question {
            Question::Bytes(ty) => Answer::Number(self.bytes(ty)),
            Question::Same(a, b) => Answer::Truth(self.of(a) == self.of(b)),
            Question::Is(ty, dtype) => Answer::Truth(self.of(ty) == dtype),
            Question::Float(ty) => Answer::Truth(self.of(ty).is_float()),
            Question::Beside(ty) => Answer::Scalar(self.beside(ty)),
            Question::CastMode(from, to) => Answer::Mode(self.cast_mode(from, to)),
            Question::CastsIn(from, to, mode) => {
                Answer::Truth(cast_modes(arch, self.of(from), self.of(to)).contains(&mode))
            }
            Question::Route(from, to) => Answer::Route(self.route(from, to)),
            Question::ByBits(from, to) => {
                Answer::Truth(casts_by_bits(arch, self.of(from), self.of(to)))
            }
            Question::ComparedIn(ty) => Answer::Type(self.compared_in(ty)),
            Question::RepeatedBy(ty) => Answer::Type(self.repeated_by(ty)),
            Question::Composed(op, ty) => Answer::Truth(is_composed(op, self.of(ty), arch)),
            Question::RoundsByWay(ty, mode) => {
                Answer::Truth(rounds_by_way(arch, self.of(ty), mode))
            }
            Question::Reciprocal(ty, bits) => {
                Answer::Truth(has_reciprocal(f32::from_bits(bits), self.of(ty)))
            }
        }
    }
}

/// What was asked in a lowering.
#[derive(Clone, Debug, Default)]
pub struct Asked(HashSet<Question>);

impl Asked {
    /// True where two instances have the same answers.
    pub fn is_answered_alike(&self, a: &[DType], b: &[DType], chip: &Chip) -> bool {
        let [a, b] = [a, b].map(|types| Types { types, chip });
        self.0
            .iter()
            .all(|question| a.answer(*question) == b.answer(*question))
    }
}

/// The element types of an instance.
pub(super) struct Binding<'a> {
    of: Types<'a>,
    asked: RefCell<HashSet<Question>>,
}

impl<'a> Binding<'a> {
    pub(super) fn new(types: &'a [DType], chip: &'static Chip) -> Self {
        Binding {
            of: Types { types, chip },
            asked: RefCell::default(),
        }
    }

    pub(super) fn asked(self) -> Asked {
        Asked(self.asked.into_inner())
    }

    /// Gives the types to answer a question from, which is noted.
    fn note(&self, question: Question) -> Types<'a> {
        self.asked.borrow_mut().insert(question);
        self.of
    }

    fn holds(&self, question: Question) -> bool {
        self.note(question).answer(question) == Answer::Truth(true)
    }

    /// Bytes of an element.
    pub(super) fn bytes(&self, ty: Ty) -> i64 {
        self.note(Question::Bytes(ty)).bytes(ty)
    }

    pub(super) fn same(&self, a: Ty, b: Ty) -> bool {
        self.holds(Question::Same(a, b))
    }

    pub(super) fn is(&self, ty: Ty, dtype: DType) -> bool {
        self.holds(Question::Is(ty, dtype))
    }

    pub(super) fn is_float(&self, ty: Ty) -> bool {
        self.holds(Question::Float(ty))
    }

    /// The type of scalars beside the elements.
    pub(super) fn beside(&self, ty: Ty) -> ScalarTy {
        self.note(Question::Beside(ty)).beside(ty)
    }

    /// The usual mode of a cast, where the chip has one.
    pub(super) fn cast_mode(&self, from: Ty, to: Ty) -> Option<RoundMode> {
        self.note(Question::CastMode(from, to)).cast_mode(from, to)
    }

    /// Whether one instruction casts in a mode.
    pub(super) fn casts_in(&self, from: Ty, to: Ty, mode: RoundMode) -> bool {
        self.holds(Question::CastsIn(from, to, mode))
    }

    /// The steps of a conversion, where it takes several.
    pub(super) fn route(&self, from: Ty, to: Ty) -> Option<&'static [Step]> {
        self.note(Question::Route(from, to)).route(from, to)
    }

    /// Whether a conversion goes by the bits of numbers without a sign.
    pub(super) fn casts_by_bits(&self, from: Ty, to: Ty) -> bool {
        self.holds(Question::ByBits(from, to))
    }

    /// A type in which a number is 0 where it is 0 in its own.
    pub(super) fn compared_in(&self, ty: Ty) -> Option<DType> {
        self.note(Question::ComparedIn(ty)).compared_in(ty)
    }

    /// The type with a sign as whose elements these are repeated, where not as their own.
    pub(super) fn repeated_by(&self, ty: Ty) -> Option<DType> {
        self.note(Question::RepeatedBy(ty)).repeated_by(ty)
    }

    /// Whether an op of tiles with these elements is made of others.
    pub(super) fn is_composed(&self, op: Op, ty: Ty) -> bool {
        self.holds(Question::Composed(op, ty))
    }

    /// Whether rounding to whole numbers takes a type of these.
    pub(super) fn rounds_by_way(&self, ty: Ty, mode: RoundMode) -> bool {
        self.holds(Question::RoundsByWay(ty, mode))
    }

    /// The reciprocal of a power of two where that is exact and a normal number of the element type, as the power is itself.
    pub(super) fn reciprocal(&self, s: &Scalar, ty: Ty) -> Option<Scalar> {
        let Scalar::Float(v) = s else { return None };
        let exact = self.holds(Question::Reciprocal(ty, v.to_bits()));
        exact.then(|| Scalar::Float(v.recip()))
    }

    /// With the number of bytes in the place of each `size_of`.
    pub(super) fn sized(&self, s: &Scalar) -> Scalar {
        s.walk(&mut |node| {
            if let Scalar::SizeOf(ty) = node {
                self.note(Question::Bytes(*ty));
            }
        });
        s.sized(self.of.types)
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
        DType::I32
        | DType::Bool
        | DType::I8
        | DType::I64
        | DType::I16
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::Bits => false,
    };
    v.to_bits() & 0x007f_ffff == 0 && normal(v) && normal(v.recip())
}
