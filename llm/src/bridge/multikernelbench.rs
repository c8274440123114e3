//! The form of MultiKernelBench's AscendC backend: six texts as strings of a Python file, from
//! `project_json_src` to `model_src`.
//!
//! The benchmark's program makes an msopgen project of them. That project has two host files, so
//! the shape and tiling functions are in the operator's file. A model of the benchmark takes
//! attributes in its constructor and tensors in `forward`, both in the order of the kernel.

use super::BridgeError;
use jumar::codegen::{emit, torch_binding, EmitOptions, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::ir::{ParamId, Role, ScalarTy, Signature};
use jumar::dsl::tiling::Value;
use std::fmt::Write;

/// The six texts.
#[derive(Clone, Debug)]
pub struct Texts {
    /// The operator's description for msopgen.
    pub project_json: String,
    /// The registered tiling data.
    pub host_tiling: String,
    /// The tiling function, shape inference and operator definition.
    pub host_operator: String,
    pub kernel: String,
    /// The function of the Python module.
    pub python_bind: String,
    /// The model that calls it.
    pub model: String,
}

/// Builds the texts of a kernel for the benchmark's task of this name.
///
/// # Errors
/// If a PyTorch function cannot take a parameter, or a text would end a string of Python.
pub fn texts(kernel: &CheckedKernel, task: &str) -> Result<Texts, BridgeError> {
    let function = format!("{task}_custom");
    let options = EmitOptions {
        kind: ProjectKind::Msopgen,
        op_type: Some(pascal(&function)),
        ..EmitOptions::default()
    };
    let project = emit(kernel, &options);
    let stem = jumar::dsl::names::snake_of_pascal(&pascal(&function));
    let text = |path: String| {
        let missing = || {
            BridgeError::Form(format!(
                "the project of kernel `{}` has no {path}",
                kernel.kernel().sig.name
            ))
        };
        project.text(&path).map(str::to_string).ok_or_else(missing)
    };
    let func = text(format!("op_host/{stem}_tiling_func.h"))?;
    // The benchmark names the header after the task.
    let operator = text(format!("op_host/{stem}.cpp"))?
        .replace(
            &format!("#include \"{stem}_tiling.h\"\n"),
            &format!("#include \"{function}_tiling.h\"\n"),
        )
        .replace(&format!("#include \"{stem}_tiling_func.h\"\n"), &func);
    Ok(Texts {
        project_json: text(format!("{stem}.json"))?,
        host_tiling: text(format!("op_host/{stem}_tiling.h"))?,
        host_operator: operator,
        kernel: text(format!("op_kernel/{stem}.cpp"))?,
        python_bind: torch_binding(kernel, &function, &options).map_err(BridgeError::Form)?,
        model: model(&kernel.kernel().sig, &function),
    })
}

/// Converts `elu_custom` to `EluCustom`, as the benchmark spells it.
fn pascal(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first
            .into_iter()
            .chain(letters.map(|c| c.to_ascii_lowercase()))
            .collect::<String>()
    };
    name.split('_').map(word).collect()
}

impl Texts {
    /// Returns the texts with the benchmark's names, in its order.
    pub fn named(&self) -> [(&'static str, &str); 6] {
        [
            ("project_json_src", &self.project_json),
            ("host_tiling_src", &self.host_tiling),
            ("host_operator_src", &self.host_operator),
            ("kernel_src", &self.kernel),
            ("python_bind_src", &self.python_bind),
            ("model_src", &self.model),
        ]
    }

    /// Returns the Python file.
    ///
    /// # Errors
    /// If a text would end a string of Python.
    pub fn python(&self) -> Result<String, BridgeError> {
        let mut out = String::new();
        for (nth, (name, text)) in self.named().into_iter().enumerate() {
            let quoted = quoted(text).ok_or_else(|| {
                BridgeError::Form(format!(
                    "`{name}` has three quotes of both kinds, which no raw string of Python holds"
                ))
            })?;
            let gap = if nth > 0 { "\n" } else { "" };
            let _ = writeln!(out, "{gap}{name} = {quoted}");
        }
        Ok(out)
    }
}

/// Quotes a text that ends with a newline as a raw string of Python.
fn quoted(text: &str) -> Option<String> {
    let quotes = ["'''", "\"\"\""]
        .into_iter()
        .find(|quotes| !text.contains(quotes))?;
    text.ends_with('\n')
        .then(|| format!("r{quotes}{text}{quotes}"))
}

/// Keywords of Python, and names that the model uses itself.
const TAKEN: [&str; 37] = [
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "custom_ops_lib",
    "torch",
];

fn python_name(name: &str) -> String {
    if TAKEN.contains(&name) {
        format!("{name}_")
    } else {
        name.to_string()
    }
}

/// An argument of the constructor: its name, type and default.
type Argument = (String, String, Option<String>);

/// Returns an argument for each attribute, and one for each list of numbers.
fn arguments(sig: &Signature) -> Vec<Argument> {
    let mut all: Vec<Argument> = Vec::new();
    for (id, param, ty, default) in sig.attrs() {
        match sig.part(id) {
            Some(part) if part.at > 0 => {}
            Some(part) => all.push((
                python_name(&part.of),
                format!("list[{}]", word(sig, id, ty)),
                None,
            )),
            None => all.push((
                python_name(&param.name),
                word(sig, id, ty).to_string(),
                default.map(|value| said(sig, id, value)),
            )),
        }
    }
    // Python allows no parameter without a default after one that has a default.
    let with = all
        .iter()
        .rposition(|(.., default)| default.is_none())
        .map_or(0, |at| at + 1);
    all.iter_mut()
        .take(with)
        .for_each(|(.., default)| *default = None);
    all
}

fn word(sig: &Signature, id: ParamId, ty: ScalarTy) -> &'static str {
    match ty {
        _ if !sig.choices(id).is_empty() => "str",
        ScalarTy::F32 => "float",
        ScalarTy::Index | ScalarTy::I32 => "int",
        ScalarTy::Bool => "bool",
    }
}

/// Writes a default in Python.
fn said(sig: &Signature, id: ParamId, value: Value) -> String {
    if let Some(name) = sig.param(id).kind.choice(value) {
        return format!("\"{name}\"");
    }
    match value {
        Value::F32(v) if !v.is_finite() => format!("float(\"{v}\")"),
        Value::Bool(true) => "True".to_string(),
        Value::Bool(false) => "False".to_string(),
        Value::Int(_) | Value::I32(_) | Value::F32(_) => value.to_string(),
    }
}

/// Writes the model, which only calls the function.
fn model(sig: &Signature, function: &str) -> String {
    let arguments = arguments(sig);
    let tensors: Vec<String> = sig
        .tensors()
        .filter(|(_, _, role, _)| *role != Role::Out)
        .map(|(_, p, ..)| python_name(&p.name))
        .collect();
    let mut text = String::from("import torch\nimport torch_npu\nimport custom_ops_lib\n\n\nclass ModelNew(torch.nn.Module):\n");
    let declared = arguments.iter().map(|(name, ty, default)| {
        let default = default
            .as_ref()
            .map_or(String::new(), |default| format!(" = {default}"));
        format!(", {name}: {ty}{default}")
    });
    let _ = writeln!(
        text,
        "    def __init__(self{}) -> None:\n        super().__init__()",
        declared.collect::<String>()
    );
    for (name, ..) in &arguments {
        let _ = writeln!(text, "        self.{name} = {name}");
    }
    let inputs: String = tensors.iter().map(|name| format!(", {name}")).collect();
    let own = arguments.iter().map(|(name, ..)| format!("self.{name}"));
    let passed: Vec<String> = tensors.into_iter().chain(own).collect();
    let _ = writeln!(
        text,
        "\n    def forward(self{inputs}):\n        return custom_ops_lib.{function}({})",
        passed.join(", ")
    );
    text
}
