//! One kernel on both readers.

use half::{bf16, f16};
use jumar::cpp::Cpp;
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::Chip;
use jumar::load::check_text;
use jumar::runtime::{Array, Launch, Overflow};
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

/// A kernel and what it is given.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub chip: &'static Chip,
    pub text: String,
    pub tensors: Vec<Tensor>,
    /// Attributes; those left out take their defaults.
    pub attrs: Vec<(&'static str, f32)>,
    pub seed: u64,
}

impl Case {
    /// The kernel's name in the name of the case.
    pub fn kernel(&self) -> &str {
        self.name.split(' ').next().unwrap_or_default()
    }

    /// The kernel of the case's text, the first one or the one of this name; or the first finding.
    pub fn named(&self, name: &str) -> Result<CheckedKernel, String> {
        let file = check_text("sample.rs", &self.text, Some(self.chip));
        file.kernel(name).and_then(|k| k.checked.first()).cloned().ok_or_else(|| file.render(false))
    }

    /// The kernel, or the first finding.
    pub fn checked(&self) -> Result<CheckedKernel, String> {
        let file = check_text("sample.rs", &self.text, Some(self.chip));
        if file.has_errors() {
            return Err(file.render(false));
        }
        file.kernels().first().and_then(|k| k.checked.first()).cloned().ok_or_else(|| "no kernel".to_string())
    }
}

/// Every tensor after a run of the simulator, or of another backend.
fn run(case: &Case, kernel: &CheckedKernel, overflow: Overflow, cpp: Option<&Cpp>) -> Result<Vec<Array>, String> {
    let inputs: Vec<Array> = case.tensors.iter().enumerate().map(|(i, t)| data(t, case.seed + i as u64)).collect();
    let mut outputs: Vec<Array> =
        case.tensors.iter().map(|t| Array::zeros(t.dtype, &t.shape).expect("an element type of tensors")).collect();
    let mut launch = Launch::new(kernel).overflow(overflow);
    for ((tensor, input), output) in case.tensors.iter().zip(&inputs).zip(&mut outputs) {
        launch = if tensor.written { launch.output(&tensor.name, output) } else { launch.input(&tensor.name, input) };
    }
    for (name, value) in &case.attrs {
        launch = launch.attr(name, *value);
    }
    let launch = match cpp {
        Some(cpp) => launch.backend(cpp),
        None => launch,
    };
    launch.run().map_err(|e| e.to_string())?;
    Ok(outputs)
}

/// Every tensor after a run of the simulator.
pub fn simulated(case: &Case, kernel: &CheckedKernel, overflow: Overflow) -> Result<Vec<Array>, String> {
    run(case, kernel, overflow, None)
}

/// Runs a kernel on the simulator and as emitted C++; what differs, where something does.
pub fn disagreement(case: &Case, kernel: &CheckedKernel, cpp: &Cpp, overflow: Overflow) -> Option<String> {
    match (simulated(case, kernel, overflow), run(case, kernel, overflow, Some(cpp))) {
        (Ok(simulated), Ok(compiled)) => {
            let pairs = case.tensors.iter().zip(simulated.iter().zip(&compiled)).filter(|(t, _)| t.written);
            pairs.filter_map(|(t, (a, b))| differs(a, b).map(|why| format!("{}: {why}", t.name))).next()
        }
        // A launch that both refuse alike (a shape for which no tile fits).
        (Err(a), Err(b)) if a == b => None,
        (a, b) => Some(format!("simulator: {}\nemitted C++: {}", ending(&a), ending(&b))),
    }
}

fn ending(run: &Result<Vec<Array>, String>) -> &str {
    run.as_ref().map_or_else(String::as_str, |_| "ends well")
}

/// The first elements that have different bits; nan is nan whatever its payload.
pub fn differs(simulated: &Array, compiled: &Array) -> Option<String> {
    let (a, b) = (simulated.to_f64(), compiled.to_f64());
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    let at = a.iter().zip(&b).position(|(a, b)| !same(*a, *b))?;
    let count = a.iter().zip(&b).filter(|(a, b)| !same(**a, **b)).count();
    Some(format!("{count} of {} elements, first {at}: simulator {:e}, emitted C++ {:e}", a.len(), a[at], b[at]))
}

/// Numbers of all kinds: mostly moderate, some of them edges of their type.
pub fn data(tensor: &Tensor, seed: u64) -> Array {
    let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let edges =
        [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 65504.0, -65504.0, 1e-7, -6e-8, 3.4e38, 1e-42, 88.8, -104.0];
    let mut float = || {
        let bits = next();
        if bits % 29 == 0 {
            edges[(bits >> 32) as usize % edges.len()]
        } else {
            ((bits >> 40) as f32 / (1u64 << 24) as f32) * 12.0 - 6.0
        }
    };
    let shape = IxDyn(&tensor.shape);
    match tensor.dtype {
        DType::F16 => ArrayD::from_shape_fn(shape, |_| f16::from_f32(float())).into(),
        DType::Bf16 => ArrayD::from_shape_fn(shape, |_| bf16::from_f32(float())).into(),
        DType::F32 => ArrayD::from_shape_fn(shape, |_| float()).into(),
        DType::I32 | DType::U8 => ArrayD::from_shape_fn(shape, |_| (float() * 1e4) as i32).into(),
    }
}
