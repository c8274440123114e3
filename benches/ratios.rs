//! Measures speed as ratios to a named peer in one run, so that the state of the machine cancels
//! out.
//!
//! `cargo bench --bench ratios` prints one row for each figure: median of ours, median of the peer,
//! their ratio, and the project's aim. Words after `--` select groups
//! (`cargo bench --bench ratios -- simulate`). Nothing is asserted. Memory is the growth of the
//! process's peak beyond the arrays (Linux only). The build time of `#[kernel]` is measured by
//! `cargo check` of two scratch programs, with and without kernels.

use half::{bf16, f16};
use jumar::codegen::{emit, EmitOptions, ProjectKind};
use jumar::cpp::Cpp;
use jumar::dsl::check::check;
use jumar::dsl::front::parse_file;
use jumar::dsl::ir::Kernel;
use jumar::dsl::lower::{observe, Observer, Pass};
use jumar::runtime::tile::Tile;
use jumar::runtime::{AsInput, AsOutput};
use jumar::{Chip, Launch};
use ndarray::{Array1, Array2, Axis};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const ADD: &str = include_str!("../examples/01_add.rs");
const SOFTMAX: &str = include_str!("../examples/04_softmax.rs");
const LARGEST: &str = include_str!("../examples/27_group_norm_grad.rs");
const RUNS: usize = 15;

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}

/// Returns the medians of two alternating actions, so that a slow minute affects both.
fn paired(runs: usize, mut ours: impl FnMut(), mut peer: impl FnMut()) -> (f64, f64) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    ours();
    peer();
    for _ in 0..runs {
        let start = Instant::now();
        ours();
        a.push(start.elapsed());
        let start = Instant::now();
        peer();
        b.push(start.elapsed());
    }
    (median(a), median(b))
}

fn row(what: &str, peer: &str, (ours, theirs): (f64, f64), aim: &str) {
    let unit = |s: f64| {
        if s < 1e-3 {
            format!("{:.1} us", s * 1e6)
        } else {
            format!("{:.2} ms", s * 1e3)
        }
    };
    println!(
        "{what:<46} {:>10} | {peer:<34} {:>10} | ratio {:>5.2} | {aim}",
        unit(ours),
        unit(theirs),
        ours / theirs
    );
}

/// Returns the kernel of a file as text, as a model or the command line would pass it.
fn kernel_text(file: &str) -> String {
    let start = file
        .find("#[kernel]")
        .or_else(|| file.find("#[kernels]"))
        .unwrap_or(0);
    let end = file[start..]
        .find("\n}\n")
        .map_or(file.len(), |i| start + i + 3);
    file[start..end].to_string()
}

fn checked(text: &str) -> jumar::dsl::check::CheckedKernel {
    let mut parsed = parse_file(text).unwrap_or_else(|e| panic!("{}", e.0.message));
    let kernel = parsed.remove(0).kernel.expect("a clean kernel");
    check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}", d[0].message))
}

fn compile_path() {
    let options = EmitOptions {
        kind: ProjectKind::Direct,
        ..EmitOptions::default()
    };
    let files = [
        ("add", ADD, "aim: below 4.5x"),
        ("softmax", SOFTMAX, "aim: below 9x"),
        ("group_norm_grad", LARGEST, "aim: below 25x"),
    ];
    for (name, file, aim) in files {
        let text = kernel_text(file);
        let times = paired(
            101,
            || drop(black_box(emit(&checked(&text), &options))),
            || drop(black_box(syn::parse_file(&text).expect("Rust"))),
        );
        row(
            &format!("check + lower + emit, {name}, 3 instances"),
            "syn::parse_file of the same text",
            times,
            aim,
        );
        let times = paired(
            101,
            || drop(black_box(checked(&text))),
            || drop(black_box(parse_file(&text).map(|p| p.len()))),
        );
        row(
            &format!("check + lower, {name}"),
            "front end alone",
            times,
            "",
        );
    }
}

/// Measures each pass in the lowering of the largest example.
fn passes() {
    #[derive(Default)]
    struct Clock {
        began: Cell<Option<Instant>>,
        took: RefCell<BTreeMap<String, Duration>>,
    }
    impl Observer for Clock {
        fn before(&self, _: &Pass) {
            self.began.set(Some(Instant::now()));
        }
        fn after(&self, name: &str, _: &dyn Fn() -> Kernel) {
            let pass = name.rsplit([':', '-']).next().unwrap_or(name);
            let took = self
                .began
                .take()
                .map_or(Duration::ZERO, |began| began.elapsed());
            *self.took.borrow_mut().entry(pass.to_owned()).or_default() += took;
        }
    }
    let (kernel, chip) = (checked(LARGEST).kernel().clone(), Chip::default_chip());
    let clock = Clock::default();
    let (all, _) = paired(RUNS, || observe(&kernel, 0, chip, &clock), || ());
    for (pass, took) in clock.took.into_inner() {
        row(
            &format!("pass {pass}"),
            "the lowering",
            (took.as_secs_f64() / (RUNS + 1) as f64, all),
            "",
        );
    }
}

fn simulate_add() {
    let n = 16 * 1024 * 1024;
    let kernel = checked(&kernel_text(ADD));
    let x = Array1::from_shape_fn(n, |i| i as f32);
    let y = Array1::from_shape_fn(n, |i| (n - i) as f32);
    let (mut z, mut w) = (Array1::<f32>::zeros(n), Array1::<f32>::zeros(n));
    z.fill(1.0);
    w.fill(1.0);
    let arrays = 4.0 * n as f64 * 4.0;
    let before = peak_bytes();
    let times = paired(
        RUNS,
        || {
            drop(
                Launch::new(&kernel)
                    .input("x", &x)
                    .input("y", &y)
                    .output("z", &mut z)
                    .run()
                    .expect("a run"),
            )
        },
        || {
            ndarray::Zip::from(&mut w)
                .and(&x)
                .and(&y)
                .for_each(|w, x, y| *w = x + y);
            black_box(&w);
        },
    );
    row(
        "simulate add, 16 Mi f32",
        "plain ndarray add, one thread",
        times,
        "aim: no slower than 3x",
    );
    assert_eq!(z, w);
    if let (Some(before), Some(after)) = (before, peak_bytes()) {
        let grown = (after - before).max(0.0);
        println!(
            "{:<46} {:>10} | {:<34} {:>10} | ratio {:>5.2} | aim: below 1.5x",
            "peak memory with the simulator",
            format!("{:.0} MB", (arrays + grown) / 1e6),
            "the arrays",
            format!("{:.0} MB", arrays / 1e6),
            (arrays + grown) / arrays
        );
    }
}

fn simulate_softmax() {
    let kernel = checked(&kernel_text(SOFTMAX));
    for shape in [(4096, 1024), (65536, 64)] {
        let x = Array2::from_shape_fn(shape, |(i, j)| {
            ((i * 31 + j * 17) % 1000) as f32 / 125.0 - 4.0
        });
        let (mut z, mut w) = (Array2::<f32>::zeros(shape), Array2::<f32>::zeros(shape));
        let times = paired(
            RUNS,
            || {
                drop(
                    Launch::new(&kernel)
                        .input("x", &x)
                        .output("y", &mut z)
                        .run()
                        .expect("a run"),
                )
            },
            || {
                for (mut out, row) in w.axis_iter_mut(Axis(0)).zip(x.axis_iter(Axis(0))) {
                    let max = row.fold(f32::NEG_INFINITY, |a, b| a.max(*b));
                    out.assign(&row.mapv(|v| (v - max).exp()));
                    let sum = out.sum();
                    out /= sum;
                }
                black_box(&w);
            },
        );
        row(
            &format!("simulate softmax, {} x {} f32", shape.0, shape.1),
            "straightforward ndarray softmax",
            times,
            "aim: no slower than 1.5x",
        );
        assert!(z.iter().zip(&w).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}

/// Measures chains of calls on tiles of one type, 4 Mi elements, beside a plain Rust loop: one
/// pass, each step in the type of the call.
fn simulate_chains() {
    let f32s = |i: usize| (i % 8191) as f32 / 64.0 - 60.0;
    chain("f32", "((v * 1.5 + 0.25).max(0.0) - v).abs()", f32s, |v| {
        ((v * 1.5 + 0.25).max(0.0) - v).abs()
    });
    // Each call rounds its result to the type.
    chain(
        "f16",
        "((v * 1.5 + 0.25).max(0.0) - v).abs()",
        move |i| f16::from_f32(f32s(i)),
        |v| {
            let by = f16::from_f32(v.to_f32() * 1.5);
            let more = f16::from_f32(by.to_f32() + 0.25);
            f16::from_f32((more.to_f32().max(0.0) - v.to_f32()).abs())
        },
    );
    chain(
        "bf16",
        "((v.cast::<f32>() * 1.5 + 0.25).max(0.0) - v.cast::<f32>()).abs().cast::<bf16>()",
        move |i| bf16::from_f32(f32s(i)),
        |v| {
            let u = v.to_f32();
            bf16::from_f32(((u * 1.5 + 0.25).max(0.0) - u).abs())
        },
    );
    chain(
        "i32",
        "(v * 3 + 1).max(0) - v",
        |i| i as i32 - 2_000_000,
        |v: i32| (v * 3 + 1).max(0) - v,
    );
    chain(
        "i16",
        "(v * 3 + 1).max(0) - v",
        |i| (i % 8000) as i16 - 4000,
        |v: i16| (v * 3 + 1).max(0) - v,
    );
    chain(
        "u32",
        "(((v & 255) << 3) | (v >> 5)) ^ v",
        |i| i as u32 * 977,
        |v: u32| (((v & 255) << 3) | (v >> 5)) ^ v,
    );
    chain(
        "u16",
        "(((v & 255) << 3) | (v >> 5)) ^ v",
        |i| (i * 977) as u16,
        |v: u16| (((v & 255) << 3) | (v >> 5)) ^ v,
    );
    let narrow = "(((v.cast::<f16>() * 0.5 + 1.0).max(2.0)) - 3.0).round().cast::<_>()";
    let of_byte = |v: f32| {
        let half = f16::from_f32(v * 0.5);
        let more = f16::from_f32(half.to_f32() + 1.0).to_f32().max(2.0);
        f16::from_f32(more - 3.0).to_f32().round_ties_even()
    };
    chain(
        "u8",
        &narrow.replace('_', "u8"),
        |i| i as u8,
        move |v: u8| of_byte(v.into()) as u8,
    );
    chain(
        "i8",
        &narrow.replace('_', "i8"),
        |i| i as u8 as i8,
        move |v: i8| of_byte(v.into()) as i8,
    );
    let whole = |v: i64| i64::from((v as i32 * 3 + 1).max(0));
    chain(
        "i64",
        "(v.cast::<i32>() * 3 + 1).max(0).cast::<i64>()",
        |i| i as i64 - 2_000_000,
        whole,
    );
    chain_of_masks();
}

/// Measures chains on bool, whose steps are those of masks.
fn chain_of_masks() {
    let kernel = checked("#[kernel] pub fn chain(x: &GlobalTensor<bool>, y: &GlobalTensor<bool>, z: &mut GlobalTensor<bool>) { for t in tiles(x) { let (v, w) = (x.at(t).load(), y.at(t).load()); z.at(t).store((v ^ w) | !v); } }");
    let n = 4 * 1024 * 1024;
    let (x, y) = (
        Array1::from_shape_fn(n, |i| i % 3 == 0),
        Array1::from_shape_fn(n, |i| i % 7 < 4),
    );
    let (mut z, mut w) = (
        jumar::Array::from(Array1::from_elem(n, false).into_dyn()),
        Array1::from_elem(n, false),
    );
    let times = paired(
        RUNS,
        || {
            drop(
                Launch::new(&kernel)
                    .input("x", &x)
                    .input("y", &y)
                    .output("z", &mut z)
                    .run()
                    .expect("a run"),
            )
        },
        || {
            ndarray::Zip::from(&mut w)
                .and(&x)
                .and(&y)
                .for_each(|w, x, y| *w = (x ^ y) | !x);
            black_box(&w);
        },
    );
    row(
        "simulate a chain of bool, 4 Mi",
        "plain loop of the same steps, one thread",
        times,
        "aim: no slower than 2x",
    );
    assert!(
        z == w.into_dyn().into(),
        "the loop of bool computes what the kernel does"
    );
}

/// Measures one chain.
fn chain<T>(ty: &str, of: &str, element: impl Fn(usize) -> T, step: impl Fn(T) -> T)
where
    T: Copy + Default + PartialEq,
    Array1<T>: AsInput + AsOutput,
{
    let text = format!("#[kernel] pub fn chain(x: &GlobalTensor<{ty}>, y: &mut GlobalTensor<{ty}>) {{ for t in tiles(x) {{ let v = x.at(t).load(); y.at(t).store({of}); }} }}");
    let kernel = checked(&text);
    let n = 4 * 1024 * 1024;
    let x = Array1::from_shape_fn(n, element);
    let (mut y, mut w) = (
        Array1::from_elem(n, T::default()),
        Array1::from_elem(n, T::default()),
    );
    let times = paired(
        RUNS,
        || {
            drop(
                Launch::new(&kernel)
                    .input("x", &x)
                    .output("y", &mut y)
                    .run()
                    .expect("a run"),
            )
        },
        || {
            ndarray::Zip::from(&mut w)
                .and(&x)
                .for_each(|w, x| *w = step(*x));
            black_box(&w);
        },
    );
    row(
        &format!("simulate a chain of {ty}, 4 Mi"),
        "plain loop of the same steps, one thread",
        times,
        "aim: no slower than 2x",
    );
    assert!(y == w, "the loop of {ty} computes what the kernel does");
}

/// Measures the tile interpreter beside the simulator, 1 Mi elements.
fn interpret() {
    let tile = Tile::default();
    for (name, file, shape) in [
        ("add", ADD, [1, 1 << 20]),
        ("softmax", SOFTMAX, [1024, 1024]),
        ("softmax", SOFTMAX, [16_384, 64]),
    ] {
        let kernel = checked(&kernel_text(file));
        let x = Array2::<f32>::from_shape_fn(shape, |(i, j)| ((i * 31 + j * 7) % 101) as f32 * 0.1);
        let run = |backend: Option<&Tile>, out: &mut Array2<f32>| {
            let output = if name == "add" { "z" } else { "y" };
            let mut launch = Launch::new(&kernel).input("x", &x).output(output, out);
            if name == "add" {
                launch = launch.input("y", &x);
            }
            if let Some(tile) = backend {
                launch = launch.backend(tile);
            }
            drop(black_box(launch.run().unwrap_or_else(|e| panic!("{e}"))));
        };
        let (mut ours, mut theirs) = (Array2::<f32>::zeros(shape), Array2::<f32>::zeros(shape));
        let times = paired(
            RUNS,
            || run(Some(&tile), &mut ours),
            || run(None, &mut theirs),
        );
        let what = format!("interpret {name}, {} x {} f32", shape[0], shape[1]);
        row(&what, "the simulator", times, "aim: no slower than 5x");
        assert!(ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}

/// Returns the peak resident bytes of this process so far; `None` where the system does not report
/// them.
fn peak_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<f64>()
        .ok()
        .map(|kib| kib * 1024.0)
}

/// Returns the seconds of `cargo check` of a program with `kernels` kernels, after a build of its
/// dependencies.
fn build_seconds(folder: &Path, kernels: usize) -> Option<f64> {
    let mut text = String::from("#![allow(unused_imports)]\nuse jumar::prelude::*;\n");
    for i in 0..kernels {
        let body = kernel_text(SOFTMAX).replacen("fn softmax", &format!("fn softmax_{i}"), 1);
        text.push_str(&body);
    }
    text.push_str("fn main() {}\n");
    std::fs::create_dir_all(folder.join("src")).ok()?;
    let root = env!("CARGO_MANIFEST_DIR");
    let manifest = format!("[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[dependencies]\njumar = {{ path = {root:?}, default-features = false }}\n[workspace]\n");
    std::fs::write(folder.join("Cargo.toml"), manifest).ok()?;
    let mut times = Vec::new();
    for turn in 0..6 {
        // A changed comment makes cargo check only the program again.
        std::fs::write(folder.join("src/main.rs"), format!("{text}// {turn}\n")).ok()?;
        let start = Instant::now();
        let status = Command::new("cargo")
            .args(["check", "--quiet", "--offline"])
            .current_dir(folder)
            .status()
            .ok()?;
        if !status.success() {
            return None;
        }
        if turn > 0 {
            times.push(start.elapsed());
        }
    }
    Some(median(times))
}

fn build_cost() {
    let folder = std::env::temp_dir().join(format!("jumar-bench-{}", std::process::id()));
    let (with, without) = (50, 0);
    if let (Some(none), Some(some)) = (
        build_seconds(&folder, without),
        build_seconds(&folder, with),
    ) {
        println!(
            "{:<46} {:>7.2} ms | {:<34} {:>7.0} ms | {with} kernels: {:.0} ms",
            "what #[kernel] adds to a build, a kernel",
            (some - none) * 1e3 / with as f64,
            "cargo check without kernels",
            none * 1e3,
            some * 1e3
        );
    } else {
        println!("what #[kernel] adds to a build: the scratch program could not be checked (is cargo offline-ready?)");
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// Measures the CPU build beside the simulator: the speed of the blocks, and the whole launch with
/// its arrays as files.
fn cpp_throughput() {
    let cpp = Cpp::default();
    for (name, file, shape) in [
        ("add", ADD, [1, 1 << 24]),
        ("softmax", SOFTMAX, [4096, 1024]),
        ("softmax", SOFTMAX, [65_536, 64]),
    ] {
        let kernel = checked(&kernel_text(file));
        let x = Array2::<f32>::from_shape_fn(shape, |(i, j)| ((i * 31 + j * 7) % 101) as f32 * 0.1);
        let mut out = Array2::<f32>::zeros(shape);
        let output = if name == "add" { "z" } else { "y" };
        let mut run = |backend: Option<&Cpp>| {
            let mut launch = Launch::new(&kernel).input("x", &x).output(output, &mut out);
            if name == "add" {
                launch = launch.input("y", &x);
            }
            if let Some(cpp) = backend {
                launch = launch.backend(cpp);
            }
            let start = Instant::now();
            drop(black_box(launch.run().unwrap_or_else(|e| panic!("{e}"))));
            start.elapsed()
        };
        run(None);
        run(Some(&cpp));
        let (mut simulated, mut whole, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..RUNS {
            simulated.push(run(None));
            whole.push(run(Some(&cpp)));
            blocks.push(Duration::from_micros(cpp.outcome().micros));
        }
        let simulated = median(simulated);
        let what = format!("emitted C++, {name} {}x{} f32", shape[0], shape[1]);
        row(
            &format!("{what}, blocks"),
            "simulator, whole launch",
            (median(blocks), simulated),
            "aim: below 3",
        );
        row(
            &format!("{what}, whole launch"),
            "simulator, whole launch",
            (median(whole), simulated),
            "",
        );
    }
}

/// Measures compiling and running one add kernel, new and from the cache.
fn cpp_compile() {
    let cpp = Cpp::default();
    let text = kernel_text(ADD);
    let x = Array1::<f32>::ones(1000);
    let run = |text: &str| {
        let kernel = checked(text);
        let mut z = Array1::<f32>::zeros(1000);
        let start = Instant::now();
        drop(black_box(
            Launch::new(&kernel)
                .backend(&cpp)
                .input("x", &x)
                .input("y", &x)
                .output("z", &mut z)
                .run()
                .expect("a run"),
        ));
        start.elapsed()
    };
    run(&text);
    let unique = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos());
    let (mut cold, mut cached) = (Vec::new(), Vec::new());
    for i in 0..5 {
        // A kernel of another name is another program.
        let other = text.replace("fn add", &format!("fn add_{unique}_{i}"));
        cold.push(run(&other));
        cached.push(run(&other));
    }
    row(
        "add through compile and run, new",
        "the same from the cache",
        (median(cold), median(cached)),
        "aims: 3 s, 50 ms",
    );
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let wanted = |group: &str| words.is_empty() || words.iter().any(|w| group.contains(w.as_str()));
    // `cargo test --benches` calls it without arguments; one short run shows that it works.
    println!("medians on this computer; nothing here was measured on an NPU");
    let groups: [(&str, fn()); 8] = [
        ("compile", compile_path),
        ("passes", passes),
        ("simulate-add", simulate_add),
        ("simulate-softmax", simulate_softmax),
        ("simulate-chains", simulate_chains),
        ("interpret", interpret),
        ("cpp-throughput", cpp_throughput),
        ("cpp-compile", cpp_compile),
    ];
    for (group, run) in groups {
        if wanted(group) {
            run();
        }
    }
    if wanted("build") && !std::env::args().any(|a| a == "--quick") {
        build_cost();
    }
}
