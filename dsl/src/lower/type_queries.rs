//! Questions of the lowering about the element types of an instance.
//!
//! Every question is recorded. Instances with equal answers are lowered alike, so only one of them
//! is lowered.

use crate::dtype::{
    cast_modes, cast_route, casts_by_bits, compared_in, rounds_by_way, DType, RoundMode, Step,
};
use crate::ir::{Scalar, ScalarTy, Ty};
use crate::ops::{is_composed, repeated_as, Op};
use crate::soc::Chip;
use std::cell::RefCell;
use std::collections::HashSet;

/// A question about element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Question {
    /// The bytes of an element.
    Bytes(Ty),
    /// Are two types equal?
    Same(Ty, Ty),
    /// Is a type a given one?
    Is(Ty, DType),
    /// Are the elements floats?
    Float(Ty),
    /// The type of scalars beside the elements.
    Beside(Ty),
    /// The usual mode of a cast.
    CastMode(Ty, Ty),
    /// Does one instruction cast in a mode?
    CastsIn(Ty, Ty, RoundMode),
    /// The steps of a conversion for which the chip has no single cast.
    Route(Ty, Ty),
    /// Is a conversion made through the bits of unsigned integers?
    ByBits(Ty, Ty),
    /// The type in which a number is compared with 0.
    ComparedIn(Ty),
    /// The other type as whose elements these are repeated.
    RepeatedBy(Ty),
    /// Is an op on tiles made of other ops?
    Composed(Op, Ty),
    /// Does rounding go through an integer type?
    RoundsByWay(Ty, RoundMode),
    /// Is a division by the number with these bits a product?
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

/// The questions asked in a lowering.
#[derive(Clone, Debug, Default)]
pub struct Asked(HashSet<Question>);

impl Asked {
    /// True if two instances have equal answers.
    pub fn is_answered_alike(&self, a: &[DType], b: &[DType], chip: &Chip) -> bool {
        let [a, b] = [a, b].map(|types| Types { types, chip });
        self.0
            .iter()
            .all(|question| a.answer(*question) == b.answer(*question))
    }
}

/// The element types of an instance, with the record of questions.
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

    /// Records a question, and returns the types that answer it.
    fn note(&self, question: Question) -> Types<'a> {
        self.asked.borrow_mut().insert(question);
        self.of
    }

    fn holds(&self, question: Question) -> bool {
        self.note(question).answer(question) == Answer::Truth(true)
    }

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

    /// Returns the type of scalars beside the elements.
    pub(super) fn beside(&self, ty: Ty) -> ScalarTy {
        self.note(Question::Beside(ty)).beside(ty)
    }

    /// Returns the usual mode of a cast, if the chip has that cast.
    pub(super) fn cast_mode(&self, from: Ty, to: Ty) -> Option<RoundMode> {
        self.note(Question::CastMode(from, to)).cast_mode(from, to)
    }

    /// True if one instruction casts in a mode.
    pub(super) fn casts_in(&self, from: Ty, to: Ty, mode: RoundMode) -> bool {
        self.holds(Question::CastsIn(from, to, mode))
    }

    /// Returns the steps of a conversion that takes several casts.
    pub(super) fn route(&self, from: Ty, to: Ty) -> Option<&'static [Step]> {
        self.note(Question::Route(from, to)).route(from, to)
    }

    /// True if a conversion is made through the bits of unsigned integers.
    pub(super) fn casts_by_bits(&self, from: Ty, to: Ty) -> bool {
        self.holds(Question::ByBits(from, to))
    }

    /// Returns a type in which a number is 0 exactly if it is 0 in its own type.
    pub(super) fn compared_in(&self, ty: Ty) -> Option<DType> {
        self.note(Question::ComparedIn(ty)).compared_in(ty)
    }

    /// Returns the signed type as whose elements these are repeated, if not as their own.
    pub(super) fn repeated_by(&self, ty: Ty) -> Option<DType> {
        self.note(Question::RepeatedBy(ty)).repeated_by(ty)
    }

    /// True if an op on tiles of these elements is made of other ops.
    pub(super) fn is_composed(&self, op: Op, ty: Ty) -> bool {
        self.holds(Question::Composed(op, ty))
    }

    /// True if rounding to integers goes through an integer type.
    pub(super) fn rounds_by_way(&self, ty: Ty, mode: RoundMode) -> bool {
        self.holds(Question::RoundsByWay(ty, mode))
    }

    /// Returns the reciprocal of a power of two, if it is exact and both are normal numbers of the
    /// element type.
    pub(super) fn reciprocal(&self, s: &Scalar, ty: Ty) -> Option<Scalar> {
        let Scalar::Float(v) = s else { return None };
        let exact = self.holds(Question::Reciprocal(ty, v.to_bits()));
        exact.then(|| Scalar::Float(v.recip()))
    }

    /// Replaces each `size_of` by the number of bytes.
    pub(super) fn sized(&self, s: &Scalar) -> Scalar {
        s.walk(&mut |node| {
            if let Scalar::SizeOf(ty) = node {
                self.note(Question::Bytes(*ty));
            }
        });
        s.sized(self.of.types)
    }

    /// True if two sizes are equal when all element types are known.
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
