//! Kernels as a program carries them: the static, its launch, its emission, and its check for
//! another chip.

use jumar::prelude::*;
use jumar::{Chip, Error, ProjectKind};
use ndarray::{arr1, arr2, Array1, Array2};

/// Scales a tensor: `y = alpha * x`
#[kernel]
pub fn scale<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(2.0)] alpha: f32) {
    for t in tiles(x) {
        y.at(t)
            .store((x.at(t).load().cast::<f32>() * alpha).cast::<T>());
    }
}

/// Kernels that share a constant and a helper.
#[kernels]
mod rows {
    use jumar::prelude::*;

    const HALF: f32 = 0.5;

    fn halved<T: Float>(x: Tile<T>) -> Tile<f32> {
        x.cast::<f32>() * HALF
    }

    /// Subtracts half the row's maximum.
    #[kernel]
    pub fn lower<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for r in tiles(n) {
            let v = halved(x.at(r, ..).load());
            y.at(r, ..)
                .store((x.at(r, ..).load().cast::<f32>() - v.amax(d)).cast::<T>());
        }
    }

    /// Adds in place, and divides by the number of columns.
    #[kernel]
    pub(crate) fn accumulate(
        #[shape(n.., d)] x: &GlobalTensor<f32>,
        #[inplace] sum: &mut GlobalTensor<f32>,
    ) {
        let inverse = 1.0 / d as f32;
        for r in tiles(n) {
            sum.at(r, ..)
                .store((sum.at(r, ..).load() + x.at(r, ..).load()) * inverse);
        }
    }
}

#[kernel]
#[chips(ascend310p)]
fn for_inference(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().abs());
    }
}

/// Every extent and stride of the queue level, as rustc reads it.
mod queue_level {
    use jumar::prelude::*;

    // The kernel adds in f16, and the checker warns of its rounding.
    #[allow(deprecated)]
    mod forms {
        use super::*;

        include!("../codegen/tests/kernels/strided.rs");
    }
    pub use forms::strided;
}

#[test]
fn masks_and_strides_are_words_that_rustc_knows() {
    let x = Array1::from_iter((0..4096).map(|v| (v % 64) as f32));
    let mut y = Array1::<f32>::zeros(4096);
    queue_level::strided
        .bind()
        .unwrap()
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .unwrap();
    // The kernel takes the maximum of the first five elements of the first two data blocks, and
    // writes it to every other block.
    assert_eq!((y[0], y[7], y[16], y[23]), (4.0, 4.0, 12.0, 12.0));
}

#[test]
fn a_kernel_runs_for_each_element_type() {
    let x = Array1::from_iter((0..100).map(|v| v as f32));
    let mut y = Array1::<f32>::zeros(100);
    let report = scale
        .bind()
        .unwrap()
        .input("x", &x)
        .output("y", &mut y)
        .attr("alpha", -1.5f32)
        .run()
        .unwrap();
    assert_eq!(y, x.mapv(|v| v * -1.5));
    assert!(report.blocks >= 1);

    let x = arr1(&[1.0f32, -3.0]).mapv(bf16::from_f32);
    let mut y = x.clone();
    scale
        .bind()
        .unwrap()
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .unwrap();
    assert_eq!(y, arr1(&[2.0f32, -6.0]).mapv(bf16::from_f32));
}

#[test]
fn kernels_of_a_module_share_its_constants_and_helpers() {
    let x = arr2(&[[1.0f32, 4.0, 2.0], [-2.0, -8.0, -4.0]]);
    let mut y = Array2::<f32>::zeros((2, 3));
    rows::lower
        .bind()
        .unwrap()
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .unwrap();
    assert_eq!(y, arr2(&[[-1.0, 2.0, 0.0], [-1.0, -7.0, -3.0]]));

    let mut sum = arr2(&[[2.0f32, 2.0, 1.0], [5.0, 8.0, 4.0]]);
    rows::accumulate
        .bind()
        .unwrap()
        .input("x", &x)
        .inout("sum", &mut sum)
        .run()
        .unwrap();
    assert_eq!(sum, arr2(&[[1.0, 2.0, 1.0], [1.0, 0.0, 0.0]]));
}

#[test]
fn a_kernel_tells_of_itself() {
    assert_eq!((scale.name(), rows::lower.name()), ("scale", "lower"));
    assert_eq!(
        scale.kernel().unwrap().sig.doc.trim(),
        "Scales a tensor: `y = alpha * x`"
    );
    assert_eq!(scale.chip().unwrap(), Chip::default_chip());
    assert_eq!(for_inference.chip().unwrap().name, "ascend310p");
    assert!(scale.ir().starts_with("jumar-ir-10"));
    assert_eq!(format!("{scale:?}"), "KernelDef { name: \"scale\", .. }");
}

#[test]
fn a_kernel_is_checked_again_for_each_chip() {
    let chip = Chip::default_chip();
    let first = scale.check(chip).unwrap();
    assert!(
        std::ptr::eq(first, scale.check(chip).unwrap()),
        "checked once a process"
    );
    let small = Chip::by_name("ascend310p").unwrap();
    let Err(Error::Rejected(rejection)) = scale.check(small) else {
        panic!("ascend310p has no bf16")
    };
    let text = rejection.to_string();
    assert!(
        text.starts_with("kernel `scale` is refused for ascend310p\n") && text.contains("J0501"),
        "{text}"
    );
    assert!(for_inference.check(small).is_ok());
}

#[test]
fn emission_is_the_same_every_time_and_holds_no_path() {
    for kind in [ProjectKind::Direct, ProjectKind::Asc, ProjectKind::Msopgen] {
        let files = |_| {
            let project = scale.emit(kind, Chip::default_chip()).unwrap();
            project
                .files
                .into_iter()
                .map(|f| (f.path, f.text))
                .collect::<Vec<_>>()
        };
        let (once, twice) = (files(()), files(()));
        assert_eq!(once, twice);
        assert!(!once.is_empty());
        for (path, text) in &once {
            assert!(!text.contains(env!("CARGO_MANIFEST_DIR")), "{path}");
        }
    }
}

/// Multiplies by an optional weight and adds an optional bias.
#[kernel]
fn weighted(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(n)] w: Option<&GlobalTensor<f32>>,
    #[shape(n)] b: Option<&GlobalTensor<f32>>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
) {
    for t in tiles(n) {
        let mut v = x.at(t).load() * w.or_full(2.0).at(t).load();
        if let Some(b) = b {
            v = v + b.at(t).load();
        }
        y.at(t).store(v);
    }
}

#[test]
fn a_launch_leaves_out_what_it_may() {
    let (x, w, b) = (
        arr1(&[1.0f32, 2.0, 3.0]),
        arr1(&[10.0f32, 10.0, 10.0]),
        arr1(&[0.5f32, 0.5, 0.5]),
    );
    let run = |with_w: bool, with_b: bool| {
        let mut y = Array1::<f32>::zeros(3);
        let mut launch = weighted
            .bind()
            .expect("a kernel")
            .input("x", &x)
            .output("y", &mut y);
        if with_w {
            launch = launch.input("w", &w);
        }
        if with_b {
            launch = launch.input("b", &b);
        }
        launch.run().expect("a run");
        y
    };
    assert_eq!(run(false, false), arr1(&[2.0, 4.0, 6.0]));
    assert_eq!(run(true, false), arr1(&[10.0, 20.0, 30.0]));
    assert_eq!(run(false, true), arr1(&[2.5, 4.5, 6.5]));
    assert_eq!(run(true, true), arr1(&[10.5, 20.5, 30.5]));
    // Shapes of optional inputs are checked, and the others must be given.
    let mut y = Array1::<f32>::zeros(3);
    let short = arr1(&[1.0f32, 2.0]);
    let refused = weighted
        .bind()
        .expect("a kernel")
        .input("x", &x)
        .input("w", &short)
        .output("y", &mut y)
        .run();
    assert!(refused
        .unwrap_err()
        .to_string()
        .contains("axis `n` is 3 in `x` and 2 in `w`"));
    let mut y = Array1::<f32>::zeros(3);
    let refused = weighted
        .bind()
        .expect("a kernel")
        .input("w", &w)
        .output("y", &mut y)
        .run();
    assert!(refused
        .unwrap_err()
        .to_string()
        .contains("tensor `x` of kernel `weighted` was not bound"));
    let mut y = Array1::<f32>::zeros(3);
    let whole = arr1(&[1, 2, 3]);
    let refused = weighted
        .bind()
        .expect("a kernel")
        .input("x", &x)
        .input("w", &whole)
        .output("y", &mut y)
        .run();
    assert!(refused.unwrap_err().to_string().contains("no instance"));
}

/// Doubles each element, and computes squares and their sum where a launch asks for them.
#[kernel]
fn doubled(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
    #[shape(n)] squares: Option<&mut GlobalTensor<f32>>,
    #[shape()] total: Option<&mut GlobalTensor<f32>>,
) {
    let mut sum = across_cores::<f32>((), 0.0);
    for t in tiles(n) {
        let v = x.at(t).load();
        y.at(t).store(v * 2.0);
        if let Some(squares) = squares {
            squares.at(t).store(v * v);
        }
        sum += (v * v).sum(t);
    }
    if let Some(total) = total {
        total.at().store(sum);
    }
}

#[test]
fn a_launch_asks_for_the_outputs_that_it_wants() {
    let x = arr1(&[1.0f32, 2.0, 3.0]);
    for (has_squares, has_total) in [(true, true), (true, false), (false, true), (false, false)] {
        let (mut y, mut squares, mut total) = (
            Array1::<f32>::zeros(3),
            Array1::<f32>::zeros(3),
            ndarray::arr0(0.0f32),
        );
        let mut launch = doubled
            .bind()
            .expect("a kernel")
            .input("x", &x)
            .output("y", &mut y);
        if has_squares {
            launch = launch.output("squares", &mut squares);
        }
        if has_total {
            launch = launch.output("total", &mut total);
        }
        launch.run().expect("a run");
        assert_eq!(y, arr1(&[2.0, 4.0, 6.0]));
        assert_eq!(
            squares,
            if has_squares {
                arr1(&[1.0, 4.0, 9.0])
            } else {
                Array1::zeros(3)
            }
        );
        assert_eq!(total.into_scalar(), if has_total { 14.0 } else { 0.0 });
    }
}

include!("../codegen/tests/kernels/crossed.rs");

#[test]
fn cores_wait_for_flags_that_all_of_them_set() {
    for n in [0, 1, 9, 1000, 60_001] {
        let (x, mut y) = (
            Array1::from_iter((0..n).map(|i| i as f32)),
            Array1::<f32>::zeros(n),
        );
        crossed
            .bind()
            .expect("a kernel")
            .input("x", &x)
            .output("y", &mut y)
            .pipes(true)
            .run()
            .expect("a run");
        // Each element of `x` counts once itself and once doubled, whichever core reads it.
        assert_eq!(
            y.iter().map(|y| f64::from(*y)).sum::<f64>(),
            3.0 * x.iter().map(|x| f64::from(*x)).sum::<f64>()
        );
    }
}

/// A kernel whose attributes are enums.
#[kernels]
mod bending {
    use jumar::prelude::*;

    #[derive(Clone, Copy, PartialEq)]
    pub enum Bend {
        Straight,
        HalfUp,
        Down,
    }

    #[kernel]
    pub fn bent(
        #[shape(n)] x: &GlobalTensor<f32>,
        #[shape(n)] y: &mut GlobalTensor<f32>,
        bend: Bend,
        #[default(Bend::Straight)] twice: Bend,
    ) {
        for t in tiles(n) {
            let v = x.at(t).load();
            let mut u = match bend {
                Bend::HalfUp => v + 0.5,
                Bend::Down => v - 1.0,
                Bend::Straight => v,
            };
            if twice != Bend::Straight {
                u = u * 2.0;
            }
            y.at(t).store(u);
        }
    }
}

/// Puts elements between others, by lists of numbers.
#[kernel]
fn padded(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(m = n + pads[0] + pads[1])] y: &mut GlobalTensor<f32>,
    pads: [usize; 2],
    #[default([1.0, 0.5])] factors: [f32; 2],
) {
    let [low, _] = pads;
    for t in tiles(m) {
        y.at(t)
            .store(x.at(t - low).load_or(-1.0) * factors[0] + factors[1]);
    }
}

#[test]
fn a_launch_says_a_list_of_numbers() {
    let x = arr1(&[1.0f32, 2.0]);
    let mut y = Array1::<f32>::zeros(5);
    padded
        .bind()
        .expect("a kernel")
        .input("x", &x)
        .output("y", &mut y)
        .attrs("pads", [1usize, 2])
        .run()
        .expect("a run");
    assert_eq!(y, arr1(&[-0.5, 1.5, 2.5, -0.5, -0.5]));
    let launch = padded
        .bind()
        .expect("a kernel")
        .input("x", &x)
        .output("y", &mut y);
    launch
        .attrs("pads", [3usize, 0])
        .attrs("factors", [2.0f32, 0.0])
        .run()
        .expect("a run");
    assert_eq!(y, arr1(&[-2.0, -2.0, -2.0, 2.0, 4.0]));
    let mut refused = |name: &str, values: &[i64]| {
        let launch = padded
            .bind()
            .expect("a kernel")
            .input("x", &x)
            .output("y", &mut y);
        launch
            .attrs(name, values.iter().copied())
            .run()
            .unwrap_err()
            .to_string()
    };
    assert!(refused("pads", &[1]).contains("attribute `pads` is a list of 2, and 1 were given"));
    assert!(
        refused("pads", &[1, -1]).contains("attribute `pads_1` is `usize`; the value given is not")
    );
    assert!(refused("pad", &[1, 1]).contains("kernel `padded` has no list of numbers `pad`"));
    assert!(refused("factors", &[1, 1])
        .contains("attribute `pads_0` has no default and no value was given"));
}

#[test]
fn a_launch_says_a_variant() {
    use bending::{bent, Bend};
    let x = arr1(&[1.0f32, 2.0, 3.0]);
    let mut y = Array1::<f32>::zeros(3);
    for (bend, want) in [
        (Bend::Straight, [1.0, 2.0, 3.0]),
        (Bend::HalfUp, [1.5, 2.5, 3.5]),
        (Bend::Down, [0.0, 1.0, 2.0]),
    ] {
        bent.bind()
            .expect("a kernel")
            .input("x", &x)
            .output("y", &mut y)
            .attr("bend", bend)
            .run()
            .expect("a run");
        assert_eq!(y, arr1(&want));
    }
    bent.bind()
        .expect("a kernel")
        .input("x", &x)
        .output("y", &mut y)
        .attr("bend", Bend::Down)
        .attr("twice", Bend::HalfUp)
        .run()
        .expect("a run");
    assert_eq!(y, arr1(&[0.0, 2.0, 4.0]));
    let mut refused = |number: i64| {
        let launch = bent
            .bind()
            .expect("a kernel")
            .input("x", &x)
            .output("y", &mut y)
            .attr("bend", number);
        launch.run().unwrap_err().to_string()
    };
    assert!(refused(3)
        .contains("attribute `bend` is 3; its choices are 0 (straight), 1 (half_up), 2 (down)"));
    assert!(refused(-1).contains("attribute `bend` is -1"));
}
