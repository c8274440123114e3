//! The op card: a description of the language for a prompt, within a budget of tokens.
//!
//! A card has three sources:
//!
//! - lines on the language, each with an example, from `card/lines.toml`;
//! - ops and functions of tiles from their tables, if the caller names some;
//! - answers of tasks as kernels to learn from, of one category if one is asked for, and never of
//!   the task to solve.
//!
//! Lines have ranks. A card takes them by rank, as many as fit, and prints them in their order.
//! Kernels fill the rest. Start reading at [`card`].

mod lines;

pub use lines::{lines, Line};

use crate::eval::all_tasks;
use crate::tasks::corpus::Task;
use jumar::dsl::dtype::DType;
use jumar::dsl::library::{Function, Takes, FUNCTIONS};
use jumar::dsl::ops::{is_composed, BitOp, LayoutOp, Op, OpDef, ShiftOp};
use jumar::dsl::soc::Arch;
use lines::{heading, LAST, OPS};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The request for a card.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The limit in tokens, as [`tokens`] counts them.
    pub tokens: usize,
    /// Only these ops; all if there are none.
    pub ops: BTreeSet<String>,
    /// Only kernels of this category, as headers of tasks name it.
    pub category: Option<String>,
    /// The task to solve, `bench/name`, whose answer is not shown.
    pub without: Option<String>,
}

/// The reason why there is no such card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CardError {
    /// An op that no tile has.
    #[error("`{0}` is no op of a tile")]
    NoOp(String),
    /// A category that no task has.
    #[error("no task is of the category `{0}`")]
    NoCategory(String),
    /// A limit below the shortest card.
    #[error("a card has {least} tokens at least, {found} are asked for")]
    TooFew {
        /// The limit that was asked for.
        found: usize,
        /// The length of the shortest card.
        least: usize,
    },
}

/// The beginning of every card: the form of a kernel.
const FORM: &str = "\
# jumar: Ascend NPU kernels in Rust

```rust
use jumar::prelude::*;

#[kernel]
pub fn softmax<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().wide();
        let e = (v - v.amax(d)).exp();
        y.at(r, ..).store((e / e.sum(d)).cast::<T>());
    }
}
```
";

/// From so many tokens on a card keeps some of them for kernels.
const KERNELS_FROM: usize = 2000;

/// An op or function of tiles.
pub struct Entry {
    pub name: &'static str,
    /// Its call, with its effect on the axes of a tile.
    pub signature: String,
    /// The element types that it takes.
    pub types: String,
    pub doc: &'static str,
    /// A line that uses it.
    pub example: &'static str,
}

/// Returns every op and function of a tile.
pub fn entries() -> Vec<Entry> {
    let ops = Op::all().filter_map(|def| Some((def, signature(def)?)));
    let ops = ops.map(|(def, signature)| {
        let names: Vec<&str> = element_types(def.op).map(DType::name).collect();
        Entry {
            name: def.name,
            signature,
            types: names.join(" "),
            doc: def.doc,
            example: def.example,
        }
    });
    let functions = FUNCTIONS.iter().map(|f| Entry {
        name: f.name,
        signature: function(f),
        types: f.set.to_string(),
        doc: f.doc,
        example: f.example,
    });
    ops.chain(functions).collect()
}

/// Returns the element types of tiles that an op takes on Atlas A2 and A3: those of its
/// instruction, and those for which the lowering composes it of others.
pub fn element_types(op: Op) -> impl Iterator<Item = DType> {
    let own = op.def().dtypes(Arch::V220);
    // Elements of a bool tensor become a mask, which has no element type.
    let composed =
        move |dtype: &DType| *dtype != DType::Bool && is_composed(op, *dtype, Arch::V220);
    let others = DType::ALL.into_iter().filter(composed);
    own.iter().copied().chain(others)
}

/// Returns the call of an op on a tile, or nothing for an op of the queue level.
fn signature(def: &OpDef) -> Option<String> {
    let name = def.name;
    let sign = |sign: &str| Some(format!("v {sign} w: S, part of S -> S"));
    match def.op {
        Op::Binary(_) => match name {
            "add" => sign("+"),
            "sub" => sign("-"),
            "mul" => sign("*"),
            "div" => sign("/"),
            _ => Some(format!("v.{name}(w): S, part of S -> S")),
        },
        Op::Unary(_) if name == "neg" => Some("-v: S -> S".to_string()),
        Op::Unary(_) => Some(format!("v.{name}(): S -> S")),
        Op::Compare(_) => Some(format!("v.{name}(w): S, part of S -> mask of S")),
        Op::AxisReduce(op) if op.is_place() => Some(format!("v.{name}(d): S -> i32 of S - d")),
        Op::AxisReduce(_) => Some(format!(
            "v.{name}(d), v.{name}((a, d)), v.{name}(..): S -> S - d"
        )),
        Op::Layout(LayoutOp::Select) => {
            Some("m.select(a, b): mask of S, parts of S -> S".to_string())
        }
        Op::Layout(LayoutOp::Cast) => Some("v.cast::<U>(): S -> S".to_string()),
        Op::Bit(BitOp::And) => sign("&"),
        Op::Bit(BitOp::Or) => sign("|"),
        Op::Bit(BitOp::Not) => Some("!v: S -> S".to_string()),
        Op::Shift(ShiftOp::Left) => Some("v << 3: S -> S".to_string()),
        Op::Shift(ShiftOp::Right) => Some("v >> 3: S -> S".to_string()),
        Op::Layout(_)
        | Op::BinaryScalar(_)
        | Op::CompareScalar(_)
        | Op::Reduce(_)
        | Op::Mask(_)
        | Op::Compound(_)
        | Op::Scan(_)
        | Op::Partial(_)
        | Op::Copy(_)
        | Op::Scalar(_) => None,
    }
}

fn function(f: &Function) -> String {
    let args: Vec<String> = f
        .args
        .iter()
        .map(|(name, takes)| match takes {
            Takes::Number => format!("{name}: f32"),
            Takes::Tile => (*name).to_string(),
        })
        .collect();
    format!(
        "v.{}({}): S -> {}S",
        f.name,
        args.join(", "),
        if f.gives_mask { "mask of " } else { "" }
    )
}

/// Returns about how many tokens a text has for a language model, rather too many. Five letters, a
/// digit, a sign or the end of a line are one each.
pub fn tokens(text: &str) -> usize {
    let (mut count, mut letters) = (0, 0usize);
    for c in text.chars() {
        if c.is_alphabetic() || c == '_' {
            letters += 1;
            continue;
        }
        count += letters.div_ceil(5);
        letters = 0;
        count += usize::from(c != ' ');
    }
    count + letters.div_ceil(5)
}

/// A chosen set of lines, with the length of its text.
struct Choice {
    /// Indices of the lines.
    chosen: BTreeSet<usize>,
    /// Their parts, whose headings count, too.
    parts: BTreeSet<&'static str>,
    tokens: usize,
}

impl Choice {
    /// Begins with the lines that every card has.
    fn least() -> Choice {
        let mut own = Choice {
            chosen: BTreeSet::new(),
            parts: BTreeSet::new(),
            tokens: tokens(FORM),
        };
        own.take(usize::MAX, |line| line.rank == 0);
        own
    }

    /// Takes lines in their order, those that fit in `most` tokens.
    fn take(&mut self, most: usize, wanted: impl Fn(&Line) -> bool) {
        for (at, line) in lines().iter().enumerate() {
            if !wanted(line) || self.chosen.contains(&at) {
                continue;
            }
            let is_first = !self.parts.contains(line.part.as_str());
            let above = if is_first {
                tokens(&heading(&line.part))
            } else {
                0
            };
            let takes = above + tokens(&line.text());
            if self.tokens + takes <= most {
                self.chosen.insert(at);
                self.parts.insert(line.part.as_str());
                self.tokens += takes;
            }
        }
    }

    fn text(&self) -> String {
        let mut out = FORM.to_string();
        let mut part = "";
        for line in self.chosen.iter().map(|at| &lines()[*at]) {
            if line.part != part {
                part = &line.part;
                out += &heading(part);
            }
            out += &line.text();
        }
        out
    }
}

/// The detail in which an op is explained.
#[derive(Clone, Copy)]
enum Detail {
    Example,
    Doc,
    Signature,
    Name,
}

/// Returns the card.
///
/// # Errors
/// [`CardError`] for unknown names, and for a limit below the shortest card.
pub fn card(asked: &Asked) -> Result<String, CardError> {
    let all = entries();
    if let Some(unknown) = asked
        .ops
        .iter()
        .find(|op| !all.iter().any(|e| e.name == op.as_str()))
    {
        return Err(CardError::NoOp(unknown.clone()));
    }
    let kernels = kernels(asked)?;
    let mut choice = Choice::least();
    if choice.tokens > asked.tokens {
        return Err(CardError::TooFew {
            found: asked.tokens,
            least: choice.tokens,
        });
    }
    let ops = ops(asked, &all, &choice);
    let has_lines = ops.is_none();
    let ops = ops.unwrap_or_default();
    let wanted = |line: &Line| has_lines || line.part != OPS;
    choice.tokens += tokens(&ops);

    let mut whole = Choice::least();
    whole.take(usize::MAX, wanted);
    let most = match asked.tokens {
        tokens if tokens < KERNELS_FROM || tokens >= whole.tokens => tokens,
        // An eighth is for kernels until all lines fit.
        tokens => tokens - tokens / 8,
    };
    for rank in 0..=LAST {
        choice.take(most, |line| {
            line.rank == rank && line.part == OPS && has_lines
        });
        choice.take(most, |line| line.rank == rank && wanted(line));
    }
    let mut text = choice.text() + &ops;
    let mut left = asked.tokens - tokens(&text);
    for kernel in kernels {
        let takes = tokens(&kernel);
        if takes <= left {
            text.push_str(&kernel);
            left -= takes;
        }
    }
    Ok(text)
}

/// Returns the part on ops, or nothing if the lines on ops have room.
///
/// Ops that the caller names have a line each, in the largest detail that fits in two thirds of
/// the tokens. If the lines on all ops do not fit there, a list of names stands in their place.
fn ops(asked: &Asked, all: &[Entry], least: &Choice) -> Option<String> {
    let room = least.tokens + (asked.tokens - least.tokens) * 2 / 3;
    let wanted: Vec<&Entry> = all
        .iter()
        .filter(|e| asked.ops.is_empty() || asked.ops.contains(e.name))
        .collect();
    let said = |detail: Detail| listed(&wanted, detail);
    let fits = |text: &String, most: usize| least.tokens + tokens(text) <= most;
    if asked.ops.is_empty() {
        let mut lines = Choice::least();
        lines.take(usize::MAX, |line| {
            line.rank <= 1 || line.rank < LAST && line.part == OPS
        });
        if lines.tokens <= room {
            return None;
        }
    } else {
        let details = [Detail::Example, Detail::Doc, Detail::Signature];
        if let Some(text) = details.into_iter().map(said).find(|text| fits(text, room)) {
            return Some(text);
        }
    }
    Some(said(Detail::Name))
        .filter(|text| fits(text, asked.tokens))
        .or(Some(String::new()))
}

fn listed(entries: &[&Entry], detail: Detail) -> String {
    let mut out = heading(OPS);
    if let Detail::Name = detail {
        // A signature that begins with a sign is that of an operator: `v + w: S, part of S -> S`.
        let sign = |e: &Entry| {
            let call = e.signature.split(':').next().unwrap_or_default();
            let has_name = call.contains('.');
            let is_sign = |c: &char| !c.is_alphanumeric() && *c != ' ';
            (!has_name).then(|| call.chars().filter(is_sign).collect::<String>())
        };
        let mut signs: Vec<String> = Vec::new();
        for own in entries.iter().filter_map(|e| sign(e)) {
            if !signs.contains(&own) {
                signs.push(own);
            }
        }
        let names = entries.iter().filter(|e| sign(e).is_none()).map(|e| e.name);
        let names: Vec<&str> = names.collect();
        if !signs.is_empty() {
            let _ = writeln!(out, "- Operators: `{}`", signs.join(" "));
        }
        if !names.is_empty() {
            let _ = writeln!(out, "- Methods: `{}`", names.join(" "));
        }
        return out;
    }
    out += "`S` is the set of axes of `v`; `w` is a tile with some of them, or a number.\n\n";
    for e in entries {
        let _ = match detail {
            Detail::Example => {
                writeln!(
                    out,
                    "- `{}` of {}. {} `{}`",
                    e.signature, e.types, e.doc, e.example
                )
            }
            Detail::Doc => writeln!(out, "- `{}` of {}. {}", e.signature, e.types, e.doc),
            Detail::Signature | Detail::Name => writeln!(out, "- `{}`", e.signature),
        };
    }
    out
}

/// Returns kernels to learn from, the shortest of each category first.
fn kernels(asked: &Asked) -> Result<Vec<String>, CardError> {
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let of = |task: &&Task| {
        asked
            .category
            .as_ref()
            .is_none_or(|category| same(category, &task.category))
    };
    if let (Some(category), false) = (&asked.category, all_tasks().values().any(|task| of(&task))) {
        return Err(CardError::NoCategory(category.clone()));
    }
    let is_other = |task: &&Task| {
        asked
            .without
            .as_ref()
            .is_none_or(|without| *without != format!("{}/{}", task.bench, task.stem))
    };
    let mut found: Vec<&Task> = all_tasks().values().filter(of).filter(is_other).collect();
    found.sort_by_key(|task| (tokens(task.answer()), task.stem.clone()));
    let mut seen: Vec<(String, usize)> = Vec::new();
    let mut ranked: Vec<(usize, &Task)> = Vec::new();
    for task in found {
        let category = task.category.to_ascii_lowercase();
        let nth = match seen.iter_mut().find(|(own, _)| *own == category) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                seen.push((category, 0));
                0
            }
        };
        ranked.push((nth, task));
    }
    ranked.sort_by_key(|(nth, _)| *nth);
    let shown = |(_, task): (usize, &Task)| {
        format!(
            "\n## {}\n\n{}\n\n```rust\n{}\n```\n",
            task.name,
            task.does,
            task.answer().trim()
        )
    };
    Ok(ranked.into_iter().map(shown).collect())
}
