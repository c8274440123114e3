//! Checks each construct on kernels small enough to compute by hand, for every cut of their loops.

mod cuts;
mod open;
mod overflow;

use super::{Cut, Inputs, Tile};
use crate::backend::JobBytes;
use crate::{Array, Launch, RunError};
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::diag::Code;
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::{verify_kernel, Kernel};
use jumar_dsl::soc::Chip;
use ndarray::{ArrayD, IxDyn};

fn read(text: &str) -> Kernel {
    let parsed = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let messages: Vec<_> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.clone())
        .collect();
    parsed
        .kernel
        .unwrap_or_else(|| panic!("{messages:?}\n{text}"))
}

fn kernel(text: &str) -> CheckedKernel {
    check(&read(text), Chip::default_chip())
        .unwrap_or_else(|d| panic!("{}: {}", d[0].code, d[0].message))
}

fn array(shape: &[usize], values: &[f32]) -> Array {
    ArrayD::from_shape_vec(IxDyn(shape), values.to_vec())
        .expect("a value for each element")
        .into()
}

struct Row {
    what: &'static str,
    /// Parameters beside `x` and `y`, and the body.
    params: &'static str,
    body: &'static str,
    x: &'static [f32],
    shape: &'static [usize],
    y: &'static [f32],
    out: &'static [usize],
}

const INF: f32 = f32::INFINITY;

/// Kernels over `x: [n, d]`; each body defines `y`.
const ROWS: &[Row] = &[
    Row {
        what: "statements before the loop happen, in their order",
        params: "y: &mut GlobalTensor<f32>",
        body: "let mut k = 1.0; let a = k + 1.0; k = a * 3.0; for i in 0..2 { k += i as f32; } if d > 1 { k += 0.5; }
               for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() + k); }",
        x: &[1.0, 2.0],
        shape: &[1, 2],
        y: &[8.5, 9.5],
        out: &[1, 2],
    },
    Row {
        what: "what a mask takes is packed row after row, and what is not reached stays",
        params: "#[inplace] #[shape(5)] y: &mut GlobalTensor<f32>",
        body: "for (i, t) in tiles((each(n), d)) { let v = x.at(i, t).load(); y.append(v * 2.0, v.gt(0.0)); }",
        x: &[1.0, -5.0, 2.0, -7.0, 0.0, 3.0],
        shape: &[2, 3],
        y: &[2.0, 4.0, 6.0, 0.0, 0.0],
        out: &[5],
    },
    Row {
        what: "of a range starts, indices and places count from the beginning of the axis, and there is no iteration of nothing",
        params: "#[shape(n, d, 4)] y: &mut GlobalTensor<f32>",
        body: "let k = new_axis(4); let y = y.view((n, d, k));
               for (i, j) in tiles((each(n), each(0..1))) { y.at(i, j, ..).store(full(k, i as f32)); }
               for (i, j) in tiles((each(n), each(1..d))) {
                   let (mut s, mut low) = (full(k, 0.0), full(k, 9.0));
                   for t in tiles(1..d).any_cut() {
                       let at = x.at(i, t).load() * 0.0 + t.iota().cast::<f32>();
                       if d > 0 { s = s.max((at.argmax(t) * 10 + t.iota().amax(t)).cast::<f32>()); }
                       low = low.min(t.start() as f32);
                   }
                   for e in each(2..2) { s = s + e as f32 + 1.0; }
                   for e in tiles(d..1).any_cut() { if d > 0 { s = s + 1.0; } }
                   y.at(i, j, ..).store(s + low * 1000.0 + j as f32 * 100.0);
               }",
        x: &[9.0, 1.0, 2.0, 9.0, 4.0, 3.0],
        shape: &[2, 3],
        y: &[
            0.0, 0.0, 0.0, 0.0, 1122.0, 1122.0, 1122.0, 1122.0, 1222.0, 1222.0, 1222.0, 1222.0, 1.0, 1.0, 1.0, 1.0, 1122.0, 1122.0, 1122.0,
            1122.0, 1222.0, 1222.0, 1222.0, 1222.0,
        ],
        out: &[2, 3, 4],
    },
    Row {
        what: "what exceeds the tensor is not written",
        params: "#[shape(2)] y: &mut GlobalTensor<f32>",
        body: "for (i, t) in tiles((each(n), d)) { let v = x.at(i, t).load(); y.append(v, v.lt(5.0)); }",
        x: &[1.0, 5.0, 2.0, 7.0, 0.0, 3.0],
        shape: &[2, 3],
        y: &[1.0, 2.0],
        out: &[2],
    },
    Row {
        what: "what exceeds a tensor is counted",
        params: "#[shape(1)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(2)] w: &mut GlobalTensor<f32>",
        body: "for (i, t) in tiles((each(n), d)) { let v = x.at(i, t).load(); w.append(v, v.lt(5.0)); }
               let k = new_axis(1); y.view((k)).at(..).store(w.appended().cast::<f32>().expand(k));",
        x: &[1.0, 5.0, 2.0, 7.0, 0.0, 3.0],
        shape: &[2, 3],
        y: &[4.0],
        out: &[1],
    },
    Row {
        what: "a column meets a row by its axis",
        params: "#[shape(d)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>",
        body: "for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r, ..).store(v - v.amax(d) + w.at(..).load() * 0.0); }",
        x: &[1.0, 5.0, 2.0, 7.0, 0.0, 3.0],
        shape: &[2, 3],
        y: &[-4.0, 0.0, -3.0, 0.0, -7.0, -4.0],
        out: &[2, 3],
    },
    Row {
        what: "one value a row",
        params: "#[shape(n)] y: &mut GlobalTensor<f32>",
        body: "for r in tiles(n) { y.at(r).store(x.at(r, ..).load().sum(d)); }",
        x: &[1.0, 5.0, 2.0, 7.0],
        shape: &[2, 2],
        y: &[6.0, 9.0],
        out: &[2],
    },
    Row {
        what: "running values over columns",
        params: "#[shape(n)] y: &mut GlobalTensor<f32>",
        body: "for r in tiles(n) { let mut m = full(r, f32::NEG_INFINITY); let mut s = full(r, 0.0);
               for c in tiles(d) { let v = x.at(r, c).load(); m = m.max(v.amax(c)); s = s + v.sum(c); }
               y.at(r).store(m * 100.0 + s); }",
        x: &[1.0, 5.0, 2.0, 7.0, -1.0, -2.0],
        shape: &[2, 3],
        y: &[508.0, 704.0],
        out: &[2],
    },
    Row {
        what: "a compare chooses, and both choices may broadcast",
        params: "y: &mut GlobalTensor<f32>",
        body: "for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r, ..).store(v.ge(v.amax(d)).select(v * 2.0, -1.0)); }",
        x: &[1.0, 5.0, 7.0, 7.0],
        shape: &[2, 2],
        y: &[-1.0, 10.0, 14.0, 14.0],
        out: &[2, 2],
    },
    Row {
        what: "a mutable tile keeps its old content under another name",
        params: "y: &mut GlobalTensor<f32>",
        body: "for t in tiles(x) { let mut m = x.at(t).load(); let old = m; m = m + 1.0; if d > 1 { m = m * 2.0; } y.at(t).store(m + old); }",
        x: &[1.0, 5.0],
        shape: &[1, 2],
        y: &[5.0, 17.0],
        out: &[1, 2],
    },
    Row {
        what: "the later store wins, and a load sees the store before it",
        params: "#[inplace] y: &mut GlobalTensor<f32>",
        body: "for t in tiles(x) { y.at(t).store(x.at(t).load()); let a = y.at(t).load(); y.at(t).store(a * 10.0); let b = y.at(t).load(); y.at(t).store(b + 1.0); }",
        x: &[1.0, 5.0],
        shape: &[1, 2],
        y: &[11.0, 51.0],
        out: &[1, 2],
    },
    Row {
        what: "casts round to their type, a cast to the own type not at all",
        params: "y: &mut GlobalTensor<f32>",
        body: "for t in tiles(x) { let v = x.at(t).load(); let h = v.cast::<f16>().cast::<f32>(); let w = v.cast::<f32>();
               let k = v.cast_with::<f32>(RoundMode::Floor); y.at(t).store(h + w + k); }",
        x: &[2049.0, 0.75],
        shape: &[1, 2],
        y: &[6146.0, 1.5],
        out: &[1, 2],
    },
    Row {
        what: "integers by their own division and comparison rules",
        params: "y: &mut GlobalTensor<f32>",
        body: "for t in tiles(x) { let v = x.at(t).load().cast_with::<i32>(RoundMode::Trunc); y.at(t).store((-v * 3 + 1).cast::<f32>()); }",
        x: &[2.9, -2.9],
        shape: &[1, 2],
        y: &[-5.0, 7.0],
        out: &[1, 2],
    },
    Row {
        what: "rows without elements reduce to the neutral element",
        params: "y: &mut GlobalTensor<f32>",
        body: "for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r, ..).store(v - v.amax(d)); }",
        x: &[],
        shape: &[3, 0],
        y: &[],
        out: &[3, 0],
    },
    Row {
        what: "infinity and nan go through an op as the table has it",
        params: "y: &mut GlobalTensor<f32>",
        body: "for t in tiles(x) { y.at(t).store(1.0 / x.at(t).load().max(0.0)); }",
        x: &[-3.0, INF],
        shape: &[1, 2],
        y: &[INF, 0.0],
        out: &[1, 2],
    },
];

#[test]
fn every_construct_means_what_is_written() {
    for row in ROWS {
        let text = format!(
            "#[kernel]\npub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, {}) {{ {} }}",
            row.params, row.body
        );
        let kernel = kernel(&text);
        for cut in [Cut::Whole, Cut::Halves, Cut::Singles] {
            let (x, mut y) = (
                array(row.shape, row.x),
                array(row.out, &vec![0.0; row.y.len()]),
            );
            let w = array(&row.shape[1..], &vec![1.0; row.shape[1]]);
            let mut list = array(&[2], &[0.0; 2]);
            let tile = Tile::new(cut, true);
            let mut launch = Launch::new(&kernel).backend(&tile).input("x", &x);
            if row.params.contains("w: &mut") {
                launch = launch.inout("w", &mut list);
            } else if row.params.contains("w:") {
                launch = launch.input("w", &w);
            }
            launch = if row.params.starts_with("#[inplace]") {
                launch.inout("y", &mut y)
            } else {
                launch.output("y", &mut y)
            };
            launch
                .run()
                .unwrap_or_else(|e| panic!("{}, {cut:?}: {e}", row.what));
            let want: Vec<f64> = row.y.iter().map(|v| f64::from(*v)).collect();
            assert_eq!(y.to_f64(), want, "{}, {cut:?}", row.what);
            assert!(
                tile.errors()
                    .iter()
                    .all(|(_, e)| e.iter().all(|e| *e == 0.0)),
                "{}, {cut:?}",
                row.what
            );
        }
    }
}

#[test]
fn a_sum_of_any_numbers_carries_the_error_of_its_order() {
    let kernel = kernel(
        "#[kernel]\npub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r).store((v - v.sum(d)).amax(d)); }
        }",
    );
    let x = array(&[2, 3], &[0.1, 0.2, 0.3, 1.0, 2.0, 4.0]);
    let mut y = array(&[2], &[0.0; 2]);
    let tile = Tile::new(Cut::Whole, true);
    Launch::new(&kernel)
        .backend(&tile)
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .expect("a run");
    let errors = tile.errors();
    let (name, errors) = &errors[0];
    assert_eq!(name, "y");
    assert!(errors[0] > 1e-8 && errors[0] < 1e-6, "{errors:?}");
    assert_eq!(errors[1], 0.0);
}

#[test]
fn what_turns_join_carries_the_roundings_of_every_cut() {
    for (step, join) in [("acc + v.sum(..)", "sum"), ("acc * v.prod(..)", "prod")] {
        let text = format!(
            "#[kernel]\npub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, first: f32) {{
                for i in each(n) {{ let mut acc = full((), first); for t in tiles(d) {{ let v = x.at(i, t).load(); acc = {step}; }} y.at(i).store(acc); }}
            }}"
        );
        let kernel = kernel(&text);
        // Sums of these rows are exact, but some start values are too large to add them exactly.
        // Products are exact, or their factors are no powers of two.
        let rows: [(f32, &[f32], bool); 4] = [
            (655_040_512.0, &[16.0; 9], false),
            (0.3, &[3.0; 9], false),
            (64.0, &[1.0, 2.0, 1.0, 2.0], true),
            (0.0, &[2.0, 4.0, 1.0], true),
        ];
        for (first, values, is_exact) in rows {
            let run = |cut| {
                let (x, mut y) = (array(&[1, values.len()], values), array(&[1], &[0.0]));
                let tile = Tile::new(cut, true);
                Launch::new(&kernel)
                    .backend(&tile)
                    .input("x", &x)
                    .output("y", &mut y)
                    .attr("first", first)
                    .run()
                    .expect("a run");
                (
                    y.to_f64()[0],
                    tile.errors()
                        .first()
                        .and_then(|(_, e)| e.first().copied())
                        .unwrap_or(0.0),
                )
            };
            let runs = [Cut::Whole, Cut::Halves, Cut::Singles].map(run);
            for ((a, error), (b, _)) in runs.into_iter().flat_map(|a| runs.map(|b| (a, b))) {
                assert!(
                    (a - b).abs() <= error,
                    "{join} from {first}: {a} and {b}, bound {error}"
                );
                assert!(!is_exact || error == 0.0, "{join} from {first}: {error}");
            }
        }
    }
}

#[test]
fn what_turns_join_beyond_the_largest_number_is_undecided() {
    let kernel = kernel(
        "#[kernel]\npub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            let q = new_axis(3);
            for i in each(n) {
                let mut acc = full::<f16>((), 0.0);
                for (t, u) in tiles((d, q)) { acc = acc + x.at(i, t).load().cast::<f16>().expand(u).sum(..); }
                y.at(i).store(acc.cast::<f32>());
            } }",
    );
    let ends = [6e4, -6e4, 1e9, -1e9, 1.0, 3e4, -3e4];
    let rows: Vec<f32> = (0..343)
        .flat_map(|i| [ends[i / 49], ends[i / 7 % 7], ends[i % 7]])
        .collect();
    let run = |cut| {
        let (x, mut y) = (array(&[343, 3], &rows), array(&[343], &[0.0; 343]));
        let tile = Tile::new(cut, true);
        Launch::new(&kernel)
            .backend(&tile)
            .input("x", &x)
            .output("y", &mut y)
            .run()
            .expect("a run");
        (y.to_f64(), tile.errors().remove(0).1)
    };
    let runs = [Cut::Whole, Cut::Halves, Cut::Singles].map(run);
    for (a, error) in &runs {
        for (b, _) in &runs {
            for at in 0..343 {
                let (a, b, error) = (a[at], b[at], error.get(at).copied().unwrap_or(0.0));
                let same = a == b || a.is_nan() && b.is_nan();
                assert!(
                    same || error.is_infinite() || (a - b).abs() <= error,
                    "{:?}: {a} and {b}, bound {error}",
                    &rows[3 * at..][..3]
                );
            }
        }
    }
}

#[test]
fn behind_a_bit_that_a_sum_may_turn_round_no_place_is_sure() {
    let kernel = kernel(
        "#[kernel]\npub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = n * d)] y: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {
            for (i, t) in tiles((each(n), d)) { let v = x.at(i, t).load(); y.append(v, (v - x.at(i, ..).load().sum(d)).ge(0.0)); }
            c.at().store(y.appended());
        }",
    );
    // The second row adds up to its last element, within the error of its order.
    let x = array(
        &[3, 4],
        &[
            0.5, 0.25, 8.0, -8.0, 0.1, 0.2, -0.3, 0.7, 1.0, 1.0, 1.0, 1.0,
        ],
    );
    let (mut y, mut c) = (
        array(&[12], &[0.0; 12]),
        Array::zeros(jumar_dsl::dtype::DType::I32, &[]).expect("a number"),
    );
    let tile = Tile::new(Cut::Singles, true);
    Launch::new(&kernel)
        .backend(&tile)
        .input("x", &x)
        .output("y", &mut y)
        .output("c", &mut c)
        .run()
        .expect("a run");
    let errors = tile.errors();
    assert_eq!(errors[0].1[0], 0.0, "{errors:?}");
    assert!(
        errors[0].1[2..].iter().all(|e| e.is_infinite()),
        "{errors:?}"
    );
    assert_eq!(errors[1].1, [f64::INFINITY]);
}

#[test]
fn queue_level_kernels_are_refused() {
    let kernel = kernel(include_str!("../../../examples/28_add_queue.rs"));
    let (x, mut z) = (array(&[8], &[0.0; 8]), array(&[8], &[0.0; 8]));
    let tile = Tile::default();
    let error = Launch::new(&kernel)
        .backend(&tile)
        .input("x", &x)
        .input("y", &x)
        .output("z", &mut z)
        .run()
        .unwrap_err();
    assert!(
        matches!(&error, RunError::Refused { code: Code::J0605, message } if message.contains("queue level")),
        "{error}"
    );
}

/// A kernel as it is read, lowered or not, with an input `x` and an output `y`.
struct Form {
    what: &'static str,
    /// The shapes of both, and the text of the body.
    x_shape: &'static str,
    y_shape: &'static str,
    body: &'static str,
    /// The size of each axis, in the order of their first names.
    dims: &'static [i64],
    x: &'static [f32],
    y: &'static [f32],
}

const FORMS: &[Form] = &[
    Form {
        what: "a product of single indices and runs goes through both",
        x_shape: "b, n, d",
        y_shape: "b, n",
        body: "for (i, t) in tiles((each(b), n)) { y.at(i, t).store(x.at(i, t, ..).load().sum(d) + i as f32 * 100.0); }",
        dims: &[2, 3, 2],
        x: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
        y: &[3.0, 7.0, 11.0, 115.0, 119.0, 123.0],
    },
    Form {
        what: "a product of runs transposes by name",
        x_shape: "n, d",
        y_shape: "d, n",
        body: "for (r, c) in tiles((n, d)).size((_, 8)) { y.at(c, r).store(x.at(r, c).load()); }",
        dims: &[2, 3],
        x: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        y: &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0],
    },
    Form {
        what: "a product of one axis",
        x_shape: "n, d",
        y_shape: "n",
        body: "for (r,) in tiles((n,)) { let mut s = full(r, 0.0); for (c,) in tiles((d,)) { s = s + x.at(r, c).load().sum(c); }
               y.at(r).store(s); }",
        dims: &[2, 3],
        x: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        y: &[6.0, 15.0],
    },
    Form {
        what: "single indices are divided, and a loop inside takes one after the other",
        x_shape: "n, d",
        y_shape: "n, d",
        body: "for r in each(n) { for i in each(d) { y.at(r, d - 1 - i).store(x.at(r, i).load() * 2.0); } }",
        dims: &[2, 3],
        x: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        y: &[6.0, 4.0, 2.0, 12.0, 10.0, 8.0],
    },
    Form {
        what: "an index is a number, a sum, or a variable with the value that it has there",
        x_shape: "n, d",
        y_shape: "n",
        body: "for r in tiles(n) { let mut k = 0; let first = x.at(r, k); k += 1; let j = 1i32;
               y.at(r).store(first.load() * 100.0 + x.at(r, k).load() * 10.0 + x.at(r, j as usize + 1).load()); }",
        dims: &[2, 3],
        x: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        y: &[123.0, 456.0],
    },
    Form {
        what: "a tile without axes is one number, and meets any tile",
        x_shape: "n, d",
        y_shape: "n, d",
        body: "for i in each(n) { let mut m = full((), 0.5); let v = x.at(i, ..).load(); m = m + v.amax(..) + v.sum(d);
               y.at(i, ..).store(m.expand(d)); for c in tiles(d) { y.at(i, c).store(x.at(i, c).load() - m * 2.0); } }",
        dims: &[2, 3],
        x: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        y: &[-18.0, -17.0, -16.0, -39.0, -38.0, -37.0],
    },
    Form {
        what: "several axes are reduced at once, and one number is stored where one index is meant",
        x_shape: "b, n, d",
        y_shape: "b",
        body: "for i in each(b) { let v = x.at(i, .., ..).load(); y.at(i).store(v.sum((n, d)) - v.amin(..)); }",
        dims: &[2, 1, 2],
        x: &[1.0, 2.0, 3.0, 4.0],
        y: &[2.0, 4.0],
    },
    Form {
        what: "a reduction over the runs of a loop inside",
        x_shape: "n, d",
        y_shape: "n",
        body: "for i in each(n) { let mut s = full((), 0.0); for c in tiles(d) { s = s + x.at(i, c).load().sum(c); } y.at(i).store(s); }",
        dims: &[2, 3],
        x: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        y: &[6.0, 15.0],
    },
    Form {
        what: "a new axis is one of its own, to be repeated along, cut and reduced",
        x_shape: "n, d",
        y_shape: "n, d",
        body: "let m = 2 * d; let k = new_axis(m - 4); let e = new_axis(3); for r in tiles(n) {
                   let mut s = full(r, 0.0); for t in tiles(k) { s = s + full((t, r), 1.0).sum(t); }
                   y.at(r, ..).store(x.at(r, ..).load().expand(e).sum(e) + s + k as f32 * 100.0); }",
        dims: &[2, 3],
        x: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        y: &[205.0, 208.0, 211.0, 214.0, 217.0, 220.0],
    },
    Form {
        what: "views split and join axes",
        x_shape: "n, d",
        y_shape: "m",
        body: "let (g, k, e) = (new_axis(2), new_axis(d / 2), new_axis(n * d)); let (v, w) = (x.view((n, g, k)), y.view((n, k, g)));
               for (r, t) in tiles((n, k)) { w.at(r, t, ..).store(v.at(r, .., t).load() + x.view(e).at(1).load()); }",
        dims: &[2, 4, 8],
        x: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
        y: &[3.0, 5.0, 4.0, 6.0, 7.0, 9.0, 8.0, 10.0],
    },
];

/// Runs a form on the tile interpreter.
fn interpreted(form: &Form, cut: Cut) -> Result<Vec<f32>, RunError> {
    let Form {
        x_shape,
        y_shape,
        body,
        ..
    } = form;
    let text = format!("#[kernel]\npub fn k(#[shape({x_shape})] x: &GlobalTensor<f32>, #[shape({y_shape})] y: &mut GlobalTensor<f32>) {{ {body} }}");
    let kernel = read(&text);
    verify_kernel(&kernel).unwrap_or_else(|fault| panic!("{}: {fault}", form.what));
    let mut y = vec![0.0f32; form.y.len()];
    let tensors = vec![
        ("x", JobBytes::Read(bytemuck::cast_slice(form.x))),
        ("y", JobBytes::Write(bytemuck::cast_slice_mut(&mut y))),
    ];
    let inputs = Inputs {
        chip: Chip::default_chip(),
        dims: form.dims,
        attrs: &[None, None],
        overflow: Default::default(),
        tensors,
    };
    Tile::new(cut, true).interpret(&kernel, 0, inputs)?;
    Ok(y)
}

#[test]
fn forms_that_need_not_lower_mean_what_is_written() {
    for form in FORMS {
        for cut in [Cut::Whole, Cut::Halves, Cut::Singles] {
            let y =
                interpreted(form, cut).unwrap_or_else(|e| panic!("{}, {cut:?}: {e}", form.what));
            assert_eq!(y, form.y, "{}, {cut:?}", form.what);
        }
    }
}
