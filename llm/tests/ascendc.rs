//! Candidates in AscendC: wrong ones, each refused for its mistake, and right ones.

use jumar_llm::eval::ascendc::{class_of_compile, For, Language};
use jumar_llm::eval::class::Class;
use jumar_llm::eval::prompt::{ascendc_in, language_of};
use jumar_llm::eval::record::{candidates, Candidate};
use jumar_llm::eval::stages::{Cases, Judge, Judged, Settings, Stage};
use jumar_llm::eval::{all_tasks, task};

const LEAKY: &str = "multikernelbench/leaky_relu";
const SMALL: Settings = Settings {
    chip: None,
    seed: 0,
    cases: Cases::Small,
    shapes: 0,
    fixes: true,
};

/// `leaky_relu` for the second case of its header, 91 floats, on the first block.
const STATIC: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void leaky_relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    if (GetBlockIdx() != 0) {
        return;
    }
    constexpr uint32_t count = 91;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 384);
    pipe.InitBuffer(outQueue, 1, 384);
    GlobalTensor<float> xGm;
    GlobalTensor<float> yGm;
    xGm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(x), count);
    yGm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(y), count);
    LocalTensor<float> in = inQueue.AllocTensor<float>();
    DataCopyPad(in, xGm, {1, count * sizeof(float), 0, 0, 0}, {false, 0, 0, 0});
    inQueue.EnQue(in);
    in = inQueue.DeQue<float>();
    LocalTensor<float> out = outQueue.AllocTensor<float>();
    LeakyRelu(out, in, 2.0f, count);
    outQueue.EnQue(out);
    inQueue.FreeTensor(in);
    out = outQueue.DeQue<float>();
    DataCopyPad(yGm, out, {1, count * sizeof(float), 0, 0, 0});
    outQueue.FreeTensor(out);
}
"#;

fn judged(text: &str) -> Judged {
    let task = task(LEAKY).expect("a task");
    Judge::new(task, task.reference(), SMALL).judge_ascendc(text, &For::default(), &mut |_| {})
}

fn changed(from: &str, to: &str) -> String {
    assert!(STATIC.contains(from), "{from}");
    STATIC.replacen(from, to, 1)
}

#[test]
fn a_text_that_is_right_passes_the_stages_that_it_has() {
    let found = judged(STATIC);
    assert_eq!(found.failure, None);
    assert_eq!(
        found.passed,
        [Stage::Parse, Stage::Compile, Stage::Right, Stage::Cost]
    );
    assert!(found.worst.is_some_and(|worst| worst <= 1.0) && found.cost.is_none());
    // With sizes and attributes by value, and element types by macros, a text is right for all
    // cases.
    let by_value = changed(
        "GM_ADDR workspace)",
        "GM_ADDR workspace, float slope, int64_t n)",
    )
    .replace(
        "constexpr uint32_t count = 91;",
        "const uint32_t count = static_cast<uint32_t>(n);",
    )
    .replace("2.0f", "slope")
    .replace("float>", "DTYPE_X>")
    .replace("__gm__ float", "__gm__ DTYPE_Y");
    assert_eq!(judged(&by_value).failure, None, "{by_value}");
}

#[test]
fn what_a_text_does_wrong_is_what_it_is_refused_for() {
    let copy = "DataCopyPad(yGm, out, {1, count * sizeof(float), 0, 0, 0});";
    let rows = [
        (
            "prose",
            "It is right.".to_string(),
            Stage::Parse,
            Class::NoKernel,
            None,
        ),
        (
            "another name",
            changed("void leaky_relu(", "void other("),
            Stage::Parse,
            Class::NoKernel,
            None,
        ),
        (
            "a tensor too few",
            changed("GM_ADDR x, GM_ADDR y", "GM_ADDR y"),
            Stage::Parse,
            Class::Signature,
            None,
        ),
        (
            "a host's word",
            changed("TPipe pipe;", "TPipe pipe; system(\"true\");"),
            Stage::Parse,
            Class::Name,
            None,
        ),
        (
            "a file",
            changed(
                "using namespace",
                "#include \"/etc/passwd\"\nusing namespace",
            ),
            Stage::Parse,
            Class::Name,
            None,
        ),
        (
            "a file in two lines",
            changed(
                "using namespace",
                "#inc\\\nlude </etc/passwd>\nusing namespace",
            ),
            Stage::Parse,
            Class::Name,
            None,
        ),
        (
            "a file in other letters",
            changed(
                "using namespace",
                "%:include </etc/passwd>\nusing namespace",
            ),
            Stage::Parse,
            Class::Name,
            None,
        ),
        (
            "a file by a macro",
            changed(
                "using namespace",
                "#define H <fstream>\n#include H\nusing namespace",
            ),
            Stage::Parse,
            Class::Name,
            None,
        ),
        (
            "a name that is none",
            changed("LeakyRelu(out", "LeakyReLU(out"),
            Stage::Compile,
            Class::Name,
            Some("J0806"),
        ),
        (
            "a type that is none",
            changed("TPipe pipe;", "TPipes pipe;"),
            Stage::Compile,
            Class::Name,
            Some("J0806"),
        ),
        (
            "too many arguments",
            changed("2.0f, count)", "2.0f, count, 1, 2, 3)"),
            Stage::Compile,
            Class::Arguments,
            Some("J0806"),
        ),
        (
            "a semicolon missing",
            changed("count = 91;", "count = 91"),
            Stage::Compile,
            Class::Syntax,
            Some("J0806"),
        ),
        (
            "a text for a number",
            changed("count = 91;", "count = \"91\";"),
            Stage::Compile,
            Class::Type,
            Some("J0806"),
        ),
        (
            "a number that is no parameter",
            changed("workspace)", "workspace, float gamma)"),
            Stage::Right,
            Class::Signature,
            Some("J0605"),
        ),
        (
            "a null address followed",
            changed(
                "TPipe pipe;",
                "TPipe pipe; *reinterpret_cast<volatile int *>(0) = 1;",
            ),
            Stage::Right,
            Class::Bounds,
            Some("J0801"),
        ),
        (
            "a crash",
            changed("TPipe pipe;", "TPipe pipe; __builtin_trap();"),
            Stage::Right,
            Class::Run,
            Some("J0812"),
        ),
        (
            "beyond the end of the output",
            changed(copy, &copy.replace("sizeof(float)", "sizeof(float) + 4")),
            Stage::Right,
            Class::Bounds,
            Some("J0801"),
        ),
        (
            "the input written",
            changed(
                copy,
                "DataCopyPad(xGm, out, {1, count * sizeof(float), 0, 0, 0});",
            ),
            Stage::Right,
            Class::Bounds,
            Some("J0801"),
        ),
        (
            "a queue that is never filled",
            changed("inQueue.EnQue(in);", ""),
            Stage::Right,
            Class::Sync,
            Some("J0803"),
        ),
        (
            "UB that nobody wrote",
            changed("LeakyRelu(out, in, 2.0f, count);", ""),
            Stage::Right,
            Class::Run,
            Some("J0802"),
        ),
        (
            "the input as it is",
            changed("2.0f", "1.0f"),
            Stage::Right,
            Class::Value,
            None,
        ),
        (
            "nothing",
            changed("constexpr", "return; constexpr"),
            Stage::Right,
            Class::Value,
            None,
        ),
    ];
    let mut off = Vec::new();
    for (what, text, stage, class, code) in rows {
        let found = judged(&text).failure;
        let short = found
            .as_ref()
            .map(|f| (f.stage, f.class, f.codes.first().map(String::as_str)));
        if short != Some((stage, class, code)) {
            off.push(format!(
                "{what}: {short:?} {}",
                found.as_ref().map_or("passes", |f| &f.why)
            ));
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n\n"));
}

#[test]
fn what_compilers_say_has_a_class() {
    for (said, class) in [
        (
            "this name is declared nowhere: misspelt, or a part of AscendC that jumar does not have\n  Foo  k.cpp:3",
            Class::Name,
        ),
        (
            "k.cpp:3:5: error: ‘Foo’ was not declared in this scope",
            Class::Name,
        ),
        (
            "k.cpp:3:5: error: use of undeclared identifier 'Foo'",
            Class::Name,
        ),
        (
            "k.cpp:3:5: error: ‘class AscendC::TPipe’ has no member named ‘Init’",
            Class::Name,
        ),
        ("undefined reference to `none'", Class::Name),
        (
            "k.cpp:3:5: error: no matching function for call to ‘Add(int)’",
            Class::Arguments,
        ),
        (
            "k.cpp:3:5: error: too few arguments to function ‘void f(int)’",
            Class::Arguments,
        ),
        (
            "k.cpp:3:5: error: invalid conversion from ‘const char*’ to ‘int’",
            Class::Type,
        ),
        (
            "h.h: required from here\nh.h:5:19: error: static assertion failed: no int",
            Class::Type,
        ),
        (
            "k.cpp:3:5: error: assignment of read-only variable ‘n’",
            Class::Role,
        ),
        (
            "k.cpp:3:5: error: redefinition of ‘int n’",
            Class::Signature,
        ),
        (
            "k.cpp:3:5: error: expected ‘;’ before ‘}’ token",
            Class::Syntax,
        ),
        (
            "k.cpp:3:5: error: something that nobody has seen",
            Class::Compile,
        ),
    ] {
        assert_eq!(class_of_compile(said), class, "{said}");
    }
}

fn candidate(text: &str) -> Candidate {
    let line = serde_json::json!({ "task": LEAKY, "text": text });
    serde_json::from_value(line).expect("a candidate")
}

#[test]
fn a_reply_tells_its_language_and_where_the_kernel_is() {
    let marked =
        format!("I think <kernel_impl>\n```cpp\n{STATIC}```\n</kernel_impl> and ```cpp\nno\n```");
    let fenced = format!("Host:\n```cpp\nint main() {{}}\n```\nKernel:\n```cpp\n{STATIC}```\n");
    for reply in [marked.as_str(), &fenced, STATIC] {
        assert_eq!(
            language_of(&candidate(reply), "leaky_relu"),
            Language::Ascendc,
            "{reply}"
        );
        assert_eq!(ascendc_in(reply).trim(), STATIC.trim(), "{reply}");
    }
    for task in all_tasks().values() {
        let reply = format!("```rust\n{}\n```", task.answer());
        assert_eq!(
            language_of(&candidate(&reply), &task.stem),
            Language::Jumar,
            "{}",
            task.stem
        );
    }
    let said = Candidate {
        language: Some(Language::Ascendc),
        ..candidate("```rust\nfn leaky_relu() {}\n```")
    };
    assert_eq!(language_of(&said, "leaky_relu"), Language::Ascendc);
    assert_eq!(ascendc_in("<kernel_impl>\ncut"), "\ncut");
}

#[test]
fn a_candidate_for_a_case_that_there_is_not_is_a_broken_line() {
    let line = |extra: &str| {
        format!("{{\"task\": \"{LEAKY}\", \"text\": \"\", \"language\": \"ascendc\"{extra}}}\n")
    };
    for (extra, why) in [
        (", \"case\": 99", "there is no case 99 of leaky_relu"),
        (
            ", \"element\": \"f8\"",
            "there are no element types `f8` of leaky_relu",
        ),
    ] {
        let (all, broken) = candidates(line(extra).as_bytes(), |_| true);
        assert!(
            all.is_empty() && broken[0].why.starts_with(why),
            "{broken:?}"
        );
    }
    let (all, broken) = candidates(line(", \"case\": 1").as_bytes(), |_| true);
    assert_eq!((all.len(), broken.len(), all[0].case), (1, 0, Some(1)));
}

#[test]
fn a_case_of_its_own_is_the_only_one_that_it_is_run_in() {
    let task = task(LEAKY).expect("a task");
    let all = Settings {
        cases: Cases::All,
        shapes: 2,
        ..SMALL
    };
    let judge = Judge::new(task, task.reference(), all);
    let of = |case| For {
        case,
        element: None,
    };
    assert_eq!(
        judge
            .judge_ascendc(STATIC, &of(Some(1)), &mut |_| {})
            .failure,
        None
    );
    let failure = judge
        .judge_ascendc(STATIC, &of(None), &mut |_| {})
        .failure
        .expect("it is for one size");
    assert_eq!(failure.stage, Stage::Right, "{}", failure.why);
}
