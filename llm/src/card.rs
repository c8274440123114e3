//! The op card: what a prompt says of the language, in as many tokens as there are for it.
//!
//! Ops and functions come from their tables, with what they do to the axes of a tile; kernels to learn from are answers of tasks, of one category where one is
//! asked for, and never of the task that is to be solved. What does not fit is left out from the end: kernels first, then examples, then what ops mean.

use crate::eval::all_tasks;
use crate::tasks::corpus::Task;
use jumar::dsl::dtype::DType;
use jumar::dsl::library::{Function, Takes, FUNCTIONS};
use jumar::dsl::ops::{BitOp, LayoutOp, Op, OpDef, ShiftOp};
use jumar::dsl::soc::Arch;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What is asked of a card.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Tokens that it may have, as [`tokens`] counts them.
    pub tokens: usize,
    /// These ops alone; all where there is none.
    pub ops: BTreeSet<String>,
    /// Kernels of this category alone, as headers of tasks name it.
    pub category: Option<String>,
    /// The task that is to be solved, `bench/name`, whose answer is not shown.
    pub without: Option<String>,
}

/// Why there is no such card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CardError {
    /// An op that no tile has.
    #[error("`{0}` is no op of a tile")]
    NoOp(String),
    /// A category that no task has.
    #[error("no task is of the category `{0}`")]
    NoCategory(String),
    /// Not even the rules fit.
    #[error("a card has {least} tokens at least, {found} are asked for")]
    TooFew {
        /// What is asked for.
        found: usize,
        /// What the rules take.
        least: usize,
    },
}

/// The form of a kernel; its example is checked and run by the tests.
const RULES: &str = "\
# jumar: Ascend NPU kernels in Rust

```rust
use jumar::prelude::*;

#[kernel]
pub fn softmax<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let e = (v - v.amax(d)).exp();
        y.at(r, ..).store((e / e.sum(d)).cast::<T>());
    }
}
```

- `#[shape(n.., d)]` names axes; one name is one size everywhere, `n..` any number of axes. A tensor without it has the shape of the first one.
- `tiles(n)` cuts an axis into tiles, `each(n)` into single indices, `tiles((each(b), d))` several axes, `tiles(x)` all elements. Outermost loops are divided among the cores.
- `x.at(r, ..)` has one index an axis: the variable of a loop, `..` for all, a number, a tile of indices, or what is computed of one, `t * 2 + 1`. `.load()`, `.load_or(0.0)`, `.store(v)`, `.atomic_add(v)`.
- Operands are lined up by the names of their axes; a reduction names the axis that goes, `v.sum(d)`; `v.expand(d)` repeats.
- Compute in f32: `.cast::<f32>()`, and back `.cast::<T>()`. Both operands have one element type.
- Values kept over turns: `let mut s = full::<f32>(d, 0.0);` before the loop, `s += ..` in it; over all cores `across_cores::<f32>((), 0.0)`.
- Attributes are parameters, `#[default(1e-5)] eps: f32`, `k: usize`; facts of the host stand first, `require(d >= 1);`; `new_axis(k)` makes an axis.
";

/// The forms besides loads, ops and stores; each stands in a kernel of the tests.
pub const FORMS: &str = "
## Forms

- Indices that are data: `#[index(m)] ids: &GlobalTensor<i32>` promises 0 to m - 1. `table.at(ids.at(r).load(), ..).load()` gathers rows; `y.at(ids.at(r).load(), ..).store_disjoint(v)` where no two indices are alike, `.atomic_add(v)` where they may be.
- One number of data, in `for i in each(n)`: `let s = slots.at(i).load().scalar();`, then `if s >= 0`, `for j in 0..s`, `x.at(s as usize, ..)`; what nothing proves is promised, `assume(0 <= s && (s as usize) < m);`, or clamped.
- Left out perhaps: `w: Option<&GlobalTensor<T>>`, read as `w.or_full(1.0).at(..).load()`, or `if let Some(w) = w { .. }`. An output that is read, too, is `#[inplace]`.
- Parts of an axis of `2 * m`: `x.at(r, m.indices() + m)` its second half, `x.at(r, t + 0)` its first elements; `let rest = new_axis(m..d);`. Other axes of the same elements: `x.view((n, h, m))`.
- Indices as numbers: `d.iota()`, `t.iota()`, `n.iota().expand(d)` of i32, compared and computed with.
- Chosen elements: `v.pick(d, ids)`, `v.pick(d, 0)`; `let (best, at) = v.topk(d, k);` with `let k = new_axis(8);`; `v.sort(d)`, `v.argsort(d)`, `v.cumsum(d)`, `v.cumprod(d)`.
- `y.append(v, mask)` packs elements, `y.appended()` counts them. `workspace::<f32>((n, d))` keeps tiles from one loop to the next.
- Other conversions: `v.cast_with::<i32>(RoundMode::Floor)`, `v.cast_trunc::<i32>()`, `.wide()` to f32 of 16-bit floats, `v.reinterpret_cast::<i32>()`.
- Conditions on sizes, attributes and numbers of data: `if k > 1 { .. } else { .. }` around loops, in them, and as a value.
";

/// An op or function of tiles as the card lists it.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// How it is called, and what it does to the axes of a tile.
    pub signature: String,
    /// Element types that it takes.
    pub types: String,
    /// What it means.
    pub doc: &'static str,
    /// A line that uses it.
    pub example: &'static str,
}

/// Every op and function of a tile.
pub fn entries() -> Vec<Entry> {
    let ops = Op::all().filter_map(|def| Some((def, signature(def)?)));
    let ops = ops.map(|(def, signature)| {
        let names: Vec<&str> = def
            .dtypes(Arch::V220)
            .iter()
            .copied()
            .map(DType::name)
            .collect();
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

/// How a tile is asked for it; nothing for an op of the queue level.
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

/// How many tokens of a language model a text has, about and rather too many: five letters, a digit, a sign or a line each.
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

/// How much of an op is said.
#[derive(Clone, Copy)]
enum Detail {
    Example,
    Doc,
    Signature,
    Name,
}

/// The card.
///
/// # Errors
/// [`CardError`] for names that are none, and where not even the rules fit.
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
    let wanted: Vec<&Entry> = all
        .iter()
        .filter(|e| asked.ops.is_empty() || asked.ops.contains(e.name))
        .collect();
    let least = tokens(RULES);
    if least > asked.tokens {
        return Err(CardError::TooFew {
            found: asked.tokens,
            least,
        });
    }
    // Forms take a third at most.
    let has_forms = asked.tokens >= 3 * tokens(FORMS);
    let rules = if has_forms {
        format!("{RULES}{FORMS}")
    } else {
        RULES.to_string()
    };
    let least = tokens(&rules);
    // A third is for kernels, where the ops leave it.
    let for_ops = least + (asked.tokens - least) * 2 / 3;
    let details = [
        (Detail::Example, for_ops),
        (Detail::Doc, for_ops),
        (Detail::Signature, for_ops),
        (Detail::Name, asked.tokens),
    ];
    let said = |detail: Detail| format!("{rules}{}", ops(&wanted, detail));
    let mut text = details
        .into_iter()
        .map(|(detail, most)| (said(detail), most))
        .find(|(text, most)| tokens(text) <= *most)
        .map_or_else(|| rules.clone(), |(text, _)| text);
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

fn ops(entries: &[&Entry], detail: Detail) -> String {
    let mut out =
        String::from("\n## Ops of tiles\n\n`S` is the set of axes of `v`; `w` is a tile with some of them, or a number.\n\n");
    if let Detail::Name = detail {
        let names: Vec<&str> = entries.iter().map(|e| e.name).collect();
        let _ = writeln!(out, "{}", names.join(" "));
        return out;
    }
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

/// Kernels to learn from, the shortest of each category first.
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
