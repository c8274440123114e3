//! The smallest kernels that the lowering once got wrong, or would with one likely mistake. The
//! interpreter of the source, the interpreter after each pass, and the simulator must agree to the
//! bit. Data are small integers, on which all orders of a sum agree.

use crate::agree;
use jumar_dsl::check::check;
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;
use jumar_runtime::Launch;
use ndarray::{ArrayD, IxDyn};

struct Case {
    /// A description of the mistake.
    what: &'static str,
    chip: &'static str,
    text: &'static str,
    /// The shape of each tensor that is read, in order.
    shapes: &'static [&'static [usize]],
}

const A2: &str = "ascend910b1";

const CASES: &[Case] = &[
    Case {
        what: "a column that a loop changes was read in every iteration as it was before the loop",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let mut m = full(r, 1.0); let mut v = x.at(r, ..).load() + m; y.at(r, ..).store(v);
                for i in 0..3 { v = v + m; m = m + 1.0; }
                z.at(r, ..).store(v);
            } }",
        shapes: &[&[3, 70]],
    },
    Case {
        what: "a column that only a branch not taken had expanded was read behind it",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] c: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let w = c.at(r).load(); let mut m = full(r, 1.0); let mut v = x.at(r, ..).load() + m;
                if n > 1000 { m = m + 1.0; v = v * w; }
                y.at(r, ..).store(v + w + m);
            } }",
        shapes: &[&[3, 70], &[3]],
    },
    Case {
        what: "a column that a branch among branches expanded, read behind all of them",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let m = full(r, 3.0); let mut v = x.at(r, ..).load();
                if n > 1000 {
                    if d > 5 { v = v * 2.0; }
                    v = v + m;
                    if d > 6 { v = v * 3.0; }
                }
                y.at(r, ..).store(v - m);
            } }",
        shapes: &[&[3, 70]],
    },
    Case {
        what: "an assignment before the loop was dropped",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            let mut a = 1.0; a = a + 1.0; if a > 1.5 { a += 4.0; } for i in 0..3 { a += i as f32; }
            for t in tiles(x) { y.at(t).store(x.at(t).load() + a); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "chained scalars of the block stage came out in reverse",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            let mut a = d; let b = a + 1; let c = b * 2; let e = c + b; a = e + 1; let f = a + e;
            for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() + f as f32); } }",
        shapes: &[&[3, 70]],
    },
    Case {
        what: "a cast of a mutable tile to its own type rounded to integers",
        chip: A2,
        text: "#[kernel] pub fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for t in tiles(x) { let mut w = x.at(t).load().cast::<f32>(); w = w * 0.25; y.at(t).store(w.cast::<T>()); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "the same through a running maximum and a helper",
        chip: A2,
        text: "#[kernels] mod m { fn half<T: Float>(mut v: Tile<T>) -> Tile<T> { v = v.cast::<f32>().cast::<T>(); v }
            #[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
                for r in tiles(n) {
                    let mut m = full(r, 0.5);
                    for c in tiles(d) { m = m.max((x.at(r, c).load().cast::<f32>() * 0.125).amax(c)); }
                    for c in tiles(d) { let m = m.cast::<f32>(); y.at(r, c).store(half((x.at(r, c).load().cast::<f32>() + m).cast::<T>())); }
                } } }",
        shapes: &[&[5, 33]],
    },
    Case {
        what: "a cast to a T that is f32 rounded to integers because it names a mode",
        chip: A2,
        text: "#[kernel] pub fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for t in tiles(x) { y.at(t).store((x.at(t).load().cast::<f32>() * 0.25).cast_with::<T>(RoundMode::Rint)); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "rounding to integers stays what it is behind a free cast",
        chip: A2,
        text: "#[kernel] #[instances(f32)] pub fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for t in tiles(x) { let v = x.at(t).load().cast::<f32>() * 0.25;
                y.at(t).store(v.cast_with::<f32>(RoundMode::Floor).cast::<T>().cast_with::<T>(RoundMode::Ceil)); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "rows without elements had loop iterations that computed nothing with counts of 0",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let v = x.at(r, ..).load(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store(e / e.sum(d)); } }",
        shapes: &[&[5, 0]],
    },
    Case {
        what: "the reciprocal of a small power of two overflowed in f16",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {
            for t in tiles(x) { y.at(t).store(x.at(t).load() * 0.0 / 0.000003814697265625); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "two inputs and two weights were refused for want of queue blocks",
        chip: A2,
        text: "#[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, z: &GlobalTensor<T>, #[shape(d)] g: &GlobalTensor<T>,
                #[shape(d)] b: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>() + z.at(r, ..).load().cast::<f32>();
                let c = v - v.amax(d);
                y.at(r, ..).store((c * g.at(..).load().cast::<f32>() + b.at(..).load().cast::<f32>()).cast::<T>()); } }",
        shapes: &[&[3, 70], &[3, 70], &[70], &[70]],
    },
    Case {
        what: "the same where a row does not fit",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, z: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>,
                #[shape(d)] b: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load() + z.at(r, ..).load();
                y.at(r, ..).store((v - v.amax(d)) * g.at(..).load() + b.at(..).load()); } }",
        shapes: &[&[2, 40_003], &[2, 40_003], &[40_003], &[40_003]],
    },
    Case {
        what: "a mutable tile that is stored, changed and stored again left once, with its first content",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for t in tiles(x) { let mut v = x.at(t).load(); y.at(t).store(v); v = v + v; z.at(t).store(v); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "a store under an `if` waited for ever for the block that a later store of the iteration held",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, #[inplace] y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for t in tiles(x).buffer_num(1) {
                let v = x.at(t).load(); let a = v * 2.0; let b = a + v;
                for i in 0..2 { if i > 0 { y.at(t).store(v + 1.0); } }
                z.at(t).store(b + a); } }",
        shapes: &[&[100], &[100]],
    },
    Case {
        what: "tiles of one value a row were no whole data blocks on a chip that needs them",
        chip: "ascend310p",
        text: "#[kernel] #[chips(ascend310p)] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(r).store(x.at(r, ..).load().amax(d)); } }",
        shapes: &[&[4096, 16]],
    },
    Case {
        what: "the sign of a choice between literals was refused",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
            let a: i32 = -(if d > 3 { 1 } else { 2 });
            for t in tiles(x) { y.at(t).store(x.at(t).load() * a); } }",
        shapes: &[&[2, 50]],
    },
    Case {
        what: "a store waited for another store of its value, and came after a store that was written behind it",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load() * 2.0; y.at(r, ..).store(v);
                for c in tiles(d) { y.at(r, c).store(full((r, c), 1.0)); }
                z.at(r, ..).store(v + v.amax(d)); } }",
        shapes: &[&[3, 20]],
    },
    Case {
        what: "streamed stores to one tensor came in the order of their passes",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r, ..).store(v - v.sum(d)); y.at(r, ..).store(v); } }",
        shapes: &[&[2, 60_007]],
    },
    Case {
        what: "a streamed load came after the store to its tensor that was written behind it",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] z: &mut GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let v = z.at(r, ..).load(); z.at(r, ..).store(x.at(r, ..).load()); y.at(r, ..).store(v); } }",
        shapes: &[&[2, 60_007], &[2, 60_007]],
    },
    Case {
        what: "an in-place store may not run in a pass before the last one that reads its tensor",
        chip: A2,
        text: "#[kernel] pub fn k(#[inplace] #[shape(n, d)] x: &mut GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let v = x.at(r, ..).load(); let m = v.amax(d); x.at(r, ..).store(v * 2.0); y.at(r, ..).store(v - m); } }",
        shapes: &[&[2, 40_003]],
    },
    Case {
        what: "a running maximum begins below every element, of negative rows too",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let v = x.at(r, ..).load(); let m = (v * 0.0 - 3.0).amax(d); y.at(r, ..).store(v - m); } }",
        shapes: &[&[2, 40_003]],
    },
    Case {
        what: "a column that was expanded and then set is expanded anew",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] g: &GlobalTensor<f32>,
                #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let v = x.at(r, ..).load(); let k = g.at(r).load(); let mut m = v.amax(d); let a = v - m; m = k;
                let b = v * m; y.at(r, ..).store(a + b + k); } }",
        shapes: &[&[5, 70], &[5]],
    },
    Case {
        what: "a value is not computed in the place of a mutable one that an `if` still reads",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let mut m = x.at(r, ..).load() + 1.0; let mut acc = m * 3.0; let w = m * 2.0; if d > 3 { acc = acc + m; }
                m = w; y.at(r, ..).store(m); z.at(r, ..).store(acc); } }",
        shapes: &[&[5, 70]],
    },
    Case {
        what: "minus the integer 0 lost its sign beside a tile of floats",
        chip: A2,
        text: "#[kernel] #[instances(f16, f32, i32)]
            pub fn k<T: Number>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(0)] a: i32) {
            for t in tiles(x) { y.at(t).store(-(x.at(t).load() * 0) - 0 - a); } }",
        shapes: &[&[100]],
    },
    Case {
        what: "a load that nothing uses left a loop without statements",
        chip: A2,
        text: "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                for c in tiles(d) { let v = x.at(r, c).load(); }
                for c in tiles(d) { y.at(r, c).store(x.at(r, c).load()); } } }",
        shapes: &[&[3, 70]],
    },
    Case {
        what: "halves that are cast, computed once and cast back, each op that rounds twice as once, and ones that do not",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f16>, w: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>, z: &mut GlobalTensor<f16>, u: &mut GlobalTensor<f16>) {
            for t in tiles(x) {
                let (a, b) = (x.at(t).load().cast::<f32>(), w.at(t).load().cast::<f32>());
                let p = a / b; y.at(t).store(p.cast::<f16>()); z.at(t).store((p + a * 0.1).cast::<f16>());
                u.at(t).store(((a - b).cast::<f16>().cast::<f32>() * 3.0).cast::<f16>());
            } }",
        shapes: &[&[1000], &[1000]],
    },
    Case {
        what: "a difference from a number of a product with one, alone and where the product is read again",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for t in tiles(x) {
                let v = x.at(t).load() * 3.0; y.at(t).store(1.0 - v); let w = x.at(t).load() * 5.0; z.at(t).store((2.0 - w) * w / 3.0);
            } }",
        shapes: &[&[1000]],
    },
    Case {
        what: "a load that is stored after a temporary lay in its VECOUT tensor, twice",
        chip: A2,
        text: "#[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for t in tiles(x) {
                let v = x.at(t).load(); let w = v + v; let mut u = w; u = u + u; y.at(t).store(v); z.at(t).store(v);
            } }",
        shapes: &[&[1000]],
    },
];

#[test]
fn what_was_once_lowered_wrong_is_what_is_written() {
    CASES
        .iter()
        .for_each(|case| drop(agree::agree(case.what, case.chip, case.text, case.shapes)));
}

/// The longest distance of a DataCopy is 65535 data blocks of 8 elements.
#[test]
fn rows_longer_than_a_stride_of_16_bits_are_refused_on_chips_without_pad() {
    let text = "#[kernel] #[chips(ascend310p)] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) { for c in tiles(d) { y.at(r, c).store(x.at(r, c).load() + 1.0); } } }";
    let kernel = parse_file(text)
        .expect("Rust")
        .remove(0)
        .kernel
        .expect("a kernel");
    let checked =
        check(&kernel, Chip::by_name("ascend310p").expect("a chip")).expect("a right kernel");
    let run = |cols: usize| {
        let (x, mut y) = (
            ArrayD::<f32>::ones(IxDyn(&[2, cols])),
            ArrayD::<f32>::zeros(IxDyn(&[2, cols])),
        );
        Launch::new(&checked)
            .pipes(true)
            .input("x", &x)
            .output("y", &mut y)
            .run()
            .map(|_| y.iter().all(|v| *v == 2.0))
    };
    assert_eq!(run(65_535 * 8), Ok(true));
    let error = run(65_536 * 8).expect_err("a row that is too long");
    assert!(
        error.to_string().contains("at most 524280 elements"),
        "{error}"
    );
}
