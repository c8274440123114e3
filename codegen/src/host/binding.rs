//! An operator as a function of a Python module: takes and returns tensors of PyTorch, and calls
//! `aclnn`.
//!
//! Shapes of outputs come from the functions of the host header at the front of the text. A kernel
//! is refused, with a message, if PyTorch has no form for one of its parameters.

use super::attrs::{is_choice, op_attrs, parse_choice, parsed, OpAttr};
use super::torch::scalar_type;
use super::{func, register};
use crate::cpp::Cpp;
use crate::plan::Plan;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{ParamId, Role, ScalarTy, Ty};

/// A tensor parameter: its number, role and name.
type Tensor = (ParamId, Role, String);

/// Returns the file, whose function is called `function`.
///
/// # Errors
/// A message that names the part of the kernel for which a function of PyTorch has no form.
pub(crate) fn source(plan: &Plan<'_>, function: &str) -> Result<String, String> {
    takes(plan)?;
    let mut out = Cpp::new();
    out.comment(&format!("Operator {} for PyTorch.", plan.names.op));
    if super::attrs::has_choice(plan) {
        out.line("#include <algorithm>");
    }
    out.line("#include <string>");
    out.line("#include <tuple>");
    out.line("#include <vector>");
    out.blank();
    out.line("#include <torch/extension.h>");
    out.line("#include \"pytorch_npu_helper.hpp\"");
    out.blank();
    out.raw(&func::header(plan, None, register::PLAIN_DATA));
    if super::attrs::has_choice(plan) {
        out.blank();
        out.line("namespace {");
        parse_choice(plan, &mut out);
        out.line("} // namespace");
    }
    out.blank();
    call(plan, function, &mut out)?;
    out.blank();
    out.block("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)", |out| {
        out.line(format_args!(
            "m.def(\"{function}\", &{function}_impl_npu, \"{}\");",
            plan.names.op
        ));
    });
    Ok(out.finish())
}

/// Refuses kernels without such a form.
fn takes(plan: &Plan<'_>) -> Result<(), String> {
    let name = &plan.sig.name;
    let named = |id: ParamId| &plan.sig.param(id).name;
    if let Some((_, p)) = plan.sig.lists().next() {
        return Err(format!("`{}` of kernel `{name}` is a list", p.name));
    }
    let asked = plan
        .tensors
        .iter()
        .find(|(id, role, _)| *role != Role::In && plan.sig.is_optional(*id));
    if let Some((id, ..)) = asked {
        return Err(format!(
            "`{}` of kernel `{name}` is written, and may be left out",
            named(*id)
        ));
    }
    if let Some(attr) = op_attrs(plan)
        .iter()
        .find(|attr| attr.is_list && attr.ty == ScalarTy::F32)
    {
        return Err(format!(
            "`{}` of kernel `{name}` is a list of floats",
            named(attr.first())
        ));
    }
    match input_of(plan, |_| true) {
        Some(_) => Ok(()),
        None => Err(format!(
            "kernel `{name}` has no input, which would say where its outputs lie"
        )),
    }
}

/// Finds the first required input of this kind.
fn input_of<'p>(plan: &'p Plan<'_>, wanted: impl Fn(Ty) -> bool) -> Option<&'p str> {
    let is_wanted = |id: ParamId| plan.sig.dtype(id).is_some_and(&wanted);
    let mut inputs = plan
        .tensors
        .iter()
        .filter(|(id, role, _)| *role != Role::Out && !plan.sig.is_optional(*id));
    inputs
        .find(|(id, ..)| is_wanted(*id))
        .map(|(_, _, name)| name.as_str())
}

fn attr_param(plan: &Plan<'_>, attr: &OpAttr) -> String {
    let ty = match (attr.ty, attr.is_list) {
        _ if is_choice(plan, attr.first()) => "const std::string &",
        (_, true) => "const std::vector<int64_t> &",
        (ScalarTy::F32, false) => "double ",
        (ScalarTy::Index | ScalarTy::I32, false) => "int64_t ",
        (ScalarTy::Bool, false) => "bool ",
    };
    format!("{ty}{}", attr_name(plan, attr))
}

fn attr_name<'p>(plan: &'p Plan<'_>, attr: &OpAttr) -> &'p str {
    plan.names.op_attr(attr.first())
}

/// Prints the function itself.
fn call(plan: &Plan<'_>, function: &str, out: &mut Cpp) -> Result<(), String> {
    let (launch, attrs) = (&plan.names.launch, op_attrs(plan));
    let (outputs, inputs): (Vec<&Tensor>, Vec<&Tensor>) = plan
        .tensors
        .iter()
        .partition(|(_, role, _)| *role == Role::Out);
    let input_param = |(id, _, name): &&Tensor| match plan.sig.is_optional(*id) {
        true => format!("const c10::optional<at::Tensor> &{name}"),
        false => format!("const at::Tensor &{name}"),
    };
    let params: Vec<String> = inputs
        .iter()
        .map(input_param)
        .chain(attrs.iter().map(|attr| attr_param(plan, attr)))
        .collect();
    let written: Vec<&str> = plan
        .tensors
        .iter()
        .filter(|(_, role, _)| *role != Role::In)
        .map(|(.., name)| name.as_str())
        .collect();
    let (ty, given) = match written.as_slice() {
        [one] => ("at::Tensor".to_string(), one.to_string()),
        several => {
            let types = vec!["at::Tensor"; several.len()].join(", ");
            (
                format!("std::tuple<{types}>"),
                format!("std::make_tuple({})", several.join(", ")),
            )
        }
    };
    let types = outputs
        .iter()
        .map(|(id, _, name)| Ok((name, of_type(plan, *id)?)))
        .collect::<Result<Vec<_>, String>>()?;
    out.function(
        format_args!("{ty} {function}_impl_npu({})", params.join(", ")),
        |out| {
            out.line(format_args!("{launch}::Shapes shapes;"));
            out.line(format_args!("{} args;", plan.names.args));
            inputs.iter().for_each(|tensor| shape(plan, tensor, out));
            attrs.iter().for_each(|attr| read(plan, attr, out));
            out.line("std::string error;");
            out.line(format_args!(
                "TORCH_CHECK({launch}::BindShapes(shapes, args, &error), error);"
            ));
            if !outputs.is_empty() {
                out.line(format_args!("{launch}::InferShapes(args, shapes);"));
            }
            for (name, options) in &types {
                out.line(format_args!(
                    "at::Tensor {name} = at::empty(shapes.{name}, {options});"
                ));
            }
            let passed = inputs.iter().map(|(.., name)| name.clone());
            let passed = passed
                .chain(attrs.iter().map(|attr| pass(plan, attr)))
                .chain(outputs.iter().map(|(.., name)| name.clone()));
            out.stmt(format_args!(
                "EXEC_NPU_CMD(aclnn{}, {})",
                plan.names.op,
                passed.collect::<Vec<_>>().join(", ")
            ));
            out.line(format_args!("return {given};"));
        },
    );
    Ok(())
}

/// Prints the shape of an input, and whether it was given.
fn shape(plan: &Plan<'_>, (id, _, name): &Tensor, out: &mut Cpp) {
    if !plan.sig.is_optional(*id) {
        return out.line(format_args!("shapes.{name} = {name}.sizes().vec();"));
    }
    let given = plan.names.attr(*id);
    out.line(format_args!("args.{given} = {name}.has_value();"));
    out.block(format_args!("if (args.{given})"), |out| {
        out.line(format_args!("shapes.{name} = {name}->sizes().vec();"))
    });
}

/// Prints an attribute into the arguments.
fn read(plan: &Plan<'_>, attr: &OpAttr, out: &mut Cpp) {
    let name = attr_name(plan, attr);
    if attr.is_list {
        let count = attr.ids.len();
        out.line(format_args!(
            "TORCH_CHECK({name}.size() == {count}, \"{name} has {count} numbers\");"
        ));
    }
    for (at, id) in attr.ids.iter().enumerate() {
        let from = if attr.is_list {
            format!("{name}[{at}]")
        } else {
            name.to_string()
        };
        if is_choice(plan, *id) {
            let test = parsed(plan, *id, attr.ty, &from);
            out.stmt(format_args!(
                "TORCH_CHECK({test}, \"{name} is none of its names\")"
            ));
            continue;
        }
        let value = match attr.ty {
            ScalarTy::F32 => format!("static_cast<float>({from})"),
            ScalarTy::I32 => format!("static_cast<int32_t>({from})"),
            ScalarTy::Index | ScalarTy::Bool => from,
        };
        out.line(format_args!("args.{} = {value};", plan.names.attr(*id)));
    }
}

/// Prints an attribute as the `aclnn` function takes it.
fn pass(plan: &Plan<'_>, attr: &OpAttr) -> String {
    let name = attr_name(plan, attr);
    match attr.is_list {
        _ if is_choice(plan, attr.first()) => format!("const_cast<char *>({name}.c_str())"),
        true => format!("at::IntArrayRef({name})"),
        false => name.to_string(),
    }
}

/// Returns the options of an output: its element type, on the device of an input.
fn of_type(plan: &Plan<'_>, id: ParamId) -> Result<String, String> {
    let ty = plan.sig.dtype(id).expect("a tensor has an element type");
    let first = input_of(plan, |_| true).expect("`takes` has found an input");
    if let Some(alike) = input_of(plan, |own| own == ty) {
        return Ok(format!("{alike}.options()"));
    }
    let told = match (ty, plan.instances) {
        (Ty::Is(dtype), _) => dtype,
        // A single instance determines the type.
        (Ty::Param(_) | Ty::Wide(_) | Ty::Mask, [one]) => ty.resolve(one.binding()),
        (Ty::Param(_) | Ty::Wide(_) | Ty::Mask, _) => {
            return Err(format!(
                "no input tells the element type of the output `{}`",
                plan.sig.param(id).name
            ))
        }
    };
    if matches!(told, DType::U16 | DType::U32 | DType::Bits) {
        return Err(format!(
            "PyTorch has no tensors of {told}, as `{}` is",
            plan.sig.param(id).name
        ));
    }
    let scalar = scalar_type(told);
    Ok(format!("{first}.options().dtype({scalar})"))
}
