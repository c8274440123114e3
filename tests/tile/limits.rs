//! Numbers at their limits. Values of call fields are proved for the lowered kernel. Sizes that the
//! host solves for are at their largest, a step below and a step above, on every reader.
//!
//! `JUMAR_LIMITS` chooses the kernels, from those of examples, emitter and tasks. Neither check
//! knows the proofs: casts of the emitted text stop the run where they drop bits (`src/cpp.rs`),
//! and the simulator checks each field (`runtime/src/sim/fields.rs`).

use super::agree::{compare, run, Case, Tensor};
use crate::pages::repository;
use jumar::dsl::check::{open_limits, CheckedKernel};
use jumar::dsl::ir::{Dim, HostStep, Role, Scalar, VarId};
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::{eval, evaluate, Env, Tiling};
use jumar::held::Held;
use jumar::load::check_text;
use jumar::runtime::tile::Tile;
use jumar::runtime::{Array, Backend, Overflow};
use jumar_kit::{files, tier};
use std::collections::BTreeSet;

/// Most elements of a tensor of a launch.
const MOST_ELEMENTS: i64 = 1 << 22;

/// Kernels whose calls bound a size: elements that are copied one by one, rows beside a number
/// each, and rows that become columns.
const AIMED: [&str; 3] = [
    "#[kernel]
pub fn sample(#[shape(n)] x: &GlobalTensor<f16>, #[inplace] #[shape(2 * n)] y: &mut GlobalTensor<f16>) {
    for t in tiles(n).block_dim(1) {
        y.at(t * 2).store(x.at(t).load());
    }
}",
    "#[kernel]
pub fn sample(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n).block_dim(1) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v - v.amax(d));
    }
}",
    "#[kernel]
pub fn sample(#[shape(d, n)] x: &GlobalTensor<f16>, #[shape(n, d)] y: &mut GlobalTensor<f16>) {
    for t in tiles(d).block_dim(1) {
        y.at(.., t).store(x.at(t, ..).load());
    }
}",
];

/// The sizes exceed the limit of a call, but a smaller tile or the next variant takes them.
#[test]
fn a_launch_is_not_refused_where_smaller_tiles_take_it() {
    let chip = Chip::by_name("ascend910b1").expect("a chip");
    let file = check_text("kernel.rs", AIMED[2], Some(chip));
    let kernel = file
        .kernels()
        .iter()
        .flat_map(|k| &k.checked)
        .next()
        .expect("a right kernel");
    for (dims, variant) in [([40_000, 4], "resident"), ([300, 5000], "streamed")] {
        let tiling = tiled(kernel, &dims).unwrap_or_else(|| panic!("{dims:?} is refused"));
        assert_eq!(
            kernel.instances()[0].variants[tiling.variant].name,
            variant,
            "{dims:?}"
        );
    }
}

/// Returns names and texts of right kernels.
fn texts() -> Vec<(String, String)> {
    let folders = ["examples", "codegen/tests/kernels", "llm/tasks"];
    let all = folders
        .iter()
        .flat_map(|folder| files::kernels(&repository(folder)));
    let own = |text: String| {
        text.split("\npub(crate) fn main")
            .next()
            .unwrap_or_default()
            .to_string()
    };
    all.map(|(path, text)| (files::stem(&path), own(text)))
        .collect()
}

#[test]
fn every_limit_of_a_call_is_proved_of_what_is_lowered() {
    let (mut failed, mut judged) = (Vec::new(), 0);
    let wrong = files::kernels(&repository("tests/bugs"))
        .into_iter()
        .map(|(_, text)| text);
    for text in texts().into_iter().map(|(_, text)| text).chain(wrong) {
        for name in ["ascend910b1", "ascend310p"] {
            let chip = Chip::by_name(name).expect("a chip");
            let file = check_text("kernel.rs", &text, Some(chip));
            for kernel in file
                .kernels()
                .iter()
                .flat_map(|k| &k.checked)
                .filter(|k| k.kernel().tiles().is_some())
            {
                judged += 1;
                let own = &kernel.kernel().sig.name;
                let open = kernel.instances().iter().flat_map(open_limits);
                failed.extend(open.map(|said| format!("{own} on {name}: {said}")));
            }
        }
    }
    assert!(judged > 250, "{judged} kernels");
    assert!(
        failed.is_empty(),
        "{} limits are open\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Fails where a call of a kernel may exceed its limit. A refused kernel has no calls.
pub fn proved(case: &Case) -> Result<(), String> {
    let Ok(kernel) = case.checked() else {
        return Ok(());
    };
    let open = kernel.instances().iter().flat_map(open_limits);
    let open: Vec<String> = open.filter(|said| said.contains("may be more")).collect();
    if open.is_empty() {
        Ok(())
    } else {
        Err(open.join("\n"))
    }
}

/// A size that the host solves for, and the axis sizes at which it is largest.
struct Limit {
    var: VarId,
    step: i64,
    /// The axis with which it grows.
    axis: usize,
    /// The least size of the axis at which it is largest.
    at: i64,
    most: i64,
}

/// True for a kernel of single tensors without attributes.
fn is_plain(kernel: &CheckedKernel) -> bool {
    let sig = &kernel.kernel().sig;
    let sized = |dim: &Dim| !matches!(dim, Dim::At { .. });
    kernel.kernel().tiles().is_some()
        && sig.attrs().next().is_none()
        && sig.lists().next().is_none()
        && sig
            .tensors()
            .all(|(id, ..)| !sig.is_optional(id) && sig.shape(id).iter().all(sized))
}

fn tiled(kernel: &CheckedKernel, dims: &[i64]) -> Option<Tiling> {
    evaluate(
        &kernel.instances()[0],
        kernel.chip(),
        dims,
        &vec![None; kernel.kernel().sig.params.len()],
    )
    .ok()
}

/// Returns the tensors of a launch, or `None` if one is too large.
fn tensors(kernel: &CheckedKernel, dims: &[i64]) -> Option<Vec<Tensor>> {
    let (sig, none) = (
        &kernel.kernel().sig,
        vec![None; kernel.kernel().sig.params.len()],
    );
    let env = Env {
        dims,
        attrs: &none,
        chip: kernel.chip(),
        vars: Vec::new(),
        block: None,
    };
    let tensor = |(id, param, role, ty): (_, &jumar::dsl::ir::Param, Role, jumar::dsl::ir::Ty)| {
        let size = |dim: &Dim| match dim {
            Dim::Axis { axis } => Some(dims[axis.index()]),
            Dim::Expr { size } => eval(size, &env).and_then(|v| v.as_int()).ok(),
            Dim::At { .. } => None,
        };
        let shape: Vec<i64> = sig.shape(id).iter().map(size).collect::<Option<_>>()?;
        let all = shape
            .iter()
            .try_fold(1, |all: i64, n| all.checked_mul(*n))
            .filter(|all| (0..=MOST_ELEMENTS).contains(all))?;
        let shape = shape.into_iter().map(|n| n as usize).collect();
        let dtype = ty.resolve(&sig.instances[0]);
        (all >= 0).then(|| Tensor {
            name: param.name.clone(),
            dtype,
            shape,
            written: role != Role::In,
        })
    };
    sig.tensors().map(tensor).collect()
}

/// Returns the limits of a kernel's sizes, as each axis grows beside few indices of the others.
fn limits(kernel: &CheckedKernel) -> Vec<(Vec<i64>, Limit)> {
    let lowered = &kernel.instances()[0];
    let steps = || lowered.variants.iter().flat_map(|v| lowered.steps(v));
    let solved: Vec<(VarId, i64)> = steps()
        .filter_map(|step| match step {
            HostStep::Solve {
                max: Scalar::Int(1),
                ..
            } => None,
            HostStep::Solve { var, step, .. } => Some((*var, *step)),
            HostStep::Let { .. } | HostStep::Fits { .. } | HostStep::Require { .. } => None,
        })
        .collect();
    let mut found: Vec<(Vec<i64>, Limit)> = Vec::new();
    for few in [16, 3, 1] {
        let base = vec![few; kernel.kernel().sig.axes.len()];
        for axis in 0..base.len() {
            let with = |n: i64| {
                base.iter()
                    .enumerate()
                    .map(|(at, few)| if at == axis { n } else { *few })
                    .collect::<Vec<_>>()
            };
            for (var, step) in &solved {
                let value = |n: i64| {
                    tensors(kernel, &with(n))?;
                    tiled(kernel, &with(n))?
                        .var(*var)?
                        .as_int()
                        .ok()
                        .filter(|size| *size > 0)
                };
                let doubled = || std::iter::successors(Some(16), |n| Some(n * 2)).take(19);
                let grown: Vec<(i64, i64)> =
                    doubled().filter_map(|n| Some((n, value(n)?))).collect();
                let Some((largest, most)) = grown.last().copied() else {
                    continue;
                };
                // The size grew with this axis, and the last doubling did not change it.
                let stands = grown
                    .iter()
                    .rev()
                    .nth(1)
                    .is_some_and(|(_, size)| *size == most);
                if !stands || grown.first().is_none_or(|(_, size)| *size == most) {
                    continue;
                }
                let (mut low, mut high) = (16, largest);
                while low + 1 < high {
                    let middle = low + (high - low) / 2;
                    match value(middle) {
                        Some(size) if size >= most => high = middle,
                        Some(_) | None => low = middle,
                    }
                }
                if found
                    .iter()
                    .all(|(_, limit)| (limit.var, limit.axis) != (*var, axis))
                {
                    found.push((
                        base.clone(),
                        Limit {
                            var: *var,
                            step: *step,
                            axis,
                            at: high,
                            most,
                        },
                    ));
                }
            }
        }
    }
    found
}

/// Judges a kernel at the limits of its sizes, and returns the number of compared launches.
fn wrong(name: &str, text: &str) -> Result<usize, String> {
    let chip = Chip::by_name("ascend910b1").expect("a chip");
    let file = check_text("kernel.rs", text, Some(chip));
    let mut compared = 0;
    for kernel in file
        .kernels()
        .iter()
        .flat_map(|k| &k.checked)
        .filter(|k| is_plain(k))
    {
        for (base, limit) in limits(kernel) {
            let sizes = [
                limit.at - limit.step,
                limit.at,
                limit.at + limit.step,
                limit.most - limit.step,
                limit.most,
                limit.most + limit.step,
            ];
            for n in sizes
                .into_iter()
                .filter(|n| *n > 0)
                .collect::<BTreeSet<_>>()
            {
                let mut dims = base.clone();
                dims[limit.axis] = n;
                // A launch that the host refuses has no results.
                let (Some(_), Some(tensors)) = (tiled(kernel, &dims), tensors(kernel, &dims))
                else {
                    continue;
                };
                let (own, attrs) = (kernel.kernel().sig.name.clone(), Vec::new());
                let case = Case {
                    name: format!("{own} {dims:?}"),
                    chip,
                    text: text.into(),
                    tensors,
                    attrs,
                    exact: true,
                    seed: 5,
                };
                let read =
                    |reader: Option<&dyn Backend>| run(&case, kernel, Overflow::InfNan, reader);
                let first = read(None);
                // Drawn elements may break a promise of the kernel, and a size a requirement of it.
                let is_no_launch =
                    |why: &String| ["J0813", "J0604"].iter().any(|code| why.starts_with(code));
                if first.as_ref().is_err_and(is_no_launch) {
                    continue;
                }
                if let Err(why) = &first {
                    return Err(format!(
                        "{name}, {dims:?}, a size of {} at most: {why}",
                        limit.most
                    ));
                }
                let wrong = far(&case, &first, &read(Some(&Tile::default())));
                let wrong = wrong.or_else(|| {
                    compare(
                        &case,
                        &first,
                        "emitted C++",
                        &read(Some(&Held::new(None, false))),
                    )
                });
                if let Some(why) = wrong {
                    return Err(format!(
                        "{name}, {dims:?}, a size of {} at most: {why}",
                        limit.most
                    ));
                }
                compared += 1;
            }
        }
    }
    Ok(compared)
}

/// Allowed roundings of another order, as a part of the largest element.
const SLACK: f64 = 1.0 / 512.0;

/// Returns the difference between simulator and interpreter beyond roundings of another order; the
/// interpreter cuts nothing.
fn far(
    case: &Case,
    first: &Result<Vec<Array>, String>,
    read: &Result<Vec<Array>, String>,
) -> Option<String> {
    let (Ok(simulated), Ok(whole)) = (first, read) else {
        return compare(case, first, "interpreter", read);
    };
    let written = case
        .tensors
        .iter()
        .zip(simulated.iter().zip(whole))
        .filter(|(t, _)| t.written);
    let mut all = written.map(|(tensor, (a, b))| (tensor, a.to_f64(), b.to_f64()));
    all.find_map(|(tensor, a, b)| {
        let most = a
            .iter()
            .chain(&b)
            .filter(|v| v.is_finite())
            .fold(0.0f64, |most, v| most.max(v.abs()));
        let allowed = if tensor.dtype.is_float() {
            SLACK * most
        } else {
            0.0
        };
        let same =
            |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= allowed;
        let at = a.iter().zip(&b).position(|(a, b)| !same(*a, *b))?;
        Some(format!(
            "element {at} of `{}`: simulator {:e}, interpreter {:e}",
            tensor.name, a[at], b[at]
        ))
    })
}

#[test]
fn sizes_at_their_limits_agree_on_every_reader() {
    let mut drawn = tier::drawn("JUMAR_LIMITS", 60, texts(), |(_, text)| text.clone());
    drawn.extend(
        AIMED
            .iter()
            .map(|text| ("aimed".to_string(), text.to_string())),
    );
    let (mut failed, mut compared) = (Vec::new(), 0);
    for (name, text) in &drawn {
        match wrong(name, text) {
            Ok(n) => compared += n,
            Err(why) => failed.push(why),
        }
    }
    println!("{} kernels, {compared} launches", drawn.len());
    assert!(
        !failed.is_empty() || compared >= 2 * AIMED.len(),
        "{compared} launches of {} kernels",
        drawn.len()
    );
    assert!(
        failed.is_empty(),
        "{} fail\n{}",
        failed.len(),
        failed.join("\n")
    );
}

#[test]
fn a_limit_is_where_a_size_stops_to_grow() {
    let chip = Chip::by_name("ascend910b1").expect("a chip");
    let file = check_text("kernel.rs", AIMED[0], Some(chip));
    let kernel = &file.kernels()[0].checked[0];
    assert!(is_plain(kernel));
    let found: Vec<(usize, i64)> = limits(kernel)
        .iter()
        .map(|(_, limit)| (limit.axis, limit.most))
        .collect();
    // Brcb takes 255 repeats of eight elements, and a tile has whole steps of 256.
    assert_eq!(found, [(0, 1792)]);
}
