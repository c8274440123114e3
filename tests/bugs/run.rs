//! Runs a kernel of the suite: the host's part, then the simulator or the tile interpreter.

use crate::given::{Given, Value};
use jumar::dsl::diag::Code;
use jumar::dsl::ir::{Level, Role};
use jumar::load::KernelFile;
use jumar::runtime::tile::AnyCut;
use jumar::runtime::{infer_output_shapes, Array, AttrValue, Launch, RunError};
use std::fmt;

/// Who finds a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    Check,
    Host,
    Simulator,
    Interpreter,
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reader::Check => "check",
            Reader::Host => "launch",
            Reader::Simulator => "simulator",
            Reader::Interpreter => "interpreter",
        })
    }
}

impl Reader {
    /// Those that run a kernel of its level.
    pub fn that_run(file: &KernelFile) -> &'static [Reader] {
        let kernel = file.kernels().first().and_then(|k| k.checked.first());
        match kernel.map(|k| k.kernel().level) {
            Some(Level::Tile) => &[Reader::Simulator, Reader::Interpreter],
            Some(Level::Queue) => &[Reader::Simulator],
            None => &[],
        }
    }
}

/// Why a run ended early.
pub struct Stop {
    pub code: Code,
    /// `None` of what the host refuses.
    pub line: Option<u32>,
    pub text: String,
}

impl From<RunError> for Stop {
    fn from(e: RunError) -> Self {
        Stop { code: e.code(), line: e.fault().map(|f| f.line), text: e.to_string() }
    }
}

/// The outputs of the only kernel of a clean file, by name; of what is updated in place, too.
pub fn run(file: &KernelFile, given: &[Given], reader: Reader) -> Result<Vec<(String, Array)>, Stop> {
    let kernel = &file.kernels()[0].checked[0];
    let sig = &kernel.kernel().sig;
    let role = |name: &str| sig.tensors().find(|(_, p, _, _)| p.name == name).map(|(_, _, role, _)| role);
    let tensors = || given.iter().filter_map(|g| if let Value::Tensor(a) = &g.value { Some((g.name.as_str(), a)) } else { None });
    let attrs: Vec<_> = given.iter().filter_map(|g| Some((g.name.as_str(), attr(&g.value)?))).collect();

    let mut outputs: Vec<(String, Array)> = Vec::new();
    for (name, array) in tensors().filter(|(name, _)| matches!(role(name), Some(Role::Out | Role::InOut))) {
        outputs.push((name.into(), array.clone()));
    }
    let shapes: Vec<_> = tensors().map(|(name, a)| (name, a.shape())).collect();
    let binding = kernel.instances().iter().find(|l| {
        sig.tensors().all(|(_, p, _, ty)| {
            tensors().find(|(name, _)| *name == p.name).is_none_or(|(_, a)| a.dtype() == ty.resolve(l.binding()))
        })
    });
    for (name, shape) in infer_output_shapes(sig, &shapes, &attrs)? {
        let (_, _, _, ty) = sig.tensors().find(|(_, p, _, _)| p.name == name).expect("an output is a tensor");
        // Without an instance the launch says so itself.
        let Some(dtype) = binding.map(|l| ty.resolve(l.binding())) else { continue };
        if !outputs.iter().any(|(own, _)| *own == name) {
            outputs.push((name, Array::zeros(dtype, &shape).expect("a tensor's element type")));
        }
    }

    let tile = AnyCut::default();
    let mut launch = Launch::new(kernel).pipes(true);
    for (name, array) in tensors().filter(|(name, _)| !matches!(role(name), Some(Role::Out | Role::InOut))) {
        launch = launch.input(name, array);
    }
    for (name, value) in attrs {
        launch = launch.attr(name, value);
    }
    for (name, array) in &mut outputs {
        launch = if role(name) == Some(Role::InOut) { launch.inout(name, array) } else { launch.output(name, array) };
    }
    if reader == Reader::Interpreter {
        launch = launch.backend(&tile);
    }
    launch.run()?;
    Ok(outputs)
}

fn attr(value: &Value) -> Option<jumar::dsl::tiling::Value> {
    match value {
        Value::Tensor(_) => None,
        Value::Bool(v) => Some(v.attr_value()),
        Value::Int(v) => Some(v.attr_value()),
        Value::Float(v) => Some(v.attr_value()),
    }
}
