//! The values of the tiles of a run, from the tile interpreter, which runs the kernel as it is
//! written.

use super::record::{Tensor, Tile, Trace};
use crate::summary::{Number, Summary};
use crate::tasks::run::{Poison, Run};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::runtime::tile::{self, Cut, Traced};
use jumar::runtime::Element;

/// Traces a kernel in canonical form, whose text gives the names by line.
///
/// # Errors
/// If the interpreter stops.
pub fn trace(run: &Run<'_>, kernel: &CheckedKernel, text: &str) -> Result<Trace, String> {
    let interpreter = tile::Tile::new(Cut::Whole, false).traced();
    let after = run
        .launch(kernel, Some(&interpreter), Poison::High)
        .map_err(|halt| halt.why)?;
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for (name, is, before, after) in run.tensors(&after) {
        if is.read() {
            inputs.push(Tensor {
                name: name.clone(),
                summary: Summary::of(before),
            });
        }
        if is.written() {
            outputs.push(Tensor {
                name,
                summary: Summary::of(after),
            });
        }
    }
    Ok(Trace {
        case: run.name.clone(),
        inputs,
        tiles: named(&interpreter.trace(), text),
        outputs,
    })
}

/// Names the tiles of each line. A call of a function makes several tiles on its line, and the last
/// ones are its results.
fn named(all: &[Traced], text: &str) -> Vec<Tile> {
    let mut tiles = Vec::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        let names = defined(line);
        let own: Vec<&Traced> = all.iter().filter(|traced| traced.line == number).collect();
        let results = own.len().saturating_sub(names.len());
        tiles.extend(
            names
                .iter()
                .zip(&own[results..])
                .map(|(name, traced)| summed_up(name, traced)),
        );
    }
    tiles
}

/// Returns the names that a line defines or changes.
fn defined(line: &str) -> Vec<&str> {
    let line = line.trim_start();
    let (line, is_new) = match line.strip_prefix("let ") {
        Some(rest) => (rest.strip_prefix("mut ").unwrap_or(rest), true),
        None => (line, false),
    };
    let Some((left, _)) = line
        .split_once(" = ")
        .or_else(|| line.split_once("= ").filter(|_| !is_new))
    else {
        return Vec::new();
    };
    let names = left.trim_matches(['(', ')']).split(", ");
    let word = |name: &'_ str| -> bool {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    names
        .map(|name| name.trim_end_matches([' ', '+', '-', '*', '/']))
        .filter(|name| word(name))
        .collect()
}

fn summed_up(name: &str, traced: &Traced) -> Tile {
    let number = |element: &Element| match element {
        Element::Float(v) => Number::of(f64::from(*v), DType::F32),
        Element::Whole(v) => Number::Finite(*v as f64),
        Element::Nothing => Number::Word("nothing".to_string()),
    };
    let (axes, shape) = traced.axes.iter().cloned().unzip();
    let summary = Summary {
        dtype: traced.dtype.to_string(),
        shape,
        first: traced.first.iter().map(number).collect(),
        hash: format!("{:016x}", traced.hash),
    };
    Tile {
        name: name.to_string(),
        line: traced.line,
        axes,
        summary,
        times: traced.times,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_defines_its_names() {
        for (line, want) in [
            ("        let v0 = h0.cast::<f32>();", vec!["v0"]),
            ("    let mut c0 = full::<f32>((), 0.0);", vec!["c0"]),
            ("    c0 = c1;", vec!["c0"]),
            ("    c0 += v1;", vec!["c0"]),
            ("    let (v3, k0) = v2.topk(a1, 4);", vec!["v3", "k0"]),
            ("    y0.at(t0, ..).store(h1);", vec![]),
            ("    for t0 in tiles(a0) {", vec![]),
            ("    if n0 <= 4 {", vec![]),
        ] {
            assert_eq!(defined(line), want, "{line}");
        }
    }
}
