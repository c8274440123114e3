//! A kernel of one case as one text without a host: the host's decisions about sizes and attributes
//! are constants in the text.
//!
//! The kernel function is that of an operator without tiling data: inputs, outputs, workspace. The
//! number of running blocks is unknown, so they take the shares of the case in a round-robin order.
//! With [`FixedCase::alone`] the first block does everything. This module knows no other demands of
//! benchmarks on such texts.

use crate::cpp::Cpp;
use crate::device::{self, FixedItem, FixedLaunch};
use crate::host::data;
use crate::plan::{Fixed, Plan};
use crate::EmitOptions;
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::{Lowered, Variant};
use jumar_dsl::tiling::{Tiling, Value};

/// The case to emit.
#[derive(Clone, Copy, Debug)]
pub struct FixedCase<'a> {
    /// The instance, an index into [`CheckedKernel::instances`].
    pub instance: usize,
    /// Decisions of the host for each item; a kernel without lists has one.
    pub items: &'a [Tiling],
    /// True if one block does everything. The tilings are then for one core, and barriers are
    /// left out.
    pub alone: bool,
    /// The opening comment's words about the case.
    pub about: &'a str,
    /// Parameters of the kernel function before the workspace. A tensor is listed by its name once,
    /// or twice if it is updated in place. Other names are parameters that the function does not
    /// read. An empty list means inputs, then outputs.
    pub params: &'a [String],
}

/// Emits the text. The kernel function has the name of the operator type in the options, or else
/// that of the kernel.
pub fn emit_fixed(kernel: &CheckedKernel, case: &FixedCase<'_>, options: &EmitOptions) -> String {
    let (lowered, places) = used(&kernel.instances()[case.instance], case.items);
    let mut plan = Plan::of(kernel, std::slice::from_ref(&lowered), options);
    plan.fixed = Some(Fixed { alone: case.alone });
    let function = match &options.op_type {
        Some(op) => jumar_dsl::names::snake_of_pascal(op),
        None => plan.names.kernel.clone(),
    };
    let item = |(tiling, entry): (&Tiling, usize)| FixedItem {
        entry,
        blocks: tiling.block_dim,
        fields: fields(&plan, &lowered.variants[entry], tiling),
    };
    let items = case.items.iter().zip(places).map(item).collect();
    float16_words(&text(
        &plan,
        case.about,
        &FixedLaunch {
            function: &function,
            params: case.params,
            items,
        },
    ))
}

fn text(plan: &Plan<'_>, about: &str, launch: &FixedLaunch<'_>) -> String {
    let mut out = Cpp::new();
    out.comment(&format!(
        "Kernel `{}` for one case, emitted by jumar for {}: {about}.",
        plan.sig.name, plan.chip.soc_version
    ));
    let takes_lists = plan.sig.lists().next().is_some() && !launch.items.is_empty();
    device::includes(takes_lists, &mut out);
    out.blank();
    if plan.entries.iter().any(|entry| entry.takes_tiling) {
        out.comment("What the host would decide.");
        data::plain(plan, &plan.names.data, &mut out);
        out.blank();
    }
    device::fixed_code(plan, launch, &mut out);
    out.finish()
}

/// Returns the instance with only the variants that the items use, and the variant of each item.
fn used(lowered: &Lowered, items: &[Tiling]) -> (Lowered, Vec<usize>) {
    let mut kept: Vec<usize> = Vec::new();
    let mut places = Vec::with_capacity(items.len());
    for tiling in items {
        let known = kept.iter().position(|variant| *variant == tiling.variant);
        places.push(known.unwrap_or(kept.len()));
        kept.extend(known.is_none().then_some(tiling.variant));
    }
    let variants = kept
        .iter()
        .map(|variant| lowered.variants[*variant].clone())
        .collect();
    (
        Lowered {
            variants,
            ..lowered.clone()
        },
        places,
    )
}

/// Returns the members of the tiling data with their values. Padding, and what only other variants
/// read, is 0.
fn fields(plan: &Plan<'_>, variant: &Variant, tiling: &Tiling) -> Vec<(String, String)> {
    let own = |member: &str| {
        variant
            .fields
            .iter()
            .find(|id| plan.names.member(variant.body.var(**id)).member == member)
    };
    let value = |member: &str| own(member).and_then(|id| tiling.var(*id));
    let with_value = |(_, member, _): (&str, String, &str)| {
        let value = value(&member).map_or_else(|| "0".to_string(), literal);
        (member, value)
    };
    data::members(plan).into_iter().map(with_value).collect()
}

/// Returns a value of the tiling data as a literal.
fn literal(value: Value) -> String {
    match value {
        // The least number has no literal.
        Value::Int(i64::MIN) => "INT64_MIN".to_string(),
        Value::Int(v) => v.to_string(),
        Value::I32(i32::MIN) => "INT32_MIN".to_string(),
        Value::I32(v) => v.to_string(),
        Value::Bool(v) => i32::from(v).to_string(),
        Value::F32(v) if v.is_nan() => "__builtin_nanf(\"\")".to_string(),
        Value::F32(v) if v.is_infinite() => {
            format!("{}__builtin_inff()", if v < 0.0 { "-" } else { "" })
        }
        Value::F32(v) => format!("{v:?}f"),
    }
}

/// Replaces `half` by `float16_t`, the name in the style of `bfloat16_t`; comments and strings
/// stay.
fn float16_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        let code = line.find("//").unwrap_or(line.len());
        let (code, comment) = line.split_at(code);
        for (nth, piece) in code.split('"').enumerate() {
            if nth > 0 {
                out.push('"');
            }
            let is_string = nth % 2 == 1;
            out.push_str(&if is_string {
                piece.to_string()
            } else {
                renamed(piece)
            });
        }
        out.push_str(comment);
    }
    out
}

fn renamed(code: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(is_word) {
        let end = rest[at..]
            .find(|c| !is_word(c))
            .map_or(rest.len(), |length| at + length);
        out.push_str(&rest[..at]);
        out.push_str(match &rest[at..end] {
            "half" => "float16_t",
            word => word,
        });
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_code_alone_are_renamed() {
        let text = "LocalTensor<half> half_; // the first half\nx(\"half\", half(1));\n";
        assert_eq!(
            float16_words(text),
            "LocalTensor<float16_t> half_; // the first half\nx(\"half\", float16_t(1));\n"
        );
    }

    #[test]
    fn literals_are_the_values() {
        for (value, want) in [
            (Value::Int(-3), "-3"),
            (Value::Int(i64::MIN), "INT64_MIN"),
            (Value::I32(i32::MIN), "INT32_MIN"),
            (Value::Bool(true), "1"),
            (Value::F32(0.1), "0.1f"),
            (Value::F32(1e-45), "1e-45f"),
            (Value::F32(-0.0), "-0.0f"),
            (Value::F32(3.0), "3.0f"),
            (Value::F32(f32::NEG_INFINITY), "-__builtin_inff()"),
        ] {
            assert_eq!(literal(value), want);
        }
    }
}
