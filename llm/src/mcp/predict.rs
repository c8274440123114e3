//! The tool that predicts the cost of a launch.

use super::bind::{attributes, help};
use super::launch::AttrGiven;
use super::text::{clean, one};
use super::tools::Refused;
use crate::shape::described;
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::predict;
use jumar::dsl::cost::replay::Line;
use jumar::dsl::cost::stream::Launch;
use jumar::dsl::ir::{Lowered, Param, Signature};
use jumar::dsl::ops::contract::Pipe;
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
        calls: u64,
        /// Repeats of all of them.
        repeats: u64,
        /// Cycles of all of them.
        cycles: f64,
    }
    /// The time of one pipe of the longest block.
    struct PipeTime {
        /// The name of the pipe.
        pipe: String,
        /// Cycles in which it works.
        busy: f64,
        /// Cycles in which it waits, by what it waits for.
        waits: BTreeMap<String, f64>,
    }
    /// A prediction for the element types of one instance.
    struct Predicted {
        /// Element types of the instance.
        instance: Vec<String>,
        /// The variant that the launch takes.
        variant: String,
        /// Blocks of the launch.
        blocks: u32,
        /// Microseconds from the launch to its end.
        micros: f64,
        /// Microseconds of it that any launch of so many blocks takes.
        launch: f64,
        /// Microseconds that the launch and its bytes take at least.
        bound: f64,
        /// Cycles of the longest block, if no other core used the memory.
        cycles: f64,
        /// Cycles of the memory, for the bytes of all blocks.
        memory: f64,
        /// Pipes of the longest block.
        pipes: Vec<PipeTime>,
        /// Bytes that the longest block reads from GM.
        bytes_in: u64,
        /// Bytes that it writes to GM.
        bytes_out: u64,
        /// True if data may shorten the time: ranges were taken to be as long as they may be, or
        /// the longer arm of a branch.
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
        let pipes = p.pipes.iter();
        let pipes = pipes.map(|time| format!("{} {:.0}", time.pipe, time.busy));
        let pipes: Vec<String> = pipes.collect();
        let _ = writeln!(
            text,
            "{}<{types}>: {:.2} us, {:.2}x the bound of launch and bytes; {} blocks, longest block {:.0} cycles, memory {:.0}, {}; predicted, not measured",
            sig.name,
            p.micros,
            p.micros / p.bound,
            p.blocks,
            p.cycles,
            p.memory,
            pipes.join(", ")
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
    let launch = Launch {
        lowered,
        chip,
        tiling: &tiling,
        file: "",
        read: None,
    };
    let found =
        predict(&launch).map_err(|e| Refused::new(e, "there is no prediction of this launch"))?;
    let moved = |pipe: Pipe| {
        let lines = found.lines.iter().filter(|line| line.pipe == pipe);
        lines.map(|line| line.bytes).sum()
    };
    let prediction = &found.prediction;
    Ok(Predicted {
        instance: lowered.binding().iter().map(ToString::to_string).collect(),
        variant: lowered.variants[tiling.variant].name.clone(),
        blocks: prediction.blocks,
        micros: prediction.micros,
        launch: prediction.launch,
        bound: prediction.bound,
        cycles: prediction.cycles,
        memory: prediction.memory,
        pipes: prediction.pipes.iter().map(pipe_time).collect(),
        bytes_in: moved(Pipe::Mte2),
        bytes_out: moved(Pipe::Mte3),
        at_most: found.is_most(),
        calls: found.lines.iter().map(call).collect(),
    })
}

fn pipe_time(time: &jumar::dsl::cost::replay::PipeTime) -> PipeTime {
    let waits = time.stands.iter();
    PipeTime {
        pipe: time.pipe.name().to_string(),
        busy: time.busy,
        waits: waits
            .map(|(reason, cycles)| (reason.to_string(), *cycles))
            .collect(),
    }
}

fn call(line: &Line) -> Call {
    Call {
        function: line.func.clone().unwrap_or_default(),
        op: line.op.clone(),
        pipe: line.pipe.name().to_string(),
        calls: line.calls,
        repeats: line.repeats,
        cycles: line.cycles,
    }
}
