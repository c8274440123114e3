//! The functions of the library against f64, over all that a float can be: numbers of every size,
//! every half, infinities, nan.
//!
//! The table of [`jumar::dsl::library`] has the allowed errors. The reference is `libm`, an
//! independent implementation. Simulator, interpreter and emitted C++ must give equal bits.
//! `JUMAR_TABLE=1` prints the worst result of each function. `JUMAR_STEP=997` takes every 997th
//! float; the gate takes every 400,009th, the night every 8,009th.

use crate::cost::handwritten;
use half::{bf16, f16};
use jumar::cpp::Cpp;
use jumar::dsl::dtype::DType;
use jumar::dsl::library::{Error, FUNCTIONS};
use jumar::load::check_text;
use jumar::runtime::tile::{Cut, Tile};
use jumar::runtime::{Array, Backend, Overflow};
use jumar::Chip;
use jumar_kit::tier;
use ndarray::{ArrayD, IxDyn};

/// The reference of a function of one tile, for the numbers of the call.
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

/// Returns the root of `erf(y) = x` by Halley's method, on the side without cancellation.
fn erfinv(x: f64) -> f64 {
    if x == 0.0 || x.abs() >= 1.0 || x.is_nan() {
        return if x == 0.0 || x.is_nan() {
            x
        } else {
            x / (1.0 - x.abs()).max(0.0) * if x.abs() > 1.0 { f64::NAN } else { 1.0 }
        };
    }
    let a = x.abs();
    let mut y = if a < 0.9 {
        a
    } else {
        (-libm::log1p(-a)).sqrt() - 0.3
    };
    for _ in 0..60 {
        let off = if a < 0.5 {
            libm::erf(y) - a
        } else {
            (1.0 - a) - libm::erfc(y)
        };
        let step = off * libm::exp(y * y) * (std::f64::consts::PI.sqrt() / 2.0);
        y -= step / (1.0 + y * step);
    }
    y.copysign(x)
}

/// Computes digamma by recurrence and asymptotic series, and by reflection for negative `x`.
fn digamma(x: f64) -> f64 {
    if x < 0.0 {
        let f = x - x.round();
        return match f == 0.0 || x.is_infinite() {
            true => f64::NAN,
            false if x > -1e-3 => digamma(x + 1.0) - 1.0 / x,
            false => digamma(1.0 - x) - std::f64::consts::PI / libm::tan(std::f64::consts::PI * f),
        };
    }
    let (mut sum, mut y) = (0.0, x);
    while y < 20.0 {
        (sum, y) = (sum - 1.0 / y, y + 1.0);
    }
    let z = 1.0 / (y * y);
    sum + libm::log(y)
        - 0.5 / y
        - z * (1.0 / 12.0 - z * (1.0 / 120.0 - z * (1.0 / 252.0 - z * (1.0 / 240.0 - z / 132.0))))
}

/// The default slope, as the `f32` that the text computes with.
const SLOPE: f64 = 0.01f32 as f64;

/// Each function with the numbers of a call and its reference.
const MEANINGS: &[(&str, &str, Meaning)] = &[
    ("sigmoid", "", sigmoid),
    ("log_sigmoid", "", |x| -softplus(-x)),
    ("silu", "", |x| {
        if x == f64::NEG_INFINITY {
            f64::NAN
        } else {
            x * sigmoid(x)
        }
    }),
    ("softplus", "", softplus),
    ("softsign", "", |x| x / (1.0 + x.abs())),
    ("mish", "", |x| {
        if x == f64::NEG_INFINITY {
            f64::NAN
        } else {
            x * libm::tanh(softplus(x))
        }
    }),
    ("gelu", "", |x| {
        if x == f64::NEG_INFINITY {
            0.0
        } else {
            0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
        }
    }),
    ("gelu_tanh", "", |x| {
        let inner = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
        if x == f64::NEG_INFINITY {
            f64::NAN
        } else {
            x * sigmoid(2.0 * inner)
        }
    }),
    ("elu", "0.75", |x| {
        if x > 0.0 {
            x
        } else {
            0.75 * libm::expm1(x)
        }
    }),
    ("selu", "", |x| {
        let (scale, alpha) = (1.050_700_987_355_480_5, 1.673_263_242_354_377_2);
        if x > 0.0 {
            scale * x
        } else {
            scale * alpha * libm::expm1(x)
        }
    }),
    ("celu", "1.5", |x| {
        if x > 0.0 {
            x
        } else {
            1.5 * libm::expm1(x / 1.5)
        }
    }),
    (
        "leaky_relu",
        "0.01",
        |x| if x > 0.0 { x } else { x * SLOPE },
    ),
    ("relu6", "", |x| x.clamp(0.0, 6.0)),
    ("hard_sigmoid", "", |x| (x / 6.0 + 0.5).clamp(0.0, 1.0)),
    ("hard_swish", "", |x| x * (x / 6.0 + 0.5).clamp(0.0, 1.0)),
    ("expm1", "", libm::expm1),
    ("exp2", "", libm::exp2),
    ("log1p", "", libm::log1p),
    ("log2", "", libm::log2),
    ("log10", "", libm::log10),
    ("pow", "2.5", |x| {
        if x < 0.0 {
            f64::NAN
        } else {
            libm::pow(x, 2.5)
        }
    }),
    ("pow", "-3.0", |x| {
        if x == 0.0 {
            f64::INFINITY
        } else {
            libm::pow(x, -3.0)
        }
    }),
    ("pow", "4.0", |x| libm::pow(x, 4.0)),
    ("pow", "5", |x| libm::pow(x, 5.0)),
    ("pow", "0.0", |_| 1.0),
    ("pow", "2", |x| x * x),
    ("pow", "3.0", |x| x * x * x),
    ("pow", "0.5", |x| if x < 0.0 { f64::NAN } else { x.sqrt() }),
    ("pow", "-1.0", |x| 1.0 / x),
    ("pow", "-0.5", |x| {
        if x < 0.0 {
            f64::NAN
        } else {
            1.0 / x.sqrt()
        }
    }),
    // A power that is not a literal.
    ("pow", "v.clamp(2.0, 2.0)", |x| x * x),
    ("square", "", |x| x * x),
    ("cbrt", "", libm::cbrt),
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
    (
        "acosh",
        "",
        |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) },
    ),
    ("atanh", "", libm::atanh),
    ("erf", "", libm::erf),
    ("erfc", "", libm::erfc),
    ("erfinv", "", erfinv),
    ("lgamma", "", |x| {
        if x == f64::NEG_INFINITY {
            f64::INFINITY
        } else {
            libm::lgamma(x)
        }
    }),
    ("digamma", "", digamma),
    ("floor", "", f64::floor),
    ("ceil", "", f64::ceil),
    ("round", "", f64::round_ties_even),
    ("trunc", "", f64::trunc),
    ("frac", "", |x| x - x.trunc()),
    ("sign", "", |x| {
        if x == 0.0 || x.is_nan() {
            x
        } else {
            x.signum()
        }
    }),
    ("clamp", "-1.5, 2.0", |x| x.clamp(-1.5, 2.0)),
    ("lerp", "3.0, 0.25", |x| x + (3.0 - x) * 0.25),
    ("is_finite", "", |x| f64::from(x.is_finite())),
    ("is_inf", "", |x| f64::from(x.is_infinite())),
    ("is_nan", "", |x| f64::from(x.is_nan())),
];

/// The reference of a function of two tiles.
type MeaningOfTwo = fn(f64, f64) -> f64;

/// The functions of two tiles. Results of zero have the sign of the reference.
const PAIRS: &[(&str, MeaningOfTwo)] = &[
    ("hypot", |x, w| {
        if x.is_nan() || w.is_nan() {
            f64::NAN
        } else {
            libm::hypot(x, w)
        }
    }),
    ("atan2", libm::atan2),
    ("fmod", fmod),
    ("remainder", |x, d| {
        let r = fmod(x, d);
        if r != 0.0 && (r < 0.0) != (d < 0.0) {
            r + d
        } else {
            r
        }
    }),
];

fn fmod(x: f64, d: f64) -> f64 {
    match (x / d) as f32 {
        q if q.abs() >= 16_777_216.0 => f64::NAN,
        _ => libm::fmod(x, d),
    }
}

/// Writes a kernel that stores these functions of two tensors.
fn kernel_of_two(names: &[&str], dtype: DType) -> String {
    let outputs: Vec<String> = names
        .iter()
        .map(|name| format!("{name}: &mut GlobalTensor<T>"))
        .collect();
    let stores: Vec<String> = names
        .iter()
        .map(|name| format!("{name}.at(t).store(x.{name}(w));"))
        .collect();
    format!(
        "use jumar::prelude::*;\n#[kernel]\n#[instances({dtype})]\npub fn of_two<T: Float>(x: &GlobalTensor<T>, w: &GlobalTensor<T>, {}) {{\n\
         for t in tiles(x) {{\nlet (x, w) = (x.at(t).load(), w.at(t).load());\n{}\n}}\n}}\n",
        outputs.join(", "),
        stores.join("\n")
    )
}

/// Returns pairs of numbers of a type: all special ones with one another, then drawn ones beside
/// numbers of about their size.
fn pairs(dtype: DType) -> [Vec<f32>; 2] {
    let special = [
        0.0,
        1.0,
        3.0,
        2.5,
        f32::INFINITY,
        f32::NAN,
        1e-45,
        f32::MIN_POSITIVE,
        1e30,
        f32::MAX,
        1e-6,
        6e-8,
        65504.0,
    ];
    let special: Vec<f32> = special.iter().flat_map(|v| [*v, -*v]).collect();
    let mut all: Vec<(f32, f32)> = special
        .iter()
        .flat_map(|x| special.iter().map(|w| (*x, *w)))
        .collect();
    let mut seed = 88_172_645_463_325_252_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 16) as u32
    };
    for _ in 0..200_000 {
        let x = next();
        let exponent = ((x >> 23 & 255) + next() % 56).saturating_sub(28).min(254);
        let (x, w) = (
            f32::from_bits(x),
            f32::from_bits(next() & 0x807f_ffff | exponent << 23),
        );
        all.push(if next() % 2 == 0 { (x, w) } else { (w, x) });
        // Small numbers and products of them.
        let (k, d) = (
            (next() % 2000) as f32 - 1000.0,
            (next() % 64) as f32 * 0.125 - 4.0,
        );
        all.push((k * 0.25, d));
    }
    let rounded = |v: f32| match dtype {
        DType::F16 => f16::from_f32(v).to_f32(),
        DType::Bf16 => bf16::from_f32(v).to_f32(),
        _ => v,
    };
    all.resize(all.len().next_multiple_of(16), (1.0, 1.0));
    let (x, w): (Vec<f32>, Vec<f32>) = all
        .into_iter()
        .map(|(x, w)| (rounded(x), rounded(w)))
        .unzip();
    [x, w]
}

/// Runs these functions on two tensors.
fn results_of_two(
    names: &[&str],
    chip: &str,
    dtype: DType,
    given: &[Vec<f32>; 2],
    backend: Option<&dyn Backend>,
) -> Vec<Array> {
    let text = kernel_of_two(names, dtype);
    let file = check_text("function.rs", &text, Chip::by_name(chip));
    let found = || file.kernels().first()?.checked.first();
    let kernel = found().unwrap_or_else(|| panic!("{text}\n{}", file.render(false)));
    let [x, w] = given.each_ref().map(|values| array(dtype, values));
    let mut ys: Vec<Array> = names
        .iter()
        .map(|_| Array::zeros(dtype, x.shape()).unwrap())
        .collect();
    let mut launch = jumar::runtime::Launch::new(kernel)
        .input("x", &x)
        .input("w", &w);
    for (name, y) in names.iter().zip(&mut ys) {
        launch = launch.output(name, y);
    }
    let launch = backend
        .into_iter()
        .fold(launch, |launch, backend| launch.backend(backend));
    launch.run().unwrap_or_else(|e| panic!("{text}\n{e}"));
    ys
}

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

/// Runs a kernel on one tensor.
fn results(text: &str, chip: &str, given: &Array, backend: Option<&dyn Backend>) -> Array {
    let file = check_text("function.rs", text, Chip::by_name(chip));
    let found = || file.kernels().first()?.checked.first();
    let kernel = found().unwrap_or_else(|| panic!("{text}\n{}", file.render(false)));
    let mut y = Array::zeros(given.dtype(), given.shape()).unwrap();
    let launch = jumar::runtime::Launch::new(kernel)
        .input("x", given)
        .output("y", &mut y);
    let launch = backend
        .into_iter()
        .fold(launch, |launch, backend| launch.backend(backend));
    launch.run().unwrap_or_else(|e| panic!("{text}\n{e}"));
    y
}

fn array(dtype: DType, values: &[f32]) -> Array {
    let shape = IxDyn(&[values.len()]);
    match dtype {
        DType::F32 => ArrayD::from_shape_vec(shape, values.to_vec())
            .unwrap()
            .into(),
        DType::F16 => ArrayD::from_shape_vec(
            shape,
            values.iter().map(|v| f16::from_f32(*v)).collect::<Vec<_>>(),
        )
        .unwrap()
        .into(),
        DType::Bf16 => ArrayD::from_shape_vec(
            shape,
            values
                .iter()
                .map(|v| bf16::from_f32(*v))
                .collect::<Vec<_>>(),
        )
        .unwrap()
        .into(),
        other => panic!("no float: {other}"),
    }
}

/// Returns floats of every size and sign, all special ones, and the neighbours of numbers where
/// functions switch their method.
fn floats() -> Vec<f32> {
    let step = tier::cases("JUMAR_STEP", 400_009, 8_009) as usize;
    let mut all: Vec<f32> = (0..u32::MAX).step_by(step).map(f32::from_bits).collect();
    let special = [
        0.0,
        -0.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MIN_POSITIVE,
        1e-45,
        -1e-45,
        f32::MAX,
        f32::MIN,
    ];
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
    // Most arguments are here; then multiples of a quarter of pi.
    all.extend((0..20_000).map(|i| (i as f32 - 10_000.0) * 0.001));
    all.extend(
        (0..4000).map(|i| {
            ((f64::from(i) * 16.4 - 32_000.0).round() * std::f64::consts::FRAC_PI_4) as f32
        }),
    );
    all.extend((0..1000).map(|i| ((f64::from(i) - 500.0) * std::f64::consts::FRAC_PI_4) as f32));
    // Atlas inference products copy only whole data blocks.
    all.resize(all.len().next_multiple_of(16), 1.0);
    all
}

/// Returns the distance of neighbouring numbers of a type at `v`.
fn unit(dtype: DType, v: f64) -> f64 {
    let (digits, least) = match dtype {
        DType::F32 => (23, -126),
        DType::F16 => (10, -14),
        DType::Bf16 => (7, -126),
        other => panic!("no float: {other}"),
    };
    let exponent = if v == 0.0 {
        least
    } else {
        libm::ilogb(v).max(least)
    };
    libm::ldexp(1.0, exponent - digits)
}

fn largest(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 65504.0,
        DType::Bf16 => bf16::MAX.to_f64(),
        _ => f64::from(f32::MAX),
    }
}

/// Returns the error of a result, in units of the allowed one. A power is given by its exponent.
fn excess(
    got: f64,
    x: f64,
    (of, power): (Meaning, Option<f64>),
    error: Error,
    dtype: DType,
) -> f64 {
    let want = of(x);
    let off = error.argument * f64::from(f32::EPSILON);
    let moved = match power {
        Some(e) => want.abs() * libm::expm1((e * libm::log(x.abs())).abs() * off),
        None => [x * (1.0 + off), x * (1.0 - off)]
            .map(|near| (of(near) - want).abs())
            .into_iter()
            .filter(|d| d.is_finite())
            .fold(0.0, f64::max),
    };
    beyond(got, want, moved, error, dtype)
}

/// Returns the error of a result, in units of the allowed one; `moved` is allowed beside the error
/// of the function.
fn beyond(got: f64, want: f64, moved: f64, error: Error, dtype: DType) -> f64 {
    if got == want || got.is_nan() && want.is_nan() {
        return 0.0;
    }
    // Functions are computed in `f32`, and the store rounds once.
    let mut allowed = error.ulp * unit(DType::F32, want) + error.least + moved;
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
        let of_two = PAIRS.iter().any(|(name, _)| *name == f.name);
        assert!(
            of_two || MEANINGS.iter().any(|(name, ..)| *name == f.name),
            "{}",
            f.name
        );
    }
}

#[test]
fn functions_are_as_exact_as_their_rows_say() {
    let table = std::env::var("JUMAR_TABLE").is_ok();
    let all = floats();
    let halves: Vec<f32> = (0..=u16::MAX).map(|b| f16::from_bits(b).to_f32()).collect();
    let brains: Vec<f32> = (0..=u16::MAX)
        .map(|b| bf16::from_bits(b).to_f32())
        .collect();
    let mut missed = Vec::new();
    for (name, args, meaning) in MEANINGS {
        let error = FUNCTIONS.iter().find(|f| f.name == *name).unwrap().error;
        let power = (*name == "pow").then(|| args.parse().unwrap_or(2.0));
        for (dtype, values) in [
            (DType::F32, &all),
            (DType::F16, &halves),
            (DType::Bf16, &brains),
        ] {
            for chip in ["ascend910b1", "ascend310p"] {
                if (dtype, chip) == (DType::Bf16, "ascend310p") {
                    continue;
                }
                let x = array(dtype, values);
                let y = results(&kernel(name, args, dtype), chip, &x, None).to_f64();
                let off = |(x, y): (&f64, &f64)| excess(*y, *x, (*meaning, power), error, dtype);
                let x = x.to_f64();
                let (worst, at) = x
                    .iter()
                    .zip(&y)
                    .map(off)
                    .zip(0..)
                    .max_by(|a, b| a.0.total_cmp(&b.0))
                    .unwrap();
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

/// Functions that must stay within their range under any rounding: name, least and largest.
const BOUNDED: &[(&str, f64, f64)] = &[
    ("sin", -1.0, 1.0),
    ("cos", -1.0, 1.0),
    ("tanh", -1.0, 1.0),
    ("erf", -1.0, 1.0),
    ("erfc", 0.0, 2.0),
    ("sigmoid", 0.0, 1.0),
    ("softsign", -1.0, 1.0),
    ("hard_sigmoid", 0.0, 1.0),
    ("relu6", 0.0, 6.0),
    ("cosh", 1.0, f64::INFINITY),
    ("log_sigmoid", f64::NEG_INFINITY, 0.0),
    ("softplus", 0.0, f64::INFINITY),
    ("acos", 0.0, std::f32::consts::PI as f64),
    (
        "asin",
        -std::f32::consts::FRAC_PI_2 as f64,
        std::f32::consts::FRAC_PI_2 as f64,
    ),
    (
        "atan",
        -std::f32::consts::FRAC_PI_2 as f64,
        std::f32::consts::FRAC_PI_2 as f64,
    ),
    ("frac", -1.0, 1.0),
];

#[test]
fn functions_stay_within_their_bounds() {
    let all = floats();
    let mut beyond = Vec::new();
    for (name, least, most) in BOUNDED {
        let y = results(
            &kernel(name, "", DType::F32),
            "ascend910b1",
            &array(DType::F32, &all),
            None,
        )
        .to_f64();
        let out = all
            .iter()
            .zip(&y)
            .filter(|(_, y)| **y < *least || **y > *most);
        beyond.extend(
            out.take(1)
                .map(|(x, y)| format!("{name} of {x:e} is {y:e}, beyond {least} to {most}")),
        );
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}

/// Near 0 a program may take the floor of the result, so its last bit counts: there the cosine is
/// the nearest number, and up to 1/2 it is off by at most 1 ulp.
#[test]
fn the_cosine_near_0_is_the_nearest_number() {
    let near = (0..0x3a83_126f_u32)
        .step_by(10_007)
        .chain((0..200_000).map(|i| f32::to_bits(i as f32 * 5e-9)));
    let up_to_half = (f32::to_bits(1e-3)..f32::to_bits(0.5)).step_by(1_009);
    for (bits, allowed) in [
        (near.collect::<Vec<_>>(), 0.501),
        (up_to_half.collect(), 1.0),
    ] {
        let mut x: Vec<f32> = bits
            .into_iter()
            .flat_map(|b| [f32::from_bits(b), -f32::from_bits(b)])
            .collect();
        x.resize(x.len().next_multiple_of(16), 0.0);
        let y = results(
            &kernel("cos", "", DType::F32),
            "ascend910b1",
            &array(DType::F32, &x),
            None,
        )
        .to_f64();
        for (x, y) in x.iter().zip(y) {
            let want = libm::cos(f64::from(*x));
            assert!(
                (y - want).abs() <= allowed * unit(DType::F32, want) && y <= 1.0,
                "cos({x:e}) is {y:e}, meant {want:e}"
            );
        }
    }
}

#[test]
fn readers_give_the_same_bits_of_every_function() {
    let given = array(
        DType::F32,
        &floats().into_iter().step_by(7).collect::<Vec<_>>(),
    );
    let interpreter = Tile::new(Cut::Whole, false);
    for (name, args, _) in MEANINGS {
        let text = kernel(name, args, DType::F32);
        let simulated = results(&text, "ascend910b1", &given, None);
        let interpreted = results(&text, "ascend910b1", &given, Some(&interpreter));
        assert_same(&simulated, &interpreted, &text);
    }
}

fn assert_same(a: &Array, b: &Array, text: &str) {
    let bits = |a: &Array| {
        a.to_f64()
            .iter()
            .map(|v| if v.is_nan() { u64::MAX } else { v.to_bits() })
            .collect::<Vec<_>>()
    };
    assert_eq!(bits(a), bits(b), "{text}");
}

/// The functions share few kernels, since each kernel takes half a second to compile.
#[test]
fn emitted_text_gives_the_same_bits_of_every_function() {
    let given = array(
        DType::F32,
        &floats().into_iter().step_by(31).collect::<Vec<_>>(),
    );
    for (nth, part) in MEANINGS.chunks(8).enumerate() {
        let outputs: Vec<String> = (0..part.len())
            .map(|i| format!("y{i}: &mut GlobalTensor<f32>"))
            .collect();
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
        let kernel = file
            .kernels()
            .first()
            .and_then(|k| k.checked.first())
            .unwrap_or_else(|| panic!("{}", file.render(false)));
        let run = |backend: Option<&dyn Backend>| {
            let mut ys: Vec<Array> = part
                .iter()
                .map(|_| Array::zeros(DType::F32, given.shape()).unwrap())
                .collect();
            let mut launch = jumar::runtime::Launch::new(kernel)
                .overflow(Overflow::default())
                .input("x", &given);
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

#[test]
fn functions_of_two_tiles_are_as_exact_as_their_rows_say() {
    let mut missed = Vec::new();
    for (name, meaning) in PAIRS {
        let error = FUNCTIONS.iter().find(|f| f.name == *name).unwrap().error;
        for (dtype, chip) in [
            (DType::F32, "ascend910b1"),
            (DType::F32, "ascend310p"),
            (DType::F16, "ascend910b1"),
            (DType::F16, "ascend310p"),
            (DType::Bf16, "ascend910b1"),
        ] {
            let given = pairs(dtype);
            let y = results_of_two(&[*name], chip, dtype, &given, None)
                .remove(0)
                .to_f64();
            let each = given[0]
                .iter()
                .zip(&given[1])
                .map(|(x, w)| (f64::from(*x), f64::from(*w)));
            let off = each.zip(&y).map(|((x, w), y)| {
                let want = meaning(x, w);
                let turned =
                    want == 0.0 && *y == 0.0 && want.is_sign_negative() != y.is_sign_negative();
                let off = if turned {
                    f64::INFINITY
                } else {
                    beyond(*y, want, 0.0, error, dtype)
                };
                (off, x, w, *y, want)
            });
            let (worst, x, w, y, want) = off.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            let line =
                format!("{name} of {dtype} on {chip}: {worst:.2} of what is allowed at {x:e}, {w:e}: {y:e}, meant {want:e}");
            if std::env::var("JUMAR_TABLE").is_ok() {
                println!("{line}");
            }
            if worst > 1.0 {
                missed.push(line);
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn readers_give_the_same_bits_of_functions_of_two_tiles() {
    let names: Vec<&str> = PAIRS.iter().map(|(name, _)| *name).collect();
    let given = pairs(DType::F32).map(|values| values.into_iter().take(20_000).collect());
    let run = |backend: Option<&dyn Backend>| {
        results_of_two(&names, "ascend910b1", DType::F32, &given, backend)
    };
    let simulated = run(None);
    for (other, backend) in [
        ("interpreter", &Tile::new(Cut::Whole, false) as &dyn Backend),
        ("emitted", &Cpp::new(None, false)),
    ] {
        for ((a, b), name) in simulated.iter().zip(&run(Some(backend))).zip(&names) {
            assert_same(a, b, &format!("{name}, {other}"));
        }
    }
}

/// The sequences of `tests/cost/handwritten.rs` are an expert's, with equal polynomials.
#[test]
fn functions_take_no_more_than_handwritten_sequences_and_a_fifth() {
    let rows = handwritten::rows();
    let over: Vec<_> = rows
        .iter()
        .filter(|(_, ours, theirs)| *ours > 1.2 * theirs)
        .collect();
    if std::env::var("JUMAR_TABLE").is_ok() {
        println!("{}", handwritten::table());
    }
    assert!(
        over.is_empty(),
        "predicted cycles of ours and theirs: {over:?}\n{}",
        handwritten::table()
    );
}

#[test]
fn handwritten_sequences_are_as_exact_as_the_rows_of_functions() {
    let values = floats();
    let x = array(DType::F32, &values);
    for (name, args, calls) in handwritten::HANDWRITTEN {
        let kernel = handwritten::of_text(&handwritten::text(calls));
        let mut y = Array::zeros(DType::F32, x.shape()).unwrap();
        let launch = jumar::runtime::Launch::new(&kernel).input("x", &x);
        if (name, args) == ("pow", "") {
            // Functions of two tiles must give equal bits.
            let [x, w] = pairs(DType::F32).map(|values| array(DType::F32, &values));
            let ours = handwritten::of_text(&handwritten::of_tiles(name, args));
            let run = |kernel| {
                let mut y = Array::zeros(DType::F32, x.shape()).unwrap();
                jumar::runtime::Launch::new(kernel)
                    .input("x", &x)
                    .input("w", &w)
                    .output("y", &mut y)
                    .run()
                    .unwrap();
                y
            };
            assert_same(&run(&ours), &run(&kernel), name);
            continue;
        }
        launch
            .output("y", &mut y)
            .run()
            .unwrap_or_else(|e| panic!("{calls}\n{e}"));
        let error = FUNCTIONS.iter().find(|f| f.name == name).unwrap().error;
        let power = (name == "pow").then(|| args.parse().unwrap());
        let (.., meaning) = MEANINGS
            .iter()
            .find(|(own, with, _)| (*own, *with) == (name, args))
            .unwrap();
        for (x, y) in values.iter().zip(y.to_f64()) {
            let off = excess(y, f64::from(*x), (*meaning, power), error, DType::F32);
            assert!(
                off <= 1.0,
                "{name}({args}) by hand: {off:.2} of what is allowed at {x:e}: {y:e}"
            );
        }
    }
}

/// Returns 32-bit numbers at the ends of their halves, each with every shift count, beyond the ends
/// too.
fn places() -> Vec<(i32, i32)> {
    let ends = [
        0,
        1,
        -1,
        i32::MAX,
        i32::MIN,
        65535,
        65536,
        -65536,
        -65537,
        32767,
        32768,
        -32768,
        0x7fff_0000,
        0x0123_4567,
    ];
    let drawn = (1..30_i32).map(|i| i.wrapping_mul(0x9e37_79b9_u32 as i32));
    let all = ends.into_iter().chain(drawn);
    all.flat_map(|v| (-1..34).map(move |by| (v, by))).collect()
}

#[test]
fn readers_move_and_see_bits_as_rust_does() {
    let text = "use jumar::prelude::*;\n#[kernel]\npub fn k(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] by: &GlobalTensor<i32>, #[shape(n)] left: &mut GlobalTensor<i32>,\n\
        #[shape(n)] right: &mut GlobalTensor<i32>, #[shape(n)] float: &mut GlobalTensor<f32>, #[shape(n)] bits: &mut GlobalTensor<i32>, #[shape(n)] power: &mut GlobalTensor<f32>) {\n\
        for t in tiles(n) {\nlet (v, by) = (x.at(t).load(), by.at(t).load());\nleft.at(t).store(v << by);\nright.at(t).store(v >> by);\n\
        let f = (v & 0x7f7f_ffff).reinterpret_cast::<f32>();\nfloat.at(t).store(f);\nbits.at(t).store((-f).reinterpret_cast::<i32>());\n\
        power.at(t).store((by * 4 - 70).cast::<f32>().exp2());\n}\n}\n";
    let file = check_text("bits.rs", text, None);
    let kernel = file
        .kernels()
        .first()
        .and_then(|k| k.checked.first())
        .unwrap_or_else(|| panic!("{}", file.render(false)));
    let given = places();
    let of =
        |f: &dyn Fn(i32, i32) -> f64| given.iter().map(|(v, by)| f(*v, *by)).collect::<Vec<f64>>();
    let count = |by: i32| by.clamp(0, 32) as u32;
    let due = [
        (
            "left",
            DType::I32,
            of(&|v, by| f64::from((i64::from(v) << count(by)) as i32)),
        ),
        (
            "right",
            DType::I32,
            of(&|v, by| f64::from((i64::from(v) >> count(by)) as i32)),
        ),
        (
            "float",
            DType::F32,
            of(&|v, _| f64::from(f32::from_bits((v & 0x7f7f_ffff) as u32))),
        ),
        (
            "bits",
            DType::I32,
            of(&|v, _| f64::from((-f32::from_bits((v & 0x7f7f_ffff) as u32)).to_bits() as i32)),
        ),
        (
            "power",
            DType::F32,
            of(&|_, by| f64::from(by * 4 - 70).exp2()),
        ),
    ];
    let column = |f: fn(&(i32, i32)) -> i32| {
        Array::from(ndarray::Array1::from_iter(given.iter().map(f)).into_dyn())
    };
    let (x, by) = (column(|of| of.0), column(|of| of.1));
    let (cpp, tile) = (Cpp::new(None, false), Tile::new(Cut::Whole, false));
    for (name, backend) in [
        ("simulator", None),
        ("C++", Some(&cpp as &dyn Backend)),
        ("interpreter", Some(&tile as &dyn Backend)),
    ] {
        let mut out: Vec<Array> = due
            .iter()
            .map(|(_, dtype, _)| Array::zeros(*dtype, &[given.len()]).unwrap())
            .collect();
        let mut launch = jumar::runtime::Launch::new(kernel)
            .input("x", &x)
            .input("by", &by);
        for ((name, ..), out) in due.iter().zip(&mut out) {
            launch = launch.output(name, out);
        }
        let launch = backend
            .into_iter()
            .fold(launch, |launch, backend| launch.backend(backend));
        launch.run().unwrap_or_else(|e| panic!("{name}: {e}"));
        for ((what, _, due), out) in due.iter().zip(&out) {
            let wrong = given
                .iter()
                .zip(due)
                .zip(out.to_f64())
                .find(|((_, due), found)| due.to_bits() != found.to_bits());
            assert!(wrong.is_none(), "{name}, `{what}`: {wrong:?}");
        }
    }
}
