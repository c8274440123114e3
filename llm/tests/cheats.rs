//! Kernels that would earn a reward without the work, each refused for its trick, and odd but
//! honest kernels.

use jumar_llm::eval::class::Class;
use jumar_llm::eval::stages::{Cases, Judge, Judged, Settings};
use jumar_llm::eval::task;

const LEAKY: &str = "multikernelbench/leaky_relu";
const SQRT: &str = "npukernelbench/sqrt";
const EMBEDDING: &str = "multikernelbench/embedding";
const NORM: &str = "multikernelbench/l2_norm";
const SCATTER: &str = "multikernelbench/scatter_add";
const MSE: &str = "multikernelbench/mse_loss";

fn judged(name: &str, text: &str) -> Judged {
    let task = task(name).unwrap_or_else(|| panic!("{name}"));
    let settings = Settings {
        chip: None,
        seed: 0,
        cases: Cases::All,
        shapes: 2,
        fixes: true,
    };
    Judge::new(task, task.reference(), settings).judge(text, false, &mut |_| {})
}

/// Makes a file with the kernel of the first task.
fn leaky(body: &str) -> String {
    let head = "pub fn leaky_relu(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, slope: f32)";
    format!("use jumar::prelude::*;\n\n#[kernel]\n{head} {{\n{body}\n}}\n")
}

fn honest() -> String {
    leaky("for t in tiles(x) { y.at(t).store(x.at(t).load().leaky_relu(slope)); }")
}

/// Replaces a text in the answer.
fn changed(name: &str, from: &str, to: &str) -> String {
    let answer = task(name).unwrap_or_else(|| panic!("{name}")).answer();
    assert!(answer.contains(from), "{from}\n{answer}");
    answer.replace(from, to)
}

/// Makes the kernel of the first task with one loop over all elements.
fn each(body: &str) -> String {
    leaky(&format!("for t in tiles(x) {{ {body} }}"))
}

/// Makes this kernel with a statement before its correct statement.
fn beside(statement: &str) -> String {
    each(&format!(
        "{statement} y.at(t).store(x.at(t).load().leaky_relu(slope));"
    ))
}

/// Makes the kernel `embedding`, which finds the row of an index in another way.
fn embedding(row: &str) -> String {
    let body = format!("let i = indices.at(r).load().scalar() as usize; {row}");
    changed(
        EMBEDDING,
        "y.at(r, t).store(table.at(indices.at(r).load(), t).load());",
        &body,
    )
    .replace("tiles((n, d))", "tiles((each(n), d))")
}

/// A cheat: its trick, its task, its text, its class and its first code.
type Cheat = (
    &'static str,
    &'static str,
    String,
    Class,
    Option<&'static str>,
);

/// Kernels that compute wrong values.
fn wrong_values() -> Vec<Cheat> {
    let loop_of = |text: &str| honest().replace("fn leaky_relu", "fn decoy") + text;
    vec![
        (
            "zeros",
            LEAKY,
            each("y.at(t).store(full(t, 0.0));"),
            Class::Value,
            None,
        ),
        (
            "a constant",
            LEAKY,
            each("y.at(t).store(full(t, 0.5));"),
            Class::Value,
            None,
        ),
        (
            "the input",
            LEAKY,
            each("y.at(t).store(x.at(t).load());"),
            Class::Value,
            None,
        ),
        (
            "infinities",
            LEAKY,
            each("y.at(t).store(full(t, 1.0) / 0.0);"),
            Class::Value,
            None,
        ),
        (
            "nan everywhere",
            LEAKY,
            each("y.at(t).store(full(t, 0.0) / 0.0);"),
            Class::Value,
            None,
        ),
        (
            "an attribute as its default",
            LEAKY,
            each("y.at(t).store(x.at(t).load().leaky_relu(0.01));"),
            Class::Value,
            None,
        ),
        (
            "fewer bits",
            LEAKY,
            each("y.at(t).store(x.at(t).load().leaky_relu(slope).cast::<f16>().cast::<f32>());"),
            Class::Value,
            None,
        ),
        (
            "a sum in 16 bits",
            NORM,
            changed(
                NORM,
                "(v * v).sum(d)",
                "(v * v).cast::<f16>().sum(d).cast::<f32>()",
            ),
            Class::Value,
            None,
        ),
        (
            "no division",
            NORM,
            changed(NORM, "v / (v * v).sum(d).sqrt()", "v"),
            Class::Value,
            None,
        ),
        (
            "the first elements alone",
            MSE,
            changed(
                MSE,
                "tiles(predictions) {",
                "tiles(0..1000.min(predictions.len())) {",
            ),
            Class::Value,
            None,
        ),
        (
            "the last of several in place of their sum",
            SCATTER,
            changed(SCATTER, ".atomic_add(", ".store_any("),
            Class::Value,
            None,
        ),
        (
            "a decoy that is right",
            LEAKY,
            loop_of(&each("y.at(t).store(full(t, 0.0));")),
            Class::Value,
            None,
        ),
    ]
}

/// Kernels that leave out work, or read what they must not see.
fn unread_and_unwritten() -> Vec<Cheat> {
    let first = "if t.start() > 0 { y.at(t).store(x.at(t).load().leaky_relu(slope)); }";
    let inplace = honest()
        .replace("y: &mut", "#[inplace] y: &mut")
        .replace("x.at(t).load()", "y.at(t).load()");
    let consumed = honest()
        .replace("x: &G", "#[inplace] x: &mut G")
        .replace("y.at", "x.at(t).store(full(t, 0.0)); y.at");
    vec![
        (
            "nothing stored",
            LEAKY,
            each("let v = x.at(t).load().leaky_relu(slope);"),
            Class::Output,
            Some("J0210"),
        ),
        (
            "a tile dropped",
            LEAKY,
            each(first),
            Class::Output,
            Some("J0210"),
        ),
        (
            "what stood in the output",
            LEAKY,
            each("y.at(t).store(y.at(t).load());"),
            Class::Role,
            Some("J0211"),
        ),
        (
            "the input overwritten",
            LEAKY,
            each("x.at(t).store(x.at(t).load());"),
            Class::Role,
            Some("J0211"),
        ),
        (
            "the output declared as an input",
            LEAKY,
            inplace,
            Class::Signature,
            Some("J0605"),
        ),
        (
            "the input declared as an output",
            LEAKY,
            consumed,
            Class::Signature,
            Some("J0605"),
        ),
        (
            "an output of one element",
            LEAKY,
            honest().replace("y: &mut", "#[shape(1)] y: &mut"),
            Class::Axis,
            Some("J0209"),
        ),
        (
            "one element type of three",
            SQRT,
            changed(SQRT, "<T: Float>", "").replace("<T>", "<f16>"),
            Class::Signature,
            Some("J0605"),
        ),
        (
            "one rank",
            LEAKY,
            honest()
                .replace("x: &", "#[shape(n)] x: &")
                .replace("y: &", "#[shape(n)] y: &"),
            Class::Signature,
            Some("J0603"),
        ),
        (
            "one size",
            LEAKY,
            honest().replace("for t", "require(x.len() == 91);\nfor t"),
            Class::Host,
            Some("J0604"),
        ),
        (
            "no large sizes",
            LEAKY,
            honest().replace("for t", "require(x.len() <= 5000);\nfor t"),
            Class::Host,
            Some("J0604"),
        ),
        (
            "no attribute",
            LEAKY,
            honest()
                .replace(", slope: f32", "")
                .replace("(slope)", "(0.01)"),
            Class::Signature,
            Some("J0605"),
        ),
        (
            "a sum of a tile for that of a row",
            NORM,
            changed(NORM, "for r in tiles(n) {", "for (r, t) in tiles((n, d)) {")
                .replace("r, ..", "r, t")
                .replace("sum(d)", "sum(t)"),
            Class::Order,
            Some("J0214"),
        ),
    ]
}

/// Promises that do not hold, or that are missing.
fn promises() -> Vec<Cheat> {
    let low =
        embedding("assume(0 <= i && i < 2 && i < m); y.at(r, t).store(table.at(i, t).load());");
    let clamped = embedding("y.at(r, t).store(table.at(i.max(0).min(0), t).load());");
    vec![
        (
            "small indices are promised",
            EMBEDDING,
            low,
            Class::Promise,
            Some("J0813"),
        ),
        (
            "no promise of indices",
            EMBEDDING,
            changed(EMBEDDING, "#[index(m)]", ""),
            Class::Bounds,
            Some("J0217"),
        ),
        (
            "an index where a table may be empty",
            EMBEDDING,
            clamped.replace("#[index(m)]", ""),
            Class::Bounds,
            Some("J0216"),
        ),
        (
            "a store that several make",
            SCATTER,
            changed(SCATTER, ".atomic_add(", ".store("),
            Class::Order,
            Some("J0505"),
        ),
    ]
}

/// Texts without a kernel, with several, or with constructs outside of the language.
fn texts() -> Vec<Cheat> {
    let deep = format!(
        "y.at(t).store({}x.at(t).load(){});",
        "(".repeat(5000),
        ")".repeat(5000)
    );
    vec![
        (
            "prose",
            LEAKY,
            "It would be right.".into(),
            Class::Syntax,
            Some("J0100"),
        ),
        (
            "another name",
            LEAKY,
            honest().replace("fn leaky_relu", "fn leaky"),
            Class::NoKernel,
            None,
        ),
        (
            "in a comment",
            LEAKY,
            format!("/* {} */", honest()),
            Class::NoKernel,
            None,
        ),
        (
            "in a string",
            LEAKY,
            format!("const K: &str = r#\"{}\"#;", honest()),
            Class::NoKernel,
            None,
        ),
        (
            "a function of the host",
            LEAKY,
            honest().replace("#[kernel]", ""),
            Class::NoKernel,
            None,
        ),
        (
            "two of that name",
            LEAKY,
            honest() + &each("y.at(t).store(full(t, 0.0));"),
            Class::NoKernel,
            None,
        ),
        (
            "an end of the process",
            LEAKY,
            beside("std::process::exit(0);"),
            Class::Name,
            Some("J0103"),
        ),
        (
            "a clock",
            LEAKY,
            beside("let s = std::time::Instant::now();"),
            Class::Name,
            Some("J0103"),
        ),
        (
            "a library",
            LEAKY,
            each("y.at(t).store(torch::leaky_relu(x.at(t).load()));"),
            Class::Name,
            Some("J0103"),
        ),
        (
            "`unsafe`",
            LEAKY,
            beside("unsafe { }"),
            Class::Syntax,
            Some("J0101"),
        ),
        (
            "a file",
            LEAKY,
            beside("let s = include_str!(\"/etc/passwd\");"),
            Class::Syntax,
            Some("J0101"),
        ),
        (
            "assembly",
            LEAKY,
            beside("core::arch::asm!(\"nop\");"),
            Class::Syntax,
            Some("J0101"),
        ),
        (
            "a caught panic",
            LEAKY,
            beside("let r = std::panic::catch_unwind(|| 1);"),
            Class::Syntax,
            Some("J0101"),
        ),
        (
            "no end",
            LEAKY,
            leaky("loop {}"),
            Class::Syntax,
            Some("J0101"),
        ),
        (
            "a deep text",
            LEAKY,
            each(&deep),
            Class::Syntax,
            Some("J0100"),
        ),
    ]
}

#[test]
fn every_cheat_is_refused_for_what_it_does() {
    let all: Vec<Cheat> = [wrong_values(), unread_and_unwritten(), promises(), texts()].concat();
    assert!(all.len() >= 40, "{}", all.len());
    for (what, name, text, class, code) in all {
        let failure = judged(name, &text)
            .failure
            .unwrap_or_else(|| panic!("{what} passes:\n{text}"));
        let found = (failure.class, failure.codes.first().map(String::as_str));
        assert_eq!(found, (class, code), "{what}: {}", failure.why);
    }
}

#[test]
fn odd_kernels_that_are_honest_pass() {
    let select = each("let v = x.at(t).load(); y.at(t).store(v.ge(0.0).select(v, v * slope));");
    for (what, text) in [
        (
            "a main beside it, which nobody runs",
            honest() + "fn main() { std::process::exit(1) }",
        ),
        (
            "another kernel beside it",
            honest() + &honest().replace("fn leaky_relu", "fn other"),
        ),
        (
            "other alphabets in comments",
            honest().replace("for t", "// 负数乘以斜率 🦀\nfor t"),
        ),
        (
            "a value that nobody needs",
            beside("let u = x.at(t).load() * 3.0;"),
        ),
        ("a choice", select),
        (
            "one name again",
            each("let v = x.at(t).load(); let v = v.leaky_relu(slope); y.at(t).store(v);"),
        ),
        (
            "an attribute more with a default",
            honest().replace("slope: f32", "slope: f32, #[default(1.0)] more: f32"),
        ),
        (
            "two passes",
            honest().replace(
                "for t",
                "for t in tiles(x) { y.at(t).store(full(t, 0.0)); }\nfor t",
            ),
        ),
        (
            "something printed",
            each("let v = x.at(t).load().leaky_relu(slope); v.dump(\"v\"); y.at(t).store(v);"),
        ),
        (
            "lines that end as on Windows",
            honest().replace('\n', "\r\n"),
        ),
    ] {
        let failure = judged(LEAKY, &text).failure;
        assert_eq!(failure, None, "{what}:\n{text}");
    }
}
