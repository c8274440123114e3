//! The tool that predicts the cost of a launch.

use super::bind::{attributes, help};
use super::launch::AttrGiven;
use super::text::{clean, one};
use super::tools::Refused;
use crate::shape::described;
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::{estimate, Estimate};
use jumar::dsl::ir::{Lowered, Param, Signature};
use jumar::dsl::tiling::{bind, evaluate, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

described! {
    /// The arguments of `cost`.
    struct Cost {
        /// Rust text with the kernel.
        text: String,
        /// The name of the kernel, where the text has several.
        kernel: Option<String>,
        /// The chip; by default the one that the kernel declares, or ascend910b1.
        chip: Option<String>,
        /// Sizes of the tensors by name; sizes that follow from others are optional.
        shapes: BTreeMap<String, Vec<usize>>,
        /// Attributes by name; those with a default may be left out.
        attrs: Option<BTreeMap<String, AttrGiven>>,
    }
    /// Calls and copies of one kind.
    struct Call {
        /// The device function that contains them, if any.
        function: String,
        /// The op of the calls.
        op: String,
        /// The pipe that executes it.
        pipe: String,
        /// The number of calls.
        calls: i64,
        /// Repeats of all of them.
        repeats: i64,
        /// Cycles of all of them.
        cycles: f64,
    }
    /// A prediction for the element types of one instance.
    struct Predicted {
        /// Element types of the instance.
        instance: Vec<String>,
        /// The variant that the launch takes.
        variant: String,
        /// Blocks of the launch.
        blocks: i64,
        /// Iterations of outermost loops in the longest block.
        tiles: i64,
        /// Cycles without the launch itself.
        cycles: f64,
        /// These cycles in microseconds.
        micros: f64,
        /// The bottleneck of the launch.
        bound: String,
        /// Cycles of the vector unit.
        vector: f64,
        /// Cycles of copies from GM.
        copy_in: f64,
        /// Cycles of copies to GM.
        copy_out: f64,
        /// Cycles of the memory of all cores.
        memory: f64,
        /// Bytes that the longest block reads from GM.
        bytes_in: i64,
        /// Bytes that it writes to GM.
        bytes_out: i64,
        /// True if ranges that only a core knows were assumed to have their maximal length.
        at_most: bool,
        /// Calls and copies of the longest block.
        calls: Vec<Call>,
    }
    /// The result of `cost`.
    struct Costs {
        /// The chip of the prediction.
        chip: String,
        /// One prediction for each instance.
        instances: Vec<Predicted>,
    }
}

/// Runs the tool `cost`.
pub fn cost(asked: Cost) -> Result<(String, Costs), Refused> {
    let file = clean(&asked.text, asked.chip.as_deref())?;
    let kernel = one(&file, asked.kernel.as_deref())?;
    let sig = &kernel.kernel().sig;
    let is_tensor = |name: &String| sig.tensors().any(|(_, p, ..)| p.name == *name);
    if let Some(name) = asked.shapes.keys().find(|name| !is_tensor(name)) {
        return Err(wrong(
            sig,
            format!("kernel `{}` has no tensor `{name}`", sig.name),
        ));
    }
    let (attrs, lists) = attributes(sig, &asked.attrs.unwrap_or_default())?;
    if let Some((name, _)) = lists.first() {
        return Err(wrong(
            sig,
            format!(
                "`{name}` has a number for each item, and a prediction is of one: give it no list"
            ),
        ));
    }
    let instances: Vec<Predicted> = kernel
        .instances()
        .iter()
        .map(|lowered| predicted(kernel, lowered, &asked.shapes, &attrs))
        .collect::<Result<_, _>>()?;
    let mut text = String::new();
    for p in &instances {
        let types = p.instance.join(", ");
        let _ = writeln!(
            text,
            "{}<{types}>: {:.0} cycles, {:.2} us without launch, bound by {}; {} blocks, {} tiles, vector {:.0}, copy in {:.0}, copy out {:.0}, memory {:.0}; predicted, not measured",
            sig.name, p.cycles, p.micros, p.bound, p.blocks, p.tiles, p.vector, p.copy_in, p.copy_out, p.memory
        );
    }
    Ok((
        text,
        Costs {
            chip: kernel.chip().name.to_string(),
            instances,
        },
    ))
}

fn wrong(sig: &Signature, what: String) -> Refused {
    Refused::new(what, format!("`{}`: {}", sig.name, help(sig)))
}

fn predicted(
    kernel: &CheckedKernel,
    lowered: &Lowered,
    shapes: &BTreeMap<String, Vec<usize>>,
    attrs: &[(String, Value)],
) -> Result<Predicted, Refused> {
    let (sig, chip) = (&kernel.kernel().sig, kernel.chip());
    let shape_of = |p: &Param| shapes.get(&p.name).map(Vec::as_slice);
    let shapes: Vec<_> = sig.params.iter().map(shape_of).collect();
    let mut given: Vec<(&str, Value)> = attrs
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    // All items cost the same per tensor, so item 0 stands for any of them.
    given.extend(
        sig.place()
            .map(|id| (sig.param(id).name.as_str(), Value::Int(0))),
    );
    let (attrs, dims) =
        bind(sig, Some(lowered.binding()), &shapes, &given).map_err(|e| wrong(sig, e.message))?;
    let tiling = evaluate(lowered, chip, &dims, &attrs).map_err(|e| wrong(sig, e.to_string()))?;
    let found = estimate(lowered, chip, &tiling)
        .map_err(|e| Refused::new(e, "there is no prediction of this launch"))?;
    let (bound, _) = found.bound();
    let Estimate {
        blocks,
        tiles,
        at_most,
        vector,
        copy_in,
        copy_out,
        memory,
        bytes_in,
        bytes_out,
        ..
    } = found;
    Ok(Predicted {
        instance: lowered.binding().iter().map(ToString::to_string).collect(),
        variant: lowered.variants[tiling.variant].name.clone(),
        blocks,
        tiles,
        cycles: found.cycles(),
        micros: found.cycles() / chip.clock_mhz as f64,
        bound: bound.to_string(),
        vector,
        copy_in,
        copy_out,
        memory,
        bytes_in,
        bytes_out,
        at_most,
        calls: found.lines.iter().map(call).collect(),
    })
}

fn call(line: &jumar::dsl::cost::Line) -> Call {
    Call {
        function: line.func.clone().unwrap_or_default(),
        op: line.op.to_string(),
        pipe: line.pipe.name().to_string(),
        calls: line.calls,
        repeats: line.repeats,
        cycles: line.cycles,
    }
}
