//! The passes inside the tile dialect, in words (see `look::words`).

use super::*;
use look::words;

/// A kernel after one pass.
fn after(pass: &str, text: &str) -> String {
    let kernel = kernel(text);
    let passes = tile_passes(&kernel, 0);
    let (_, k) = passes.iter().find(|(name, _)| *name == pass).unwrap_or_else(|| panic!("no pass {pass}: {text}"));
    words(&k.sig, &k.body)
}

fn flat(types: &str, body: &str) -> String {
    format!("#[kernel] fn k(x: &GlobalTensor<{types}>, w: &GlobalTensor<{types}>, #[inplace] y: &mut GlobalTensor<{types}>, n: usize, flag: bool) {{ for t in tiles(x) {{ {body} }} }}")
}

fn rows(body: &str) -> String {
    format!(
        "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, \
         #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, s: f32) {{ for r in row_tiles(x) {{ {body} }} }}"
    )
}

#[test]
fn simplify_leaves_what_changes_a_value() {
    for (body, want) in [
        ("let v = t.load(x).cast::<f32>(); t.store(y, v);", "load x; store y"),
        ("let v = t.load(x).cast::<f16>().cast::<f32>(); t.store(y, v);", "load x; cast; cast; store y"),
        ("let v = t.load(x).cast_with::<f32>(RoundMode::Floor); t.store(y, v);", "load x; round; store y"),
        ("let v = t.load(x); let u = v; t.store(y, u);", "load x; store y"),
        ("let v = t.load(x); let u = v.exp(); t.store(y, v);", "load x; store y"),
        ("let v = t.load(x); let u = v.exp().abs(); let z = u + u; t.store(y, v);", "load x; store y"),
        ("let v = t.load(x); for i in 0..n { let u = v.exp(); } t.store(y, v);", "load x; store y"),
        ("let v = t.load(x); if flag { let u = v.exp(); } t.store(y, v);", "load x; store y"),
        ("let v = t.load(x); if flag { t.store(y, v); } t.store(y, v);", "load x; if { store y } else {  }; store y"),
        ("let mut u = t.load(x); u = u + 1.0; t.store(y, u);", "load x; add*; set; store y"),
        ("let v = t.load(x); let mut u = v.cast::<f32>(); u = u + v; t.store(y, u);", "load x; copy; add; set; store y"),
    ] {
        assert_eq!(after("simplify", &flat("f32", body)), format!("loop {{ {want} }}"), "{body}");
    }
}

#[test]
fn loads_move_before_everything_but_stores_to_their_tensor() {
    for (body, want) in [
        ("let v = t.load(x).exp(); let u = t.load(w); t.store(y, v + u);", "load x; load w; exp; add; store y"),
        ("let v = t.load(x); t.store(y, v); let u = t.load(w); t.store(y, u);", "load x; load w; store y; store y"),
        ("let v = t.load(x); t.store(y, v); let u = t.load(y); t.store(y, u);", "load x; store y; load y; store y"),
        (
            "let v = t.load(y); t.store(y, v); let u = t.load(y); let z = t.load(w); t.store(y, u + z);",
            "load y; load w; store y; load y; add; store y",
        ),
        (
            "let v = t.load(x); for i in 0..n { let u = v.exp(); let z = t.load(w); t.store(y, u + z); }",
            "load x; for { load w; exp; add; store y }",
        ),
        (
            "let v = t.load(x); if flag { t.store(y, v); } let u = t.load(y); t.store(y, u);",
            "load x; if { store y } else {  }; load y; store y",
        ),
    ] {
        assert_eq!(after("loads-first", &flat("f32", body)), format!("loop {{ {want} }}"), "{body}");
    }
}

#[test]
fn what_does_not_depend_on_the_rows_is_hoisted() {
    for (body, want) in [
        (
            "r.store(y, r.load(x) * r.load_row(g)); r.store(y, r.load(x)); ",
            "load g; loop { load x; mul; store y; load x; store y }",
        ),
        ("let a = r.load_row(g).exp() * 2.0; r.store(y, r.load(x) * a);", "load g; exp; mul*; loop { load x; mul; store y }"),
        ("let a = r.load_row(g) * s; r.store(y, r.load(x) * a);", "load g; mul*; loop { load x; mul; store y }"),
        ("let a = r.load_row(g) * r.rows(); r.store(y, r.load(x) * a);", "load g; loop { mul*; load x; mul; store y }"),
        (
            "let mut a = r.load_row(g); a = a + 1.0; r.store(y, r.load(x) * a);",
            "loop { load g; add*; set; load x; mul; store y }",
        ),
        ("let a = r.load(x); let b = a.row_max(); r.store(y, a - b);", "loop { load x; row_max; sub; store y }"),
    ] {
        assert_eq!(after("hoist", &rows(body)), want, "{body}");
    }
}

#[test]
fn streaming_computes_each_reduction_in_a_pass_of_its_own_level() {
    for (body, passes) in [
        ("r.store(y, r.load(x).exp());", 1),
        ("let v = r.load(x); r.store(y, v - v.row_max());", 2),
        ("let v = r.load(x); r.store(y, v - v.row_max() + v.row_min());", 2),
        ("let v = r.load(x); let e = (v - v.row_max()).exp(); r.store(y, e / e.row_sum());", 3),
    ] {
        let streamed = after("stream", &rows(body));
        // The outer loop is the first word; every pass is one more.
        assert_eq!(streamed.matches("loop {").count(), passes + 1, "{body}: {streamed}");
    }
    for body in [
        "let mut v = r.load(x); v = v * s; r.store(y, v);",
        "let v = r.load(x); for i in 0..3 { r.store(y, v); }",
        "let v = r.load(y); r.store(y, v); r.store(y, r.load(y) * s);",
    ] {
        assert!(tile_passes(&kernel(&rows(body)), 0).iter().all(|(name, _)| !name.starts_with("stream")), "{body}");
    }
}
