//! Results that an intermediate overflow loses, and near ones that are not lost.

use super::{array, kernel};
use crate::tile::AnyCut;
use crate::{Array, Launch, RunError};
use half::f16;
use jumar_dsl::diag::Code;
use ndarray::{ArrayD, IxDyn};

/// Judges a kernel of rows with 4 rows of 16 numbers, multiples of a quarter up to 16, times `by`.
/// `x` has them as f32 and `h` as f16. `y` has their axes, `z` one number for each row.
fn judge(body: &str, by: f32) -> Result<(), RunError> {
    let text = format!(
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] h: &GlobalTensor<f16>, #[shape(n, d)] y: &mut GlobalTensor<f32>,\n\
         #[shape(n)] z: &mut GlobalTensor<f32>) {{ for r in tiles(n) {{ let (v, w) = (x.at(r, ..).load(), h.at(r, ..).load());\n\
         let (mut all, mut one) = (v, full(r, 0.0));\n{body}\ny.at(r, ..).store(all); z.at(r).store(one); }} }}"
    );
    let values: Vec<f32> = (0..64)
        .map(|i| ((i * 37) % 61 + 3) as f32 / 4.0 * by)
        .collect();
    let halves: Vec<f16> = values.iter().map(|v| f16::from_f32(*v)).collect();
    let h: Array = ArrayD::from_shape_vec(IxDyn(&[4, 16]), halves)
        .expect("a value for each element")
        .into();
    let (x, mut y, mut z) = (
        array(&[4, 16], &values),
        array(&[4, 16], &[0.0; 64]),
        array(&[4], &[0.0; 4]),
    );
    let (kernel, any) = (kernel(&text), AnyCut::default());
    let launch = Launch::new(&kernel)
        .backend(&any)
        .input("x", &x)
        .input("h", &h);
    launch
        .output("y", &mut y)
        .output("z", &mut z)
        .run()
        .map(|_| ())
}

/// A description of the result, the wrong and the right kernel, and the factor of the data.
const LOST: &[(&str, &str, &str, f32)] = &[
    (
        "a softmax",
        "let e =\nv.exp(); all = e / e.sum(d);",
        "let e = (v - v.amax(d)).exp();\nall = e / e.sum(d);",
        20.0,
    ),
    (
        "squares of halves",
        "let s =\n(w * w).cast::<f32>(); one = s.sum(d).sqrt();",
        "let s = w.cast::<f32>();\none = (s * s).sum(d).sqrt();",
        100.0,
    ),
    (
        "a sum of halves",
        "let s =\nw.sum(d); one = s.cast::<f32>();",
        "let s =\nw.cast::<f32>().sum(d); one = s;",
        2000.0,
    ),
    (
        "a cast to halves",
        "let s =\nv.cast::<f16>(); all = s.cast::<f32>() / 256.0;",
        "let s =\n(v / 256.0).cast::<f16>(); all = s.cast::<f32>();",
        100_000.0,
    ),
    (
        "a norm",
        "let s =\nv * v; one = s.sum(d).sqrt();",
        "let top = v.amax(d);\nlet u = v / top; one = (u * u).sum(d).sqrt() * top;",
        1e20,
    ),
    (
        "a norm in steps, lost in the first one",
        "let s =\nv * v;\nlet t = s * 2.0;\nlet u = t * 0.5;\none = u.sum(d).sqrt();",
        "let top = v.amax(d);\nlet u = v / top; one = (u * u).sum(d).sqrt() * top;",
        1e20,
    ),
    (
        "a choice",
        "let e =\nv.exp(); all = v.gt(4.0).select(e, v).ln();",
        "let e = v.exp();\nall = v.gt(4.0).select(v, e.ln());",
        20.0,
    ),
    (
        "a row of a tensor",
        "let s = v.pick(d, 3);\nlet e = s.exp(); one = e.ln();",
        "let s = v.pick(d, 3);\none = s;",
        40.0,
    ),
];

#[test]
fn a_result_that_is_lost_on_the_way_is_refused_and_its_twin_is_not() {
    for (what, wrong, right, by) in LOST {
        let found = judge(wrong, *by).expect_err(what);
        assert_eq!(found.code(), Code::J0815, "{what}: {found}");
        assert_eq!(found.fault().map(|f| f.line), Some(5), "{what}: {found}");
        judge(right, *by).unwrap_or_else(|e| panic!("{what}: {e}"));
    }
}

/// Results that are not finite for another reason than a largest number, or that are not stored.
const RIGHT: &[(&str, &str, f32)] = &[
    ("what is too large for the output", "all = v.exp();", 20.0),
    ("a sigmoid", "all = 1.0 / ((-v).exp() + 1.0);", -20.0),
    (
        "a logistic beyond its range that is chosen away",
        "let e = v.exp(); all = v.gt(80.0).select(v, (e + 1.0).ln());",
        20.0,
    ),
    ("a quotient by zero", "all = v / (v - v);", 1.0),
    ("a logarithm of zero", "all = (v - v).ln();", 1.0),
    ("a root of what is negative", "all = (-v).sqrt();", 1.0),
    (
        "an infinity of the text",
        "let m = full((r, d), f32::NEG_INFINITY); all = v.gt(4.0).select(v, m) + m;",
        1.0,
    ),
    (
        "infinities that are taken from one another",
        "let m = full((r, d), f32::INFINITY); all = m - m;",
        1.0,
    ),
    (
        "what f64 does not hold either",
        "let e = v.exp(); all = e / e;",
        1000.0,
    ),
    (
        "integers",
        "all = v.exp().cast_with::<i32>(RoundMode::Trunc).cast::<f32>();",
        20.0,
    ),
];

#[test]
fn what_is_not_finite_for_another_reason_is_a_result() {
    for (what, body, by) in RIGHT {
        judge(body, *by).unwrap_or_else(|e| panic!("{what}: {e}"));
    }
}

#[test]
fn inputs_that_are_not_finite_are_no_overflow() {
    for of in [f32::INFINITY, f32::NAN] {
        judge(
            "let e = v.exp(); all = e / e.sum(d); one = (w * w).cast::<f32>().sum(d).sqrt();",
            of,
        )
        .unwrap_or_else(|e| panic!("{of}: {e}"));
    }
}
