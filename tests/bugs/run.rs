//! Runs a kernel of the suite: the host's part, then simulator or tile interpreter.

use super::given::{Given, Value};
use jumar::cpp::Cpp;
use jumar::dsl::diag::Code;
use jumar::dsl::ir::{Level, Per, Role};
use jumar::load::KernelFile;
use jumar::runtime::tile::AnyCut;
use jumar::runtime::{infer_output_shapes, Array, AttrValue, Launch, RunError};
use std::fmt;

/// Those who may find a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    Check,
    Host,
    Simulator,
    Interpreter,
    /// The emitted text on the C++ machine, with a search for races in the order of this seed.
    Emitted(u64),
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reader::Check => "check",
            Reader::Host => "launch",
            Reader::Simulator => "simulator",
            Reader::Interpreter => "interpreter",
            Reader::Emitted(_) => "emitted text",
        })
    }
}

impl Reader {
    /// Returns the readers that run a kernel of its level.
    pub fn that_run(file: &KernelFile) -> &'static [Reader] {
        let kernel = file.kernels().first().and_then(|k| k.checked.first());
        match kernel.map(|k| k.kernel().level()) {
            Some(Level::Tile) => &[Reader::Simulator, Reader::Interpreter],
            Some(Level::Queue) => &[Reader::Simulator],
            None => &[],
        }
    }
}

/// The reason why a run ended early.
pub struct Stop {
    pub code: Code,
    /// `None` for a refusal of the host.
    pub line: Option<u32>,
    pub text: String,
}

impl From<RunError> for Stop {
    fn from(e: RunError) -> Self {
        Stop {
            code: e.code(),
            line: e.fault().map(|f| f.line),
            text: e.to_string(),
        }
    }
}

/// Splits `xs.1` into list and place.
fn listed(name: &str) -> (&str, Option<usize>) {
    let parts = name
        .rsplit_once('.')
        .and_then(|(list, at)| Some((list, at.parse().ok()?)));
    parts.map_or((name, None), |(list, at)| (list, Some(at)))
}

/// Runs the only kernel of a clean file. Returns its outputs and in-place tensors by name.
pub fn run(
    file: &KernelFile,
    given: &[Given],
    reader: Reader,
) -> Result<Vec<(String, Array)>, Stop> {
    let kernel = &file.kernels()[0].checked[0];
    let sig = &kernel.kernel().sig;
    let role = |name: &str| {
        sig.tensors()
            .find(|(_, p, _, _)| p.name == listed(name).0)
            .map(|(_, _, role, _)| role)
    };
    let tensors = || {
        given.iter().filter_map(|g| {
            if let Value::Tensor(a) = &g.value {
                Some((g.name.as_str(), a))
            } else {
                None
            }
        })
    };
    let attrs: Vec<_> = given
        .iter()
        .filter_map(|g| Some((g.name.as_str(), attr(&g.value)?)))
        .collect();
    let items = given
        .iter()
        .filter_map(|g| listed(&g.name).1)
        .map(|at| at + 1)
        .max()
        .unwrap_or(1);

    let mut outputs: Vec<(String, Array)> = Vec::new();
    for (name, array) in
        tensors().filter(|(name, _)| matches!(role(name), Some(Role::Out | Role::InOut)))
    {
        outputs.push((name.into(), array.clone()));
    }
    let binding = kernel.instances().iter().find(|l| {
        sig.tensors().all(|(_, p, _, ty)| {
            tensors()
                .find(|(name, _)| listed(name).0 == p.name)
                .is_none_or(|(_, a)| a.dtype() == ty.resolve(l.binding()))
        })
    });
    for item in 0..items {
        let own = |name: &str| listed(name).1.is_none_or(|at| at == item);
        let shapes: Vec<_> = tensors()
            .filter(|(name, _)| own(name))
            .map(|(name, a)| (listed(name).0, a.shape()))
            .collect();
        let of_item = attrs
            .iter()
            .filter(|(name, _)| own(name))
            .map(|(name, value)| (listed(name).0, *value));
        let place = sig
            .place()
            .map(|id| (sig.param(id).name.as_str(), item.attr_value()));
        let of_item: Vec<_> = of_item.chain(place).collect();
        for (name, shape) in infer_output_shapes(sig, &shapes, &of_item)? {
            let (id, param, _, ty) = sig
                .tensors()
                .find(|(_, p, _, _)| p.name == name)
                .expect("an output is a tensor");
            // A launch has only those optional outputs that the case names.
            if sig.is_optional(id) {
                continue;
            }
            // Without an instance the launch reports it.
            let Some(dtype) = binding.map(|l| ty.resolve(l.binding())) else {
                continue;
            };
            let name = if param.per == Per::Item {
                format!("{name}.{item}")
            } else {
                name
            };
            if !outputs.iter().any(|(own, _)| *own == name) {
                outputs.push((
                    name,
                    Array::zeros(dtype, &shape).expect("a tensor's element type"),
                ));
            }
        }
    }

    let seed = match reader {
        Reader::Emitted(seed) => Some(seed),
        Reader::Check | Reader::Host | Reader::Simulator | Reader::Interpreter => None,
    };
    let (tile, emitted) = (AnyCut::default(), Cpp::new(seed, false));
    let mut launch = Launch::new(kernel).pipes(true);
    let mut written: Vec<(&str, &mut Array)> = outputs
        .iter_mut()
        .map(|(name, array)| (name.as_str(), array))
        .collect();
    for (_, param, role, _) in sig.tensors() {
        let is_own = |name: &str| listed(name).0 == param.name;
        let read = || {
            tensors()
                .filter(|(name, _)| is_own(name))
                .map(|(_, array)| array)
        };
        let (own, others): (Vec<_>, Vec<_>) =
            written.into_iter().partition(|(name, _)| is_own(name));
        written = others;
        let mut own = own.into_iter().map(|(_, array)| array);
        launch = match (role, param.per) {
            (Role::In, Per::Item) => launch.inputs(&param.name, read()),
            (Role::Out, Per::Item) => launch.outputs(&param.name, own),
            (Role::InOut, Per::Item) => launch.inouts(&param.name, own),
            (Role::In, _) => read().fold(launch, |launch, array| launch.input(&param.name, array)),
            (Role::Out, _) => own
                .by_ref()
                .fold(launch, |launch, array| launch.output(&param.name, array)),
            (Role::InOut, _) => own
                .by_ref()
                .fold(launch, |launch, array| launch.inout(&param.name, array)),
        };
    }
    // Inputs that the kernel does not have.
    for (name, array) in tensors().filter(|(name, _)| role(name).is_none()) {
        launch = launch.input(name, array);
    }
    for (name, value) in attrs.iter().filter(|(name, _)| listed(name).1.is_none()) {
        launch = launch.attr(name, *value);
    }
    for (_, param) in sig.lists().filter(|(_, p)| {
        attrs
            .iter()
            .any(|(name, _)| listed(name) == (p.name.as_str(), Some(0)))
    }) {
        let of_items = attrs
            .iter()
            .filter(|(name, _)| listed(name).0 == param.name);
        launch = launch.attrs(&param.name, of_items.map(|(_, value)| *value));
    }
    launch = match reader {
        Reader::Interpreter => launch.backend(&tile),
        Reader::Emitted(_) => launch.backend(&emitted),
        Reader::Check | Reader::Host | Reader::Simulator => launch,
    };
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
