//! The cost class of an instruction, by its name.
//!
//! Instructions of the catalogue have their own. Others take the class of the one that works most
//! like them, since no figure of them was published.

use crate::ops::{Cost, LayoutOp, Op};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Instructions without a row in the catalogue: name, the row whose class counts, and the reason.
const NEAREST: &[(&str, &str, &str)] = &[
    (
        "ArithProgression",
        "CreateVecIndex",
        "both begin with the scalar unit and go on by Adds",
    ),
    ("CastDequant", "CastDeq", "it is the same instruction"),
    (
        "Compares",
        "CompareScalar",
        "it is the name of a later release",
    ),
    ("GetCmpMask", "Copy", "it moves 16 bytes"),
    (
        "Mean",
        "WholeReduceSum",
        "its sums are reductions of repeats",
    ),
    (
        "MrgSort4",
        "MrgSort",
        "it is the name of an earlier release",
    ),
    (
        "MulAddRelu",
        "FusedMulAddRelu",
        "it is the name of a later release",
    ),
    (
        "ProposalConcat",
        "Copy",
        "it moves elements to other places",
    ),
    (
        "ProposalExtract",
        "GatherMask",
        "it takes some elements of many",
    ),
    ("RpSort16", "Sort32", "it sorts elements of a repeat"),
    (
        "Scatter",
        "Gather",
        "it moves each element to a place of its own",
    ),
    ("SetCmpMask", "Copy", "it moves 16 bytes"),
    (
        "Sum",
        "WholeReduceSum",
        "its sums are reductions of repeats",
    ),
    ("TransDataTo5HD", "Copy", "it moves 16 data blocks"),
    ("vcadd", "WholeReduceSum", "it is the instruction itself"),
    ("Transpose", "Copy", "it moves 16 data blocks"),
];

/// Returns the cost class of an instruction, and the number of its sources.
pub fn class(name: &str) -> Option<(Cost, usize)> {
    static ROWS: OnceLock<BTreeMap<&'static str, (Cost, usize)>> = OnceLock::new();
    let rows = ROWS.get_or_init(|| {
        let mut rows = BTreeMap::new();
        // These are printed as functions of several calls.
        let is_one = |op: Op| {
            !matches!(
                op,
                Op::Layout(LayoutOp::Top) | Op::Scan(_) | Op::AxisReduce(_)
            )
        };
        for def in Op::all().filter(|def| is_one(def.op)) {
            let class = (def.cost, def.contract.sources());
            rows.entry(def.ascendc).or_insert(class);
        }
        rows
    });
    let nearest = NEAREST.iter().find(|(own, ..)| *own == name);
    rows.get(nearest.map_or(name, |(_, row, _)| row)).copied()
}
