//! Attributes of the kernel's own element types. The number of a launch is converted to the type of
//! an instance, rounded to nearest even, or the launch is refused. This is the C++ twin of
//! `DType::number`.

use crate::cpp::{string_literal, Cpp};
use crate::plan::Plan;
use jumar_dsl::dtype::{DType, Float};
use jumar_dsl::ir::{Lowered, ParamId, ScalarTy};

/// The conversion of a number in an instance.
enum Made {
    /// Rounded to a 16-bit float by a function, which reports whether there is one.
    Rounded(&'static str),
    /// Checked to be an integer within the range, from `f32` or not.
    Whole { of_float: bool, low: i64, high: i64 },
}

/// Returns the attributes that an instance converts or checks, with their element types.
fn made(plan: &Plan<'_>, lowered: &Lowered) -> Vec<(ParamId, DType, Made)> {
    let one = |id, ty| {
        let dtype = plan.sig.element(id)?.resolve(lowered.binding());
        let of_float = ty == ScalarTy::F32;
        let made = match dtype.float() {
            Some(Float::F16) => Made::Rounded("ToHalf"),
            Some(Float::Bf16) => Made::Rounded("ToBfloat16"),
            Some(Float::F32) => return None,
            None => match dtype.narrow_ends() {
                Some(ends) => Made::Whole {
                    of_float,
                    low: *ends.start(),
                    high: *ends.end(),
                },
                None if of_float => Made::Whole {
                    of_float,
                    low: i32::MIN.into(),
                    high: i32::MAX.into(),
                },
                None => return None,
            },
        };
        Some((id, dtype, made))
    };
    plan.sig
        .attrs()
        .filter_map(|(id, _, ty, _)| one(id, ty))
        .collect()
}

/// Prints the functions that the instances call.
pub(super) fn helpers(plan: &Plan<'_>, out: &mut Cpp) {
    let all: Vec<Made> = plan
        .instances
        .iter()
        .flat_map(|l| made(plan, l))
        .map(|(.., made)| made)
        .collect();
    let calls = |name: &str| {
        all.iter()
            .any(|made| matches!(made, Made::Rounded(own) if *own == name))
    };
    if calls("ToHalf") {
        out.blank();
        out.comment("A number as an element of half, rounded to nearest even; false for a finite one that would be infinite.");
        out.function("inline bool ToHalf(float &value)", |out| {
            out.line("const float size = __builtin_fabsf(value);");
            out.block("if (!(size < __builtin_inff()))", |out| {
                out.line("return true;")
            });
            out.block("if (size < 6.103515625e-05f)", |out| {
                out.comment("Multiples of 2^-24, which is the last bit of numbers beside 0.75.");
                out.line("value = __builtin_copysignf((size + 0.75f) - 0.75f, value);");
                out.line("return true;");
            });
            out.line("uint32_t bits = 0;");
            out.line("__builtin_memcpy(&bits, &value, sizeof bits);");
            out.line("bits = (bits + 0xfffU + ((bits >> 13) & 1U)) & ~0x1fffU;");
            out.line("__builtin_memcpy(&value, &bits, sizeof bits);");
            out.line("return __builtin_fabsf(value) <= 65504.0f;");
        });
    }
    if calls("ToBfloat16") {
        out.blank();
        out.comment("The same of bfloat16_t.");
        out.function("inline bool ToBfloat16(float &value)", |out| {
            out.block("if (!(__builtin_fabsf(value) < __builtin_inff()))", |out| {
                out.line("return true;")
            });
            out.line("uint32_t bits = 0;");
            out.line("__builtin_memcpy(&bits, &value, sizeof bits);");
            out.line("bits = (bits + 0x7fffU + ((bits >> 16) & 1U)) & ~0xffffU;");
            out.line("__builtin_memcpy(&value, &bits, sizeof bits);");
            out.line("return __builtin_fabsf(value) < __builtin_inff();");
        });
    }
    if all
        .iter()
        .any(|made| matches!(made, Made::Whole { of_float: true, .. }))
    {
        out.blank();
        out.comment("True for an integer from low on and below end.");
        out.function("inline bool IsWhole(float value, float low, float end)", |out| {
            out.line("return value >= low && value < end && static_cast<float>(static_cast<int64_t>(value)) == value;");
        });
    }
}

/// Prints the conversions in the arguments; false where an instance has none.
pub(super) fn settle(plan: &Plan<'_>, lowered: &Lowered, out: &mut Cpp) -> bool {
    let all = made(plan, lowered);
    if all.is_empty() {
        return false;
    }
    out.line("Args own = args;");
    for (id, dtype, made) in all {
        let value = format!("own.{}", plan.names.attr(id));
        let (test, holds) = match made {
            Made::Rounded(name) => (
                format!("!{name}({value})"),
                "no finite number as large as this".to_string(),
            ),
            Made::Whole {
                of_float: true,
                low,
                high,
            } => (
                format!("!IsWhole({value}, {low}.0f, {}.0f)", high + 1),
                format!("integers from {low} to {high}"),
            ),
            Made::Whole {
                of_float: false,
                low,
                high,
            } => (
                format!("{value} < {low} || {value} > {high}"),
                format!("{low} to {high}"),
            ),
        };
        out.block(format_args!("if ({test})"), |out| {
            let message = format!(
                "attribute {}: {dtype} holds {holds}",
                plan.sig.param(id).name
            );
            out.line(format_args!("*error = {};", string_literal(&message)));
            out.line("return false;");
        });
    }
    true
}
