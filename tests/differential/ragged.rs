//! Loops over ranges that only the core knows, and numbers that are read outside of loops, on
//! simulator and emitted C++.

use super::agree::{differs, halves, keep_promises, Tensor};
use super::controlled::CONTROLLED;
use super::outside::{Outside, OUTSIDE};
use super::segments::{offsets, sizes, Ragged, LENGTHS, RAGGED};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::Role;
use jumar::dsl::soc::Chip;
use jumar::held::Held;
use jumar::load::check_text;
use jumar::runtime::{infer_output_shapes, Array, Launch};
use ndarray::{ArrayD, IxDyn};

/// A kernel with the tensors of one launch.
pub struct Run {
    what: String,
    pub text: String,
    kernel: CheckedKernel,
    tensors: Vec<(String, Role, Array)>,
}

/// Makes a run of every kernel, list of segments and element type.
pub fn runs() -> Vec<Run> {
    let on = |ragged: &Ragged, lengths: (&[usize], usize)| {
        let given = ("offsets", &offsets(lengths.0)[..]);
        runs_of(
            &format!("{} {lengths:?}", ragged.what),
            ragged.text,
            &(ragged.shapes)(sizes(lengths)),
            given,
        )
    };
    RAGGED
        .iter()
        .flat_map(|ragged| LENGTHS.iter().flat_map(|lengths| on(ragged, *lengths)))
        .collect()
}

/// Makes the runs of kernels that read numbers outside of their loops.
pub fn runs_outside() -> Vec<Run> {
    let on = |(what, text, all): &Outside| {
        let one = |(shapes, at): &(&[&[usize]], &[i64])| {
            let owned: Vec<Vec<usize>> = shapes.iter().map(|shape| shape.to_vec()).collect();
            runs_of(
                &format!("{what} {shapes:?} {at:?}"),
                text,
                &owned,
                ("at", at),
            )
        };
        all.iter().flat_map(one).collect::<Vec<Run>>()
    };
    OUTSIDE.iter().chain(CONTROLLED).flat_map(on).collect()
}

/// Makes a run for each element type on inputs of these shapes, one of which holds given numbers.
fn runs_of(
    what: &str,
    text: &str,
    shapes: &[Vec<usize>],
    (given, numbers): (&str, &[i64]),
) -> Vec<Run> {
    let file = check_text("ragged.rs", text, Some(Chip::default_chip()));
    let found = file.kernel("k").and_then(|k| k.checked.first()).cloned();
    let kernel = found.unwrap_or_else(|| panic!("{what}: {}", file.render(false)));
    let sig = &kernel.kernel().sig;
    let one = |binding: &Vec<DType>| {
        let mut shapes = shapes.iter().cloned();
        let mut tensors: Vec<(String, Role, Array)> = Vec::new();
        for (at, (_, p, role, ty)) in sig.tensors().enumerate() {
            let known: Vec<(&str, &[usize])> = tensors
                .iter()
                .map(|(name, _, a)| (name.as_str(), a.shape()))
                .collect();
            let shape = match role {
                Role::In | Role::InOut => shapes.next().expect("a shape for each input"),
                Role::Out => {
                    let outs = infer_output_shapes(sig, &known, &[]).expect("shapes of outputs");
                    outs.into_iter()
                        .find(|(name, _)| *name == p.name)
                        .expect("an output")
                        .1
                }
            };
            let tensor = Tensor {
                name: p.name.clone(),
                dtype: ty.resolve(binding),
                shape,
                written: role != Role::In,
            };
            let array = match p.name == given {
                true => ends(&tensor, numbers),
                false => halves(&tensor, at as u64 + 5),
            };
            tensors.push((p.name.clone(), role, array));
        }
        let mut arrays: Vec<Array> = tensors.iter().map(|(.., a)| a.clone()).collect();
        let names: Vec<&str> = tensors.iter().map(|t| t.0.as_str()).collect();
        keep_promises(&kernel, &names, &mut arrays, &[]);
        let tensors = tensors
            .into_iter()
            .zip(arrays)
            .map(|((name, role, _), array)| (name, role, array))
            .collect();
        Run {
            what: format!("{what} {binding:?}"),
            text: text.to_string(),
            kernel: kernel.clone(),
            tensors,
        }
    };
    sig.instances.iter().map(one).collect()
}

/// Returns these integers in the type of a tensor.
fn ends(tensor: &Tensor, ends: &[i64]) -> Array {
    let shape = IxDyn(&tensor.shape);
    match tensor.dtype {
        DType::I64 => ArrayD::from_shape_fn(shape, |at| ends[at[0]]).into(),
        _ => ArrayD::from_shape_fn(shape, |at| ends[at[0]] as i32).into(),
    }
}

/// Returns the difference of the emitted C++ to the simulator.
pub fn judge(run: &Run) -> Option<String> {
    let made = |cpp: Option<&Held>| {
        let mut tensors = run.tensors.clone();
        let mut launch = Launch::new(&run.kernel).pipes(true);
        for (name, role, array) in &mut tensors {
            launch = match role {
                Role::In => launch.input(name, &*array),
                Role::InOut => launch.inout(name, array),
                Role::Out => launch.output(name, array),
            };
        }
        let launch = match cpp {
            Some(cpp) => launch.backend(cpp),
            None => launch,
        };
        launch
            .run()
            .map(|_| {
                tensors
                    .into_iter()
                    .map(|(.., array)| array)
                    .collect::<Vec<_>>()
            })
            .map_err(|e| e.to_string())
    };
    let (simulated, emitted) = (made(None), made(Some(&Held::default())));
    let why = match (&simulated, &emitted) {
        (Ok(a), Ok(b)) => a
            .iter()
            .zip(b)
            .find_map(|(a, b)| differs(a, "emitted C++", b))?,
        (a, b) => format!(
            "simulator: {:?}, emitted C++: {:?}",
            a.as_ref().err(),
            b.as_ref().err()
        ),
    };
    Some(format!("{}: {why}", run.what))
}
