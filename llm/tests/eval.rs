//! Candidates through the stages, classes, scores, records, prompts, reports: all parts of
//! `jumar eval` without child processes.

use jumar::dsl::diag::{Code, Severity};
use jumar_llm::client::{read, Api, Reply, Server};
use jumar_llm::eval::ascendc::Language;
use jumar_llm::eval::class::Class;
use jumar_llm::eval::prompt::{asked, declared, first, kernel_in, next, shortened, Message};
use jumar_llm::eval::record::{
    candidates, outcomes, Broken, Candidate, Growing, Key, Line, Outcome,
};
use jumar_llm::eval::score::{by_task, last_rounds, mean, pass_at};
use jumar_llm::eval::stages::{Cases, Cost, Failure, Judge, Judged, Settings, Stage};
use jumar_llm::eval::{all_tasks, hidden, plot, pool, report, task};
use std::collections::BTreeMap;
use std::time::Duration;

const SMALL: Settings = Settings {
    chip: None,
    seed: 0,
    cases: Cases::Small,
    shapes: 0,
    fixes: true,
};

fn judged(name: &str, text: &str, settings: Settings) -> Judged {
    let task = task(name).expect("a task");
    Judge::new(task, task.reference(), settings).judge(text, false, &mut |_| {})
}

fn leaky(from: &str, to: &str) -> Judged {
    let answer = task("multikernelbench/leaky_relu")
        .expect("a task")
        .answer();
    assert!(answer.contains(from), "{from}\n{answer}");
    judged(
        "multikernelbench/leaky_relu",
        &answer.replacen(from, to, 1),
        SMALL,
    )
}

#[test]
fn each_mistake_stops_at_its_stage_with_its_class() {
    let rows = [
        (
            "#[kernel]",
            "Here is the kernel:\n#[kernel]",
            Stage::Parse,
            Class::Syntax,
            vec!["J0100"],
        ),
        (
            "for t in",
            "while true {} for t in",
            Stage::Parse,
            Class::Syntax,
            vec!["J0101"],
        ),
        (
            "fn leaky_relu",
            "fn other",
            Stage::Check,
            Class::NoKernel,
            vec![],
        ),
        (
            ".leaky_relu(slope)",
            ".leaky(slope)",
            Stage::Check,
            Class::Name,
            vec!["J0103"],
        ),
        (
            "(slope)",
            "(slop)",
            Stage::Check,
            Class::Name,
            vec!["J0102"],
        ),
        (
            "(slope)",
            "(slope, slope)",
            Stage::Check,
            Class::Arguments,
            vec!["J0106"],
        ),
        (
            "slope: f32",
            "slope: f32, more: f32",
            Stage::Right,
            Class::Signature,
            vec!["J0605"],
        ),
        (
            ".leaky_relu(slope)",
            ".relu()",
            Stage::Right,
            Class::Value,
            vec![],
        ),
    ];
    for (from, to, stage, class, codes) in rows {
        let found = leaky(from, to)
            .failure
            .unwrap_or_else(|| panic!("{to} passes"));
        assert_eq!(
            (found.stage, found.class),
            (stage, class),
            "{to}: {}",
            found.why
        );
        assert_eq!(found.codes, codes, "{to}: {}", found.why);
        assert!(!found.why.is_empty());
    }
}

#[test]
fn an_answer_passes_every_stage_that_is_asked_for() {
    let found = leaky("leaky_relu", "leaky_relu");
    assert_eq!(
        found.passed,
        [
            Stage::Parse,
            Stage::Check,
            Stage::Emit,
            Stage::Right,
            Stage::Cost
        ],
        "{:?}",
        found.failure
    );
    let Cost { cycles, bound, .. } = found.cost.expect("a prediction");
    assert!(cycles > bound && bound > 0.0, "{cycles} {bound}");
    assert!(found.worst.is_some_and(|worst| worst <= 1.0));
    let mut begun = Vec::new();
    let task = task("multikernelbench/leaky_relu").expect("a task");
    Judge::new(task, task.reference(), SMALL).judge("no", false, &mut |stage| begun.push(stage));
    assert_eq!(begun, [Stage::Parse]);
}

#[test]
fn a_hidden_seed_changes_the_numbers_and_no_verdict() {
    let settings = Settings { seed: 7, ..SMALL };
    let answer = task("npukernelbench/sqrt").expect("a task").answer();
    let (seven, zero) = (
        judged("npukernelbench/sqrt", answer, settings),
        judged("npukernelbench/sqrt", answer, SMALL),
    );
    assert_eq!(seven.failure, None);
    assert_eq!(zero.failure, None);
    let adds = answer.replace("wide().sqrt()", "wide()");
    let why = |settings| {
        judged("npukernelbench/sqrt", &adds, settings)
            .failure
            .expect("a wrong value")
            .why
    };
    assert_ne!(why(settings), why(SMALL));
}

/// A kernel that is only right for the sizes of the header's case fails.
#[test]
fn hidden_sizes_find_what_is_written_for_known_ones() {
    let name = "multikernelbench/leaky_relu";
    let task = task(name).expect("a task");
    let known = hidden::cases(task, task.reference(), 3, 4);
    assert_eq!(known.len(), 4);
    assert_eq!(
        format!("{known:?}"),
        format!("{:?}", hidden::cases(task, task.reference(), 3, 4)),
        "the same each time"
    );
    let settings = Settings { shapes: 4, ..SMALL };
    assert_eq!(judged(name, task.answer(), settings).failure, None);
    let cheat = task
        .answer()
        .replace("for t in", "require(x.len() == 91); for t in");
    assert_eq!(judged(name, &cheat, SMALL).failure, None);
    let failure = judged(name, &cheat, settings)
        .failure
        .expect("it is for one size");
    assert_eq!(
        (failure.class, failure.codes),
        (Class::Host, vec!["J0604".to_string()])
    );
}

#[test]
fn findings_come_with_or_without_what_to_write_instead() {
    let name = "npukernelbench/sqrt";
    let text = task(name)
        .expect("a task")
        .answer()
        .replace(".cast::<T>()", "");
    let why = |fixes| {
        judged(name, &text, Settings { fixes, ..SMALL })
            .failure
            .expect("a mistake")
            .why
    };
    assert!(
        why(true).contains("this removes the error"),
        "{}",
        why(true)
    );
    assert!(
        !why(false).contains("this removes the error"),
        "{}",
        why(false)
    );
    assert!(why(false).contains("J0202"), "{}", why(false));
}

#[test]
fn a_warning_is_a_class_of_its_own_and_every_other_code_has_another() {
    for code in Code::ALL {
        assert_eq!(
            code.severity() == Severity::Warning,
            Class::of(*code) == Class::Warning,
            "{code}"
        );
    }
    for class in Class::ALL {
        assert_eq!(serde_json::to_value(class).expect("a name"), class.name());
    }
}

#[test]
fn the_guide_lists_every_class_and_stage() {
    let results = include_str!("../../book/src/models/results.md");
    for class in Class::ALL {
        let row = format!("| `{class}` | {} |", class.says());
        assert!(
            results.lines().any(|line| line == row),
            "book/src/models/results.md lacks {row}"
        );
    }
    let guide = include_str!("../../book/src/models/evaluation.md");
    for stage in Stage::ALL {
        assert!(
            guide.contains(&format!("| `{stage}` | ")),
            "book/src/models/evaluation.md lacks {stage}"
        );
    }
}

/// Computes pass@k by counting every choice of k samples.
fn closed(k: u64, n: u64, c: u64) -> f64 {
    let choose = |n: u64| {
        if n < k {
            0
        } else {
            (0..k).fold(1u128, |all, i| all * u128::from(n - i) / u128::from(i + 1))
        }
    };
    1.0 - choose(n - c) as f64 / choose(n) as f64
}

#[test]
fn pass_at_k_is_the_closed_form_and_stays_finite() {
    for n in 1..=24 {
        for (c, k) in (0..=n).flat_map(|c| (1..=n).map(move |k| (c, k))) {
            let found = pass_at(k, n, c).expect("enough samples");
            assert!(
                (found - closed(k, n, c)).abs() < 1e-12,
                "{n} {c} {k}: {found}"
            );
        }
    }
    assert_eq!(pass_at(5, 4, 1), None);
    assert_eq!(pass_at(0, 4, 1), None);
    assert_eq!(pass_at(1, 4, 5), None);
    let large = pass_at(100, 100_000, 1000).expect("enough samples");
    assert!((large - (1.0 - 0.99f64.powi(100))).abs() < 1e-3, "{large}");
}

/// Samples that are right with a known probability give the expected mean of pass@k over many
/// tasks.
#[test]
fn scripted_sources_of_known_rate_measure_it() {
    let mut state = 1u64;
    let mut unit = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for rate in [0.025, 0.3, 0.904] {
        let all: Vec<Outcome> = (0..400 * 20)
            .map(|i| {
                outcome(
                    &format!("b/{}", i / 20),
                    i % 20,
                    (unit() < rate).then_some(()).ok_or(Class::Value),
                )
            })
            .collect();
        let samples: Vec<&Outcome> = all.iter().collect();
        let tallies = by_task(&samples);
        for k in [1, 5, 10] {
            let (found, meant) = (
                mean(tallies.values(), Stage::Right, k).expect("samples"),
                1.0 - (1.0f64 - rate).powi(k as i32),
            );
            assert!(
                (found - meant).abs() < 0.025,
                "rate {rate}, k {k}: {found}, meant {meant}"
            );
        }
        assert_eq!(mean(tallies.values(), Stage::Right, 21), None);
        assert_eq!(
            mean(tallies.values(), Stage::Compile, 1),
            None,
            "C++ was asked for of none"
        );
    }
}

fn outcome(name: &str, sample: u32, result: Result<(), Class>) -> Outcome {
    let (passed, failure) = match result {
        Ok(()) => (
            vec![
                Stage::Parse,
                Stage::Check,
                Stage::Emit,
                Stage::Right,
                Stage::Cost,
            ],
            None,
        ),
        Err(class) => {
            let codes = if class == Class::Axis {
                vec!["J0206".to_string()]
            } else {
                Vec::new()
            };
            let stage = if class == Class::Value {
                Stage::Right
            } else {
                Stage::Check
            };
            let passed = Stage::ALL
                .into_iter()
                .filter(|s| *s < stage && *s != Stage::Compile)
                .collect();
            (
                passed,
                Some(Failure {
                    stage,
                    class,
                    codes,
                    case: None,
                    why: "so | so".into(),
                }),
            )
        }
    };
    let cost = failure.is_none().then_some(Cost {
        cycles: 200.0,
        bound: 50.0,
        at_most: false,
    });
    let micros = BTreeMap::from([(Stage::Parse, 1500)]);
    Outcome {
        task: name.to_string(),
        category: "math".into(),
        level: Some(1),
        sample,
        round: 0,
        finish: None,
        tokens: None,
        model: Some("m".into()),
        settings: BTreeMap::new(),
        language: Language::Jumar,
        cpp: false,
        judged: Judged {
            passed,
            failure,
            micros,
            worst: None,
            cost,
        },
    }
}

#[test]
fn a_report_has_scores_classes_codes_costs_and_what_was_no_sample() {
    let all = [
        outcome("b/one", 0, Ok(())),
        outcome("b/one", 1, Err(Class::Axis)),
        outcome("b/two", 0, Err(Class::Value)),
        outcome("b/two", 1, Err(Class::Server)),
    ];
    let all: BTreeMap<Key, Outcome> = all.into_iter().map(|o| (o.key(), o)).collect();
    let text = report::markdown(
        &all,
        &[Broken {
            line: 4,
            why: "no | JSON".into(),
        }],
    );
    let lines = [
        "3 samples of 2 tasks, 1 of them right; 3 candidates judged; 0 samples asked to run as C++, too; 1 requests without an answer; 1 lines that are no candidates.",
        "| b, level 1 | 2 | 100.0 | 75.0 | 75.0 | – | 25.0 | 25.0 |",
        "| axis | 1 | 50.0 |  | 1 |  |  |  |  | axes of tiles and tensors that do not go together |",
        "| value | 1 | 50.0 |  |  |  |  | 1 |  | a result that is not the reference's |",
        "| J0206 | 1 | tiles whose axes do not go together |",
        "| b/one | 200 | 50 | 0.25 |",
        "| 1 | so \\| so |",
        "| 4 | no \\| JSON |",
        "| parse | 4 | 1.50 | 1.50 |",
    ];
    for line in lines {
        assert!(text.lines().any(|found| found == line), "{line}\n\n{text}");
    }
    assert!(!text.contains("pass@10"), "no task has ten samples: {text}");
    let picture = plot::svg(&last_rounds(&all, 0)).expect("a picture");
    assert!(
        picture.starts_with("<svg")
            && Stage::ALL
                .iter()
                .all(|stage| picture.contains(stage.name())),
        "{picture}"
    );
    assert!(plot::svg(&[])
        .expect("an empty picture")
        .starts_with("<svg"));
}

#[test]
fn repaired_samples_count_by_their_last_round() {
    let mut second = outcome("b/one", 0, Ok(()));
    second.round = 1;
    let all = [
        outcome("b/one", 0, Err(Class::Value)),
        second,
        outcome("b/one", 1, Err(Class::Value)),
    ];
    let all: BTreeMap<Key, Outcome> = all.into_iter().map(|o| (o.key(), o)).collect();
    let rate = |rounds| {
        mean(
            by_task(&last_rounds(&all, rounds)).values(),
            Stage::Right,
            1,
        )
    };
    assert_eq!((rate(0), rate(1)), (Some(0.0), Some(0.5)));
    let text = report::markdown(&all, &[]);
    assert!(
        text.contains("| 0 | 100.0 | 100.0 | 100.0 | – | 0.0 | 0.0 |\n| 1 | 100.0 | 100.0 | 100.0 | – | 50.0 | 50.0 |"),
        "{text}"
    );
}

#[test]
fn lines_that_are_no_candidates_are_told_by_number() {
    let text = b"{\"task\": \"a\", \"text\": \"x\"}\n\n{\"task\": \"a\", \"te\n{\"task\": \"b\", \"text\": \"x\"}\n{\"task\": \"a\", \"text\": \"y\"}\n\xff\n{\"task\": \"a\", \"sample\": 1, \"text\": \"z\", \"finish\": \"length\"}";
    let (all, broken) = candidates(text, |name| name == "a");
    assert_eq!(
        all.iter()
            .map(|c| (c.sample, c.text.as_str(), c.is_cut()))
            .collect::<Vec<_>>(),
        [(0, "x", false), (1, "z", true)]
    );
    let whys: Vec<(u64, &str)> = broken.iter().map(|b| (b.line, b.why.as_str())).collect();
    assert_eq!(
        whys.iter().map(|(line, _)| *line).collect::<Vec<_>>(),
        [3, 4, 5, 6]
    );
    assert_eq!(whys[1].1, "there is no task `b`");
    assert_eq!(whys[2].1, "sample 0, round 0 of a is there already");
}

#[test]
fn a_line_that_was_not_written_to_its_end_is_dropped_and_a_wrong_one_is_told() {
    let folder = std::env::temp_dir().join(format!("jumar-eval-records-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("results.jsonl");
    let whole = Line::Result(Box::new(outcome("b/one", 0, Err(Class::Axis))));
    let (mut file, none) = Growing::open::<Line>(&path).expect("a new file");
    assert!(none.is_empty());
    file.add(&whole).expect("a line");
    std::fs::write(
        &path,
        [
            std::fs::read(&path).expect("the file"),
            b"{\"record\": \"res".to_vec(),
        ]
        .concat(),
    )
    .expect("half a line");
    let (mut file, lines) = Growing::open::<Line>(&path).expect("the file");
    assert_eq!(lines, std::slice::from_ref(&whole));
    file.add(&Line::Broken(Broken {
        line: 2,
        why: "so".into(),
    }))
    .expect("a line");
    let (_, lines) = Growing::open::<Line>(&path).expect("the file");
    let (done, broken) = outcomes(lines);
    assert_eq!((done.len(), broken.len()), (1, 1));
    std::fs::write(&path, "{}\n").expect("a line that is none");
    let why = Growing::open::<Line>(&path)
        .expect_err("a wrong line")
        .to_string();
    assert!(why.contains("line 1"), "{why}");
    std::fs::remove_dir_all(&folder).expect("it goes");
}

/// Reads a record as `book/src/models/evaluation.md` describes it.
#[test]
fn a_candidate_needs_a_task_and_a_text() {
    let read = |text: &str| serde_json::from_str::<Candidate>(text);
    let full = r#"{"task": "b/n", "sample": 3, "round": 1, "text": "t", "finish": "stop", "tokens": 7, "model": "m", "settings": {"a": 1}}"#;
    let back = serde_json::to_string(&read(full).expect("a candidate")).expect("a line");
    assert_eq!(back, full.replace(": ", ":").replace(", ", ","));
    assert!(read(r#"{"task": "b/n"}"#).is_err() && read(r#"{"text": ""}"#).is_err());
}

#[test]
fn a_prompt_is_of_the_header_alone() {
    for (name, task) in all_tasks() {
        let text = asked(task);
        for said in task
            .tensors
            .iter()
            .map(|t| &t.name)
            .chain(task.attrs.iter().map(|a| &a.name))
            .chain([&task.does, &task.stem])
        {
            assert!(text.contains(said.as_str()), "{name}: {said}");
        }
        // The prompt declares each parameter as the answer does.
        let answer = task
            .answer()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        for tensor in &task.tensors {
            let said = declared(task, tensor);
            assert!(
                text.contains(&said) && answer.contains(said.trim_start_matches("#[inplace] ")),
                "{name}: {said}\n{answer}"
            );
        }
        // The prompt must not contain a line of the answer.
        for line in task
            .answer()
            .lines()
            .map(str::trim)
            .filter(|line| line.contains(".load()") || line.contains(".store("))
        {
            assert!(!text.contains(line), "{name}: {line}");
        }
    }
    let mut messages = first(
        task("npukernelbench/sqrt").expect("a task"),
        Some("THE CARD"),
    );
    assert!(messages[0].content.ends_with("THE CARD") && messages[0].role == "system");
    let failure = leaky("(slope)", "(slop)").failure.expect("a mistake");
    next(&mut messages, "my reply", &failure);
    assert_eq!(
        messages[2],
        Message {
            role: "assistant".into(),
            content: "my reply".into()
        }
    );
    assert!(
        messages[3].content.contains("`check`") && messages[3].content.contains("J0102"),
        "{}",
        messages[3].content
    );
}

#[test]
fn the_kernel_is_what_stands_between_fences() {
    assert_eq!(kernel_in("fn k() {}", "k"), "fn k() {}");
    assert_eq!(
        kernel_in("Here:\n```rust\nfn k() {}\n```\nDone.", "k"),
        "fn k() {}\n"
    );
    assert_eq!(
        kernel_in("```\nfirst\n```\n```rust\nfn k() {}\n```", "k"),
        "fn k() {}\n"
    );
    assert_eq!(
        kernel_in("```\nfirst\n```\n```\nsecond\n```", "k"),
        "first\n"
    );
    assert_eq!(kernel_in("```rust\nfn k(", "k"), "fn k(");
    assert_eq!(kernel_in("", "k"), "");
    assert_eq!(shortened("größe", 3), "gr");
    assert_eq!(shortened("größe", 4), "grö");
}

#[test]
fn a_grammar_goes_in_the_field_of_each_server() {
    let server = |api| Server {
        url: "http://localhost".into(),
        model: "m".into(),
        api,
        key: None,
        temperature: 0.5,
        max_tokens: 9,
        timeout: Duration::from_secs(1),
        retries: 0,
    };
    let asked = [Message {
        role: "user".into(),
        content: "do".into(),
    }];
    let body = |api| server(api).body(&asked, 1, Some("G"));
    assert_eq!(body(Api::Vllm)["structured_outputs"]["grammar"], "G");
    assert_eq!(body(Api::LlamaCpp)["grammar"], "G");
    assert_eq!(body(Api::Sglang)["ebnf"], "G");
    let format = &body(Api::OpenAi)["tools"][0]["custom"]["format"];
    assert_eq!(
        (
            &format["grammar"]["syntax"],
            &format["grammar"]["definition"]
        ),
        (&"lark".into(), &"G".into())
    );
    assert_eq!(
        (
            &body(Api::OpenAi)["max_completion_tokens"],
            &body(Api::Vllm)["max_tokens"]
        ),
        (&9.into(), &9.into())
    );
    let bare = server(Api::Vllm).body(&asked, 1, None);
    assert_eq!(bare["messages"][0]["content"], "do");
    assert!(bare.get("structured_outputs").is_none() && bare.get("tools").is_none());
}

#[test]
fn an_answer_is_read_from_text_or_from_the_tool_that_takes_it() {
    let plain = r#"{"choices": [{"message": {"content": "k"}, "finish_reason": "length"}], "usage": {"completion_tokens": 5}, "id": 1}"#;
    assert_eq!(
        read(plain),
        Ok(Reply {
            text: "k".into(),
            finish: Some("length".into()),
            tokens: Some(5)
        })
    );
    let tool = r#"{"choices": [{"message": {"content": null, "tool_calls": [{"type": "custom", "custom": {"name": "kernel", "input": "k"}}]}}]}"#;
    assert_eq!(
        read(tool),
        Ok(Reply {
            text: "k".into(),
            finish: None,
            tokens: None
        })
    );
    let empty = r#"{"choices": [{"message": {"content": null}}]}"#;
    assert_eq!(
        read(empty),
        Ok(Reply {
            text: String::new(),
            finish: None,
            tokens: None
        })
    );
    assert!(read(r#"{"choices": []}"#).is_err_and(|why| why.contains("no choice")));
    assert!(read("<html>").is_err_and(|why| why.contains("no chat completion")));
}

#[test]
fn settings_reach_the_process_that_judges() {
    let chip = jumar::dsl::soc::Chip::by_name("ascend310p");
    assert!(chip.is_some());
    for settings in [
        SMALL,
        Settings {
            chip,
            seed: 9,
            cases: Cases::All,
            shapes: 3,
            fixes: false,
        },
    ] {
        let arguments = pool::Worker::arguments(settings, 77);
        let (back, memory) = pool::settings(&arguments).expect("its own arguments");
        assert_eq!((format!("{back:?}"), memory), (format!("{settings:?}"), 77));
    }
    assert!(pool::settings(&["declared".into()]).is_err());
    assert!(pool::settings(&[
        "no".into(),
        "0".into(),
        "all".into(),
        "0".into(),
        "fixes".into(),
        "1".into()
    ])
    .is_err());
}
