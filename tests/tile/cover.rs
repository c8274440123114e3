//! Counts of the constructs in the kernels of a run; no count may be zero.

use jumar::dsl::dtype::{cast_modes, DType};
use jumar::dsl::ops::{LayoutOp, Op};
use jumar::dsl::soc::Arch;
use std::collections::BTreeMap;

/// Number of occurrences of each construct.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    counts: BTreeMap<String, usize>,
}

impl Cover {
    pub fn note(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }

    pub fn add(&mut self, other: &Cover) {
        for (what, n) in &other.counts {
            *self.counts.entry(what.clone()).or_default() += n;
        }
    }

    /// Returns the constructs that a long run needs and this one lacks.
    pub fn missing(&self) -> Vec<String> {
        wanted()
            .into_iter()
            .filter(|what| !self.counts.contains_key(what))
            .collect()
    }

    /// Returns the entries of some lists that did not occur.
    pub fn lacks(&self, lists: &[(&str, &[&str])]) -> Vec<String> {
        named(lists)
            .filter(|what| !self.counts.contains_key(what))
            .collect()
    }

    /// Prints the counts.
    pub fn table(&self) -> String {
        self.counts
            .iter()
            .map(|(what, n)| format!("{n:>7}  {what}\n"))
            .collect()
    }
}

fn named<'a>(lists: &'a [(&str, &[&str])]) -> impl Iterator<Item = String> + 'a {
    lists
        .iter()
        .flat_map(|(group, list)| list.iter().map(move |what| format!("{group} {what}")))
}

/// Returns all constructs that are counted; ops, element types and round modes come from their
/// tables.
fn wanted() -> Vec<String> {
    let mut all: Vec<String> = named(LISTS).collect();
    for def in Op::all() {
        let tile = matches!(
            def.op,
            Op::Binary(_) | Op::Unary(_) | Op::Compare(_) | Op::AxisReduce(_)
        ) || def.op == Op::Layout(LayoutOp::Select);
        for dtype in def
            .v220
            .iter()
            .filter(|d| tile && (is_drawn(**d) || **d == DType::Bits))
        {
            all.push(format!("op {} {dtype}", def.name));
        }
    }
    for (from, to) in pairs() {
        all.extend(
            cast_modes(Arch::V220, from, to)
                .iter()
                .map(|mode| format!("cast_with {from} {to} {}", mode.name())),
        );
        if from == to || !cast_modes(Arch::V220, from, to).is_empty() {
            all.push(format!("cast {from} {to}"));
            all.push(format!("cast_trunc {from} {to}"));
        }
    }
    all
}

/// True for element types with which these kernels compute. `tests/whole.rs` and the op rows cover
/// `i16`.
fn is_drawn(dtype: DType) -> bool {
    dtype.is_float() || dtype == DType::I32
}

fn pairs() -> impl Iterator<Item = (DType, DType)> {
    let tensors = || DType::ALL.into_iter().filter(|d| is_drawn(*d));
    tensors().flat_map(move |from| tensors().map(move |to| (from, to)))
}

const LISTS: &[(&str, &[&str])] = &[
    ("walk", &["elements", "rows", "columns", "columns twice"]),
    (
        "statement",
        &[
            "let tile",
            "let mut tile",
            "set tile",
            "set tile op",
            "store",
            "let scalar",
            "let mut scalar",
            "set scalar",
        ],
    ),
    (
        "statement",
        &[
            "set scalar op",
            "tuple",
            "const",
            "call",
            "for",
            "if",
            "else",
            "else if",
            "merge",
            "shadow",
            "ascribed",
        ],
    ),
    (
        "before",
        &[
            "let scalar",
            "let mut scalar",
            "set scalar",
            "set scalar op",
            "const",
            "tuple",
            "for",
            "if",
        ],
    ),
    (
        "after",
        &["let scalar", "let mut scalar", "set scalar", "for", "if"],
    ),
    ("in columns", &["let tile", "store", "if", "for"]),
    ("around columns", &["before", "between", "after"]),
    (
        "override",
        &[
            "size",
            "size of rows",
            "size of columns",
            "buffer_num",
            "block_dim",
            "literal",
            "expression",
        ],
    ),
    (
        "axes",
        &[
            "1",
            "2",
            "3",
            "4",
            "many",
            "expression",
            "no shape",
            "inherited",
        ],
    ),
    (
        "form",
        &[
            "tile + tile",
            "tile + row",
            "tile + col",
            "row + tile",
            "col + tile",
            "row + row",
        ],
    ),
    (
        "form",
        &[
            "col + col",
            "tile + scalar",
            "row + scalar",
            "col + scalar",
            "scalar + tile",
            "scalar + row",
            "scalar + col",
        ],
    ),
    (
        "compare",
        &[
            "tile tile",
            "tile col",
            "col tile",
            "tile row",
            "row tile",
            "tile scalar",
            "col scalar",
            "row scalar",
            "mask let",
        ],
    ),
    (
        "select",
        &[
            "tile",
            "scalar",
            "broadcast first",
            "broadcast second",
            "broadcast mask",
        ],
    ),
    ("value", &["iota tile", "iota row", "iota col"]),
    (
        "value",
        &[
            "load",
            "load row",
            "load col",
            "full",
            "full col",
            "full::<>",
            "full col::<>",
            "expand",
            "nested",
            "helper",
        ],
    ),
    (
        "store",
        &[
            "tile",
            "col",
            "inplace",
            "twice",
            "two tensors",
            "then loaded",
            "under if",
        ],
    ),
    (
        "scalar",
        &[
            "const", "host", "block", "f32", "i32", "usize", "bool", "if", "cast", "sqrt", "min",
            "max", "div_ceil",
        ],
    ),
    (
        "scalar",
        &[
            "next_multiple_of",
            "size_of",
            "axis",
            "len",
            "attribute",
            "loop variable",
            "extent",
            "neg",
            "not",
            "&&",
            "||",
        ],
    ),
    ("scalar", &["+", "-", "*", "/", "%", "constant", "limit"]),
    (
        "attribute",
        &["f32", "i32", "usize", "bool", "default", "left out"],
    ),
    (
        "generic",
        &[
            "none",
            "Float",
            "Int",
            "Number",
            "two",
            "instances",
            "mixed",
            "wide",
        ],
    ),
    (
        "module",
        &[
            "mod",
            "const",
            "helper tile",
            "helper generic",
            "helper nested",
            "helper mut",
            "helper scalar",
            "helper mask",
        ],
    ),
    (
        "module",
        &[
            "helper mut scalar",
            "helper nothing",
            "helper turbofish",
            "helper same",
            "helper copy",
        ],
    ),
    ("require", &["axis", "attribute"]),
    ("chip", &["ascend910b1", "ascend910b4", "ascend310p"]),
    ("data", &["exact", "any"]),
    ("rows", &["empty", "one", "few", "many", "long"]),
];
