//! The Python test of a PyTorch extension: shapes on the meta device, values on the NPU.

use crate::host::torch::{type_of, Interface, Param, Way};
use crate::plan::Plan;
use jumar_dsl::check::{small_launches, SmallLaunch};
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{Dim, ParamId, ScalarTy, Signature};
use jumar_dsl::tiling::{bind_shapes, eval, evaluate, Env, Value};

/// A launch that the kernel takes.
struct Example {
    shapes: Vec<Vec<usize>>,
    attrs: Vec<Option<Value>>,
}

/// Elements that a tensor of the test has at most: values run in a moment.
const MOST: usize = 1 << 16;

/// Axes of the second launch are so many times as long: as many rows and elements as copies without padding want.
const LONGER: i64 = 16;

/// The launches that the test makes: of those that the kernel allows the largest that is not too large, with tails, and one of whole data blocks.
fn examples(plan: &Plan<'_>) -> Vec<Example> {
    let small = small_launches(plan.written, plan.chip);
    let longer = |sample: &SmallLaunch| SmallLaunch {
        dims: sample.dims.iter().map(|size| size.saturating_mul(LONGER)).collect(),
        attrs: sample.attrs.clone(),
    };
    let large: Vec<SmallLaunch> = small.iter().map(longer).collect();
    [small, large].iter().filter_map(|all| largest(plan, all)).collect()
}

fn largest(plan: &Plan<'_>, all: &[SmallLaunch]) -> Option<Example> {
    let elements = |example: &Example| {
        example.shapes.iter().map(|shape| shape.iter().fold(1usize, |all, size| all.saturating_mul(*size))).max().unwrap_or(0)
    };
    let taken = all.iter().filter_map(|sample| of_sample(plan, sample)).filter(|example| elements(example) <= MOST);
    taken.filter(|example| is_taken(plan, example)).max_by_key(elements)
}

fn of_sample(plan: &Plan<'_>, sample: &SmallLaunch) -> Option<Example> {
    let sig = plan.sig;
    let mut attrs = sample.attrs.clone();
    for (id, ..) in sig.tensors() {
        // All that may be given is given.
        if sig.is_optional(id) {
            attrs[id.index()] = Some(Value::Bool(true));
        }
        if let Some((at, dim)) = sig.placed(id) {
            attrs[dim.index()] = Some(Value::I32(i32::try_from(at).ok()?));
        }
    }
    if let Some(place) = sig.place() {
        attrs[place.index()] = Some(Value::Int(0));
    }
    let env = Env { dims: &sample.dims, attrs: &attrs, chip: plan.chip, vars: Vec::new(), block: None };
    let size = |dim: &Dim| match dim {
        Dim::Axis { axis } | Dim::At { axis, .. } => usize::try_from(sample.dims[axis.index()]).ok(),
        Dim::Expr { size } => usize::try_from(eval(size, &env).ok()?.as_int().ok()?).ok(),
    };
    let shape = |id: ParamId| sig.shape(id).iter().map(size).collect::<Option<Vec<usize>>>();
    let shapes = sig.tensors().map(|(id, ..)| shape(id)).collect::<Option<Vec<_>>>()?;
    Some(Example { shapes, attrs })
}

/// True where every instance takes the launch and no tensor is empty.
fn is_taken(plan: &Plan<'_>, example: &Example) -> bool {
    let sig = plan.sig;
    let mut shapes = vec![None; sig.params.len()];
    sig.tensors().zip(&example.shapes).for_each(|((id, ..), shape)| shapes[id.index()] = Some(shape.as_slice()));
    let Ok(dims) = bind_shapes(sig, &shapes, &example.attrs) else { return false };
    let takes = |lowered| evaluate(lowered, plan.chip, &dims, &example.attrs).is_ok();
    example.shapes.iter().flatten().all(|size| *size > 0) && is_item_first(sig, &dims) && plan.instances.iter().all(takes)
}

/// Of a kernel with lists the test has one item.
fn is_item_first(sig: &Signature, dims: &[i64]) -> bool {
    sig.items.is_none_or(|axis| dims[axis.index()] == 1)
}

/// `torch.float16`.
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

/// The test.
pub(super) fn text(api: &Interface<'_>) -> String {
    let (stem, package) = (&api.plan.names.kernel, &api.namespace);
    let examples = examples(api.plan);
    let cases: String = examples.iter().map(|example| cases(api, example)).collect();
    let note = match examples.is_empty() {
        false => "",
        true => "# No launch was found by trying small numbers that the kernel takes: add one, as a row of the form below.\n",
    };
    let given: Vec<String> = api.given().map(|t| format!("\"{}\"", t.name)).collect();
    let is_list: Vec<String> = api.tensors.iter().filter(|t| t.is_list).map(|t| format!("\"{}\"", t.name)).collect();
    let written: Vec<String> = api.given().filter(|t| t.way == Way::Written).map(|t| format!("\"{}\"", t.name)).collect();
    let indices: Vec<String> =
        api.given().filter(|t| api.plan.sig.promise(t.id).is_some()).map(|t| format!("\"{}\"", t.name)).collect();
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

/// A row for each instance: element types and shapes of what is given, attributes, element types and shapes of what is made.
fn cases(api: &Interface<'_>, example: &Example) -> String {
    let plan = api.plan;
    let attrs: Vec<String> = api.params().iter().filter_map(|param| attr(api, param, example)).collect();
    let row = |at: usize| {
        let tensor = |t: &crate::host::torch::Tensor| {
            let place = plan.sig.tensors().position(|(id, ..)| id == t.id)?;
            let sizes: Vec<String> = example.shapes[place].iter().map(|size| format!("{size},")).collect();
            Some(format!("({}, ({}))", python_type(type_of(plan, at, t.id)), sizes.join(" ")))
        };
        let given: Vec<String> = api.given().filter_map(|t| Some(format!("\"{}\": {}", t.name, tensor(t)?))).collect();
        let made: Vec<String> = api.made().filter_map(tensor).collect();
        format!("    ({{{}}},\n     {{{}}},\n     [{}]),\n", given.join(", "), attrs.join(", "), made.join(", "))
    };
    (0..plan.instances.len()).map(row).collect()
}

/// An attribute as an argument by name.
fn attr(api: &Interface<'_>, param: &Param<'_>, example: &Example) -> Option<String> {
    let Param::Attr(a) = param else { return None };
    let values: Vec<String> = a.attr.ids.iter().map(|id| python_value(api, *id, a.attr.ty, example)).collect();
    let value = if a.attr.is_list { format!("[{}]", values.join(", ")) } else { values.concat() };
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
