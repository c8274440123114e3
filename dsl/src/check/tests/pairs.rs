//! Pairs of kernels, one wrong and one correct, that differ only in the point of the test.
//!
//! A row holds both kernels: text in `[-..-]` belongs to the wrong one only, text in `{+..+}` to
//! the correct one. Marks `//^ J0301` say where the wrong one is wrong; the correct one is clean.
//! `(*9: text *)` is nine times `text`, in which `%` is the number of the copy. Each code of these
//! phases has at least three rows of different shape.

mod cover;
mod cut;
mod j01;
mod j02;
mod j03;
mod j04;
mod j05;
mod j06;
mod j09;
mod lanes;
mod partial;

use super::*;
use crate::diag::{changed, Applicability, Change};
use std::collections::{BTreeMap, BTreeSet};

/// Rows that share a frame and a chip.
struct Table {
    chip: &'static str,
    frame: fn(&str) -> String,
    rows: &'static [&'static str],
}

const B1: &str = "ascend910b1";
const P3: &str = "ascend310p";

const TABLES: [&[Table]; 11] = [
    cover::TABLES,
    cut::TABLES,
    j01::TABLES,
    j02::TABLES,
    j03::TABLES,
    j04::TABLES,
    j05::TABLES,
    j06::TABLES,
    j09::TABLES,
    lanes::TABLES,
    partial::TABLES,
];

/// Returns a row that is a whole file.
fn file(row: &str) -> String {
    row.to_string()
}

/// Returns the wrong and the correct kernel of a row.
fn twins(row: &str) -> (String, String) {
    let wrong = repeated(&without(&kept(row, "[-", "-]"), "{+", "+}"));
    let right = repeated(&without(&kept(row, "{+", "+}"), "[-", "-]"));
    let unmarked = right
        .lines()
        .map(|l| l.split("//^ ").next().unwrap_or(l))
        .collect::<Vec<_>>();
    (wrong, unmarked.join("\n"))
}

fn kept(row: &str, open: &str, close: &str) -> String {
    row.replace(open, "").replace(close, "")
}

fn without(row: &str, open: &str, close: &str) -> String {
    let mut parts = row.split(open);
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |all, part| {
        all + part
            .split_once(close)
            .unwrap_or_else(|| panic!("{open} without {close}: {row}"))
            .1
    })
}

/// Expands every `(*n: .. *)` in `text`.
fn repeated(text: &str) -> String {
    let Some((before, rest)) = text.split_once("(*") else {
        return text.to_string();
    };
    let (times, rest) = rest.split_once(':').expect("how many times");
    let (part, after) = rest.split_once("*)").expect("the end of what is repeated");
    let copies = (0..times.parse::<usize>().expect("how many times"))
        .map(|i| part.replace('%', &i.to_string()));
    format!("{before}{}{}", copies.collect::<String>(), repeated(after))
}

fn judge_pairs(tables: &[Table]) {
    let mut failed = String::new();
    for table in tables {
        let chip = Chip::by_name(table.chip).expect("a chip");
        for row in table.rows {
            let (wrong, right) = twins(row);
            let wrong = (table.frame)(&wrong);
            assert!(!marks(&wrong).is_empty(), "a row that is not wrong: {row}");
            failed += &misjudged(&wrong, chip);
            failed += &misjudged(&(table.frame)(&right), chip);
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn syntax_is_judged() {
    judge_pairs(j01::TABLES);
}

#[test]
fn types_and_shapes_are_judged() {
    judge_pairs(j02::TABLES);
}

#[test]
fn gaps_in_outputs_are_judged() {
    judge_pairs(cover::TABLES);
}

#[test]
fn what_depends_on_the_tiles_of_loops_inside_is_judged() {
    judge_pairs(partial::TABLES);
}

#[test]
fn results_that_depend_on_the_cut_are_judged() {
    judge_pairs(cut::TABLES);
}

#[test]
fn memory_is_judged() {
    judge_pairs(j03::TABLES);
}

#[test]
fn queues_are_judged() {
    judge_pairs(j04::TABLES);
}

#[test]
fn chips_are_judged() {
    judge_pairs(j05::TABLES);
}

#[test]
fn sizes_of_the_host_are_judged() {
    judge_pairs(j06::TABLES);
}

#[test]
fn lints_are_judged() {
    judge_pairs(j09::TABLES);
}

#[test]
fn masks_and_strides_are_judged() {
    judge_pairs(lanes::TABLES);
}

/// Returns the findings of a text on a chip, with the changes of their fixes.
fn with_changes(text: &str, chip: &'static Chip) -> Vec<(Diagnostic, Option<Vec<Change>>)> {
    let changes = |d: &Diagnostic, spans: &[SourceSpan]| {
        d.fix.as_ref().and_then(|fix| fix.resolve(text, spans))
    };
    let parsed = match parse_file(text) {
        Err((d, spans)) => return vec![(d.clone(), changes(&d, &spans))],
        Ok(parsed) => parsed,
    };
    let mut all = Vec::new();
    for p in parsed {
        let checked = p
            .kernel
            .as_ref()
            .map_or(Vec::new(), |kernel| match check(kernel, chip) {
                Ok(checked) => checked.warnings().to_vec(),
                Err(wrong) => wrong,
            });
        all.extend(
            p.diagnostics
                .into_iter()
                .chain(checked)
                .map(|d| (d.clone(), changes(&d, &p.spans))),
        );
    }
    all
}

/// Fixes that lead to another warning. A detour through `f32`, for integers without the op, may
/// lose some of them.
const LEADS_ON: [(Code, Code); 1] = [(Code::J0203, Code::J0904)];

/// Returns the fixes of a wrong kernel that keep their finding or add another one.
fn lawless(text: &str, chip: &'static Chip) -> String {
    let before = with_changes(text, chip);
    let mut failed = String::new();
    for (d, changes) in &before {
        let (Some(fix), Some(changes)) = (&d.fix, changes) else {
            continue;
        };
        if fix.applicability == Applicability::HasPlaceholders {
            continue;
        }
        let fixed = changed(text, changes);
        let after = with_changes(&fixed, chip);
        let count = |of: &[(Diagnostic, Option<Vec<Change>>)], code: Code| {
            of.iter().filter(|(x, _)| x.code == code).count()
        };
        let same = |of: &[(Diagnostic, Option<Vec<Change>>)]| {
            of.iter()
                .filter(|(x, _)| (x.code, &x.message) == (d.code, &d.message))
                .count()
        };
        let is_maybe = fix.applicability == Applicability::MaybeIncorrect;
        let added: Vec<_> = after
            .iter()
            .filter(|(x, _)| count(&after, x.code) > count(&before, x.code))
            .filter(|(x, _)| !(is_maybe && LEADS_ON.contains(&(d.code, x.code))))
            .map(|(x, _)| &x.message)
            .collect();
        if same(&after) >= same(&before) || !added.is_empty() {
            failed += &format!("{}: {} (adds {added:?})\n{fixed}\n\n", d.code, d.message);
        }
    }
    failed
}

/// The rule for fixes, which `tests/broken.rs` of the root checks for whole files: an applied fix
/// removes its finding and adds none.
#[test]
fn a_fix_of_a_pair_removes_its_finding_and_adds_none() {
    let mut failed = String::new();
    for table in TABLES.into_iter().flatten() {
        let chip = Chip::by_name(table.chip).expect("a chip");
        table
            .rows
            .iter()
            .for_each(|row| failed += &lawless(&(table.frame)(&twins(row).0), chip));
    }
    assert!(failed.is_empty(), "{failed}");
}

/// Returns the codes of one row.
fn codes_of(row: &str) -> BTreeSet<String> {
    marks(&twins(row).0)
        .into_iter()
        .map(|(_, code)| code)
        .collect()
}

#[test]
fn every_code_has_three_pairs_and_no_row_two_codes() {
    // The launcher of the runtime reports it, and has tests of it.
    let elsewhere = ["J0606"];
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for row in TABLES
        .into_iter()
        .flatten()
        .flat_map(|t| t.rows.iter().map(|r| (t.chip, t.frame as usize, *r)))
    {
        assert!(seen.insert(row), "twice: {}", row.2);
        let codes = codes_of(row.2);
        assert_eq!(codes.len(), 1, "one mistake a row: {}", row.2);
        codes
            .into_iter()
            .for_each(|code| *counts.entry(code).or_default() += 1);
    }
    let phases = ["J01", "J02", "J03", "J04", "J05", "J06", "J09"];
    let held = Code::ALL
        .iter()
        .map(|c| c.as_str())
        .filter(|c| phases.contains(&&c[..3]) && !elsewhere.contains(c));
    let few: Vec<_> = held
        .map(|c| (c, counts.get(c).copied().unwrap_or(0)))
        .filter(|(_, n)| *n < 3)
        .collect();
    assert!(few.is_empty(), "codes with fewer than three pairs: {few:?}");
}
