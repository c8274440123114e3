//! Element types, the named sets that bound a dtype parameter (`T: Float`), and the casts between
//! types.
//!
//! Start reading at [`DType`], then at [`cast_modes`] and [`cast_route`]: the single casts of a
//! chip, and the sequences that replace a missing one.

use crate::scalar::Value;
use crate::soc::Arch;
use std::fmt;
use std::ops::RangeInclusive;
use DType::{Bf16, Bool, F16, F32, I16, I32, I64, I8, U16, U32, U8};
use RoundMode::{Ceil, Floor, None as Exact, Odd, Rint, Round, Trunc};

/// The element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DType {
    /// IEEE half precision, AscendC `half`.
    F16,
    /// bfloat16, AscendC `bfloat16_t`.
    Bf16,
    /// IEEE single precision, AscendC `float`.
    F32,
    /// The AscendC type `int32_t`.
    I32,
    /// Bytes that are 0 or 1, `uint8_t` in AscendC. No arithmetic takes them, nor those of `I8`.
    Bool,
    /// The AscendC type `int8_t`.
    I8,
    /// The AscendC type `int64_t`.
    I64,
    /// The AscendC type `int16_t`.
    I16,
    /// The AscendC type `uint8_t`. No arithmetic takes it, nor `U16` and `U32`.
    U8,
    /// The AscendC type `uint16_t`.
    U16,
    /// The AscendC type `uint32_t`.
    U32,
    /// Bytes that hold the result bits of Compare, `uint8_t` in AscendC. Never a tensor parameter.
    Bits,
}

/// A floating-point element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    F16,
    Bf16,
    F32,
}

impl DType {
    /// Every element type, in declaration order.
    pub const ALL: [DType; 12] = [
        DType::F16,
        DType::Bf16,
        DType::F32,
        DType::I32,
        DType::Bool,
        DType::I8,
        DType::I64,
        DType::I16,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::Bits,
    ];

    /// Returns the bytes of one element.
    pub const fn bytes(self) -> i64 {
        match self {
            DType::F16 | DType::Bf16 | DType::I16 | DType::U16 => 2,
            DType::F32 | DType::I32 | DType::U32 => 4,
            DType::Bool | DType::I8 | DType::U8 | DType::Bits => 1,
            DType::I64 => 8,
        }
    }

    /// Returns the spelling in kernels, messages and IR text (`f16`).
    pub const fn name(self) -> &'static str {
        match self {
            DType::F16 => "f16",
            DType::Bf16 => "bf16",
            DType::F32 => "f32",
            DType::I32 => "i32",
            DType::Bool => "bool",
            DType::I8 => "i8",
            DType::I64 => "i64",
            DType::I16 => "i16",
            DType::U8 => "u8",
            DType::U16 => "u16",
            DType::U32 => "u32",
            DType::Bits => "mask",
        }
    }

    /// Returns the spelling in AscendC device code (`half`).
    pub const fn ascendc(self) -> &'static str {
        match self {
            DType::F16 => "half",
            DType::Bf16 => "bfloat16_t",
            DType::F32 => "float",
            DType::I32 => "int32_t",
            DType::I8 => "int8_t",
            DType::I64 => "int64_t",
            DType::I16 => "int16_t",
            DType::U16 => "uint16_t",
            DType::U32 => "uint32_t",
            DType::Bool | DType::U8 | DType::Bits => "uint8_t",
        }
    }

    /// Returns the spelling in an operator definition without the namespace (`DT_FLOAT16`).
    pub const fn ge_type(self) -> &'static str {
        match self {
            DType::F16 => "DT_FLOAT16",
            DType::Bf16 => "DT_BF16",
            DType::F32 => "DT_FLOAT",
            DType::I32 => "DT_INT32",
            DType::Bool => "DT_BOOL",
            DType::I8 => "DT_INT8",
            DType::I64 => "DT_INT64",
            DType::I16 => "DT_INT16",
            DType::U8 | DType::Bits => "DT_UINT8",
            DType::U16 => "DT_UINT16",
            DType::U32 => "DT_UINT32",
        }
    }

    /// True for the floating-point types.
    pub const fn is_float(self) -> bool {
        self.float().is_some()
    }
    /// Returns the floating-point type, `None` for all other element types.
    pub const fn float(self) -> Option<Float> {
        match self {
            DType::F16 => Some(Float::F16),
            DType::Bf16 => Some(Float::Bf16),
            DType::F32 => Some(Float::F32),
            DType::I32 | DType::Bool | DType::I8 | DType::I64 | DType::I16 => None,
            DType::U8 | DType::U16 | DType::U32 | DType::Bits => None,
        }
    }

    /// True for the types that ops compute with.
    pub const fn is_number(self) -> bool {
        matches!(
            self,
            DType::F16 | DType::Bf16 | DType::F32 | DType::I32 | DType::I16
        )
    }

    /// True for the types that scalars beside tensors may have: those that ops compute with, and
    /// those that only Duplicate fills.
    pub const fn has_scalars(self) -> bool {
        self.is_number() || matches!(self, DType::U16 | DType::U32)
    }

    /// Returns the least and the largest number of an integer type, `None` for floats and bits.
    pub const fn ends(self) -> Option<RangeInclusive<i64>> {
        match self {
            DType::I64 => Some(i64::MIN..=i64::MAX),
            DType::I32 => Some(i32::MIN as i64..=i32::MAX as i64),
            DType::U32 => Some(0..=u32::MAX as i64),
            DType::I16 => Some(i16::MIN as i64..=i16::MAX as i64),
            DType::U16 => Some(0..=u16::MAX as i64),
            DType::I8 => Some(i8::MIN as i64..=i8::MAX as i64),
            DType::U8 => Some(0..=u8::MAX as i64),
            DType::Bool => Some(0..=1),
            DType::F16 | DType::Bf16 | DType::F32 | DType::Bits => None,
        }
    }

    /// Returns the ends of a type that holds fewer numbers than the scalars beside its elements.
    pub fn narrow_ends(self) -> Option<RangeInclusive<i64>> {
        self.ends()
            .filter(|_| self != DType::I32 && DType::I32.holds_all_of(self))
    }

    /// True if both types are integers and this one holds every number of `other`.
    pub fn holds_all_of(self, other: DType) -> bool {
        match (self.ends(), other.ends()) {
            (Some(own), Some(other)) => own.contains(other.start()) && own.contains(other.end()),
            (None, _) | (_, None) => false,
        }
    }

    /// True for the types that an attribute may have: types of scalars whose numbers all fit an
    /// `f32` or an `i32`.
    pub const fn has_attributes(self) -> bool {
        self.has_scalars() && !matches!(self, DType::U32)
    }

    /// Converts a number to an element. Floats are rounded to nearest even; integers must fit
    /// exactly.
    ///
    /// # Errors
    /// A text that says which numbers the type holds. Integer types refuse fractions and numbers
    /// beyond their ends. Float types refuse a finite number that would become infinite.
    pub fn number(self, v: Value) -> Result<Value, String> {
        let float = match v {
            Value::F32(v) => v,
            Value::Int(v) => v as f32,
            Value::I32(v) => v as f32,
            Value::Bool(_) => return Err("takes a number".to_string()),
        };
        let (element, largest) = match self.float() {
            Some(Float::F16) => (half::f16::from_f32(float).to_f32(), half::f16::MAX.to_f32()),
            Some(Float::Bf16) => (
                half::bf16::from_f32(float).to_f32(),
                half::bf16::MAX.to_f32(),
            ),
            Some(Float::F32) => (float, f32::MAX),
            None => return self.whole(v).map(Value::Int),
        };
        match float.is_finite() && element.is_infinite() {
            true => Err(format!("{self} holds no finite number beyond {largest:?}")),
            false => Ok(Value::F32(element)),
        }
    }

    /// Converts a number to an element of an integer type.
    fn whole(self, v: Value) -> Result<i64, String> {
        let whole = match v {
            Value::Int(v) => v,
            Value::I32(v) => v.into(),
            Value::F32(v) if v.is_finite() && v == v.trunc() => v as i64,
            Value::F32(_) | Value::Bool(_) => return Err(format!("{self} holds integers")),
        };
        let ends = self
            .narrow_ends()
            .unwrap_or(i32::MIN.into()..=i32::MAX.into());
        match ends.contains(&whole) {
            true => Ok(whole),
            false => Err(format!("{self} holds {} to {}", ends.start(), ends.end())),
        }
    }

    /// Returns the type that arithmetic on this one widens to: `f32` for 16-bit floats, else
    /// itself.
    pub const fn wide(self) -> DType {
        match self {
            DType::F16 | DType::Bf16 => DType::F32,
            other => other,
        }
    }

    /// Finds an element type by its spelling in kernels.
    pub fn by_name(name: &str) -> Option<DType> {
        Self::ALL.into_iter().find(|d| d.name() == name)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A named set of element types, the bound of a dtype parameter.
#[derive(Debug, PartialEq, Eq)]
pub struct DTypeSet {
    /// Name as written in a bound.
    pub name: &'static str,
    /// Members in the order in which instances are made.
    pub members: &'static [DType],
    /// One line for the docs.
    pub doc: &'static str,
}

/// Every element type that a tensor parameter may have.
pub const ELEMENTS: &[DType] = &[
    DType::F16,
    DType::Bf16,
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

/// Returns the names of [`ELEMENTS`] for messages.
pub fn element_names() -> String {
    ELEMENTS
        .iter()
        .map(|d| d.name())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Every named set. `surface` declares a trait of that name for each.
pub const DTYPE_SETS: &[DTypeSet] = &[
    DTypeSet {
        name: "Float",
        members: &[DType::F16, DType::Bf16, DType::F32],
        doc: "Floating-point element types.",
    },
    DTypeSet {
        name: "Int",
        members: &[DType::I32],
        doc: "Integer element types.",
    },
    DTypeSet {
        name: "Number",
        members: &[DType::F16, DType::Bf16, DType::F32, DType::I32],
        doc: "Element types that ops compute with.",
    },
    DTypeSet {
        name: "Element",
        members: ELEMENTS,
        doc: "Every element type a tensor parameter may have.",
    },
];

/// Finds a set by its name.
pub fn dtype_set(name: &str) -> Option<&'static DTypeSet> {
    DTYPE_SETS.iter().find(|s| s.name == name)
}

/// How a cast rounds: AscendC's `RoundMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundMode {
    /// `CAST_NONE`: exact where it can be, else as `CAST_RINT`.
    None,
    /// `CAST_RINT`: to nearest, ties to even.
    Rint,
    /// `CAST_FLOOR`: toward minus infinity.
    Floor,
    /// `CAST_CEIL`: toward plus infinity.
    Ceil,
    /// `CAST_ROUND`: to nearest, ties away from zero.
    Round,
    /// `CAST_TRUNC`: toward zero.
    Trunc,
    /// `CAST_ODD`: an inexact result gets an odd last bit.
    Odd,
}

impl RoundMode {
    /// Every round mode.
    pub const ALL: [RoundMode; 7] = [
        RoundMode::None,
        RoundMode::Rint,
        RoundMode::Floor,
        RoundMode::Ceil,
        RoundMode::Round,
        RoundMode::Trunc,
        RoundMode::Odd,
    ];

    /// Returns the variant name that a kernel writes: `RoundMode::Rint`.
    pub const fn name(self) -> &'static str {
        match self {
            RoundMode::None => "None",
            RoundMode::Rint => "Rint",
            RoundMode::Floor => "Floor",
            RoundMode::Ceil => "Ceil",
            RoundMode::Round => "Round",
            RoundMode::Trunc => "Trunc",
            RoundMode::Odd => "Odd",
        }
    }

    /// Returns the AscendC spelling without the `RoundMode::` prefix.
    pub const fn ascendc(self) -> &'static str {
        match self {
            RoundMode::None => "CAST_NONE",
            RoundMode::Rint => "CAST_RINT",
            RoundMode::Floor => "CAST_FLOOR",
            RoundMode::Ceil => "CAST_CEIL",
            RoundMode::Round => "CAST_ROUND",
            RoundMode::Trunc => "CAST_TRUNC",
            RoundMode::Odd => "CAST_ODD",
        }
    }

    /// Finds a mode by its variant name.
    pub fn by_name(name: &str) -> Option<RoundMode> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// Architectures that a row holds for.
type On = &'static [Arch];
const V220: On = &[Arch::V220];
const M200: On = &[Arch::M200];
const BOTH: On = &[Arch::V220, Arch::M200];

/// A row of casts: architectures, source types, result types, and how. Pairs in no row do not
/// exist.
type Casts<T> = (On, &'static [DType], &'static [DType], &'static [T]);

/// Returns the entry of a cast, empty where no row has it.
fn row<T>(table: &'static [Casts<T>], arch: Arch, from: DType, to: DType) -> &'static [T] {
    let is_it = |(on, sources, results, _): &&Casts<T>| {
        on.contains(&arch) && sources.contains(&from) && results.contains(&to)
    };
    table.iter().find(is_it).map_or(&[], |(.., how)| how)
}

/// Returns the round modes of a cast on an architecture, the best default first. The result is
/// empty where the cast does not exist.
pub fn cast_modes(arch: Arch, from: DType, to: DType) -> &'static [RoundMode] {
    row(CASTS, arch, from, to)
}

/// Source: asc-devkit, Cast.md, tables for Atlas A2/A3 and for Atlas inference products. The second
/// table is easily misread: its `float` goes to `int32_t`, not to `int64_t`
/// (impl/basic_api/dav_m200/kernel_operator_vec_vconv_impl.h).
const CASTS: &[Casts<RoundMode>] = &[
    (BOTH, &[F16], &[F32], &[Exact]),
    (
        V220,
        &[F32],
        &[F16],
        &[Rint, Exact, Floor, Ceil, Round, Trunc, Odd],
    ),
    (M200, &[F32], &[F16], &[Exact, Odd]),
    (V220, &[Bf16], &[F32], &[Exact]),
    (V220, &[F32], &[Bf16], &[Rint, Floor, Ceil, Round, Trunc]),
    (
        V220,
        &[I32],
        &[F32],
        &[Exact, Rint, Floor, Ceil, Round, Trunc],
    ),
    (M200, &[I32], &[F32], &[Exact]),
    (BOTH, &[F32], &[I32], &[Rint, Floor, Ceil, Round, Trunc]),
    (BOTH, &[F16], &[I32], &[Rint, Floor, Ceil, Round, Trunc]),
    (V220, &[Bf16], &[I32], &[Rint, Floor, Ceil, Round, Trunc]),
    (V220, &[F32], &[F32], &[Rint, Floor, Ceil, Round, Trunc]),
    // A tensor of bool is a tensor of uint8_t to Cast.
    (BOTH, &[I8, Bool, U8], &[F16], &[Exact]),
    (
        V220,
        &[F16],
        &[I8, Bool, U8],
        &[Rint, Exact, Floor, Ceil, Round, Trunc],
    ),
    (
        M200,
        &[F16],
        &[I8, Bool, U8],
        &[Exact, Floor, Ceil, Round, Trunc],
    ),
    (
        V220,
        &[I16],
        &[F16],
        &[Rint, Exact, Floor, Ceil, Round, Trunc],
    ),
    (M200, &[I16], &[F16], &[Exact]),
    (V220, &[I16], &[F32], &[Exact]),
    (
        V220,
        &[F16, F32],
        &[I16],
        &[Rint, Floor, Ceil, Round, Trunc],
    ),
    (M200, &[F16], &[I16], &[Rint]),
    (BOTH, &[I32], &[I16], &[Exact]),
    (V220, &[I32], &[I64], &[Exact]),
    (V220, &[I64], &[I32], &[Exact]),
    (V220, &[F32], &[I64], &[Rint, Floor, Ceil, Round, Trunc]),
    // The chip has more modes; a cast at tile level rounds to even.
    (V220, &[I64], &[F32], &[Rint]),
];

/// One step of a conversion: its result type and its rounding.
pub type Step = (DType, RoundMode);

/// Returns the steps of a conversion that the chip cannot do in one cast. `None` where no sequence
/// rounds at most once.
pub fn cast_route(arch: Arch, from: DType, to: DType) -> Option<&'static [Step]> {
    Some(row(ROUTES, arch, from, to)).filter(|steps| !steps.is_empty())
}

/// Why these sequences round at most once:
///
/// - Bytes need at most three decimal digits, so every type in between holds them exactly.
/// - On the way to bytes, `f16` with an odd last bit keeps the information that was cut off. Below
///   256 `f16` has three bits more than a byte keeps, and larger numbers stay larger.
/// - Integers that `f16` or `f32` rounds are outside of the result type of 8 or 16 bits, and stay
///   outside.
///
/// Half to int8_t rounds to even by CAST_RINT on 2201 and by CAST_NONE on 2002 (asc-devkit,
/// Cast.md).
const ROUTES: &[Casts<Step>] = &[
    (BOTH, &[I8, Bool, U8], &[F32], &[(F16, Exact), (F32, Exact)]),
    (
        V220,
        &[I8, Bool, U8],
        &[Bf16],
        &[(F16, Exact), (F32, Exact), (Bf16, Rint)],
    ),
    (BOTH, &[I8, Bool, U8], &[I32], &[(F16, Exact), (I32, Rint)]),
    (BOTH, &[I8, Bool, U8], &[I16], &[(F16, Exact), (I16, Rint)]),
    (
        V220,
        &[I8, Bool, U8],
        &[I64],
        &[(F16, Exact), (I32, Rint), (I64, Exact)],
    ),
    (V220, &[Bool, U8], &[I8], &[(F16, Exact), (I8, Rint)]),
    (M200, &[Bool, U8], &[I8], &[(F16, Exact), (I8, Exact)]),
    (V220, &[Bool, I8], &[U8], &[(F16, Exact), (U8, Rint)]),
    (M200, &[Bool, I8], &[U8], &[(F16, Exact), (U8, Exact)]),
    (V220, &[F32], &[I8], &[(F16, Odd), (I8, Rint)]),
    (V220, &[F32], &[U8], &[(F16, Odd), (U8, Rint)]),
    (M200, &[F32], &[I8], &[(F16, Odd), (I8, Exact)]),
    (M200, &[F32], &[U8], &[(F16, Odd), (U8, Exact)]),
    (
        V220,
        &[Bf16],
        &[I8],
        &[(F32, Exact), (F16, Odd), (I8, Rint)],
    ),
    (
        V220,
        &[Bf16],
        &[U8],
        &[(F32, Exact), (F16, Odd), (U8, Rint)],
    ),
    (
        V220,
        &[I32, I64],
        &[I8],
        &[(F32, Rint), (F16, Odd), (I8, Rint)],
    ),
    (
        V220,
        &[I32, I64],
        &[U8],
        &[(F32, Rint), (F16, Odd), (U8, Rint)],
    ),
    (
        M200,
        &[I32],
        &[I8],
        &[(F32, Exact), (F16, Odd), (I8, Exact)],
    ),
    (
        M200,
        &[I32],
        &[U8],
        &[(F32, Exact), (F16, Odd), (U8, Exact)],
    ),
    (V220, &[I16], &[I8], &[(F16, Rint), (I8, Rint)]),
    (V220, &[I16], &[U8], &[(F16, Rint), (U8, Rint)]),
    (M200, &[I16], &[I8], &[(F16, Exact), (I8, Exact)]),
    (M200, &[I16], &[U8], &[(F16, Exact), (U8, Exact)]),
    (V220, &[I16], &[Bf16], &[(F32, Exact), (Bf16, Rint)]),
    (V220, &[I16], &[I32], &[(F32, Exact), (I32, Rint)]),
    (
        V220,
        &[F16, Bf16, I16],
        &[I64],
        &[(F32, Exact), (I64, Rint)],
    ),
    (V220, &[Bf16], &[I16], &[(F32, Exact), (I16, Rint)]),
    (V220, &[I64], &[I16], &[(F32, Rint), (I16, Rint)]),
    (M200, &[F32], &[I16], &[(I32, Rint), (I16, Exact)]),
];

/// True for a conversion from or to `U16` or `U32` that is made of signed casts and shifts.
///
/// The chip has no cast for these types. The casts take the signed integers with equal bits
/// (`lower/tile/legalize/unsigned`). Each conversion rounds at most once.
pub fn casts_by_bits(arch: Arch, from: DType, to: DType) -> bool {
    !row(BY_BITS, arch, from, to).is_empty()
}

/// Pairs left out would round twice: no type in between holds all bits of both `U32` and `I64`, and
/// `F32` rounds before `Bf16` does.
const BY_BITS: &[Casts<()>] = &[
    (
        V220,
        &[U16],
        &[F16, Bf16, F32, I32, I64, I8, U8, I16, U32],
        &[()],
    ),
    (V220, &[U32], &[F16, F32, I32, I8, U8, I16, U16], &[()]),
    (
        V220,
        &[F16, Bf16, F32, I32, I8, U8, I16, Bool],
        &[U16, U32],
        &[()],
    ),
    (V220, &[I64], &[U16], &[()]),
];

/// True if rounding `dtype` to integers needs a cast to `I32` and back. That is so where `dtype`
/// has no cast to itself with this mode, and both other casts exist.
pub fn rounds_by_way(arch: Arch, dtype: DType, mode: RoundMode) -> bool {
    let modes = |from, to| cast_modes(arch, from, to);
    dtype == DType::F32
        && !modes(dtype, dtype).contains(&mode)
        && modes(dtype, DType::I32).contains(&mode)
        && !modes(DType::I32, dtype).is_empty()
}

/// Returns a type in which exactly the zeros of `from` are 0, `None` where no cast leads to one.
pub fn compared_in(arch: Arch, from: DType) -> Option<DType> {
    let found = match from {
        DType::F16 | DType::F32 => return Some(from),
        DType::I8 | DType::Bool | DType::U8 | DType::I16 => DType::F16,
        DType::Bf16 | DType::I32 | DType::I64 => DType::F32,
        DType::U16 | DType::U32 => {
            return casts_by_bits(arch, from, DType::F32).then_some(DType::F32)
        }
        DType::Bits => return None,
    };
    (!cast_modes(arch, from, found).is_empty()).then_some(found)
}
