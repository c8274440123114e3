//! Scalar arithmetic at the extremes of its types: evaluator, simulator, tile interpreter, and
//! emitted C++ on host and core. All must give the number that the language defines.

use super::agree::{run, Case, Tensor};
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::Value;
use jumar::held::Held;
use jumar::runtime::tile::Tile;
use jumar::runtime::{Backend, Overflow};

/// A row: an expression over the attributes `a`, `b`: `i32`, `n`: `usize`, `f`: `f32`, then their
/// values. The last entry is the `i32` result, or the refusal of the launch.
pub type Row = (&'static str, [i64; 3], f32, Result<i32, &'static str>);

const ROWS: &[Row] = &[
    ("a * a / 1000", [100_000, 0, 0], 0.0, Ok(1_410_065)),
    ("a * b", [i32::MIN as i64, -1, 0], 0.0, Ok(i32::MIN)),
    ("a + 1", [i32::MAX as i64, 0, 0], 0.0, Ok(i32::MIN)),
    ("a - 1", [i32::MIN as i64, 0, 0], 0.0, Ok(i32::MAX)),
    ("-a", [i32::MIN as i64, 0, 0], 0.0, Ok(i32::MIN)),
    ("a / b", [i32::MIN as i64, -1, 0], 0.0, Ok(i32::MIN)),
    ("a % b", [i32::MIN as i64, -1, 0], 0.0, Ok(0)),
    ("a / 2", [-7, 0, 0], 0.0, Ok(-3)),
    ("a % 2", [-7, 0, 0], 0.0, Ok(-1)),
    ("a.min(b).max(-5)", [i32::MIN as i64, 7, 0], 0.0, Ok(-5)),
    (
        "(n * 65536 + 9) as i32",
        [0, 0, 100_000],
        0.0,
        Ok(((100_000i64 << 16) + 9) as i32),
    ),
    (
        "(a as usize * 65536 / 65536) as i32",
        [-12_345, 0, 0],
        0.0,
        Ok(-12_345),
    ),
    (
        "(a as f32 * f) as i32",
        [i32::MAX as i64, 0, 0],
        2.0,
        Ok(i32::MAX),
    ),
    ("(f / f) as i32", [0, 0, 0], 0.0, Ok(0)),
    (
        "if b != 0 && a / b > 3 { 1 } else { 2 }",
        [9, 0, 0],
        0.0,
        Ok(2),
    ),
    ("if b != 0 { a / b } else { a + 1 }", [9, 0, 0], 0.0, Ok(10)),
    (
        "(n * n * n) as i32",
        [0, 0, 1 << 22],
        0.0,
        Err("an integer overflows 64 bits"),
    ),
    (
        "(n * n - n * n) as i32",
        [0, 0, 1 << 32],
        0.0,
        Err("an integer overflows 64 bits"),
    ),
    ("a / b", [1, 0, 0], 0.0, Err("a division by zero")),
    ("a % (b - 1)", [1, 1, 0], 0.0, Err("a division by zero")),
    (
        "if b == 0 { a / b } else { 1 }",
        [1, 0, 0],
        0.0,
        Err("a division by zero"),
    ),
    (
        "(n / (n - 3)) as i32",
        [0, 0, 3],
        0.0,
        Err("a division by zero"),
    ),
];

/// Writes the expression in a kernel: on the host before the loop, or on the core from variables
/// that it sets.
fn kernel(expression: &str, on_core: bool) -> String {
    let sets = if on_core {
        "let mut a = a; let mut b = b; let mut n = n; let mut f = f; a += 0; b += 0; n += 0; f += 0.0;"
    } else {
        ""
    };
    format!(
        "#[kernel]
pub fn sample(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>, a: i32, b: i32, n: usize, f: f32) {{
    {sets}
    let v: i32 = {expression};
    for t in tiles(x) {{
        y.at(t).store(x.at(t).load() * 0 + v);
    }}
}}"
    )
}

/// Returns the error of a row, if there is any.
pub fn wrong((expression, [a, b, n], f, want): &Row, on_core: bool) -> Option<String> {
    let tensor = |name: &str, written| Tensor {
        name: name.into(),
        dtype: DType::I32,
        shape: vec![9],
        written,
    };
    let ints = [("a", a), ("b", b), ("n", n)].map(|(name, v)| (name.to_string(), Value::Int(*v)));
    let case = Case {
        name: "sample".into(),
        chip: Chip::default_chip(),
        text: kernel(expression, on_core),
        tensors: vec![tensor("x", false), tensor("y", true)],
        attrs: ints
            .into_iter()
            .chain([("f".to_string(), Value::F32(*f))])
            .collect(),
        exact: true,
        seed: 1,
    };
    let kernel = match case.checked() {
        Ok(kernel) => kernel,
        Err(why) => return Some(why),
    };
    let (tile, cpp) = (Tile::default(), Held::default());
    let mut readers: Vec<(&str, Option<&dyn Backend>)> =
        vec![("simulator", None), ("interpreter", Some(&tile))];
    // Emitted device code does not check for results without a value.
    if want.is_ok() || !on_core {
        readers.push(("emitted C++", Some(&cpp)));
    }
    readers.into_iter().find_map(|(name, reader)| {
        let got =
            run(&case, &kernel, Overflow::InfNan, reader).map(|out| out[1].to_f64()[8] as i32);
        let same = match (&got, want) {
            (Ok(got), Ok(want)) => got == want,
            (Err(got), Err(want)) => got.contains(want),
            _ => false,
        };
        (!same).then(|| {
            format!(
                "`{expression}`, {}: {name} says {got:?}, the language {want:?}",
                if on_core { "core" } else { "host" }
            )
        })
    })
}

/// Returns every row, once on the host and once on a core.
pub fn rows() -> Vec<(&'static Row, bool)> {
    ROWS.iter()
        .flat_map(|row| [(row, false), (row, true)])
        .collect()
}
