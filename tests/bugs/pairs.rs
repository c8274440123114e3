//! Mistakes that are also made by hand: AscendC kernels of `runtime/ascendc/tests/pairs`.
//!
//! `ascendc_suite` of `jumar-runtime` runs them. `absent.tsv` beside them lists the other cases.

use super::case::Case;
use super::page::FAMILIES;
use crate::pages::repository;
use jumar_kit::files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The families of mistakes that AscendC has, too, are the first of the page up to this one.
const LAST: &str = "atomics";

/// A name of a case, behind its family.
type Name = (String, String);

/// Returns true for a family whose mistakes are made by hand.
pub fn is_of_ascendc(family: &str) -> bool {
    let at = |name: &str| FAMILIES.iter().position(|(family, _)| *family == name);
    at(family) <= at(LAST)
}

/// Reads the names of all pairs.
pub fn by_hand() -> BTreeSet<Name> {
    let root = repository("runtime/ascendc/tests/pairs");
    let family = |file: &Path| file.parent().map(files::stem).unwrap_or_default();
    files::below(&root, &["cpp"])
        .iter()
        .map(|file| (family(file), files::stem(file)))
        .collect()
}

/// Reads the reason of each case without a pair.
pub fn absent() -> BTreeMap<Name, String> {
    let text = files::read(&repository("runtime/ascendc/tests/pairs/absent.tsv"));
    let rows = text.lines().map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [family, name, reason] = cells[..] else {
            panic!("absent.tsv: `{line}` is not FAMILY, NAME and REASON");
        };
        ((family.into(), name.into()), reason.into())
    });
    rows.collect()
}

/// Describes cases that have neither pair nor reason or both, and those that do not exist.
pub fn differences(cases: &[Case]) -> Vec<String> {
    let name = |case: &Case| (case.family.to_string(), case.name.clone());
    let all: BTreeSet<Name> = cases
        .iter()
        .filter(|case| is_of_ascendc(case.family))
        .map(name)
        .collect();
    let (pairs, absent) = (by_hand(), absent());
    let mut told = Vec::new();
    for (family, name) in &all {
        let key = (family.clone(), name.clone());
        match (pairs.contains(&key), absent.contains_key(&key)) {
            (false, false) => told.push(format!(
                "{family}/{name} has neither a kernel in runtime/ascendc/tests/pairs nor a row in absent.tsv there"
            )),
            (true, true) => told.push(format!("{family}/{name} has a kernel and a row in absent.tsv")),
            _ => {}
        }
    }
    let others = pairs
        .iter()
        .chain(absent.keys())
        .filter(|key| !all.contains(*key));
    told.extend(others.map(|(family, name)| format!("{family}/{name} is no case of tests/bugs")));
    told
}
