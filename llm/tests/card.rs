//! The op card: it keeps to its tokens, names every op, and each line of code in it runs.

use jumar::load::check_text;
use jumar::ndarray::{Array1, Array2};
use jumar::Launch;
use jumar_llm::card::{card, entries, tokens, Asked, CardError};
use jumar_llm::eval::all_tasks;

fn asked(tokens: usize) -> Asked {
    Asked { tokens, ..Asked::default() }
}

#[test]
fn a_card_keeps_to_its_tokens_and_says_more_with_more() {
    let mut before = 0;
    for most in [1000, 2000, 4000, 8000, 16000] {
        let text = card(&asked(most)).expect("a card");
        assert!(tokens(&text) <= most, "{} of {most}", tokens(&text));
        assert!(tokens(&text) > before, "{} of {most}, {before} of the one before", tokens(&text));
        before = tokens(&text);
        let missing: Vec<String> =
            entries().into_iter().map(|e| e.signature).filter(|signature| !text.contains(signature)).collect();
        assert!(most < 4000 || missing.is_empty(), "{most}: {missing:?}");
    }
    let text = card(&asked(16000)).expect("a card");
    assert!(text.contains("v.sum(d)") && text.contains("let y = x.elu(1.0);") && text.contains("S -> S - d"), "{text}");
}

#[test]
fn a_card_is_of_what_is_asked() {
    let some = Asked { ops: ["exp", "sum"].map(String::from).into(), ..asked(2000) };
    let text = card(&some).expect("a card");
    assert!(text.contains("v.exp()") && text.contains("v.sum(d)") && !text.contains("v.tanh()"), "{text}");
    let losses = Asked { category: Some("loss".into()), ..asked(4000) };
    assert!(card(&losses).expect("a card").contains("loss"), "kernels of losses");
    for (name, task) in all_tasks() {
        let text =
            card(&Asked { without: Some(name.clone()), category: Some(task.category.clone()), ..asked(16000) }).expect("a card");
        assert!(!text.contains(task.answer().trim()), "the answer of {name} is in its card");
    }
    assert_eq!(card(&Asked { ops: ["expo".to_string()].into(), ..asked(2000) }), Err(CardError::NoOp("expo".into())));
    assert_eq!(card(&Asked { category: Some("sewing".into()), ..asked(2000) }), Err(CardError::NoCategory("sewing".into())));
    assert!(matches!(card(&asked(100)), Err(CardError::TooFew { found: 100, .. })));
}

/// A kernel around the line of an entry, which reads `x`, `w`, `m` or `a` and `b` and defines one tile.
fn around(example: &str) -> String {
    let name = example.trim().strip_prefix("let ").and_then(|rest| rest.split_whitespace().next()).unwrap_or("z");
    let has = |what: &str| example.contains(what);
    let (of, mask) =
        (if has("&") || has("|") || has("!") || has("<<") || has(">>") { "i32" } else { "f32" }, has("m.any") || has("m.all"));
    let reduces = has("(d)");
    let to_f32 = match () {
        () if mask || has(".is_") || [".lt(", ".le(", ".gt(", ".ge(", ".eq(", ".ne("].iter().any(|op| example.contains(op)) => {
            format!("{name}.select(1.0, 0.0)")
        }
        () if has("arg") || of == "i32" => format!("{name}.cast::<f32>()"),
        () => name.to_string(),
    };
    let (shape, at) = if reduces { ("n", "t") } else { ("n, d", "t, ..") };
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
        let Some(kernel) = file.kernel("k").and_then(|k| k.checked.first()).filter(|_| !file.has_errors()) else {
            failed.push(format!("{}: {}\n{text}", e.name, file.render(false)));
            continue;
        };
        let (n, d) = (3, 40);
        let run = if text.contains("GlobalTensor<i32>, #[shape(n, d)] q") {
            let (p, q) = (Array2::<i32>::from_elem((n, d), 5), Array2::<i32>::from_elem((n, d), 3));
            let mut out = Array2::<f32>::zeros((n, d));
            Launch::new(kernel).input("p", &p).input("q", &q).output("out", &mut out).run()
        } else {
            let (p, q) = (Array2::<f32>::from_elem((n, d), 0.5), Array2::<f32>::from_elem((n, d), 0.25));
            if text.contains("#[shape(n)] out") {
                let mut out = Array1::<f32>::zeros(n);
                Launch::new(kernel).input("p", &p).input("q", &q).output("out", &mut out).run()
            } else {
                let mut out = Array2::<f32>::zeros((n, d));
                Launch::new(kernel).input("p", &p).input("q", &q).output("out", &mut out).run()
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
    let kernel = text.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a kernel");
    let file = check_text("card.rs", kernel, None);
    assert!(!file.has_errors(), "{}", file.render(false));
    let checked = file.kernel("softmax").and_then(|k| k.checked.first()).expect("softmax");
    let (x, mut y) = (Array2::<f32>::from_elem((3, 40), 0.5), Array2::<f32>::zeros((3, 40)));
    Launch::new(checked).input("x", &x).output("y", &mut y).run().expect("a run");
    assert!(y.iter().all(|v| (v - 0.025).abs() < 1e-6), "{y}");
}
