//! Tests `v.dump("name")`: interpreter and simulator dump equal numbers, and the dump does not
//! change the kernel's results.

use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::text::to_text;
use jumar_dsl::ir::{Kernel, Lowered};
use jumar_dsl::soc::Chip;
use jumar_runtime::tile::{Cut, Tile};
use jumar_runtime::{Dump, Element, Launch, Shown};
use ndarray::{Array, Array2};

const ROWS: &str = r#"#[kernel] #[instances(f16, f32)]
pub fn scaled<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let own = x.at(r, ..).load();
        own.dump("own");
        let v = own.wide();
        v.amax(d).dump("top of \"v\", 100 %");
        y.at(r, ..).store((v * 2.0).cast::<T>());
    }
    full((), 7.5).dump("once");
}"#;

fn checked(text: &str, chip: &str) -> CheckedKernel {
    let parsed = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let kernel = parsed
        .kernel
        .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    assert_eq!(Kernel::parse(&to_text(&kernel)).as_ref(), Ok(&kernel));
    let checked = check(&kernel, Chip::by_name(chip).expect("a chip"))
        .unwrap_or_else(|d| panic!("{}", d[0].message));
    for lowered in checked.instances() {
        assert_eq!(Lowered::parse(&to_text(lowered)).as_ref(), Ok(lowered));
    }
    checked
}

/// Removes the dumps from a text.
fn silent(text: &str) -> String {
    text.lines()
        .filter(|line| !line.contains(".dump("))
        .collect::<Vec<_>>()
        .join("\n")
}

fn run(kernel: &CheckedKernel, x: &Array2<f32>, by: Option<&Tile>) -> (Array2<f32>, Shown) {
    let mut y = Array2::zeros(x.dim());
    let launch = Launch::new(kernel)
        .pipes(true)
        .input("x", x)
        .output("y", &mut y);
    let report = match by {
        Some(tile) => launch.backend(tile).run(),
        None => launch.run(),
    };
    (y, report.unwrap_or_else(|e| panic!("{e}")).shown)
}

/// Returns all dumped elements under a title, iteration after iteration.
fn all(shown: &Shown, title: &str) -> Vec<Element> {
    shown
        .dumps
        .iter()
        .filter(|dump| dump.title == title)
        .flat_map(|dump| dump.elements.clone())
        .collect()
}

#[test]
fn interpreter_and_simulator_show_the_same_numbers_and_results_are_as_without() {
    for chip in ["ascend910b1", "ascend310p"] {
        let kernel = checked(ROWS, chip);
        let silent = checked(&silent(ROWS), chip);
        for (n, d) in [(3, 72), (1, 8), (20, 40)] {
            let x = Array::from_shape_fn((n, d), |(i, j)| (i * 1000 + j) as f32 / 8.0);
            let (y, simulated) = run(&kernel, &x, None);
            assert_eq!(
                (&y, Shown::default()),
                (&run(&silent, &x, None).0, run(&silent, &x, None).1)
            );
            let own: Vec<Element> = x.iter().map(|v| Element::Float(*v)).collect();
            let top: Vec<Element> = (0..n).map(|i| Element::Float(x[(i, d - 1)])).collect();
            for cut in [Cut::Whole, Cut::Halves, Cut::Singles] {
                let (z, shown) = run(&kernel, &x, Some(&Tile::new(cut, false)));
                assert_eq!(z, y);
                for (title, due) in [
                    ("own [r, d]", &own),
                    ("top of \"v\", 100 % [r]", &top),
                    ("once []", &vec![Element::Float(7.5)]),
                ] {
                    assert_eq!(
                        (&all(&shown, title), &all(&simulated, title)),
                        (due, due),
                        "{chip} {n} {d} {title}"
                    );
                }
            }
            let own: Vec<&Dump> = simulated
                .dumps
                .iter()
                .filter(|dump| dump.title == "own [r, d]")
                .collect();
            assert!(
                own.iter()
                    .all(|dump| (dump.cols, dump.line, dump.len) == (d, 5, dump.elements.len())),
                "{own:?}"
            );
            assert!(
                own.windows(2).all(|two| two[0].block <= two[1].block) && own[0].block == Some(0)
            );
        }
    }
}

#[test]
fn rows_that_are_no_whole_data_blocks_are_shown_without_what_lies_behind_them() {
    let kernel = checked(ROWS, "ascend910b1");
    let x = Array::from_shape_fn((5, 3), |(i, j)| (i * 10 + j) as f32);
    let (_, shown) = run(&kernel, &x, None);
    let own: Vec<Element> = x.iter().map(|v| Element::Float(*v)).collect();
    assert_eq!(all(&shown, "own [r, d]"), own);
    let text = shown.to_string();
    assert!(
        text.starts_with("own [r, d], line 5, block 0: ")
            && text.contains("  0 1 2\n")
            && text.contains("once [], line 10"),
        "{text}"
    );
}

#[test]
fn what_is_kept_is_bounded() {
    let kernel = checked(ROWS, "ascend910b1");
    let x = Array2::<f32>::zeros((3, 5000));
    let (_, shown) = run(&kernel, &x, Some(&Tile::new(Cut::Whole, false)));
    let own = &shown.dumps[0];
    assert_eq!((own.len, own.cols), (15000, 5000));
    assert!(own.elements.len() < 2000 && own.to_string().len() < 2000);
    let (_, many) = run(
        &kernel,
        &Array2::zeros((500, 1)),
        Some(&Tile::new(Cut::Singles, false)),
    );
    assert!(many.dumps.len() < 100 && many.dumps.len() + many.left_out == 1001);
}

#[test]
fn the_interpreter_keeps_what_was_shown_before_it_stopped() {
    let kernel = checked(
        r#"#[kernel]
pub fn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
    for i in each(n) {
        let v = at.at(i).load();
        v.dump("v");
        assume(v.scalar() < 3);
        y.at(i).store(v);
    }
}"#,
        "ascend910b1",
    );
    let (at, mut y, tile) = (
        Array::from_vec(vec![1, 5, 2]),
        Array::from_vec(vec![0; 3]),
        Tile::default(),
    );
    assert!(Launch::new(&kernel)
        .backend(&tile)
        .input("at", &at)
        .output("y", &mut y)
        .run()
        .is_err());
    assert_eq!(
        all(&tile.shown(), "v []"),
        [Element::Whole(1), Element::Whole(5)]
    );
}
