//! The file `csrc/<kernel>_torch.h`: checks of tensors and attributes, and shapes of outputs, for
//! both the shape function and launches.

use super::{scalar_type, type_of, Attr, Interface, Param, Tensor, Way};
use crate::cpp::{string_literal, Cpp};
use crate::host::attrs::{has_choice, is_choice, parse_choice, parsed};
use crate::names::screaming;
use jumar_dsl::ir::{Role, ScalarTy};

/// Returns the text.
pub(crate) fn header(api: &Interface<'_>) -> String {
    let plan = api.plan;
    let mut out = Cpp::new();
    let guard = format!("{}_TORCH_H", screaming(&plan.names.kernel));
    out.comment(&format!(
        "The kernel `{}` on tensors of PyTorch: what is checked and what is found before a launch.",
        plan.sig.name
    ));
    out.line(format_args!("#ifndef {guard}"));
    out.line(format_args!("#define {guard}"));
    out.blank();
    for include in [
        "algorithm",
        "cstdint",
        "iterator",
        "string",
        "tuple",
        "vector",
    ] {
        out.line(format_args!("#include <{include}>"));
    }
    out.blank();
    out.line("#include <ATen/ATen.h>");
    out.blank();
    out.line(format_args!(
        "#include \"{}_tiling_func.h\"",
        plan.names.kernel
    ));
    out.blank();
    out.line(format_args!("namespace {} {{", api.cpp));
    types(api, &mut out);
    if has_choice(plan) {
        out.blank();
        out.line("namespace {");
        parse_choice(plan, &mut out);
        out.line("} // namespace");
    }
    out.blank();
    bind(api, &mut out);
    for t in api.made() {
        out.blank();
        make(api, t, &mut out);
    }
    out.line(format_args!("}} // namespace {}", api.cpp));
    out.blank();
    out.line(format_args!("#endif // {guard}"));
    out.finish()
}

fn types(api: &Interface<'_>, out: &mut Cpp) {
    out.comment("Element types of the tensors.");
    out.line("struct Types {");
    out.inside(|out| {
        api.tensors
            .iter()
            .for_each(|t| out.line(format_args!("at::ScalarType {};", t.member)))
    });
    out.line("};");
    out.blank();
    out.comment("Those that the kernel serves.");
    out.line("constexpr Types TYPES[] = {");
    out.inside(|out| {
        for at in 0..api.plan.instances.len() {
            let row: Vec<&str> = api
                .tensors
                .iter()
                .map(|t| scalar_type(type_of(api.plan, at, t.id)))
                .collect();
            out.line(format_args!("{{{}}},", row.join(", ")));
        }
    });
    out.line("};");
    out.blank();
    out.comment("What a launch is bound to.");
    out.line("struct Call {");
    out.inside(|out| {
        out.line(format_args!("{}::Shapes shapes;", api.plan.names.launch));
        out.line(format_args!("{} args;", api.plan.names.args));
        out.line("int32_t instance = -1; // of TYPES");
    });
    out.line("};");
}

/// Returns the parameters of `Bind`; a list passes one tensor.
fn bind_params(api: &Interface<'_>) -> Vec<String> {
    let mut params: Vec<String> = Vec::new();
    for param in api.params() {
        params.push(match param {
            Param::Tensor(t) if t.is_optional => {
                format!("const c10::optional<at::Tensor> &{}", t.name)
            }
            Param::Tensor(t) => format!("const at::Tensor &{}", t.name),
            Param::Attr(a) if a.attr.of_items => match a.attr.ty {
                ScalarTy::F32 => format!("double {}", a.name),
                ScalarTy::Index | ScalarTy::I32 | ScalarTy::Bool => format!("int64_t {}", a.name),
            },
            Param::Attr(a) => format!("{} {}", a.attr.names(api.plan).torch, a.name),
            Param::Asked(t) => format!("bool {}", t.name),
        });
    }
    if api.plan.sig.place().is_some() {
        params.push("int64_t item".into());
    }
    params
}

fn bind(api: &Interface<'_>, out: &mut Cpp) {
    let (plan, kernel) = (api.plan, &api.plan.names.kernel);
    out.comment("Checks tensors and attributes and notes what they say.");
    out.function(format_args!("inline Call Bind({})", bind_params(api).join(", ")), |out| {
        out.line("Call call;");
        api.given().for_each(|t| bind_tensor(api, t, out));
        for t in api.made().filter(|t| t.is_optional) {
            out.line(format_args!("call.args.{} = {};", plan.names.attr(t.id), t.name));
        }
        api.attrs.iter().for_each(|a| bind_attr(api, a, out));
        if let Some(id) = plan.sig.place() {
            out.line(format_args!("call.args.{} = item;", plan.names.attr(id)));
        }
        let own = |t: &Tensor| match t.is_optional {
            true => format!("(!{0}.has_value() || {0}->scalar_type() == types.{1})", t.name, t.member),
            false => format!("{}.scalar_type() == types.{}", t.name, t.member),
        };
        let tests: Vec<String> = api.given().map(own).collect();
        out.block("for (const Types &types : TYPES)", |out| {
            out.wrapped(format_args!("if ({})", tests.join(" && ")), " {");
            out.line("    call.instance = static_cast<int32_t>(&types - TYPES);");
            out.line("    break;");
            out.line("}");
        });
        out.stmt(format_args!("TORCH_CHECK(call.instance >= 0, \"{kernel}: no kernel for tensors of these element types\")"));
        out.line("std::string error;");
        out.stmt(format_args!(
            "TORCH_CHECK({}::BindShapes(call.shapes, call.args, &error), \"{kernel}: \", error)",
            plan.names.launch
        ));
        if api.tensors.iter().any(|t| plan.tensors.iter().any(|(id, role, _)| *id == t.id && *role == Role::Out)) {
            out.line(format_args!("{}::InferShapes(call.args, call.shapes);", plan.names.launch));
        }
        out.line("return call;");
    });
}

/// Prints the checks of a tensor: its device, its shape, and contiguous elements if it is written.
fn bind_tensor(api: &Interface<'_>, t: &Tensor, out: &mut Cpp) {
    let (kernel, name) = (&api.plan.names.kernel, &t.name);
    let inner = |out: &mut Cpp| {
        let of = if t.is_optional {
            format!("{name}->")
        } else {
            format!("{name}.")
        };
        if let Some(anchor) = api.anchor().filter(|anchor| anchor.id != t.id) {
            out.stmt(format_args!(
                "TORCH_CHECK({of}device() == {0}.device(), \"{kernel}: {name} is on another device than {0}\")",
                anchor.name
            ));
        }
        if t.way == Way::Written {
            out.stmt(format_args!("TORCH_CHECK({of}is_contiguous(), \"{kernel}: {name} is written and must be contiguous\")"));
        }
        out.line(format_args!(
            "call.shapes.{} = {of}sizes().vec();",
            t.member
        ));
    };
    match t.is_optional {
        false => inner(out),
        true => {
            let given = api.plan.names.attr(t.id);
            out.line(format_args!("call.args.{given} = {name}.has_value();"));
            out.block(format_args!("if (call.args.{given})"), inner);
        }
    }
}

fn bind_attr(api: &Interface<'_>, a: &Attr, out: &mut Cpp) {
    let (plan, kernel, name) = (api.plan, &api.plan.names.kernel, &a.name);
    let is_list = a.attr.is_list && !a.attr.of_items;
    if is_list {
        let count = a.attr.ids.len();
        out.stmt(format_args!(
            "TORCH_CHECK({name}.size() == {count}, \"{kernel}: {name} has {count} numbers\")"
        ));
    }
    for (at, id) in a.attr.ids.iter().enumerate() {
        let from = if is_list {
            format!("{name}[{at}]")
        } else {
            name.clone()
        };
        let member = plan.names.attr(*id);
        if is_choice(plan, *id) {
            let test = parsed(plan, *id, a.attr.ty, &format!("std::string({from})"))
                .replace("args.", "call.args.");
            let said = string_literal(&format!(
                "{kernel}: {name} may be {}",
                plan.sig.choices(*id).join(", ")
            ));
            out.stmt(format_args!("TORCH_CHECK({test}, {said})"));
            continue;
        }
        match a.attr.ty {
            ScalarTy::F32 => out.line(format_args!(
                "call.args.{member} = static_cast<float>({from});"
            )),
            ScalarTy::Index | ScalarTy::Bool => {
                out.line(format_args!("call.args.{member} = {from};"))
            }
            ScalarTy::I32 => {
                let test = format!("{from} >= INT32_MIN && {from} <= INT32_MAX");
                out.stmt(format_args!(
                    "TORCH_CHECK({test}, \"{kernel}: {name} is no int32_t\")"
                ));
                out.line(format_args!(
                    "call.args.{member} = static_cast<int32_t>({from});"
                ));
            }
        }
    }
}

/// Prints `MakeY`, which makes a tensor for an output.
fn make(api: &Interface<'_>, t: &Tensor, out: &mut Cpp) {
    let member = &t.member;
    out.function(format_args!("inline at::Tensor Make{}(const Call &call, const at::Tensor &like)", pascal(member)), |out| {
        if t.is_optional {
            out.block(format_args!("if (!call.args.{})", api.plan.names.attr(t.id)), |out| out.line("return at::Tensor();"));
        }
        out.stmt(format_args!("return at::empty(call.shapes.{member}, like.options().dtype(TYPES[call.instance].{member}))"));
    });
}

pub(super) fn pascal(member: &str) -> String {
    let mut letters = member.chars();
    letters
        .next()
        .map(|first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
        .unwrap_or_default()
}
