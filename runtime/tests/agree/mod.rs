//! Runs kernels through all readers: the interpreter of the source, the interpreter after each
//! pass, and the simulator must agree to the bit. Data are small integers, on which all orders of a
//! sum agree.

use half::{bf16, f16};
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::{Kernel, ParamId, Role, Signature};
use jumar_dsl::lower::tile_passes;
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{bind, eval, keeps_facts, Env, Value};
use jumar_runtime::tile::{Cut, Inputs, Tile};
use jumar_runtime::{infer_output_shapes, Array, AsOutput, JobBytes, Launch, Overflow};
use ndarray::{ArrayD, IxDyn};

fn whole_numbers(dtype: DType, shape: &[usize], seed: u64) -> Array {
    let mut s = seed;
    let mut next = || {
        s = s
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (s >> 59) as f32 - 15.0
    };
    let shape = IxDyn(shape);
    match dtype {
        DType::F16 => ArrayD::from_shape_simple_fn(shape, || f16::from_f32(next())).into(),
        DType::Bf16 => ArrayD::from_shape_simple_fn(shape, || bf16::from_f32(next())).into(),
        DType::F32 => ArrayD::from_shape_simple_fn(shape, &mut next).into(),
        DType::I32 | DType::Bits => ArrayD::from_shape_simple_fn(shape, || next() as i32).into(),
        DType::Bool => ArrayD::from_shape_simple_fn(shape, || next() > 4.0).into(),
        DType::I8 => ArrayD::from_shape_simple_fn(shape, || (next() as i8).wrapping_mul(17)).into(),
        DType::I16 => ArrayD::from_shape_simple_fn(shape, || next() as i16).into(),
        DType::U8 => {
            ArrayD::from_shape_simple_fn(shape, || (next().abs() as u8).wrapping_mul(17)).into()
        }
        DType::U16 => {
            ArrayD::from_shape_simple_fn(shape, || (next().abs() as u16).wrapping_mul(4369)).into()
        }
        DType::U32 => {
            ArrayD::from_shape_simple_fn(shape, || (next().abs() as u32).wrapping_mul(286_331_153))
                .into()
        }
        // Small integers, and some that need more than 32 bits.
        DType::I64 => ArrayD::from_shape_simple_fn(shape, || {
            (next() as i64).pow(if next() > 8.0 { 13 } else { 1 })
        })
        .into(),
    }
}

/// Tensors with their names and roles.
pub type Arrays = Vec<(String, Role, Array)>;

/// Integers that an input has, by its name.
pub type Given<'a> = (&'a str, &'a [i64]);

/// Makes inputs and zeroed outputs of one instance.
pub fn arrays(
    kernel: &CheckedKernel,
    instance: usize,
    shapes: &[&[usize]],
    given: &[Given<'_>],
) -> Arrays {
    let sig = &kernel.kernel().sig;
    let binding = &sig.instances[instance];
    let mut shapes = shapes.iter();
    let mut all: Arrays = Vec::new();
    for (i, (id, p, role, ty)) in sig.tensors().enumerate() {
        let dtype = ty.resolve(binding);
        let is_said = role != Role::Out || sig.is_optional(id);
        let said = is_said.then(|| {
            *shapes
                .next()
                .expect("a shape for each input, and of what may be left out")
        });
        // This argument is left out.
        if said == Some(&[usize::MAX]) {
            continue;
        }
        let array = match role {
            Role::In | Role::InOut => {
                whole_numbers(dtype, said.expect("the shape of an input"), i as u64 + 3)
            }
            Role::Out => {
                let given: Vec<(&str, &[usize])> = all
                    .iter()
                    .map(|(n, _, a)| (n.as_str(), a.shape()))
                    .collect();
                let outs = infer_output_shapes(sig, &given, &[]).expect("shapes of outputs");
                let (_, shape) = outs.iter().find(|(n, _)| *n == p.name).expect("an output");
                Array::zeros(dtype, shape).expect("an element type")
            }
        };
        all.push((p.name.clone(), role, array));
    }
    keep_promises(kernel, &mut all);
    for (name, numbers) in given {
        let (.., array) = all
            .iter_mut()
            .find(|(own, ..)| own == name)
            .expect("an input of that name");
        let number = |at: ndarray::Dim<ndarray::IxDynImpl>| numbers[at[0]];
        *array = match array.dtype() {
            DType::I64 => ArrayD::from_shape_fn(IxDyn(array.shape()), number).into(),
            _ => ArrayD::from_shape_fn(IxDyn(array.shape()), |at| number(at) as i32).into(),
        };
    }
    all
}

/// Changes elements that are promised to be indices so that the promise holds.
fn keep_promises(kernel: &CheckedKernel, all: &mut Arrays) {
    let sig = &kernel.kernel().sig;
    let (attrs, dims) = attrs_and_dims(sig, all);
    let env = Env {
        dims: &dims,
        attrs: &attrs,
        chip: kernel.chip(),
        vars: Vec::new(),
        block: None,
    };
    for (name, _, array) in all {
        let id = id_of(sig, name);
        let Some(below) = sig.promise(id) else {
            continue;
        };
        let below = eval(below, &env)
            .and_then(Value::as_int)
            .expect("a promise");
        let shape = IxDyn(array.shape());
        let mut s = id.0 as u64 + 7;
        let mut next = || {
            s = s
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (s >> 33) as i64 % below
        };
        *array = match array.dtype() {
            DType::I64 => ArrayD::from_shape_simple_fn(shape, &mut next).into(),
            _ => ArrayD::from_shape_simple_fn(shape, || next() as i32).into(),
        };
    }
}

/// Returns the shapes of arrays, one entry for each parameter.
fn by_parameter<'a>(sig: &Signature, all: &'a [(String, Role, Array)]) -> Vec<Option<&'a [usize]>> {
    let mut shapes = vec![None; sig.params.len()];
    for (name, _, array) in all {
        shapes[id_of(sig, name).index()] = Some(array.shape());
    }
    shapes
}

fn id_of(sig: &Signature, name: &str) -> ParamId {
    sig.tensors()
        .find(|(_, p, ..)| p.name == name)
        .map(|(id, ..)| id)
        .expect("a tensor of that name")
}

/// Written tensors with their elements.
pub type Written = Vec<(String, Vec<f64>)>;

pub fn written(arrays: Arrays) -> Written {
    arrays
        .into_iter()
        .filter(|(_, role, _)| *role != Role::In)
        .map(|(name, _, a)| (name, a.to_f64()))
        .collect()
}

fn assert_same(what: &str, got: &Written, want: &Written) {
    for ((name, got), (_, want)) in got.iter().zip(want) {
        let differ = |(a, b): (&f64, &f64)| a.to_bits() != b.to_bits();
        if let Some(at) = got.iter().zip(want).position(differ) {
            panic!(
                "{what}: element {at} of `{name}` is {} and was simulated as {}",
                got[at], want[at]
            );
        }
    }
}

/// Returns the kernel of a text, as written and as checked.
pub fn checked(what: &str, chip: &str, text: &str) -> (Kernel, CheckedKernel) {
    let parsed = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{what}: {}", d.message))
        .remove(0);
    let messages: Vec<_> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.clone())
        .collect();
    let kernel = parsed
        .kernel
        .unwrap_or_else(|| panic!("{what}: {messages:?}"));
    let chip = Chip::by_name(chip).expect("a chip");
    let checked =
        check(&kernel, chip).unwrap_or_else(|d| panic!("{what}: {}: {}", d[0].code, d[0].message));
    (kernel, checked)
}

/// Returns attributes with their defaults, and the sizes of all axes.
pub fn attrs_and_dims(sig: &Signature, all: &Arrays) -> (Vec<Option<Value>>, Vec<i64>) {
    bind(sig, None, &by_parameter(sig, all), &[]).expect("attributes with defaults, and shapes")
}

/// Runs a kernel with inputs of these shapes through every reader. Returns the variants that the
/// simulator ran, one for each instance, as indices among the variants of their case.
pub fn agree(what: &str, chip: &str, text: &str, shapes: &[&[usize]]) -> Vec<usize> {
    agree_given(what, chip, text, shapes, &[])
}

/// As `agree`, with given numbers in some inputs.
pub fn agree_given(
    what: &str,
    chip: &str,
    text: &str,
    shapes: &[&[usize]],
    given: &[Given<'_>],
) -> Vec<usize> {
    let (kernel, checked) = checked(what, chip, text);
    let mut variants = Vec::new();
    for instance in 0..kernel.sig.instances.len() {
        let launch = |tile: Option<&Tile>| {
            let mut arrays = arrays(&checked, instance, shapes, given);
            let mut launch = Launch::new(&checked).pipes(true);
            for (name, role, array) in &mut arrays {
                launch = match role {
                    Role::In => launch.input(name, &*array),
                    Role::InOut => launch.inout(name, array),
                    Role::Out => launch.output(name, array),
                };
            }
            if let Some(tile) = tile {
                launch = launch.backend(tile);
            }
            let report = launch
                .run()
                .unwrap_or_else(|e| panic!("{what} {shapes:?}: {e}"));
            // The variant among those of its case.
            let (lowered, variant) = (
                &checked.instances()[report.instance],
                report.items[0].variant,
            );
            let first = lowered
                .variants
                .iter()
                .position(|other| other.case == lowered.variants[variant].case);
            (
                written(arrays),
                variant - first.unwrap_or(variant),
                report.instance,
            )
        };
        // The first of the instances that differ only in what is left out runs.
        let (simulated, variant, ran) = launch(None);
        variants.push(variant);
        for cut in [Cut::Whole, Cut::Halves] {
            assert_same(
                &format!("{what} {shapes:?}, {cut:?}"),
                &launch(Some(&Tile::new(cut, false))).0,
                &simulated,
            );
        }
        for (pass, after) in tile_passes(&kernel, ran, checked.chip()) {
            let mut arrays = arrays(&checked, instance, shapes, given);
            let (attrs, dims) = attrs_and_dims(&kernel.sig, &arrays);
            if !keeps_facts(&after.sig, checked.chip(), &dims, &attrs) {
                continue;
            }
            let tensors = arrays
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
            Tile::default()
                .interpret(&after, ran, inputs)
                .unwrap_or_else(|e| panic!("{what}, {pass}: {e}"));
            assert_same(
                &format!("{what} {shapes:?}, after {pass}"),
                &written(arrays),
                &simulated,
            );
        }
    }
    variants
}
