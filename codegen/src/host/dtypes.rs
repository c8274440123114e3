//! Dtypes of an operator: the instance of a launch, the compiled keys, and the inferred dtypes of
//! outputs.
//!
//! A dtype parameter is determined by one required tensor. Where there is none, all optional
//! tensors of that type determine it, and each given one must have it.

use super::register::{required, tensors, Tensor};
use crate::cpp::Cpp;
use crate::plan::Plan;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{Lowered, Ty};

/// Returns the tensors that determine a dtype parameter
/// ([`jumar_dsl::ir::Signature::tensors_that_say`]), as the operator sees them.
fn tellers<'t>(plan: &Plan<'_>, tensors: &'t [Tensor], param: usize) -> Vec<&'t Tensor> {
    plan.sig
        .tensors_that_say(param as u8)
        .iter()
        .filter_map(|id| tensors.iter().find(|t| t.id == *id))
        .collect()
}

/// Returns the preprocessor conditions for compiling the keys of an instance, one for each dtype
/// parameter that a required tensor determines. Every key stays where the build defines no dtypes.
///
/// Combinations that differ only in the dtypes of optional tensors are one binary, compiled for the
/// first of them (asc-devkit, `gen_input_json` of ascendc_bin_param_build.py). A call finds it by
/// the other dtypes (opbase, `NnopbaseAppendDynamicTensorsKey`). So the keys of all of these
/// combinations stay in the binary.
pub(crate) fn dtype_tests(plan: &Plan<'_>, at: usize) -> Vec<String> {
    if plan.instances.len() < 2 {
        return Vec::new();
    }
    let tensors = tensors(plan);
    let binding = plan.instances[at].binding();
    let told = (0..plan.sig.dtypes.len())
        .flat_map(|p| tellers(plan, &tensors, p).into_iter().map(move |t| (t, p)));
    told.filter(|(tensor, _)| tensor.given.is_none())
        .map(|(tensor, p)| {
            let name = format!("ORIG_DTYPE_{}", tensor.name.to_ascii_uppercase());
            format!("(!defined({name}) || {name} == {})", binding[p].ge_type())
        })
        .collect()
}

/// Returns the condition on dtype variables under which an instance accepts a launch; a tensor that
/// is left out fits any instance.
fn takes_dtypes(
    plan: &Plan<'_>,
    tensors: &[Tensor],
    known: impl Fn(&Tensor) -> bool,
    lowered: &Lowered,
) -> Vec<String> {
    let test = |t: &Tensor, dtype: DType| {
        let (name, ty) = (format!("{}Dtype", t.name), dtype.ge_type());
        match t.given {
            Some(_) => format!("({name} == ge::DT_UNDEFINED || {name} == ge::{ty})"),
            None => format!("{name} == ge::{ty}"),
        }
    };
    let told = lowered.binding().iter().enumerate().flat_map(|(p, dtype)| {
        tellers(plan, tensors, p)
            .into_iter()
            .map(move |t| (t, *dtype))
    });
    told.filter(|(t, _)| known(t))
        .map(|(t, dtype)| test(t, dtype))
        .collect()
}

/// Prints the function `DtypeInstance`.
pub(super) fn instance_of(plan: &Plan<'_>, tensors: &[Tensor], out: &mut Cpp) {
    out.comment(
        "Which combination of dtypes this launch has; -1 for one that the kernel does not serve.",
    );
    out.function(
        "static int32_t DtypeInstance(const gert::TilingContext *context)",
        |out| {
            let told: Vec<&Tensor> = (0..plan.sig.dtypes.len())
                .flat_map(|p| tellers(plan, tensors, p))
                .collect();
            if told.iter().any(|t| {
                t.input.is_none()
                    && t.first_output(tensors)
                        .is_some_and(|place| place.contains("items"))
            }) {
                out.line("const int64_t items = ItemsOf(context);");
            }
            told.into_iter().for_each(|t| dtype_of(t, tensors, out));
            for lowered in plan.instances {
                let tests = takes_dtypes(plan, tensors, |_| true, lowered);
                if tests.is_empty() {
                    out.line(format_args!("return {};", lowered.instance));
                    return;
                }
                out.wrapped(format_args!("if ({})", tests.join(" && ")), " {");
                out.inside(|out| out.line(format_args!("return {};", lowered.instance)));
                out.line("}");
            }
            out.line("return -1;");
        },
    );
}

/// Declares the dtype of a tensor of a launch; undefined for one that was left out.
fn dtype_of(t: &Tensor, tensors: &[Tensor], out: &mut Cpp) {
    let name = &t.name;
    let is_optional = t.given.is_some();
    let (desc, shape) = match t.input {
        Some(i) if t.list => (format!("GetDynamicInputDesc({i}, 0)"), None),
        Some(i) if is_optional => (
            format!("GetOptionalInputDesc({i})"),
            Some(format!("GetOptionalInputShape({i})")),
        ),
        Some(i) => (format!("{}({i})", required(tensors, "Desc")), None),
        None => {
            let place = t
                .first_output(tensors)
                .expect("what is no input is an output");
            (
                format!("GetOutputDesc({place})"),
                is_optional.then(|| format!("GetOutputShape({place})")),
            )
        }
    };
    let Some(shape) = shape else {
        out.line(format_args!(
            "const gert::CompileTimeTensorDesc *{name}Desc = context->{desc};"
        ));
        out.block(format_args!("if ({name}Desc == nullptr)"), |out| {
            out.line("return -1;")
        });
        out.line(format_args!(
            "const ge::DataType {name}Dtype = {name}Desc->GetDataType();"
        ));
        return;
    };
    // A call through aclnn also describes a tensor that was left out, with a meaningless dtype
    // (opbase, `NnopbaseTilingBuildOpInputs`). The shape tells whether it was given, and is tested
    // first, as in the tiling function of dequant_swiglu_quant of ops-nn.
    out.line(format_args!("ge::DataType {name}Dtype = ge::DT_UNDEFINED;"));
    out.block(format_args!("if (context->{shape} != nullptr)"), |out| {
        out.line(format_args!(
            "const gert::CompileTimeTensorDesc *{name}Desc = context->{desc};"
        ));
        out.block(format_args!("if ({name}Desc == nullptr)"), |out| {
            out.line("return -1;")
        });
        out.line(format_args!("{name}Dtype = {name}Desc->GetDataType();"));
    });
}

/// Prints the inference of all outputs.
pub(super) fn of_outputs(plan: &Plan<'_>, tensors: &[Tensor], out: &mut Cpp) {
    if tensors
        .iter()
        .any(|t| t.output.is_some() && is_open(plan, t))
    {
        dtypes_of_inputs(plan, tensors, out);
    }
    for t in tensors {
        let Some(place) = t.output_of(tensors) else {
            continue;
        };
        let ty = match is_open(plan, t) {
            true => open_type(plan, t, tensors, out),
            false => type_of_output(plan, t, tensors),
        };
        out.line(format_args!("context->SetOutputDataType({place}, {ty});"));
    }
}

/// Returns the element type of an output; where a required input determines it, that of this input.
fn type_of_output(plan: &Plan<'_>, t: &Tensor, tensors: &[Tensor]) -> String {
    let from = match t.dtype {
        Ty::Param(p) => tellers(plan, tensors, p.into())
            .into_iter()
            .find(|t| t.given.is_none() && t.input.is_some()),
        Ty::Is(_) | Ty::Wide(_) | Ty::Mask => None,
    };
    match from.and_then(|t| dtype_of_input(t, tensors)) {
        Some(dtype) => dtype,
        None => format!(
            "ge::{}",
            t.dtype.resolve(plan.instances[0].binding()).ge_type()
        ),
    }
}

/// Returns the dtype of an input for inference; undefined for one that was left out (asc-devkit,
/// page of GetOptionalInputDataType).
fn dtype_of_input(t: &Tensor, tensors: &[Tensor]) -> Option<String> {
    let input = t.input?;
    Some(match (t.list, &t.given) {
        (true, _) => format!("context->GetDynamicInputDataType({input}, 0)"),
        (false, Some(_)) => format!("context->GetOptionalInputDataType({input})"),
        (false, None) => format!("context->{}({input})", required(tensors, "DataType")),
    })
}

/// True for an output whose element type only optional tensors determine.
fn is_open(plan: &Plan<'_>, t: &Tensor) -> bool {
    match t.dtype {
        Ty::Param(p) => plan.sig.is_open(p),
        Ty::Is(_) | Ty::Wide(_) | Ty::Mask => false,
    }
}

/// Declares the dtype of each input that determines one.
fn dtypes_of_inputs(plan: &Plan<'_>, tensors: &[Tensor], out: &mut Cpp) {
    for t in (0..plan.sig.dtypes.len()).flat_map(|p| tellers(plan, tensors, p)) {
        let Some(dtype) = dtype_of_input(t, tensors) else {
            continue;
        };
        out.line(format_args!(
            "const ge::DataType {}Dtype = {dtype};",
            t.name
        ));
    }
}

/// Declares the element type of such an output, that of the first instance which accepts the
/// inputs, and returns its name.
fn open_type(plan: &Plan<'_>, t: &Tensor, tensors: &[Tensor], out: &mut Cpp) -> String {
    let name = format!("{}Inferred", t.name);
    out.line(format_args!("ge::DataType {name} = ge::DT_UNDEFINED;"));
    let mut word = "if";
    for lowered in plan.instances {
        let tests = takes_dtypes(plan, tensors, |t| t.input.is_some(), lowered);
        let set = format!(
            "{name} = ge::{};",
            t.dtype.resolve(lowered.binding()).ge_type()
        );
        if tests.is_empty() {
            out.line(set);
            return name;
        }
        out.wrapped(format_args!("{word} ({})", tests.join(" && ")), " {");
        out.inside(|out| out.line(set));
        word = "} else if";
    }
    out.line("}");
    name
}
