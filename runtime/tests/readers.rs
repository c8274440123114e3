//! The smallest kernels that the lowering once got wrong, or would with one likely mistake: interpreter of the source, interpreter
//! after each pass, and simulator agree to the bit. Data are small whole numbers, on which all orders of a sum agree.

use half::{bf16, f16};
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::Role;
use jumar_dsl::lower::tile_passes;
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{bind_attrs, bind_shapes};
use jumar_runtime::tile::{Cut, Inputs, Tile};
use jumar_runtime::{infer_output_shapes, Array, AsOutput, JobBytes, Launch, Overflow};
use ndarray::{ArrayD, IxDyn};

struct Case {
    /// What went wrong.
    what: &'static str,
    chip: &'static str,
    text: &'static str,
    /// Shape of each tensor that is read, in order.
    shapes: &'static [&'static [usize]],
}

const A2: &str = "ascend910b1";

const CASES: &[Case] = &[
    Case {
        what: "a column that a loop changes was read in every turn as it was before the loop",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) {
                let mut m = r.col(1.0); let mut v = r.load(x) + m; r.store(y, v);
                for i in 0..3 { v = v + m; m = m + 1.0; }
                r.store(z, v);
            } }",
        shapes: &[&[3, 70]],
    },
    Case {
        what: "a column that only a branch not taken had expanded was read behind it",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] c: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) {
                let w = r.load_col(c); let mut m = r.col(1.0); let mut v = r.load(x) + m;
                if n > 1000 { m = m + 1.0; v = v * w; }
                r.store(y, v + w + m);
            } }",
        shapes: &[&[3, 70], &[3]],
    },
    Case {
        what: "a column that a branch among branches expanded, read behind all of them",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) {
                let m = r.col(3.0); let mut v = r.load(x);
                if n > 1000 {
                    if d > 5 { v = v * 2.0; }
                    v = v + m;
                    if d > 6 { v = v * 3.0; }
                }
                r.store(y, v - m);
            } }",
        shapes: &[&[3, 70]],
    },
    Case {
        what: "an assignment before the loop was dropped",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            let mut a = 1.0; a = a + 1.0; if a > 1.5 { a += 4.0; } for i in 0..3 { a += i as f32; }
            for t in tiles(x) { t.store(y, t.load(x) + a); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "chained scalars of the block stage came out in reverse",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            let mut a = d; let b = a + 1; let c = b * 2; let e = c + b; a = e + 1; let f = a + e;
            for r in row_tiles(x) { r.store(y, r.load(x) + f as f32); } }",
        shapes: &[&[3, 70]],
    },
    Case {
        what: "a cast of a mutable tile to its own type rounded to whole numbers",
        chip: A2,
        text: "#[kernel] pub fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for t in tiles(x) { let mut w = t.load(x).cast::<f32>(); w = w * 0.25; t.store(y, w.cast::<T>()); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "the same through a running maximum and a helper",
        chip: A2,
        text: "#[kernels] mod m { fn half<T: Float>(mut v: Tile<T>) -> Tile<T> { v = v.cast::<f32>().cast::<T>(); v }
            #[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
                for r in row_tiles(x) {
                    let mut m = r.col(0.5);
                    for c in r.col_tiles() { m = m.max((c.load(x).cast::<f32>() * 0.125).row_max()); }
                    for c in r.col_tiles() { let m = m.cast::<f32>(); c.store(y, half((c.load(x).cast::<f32>() + m).cast::<T>())); }
                } } }",
        shapes: &[&[5, 33]],
    },
    Case {
        what: "a cast to a T that is f32 rounded to whole numbers because it names a mode",
        chip: A2,
        text: "#[kernel] pub fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for t in tiles(x) { t.store(y, (t.load(x).cast::<f32>() * 0.25).cast_with::<T>(RoundMode::Rint)); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "rounding to whole numbers stays what it is behind a free cast",
        chip: A2,
        text: "#[kernel] #[instances(f32)] pub fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for t in tiles(x) { let v = t.load(x).cast::<f32>() * 0.25;
                t.store(y, v.cast_with::<f32>(RoundMode::Floor).cast::<T>().cast_with::<T>(RoundMode::Ceil)); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "rows without elements had loop turns that computed nothing with counts of 0",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) { let v = r.load(x); let e = (v - v.row_max()).exp(); r.store(y, e / e.row_sum()); } }",
        shapes: &[&[5, 0]],
    },
    Case {
        what: "the reciprocal of a small power of two overflowed in f16",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {
            for t in tiles(x) { t.store(y, t.load(x) * 0.0 / 0.000003814697265625); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "two inputs and two weights were refused for want of queue blocks",
        chip: A2,
        text: "#[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, z: &GlobalTensor<T>, #[shape(d)] g: &GlobalTensor<T>,
                #[shape(d)] b: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>) {
            for r in row_tiles(x) {
                let v = r.load(x).cast::<f32>() + r.load(z).cast::<f32>();
                let c = v - v.row_max();
                r.store(y, (c * r.load_row(g).cast::<f32>() + r.load_row(b).cast::<f32>()).cast::<T>()); } }",
        shapes: &[&[3, 70], &[3, 70], &[70], &[70]],
    },
    Case {
        what: "the same where a row does not fit",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, z: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>,
                #[shape(d)] b: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) {
                let v = r.load(x) + r.load(z);
                r.store(y, (v - v.row_max()) * r.load_row(g) + r.load_row(b)); } }",
        shapes: &[&[2, 40_003], &[2, 40_003], &[40_003], &[40_003]],
    },
    Case {
        what: "a mutable tile that is stored, changed and stored again left once, with its first content",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for t in tiles(x) { let mut v = t.load(x); t.store(y, v); v = v + v; t.store(z, v); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "a store under an `if` waited for ever for the block that a later store of the turn held",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, #[inplace] y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for t in tiles(x).buffer_num(1) {
                let v = t.load(x); let a = v * 2.0; let b = a + v;
                for i in 0..2 { if i > 0 { t.store(y, v + 1.0); } }
                t.store(z, b + a); } }",
        shapes: &[&[100], &[100]],
    },
    Case {
        what: "tiles of one value a row were no whole data blocks on a chip that needs them",
        chip: "ascend310p",
        text: "#[kernel] #[chips(ascend310p)] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) { r.store_col(y, r.load(x).row_max()); } }",
        shapes: &[&[4096, 16]],
    },
    Case {
        what: "the sign of a choice between literals was refused",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
            let a: i32 = -(if d > 3 { 1 } else { 2 });
            for t in tiles(x) { t.store(y, t.load(x) * a); } }",
        shapes: &[&[2, 50]],
    },
    Case {
        what: "a store waited for another store of its value, and came after a store that was written behind it",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) {
                let v = r.load(x) * 2.0; r.store(y, v);
                for c in r.col_tiles() { c.store(y, c.full(1.0)); }
                r.store(z, v + v.row_max()); } }",
        shapes: &[&[3, 20]],
    },
    Case {
        what: "streamed stores to one tensor came in the order of their passes",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) { let v = r.load(x); r.store(y, v - v.row_sum()); r.store(y, v); } }",
        shapes: &[&[2, 60_007]],
    },
    Case {
        what: "a streamed load came after the store to its tensor that was written behind it",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] z: &mut GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) { let v = r.load(z); r.store(z, r.load(x)); r.store(y, v); } }",
        shapes: &[&[2, 60_007], &[2, 60_007]],
    },
    Case {
        what: "an in-place store may not run in a pass before the last one that reads its tensor",
        chip: A2,
        text: "#[kernel] pub fn k(#[inplace] #[shape(n, d)] x: &mut GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) { let v = r.load(x); let m = v.row_max(); r.store(x, v * 2.0); r.store(y, v - m); } }",
        shapes: &[&[2, 40_003]],
    },
    Case {
        what: "a running maximum begins below every element, of negative rows too",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) { let v = r.load(x); let m = (v * 0.0 - 3.0).row_max(); r.store(y, v - m); } }",
        shapes: &[&[2, 40_003]],
    },
    Case {
        what: "a column that was expanded and then set is expanded anew",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] g: &GlobalTensor<f32>,
                #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) { let v = r.load(x); let k = r.load_col(g); let mut m = v.row_max(); let a = v - m; m = k;
                let b = v * m; r.store(y, a + b + k); } }",
        shapes: &[&[5, 70], &[5]],
    },
    Case {
        what: "a value is not computed in the place of a mutable one that an `if` still reads",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) { let mut m = r.load(x) + 1.0; let mut acc = m * 3.0; let w = m * 2.0; if d > 3 { acc = acc + m; }
                m = w; r.store(y, m); r.store(z, acc); } }",
        shapes: &[&[5, 70]],
    },
    Case {
        what: "minus the whole number 0 lost its sign beside a tile of floats",
        chip: A2,
        text: "#[kernel] #[instances(f16, f32, i32)]
            pub fn k<T: Element>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(0)] a: i32) {
            for t in tiles(x) { t.store(y, -(t.load(x) * 0) - 0 - a); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "a load that nothing uses left a loop without statements",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in row_tiles(x) {
                for c in r.col_tiles() { let v = c.load(x); }
                for c in r.col_tiles() { c.store(y, c.load(x)); } } }",
        shapes: &[&[3, 70]],
    },
    Case {
        what: "halves that are cast, computed once and cast back, each op that rounds twice as once, and ones that do not",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f16>, w: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>, z: &mut GlobalTensor<f16>, u: &mut GlobalTensor<f16>) {
            for t in tiles(x) {
                let (a, b) = (t.load(x).cast::<f32>(), t.load(w).cast::<f32>());
                let p = a / b; t.store(y, p.cast::<f16>()); t.store(z, (p + a * 0.1).cast::<f16>());
                t.store(u, ((a - b).cast::<f16>().cast::<f32>() * 3.0).cast::<f16>());
            } }",
        shapes: &[&[1000], &[1000]],
    },
    Case {
        what: "a difference from a number of a product with one, alone and where the product is read again",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for t in tiles(x) {
                let v = t.load(x) * 3.0; t.store(y, 1.0 - v); let w = t.load(x) * 5.0; t.store(z, (2.0 - w) * w / 3.0);
            } }",
        shapes: &[&[1000]],
    },
    Case {
        what: "a load that is stored after a temporary lay in its VECOUT tensor, twice",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for t in tiles(x) {
                let v = t.load(x); let w = v + v; let mut u = w; u = u + u; t.store(y, v); t.store(z, v);
            } }",
        shapes: &[&[1000]],
    },
];

fn whole_numbers(dtype: DType, shape: &[usize], seed: u64) -> Array {
    let mut s = seed;
    let mut next = || {
        s = s.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (s >> 59) as f32 - 15.0
    };
    let shape = IxDyn(shape);
    match dtype {
        DType::F16 => ArrayD::from_shape_fn(shape, |_| f16::from_f32(next())).into(),
        DType::Bf16 => ArrayD::from_shape_fn(shape, |_| bf16::from_f32(next())).into(),
        DType::F32 => ArrayD::from_shape_fn(shape, |_| next()).into(),
        DType::I32 | DType::U8 => ArrayD::from_shape_fn(shape, |_| next() as i32).into(),
    }
}

/// Inputs and zeroed outputs of one instance.
fn arrays(kernel: &CheckedKernel, instance: usize, case: &Case) -> Vec<(String, Role, Array)> {
    let sig = &kernel.kernel().sig;
    let binding = &sig.instances[instance];
    let mut shapes = case.shapes.iter();
    let mut all: Vec<(String, Role, Array)> = Vec::new();
    for (i, (_, p, role, ty)) in sig.tensors().enumerate() {
        let dtype = ty.resolve(binding);
        let array = match role {
            Role::In | Role::InOut => whole_numbers(dtype, shapes.next().expect("a shape for each input"), i as u64 + 3),
            Role::Out => {
                let given: Vec<(&str, &[usize])> = all.iter().map(|(n, _, a)| (n.as_str(), a.shape())).collect();
                let outs = infer_output_shapes(sig, &given, &[]).expect("shapes of outputs");
                let (_, shape) = outs.iter().find(|(n, _)| *n == p.name).expect("an output");
                Array::zeros(dtype, shape).expect("an element type")
            }
        };
        all.push((p.name.clone(), role, array));
    }
    all
}

type Written = Vec<(String, Vec<f64>)>;

fn written(arrays: Vec<(String, Role, Array)>) -> Written {
    arrays.into_iter().filter(|(_, role, _)| *role != Role::In).map(|(name, _, a)| (name, a.to_f64())).collect()
}

fn assert_same(what: &str, got: &Written, want: &Written) {
    for ((name, got), (_, want)) in got.iter().zip(want) {
        let differ = |(a, b): (&f64, &f64)| a.to_bits() != b.to_bits();
        if let Some(at) = got.iter().zip(want).position(differ) {
            panic!("{what}: element {at} of `{name}` is {} and was simulated as {}", got[at], want[at]);
        }
    }
}

#[test]
fn what_was_once_lowered_wrong_is_what_is_written() {
    for case in CASES {
        let chip = Chip::by_name(case.chip).expect("a chip");
        let parsed = parse_file(case.text).unwrap_or_else(|(d, _)| panic!("{}: {}", case.what, d.message)).remove(0);
        let messages: Vec<_> = parsed.diagnostics.iter().map(|d| d.message.clone()).collect();
        let kernel = parsed.kernel.unwrap_or_else(|| panic!("{}: {messages:?}", case.what));
        let checked = check(&kernel, chip).unwrap_or_else(|d| panic!("{}: {}: {}", case.what, d[0].code, d[0].message));
        for instance in 0..kernel.sig.instances.len() {
            let launch = |tile: Option<&Tile>| {
                let mut arrays = arrays(&checked, instance, case);
                let mut launch = Launch::new(&checked).pipes(true);
                for (name, role, array) in &mut arrays {
                    launch = match role {
                        Role::In => launch.input(name, &*array),
                        Role::InOut => launch.inout(name, array),
                        Role::Out => launch.output(name, array),
                    };
                }
                if let Some(tile) = tile {
                    launch = launch.backend(tile);
                }
                launch.run().unwrap_or_else(|e| panic!("{}: {e}", case.what));
                written(arrays)
            };
            let simulated = launch(None);
            for cut in [Cut::Whole, Cut::Halves] {
                assert_same(&format!("{}, {cut:?}", case.what), &launch(Some(&Tile::new(cut, false))), &simulated);
            }
            for (pass, after) in tile_passes(&kernel, instance) {
                let mut arrays = arrays(&checked, instance, case);
                let shapes: Vec<Option<Vec<usize>>> = arrays.iter().map(|(_, _, a)| Some(a.shape().to_vec())).collect();
                let shapes: Vec<Option<&[usize]>> = shapes.iter().map(Option::as_deref).collect();
                let attrs = bind_attrs(&kernel.sig, &[]).expect("attributes with defaults");
                let dims = bind_shapes(&kernel.sig, &shapes, &attrs).expect("shapes");
                let tensors = arrays
                    .iter_mut()
                    .map(|(name, _, a)| (name.as_str(), JobBytes::Write(a.as_output().expect("contiguous").into_bytes())))
                    .collect();
                let inputs = Inputs { chip, dims: &dims, attrs: &attrs, overflow: Overflow::InfNan, tensors };
                Tile::default().interpret(&after, instance, inputs).unwrap_or_else(|e| panic!("{}, {pass}: {e}", case.what));
                assert_same(&format!("{}, after {pass}", case.what), &written(arrays), &simulated);
            }
        }
    }
}

/// 65535 data blocks of 8 elements are the longest distance of a DataCopy.
#[test]
fn rows_longer_than_a_stride_of_16_bits_are_refused_on_chips_without_pad() {
    let text = "#[kernel] #[chips(ascend310p)] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in row_tiles(x) { for c in r.col_tiles() { c.store(y, c.load(x) + 1.0); } } }";
    let kernel = parse_file(text).expect("Rust").remove(0).kernel.expect("a kernel");
    let checked = check(&kernel, Chip::by_name("ascend310p").expect("a chip")).expect("a right kernel");
    let run = |cols: usize| {
        let (x, mut y) = (ArrayD::<f32>::ones(IxDyn(&[2, cols])), ArrayD::<f32>::zeros(IxDyn(&[2, cols])));
        Launch::new(&checked).pipes(true).input("x", &x).output("y", &mut y).run().map(|_| y.iter().all(|v| *v == 2.0))
    };
    assert_eq!(run(65_535 * 8), Ok(true));
    let error = run(65_536 * 8).expect_err("a row that is too long");
    assert!(error.to_string().contains("at most 524280 elements"), "{error}");
}
