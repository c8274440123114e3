//! Rows of every length and number through the device functions of reductions and broadcasts.
//! Compares the simulator with loops over integers, on which all orders of a sum agree.

use half::f16;
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;
use jumar_runtime::Launch;
use ndarray::{Array1, Array2};

/// Lengths around those of data blocks and repeats, around the padding of long rows, and around the
/// 255 data blocks of a stride.
const COLS: &[usize] = &[
    1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 511,
    512, 513, 1000, 2040, 2041, 4096, 10_000,
];
/// Rows of one tile and of several, multiples of eight and others. The last has more rows than a
/// call has repeats.
const ROWS: &[usize] = &[1, 2, 3, 5, 6, 8, 9, 13, 14, 16, 47, 300];

fn kernel(text: &str, chip: &'static str) -> CheckedKernel {
    let parsed = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let kernel = parsed
        .kernel
        .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    check(&kernel, Chip::by_name(chip).expect("a chip"))
        .unwrap_or_else(|d| panic!("{}: {}", d[0].code, d[0].message))
}

fn numbers(rows: usize, cols: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, cols), |(r, c)| {
        ((r * 7919 + c * 104_729) % 13) as f32 - 6.0
    })
}

fn shapes() -> impl Iterator<Item = (usize, usize)> {
    COLS.iter()
        .flat_map(|cols| ROWS.iter().map(move |rows| (*rows, *cols)))
        .filter(|(rows, cols)| rows * cols <= 60_000)
}

#[test]
fn rows_of_every_length_are_reduced() {
    let text = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] s: &mut GlobalTensor<f32>,
        #[shape(n)] a: &mut GlobalTensor<f32>, #[shape(n)] b: &mut GlobalTensor<f32>) {
        for r in tiles(n).block_dim(2) { let v = x.at(r, ..).load();
        s.at(r).store(v.sum(d)); a.at(r).store(v.amax(d)); b.at(r).store(v.amin(d)); } }";
    for chip in ["ascend910b1", "ascend310p"] {
        let kernel = kernel(text, chip);
        for (rows, cols) in
            shapes().filter(|(rows, cols)| chip == "ascend910b1" || (rows % 8, cols % 8) == (0, 0))
        {
            let x = numbers(rows, cols);
            let mut out = [(); 3].map(|()| Array1::<f32>::zeros(rows));
            let [s, a, b] = &mut out;
            let run = Launch::new(&kernel)
                .pipes(true)
                .input("x", &x)
                .output("s", s)
                .output("a", a)
                .output("b", b)
                .run();
            run.unwrap_or_else(|e| panic!("{chip}, {rows} x {cols}: {e}"));
            for (r, row) in x.rows().into_iter().enumerate() {
                let want = [
                    row.sum(),
                    row.fold(f32::MIN, |a, b| a.max(*b)),
                    row.fold(f32::MAX, |a, b| a.min(*b)),
                ];
                let got = out.each_ref().map(|o| o[r]);
                assert_eq!(got, want, "{chip}, {rows} x {cols}, row {r}");
            }
        }
    }
}

#[test]
fn rows_of_half_are_reduced_in_half() {
    let text = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] s: &mut GlobalTensor<f16>,
        #[shape(n)] a: &mut GlobalTensor<f16>) {
        for r in tiles(n).block_dim(2) { let v = x.at(r, ..).load(); s.at(r).store(v.sum(d)); a.at(r).store(v.amax(d)); } }";
    let kernel = kernel(text, "ascend910b1");
    for (rows, cols) in shapes() {
        // There are so few that each of their sums has at most 11 bits.
        let x = Array2::from_shape_fn((rows, cols), |(r, c)| {
            f16::from_f32(if (r + c * 31) % (cols / 200 + 1) == 0 {
                ((r + c) % 7) as f32 - 3.0
            } else {
                0.0
            })
        });
        let mut out = [(); 2].map(|()| Array1::from_elem(rows, f16::ZERO));
        let [s, a] = &mut out;
        let run = Launch::new(&kernel)
            .pipes(true)
            .input("x", &x)
            .output("s", s)
            .output("a", a)
            .run();
        run.unwrap_or_else(|e| panic!("{rows} x {cols}: {e}"));
        for (r, row) in x.rows().into_iter().enumerate() {
            let row: Vec<f32> = row.iter().map(|v| v.to_f32()).collect();
            let want = [
                row.iter().sum::<f32>(),
                row.iter().copied().fold(f32::MIN, f32::max),
            ];
            assert_eq!(
                out.each_ref().map(|o| o[r].to_f32()),
                want,
                "{rows} x {cols}, row {r}"
            );
        }
    }
}

#[test]
fn rows_of_whole_numbers_are_reduced() {
    let text = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i32>, #[shape(n)] s: &mut GlobalTensor<i32>,
        #[shape(n)] a: &mut GlobalTensor<i32>, #[shape(n)] b: &mut GlobalTensor<i32>) {
        for r in tiles(n).block_dim(2) { let v = x.at(r, ..).load();
        s.at(r).store(v.sum(d)); a.at(r).store(v.amax(d)); b.at(r).store(v.amin(d)); } }";
    for chip in ["ascend910b1", "ascend310p"] {
        let kernel = kernel(text, chip);
        // The last shapes do not fit in UB with two buffers.
        let shapes = shapes().chain([(8, 9000), (3, 30_000), (8, 30_000)]);
        for (rows, cols) in
            shapes.filter(|(rows, cols)| chip == "ascend910b1" || (rows % 8, cols % 8) == (0, 0))
        {
            // Numbers of all sizes, whose sums wrap, and the ends of their type.
            let x =
                Array2::from_shape_fn((rows, cols), |(r, c)| match (r * 7919 + c * 104_729) % 97 {
                    0 => i32::MIN,
                    1 => i32::MAX,
                    n => (n as i32).wrapping_mul(0x3b9a_ca07) >> ((r + c) % 31),
                });
            let mut out = [(); 3].map(|()| Array1::<i32>::zeros(rows));
            let [s, a, b] = &mut out;
            let run = Launch::new(&kernel)
                .pipes(true)
                .input("x", &x)
                .output("s", s)
                .output("a", a)
                .output("b", b)
                .run();
            run.unwrap_or_else(|e| panic!("{chip}, {rows} x {cols}: {e}"));
            for (r, row) in x.rows().into_iter().enumerate() {
                let want = [
                    row.fold(0, |a, b| i32::wrapping_add(a, *b)),
                    *row.iter().max().unwrap(),
                    *row.iter().min().unwrap(),
                ];
                assert_eq!(
                    out.each_ref().map(|o| o[r]),
                    want,
                    "{chip}, {rows} x {cols}, row {r}"
                );
            }
        }
    }
}

#[test]
fn a_value_a_row_and_one_row_are_repeated() {
    let text = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] c: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>,
        y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>, w: &mut GlobalTensor<f32>) {
        for r in tiles(n).block_dim(2) { let v = x.at(r, ..).load(); let k = c.at(r).load(); let h = g.at(..).load();
        y.at(r, ..).store((v - k) * h); z.at(r, ..).store(h - k * v); w.at(r, ..).store(k.expand(d) - h); } }";
    let kernel = kernel(text, "ascend910b1");
    for (rows, cols) in shapes() {
        let x = numbers(rows, cols);
        let (c, g) = (
            Array1::from_shape_fn(rows, |r| (r % 11) as f32 - 5.0),
            Array1::from_shape_fn(cols, |c| (c % 5) as f32 - 2.0),
        );
        let mut out = [(); 3].map(|()| Array2::<f32>::zeros((rows, cols)));
        let [y, z, w] = &mut out;
        let launch = Launch::new(&kernel)
            .pipes(true)
            .input("x", &x)
            .input("c", &c)
            .input("g", &g);
        launch
            .output("y", y)
            .output("z", z)
            .output("w", w)
            .run()
            .unwrap_or_else(|e| panic!("{rows} x {cols}: {e}"));
        for ((r, k), v) in x.indexed_iter() {
            let want = [(v - c[r]) * g[k], g[k] - c[r] * v, c[r] - g[k]];
            assert_eq!(
                out.each_ref().map(|o| o[[r, k]]),
                want,
                "{rows} x {cols}, row {r}, column {k}"
            );
        }
    }
}

#[test]
fn what_a_reduction_filled_behind_rows_serves_the_next() {
    let text = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] s: &mut GlobalTensor<f32>,
        #[shape(n)] a: &mut GlobalTensor<f32>, #[shape(n)] b: &mut GlobalTensor<f32>) {
        for r in tiles(n).block_dim(2) { let v = x.at(r, ..).load();
        s.at(r).store(v.sum(d)); a.at(r).store((v * -2.0).abs().sum(d)); b.at(r).store(v.amax(d) - (-v).amin(d)); } }";
    let kernel = kernel(text, "ascend910b1");
    for (rows, cols) in shapes() {
        let x = numbers(rows, cols);
        let mut out = [(); 3].map(|()| Array1::<f32>::zeros(rows));
        let [s, a, b] = &mut out;
        let run = Launch::new(&kernel)
            .pipes(true)
            .input("x", &x)
            .output("s", s)
            .output("a", a)
            .output("b", b)
            .run();
        run.unwrap_or_else(|e| panic!("{rows} x {cols}: {e}"));
        for (r, row) in x.rows().into_iter().enumerate() {
            let max = row.fold(f32::MIN, |a, b| a.max(*b));
            let want = [
                row.sum(),
                row.iter().map(|v| 2.0 * v.abs()).sum(),
                max + max,
            ];
            assert_eq!(
                out.each_ref().map(|o| o[r]),
                want,
                "{rows} x {cols}, row {r}"
            );
        }
    }
}
