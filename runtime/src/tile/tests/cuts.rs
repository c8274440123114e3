//! Results that hang from how loops are cut, and near ones that do not.

use super::{array, kernel};
use crate::tile::AnyCut;
use crate::{Launch, RunError};
use jumar_dsl::diag::Code;

/// What a kernel of rows says of 64 numbers between 0.05 and 1; `z` has one number a row.
fn judge(body: &str) -> Result<(), RunError> {
    let text = format!(
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {{ for r in tiles(n) {{ {body} }} }}"
    );
    let values: Vec<f32> = (0..64).map(|i| ((i * 37) % 61 + 3) as f32 / 64.0).collect();
    let (x, mut z) = (array(&[4, 16], &values), array(&[4], &[0.0; 4]));
    let any = AnyCut::default();
    Launch::new(&kernel(&text)).backend(&any).input("x", &x).output("z", &mut z).run().map(|_| ())
}

#[test]
fn a_result_that_hangs_from_the_cut_is_refused_and_its_twin_is_not() {
    // Under an `if` the checker says nothing of merges; without it these are J0214.
    for (what, wrong, right) in [
        (
            "the largest of the sums of tiles",
            "let mut m = full(r, 0.0); for k in tiles(d) { if d > 0 { m = m.max(x.at(r, k).load().sum(k)); } } z.at(r).store(m);",
            "let mut m = full(r, 0.0); for k in tiles(d) { m = m.max(x.at(r, k).load().amax(k)); } z.at(r).store(m);",
        ),
        (
            "the roots of parts",
            "let mut s = full(r, 0.0); for k in tiles(d) { let v = x.at(r, k).load(); if d > 0 { s = s + (v * v).sum(k).sqrt(); } } z.at(r).store(s);",
            "let mut s = full(r, 0.0); for k in tiles(d) { let v = x.at(r, k).load(); s = s + (v * v).sum(k); } z.at(r).store(s.sqrt());",
        ),
        (
            "a constant in each part",
            "let mut s = full(r, 0.0); for k in tiles(d) { if d > 0 { s = s + (x.at(r, k).load().sum(k) + 0.5); } } z.at(r).store(s);",
            "let mut s = full(r, 0.5); for k in tiles(d) { s = s + x.at(r, k).load().sum(k); } z.at(r).store(s);",
        ),
        (
            "exponentials below the maximum of a tile",
            "let mut s = full(r, 0.0); for k in tiles(d) { let v = x.at(r, k).load(); if d > 0 { s = s + (v - v.amax(k)).exp().sum(k); } } z.at(r).store(s);",
            "let (mut m, mut s) = (full(r, f32::NEG_INFINITY), full(r, 0.0)); for k in tiles(d) { let v = x.at(r, k).load(); let top = m.max(v.amax(k));
             s = s * (m - top).exp() + (v - top).exp().sum(k); m = top; } z.at(r).store(m + s.ln());",
        ),
        (
            "a running value that is halved each turn",
            "let mut s = full(r, 0.0); for k in tiles(d) { if d > 0 { s = s * 0.5 + x.at(r, k).load().sum(k); } } z.at(r).store(s);",
            "let mut s = full(r, 0.0); for k in tiles(d) { s = s + x.at(r, k).load().sum(k); } z.at(r).store(s * 0.5);",
        ),
    ] {
        let found = judge(wrong).expect_err(what);
        assert_eq!(found.code(), Code::J0814, "{what}: {found}");
        assert!(found.to_string().contains("element 0 of `z` is "), "{what}: {found}");
        judge(right).unwrap_or_else(|e| panic!("{what}: {e}"));
    }
}
