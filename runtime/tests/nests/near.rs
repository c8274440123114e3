//! Kernels whose streamed form rounds differently. The interpreter after each pass, with every cut
//! of loops, and the simulator must stay near the meaning of the text. They must be nan or infinite
//! in the same places.

use crate::agree::{arrays, attrs_and_dims, checked, written, Arrays, Written};
use half::{bf16, f16};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::dtype::DType;
use jumar_dsl::lower::{lower, tile_passes};
use jumar_dsl::tiling::keeps_facts;
use jumar_kit::nests::{joined, split};
use jumar_kit::tier::Tier;
use jumar_runtime::tile::{Cut, Inputs, Tile};
use jumar_runtime::{Array, AsOutput, Backend, JobBytes, Launch, Overflow};
use ndarray::{ArrayD, Dimension, IxDyn};

/// Returns element `i` of the `d` elements of row `r`: each row is of another kind.
fn element(r: usize, i: usize, d: usize) -> f32 {
    let noise = ((i as u64 + 1).wrapping_mul(6_364_136_223_846_793_005 + r as u64) >> 40) as f32
        / (1u64 << 24) as f32;
    let place = i as f32 / d as f32;
    match r % 11 {
        0 => noise * 6.0 - 3.0,
        // The first maximum is far below later elements.
        1 => noise + 24.0 * place,
        2 => noise - 24.0 * place,
        3 if place < 0.6 => f32::NEG_INFINITY,
        3 | 5 | 6 if i + 1 < d => noise,
        4 => f32::NEG_INFINITY,
        5 => f32::NAN,
        6 => f32::INFINITY,
        7 => [1.0e30, -1.0e30][i % 2],
        8 => 1.25,
        9 => 4.0 + noise,
        // The largest numbers, whose difference overflows.
        _ if i == d / 2 => 3.0e38,
        _ if i == d / 3 => -3.0e38,
        _ => noise,
    }
}

fn of_rows(dtype: DType, shape: &[usize]) -> Array {
    let d = shape[1..].iter().product::<usize>().max(1);
    let whole = shape.len() == 1;
    let at = |at: IxDyn| {
        at.slice()
            .iter()
            .zip(shape)
            .skip(1)
            .fold(0, |all, (i, n)| all * n + i)
    };
    let value = |ix: IxDyn| match whole {
        true => 0.25 + (ix[0] % 7) as f32 * 0.25,
        false => element(ix[0] + usize::from(shape[0] == 1), at(ix), d),
    };
    let shape = IxDyn(shape);
    match dtype {
        DType::F16 => ArrayD::from_shape_fn(shape, |ix| f16::from_f32(value(ix))).into(),
        DType::Bf16 => ArrayD::from_shape_fn(shape, |ix| bf16::from_f32(value(ix))).into(),
        DType::F32 => ArrayD::from_shape_fn(shape, value).into(),
        other => panic!("{other} in a kernel that is near"),
    }
}

/// Makes inputs with rows of all kinds.
fn inputs(checked: &CheckedKernel, instance: usize, shapes: &[&[usize]]) -> Arrays {
    let mut all = arrays(checked, instance, shapes, &[]);
    for (_, role, array) in &mut all {
        if *role == jumar_dsl::ir::Role::In {
            *array = of_rows(array.dtype(), array.shape());
        }
    }
    all
}

/// Returns the largest relative difference that is no mistake.
fn allowed(checked: &CheckedKernel, instance: usize) -> f64 {
    match checked.kernel().sig.instances[instance].first() {
        Some(DType::F16) => 2.0 / 1024.0,
        Some(DType::Bf16) => 2.0 / 128.0,
        _ => 2e-4,
    }
}

fn assert_near(what: &str, got: &Written, want: &Written, allowed: f64) {
    for ((name, got), (_, want)) in got.iter().zip(want) {
        // A difference that cancels has the error of its terms, so the tolerance uses the mean size
        // of all results.
        let finite: Vec<f64> = want
            .iter()
            .filter(|v| v.is_finite())
            .map(|v| v.abs())
            .collect();
        let scale = 0.1 * finite.iter().sum::<f64>() / finite.len().max(1) as f64;
        let far = |(a, b): (&f64, &f64)| match (a.is_finite(), b.is_finite()) {
            (true, true) => (a - b).abs() > allowed * b.abs().max(scale),
            _ => !(a == b || a.is_nan() && b.is_nan()),
        };
        if let Some(at) = got.iter().zip(want).position(far) {
            panic!(
                "{what}: element {at} of `{name}` of {} is {:e}, and {:e} is meant",
                got.len(),
                got[at],
                want[at]
            );
        }
    }
}

fn run(
    what: &str,
    checked: &CheckedKernel,
    mut all: Arrays,
    backend: Option<&dyn Backend>,
) -> (Written, Vec<(String, i64)>) {
    let mut launch = Launch::new(checked).pipes(true);
    for (name, role, array) in &mut all {
        launch = match role {
            jumar_dsl::ir::Role::In => launch.input(name, &*array),
            jumar_dsl::ir::Role::InOut => launch.inout(name, array),
            jumar_dsl::ir::Role::Out => launch.output(name, array),
        };
    }
    let report = backend
        .into_iter()
        .fold(launch, Launch::backend)
        .run()
        .unwrap_or_else(|e| panic!("{what}: {e}"));
    let fields = report.items[0]
        .fields
        .iter()
        .filter_map(|(name, value)| Some((name.clone(), value.as_int().ok()?)))
        .collect();
    (written(all), fields)
}

/// Runs a kernel on rows of all kinds through every reader. Returns the tiling fields of the last
/// launch.
fn near(what: &str, text: &str, shapes: &[&[usize]]) -> Vec<(String, i64)> {
    let (kernel, checked) = checked(what, super::A2, text);
    let mut last = Vec::new();
    for instance in 0..kernel.sig.instances.len() {
        let (what, allowed) = (
            format!("{what} {shapes:?}, instance {instance}"),
            allowed(&checked, instance),
        );
        let want = run(
            &what,
            &checked,
            inputs(&checked, instance, shapes),
            Some(&Tile::default()),
        )
        .0;
        let (simulated, fields) = run(&what, &checked, inputs(&checked, instance, shapes), None);
        assert_near(&format!("{what}, simulated"), &simulated, &want, allowed);
        last = fields;
        let passes = tile_passes(&kernel, instance, checked.chip());
        let joined = passes
            .iter()
            .position(|(name, _)| name.contains("fuse_"))
            .unwrap_or(passes.len());
        let short = shapes[0].iter().product::<usize>() < 10_000;
        // For long rows the gate tests only the result of the last pass.
        let joined = if short || Tier::is_night() {
            joined
        } else {
            passes.len().saturating_sub(1)
        };
        let cuts: &[Cut] = if short {
            &[Cut::Whole, Cut::Halves, Cut::Singles]
        } else {
            &[Cut::Halves]
        };
        for ((pass, after), cut) in passes[joined..]
            .iter()
            .flat_map(|pass| cuts.iter().map(move |cut| (pass, *cut)))
        {
            let mut all = inputs(&checked, instance, shapes);
            let (attrs, dims) = attrs_and_dims(&kernel.sig, &all);
            if !keeps_facts(&after.sig, checked.chip(), &dims, &attrs) {
                continue;
            }
            let tensors = all
                .iter_mut()
                .map(|(name, _, a)| {
                    (
                        name.as_str(),
                        JobBytes::Write(a.as_output().expect("contiguous").into_bytes()),
                    )
                })
                .collect();
            let inputs = Inputs {
                chip: checked.chip(),
                dims: &dims,
                attrs: &attrs,
                overflow: Overflow::InfNan,
                tensors,
            };
            Tile::new(cut, false)
                .interpret(after, instance, inputs)
                .unwrap_or_else(|e| panic!("{what}, {pass}: {e}"));
            assert_near(
                &format!("{what}, after {pass}, {cut:?}"),
                &written(all),
                &want,
                allowed,
            );
        }
    }
    last
}

#[test]
fn passes_that_are_joined_are_near_what_is_written() {
    for (what, text, joined, all) in joined::JOINED {
        let kernel = checked(what, super::A2, text).0;
        let lowering =
            lower(&kernel, 0, jumar_dsl::soc::Chip::default_chip()).expect("a kernel that lowers");
        assert_eq!(lowering.joined.len(), *joined, "{what}");
        all.iter().for_each(|shapes| drop(near(what, text, shapes)));
    }
}

#[test]
fn loops_that_are_split_are_near_what_is_written() {
    for (what, text, others, few) in split::NEAR {
        others
            .iter()
            .chain(*few)
            .for_each(|shapes| drop(near(what, text, shapes)));
    }
}

/// Computes the softmax or the variance of a row in f64.
fn row(is_softmax: bool, v: &[f64]) -> Vec<f64> {
    if is_softmax {
        let m = v.iter().fold(
            f64::NEG_INFINITY,
            |m, v| if v.is_nan() { *v } else { m.max(*v) },
        );
        let e: Vec<f64> = v.iter().map(|v| (v - m).exp()).collect();
        let sum: f64 = e.iter().sum();
        return e.iter().map(|e| e / sum).collect();
    }
    let n = v.len() as f64;
    let mean = v.iter().sum::<f64>() / n;
    vec![v.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n]
}

#[test]
fn passes_that_are_joined_are_near_f64_at_the_ends_of_tiles() {
    let softmax = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) { let v = x.at(r, ..).load(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store(e / e.sum(d)); } }";
    let variance = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
        for r in tiles(n) { let v = x.at(r, ..).load(); let c = v - v.mean(d); y.at(r).store((c * c).mean(d)); } }";
    for (is_softmax, text) in [(true, softmax), (false, variance)] {
        let (_, checked) = checked("near f64", super::A2, text);
        let tile = |d: usize| {
            let fields = run("near f64", &checked, inputs(&checked, 0, &[&[11, d]]), None).1;
            fields
                .iter()
                .find(|(name, _)| name.contains("olTile") || name.contains("ol_tile"))
                .expect("the columns of a tile")
                .1 as usize
        };
        let columns = tile(60_000);
        let whole = 60_000 / columns * columns;
        for d in [whole - 1, whole, whole + 1] {
            assert_eq!(tile(d), columns, "the tile of {d} columns");
            let all = inputs(&checked, 0, &[&[11, d]]);
            let x = all[0].2.to_f64();
            let want: Vec<f64> = x.chunks(d).flat_map(|v| row(is_softmax, v)).collect();
            let mut got = run("near f64", &checked, all, None).0.remove(0).1;
            // In f32 the squares of the largest numbers are infinite.
            got.iter_mut()
                .zip(&want)
                .filter(|(_, want)| want.is_finite() && **want > 3.5e38)
                .for_each(|(got, want)| {
                    assert!(got.is_infinite());
                    *got = *want;
                });
            assert_near(
                &format!("softmax {is_softmax}, {d} columns"),
                &vec![("y".into(), got)],
                &vec![("y".into(), want)],
                2e-4,
            );
        }
    }
}
