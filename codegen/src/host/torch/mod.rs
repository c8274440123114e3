//! A kernel as an operator of PyTorch: its schema, and the C++ that checks tensors, finds shapes
//! and launches.
//!
//! A call gives inputs, attributes, and those written tensors whose shape or element type nothing
//! else determines. The operator makes all other outputs. A list has a tensor for each item, and
//! each item is a launch.

mod bind;
mod launch;

use super::attrs::{json_literal, op_attrs, OpAttr};
use crate::names::{snake, Scope};
use crate::plan::Plan;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{ParamId, Per, Role};

pub(crate) use bind::header;
pub(crate) use launch::{meta, npu};

/// Words of Python, and names that the functions use besides their parameters.
const TAKEN: &[&str] = &[
    "AddressOf",
    "Bind",
    "Call",
    "ChipOf",
    "Launch",
    "Meta",
    "Npu",
    "ParseChoice",
    "TYPES",
    "Types",
    "and",
    "args",
    "assert",
    "at",
    "c10",
    "call",
    "code",
    "def",
    "del",
    "elif",
    "error",
    "except",
    "finally",
    "from",
    "global",
    "guard",
    "import",
    "is",
    "item",
    "items",
    "lambda",
    "like",
    "nonlocal",
    "not",
    "or",
    "pass",
    "platform",
    "raise",
    "self",
    "tiling",
    "torch",
    "torch_npu",
    "types",
    "with",
    "workspace",
    "yield",
];

/// The way in which a tensor comes to a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Given by the caller, to be read.
    Read,
    /// Given by the caller, to be written.
    Written,
    /// Made by the operator and returned.
    Made,
}

/// A tensor of the kernel.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) id: ParamId,
    /// Name in the struct of shapes.
    pub(crate) member: String,
    /// Name in the schema and in Python; for an optional output that is made, the name of the flag
    /// that asks for it.
    pub(crate) name: String,
    /// The variable of the tensor in the functions of the operator.
    pub(crate) local: String,
    pub(crate) way: Way,
    pub(crate) is_list: bool,
    pub(crate) is_optional: bool,
}

/// An attribute of the schema.
#[derive(Clone, Debug)]
pub(crate) struct Attr {
    pub(crate) attr: OpAttr,
    pub(crate) name: String,
}

/// The operator as PyTorch sees it.
#[derive(Clone, Debug)]
pub(crate) struct Interface<'a> {
    pub(crate) plan: &'a Plan<'a>,
    /// Namespace of the operator, and name of its library and of the Python package: `swish_ops`.
    pub(crate) namespace: String,
    /// Namespace of the C++: `SwishTorch`.
    pub(crate) cpp: String,
    /// The tensors, in the kernel's order.
    pub(crate) tensors: Vec<Tensor>,
    pub(crate) attrs: Vec<Attr>,
}

/// A parameter of the schema, in its order.
pub(crate) enum Param<'i> {
    Tensor(&'i Tensor),
    Attr(&'i Attr),
    /// The flag that asks for an output.
    Asked(&'i Tensor),
}

impl Param<'_> {
    /// Returns the name in the schema.
    pub(crate) fn name(&self) -> &str {
        match self {
            Param::Tensor(t) | Param::Asked(t) => &t.name,
            Param::Attr(a) => &a.name,
        }
    }

    /// True if a call may leave it out.
    pub(crate) fn has_default(&self) -> bool {
        match self {
            Param::Tensor(t) => t.is_optional,
            Param::Attr(a) => !a.attr.defaults.is_empty(),
            Param::Asked(_) => true,
        }
    }
}

impl<'a> Interface<'a> {
    pub(crate) fn new(plan: &'a Plan<'a>) -> Interface<'a> {
        let mut scope = Scope::with(TAKEN);
        let tensors = plan.tensors.iter().map(|(id, role, member)| {
            let (way, is_optional) = (way_of(plan, *id, *role), plan.sig.is_optional(*id));
            let local = scope.unique(&word(&plan.sig.param(*id).name));
            let name = if way == Way::Made && is_optional {
                scope.unique(&format!("want_{local}"))
            } else {
                local.clone()
            };
            let is_list = plan.sig.param(*id).per == Per::Item;
            Tensor {
                id: *id,
                member: member.clone(),
                name,
                local,
                way,
                is_list,
                is_optional,
            }
        });
        let tensors: Vec<Tensor> = tensors.collect();
        let attrs = op_attrs(plan).into_iter().map(|attr| {
            let first = attr.first();
            let name = plan
                .sig
                .part(first)
                .map_or(&plan.sig.param(first).name, |part| &part.of);
            Attr {
                name: scope.unique(&word(name)),
                attr,
            }
        });
        let attrs = attrs.collect();
        let (kernel, prefix) = (&plan.names.kernel, &plan.names.prefix);
        Interface {
            plan,
            namespace: format!("{kernel}_ops"),
            cpp: format!("{prefix}Torch"),
            tensors,
            attrs,
        }
    }

    /// Returns the parameters of the schema. Parameters with a default come last.
    pub(crate) fn params(&self) -> Vec<Param<'_>> {
        let of = |way: Way| {
            self.tensors
                .iter()
                .filter(move |t| t.way == way)
                .map(Param::Tensor)
        };
        let with_default = |is: bool| {
            self.attrs
                .iter()
                .filter(move |a| a.attr.defaults.is_empty() != is)
                .map(Param::Attr)
        };
        let asked = self
            .tensors
            .iter()
            .filter(|t| t.way == Way::Made && t.is_optional)
            .map(Param::Asked);
        of(Way::Read)
            .chain(of(Way::Written))
            .chain(with_default(false))
            .chain(with_default(true))
            .chain(asked)
            .collect()
    }

    /// Iterates over the outputs that a call returns.
    pub(crate) fn made(&self) -> impl Iterator<Item = &Tensor> {
        self.tensors.iter().filter(|t| t.way == Way::Made)
    }

    /// Iterates over the tensors that a call gives.
    pub(crate) fn given(&self) -> impl Iterator<Item = &Tensor> {
        self.tensors.iter().filter(|t| t.way != Way::Made)
    }

    /// Finds a tensor that every call gives; its device is that of the others.
    pub(crate) fn anchor(&self) -> Option<&Tensor> {
        self.given().find(|t| !t.is_optional)
    }

    /// True if tensors are lists.
    pub(crate) fn has_lists(&self) -> bool {
        self.tensors.iter().any(|t| t.is_list)
    }

    /// Returns the schema: `swish(Tensor x, float scale=1.0) -> Tensor`.
    pub(crate) fn schema(&self) -> String {
        let params = self.params();
        let mut letters = 'a'..='z';
        let mut words: Vec<String> = Vec::new();
        for (i, param) in params.iter().enumerate() {
            let all_defaults = params[i..].iter().all(Param::has_default);
            words.push(match param {
                Param::Tensor(t) => {
                    let alias = match t.way {
                        Way::Read => String::new(),
                        // Alias letters end at `z`. Further tensors share it: the mark alone says
                        // that a tensor is written.
                        Way::Written | Way::Made => format!("({}!)", letters.next().unwrap_or('z')),
                    };
                    let kind = match (t.is_list, t.is_optional) {
                        (true, _) => "[]",
                        (false, true) => "?",
                        (false, false) => "",
                    };
                    let default = if t.is_optional && all_defaults {
                        "=None"
                    } else {
                        ""
                    };
                    format!("Tensor{alias}{kind} {}{default}", t.name)
                }
                Param::Attr(a) => format!(
                    "{} {}{}",
                    a.attr.names(self.plan).schema,
                    a.name,
                    self.default(a, Language::Schema)
                ),
                Param::Asked(t) => format!("bool {}=True", t.name),
            });
        }
        let made: Vec<&str> = self
            .made()
            .map(|t| if t.is_list { "Tensor[]" } else { "Tensor" })
            .collect();
        let result = if made.len() == 1 {
            made.concat()
        } else {
            format!("({})", made.join(", "))
        };
        format!(
            "{}({}) -> {result}",
            self.plan.names.kernel,
            words.join(", ")
        )
    }

    /// Returns the default of an attribute with its equals sign, or nothing where it must be given.
    pub(crate) fn default(&self, a: &Attr, language: Language) -> String {
        if a.attr.defaults.is_empty() {
            return String::new();
        }
        let values: Vec<String> = a
            .attr
            .defaults
            .iter()
            .map(|v| language.literal(json_literal(self.plan, &a.attr, *v)))
            .collect();
        match (a.attr.is_list, language) {
            (false, _) => format!("={}", values.concat()),
            (true, Language::Schema) => format!("=[{}]", values.join(", ")),
            // A list as a default would be shared by all calls.
            (true, Language::Python) if values.len() == 1 => format!("=({},)", values.concat()),
            (true, Language::Python) => format!("=({})", values.join(", ")),
        }
    }
}

/// The language of a default's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Schema,
    Python,
}

impl Language {
    /// Converts a literal of JSON.
    fn literal(self, json: String) -> String {
        match (self, json.as_str()) {
            (_, "true") => "True".into(),
            (_, "false") => "False".into(),
            (Language::Schema, "\"inf\"") => "inf".into(),
            (Language::Schema, "\"-inf\"") => "-inf".into(),
            (Language::Python, "\"inf\"") => "float(\"inf\")".into(),
            (Language::Python, "\"-inf\"") => "float(\"-inf\")".into(),
            _ => json,
        }
    }
}

/// Returns a name as Python spells it.
fn word(name: &str) -> String {
    let name = snake(name).to_ascii_lowercase();
    match name.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => name,
        false => format!("v{name}"),
    }
}

/// Decides the way of a tensor. An output is made where tensors of every call determine its shape,
/// its element type and its device.
fn way_of(plan: &Plan<'_>, id: ParamId, role: Role) -> Way {
    let sig = plan.sig;
    match role {
        Role::In => return Way::Read,
        Role::InOut => return Way::Written,
        Role::Out => {}
    }
    let inputs: Vec<ParamId> = sig
        .tensors()
        .filter(|(_, _, role, _)| *role != Role::Out)
        .map(|(id, ..)| id)
        .collect();
    let always: Vec<ParamId> = inputs
        .iter()
        .copied()
        .filter(|id| !sig.is_optional(*id))
        .collect();
    let known = |axis| {
        inputs
            .iter()
            .any(|id| sig.shape(*id).iter().any(|dim| dim.axis() == Some(axis)))
    };
    let has_shape = sig.shape(id).iter().filter_map(|dim| dim.axis()).all(known);
    let of = |at: usize, id: ParamId| type_of(plan, at, id);
    let same = |a: usize, b: usize| always.iter().all(|id| of(a, *id) == of(b, *id));
    let count = plan.instances.len();
    let has_type = (0..count).all(|a| (a..count).all(|b| !same(a, b) || of(a, id) == of(b, id)));
    match !always.is_empty() && has_shape && has_type {
        true => Way::Made,
        false => Way::Written,
    }
}

/// Returns the element type of a tensor in an instance.
pub(crate) fn type_of(plan: &Plan<'_>, at: usize, id: ParamId) -> DType {
    plan.sig
        .dtype(id)
        .expect("a tensor has an element type")
        .resolve(plan.instances[at].binding())
}

/// Returns PyTorch's name of an element type.
pub(crate) fn scalar_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F16 => "at::kHalf",
        DType::Bf16 => "at::kBFloat16",
        DType::F32 => "at::kFloat",
        DType::I32 => "at::kInt",
        DType::Bool => "at::kBool",
        DType::I8 => "at::kChar",
        DType::I64 => "at::kLong",
        DType::I16 => "at::kShort",
        DType::U8 => "at::kByte",
        DType::U16 => "at::kUInt16",
        DType::U32 => "at::kUInt32",
        DType::Bits => unreachable!("no tensor parameter has bits of masks"),
    }
}
