//! `#[index(n)]` and `assume`: a broken promise stops every reader, and the message names promise
//! and place.

use jumar::dsl::diag::Code;
use jumar::held::Held;
use jumar::load::check_text;
use jumar::runtime::tile::Tile;
use jumar::runtime::{Backend, Launch};
use ndarray::{Array1, Array2};

const TEXT: &str = "use jumar::prelude::*;
#[kernel]
pub fn rows(#[shape(n)] #[index(m)] ids: &GlobalTensor<i64>, #[shape(m, d)] table: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t, ..).store(table.at(ids.at(t).load(), ..).load());
    }
}";

#[test]
fn an_index_that_breaks_its_promise_stops_every_reader() {
    let file = check_text("rows.rs", TEXT, None);
    let kernel = file
        .kernel("rows")
        .and_then(|k| k.checked.first())
        .expect("a kernel");
    let (tile, cpp) = (Tile::default(), Held::default());
    let readers: [Option<&dyn Backend>; 3] = [None, Some(&tile), Some(&cpp)];
    for bad in [-1, 5, i64::MAX, 1 << 32] {
        for reader in readers {
            let (ids, table, mut y) = (
                Array1::from_vec(vec![4, bad, 0]),
                Array2::<f32>::ones((5, 8)),
                Array2::<f32>::zeros((3, 8)),
            );
            let launch = Launch::new(kernel)
                .input("ids", &ids)
                .input("table", &table)
                .output("y", &mut y);
            let launch = match reader {
                Some(reader) => launch.backend(reader),
                None => launch,
            };
            let error = launch.run().expect_err("a broken promise");
            let said = error.to_string();
            assert!(matches!(error.code(), Code::J0801 | Code::J0808), "{said}");
            // A finding of emitted C++ names a line of that text.
            let place = if error.code() == Code::J0808 {
                "rows.cpp"
            } else {
                "5:27"
            };
            for part in ["`ids`", &bad.to_string(), "below 5", "rows", place] {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    }
}

#[test]
fn an_index_that_is_rounded_as_a_float_is_promised_no_more() {
    let text = "use jumar::prelude::*;
#[kernel]
pub fn rounded(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for i in each(n) {
        let id = ids.at(i).load();
        let of = x.at(id.scalar() as usize).load();
        y.at(i).store(of * id.cast::<f32>().cast::<f16>().cast::<f32>().scalar());
    }
}";
    let file = check_text("rounded.rs", text, None);
    let kernel = file
        .kernel("rounded")
        .and_then(|k| k.checked.first())
        .unwrap_or_else(|| panic!("{}", file.render(false)));
    let (tile, cpp) = (Tile::default(), Held::default());
    for reader in [None, Some(&tile as &dyn Backend), Some(&cpp)] {
        // 4095 is 4096 as an `f16`, which is no index. The promise covers the integer alone.
        let (ids, x, mut y) = (
            Array1::from_vec(vec![4095, 0, 2048]),
            Array1::<f32>::ones(4096),
            Array1::<f32>::zeros(3),
        );
        let launch = Launch::new(kernel)
            .input("ids", &ids)
            .input("x", &x)
            .output("y", &mut y);
        let launch = match reader {
            Some(reader) => launch.backend(reader),
            None => launch,
        };
        launch.run().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(y.to_vec(), [4096.0, 0.0, 2048.0]);
    }
}

const SEGMENTS: &str = "use jumar::prelude::*;
#[kernel]
pub fn sums(#[shape(c)] ends: &GlobalTensor<i32>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n = c - 1)] y: &mut GlobalTensor<f32>) {
    require(c >= 1);
    for i in each(n) {
        let (lo, hi) = (ends.at(i).load().scalar() as usize, ends.at(i + 1).load().scalar() as usize);
        assume(lo >= 0 && lo <= hi && hi <= m);
        let mut sum = full((), 0.0);
        for r in tiles(lo..hi) {
            sum = sum + x.at(r).load().sum(r);
        }
        y.at(i).store(sum);
    }
}";

#[test]
fn a_range_that_ends_before_it_begins_makes_no_turn_unless_that_was_promised_away() {
    let free = SEGMENTS.replace("lo <= hi && ", "");
    for (text, ends, holds) in [
        (SEGMENTS, vec![0, 2, 5], true),
        (SEGMENTS, vec![0, 3, 2], false),
        (SEGMENTS, vec![-1, 3, 5], false),
        (SEGMENTS, vec![0, 3, 6], false),
        (&free, vec![4, 3, 5], true),
        (&free, vec![5, 0, 0], true),
    ] {
        let file = check_text("sums.rs", text, None);
        let kernel = file
            .kernel("sums")
            .and_then(|k| k.checked.first())
            .unwrap_or_else(|| panic!("{}", file.render(false)));
        let (tile, cpp) = (Tile::default(), Held::default());
        let readers: [Option<&dyn Backend>; 3] = [None, Some(&tile), Some(&cpp)];
        for reader in readers {
            let (at, x, mut y) = (
                Array1::from_vec(ends.clone()),
                Array1::from_vec(vec![1.0f32, 2.0, 4.0, 8.0, 16.0]),
                Array1::<f32>::zeros(2),
            );
            let launch = Launch::new(kernel)
                .input("ends", &at)
                .input("x", &x)
                .output("y", &mut y);
            let launch = match reader {
                Some(reader) => launch.backend(reader),
                None => launch,
            };
            let run = launch.run();
            if holds {
                run.unwrap_or_else(|e| panic!("{ends:?}: {e}"));
                let sum = |i: usize| (ends[i]..ends[i + 1]).map(|at| x[at as usize]).sum::<f32>();
                assert_eq!(y.to_vec(), [sum(0), sum(1)], "{ends:?}");
                continue;
            }
            let error = run.expect_err("a broken assumption");
            assert!(matches!(error.code(), Code::J0813 | Code::J0808), "{error}");
            assert!(
                error
                    .to_string()
                    .contains("assume(lo >= 0 && lo <= hi && hi <= m)"),
                "{error}"
            );
        }
    }
}

const ASSUMES: &str = "use jumar::prelude::*;
#[kernel]
pub fn from(#[shape(n)] at: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for (i, t) in tiles((each(n), d)) {
        let j = at.at(i).load().scalar() as usize;
        assume(j >= 0 && j < m);
        y.at(i, t).store(x.at(j, t).load());
    }
}";

#[test]
fn an_assumption_that_does_not_hold_stops_every_reader() {
    let file = check_text("from.rs", ASSUMES, None);
    let kernel = file
        .kernel("from")
        .and_then(|k| k.checked.first())
        .expect("a kernel");
    let (tile, cpp) = (Tile::default(), Held::default());
    let readers: [Option<&dyn Backend>; 3] = [None, Some(&tile), Some(&cpp)];
    for (at, holds) in [(4, true), (-1, false), (5, false)] {
        for reader in readers {
            let x = Array2::from_shape_fn((5, 8), |(row, _)| row as f32);
            let (at, mut y) = (
                Array1::from_vec(vec![0, at, 3]),
                Array2::<f32>::zeros((3, 8)),
            );
            let launch = Launch::new(kernel)
                .input("at", &at)
                .input("x", &x)
                .output("y", &mut y);
            let launch = match reader {
                Some(reader) => launch.backend(reader),
                None => launch,
            };
            let run = launch.run();
            if holds {
                run.expect("what is assumed holds");
                assert_eq!(y.column(0).to_vec(), [0.0, 4.0, 3.0]);
                continue;
            }
            let error = run.expect_err("a broken assumption");
            let said = error.to_string();
            assert!(matches!(error.code(), Code::J0813 | Code::J0808), "{said}");
            let place = if error.code() == Code::J0808 {
                "from.cpp"
            } else {
                "6:9"
            };
            for part in ["assume(j >= 0 && j < m)", "from", place] {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    }
}
