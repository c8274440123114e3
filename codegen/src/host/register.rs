//! Registration of an operator: tiling function, shape and dtype inference, definition.
//!
//! It is one `.cpp` with the three namespaces that the operator build expects. The tiling itself is
//! the shared function; this text only converts from and to the framework's contexts.

use super::dtypes::{self, instance_of};
use super::{attrs, data, items, platform};
use crate::cpp::{string_literal, Cpp};
use crate::names::screaming;
use crate::plan::Plan;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{Dim, ParamId, Per, Role, Scalar, Ty};

/// The plain struct that the tiling function fills; the registered class has the name that the
/// kernel sees.
pub(crate) const PLAIN_DATA: &str = "Fields";

/// Returns `op_host/<op>_tiling.h`: the registered tiling data.
pub(crate) fn tiling_header(plan: &Plan<'_>) -> String {
    let mut out = Cpp::new();
    let guard = format!("{}_TILING_H", screaming(&plan.names.kernel));
    out.comment(&format!(
        "Tiling data of the operator {}, registered so that the build hands it to the kernel.",
        plan.names.op
    ));
    out.line(format_args!("#ifndef {guard}"));
    out.line(format_args!("#define {guard}"));
    out.blank();
    out.line("#include \"register/tilingdata_base.h\"");
    out.blank();
    out.line("namespace optiling {");
    match plan.items {
        true => data::item_macros(plan, &mut out),
        false => data::macros(plan, &mut out),
    }
    out.line("} // namespace optiling");
    out.blank();
    out.line(format_args!("#endif // {guard}"));
    out.finish()
}

/// A tensor as the operator sees it.
pub(super) struct Tensor {
    pub(super) id: ParamId,
    pub(super) name: String,
    pub(super) dtype: Ty,
    pub(super) input: Option<usize>,
    pub(super) output: Option<usize>,
    /// The member that says whether an optional tensor was given.
    pub(super) given: Option<String>,
    pub(super) list: bool,
}

impl Tensor {
    /// Returns the kind of the parameter: required, optional, or a list.
    fn param_type(&self) -> &'static str {
        match (self.list, &self.given) {
            (true, _) => "dynamic",
            (false, Some(_)) => "optional",
            (false, None) => "required",
        }
    }
    /// Returns its index among the outputs of all items. For a list it is that of an item: each
    /// list has one output for every item.
    pub(super) fn output_of(&self, tensors: &[Tensor]) -> Option<String> {
        self.place(tensors, self.list.then(|| "item".to_string()))
    }
    /// Returns the index for the first item.
    pub(super) fn first_output(&self, tensors: &[Tensor]) -> Option<String> {
        self.place(tensors, None)
    }
    fn place(&self, tensors: &[Tensor], item: Option<String>) -> Option<String> {
        let at = self.output?;
        let before = tensors
            .iter()
            .filter(|t| t.output.is_some_and(|own| own < at));
        let (lists, single): (Vec<&Tensor>, Vec<&Tensor>) = before.partition(|t| t.list);
        let lists = match lists.len() {
            0 => None,
            1 => Some("items".to_string()),
            n => Some(format!("{n} * items")),
        };
        let single = Some(single.len()).filter(|n| *n > 0).map(|n| n.to_string());
        let terms: Vec<String> = [lists, single, item].into_iter().flatten().collect();
        Some(if terms.is_empty() {
            "0".into()
        } else {
            terms.join(" + ")
        })
    }
}

pub(super) fn tensors(plan: &Plan<'_>) -> Vec<Tensor> {
    let (mut inputs, mut outputs) = (0, 0);
    plan.tensors
        .iter()
        .cloned()
        .map(|(id, role, name)| {
            let next = |wanted: bool, n: &mut usize| {
                wanted.then(|| {
                    *n += 1;
                    *n - 1
                })
            };
            let input = next(role != Role::Out, &mut inputs);
            let output = next(role != Role::In, &mut outputs);
            let given = plan
                .sig
                .is_optional(id)
                .then(|| plan.names.attr(id).to_string());
            let list = plan.sig.param(id).per == Per::Item;
            Tensor {
                id,
                dtype: plan.sig.dtype(id).expect("a tensor has an element type"),
                name,
                input,
                output,
                given,
                list,
            }
        })
        .collect()
}

/// Returns the file `op_host/<op>.cpp`.
pub(crate) fn source(plan: &Plan<'_>) -> String {
    let mut out = Cpp::new();
    let op = &plan.names.op;
    let stem = &plan.names.op_stem;
    out.comment(&format!(
        "Operator {op}: tiling, shape and dtype inference, definition."
    ));
    out.line(format_args!("#include \"{stem}_tiling.h\""));
    out.line(format_args!("#include \"{stem}_tiling_func.h\""));
    out.blank();
    out.line("#include <algorithm>");
    out.line("#include <cstdio>");
    if attrs::has_choice(plan) {
        out.line("#include <string>");
    }
    out.blank();
    out.line("#include \"register/op_def_registry.h\"");
    out.line(platform::INCLUDE);
    out.blank();
    common(plan, &mut out);
    out.blank();
    match plan.items {
        true => items::tiling(plan, &mut out),
        false => tiling(plan, &mut out),
    }
    out.blank();
    inference(plan, &mut out);
    out.blank();
    definition(plan, &mut out);
    out.finish()
}

/// Prints the common part of tiling and inference.
fn common(plan: &Plan<'_>, out: &mut Cpp) {
    out.line("namespace {");
    out.function(
        "std::vector<int64_t> Sizes(const gert::Shape &shape)",
        |out| {
            out.line("std::vector<int64_t> sizes;");
            out.block("for (size_t i = 0; i < shape.GetDimNum(); ++i)", |out| {
                out.line("sizes.push_back(shape.GetDim(i));")
            });
            out.line("return sizes;");
        },
    );
    attrs::parse_choice(plan, out);
    attrs::read(plan, out);
    if plan.items {
        items::count(plan, out);
    }
    out.blank();
    platform::chip_of(plan, out);
    out.line("} // namespace");
}

/// Returns the call that reads a fact of a required input by its number. In an operator with
/// optional inputs, numbers are those of the definition. Otherwise they are those of the given
/// inputs, which are equal (asc-devkit, pages of GetInputShape, GetRequiredInputShape and
/// GetOptionalInputShape).
pub(super) fn required(tensors: &[Tensor], what: &str) -> String {
    let left_out = |t: &Tensor| t.input.is_some() && t.given.is_some();
    let word = if tensors.iter().any(|t| left_out(t) || t.list) {
        "Required"
    } else {
        ""
    };
    format!("Get{word}Input{what}")
}

/// Prints the reads of input shapes into `shapes`, and of which optional inputs were given into
/// `args`.
pub(super) fn input_shapes(plan: &Plan<'_>, tensors: &[Tensor], storage: bool, out: &mut Cpp) {
    if tensors.iter().any(|t| t.given.is_some()) {
        out.line(format_args!("{} args;", plan.names.args));
    }
    for t in tensors {
        let Some(i) = t.input else { continue };
        let name = &t.name;
        let shape = if storage {
            format!("{name}Shape->GetStorageShape()")
        } else {
            format!("*{name}Shape")
        };
        if let Some(given) = &t.given {
            out.line(format_args!(
                "const auto *{name}Shape = context->GetOptionalInputShape({i});"
            ));
            out.line(format_args!("args.{given} = {name}Shape != nullptr;"));
            out.block(format_args!("if (args.{given})"), |out| {
                out.line(format_args!("shapes.{name} = Sizes({shape});"))
            });
            continue;
        }
        match t.list {
            true => out.line(format_args!(
                "const auto *{name}Shape = context->GetDynamicInputShape({i}, item);"
            )),
            false => out.line(format_args!(
                "const auto *{name}Shape = context->{}({i});",
                required(tensors, "Shape")
            )),
        }
        out.block(format_args!("if ({name}Shape == nullptr)"), |out| {
            out.line("return ge::GRAPH_FAILED;")
        });
        out.line(format_args!("shapes.{name} = Sizes({shape});"));
    }
}

/// Prints the reads of output shapes into `shapes`, and of which optional outputs were asked for
/// into `args`. `GetOutputShape` returns null for the others (opbase,
/// `NnopbaseTilingBuildOpOutputs`; ops-nn asks so in the tiling function of in_infer_v2).
pub(super) fn output_shapes(tensors: &[Tensor], out: &mut Cpp) {
    for t in tensors.iter().filter(|t| t.input.is_none()) {
        let Some(place) = t.output_of(tensors) else {
            continue;
        };
        let name = &t.name;
        out.line(format_args!(
            "const auto *{name}Shape = context->GetOutputShape({place});"
        ));
        if let Some(given) = &t.given {
            out.line(format_args!("args.{given} = {name}Shape != nullptr;"));
        }
        out.block(format_args!("if ({name}Shape != nullptr)"), |out| {
            out.line(format_args!(
                "shapes.{name} = Sizes({name}Shape->GetStorageShape());"
            ));
        });
    }
}

/// Declares the arguments, where the shapes of the tensors did not need them.
pub(super) fn declare_args(plan: &Plan<'_>, tensors: &[Tensor], out: &mut Cpp) {
    if tensors.iter().all(|t| t.given.is_none()) {
        out.line(format_args!("{} args;", plan.names.args));
    }
}

fn tiling(plan: &Plan<'_>, out: &mut Cpp) {
    let n = &plan.names;
    let (op, launch) = (&n.op, &n.launch);
    let tensors = tensors(plan);
    out.line("namespace optiling {");
    if !plan.sig.dtypes.is_empty() {
        instance_of(plan, &tensors, out);
        out.blank();
    }
    out.function("static ge::graphStatus TilingFunc(gert::TilingContext *context)", |out| {
        out.line(format_args!("{launch}::Shapes shapes;"));
        input_shapes(plan, &tensors, true, out);
        output_shapes(&tensors, out);
        out.blank();
        declare_args(plan, &tensors, out);
        out.line(format_args!("{} tiling;", n.tiling));
        out.line("const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());");
        out.line("std::string error = \"an attribute is missing\";");
        let mut tests = Vec::new();
        if plan.sig.attrs().next().is_some() {
            tests.push("ReadAttrs(context, args)".to_string());
        }
        tests.push(format!("{launch}::BindShapes(shapes, args, &error)"));
        let instance = if plan.sig.dtypes.is_empty() { "0" } else { "DtypeInstance(context)" };
        tests.push(format!("{}(args, ChipOf(platform), {instance}, tiling, &error)", n.compute));
        out.wrapped(format_args!("if (!({}))", tests.join(" && ")), " {");
        out.inside(|out| {
            out.line(format_args!("std::fprintf(stderr, \"{op}: %s\\n\", error.c_str());"));
            out.line("return ge::GRAPH_FAILED;");
        });
        out.line("}");
        out.blank();
        out.line(format_args!("{} data;", n.data));
        data::copy(plan, "tiling.data", "data", out);
        out.line("gert::TilingData *raw = context->GetRawTilingData();");
        out.block("if (raw == nullptr || raw->GetData() == nullptr || raw->GetCapacity() < data.GetDataSize())", |out| {
            out.line(format_args!("std::fprintf(stderr, \"{op}: no room for the tiling data\\n\");"));
            out.line("return ge::GRAPH_FAILED;");
        });
        out.line("data.SaveToBuffer(raw->GetData(), raw->GetCapacity());");
        out.line("raw->SetDataSize(data.GetDataSize());");
        out.line("context->SetTilingKey(static_cast<uint64_t>(tiling.tilingKey));");
        out.line("context->SetBlockDim(static_cast<uint32_t>(tiling.blockDim));");
        workspace(plan, "tiling.workspaceSize", out);
        out.line("return ge::GRAPH_SUCCESS;");
    });
    out.line("} // namespace optiling");
}

/// Prints the size of the workspace, and that blocks which wait for one another start together.
pub(super) fn workspace(plan: &Plan<'_>, size: &str, out: &mut Cpp) {
    out.line("size_t *workspaces = context->GetWorkspaceSizes(1);");
    out.block("if (workspaces == nullptr)", |out| {
        out.line("return ge::GRAPH_FAILED;")
    });
    if plan.meets() {
        out.comment("Blocks that wait for one another start all at once, also where another stream has cores of the chip.");
        out.line("context->SetScheduleMode(1);");
    }
    // A kernel of a mixed type must have some workspace (asc-devkit, page of the kernel types).
    if plan.names.takes_workspace || plan.meets() {
        // Kernels get their own part by GetUserWorkspace, after that of the toolkit (asc-devkit,
        // page of GetLibApiWorkSpaceSize).
        out.comment("The toolkit keeps the first part for itself.");
        out.line("const size_t libraryBytes = platform.GetLibApiWorkSpaceSize();");
        out.line(format_args!(
            "workspaces[0] = libraryBytes + static_cast<size_t>({size});"
        ));
    } else {
        out.line(format_args!("workspaces[0] = static_cast<size_t>({size});"));
    }
}

fn inference(plan: &Plan<'_>, out: &mut Cpp) {
    let tensors = tensors(plan);
    out.line("namespace ge {");
    out.function(
        "static graphStatus InferShape(gert::InferShapeContext *context)",
        |out| {
            match plan.items {
                true => each_item(out, |out| shapes_of_outputs(plan, &tensors, out)),
                false => shapes_of_outputs(plan, &tensors, out),
            }
            out.line("return GRAPH_SUCCESS;");
        },
    );
    out.blank();
    out.function(
        "static graphStatus InferDataType(gert::InferDataTypeContext *context)",
        |out| {
            let types = |out: &mut Cpp| dtypes::of_outputs(plan, &tensors, out);
            match plan.items {
                true => each_item(out, types),
                false => types(out),
            }
            out.line("return GRAPH_SUCCESS;");
        },
    );
    out.line("} // namespace ge");
}

/// Prints a loop over the items of an operator with lists.
fn each_item(out: &mut Cpp, print: impl FnOnce(&mut Cpp)) {
    out.line("const int64_t items = ItemsOf(context);");
    out.block("if (items < 0)", |out| out.line("return GRAPH_FAILED;"));
    out.line("for (int64_t item = 0; item < items; ++item) {");
    out.inside(print);
    out.line("}");
}

/// Prints the inference of output shapes from input shapes, of one item in an operator with lists.
fn shapes_of_outputs(plan: &Plan<'_>, tensors: &[Tensor], out: &mut Cpp) {
    let (op, launch) = (&plan.names.op, &plan.names.launch);
    out.line(format_args!("{launch}::Shapes shapes;"));
    input_shapes(plan, tensors, false, out);
    out.blank();
    declare_args(plan, tensors, out);
    items::place(plan, out);
    let computed = plan.sig.tensors().any(|(id, ..)| {
        plan.sig.shape(id).iter().any(|d| match d {
            Dim::Expr { size } => mentions_attr(size),
            Dim::Axis { .. } => false,
            Dim::At { .. } => true,
        })
    });
    if computed && plan.sig.attrs().any(|(_, p, ..)| p.per != Per::Place) {
        out.block(format_args!("if (!{})", items::read_attrs(plan)), |out| {
            out.line("return GRAPH_FAILED;")
        });
    }
    out.line("std::string error;");
    out.block(
        format_args!("if (!{launch}::BindShapes(shapes, args, &error))"),
        |out| {
            out.line(format_args!(
                "std::fprintf(stderr, \"{op}: %s\\n\", error.c_str());"
            ));
            out.line("return GRAPH_FAILED;");
        },
    );
    if tensors.iter().any(|t| t.input.is_none()) {
        out.line(format_args!("{launch}::InferShapes(args, shapes);"));
    }
    for t in tensors {
        let Some(place) = t.output_of(tensors) else {
            continue;
        };
        let name = &t.name;
        let set = |out: &mut Cpp| {
            out.line(format_args!("{name}Out->SetDimNum(0);"));
            out.block(format_args!("for (int64_t size : shapes.{name})"), |out| {
                out.line(format_args!("{name}Out->AppendDim(size);"))
            });
        };
        out.line(format_args!(
            "gert::Shape *{name}Out = context->GetOutputShape({place});"
        ));
        if t.given.is_some() {
            out.block(format_args!("if ({name}Out != nullptr)"), set);
            continue;
        }
        out.block(format_args!("if ({name}Out == nullptr)"), |out| {
            out.line("return GRAPH_FAILED;")
        });
        set(out);
    }
}

fn mentions_attr(s: &Scalar) -> bool {
    let mut found = false;
    s.walk(&mut |n| found |= matches!(n, Scalar::Attr(..)));
    found
}

fn definition(plan: &Plan<'_>, out: &mut Cpp) {
    let op = &plan.names.op;
    out.line("namespace ops {");
    out.line(format_args!("class {op} : public OpDef {{"));
    out.line("public:");
    out.inside(|out| {
        out.function(
            format_args!("explicit {op}(const char *name) : OpDef(name)"),
            |out| {
                let tensors = tensors(plan);
                for t in tensors.iter().filter(|t| t.input.is_some()) {
                    tensor_def(plan, t, "Input", out);
                }
                for t in tensors.iter().filter(|t| t.output.is_some()) {
                    tensor_def(plan, t, "Output", out);
                }
                attrs::define(plan, out);
                out.line(
                    "this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);",
                );
                out.line("this->AICore().SetTiling(optiling::TilingFunc);");
                for unit in &plan.units {
                    out.line(format_args!("this->AICore().AddConfig(\"{unit}\");"));
                }
            },
        );
    });
    out.line("};");
    out.blank();
    out.line(format_args!("OP_ADD({op});"));
    out.line("} // namespace ops");
}

/// Prints a tensor's definition: one dtype and one format for each combination; column k of all
/// tensors is one combination.
fn tensor_def(plan: &Plan<'_>, t: &Tensor, side: &str, out: &mut Cpp) {
    let ty = t.dtype;
    let dtypes: Vec<_> = plan
        .instances
        .iter()
        .map(|l| format!("ge::{}", ty.resolve(l.binding()).ge_type()))
        .collect();
    let formats = vec!["ge::FORMAT_ND"; dtypes.len()].join(", ");
    out.line(format_args!("this->{side}({})", string_literal(&t.name)));
    out.inside(|out| {
        out.line(format_args!(
            ".ParamType({})",
            t.param_type().to_uppercase()
        ));
        out.stmt_part(format_args!(".DataType({{{}}})", dtypes.join(", ")));
        out.stmt_part(format_args!(".Format({{{formats}}})"));
        match t.input.filter(|_| side == "Input") {
            Some(_) => {
                out.stmt_part(format_args!(".UnknownShapeFormat({{{formats}}})"));
                // The kernel knows only shapes, so aclnn must make the elements of a view
                // contiguous.
                out.line(".AutoContiguous();");
            }
            None => out.stmt(format_args!(".UnknownShapeFormat({{{formats}}})")),
        }
    });
}

/// Returns the description that msopgen reads.
pub(crate) fn description(plan: &Plan<'_>) -> String {
    let name = |d: DType| match d {
        DType::F16 => "float16",
        DType::Bf16 => "bfloat16",
        DType::F32 => "float",
        DType::I32 => "int32",
        DType::Bool => "bool",
        DType::I8 => "int8",
        DType::I64 => "int64",
        DType::I16 => "int16",
        DType::U8 | DType::Bits => "uint8",
        DType::U16 => "uint16",
        DType::U32 => "uint32",
    };
    let tensors = tensors(plan);
    let list = |wanted: &dyn Fn(&Tensor) -> bool| {
        let items: Vec<_> = tensors
            .iter()
            .filter(|t| wanted(t))
            .map(|t| {
                let ty = t.dtype;
                let types: Vec<_> = plan.instances.iter().map(|l| format!("\"{}\"", name(ty.resolve(l.binding())))).collect();
                let formats = vec!["\"ND\""; types.len()].join(", ");
                format!(
                    "            {{\n                \"name\": \"{}\",\n                \"param_type\": \"{}\",\n                \
                     \"format\": [{formats}],\n                \"type\": [{}]\n            }}",
                    t.name,
                    t.param_type(),
                    types.join(", ")
                )
            })
            .collect();
        items.join(",\n")
    };
    let mut text = format!(
        "[\n    {{\n        \"op\": \"{}\",\n        \"language\": \"cpp\",\n",
        plan.names.op
    );
    text.push_str(&format!(
        "        \"input_desc\": [\n{}\n        ],\n",
        list(&|t| t.input.is_some())
    ));
    text.push_str(&format!(
        "        \"output_desc\": [\n{}\n        ]",
        list(&|t| t.output.is_some())
    ));
    let attrs = attrs::described(plan);
    if !attrs.is_empty() {
        text.push_str(&format!(
            ",\n        \"attr\": [\n{}\n        ]",
            attrs.join(",\n")
        ));
    }
    text.push_str("\n    }\n]\n");
    text
}
