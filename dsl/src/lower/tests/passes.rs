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
         #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, s: f32) {{ for r in tiles(n) {{ {body} }} }}"
    )
}

#[test]
fn simplify_leaves_what_changes_a_value() {
    for (body, want) in [
        ("let v = x.at(t).load().cast::<f32>(); y.at(t).store(v);", "load x; store y"),
        ("let v = x.at(t).load().cast::<f16>().cast::<f32>(); y.at(t).store(v);", "load x; cast; cast; store y"),
        ("let v = x.at(t).load().cast_with::<f32>(RoundMode::Floor); y.at(t).store(v);", "load x; round; store y"),
        ("let v = x.at(t).load(); let u = v; y.at(t).store(u);", "load x; store y"),
        ("let v = x.at(t).load(); let u = v.exp(); y.at(t).store(v);", "load x; store y"),
        ("let v = x.at(t).load(); let u = v.exp().abs(); let z = u + u; y.at(t).store(v);", "load x; store y"),
        ("let v = x.at(t).load(); for i in 0..n { let u = v.exp(); } y.at(t).store(v);", "load x; store y"),
        ("let v = x.at(t).load(); if flag { let u = v.exp(); } y.at(t).store(v);", "load x; store y"),
        ("let v = x.at(t).load(); if flag { y.at(t).store(v); } y.at(t).store(v);", "load x; if { store y } else {  }; store y"),
        ("let mut u = x.at(t).load(); u = u + 1.0; y.at(t).store(u);", "load x; add*; set; store y"),
        ("let v = x.at(t).load(); let mut u = v.cast::<f32>(); u = u + v; y.at(t).store(u);", "load x; copy; add; set; store y"),
    ] {
        assert_eq!(after("simplify", &flat("f32", body)), format!("loop {{ {want} }}"), "{body}");
    }
}

#[test]
fn loads_move_before_everything_but_stores_to_their_tensor() {
    for (body, want) in [
        ("let v = x.at(t).load().exp(); let u = w.at(t).load(); y.at(t).store(v + u);", "load x; load w; exp; add; store y"),
        (
            "let v = x.at(t).load(); y.at(t).store(v); let u = w.at(t).load(); y.at(t).store(u);",
            "load x; load w; store y; store y",
        ),
        (
            "let v = x.at(t).load(); y.at(t).store(v); let u = y.at(t).load(); y.at(t).store(u);",
            "load x; store y; load y; store y",
        ),
        (
            "let v = y.at(t).load(); y.at(t).store(v); let u = y.at(t).load(); let z = w.at(t).load(); y.at(t).store(u + z);",
            "load y; load w; store y; load y; add; store y",
        ),
        (
            "let v = x.at(t).load(); for i in 0..n { let u = v.exp(); let z = w.at(t).load(); y.at(t).store(u + z); }",
            "load x; for { load w; exp; add; store y }",
        ),
        (
            "let v = x.at(t).load(); if flag { y.at(t).store(v); } let u = y.at(t).load(); y.at(t).store(u);",
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
            "y.at(r, ..).store(x.at(r, ..).load() * g.at(..).load()); y.at(r, ..).store(x.at(r, ..).load()); ",
            "load g; loop { load x; mul; store y; load x; store y }",
        ),
        (
            "let a = g.at(..).load().exp() * 2.0; y.at(r, ..).store(x.at(r, ..).load() * a);",
            "load g; exp; mul*; loop { load x; mul; store y }",
        ),
        (
            "let a = g.at(..).load() * s; y.at(r, ..).store(x.at(r, ..).load() * a);",
            "load g; mul*; loop { load x; mul; store y }",
        ),
        (
            "let a = g.at(..).load() * r.len(); y.at(r, ..).store(x.at(r, ..).load() * a);",
            "load g; loop { mul*; load x; mul; store y }",
        ),
        (
            "let mut a = g.at(..).load(); a = a + 1.0; y.at(r, ..).store(x.at(r, ..).load() * a);",
            "loop { load g; add*; set; load x; mul; store y }",
        ),
        ("let a = x.at(r, ..).load(); let b = a.amax(d); y.at(r, ..).store(a - b);", "loop { load x; amax; sub; store y }"),
    ] {
        assert_eq!(after("hoist", &rows(body)), want, "{body}");
    }
}

#[test]
fn streaming_computes_each_reduction_in_a_pass_of_its_own_level() {
    for (body, passes) in [
        ("y.at(r, ..).store(x.at(r, ..).load().exp());", 1),
        ("let v = x.at(r, ..).load(); y.at(r, ..).store(v - v.amax(d));", 2),
        ("let v = x.at(r, ..).load(); y.at(r, ..).store(v - v.amax(d) + v.amin(d));", 2),
        ("let v = x.at(r, ..).load(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store(e / e.sum(d));", 3),
        ("let mut v = x.at(r, ..).load(); v = v * s; y.at(r, ..).store(v);", 1),
        ("let v = x.at(r, ..).load(); for i in 0..3 { y.at(r, ..).store(v); }", 1),
        ("let mut v = x.at(r, ..).load(); let m = v.amax(d); v = v - m; let a = v.sum(d); v = v * a; y.at(r, ..).store(v);", 3),
    ] {
        let streamed = after("stream", &rows(body));
        // The outer loop is the first word; every pass is one more.
        assert_eq!(streamed.matches("loop {").count(), passes + 1, "{body}: {streamed}");
    }
    for body in [
        // A scalar that changes, and a value of rows that is read before it changes.
        "let mut c = s; c = c + 1.0; y.at(r, ..).store(x.at(r, ..).load() * c);",
        "let v = x.at(r, ..).load(); let mut m = v.amax(d); m = m * s; y.at(r, ..).store(v * m);",
        // A reduction inside a statement that stands in one pass as it is, or in each pass that needs its result.
        "let v = x.at(r, ..).load(); let mut m = v.amax(d); for i in 0..3 { m = m + (v * m).sum(d); } y.at(r, ..).store(v * m);",
        "let mut v = x.at(r, ..).load(); for i in 0..3 { v = v * v; } y.at(r, ..).store(v / v.sum(d));",
        "let v = y.at(r, ..).load(); y.at(r, ..).store(v); y.at(r, ..).store(y.at(r, ..).load() * s);",
    ] {
        assert!(tile_passes(&kernel(&rows(body)), 0).iter().all(|(name, _)| !name.starts_with("stream")), "{body}");
    }
}

/// The loops of the streamed form of a kernel of rows, the outer one among them, and where two of its passes are one.
fn passes_of(head: &str, body: &str) -> (usize, usize) {
    let text = rows(body).replace("tiles(n)", head);
    let kernel = kernel(&text);
    let passes = tile_passes(&kernel, 0);
    let (_, last) = passes.iter().find(|(name, _)| *name == "stream-onto").unwrap_or_else(|| panic!("not streamed: {text}"));
    let lowering = lowerings(&kernel, Chip::default_chip()).remove(0);
    (words(&last.sig, &last.body).matches("loop {").count(), lowering.joined.len())
}

#[test]
fn sums_that_follow_from_one_maximum_or_one_mean_are_found_beside_it() {
    for (body, loops, joined) in [
        ("let v = x.at(r, ..).load(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store(e / e.sum(d));", 3, 1),
        ("let v = x.at(r, ..).load() * s; let e = (v - v.amax(d)).exp(); y.at(r, ..).store(e / e.sum(d));", 3, 1),
        ("let v = x.at(r, ..).load(); let m = v.amax(d); let e = ((v - m) / 8.0).exp(); y.at(r, ..).store(v / (e * g.at(..).load()).sum(d));", 3, 1),
        ("let v = x.at(r, ..).load(); let c = v - v.mean(d); y.at(r, ..).store(c / (c * c).mean(d).sqrt());", 3, 1),
        ("let v = x.at(r, ..).load(); let m = v.sum(d) / d as f32; y.at(r, ..).store(v - ((v - m) * (v - m)).sum(d));", 3, 1),
        ("let v = x.at(r, ..).load(); let i = 1.0 / d as f32; let c = v - v.sum(d) * i; y.at(r, ..).store(v - (c * c).sum(d));", 3, 1),
        // Another number than the maximum or the mean, of another value, and what is no sum of such.
        ("let v = x.at(r, ..).load(); let e = (v - v.amin(d)).exp(); y.at(r, ..).store(e / e.sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let e = (v - (v * 2.0).amax(d)).exp(); y.at(r, ..).store(e / e.sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store(e / e.prod(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let e = ((v - v.amax(d)) * s).exp(); y.at(r, ..).store(e / e.sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let e = ((v - v.amax(d)) * -2.0).exp(); y.at(r, ..).store(e / e.sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let m = v.amax(d); let e = (v - m).exp() * m; y.at(r, ..).store(e / e.sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let m = v.amax(d); let e = (v - m).exp() + v; y.at(r, ..).store(e / e.sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let m = v.amax(d); let e = 1.0 / (v - m).exp(); y.at(r, ..).store(v / e.sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let m = v.amax(d); let e = (v - m).exp(); y.at(r, ..).store(v / e.sum(d) + (v * m).sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let c = v - v.sum(d) * (1.0 / (d + 1) as f32); y.at(r, ..).store(v - (c * c).sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let c = v - v.mean(d) * 2.0; y.at(r, ..).store(v - (c * c).sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let c = v * v - v.mean(d); y.at(r, ..).store(v - (c * c).sum(d));", 4, 0),
        ("let v = x.at(r, ..).load(); let c = v - v.mean(d); y.at(r, ..).store(v - (c * c * c).sum(d));", 4, 0),
    ] {
        assert_eq!(passes_of("tiles(n)", body), (loops, joined), "{body}");
        assert_eq!(passes_of("tiles(n).exact()", body), (4, 0), "{body}");
    }
}

#[test]
fn each_phase_is_streamed_for_itself_and_names_what_others_compute_too() {
    let text = "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
        let w = workspace::<f32>((n, d));
        let h = g.at(..).load() * 2.0;
        for r in tiles(n) { let v = x.at(r, ..).load(); w.at(r, ..).store((v - v.amax(d)) * h); }
        for i in 0..2 { for t in tiles(n) { w.at(t, ..).store(w.at(t, ..).load() + 1.0); } }
        for r in tiles(n) { y.at(r, ..).store(w.at(r, ..).load() + h); } }";
    let streamed = after("stream", text);
    assert_eq!(streamed.matches("loop {").count(), 3 + 2 + 1 + 1, "{streamed}");
    assert_eq!(streamed.matches("load g").count(), 2, "{streamed}");
}

#[test]
fn columns_that_all_cores_add_up_are_cut_around_the_divided_loop() {
    let names = |body: &str| {
        let text = format!(
            "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(d)] z: &mut GlobalTensor<f32>) {{
             let mut s = across_cores::<f32>(d, 0.0); for r in tiles(n) {{ let v = x.at(r, ..).load(); {body} }} z.at(..).store(s); }}"
        );
        let lowering = lowerings(&kernel(&text), Chip::default_chip()).remove(0);
        lowering.whole.iter().map(|of| lowering.lowered.sig.axes[of.axis.index()].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("y.at(r, ..).store(v); s += v.sum(r);"), Vec::<String>::new());
    // Each part would need the parts to come.
    assert_eq!(names("let u = v - v.amax(d); y.at(r, ..).store(u); s += u.sum(r);"), ["d"]);
}
