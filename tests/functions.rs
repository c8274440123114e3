//! The functions of the library against f64, over all of what a float can be: numbers of every size, halves to the last one, infinities, nan.
//!
//! What each may be off by stands in the table of [`jumar::dsl::library`]. The reference is `libm`, another hand's. `JUMAR_TABLE=1` prints the
//! worst of each function, `JUMAR_STEP=997` takes every 997th float; simulator, interpreter and emitted C++ must give the same bits.

use half::{bf16, f16};
use jumar::cpp::Cpp;
use jumar::dsl::dtype::DType;
use jumar::dsl::library::{Error, FUNCTIONS};
use jumar::load::check_text;
use jumar::runtime::tile::{Cut, Tile};
use jumar::runtime::{Array, Backend, Overflow};
use jumar::Chip;
use ndarray::{ArrayD, IxDyn};

/// What a function means: of the tile that it is called on, beside the numbers of the call.
type Meaning = fn(f64) -> f64;

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

fn up_to_65536(x: f64, f: fn(f64) -> f64) -> f64 {
    if x.abs() < 65536.0 {
        f(x)
    } else {
        f64::NAN
    }
}

/// What the text computes with these numbers, which are those of `f32`.
const SLOPE: f64 = 0.01f32 as f64;

/// Each function with the numbers of a call and its meaning.
const MEANINGS: &[(&str, &str, Meaning)] = &[
    ("sigmoid", "", sigmoid),
    ("log_sigmoid", "", |x| -softplus(-x)),
    ("silu", "", |x| if x == f64::NEG_INFINITY { f64::NAN } else { x * sigmoid(x) }),
    ("softplus", "", softplus),
    ("softsign", "", |x| x / (1.0 + x.abs())),
    ("mish", "", |x| if x == f64::NEG_INFINITY { f64::NAN } else { x * libm::tanh(softplus(x)) }),
    ("gelu", "", |x| if x == f64::NEG_INFINITY { f64::NAN } else { 0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) }),
    ("gelu_tanh", "", |x| {
        let inner = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
        if x == f64::NEG_INFINITY {
            f64::NAN
        } else {
            x * sigmoid(2.0 * inner)
        }
    }),
    ("elu", "0.75", |x| if x > 0.0 { x } else { 0.75 * libm::expm1(x) }),
    ("selu", "", |x| {
        let (scale, alpha) = (1.050_700_987_355_480_5, 1.673_263_242_354_377_2);
        if x > 0.0 {
            scale * x
        } else {
            scale * alpha * libm::expm1(x)
        }
    }),
    ("celu", "1.5", |x| if x > 0.0 { x } else { 1.5 * libm::expm1(x / 1.5) }),
    ("leaky_relu", "0.01", |x| if x > 0.0 { x } else { x * SLOPE }),
    ("relu6", "", |x| x.clamp(0.0, 6.0)),
    ("hard_sigmoid", "", |x| (x / 6.0 + 0.5).clamp(0.0, 1.0)),
    ("hard_swish", "", |x| x * (x / 6.0 + 0.5).clamp(0.0, 1.0)),
    ("expm1", "", libm::expm1),
    ("exp2", "", libm::exp2),
    ("log1p", "", libm::log1p),
    ("log2", "", libm::log2),
    ("log10", "", libm::log10),
    ("pow", "2.5", |x| if x < 0.0 { f64::NAN } else { libm::pow(x, 2.5) }),
    ("pow", "-3.0", |x| if x == 0.0 { f64::INFINITY } else { libm::pow(x, -3.0) }),
    ("pow", "0.0", |_| 1.0),
    ("pow", "2", |x| x * x),
    ("pow", "3.0", |x| x * x * x),
    ("pow", "0.5", |x| if x < 0.0 { f64::NAN } else { x.sqrt() }),
    ("pow", "-1.0", |x| 1.0 / x),
    ("pow", "-0.5", |x| if x < 0.0 { f64::NAN } else { 1.0 / x.sqrt() }),
    // As is left where the text does not say the power.
    ("pow", "v.clamp(2.0, 2.0)", |x| x * x),
    ("square", "", |x| x * x),
    ("sin", "", |x| up_to_65536(x, libm::sin)),
    ("cos", "", |x| up_to_65536(x, libm::cos)),
    ("tan", "", |x| up_to_65536(x, libm::tan)),
    ("asin", "", libm::asin),
    ("acos", "", libm::acos),
    ("atan", "", libm::atan),
    ("sinh", "", libm::sinh),
    ("cosh", "", libm::cosh),
    ("tanh", "", libm::tanh),
    ("asinh", "", libm::asinh),
    ("acosh", "", |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }),
    ("atanh", "", libm::atanh),
    ("erf", "", libm::erf),
    ("erfc", "", libm::erfc),
    ("floor", "", f64::floor),
    ("ceil", "", f64::ceil),
    ("round", "", f64::round_ties_even),
    ("trunc", "", f64::trunc),
    ("frac", "", |x| x - x.trunc()),
    ("sign", "", |x| if x == 0.0 || x.is_nan() { x } else { x.signum() }),
    ("clamp", "-1.5, 2.0", |x| x.clamp(-1.5, 2.0)),
    ("lerp", "3.0, 0.25", |x| x + (3.0 - x) * 0.25),
    ("is_finite", "", |x| f64::from(x.is_finite())),
    ("is_inf", "", |x| f64::from(x.is_infinite())),
    ("is_nan", "", |x| f64::from(x.is_nan())),
];

fn kernel(name: &str, args: &str, dtype: DType) -> String {
    let call = match name.starts_with("is_") {
        true => format!("v.{name}({args}).select(1, 0).cast::<f32>().cast::<T>()"),
        false => format!("v.{name}({args})"),
    };
    format!(
        "use jumar::prelude::*;\n#[kernel]\n#[instances({dtype})]\npub fn of_{name}<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {{\n\
         for t in tiles(x) {{\nlet v = x.at(t).load();\ny.at(t).store({call});\n}}\n}}\n"
    )
}

/// What a kernel makes of elements, as f64 and as it is.
fn results(text: &str, chip: &str, given: &Array, backend: Option<&dyn Backend>) -> Array {
    let file = check_text("function.rs", text, Chip::by_name(chip));
    let found = || file.kernels().first()?.checked.first();
    let kernel = found().unwrap_or_else(|| panic!("{text}\n{}", file.render(false)));
    let mut y = Array::zeros(given.dtype(), given.shape()).unwrap();
    let launch = jumar::runtime::Launch::new(kernel).input("x", given).output("y", &mut y);
    let launch = backend.into_iter().fold(launch, |launch, backend| launch.backend(backend));
    launch.run().unwrap_or_else(|e| panic!("{text}\n{e}"));
    y
}

fn array(dtype: DType, values: &[f32]) -> Array {
    let shape = IxDyn(&[values.len()]);
    match dtype {
        DType::F32 => ArrayD::from_shape_vec(shape, values.to_vec()).unwrap().into(),
        DType::F16 => ArrayD::from_shape_vec(shape, values.iter().map(|v| f16::from_f32(*v)).collect::<Vec<_>>()).unwrap().into(),
        DType::Bf16 => {
            ArrayD::from_shape_vec(shape, values.iter().map(|v| bf16::from_f32(*v)).collect::<Vec<_>>()).unwrap().into()
        }
        other => panic!("no float: {other}"),
    }
}

/// Floats of every size and sign, all that are special, and the neighbourhoods of numbers where functions change their way.
fn floats() -> Vec<f32> {
    let step = std::env::var("JUMAR_STEP").ok().and_then(|s| s.parse().ok()).unwrap_or(40_009);
    let mut all: Vec<f32> = (0..u32::MAX).step_by(step).map(f32::from_bits).collect();
    let special = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE, 1e-45, -1e-45, f32::MAX, f32::MIN];
    all.extend(special);
    let edges = [
        0.5,
        0.55,
        1.0,
        2.0,
        3.0,
        3.93,
        6.0,
        9.2,
        10.1,
        20.0,
        30.0,
        88.72,
        89.4,
        103.9,
        127.5,
        128.0,
        65536.0,
        8_388_608.0,
        1e10,
        1e19,
    ];
    for edge in edges {
        let bits = f32::to_bits(edge);
        all.extend((bits - 40..bits + 40).flat_map(|b| [f32::from_bits(b), -f32::from_bits(b)]));
    }
    // Where most arguments are, and the multiples of a quarter of pi.
    all.extend((0..20_000).map(|i| (i as f32 - 10_000.0) * 0.001));
    all.extend((0..4000).map(|i| ((f64::from(i) * 16.4 - 32_000.0).round() * std::f64::consts::FRAC_PI_4) as f32));
    all.extend((0..1000).map(|i| ((f64::from(i) - 500.0) * std::f64::consts::FRAC_PI_4) as f32));
    // Whole data blocks of every type, which Atlas inference products copy alone.
    all.resize(all.len().next_multiple_of(16), 1.0);
    all
}

/// The distance of neighbouring numbers of a type at a number.
fn unit(dtype: DType, v: f64) -> f64 {
    let (digits, least) = match dtype {
        DType::F32 => (23, -126),
        DType::F16 => (10, -14),
        DType::Bf16 => (7, -126),
        other => panic!("no float: {other}"),
    };
    let exponent = if v == 0.0 { least } else { libm::ilogb(v).max(least) };
    libm::ldexp(1.0, exponent - digits)
}

fn largest(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 65504.0,
        DType::Bf16 => bf16::MAX.to_f64(),
        _ => f64::from(f32::MAX),
    }
}

/// How many times what is allowed a result is off by; of a power, which one.
fn excess(got: f64, x: f64, (of, power): (Meaning, Option<f64>), error: Error, dtype: DType) -> f64 {
    let want = of(x);
    if got == want || got.is_nan() && want.is_nan() {
        return 0.0;
    }
    // What is computed is `f32`, and what is stored is rounded once.
    let mut allowed = error.ulp * unit(DType::F32, want) + error.least;
    let off = error.argument * f64::from(f32::EPSILON);
    allowed += match power {
        Some(e) => want.abs() * libm::expm1((e * libm::log(x.abs())).abs() * off),
        None => [x * (1.0 + off), x * (1.0 - off)]
            .map(|near| (of(near) - want).abs())
            .into_iter()
            .filter(|d| d.is_finite())
            .fold(0.0, f64::max),
    };
    if dtype != DType::F32 {
        allowed += 0.5 * unit(dtype, want);
    }
    let end = largest(dtype);
    if got.is_infinite() && want.abs() + allowed >= end && got.signum() == want.signum() {
        return 0.0;
    }
    match (got - want).abs() {
        off if off.is_nan() => f64::INFINITY,
        off if off <= allowed => off / allowed,
        off => off / allowed.max(f64::MIN_POSITIVE),
    }
}

#[test]
fn every_function_has_a_meaning() {
    for f in FUNCTIONS {
        assert!(MEANINGS.iter().any(|(name, ..)| *name == f.name), "{}", f.name);
    }
}

#[test]
fn functions_are_as_exact_as_their_rows_say() {
    let table = std::env::var("JUMAR_TABLE").is_ok();
    let all = floats();
    let halves: Vec<f32> = (0..=u16::MAX).map(|b| f16::from_bits(b).to_f32()).collect();
    let brains: Vec<f32> = (0..=u16::MAX).map(|b| bf16::from_bits(b).to_f32()).collect();
    let mut missed = Vec::new();
    for (name, args, meaning) in MEANINGS {
        let error = FUNCTIONS.iter().find(|f| f.name == *name).unwrap().error;
        let power = (*name == "pow").then(|| args.parse().unwrap_or(2.0));
        for (dtype, values) in [(DType::F32, &all), (DType::F16, &halves), (DType::Bf16, &brains)] {
            for chip in ["ascend910b1", "ascend310p"] {
                if (dtype, chip) == (DType::Bf16, "ascend310p") {
                    continue;
                }
                let x = array(dtype, values);
                let y = results(&kernel(name, args, dtype), chip, &x, None).to_f64();
                let off = |(x, y): (&f64, &f64)| excess(*y, *x, (*meaning, power), error, dtype);
                let x = x.to_f64();
                let (worst, at) = x.iter().zip(&y).map(off).zip(0..).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
                let (x, y): (f64, f64) = (x[at], y[at]);
                let line = format!(
                    "{name}({args}) of {dtype} on {chip}: {worst:.2} of what is allowed at {x:e}: {y:e}, meant {:e}",
                    meaning(x)
                );
                if table {
                    println!("{line}");
                }
                if worst > 1.0 {
                    missed.push(line);
                }
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn readers_give_the_same_bits_of_every_function() {
    let given = array(DType::F32, &floats().into_iter().step_by(7).collect::<Vec<_>>());
    let interpreter = Tile::new(Cut::Whole, false);
    for (name, args, _) in MEANINGS {
        let text = kernel(name, args, DType::F32);
        let simulated = results(&text, "ascend910b1", &given, None);
        let interpreted = results(&text, "ascend910b1", &given, Some(&interpreter));
        assert_same(&simulated, &interpreted, &text);
    }
}

fn assert_same(a: &Array, b: &Array, text: &str) {
    let bits = |a: &Array| a.to_f64().iter().map(|v| if v.is_nan() { u64::MAX } else { v.to_bits() }).collect::<Vec<_>>();
    assert_eq!(bits(a), bits(b), "{text}");
}

/// All of them in few kernels, since each takes a compiler half a second.
#[test]
fn emitted_text_gives_the_same_bits_of_every_function() {
    let given = array(DType::F32, &floats().into_iter().step_by(31).collect::<Vec<_>>());
    for (nth, part) in MEANINGS.chunks(8).enumerate() {
        let outputs: Vec<String> = (0..part.len()).map(|i| format!("y{i}: &mut GlobalTensor<f32>")).collect();
        let stores: Vec<String> = part
            .iter()
            .enumerate()
            .map(|(i, (name, args, _))| match name.starts_with("is_") {
                true => format!("y{i}.at(t).store(v.{name}({args}).select(1.0, 0.0));"),
                false => format!("y{i}.at(t).store(v.{name}({args}));"),
            })
            .collect();
        let text = format!(
            "use jumar::prelude::*;\n#[kernel]\npub fn part{nth}(x: &GlobalTensor<f32>, {}) {{\nfor t in tiles(x).buffer_num(1) {{\nlet v = x.at(t).load();\n{}\n}}\n}}\n",
            outputs.join(", "),
            stores.join("\n")
        );
        let file = check_text("functions.rs", &text, None);
        let kernel = file.kernels().first().and_then(|k| k.checked.first()).unwrap_or_else(|| panic!("{}", file.render(false)));
        let run = |backend: Option<&dyn Backend>| {
            let mut ys: Vec<Array> = part.iter().map(|_| Array::zeros(DType::F32, given.shape()).unwrap()).collect();
            let mut launch = jumar::runtime::Launch::new(kernel).overflow(Overflow::default()).input("x", &given);
            let names: Vec<String> = (0..part.len()).map(|i| format!("y{i}")).collect();
            for (name, y) in names.iter().zip(&mut ys) {
                launch = launch.output(name, y);
            }
            if let Some(backend) = backend {
                launch = launch.backend(backend);
            }
            launch.run().unwrap_or_else(|e| panic!("{text}\n{e}"));
            ys
        };
        let cpp = Cpp::new(None, false);
        for ((simulated, emitted), (name, ..)) in run(None).iter().zip(&run(Some(&cpp))).zip(part) {
            assert_same(simulated, emitted, name);
        }
    }
}
