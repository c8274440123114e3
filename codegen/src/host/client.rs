//! A program that calls an operator once through `aclnn`: shapes and attributes on its command
//! line, elements in files.
//!
//! Arguments of the call are the inputs, the attributes, the outputs, each in the order of the
//! definition. A tensor that is updated in place is only an input. Lists have one item.

use super::attrs::{is_choice, op_attrs, OpAttr};
use super::main;
use crate::cpp::{string_literal, Cpp};
use crate::plan::Plan;
use crate::ProjectKind;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{ParamId, Per, Role, ScalarTy};

/// A tensor: its number, role and name.
type Tensor = (ParamId, Role, String);

/// Returns the file `examples/main.cpp`.
pub(crate) fn source(plan: &Plan<'_>) -> String {
    let mut out = Cpp::new();
    out.comment(&format!(
        "Calls the operator {} once: inputs and outputs are files of raw elements.",
        plan.names.op
    ));
    main::includes(&mut out);
    out.blank();
    out.line("#include \"acl/acl.h\"");
    out.line("#include \"aclnn/acl_meta.h\"");
    out.line(format_args!("#include \"aclnn_{}.h\"", plan.names.op_stem));
    out.blank();
    out.line(format_args!(
        "#include \"{}_tiling_func.h\"",
        plan.names.op_stem
    ));
    out.blank();
    out.line("namespace {");
    main::checks(&mut out);
    main::files(&mut out);
    main::parsing(plan, &mut out);
    main::resources(ProjectKind::Msopgen, &mut out);
    out.blank();
    handles(plan, &mut out);
    out.blank();
    main::instances(plan, &mut out);
    out.blank();
    types(plan, &mut out);
    out.blank();
    run(plan, &mut out);
    out.line("} // namespace");
    out.blank();
    main::main_function(plan, &mut out);
    out.finish()
}

/// Prints the classes for handles that must be released after the call.
fn handles(plan: &Plan<'_>, out: &mut Cpp) {
    let attrs = op_attrs(plan);
    let has = |wanted: ScalarTy| {
        attrs
            .iter()
            .any(|attr| attr.is_list && is_float(attr) == (wanted == ScalarTy::F32))
    };
    handle("Tensor", "aclTensor", out);
    if plan.sig.lists().next().is_some() {
        out.blank();
        handle("TensorList", "aclTensorList", out);
    }
    if has(ScalarTy::F32) {
        out.blank();
        handle("FloatArray", "aclFloatArray", out);
    }
    if has(ScalarTy::Index) {
        out.blank();
        handle("IntArray", "aclIntArray", out);
    }
    out.blank();
    out.comment("A tensor whose elements follow one another.");
    out.function("aclTensor *Describe(const std::vector<int64_t> &shape, aclDataType type, void *data)", |out| {
        out.line("std::vector<int64_t> strides(shape.size(), 1);");
        out.block("for (size_t i = shape.size(); i > 1; --i)", |out| out.line("strides[i - 2] = strides[i - 1] * shape[i - 1];"));
        let call = "aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND, shape.data(), shape.size(), data)";
        out.stmt(format_args!("return {call}"));
    });
}

fn is_float(attr: &OpAttr) -> bool {
    attr.ty == ScalarTy::F32
}

/// Prints a class that owns a handle.
fn handle(name: &str, ty: &str, out: &mut Cpp) {
    let class = format!("{name}Handle");
    out.line(format_args!("class {class} {{"));
    out.line("public:");
    out.inside(|out| {
        out.line(format_args!(
            "explicit {class}({ty} *handle) : handle_(handle) {{}}"
        ));
        out.line(format_args!("{class}(const {class} &) = delete;"));
        out.line(format_args!(
            "{class} &operator=(const {class} &) = delete;"
        ));
        out.function(format_args!("~{class}()"), |out| {
            out.block("if (handle_ != nullptr)", |out| {
                out.line(format_args!("(void)aclDestroy{name}(handle_);"))
            });
        });
        if name == "Tensor" {
            out.comment("Gives it to a list, which gives it back.");
            out.function(format_args!("{ty} *Release()"), |out| {
                out.line(format_args!("{ty} *handle = handle_;"));
                out.line("handle_ = nullptr;");
                out.line("return handle;");
            });
        }
        out.function(format_args!("{ty} *Get() const"), |out| {
            out.line("return handle_;")
        });
    });
    out.blank();
    out.line("private:");
    out.inside(|out| out.line(format_args!("{ty} *handle_;")));
    out.line("};");
}

/// Prints the element types by instance.
fn types(plan: &Plan<'_>, out: &mut Cpp) {
    out.comment("Their element types.");
    out.line("struct Types {");
    out.inside(|out| {
        plan.tensors
            .iter()
            .for_each(|(_, _, name)| out.line(format_args!("aclDataType {name};")))
    });
    out.line("};");
    out.line("constexpr Types TYPES[] = {");
    out.inside(|out| {
        for lowered in plan.instances {
            let of = |id: ParamId| {
                plan.sig
                    .dtype(id)
                    .expect("a tensor has an element type")
                    .resolve(lowered.binding())
            };
            let row: Vec<&str> = plan
                .tensors
                .iter()
                .map(|(id, ..)| acl_type(of(*id)))
                .collect();
            out.line(format_args!("{{{}}},", row.join(", ")));
        }
    });
    out.line("};");
}

/// Returns the name of an element type, which the table of `jumar-acl` has as well.
pub(super) fn acl_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F16 => "ACL_FLOAT16",
        DType::Bf16 => "ACL_BF16",
        DType::F32 => "ACL_FLOAT",
        DType::I32 => "ACL_INT32",
        DType::Bool => "ACL_BOOL",
        DType::I8 => "ACL_INT8",
        DType::I64 => "ACL_INT64",
        DType::I16 => "ACL_INT16",
        DType::U8 | DType::Bits => "ACL_UINT8",
        DType::U16 => "ACL_UINT16",
        DType::U32 => "ACL_UINT32",
    }
}

/// Prints the function that reads, calls and writes.
fn run(plan: &Plan<'_>, out: &mut Cpp) {
    let (launch, op) = (&plan.names.launch, &plan.names.op);
    let params = format!(
        "int32_t deviceId, int32_t instance, {launch}::Shapes &shapes, {} &args",
        plan.names.args
    );
    out.function(format_args!("bool Run({params})"), |out| {
        out.line("std::string error;");
        out.block(format_args!("if (!{launch}::BindShapes(shapes, args, &error))"), |out| {
            out.line("std::fprintf(stderr, \"%s\\n\", error.c_str());");
            out.line("return false;");
        });
        if plan.tensors.iter().any(|(_, role, _)| *role == Role::Out) {
            out.line(format_args!("{launch}::InferShapes(args, shapes);"));
        }
        out.blank();
        out.line("Session session;");
        plan.tensors.iter().for_each(|(_, _, name)| {
            out.line(format_args!("std::vector<uint8_t> {name}Host;"));
            out.line(format_args!("DeviceBuffer {name}Device;"));
        });
        out.block("if (!session.Open(deviceId))", |out| out.line("return false;"));
        plan.tensors.iter().for_each(|tensor| load(plan, tensor, out));
        out.blank();
        plan.tensors.iter().for_each(|tensor| describe(plan, tensor, out));
        let attrs = op_attrs(plan);
        attrs.iter().filter(|attr| attr.is_list).for_each(|attr| array(plan, attr, out));
        out.blank();
        out.line("uint64_t workspaceSize = 0;");
        out.line("aclOpExecutor *executor = nullptr;");
        let of = |wanted: &dyn Fn(Role) -> bool| -> Vec<String> {
            plan.tensors.iter().filter(|(_, role, _)| wanted(*role)).map(|tensor| passed(plan, tensor)).collect()
        };
        let mut list = of(&|role| role != Role::Out);
        list.extend(attrs.iter().map(|attr| value(plan, attr)));
        list.extend(of(&|role| role == Role::Out));
        list.extend(["&workspaceSize".to_string(), "&executor".to_string()]);
        out.stmt(format_args!("RETURN_IF_FAILED(aclnn{op}GetWorkspaceSize({}))", list.join(", ")));
        out.line("DeviceBuffer workspace;");
        out.block("if (workspaceSize > 0 && !workspace.Allocate(static_cast<size_t>(workspaceSize)))", |out| {
            out.line("return false;")
        });
        out.stmt(format_args!("RETURN_IF_FAILED(aclnn{op}(workspace.Data(), workspaceSize, executor, session.Stream()))"));
        out.line("RETURN_IF_FAILED(aclrtSynchronizeStream(session.Stream()));");
        for (id, _, name) in plan.tensors.iter().filter(|(_, role, _)| *role != Role::In) {
            let test = format!("!{name}Device.CopyTo({name}Host) || !WriteFile(\"output_{name}.bin\", {name}Host)");
            let test = if plan.sig.is_optional(*id) { format!("args.{} && ({test})", plan.names.attr(*id)) } else { test };
            out.block(format_args!("if ({test})"), |out| out.line("return false;"));
        }
        out.line("return true;");
    });
}

/// Prints the memory of a tensor, and the load of its elements.
fn load(plan: &Plan<'_>, (id, role, name): &Tensor, out: &mut Cpp) {
    let print = |out: &mut Cpp| {
        out.stmt(format_args!(
            "{name}Host.resize(static_cast<size_t>(ElementCount(shapes.{name}) * INSTANCES[instance].{name}Bytes))"
        ));
        let read = match role {
            Role::Out => String::new(),
            Role::In | Role::InOut => format!("!ReadFile(\"input_{name}.bin\", {name}Host) || "),
        };
        let fill = if read.is_empty() {
            String::new()
        } else {
            format!(" || !{name}Device.CopyFrom({name}Host)")
        };
        out.wrapped(
            format_args!("if ({read}!{name}Device.Allocate({name}Host.size()){fill})"),
            " {",
        );
        out.line("    return false;");
        out.line("}");
    };
    match plan.sig.is_optional(*id) {
        true => out.block(format_args!("if (args.{})", plan.names.attr(*id)), print),
        false => print(out),
    }
}

/// Prints the handle of a tensor, or that of a list.
fn describe(plan: &Plan<'_>, (id, _, name): &Tensor, out: &mut Cpp) {
    let made = format!("Describe(shapes.{name}, TYPES[instance].{name}, {name}Device.Data())");
    let is_optional = plan.sig.is_optional(*id);
    let made = if is_optional {
        format!("args.{} ? {made} : nullptr", plan.names.attr(*id))
    } else {
        made
    };
    out.stmt(format_args!("TensorHandle {name}Tensor({made})"));
    let test = if is_optional {
        format!(
            "args.{} && {name}Tensor.Get() == nullptr",
            plan.names.attr(*id)
        )
    } else {
        format!("{name}Tensor.Get() == nullptr")
    };
    out.block(format_args!("if ({test})"), |out| {
        out.line(format_args!(
            "std::fprintf(stderr, \"no handle for {name}\\n\");"
        ));
        out.line("return false;");
    });
    if is_list(plan, *id) {
        out.line(format_args!(
            "aclTensor *const {name}Items[] = {{{name}Tensor.Release()}};"
        ));
        out.line(format_args!(
            "TensorListHandle {name}List(aclCreateTensorList({name}Items, 1));"
        ));
    }
}

fn is_list(plan: &Plan<'_>, id: ParamId) -> bool {
    plan.sig.param(id).per == Per::Item
}

fn passed(plan: &Plan<'_>, (id, _, name): &Tensor) -> String {
    match is_list(plan, *id) {
        true => format!("{name}List.Get()"),
        false => format!("{name}Tensor.Get()"),
    }
}

/// Prints a list of numbers.
fn array(plan: &Plan<'_>, attr: &OpAttr, out: &mut Cpp) {
    let name = plan.names.op_attr(attr.first());
    let (ty, kind) = if is_float(attr) {
        ("float", "FloatArray")
    } else {
        ("int64_t", "IntArray")
    };
    let values: Vec<String> = attr
        .ids
        .iter()
        .map(|id| format!("args.{}", plan.names.attr(*id)))
        .collect();
    out.line(format_args!(
        "const {ty} {name}Values[] = {{{}}};",
        values.join(", ")
    ));
    out.line(format_args!(
        "{kind}Handle {name}Array(aclCreate{kind}({name}Values, {}));",
        values.len()
    ));
}

/// Prints an attribute as the call takes it.
fn value(plan: &Plan<'_>, attr: &OpAttr) -> String {
    let (name, member) = (
        plan.names.op_attr(attr.first()),
        plan.names.attr(attr.first()),
    );
    if is_choice(plan, attr.first()) {
        let names: Vec<String> = plan
            .sig
            .choices(attr.first())
            .iter()
            .map(|choice| string_literal(choice))
            .collect();
        return format!(
            "const_cast<char *>(std::vector<const char *>{{{}}}[args.{member}])",
            names.join(", ")
        );
    }
    match (attr.is_list, attr.ty) {
        (true, _) => format!("{name}Array.Get()"),
        (false, ScalarTy::F32) => format!("static_cast<double>(args.{member})"),
        (false, ScalarTy::Index | ScalarTy::I32 | ScalarTy::Bool) => format!("args.{member}"),
    }
}
