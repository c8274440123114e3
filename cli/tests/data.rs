//! `jumar data` and `jumar reward` from outside: the claims of records, calls that end and resume,
//! invalid requests.

use jumar::load::check_text;
use jumar_kit::schema;
use jumar_llm::data::record::{schema as record_schema, Claim, Record, Source, Split};
use jumar_llm::eval::stages::{Cases, Judge, Judged, Settings};
use jumar_llm::eval::task;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const SIGMOID: &str = "npukernelbench/foreach_sigmoid";

/// A folder that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("jumar-data-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn jumar(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jumar"))
        .args(arguments)
        .output()
        .expect("jumar starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs an export that must succeed, and returns its standard output.
fn exported(arguments: &[&str]) -> String {
    let output = jumar(&[&["data", "export", "--cases", "small"], arguments].concat());
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

fn records(path: &str) -> Vec<Record> {
    let text = fs::read_to_string(path).expect("records");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

const FEW: [&str; 10] = [
    "--tasks",
    "sigmoid,layer_norm,cumprod",
    "--mutations",
    "5",
    "--random",
    "6",
    "--seed",
    "3",
    "--pages",
    "--time=120",
];

#[test]
fn the_same_call_gives_the_same_bytes_and_goes_on_where_it_was() {
    let folder = Folder::new("same");
    let (one, two) = (folder.path("one.jsonl"), folder.path("two.jsonl"));
    exported(&[&FEW[..], &["--jobs", "1", "--out", &one]].concat());
    exported(&[&FEW[..], &["--jobs", "4", "--out", &two]].concat());
    let whole = fs::read(&one).expect("records");
    assert!(
        whole == fs::read(&two).expect("records"),
        "jobs change the bytes"
    );

    // The file ends in the middle of a record.
    let ends: Vec<usize> = whole
        .iter()
        .enumerate()
        .filter(|(_, b)| **b == b'\n')
        .map(|(i, _)| i)
        .collect();
    fs::write(&two, &whole[..ends[2] + 100]).expect("half a file");
    let said = exported(&[&FEW[..], &["--out", &two]].concat());
    assert!(
        said.starts_with(&format!(
            "{} records, {} of them new",
            ends.len(),
            ends.len() - 3
        )),
        "{said}"
    );
    assert!(
        whole == fs::read(&two).expect("records"),
        "going on changes the bytes"
    );

    // A file of another call stays as it is.
    for other in [
        ["--seed", "4"],
        ["--mutations", "2"],
        ["--shapes", "1"],
        ["--chip", "ascend910b4"],
        ["--tasks", "cumprod"],
    ] {
        let mut arguments = [
            &["data", "export", "--cases", "small", "--out", &two],
            &FEW[..],
        ]
        .concat();
        match arguments.iter().position(|a| *a == other[0]) {
            Some(at) => arguments[at + 1] = other[1],
            None => arguments.extend(other),
        }
        let refused = jumar(&arguments);
        assert_eq!(
            refused.status.code(),
            Some(2),
            "{other:?}: {}",
            text(&refused.stderr)
        );
        assert!(
            text(&refused.stderr).contains("take another file"),
            "{}",
            text(&refused.stderr)
        );
        assert!(
            whole == fs::read(&two).expect("records"),
            "{other:?} changes the file"
        );
    }
}

/// Judges a text of a task in this process.
fn judged(name: &str, text: &str) -> Judged {
    let task = task(name).unwrap_or_else(|| panic!("{name}"));
    let chip = jumar::Chip::by_name("ascend910b1");
    let settings = Settings {
        chip,
        seed: 3,
        cases: Cases::Small,
        shapes: 0,
        fixes: true,
    };
    Judge::new(task, task.reference(), settings).judge(text, false, &mut |_| {})
}

#[test]
fn what_a_record_says_is_so() {
    let folder = Folder::new("so");
    let out = folder.path("all.jsonl");
    exported(&[&FEW[..], &["--out", &out]].concat());
    let wanted = record_schema();
    for line in fs::read_to_string(&out).expect("records").lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        schema::check(&wanted, &value).unwrap_or_else(|why| panic!("{}: {why}", value["name"]));
    }
    let (mut counts, mut classes) = (BTreeMap::new(), BTreeMap::new());
    for record in records(&out) {
        let Record {
            name,
            source,
            claim,
            ..
        } = &record;
        *counts.entry(format!("{source:?}")).or_insert(0) += 1;
        let file = check_text("kernel.rs", &record.kernel, None);
        if *source != Source::Page {
            assert!(!file.has_errors(), "{name}: {}", file.render(false));
            assert!(
                record.attempts.len() <= 5 && record.canonical.is_some() && record.cost.is_some(),
                "{name}"
            );
            let trace = record
                .trace
                .as_ref()
                .unwrap_or_else(|| panic!("{name} has no trace"));
            assert!(
                !trace.tiles.is_empty() && !trace.outputs.is_empty(),
                "{name}"
            );
        }
        assert!(
            record
                .ascendc
                .iter()
                .any(|file| file.text.contains("AscendC")),
            "{name}"
        );
        for attempt in &record.attempts {
            *classes.entry(attempt.class.clone()).or_insert(0) += 1;
            assert_ne!(attempt.text, record.kernel, "{name}");
            let codes: Vec<&str> = attempt
                .findings
                .iter()
                .filter_map(|f| {
                    f.0["severity"]
                        .as_str()
                        .filter(|s| *s == "error")
                        .and(f.0["code"].as_str())
                })
                .collect();
            let is_refused = ["parse", "check"].contains(&attempt.stage.as_str())
                && attempt.class != "no_kernel";
            assert_eq!(is_refused, !codes.is_empty(), "{name}: {attempt:?}");
            if is_refused {
                assert!(
                    attempt
                        .codes
                        .iter()
                        .all(|code| codes.contains(&code.as_str())),
                    "{name}: {attempt:?}"
                );
            }
        }
        match claim {
            Claim::Right => {
                assert_eq!(judged(name, &record.kernel).failure, None, "{name}");
                assert_eq!(
                    record
                        .canonical
                        .as_deref()
                        .and_then(|text| judged(name, text).failure),
                    None,
                    "{name}"
                );
                for attempt in &record.attempts {
                    let failure = judged(name, &attempt.text)
                        .failure
                        .unwrap_or_else(|| panic!("{name}: {} is right", attempt.how));
                    assert_eq!(
                        (failure.stage.name(), failure.class.name()),
                        (attempt.stage.as_str(), attempt.class.as_str())
                    );
                    if let Some(fixed) = &attempt.fixed {
                        assert_eq!(
                            judged(name, &fixed.text).failure.is_none(),
                            fixed.right,
                            "{name}: {}",
                            fixed.text
                        );
                    }
                }
            }
            Claim::Agreed => assert!(name.starts_with("random/3/"), "{name}"),
            Claim::Clean => assert!(
                record.attempts[0]
                    .codes
                    .contains(&name["page/".len()..].to_string()),
                "{name}"
            ),
        }
    }
    assert!(
        counts["Task"] >= 6 && counts["Random"] == 6 && counts["Page"] >= 50,
        "{counts:?}"
    );
    assert!(
        classes.len() >= 8 && classes.contains_key("value"),
        "{classes:?}"
    );
}

#[test]
fn texts_under_the_mask_are_tries_where_they_are_wrong() {
    let folder = Folder::new("walks");
    let out = folder.path("out.jsonl");
    exported(&[
        "--tasks",
        "/layer_norm,/elu",
        "--mutations",
        "1",
        "--walks",
        "6",
        "--seed",
        "2",
        "--out",
        &out,
    ]);
    let all = records(&out);
    let walks: Vec<_> = all
        .iter()
        .flat_map(|r| {
            r.attempts
                .iter()
                .filter(|a| a.how == "random under the mask")
                .map(move |a| (r, a))
        })
        .collect();
    assert!(
        walks.len() >= 2 * all.len() && all.iter().all(|record| record.made.walks == 6),
        "{} of {}",
        walks.len(),
        all.len()
    );
    for (record, attempt) in walks {
        // The grammar accepts no text that does not parse, and a text has the requested kernel
        // name.
        assert!(
            attempt.stage != "parse" && attempt.class != "no_kernel",
            "{}: {attempt:?}",
            record.name
        );
        assert!(
            judged(&record.name, &attempt.text).failure.is_some(),
            "{}",
            attempt.text
        );
    }
}

#[test]
fn wrong_kernels_of_a_folder_are_records_where_fixes_make_them_clean() {
    let folder = Folder::new("broken");
    let out = folder.path("out.jsonl");
    let broken = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/broken")
        .display()
        .to_string();
    exported(&["--tasks", "none", "--broken", &broken, "--out", &out]);
    let all = records(&out);
    assert!(all.len() >= 60, "{}", all.len());
    for record in &all {
        let (wrong, fixed) = (
            &record.attempts[0],
            record.attempts[0].fixed.as_ref().expect("a fix"),
        );
        let own = record.name["file/".len()..]
            .split('_')
            .next()
            .expect("a code");
        assert!(
            record.name.starts_with("file/J") && wrong.codes.iter().any(|code| code == own),
            "{}: {:?}",
            record.name,
            wrong.codes
        );
        assert!(
            fixed.clean && fixed.text == record.kernel && record.claim == Claim::Clean,
            "{}",
            record.name
        );
        assert!(
            record.prompt[1].content.contains(&wrong.text)
                && record.prompt[1].content.contains("error["),
            "{}",
            record.name
        );
    }
}

#[test]
fn a_call_that_is_wrong_leaves_no_file() {
    let folder = Folder::new("wrong");
    let out = folder.path("out.jsonl");
    for (arguments, why) in [
        (vec!["--tasks", "no such"], "names no task"),
        (vec!["--bench", "no"], "no benchmark `no`"),
        (vec!["--chip", "no"], "no chip `no`"),
        (vec!["--time=-1"], "is no time"),
        (vec!["--broken", "/no/such/folder"], "cannot be read"),
    ] {
        let output = jumar(&[&["data", "export", "--out", &out], &arguments[..]].concat());
        assert!(
            output.status.code() == Some(2) && text(&output.stderr).contains(why),
            "{}",
            text(&output.stderr)
        );
        assert!(!Path::new(&out).exists(), "{arguments:?}");
    }
    // A foreign file stays as it is.
    let notes = folder.path("notes.txt");
    for content in ["my notes", "[1]\n", "{\"version\"; 1}"] {
        fs::write(&notes, content).expect("a file");
        let output = jumar(&[
            "data", "export", "--out", &notes, "--tasks", "none", "--random", "1",
        ]);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{content}: {}",
            text(&output.stderr)
        );
        assert_eq!(fs::read_to_string(&notes).expect("a file"), content);
    }
    let there = jumar(&[
        "data",
        "export",
        "--out",
        &folder.path("no/such/file"),
        "--tasks",
        "cumprod",
    ]);
    assert_eq!(there.status.code(), Some(2));
    let printed = jumar(&["data", "schema"]);
    assert!(serde_json::from_slice::<Value>(&printed.stdout).expect("JSON") == record_schema());
}

/// Returns the answers to lines, by their id.
fn rewarded(arguments: &[&str], lines: &str) -> (Vec<Value>, Output) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jumar"));
    command.args(["reward", "--cases", "small"]).args(arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("jumar starts");
    let mut input = child.stdin.take().expect("a pipe");
    let lines = lines.to_string();
    let writer = std::thread::spawn(move || {
        // A process that has ended reads no more, so this write may fail.
        let _ = input.write_all(lines.as_bytes());
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it was written");
    let answers = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    (answers, output)
}

fn answer() -> &'static str {
    task(SIGMOID).expect("a task").answer()
}

/// Returns requests with the expected parts of their answers: stage, class, first code, reward.
fn table() -> Vec<(Value, Value)> {
    let with = |text: String| json!({"task": SIGMOID, "text": text});
    let replaced = |from: &str, to: &str| {
        assert!(answer().contains(from), "{from}: {}", answer());
        with(answer().replace(from, to))
    };
    vec![
        (
            replaced("pub fn", "pub fun"),
            json!({"stage": "parse", "class": "syntax", "right": false, "reward": 0.0}),
        ),
        (
            replaced(".sigmoid()", ".sigmoidal()"),
            json!({"stage": "check", "class": "name", "codes": ["J0103"], "reward": 0.05}),
        ),
        (
            replaced(".sigmoid()", ".tanh()"),
            json!({"stage": "right", "class": "value", "codes": [], "reward": 0.3, "passed": ["parse", "check", "emit"]}),
        ),
        (
            with(format!("Here:\n```rust\n{}\n```\n", answer())),
            json!({"stage": "cost", "class": null, "right": true, "why": null}),
        ),
        (
            with("  ".into()),
            json!({"stage": "parse", "class": "no_text", "reward": 0.0}),
        ),
        (
            json!({"task": SIGMOID, "text": "#[kernel] pub fn (", "finish": "length"}),
            json!({"class": "cut"}),
        ),
    ]
}

#[test]
fn a_text_is_worth_what_it_reaches() {
    let table = table();
    let lines: String = table
        .iter()
        .map(|(request, _)| format!("{request}\n"))
        .collect();
    let (answers, output) = rewarded(&["--in-order"], &lines);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(answers.len(), table.len());
    for (nth, ((request, want), found)) in (1u64..).zip(table.iter().zip(&answers)) {
        for (name, want) in want.as_object().expect("an object") {
            let close = found[name]
                .as_f64()
                .zip(want.as_f64())
                .is_some_and(|(a, b)| (a - b).abs() < 1e-12);
            assert!(
                close || &found[name] == want,
                "{name} of {request}: {found}"
            );
        }
        assert_eq!(
            (&found["id"], &found["task"]),
            (&json!(nth), &json!(SIGMOID))
        );
        let parts = found["parts"].as_object().expect("parts");
        let sum: f64 = parts.values().filter_map(Value::as_f64).sum();
        assert!(
            (sum - found["reward"].as_f64().expect("a number")).abs() < 1e-12,
            "{found}"
        );
    }
    let right = &answers[3];
    let (reward, cost, bound) = (
        &right["reward"],
        right["cost"].as_f64(),
        right["bound"].as_f64(),
    );
    let speed = bound.expect("a bound") / cost.expect("cycles");
    assert!(
        (reward.as_f64().expect("a number") - (0.8 + 0.2 * speed)).abs() < 1e-9 && speed < 1.0,
        "{right}"
    );
}

#[test]
fn lines_that_are_no_request_are_answered_and_the_next_is_read() {
    let right = json!({"id": {"any": [1]}, "task": SIGMOID, "text": answer(), "seed": 9});
    let lines = format!(
        "{{\"task\": \"x\n\n{}\n[1]\n{}\n{}\n{{\"id\":5,\"task\":\"{SIGMOID}\",\"text\":\"{}\"}}\n{right}",
        json!({"id": "a", "task": "no/such", "text": ""}),
        json!({"id": "b", "task": SIGMOID}),
        json!({"id": "c", "task": SIGMOID, "text": "", "sede": 1}),
        "x".repeat(5 << 20),
    );
    let (answers, output) = rewarded(&["--in-order", "--jobs", "2"], &lines);
    let kinds: Vec<(&Value, Option<&str>)> = answers
        .iter()
        .map(|a| (&a["id"], a["error"]["kind"].as_str()))
        .collect();
    let (one, three, six, any) = (json!(1), json!(3), json!(6), json!({"any": [1]}));
    let (a, b, c) = (json!("a"), json!("b"), json!("c"));
    let want = [
        (&one, Some("json")),
        (&a, Some("task")),
        (&three, Some("request")),
        (&b, Some("request")),
        (&c, Some("request")),
        (&six, Some("length")),
        (&any, None),
    ];
    assert_eq!(kinds, want);
    assert_eq!(answers[6]["right"], true, "{}", answers[6]);
    assert!(
        answers[4]["error"]["message"]
            .as_str()
            .is_some_and(|why| why.contains("sede")),
        "{}",
        answers[4]
    );
    assert!(
        output.status.code() == Some(0) && text(&output.stderr).contains("6 of 7 lines"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn answers_know_whose_they_are_and_a_seed_changes_the_numbers() {
    let request = |id: u64, seed: u64| {
        format!(
            "{}\n",
            json!({"id": id, "task": SIGMOID, "text": answer(), "seed": seed})
        )
    };
    let lines: String = (0..24).map(|id| request(id, id % 3)).collect();
    let (mut answers, _) = rewarded(&["--jobs", "4"], &lines);
    answers.sort_by_key(|answer| answer["id"].as_u64());
    let worst: Vec<f64> = answers
        .iter()
        .map(|answer| answer["worst"].as_f64().expect("right"))
        .collect();
    assert_eq!(worst.len(), 24);
    assert!((0..24).all(|id| worst[id] == worst[id % 3]), "{worst:?}");
    assert!(worst[0] != worst[1], "{worst:?}");
}

#[test]
fn a_signal_ends_it_and_its_processes() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jumar"));
    let mut child = command
        .args(["reward", "--jobs", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("jumar starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    writeln!(input, "{}", json!({"task": SIGMOID, "text": answer()})).expect("it is read");
    let mut line = String::new();
    output.read_line(&mut line).expect("an answer");
    assert!(line.contains("\"right\":true"), "{line}");
    let ended = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    assert!(ended.success());
    let begun = Instant::now();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    // The end of the judging process closes its pipe.
    line.clear();
    assert_eq!(output.read_line(&mut line).expect("the end"), 0, "{line}");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

/// Runs the example of the page.
#[test]
fn the_lines_of_python_run() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3");
        return;
    }
    let page = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/models/data.md"),
    )
    .expect("a page");
    let script = page
        .split("```python\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    let folder = Path::new(env!("CARGO_BIN_EXE_jumar"))
        .parent()
        .expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let ran = Command::new("python3")
        .args(["-c", script])
        .env("PATH", format!("{}:{path}", folder.display()))
        .output()
        .expect("python starts");
    assert_eq!(
        (text(&ran.stdout).trim(), ran.status.code()),
        ("parse ['J0104', 'J0109'] 0.0", Some(0)),
        "{}",
        text(&ran.stderr)
    );
}

#[test]
fn parts_are_of_the_size_that_they_should_be() {
    let of = |name: &str| Split::of(name);
    let all: Vec<Split> = (0..2000).map(|i| of(&format!("family_{i}"))).collect();
    let count = |split: Split| all.iter().filter(|s| **s == split).count();
    let (train, valid, test) = (count(Split::Train), count(Split::Valid), count(Split::Test));
    assert!(
        (1500..1700).contains(&train) && (150..250).contains(&valid) && (150..250).contains(&test),
        "{train} {valid} {test}"
    );
}
