//! The functions that are registered. `csrc/<kernel>_meta.cpp` has the schema and the shape
//! function, `csrc/<kernel>_npu.cpp` the launch.

use super::bind::pascal;
use super::{Interface, Param, Tensor, Way};
use crate::cpp::{string_literal, Cpp};
use crate::host::platform;

/// Prints a function of the operator: for the shape function, or for launches.
fn function(api: &Interface<'_>, name: &str, launches: bool, out: &mut Cpp) {
    let made: Vec<&Tensor> = api.made().collect();
    let types: Vec<&str> = made
        .iter()
        .map(|t| {
            if t.is_list {
                "std::vector<at::Tensor>"
            } else {
                "at::Tensor"
            }
        })
        .collect();
    let result = match types.as_slice() {
        [] => "void".to_string(),
        [one] => one.to_string(),
        several => format!("std::tuple<{}>", several.join(", ")),
    };
    let params: Vec<String> = api
        .params()
        .iter()
        .map(|param| match param {
            Param::Tensor(t) if t.is_list => format!("at::TensorList {}", t.name),
            Param::Tensor(t) if t.is_optional => {
                format!("const c10::optional<at::Tensor> &{}", t.name)
            }
            Param::Tensor(t) => format!("const at::Tensor &{}", t.name),
            Param::Attr(a) => format!("{} {}", a.attr.names(api.plan).torch, a.name),
            Param::Asked(t) => format!("bool {}", t.name),
        })
        .collect();
    out.function(
        format_args!("{result} {name}({})", params.join(", ")),
        |out| {
            match api.has_lists() {
                false => {
                    one(api, launches, out);
                }
                true => {
                    items(api, out);
                    out.line("for (size_t item = 0; item < items; ++item) {");
                    out.inside(|out| one(api, launches, out));
                    out.line("}");
                }
            }
            let names: Vec<String> = made.iter().map(|t| t.local.clone()).collect();
            match names.as_slice() {
                [] => {}
                [one] => out.line(format_args!("return {one};")),
                several => out.stmt(format_args!(
                    "return std::make_tuple({})",
                    several.join(", ")
                )),
            }
        },
    );
}

/// Prints the number of items of the lists, and room for those that are made.
fn items(api: &Interface<'_>, out: &mut Cpp) {
    let lists = api.given().filter(|t| t.is_list).map(|t| &t.name);
    let numbers = api
        .attrs
        .iter()
        .filter(|a| a.attr.of_items)
        .map(|a| &a.name);
    let all: Vec<&String> = lists.chain(numbers).collect();
    if let Some((first, others)) = all.split_first() {
        out.line(format_args!("const size_t items = {first}.size();"));
        for other in others {
            out.stmt(format_args!(
                "TORCH_CHECK({other}.size() == items, \"{}: {other} and {first} are equally long\")",
                api.plan.names.kernel
            ));
        }
    }
    for t in api.made() {
        out.line(format_args!("std::vector<at::Tensor> {};", t.local));
    }
}

/// Prints a launch; of one item in an operator with lists.
fn one(api: &Interface<'_>, launches: bool, out: &mut Cpp) {
    let of = |t: &Tensor| {
        if t.is_list {
            format!("{}[item]", t.name)
        } else {
            t.name.clone()
        }
    };
    if let Some(anchor) = api.anchor().filter(|_| launches) {
        out.line(format_args!(
            "const c10::DeviceGuard guard({}.device());",
            of(anchor)
        ));
    }
    let mut bound: Vec<String> = api
        .params()
        .iter()
        .map(|param| match param {
            Param::Tensor(t) => of(t),
            Param::Attr(a) if a.attr.of_items => format!("{}[item]", a.name),
            Param::Attr(a) => a.name.clone(),
            Param::Asked(t) => t.name.clone(),
        })
        .collect();
    if api.plan.sig.place().is_some() {
        bound.push("static_cast<int64_t>(item)".into());
    }
    let is_read = launches || api.made().next().is_some() || api.plan.sig.items.is_some();
    let head = if is_read {
        "const Call call = "
    } else {
        "(void)"
    };
    out.stmt(format_args!("{head}Bind({})", bound.join(", ")));
    if let Some(axis) = api.plan.sig.items {
        let (member, kernel) = (&api.plan.names.axes[axis.index()], &api.plan.names.kernel);
        out.stmt(format_args!(
            "TORCH_CHECK(call.args.{member} == static_cast<int64_t>(items), \"{kernel}: axis {} is as long as the lists\")",
            api.plan.sig.axes[axis.index()].name
        ));
    }
    for t in api.made() {
        let like = of(api
            .anchor()
            .expect("an output is made where a tensor is given"));
        let (local, make) = (&t.local, format!("Make{}(call, {like})", pascal(&t.member)));
        match t.is_list {
            true => out.line(format_args!("{local}.push_back({make});")),
            false => out.line(format_args!("at::Tensor {local} = {make};")),
        }
    }
    if !launches {
        return;
    }
    let passed = api.tensors.iter().map(|t| match (t.way, t.is_list) {
        (Way::Made, true) => format!("{}.back()", t.local),
        (Way::Made, false) => t.local.clone(),
        (Way::Read, _) if t.is_optional => {
            format!("{0}.has_value() ? {0}->contiguous() : at::Tensor()", t.name)
        }
        (Way::Written, _) if t.is_optional => {
            format!("{0}.has_value() ? *{0} : at::Tensor()", t.name)
        }
        (Way::Read, _) => format!("{}.contiguous()", of(t)),
        (Way::Written, _) => of(t),
    });
    out.stmt(format_args!(
        "Launch(call, {})",
        passed.collect::<Vec<_>>().join(", ")
    ));
}

/// Returns `csrc/<kernel>_meta.cpp`: the schema and the shape function, which need only PyTorch.
pub(crate) fn meta(api: &Interface<'_>) -> String {
    let mut out = Cpp::new();
    let (kernel, namespace) = (&api.plan.names.kernel, &api.namespace);
    out.comment(&format!(
        "Schema and shapes of the operator {namespace}::{kernel}. Needs PyTorch and no device."
    ));
    out.line("#include <torch/library.h>");
    out.blank();
    out.line(format_args!("#include \"{kernel}_torch.h\""));
    out.blank();
    out.line(format_args!("namespace {} {{", api.cpp));
    out.line("namespace {");
    function(api, "Meta", false, &mut out);
    out.line("} // namespace");
    out.line(format_args!("}} // namespace {}", api.cpp));
    out.blank();
    out.function(format_args!("TORCH_LIBRARY({namespace}, m)"), |out| {
        out.line(format_args!(
            "m.def({});",
            string_literal(&api.schema()).replace("\\?", "?")
        ));
    });
    out.blank();
    registration(api, "Meta", &mut out);
    out.finish()
}

fn registration(api: &Interface<'_>, key: &str, out: &mut Cpp) {
    let name = if key == "Meta" { "Meta" } else { "Npu" };
    out.function(
        format_args!("TORCH_LIBRARY_IMPL({}, {key}, m)", api.namespace),
        |out| {
            out.line(format_args!(
                "m.impl(\"{}\", TORCH_FN({}::{name}));",
                api.plan.names.kernel, api.cpp
            ));
        },
    );
}

/// Returns `csrc/<kernel>_npu.cpp`, which has the launch.
pub(crate) fn npu(api: &Interface<'_>) -> String {
    let mut out = Cpp::new();
    let (plan, kernel) = (api.plan, &api.plan.names.kernel);
    out.comment(&format!(
        "Launches the kernel `{}` on the current stream of an NPU.",
        plan.sig.name
    ));
    out.line("#include <c10/core/DeviceGuard.h>");
    out.line("#include <torch/library.h>");
    out.blank();
    out.line("#include \"acl/acl.h\"");
    out.line(platform::INCLUDE);
    out.line("#include \"torch_npu/csrc/core/npu/NPUStream.h\"");
    out.blank();
    out.line(format_args!("#include \"{kernel}_torch.h\""));
    out.blank();
    out.comment("Made by the build, one for each kernel function.");
    plan.entries
        .iter()
        .for_each(|entry| out.line(format_args!("#include \"aclrtlaunch_{}.h\"", entry.name)));
    out.blank();
    out.line(format_args!("namespace {} {{", api.cpp));
    out.line("namespace {");
    platform::chip_of(plan, &mut out);
    out.blank();
    launch(api, &mut out);
    out.blank();
    function(api, "Npu", true, &mut out);
    out.line("} // namespace");
    out.line(format_args!("}} // namespace {}", api.cpp));
    out.blank();
    registration(api, "PrivateUse1", &mut out);
    out.finish()
}

fn launch(api: &Interface<'_>, out: &mut Cpp) {
    let (plan, kernel) = (api.plan, &api.plan.names.kernel);
    out.comment("The address of a tensor; null of one that was left out.");
    out.function("void *AddressOf(const at::Tensor &tensor)", |out| {
        out.line("return tensor.defined() ? tensor.data_ptr() : nullptr;")
    });
    out.blank();
    out.comment(
        "Starts the kernel function that the tiling key stands for. Nothing waits for its end.",
    );
    let params: Vec<String> = api
        .tensors
        .iter()
        .map(|t| format!("const at::Tensor &{}Gm", t.member))
        .collect();
    out.function(format_args!("void Launch(const Call &call, {})", params.join(", ")), |out| {
        out.line("const platform_ascendc::PlatformAscendC *platform = platform_ascendc::PlatformAscendCManager::GetInstance();");
        out.stmt(format_args!("TORCH_CHECK(platform != nullptr, \"{kernel}: the platform tells nothing of the chip\")"));
        out.line(format_args!("{} tiling;", plan.names.tiling));
        out.line("std::string error;");
        let compute = format!("{}(call.args, ChipOf(*platform), call.instance, tiling, &error)", plan.names.compute);
        out.stmt(format_args!("TORCH_CHECK({compute}, \"{kernel}: \", error)"));
        let mut list: Vec<String> = api.tensors.iter().map(|t| format!("AddressOf({}Gm)", t.member)).collect();
        if plan.names.takes_workspace {
            out.comment("Memory of the current stream, which no later work gets before the kernel has ended.");
            let options = "at::TensorOptions().device(at::kPrivateUse1).dtype(at::kByte)";
            out.stmt(format_args!("const at::Tensor workspace = at::empty({{tiling.workspaceSize}}, {options})"));
            list.push("AddressOf(workspace)".into());
        }
        out.comment("Asked so, the queue of the host is empty: what makes the inputs is on the stream already.");
        out.line("const aclrtStream stream = c10_npu::getCurrentNPUStream().stream(true);");
        out.line("const uint32_t blockDim = static_cast<uint32_t>(tiling.blockDim);");
        out.line("uint32_t code = 0;");
        out.line("switch (tiling.tilingKey) {");
        out.inside(|out| {
            for entry in &plan.entries {
                out.line(format_args!("case {}:", entry.key));
                out.inside(|out| {
                    out.stmt(format_args!(
                        "code = aclrtlaunch_{}(blockDim, stream, {}, &tiling.data)",
                        entry.name,
                        list.join(", ")
                    ));
                    out.line("break;");
                });
            }
            out.line("default:");
            out.inside(|out| {
                out.stmt(format_args!("TORCH_CHECK(false, \"{kernel}: no kernel function for tiling key \", tiling.tilingKey)"));
            });
        });
        out.line("}");
        out.stmt(format_args!("TORCH_CHECK(code == 0, \"{kernel}: the launch failed with code \", code)"));
    });
}
