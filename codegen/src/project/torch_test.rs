//! The Python test of a PyTorch extension: shapes on the meta device, values on the NPU.

use crate::example::{self, Example};
use crate::host::torch::{type_of, Interface, Param, Way};
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{ParamId, ScalarTy};
use jumar_dsl::tiling::Value;

/// Returns a type such as `torch.float16`.
fn python_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F16 => "torch.float16",
        DType::Bf16 => "torch.bfloat16",
        DType::F32 => "torch.float32",
        DType::I32 => "torch.int32",
        DType::Bool => "torch.bool",
        DType::I8 => "torch.int8",
        DType::I64 => "torch.int64",
        DType::I16 => "torch.int16",
        DType::U8 | DType::Bits => "torch.uint8",
        DType::U16 => "torch.uint16",
        DType::U32 => "torch.uint32",
    }
}

/// Returns the text of the test.
pub(super) fn text(api: &Interface<'_>) -> String {
    let (stem, package) = (&api.plan.names.kernel, &api.namespace);
    let examples = example::tested(api.plan);
    let cases: String = examples.iter().map(|example| cases(api, example)).collect();
    let note = match examples.is_empty() {
        false => "",
        true => "# No launch was found by trying small numbers that the kernel takes: add one, as a row of the form below.\n",
    };
    let given: Vec<String> = api.given().map(|t| format!("\"{}\"", t.name)).collect();
    let is_list: Vec<String> = api
        .tensors
        .iter()
        .filter(|t| t.is_list)
        .map(|t| format!("\"{}\"", t.name))
        .collect();
    let written: Vec<String> = api
        .given()
        .filter(|t| t.way == Way::Written)
        .map(|t| format!("\"{}\"", t.name))
        .collect();
    let indices: Vec<String> = api
        .given()
        .filter(|t| api.plan.sig.promise(t.id).is_some())
        .map(|t| format!("\"{}\"", t.name))
        .collect();
    TEST.replace("@kernel@", stem)
        .replace("@package@", package)
        .replace("@note@", note)
        .replace("@cases@", &cases)
        .replace("@given@", &given.join(", "))
        .replace("@instances@", &api.plan.instances.len().to_string())
        .replace("@lists@", &is_list.join(", "))
        .replace("@written@", &written.join(", "))
        .replace("@indices@", &indices.join(", "))
}

/// Returns one row for each instance: element types and shapes of given tensors, attributes,
/// element types and shapes of made tensors.
fn cases(api: &Interface<'_>, example: &Example) -> String {
    let plan = api.plan;
    let attrs: Vec<String> = api
        .params()
        .iter()
        .filter_map(|param| attr(api, param, example))
        .collect();
    let row = |at: usize| {
        let tensor = |t: &crate::host::torch::Tensor| {
            let place = plan.sig.tensors().position(|(id, ..)| id == t.id)?;
            let sizes: Vec<String> = example.shapes[place]
                .iter()
                .map(|size| format!("{size},"))
                .collect();
            Some(format!(
                "({}, ({}))",
                python_type(type_of(plan, at, t.id)),
                sizes.join(" ")
            ))
        };
        let given: Vec<String> = api
            .given()
            .filter_map(|t| Some(format!("\"{}\": {}", t.name, tensor(t)?)))
            .collect();
        let made: Vec<String> = api.made().filter_map(tensor).collect();
        format!(
            "    ({{{}}},\n     {{{}}},\n     [{}]),\n",
            given.join(", "),
            attrs.join(", "),
            made.join(", ")
        )
    };
    (0..plan.instances.len()).map(row).collect()
}

/// Returns an attribute as an argument by name.
fn attr(api: &Interface<'_>, param: &Param<'_>, example: &Example) -> Option<String> {
    let Param::Attr(a) = param else { return None };
    let values: Vec<String> = a
        .attr
        .ids
        .iter()
        .map(|id| python_value(api, *id, a.attr.ty, example))
        .collect();
    let value = if a.attr.is_list {
        format!("[{}]", values.join(", "))
    } else {
        values.concat()
    };
    Some(format!("\"{}\": {value}", a.name))
}

fn python_value(api: &Interface<'_>, id: ParamId, ty: ScalarTy, example: &Example) -> String {
    let value = example.attrs[id.index()].expect("a launch says every attribute");
    let choices = api.plan.sig.choices(id);
    match (value, ty) {
        (Value::Int(at), _) if !choices.is_empty() => format!("\"{}\"", choices[at as usize]),
        (Value::Bool(is), _) => if is { "True" } else { "False" }.to_string(),
        (Value::F32(v), _) if v.is_infinite() => format!("float(\"{v}\")"),
        (Value::F32(v), _) => format!("{v:?}"),
        (Value::Int(v), ScalarTy::F32) => format!("{v}.0"),
        (Value::Int(v), _) => v.to_string(),
        (Value::I32(v), _) => v.to_string(),
    }
}

const TEST: &str = include_str!("torch_test.py");
