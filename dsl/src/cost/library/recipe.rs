//! Recipes: the steps of a function as text.
//!
//! ```text
//! Cast a x; (Mul a a b; Adds a a;)*3 Muls y a, Duplicate b;
//! ```
//!
//! A step is an instruction and its operands, the one that is written first. A semicolon is a
//! barrier of the vector unit; a comma is none. A group is repeated, `*T` as often as the call
//! asks.
//!
//! `y` is the destination, `x` and `w` are sources, `v` is the source without the place of the
//! piece. Other letters are tensors in temporary space. Their elements have 4 bytes, `h` makes it 2
//! and `b` 1. `m` marks bits of a mask, `-` is no destination. `And/16` works on one element for 16
//! of the call, `Compare!` on whole repeats.

use super::steps::{Steps, Tensor, View, BLOCKS};
use super::Unknown;

/// The values that the letters of a recipe stand for.
pub(super) struct Letters<'a> {
    /// Finds a tensor.
    pub tensor: &'a dyn Fn(char) -> Option<Tensor>,
    /// Elements of the piece.
    pub count: u32,
    /// Times of a group that the call repeats.
    pub times: u32,
}

/// Adds the steps of a recipe.
pub(super) fn issue(
    text: &str,
    letters: &Letters<'_>,
    steps: &mut Steps<'_>,
) -> Result<(), Unknown> {
    let mut rest = text.trim();
    while !rest.is_empty() {
        rest = match rest.strip_prefix('(') {
            Some(group) => repeated(group, letters, steps)?,
            None => step(rest, letters, steps)?,
        }
        .trim_start();
    }
    Ok(())
}

fn wrong(text: &str) -> Unknown {
    Unknown::Step(text.to_string())
}

/// Adds a group, and returns the text behind it.
fn repeated<'t>(
    text: &'t str,
    letters: &Letters<'_>,
    steps: &mut Steps<'_>,
) -> Result<&'t str, Unknown> {
    let (group, rest) = text.split_once(")*").ok_or_else(|| wrong(text))?;
    let (times, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let times = match times {
        "T" => letters.times,
        number => number.parse().map_err(|_| wrong(number))?,
    };
    for _ in 0..times {
        issue(group, letters, steps)?;
    }
    Ok(rest)
}

/// Adds an instruction with the barrier behind it, and returns the rest of the text.
fn step<'t>(
    text: &'t str,
    letters: &Letters<'_>,
    steps: &mut Steps<'_>,
) -> Result<&'t str, Unknown> {
    let end = text.find([';', ',']).ok_or_else(|| wrong(text))?;
    let mut words = text[..end].split_whitespace();
    if let Some(op) = words.next() {
        let (op, part) = match op.split_once('/') {
            Some((op, part)) => (op, part.parse().map_err(|_| wrong(op))?),
            None => (op, 1),
        };
        let operands: Vec<Option<View>> = words
            .map(|word| operand(word, letters))
            .collect::<Result<_, _>>()?;
        let [dst, srcs @ ..] = &operands[..] else {
            return Err(wrong(text));
        };
        let srcs: Option<Vec<View>> = srcs.iter().copied().collect();
        let srcs = &srcs.ok_or_else(|| wrong(text))?;
        let count = letters.count.div_ceil(part);
        match op.strip_suffix('!') {
            Some(op) => steps.whole(op, count, *dst, srcs),
            None => steps.counted(op, count, *dst, srcs),
        }
    }
    if text[end..].starts_with(';') {
        steps.barrier();
    }
    Ok(&text[end + 1..])
}

fn operand(word: &str, letters: &Letters<'_>) -> Result<Option<View>, Unknown> {
    if word == "-" {
        return Ok(None);
    }
    let mut chars = word.chars();
    let (letter, kind) = (chars.next(), chars.next());
    let tensor = letter.and_then(letters.tensor).ok_or_else(|| wrong(word))?;
    Ok(Some(match kind {
        None => tensor.into(),
        Some('b') => tensor.sized(1).into(),
        Some('h') => tensor.sized(2).into(),
        Some('m') => tensor.sized(1).steps(1, BLOCKS),
        Some(_) => return Err(wrong(word)),
    }))
}
