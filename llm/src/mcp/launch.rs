//! The tool that runs a kernel on given or random numbers, and returns its outputs.

use super::bind::{self, Bound};
use super::text::{clean, one};
use super::tools::Refused;
use crate::shape::{described, words, Described};
use crate::summary::{Number, Summary};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::Role;
use jumar::load::KernelFile;
use jumar::runtime::tile::AnyCut;
use jumar::runtime::{Launch, Report, RunError};
use jumar::Array;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The largest output, in elements, that is returned whole.
const WHOLE: usize = 256;

/// A tensor, or the tensors of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "Value")]
pub enum Tensors {
    /// A list with a tensor for each item.
    List(Vec<Tensor>),
    /// A single tensor.
    One(Tensor),
}

impl TryFrom<Value> for Tensors {
    type Error = serde_json::Error;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        match value.is_array() {
            true => serde_json::from_value(value).map(Tensors::List),
            false => serde_json::from_value(value).map(Tensors::One),
        }
    }
}

impl Described for Tensors {
    fn schema() -> Value {
        let one = Tensor::schema();
        json!({"anyOf": [one, {"type": "array", "items": one}]})
    }
}

/// The value of an attribute: a number, a bool, the name of a variant, or the numbers of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttrGiven(pub Value);

impl Described for AttrGiven {
    fn schema() -> Value {
        json!({"type": ["number", "boolean", "string", "array"]})
    }
}

words! {
    /// The backend that runs a kernel.
    enum Backend {
        /// The reference simulator.
        Sim = "sim",
        /// The tile interpreter.
        Tile = "tile",
    }
}

described! {
    /// A tensor of a launch.
    struct Tensor {
        /// Sizes of its axes, outermost first.
        shape: Vec<usize>,
        /// Element type, where the signature leaves it open: f16, bf16, f32, i32, ..
        dtype: Option<String>,
        /// Its elements, row by row; `nan`, `inf` and `-inf` are words. Without data, they are
        /// random.
        data: Option<Vec<Number>>,
        /// The lower bound of random numbers; by default -1 for floats and 0 for integers.
        low: Option<f64>,
        /// The exclusive upper bound of random numbers; by default 1 for floats and 10 for
        /// integers.
        high: Option<f64>,
    }
    /// An output of the launch.
    struct Wanted {
        /// Its name in the signature.
        name: String,
        /// Its element type, where neither the signature nor an input decides it.
        dtype: Option<String>,
    }
    /// The arguments of `run`.
    struct Run {
        /// Rust text with the kernel.
        text: String,
        /// The name of the kernel, where the text has several.
        kernel: Option<String>,
        /// The chip; by default the one that the kernel declares, or ascend910b1.
        chip: Option<String>,
        /// Tensors that the kernel reads, by name; a list is an array of tensors.
        inputs: Option<BTreeMap<String, Tensors>>,
        /// Attributes by name; those with a default may be left out.
        attrs: Option<BTreeMap<String, AttrGiven>>,
        /// Optional outputs that are wanted, and outputs whose element type nothing else decides.
        outputs: Option<Vec<Wanted>>,
        /// The backend: `sim`, the simulator, by default, or `tile`, the tile interpreter.
        backend: Option<Backend>,
        /// The seed of random numbers; 0 by default.
        seed: Option<u64>,
    }
    /// A tensor after the run.
    struct Output {
        /// Its name; an item of a list has its position, too.
        name: String,
        /// A summary of its elements.
        summary: Summary,
        /// The smallest finite element.
        least: Option<f64>,
        /// The largest finite element.
        most: Option<f64>,
        /// The number of elements that are nan or infinite.
        not_finite: usize,
        /// Every element, if there are at most 256.
        data: Option<Vec<Number>>,
    }
    /// The result of `run`.
    struct Ran {
        /// The chip of the run.
        chip: String,
        /// Element types of the instance.
        instance: Vec<String>,
        /// The number of blocks that ran.
        blocks: i64,
        /// The text that the kernel printed by `v.dump(..)`.
        shown: String,
        /// Every tensor that was written.
        outputs: Vec<Output>,
    }
}

/// Runs the tool `run`.
pub fn run(asked: Run) -> Result<(String, Ran), Refused> {
    let file = clean(&asked.text, asked.chip.as_deref())?;
    let kernel = one(&file, asked.kernel.as_deref())?;
    let sig = &kernel.kernel().sig;
    let inputs = asked.inputs.unwrap_or_default();
    let attrs = asked.attrs.unwrap_or_default();
    let wanted = asked.outputs.unwrap_or_default();
    let bound = bind::bound(sig, &inputs, &attrs, &wanted)?;
    let mut arrays = bind::arrays(sig, &bound, &inputs, asked.seed.unwrap_or(0))?;
    let report = execute(kernel, &file, &bound, &mut arrays, asked.backend)?;
    let written = |name: &str| {
        sig.tensors()
            .any(|(_, p, role, _)| p.name == name && role != Role::In)
    };
    let is_list = |name: &str| sig.lists().any(|(_, p)| p.name == name);
    let mut outputs = Vec::new();
    for (name, all) in arrays.iter().filter(|(name, _)| written(name)) {
        for (item, array) in all.iter().enumerate() {
            outputs.push(output(
                if is_list(name) {
                    format!("{name}[{item}]")
                } else {
                    name.clone()
                },
                array,
            ));
        }
    }
    let instance = sig.instances[report.instance]
        .iter()
        .map(DType::to_string)
        .collect();
    let ran = Ran {
        chip: kernel.chip().name.to_string(),
        instance,
        blocks: report.blocks,
        shown: report.shown.to_string(),
        outputs,
    };
    Ok((said(&ran), ran))
}

fn said(ran: &Ran) -> String {
    let mut text = ran.shown.clone();
    let _ = writeln!(text, "ran on {} in {} blocks", ran.chip, ran.blocks);
    for Output {
        name,
        summary,
        least,
        most,
        not_finite,
        ..
    } in &ran.outputs
    {
        let word = |v: &Option<f64>| v.map_or("none".to_string(), |v| v.to_string());
        let first: Vec<String> = summary
            .first
            .iter()
            .map(|v| match v {
                Number::Finite(v) => v.to_string(),
                Number::Bool(v) => v.to_string(),
                Number::Word(v) => v.clone(),
            })
            .collect();
        let _ = writeln!(
            text,
            "{name}: {} {:?}, from {} to {}, {not_finite} not finite, first {}",
            summary.dtype,
            summary.shape,
            word(least),
            word(most),
            first.join(" ")
        );
    }
    text
}

fn output(name: String, array: &Array) -> Output {
    let all = array.to_f64();
    let finite = || all.iter().copied().filter(|v| v.is_finite());
    Output {
        name,
        summary: Summary::of(array),
        least: finite().reduce(f64::min),
        most: finite().reduce(f64::max),
        not_finite: all.len() - finite().count(),
        data: (all.len() <= WHOLE)
            .then(|| all.iter().map(|v| Number::of(*v, array.dtype())).collect()),
    }
}

fn execute(
    kernel: &CheckedKernel,
    file: &KernelFile,
    bound: &Bound,
    arrays: &mut [(String, Vec<Array>)],
    backend: Option<Backend>,
) -> Result<Report, Refused> {
    let sig = &kernel.kernel().sig;
    let tile = AnyCut::default();
    let mut launch = Launch::new(kernel).arrays(arrays);
    for (name, value) in &bound.attrs {
        launch = launch.attr(name, *value);
    }
    for (name, values) in &bound.lists {
        launch = launch.attrs(name, values.iter().copied());
    }
    launch = match backend {
        Some(Backend::Tile) => launch.backend(&tile),
        Some(Backend::Sim) | None => launch,
    };
    launch.run().map_err(|e| match e {
        RunError::Fault(fault) => Refused(vec![file.render_fault(kernel, &fault, false)]),
        RunError::Cpp(_) | RunError::Refused { .. } => bind::refused(sig, &e),
    })
}
