//! One kernel on two readers.

use half::{bf16, f16};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{ParamId, Role};
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::{bind, eval, Env, Value};
use jumar::load::check_text;
use jumar::runtime::{Array, Backend, Census, Launch, Overflow};
use ndarray::{ArrayD, IxDyn};

/// A tensor of a kernel.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: String,
    pub dtype: DType,
    pub shape: Vec<usize>,
    /// True where the kernel writes it.
    pub written: bool,
}

/// A kernel and its arguments.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub chip: &'static Chip,
    pub text: String,
    pub tensors: Vec<Tensor>,
    /// Attributes; the others have their defaults.
    pub attrs: Vec<(String, Value)>,
    /// True for small halves alone, whose sums are exact in every order.
    pub exact: bool,
    pub seed: u64,
}

impl Case {
    /// Returns the kernel's name, the first word of the case's.
    pub fn kernel(&self) -> &str {
        self.name.split(' ').next().unwrap_or_default()
    }

    /// Checks the kernel of this name. Fails with the findings.
    pub fn named(&self, name: &str) -> Result<CheckedKernel, String> {
        let file = check_text("sample.rs", &self.text, Some(self.chip));
        file.kernel(name)
            .and_then(|k| k.checked.first())
            .cloned()
            .ok_or_else(|| file.render(false))
    }

    /// Checks the first kernel. Fails with the findings.
    pub fn checked(&self) -> Result<CheckedKernel, String> {
        let file = check_text("sample.rs", &self.text, Some(self.chip));
        if file.has_errors() {
            return Err(file.render(false));
        }
        file.kernels()
            .first()
            .and_then(|k| k.checked.first())
            .cloned()
            .ok_or_else(|| "no kernel".to_string())
    }
}

/// Runs a kernel on a backend or the simulator, and returns every tensor.
pub fn run(
    case: &Case,
    kernel: &CheckedKernel,
    overflow: Overflow,
    backend: Option<&dyn Backend>,
) -> Result<Vec<Array>, String> {
    run_on(case, kernel, overflow, (backend, None))
}

/// Runs a kernel on the simulator with its calls of device functions counted, and returns every
/// tensor.
pub fn counted(
    case: &Case,
    kernel: &CheckedKernel,
    overflow: Overflow,
    census: &Census,
) -> Result<Vec<Array>, String> {
    run_on(case, kernel, overflow, (None, Some(census)))
}

fn run_on(
    case: &Case,
    kernel: &CheckedKernel,
    overflow: Overflow,
    (backend, census): (Option<&dyn Backend>, Option<&Census>),
) -> Result<Vec<Array>, String> {
    let given = |i: usize, t: &Tensor| {
        let seed = case.seed + i as u64;
        if case.exact {
            halves(t, seed)
        } else {
            data(t, seed)
        }
    };
    let mut inputs: Vec<Array> = case
        .tensors
        .iter()
        .enumerate()
        .map(|(i, t)| given(i, t))
        .collect();
    let names: Vec<&str> = case.tensors.iter().map(|t| t.name.as_str()).collect();
    keep_promises(kernel, &names, &mut inputs, &case.attrs);
    let roles: Vec<Role> = case.tensors.iter().map(|t| role(kernel, &t.name)).collect();
    let start = |(t, (input, role)): (&Tensor, (&Array, &Role))| match role {
        Role::InOut => input.clone(),
        Role::In | Role::Out => {
            Array::zeros(t.dtype, &t.shape).expect("an element type of tensors")
        }
    };
    let mut outputs: Vec<Array> = case
        .tensors
        .iter()
        .zip(inputs.iter().zip(&roles))
        .map(start)
        .collect();
    let mut launch = Launch::new(kernel).overflow(overflow).pipes(true);
    for ((tensor, role), (input, output)) in case
        .tensors
        .iter()
        .zip(roles)
        .zip(inputs.iter().zip(&mut outputs))
    {
        launch = match role {
            Role::In => launch.input(&tensor.name, input),
            Role::InOut => launch.inout(&tensor.name, output),
            Role::Out => launch.output(&tensor.name, output),
        };
    }
    for (name, value) in &case.attrs {
        launch = launch.attr(name, *value);
    }
    let launch = match (backend, census) {
        (Some(backend), _) => launch.backend(backend),
        (None, Some(census)) => launch.census(census),
        (None, None) => launch,
    };
    launch.run().map_err(|e| e.to_string())?;
    Ok(outputs)
}

/// Replaces elements that are promised to be indices by indices. The arrays belong to the named
/// tensors.
pub fn keep_promises(
    kernel: &CheckedKernel,
    names: &[&str],
    inputs: &mut [Array],
    attrs: &[(String, Value)],
) {
    let sig = &kernel.kernel().sig;
    let ids: Vec<ParamId> = names
        .iter()
        .filter_map(|name| {
            sig.tensors()
                .find(|(_, p, ..)| p.name == *name)
                .map(|(id, ..)| id)
        })
        .collect();
    if sig.tensors().all(|(id, ..)| sig.promise(id).is_none()) {
        return;
    }
    let mut shapes = vec![None; sig.params.len()];
    ids.iter()
        .zip(inputs.iter())
        .for_each(|(id, input)| shapes[id.index()] = Some(input.shape().to_vec()));
    let shapes: Vec<Option<&[usize]>> = shapes.iter().map(Option::as_deref).collect();
    let attrs: Vec<(&str, Value)> = attrs
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    let (attrs, dims) = bind(sig, None, &shapes, &attrs).expect("attributes and shapes");
    let env = Env {
        dims: &dims,
        attrs: &attrs,
        chip: kernel.chip(),
        vars: Vec::new(),
        block: None,
    };
    for (id, input) in ids.into_iter().zip(inputs) {
        let Some(below) = sig.promise(id) else {
            continue;
        };
        let below = eval(below, &env)
            .and_then(Value::as_int)
            .expect("a promise");
        *input = indices(input.dtype(), input.shape(), below, id.0.into());
    }
}

/// Returns drawn indices below a bound, as elements of 64 or 32 bits.
pub fn indices(dtype: DType, shape: &[usize], below: i64, seed: u64) -> Array {
    let (mut next, shape) = (bits(seed), IxDyn(shape));
    let mut index = || (next() >> 33) as i64 % below.max(1);
    match dtype {
        DType::I64 => ArrayD::from_shape_simple_fn(shape, &mut index).into(),
        _ => ArrayD::from_shape_simple_fn(shape, || index() as i32).into(),
    }
}

/// Returns the role of a tensor in the kernel.
fn role(kernel: &CheckedKernel, name: &str) -> Role {
    let mut tensors = kernel.kernel().sig.tensors();
    tensors
        .find(|(_, p, ..)| p.name == name)
        .map(|(_, _, role, _)| role)
        .expect("a tensor of the kernel")
}

/// Runs a kernel on the simulator, and returns every tensor.
pub fn simulated(
    case: &Case,
    kernel: &CheckedKernel,
    overflow: Overflow,
) -> Result<Vec<Array>, String> {
    run(case, kernel, overflow, None)
}

/// Runs a kernel on the simulator and as emitted C++, and returns the difference.
pub fn disagreement(
    case: &Case,
    kernel: &CheckedKernel,
    cpp: &dyn Backend,
    overflow: Overflow,
) -> Option<String> {
    compare(
        case,
        &simulated(case, kernel, overflow),
        "emitted C++",
        &run(case, kernel, overflow, Some(cpp)),
    )
}

/// Returns the difference of a run to that of the simulator.
pub fn compare(
    case: &Case,
    simulated: &Result<Vec<Array>, String>,
    reader: &str,
    other: &Result<Vec<Array>, String>,
) -> Option<String> {
    match (simulated, other) {
        (Ok(simulated), Ok(other)) => {
            let pairs = case
                .tensors
                .iter()
                .zip(simulated.iter().zip(other))
                .filter(|(t, _)| t.written);
            pairs
                .filter_map(|(t, (a, b))| {
                    differs(a, reader, b).map(|why| format!("{}: {why}", t.name))
                })
                .next()
        }
        // Both refuse the launch alike, such as a shape for which no tile fits.
        (Err(a), Err(b)) if a == b => None,
        (a, b) => Some(format!("simulator: {}\n{reader}: {}", ending(a), ending(b))),
    }
}

fn ending(run: &Result<Vec<Array>, String>) -> &str {
    run.as_ref().map_or_else(String::as_str, |_| "ends well")
}

/// Returns the first elements with different bits; all nans are equal.
pub fn differs(simulated: &Array, reader: &str, other: &Array) -> Option<String> {
    let (a, b) = (simulated.to_f64(), other.to_f64());
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    let at = a.iter().zip(&b).position(|(a, b)| !same(*a, *b))?;
    let count = a.iter().zip(&b).filter(|(a, b)| !same(**a, **b)).count();
    Some(format!(
        "{count} of {} elements, first {at}: simulator {:e}, {reader} {:e}",
        a.len(),
        a[at],
        b[at]
    ))
}

/// Returns a generator of random bits.
fn bits(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Returns multiples of a half from -4 to 4, without the negative zero.
pub fn halves(tensor: &Tensor, seed: u64) -> Array {
    let mut next = bits(seed);
    let mut half = || (next() >> 40) as i32 % 9 - (next() >> 40) as i32 % 9;
    let shape = IxDyn(&tensor.shape);
    match tensor.dtype {
        DType::F16 => {
            ArrayD::from_shape_simple_fn(shape, || f16::from_f32(half() as f32 / 2.0)).into()
        }
        DType::Bf16 => {
            ArrayD::from_shape_simple_fn(shape, || bf16::from_f32(half() as f32 / 2.0)).into()
        }
        DType::F32 => ArrayD::from_shape_simple_fn(shape, || half() as f32 / 2.0).into(),
        DType::I32 | DType::Bits => ArrayD::from_shape_simple_fn(shape, &mut half).into(),
        DType::Bool => ArrayD::from_shape_simple_fn(shape, || half() > 0).into(),
        DType::I8 => ArrayD::from_shape_simple_fn(shape, || half() as i8).into(),
        DType::I64 => ArrayD::from_shape_simple_fn(shape, || i64::from(half())).into(),
        DType::I16 => ArrayD::from_shape_simple_fn(shape, || half() as i16).into(),
        DType::U8 => ArrayD::from_shape_simple_fn(shape, || half().unsigned_abs() as u8).into(),
        DType::U16 => ArrayD::from_shape_simple_fn(shape, || half().unsigned_abs() as u16).into(),
        DType::U32 => ArrayD::from_shape_simple_fn(shape, || half().unsigned_abs()).into(),
    }
}

/// Returns numbers of all kinds: mostly moderate, some of them edges of their type.
pub fn data(tensor: &Tensor, seed: u64) -> Array {
    let mut next = bits(seed);
    let edges = [
        0.0,
        -0.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        65504.0,
        -65504.0,
        1e-7,
        -6e-8,
        3.4e38,
        1e-42,
        88.8,
        -104.0,
    ];
    let mut float = || {
        let bits = next();
        if bits.is_multiple_of(29) {
            edges[(bits >> 32) as usize % edges.len()]
        } else {
            ((bits >> 40) as f32 / (1u64 << 24) as f32) * 12.0 - 6.0
        }
    };
    let shape = IxDyn(&tensor.shape);
    match tensor.dtype {
        DType::F16 => ArrayD::from_shape_simple_fn(shape, || f16::from_f32(float())).into(),
        DType::Bf16 => ArrayD::from_shape_simple_fn(shape, || bf16::from_f32(float())).into(),
        DType::F32 => ArrayD::from_shape_simple_fn(shape, &mut float).into(),
        DType::I32 | DType::Bits => {
            ArrayD::from_shape_simple_fn(shape, || (float() * 1e4) as i32).into()
        }
        DType::Bool => ArrayD::from_shape_simple_fn(shape, || float() > 0.0).into(),
        DType::I8 => ArrayD::from_shape_simple_fn(shape, || (float() * 30.0) as i8).into(),
        DType::I64 => ArrayD::from_shape_simple_fn(shape, || (float() * 1e12) as i64).into(),
        // Infinities become the ends of the type.
        DType::I16 => ArrayD::from_shape_simple_fn(shape, || (float() * 5461.0) as i16).into(),
        DType::U8 => ArrayD::from_shape_simple_fn(shape, || (float() * 21.25 + 127.5) as u8).into(),
        DType::U16 => {
            ArrayD::from_shape_simple_fn(shape, || (float() * 5461.0 + 32767.0) as u16).into()
        }
        DType::U32 => ArrayD::from_shape_simple_fn(shape, || {
            (f64::from(float()) * 357_913_941.0 + 2_147_483_648.0) as u32
        })
        .into(),
    }
}
