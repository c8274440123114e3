//! Axes without indices. A loop over such axes alone has no iterations and leaves values unchanged.
//! Where a result depends on other axes as well, the host refuses the launch.

use super::A2;
use crate::agree::{arrays, checked, Arrays};
use jumar_dsl::ir::Role;
use jumar_runtime::Launch;

/// A kernel of `x[n, d]`, `y[n, d]` and `g`, described by its statements in each loop and after it.
struct Empty {
    what: &'static str,
    text: &'static str,
    /// The value of `g` where `d` has no indices and `n` three, or the message.
    without: Result<f32, &'static str>,
}

const MISSING: &str = "would lack what is not reduced along `d`";

const ALL: &[Empty] = &[
    Empty {
        what: "a sum along the axis",
        text: "let mut all = across_cores::<f32>((), 2.0); for t in tiles(n) { all += x.at(t, ..).load().sum((t, d)); } g.at().store(all);",
        without: Ok(2.0),
    },
    Empty {
        what: "a sum along the axis first, then along the tile",
        text: "let mut all = across_cores::<f32>((), 2.0); for t in tiles(n) { let s = x.at(t, ..).load().sum(d); all += s.sum(t); } g.at().store(all);",
        without: Ok(2.0),
    },
    Empty {
        what: "the largest element",
        text: "let mut all = across_cores::<f32>((), 2.0); for t in tiles(n) { all = all.max(x.at(t, ..).load().amax((t, d))); } g.at().store(all);",
        without: Ok(2.0),
    },
    Empty {
        what: "the largest element, on which other numbers are added",
        text: "let mut all = across_cores::<f32>((), 2.0); for t in tiles(n) { all += x.at(t, ..).load().amax(d).sum(t); } g.at().store(all);",
        without: Err(MISSING),
    },
    Empty {
        what: "the number of rows beside a store of rows",
        text: "let mut all = across_cores::<f32>((), 2.0); for t in tiles(n) { y.at(t, ..).store(x.at(t, ..).load()); all += full::<f32>(t, 1.0).sum(t); } g.at().store(all);",
        without: Err(MISSING),
    },
    Empty {
        what: "the number of rows, added to a sum along the axis",
        text: "let mut all = across_cores::<f32>((), 2.0); for t in tiles(n) { all += (x.at(t, ..).load().sum(d) + full::<f32>(t, 1.0)).sum(t); } g.at().store(all);",
        without: Err(MISSING),
    },
    Empty {
        what: "two merges, of which one is along the axis",
        text: "let mut all = across_cores::<f32>((), 2.0); for t in tiles(n) { all += x.at(t, ..).load().sum((t, d)); all += full::<f32>(t, 1.0).sum(t); } g.at().store(all);",
        without: Err(MISSING),
    },
    Empty {
        what: "what a loop inside adds up, from nothing",
        text: "let mut all = across_cores::<f32>((), 2.0); for t in tiles(n) { let mut s = full::<f32>(t, 0.0); for i in 0..2 { s = s + x.at(t, ..).load().sum(d); } all += s.sum(t); } g.at().store(all);",
        without: Ok(2.0),
    },
    Empty {
        what: "what a loop inside adds up, from one",
        text: "let mut all = across_cores::<f32>((), 2.0); for t in tiles(n) { let mut s = full::<f32>(t, 1.0); for i in 0..2 { s = s + x.at(t, ..).load().sum(d); } all += s.sum(t); } g.at().store(all);",
        without: Err(MISSING),
    },
    Empty {
        what: "a number, stored by one iteration",
        text: "for t in tiles(n) { y.at(t, ..).store(x.at(t, ..).load()); } g.at().store(full::<f32>((), 2.0));",
        without: Ok(2.0),
    },
    Empty {
        what: "a sum, added in GM",
        text: "for t in tiles(n) { y.at(t, ..).store(x.at(t, ..).load()); g.at().atomic_add(full::<f32>(t, 1.0).sum(t)); }",
        without: Err("`d` has no indices: nothing can be reduced along it"),
    },
];

#[test]
fn what_does_not_hang_from_an_axis_without_indices_is_not_lost() {
    for Empty {
        what,
        text,
        without,
    } in ALL
    {
        let (x, y) = match text.contains("y.at") {
            true => (
                "x: &GlobalTensor<f32>",
                "#[shape(n, d)] y: &mut GlobalTensor<f32>,",
            ),
            false => ("x: &GlobalTensor<f32>", ""),
        };
        let text = format!("#[kernel] pub fn k(#[shape(n, d)] {x}, {y} #[shape()] g: &mut GlobalTensor<f32>) {{ {text} }}");
        super::agree::agree(what, A2, &text, &[&[3, 5]]);
        super::agree::agree(what, A2, &text, &[&[0, 5]]);
        let (_, checked) = checked(what, A2, &text);
        let mut arrays: Arrays = arrays(&checked, 0, &[&[3, 0]], &[]);
        let mut launch = Launch::new(&checked);
        for (name, role, array) in &mut arrays {
            launch = match role {
                Role::In => launch.input(name, &*array),
                Role::InOut => launch.inout(name, array),
                Role::Out => launch.output(name, array),
            };
        }
        match (launch.run(), without) {
            (Ok(_), Ok(want)) => {
                let (.., g) = arrays.last().expect("an output");
                assert_eq!(g.to_f64().to_vec(), [f64::from(*want)], "{what}");
            }
            (Err(e), Err(said)) => assert!(e.to_string().contains(said), "{what}: {e}"),
            (Ok(_), Err(said)) => panic!("{what}: nothing was said of {said}"),
            (Err(e), Ok(_)) => panic!("{what}: {e}"),
        }
    }
}
