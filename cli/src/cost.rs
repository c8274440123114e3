//! `jumar emit --cost`: the predicted cost of a launch, as a line for each instance or as a list of
//! calls.

use super::run::signature;
use super::{args, Failure};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::event::Trace;
use jumar::dsl::cost::replay::Line;
use jumar::dsl::cost::stream::{sample, Launch};
use jumar::dsl::cost::{predict, Predicted};
use jumar::dsl::diag::Code;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Lowered, Param, Signature};
use jumar::dsl::lower::advice;
use jumar::dsl::ops::contract::Pipe;
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::{bind, evaluate, BindError, Tiling, TilingError, Value};
use std::fmt::Write;

/// Lists the calls of a single instance: the one with the given element types, or the only one.
/// Otherwise it prints a line for each.
pub fn table(
    kernel: &CheckedKernel,
    shapes: &[String],
    given: &[String],
) -> Result<String, Failure> {
    let sig = &kernel.kernel().sig;
    let planned = args::planned(sig, shapes, given)?;
    let fitting = fitting(kernel, &planned);
    match fitting.as_slice() {
        [] => Err(no_instance(kernel, &planned)),
        [one] => Prediction::of(kernel, one, &planned)?.calls(sig, kernel.chip()),
        all => {
            let all = all
                .iter()
                .map(|lowered| Prediction::of(kernel, lowered, &planned))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(summary(kernel, &all, shapes))
        }
    }
}

/// Returns the instances with the given element types.
fn fitting<'k>(kernel: &'k CheckedKernel, planned: &args::Planned) -> Vec<&'k Lowered> {
    let sig = &kernel.kernel().sig;
    let asked = |binding: &[DType]| {
        let own = |name: &str| {
            sig.tensors()
                .find(|(_, p, ..)| p.name == name)
                .map(|(.., ty)| ty.resolve(binding))
        };
        planned
            .dtypes
            .iter()
            .all(|(name, dtype)| own(name) == Some(*dtype))
    };
    let all = kernel.instances().iter();
    all.filter(|lowered| asked(lowered.binding())).collect()
}

/// Returns the events of a launch of one instance, of a few blocks that stand for all.
pub fn traced(
    kernel: &CheckedKernel,
    shapes: &[String],
    given: &[String],
    file: &str,
) -> Result<Trace, Failure> {
    let sig = &kernel.kernel().sig;
    let planned = args::planned(sig, shapes, given)?;
    let lowered = match fitting(kernel, &planned).as_slice() {
        [] => return Err(no_instance(kernel, &planned)),
        [one] => *one,
        several => {
            let all: Vec<String> = several.iter().map(|one| types(one)).collect();
            return Err(Failure::call(
                format!(
                    "`{}` has instances of {}, and one is predicted",
                    sig.name,
                    all.join(", ")
                ),
                "give the element type of a tensor: --shape NAME:f16=4096,1024",
            ));
        }
    };
    let tiling = tiling(kernel, lowered, &planned)?;
    let launch = Launch {
        lowered,
        chip: kernel.chip(),
        tiling: &tiling,
        file,
        read: None,
    };
    let walked =
        sample(&launch).map_err(|e| Failure::call(e, "there is no prediction of this launch"))?;
    Ok(walked.trace)
}

fn no_instance(kernel: &CheckedKernel, planned: &args::Planned) -> Failure {
    let given: Vec<_> = planned
        .dtypes
        .iter()
        .map(|(name, dtype)| format!("{name}: {dtype}"))
        .collect();
    let allowed: Vec<_> = kernel
        .instances()
        .iter()
        .map(|lowered| format!("({})", types(lowered)))
        .collect();
    let sig = &kernel.kernel().sig;
    Failure::call(
        format!(
            "kernel `{}` does not take these element types: {}",
            sig.name,
            given.join(", ")
        ),
        format!("`{}` is one of {}", type_names(sig), allowed.join(", ")),
    )
}

/// Returns the host's decisions for a launch.
fn tiling(
    kernel: &CheckedKernel,
    lowered: &Lowered,
    planned: &args::Planned,
) -> Result<Tiling, Failure> {
    let (sig, chip) = (&kernel.kernel().sig, kernel.chip());
    let unbound = |e: BindError| Failure::Call {
        code: Some(e.code),
        what: e.message,
        help: help(sig),
    };
    let mut attrs: Vec<_> = planned
        .attrs
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    // All items cost the same per tensor, so item 0 stands for any of them.
    attrs.extend(
        sig.place()
            .map(|id| (sig.param(id).name.as_str(), Value::Int(0))),
    );
    let shape_of = |p: &Param| {
        planned
            .shapes
            .iter()
            .find(|(name, _)| *name == p.name)
            .map(|(_, shape)| shape.as_slice())
    };
    let shapes: Vec<_> = sig.params.iter().map(shape_of).collect();
    let (attrs, dims) = bind(sig, Some(lowered.binding()), &shapes, &attrs).map_err(unbound)?;
    evaluate(lowered, chip, &dims, &attrs).map_err(|e| refused(sig, e))
}

/// The predicted cost of one instance.
struct Prediction<'k> {
    lowered: &'k Lowered,
    variant: &'k str,
    found: Predicted,
}

impl<'k> Prediction<'k> {
    fn of(
        kernel: &CheckedKernel,
        lowered: &'k Lowered,
        planned: &args::Planned,
    ) -> Result<Prediction<'k>, Failure> {
        let chip = kernel.chip();
        let tiling = tiling(kernel, lowered, planned)?;
        let launch = Launch {
            lowered,
            chip,
            tiling: &tiling,
            file: "",
            read: None,
        };
        let found = predict(&launch)
            .map_err(|e| Failure::call(e, "there is no prediction of this launch"))?;
        Ok(Prediction {
            lowered,
            variant: &lowered.variants[tiling.variant].name,
            found,
        })
    }

    /// Lists all calls of the longest block, with their sums.
    fn calls(&self, sig: &Signature, chip: &Chip) -> Result<String, Failure> {
        let types = types(self.lowered);
        let types = if types.is_empty() {
            types
        } else {
            format!(" <{types}>")
        };
        let item = if sig.lists().next().is_some() {
            ", one item"
        } else {
            ""
        };
        let mut text = format!(
            "{}{types} on {}{item}, variant `{}`: predicted, not measured\n",
            sig.name, chip.name, self.variant
        );
        text.push_str(&lines(&self.found));
        text.push_str(&sums(sig, chip, &self.found));
        Ok(text)
    }
}

/// Lists the instances, and explains how to list the calls of one.
fn summary(kernel: &CheckedKernel, all: &[Prediction<'_>], shapes: &[String]) -> String {
    let (sig, chip) = (&kernel.kernel().sig, kernel.chip());
    let names: Vec<String> = all.iter().map(|own| types(own.lowered)).collect();
    let of_types = type_names(sig);
    let wide = names
        .iter()
        .map(String::len)
        .chain([of_types.len()])
        .max()
        .unwrap_or(0);
    let named = all
        .iter()
        .map(|own| own.variant.len())
        .chain(["variant".len()])
        .max()
        .unwrap_or(0);
    let item = if sig.lists().next().is_some() {
        ", one item"
    } else {
        ""
    };
    let mut text = format!(
        "{} on {}{item}, us in which each works: predicted, not measured\n",
        sig.name, chip.name
    );
    let _ = write!(
        text,
        "  {of_types:<wide$}  {:<named$}  {:<6}",
        "variant", "most"
    );
    PIPES.iter().for_each(|pipe| {
        let _ = write!(text, " {pipe:>9}");
    });
    let _ = writeln!(text, " {:>10}", "predicted");
    for (own, types) in all.iter().zip(&names) {
        let _ = write!(
            text,
            "  {types:<wide$}  {:<named$}  {:<6}",
            own.variant,
            most(&own.found)
        );
        for cycles in of_pipes(&own.found) {
            let _ = write!(text, " {:>9.2}", micros(chip, cycles));
        }
        let most = if own.found.is_most() { " at most" } else { "" };
        let _ = writeln!(text, " {:>10.2}{most}", own.found.prediction.micros);
    }
    if let Some(shape) = one_instance(sig, all, shapes) {
        let _ = writeln!(text, "call by call: --shape {shape}");
    }
    text
}

/// Returns the first `--shape` of a tensor whose element type differs between instances, with the
/// type of the first instance.
fn one_instance(sig: &Signature, all: &[Prediction<'_>], shapes: &[String]) -> Option<String> {
    shapes.iter().find_map(|text| {
        let (name, sizes) = text.split_once('=')?;
        let (.., ty) = sig.tensors().find(|(_, p, ..)| p.name == name)?;
        let own = |at: usize| ty.resolve(all[at].lowered.binding());
        (own(0) != own(all.len() - 1)).then(|| format!("{name}:{}={sizes}", own(0)))
    })
}

fn types(lowered: &Lowered) -> String {
    lowered
        .binding()
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

fn type_names(sig: &Signature) -> String {
    sig.dtypes
        .iter()
        .map(|dtype| dtype.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Reports a launch that the kernel refuses.
fn refused(sig: &Signature, why: TilingError) -> Failure {
    let what = why.to_string();
    let help = advice(&what).map_or_else(|| help(sig), str::to_owned);
    let code = match why {
        TilingError::Eval(_) => Code::J0603,
        TilingError::Require(_) => Code::J0606,
    };
    Failure::Call {
        code: Some(code),
        what,
        help,
    }
}

fn help(sig: &Signature) -> String {
    format!(
        "{}; give sizes with --shape NAME=4096,1024 and attributes with --arg NAME=VALUE",
        signature(sig)
    )
}

/// Pipes, the memory behind all cores, and what any launch takes.
const PIPES: [&str; 5] = ["MTE2", "V", "MTE3", "GM", "launch"];

/// Returns the cycles of each of them.
fn of_pipes(found: &Predicted) -> [f64; 5] {
    let prediction = &found.prediction;
    let busy = |pipe: Pipe| {
        let own = prediction.pipes.iter().find(|time| time.pipe == pipe);
        own.map_or(0.0, |time| time.busy)
    };
    let launch = prediction.launch * prediction.clock_mhz as f64;
    let [mte2, v, mte3] = [Pipe::Mte2, Pipe::V, Pipe::Mte3].map(busy);
    [mte2, v, mte3, prediction.memory, launch]
}

/// Returns the one of them that takes most.
fn most(found: &Predicted) -> &'static str {
    let all = PIPES.into_iter().zip(of_pipes(found));
    all.max_by(|a, b| a.1.total_cmp(&b.1))
        .map_or("", |(name, _)| name)
}

fn micros(chip: &Chip, cycles: f64) -> f64 {
    cycles / chip.clock_mhz as f64
}

/// Lists the calls of the longest block, by function and op.
fn lines(found: &Predicted) -> String {
    let place = |l: &Line| l.func.clone().unwrap_or_default();
    let width = found
        .lines
        .iter()
        .map(|l| place(l).len())
        .max()
        .unwrap_or(0)
        .max("function".len());
    let mut text = format!(
        "  {:<width$}  {:<15} {:<4} {:>8} {:>10} {:>12}\n",
        "function", "call", "pipe", "calls", "repeats", "cycles"
    );
    for l in &found.lines {
        let (calls, repeats, cycles) = (l.calls, l.repeats, l.cycles);
        let _ = writeln!(
            text,
            "  {:<width$}  {:<15} {:<4} {calls:>8} {repeats:>10} {cycles:>12.0}",
            place(l),
            l.op,
            l.pipe.name()
        );
    }
    text
}

fn sums(sig: &Signature, chip: &Chip, found: &Predicted) -> String {
    let is_flat = sig.tensors().all(|(id, ..)| sig.shape(id).len() == 1);
    let each = if is_flat { "an element" } else { "a row" };
    let prediction = &found.prediction;
    let mut text = format!("longest of {} blocks", prediction.blocks);
    if let Some(share) = found.share {
        let of = if is_flat { "elements" } else { "rows" };
        let _ = write!(text, ": {share} {of}");
    }
    text.push('\n');
    if found.at_most {
        let _ = writeln!(text, "ranges that only a core knows are taken to be as long as they may be: this is the most");
    }
    if let Some(at) = found.branch {
        let _ = writeln!(
            text,
            "line {}: which arm is taken data says; the longer one is counted in every iteration: this is the most",
            at.line
        );
    }
    let [_, vector, ..] = of_pipes(found);
    let waits: f64 = found.lines.iter().map(|line| line.conflicts).sum();
    if let Some(share) = found.share.filter(|share| *share > 0) {
        let digits = if is_flat { 4 } else { 1 };
        let of_each = |cycles: f64| format!("{:.digits$}", cycles / share as f64);
        let _ = writeln!(text, "cycles {each} (V) = {}", of_each(vector));
        if waits > 0.0 {
            let waits = of_each(waits);
            let _ = writeln!(text, "  of them for shared banks of UB = {waits}");
        }
    }
    let moved = |pipe: Pipe| {
        let lines = found.lines.iter().filter(|line| line.pipe == pipe);
        lines.map(|line| line.bytes).sum::<u64>()
    };
    let _ = writeln!(
        text,
        "bytes of the block = {} in, {} out",
        moved(Pipe::Mte2),
        moved(Pipe::Mte3)
    );
    for time in &prediction.pipes {
        let mut stands = time.stands.clone();
        stands.sort_by(|a, b| b.1.total_cmp(&a.1));
        let part = |cycles: f64| cycles >= WORTH * prediction.cycles;
        let stands: Vec<String> = stands
            .iter()
            .filter(|(_, cycles)| part(*cycles))
            .map(|(reason, cycles)| format!("{:.2} for {reason}", micros(chip, *cycles)))
            .collect();
        if !stands.is_empty() && time.pipe != Pipe::S {
            let name = time.pipe.name();
            let _ = writeln!(text, "{name} waits: {}", stands.join(", "));
        }
    }
    let named = PIPES.iter().zip(of_pipes(found));
    let named: Vec<_> = named
        .map(|(name, cycles)| format!("{name} {:.2}", micros(chip, cycles)))
        .collect();
    let _ = writeln!(text, "us of {}; most: {}", named.join(", "), most(found));
    let _ = writeln!(
        text,
        "predicted {:.2} us, {:.2}x the bound of launch and bytes",
        prediction.micros,
        prediction.micros / prediction.bound
    );
    text
}

/// The part of a block from which on a wait is worth a word.
const WORTH: f64 = 0.05;
