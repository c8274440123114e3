//! Training data: splits without leaks, correct traces, random kernels, and the page.

use jumar::load::check_text;
use jumar_llm::canon::{canonical, Names};
use jumar_llm::data::export::Plan;
use jumar_llm::data::record::{schema, Claim, Record, Split};
use jumar_llm::data::trace::trace;
use jumar_llm::eval::all_tasks;
use jumar_llm::eval::pool::Worker;
use jumar_llm::eval::stages::{Cases, Settings};
use jumar_llm::summary::Number;
use jumar_llm::tasks::corpus::Task;
use jumar_llm::tasks::run::{Poison, Run};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const PAGE: &str = include_str!("../../book/src/models/data.md");

#[test]
fn forms_of_one_task_are_one_family() {
    for (stem, want) in [
        ("tanh", "tanh"),
        ("foreach_tanh", "tanh"),
        ("tanh_math", "tanh"),
        ("foreach_add_scalar_list", "add"),
        ("layer_norm_v4", "layer_norm"),
        ("gelu_grad", "gelu_grad"),
        ("scalar", "scalar"),
    ] {
        assert_eq!(jumar_llm::data::family(stem), want);
    }
}

/// Returns the ops of a canonical kernel in order, except those that only move or cast elements.
fn ops(text: &str) -> String {
    let moves = [
        "load",
        "load_or",
        "store",
        "store_any",
        "cast",
        "cast_trunc",
        "cast_with",
        "expand",
        "at",
        "is_some",
        "or_full",
    ];
    let of_line = |line: &str| -> Vec<String> {
        let (_, right) = line.split_once(" = ").unwrap_or(("", line));
        let signs = right
            .split(' ')
            .filter(|word| ["+", "-", "*", "/", "&", "|"].contains(word))
            .map(str::to_string);
        let methods = right
            .split('.')
            .skip(1)
            .filter_map(|part| part.split(['(', ':']).next());
        signs
            .chain(
                methods
                    .filter(|name| !moves.contains(name))
                    .map(str::to_string),
            )
            .collect()
    };
    let is_tile = |line: &&str| {
        line.starts_with("let ") || line.contains(".store") || line.contains(".atomic_add")
    };
    text.lines()
        .map(str::trim)
        .filter(is_tile)
        .flat_map(of_line)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn tasks_that_do_the_same_are_in_one_part() {
    let mut parts: BTreeMap<String, Vec<(String, Split)>> = BTreeMap::new();
    for (name, task) in all_tasks() {
        let (_, text) = canonical(task.answer(), Names::Pools)
            .expect("a canonical form")
            .remove(0);
        let split = Split::of(&jumar_llm::data::family(&task.stem));
        parts
            .entry(ops(&text))
            .or_default()
            .push((name.clone(), split));
    }
    // Kernels that only move elements have no ops in common.
    parts.remove("");
    let groups = parts.values().filter(|all| all.len() > 1);
    let leaks: Vec<_> = groups
        .clone()
        .filter(|all| all.iter().any(|(_, split)| *split != all[0].1))
        .collect();
    assert!(groups.count() >= 12 && leaks.is_empty(), "{leaks:#?}");
    for split in [Split::Train, Split::Valid, Split::Test] {
        assert!(
            parts
                .values()
                .flatten()
                .filter(|(_, own)| *own == split)
                .count()
                >= 5,
            "{split:?}"
        );
    }
}

fn names(schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (name, inner) in properties {
            found.insert(name.clone());
            names(inner, found);
        }
    }
    schema
        .get("items")
        .into_iter()
        .for_each(|inner| names(inner, found));
}

#[test]
fn the_page_describes_every_field() {
    let mut all = BTreeSet::new();
    names(&schema(), &mut all);
    let missing: Vec<_> = all
        .iter()
        .filter(|name| !PAGE.contains(&format!("`{name}`")))
        .collect();
    assert!(all.len() > 30 && missing.is_empty(), "{missing:?}");
}

const SOFTMAX: &str = "use jumar::prelude::*;
#[kernel]
pub fn soft(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
) {
    for t0 in each(n) {
        let v0 = x.at(t0, ..).load();
        let v1 = v0.amax(d);
        let m0 = v0.ge(v1);
        let v2 = v0.silu();
        let mut c0 = full::<f32>((), 0.0);
        c0 += v1;
        let v3 = v2 + c0;
        y.at(t0, ..).store(v3);
    }
}
";

#[test]
fn a_trace_holds_what_the_tiles_hold() {
    let header = "name = \"soft\"\ncategory = \"c\"\ndoes = \"d\"\n[[tensors]]\nname = \"x\"\nis = \"input\"\nof = \"f32\"\nshape = \"n, d\"\ndata = \"list 1 -2 3 0.5\"\n\
        [[tensors]]\nname = \"y\"\nis = \"output\"\nof = \"f32\"\nshape = \"n, d\"\n[[cases]]\nn = 3\nd = 4\n[tolerance]\nunits = 1\nwhy = \"w\"\n";
    let task: Task = toml::from_str(header).expect("a header");
    let file = check_text("soft.rs", SOFTMAX, None);
    let kernel = file
        .kernel("soft")
        .and_then(|kernel| kernel.checked.first())
        .unwrap_or_else(|| panic!("{}", file.render(false)));
    let run = Run::new(&task, &task.cases[0], "", 0);
    let found = trace(&run, kernel, SOFTMAX).expect("it runs");
    let simulated = run.launch(kernel, None, Poison::High).expect("it runs");
    let tile = |name: &str| {
        let all: Vec<_> = found
            .tiles
            .iter()
            .filter(|tile| tile.name == name)
            .collect();
        all.into_iter()
            .map(|t| (t.line, t.axes.join(" "), t.summary.clone(), t.times))
            .collect::<Vec<_>>()
    };
    let numbers = |all: &[f64]| all.iter().copied().map(Number::Finite).collect::<Vec<_>>();
    let [(line, axes, summary, times)] = &tile("v0")[..] else {
        panic!("{found:?}")
    };
    assert_eq!(
        (*line, axes.as_str(), *times, &summary.shape[..]),
        (8, "d", 3, &[4][..])
    );
    assert_eq!(
        (summary.first.clone(), summary.dtype.as_str()),
        (numbers(&[1.0, -2.0, 3.0, 0.5]), "f32")
    );
    assert_eq!(tile("v1")[0].2.first, numbers(&[3.0]));
    assert_eq!(
        (
            tile("m0")[0].2.first.clone(),
            tile("m0")[0].2.dtype.as_str()
        ),
        (numbers(&[0.0, 0.0, 1.0, 0.0]), "mask")
    );
    // A function makes several tiles on its line, and only the result has the name.
    assert_eq!(tile("v2").len(), 1);
    assert!(
        (tile("v2")[0].2.first[0].value().expect("a number") - 0.731_058_6).abs() < 1e-6,
        "{found:?}"
    );
    // The tile is defined on one line and assigned on the next.
    let changes: Vec<_> = tile("c0")
        .into_iter()
        .map(|(line, _, summary, _)| (line, summary.first))
        .collect();
    assert_eq!(changes, [(12, numbers(&[0.0])), (13, numbers(&[3.0]))]);
    let outputs: Vec<_> = run
        .tensors(&simulated)
        .map(|(_, _, _, after)| after.to_f64())
        .collect();
    let first = found.outputs[0]
        .summary
        .first
        .iter()
        .map(|v| v.value().expect("a number") as f32);
    assert!(first.eq(outputs[1].iter().take(8).map(|v| *v as f32)));
    assert_ne!(tile("v0")[0].2.hash, tile("v2")[0].2.hash);
}

/// Random kernels alone need no process.
fn random(seed: u64, count: u64) -> Vec<Record> {
    let worker = Worker {
        command: ("/no/such/program".into(), Vec::new()),
        time: Duration::from_secs(1),
    };
    let settings = Settings {
        chip: None,
        seed,
        cases: Cases::Small,
        shapes: 0,
        fixes: true,
    };
    let plan = Plan {
        worker,
        settings,
        jobs: 2,
        seed,
        mutations: 6,
        tasks: Vec::new(),
        random: count,
        pairs: Vec::new(),
        walks: None,
    };
    let path =
        std::env::temp_dir().join(format!("jumar-random-{seed}-{}.jsonl", std::process::id()));
    let exported = plan.run(&path, &|_| {}).expect("records");
    let text = std::fs::read_to_string(&path).expect("records");
    std::fs::remove_file(&path).expect("a file");
    assert_eq!(
        (exported.records, exported.new),
        (count as usize, count as usize)
    );
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect()
}

#[test]
fn random_kernels_are_told_in_words_and_wrong_ones_are_wrong() {
    let all = random(11, 40);
    let (mut ops, mut stages) = (BTreeSet::new(), BTreeMap::new());
    for record in &all {
        assert_eq!(record.claim, Claim::Agreed);
        let asked = &record.prompt[1].content;
        let lets: Vec<&str> = record
            .kernel
            .lines()
            .filter_map(|line| line.trim().strip_prefix("let ")?.split(" = ").next())
            .collect();
        assert!(
            lets.iter()
                .all(|name| asked.contains(&format!("`{name}` is "))),
            "{asked}\n{}",
            record.kernel
        );
        let trace = record.trace.as_ref().expect("a trace");
        assert!(
            trace.outputs[0]
                .summary
                .first
                .iter()
                .all(|v| v.value().is_some_and(f64::is_finite)),
            "{}",
            record.kernel
        );
        assert!(!record.attempts.is_empty(), "{}", record.name);
        ops.extend(record.canonical.iter().flat_map(|text| {
            text.split('.')
                .filter_map(|part| part.split_once('('))
                .map(|(op, _)| op)
        }));
        for attempt in &record.attempts {
            *stages.entry(attempt.stage.clone()).or_insert(0) += 1;
        }
    }
    assert!(ops.len() > 25, "{ops:?}");
    assert!(
        ["parse", "check", "right"]
            .iter()
            .all(|stage| stages.get(*stage).is_some_and(|n| *n >= 5)),
        "{stages:?}"
    );
    let kernels: BTreeSet<&String> = all.iter().map(|record| &record.kernel).collect();
    assert!(kernels.len() == 40 && random(12, 1)[0].kernel.replace("12", "") != all[0].kernel);
    // Equal kernels are in one split.
    let mut parts: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    all.iter().for_each(|record| {
        _ = parts
            .entry(&record.family)
            .or_default()
            .insert(format!("{:?}", record.split))
    });
    assert!(parts.values().all(|splits| splits.len() == 1));
}
