//! The meaning of each construct, on kernels small enough to compute by hand, however their loops are cut.

use super::{Cut, Tile};
use crate::{Array, Launch, RunError};
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::diag::Code;
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;
use ndarray::{ArrayD, IxDyn};

fn kernel(text: &str) -> CheckedKernel {
    let parsed = parse_file(text).unwrap_or_else(|(d, _)| panic!("{}", d.message)).remove(0);
    let messages: Vec<_> = parsed.diagnostics.iter().map(|d| d.message.clone()).collect();
    let kernel = parsed.kernel.unwrap_or_else(|| panic!("{messages:?}"));
    check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}: {}", d[0].code, d[0].message))
}

fn array(shape: &[usize], values: &[f32]) -> Array {
    ArrayD::from_shape_vec(IxDyn(shape), values.to_vec()).expect("a value for each element").into()
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

/// `x: [n, d]`; each body says what `y` is.
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
        let text = format!("#[kernel]\npub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, {}) {{ {} }}", row.params, row.body);
        let kernel = kernel(&text);
        for cut in [Cut::Whole, Cut::Halves, Cut::Singles] {
            let (x, mut y) = (array(row.shape, row.x), array(row.out, &vec![0.0; row.y.len()]));
            let w = array(&row.shape[1..], &vec![1.0; row.shape[1]]);
            let tile = Tile::new(cut, true);
            let mut launch = Launch::new(&kernel).backend(&tile).input("x", &x);
            if row.params.contains("w:") {
                launch = launch.input("w", &w);
            }
            launch = if row.params.contains("inplace") { launch.inout("y", &mut y) } else { launch.output("y", &mut y) };
            launch.run().unwrap_or_else(|e| panic!("{}, {cut:?}: {e}", row.what));
            let want: Vec<f64> = row.y.iter().map(|v| f64::from(*v)).collect();
            assert_eq!(y.to_f64(), want, "{}, {cut:?}", row.what);
            assert!(tile.errors().iter().all(|(_, e)| e.iter().all(|e| *e == 0.0)), "{}, {cut:?}", row.what);
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
    Launch::new(&kernel).backend(&tile).input("x", &x).output("y", &mut y).run().expect("a run");
    let errors = tile.errors();
    let (name, errors) = &errors[0];
    assert_eq!(name, "y");
    assert!(errors[0] > 1e-8 && errors[0] < 1e-6, "{errors:?}");
    assert_eq!(errors[1], 0.0);
}

#[test]
fn queue_level_kernels_are_refused() {
    let kernel = kernel(include_str!("../../../examples/add_queue.rs"));
    let (x, mut z) = (array(&[8], &[0.0; 8]), array(&[8], &[0.0; 8]));
    let tile = Tile::default();
    let error = Launch::new(&kernel).backend(&tile).input("x", &x).input("y", &x).output("z", &mut z).run().unwrap_err();
    assert!(matches!(&error, RunError::Refused { code: Code::J0605, message } if message.contains("queue level")), "{error}");
}
