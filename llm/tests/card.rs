//! The op card: it keeps to its tokens, explains every item of the language, and each of its
//! examples is checked and runs.

mod given;
mod stage;

use given::given;
use jumar::dsl::diag::Code;
use jumar::dsl::ir::Level;
use jumar::dsl::items::{self, KernelAttr, ParamAttr};
use jumar::dsl::ops::Op;
use jumar::load::check_text;
use jumar::ndarray::{Array1, Array2};
use jumar::Launch;
use jumar_llm::card::{card, element_types, entries, lines, tokens, Asked, CardError, Entry, Line};
use jumar_llm::eval::all_tasks;
use jumar_llm::mcp::tools::by_name;
use serde_json::{json, Value};
use stage::{has_word, kernel};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The limit of the text on the whole language.
const WHOLE: usize = 9000;

fn asked(tokens: usize) -> Asked {
    Asked {
        tokens,
        ..Asked::default()
    }
}

fn text_of(tokens: usize) -> String {
    card(&asked(tokens)).expect("a card")
}

/// Returns the text on the whole language, without the kernels behind it.
fn whole() -> &'static str {
    static WHOLE_TEXT: LazyLock<String> = LazyLock::new(|| text_of(WHOLE));
    let last = lines().last().expect("a line").text();
    let end = WHOLE_TEXT.find(&last).expect("the last line") + last.len();
    &WHOLE_TEXT[..end]
}

/// Returns the lines that a card lacks, up to a rank.
fn missing(text: &str, rank: u8) -> Vec<String> {
    let own = lines().iter().filter(|line| line.rank <= rank);
    own.map(Line::text)
        .filter(|line| !text.contains(line))
        .collect()
}

#[test]
fn a_card_keeps_to_its_tokens_and_says_more_with_more() {
    let mut before = 0;
    for most in [1000, 2000, 3000, 4000, 6000, 8000, WHOLE, 16000] {
        let text = text_of(most);
        let length = tokens(&text);
        println!("{length} tokens of {most}");
        assert!(length <= most, "{length} of {most}");
        assert!(
            length > before,
            "{length} of {most}, {before} of the one before"
        );
        before = length;
        let unnamed: Vec<&str> = entries()
            .iter()
            .filter(|e| !is_named(&text, e))
            .map(|e| e.name)
            .collect();
        assert!(unnamed.is_empty(), "{most}: {unnamed:?}");
    }
    for (most, rank) in [(1000, 1), (4000, 2), (WHOLE, 3)] {
        let missing = missing(&text_of(most), rank);
        assert!(missing.is_empty(), "{most}: {missing:#?}");
    }
    println!("{} tokens of all lines", tokens(whole()));
    let much = text_of(16000);
    assert!(
        much.starts_with(&text_of(WHOLE)) && much.contains("pub mod answer"),
        "kernels follow the lines"
    );
}

/// True if a card says how an op is called.
fn is_named(text: &str, e: &Entry) -> bool {
    match e.name {
        "add" => text.contains('+'),
        "sub" | "neg" => text.contains('-'),
        "mul" => text.contains('*'),
        "div" => text.contains(" / "),
        _ => {
            let call = e.signature.split(':').next().unwrap_or_default();
            let sign = call.chars().filter(|c| "&|!<>".contains(*c));
            let sign: String = sign.take(2).collect();
            has_word(text, e.name) || !call.contains('.') && text.contains(&sign)
        }
    }
}

#[test]
fn a_card_is_of_what_is_asked() {
    let some = Asked {
        ops: ["exp", "sum"].map(String::from).into(),
        ..asked(2000)
    };
    let text = card(&some).expect("a card");
    assert!(
        text.contains("v.exp()") && text.contains("v.sum(d)") && !text.contains("v.tanh()"),
        "{text}"
    );
    let losses = Asked {
        category: Some("loss".into()),
        ..asked(4000)
    };
    assert!(
        card(&losses).expect("a card").contains("loss"),
        "kernels of losses"
    );
    for (name, task) in all_tasks() {
        let text = card(&Asked {
            without: Some(name.clone()),
            category: Some(task.category.clone()),
            ..asked(16000)
        })
        .expect("a card");
        assert!(
            !text.contains(task.answer().trim()),
            "the answer of {name} is in its card"
        );
    }
    assert_eq!(
        card(&Asked {
            ops: ["expo".to_string()].into(),
            ..asked(2000)
        }),
        Err(CardError::NoOp("expo".into()))
    );
    assert_eq!(
        card(&Asked {
            category: Some("sewing".into()),
            ..asked(2000)
        }),
        Err(CardError::NoCategory("sewing".into()))
    );
    assert!(matches!(
        card(&asked(100)),
        Err(CardError::TooFew { found: 100, .. })
    ));
}

/// Returns the keys of all items of the tile level, as lines name them.
fn keys_of_items() -> Vec<(String, String)> {
    let methods = items::all().filter(|item| item.level != Some(Level::Queue));
    let mut all: Vec<(String, String)> = methods
        .map(|item| match item.of {
            Some(of) => (format!("{of}.{}", item.name), format!(".{}", item.name)),
            None => (item.name.to_string(), item.name.to_string()),
        })
        .collect();
    for (form, _) in KernelAttr::FORMS.iter().chain(ParamAttr::FORMS) {
        let name = form.split(['(', ']']).next().unwrap_or_default();
        all.push((format!("{name}]"), name.to_string()));
    }
    all
}

/// True if code calls a method or function, or has an attribute.
fn calls(code: &str, call: &str) -> bool {
    let after = |at: usize| &code[at + call.len()..];
    let before = |at: usize| code[..at].chars().next_back();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(call).any(|(at, _)| {
        let ends = after(at).starts_with(['(', ']']) || after(at).starts_with("::<");
        let begins = !call.starts_with(is_word) || !before(at).is_some_and(is_word);
        ends && begins
    })
}

#[test]
fn every_item_of_the_language_has_a_line_with_an_example() {
    let whole = text_of(WHOLE);
    let printed = |line: &&Line| whole.contains(&line.text());
    let without: Vec<String> = keys_of_items()
        .into_iter()
        .filter(|(key, call)| {
            !lines().iter().filter(printed).any(|line| {
                line.items.contains(key) && line.code().is_some_and(|code| calls(code, call))
            })
        })
        .map(|(key, _)| key)
        .collect();
    println!(
        "{} items, {} without a line: {without:?}",
        keys_of_items().len(),
        without.len()
    );
    assert_eq!(without.len(), 0, "{without:?}");

    let of_ops = |e: &&Entry| {
        let own = |line: &Line| line.part == "Ops" && line.items.iter().any(|item| item == e.name);
        !lines().iter().any(own)
    };
    let all = entries();
    let without: Vec<&str> = all.iter().filter(of_ops).map(|e| e.name).collect();
    assert!(without.is_empty(), "ops without a line: {without:?}");

    // A key that names nothing would be found by nobody else.
    let mut known: BTreeSet<String> = keys_of_items().into_iter().map(|(key, _)| key).collect();
    known.extend(entries().iter().map(|e| e.name.to_string()));
    let unknown = lines().iter().flat_map(|line| &line.items);
    let unknown: Vec<&String> = unknown.filter(|item| !known.contains(*item)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn element_types_on_the_card_are_those_of_the_ops() {
    const NUMBERS: &str = "f16 f32 i32 i16 i64 u16 u32 i8 u8";
    for (says, ops, types) in [
        (
            "`+` and `-` take f16 f32 i32 i16 i64",
            &["add", "sub"][..],
            "f16 f32 i32 i16 i64",
        ),
        ("`*` f16 f32 i32 i16", &["mul"], "f16 f32 i32 i16"),
        ("`/` f16 f32", &["div"], "f16 f32"),
        (
            "`max` and `min` of all numbers but bf16",
            &["max", "min"],
            NUMBERS,
        ),
        (
            "`exp`, `ln` and `sqrt` take f16 f32",
            &["exp", "ln", "sqrt"],
            "f16 f32",
        ),
        ("`abs` also i64", &["abs"], "f16 f32 i64"),
        ("`relu` also i32", &["relu"], "f16 f32 i32"),
        ("`sum` of f16 f32 i32 i64", &["sum"], "f16 f32 i32 i64"),
        ("`prod` of f16 f32 i32", &["prod"], "f16 f32 i32"),
        ("`mean` of f16 f32", &["mean"], "f16 f32"),
        (
            "`amax` and `amin` of all numbers but bf16",
            &["amax", "amin"],
            NUMBERS,
        ),
        (
            "shifts of i16 u16 i32 u32",
            &["shift_left", "shift_right"],
            "i16 u16 i32 u32",
        ),
    ] {
        assert!(text_of(WHOLE).contains(says), "{says}");
        for name in ops {
            let op = Op::by_name(name).unwrap_or_else(|| panic!("{name}"));
            let taken: BTreeSet<String> = element_types(op).map(|t| t.to_string()).collect();
            let said: BTreeSet<String> = types.split(' ').map(String::from).collect();
            assert_eq!(taken, said, "{name}");
        }
    }
}

/// Checks a kernel, and returns its codes and the messages.
fn codes(text: &str) -> (BTreeSet<Code>, String) {
    let file = check_text("card.rs", text, None);
    let found = file.kernels().iter().flat_map(|k| &k.diagnostics);
    let codes = found.map(|d| d.code).collect();
    (codes, file.render(false))
}

#[test]
fn every_mistake_of_the_card_is_found_and_its_right_form_is_not() {
    let mut failed = Vec::new();
    let mut count = 0;
    for line in lines() {
        let (Some(wrong), Some(right)) = (&line.wrong, &line.right) else {
            continue;
        };
        count += 1;
        let code = line
            .code
            .as_deref()
            .and_then(Code::by_name)
            .expect("a code");
        let (found, said) = codes(&kernel(line, wrong));
        if !found.contains(&code) {
            failed.push(format!("`{wrong}` is not {code}: {found:?}\n{said}"));
        }
        let (found, said) = codes(&kernel(line, right));
        if !found.is_empty() {
            failed.push(format!("`{right}` is {found:?}\n{said}"));
        }
        assert!(
            !line.text().contains('\\') && !wrong.contains('|') && !right.contains('|'),
            "a table has no such code: {wrong}"
        );
    }
    assert!(
        count >= 20 && failed.is_empty(),
        "{count}: {}",
        failed.join("\n")
    );
    assert!(
        text_of(WHOLE).find("## Mistakes") < text_of(WHOLE).find("## Rules"),
        "mistakes come first"
    );
}

/// Runs a kernel on a backend, and returns its outputs.
fn ran(text: &str, backend: &str) -> Result<Value, String> {
    let given = given(text);
    let arguments = json!({
        "text": text, "inputs": given.inputs, "attrs": given.attrs, "outputs": given.outputs,
        "backend": backend, "seed": 1,
    });
    let tool = by_name("run").expect("a tool");
    match tool.call(arguments) {
        Ok(called) => Ok(called.structured["outputs"].clone()),
        Err(refused) => Err(format!("{backend}: {refused:?}")),
    }
}

/// True if two outputs agree but for roundings.
fn agree(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b))
        }
        _ => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= 2e-3 * (1.0 + a.abs()),
            _ => a == b,
        },
    }
}

#[test]
fn every_example_of_the_lines_is_checked_and_runs() {
    let mut failed = Vec::new();
    let mut count = 0;
    for line in lines() {
        let Some(code) = line.code() else {
            continue;
        };
        count += 1;
        let text = kernel(line, code);
        let (found, said) = codes(&text);
        if !found.is_empty() {
            failed.push(format!("{text}{said}"));
            continue;
        }
        let (sim, tile) = match (ran(&text, "sim"), ran(&text, "tile")) {
            (Ok(sim), Ok(tile)) => (sim, tile),
            (Err(e), _) | (_, Err(e)) => {
                failed.push(format!("{text}{e}"));
                continue;
            }
        };
        let outputs = |of: &Value| of.as_array().cloned().unwrap_or_default();
        let pairs: Vec<(Value, Value)> = outputs(&sim).into_iter().zip(outputs(&tile)).collect();
        for (a, b) in &pairs {
            if a["data"].is_null() || !agree(&a["data"], &b["data"]) {
                failed.push(format!("{text}{a}\nis not\n{b}"));
            }
        }
        if pairs.is_empty() {
            failed.push(format!("{text}has no output"));
        }
    }
    println!("{count} examples");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Kernels with the code in the words of lines that no example has.
const IN_WORDS: &[&str] = &[
    "use jumar::prelude::*;
#[kernel]
#[instances(f16, f32)]
pub fn scaled<T: Float>(
    #[shape(n.., d)] x: &GlobalTensor<T>,
    #[shape(d)] w: &GlobalTensor<T>,
    #[shape(n.., d)] y: &mut GlobalTensor<T>,
    #[default(1e-5)] eps: f32,
    k: usize,
    causal: bool,
) {
    require(k <= d);
    for r in tiles(n) {
        let u = x.at(r, ..).load().wide();
        let by = w.at(..).load().wide();
        let v = u.sum(d);
        let w = if causal { u * u } else { v.expand(d) + k };
        let v = x.at(r, d.indices() - 1).load_or(0.0).cumsum(d).wide();
        y.at(r, ..).store((v.lerp(w, by) + eps).cast::<T>());
    }
}",
    "use jumar::prelude::*;
#[kernel]
pub fn merged(
    #[shape(m = n + 1)] x: &GlobalTensor<f32>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
    #[shape()] z: &mut GlobalTensor<f32>,
) {
    let mut a = across_cores::<f32>((), 0.0);
    let mut b = across_cores::<f32>((), 1.0);
    let mut c = across_cores::<bool>((), true);
    for t in tiles(n) {
        let v = x.at(t + 1).load() + x.at(n - 1 - t).load();
        a = a.min(v.amin(t));
        b *= v.prod(t);
        c &= v.gt(0.0).all(t);
        y.at(t).store(v);
    }
    z.at().store(c.select(a, b));
}",
];

#[test]
fn code_in_the_words_of_a_line_stands_in_a_right_kernel() {
    let bare = |text: &str| {
        text.chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
    };
    let kernels = lines()
        .iter()
        .filter_map(|line| Some(kernel(line, line.code()?)));
    let mut all = bare(&kernels.collect::<String>());
    for text in IN_WORDS {
        let (found, said) = codes(text);
        assert!(found.is_empty(), "{said}");
        all += &bare(text);
    }
    let names: BTreeSet<&str> = entries().iter().map(|e| e.name).collect();
    // Names of types and of attributes, and forms that no example needs.
    let others = [
        "Rint", "Ceil", "Trunc", "Int", "Number", "Element", "[r]", "[r, d]", "break",
    ];
    let is_known = |code: &str| {
        code.split(' ').all(|word| names.contains(word))
            || others.contains(&code)
            || code.split("..)").all(|part| all.contains(&bare(part)))
    };
    let unknown: Vec<String> = lines()
        .iter()
        .filter(|line| line.part != "Mistakes")
        .flat_map(|line| line.says.split('`').skip(1).step_by(2))
        .filter(|code| !is_known(code))
        .map(String::from)
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn the_whole_text_is_short_prose() {
    let wrong = jumar_kit::prose::wrong(whole());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns a kernel around the line of an entry, which reads `x`, `w`, `m` or `a` and `b` and
/// defines one tile.
fn around(example: &str) -> String {
    let name = example
        .trim()
        .strip_prefix("let ")
        .and_then(|rest| rest.split_whitespace().next())
        .unwrap_or("z");
    let has = |what: &str| example.contains(what);
    let (of, mask) = (
        if has("&") || has("|") || has("!") || has("<<") || has(">>") {
            "i32"
        } else {
            "f32"
        },
        has("m.any") || has("m.all"),
    );
    let reduces = has("(d)");
    let to_f32 = match () {
        () if mask
            || has(".is_")
            || [".lt(", ".le(", ".gt(", ".ge(", ".eq(", ".ne("]
                .iter()
                .any(|op| example.contains(op)) =>
        {
            format!("{name}.select(1.0, 0.0)")
        }
        () if has("arg") || of == "i32" => format!("{name}.cast::<f32>()"),
        () => name.to_string(),
    };
    let (shape, at) = if reduces {
        ("n", "t")
    } else {
        ("n, d", "t, ..")
    };
    format!(
        "use jumar::prelude::*;\n#[kernel]\npub fn k(#[shape(n, d)] p: &GlobalTensor<{of}>, #[shape(n, d)] q: &GlobalTensor<{of}>, #[shape({shape})] out: &mut GlobalTensor<f32>) {{\n    \
         for t in tiles(n) {{\n        let x = p.at(t, ..).load();\n        let w = q.at(t, ..).load();\n        let y = q.at(t, ..).load();\n        let m = x.gt(w);\n        \
         let (a, b) = (x, w);\n        {example}\n        out.at({at}).store({to_f32});\n    }}\n}}\n"
    )
}

#[test]
fn every_example_of_the_card_runs() {
    let mut failed = Vec::new();
    for e in entries() {
        let text = around(e.example);
        let file = check_text("card.rs", &text, None);
        let Some(kernel) = file
            .kernel("k")
            .and_then(|k| k.checked.first())
            .filter(|_| !file.has_errors())
        else {
            failed.push(format!("{}: {}\n{text}", e.name, file.render(false)));
            continue;
        };
        let (n, d) = (3, 40);
        let run = if text.contains("GlobalTensor<i32>, #[shape(n, d)] q") {
            let (p, q) = (
                Array2::<i32>::from_elem((n, d), 5),
                Array2::<i32>::from_elem((n, d), 3),
            );
            let mut out = Array2::<f32>::zeros((n, d));
            Launch::new(kernel)
                .input("p", &p)
                .input("q", &q)
                .output("out", &mut out)
                .run()
        } else {
            let (p, q) = (
                Array2::<f32>::from_elem((n, d), 0.5),
                Array2::<f32>::from_elem((n, d), 0.25),
            );
            if text.contains("#[shape(n)] out") {
                let mut out = Array1::<f32>::zeros(n);
                Launch::new(kernel)
                    .input("p", &p)
                    .input("q", &q)
                    .output("out", &mut out)
                    .run()
            } else {
                let mut out = Array2::<f32>::zeros((n, d));
                Launch::new(kernel)
                    .input("p", &p)
                    .input("q", &q)
                    .output("out", &mut out)
                    .run()
            }
        };
        if let Err(e) = run {
            failed.push(format!("{text}{e}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_kernel_of_the_rules_is_right() {
    let text = card(&asked(1000)).expect("a card");
    let kernel = text
        .split("```rust\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("a kernel");
    let file = check_text("card.rs", kernel, None);
    assert!(!file.has_errors(), "{}", file.render(false));
    let checked = file
        .kernel("softmax")
        .and_then(|k| k.checked.first())
        .expect("softmax");
    let (x, mut y) = (
        Array2::<f32>::from_elem((3, 40), 0.5),
        Array2::<f32>::zeros((3, 40)),
    );
    Launch::new(checked)
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .expect("a run");
    assert!(y.iter().all(|v| (v - 0.025).abs() < 1e-6), "{y}");
}
