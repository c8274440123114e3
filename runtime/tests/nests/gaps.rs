//! Outputs with gaps: compares the checker's finding for all shapes (J0219) with the interpreter's
//! for each small shape (J0802).

use super::A2;
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::Kernel;
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{eval, Env, Value};
use jumar_runtime::tile::{Cut, Inputs, Tile};
use jumar_runtime::{JobBytes, Overflow, RunError};

/// The range of a loop.
const HEADS: [&str; 7] = ["n", "0..k", "k..n", "1..n", "0..n - 1", "m", "0..n / 2"];
/// The place of its store: one or two rows of `n`, `2 * n` or `n + m`.
const PLACES: [&str; 8] = [
    "t + 0",
    "t + 1",
    "n - 1 - t",
    "t * 2",
    "t * 2 + 1",
    "t * k",
    "t + n - k",
    "n + m - 1 - t",
];
/// The range of a second loop, and the place of its store.
const OTHERS: [(&str, &str); 10] = [
    ("n", "t + m"),
    ("n", "t * 2"),
    ("n", "t * 2 + 1"),
    ("m", "t + n"),
    ("m", "t + 0"),
    ("k..n", "t + 0"),
    ("k..n", "n - 1 - t"),
    ("0..k", "t + n"),
    ("0..1", "t + 0"),
    ("n - 1..n", "t + n"),
];
/// The stores of an iteration.
const TURNS: [fn(&str) -> String; 4] = [
    |at| format!("y.at({at}, ..).store(full((t, d), 1.0));"),
    |at| format!("for q in tiles(d) {{ y.at({at}, q).store(full((t, q), 1.0)); }}"),
    |at| format!("for i in 0..2 {{ y.at({at} + i, ..).store(full((t, d), 1.0)); }}"),
    |at| {
        format!("if k > 2 {{ y.at({at}, ..).store(full((t, d), 1.0)); }} else {{ y.at({at}, 0).store(full(t, 1.0)); }}")
    },
];

fn kernels() -> Vec<String> {
    let frame = |rows: &str, loops: &str| {
        format!(
            "#[kernel] fn f(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(rows = {rows}, d)] y: &mut GlobalTensor<f32>, k: usize) {{\n\
             require(k <= n); require(n >= 1); require(d >= 2);\n{loops}\n}}"
        )
    };
    let turn = |head: &str, at: &str, stores: fn(&str) -> String| {
        format!("for t in tiles({head}) {{ {} }}", stores(at))
    };
    let mut all = Vec::new();
    for rows in ["n", "2 * n", "n + m"] {
        for head in HEADS {
            for at in PLACES {
                all.extend(TURNS.map(|stores| frame(rows, &turn(head, at, stores))));
                for (other, place) in OTHERS {
                    let second = turn(other, place, TURNS[1]);
                    all.extend([TURNS[0], TURNS[2]].map(|stores| {
                        frame(rows, &format!("{}\n{second}", turn(head, at, stores)))
                    }));
                }
            }
        }
    }
    all
}

/// Runs a kernel for one shape: true if it leaves a gap, `None` where it cannot run.
fn gap(kernel: &Kernel, dims: &[i64], k: i64) -> Option<bool> {
    let (sig, chip) = (&kernel.sig, Chip::by_name(A2)?);
    let mut attrs = vec![None; sig.params.len()];
    *attrs.last_mut()? = Some(Value::Int(k));
    let env = Env {
        dims,
        attrs: &attrs,
        chip,
        vars: Vec::new(),
        block: None,
    };
    if !sig
        .facts
        .iter()
        .all(|fact| eval(&fact.cond, &env) == Ok(Value::Bool(true)))
    {
        return None;
    }
    let mut bytes = Vec::new();
    for (id, ..) in sig.tensors() {
        let elements = eval(&sig.elements(id), &env).and_then(Value::as_int).ok()?;
        bytes.push(vec![0u8; usize::try_from(elements).ok()? * 4]);
    }
    let (y, read) = bytes.split_last_mut()?;
    let mut tensors: Vec<(&str, JobBytes<'_>)> = vec![
        ("x", JobBytes::Read(&read[0])),
        ("w", JobBytes::Read(&read[1])),
    ];
    tensors.push(("y", JobBytes::Write(y)));
    let inputs = Inputs {
        chip,
        dims,
        attrs: &attrs,
        overflow: Overflow::default(),
        tensors,
    };
    match Tile::new(Cut::Whole, false).interpret(kernel, 0, inputs) {
        Ok(()) => Some(false),
        Err(RunError::Fault(fault)) if fault.code == Code::J0802 => Some(true),
        Err(_) => None,
    }
}

/// True if some small shape leaves a gap.
fn leaves_gaps(kernel: &Kernel) -> bool {
    let sizes = |dims: usize| {
        (0..4i64.pow(dims as u32)).map(move |nth| {
            (0..dims)
                .map(|at| nth / 4i64.pow(at as u32) % 4 + 1)
                .collect()
        })
    };
    let mut shapes = sizes(kernel.sig.axes.len())
        .flat_map(|dims: Vec<i64>| (0..4).map(move |k| (dims.clone(), k)));
    shapes.any(|(dims, k)| gap(kernel, &dims, k) == Some(true))
}

/// Returns the numbers of refused and of accepted kernels, among those without another mistake.
pub fn compare() -> (usize, usize) {
    let chip = Chip::by_name(A2).expect("a chip");
    let (mut refused, mut passed) = (0, 0);
    for text in kernels() {
        let parsed = parse_file(&text)
            .unwrap_or_else(|(d, _)| panic!("{}: {text}", d.message))
            .remove(0);
        let Some(kernel) = parsed.kernel else {
            panic!("{:?} {text}", parsed.diagnostics)
        };
        let found = check(&kernel, chip).err().unwrap_or_default();
        let says = found.iter().any(|d| d.code == Code::J0219);
        // Earlier findings hide this one. A kernel that does not lower was judged before.
        if found
            .iter()
            .any(|d| ![Code::J0219, Code::J0109].contains(&d.code))
        {
            continue;
        }
        assert_eq!(
            says,
            leaves_gaps(&kernel),
            "{text}\n{:?}",
            found.iter().map(|d| &d.message).collect::<Vec<_>>()
        );
        *(if says { &mut refused } else { &mut passed }) += 1;
    }
    (refused, passed)
}
