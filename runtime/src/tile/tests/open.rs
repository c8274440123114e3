//! Undecided questions are decided by the numbers at hand and marked. Near kernels without such
//! questions have no mark.

use super::{array, kernel};
use crate::tile::{AnyCut, Cut, Tile};
use crate::{Launch, Open};

/// Rows with inexact and exact sums, and two equal largest elements in the third one.
const X: [f32; 12] = [0.1, 0.2, 0.3, 0.7, 1.0, 2.0, 4.0, 1.0, 0.3, 0.3, 0.1, 0.2];

/// Returns the elements that a body stores to `y`, and its marked elements, equal for every cut of
/// the loops.
fn run(body: &str, x: &[f32]) -> (Vec<f64>, Vec<Open>) {
    let text = format!(
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {{\n{body}\n}}"
    );
    let kernel = kernel(&text);
    let run = |cut| {
        let (x, mut y) = (array(&[3, 4], x), array(&[3, 4], &[0.0; 12]));
        let tile = Tile::new(cut, true);
        let report = Launch::new(&kernel)
            .backend(&tile)
            .input("x", &x)
            .output("y", &mut y)
            .run();
        let report = report.unwrap_or_else(|e| panic!("{body}: {e}"));
        assert_eq!(report.open, tile.open());
        (y.to_f64(), report.open)
    };
    let whole = run(Cut::Whole);
    assert_eq!(whole, run(Cut::Singles), "{body}");
    whole
}

fn rows(of: &str) -> String {
    format!("for r in tiles(n) {{ let v = x.at(r, ..).load(); let q = v / v.sum(d); y.at(r, ..).store({of}); }}")
}

fn singles(of: &str) -> String {
    format!("for i in each(n) {{ let v = x.at(i, ..).load(); let s = v.sum(d).scalar(); {of} }}")
}

#[test]
fn a_comparison_is_that_of_the_numbers_and_is_marked_where_it_is_open() {
    let zeros = vec![0.0; 12];
    let ones = vec![1.0; 12];
    for (of, want, open) in [
        // The largest element of each row is not above itself. Its bound does not say so where the
        // sum is inexact; in the third row there are two.
        ("q.gt(q.amax(d)).select(1.0, 0.0)", &zeros, 3),
        ("q.le(q.amax(d)).select(1.0, 0.0)", &ones, 3),
        ("(!q.gt(q.amax(d))).select(1.0, 0.0)", &ones, 3),
        // A number is equal to itself in every order.
        ("q.ne(q).select(1.0, 0.0)", &zeros, 0),
        ("q.eq(q).select(1.0, 0.0)", &ones, 0),
        // The other operand decides.
        (
            "(q.gt(q.amax(d)) & v.gt(100.0)).select(1.0, 0.0)",
            &zeros,
            0,
        ),
        ("(q.gt(q.amax(d)) | v.gt(0.0)).select(1.0, 0.0)", &ones, 0),
        (
            "(q.gt(q.amax(d)) | v.gt(100.0)).select(1.0, 0.0)",
            &zeros,
            3,
        ),
        // The value is far from the limit.
        ("q.gt(2.0).select(1.0, 0.0)", &zeros, 0),
        // Both choices are equal, or as near as the bounds are.
        ("q.gt(q.amax(d)).select(1.0, 1.0)", &ones, 0),
        (
            "q.ge(q.amax(d)).select(q, q.amax(d)).gt(0.0).select(1.0, 0.0)",
            &ones,
            0,
        ),
    ] {
        let (found, marked) = run(&rows(of), &X);
        assert_eq!(&found, want, "{of}");
        assert_eq!(
            marked.iter().map(|open| open.elements).sum::<usize>(),
            open,
            "{of}: {marked:?}"
        );
        assert!(
            marked
                .iter()
                .all(|open| open.tensor == "y" && open.of == 12 && open.line == Some(2)),
            "{marked:?}"
        );
    }
}

#[test]
fn marks_go_with_what_hangs_from_them() {
    for (of, open) in [
        ("q.gt(q.amax(d)).select(1.0, 0.0).sum(d).expand(d) + v", 8),
        ("v.pick(d, q.argmax(d)).expand(d) + v", 4),
        ("v.pick(d, v.argmax(d)).expand(d) + v", 0),
        ("q.gt(q.amax(d)).any(d).select(v, -v)", 8),
        ("q.gt(-1.0).any(d).select(v, -v)", 0),
    ] {
        let (_, marked) = run(&rows(of), &X);
        assert_eq!(
            marked.iter().map(|open| open.elements).sum::<usize>(),
            open,
            "{of}: {marked:?}"
        );
    }
}

#[test]
fn branches_that_may_go_otherwise_mark_what_they_store_and_others_do_not() {
    // The sum of the last row is as near to 0 as its rounding.
    let x = [0.1, 0.2, 0.3, 0.7, 1.0, 2.0, 3.0, -6.0, 0.1, 0.2, -0.3, 0.0];
    for (of, open) in [
        (
            "if s > 0.5 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }",
            0,
        ),
        (
            "if s > 0.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }",
            4,
        ),
        (
            "y.at(i, ..).store(v); if s > 0.0 { y.at(i, ..).store(v * 2.0); }",
            12,
        ),
        // An inexact number is a number with a bound.
        ("y.at(i, ..).store(v * s);", 0),
        ("y.at(i, ..).store(full(d, s));", 0),
        (
            "y.at(i, ..).store((v - v + s).gt(5.0).select(1.0, 0.0));",
            0,
        ),
        ("y.at(i, ..).store((v - v).gt(s).select(1.0, 0.0));", 4),
    ] {
        let (_, marked) = run(&singles(of), &x);
        assert_eq!(
            marked.iter().map(|open| open.elements).sum::<usize>(),
            open,
            "{of}: {marked:?}"
        );
    }
}

#[test]
fn both_cuts_leave_out_what_is_marked() {
    let text = format!(
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {{\n{}\n}}",
        rows("q.gt(q.amax(d)).select(1.0, 0.0)")
    );
    let (kernel, any) = (kernel(&text), AnyCut::default());
    let (x, mut y) = (array(&[3, 4], &X), array(&[3, 4], &[0.0; 12]));
    let report = Launch::new(&kernel)
        .backend(&any)
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .expect("a run");
    let [open] = &report.open[..] else {
        panic!("{:?}", report.open)
    };
    assert_eq!(
        open.to_string(),
        "3 of 12 elements of `y` depend on what another order of a sum may decide otherwise, first in line 2"
    );
}

/// The first row has a sum as near to 1 as its rounding, the second one 8. The sum of the third
/// one is surely between 0.5 and 1.
const WHOLE: [f32; 12] = [0.1, 0.2, 0.3, 0.4, 1.0, 2.0, 4.0, 1.0, 0.3, 0.3, 0.1, 0.2];

#[test]
fn a_rounding_to_whole_numbers_is_open_where_its_interval_has_a_jump() {
    for (of, open) in [
        ("s.floor()", 4),
        ("s.ceil()", 4),
        ("s.trunc()", 4),
        ("s - s.floor()", 4),
        ("s.frac()", 4),
        ("s.fmod(1.0)", 4),
        ("s.remainder(1.0)", 4),
        ("s.cast_trunc::<i32>().cast::<f32>()", 4),
        ("s.cast_with::<i32>(RoundMode::Floor).cast::<f32>()", 4),
        ("(s - 1.0).floor()", 4),
        // These jump between integers.
        ("s.round()", 0),
        ("s.cast::<i32>().cast::<f32>()", 0),
        ("(s * 0.5).round()", 4),
        ("(s * 0.5).cast::<i32>().cast::<f32>()", 4),
        ("(s + 0.25).floor()", 0),
        ("((s + 0.25).floor() - s).gt(0.0).select(1.0, 0.0)", 4),
        // A decided result is exact.
        ("(s + 0.25).floor().eq(1.0).select(1.0, 0.0)", 0),
        // Floats of this size are integers.
        ("(s * 100000000.0).floor()", 0),
        (
            "(s * 100000000.0).cast_trunc::<i32>().gt(7).select(1.0, 0.0)",
            8,
        ),
    ] {
        let (_, marked) = run(
            &format!("for r in tiles(n) {{ let s = x.at(r, ..).load().sum(d); y.at(r, ..).store(({of}).expand(d)); }}"),
            &WHOLE,
        );
        assert_eq!(
            marked.iter().map(|open| open.elements).sum::<usize>(),
            open,
            "{of}: {marked:?}"
        );
    }
    // Sums in GM have errors as well.
    let added = "let w = workspace::<f32>(n);
        for i in each(n) { w.at(i).atomic_add(x.at(i, ..).load().sum(d)); }
        for i in each(n) { y.at(i, ..).store(w.at(i).load().floor().expand(d)); }";
    let (_, marked) = run(added, &WHOLE);
    assert_eq!(
        marked.iter().map(|open| open.elements).sum::<usize>(),
        4,
        "{marked:?}"
    );
}

#[test]
fn scalars_carry_their_bounds_through_arithmetic_and_are_compared_by_distance() {
    for (of, open) in [
        ("y.at(i, ..).store(v * (s * s + 1.0));", 0),
        ("y.at(i, ..).store(v / (s + 1.0));", 0),
        ("y.at(i, ..).store(v * s.max(0.0).sqrt());", 0),
        ("y.at(i, ..).store(full(d, -s));", 0),
        ("y.at(i, ..).store(full(d, (s - 1.0).max(20.0)).eq(20.0).select(1.0, 0.0));", 0),
        // An integer is undecided where the cast has a jump, and a quotient where it has a pole.
        ("y.at(i, ..).store(v * ((s + 0.25) as i32 as f32));", 0),
        ("y.at(i, ..).store(v * (s as i32 as f32));", 4),
        ("y.at(i, ..).store(v / (s - 1.0));", 4),
        ("y.at(i, ..).store(v / (1.0 / (s - 1.0)));", 4),
        ("if s == 0.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 0),
        ("if s != 1000.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 0),
        ("if s == 1.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 4),
        ("if s != 1.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 4),
        ("if s.max(0.0) > 100.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 0),
        ("if (s + 0.25) as i32 > 1000 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 0),
        ("if s.sqrt() > 100.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 0),
        ("if (s - 100.0).sqrt() > 100.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 0),
        ("if (s - 1.0).sqrt() > 100.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 4),
        ("if s == 1.0 && s > 100.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 0),
        ("if s == 1.0 || s > 100.0 { y.at(i, ..).store(v); } else { y.at(i, ..).store(v * 2.0); }", 4),
        ("for j in 0..(s + 0.25) as usize { y.at(i, ..).store(v); } y.at(i, ..).store(v);", 0),
    ] {
        let (_, marked) = run(&singles(of), &WHOLE);
        assert_eq!(marked.iter().map(|open| open.elements).sum::<usize>(), open, "{of}: {marked:?}");
    }
}

#[test]
fn results_that_are_continuous_or_certain_are_not_marked() {
    for (of, open) in [
        ("(v - v.mean(d)).abs()", 0),
        ("(v - v.mean(d)).abs().max(0.5)", 0),
        ("1.0 / (q - q.amax(d)).abs()", 3),
        ("(v.sum(d) * 0.0).eq(0.0).select(v, -v)", 0),
        ("v.sum(d).max(100.0).eq(100.0).select(v, -v)", 0),
        // The root or logarithm is nan in every order.
        ("(-v.sum(d)).sqrt().eq(0.0).select(v, -v)", 0),
        ("(-v.sum(d)).ln().eq(0.0).select(v, -v)", 0),
        ("(v.sum(d) - 1.3).sqrt().eq(5.0).select(v, -v)", 4),
        // Sorted elements move by their roundings, their places by more.
        ("q.sort(d)", 0),
        ("(-q).sort(d)", 0),
        ("q.pick(d, q.argmax(d)).expand(d)", 0),
        ("q.argsort(d).cast::<f32>()", 2),
        ("v.pick(d, q.argmax(d)).expand(d)", 4),
    ] {
        let (_, marked) = run(&rows(of), &X);
        assert_eq!(
            marked.iter().map(|open| open.elements).sum::<usize>(),
            open,
            "{of}: {marked:?}"
        );
    }
}
