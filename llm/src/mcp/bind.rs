//! Arguments of a launch as JSON, bound to a signature. A missing, unknown or mistyped argument is
//! refused by its name.

use super::launch::{AttrGiven, Tensor, Tensors, Wanted};
use super::tools::Refused;
use crate::canon::{self, Names};
use crate::tasks::data::{array, Random};
use jumar::dsl::dtype::{element_names, DType};
use jumar::dsl::ir::{ParamId, ParamKind, Per, Role, ScalarTy, Signature};
use jumar::dsl::tiling::Value;
use jumar::runtime::{infer_output_shapes, RunError};
use jumar::Array;
use std::collections::BTreeMap;

/// The limit of elements of all tensors of a launch.
const MOST: usize = 1 << 24;

/// Input tensors by name.
pub type Inputs = BTreeMap<String, Tensors>;

/// A launch without its data.
pub struct Bound {
    /// Attributes by their names.
    pub attrs: Vec<(String, Value)>,
    /// Numbers for the items of lists.
    pub lists: Vec<(String, Vec<Value>)>,
    /// Element type of each tensor.
    dtypes: Vec<(String, DType)>,
    /// Outputs with their shapes; a list has one for each item.
    outputs: Vec<(String, Vec<Vec<usize>>)>,
}

impl Tensors {
    fn each(&self) -> &[Tensor] {
        match self {
            Tensors::List(all) => all,
            Tensors::One(one) => std::slice::from_ref(one),
        }
    }
}

/// Describes the parameters of a kernel, for a message.
pub fn help(sig: &Signature) -> String {
    match canon::head(sig, Names::Author) {
        Ok(head) => format!("its head is\n{}", head.text),
        Err(_) => format!(
            "it has {}",
            sig.params
                .iter()
                .map(|p| p.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

fn wrong(sig: &Signature, what: String) -> Refused {
    Refused::new(what, format!("`{}`: {}", sig.name, help(sig)))
}

/// Reports a refused launch.
pub fn refused(sig: &Signature, e: &RunError) -> Refused {
    Refused(vec![format!(
        "error[{}]: {}\nhelp: `{}`: {}",
        e.code(),
        e.message(),
        sig.name,
        help(sig)
    )])
}

/// Binds the arguments of a launch, without the data.
pub fn bound(
    sig: &Signature,
    inputs: &Inputs,
    attrs: &BTreeMap<String, AttrGiven>,
    wanted: &[Wanted],
) -> Result<Bound, Refused> {
    kinds(sig, inputs, wanted)?;
    let (attrs, lists) = attributes(sig, attrs)?;
    let items = items(sig, inputs, &lists)?;
    let dtypes = dtypes(sig, inputs, wanted)?;
    let mut outputs: Vec<(String, Vec<Vec<usize>>)> = Vec::new();
    for (_, param, role, _) in sig.tensors() {
        if role == Role::Out && is_wanted(sig, &param.name, wanted) {
            outputs.push((param.name.clone(), Vec::new()));
        }
    }
    for item in 0..items {
        let own = numbers(sig, &attrs, &lists, item);
        let shapes = infer_output_shapes(sig, &shapes_of(sig, inputs, item), &own)
            .map_err(|e| refused(sig, &e))?;
        for (name, all) in &mut outputs {
            // An output that is no list has one shape for all items.
            let is_due = all.is_empty() || is_list(sig, name);
            all.extend(
                shapes
                    .iter()
                    .filter(|(own, _)| is_due && own == name)
                    .map(|(_, shape)| shape.clone()),
            );
        }
    }
    Ok(Bound {
        attrs,
        lists,
        dtypes,
        outputs,
    })
}

/// Returns the shapes of the inputs for an item.
fn shapes_of<'i>(sig: &Signature, inputs: &'i Inputs, item: usize) -> Vec<(&'i str, &'i [usize])> {
    let of_item = |(name, tensors): (&'i String, &'i Tensors)| {
        let all = tensors.each();
        let own = if is_list(sig, name) {
            all.get(item)
        } else {
            all.first()
        };
        Some((name.as_str(), own?.shape.as_slice()))
    };
    inputs.iter().filter_map(of_item).collect()
}

fn is_list(sig: &Signature, name: &str) -> bool {
    sig.lists().any(|(_, p)| p.name == name)
}

fn is_wanted(sig: &Signature, name: &str, wanted: &[Wanted]) -> bool {
    let optional = sig
        .tensors()
        .any(|(id, p, ..)| p.name == name && sig.is_optional(id));
    !optional || wanted.iter().any(|w| w.name == name)
}

/// Returns the attributes for an item.
fn numbers<'a>(
    sig: &'a Signature,
    attrs: &'a [(String, Value)],
    lists: &'a [(String, Vec<Value>)],
    item: usize,
) -> Vec<(&'a str, Value)> {
    let of_launch = attrs.iter().map(|(name, value)| (name.as_str(), *value));
    let of_item = lists
        .iter()
        .filter_map(|(name, all)| Some((name.as_str(), *all.get(item)?)));
    let place = sig
        .place()
        .map(|id| (sig.param(id).name.as_str(), Value::Int(item as i64)));
    of_launch.chain(of_item).chain(place).collect()
}

/// Checks that every name is of the right kind.
fn kinds(sig: &Signature, inputs: &Inputs, wanted: &[Wanted]) -> Result<(), Refused> {
    for (name, tensors) in inputs {
        let Some((_, _, role, _)) = sig.tensors().find(|(_, p, ..)| p.name == *name) else {
            return Err(wrong(
                sig,
                format!("kernel `{}` has no tensor `{name}`", sig.name),
            ));
        };
        if role == Role::Out {
            return Err(wrong(
                sig,
                format!("`{name}` is an output, which is made by the run"),
            ));
        }
        match (is_list(sig, name), tensors) {
            (true, Tensors::List(_)) | (false, Tensors::One(_)) => {}
            (true, Tensors::One(_)) => {
                return Err(wrong(
                    sig,
                    format!("`{name}` is a list: give an array of tensors"),
                ))
            }
            (false, Tensors::List(_)) => {
                return Err(wrong(
                    sig,
                    format!("`{name}` is one tensor, and an array is given"),
                ))
            }
        }
    }
    for Wanted { name, .. } in wanted {
        if !sig
            .tensors()
            .any(|(_, p, role, _)| p.name == *name && role == Role::Out)
        {
            return Err(wrong(
                sig,
                format!("kernel `{}` has no output `{name}`", sig.name),
            ));
        }
    }
    let missing = sig.tensors().find(|(id, p, role, _)| {
        *role != Role::Out && !sig.is_optional(*id) && !inputs.contains_key(&p.name)
    });
    match missing {
        Some((_, p, ..)) => Err(wrong(sig, format!("the tensor `{}` is missing", p.name))),
        None => Ok(()),
    }
}

/// Returns the length of the lists, which must be equal; 1 for a kernel without lists.
fn items(
    sig: &Signature,
    inputs: &Inputs,
    lists: &[(String, Vec<Value>)],
) -> Result<usize, Refused> {
    let tensors = inputs
        .iter()
        .filter(|(name, _)| is_list(sig, name))
        .map(|(name, all)| (name, all.each().len()));
    let counts: Vec<(&String, usize)> = tensors
        .chain(lists.iter().map(|(name, all)| (name, all.len())))
        .collect();
    let Some((first, count)) = counts.first() else {
        return Ok(1);
    };
    match counts.iter().find(|(_, other)| other != count) {
        Some((name, other)) => Err(wrong(
            sig,
            format!("`{first}` has {count} items and `{name}` has {other}: lists are equally long"),
        )),
        None => Ok(*count),
    }
}

/// Returns the given element types, by the names of tensors.
fn said<'i>(
    sig: &Signature,
    inputs: &'i Inputs,
    wanted: &'i [Wanted],
) -> Result<Vec<(&'i str, DType)>, Refused> {
    let of_inputs = inputs
        .iter()
        .flat_map(|(name, all)| all.each().iter().map(move |t| (name, &t.dtype)));
    let all = of_inputs.chain(wanted.iter().map(|w| (&w.name, &w.dtype)));
    let read = |(name, word): (&'i String, &'i Option<String>)| {
        let word = word.as_ref()?;
        let dtype = DType::by_name(word).filter(|d| *d != DType::Bits);
        let no_type = || {
            wrong(
                sig,
                format!(
                    "`{word}` of `{name}` is no element type; there are {}",
                    element_names()
                ),
            )
        };
        Some(
            dtype
                .map(|dtype| (name.as_str(), dtype))
                .ok_or_else(no_type),
        )
    };
    all.filter_map(read).collect()
}

/// Returns the element type of each tensor, from the one instance with the given types.
fn dtypes(
    sig: &Signature,
    inputs: &Inputs,
    wanted: &[Wanted],
) -> Result<Vec<(String, DType)>, Refused> {
    let said = said(sig, inputs, wanted)?;
    let fits = |row: &Vec<DType>| {
        sig.tensors().all(|(_, p, _, ty)| {
            said.iter()
                .all(|(name, dtype)| *name != p.name || *dtype == ty.resolve(row))
        })
    };
    let spelled = |row: &Vec<DType>| {
        let each: Vec<String> = sig
            .tensors()
            .map(|(_, p, _, ty)| format!("{}: {}", p.name, ty.resolve(row)))
            .collect();
        format!("({})", each.join(", "))
    };
    let rows = |rows: &[&Vec<DType>]| {
        rows.iter()
            .map(|row| spelled(row))
            .collect::<Vec<_>>()
            .join(" or ")
    };
    let is_given = |id: ParamId| {
        let name = &sig.param(id).name;
        inputs.contains_key(name) || sig.is_output(id) && is_wanted(sig, name, wanted)
    };
    let fitting = sig.told_apart(
        (0..sig.instances.len()).filter(|at| fits(&sig.instances[*at])),
        is_given,
    );
    let all: Vec<&Vec<DType>> = fitting.into_iter().map(|at| &sig.instances[at]).collect();
    let every: Vec<&Vec<DType>> = sig.instances.iter().collect();
    match all.as_slice() {
        [row] => Ok(sig
            .tensors()
            .map(|(_, p, _, ty)| (p.name.clone(), ty.resolve(row)))
            .collect()),
        [] => Err(wrong(
            sig,
            format!(
                "no instance has these element types; there are {}",
                rows(&every)
            ),
        )),
        several => Err(wrong(
            sig,
            format!(
                "`dtype` must be said of a tensor: the instances are {}",
                rows(several)
            ),
        )),
    }
}

/// Attributes of the launch, and those with a number for each item.
type Attributes = (Vec<(String, Value)>, Vec<(String, Vec<Value>)>);

/// Reads attributes by the names of parameters.
pub fn attributes(
    sig: &Signature,
    given: &BTreeMap<String, AttrGiven>,
) -> Result<Attributes, Refused> {
    let (mut attrs, mut lists) = (Vec::new(), Vec::new());
    for (name, AttrGiven(value)) in given {
        let parts = sig.list(name);
        let numbers = || {
            value
                .as_array()
                .ok_or_else(|| wrong(sig, format!("`{name}` is a list: give an array")))
        };
        if !parts.is_empty() {
            let values = numbers()?;
            if values.len() != parts.len() {
                return Err(wrong(
                    sig,
                    format!(
                        "`{name}` is a list of {}, and {} were given",
                        parts.len(),
                        values.len()
                    ),
                ));
            }
            for (id, value) in parts.into_iter().zip(values) {
                let param = sig.param(id);
                attrs.push((
                    param.name.clone(),
                    attribute(sig, name, &param.kind, value)?,
                ));
            }
            continue;
        }
        let param = sig
            .params
            .iter()
            .find(|p| p.name == *name && p.per != Per::Place);
        let Some(param) = param.filter(|p| matches!(p.kind, ParamKind::Attr { .. })) else {
            return Err(wrong(
                sig,
                format!("kernel `{}` has no attribute `{name}`", sig.name),
            ));
        };
        if param.per == Per::Item {
            let of = |value: &serde_json::Value| attribute(sig, name, &param.kind, value);
            lists.push((
                name.clone(),
                numbers()?.iter().map(of).collect::<Result<_, _>>()?,
            ));
        } else {
            attrs.push((name.clone(), attribute(sig, name, &param.kind, value)?));
        }
    }
    Ok((attrs, lists))
}

/// Reads the value of an attribute; for an enum, it is the number of the named variant.
fn attribute(
    sig: &Signature,
    name: &str,
    kind: &ParamKind,
    value: &serde_json::Value,
) -> Result<Value, Refused> {
    let ParamKind::Attr {
        ty,
        choices,
        element,
        ..
    } = kind
    else {
        return Err(wrong(sig, format!("`{name}` is a tensor")));
    };
    let (found, allowed) = match (choices.is_empty(), ty) {
        (false, _) => {
            let at = choices
                .iter()
                .position(|choice| value.as_str() == Some(choice));
            (
                at.map(|at| Value::Int(at as i64)),
                format!("one of {}", choices.join(", ")),
            )
        }
        // An integer for an attribute of an element type is valid even if the instance has floats.
        (true, _) if element.is_some() => {
            let whole = value.as_i64().map(Value::Int);
            (
                whole.or(value.as_f64().map(|v| Value::F32(v as f32))),
                "a number".into(),
            )
        }
        (true, ScalarTy::F32) => {
            let fits = |v: &f64| (*v as f32).is_finite();
            (
                value.as_f64().filter(fits).map(|v| Value::F32(v as f32)),
                "a number within ±3.4e38".into(),
            )
        }
        (true, ScalarTy::I32) => {
            let number = value.as_i64().filter(|v| i32::try_from(*v).is_ok());
            (number.map(Value::Int), "an integer of 32 bits".into())
        }
        (true, ScalarTy::Index) => (
            value.as_i64().filter(|v| *v >= 0).map(Value::Int),
            "an integer from 0 on".into(),
        ),
        (true, ScalarTy::Bool) => (value.as_bool().map(Value::Bool), "true or false".into()),
    };
    found.ok_or_else(|| {
        wrong(
            sig,
            format!("{value} is no value of `{name}`, which is {allowed}"),
        )
    })
}

/// Makes the tensors of a launch, in the order of the parameters; omitted tensors have no entry.
pub fn arrays(
    sig: &Signature,
    bound: &Bound,
    inputs: &Inputs,
    seed: u64,
) -> Result<Vec<(String, Vec<Array>)>, Refused> {
    let shapes = inputs
        .values()
        .flat_map(|all| all.each().iter().map(|t| t.shape.as_slice()));
    let shapes = shapes.chain(
        bound
            .outputs
            .iter()
            .flat_map(|(_, all)| all.iter().map(Vec::as_slice)),
    );
    let count = |shape: &[usize]| {
        shape
            .iter()
            .try_fold(1usize, |n, axis| n.checked_mul(*axis))
    };
    let total = shapes
        .map(count)
        .try_fold(0usize, |sum, n| sum.checked_add(n?));
    if total.is_none_or(|total| total > MOST) {
        return Err(Refused::new(
            format!("the tensors have more than {MOST} elements"),
            "give smaller shapes",
        ));
    }
    let mut random = Random(seed);
    let mut all = Vec::new();
    for (name, dtype) in &bound.dtypes {
        let output = bound
            .outputs
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, shapes)| shapes);
        let made = match (inputs.get(name), output) {
            (Some(tensors), _) => {
                let each = tensors
                    .each()
                    .iter()
                    .map(|tensor| filled(sig, name, *dtype, tensor, &mut random));
                each.collect::<Result<Vec<_>, _>>()?
            }
            (None, Some(shapes)) => shapes
                .iter()
                .filter_map(|shape| Array::zeros(*dtype, shape))
                .collect(),
            (None, None) => continue,
        };
        all.push((name.clone(), made));
    }
    Ok(all)
}

/// Makes an input tensor from given or random elements.
fn filled(
    sig: &Signature,
    name: &str,
    dtype: DType,
    tensor: &Tensor,
    random: &mut Random,
) -> Result<Array, Refused> {
    let len: usize = tensor.shape.iter().product();
    let values: Vec<f64> = match &tensor.data {
        Some(data) if data.len() != len => {
            return Err(wrong(
                sig,
                format!("`{name}` has {len} elements, and `data` has {}", data.len()),
            ))
        }
        Some(data) => {
            let no_number = || {
                wrong(
                    sig,
                    format!("`data` of `{name}` has a word that is none of nan, inf, -inf"),
                )
            };
            data.iter()
                .map(|v| v.value().ok_or_else(no_number))
                .collect::<Result<_, _>>()?
        }
        None => drawn(sig, name, dtype, tensor, random)?,
    };
    let made = array(dtype, &tensor.shape, values.clone());
    if !dtype.is_float() {
        let is_other = |(_, (v, kept)): &(usize, (&f64, f64))| **v != *kept;
        if let Some((at, (v, _))) = values.iter().zip(made.to_f64()).enumerate().find(is_other) {
            return Err(wrong(
                sig,
                format!("element {at} of `{name}` is {v}, which no {dtype} is"),
            ));
        }
    }
    Ok(made)
}

fn drawn(
    sig: &Signature,
    name: &str,
    dtype: DType,
    tensor: &Tensor,
    random: &mut Random,
) -> Result<Vec<f64>, Refused> {
    let len: usize = tensor.shape.iter().product();
    let (least, most) = match dtype {
        DType::Bool => (0.0, 2.0),
        dtype if dtype.is_float() => (-1.0, 1.0),
        _ => (0.0, 10.0),
    };
    let (low, high) = (tensor.low.unwrap_or(least), tensor.high.unwrap_or(most));
    if !(low.is_finite() && high.is_finite() && low < high) {
        return Err(wrong(
            sig,
            format!("`{name}` is drawn from {low} to below {high}, which has no numbers"),
        ));
    }
    if dtype.is_float() {
        return Ok((0..len)
            .map(|_| low + (high - low) * random.unit())
            .collect());
    }
    let (low, high) = (low.ceil(), high.ceil());
    Ok((0..len)
        .map(|_| low + random.below((high - low) as u64) as f64)
        .collect())
}
