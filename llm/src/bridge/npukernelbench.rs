//! The static, kernel-only form of NPUKernelBench: one text of one case, between `<kernel_impl>`
//! and `</kernel_impl>`.
//!
//! The benchmark's host file is fixed:
//!
//! - It starts as many blocks as the chip has cores, or does not state their number.
//! - It asks for no workspace.
//! - Its program adds a parameter `tiling` to the kernel function: it replaces the words
//!   `GM_ADDR workspace` everywhere.
//!
//! So a kernel whose blocks exchange values is planned for one core. It is refused if it still
//! needs a workspace.

use super::{instance, BridgeError};
use jumar::codegen::{emit_fixed, EmitOptions, FixedCase};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Lowered, Role, Signature};
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::{Tiling, Value};
use jumar::runtime::{plan, Case};

/// A kernel in the form of the benchmark.
#[derive(Clone, Debug)]
pub struct Answer {
    pub text: String,
    /// True if one block does all work.
    pub alone: bool,
}

impl Answer {
    /// Returns the file as a reply: between the markers, in a fence.
    pub fn reply(&self) -> String {
        format!("<kernel_impl>\n```cpp\n{}```\n</kernel_impl>\n", self.text)
    }
}

/// The benchmark's names for the kernel function and its parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry<'a> {
    /// The operator type, such as `RmsNorm`. Without one the function is named like the kernel.
    pub op_type: Option<&'a str>,
    /// Parameters before the workspace: tensors of the kernel by name, and other parameters, which
    /// are not read. If empty, they are the inputs and then the outputs.
    pub params: &'a [String],
}

/// Writes the kernel for one case.
///
/// # Errors
/// If the launch is refused, the kernel needs a workspace on one core, or its text breaks a rule of
/// the benchmark.
pub fn answer(
    kernel: &CheckedKernel,
    types: &[(String, DType)],
    case: &Case,
    entry: Entry<'_>,
) -> Result<Answer, BridgeError> {
    let Entry { op_type, params } = entry;
    known(&kernel.kernel().sig, params)?;
    let instance = instance(kernel, types, case)?;
    let lowered = &kernel.instances()[instance];
    let mut items = plan(kernel, instance, kernel.chip(), case)?;
    let alone = items.iter().any(|tiling| hands_on(lowered, tiling));
    if alone {
        let one_core = Chip {
            vector_cores: 1,
            ..kernel.chip().clone()
        };
        items = plan(kernel, instance, &one_core, case)?;
        items
            .iter()
            .try_for_each(|tiling| can_be_alone(lowered, tiling))?;
    }
    let options = EmitOptions {
        op_type: op_type.map(str::to_string),
        ..EmitOptions::default()
    };
    let case = FixedCase {
        instance,
        items: &items,
        alone,
        about: &about(lowered, case),
        params,
    };
    let text = emit_fixed(kernel, &case, &options);
    rules(&text)?;
    Ok(Answer { text, alone })
}

/// Checks that each tensor is in the list once, or once or twice if it is in place, and that C++
/// accepts the names.
fn known(sig: &Signature, params: &[String]) -> Result<(), BridgeError> {
    if params.is_empty() {
        return Ok(());
    }
    for (_, param, role, _) in sig.tensors() {
        let (found, most) = (
            params.iter().filter(|name| **name == param.name).count(),
            if role == Role::InOut { 2 } else { 1 },
        );
        if !(1..=most).contains(&found) {
            let times = if most == 2 { "once or twice" } else { "once" };
            return Err(BridgeError::Params(format!(
                "the parameters name `{}` {found} times, and it is one {times}",
                param.name
            )));
        }
    }
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    match params.iter().find(|name| !is_name(name)) {
        Some(other) => Err(BridgeError::Params(format!(
            "`{other}` is no name of a parameter"
        ))),
        None => Ok(()),
    }
}

/// True if blocks exchange values: through a workspace, or at a barrier.
fn hands_on(lowered: &Lowered, tiling: &Tiling) -> bool {
    tiling.workspace > 0 || lowered.variants[tiling.variant].body.meets()
}

fn can_be_alone(lowered: &Lowered, tiling: &Tiling) -> Result<(), BridgeError> {
    let kernel = lowered.sig.name.clone();
    let body = &lowered.variants[tiling.variant].body;
    if tiling.workspace > 0 {
        let names: Vec<String> = body
            .works
            .iter()
            .map(|work| format!("`{}`", work.name))
            .collect();
        let form = "NPUKernelBench's static form";
        return Err(BridgeError::Workspace {
            kernel,
            bytes: tiling.workspace,
            names: names.join(", "),
            form,
        });
    }
    if tiling.block_dim != 1 {
        return Err(BridgeError::Meets {
            kernel,
            blocks: tiling.block_dim,
        });
    }
    Ok(())
}

/// Describes the case: `T=f16, x 48x1024, epsilon 1e-6`.
fn about(lowered: &Lowered, case: &Case) -> String {
    let sizes = |shape: &Vec<usize>| match shape.as_slice() {
        [] => "one element".to_string(),
        sizes => sizes
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join("x"),
    };
    let value = |value: &Value| match value {
        Value::Int(v) => v.to_string(),
        Value::I32(v) => v.to_string(),
        Value::Bool(v) => v.to_string(),
        Value::F32(v) => format!("{v:?}"),
    };
    let list = |words: Vec<String>| {
        if words.is_empty() {
            "no item".to_string()
        } else {
            words.join(" and ")
        }
    };
    let types = lowered
        .sig
        .dtypes
        .iter()
        .zip(lowered.binding())
        .map(|(own, dtype)| format!("{}={dtype}", own.name));
    let shapes = case
        .shapes
        .iter()
        .map(|(name, all)| format!("{name} {}", list(all.iter().map(sizes).collect())));
    let attrs = case
        .attrs
        .iter()
        .map(|(name, v)| format!("{name} {}", value(v)));
    let lists = case
        .lists
        .iter()
        .map(|(name, all)| format!("{name} {}", list(all.iter().map(value).collect())));
    let all: Vec<String> = types.chain(shapes).chain(attrs).chain(lists).collect();
    if all.is_empty() {
        "it has no sizes".to_string()
    } else {
        all.join(", ")
    }
}

/// Words that the benchmark's program looks for, how often each is allowed, and what it means.
const WORDS: [(&str, usize, &str); 7] = [
    ("GM_ADDR workspace", 1, "`GM_ADDR workspace` a second time"),
    (
        "GM_ADDR tiling",
        0,
        "a parameter `tiling`, which the benchmark adds",
    ),
    ("```", 0, "a fence, which ends the answer"),
    ("kernel_impl>", 0, "a marker, which ends the answer"),
    (
        "GET_TILING_DATA",
        0,
        "`GET_TILING_DATA`, and there is no tiling data",
    ),
    (
        "DTYPE_",
        0,
        "a macro of an element type, which the benchmark forbids",
    ),
    (
        "#include \"kernel_operator.h\"",
        1,
        "`#include \"kernel_operator.h\"` a second time",
    ),
];

/// Checks the text for the benchmark's words. Names, messages and paths of the author are in it,
/// too.
fn rules(text: &str) -> Result<(), BridgeError> {
    for (word, most, what) in WORDS {
        if let Some((at, _)) = text.match_indices(word).nth(most) {
            let line = text[..at].lines().count();
            return Err(BridgeError::Rule {
                what: what.to_string(),
                line,
            });
        }
    }
    Ok(())
}
