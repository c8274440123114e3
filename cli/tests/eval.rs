//! `jumar eval` from outside: candidates from files, servers with all kinds of failures, limits,
//! calls that end and resume.

use jumar_llm::client::Reply;
use jumar_llm::eval::class::Class;
use jumar_llm::eval::drive::{Model, Plan, Source};
use jumar_llm::eval::pool::{self, Worker};
use jumar_llm::eval::prompt::Message;
use jumar_llm::eval::record::{outcomes, parsed, Broken, Key, Line, Outcome};
use jumar_llm::eval::score::{by_task, last_rounds, mean, pass_at};
use jumar_llm::eval::stages::{Cases, Settings, Stage};
use jumar_llm::eval::task;
use jumar_llm::eval::told::Card;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const LEAKY: &str = "multikernelbench/leaky_relu";
const SQRT: &str = "npukernelbench/sqrt";

/// A folder that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("jumar-eval-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), text).expect("a file");
        self.path(name).display().to_string()
    }

    /// Returns the results in a subfolder.
    fn results(&self, name: &str) -> (BTreeMap<Key, Outcome>, Vec<Broken>) {
        let path = self.path(name).join("results.jsonl");
        let text = fs::read(&path).expect("results");
        outcomes(parsed::<Line>(&text, &path).expect("whole lines"))
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

/// Runs an evaluation that must succeed, and returns its standard output.
fn evaluated(arguments: &[&str]) -> String {
    let output = jumar(&[&["eval"], arguments].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

fn answer(name: &str) -> &'static str {
    task(name).expect("a task").answer()
}

fn line(name: &str, sample: u32, text: &str) -> String {
    format!(
        "{}\n",
        json!({ "task": name, "sample": sample, "text": text })
    )
}

fn classes(all: &BTreeMap<Key, Outcome>) -> Vec<(u32, Option<Class>)> {
    all.values().map(|o| (o.sample, o.class())).collect()
}

#[test]
fn a_file_with_broken_lines_is_judged_and_reported() {
    let folder = Folder::new("file");
    let cut = json!({ "task": LEAKY, "sample": 3, "text": "#[kernel]\npub fn leaky_relu(", "finish": "length" });
    let text = [
        line(
            LEAKY,
            0,
            &format!("Sure!\n```rust\n{}\n```\n", answer(LEAKY)),
        ),
        "{\"task\": \"multikern\n".to_string(),
        line(LEAKY, 1, &answer(LEAKY).replace("(slope)", "(slop)")),
        line(LEAKY, 2, "   "),
        format!("{cut}\n"),
        line("no/such", 0, ""),
    ];
    let (file, out) = (
        folder.file("all.jsonl", text.concat()),
        folder.path("out").display().to_string(),
    );
    let said = evaluated(&[
        "--candidates",
        &file,
        "--out",
        &out,
        "--cases",
        "small",
        "--jobs",
        "2",
    ]);
    assert!(
        said.contains("4 candidates judged")
            && said.contains("1 of them right")
            && said.contains("2 lines that are no"),
        "{said}"
    );
    let (all, broken) = folder.results("out");
    assert_eq!(
        classes(&all),
        [
            (0, None),
            (1, Some(Class::Name)),
            (2, Some(Class::NoText)),
            (3, Some(Class::Cut))
        ]
    );
    assert_eq!(broken.iter().map(|b| b.line).collect::<Vec<_>>(), [2, 6]);
    let first = all.values().next().expect("a result");
    assert_eq!(
        (first.category.as_str(), first.settings["cases"].as_str()),
        ("activation", Some("small"))
    );
    let report = fs::read_to_string(folder.path("out/report.md")).expect("a report");
    assert!(
        report.contains(
            "| multikernelbench, activation | 1 | 50.0 | 25.0 | 25.0 | – | 25.0 | 25.0 |"
        ),
        "{report}"
    );
    assert!(fs::read_to_string(folder.path("out/report.svg"))
        .expect("a plot")
        .starts_with("<svg"));

    // Finished work is not repeated, and an incomplete line is dropped.
    let results = folder.path("out/results.jsonl");
    let before = fs::read(&results).expect("results");
    fs::write(&results, [&before[..], b"{\"record\":\"resu"].concat()).expect("half a line");
    let said = evaluated(&["--candidates", &file, "--out", &out, "--cases", "small"]);
    assert!(said.starts_with("0 candidates judged"), "{said}");
    assert_eq!(fs::read(&results).expect("results"), before);

    // A call with other settings does not mix with it.
    let other = jumar(&[
        "eval",
        "--candidates",
        &file,
        "--out",
        &out,
        "--cases",
        "small",
        "--seed",
        "5",
    ]);
    let why = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(
        other.status.code() == Some(2) && why.contains("`seed` = 0, and this call has 5"),
        "{why}"
    );
}

#[test]
fn a_part_of_the_samples_is_compiled_and_run_as_cpp() {
    let folder = Folder::new("cpp");
    let file = folder.file(
        "all.jsonl",
        line(LEAKY, 0, answer(LEAKY)) + &line(LEAKY, 1, "no"),
    );
    let out = folder.path("out").display().to_string();
    evaluated(&[
        "--candidates",
        &file,
        "--out",
        &out,
        "--cases",
        "small",
        "--cpp",
        "all",
        "--shapes",
        "1",
        "--seed",
        "9",
    ]);
    let (all, _) = folder.results("out");
    let first = all.values().next().expect("a result");
    assert_eq!(first.judged.failure, None);
    assert_eq!(first.judged.passed, Stage::ALL);
    assert_eq!(
        (&first.settings["shapes"], &first.settings["cpp"], first.cpp),
        (&json!(1), &json!(100), true)
    );
    // The wrong sample counts: half of the samples compile.
    let samples = last_rounds(&all, 0);
    assert_eq!(
        mean(by_task(&samples).values(), Stage::Compile, 1),
        Some(0.5)
    );
}

#[test]
fn shards_are_disjoint_and_one_report_joins_them() {
    let folder = Folder::new("shards");
    let file = folder.file(
        "all.jsonl",
        (0..12).map(|i| line(LEAKY, i, "no")).collect::<String>(),
    );
    let mut seen = Vec::new();
    let mut results = Vec::new();
    for part in ["1/3", "2/3", "3/3"] {
        let out = format!("out{}", &part[..1]);
        evaluated(&[
            "--candidates",
            &file,
            "--out",
            &folder.path(&out).display().to_string(),
            "--shard",
            part,
        ]);
        seen.extend(folder.results(&out).0.into_keys().map(|key| key.sample));
        results.push(
            folder
                .path(&out)
                .join("results.jsonl")
                .display()
                .to_string(),
        );
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..12).collect::<Vec<_>>());
    let merged = folder.path("merged").display().to_string();
    let said = evaluated(&[
        "--results",
        &results[0],
        "--results",
        &results[1],
        "--results",
        &results[2],
        "--out",
        &merged,
    ]);
    assert!(said.starts_with("12 samples of 1 tasks"), "{said}");
}

#[test]
fn a_candidate_beyond_its_limits_is_one_and_the_next_is_judged() {
    let folder = Folder::new("limits");
    let file = folder.file(
        "all.jsonl",
        line(LEAKY, 0, answer(LEAKY)) + &line(LEAKY, 1, answer(LEAKY)),
    );
    for (name, limits, said) in [
        ("time", ["--time", "0.0001"], "not done after"),
        ("memory", ["--memory", "1"], "ended"),
    ] {
        let out = folder.path(name).display().to_string();
        evaluated(
            &[
                &["--candidates", &file, "--out", &out, "--jobs", "1"][..],
                &limits,
            ]
            .concat(),
        );
        let (all, _) = folder.results(name);
        assert_eq!(
            classes(&all),
            [(0, Some(Class::Limit)), (1, Some(Class::Limit))]
        );
        let why = &all
            .values()
            .next()
            .and_then(|o| o.judged.failure.as_ref())
            .expect("a failure")
            .why;
        assert!(why.contains(said), "{why}");
    }
}

#[test]
fn a_candidate_that_never_ends_is_ended() {
    let folder = Folder::new("endless");
    let endless = "for t in tiles(x) { let mut a = full(t, 0.0); for i in 0..100000000 { a = a + 1.0; } y.at(t).store(x.at(t).load() + a); }";
    let head =
        "#[kernel] pub fn leaky_relu(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, slope: f32)";
    let file = folder.file(
        "all.jsonl",
        line(LEAKY, 0, &format!("{head} {{ {endless} }}")) + &line(LEAKY, 1, answer(LEAKY)),
    );
    let out = folder.path("out").display().to_string();
    evaluated(&[
        "--candidates",
        &file,
        "--out",
        &out,
        "--jobs",
        "1",
        "--cases",
        "small",
        "--time",
        "3",
    ]);
    let (all, _) = folder.results("out");
    assert_eq!(classes(&all), [(0, Some(Class::Limit)), (1, None)]);
    let judged = &all.values().next().expect("a result").judged;
    assert_eq!(judged.failure.as_ref().map(|f| f.stage), Some(Stage::Right));
    assert_eq!(judged.passed, [Stage::Parse, Stage::Check, Stage::Emit]);
}

/// Makes a plan for the library, with the command as the judging process.
fn plan(folder: &Folder, time: Duration, program: (&str, &[&str])) -> Plan {
    let settings = Settings {
        chip: None,
        seed: 0,
        cases: Cases::Small,
        shapes: 0,
        fixes: true,
    };
    let mut arguments: Vec<String> = program.1.iter().map(|a| a.to_string()).collect();
    if arguments.is_empty() {
        arguments.push("eval-worker".into());
        arguments.extend(Worker::arguments(settings, 4 << 30));
    }
    assert!(folder.0.is_dir());
    let worker = Worker {
        command: (program.0.into(), arguments),
        time,
    };
    Plan {
        worker,
        jobs: 2,
        shard: (1, 1),
        cpp: 0,
        settings: BTreeMap::new(),
    }
}

#[test]
fn a_process_that_does_not_answer_or_not_in_its_words_is_ended() {
    let folder = Folder::new("stubborn");
    for (name, program, said) in [
        (
            "sleep",
            ("sh", &["-c", "trap '' TERM; sleep 600"][..]),
            "not done after 0.3 s",
        ),
        ("words", ("echo", &["hello"][..]), "answers `hello`"),
        (
            "exit",
            ("sh", &["-c", "echo no memory >&2; exit 3"][..]),
            "exit code 3: no memory",
        ),
    ] {
        let plan = plan(&folder, Duration::from_millis(300), program);
        let mut process = pool::Process::new(&plan.worker);
        let request = pool::Request {
            task: LEAKY.into(),
            text: "no".into(),
            cpp: false,
            seed: None,
            ascendc: None,
        };
        let start = Instant::now();
        let failure = process
            .judge(&request)
            .expect("a process")
            .failure
            .expect("no verdict");
        assert!(
            failure.class == Class::Limit && failure.why.contains(said),
            "{name}: {}",
            failure.why
        );
        assert!(start.elapsed() < Duration::from_secs(20), "{name}");
    }
}

/// A model that is right in the first `right` samples of each task, and in every attempt after a
/// finding.
struct Scripted {
    right: u32,
    asked: Mutex<Vec<usize>>,
}

impl Model for Scripted {
    fn reply(&self, key: &Key, messages: &[Message]) -> Result<Reply, String> {
        self.asked.lock().expect("no panic").push(messages.len());
        let text = answer(&key.task);
        let wrong = text
            .replace(".leaky_relu(slope)", ".leaky_relu(0.5)")
            .replace(".sqrt()", ".abs()");
        let text = if key.sample < self.right || key.round > 0 {
            text.to_string()
        } else {
            wrong
        };
        Ok(Reply {
            text,
            finish: Some("stop".into()),
            tokens: Some(10),
        })
    }
}

fn scripted<'a>(model: &'a dyn Model, samples: u32, repair: u32) -> Source<'a> {
    let tasks = vec![LEAKY.to_string(), SQRT.to_string()];
    Source::Model {
        model,
        name: "scripted".into(),
        tasks,
        samples,
        repair,
        card: Card::None,
    }
}

#[test]
fn a_source_of_known_rate_measures_it_and_repairs_are_another_round() {
    let folder = Folder::new("rate");
    let plan = plan(
        &folder,
        Duration::from_secs(60),
        (env!("CARGO_BIN_EXE_jumar"), &[]),
    );
    let model = Scripted {
        right: 3,
        asked: Mutex::default(),
    };
    let new = plan
        .run(&scripted(&model, 10, 0), &folder.path("plain"), &|_| {})
        .expect("a run");
    assert_eq!(new, 20);
    let (all, _) = folder.results("plain");
    for k in [1, 2, 5, 10] {
        let found = mean(by_task(&last_rounds(&all, 0)).values(), Stage::Right, k);
        assert_eq!(found, pass_at(k, 10, 3), "k {k}");
    }
    let classes: Vec<_> = all.values().filter_map(Outcome::class).collect();
    assert!(
        classes.len() == 14 && classes.iter().all(|class| *class == Class::Value),
        "{classes:?}"
    );

    let new = plan
        .run(&scripted(&model, 4, 2), &folder.path("repaired"), &|_| {})
        .expect("a run");
    assert_eq!(
        new, 10,
        "one sample of four of each task is wrong and asked again once"
    );
    let (all, _) = folder.results("repaired");
    let rate = |rounds| {
        mean(
            by_task(&last_rounds(&all, rounds)).values(),
            Stage::Right,
            1,
        )
    };
    assert_eq!((rate(0), rate(1)), (Some(0.75), Some(1.0)));
    assert_eq!(
        model
            .asked
            .lock()
            .expect("no panic")
            .iter()
            .filter(|messages| **messages == 4)
            .count(),
        2
    );

    // The replies exist, so nobody is asked again, even if results are lost.
    fs::remove_file(folder.path("repaired/results.jsonl")).expect("results");
    let asked = model.asked.lock().expect("no panic").len();
    assert_eq!(
        plan.run(&scripted(&model, 4, 2), &folder.path("repaired"), &|_| {})
            .expect("a run"),
        10
    );
    assert_eq!(model.asked.lock().expect("no panic").len(), asked);
    let tape = folder
        .path("repaired/candidates.jsonl")
        .display()
        .to_string();
    let again = folder.path("again").display().to_string();
    let said = evaluated(&[
        "--replay",
        &tape,
        "--repair",
        "1",
        "--samples",
        "4",
        "--tasks",
        "leaky_relu,/sqrt",
        "--out",
        &again,
    ]);
    assert!(
        said.contains("8 samples of 2 tasks, 8 of them right"),
        "{said}"
    );
}

/// The reaction of a fake server to its nth request.
#[derive(Clone)]
enum Does {
    Says(u16, String),
    Waits,
}

/// Starts a server on this machine, which keeps the bodies of its requests.
fn server(acts: Vec<Does>) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let bodies = Arc::new(Mutex::new(Vec::new()));
    let kept = bodies.clone();
    std::thread::spawn(move || {
        for (connection, act) in listener.incoming().zip(acts.iter().cycle().cloned()) {
            let mut connection = connection.expect("a connection");
            let kept = kept.clone();
            std::thread::spawn(move || {
                let mut reader = BufReader::new(connection.try_clone().expect("a connection"));
                let (mut line, mut length) = (String::new(), 0);
                while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
                    if let Some(size) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                        length = size.trim().parse().expect("a length");
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).expect("a body");
                kept.lock()
                    .expect("no panic")
                    .push(serde_json::from_slice(&body).expect("JSON"));
                match act {
                    Does::Waits => std::thread::sleep(Duration::from_secs(30)),
                    Does::Says(status, text) => {
                        let length = text.len();
                        let head = format!("HTTP/1.1 {status} so\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
                        // A client that has given up closes the connection, so this write may fail.
                        let _ = connection.write_all((head + &text).as_bytes());
                    }
                }
            });
        }
    });
    (url, bodies)
}

fn completion(text: &str, finish: &str) -> Does {
    let message = json!({ "role": "assistant", "content": text });
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish });
    Does::Says(
        200,
        json!({ "choices": [choice], "usage": { "completion_tokens": 12 } }).to_string(),
    )
}

#[test]
fn a_server_that_fails_in_every_way_is_counted_and_the_run_goes_on() {
    let folder = Folder::new("server");
    let (url, bodies) = server(vec![
        Does::Says(500, "out of order".into()),
        Does::Says(200, "<html>".into()),
        Does::Waits,
        completion("#[kernel]\npub fn leaky_re", "length"),
        completion(answer(LEAKY), "stop"),
    ]);
    let grammar = folder.file("kernel.gbnf", "root ::= \"x\"");
    let out = folder.path("out").display().to_string();
    let call = |samples: &'static str| {
        let ask = [
            "--server",
            &url,
            "--model",
            "m",
            "--api",
            "llamacpp",
            "--samples",
            samples,
            "--tasks",
            LEAKY,
            "--jobs",
            "1",
        ];
        let how = [
            "--timeout",
            "1.5",
            "--retries",
            "0",
            "--grammar",
            &grammar,
            "--out",
            &out,
            "--temperature",
            "0.25",
        ];
        evaluated(&[&ask[..], &how].concat())
    };
    let said = call("5");
    assert!(
        said.contains("2 samples of 1 tasks, 1 of them right")
            && said.contains("3 requests without an answer"),
        "{said}"
    );
    let (all, _) = folder.results("out");
    let server = Some(Class::Server);
    assert_eq!(
        classes(&all),
        [
            (0, server),
            (1, server),
            (2, server),
            (3, Some(Class::Cut)),
            (4, None)
        ]
    );
    let whys: Vec<String> = all
        .values()
        .filter_map(|o| o.judged.failure.as_ref())
        .map(|f| f.why.clone())
        .collect();
    assert!(
        whys[0].contains("status 500: out of order") && whys[1].contains("no chat completion"),
        "{whys:?}"
    );
    assert!(whys[2].contains("no answer"), "{whys:?}");
    let last = all.values().last().expect("a result");
    assert_eq!(
        (
            last.tokens,
            last.model.as_deref(),
            &last.settings["grammar"]
        ),
        (Some(12), Some("m"), &json!("kernel.gbnf"))
    );
    assert_eq!(last.settings["api"], "llamacpp");
    let body = bodies.lock().expect("no panic")[0].clone();
    assert_eq!(
        (&body["grammar"], &body["temperature"], &body["model"]),
        (&json!("root ::= \"x\""), &json!(0.25), &json!("m"))
    );
    assert!(body["messages"][1]["content"]
        .as_str()
        .expect("a text")
        .contains("`leaky_relu`"));

    // Only requests without an answer are repeated.
    let said = call("5");
    assert!(said.starts_with("3 candidates judged"), "{said}");
    assert_eq!(bodies.lock().expect("no panic").len(), 8);

    // Another model takes another folder.
    let other = jumar(&[
        "eval", "--server", &url, "--model", "other", "--api", "llamacpp", "--out", &out,
    ]);
    let why = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(
        other.status.code() == Some(2) && why.contains("the model `m`, and this call asks `other`"),
        "{why}"
    );
}

/// Checks that a server gets the grammar of each task in its dialect, and a card of its category.
#[test]
fn a_server_gets_the_grammar_of_the_task_and_the_card_of_its_category() {
    let folder = Folder::new("told");
    for (api, grammar, field, first) in [
        ("vllm", "llm", "/structured_outputs/grammar", "start: "),
        ("vllm", "semantic", "/structured_outputs/grammar", "start: "),
        ("llamacpp", "llm", "/grammar", "root ::= "),
        ("sglang", "llm", "/ebnf", "root ::= "),
        (
            "openai",
            "llm",
            "/tools/0/custom/format/grammar/definition",
            "start: ",
        ),
    ] {
        let (url, bodies) = server(vec![completion("no", "stop")]);
        let name = format!("{api}-{grammar}");
        let out = folder.path(&name).display().to_string();
        let ask = [
            "--server", &url, "--model", "m", "--api", api, "--tasks", LEAKY, "--jobs", "1",
            "--out", &out,
        ];
        evaluated(&[&ask[..], &["--grammar", grammar, "--card-tokens", "2000"]].concat());
        let body = bodies.lock().expect("no panic")[0].clone();
        let text = body
            .pointer(field)
            .and_then(Value::as_str)
            .unwrap_or_else(|| panic!("{name}: no {field}"));
        assert!(
            text.starts_with(first) && text.contains("pub fn leaky_relu("),
            "{name}: {}",
            &text[..300]
        );
        assert_eq!(
            text.contains("%if"),
            grammar == "semantic",
            "{name}: parameters"
        );
        let told = body["messages"][0]["content"].as_str().expect("a text");
        assert!(
            told.contains("# jumar: Ascend NPU kernels in Rust") && told.contains("\n## "),
            "{name}: {told}"
        );
        assert!(!told.contains(".leaky_relu(slope)"), "{name}: the answer");
        let asked = body["messages"][1]["content"].as_str().expect("a text");
        assert!(
            asked.contains("    slope: f32,\n") && asked.contains("`v0` a tile of `f32`"),
            "{name}: {asked}"
        );
        let (all, _) = folder.results(&name);
        let settings = &all.values().next().expect("a result").settings;
        let said = ["grammar", "card", "card_tokens"].map(|name| settings[name].clone());
        assert_eq!(said, [json!(grammar), json!("made"), json!(2000)], "{name}");
    }
}

#[cfg(feature = "mask")]
#[test]
fn a_random_model_is_the_same_for_the_same_seed_and_stays_in_its_grammar() {
    let folder = Folder::new("random");
    let texts = |name: &str, seed: &str, grammar: &str| {
        let out = folder.path(name).display().to_string();
        let call = [
            "--random",
            "3",
            "--seed",
            seed,
            "--grammar",
            grammar,
            "--tasks",
            "leaky_relu,/sqrt,add_rms_norm",
        ];
        evaluated(&[&call[..], &["--cases", "small", "--out", &out]].concat());
        let lines =
            fs::read_to_string(folder.path(name).join("candidates.jsonl")).expect("candidates");
        let mut lines: Vec<String> = lines.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    for grammar in ["llm", "semantic"] {
        let [first, again, other] = [("a", "1"), ("b", "1"), ("c", "2")]
            .map(|(n, seed)| texts(&format!("{grammar}-{n}"), seed, grammar));
        assert!(
            first.len() >= 9 && first == again && first != other,
            "{grammar}: {first:?}"
        );
        let (all, _) = folder.results(&format!("{grammar}-a"));
        let class = |c: Class| all.values().filter(|o| o.class() == Some(c)).count();
        assert_eq!(
            (class(Class::NoKernel), class(Class::Server)),
            (0, 0),
            "{grammar}"
        );
        // A promise about facts that the host knows is well formed, but refused because it has no
        // such form.
        let codes: Vec<&String> = all
            .values()
            .filter_map(|o| o.judged.failure.as_ref())
            .flat_map(|f| &f.codes)
            .collect();
        let is_of_form =
            |code: &&&String| ["J0100", "J0101", "J0107", "J0108"].contains(&code.as_str());
        assert_eq!(codes.iter().find(is_of_form), None, "{grammar}");
        if grammar == "semantic" {
            assert_eq!(class(Class::Name), 0, "every name is defined");
        }
        let first = all.values().next().expect("a result");
        assert_eq!(
            (first.model.as_deref(), &first.settings["grammar"]),
            (Some("random"), &json!(grammar))
        );
    }
}

#[test]
fn a_call_that_a_signal_ends_loses_nothing_that_is_done() {
    let folder = Folder::new("signal");
    let mut acts = vec![completion(answer(LEAKY), "stop"); 2];
    acts.extend(vec![Does::Waits; 100]);
    let (url, _) = server(acts);
    let out = folder.path("out").display().to_string();
    let arguments = [
        "eval",
        "--server",
        &url,
        "--model",
        "m",
        "--api",
        "vllm",
        "--samples",
        "9",
        "--tasks",
        LEAKY,
        "--jobs",
        "1",
        "--out",
        &out,
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_jumar"))
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .expect("jumar starts");
    let results = folder.path("out/results.jsonl");
    let start = Instant::now();
    while fs::read_to_string(&results).map_or(0, |text| text.lines().count()) < 2 {
        assert!(start.elapsed() < Duration::from_secs(60), "two results");
        std::thread::sleep(Duration::from_millis(20));
    }
    let told = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    assert!(told.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let (url, _) = server(vec![completion("no", "stop")]);
    let arguments = [
        "--server",
        &url,
        "--model",
        "m",
        "--api",
        "vllm",
        "--samples",
        "4",
        "--tasks",
        LEAKY,
        "--jobs",
        "1",
        "--out",
        &out,
    ];
    let said = evaluated(&arguments);
    assert!(
        said.starts_with("2 candidates judged")
            && said.contains("4 samples of 1 tasks, 2 of them right"),
        "{said}"
    );
}

#[test]
fn wrong_calls_are_told() {
    let folder = Folder::new("calls");
    let out = folder.path("out").display().to_string();
    let file = folder.file("all.jsonl", line(LEAKY, 0, "no"));
    let broken = folder.file("broken.jsonl", "{\n");
    let missing = Path::new(&file)
        .with_extension("gone")
        .display()
        .to_string();
    for (arguments, said) in [
        (vec![], "required"),
        (vec!["--server", "http://localhost:1"], "--model"),
        (vec!["--candidates", &missing], "cannot be read"),
        (
            vec!["--candidates", &file, "--replay", &file],
            "cannot be used with",
        ),
        (
            vec!["--candidates", &file, "--tasks", "nothing"],
            "names no task",
        ),
        (
            vec!["--candidates", &file, "--shard", "4/3"],
            "a part is I/N",
        ),
        (vec!["--candidates", &file, "--cpp", "101"], "from 0 to 100"),
        (
            vec!["--candidates", &file, "--chip", "ascend1"],
            "there is no chip",
        ),
        (vec!["--candidates", &file, "--time=-1"], "is no time"),
        (
            vec!["--candidates", &file, "--grammar", &missing],
            "cannot be read",
        ),
        (vec!["--replay", &broken], "line 1 is no reply"),
        (
            vec!["--random", "1", "--grammar", "none"],
            "`--random` without a grammar",
        ),
        (
            vec!["--random", "1", "--candidates", &file],
            "cannot be used with",
        ),
        (
            vec!["--random", "1", "--card-tokens", "20"],
            "20 are asked for",
        ),
        (
            vec!["--random", "1", "--card-tokens", "2000", "--card", &file],
            "cannot be used with",
        ),
        (
            vec![
                "--server",
                "http://localhost:1",
                "--model",
                "m",
                "--api",
                "sglang",
                "--grammar",
                "semantic",
            ],
            "no parameters",
        ),
        (vec!["--results", &broken], "line 1"),
    ] {
        let output = jumar(&[&["eval", "--out", &out], &arguments[..]].concat());
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {why}");
        assert!(why.contains(said), "{arguments:?}: {why}");
    }
}

/// Returns the output of `jumar bridge` for a case of a task, as a candidate for that case.
fn bridged(folder: &Folder, sample: u32) -> String {
    let kernel = folder.file("leaky_relu.rs", answer(LEAKY));
    let output = jumar(&[
        "bridge",
        "npukernelbench",
        &kernel,
        "--op-type",
        "LeakyRelu",
        "--shape",
        "x=7,13",
        "--arg",
        "slope=2.0",
    ]);
    let reply = String::from_utf8(output.stdout).expect("text");
    assert!(reply.starts_with("<kernel_impl>"), "{reply}");
    format!(
        "{}\n",
        json!({ "task": LEAKY, "sample": sample, "text": reply, "case": 1 })
    )
}

#[test]
fn ascendc_and_kernels_of_the_language_stand_in_one_report() {
    let folder = Folder::new("ascendc");
    let head = "#include \"kernel_operator.h\"\nextern \"C\" __global__ __aicore__ void leaky_relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)\n{\n";
    let endless =
        format!("{head}    volatile int turns = 0;\n    while (turns == 0) {{\n    }}\n}}\n");
    let said = json!({ "task": LEAKY, "sample": 4, "text": "no kernel", "language": "ascendc" });
    let text = [
        line(LEAKY, 0, answer(LEAKY)),
        bridged(&folder, 1),
        line(LEAKY, 2, &format!("```cpp\n{head}    Relu(x);\n}}\n```")),
        line(LEAKY, 3, &endless),
        format!("{said}\n"),
    ];
    let (file, out) = (
        folder.file("all.jsonl", text.concat()),
        folder.path("out").display().to_string(),
    );
    let said = evaluated(&[
        "--candidates",
        &file,
        "--out",
        &out,
        "--cases",
        "small",
        "--jobs",
        "1",
        "--time",
        "12",
    ]);
    assert!(
        said.contains("5 candidates judged") && said.contains("2 of them right"),
        "{said}"
    );
    let (all, broken) = folder.results("out");
    assert_eq!(broken, []);
    let found = [
        (0, None),
        (1, None),
        (2, Some(Class::Name)),
        (3, Some(Class::Limit)),
        (4, Some(Class::NoKernel)),
    ];
    assert_eq!(classes(&all), found);
    let stages: Vec<Option<Stage>> = all
        .values()
        .map(|o| o.judged.failure.as_ref().map(|f| f.stage))
        .collect();
    assert_eq!(
        stages,
        [
            None,
            None,
            Some(Stage::Compile),
            Some(Stage::Right),
            Some(Stage::Parse)
        ]
    );
    let report = fs::read_to_string(folder.path("out/report.md")).expect("a report");
    for line in [
        "## pass@1 of jumar, in hundredths",
        "| multikernelbench, activation | 1 | 100.0 | 100.0 | 100.0 | – | 100.0 | 100.0 |",
        "## pass@1 of ascendc, in hundredths",
        "| multikernelbench, activation | 1 | 75.0 | – | – | 50.0 | 25.0 | 25.0 |",
    ] {
        assert!(
            report.lines().any(|found| found == line),
            "{line}\n{report}"
        );
    }
}
