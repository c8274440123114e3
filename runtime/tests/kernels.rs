//! Whole kernels from text to values: compares front end, checker, lowering and simulator with
//! references in f64.
//!
//! The kernels of `examples/` run on hostile shapes in every element type. Small kernels in this
//! file test one lowering rule each (grouped loads, broadcast in compare and select, in-place
//! streaming, given sizes, chips without pad).

use half::{bf16, f16};
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::text::to_text;
use jumar_dsl::soc::Chip;
use jumar_runtime::{AsInput, AsOutput, Launch};
use ndarray::{ArrayD, IxDyn};

trait Sample: Copy {
    fn of(v: f32) -> Self;
    fn wide(self) -> f64;
    /// Half a unit in the last place, relative.
    const EPS: f64;
}
macro_rules! samples {
    ($($t:ty: $eps:expr, |$v:ident| $of:expr, |$w:ident| $wide:expr);* $(;)?) => {$(
        impl Sample for $t {
            fn of($v: f32) -> Self { $of }
            fn wide(self) -> f64 { let $w = self; $wide }
            const EPS: f64 = $eps;
        }
    )*};
}
samples! {
    f32: 6.0e-8, |v| v, |w| f64::from(w);
    f16: 4.9e-4, |v| f16::from_f32(v), |w| w.to_f64();
    bf16: 3.9e-3, |v| bf16::from_f32(v), |w| w.to_f64();
    i32: 0.0, |v| v as i32, |w| f64::from(w);
}

fn random<T: Sample>(shape: &[usize], seed: u64) -> ArrayD<T> {
    let mut s = seed;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        s = s
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        T::of(((s >> 40) as f32 / (1u64 << 24) as f32) * 8.0 - 4.0)
    })
}

fn wide<T: Sample>(a: &ArrayD<T>) -> Vec<f64> {
    a.iter().map(|v| v.wide()).collect()
}

/// Checks the first kernel of a text for a chip. Its IR and lowered form must survive their text
/// forms.
fn kernel(text: &str, chip: &str) -> CheckedKernel {
    let chip = Chip::by_name(chip).expect("a chip");
    let parsed = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let messages: Vec<_> = parsed
        .diagnostics
        .iter()
        .map(|d| format!("{}: {}", d.code, d.message))
        .collect();
    let kernel = parsed.kernel.unwrap_or_else(|| panic!("{messages:?}"));
    assert_eq!(
        jumar_dsl::ir::Kernel::parse(&to_text(&kernel)).as_ref(),
        Ok(&kernel)
    );
    let checked =
        check(&kernel, chip).unwrap_or_else(|d| panic!("{}: {}", d[0].code, d[0].message));
    for lowered in checked.instances() {
        assert_eq!(
            jumar_dsl::ir::Lowered::parse(&to_text(lowered)).as_ref(),
            Ok(lowered)
        );
    }
    checked
}

/// Compares with an error of `steps` roundings of the type, relative to the larger of the value and
/// `scale`.
fn close<T: Sample>(what: &str, got: &ArrayD<T>, want: &[f64], steps: f64, scale: f64) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        let error = (g.wide() - w).abs();
        let allowed = T::EPS * steps * w.abs().max(scale);
        assert!(
            error <= allowed,
            "{what} {:?}, element {i}: got {}, want {w}, off by {error}",
            got.shape(),
            g.wide()
        );
    }
}

const LENGTHS: &[usize] = &[0, 1, 7, 31, 1024, 100_003];
const ROWS: &[(usize, usize)] = &[
    (0, 8),
    (1, 1),
    (3, 1),
    (5, 17),
    (200, 64),
    (1, 65_537),
    (2, 100_003),
    (4099, 3),
    (3, 0),
    (49, 128),
];

fn rows(x: &[f64], d: usize, f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    if d == 0 {
        return Vec::new();
    }
    x.chunks(d).flat_map(f).collect()
}

fn softmax_of(row: &[f64]) -> Vec<f64> {
    let max = row.iter().copied().fold(f64::MIN, f64::max);
    let e: Vec<f64> = row.iter().map(|v| (v - max).exp()).collect();
    let sum: f64 = e.iter().sum();
    e.iter().map(|v| v / sum).collect()
}

fn flat_kernels<T: Sample>()
where
    ArrayD<T>: AsInput + AsOutput,
{
    let add = kernel(include_str!("../../examples/01_add.rs"), "ascend910b1");
    let swish = kernel(include_str!("../../examples/03_swish.rs"), "ascend910b3");
    let axpy = kernel(
        include_str!("../../examples/02_scale_add.rs"),
        "ascend910_93",
    );
    for n in LENGTHS {
        let (x, y) = (random::<T>(&[*n], 1), random::<T>(&[*n], 2));
        let mut z = random::<T>(&[*n], 3);
        let (xs, ys) = (wide(&x), wide(&y));
        Launch::new(&add)
            .input("x", &x)
            .input("y", &y)
            .output("z", &mut z)
            .run()
            .expect("a run");
        let want: Vec<f64> = xs.iter().zip(&ys).map(|(a, b)| a + b).collect();
        close("add", &z, &want, 2.0, 0.0);
        Launch::new(&swish)
            .input("x", &x)
            .output("y", &mut z)
            .attr("scale", 1.25f32)
            .run()
            .expect("a run");
        let want: Vec<f64> = xs.iter().map(|v| v / (1.0 + (-1.25 * v).exp())).collect();
        close("swish", &z, &want, 16.0, 0.0);
        Launch::new(&axpy)
            .input("x", &x)
            .input("y", &y)
            .output("z", &mut z)
            .attr("alpha", -1.5f32)
            .run()
            .expect("a run");
        let want: Vec<f64> = xs.iter().zip(&ys).map(|(a, b)| -1.5 * a + b).collect();
        close("scale_add", &z, &want, 4.0, 4.0);
    }
}

fn row_kernels<T: Sample>()
where
    ArrayD<T>: AsInput + AsOutput,
{
    let softmax = kernel(include_str!("../../examples/04_softmax.rs"), "ascend910b1");
    let online = kernel(
        include_str!("../../examples/12_softmax_online.rs"),
        "ascend910b4",
    );
    let rms = kernel(include_str!("../../examples/05_rms_norm.rs"), "ascend910b2");
    let layer = kernel(
        include_str!("../../examples/06_layer_norm.rs"),
        "ascend910b1",
    );
    for &(n, d) in ROWS {
        let x = random::<T>(&[n, d], 5);
        let (g, b) = (random::<T>(&[d], 6), random::<T>(&[d], 7));
        let (xs, gs, bs) = (wide(&x), wide(&g), wide(&b));
        let mut z = random::<T>(&[n, d], 8);
        let want = rows(&xs, d, softmax_of);
        for (name, k) in [("softmax", &softmax), ("softmax_online", &online)] {
            Launch::new(k)
                .input("x", &x)
                .output("y", &mut z)
                .run()
                .expect("a run");
            close(name, &z, &want, 64.0, 1e-4);
        }
        Launch::new(&rms)
            .input("x", &x)
            .input("gamma", &g)
            .output("y", &mut z)
            .attr("eps", 1e-6f32)
            .run()
            .expect("a run");
        let want = rows(&xs, d, |r| {
            let k = 1.0 / (r.iter().map(|v| v * v).sum::<f64>() / d as f64 + 1e-6).sqrt();
            r.iter().zip(&gs).map(|(v, g)| v * k * g).collect()
        });
        close("rms_norm", &z, &want, 64.0, 1e-3);
        let launch = Launch::new(&layer)
            .input("x", &x)
            .input("gamma", &g)
            .input("beta", &b);
        launch
            .output("y", &mut z)
            .attr("eps", 1e-5f32)
            .run()
            .expect("a run");
        let want = rows(&xs, d, |r| {
            let mean = r.iter().sum::<f64>() / d as f64;
            let var = r.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / d as f64;
            r.iter()
                .zip(gs.iter().zip(&bs))
                .map(|(v, (g, b))| (v - mean) / (var + 1e-5).sqrt() * g + b)
                .collect()
        });
        // The mean cancels and the bias may cancel the rest: the error is that of terms of size 4
        // to 16.
        close("layer_norm", &z, &want, 128.0, 4.0);
    }
}

#[test]
fn flat_examples_agree_with_f64_in_f32() {
    flat_kernels::<f32>();
}
#[test]
fn flat_examples_agree_with_f64_in_f16() {
    flat_kernels::<f16>();
}
#[test]
fn flat_examples_agree_with_f64_in_bf16() {
    flat_kernels::<bf16>();
}
#[test]
fn row_examples_agree_with_f64_in_f32() {
    row_kernels::<f32>();
}
#[test]
fn row_examples_agree_with_f64_in_f16() {
    row_kernels::<f16>();
}
#[test]
fn row_examples_agree_with_f64_in_bf16() {
    row_kernels::<bf16>();
}

#[test]
fn five_inputs_share_one_queue_block() {
    let k = kernel(
        "#[kernel] pub fn five(a: &GlobalTensor<f32>, b: &GlobalTensor<f32>, c: &GlobalTensor<f32>, d: &GlobalTensor<f32>, \
         e: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for t in tiles(a) {
                let s = a.at(t).load() + b.at(t).load() * c.at(t).load();
                y.at(t).store((s - d.at(t).load()).max(e.at(t).load()));
            }
        }",
        "ascend910b1",
    );
    let body = &k.instances()[0].variants[0].body;
    assert_eq!(
        body.queues
            .iter()
            .filter(|q| q.name.starts_with("in"))
            .count(),
        1
    );
    for n in LENGTHS {
        let inputs: Vec<ArrayD<f32>> = (0..5).map(|i| random(&[*n], 10 + i)).collect();
        let mut y = random::<f32>(&[*n], 3);
        let mut launch = Launch::new(&k);
        for (name, x) in ["a", "b", "c", "d", "e"].into_iter().zip(&inputs) {
            launch = launch.input(name, x);
        }
        launch.output("y", &mut y).run().expect("a run");
        let v: Vec<Vec<f64>> = inputs.iter().map(wide).collect();
        let want: Vec<f64> = (0..*n)
            .map(|i| (v[0][i] + v[1][i] * v[2][i] - v[3][i]).max(v[4][i]))
            .collect();
        close("five", &y, &want, 4.0, 20.0);
    }
}

#[test]
fn compare_and_select_broadcast_rows_and_columns() {
    let k = kernel(
        "#[kernel] pub fn pick(#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                let m = v.gt(w.at(..).load());
                let low = v.amin(d);
                let chosen = m.select(v, 1.0 - v);
                y.at(r, ..).store(v.ge(low).select(chosen, 0.0) / 4.0);
            }
        }",
        "ascend910b1",
    );
    for &(n, d) in ROWS {
        let (x, w) = (random::<f32>(&[n, d], 1), random::<f32>(&[d], 2));
        let mut y = random::<f32>(&[n, d], 3);
        Launch::new(&k)
            .input("x", &x)
            .input("w", &w)
            .output("y", &mut y)
            .run()
            .expect("a run");
        let ws = wide(&w);
        let want = rows(&wide(&x), d, |r| {
            r.iter()
                .zip(&ws)
                .map(|(v, w)| if v > w { v / 4.0 } else { (1.0 - v) / 4.0 })
                .collect()
        });
        close("pick", &y, &want, 4.0, 1.0);
    }
}

#[test]
fn in_place_rows_stream_without_reading_what_they_wrote() {
    let k = kernel(
        "#[kernel] pub fn center(#[shape(n.., d)] #[inplace] x: &mut GlobalTensor<f32>, #[shape(n..)] mean: &mut GlobalTensor<f32>) {
            let inv = 1.0 / d as f32;
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                let m = v.sum(d) * inv;
                mean.at(r).store(m);
                x.at(r, ..).store(v - m);
            }
        }",
        "ascend910b1",
    );
    for (n, d) in [(1, 1), (5, 17), (2, 100_003), (4099, 3)] {
        let mut x = random::<f32>(&[n, d], 1);
        let before = wide(&x);
        let mut mean = random::<f32>(&[n], 2);
        Launch::new(&k)
            .inout("x", &mut x)
            .output("mean", &mut mean)
            .run()
            .expect("a run");
        let means: Vec<f64> = before
            .chunks(d)
            .map(|r| r.iter().sum::<f64>() / d as f64)
            .collect();
        close("mean", &mean, &means, 64.0, 4.0);
        let want = rows(&before, d, |r| {
            let m = r.iter().sum::<f64>() / d as f64;
            r.iter().map(|v| v - m).collect()
        });
        close("center", &x, &want, 64.0, 4.0);
    }
}

#[test]
fn given_sizes_mutable_tiles_and_branches_do_what_they_say() {
    let k = kernel(
        "#[kernel] pub fn steps(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[default(true)] twice: bool, times: usize) {
            for t in tiles(x).size(256).buffer_num(1).block_dim(3) {
                let mut v = x.at(t).load();
                if twice {
                    v = v + v;
                }
                for i in 0..times {
                    v = v * 0.5 + (i as f32);
                }
                y.at(t).store(v.neg().abs());
            }
        }",
        "ascend910b1",
    );
    for n in [0usize, 1, 1000, 5003] {
        for (twice, times) in [(true, 0usize), (false, 3), (true, 2)] {
            let x = random::<f32>(&[n], 1);
            let mut y = random::<f32>(&[n], 2);
            let report = Launch::new(&k)
                .input("x", &x)
                .output("y", &mut y)
                .attr("twice", twice)
                .attr("times", times)
                .run()
                .expect("a run");
            assert!(report.blocks <= 3);
            let want: Vec<f64> = wide(&x)
                .iter()
                .map(|v| {
                    (0..times)
                        .fold(if twice { v + v } else { *v }, |v, i| v * 0.5 + i as f64)
                        .abs()
                })
                .collect();
            close("steps", &y, &want, 8.0, 1.0);
        }
    }
}

/// An iteration of a column loop reads the column as the iteration before left it.
#[test]
fn a_column_goes_from_turn_to_turn_of_a_column_loop() {
    let text = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            let mut m = full(r, 1.0);
            for c in tiles(d).size(16) { z.at(r, c).store(x.at(r, c).load() + m); }
            for c in tiles(d).size(16) { if d > 0 { m = m.max(x.at(r, c).load().amax(c) * 2.0); } }
            for c in tiles(d).size(16) { y.at(r, c).store(x.at(r, c).load() + m); }
        } }";
    let checked = kernel(text, "ascend910b1");
    let x = random::<f32>(&[3, 40], 7);
    let [mut y, mut z] = [(); 2].map(|()| ArrayD::<f32>::zeros(IxDyn(&[3, 40])));
    Launch::new(&checked)
        .input("x", &x)
        .output("y", &mut y)
        .output("z", &mut z)
        .run()
        .unwrap();
    let largest: Vec<f32> = (0..3)
        .map(|row| (0..40).fold(1.0, |m: f32, column| m.max(x[[row, column]] * 2.0)))
        .collect();
    let added =
        |m: &dyn Fn(usize) -> f32| ArrayD::from_shape_fn(x.raw_dim(), |at| x[&at] + m(at[0]));
    assert_eq!(z, added(&|_| 1.0));
    assert_eq!(y, added(&|row| largest[row]));
}

#[test]
fn integers_wrap_and_compare() {
    let k = kernel(
        "#[kernel] pub fn ints(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>, k: i32) {
            for t in tiles(x) {
                let v = x.at(t).load();
                y.at(t).store((v * k - 3).max(-v).relu());
            }
        }",
        "ascend910b1",
    );
    let x = ArrayD::from_shape_fn(IxDyn(&[1003]), |i| {
        (i[0] as i32 - 500).wrapping_mul(7_000_000)
    });
    let mut y = ArrayD::<i32>::zeros(IxDyn(&[1003]));
    Launch::new(&k)
        .input("x", &x)
        .output("y", &mut y)
        .attr("k", 5i32)
        .run()
        .expect("a run");
    for (x, y) in x.iter().zip(&y) {
        let want = x
            .wrapping_mul(5)
            .wrapping_sub(3)
            .max(x.wrapping_neg())
            .max(0);
        assert_eq!(*y, want);
    }
}

#[test]
fn a_chip_without_data_copy_pad_takes_whole_data_blocks_only() {
    let text = include_str!("../../examples/04_softmax.rs").replacen(
        "#[kernel]",
        "#[kernel] #[instances(f16, f32)]",
        1,
    );
    let k = kernel(&text, "ascend310p");
    for (n, d) in [(1, 16), (5, 64), (3, 131_072)] {
        let x = random::<f32>(&[n, d], 5);
        let mut y = random::<f32>(&[n, d], 6);
        Launch::new(&k)
            .input("x", &x)
            .output("y", &mut y)
            .run()
            .expect("a run");
        close("softmax", &y, &rows(&wide(&x), d, softmax_of), 64.0, 1e-4);
    }
    let x = random::<f32>(&[2, 17], 5);
    let mut y = random::<f32>(&[2, 17], 6);
    let error = Launch::new(&k)
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .expect_err("17 is no multiple of a data block");
    assert!(error.to_string().contains("DataCopyPad"), "{error}");
}

#[test]
fn half_rows_broadcast_in_blocks_of_sixteen() {
    let k = kernel(
        "#[kernel] pub fn shift(#[shape(n.., d)] x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r, ..).store((v - v.amax(d)) * 0.5);
            }
        }",
        "ascend910b1",
    );
    for &(n, d) in ROWS {
        let x = random::<f16>(&[n, d], 1);
        let mut y = random::<f16>(&[n, d], 2);
        Launch::new(&k)
            .input("x", &x)
            .output("y", &mut y)
            .run()
            .expect("a run");
        let want = rows(&wide(&x), d, |r| {
            let max = r.iter().copied().fold(f64::MIN, f64::max);
            r.iter()
                .map(|v| f16::from_f64(v - max).to_f64() * 0.5)
                .collect()
        });
        close("shift", &y, &want, 0.0, 0.0);
    }
}

#[test]
fn a_launch_that_does_not_fit_says_how_much_is_needed_and_what_would_fit() {
    let head = "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {";
    let whole = "{ let mut m = full(r, 0.0); for i in 0..d { m = m.max(x.at(r, ..).load().amax(d)); } y.at(r, ..).store(x.at(r, ..).load() - m); }";
    let queue = "let mut pipe = TPipe::new();\nlet mut q = TQue::<VecOut, 1>::new();\npipe.init_buffer(&mut q, 2, d * 4);\n\
                 let share = split(n).unit(1);\nfor i in 0..share.len() { let at = (share.start() + i) * d;\n\
                 let t = q.alloc_tensor::<f32>(); vec::duplicate(&t, 0.0, d); q.enque(t);\n\
                 let t = q.deque::<f32>(); data_copy_pad(y.slice(at, d), &t); q.free_tensor(t); }";
    for (body, cols, says) in [
        (
            "for r in tiles(n).size(12) { y.at(r, ..).store(x.at(r, ..).load().exp()); }".to_string(),
            1024,
            "this `size` needs more UB than there is: 196608 bytes are needed, 188160 usable; `size` is 12, 11 fits",
        ),
        (
            "for r in tiles(n).size(12) { y.at(r, ..).store(x.at(r, ..).load().exp()); }".to_string(),
            12_000,
            "2304000 bytes are needed, 188160 usable; not even `size` 1 fits",
        ),
        (format!("for r in tiles(n) {whole}"), 40_000, "not even the smallest tile of this shape fits in UB (`d` is whole in it: at most "),
        (
            "for i in each(n) { let v = x.at(i, ..).load(); let mut u = v; for _ in 0..2 { u = u * 0.5; } y.at(i, ..).store(u - u.amax(d)); }".to_string(),
            40_000,
            "not even the smallest tile of this shape fits in UB (`d` is whole in it: at most ",
        ),
        (
            "let (g, k) = (new_axis(2), new_axis(d / 2)); let (v, w) = (x.view((n, g, k)), y.view((n, g, k)));
             for (i, j) in tiles((n, g)) { let u = v.at(i, j, ..).load(); let mut u = u; for _ in 0..2 { u = u * 0.5; } w.at(i, j, ..).store(u - u.amax(k)); }"
                .to_string(),
            80_000,
            "not even the smallest tile of this shape fits in UB (`d` is whole in it: at most ",
        ),
        (queue.to_string(), 24_000, "queues and buffers of this shape exceed UB: 192000 bytes are needed, 188160 usable"),
    ] {
        let kernel = kernel(&format!("{head}\n{body}\n}}"), "ascend910b1");
        let x = random::<f32>(&[3, cols], 1);
        let mut y = x.clone();
        let error = Launch::new(&kernel).input("x", &x).output("y", &mut y).run().expect_err("too large").to_string();
        let numbers = error.contains("bytes are needed, 188160 usable");
        assert!(numbers && error.contains("J0606") && error.contains(says), "{error}");
    }
}

/// A kernel that copies two tensors of different lengths, the second one in larger units.
const TWO_SPLITS: &str = include_str!("../../tests/differential/kernels/two_splits.rs");

#[test]
fn several_splits_share_the_block_dim_of_the_longest_work() {
    let kernel = kernel(TWO_SPLITS, "ascend910b1");
    assert!(kernel.warnings().is_empty(), "{:?}", kernel.warnings());
    for (n, m, blocks) in [
        (10, 1000, 42),
        (1000, 10, 48),
        (0, 5, 1),
        (5, 0, 1),
        (0, 0, 1),
        (100_003, 25, 48),
        (8, 25, 2),
        (17, 100_003, 48),
    ] {
        let (x, w) = (random::<f32>(&[n], 1), random::<f32>(&[m], 2));
        let (mut y, mut v) = (random::<f32>(&[n], 3), random::<f32>(&[m], 4));
        let report = Launch::new(&kernel)
            .input("x", &x)
            .input("w", &w)
            .output("y", &mut y)
            .output("v", &mut v)
            .run();
        assert_eq!(report.expect("a run").blocks, blocks, "{n} {m}");
        assert_eq!(
            (y, v),
            (x.mapv(|v| v + 1.0), w.mapv(|v| v * 2.0)),
            "{n} {m}"
        );
    }
}

#[test]
fn bytes_of_a_bool_are_0_or_1() {
    let text = "#[kernel]\npub fn k(m: &GlobalTensor<bool>, y: &mut GlobalTensor<f32>) {
        for t in tiles(m) { y.at(t).store(m.at(t).load().cast::<f32>()); } }";
    let kernel = kernel(text, "ascend910b1");
    let run = |m: &dyn AsInput| {
        let mut y = ArrayD::<f32>::zeros(IxDyn(&[3]));
        Launch::new(&kernel)
            .input("m", m)
            .output("y", &mut y)
            .run()
            .map(|_| y.into_raw_vec_and_offset().0)
    };
    assert_eq!(
        run(&ndarray::arr1(&[true, false, true])).unwrap(),
        [1.0, 0.0, 1.0]
    );
    let odd =
        jumar_runtime::Array::Bool(ArrayD::from_shape_vec(IxDyn(&[3]), vec![0, 2, 1]).unwrap());
    let error = run(&odd).unwrap_err();
    assert!(
        error.code() == jumar_dsl::diag::Code::J0605
            && error.message().contains("element 1 of `m` is 2"),
        "{error}"
    );
}
