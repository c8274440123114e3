//! The op catalogue: one row an op, one file a family.
//!
//! A family macro expands its rows into the family's enum, the [`OpDef`] of each row, the
//! evaluation loops, the method on [`crate::surface::Tile`] and the function in
//! [`crate::surface::vec`]. [`Op`] is the sum of the families; [`Op::all`] walks every row.
//!
//! - Dtypes by architecture are those of asc-devkit's API pages (`SIMD-API/基础API/Memory矢量计算`).
//! - Edge values (signed zero, inf, nan) are those of its table of boundary values, in inf/nan
//!   mode.
//! - 16-bit floats are evaluated as `f32` and rounded once: for + − × ÷ √ that is the correctly
//!   rounded result.
//!
//! Start reading at [`OpDef`], then in `binary.rs` and [`contract`].

pub mod binary;
pub mod bits;
pub mod compare;
pub mod compound;
pub mod contract;
pub mod control;
pub mod layout;
pub mod mask;
pub mod math;
pub mod partial;
pub mod reduce;
pub mod scalar;
pub mod scan;
pub mod unary;

use crate::dtype::DType;
use crate::soc::Arch;

pub use binary::BinaryOp;
pub use bits::{BitOp, ShiftOp};
pub use compare::{CompareOp, CompareScalarOp};
pub use compound::{narrowed, CompoundOp};
pub use contract::{Contract, What};
pub use control::{CopyOp, ScalarOp};
pub use layout::LayoutOp;
pub use mask::MaskOp;
pub use partial::PartialOp;
pub use reduce::{AxisReduceOp, ReduceOp};
pub use scalar::BinaryScalarOp;
pub use scan::ScanOp;
pub use unary::UnaryOp;

/// Cost class of an op; [`crate::soc`] has the cycles of each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Cost {
    Simple,
    Transcendental,
    Divide,
    Cast,
    Compare,
    Select,
    Duplicate,
    Index,
    Reduce,
    BlockReduce,
    WholeReduce,
    Gather,
    Choose,
    Sort,
    Merge,
    Scan,
    Broadcast,
}

/// Computes `dst[i] = f(a[i], b[i])` for every `i`.
pub type BinaryFn<T> = fn(&mut [T], &[T], &[T]);
/// Computes `dst[i] = f(a[i], s)` for every `i`.
pub type BinaryScalarFn<T> = fn(&mut [T], &[T], T);
/// Computes `dst[i] = f(a[i])` for every `i`.
pub type UnaryFn<T> = fn(&mut [T], &[T]);
/// Computes `dst[i] = f(dst[i], a[i], b[i], s)` for every `i`.
pub type HeldFn = fn(&mut [f32], &[f32], &[f32], f32);
/// Computes `dst[i] = f(a[i], b[i])`, each 0 or 1.
pub type CompareFn<T> = fn(&mut [u8], &[T], &[T]);
/// Computes `dst[i] = f(src[i], by)` on the bits of integers. `by` is at most the bits of the type.
pub type ShiftFn<T> = fn(&mut [T], &[T], u32);
/// Combines two partial results of a reduction.
pub type CombineFn = fn(f32, f32) -> f32;
/// Computes `dst[i] = f(src[2 * i], src[2 * i + 1])`: one level of a tree of neighbours.
pub type PairsFn = fn(&mut [f32], &[f32]);

/// The evaluation on integers of one type, in each mode of overflow.
#[derive(Clone, Copy, Debug)]
pub struct Modes<F> {
    /// A result that leaves its type wraps round.
    pub wrapping: F,
    /// A result that leaves its type becomes the largest or least of the type.
    pub saturating: F,
}

/// The evaluation on integers of 32 and of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct Integers<F, S> {
    pub long: Modes<F>,
    pub short: Modes<S>,
}

/// A shift of each type that has shifts.
#[derive(Clone, Copy, Debug)]
pub struct Shifts {
    pub i16: ShiftFn<i16>,
    pub u16: ShiftFn<u16>,
    pub i32: ShiftFn<i32>,
    pub u32: ShiftFn<u32>,
}

impl<F> Modes<F> {
    /// Returns the function of one mode.
    pub fn of(self, saturates: bool) -> F {
        if saturates {
            self.saturating
        } else {
            self.wrapping
        }
    }
}

/// The template arguments, before `false`, by which a call of the mask/repeat form leaves the mask
/// unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepsMask {
    /// None: no extent of its calls is in counter mode, or they set the mask.
    No,
    /// The type of the destination.
    Dst,
    /// The types of the destination and of the op's row; sources may have another type.
    DstOwn,
    /// The types of the destination and of the source; the row lists the destination's type.
    DstSource,
}

/// The way in which elements become one.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    /// The neutral element.
    pub neutral: f32,
    /// The step between partial results.
    pub step: CombineFn,
    /// The step for every pair of neighbours.
    pub pairs: PairsFn,
    /// True where a step rounds: a sum does, the others choose.
    pub rounds: bool,
}

impl Reduction {
    /// Returns the neutral element of integers: infinities are the ends of the type.
    pub const fn whole_neutral(&self) -> i32 {
        self.neutral as i32
    }
}

/// The reference meaning of an op on whole slices, in the op's own dtype (16-bit floats: in `f32`).
#[derive(Clone, Copy, Debug)]
pub enum Eval {
    /// Two tensors to one.
    Binary(
        BinaryFn<f32>,
        Option<Integers<BinaryFn<i32>, BinaryFn<i16>>>,
    ),
    /// Tensor and scalar to tensor.
    BinaryScalar(
        BinaryScalarFn<f32>,
        Option<Integers<BinaryScalarFn<i32>, BinaryScalarFn<i16>>>,
    ),
    /// One tensor to one.
    Unary(UnaryFn<f32>, Option<Integers<UnaryFn<i32>, UnaryFn<i16>>>),
    /// Two tensors, or one twice, and a scalar, into the contents of the destination.
    Held(HeldFn),
    /// Two tensors of floats or of 16-bit integers. Integers saturate in either mode of overflow.
    Ended(BinaryFn<f32>),
    /// Two tensors of one type into elements of another, before they are rounded to it.
    Narrowed(BinaryFn<f32>),
    /// Compare of two tensors (or tensor and scalar) to bits.
    Compare(CompareFn<f32>, Option<CompareFn<i32>>),
    /// Bytes of bits; with one operand the second repeats the first.
    Bits(BinaryFn<u8>),
    /// A tensor of integers and a shift distance.
    Shift(Shifts),
    Reduce(Reduction),
    /// Movement of data; its executor is written out in the simulator.
    Move,
}

/// One row of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct OpDef {
    pub op: Op,
    /// Name of the method on a tile and of the function in `vec::`; also its word in the IR text.
    pub name: &'static str,
    /// AscendC name: `Add`.
    pub ascendc: &'static str,
    /// Element types on architecture 2201 (Atlas A2/A3).
    pub v220: &'static [DType],
    /// Element types on architecture 2002 (Atlas inference).
    pub m200: &'static [DType],
    /// Requirements on the operands.
    pub contract: &'static Contract,
    /// Reference meaning of the op.
    pub eval: Eval,
    /// Distance allowed between the simulator and an exact result, in units in the last place of
    /// the dtype.
    pub ulp: u32,
    /// True for operands that have a pole or the end of the domain at zero. An error grows there
    /// without a bound.
    pub poles: [bool; 2],
    pub cost: Cost,
    /// Exact expression of a tile `x`, where the hardware result is documented as an approximation
    /// (lint J0901).
    pub exact: Option<&'static str>,
    /// Meaning in `f64`, on numbers that no type bounds. Ops of one element ignore the second
    /// argument. It says nothing of nan.
    pub real: Option<fn(f64, f64) -> f64>,
    /// True for a copy whose rows have any number of bytes.
    pub pads: bool,
    /// True for a method of tiles.
    pub method: bool,
    /// Template arguments of a call that leaves the mask unchanged.
    pub keeps_mask: KeepsMask,
    /// Argument behind the operands that selects the op of a family; empty for most.
    pub trailing: &'static str,
    /// True for architectures where a call takes ids of events from a TPipe.
    pub asks_tpipe: fn(Arch) -> bool,
    /// One sentence for the docs.
    pub doc: &'static str,
    /// A call as a kernel writes it; empty for ops that only the lowering inserts.
    pub example: &'static str,
}

impl OpDef {
    /// Returns the element types on an architecture.
    pub const fn dtypes(&self, arch: Arch) -> &'static [DType] {
        match arch {
            Arch::V220 => self.v220,
            Arch::M200 => self.m200,
        }
    }

    /// True where the hardware result equals the reference meaning.
    pub const fn is_exact(&self) -> bool {
        self.ulp == 0 && self.exact.is_none()
    }
}

macro_rules! families {
    ($($v:ident($t:ty)),* $(,)?) => {
        /// An op of any family.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Op { $($v($t)),* }
        impl Op {
            /// Returns the row of this op.
            pub fn def(self) -> &'static OpDef {
                match self { $(Op::$v(o) => o.def()),* }
            }
            /// Returns every row, by family, in the order of the files.
            pub fn all() -> impl Iterator<Item = &'static OpDef> {
                std::iter::empty()$(.chain(<$t>::DEFS.iter()))*
            }
        }
        $(impl From<$t> for Op { fn from(o: $t) -> Op { Op::$v(o) } })*
    };
}
families!(
    Binary(BinaryOp),
    BinaryScalar(BinaryScalarOp),
    Unary(UnaryOp),
    Compare(CompareOp),
    CompareScalar(CompareScalarOp),
    Reduce(ReduceOp),
    AxisReduce(AxisReduceOp),
    Layout(LayoutOp),
    Copy(CopyOp),
    Scalar(ScalarOp),
    Partial(PartialOp),
    Mask(MaskOp),
    Bit(BitOp),
    Shift(ShiftOp),
    Scan(ScanOp),
    Compound(CompoundOp),
);

/// Returns the type in which elements of `dtype` are repeated along an axis. It is their own type,
/// or a signed one with their bits. `None` for types that cannot be repeated.
pub fn repeated_as(dtype: DType, arch: Arch) -> Option<DType> {
    let signed = match dtype {
        DType::Bf16 | DType::U16 => DType::I16,
        DType::U32 => DType::I32,
        own => own,
    };
    // A broadcast is the larger of an element and itself.
    let takes = |dtype: &DType| Op::Binary(BinaryOp::Max).def().dtypes(arch).contains(dtype);
    [dtype, signed].into_iter().find(takes)
}

/// True for an op of tiles that the chip lacks for this element type and that the lowering composes
/// exactly of other ops.
///
/// Composed are choices, comparisons and the larger and smaller of two elements for every type, and
/// sums of 64-bit integers (`lower/tile/legalize/compare`, `lower/tile/legalize/int64`).
///
/// Bytes become numbers of `f16`, on every chip. Unsigned integers of 16 and 32 bits, and integers
/// of 64 bits, need shifts or casts that only 2201 has.
pub fn is_composed(op: Op, dtype: DType, arch: Arch) -> bool {
    let has = |op: Op, dtype| op.def().dtypes(arch).contains(&dtype);
    if has(op, dtype) {
        return false;
    }
    let widens = matches!(dtype, DType::Bf16 | DType::I16)
        && !crate::dtype::cast_modes(arch, dtype, DType::F32).is_empty();
    let is_byte = matches!(dtype, DType::I8 | DType::U8 | DType::Bool);
    let is_pair = dtype == DType::I64 && arch == Arch::V220;
    let others =
        is_byte || is_pair || matches!(dtype, DType::U16 | DType::U32) && arch == Arch::V220;
    match op {
        Op::Layout(LayoutOp::Select) => is_byte || is_pair,
        // The lowering makes a tile of the number.
        Op::Layout(LayoutOp::SelectScalar) => has(Op::Layout(LayoutOp::Select), dtype),
        Op::Compare(_) => {
            others || widens || dtype == DType::I32 && has(Op::Compare(CompareOp::Eq), dtype)
        }
        Op::Binary(BinaryOp::Max | BinaryOp::Min) => others,
        Op::Binary(BinaryOp::Add | BinaryOp::Sub) | Op::Unary(UnaryOp::Neg | UnaryOp::Abs) => {
            is_pair
        }
        Op::AxisReduce(AxisReduceOp::Sum) => is_pair,
        Op::AxisReduce(
            AxisReduceOp::Max | AxisReduceOp::Min | AxisReduceOp::ArgMax | AxisReduceOp::ArgMin,
        ) => arch == Arch::V220 && (others || dtype == DType::I16),
        Op::Layout(LayoutOp::Duplicate) => is_byte || is_pair,
        Op::Layout(LayoutOp::GatherBits) => is_pair || is_byte && arch == Arch::V220,
        Op::Binary(_)
        | Op::BinaryScalar(_)
        | Op::Unary(_)
        | Op::CompareScalar(_)
        | Op::Reduce(_)
        | Op::AxisReduce(_)
        | Op::Layout(_)
        | Op::Copy(_)
        | Op::Scalar(_)
        | Op::Partial(_)
        | Op::Mask(_)
        | Op::Bit(_)
        | Op::Shift(_)
        | Op::Scan(_)
        | Op::Compound(_) => false,
    }
}

impl Op {
    /// Returns the name in a kernel and in the IR text.
    pub fn name(self) -> &'static str {
        self.def().name
    }

    /// Finds an op by [`Op::name`].
    pub fn by_name(name: &str) -> Option<Op> {
        static SORTED: std::sync::LazyLock<Vec<(&'static str, Op)>> =
            std::sync::LazyLock::new(|| {
                let mut all: Vec<_> = Op::all().map(|d| (d.name, d.op)).collect();
                all.sort_unstable_by_key(|(name, _)| *name);
                all
            });
        SORTED
            .binary_search_by_key(&name, |(n, _)| n)
            .ok()
            .map(|i| SORTED[i].1)
    }

    /// Returns the requirements on the operands.
    pub fn contract(self) -> &'static Contract {
        self.def().contract
    }

    /// True for a call that takes ids of events from a TPipe. A kernel without a TPipe may not make
    /// it (asc-devkit, page of static tensors: the calls that it lists need none).
    pub fn asks_tpipe(self, arch: Arch) -> bool {
        (self.def().asks_tpipe)(arch)
    }

    /// True for an op that authors write; only the lowering inserts the others.
    pub fn is_written(self) -> bool {
        !self.def().example.is_empty()
    }

    /// Returns the operands of the function `vec::name(..)`, before its count. `None` for an op
    /// that is no such function.
    pub fn function(self) -> Option<&'static [contract::Operand]> {
        let contract = self.contract();
        (contract.pipe == contract::Pipe::V && !contract.operands.is_empty())
            .then(|| contract.named())
    }
}

/// Defines a family: the enum, its rows and the look-up.
macro_rules! family {
    ($family:ident $t:ident { $($(#[doc = $doc:literal])+ $name:ident => $v:ident($ascendc:literal) { $($field:ident: $value:expr),* $(,)? } [$contract:expr] [$eval:expr] $example:literal)* }) => {
        /// The ops of this family.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $t { $($(#[doc = $doc])+ $v),* }
        // The unary family names every field.
        #[allow(clippy::needless_update)]
        impl $t {
            pub(super) const DEFS: &'static [$crate::ops::OpDef] = &[$(
                $crate::ops::OpDef {
                    op: $crate::ops::Op::$family($t::$v),
                    name: stringify!($name),
                    ascendc: $ascendc,
                    contract: &$contract,
                    eval: $eval,
                    doc: concat!($($doc),+).trim_ascii(),
                    example: $example,
                    $($field: $value,)*
                    ..$crate::ops::BLANK
                }
            ),*];
            /// Returns the row of this op.
            pub const fn def(self) -> &'static $crate::ops::OpDef {
                &Self::DEFS[self as usize]
            }
        }
    };
}
pub(crate) use family;

/// Joins bytes bit by bit.
macro_rules! join {
    (|$a:ident, $b:pat_param| $e:expr) => {{
        fn run(dst: &mut [u8], a: &[u8], b: &[u8]) {
            for ((d, &$a), &$b) in dst.iter_mut().zip(a).zip(b) {
                *d = $e;
            }
        }
        Eval::Bits(run)
    }};
}
pub(crate) use join;

/// Defaults of a row; every family names the rest.
pub(crate) const BLANK: OpDef = OpDef {
    op: Op::Layout(LayoutOp::Cast),
    name: "",
    ascendc: "",
    v220: &[],
    m200: &[],
    contract: &contract::TILE_ONLY,
    eval: Eval::Move,
    ulp: 0,
    poles: [false; 2],
    cost: Cost::Simple,
    exact: None,
    real: None,
    pads: false,
    method: false,
    keeps_mask: KeepsMask::No,
    trailing: "",
    asks_tpipe: |arch| match arch {
        Arch::V220 | Arch::M200 => false,
    },
    doc: "",
    example: "",
};

/// True on every architecture.
pub(crate) const ALWAYS: fn(Arch) -> bool = |arch| match arch {
    Arch::V220 | Arch::M200 => true,
};
/// True on architecture 2201 alone.
pub(crate) const ON_V220: fn(Arch) -> bool = |arch| match arch {
    Arch::V220 => true,
    Arch::M200 => false,
};
/// True on architecture 2002 alone.
pub(crate) const ON_M200: fn(Arch) -> bool = |arch| match arch {
    Arch::V220 => false,
    Arch::M200 => true,
};

/// `half`, `float`, `int32_t`, `int16_t`: the types of arithmetic before the 950.
pub(crate) const ARITH: &[DType] = &[DType::F16, DType::F32, DType::I32, DType::I16];
/// Types of Relu, of reductions along axes, and of places of elements.
pub(crate) const ARITH_32: &[DType] = &[DType::F16, DType::F32, DType::I32];
/// The types `half` and `float`.
pub(crate) const FLOAT: &[DType] = &[DType::F16, DType::F32];
/// Types that ops compute with.
const ALL_V220: &[DType] = &[DType::F16, DType::Bf16, DType::F32, DType::I32, DType::I16];
const ALL_M200: &[DType] = &[DType::F16, DType::F32, DType::I32, DType::I16];
/// Types that move inside of UB by elements: those of [`ALL_V220`], and unsigned integers of 16 and
/// 32 bits (asc-devkit, pages of Gather, GatherMask, Brcb).
const MOVED_V220: &[DType] = &[
    DType::F16,
    DType::Bf16,
    DType::F32,
    DType::I32,
    DType::I16,
    DType::U16,
    DType::U32,
];
const MOVED_M200: &[DType] = &[
    DType::F16,
    DType::F32,
    DType::I32,
    DType::I16,
    DType::U16,
    DType::U32,
];
/// Types of tiles of indices.
const INDICES: &[DType] = &[DType::I32, DType::I64];
/// Types of tensors, which copies take (asc-devkit, pages of DataCopy and DataCopyPad).
const STORED_V220: &[DType] = crate::dtype::ELEMENTS;
const STORED_M200: &[DType] = &[
    DType::F16,
    DType::F32,
    DType::I32,
    DType::Bool,
    DType::I8,
    DType::I64,
    DType::I16,
    DType::U8,
    DType::U16,
    DType::U32,
];
/// Types that copies add to GM or compare with its contents (asc-devkit, pages of SetAtomicAdd,
/// SetAtomicMax and SetAtomicMin).
const ADDED_V220: &[DType] = &[
    DType::F16,
    DType::Bf16,
    DType::F32,
    DType::I32,
    DType::I8,
    DType::I16,
];
const ADDED_M200: &[DType] = &[DType::F16, DType::F32, DType::I16];

#[cfg(test)]
mod tests {
    use super::*;

    /// The evaluation of one pair: on floats, and on integers in either mode of overflow.
    type Each = (
        Box<dyn Fn(f32, f32) -> f32>,
        Box<dyn Fn(i32, i32, bool) -> i32>,
    );

    fn each(eval: Eval) -> Option<Each> {
        macro_rules! one {
            ($zero:literal, |$out:ident| $e:expr) => {{
                let mut one = [$zero];
                let $out = &mut one;
                $e;
                one[0]
            }};
        }
        Some(match eval {
            Eval::Binary(f, Some(i)) => (
                Box::new(move |a, b| one!(0.0, |out| f(out, &[a], &[b]))),
                Box::new(move |a, b, saturates| {
                    one!(0, |out| i.long.of(saturates)(out, &[a], &[b]))
                }),
            ),
            Eval::BinaryScalar(f, Some(i)) => (
                Box::new(move |a, b| one!(0.0, |out| f(out, &[a], b))),
                Box::new(move |a, b, saturates| one!(0, |out| i.long.of(saturates)(out, &[a], b))),
            ),
            Eval::Unary(f, Some(i)) => (
                Box::new(move |a, _| one!(0.0, |out| f(out, &[a]))),
                Box::new(move |a, _, saturates| one!(0, |out| i.long.of(saturates)(out, &[a]))),
            ),
            Eval::Binary(_, None)
            | Eval::BinaryScalar(_, None)
            | Eval::Unary(_, None)
            | Eval::Held(_) => return None,
            Eval::Ended(_) | Eval::Narrowed(_) => return None,
            Eval::Compare(..) | Eval::Bits(_) | Eval::Shift(_) | Eval::Reduce(..) | Eval::Move => {
                return None
            }
        })
    }

    #[test]
    fn short_integers_are_those_of_32_bits_at_the_width_of_their_type() {
        let numbers = [
            i16::MIN,
            i16::MIN + 1,
            -300,
            -7,
            -1,
            0,
            1,
            2,
            255,
            1000,
            i16::MAX - 1,
            i16::MAX,
        ];
        for def in Op::all() {
            let short = |a: i16, b: i16, saturates: bool| {
                let (mut one, a) = ([0], [a]);
                match def.eval {
                    Eval::Binary(_, Some(i)) => i.short.of(saturates)(&mut one, &a, &[b]),
                    Eval::BinaryScalar(_, Some(i)) => i.short.of(saturates)(&mut one, &a, b),
                    Eval::Unary(_, Some(i)) => i.short.of(saturates)(&mut one, &a),
                    other => panic!("{other:?}"),
                }
                one[0]
            };
            let Some((_, ints)) = each(def.eval) else {
                continue;
            };
            for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
                let long = |saturates| ints(a.into(), b.into(), saturates);
                let ends = (i16::MIN.into(), i16::MAX.into());
                let want = [long(false) as i16, long(true).clamp(ends.0, ends.1) as i16];
                assert_eq!(
                    [short(a, b, false), short(a, b, true)],
                    want,
                    "{} of {a} and {b}",
                    def.name
                );
            }
        }
    }

    #[test]
    fn shifts_move_the_bits_of_each_type_as_far_as_it_has_any() {
        macro_rules! held {
            ($f:expr, $t:ty, $left:expr, $name:expr) => {
                for by in 0..=<$t>::BITS {
                    for v in [<$t>::MIN, <$t>::MAX, 0, 1, <$t>::MAX / 3, <$t>::MIN / 5 + 9] {
                        let mut moved = [0];
                        $f(&mut moved, &[v], by);
                        let want = if $left {
                            (v as i64) << by
                        } else {
                            v as i64 >> by
                        } as $t;
                        assert_eq!(moved, [want], "{} of {v} by {by}", $name);
                    }
                }
            };
        }
        for (op, left) in [(ShiftOp::Left, true), (ShiftOp::Right, false)] {
            let Eval::Shift(f) = op.def().eval else {
                panic!("a shift")
            };
            held!(f.i16, i16, left, op.def().name);
            held!(f.u16, u16, left, op.def().name);
            held!(f.i32, i32, left, op.def().name);
            held!(f.u32, u32, left, op.def().name);
        }
    }

    #[test]
    fn integers_are_the_numbers_of_floats_until_they_leave_their_type() {
        let small = [-1000, -255, -7, -1, 0, 1, 2, 13, 999];
        let large = [
            i32::MIN,
            i32::MIN + 1,
            -3_000_000,
            -2,
            -1,
            0,
            1,
            2,
            3_000_000,
            i32::MAX - 1,
            i32::MAX,
        ];
        let mut left = 0;
        for def in Op::all() {
            let Some((floats, ints)) = each(def.eval) else {
                continue;
            };
            for (a, b) in small.into_iter().flat_map(|a| small.map(|b| (a, b))) {
                let same = floats(a as f32, b as f32) as i32;
                assert_eq!(
                    [ints(a, b, false), ints(a, b, true)],
                    [same; 2],
                    "{} of {a} and {b}",
                    def.name
                );
            }
            for (a, b) in large.into_iter().flat_map(|a| large.map(|b| (a, b))) {
                let (wraps, saturates) = (ints(a, b, false), ints(a, b, true));
                if wraps != saturates {
                    let end = if floats(a as f32, b as f32) > 0.0 {
                        i32::MAX
                    } else {
                        i32::MIN
                    };
                    assert_eq!(saturates, end, "{} of {a} and {b}", def.name);
                    left += 1;
                }
            }
        }
        assert!(left > 100);
    }

    #[test]
    fn every_row_is_found_by_its_name_and_names_are_unique() {
        let mut names = std::collections::BTreeSet::new();
        for def in Op::all() {
            assert_eq!(Op::by_name(def.name), Some(def.op));
            assert!(names.insert(def.name), "{} occurs twice", def.name);
            assert!(!def.doc.is_empty(), "{} lacks a doc", def.name);
            assert!(!def.v220.is_empty(), "{} exists nowhere", def.name);
        }
        assert!(names.len() >= 30);
        // Ops that no author writes.
        let put_in = Op::all().filter(|d| !d.op.is_written()).map(|d| d.name);
        let copies = ["pack_pad", "any_pad", "any", "disjoint_pad", "disjoint"]
            .map(|how| format!("copy_out_{how}"));
        assert_eq!(
            put_in.collect::<Vec<_>>(),
            [
                &copies.each_ref().map(String::as_str)[..],
                &["get_index", "dump_tensor"]
            ]
            .concat()
        );
        assert_eq!(Op::by_name("nosuch"), None);
    }
}
