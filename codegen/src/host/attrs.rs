//! Attributes in host code: names of each type in the framework, the operator's description and the
//! command line.

use crate::cpp::{string_literal, Cpp};
use crate::plan::Plan;
use jumar_dsl::ir::{ParamId, Per, ScalarTy};
use jumar_dsl::scalar::Value;

/// The names of an attribute's type.
pub(crate) struct AttrType {
    /// The method of `gert::RuntimeAttrs` that returns a pointer to it, and the type of the
    /// pointee.
    pub get: &'static str,
    pub pointee: &'static str,
    /// The method of `OpAttrDef`.
    pub define: &'static str,
    /// The `type` in the description that msopgen reads.
    pub described: &'static str,
    /// The type in a schema of PyTorch, and that of the C++ parameter.
    pub schema: &'static str,
    pub torch: &'static str,
}

impl AttrType {
    /// Makes a row of the table below, with columns in the order of the fields.
    const fn of([get, pointee, define, described, schema, torch]: [&'static str; 6]) -> AttrType {
        AttrType {
            get,
            pointee,
            define,
            described,
            schema,
            torch,
        }
    }
}

const FLOAT: AttrType = AttrType::of(["GetFloat", "float", "Float", "float", "float", "double"]);
const INT: AttrType = AttrType::of(["GetInt", "int64_t", "Int", "int", "int", "int64_t"]);
const BOOL: AttrType = AttrType::of(["GetBool", "bool", "Bool", "bool", "bool", "bool"]);
/// The row of an enum, given by the name of a variant.
const CHOICE: AttrType = AttrType::of([
    "GetStr",
    "char",
    "String",
    "string",
    "str",
    "c10::string_view",
]);
const FLOATS: AttrType = AttrType::of([
    "GetListFloat",
    "gert::TypedContinuousVector<float>",
    "ListFloat",
    "list_float",
    "float[]",
    "at::ArrayRef<double>",
]);
const INTS: AttrType = AttrType::of([
    "GetListInt",
    "gert::TypedContinuousVector<int64_t>",
    "ListInt",
    "list_int",
    "int[]",
    "at::IntArrayRef",
]);

/// An attribute of an operator: one of the kernel, or a list of numbers, each of which is one of
/// the kernel.
#[derive(Clone, Debug)]
pub(crate) struct OpAttr {
    /// The attributes of the kernel.
    pub ids: Vec<ParamId>,
    pub ty: ScalarTy,
    /// Their defaults; empty where the attribute must be given.
    pub defaults: Vec<Value>,
    pub is_list: bool,
    /// True for a list with a number for each item of an operator with lists; the kernel has one of
    /// them.
    pub of_items: bool,
}

impl OpAttr {
    /// Returns the first attribute of the kernel, which names the operator's attribute.
    pub(super) fn first(&self) -> ParamId {
        self.ids[0]
    }

    /// Returns the names of its type.
    pub(super) fn names(&self, plan: &Plan<'_>) -> &'static AttrType {
        match (self.ty, self.is_list) {
            _ if is_choice(plan, self.first()) => &CHOICE,
            (ScalarTy::F32, true) => &FLOATS,
            (ScalarTy::Index | ScalarTy::I32, true) => &INTS,
            (ScalarTy::F32, false) => &FLOAT,
            (ScalarTy::Index | ScalarTy::I32, false) => &INT,
            (ScalarTy::Bool, false) => &BOOL,
            (ScalarTy::Bool, true) => unreachable!("a list is one of numbers"),
        }
    }
}

/// Returns the attributes of the operator, in order.
pub(super) fn op_attrs(plan: &Plan<'_>) -> Vec<OpAttr> {
    let mut all: Vec<OpAttr> = Vec::new();
    for (id, param, ty, default) in plan.sig.attrs().filter(|(_, p, ..)| p.per != Per::Place) {
        let (part, of_items) = (plan.sig.part(id), param.per == Per::Item);
        match all
            .last_mut()
            .filter(|_| part.is_some_and(|part| part.at > 0))
        {
            Some(list) => {
                list.ids.push(id);
                list.defaults.extend(default);
            }
            None => {
                let (defaults, is_list) =
                    (default.into_iter().collect(), part.is_some() || of_items);
                all.push(OpAttr {
                    ids: vec![id],
                    ty,
                    defaults,
                    is_list,
                    of_items,
                });
            }
        }
    }
    all
}

/// True for an attribute that is an enum.
pub(super) fn is_choice(plan: &Plan<'_>, id: ParamId) -> bool {
    !plan.sig.choices(id).is_empty()
}

/// True if the kernel has such an attribute.
pub(super) fn has_choice(plan: &Plan<'_>) -> bool {
    plan.sig.attrs().any(|(id, ..)| is_choice(plan, id))
}

/// Prints `ParseChoice`, where an attribute of the kernel needs it.
pub(super) fn parse_choice(plan: &Plan<'_>, out: &mut Cpp) {
    if !has_choice(plan) {
        return;
    }
    out.blank();
    out.comment("The place of a name among those that there are.");
    out.function("bool ParseChoice(const std::string &text, const std::vector<std::string> &choices, int64_t &value)", |out| {
        out.line("const auto found = std::find(choices.begin(), choices.end(), text);");
        out.line("value = found - choices.begin();");
        out.line("return found != choices.end();");
    });
}

/// Prints a call that reads an attribute of the kernel from text.
pub(super) fn parsed(plan: &Plan<'_>, id: ParamId, ty: ScalarTy, from: &str) -> String {
    let member = plan.names.attr(id);
    let parse = match ty {
        _ if is_choice(plan, id) => {
            let names: Vec<String> = plan
                .sig
                .choices(id)
                .iter()
                .map(|name| string_literal(name))
                .collect();
            return format!(
                "ParseChoice({from}, {{{}}}, args.{member})",
                names.join(", ")
            );
        }
        ScalarTy::F32 => "ParseNumber",
        ScalarTy::Index | ScalarTy::I32 => "ParseInteger",
        ScalarTy::Bool => "ParseBool",
    };
    format!("{parse}({from}, args.{member})")
}

/// Prints `ReadAttrs`: from the framework's context to the arguments of the tiling function, in the
/// order of the definition.
pub(super) fn read(plan: &Plan<'_>, out: &mut Cpp) {
    let all = op_attrs(plan);
    if all.is_empty() {
        return;
    }
    out.blank();
    out.comment("Attributes in the order of the definition.");
    out.line("template <typename Context>");
    let item = if all.iter().any(|attr| attr.of_items) {
        "size_t item, size_t items, "
    } else {
        ""
    };
    out.function(
        format_args!(
            "bool ReadAttrs(const Context *context, {item}{} &args)",
            plan.names.args
        ),
        |out| {
            out.line("const gert::RuntimeAttrs *attrs = context->GetAttrs();");
            out.block("if (attrs == nullptr)", |out| out.line("return false;"));
            let value = |attr: &OpAttr| match attr.is_list {
                true => format!("{}Value", plan.names.op_attr(attr.first())),
                false => format!("{}Value", plan.names.attr(attr.first())),
            };
            let mut absent = Vec::new();
            for (i, attr) in all.iter().enumerate() {
                let (AttrType { get, pointee, .. }, value) = (attr.names(plan), value(attr));
                out.line(format_args!(
                    "const {pointee} *{value} = attrs->{get}({i});"
                ));
                absent.push(format!("{value} == nullptr"));
            }
            out.wrapped(format_args!("if ({})", absent.join(" || ")), " {");
            out.line("    return false;");
            out.line("}");
            for attr in &all {
                let value = value(attr);
                if is_choice(plan, attr.first()) {
                    let read = parsed(plan, attr.first(), attr.ty, &value);
                    let choices = plan.sig.choices(attr.first()).join(", ");
                    refuse(
                        plan,
                        attr,
                        &format!("!{read}"),
                        (&format!("is %s and may be {choices}"), &value),
                        out,
                    );
                    continue;
                }
                if attr.of_items {
                    let size = format!("{value}->GetSize()");
                    refuse(
                        plan,
                        attr,
                        &format!("{size} != items"),
                        ("has %zu numbers, which is not one for each item", &size),
                        out,
                    );
                } else if attr.is_list {
                    let (size, count) = (format!("{value}->GetSize()"), attr.ids.len());
                    refuse(
                        plan,
                        attr,
                        &format!("{size} != {count}"),
                        (&format!("has %zu numbers instead of {count}"), &size),
                        out,
                    );
                }
                for (at, id) in attr.ids.iter().enumerate() {
                    let of = match (attr.of_items, attr.is_list) {
                        (true, _) => format!("{value}->GetData()[item]"),
                        (false, true) => format!("{value}->GetData()[{at}]"),
                        (false, false) => format!("*{value}"),
                    };
                    let of = if attr.ty == ScalarTy::I32 {
                        held(plan, attr, of, out)
                    } else {
                        of
                    };
                    out.line(format_args!("args.{} = {of};", plan.names.attr(*id)));
                }
            }
            out.line("return true;");
        },
    );
}

/// Prints the value of an attribute as an `i32`, with a check of its range.
fn held(plan: &Plan<'_>, attr: &OpAttr, of: String, out: &mut Cpp) -> String {
    let said = format!("static_cast<long long>({of})");
    refuse(
        plan,
        attr,
        &format!("{of} < INT32_MIN || {of} > INT32_MAX"),
        ("is %lld, which no int32_t is", &said),
        out,
    );
    format!("static_cast<int32_t>({of})")
}

/// Prints a check that returns false with a message where a test holds; the message has one value
/// of the attribute.
fn refuse(plan: &Plan<'_>, attr: &OpAttr, test: &str, (said, value): (&str, &str), out: &mut Cpp) {
    let said = string_literal(&format!(
        "{}: attribute {} {said}\n",
        plan.names.op,
        plan.names.op_attr(attr.first())
    ));
    out.block(format_args!("if ({test})"), |out| {
        out.stmt(format_args!("std::fprintf(stderr, {said}, {value})"));
        out.line("return false;");
    });
}

/// Prints the attributes of the operator's definition.
pub(super) fn define(plan: &Plan<'_>, out: &mut Cpp) {
    for attr in op_attrs(plan) {
        let (name, kind) = (
            string_literal(plan.names.op_attr(attr.first())),
            attr.names(plan).define,
        );
        let defaults: Vec<String> = attr
            .defaults
            .iter()
            .map(|value| cpp_literal(plan, &attr, *value))
            .collect();
        let value = if attr.is_list && !defaults.is_empty() {
            format!("{{{}}}", defaults.join(", "))
        } else {
            defaults.concat()
        };
        let need = if defaults.is_empty() {
            "REQUIRED"
        } else {
            "OPTIONAL"
        };
        out.line(format_args!(
            "this->Attr({name}).AttrType({need}).{kind}({value});"
        ));
    }
}

/// Returns the attributes for the description that msopgen reads.
pub(super) fn described(plan: &Plan<'_>) -> Vec<String> {
    let one = |attr: OpAttr| {
        let (name, kind) = (plan.names.op_attr(attr.first()), attr.names(plan).described);
        let defaults: Vec<String> = attr
            .defaults
            .iter()
            .map(|value| json_literal(plan, &attr, *value))
            .collect();
        let value = if attr.is_list {
            format!("[{}]", defaults.join(", "))
        } else {
            defaults.concat()
        };
        let (need, value) = match defaults.is_empty() {
            true => ("required", String::new()),
            false => (
                "optional",
                format!(",\n                \"default_value\": {value}"),
            ),
        };
        format!(
            "            {{\n                \"name\": \"{name}\",\n                \"param_type\": \"{need}\",\n                \
             \"type\": \"{kind}\"{value}\n            }}"
        )
    };
    op_attrs(plan).into_iter().map(one).collect()
}

/// Returns a default for the definition.
fn cpp_literal(plan: &Plan<'_>, attr: &OpAttr, value: Value) -> String {
    if let Some(name) = plan.sig.param(attr.first()).kind.choice(value) {
        return string_literal(name);
    }
    match (value, attr.ty) {
        (Value::Int(v), ScalarTy::F32) => format!("{:?}f", v as f32),
        (Value::F32(v), _) if v.is_infinite() => {
            format!("{}__builtin_inff()", if v < 0.0 { "-" } else { "" })
        }
        (Value::F32(v), _) => format!("{v:?}f"),
        (Value::Int(_) | Value::I32(_) | Value::Bool(_), _) => value.to_string(),
    }
}

/// Returns a default as JSON, which has no number for infinities.
pub(crate) fn json_literal(plan: &Plan<'_>, attr: &OpAttr, value: Value) -> String {
    if let Some(name) = plan.sig.param(attr.first()).kind.choice(value) {
        return format!("\"{name}\"");
    }
    match (value, attr.ty) {
        (Value::F32(v), _) if !v.is_finite() => format!("\"{v}\""),
        (Value::Int(v), ScalarTy::F32) => format!("{:?}", v as f32),
        (Value::Int(_) | Value::I32(_) | Value::F32(_) | Value::Bool(_), _) => value.to_string(),
    }
}
