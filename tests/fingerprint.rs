//! The fingerprint: findings, text and results of every kernel of the project, as hashes in one
//! committed file.
//!
//! `fingerprint/hashes.tsv` has a line for each kernel with three hashes, each over all chips: the
//! findings as JSON, the emitted text of all project kinds, and the results of the simulator.
//! Kernels are the examples, those of the pages and of the emitter's tests, the answers of the
//! tasks, the pairs of the bug suite, the broken ones, and 2,000 drawn ones with fixed seeds. A
//! rebuild that changes nothing leaves every line as it is.
//!
//! | variable | does |
//! |---|---|
//! | `JUMAR_FINGERPRINT=write` | writes the file for all kernels: a separate commit, whose message says which change was meant |
//! | `JUMAR_FINGERPRINT=show:NAME` | prints the hashed text of the kernels whose names begin so, for a comparison with another commit |
//! | `JUMAR_FINGERPRINT=all` | compares all kernels, as the night does; the gate takes those of `GATE` whole, and one in ten of the others |

mod given;
mod kernels;

use crate::pages::repository;
use jumar_kit::parallel::each;
use jumar_kit::tier;
use kernels::{all, Facet, Sample};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const FILE: &str = "tests/fingerprint/hashes.tsv";

const WRITE: &str = "JUMAR_FINGERPRINT=write cargo test --test suite fingerprint";

/// Groups of which the gate compares every kernel.
const GATE: [&str; 2] = ["example/", "guide/"];

/// Hashes of a kernel, as its line has them.
type Hashes = [String; Facet::ALL.len()];

/// Hashes a kernel over its chips, in their order.
fn hashes(sample: &Sample) -> Hashes {
    let mut hashes = [0; Facet::ALL.len()];
    sample.say(&mut |facet, bytes| {
        hashes[facet as usize] = tier::hash(hashes[facet as usize], bytes)
    });
    hashes.map(|hash| format!("{hash:016x}"))
}

/// Applies a function to each sample on all processors, and returns the results by name.
fn of_each<T: Send>(samples: &[Sample], f: impl Fn(&Sample) -> T + Sync) -> BTreeMap<String, T> {
    let mut all = BTreeMap::new();
    for (sample, own) in samples.iter().zip(each(samples, f)) {
        let twice = all.insert(sample.name.clone(), own);
        assert!(twice.is_none(), "two kernels are named {}", sample.name);
    }
    all
}

/// Reads the committed lines.
fn committed() -> BTreeMap<String, Hashes> {
    let path = repository(FILE);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{FILE}: {e}: `{WRITE}` makes it"));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let [name, findings, text, outputs] = parts[..] else {
            panic!("{FILE}: a line of four parts, found `{line}`: `{WRITE}`")
        };
        (
            name.to_string(),
            [findings, text, outputs].map(str::to_string),
        )
    };
    lines.map(read).collect()
}

fn page(lines: &BTreeMap<String, Hashes>) -> String {
    let mut page = format!(
        "# Hashes of every kernel of the project, over all chips; `{WRITE}` writes them.\n# kernel"
    );
    Facet::ALL
        .iter()
        .for_each(|facet| page += &format!("\t{}", facet.name()));
    page.push('\n');
    for (name, hashes) in lines {
        let _ = writeln!(page, "{name}\t{}", hashes.join("\t"));
    }
    page
}

/// Returns a line for each kernel that differs from its committed hashes.
fn differences(
    found: &BTreeMap<String, Hashes>,
    committed: &BTreeMap<String, Hashes>,
) -> Vec<String> {
    let told = |(name, now): (&String, &Hashes)| {
        let Some(before) = committed.get(name) else {
            return Some(format!("{name}: is not in the file"));
        };
        let other = Facet::ALL
            .iter()
            .zip(now.iter().zip(before))
            .filter(|(_, (a, b))| a != b);
        let facets: Vec<&str> = other.map(|(facet, _)| facet.name()).collect();
        (!facets.is_empty()).then(|| format!("{name}: {}", facets.join(", ")))
    };
    found.iter().filter_map(told).collect()
}

#[test]
fn every_kernel_is_as_it_was() {
    let asked = std::env::var("JUMAR_FINGERPRINT").ok();
    let samples = all();
    match asked.as_deref() {
        Some("write") => {
            let lines = of_each(&samples, hashes);
            std::fs::write(repository(FILE), page(&lines)).expect("the file is written");
            println!("{} kernels in {FILE}", lines.len());
        }
        Some(show) if show.starts_with("show:") => {
            let name = &show["show:".len()..];
            let shown: Vec<&Sample> = samples
                .iter()
                .filter(|s| s.name.starts_with(name))
                .collect();
            assert!(
                !shown.is_empty(),
                "no kernel's name begins with `{name}`; the names are in {FILE}"
            );
            for sample in shown {
                sample.say(&mut |facet, bytes| {
                    println!(
                        "{} {}: {}",
                        sample.name,
                        facet.name(),
                        String::from_utf8_lossy(bytes)
                    )
                });
            }
        }
        None | Some("all") => {
            let committed = committed();
            let names: BTreeSet<&str> = samples.iter().map(|s| s.name.as_str()).collect();
            let gone = committed
                .keys()
                .filter(|name| !names.contains(name.as_str()));
            let mut wrong: Vec<String> = gone
                .map(|name| format!("{name}: there is no such kernel"))
                .collect();
            let is_taken = |name: &str| {
                !committed.contains_key(name)
                    || GATE.iter().any(|group| name.starts_with(group))
                    || tier::is_drawn("JUMAR_FINGERPRINT", 10, name)
            };
            let taken: Vec<Sample> = samples.into_iter().filter(|s| is_taken(&s.name)).collect();
            wrong.extend(differences(&of_each(&taken, hashes), &committed));
            println!(
                "{} of {} kernels were compared",
                taken.len(),
                committed.len()
            );
            assert!(
                wrong.is_empty(),
                "{} of {} kernels are not as {FILE} has them:\n{}\nWhere that is meant: `{WRITE}`, in a commit of its own. Else `JUMAR_FINGERPRINT=show:NAME` prints what is hashed.",
                wrong.len(),
                taken.len(),
                wrong.join("\n")
            );
        }
        Some(other) => {
            panic!("JUMAR_FINGERPRINT is `write`, `all` or `show:NAME`, found `{other}`")
        }
    }
}

/// The test names the kernel and the facets that differ.
#[test]
fn what_differs_is_told_by_kernel() {
    let line = |last: &str| ["a", "b", last].map(str::to_string);
    let lines = |all: &[(&str, &str)]| {
        all.iter()
            .map(|(name, last)| (name.to_string(), line(last)))
            .collect::<BTreeMap<_, _>>()
    };
    let committed = lines(&[("example/add", "c"), ("example/mse", "c")]);
    let found = lines(&[
        ("example/add", "c"),
        ("example/mse", "d"),
        ("example/new", "c"),
    ]);
    assert_eq!(
        differences(&found, &committed),
        ["example/mse: outputs", "example/new: is not in the file"]
    );
}
