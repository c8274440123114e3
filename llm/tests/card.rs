//! The op card: it stays within its tokens and names every op. Each of its lines of code runs.

use jumar::load::check_text;
use jumar::ndarray::{Array1, Array2};
use jumar::Launch;
use jumar_llm::card::{card, entries, tokens, Asked, CardError, FORMS};
use jumar_llm::eval::all_tasks;

fn asked(tokens: usize) -> Asked {
    Asked {
        tokens,
        ..Asked::default()
    }
}

#[test]
fn a_card_keeps_to_its_tokens_and_says_more_with_more() {
    let mut before = 0;
    for most in [1000, 2000, 4000, 8000, 16000] {
        let text = card(&asked(most)).expect("a card");
        assert!(tokens(&text) <= most, "{} of {most}", tokens(&text));
        assert!(
            tokens(&text) > before,
            "{} of {most}, {before} of the one before",
            tokens(&text)
        );
        before = tokens(&text);
        let missing: Vec<String> = entries()
            .into_iter()
            .map(|e| e.signature)
            .filter(|signature| !text.contains(signature))
            .collect();
        assert!(most < 4000 || missing.is_empty(), "{most}: {missing:?}");
    }
    let text = card(&asked(16000)).expect("a card");
    assert!(
        text.contains("v.sum(d)")
            && text.contains("let y = x.elu(1.0);")
            && text.contains("S -> S - d"),
        "{text}"
    );
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

/// Makes a kernel around the line of an entry, which reads `x`, `w`, `m` or `a` and `b` and defines
/// one tile.
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

/// Kernels that contain the forms of the card.
const WITH_FORMS: &[&str] = &[
    "use jumar::prelude::*;
#[kernel]
pub fn rows(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(m, d)] table: &GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>,
    #[shape(m, d)] sums: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = table.at(ids.at(r).load(), ..).load();
        z.at(r, ..).store(v);
        y.at(ids.at(r).load(), ..).store_disjoint(v);
        sums.at(ids.at(r).load(), ..).atomic_add(v);
    }
}",
    "use jumar::prelude::*;
#[kernel]
pub fn numbers<T: Float>(#[shape(n)] slots: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<T>, #[shape(d)] w: Option<&GlobalTensor<T>>, #[inplace] #[shape(n, d)] cache: &mut GlobalTensor<T>, k: usize) {
    for i in each(n) {
        let s = slots.at(i).load().scalar();
        assume(0 <= s && (s as usize) < m);
        let mut v = x.at(s as usize, ..).load().wide() * w.or_full(1.0).at(..).load().wide();
        if let Some(w) = w { v = v + w.at(..).load().wide(); }
        for j in 0..s { v = v + 1.0; }
        if k > 1 { v = v * 2.0; } else { v = v * 3.0; }
        if s >= 0 { cache.at(i, ..).store(v.cast::<T>()); }
    }
}",
    "use jumar::prelude::*;
#[kernel]
pub fn parts(#[shape(n, 2 * m)] x: &GlobalTensor<f32>, #[shape(n, m)] y: &mut GlobalTensor<f32>, #[shape(n, m)] z: &mut GlobalTensor<f32>, #[shape(n, d)] u: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] v: &mut GlobalTensor<f32>,
    #[shape(n, m)] q: &mut GlobalTensor<f32>) {
    require(m <= d);
    let rest = new_axis(m..d);
    let h = new_axis(2);
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, m.indices() + m).load());
        v.at(r, rest).store(u.at(r, rest).load());
    }
    for (r, t) in tiles((n, m)) { z.at(r, t).store(x.at(r, t + 0).load()); }
    let seen = x.view((n, h, m));
    for (r, t) in tiles((n, m)) { q.at(r, t).store(seen.at(r, .., t).load().sum(h)); }
}",
    "use jumar::prelude::*;
#[kernel]
pub fn chosen(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] #[index(d)] of: &GlobalTensor<i32>, #[shape(n, 8)] y: &mut GlobalTensor<f32>, #[shape(n, 8)] p: &mut GlobalTensor<i32>, #[shape(n, d)] z: &mut GlobalTensor<f32>,
    #[shape(n, d)] w: &mut GlobalTensor<i32>, #[shape(n)] q: &mut GlobalTensor<f32>) {
    require(d >= 8);
    let k = new_axis(8);
    let (y, p) = (y.view((n, k)), p.view((n, k)));
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        let ids = of.at(..).load();
        let (best, at) = v.topk(d, k);
        y.at(r, ..).store(best);
        p.at(r, ..).store(at);
        z.at(r, ..).store(v.pick(d, ids) + v.sort(d) + v.cumsum(d) + v.cumprod(d));
        w.at(r, ..).store(v.argsort(d) + v.cast_with::<i32>(RoundMode::Floor) + v.cast_trunc::<i32>() + v.reinterpret_cast::<i32>() + d.iota() + n.iota().expand(d).amax(n));
        q.at(r).store(v.pick(d, 0));
    }
}",
    "use jumar::prelude::*;
#[kernel]
pub fn packed(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape()] count: &mut GlobalTensor<i32>, #[shape(n, d)] u: &GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        let mask = v.gt(0.0) & t.iota().lt(1000);
        y.append(v, mask);
    }
    count.at().store(y.appended());
    let kept = workspace::<f32>((n, d));
    for r in tiles(n) { kept.at(r, ..).store(u.at(r, ..).load() * 2.0); }
    for r in tiles(n) { z.at(r, ..).store(kept.at(r, ..).load()); }
}",
];

#[test]
fn every_form_of_the_card_stands_in_a_right_kernel() {
    let bare = |text: &str| {
        text.chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
    };
    let mut all = String::new();
    for text in WITH_FORMS {
        let file = check_text("forms.rs", text, None);
        assert!(!file.has_errors(), "{}", file.render(false));
        all += &bare(text);
    }
    let forms = FORMS.split('`').skip(1).step_by(2);
    let wanted = |form: &&str| {
        form.split("{ .. }")
            .any(|part| !all.contains(bare(part).as_str()))
    };
    let missing: Vec<&str> = forms.filter(wanted).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
