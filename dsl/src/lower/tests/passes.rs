//! The passes inside the tile dialect, in words (see `look::words`).

use super::*;
use look::words;

/// Returns a kernel after one pass.
fn after(pass: &str, text: &str) -> String {
    let kernel = kernel(text);
    let passes = tile_passes(&kernel, 0, Chip::default_chip());
    let (_, k) = passes
        .iter()
        .find(|(name, _)| *name == pass)
        .unwrap_or_else(|| panic!("no pass {pass}: {text}"));
    words(&k.sig, k.tiles().expect("a tile kernel"))
}

fn flat(types: &str, body: &str) -> String {
    format!("#[kernel] fn k(x: &GlobalTensor<{types}>, w: &GlobalTensor<{types}>, #[inplace] y: &mut GlobalTensor<{types}>, n: usize) {{ for t in tiles(x) {{ {body} }} }}")
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
        (
            "let v = x.at(t).load().cast::<f32>(); y.at(t).store(v);",
            "load x; store y",
        ),
        (
            "let v = x.at(t).load().cast::<f16>().cast::<f32>(); y.at(t).store(v);",
            "load x; cast; cast; store y",
        ),
        (
            "let v = x.at(t).load().cast_with::<f32>(RoundMode::Floor); y.at(t).store(v);",
            "load x; round; store y",
        ),
        (
            "let v = x.at(t).load(); let u = v; y.at(t).store(u);",
            "load x; store y",
        ),
        (
            "let v = x.at(t).load(); let u = v.exp(); y.at(t).store(v);",
            "load x; store y",
        ),
        (
            "let v = x.at(t).load(); let u = v.exp().abs(); let z = u + u; y.at(t).store(v);",
            "load x; store y",
        ),
        (
            "let v = x.at(t).load(); for i in 0..n { let u = v.exp(); } y.at(t).store(v);",
            "load x; store y",
        ),
        (
            "let v = x.at(t).load(); if t.len() > 3 { let u = v.exp(); } y.at(t).store(v);",
            "load x; store y",
        ),
        (
            "let v = x.at(t).load(); if t.len() > 3 { y.at(t).store(v); } y.at(t).store(v);",
            "load x; if { store y } else {  }; store y",
        ),
        (
            "let mut u = x.at(t).load(); u = u + 1.0; y.at(t).store(u);",
            "load x; add*; store y",
        ),
        (
            "let v = x.at(t).load(); let mut u = v.cast::<f32>(); u = u + v; y.at(t).store(u);",
            "load x; add; store y",
        ),
    ] {
        assert_eq!(
            after("normalize", &flat("f32", body)),
            format!("loop {{ {want} }}"),
            "{body}"
        );
    }
}

/// Returns a kernel after common subexpressions are shared.
fn once(text: &str) -> String {
    let kernel = kernel(text);
    let passes = tile_passes(&kernel, 0, Chip::default_chip());
    let (_, k) = passes
        .iter()
        .rfind(|(name, _)| ["expand_reductions", "share_common"].contains(&&name[..]))
        .expect("a pass");
    words(&k.sig, k.tiles().expect("a tile kernel"))
}

#[test]
fn what_is_made_twice_is_made_once() {
    for (body, want) in [
        ("y.at(t).store(x.at(t).load() / x.at(t).load());", "load x; div; store y"),
        ("y.at(t).store(x.at(t).load() / w.at(t).load());", "load x; load w; div; store y"),
        ("let a = x.at(t).load(); let b = x.at(t).load(); y.at(t).store(a.exp() + b.exp());", "load x; exp; add; store y"),
        ("let a = x.at(t).load(); let b = w.at(t).load(); y.at(t).store((a - b) * (b - a));", "load x; load w; sub; sub; mul; store y"),
        ("let a = x.at(t).load(); y.at(t).store((a * 2.0).exp() + (a * 2.0).abs());", "load x; mul*; exp; abs; add; store y"),
        ("let a = x.at(t).load(); y.at(t).store((a * 0.0).exp() + (a * -0.0).exp());", "load x; mul*; exp; mul*; exp; add; store y"),
        // A scalar that does not change, and one that does.
        ("let k = n as f32; let a = x.at(t).load(); y.at(t).store(a * k + (a * k).exp());", "let; load x; mul*; exp; add; store y"),
        (
            "let mut k = n as f32; let a = x.at(t).load(); let b = a * k; k = k + 1.0; y.at(t).store(b - a * k);",
            "let; load x; mul*; let; mul*; sub; store y",
        ),
        // A store to the tensor, and one to another tensor.
        (
            "let a = y.at(t).load(); y.at(t).store(a * 2.0); let b = y.at(t).load(); y.at(t).store(a - b);",
            "load y; mul*; store y; load y; sub; store y",
        ),
        ("let a = x.at(t).load(); y.at(t).store(a * 2.0); y.at(t).store(a - x.at(t).load());", "load x; mul*; store y; sub; store y"),
        // A tile that changes.
        (
            "let a = x.at(t).load(); let mut u = a; let b = u.exp(); u = u + a; y.at(t).store(b - u.exp() + a.exp());",
            "load x; exp; add; exp; sub; add; store y",
        ),
        ("let mut u = x.at(t).load(); u = u + 1.0; y.at(t).store(u - x.at(t).load());", "load x; add*; sub; store y"),
        ("let mut u = x.at(t).load().exp(); u = u + 1.0; y.at(t).store(u - x.at(t).load().exp());", "load x; exp; add*; sub; store y"),
        // Inside of loops and branches, and behind them.
        (
            "let a = x.at(t).load(); let mut u = a; for i in 0..n { u = u + x.at(t).load().exp(); } y.at(t).store(u - x.at(t).load().exp());",
            "load x; copy; for { exp; add; set }; exp; sub; store y",
        ),
        (
            "let a = x.at(t).load().exp(); if t.len() > 3 { y.at(t).store(a); } else { y.at(t).store(x.at(t).load().exp() + w.at(t).load()); } \
             y.at(t).store(a + w.at(t).load());",
            "load x; exp; if { store y } else { load w; add; store y }; load w; add; store y",
        ),
        (
            "if t.len() > 3 { y.at(t).store(x.at(t).load() + w.at(t).load()); } else { y.at(t).store(w.at(t).load()); } y.at(t).store(x.at(t).load());",
            "if { load x; load w; add; store y } else { load w; store y }; load x; store y",
        ),
        // Stores in loops and branches.
        (
            "let a = y.at(t).load(); for i in 0..n { y.at(t).store(y.at(t).load() + w.at(t).load()); } y.at(t).store(a + y.at(t).load());",
            "load y; for { load y; load w; add; store y }; load y; add; store y",
        ),
        (
            "let a = y.at(t).load(); if t.len() > 3 { y.at(t).store(a * 2.0); } y.at(t).store(a + y.at(t).load());",
            "load y; if { mul*; store y } else {  }; load y; add; store y",
        ),
        (
            "let a = y.at(t).load(); if t.len() > 3 { let b = y.at(t).load() * a; y.at(t).store(b); } else { y.at(t).store(y.at(t).load() + a); }",
            "load y; if { mul; store y } else { load y; add; store y }",
        ),
        (
            "let a = y.at(t).load(); if t.len() > 3 { y.at(t).store(x.at(t).load()); } else { y.at(t).store(a * 2.0); } y.at(t).store(a + y.at(t).load());",
            "load y; if { load x; store y } else { mul*; store y }; load y; add; store y",
        ),
        (
            "let a = y.at(t).load(); if t.len() > 3 { y.at(t).store(a + x.at(t).load()); } else { let b = x.at(t).load(); if t.len() > 5 { y.at(t).store(b); } } y.at(t).store(a + y.at(t).load());",
            "load y; if { load x; add; store y } else { load x; if { store y } else {  } }; load y; add; store y",
        ),
        ("let a = y.at(t).load(); if t.len() > 3 {} else { y.at(t).store(a * 2.0); } y.at(t).store(a + y.at(t).load());", "load y; if {  } else { mul*; store y }; load y; add; store y"),
        ("let a = y.at(t).load(); y.at(t).atomic_add(a * 2.0); y.at(t).store(a + y.at(t).load());", "load y; mul*; store y; load y; add; store y"),
        // Types that only the result has.
        (
            "let a = x.at(t).load(); y.at(t).store(a.cast::<f16>().cast::<f32>() + a.cast::<i32>().cast::<f32>());",
            "load x; cast; cast; cast; cast; add; store y",
        ),
        // Twins stay, until nothing needs one of them.
        (
            "let a = x.at(t).load(); let o = full(t, 1.0); y.at(t).store(a.gt(0.0).select(o, a)); y.at(t).store(a.max(full(t, 1.0)));",
            "load x; fill; gt*; select; store y; fill; max; store y",
        ),
        (
            "let a = x.at(t).load(); y.at(t).store(full(t, 1.0).min(a) + full(t, 1.0).min(a));",
            "load x; fill; min; add; store y",
        ),
        ("y.at(t).store(t.iota().cast::<f32>() - t.iota().cast::<f32>().abs());", "iota; cast; abs; sub; store y"),
    ] {
        assert_eq!(once(&flat("f32", body)), format!("loop {{ {want} }}"), "{body}");
    }
}

#[test]
fn places_are_one_with_the_same_indices_of_one_tensor() {
    let head = "#[shape(k)] #[index(n)] i: &GlobalTensor<i32>, #[shape(k)] #[index(n)] j: &GlobalTensor<i32>, #[shape(k)] f: &GlobalTensor<i32>, \
         #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(k, d)] y: &mut GlobalTensor<f32>";
    for (body, want) in [
        ("for t in tiles(k) { y.at(t, ..).store(x.at(i.at(t).load(), ..).load() / x.at(i.at(t).load(), ..).load()); }", "loop { load i; load x; div; store y }"),
        (
            "for t in tiles(k) { y.at(t, ..).store(x.at(i.at(t).load(), ..).load() / x.at(j.at(t).load(), ..).load()); }",
            "loop { load i; load x; load j; load x; div; store y }",
        ),
        (
            "for t in tiles(k) { y.at(t, ..).store(x.at(f.at(t).load().max(0).min(n - 1), ..).load() / x.at(f.at(t).load().max(0).min(n - 1), ..).load()); }",
            "loop { load f; max*; min*; load x; div; store y }",
        ),
        (
            "for t in tiles(k) { y.at(t, ..).store(x.at(f.at(t).load().max(0).min(n - 1), ..).load() / x.at(f.at(t).load().max(0).min(n - 2), ..).load()); }",
            "loop { load f; max*; min*; load x; min*; load x; div; store y }",
        ),
        // A store in an inner loop that cuts a tensor which is loaded whole.
        (
            "for t in tiles(k) { let a = y.at(t, ..).load(); for c in tiles(d) { y.at(t, c).store(x.at(0, c).load().expand(t) - y.at(t, ..).load().amax(d)); } y.at(t, ..).store(a); }",
            "loop { load y; loop { load x; copy; load y; amax; sub; store y }; store y }",
        ),
        // Axes and sizes that only the result, or the view, has.
        (
            "for t in tiles(k) { y.at(t, ..).store((d.iota() + n.iota().sum(n)).cast::<f32>().expand(t)); }",
            "loop { iota; iota; sum; add; cast; copy; store y }",
        ),
        (
            "let (p, q) = (new_axis(2), new_axis(3)); let (a, b) = (x.view((n, p, q)), x.view((n, q, p))); \
             for t in tiles(k) { y.at(t, ..).store((a.at(0, 1, 0).load() + b.at(0, 1, 0).load() * a.at(0, 1, 0).load()).expand((t, d))); }",
            "loop { load x; load x; mul; add; copy; store y }",
        ),
        (
            "let w = workspace::<f32>((k, d)); for t in tiles(k) { w.at(t, ..).store(y.at(t, ..).load()); let a = w.at(t, ..).load(); w.at(t, ..).store(a * 2.0); y.at(t, ..).store(a + w.at(t, ..).load()); }",
            "loop { load y; store workspace; load workspace; mul*; store workspace; load workspace; add; store y }",
        ),
        // One tensor under two views.
        (
            "let q = new_axis(1); let v = y.view((k, q, d)); for t in tiles(k) { let a = y.at(t, ..).load(); v.at(t, 0, ..).store(a * 2.0); y.at(t, ..).store(a + y.at(t, ..).load()); }",
            "loop { load y; mul*; store y; load y; add; store y }",
        ),
        // Numbers around a window, and its start.
        (
            "for t in tiles(d) { let a = x.at(0, t - 1).load_or(0.0) + x.at(0, t - 1).load_or(0.0) * 2.0; y.at(.., t).store(a.expand(k)); }",
            "loop { load x; mul*; add; copy; store y }",
        ),
        (
            "for t in tiles(d) { let a = x.at(0, t - 1).load_or(0.0) + x.at(0, t - 1).load_or(1.0) + x.at(0, t - 2).load_or(0.0); y.at(.., t).store(a.expand(k)); }",
            "loop { load x; load x; add; load x; add; copy; store y }",
        ),
        // Each outermost loop has its own tiles; a tile before both is known in both.
        (
            "for t in tiles(k) { y.at(t, ..).store(x.at(i.at(t).load(), ..).load()); } for t in tiles(k) { y.at(t, ..).store(x.at(i.at(t).load(), ..).load()); }",
            "loop { load i; load x; store y }; loop { load i; load x; store y }",
        ),
        (
            "let a = x.at(0, ..).load(); for t in tiles(k) { y.at(t, ..).store(x.at(0, ..).load() + a.expand(t)); } for t in tiles(k) { y.at(t, ..).store(x.at(0, ..).load() + y.at(t, ..).load()); }",
            "load x; loop { copy; add; store y }; loop { load y; add; store y }",
        ),
    ] {
        assert_eq!(once(&format!("#[kernel] fn k({head}) {{ require(n >= 2); {body} }}")), want, "{body}");
    }
}

#[test]
fn what_a_reduction_is_made_of_is_made_once() {
    for (body, want) in [
        (
            "y.at(r, ..).store(x.at(r, ..).load() / x.at(r, ..).load().amax(d));",
            "loop { load x; amax; div; store y }",
        ),
        (
            "let v = x.at(r, ..).load(); y.at(r, ..).store((v - v.amax(d)).exp() / (v - v.amax(d)).exp().sum(d));",
            "loop { load x; amax; sub; exp; sum; div; store y }",
        ),
        (
            "let v = x.at(r, ..).load(); y.at(r, ..).store(v - v.mean(d) + v.sum(d));",
            "loop { load x; sum; mul*; sub; add; store y }",
        ),
        (
            "let v = x.at(r, ..).load(); let a = v.argmax(d).cast::<f32>(); y.at(r, ..).store(v - a + v.argmax(d).cast::<f32>());",
            "loop { load x; amax; iota; copy; eq; select*; eq; select; amin; cast; cast; sub; add; store y }",
        ),
        // A run of the columns, and all of them.
        (
            "let mut s = x.at(r, ..).load().sum(d); for c in tiles(d) { s = s + x.at(r, c).load().sum(c); } y.at(r, ..).store(x.at(r, ..).load() * s);",
            "loop { load x; sum; loop { load x; sum; add; set }; mul; store y }",
        ),
    ] {
        assert_eq!(once(&rows(body)), want, "{body}");
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
            "let v = x.at(t).load(); if t.len() > 3 { y.at(t).store(v); } let u = y.at(t).load(); y.at(t).store(u);",
            "load x; if { store y } else {  }; load y; store y",
        ),
    ] {
        assert_eq!(after("loads_first", &flat("f32", body)), format!("loop {{ {want} }}"), "{body}");
    }
}

#[test]
fn what_does_not_depend_on_the_rows_is_hoisted() {
    for (body, want) in [
        (
            "y.at(r, ..).store(x.at(r, ..).load() * g.at(..).load()); y.at(r, ..).store(x.at(r, ..).load()); ",
            "load g; loop { load x; mul; store y; store y }",
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
            "load g; add*; loop { load x; mul; store y }",
        ),
        (
            "let mut a = g.at(..).load(); for i in 0..3 { a = a + 1.0; } y.at(r, ..).store(x.at(r, ..).load() * a);",
            "loop { load g; for { add*; set }; load x; mul; store y }",
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
        ("let mut c = s; c = c + 1.0; y.at(r, ..).store(x.at(r, ..).load() * c);", 1),
        ("let v = x.at(r, ..).load(); let mut m = v.amax(d); m = m * s; y.at(r, ..).store(v * m);", 2),
        ("let v = x.at(r, ..).load(); let mut m = v.amax(d); for i in 0..3 { m = m * s; } y.at(r, ..).store(v * m);", 2),
        ("let mut v = x.at(r, ..).load(); let m = v.amax(d); v = v - m; let a = v.sum(d); v = v * a; y.at(r, ..).store(v);", 3),
    ] {
        let streamed = after("stream", &rows(body));
        // The outer loop is the first word; every pass adds one.
        assert_eq!(streamed.matches("loop {").count(), passes + 1, "{body}: {streamed}");
    }
    for body in [
        // A scalar that changes.
        "let mut c = s; for i in 0..3 { c = c + 1.0; } y.at(r, ..).store(x.at(r, ..).load() * c);",
        // A reduction inside a statement that would stand in one pass, or in each pass that needs
        // its result.
        "let v = x.at(r, ..).load(); let mut m = v.amax(d); for i in 0..3 { m = m + (v * m).sum(d); } y.at(r, ..).store(v * m);",
        "let mut v = x.at(r, ..).load(); for i in 0..3 { v = v * v; } y.at(r, ..).store(v / v.sum(d));",
        "let v = y.at(r, ..).load(); y.at(r, ..).store(v); y.at(r, ..).store(y.at(r, ..).load() * s);",
    ] {
        assert!(
            tile_passes(&kernel(&rows(body)), 0, Chip::default_chip()).iter().all(|(name, _)| !name.starts_with("stream")),
            "{body}"
        );
    }
}

/// Returns the number of loops in the streamed form of a kernel of rows, and the number of fused
/// passes.
fn passes_of(head: &str, body: &str) -> (usize, usize) {
    let text = rows(body).replace("tiles(n)", head);
    let kernel = kernel(&text);
    let passes = tile_passes(&kernel, 0, Chip::default_chip());
    let (_, last) = passes
        .iter()
        .find(|(name, _)| *name == "stream-hoist")
        .unwrap_or_else(|| panic!("not streamed: {text}"));
    let lowering = lowerings(&kernel, Chip::default_chip()).remove(0);
    (
        words(&last.sig, last.tiles().expect("a tile kernel"))
            .matches("loop {")
            .count(),
        lowering.joined.len(),
    )
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
        // Not the maximum or mean, a maximum or mean of another value, and reductions that are no
        // such sum.
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
    for (pass, loops) in [
        ("1:stream", 3 + 1 + 1),
        ("2:stream", 1 + 2 + 1),
        ("3:stream", 1 + 1 + 2),
    ] {
        let streamed = after(pass, text);
        assert_eq!(
            streamed.matches("loop {").count(),
            loops,
            "{pass}: {streamed}"
        );
        assert_eq!(streamed.matches("load g").count(), 2, "{pass}: {streamed}");
    }
}

#[test]
fn columns_that_all_cores_add_up_are_cut_around_the_divided_loop() {
    let names = |body: &str| {
        let text = format!(
            "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(d)] z: &mut GlobalTensor<f32>) {{
             let mut s = across_cores::<f32>(d, 0.0); for r in tiles(n) {{ let v = x.at(r, ..).load(); {body} }} z.at(..).store(s); }}"
        );
        let lowering = lowerings(&kernel(&text), Chip::default_chip()).remove(0);
        lowering
            .whole
            .iter()
            .map(|of| lowering.lowered.sig.axes[of.axis.index()].name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("y.at(r, ..).store(v); s += v.sum(r);"),
        Vec::<String>::new()
    );
    // Each part would need the parts to come.
    assert_eq!(
        names("let u = v - v.amax(d); y.at(r, ..).store(u); s += u.sum(r);"),
        ["d"]
    );
}
