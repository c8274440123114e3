//! Element types against Rust's own: every cast between types of tensors, ops on bits, shifts, and
//! arithmetic of `i16`.
//!
//! Interpreter, simulator and emitted C++ must each give Rust's result for every element.

use half::{bf16, f16};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::{DType, ELEMENTS};
use jumar::held::Held;
use jumar::load::check_text;
use jumar::runtime::tile::Tile;
use jumar::runtime::{Array, AsInput, Backend, Launch, Overflow};
use jumar_kit::tier::is_drawn;

const CHIP: &str = "#[kernel]\n#[chips(ascend910b1)]\n";

fn checked(text: &str) -> Result<CheckedKernel, String> {
    let file = check_text("whole.rs", text, None);
    let kernel = (!file.has_errors()).then(|| {
        file.kernels()
            .first()
            .and_then(|k| k.checked.first())
            .cloned()
    });
    kernel.flatten().ok_or_else(|| file.render(false))
}

/// One element, as the widest number that holds it.
#[derive(Clone, Copy, Debug)]
enum Number {
    Float(f64),
    Whole(i64),
}
use Number::{Float, Whole};

impl Number {
    fn of(dtype: DType, bytes: &[u8]) -> Number {
        macro_rules! whole {
            ($t:ty) => {
                Whole(<$t>::from_le_bytes(bytes.try_into().expect("an element")) as i64)
            };
        }
        match dtype {
            DType::F16 => Float(f16::from_le_bytes(bytes.try_into().expect("an element")).to_f64()),
            DType::Bf16 => {
                Float(bf16::from_le_bytes(bytes.try_into().expect("an element")).to_f64())
            }
            DType::F32 => Float(f32::from_le_bytes(bytes.try_into().expect("an element")).into()),
            DType::I8 => whole!(i8),
            DType::Bool | DType::U8 => whole!(u8),
            DType::I16 => whole!(i16),
            DType::U16 => whole!(u16),
            DType::I32 => whole!(i32),
            DType::U32 => whole!(u32),
            DType::I64 => whole!(i64),
            DType::Bits => panic!("tensors hold no mask bits"),
        }
    }

    /// Casts to another type: rounds once to even, saturates to integers, and makes 0 of nan.
    fn cast(self, to: DType) -> Vec<u8> {
        macro_rules! whole {
            ($t:ty) => {
                match self {
                    // Rust's `as` saturates, and makes 0 of nan.
                    Float(v) => (v.round_ties_even() as $t).to_le_bytes().to_vec(),
                    Whole(v) => (i128::from(v).clamp(<$t>::MIN.into(), <$t>::MAX.into()) as $t)
                        .to_le_bytes()
                        .to_vec(),
                }
            };
        }
        let float = match self {
            Float(v) => v,
            // Integers of up to 32 bits are exact.
            Whole(v) => v as f64,
        };
        match (self, to) {
            (_, DType::F16) => f16::from_f64(float).to_le_bytes().to_vec(),
            (_, DType::Bf16) => bf16::from_f64(float).to_le_bytes().to_vec(),
            (Whole(v), DType::F32) => (v as f32).to_le_bytes().to_vec(),
            (Float(v), DType::F32) => (v as f32).to_le_bytes().to_vec(),
            (_, DType::Bool) => vec![u8::from(float != 0.0)],
            (_, DType::I8) => whole!(i8),
            (_, DType::U8) => whole!(u8),
            (_, DType::I16) => whole!(i16),
            (_, DType::U16) => whole!(u16),
            (_, DType::I32) => whole!(i32),
            (_, DType::U32) => whole!(u32),
            (_, DType::I64) => whole!(i64),
            (_, DType::Bits) => panic!("tensors hold no mask bits"),
        }
    }

    fn is_nan(self) -> bool {
        matches!(self, Float(v) if v.is_nan())
    }
}

/// Returns elements of a type. Types of 8 and 16 bits have all of theirs. Others have neighbours of
/// powers of two, of the ends of other types, and drawn bits.
fn elements(dtype: DType) -> Vec<u8> {
    let mut bits: Vec<u64> = match dtype.bytes() {
        1 if dtype == DType::Bool => (0..300).map(|i| i % 2).collect(),
        1 => (0..256).collect(),
        2 => (0..65_536).collect(),
        _ => Vec::new(),
    };
    if bits.is_empty() {
        let mut state = 7u64;
        bits.extend((0..3000).map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state >> (64 - 8 * dtype.bytes())
        }));
        for power in 0..8 * dtype.bytes() {
            for near in -3i64..=3 {
                bits.extend(
                    [
                        (1i64 << power).wrapping_add(near),
                        (1i64 << power).wrapping_neg().wrapping_add(near),
                    ]
                    .map(|v| v as u64),
                );
            }
        }
    }
    if dtype == DType::F32 {
        for power in -2..34 {
            for near in [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5] {
                let v = 2f32.powi(power) + near;
                bits.extend([v, -v, v * 1.000_1].map(|v| u64::from(v.to_bits())));
            }
        }
    }
    bits.iter()
        .flat_map(|v| v.to_le_bytes()[..dtype.bytes() as usize].to_vec())
        .collect()
}

fn array(dtype: DType, bytes: &[u8]) -> Array {
    let n = bytes.len() / dtype.bytes() as usize;
    Array::from_bytes(dtype, &[n], bytes).expect("bytes of elements")
}

/// Runs a kernel of `x0`, `x1`, ... and `y0`, `y1`, ... on all readers, and compares every output.
/// The gate runs one kernel in twelve as C++, too.
fn held(text: &str, inputs: &[Array], wanted: &[(DType, Vec<u8>)], overflow: Overflow) {
    let kernel = checked(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let (tile, cpp) = (Tile::default(), Held::default());
    let mut readers: Vec<(&str, Option<&dyn Backend>)> = vec![("tile", Some(&tile)), ("sim", None)];
    if is_drawn("JUMAR_DIFFERENTIAL", 12, text) {
        readers.push(("cpp", Some(&cpp)));
    }
    for (reader, backend) in readers {
        let mut outputs: Vec<Array> = wanted
            .iter()
            .map(|(dtype, bytes)| {
                Array::zeros(*dtype, &[bytes.len() / dtype.bytes() as usize]).expect("an array")
            })
            .collect();
        let names: Vec<String> = (0..inputs.len().max(outputs.len()))
            .map(|i| i.to_string())
            .collect();
        let (xs, ys): (Vec<String>, Vec<String>) = names
            .iter()
            .map(|i| (format!("x{i}"), format!("y{i}")))
            .unzip();
        let mut launch = Launch::new(&kernel).overflow(overflow).pipes(true);
        for (name, input) in xs.iter().zip(inputs) {
            launch = launch.input(name, input);
        }
        for (name, output) in ys.iter().zip(&mut outputs) {
            launch = launch.output(name, output);
        }
        let launch = if let Some(backend) = backend {
            launch.backend(backend)
        } else {
            launch
        };
        launch
            .run()
            .unwrap_or_else(|e| panic!("{reader}: {e}\n{text}"));
        for (name, (output, (dtype, want))) in ys.iter().zip(outputs.iter().zip(wanted)) {
            let (found, size) = (output.as_input(), dtype.bytes() as usize);
            let each = found
                .bytes()
                .chunks_exact(size)
                .zip(want.chunks_exact(size));
            for (at, (found, want)) in each.enumerate().filter(|(_, (found, want))| found != want) {
                let both = [found, want].map(|bytes| Number::of(*dtype, bytes));
                // The payload of a nan is not specified.
                let same = both.iter().all(|v| v.is_nan());
                let given: Vec<Number> = inputs.iter().map(|x| one(x, at)).collect();
                assert!(
                    same,
                    "{reader}, `{name}` of {given:?}: {both:?} (found, wanted)\n{text}"
                );
            }
        }
    }
}

fn one(of: &Array, at: usize) -> Number {
    let (dtype, x) = (of.dtype(), of.as_input());
    let size = dtype.bytes() as usize;
    let n = x.bytes().len() / size;
    Number::of(dtype, &x.bytes()[at % n * size..][..size])
}

/// Casts that would round twice, or have no sequence of calls.
const REFUSED: &[(DType, DType)] = &[
    (DType::F16, DType::Bf16),
    (DType::Bf16, DType::F16),
    (DType::I32, DType::F16),
    (DType::I32, DType::Bf16),
    (DType::I64, DType::F16),
    (DType::I64, DType::Bf16),
    (DType::I64, DType::U32),
    (DType::U32, DType::Bf16),
    (DType::U32, DType::I64),
];

#[test]
fn every_cast_rounds_once_and_saturates() {
    casts("cast", Number::cast);
}

#[test]
fn a_cast_toward_zero_is_that_of_rust() {
    casts("cast_trunc", |v, to| match v {
        Float(v) if !to.is_float() && to != DType::Bool => Float(v.trunc()).cast(to),
        Float(_) | Whole(_) => v.cast(to),
    });
}

/// Holds a casting method to `want`, between all types.
fn casts(method: &str, want: impl Fn(Number, DType) -> Vec<u8>) {
    for from in ELEMENTS {
        let x = array(*from, &elements(*from));
        let all: Vec<DType> = ELEMENTS.iter().copied().filter(|to| to != from).collect();
        let text = |tos: &[DType]| {
            let outs: Vec<String> = (0..)
                .zip(tos)
                .map(|(i, to)| format!("y{i}: &mut GlobalTensor<{to}>"))
                .collect();
            let stores: Vec<String> = (0..)
                .zip(tos)
                .map(|(i, to)| format!("        y{i}.at(t).store(v.{method}::<{to}>());\n"))
                .collect();
            format!(
                "{CHIP}pub fn k(x0: &GlobalTensor<{from}>, {}) {{\n    for t in tiles(x0) {{\n        let v = x0.at(t).load();\n{}    }}\n}}\n",
                outs.join(", "),
                stores.concat()
            )
        };
        let offered: Vec<DType> = all
            .iter()
            .copied()
            .filter(|to| !REFUSED.contains(&(*from, *to)))
            .collect();
        for to in all.iter().filter(|to| !offered.contains(to)) {
            let why = checked(&text(&[*to]))
                .err()
                .unwrap_or_else(|| panic!("a cast from {from} to {to} is checked"));
            assert!(why.contains("J0204"), "{why}");
        }
        for tos in offered.chunks(3) {
            let size = from.bytes() as usize;
            let of = |to: DType| {
                x.as_input()
                    .bytes()
                    .chunks_exact(size)
                    .flat_map(|v| want(Number::of(*from, v), to))
                    .collect()
            };
            let wanted: Vec<(DType, Vec<u8>)> = tos.iter().map(|to| (*to, of(*to))).collect();
            held(
                &text(tos),
                std::slice::from_ref(&x),
                &wanted,
                Overflow::InfNan,
            );
        }
    }
}

/// Returns all elements of a type beside a permutation of them.
fn pairs(dtype: DType) -> (Array, Array) {
    let (a, size) = (elements(dtype), dtype.bytes() as usize);
    let n = a.len() / size;
    let b: Vec<u8> = (0..n)
        .flat_map(|i| a[(i * 40_503 + 77) % n * size..][..size].to_vec())
        .collect();
    (array(dtype, &a), array(dtype, &b))
}

macro_rules! each {
    ($t:ty, $x:expr, $y:expr, |$a:ident, $b:ident| $e:expr) => {{
        let (x, y) = ($x.as_input(), $y.as_input());
        let size = size_of::<$t>();
        let all = x.bytes().chunks_exact(size).zip(y.bytes().chunks_exact(size));
        let each = all.map(|(a, b)| (<$t>::from_le_bytes(a.try_into().unwrap()), <$t>::from_le_bytes(b.try_into().unwrap())));
        each.flat_map(|($a, $b)| { let made: $t = $e; made.to_le_bytes() }).collect::<Vec<u8>>()
    }};
    ($t:ty, $x:expr, $y:expr, |$a:ident, $b:ident| -> bool, $e:expr) => {{
        let (x, y) = ($x.as_input(), $y.as_input());
        let size = size_of::<$t>();
        let all = x.bytes().chunks_exact(size).zip(y.bytes().chunks_exact(size));
        let each = all.map(|(a, b)| (<$t>::from_le_bytes(a.try_into().unwrap()), <$t>::from_le_bytes(b.try_into().unwrap())));
        each.map(|($a, $b)| u8::from($e)).collect::<Vec<u8>>()
    }};
}

fn kernel(dtype: DType, values: &[&str]) -> String {
    kernel_to(dtype, dtype, values)
}

fn kernel_to(dtype: DType, to: DType, values: &[&str]) -> String {
    let outs: Vec<String> = (0..values.len())
        .map(|i| format!("y{i}: &mut GlobalTensor<{to}>"))
        .collect();
    let stores: Vec<String> = (0..)
        .zip(values)
        .map(|(i, v)| format!("        y{i}.at(t).store({v});\n"))
        .collect();
    format!(
        "{CHIP}pub fn k(x0: &GlobalTensor<{dtype}>, x1: &GlobalTensor<{dtype}>, {}) {{\n    for t in tiles(x0) {{\n        \
         let a = x0.at(t).load();\n        let b = x1.at(t).load();\n{}    }}\n}}\n",
        outs.join(", "),
        stores.concat()
    )
}

#[test]
fn bits_are_joined_in_every_type_of_whole_numbers() {
    macro_rules! joined {
        ($($t:ty: $dtype:expr),*) => {$(
            let (x, y) = pairs($dtype);
            let wanted = [
                each!($t, x, y, |a, b| a & b),
                each!($t, x, y, |a, b| a | b),
                each!($t, x, y, |a, b| a ^ b),
                each!($t, x, y, |a, _b| !a),
            ];
            let text = kernel($dtype, &["a & b", "a | b", "a ^ b", "!a"]);
            held(&text, &[x, y], &wanted.map(|w| ($dtype, w)), Overflow::InfNan);
        )*};
    }
    joined!(i8: DType::I8, u8: DType::U8, i16: DType::I16, u16: DType::U16, i32: DType::I32, u32: DType::U32, i64: DType::I64);
}

#[test]
fn shifts_keep_signs_and_join_numbers() {
    macro_rules! shifted {
        ($($t:ty: $dtype:expr, $most:expr, $mask:expr);*) => {$(
            let (x, y) = pairs($dtype);
            let wide = |v: $t, by: u32| i64::from(v) >> by;
            let wanted = [
                each!($t, x, y, |a, _b| a << 3),
                each!($t, x, y, |a, _b| a >> 5),
                each!($t, x, y, |a, b| (wide(a, <$t>::BITS) as $t) | b),
                each!($t, x, y, |a, b| (a & $mask) ^ b),
            ];
            let text = kernel($dtype, &["a << 3", "a >> 5", &format!("(a >> {}) | b", <$t>::BITS), &format!("(a & {}) ^ (b << 0)", $mask)]);
            held(&text, &[x, y], &wanted.map(|w| ($dtype, w)), Overflow::Saturate);
        )*};
    }
    shifted!(i16: DType::I16, 16, 0x0f0f; u16: DType::U16, 16, 0xf00f; i32: DType::I32, 32, 0x00ff_00ff; u32: DType::U32, 32, 0xff00_ff00u32);
}

#[test]
fn numbers_of_16_bits_wrap_or_saturate() {
    let (x, y) = pairs(DType::I16);
    let dtype = DType::I16;
    let wraps = [
        each!(i16, x, y, |a, b| a.wrapping_add(b)),
        each!(i16, x, y, |a, b| a.wrapping_sub(b)),
        each!(i16, x, y, |a, b| a.wrapping_mul(b)),
        each!(i16, x, y, |a, b| a.max(b).min(12345).wrapping_neg()),
    ];
    let ends = [
        each!(i16, x, y, |a, b| a.saturating_add(b)),
        each!(i16, x, y, |a, b| a.saturating_sub(b)),
        each!(i16, x, y, |a, b| a.saturating_mul(b)),
        each!(i16, x, y, |a, b| a.max(b).min(12345).saturating_neg()),
    ];
    let text = kernel(
        dtype,
        &["a + b", "a - b", "a * b", "-(a.max(b).min(12345))"],
    );
    held(
        &text,
        &[x.clone(), y.clone()],
        &wraps.map(|w| (dtype, w)),
        Overflow::InfNan,
    );
    held(
        &text,
        &[x.clone(), y.clone()],
        &ends.map(|w| (dtype, w)),
        Overflow::Saturate,
    );
    let scalars = [
        each!(i16, x, y, |a, b| a.wrapping_add(-30000).wrapping_add(b)),
        each!(i16, x, y, |a, b| 7i16.wrapping_sub(a).wrapping_mul(b)),
        each!(i16, x, y, |a, b| if a > b { a } else { 3 }),
        each!(i16, x, y, |a, b| if a <= -5 { b } else { a }),
    ];
    let text = kernel(
        dtype,
        &[
            "a - 30000 + b",
            "(7 - a) * b",
            "a.gt(b).select(a, 3)",
            "a.le(-5).select(b, a)",
        ],
    );
    held(
        &text,
        &[x, y],
        &scalars.map(|w| (dtype, w)),
        Overflow::InfNan,
    );
}

/// Returns the pairs of a type, and pairs that are equal or differ in one half of their bits.
fn close_pairs(dtype: DType) -> (Array, Array) {
    let (a, b) = pairs(dtype);
    let size = dtype.bytes() as usize;
    let (a, b) = (a.as_input().bytes().to_vec(), b.as_input().bytes().to_vec());
    let first = a.chunks_exact(size).take(200);
    let equal: Vec<u8> = first.clone().flatten().copied().collect();
    let half = |(a, b): (&[u8], &[u8]), low: bool| match low {
        true => [&b[..size / 2], &a[size / 2..]].concat(),
        false => [&a[..size / 2], &b[size / 2..]].concat(),
    };
    let others = |low: bool| {
        first
            .clone()
            .zip(b.chunks_exact(size))
            .flat_map(move |both| half(both, low))
            .collect::<Vec<u8>>()
    };
    let (lows, highs) = if size > 1 {
        (others(true), others(false))
    } else {
        (equal.clone(), equal.clone())
    };
    let x = [&a[..], &equal, &equal, &equal].concat();
    let y = [&b[..], &equal, &lows, &highs].concat();
    (array(dtype, &x), array(dtype, &y))
}

#[test]
fn numbers_of_every_type_are_compared_and_chosen() {
    macro_rules! compared {
        ($($t:ty: $dtype:expr, $n:literal);*) => {$(
            let (x, y) = close_pairs($dtype);
            let n: $t = $n;
            let tiles = [
                each!($t, x, y, |a, b| -> bool, a < b),
                each!($t, x, y, |a, b| -> bool, a <= b),
                each!($t, x, y, |a, b| -> bool, a > b),
                each!($t, x, y, |a, b| -> bool, a >= b),
                each!($t, x, y, |a, b| -> bool, a == b),
                each!($t, x, y, |a, b| -> bool, a != b),
            ];
            let text = kernel_to($dtype, DType::Bool, &["a.lt(b)", "a.le(b)", "a.gt(b)", "a.ge(b)", "a.eq(b)", "a.ne(b)"]);
            held(&text, &[x.clone(), y.clone()], &tiles.map(|w| (DType::Bool, w)), Overflow::InfNan);
            let scalars = [
                each!($t, x, y, |a, b| -> bool, a < n && b <= n),
                each!($t, x, y, |a, b| -> bool, a > n || b >= n),
                each!($t, x, y, |a, b| -> bool, (a == n) == (b != n)),
            ];
            let text = [
                format!("a.lt({n}) & b.le({n})"),
                format!("a.gt({n}) | b.ge({n})"),
                format!("a.eq({n}).eq(b.ne({n}))"),
            ];
            let text = kernel_to($dtype, DType::Bool, &text.each_ref().map(String::as_str));
            held(&text, &[x.clone(), y.clone()], &scalars.map(|w| (DType::Bool, w)), Overflow::Saturate);
            let chosen = [
                each!($t, x, y, |a, b| a.max(b)),
                each!($t, x, y, |a, b| a.min(b).max(n)),
                each!($t, x, y, |a, b| if a < b { b } else { a }),
                each!($t, x, y, |a, b| if (a >= b) != (b > n) { n } else { b }),
            ];
            let text = ["a.max(b)", &format!("a.min(b).max({n})"), "a.lt(b).select(b, a)", &format!("a.ge(b).ne(b.gt({n})).select({n}, b)")];
            held(&kernel($dtype, &text), &[x, y], &chosen.map(|w| ($dtype, w)), Overflow::Saturate);
        )*};
    }
    compared!(i8: DType::I8, -3; u8: DType::U8, 200; i16: DType::I16, -300; u16: DType::U16, 40000; i32: DType::I32, -70000;
        u32: DType::U32, 3_000_000_000; i64: DType::I64, -2_000_000_000);
}

#[test]
fn sums_of_64_bits_wrap() {
    let (x, y) = close_pairs(DType::I64);
    let wanted = [
        each!(i64, x, y, |a, b| a.wrapping_add(b)),
        each!(i64, x, y, |a, b| a.wrapping_sub(b)),
        each!(i64, x, y, |a, b| a
            .wrapping_neg()
            .wrapping_add(b.wrapping_abs())),
        each!(i64, x, y, |a, b| a
            .wrapping_sub(7)
            .wrapping_add((-5i64).wrapping_sub(b))),
    ];
    let text = kernel(
        DType::I64,
        &["a + b", "a - b", "-a + b.abs()", "(a - 7) + (-5 - b)"],
    );
    for overflow in [Overflow::InfNan, Overflow::Saturate] {
        held(
            &text,
            &[x.clone(), y.clone()],
            &wanted.clone().map(|w| (DType::I64, w)),
            overflow,
        );
    }
}

/// Compares reductions of `[n, d]` along one axis, by name, with those of Rust.
fn reduced(
    dtype: DType,
    [n, d]: [usize; 2],
    along_rows: bool,
    wanted: &[(&str, DType, Vec<u8>)],
    bytes: &[u8],
) {
    let (index, kept, gone) = if along_rows {
        ("r, ..", "n", "d")
    } else {
        (".., r", "d", "n")
    };
    let outs: Vec<String> = (0..)
        .zip(wanted)
        .map(|(i, (_, to, _))| format!("#[shape({kept})] y{i}: &mut GlobalTensor<{to}>"))
        .collect();
    let stores: Vec<String> = (0..)
        .zip(wanted)
        .map(|(i, (op, ..))| format!("        y{i}.at(r).store(v.{op}({gone}));\n"))
        .collect();
    let text = format!(
        "{CHIP}pub fn k(#[shape(n, d)] x0: &GlobalTensor<{dtype}>, {}) {{\n    for r in tiles({kept}) {{\n        \
         let v = x0.at({index}).load();\n{}    }}\n}}\n",
        outs.join(", "),
        stores.concat()
    );
    let x = Array::from_bytes(dtype, &[n, d], bytes).expect("bytes of elements");
    let wanted: Vec<(DType, Vec<u8>)> = wanted
        .iter()
        .map(|(_, to, want)| (*to, want.clone()))
        .collect();
    for overflow in [Overflow::InfNan, Overflow::Saturate] {
        held(&text, std::slice::from_ref(&x), &wanted, overflow);
    }
}

#[test]
fn rows_and_columns_of_every_type_are_reduced() {
    macro_rules! reduced {
        ($($t:ty: $dtype:expr),*) => {$(
            for (n, d) in [(37, 53), (3, 700), (1, 1)] {
                let bytes = &elements($dtype).repeat(10)[..n * d * size_of::<$t>()];
                let all: Vec<$t> = bytes.chunks_exact(size_of::<$t>()).map(|v| <$t>::from_le_bytes(v.try_into().unwrap())).collect();
                for along_rows in [true, false] {
                    let (lines, each) = if along_rows { (n, d) } else { (d, n) };
                    let line = |at: usize| (0..each).map(move |i| if along_rows { at * d + i } else { i * d + at }).map(|at| all[at]);
                    let of = |f: &dyn Fn(&[$t]) -> Vec<u8>| (0..lines).flat_map(|at| f(&line(at).collect::<Vec<_>>())).collect::<Vec<u8>>();
                    let place = |v: &[$t], end: $t| v.iter().position(|v| *v == end).unwrap() as i32;
                    let max = of(&|v| v.iter().max().unwrap().to_le_bytes().to_vec());
                    let min = of(&|v| v.iter().min().unwrap().to_le_bytes().to_vec());
                    let at_max = of(&|v| place(v, *v.iter().max().unwrap()).to_le_bytes().to_vec());
                    let at_min = of(&|v| place(v, *v.iter().min().unwrap()).to_le_bytes().to_vec());
                    let sum = of(&|v| v.iter().fold(0 as $t, |a, b| a.wrapping_add(*b)).to_le_bytes().to_vec());
                    let mut wanted = vec![("amax", $dtype, max), ("amin", $dtype, min)];
                    if along_rows {
                        wanted.extend([("argmax", DType::I32, at_max), ("argmin", DType::I32, at_min)]);
                    }
                    reduced($dtype, [n, d], along_rows, &wanted, bytes);
                    if $dtype == DType::I64 {
                        reduced($dtype, [n, d], along_rows, &[("sum", $dtype, sum)], bytes);
                    }
                }
            }
        )*};
    }
    reduced!(i8: DType::I8, u8: DType::U8, i16: DType::I16, u16: DType::U16, u32: DType::U32, i64: DType::I64);
}

/// UB does not hold such rows, so they are added part by part.
#[test]
fn long_rows_of_64_bits_are_added_and_searched() {
    let (n, d) = (2, 70_001);
    let mut state = 11u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state ^ state >> 29) as i64
    };
    let all: Vec<i64> = (0..n * d)
        .map(|at| if at < d { next() } else { -1 })
        .collect();
    let bytes: Vec<u8> = all.iter().flat_map(|v| v.to_le_bytes()).collect();
    let of = |f: &dyn Fn(&[i64]) -> i64| {
        all.chunks(d)
            .flat_map(|row| f(row).to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let sum = of(&|row| row.iter().fold(0, |a, b| a.wrapping_add(*b)));
    let max = of(&|row| *row.iter().max().unwrap());
    reduced(
        DType::I64,
        [n, d],
        true,
        &[("sum", DType::I64, sum), ("amax", DType::I64, max)],
        &bytes,
    );
}

#[test]
fn elements_of_every_type_are_packed() {
    for dtype in [DType::I8, DType::U8, DType::I16, DType::I64] {
        let size = dtype.bytes() as usize;
        let n = 4999;
        let bytes = &elements(dtype).repeat(20)[..n * size];
        let bits: Vec<u8> = (0..n)
            .map(|i| u8::from(i * 7919 % 11 < 4 || (1000..1200).contains(&i)))
            .collect();
        let taken: Vec<u8> = bytes
            .chunks_exact(size)
            .zip(&bits)
            .filter(|(_, bit)| **bit == 1)
            .flat_map(|(v, _)| v.to_vec())
            .collect();
        let text = format!(
            "{CHIP}pub fn k(#[shape(n)] x0: &GlobalTensor<{dtype}>, #[shape(n)] x1: &GlobalTensor<bool>, #[shape(room)] y0: &mut GlobalTensor<{dtype}>) \
             {{\n    for t in tiles(n) {{\n        y0.append(x0.at(t).load(), x1.at(t).load());\n    }}\n}}\n"
        );
        let inputs = [array(dtype, bytes), array(DType::Bool, &bits)];
        for room in [taken.len(), taken.len() / 2 / size * size] {
            held(
                &text,
                &inputs,
                &[(dtype, taken[..room].to_vec())],
                Overflow::InfNan,
            );
        }
    }
}

#[test]
fn what_no_unit_computes_is_refused_with_the_cast_that_helps() {
    for (dtype, value, code, help) in [
        (DType::U8, "a + b", "J0203", "`.cast::<f16>()`"),
        (DType::U16, "a * b", "J0203", "`.cast::<f32>()`"),
        (DType::U32, "a - b", "J0203", "`.cast::<f32>()`"),
        (DType::I64, "a * b", "J0203", "`.cast::<f32>()`"),
        (DType::I8, "a.max(200)", "J0208", "-128 to 127"),
        (DType::I64, "a + 3000000000", "J0208", "`.cast::<f32>()`"),
        (DType::I16, "a / b", "J0203", "`.cast::<f32>()`"),
        (DType::U8, "a << 1", "J0203", "`.cast::<i16>()`"),
        (DType::I16, "a << 17", "J0208", "from 0 to 16"),
        (DType::U32, "a >> 33", "J0208", "from 0 to 32"),
        (DType::I16, "a + 40000", "J0208", "-32768 to 32767"),
        (DType::U16, "a & 65536", "J0208", "0 to 65535"),
        (DType::F32, "a & b", "J0101", "integers"),
    ] {
        let why = checked(&kernel(dtype, &[value]))
            .err()
            .unwrap_or_else(|| panic!("`{value}` of {dtype} is checked"));
        assert!(
            why.contains(code) && why.contains(help),
            "`{value}` of {dtype}: {why}"
        );
    }
}

#[test]
fn a_chip_without_shifts_says_so() {
    let text = kernel(DType::I32, &["a << 3"]).replace("ascend910b1", "ascend310p");
    let why = checked(&text).expect_err("a shift on ascend310p is checked");
    assert!(
        why.contains("J0502") && why.contains("ascend310p has no ShiftLeft"),
        "{why}"
    );
}

/// Sizes are odd numbers of bytes, rows and columns.
#[test]
fn tensors_of_every_type_are_moved_and_their_rows_meet() {
    for dtype in ELEMENTS {
        let text = format!(
            "{CHIP}pub fn k(#[shape(n, d)] x0: &GlobalTensor<{dtype}>, #[shape(d, n)] y0: &mut GlobalTensor<{dtype}>) {{\n    \
             for (t, r) in tiles((d, n)) {{\n        y0.at(t, r).store(x0.at(r, t).load());\n    }}\n}}\n"
        );
        let kernel = checked(&text);
        if dtype.bytes() % 4 != 0 && dtype.bytes() != 2 {
            // Gather takes elements of 16 and 32 bits.
            assert!(
                kernel.err().is_some_and(|why| why.contains("J0109")),
                "{dtype}"
            );
            continue;
        }
        if *dtype == DType::I64 {
            assert!(
                kernel.err().is_some_and(|why| why.contains("J0109")),
                "{dtype}"
            );
            continue;
        }
        let kernel = kernel.unwrap_or_else(|why| panic!("{why}"));
        let (n, d) = (37, 53);
        let bytes: Vec<u8> = elements(*dtype)[..n * d * dtype.bytes() as usize].to_vec();
        let x = Array::from_bytes(*dtype, &[n, d], &bytes).expect("bytes of elements");
        let size = dtype.bytes() as usize;
        let want: Vec<u8> = (0..d)
            .flat_map(|j| (0..n).map(move |i| i * d + j))
            .flat_map(|at| bytes[at * size..][..size].to_vec())
            .collect();
        let (tile, cpp) = (Tile::default(), Held::default());
        for backend in [None, Some(&tile as &dyn Backend), Some(&cpp)] {
            let mut y = Array::zeros(*dtype, &[d, n]).expect("an array");
            let launch = Launch::new(&kernel).input("x0", &x).output("y0", &mut y);
            let launch = if let Some(backend) = backend {
                launch.backend(backend)
            } else {
                launch
            };
            launch.run().unwrap_or_else(|e| panic!("{dtype}: {e}"));
            let found = y.as_input();
            let nan = |bytes: &[u8]| Number::of(*dtype, bytes).is_nan();
            let same = found
                .bytes()
                .chunks_exact(size)
                .zip(want.chunks_exact(size))
                .all(|(a, b)| a == b || nan(a) && nan(b));
            assert!(same, "{dtype}");
        }
    }
}
