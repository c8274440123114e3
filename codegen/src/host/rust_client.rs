//! The program of [`super::client`] in Rust: a small crate on `jumar-acl`, which calls the operator
//! once.
//!
//! Its command line is that of the C++ program. It also has the shapes of outputs, since the
//! function that infers them is C++.

use super::attrs::{is_choice, op_attrs, OpAttr};
use super::client::acl_type;
use crate::cpp::{string_literal, Cpp};
use crate::names;
use crate::plan::Plan;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{ParamId, Per, Role, ScalarTy};
use jumar_dsl::scalar::Value;

/// The most arguments of a call in `jumar-acl`.
const MOST_ARGUMENTS: usize = 16;

/// Returns `src/main.rs`; `None` where the operator has more arguments than a call from Rust.
pub(crate) fn source(plan: &Plan<'_>) -> Option<String> {
    if plan.tensors.len() + op_attrs(plan).len() > MOST_ARGUMENTS {
        return None;
    }
    let mut out = Cpp::new();
    out.raw(&format!(
        "//! Calls the operator {} once: inputs and outputs are files of raw elements.\n",
        plan.names.op
    ));
    imports(plan, &mut out);
    tables(plan, &mut out);
    run(plan, &mut out);
    out.blank();
    out.raw(PARTS);
    if told(plan).any(|(id, ..)| is_choice(plan, id)) {
        out.raw(CHOICE);
    }
    Some(out.finish())
}

/// Returns the file `Cargo.toml`.
pub(crate) fn manifest(plan: &Plan<'_>) -> String {
    format!(
        r#"[package]
name = "{}_client"
version = "0.1.0"
edition = "2021"
publish = false

[dependencies]
# Part of jumar; README.md says how a clone of it is named.
jumar-acl = "{}"

# It belongs to no workspace around it.
[workspace]
"#,
        plan.names.op_stem,
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns the usage line.
pub(crate) fn usage(plan: &Plan<'_>) -> String {
    format!(
        "{}_client {}",
        plan.names.op_stem,
        super::main::words(plan, false)
    )
}

fn imports(plan: &Plan<'_>, out: &mut Cpp) {
    let attrs = op_attrs(plan);
    let mut of_operator = vec!["OperatorLibrary", "Tensor"];
    if plan.sig.lists().next().is_some() {
        of_operator.push("TensorList");
    }
    if attrs
        .iter()
        .any(|attr| attr.is_list && attr.ty == ScalarTy::F32)
    {
        of_operator.insert(0, "FloatArray");
    }
    if attrs
        .iter()
        .any(|attr| attr.is_list && attr.ty != ScalarTy::F32)
    {
        let at = of_operator
            .iter()
            .position(|name| *name == "OperatorLibrary")
            .unwrap_or(0);
        of_operator.insert(at, "IntArray");
    }
    out.blank();
    out.line(format_args!(
        "use jumar_acl::operator::{{{}}};",
        of_operator.join(", ")
    ));
    out.line("use jumar_acl::sys::types::aclDataType;");
    out.line("use jumar_acl::{Acl, Context, DeviceBuffer, Stream};");
    out.line("use std::collections::BTreeMap;");
    out.line("use std::error::Error;");
    if attrs.iter().any(|attr| is_choice(plan, attr.first())) {
        out.line("use std::ffi::{CStr, CString};");
    }
    out.line("use std::path::PathBuf;");
    out.line("use std::process::ExitCode;");
    out.line("use std::str::FromStr;");
}

/// Prints tables with the data of the operator.
fn tables(plan: &Plan<'_>, out: &mut Cpp) {
    let tensors = plan.tensors.iter().map(|(.., name)| name.clone());
    let attrs = told(plan).map(|(id, ..)| plan.names.attr(id).to_string());
    let words: Vec<String> = ["--device", "--dtype"]
        .map(String::from)
        .into_iter()
        .chain(tensors)
        .chain(attrs)
        .collect();
    let dtypes: Vec<String> = match plan.sig.dtypes.is_empty() {
        true => Vec::new(),
        false => plan
            .instances
            .iter()
            .map(|l| names::dtypes(l.binding()))
            .collect(),
    };
    out.blank();
    text("USAGE", &format!("usage: {}", usage(plan)), out);
    out.raw("\n/// Names of words that the program knows.\n");
    text("WORDS", &words.join(" "), out);
    out.raw("\n/// Made by the operator build.\n");
    text("HEADER", &format!("aclnn_{}.h", plan.names.op_stem), out);
    out.raw("\n/// Combinations of element types.\n");
    text("DTYPES", &dtypes.join(" "), out);
    plan.tensors
        .iter()
        .for_each(|(id, role, name)| parameter(plan, *id, *role, name, out));
}

/// Prints a constant, on one line where it fits.
fn text(name: &str, value: &str, out: &mut Cpp) {
    let one = format!("const {name}: &str = {};\n", string_literal(value));
    out.raw(&match one.len() <= WIDTH + 1 {
        true => one,
        false => one.replacen(" = ", " =\n    ", 1),
    });
}

fn parameter(plan: &Plan<'_>, id: ParamId, role: Role, name: &str, out: &mut Cpp) {
    out.blank();
    out.line(format_args!(
        "const {}: Parameter = Parameter {{",
        constant(name)
    ));
    out.line(format_args!("    name: \"{name}\","));
    out.line(format_args!("    is_read: {},", role != Role::Out));
    let ty = plan.sig.dtype(id).expect("a tensor has an element type");
    let of = |dtype: DType| format!("(aclDataType::{}, {})", acl_type(dtype), dtype.bytes());
    let types: Vec<String> = plan
        .instances
        .iter()
        .map(|lowered| of(ty.resolve(lowered.binding())))
        .collect();
    let one = types.join(", ");
    match one.len() <= ITEMS {
        true => out.line(format_args!("    types: &[{one}],")),
        false => {
            out.line("    types: &[");
            types
                .iter()
                .for_each(|ty| out.line(format_args!("        {ty},")));
            out.line("    ],");
        }
    }
    out.line("};");
}

fn constant(name: &str) -> String {
    format!("{}_PARAMETER", snake(name).to_uppercase())
}

/// Converts `srcAttr` to `src_attr`: names of host code are in camel case.
fn snake(name: &str) -> String {
    let of = |c: char| {
        (c.is_ascii_uppercase().then_some('_'))
            .into_iter()
            .chain([c.to_ascii_lowercase()])
    };
    name.chars().flat_map(of).collect()
}

/// Iterates over the attributes on the command line.
fn told<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = (ParamId, ScalarTy, Option<Value>)> + 'p {
    plan.sig
        .attrs()
        .filter(|(_, p, ..)| p.per != Per::Place)
        .map(|(id, _, ty, default)| (id, ty, default))
}

/// Returns a variable of a parameter: its name in snake case and its kind, so that it is no keyword
/// of Rust.
fn variable(name: &str, what: &str) -> String {
    format!("{}_{what}", snake(name))
}

/// Prints `run`, which parses, calls and writes.
fn run(plan: &Plan<'_>, out: &mut Cpp) {
    out.blank();
    out.raw("fn run(words: &Words) -> Result<(), Box<dyn Error>> {\n");
    out.inside(|out| {
        out.line("let instance = words.instance()?;");
        for (id, ty, default) in told(plan) {
            parse(plan, id, ty, default, out);
        }
        for (id, _, name) in &plan.tensors {
            let missing = if plan.sig.is_optional(*id) {
                ""
            } else {
                ".ok_or(Trouble::Words)?"
            };
            let (shape, constant) = (variable(name, "shape"), constant(name));
            out.line(format_args!(
                "let {shape} = words.shape(&{constant})?{missing};"
            ));
        }
        out.blank();
        out.line("let acl = Acl::load()?;");
        out.line("let device = acl.device(words.value(\"--device\", Some(0))?)?;");
        out.line("let context = device.context();");
        out.line("let library = OperatorLibrary::custom(context, &library())?;");
        // All memory of a call is allocated before its tensors, since their types share one
        // lifetime.
        out.blank();
        plan.tensors
            .iter()
            .for_each(|(id, _, name)| hold(plan, *id, name, out));
        out.blank();
        plan.tensors
            .iter()
            .for_each(|(id, _, name)| describe(plan, *id, name, out));
        op_attrs(plan)
            .iter()
            .for_each(|attr| array(plan, attr, out));
        out.blank();
        call(plan, out);
        for (id, _, name) in plan.tensors.iter().filter(|(_, role, _)| *role != Role::In) {
            let held = variable(name, "held");
            match plan.sig.is_optional(*id) {
                true => out.raw(&format!(
                    "    if let Some({held}) = &{held} {{\n        {held}.write()?;\n    }}\n"
                )),
                false => out.line(format_args!("{held}.write()?;")),
            }
        }
        out.line("Ok(())");
    });
    out.line("}");
}

/// Prints a variable with an attribute of the kernel.
fn parse(plan: &Plan<'_>, id: ParamId, ty: ScalarTy, default: Option<Value>, out: &mut Cpp) {
    let word = plan.names.attr(id);
    let value = variable(word, "value");
    let default = default.map_or("None".to_string(), |default| {
        format!("Some({})", literal(plan, id, ty, default))
    });
    if is_choice(plan, id) {
        let names: Vec<String> = plan
            .sig
            .choices(id)
            .iter()
            .map(|name| string_literal(name))
            .collect();
        out.line(format_args!(
            "let {value} = words.choice(\"{word}\", {default}, &[{}])?;",
            names.join(", ")
        ));
        return;
    }
    let of = match ty {
        ScalarTy::F32 => "f32",
        ScalarTy::Index => "i64",
        ScalarTy::I32 => "i32",
        ScalarTy::Bool => "bool",
    };
    out.line(format_args!(
        "let {value}: {of} = words.value(\"{word}\", {default})?;"
    ));
}

/// Returns a default as a Rust literal.
fn literal(plan: &Plan<'_>, id: ParamId, ty: ScalarTy, value: Value) -> String {
    if let Some(name) = plan.sig.param(id).kind.choice(value) {
        return string_literal(name);
    }
    match (value, ty) {
        (Value::Int(v), ScalarTy::F32) => format!("{:?}", v as f32),
        (Value::F32(v), _) if v.is_infinite() => {
            format!("f32::{}INFINITY", if v < 0.0 { "NEG_" } else { "" })
        }
        (Value::Int(_) | Value::I32(_) | Value::F32(_) | Value::Bool(_), _) => value.to_string(),
    }
}

/// Prints the memory of a tensor.
fn hold(plan: &Plan<'_>, id: ParamId, name: &str, out: &mut Cpp) {
    let [shape, held] = ["shape", "held"].map(|what| variable(name, what));
    let constant = constant(name);
    if plan.sig.is_optional(id) {
        out.line(format_args!("let {held} = {shape}"));
        out.line(format_args!(
            "    .map(|shape| Held::new(context, &{constant}, instance, shape))"
        ));
        out.line("    .transpose()?;");
    } else {
        out.line(format_args!(
            "let {held} = Held::new(context, &{constant}, instance, {shape})?;"
        ));
    }
}

/// Prints the handle of a tensor, or that of a list.
fn describe(plan: &Plan<'_>, id: ParamId, name: &str, out: &mut Cpp) {
    let [held, tensor] = ["held", "tensor"].map(|what| variable(name, what));
    let value = match (plan.sig.is_optional(id), plan.sig.param(id).per) {
        (true, _) => format!("{held}.as_ref().map(Held::tensor).transpose()?"),
        (false, Per::Item) => format!("TensorList::new(context, vec![{held}.tensor()?])?"),
        (false, Per::Launch | Per::Place) => format!("{held}.tensor()?"),
    };
    out.line(format_args!("let {tensor} = {value};"));
}

/// Prints a list of numbers, or a text.
fn array(plan: &Plan<'_>, attr: &OpAttr, out: &mut Cpp) {
    let name = plan.names.op_attr(attr.first());
    if is_choice(plan, attr.first()) {
        let value = variable(plan.names.attr(attr.first()), "value");
        out.line(format_args!(
            "let {} = CString::new({value})?;",
            variable(name, "text")
        ));
    }
    if !attr.is_list {
        return;
    }
    let (kind, wide) = if attr.ty == ScalarTy::F32 {
        ("FloatArray", "")
    } else {
        ("IntArray", "i64")
    };
    let value = |id: &ParamId| {
        let value = variable(plan.names.attr(*id), "value");
        match (wide, attr.ty) {
            (_, ScalarTy::I32) => format!("i64::from({value})"),
            (_, ScalarTy::F32 | ScalarTy::Index | ScalarTy::Bool) => value,
        }
    };
    let values: Vec<String> = attr.ids.iter().map(value).collect();
    out.line(format_args!(
        "let {} = {kind}::new(context, &[{}])?;",
        variable(name, "array"),
        values.join(", ")
    ));
}

/// Prints the call: its types and arguments are the inputs, the attributes, the outputs.
fn call(plan: &Plan<'_>, out: &mut Cpp) {
    let tensor = |(id, _, name): &(ParamId, Role, String)| {
        let tensor = variable(name, "tensor");
        match (plan.sig.param(*id).per, plan.sig.is_optional(*id)) {
            (Per::Item, _) => ("&'a TensorList<'a>", format!("&{tensor}")),
            (Per::Launch | Per::Place, true) => {
                ("Option<&'a Tensor<'a>>", format!("{tensor}.as_ref()"))
            }
            (Per::Launch | Per::Place, false) => ("&'a Tensor<'a>", format!("&{tensor}")),
        }
    };
    let of = |is_output: bool| {
        plan.tensors
            .iter()
            .filter(move |(_, role, _)| (*role == Role::Out) == is_output)
            .map(tensor)
    };
    let all: Vec<(&str, String)> = of(false)
        .chain(op_attrs(plan).iter().map(|attr| passed(plan, attr)))
        .chain(of(true))
        .collect();
    let (types, values): (Vec<&str>, Vec<String>) = all.into_iter().unzip();
    // A `CStr` and arrays are borrowed as well; an operator with numbers only borrows nothing.
    let of_life = if types.iter().any(|ty| ty.contains("'a")) {
        "<'a>"
    } else {
        ""
    };
    listed(&format!("type Arguments{of_life} = ("), &types, ");", out);
    out.raw(&format!(
        "    // SAFETY: aclnn_{}.h has these parameters.\n",
        plan.names.op_stem
    ));
    out.line(format_args!(
        "let operator = unsafe {{ library.operator::<Arguments>(\"aclnn{}\") }}?;",
        plan.names.op
    ));
    out.line("let stream = Stream::new(context)?;");
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    listed("let arguments = (", &values, ");", out);
    out.line("stream.scope(|queue| queue.run(&operator, arguments))?;");
}

/// The line width of rustfmt.
const WIDTH: usize = 100;
/// The width of a list's items above which rustfmt puts each on a separate line.
const ITEMS: usize = 60;
/// The width of items up to which rustfmt puts several on a line.
const SHORT: usize = 10;

/// Prints a tuple inside of a function: on one line where it fits, else with one item on each line.
fn listed(before: &str, items: &[&str], behind: &str, out: &mut Cpp) {
    // A tuple of one item needs a comma.
    let comma = if items.len() == 1 { "," } else { "" };
    let one = format!("{}{comma}", items.join(", "));
    if one.len() <= ITEMS {
        return out.line(format_args!("{before}{one}{behind}"));
    }
    out.line(before.to_string());
    let is_short = items.iter().all(|item| item.len() <= SHORT);
    let mut line = String::new();
    for item in items {
        if !line.is_empty() && (!is_short || line.len() + item.len() + 10 > WIDTH) {
            out.line(format_args!("    {}", std::mem::take(&mut line).trim_end()));
        }
        line.push_str(&format!("{item}, "));
    }
    out.line(format_args!("    {}", line.trim_end()));
    out.line(behind.to_string());
}

/// Returns type and value of an attribute.
fn passed(plan: &Plan<'_>, attr: &OpAttr) -> (&'static str, String) {
    let name = plan.names.op_attr(attr.first());
    let value = variable(plan.names.attr(attr.first()), "value");
    if is_choice(plan, attr.first()) {
        return ("&'a CStr", format!("{}.as_c_str()", variable(name, "text")));
    }
    match (attr.is_list, attr.ty) {
        (true, ScalarTy::F32) => ("&'a FloatArray", format!("&{}", variable(name, "array"))),
        (true, ScalarTy::Index | ScalarTy::I32 | ScalarTy::Bool) => {
            ("&'a IntArray", format!("&{}", variable(name, "array")))
        }
        (false, ScalarTy::F32) => ("f64", format!("f64::from({value})")),
        (false, ScalarTy::I32) => ("i64", format!("i64::from({value})")),
        (false, ScalarTy::Index) => ("i64", value),
        (false, ScalarTy::Bool) => ("bool", value),
    }
}

/// Words, files and memory: the common part of all operators.
const PARTS: &str = include_str!("rust_client.template.rs");

const CHOICE: &str = r#"
impl Words {
    /// One of some words, or the default.
    fn choice(&self, name: &str, default: Option<&str>, of: &[&str]) -> Result<String, Trouble> {
        let chosen = self.0.get(name).map(String::as_str).or(default);
        let known = chosen.filter(|word| of.contains(word));
        known.map(str::to_string).ok_or(Trouble::Words)
    }
}
"#;
