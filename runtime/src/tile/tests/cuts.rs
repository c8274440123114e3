//! Kernels whose results depend on how loops are cut, and right ones near them.

use super::{array, kernel};
use crate::tile::{AnyCut, Cut, Inputs, Tile};
use crate::{JobBytes, Launch, Overflow, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{walk_stmts_mut, Scalar, ScalarTy, StmtKind, TileStmt};
use jumar_dsl::soc::Chip;

/// Judges a kernel of rows with 64 numbers between 0.05 and 1. `z` has one for each row.
fn judge(body: &str) -> Result<(), RunError> {
    let text = format!(
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {{ for r in tiles(n) {{ {body} }} }}"
    );
    let values: Vec<f32> = (0..64).map(|i| ((i * 37) % 61 + 3) as f32 / 64.0).collect();
    let (x, mut z) = (array(&[4, 16], &values), array(&[4], &[0.0; 4]));
    let any = AnyCut::default();
    Launch::new(&kernel(&text))
        .backend(&any)
        .input("x", &x)
        .output("z", &mut z)
        .run()
        .map(|_| ())
}

#[test]
fn a_result_that_hangs_from_the_cut_is_refused_and_its_twin_is_not() {
    // Without the promise the checker refuses these: J0214.
    for (what, wrong, right) in [
        (
            "the largest of the sums of tiles",
            "let mut m = full(r, 0.0); for k in tiles(d).any_cut() { m = m.max(x.at(r, k).load().sum(k)); } z.at(r).store(m);",
            "let mut m = full(r, 0.0); for k in tiles(d) { m = m.max(x.at(r, k).load().amax(k)); } z.at(r).store(m);",
        ),
        (
            "the roots of parts",
            "let mut s = full(r, 0.0); for k in tiles(d).any_cut() { let v = x.at(r, k).load(); s = s + (v * v).sum(k).sqrt(); } z.at(r).store(s);",
            "let mut s = full(r, 0.0); for k in tiles(d) { let v = x.at(r, k).load(); s = s + (v * v).sum(k); } z.at(r).store(s.sqrt());",
        ),
        (
            "a constant in each part",
            "let mut s = full(r, 0.0); for k in tiles(d).any_cut() { s = s + (x.at(r, k).load().sum(k) + 0.5); } z.at(r).store(s);",
            "let mut s = full(r, 0.5); for k in tiles(d) { s = s + x.at(r, k).load().sum(k); } z.at(r).store(s);",
        ),
        (
            "exponentials below the maximum of a tile",
            "let mut s = full(r, 0.0); for k in tiles(d).any_cut() { let v = x.at(r, k).load(); s = s + (v - v.amax(k)).exp().sum(k); } z.at(r).store(s);",
            "let (mut m, mut s) = (full(r, f32::NEG_INFINITY), full(r, 0.0)); for k in tiles(d) { let v = x.at(r, k).load(); let top = m.max(v.amax(k));
             s = s * (m - top).exp() + (v - top).exp().sum(k); m = top; } z.at(r).store(m + s.ln());",
        ),
        (
            "a running value that is halved each iteration",
            "let mut s = full(r, 0.0); for k in tiles(d).any_cut() { s = s * 0.5 + x.at(r, k).load().sum(k); } z.at(r).store(s);",
            "let mut s = full(r, 0.0); for k in tiles(d) { s = s + x.at(r, k).load().sum(k); } z.at(r).store(s * 0.5);",
        ),
    ] {
        let found = judge(wrong).expect_err(what);
        assert_eq!(found.code(), Code::J0814, "{what}: {found}");
        assert!(found.to_string().contains("element 0 of `z` is "), "{what}: {found}");
        judge(right).unwrap_or_else(|e| panic!("{what}: {e}"));
    }
}

/// Sums of parts, across cores and in GM, of data that rounds. The second error is known.
#[test]
fn sums_of_several_parts_have_bounds_and_other_merges_are_outside_of_them() {
    let over_cores = |part: &str| {
        format!(
            "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] z: &mut GlobalTensor<f32>) {{
                let mut s = across_cores::<f32>((), 0.0); for t in tiles(n) {{ s += {part}; }} z.at().store(s); }}"
        )
    };
    let in_gm = |part: &str| {
        format!(
            "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] z: &mut GlobalTensor<f32>) {{
                for t in tiles(n) {{ z.at().atomic_add({part}); }} }}"
        )
    };
    let values: Vec<f32> = (0..400)
        .map(|i| ((i * 37) % 61) as f32 / 7.0 - 3.0)
        .collect();
    let x = array(&[400], &values);
    let run = |text: &str, cut| {
        let (tile, mut z) = (Tile::new(cut, true), array(&[], &[0.0]));
        Launch::new(&kernel(text))
            .backend(&tile)
            .input("x", &x)
            .output("z", &mut z)
            .run()
            .expect("a run");
        (
            z.to_f64()[0],
            tile.errors()[0].1.first().copied().unwrap_or(0.0),
        )
    };
    let v = "x.at(t).load().sum(t)";
    let parts = [
        v.to_string(),
        format!("{v} * 0.3"),
        format!("-({v}) / 3.0"),
        format!("({v} - x.at(t).load().abs().sum(t))"),
    ];
    for text in parts
        .iter()
        .flat_map(|part| [over_cores(part), in_gm(part)])
    {
        let (whole, _) = run(&text, Cut::Whole);
        for cut in [Cut::Halves, Cut::Singles, Cut::By(7), Cut::Uneven(3)] {
            let (other, error) = run(&text, cut);
            assert!(error > 0.0 && error < 0.5, "{error} of {cut:?}\n{text}");
            assert!(
                (whole - other).abs() <= error,
                "{whole} and {other} by {cut:?}, within {error}\n{text}"
            );
        }
    }
    // Small halves are exact in every order, and stay so.
    let halves: Vec<f32> = (0..400)
        .map(|i| ((i * 37) % 61) as f32 / 2.0 - 9.0)
        .collect();
    let (x, tile, mut z) = (
        array(&[400], &halves),
        Tile::new(Cut::By(7), true),
        array(&[], &[0.0]),
    );
    Launch::new(&kernel(&over_cores(v)))
        .backend(&tile)
        .input("x", &x)
        .output("z", &mut z)
        .run()
        .expect("a run");
    assert_eq!(tile.errors()[0].1.first().copied().unwrap_or(0.0), 0.0);
    // A weight by the length of the iteration, which only the IR can say, exceeds the bound by far.
    let mut weighed = kernel(&over_cores(&format!("{v} * 2.0"))).kernel().clone();
    let mut len = None;
    weighed.tiles().expect("a tile kernel").walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            len = len.or(tile.specs.first().map(|spec| spec.len));
        }
    });
    let len = Scalar::Cast(ScalarTy::F32, Scalar::from(len.expect("a loop")).into());
    walk_stmts_mut(
        &mut weighed.tiles_mut().expect("a tile kernel").stmts,
        &mut |s| {
            s.scalars_mut(&mut |own| {
                *own = if *own == Scalar::Float(2.0) {
                    len.clone()
                } else {
                    own.clone()
                }
            });
        },
    );
    let given: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    let run = |cut| {
        let (tile, mut out) = (Tile::new(cut, true), [0; 4]);
        let tensors = vec![
            ("x", JobBytes::Read(&given)),
            ("z", JobBytes::Write(&mut out)),
        ];
        let (chip, overflow) = (Chip::default_chip(), Overflow::InfNan);
        tile.interpret(
            &weighed,
            0,
            Inputs {
                chip,
                dims: &[400],
                attrs: &[None, None],
                overflow,
                tensors,
            },
        )
        .expect("a run");
        (
            f64::from(f32::from_le_bytes(out)),
            tile.errors()[0].1.first().copied().unwrap_or(0.0),
        )
    };
    let ((whole, _), (halves, error)) = (run(Cut::Whole), run(Cut::Halves));
    assert!(
        error > 0.0 && error.is_finite() && (whole - halves).abs() > error + 1.0,
        "{whole}, {halves}, {error}"
    );
}
