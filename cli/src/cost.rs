//! `jumar emit --cost`: what a launch is predicted to take, as a table for each instance.

use super::run::signature;
use super::{args, Failure};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::{estimate, Bound, Estimate, Line};
use jumar::dsl::ir::{Param, Signature};
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::{bind, evaluate, BindError, Value};
use std::fmt::Write;

/// The tables of a kernel.
pub fn table(kernel: &CheckedKernel, shapes: &[String], given: &[String]) -> Result<String, Failure> {
    let sig = &kernel.kernel().sig;
    let planned = args::planned(sig, shapes, given)?;
    let unbound = |e: BindError| Failure::Call { code: Some(e.code), what: e.message, help: help(sig) };
    let mut attrs: Vec<_> = planned.attrs.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    // An item is like any other, but for the tensors that it has.
    attrs.extend(sig.place().map(|id| (sig.param(id).name.as_str(), Value::Int(0))));
    let shape_of = |p: &Param| planned.shapes.iter().find(|(name, _)| *name == p.name).map(|(_, shape)| shape.as_slice());
    let shapes: Vec<_> = sig.params.iter().map(shape_of).collect();
    let mut text = String::new();
    for lowered in kernel.instances() {
        let chip = kernel.chip();
        let (attrs, dims) = bind(sig, Some(lowered.binding()), &shapes, &attrs).map_err(unbound)?;
        let tiling = evaluate(lowered, chip, &dims, &attrs).map_err(|e| Failure::call(e, help(sig)))?;
        let found = estimate(lowered, chip, &tiling).map_err(|e| Failure::call(e, "there is no prediction of this launch"))?;
        let types: Vec<_> = lowered.binding().iter().map(ToString::to_string).collect();
        let types = if types.is_empty() { String::new() } else { format!(" <{}>", types.join(", ")) };
        let variant = &lowered.variants[tiling.variant].name;
        let item = if sig.lists().next().is_some() { ", one item" } else { "" };
        let _ = writeln!(text, "{}{types} on {}{item}, variant `{variant}`: predicted, not measured", sig.name, chip.name);
        text.push_str(&lines(&found));
        text.push_str(&sums(sig, chip, &found));
        text.push('\n');
    }
    Ok(text)
}

fn help(sig: &Signature) -> String {
    format!("{}; give sizes with --shape NAME=4096,1024 and attributes with --arg NAME=VALUE", signature(sig))
}

/// Calls of the longest block, by function and op.
fn lines(found: &Estimate) -> String {
    let place = |l: &Line| l.func.clone().unwrap_or_default();
    let width = found.lines.iter().map(|l| place(l).len()).max().unwrap_or(0).max("function".len());
    let mut text =
        format!("  {:<width$}  {:<15} {:<4} {:>8} {:>10} {:>12}\n", "function", "call", "pipe", "calls", "repeats", "cycles");
    for l in &found.lines {
        let (calls, repeats, cycles) = (l.calls, l.repeats, l.cycles);
        let _ =
            writeln!(text, "  {:<width$}  {:<15} {:<4} {calls:>8} {repeats:>10} {cycles:>12.0}", place(l), l.op, l.pipe.name());
    }
    text
}

fn sums(sig: &Signature, chip: &Chip, found: &Estimate) -> String {
    let micros = |cycles: f64| cycles / chip.clock_mhz as f64;
    let is_flat = sig.tensors().all(|(id, ..)| sig.shape(id).len() == 1);
    let each = if is_flat { "an element" } else { "a row" };
    let mut text = format!("longest of {} blocks", found.blocks);
    if let Some(share) = found.share {
        let _ = write!(text, ": {share} {}", if is_flat { "elements" } else { "rows" });
    }
    let _ = writeln!(text, ", {} tiles", found.tiles);
    if found.at_most {
        let _ = writeln!(text, "ranges that only a core knows are taken to be as long as they may be: this is the most");
    }
    if let Some(at) = found.branch {
        let _ = writeln!(
            text,
            "line {}: which arm is taken data says; the longer one is counted in every turn: this is the most",
            at.line
        );
    }
    if let Some(cycles) = found.vector_each() {
        let _ = writeln!(text, "cycles {each} (V) = {cycles:.*}", if is_flat { 4 } else { 1 });
    }
    if let Some(share) = found.share.filter(|share| *share > 0 && found.conflicts > 0.0) {
        let waits = found.conflicts / share as f64;
        let _ = writeln!(text, "  of them for shared banks of UB = {waits:.*}", if is_flat { 4 } else { 1 });
    }
    if found.tiles > 0 {
        let _ = writeln!(text, "cycles a tile (V) = {:.0}", found.vector / found.tiles as f64);
    }
    let (bytes_in, bytes_out) = (found.bytes_in, found.bytes_out);
    let _ = writeln!(text, "bytes a block = {bytes_in} in, {bytes_out} out; {:.2} us by bandwidth", micros(found.memory));
    if found.meetings > 0 {
        let _ = writeln!(
            text,
            "meetings of all blocks = {}; no figure was published of what one takes, none is counted",
            found.meetings
        );
    }
    let (bound, _) = found.bound();
    let named = [("MTE2", found.copy_in), ("V", found.vector), ("MTE3", found.copy_out), ("GM", found.memory)];
    let named: Vec<_> = named.iter().map(|(name, cycles)| format!("{name} {:.2}", micros(*cycles))).collect();
    let order = match (found.waits_in, found.waits_out) {
        (false, false) => "",
        (true, false) => ", MTE2 and V one after the other",
        (false, true) => ", V and MTE3 one after the other",
        (true, true) => ", one after the other",
    };
    let what = if bound == Bound::Memory { " (the memory of all cores)" } else { "" };
    let _ = writeln!(text, "bound: {bound}{what}; us of {}{order}", named.join(", "));
    let _ = writeln!(text, "predicted {:.2} us without launch", micros(found.cycles()));
    text
}
