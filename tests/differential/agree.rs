//! One kernel on both readers.

use half::{bf16, f16};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::Chip;
use jumar::load::check_text;
use jumar::runtime::Array;
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
    pub seed: u64,
}

impl Case {
    /// The kernel, or the first finding.
    pub fn checked(&self) -> Result<CheckedKernel, String> {
        let mut file = check_text("sample.rs", &self.text, Some(self.chip));
        if file.has_errors() {
            return Err(file.render(false));
        }
        let _ = &mut file;
        file.kernels().first().and_then(|k| k.checked.first()).cloned().ok_or_else(|| "no kernel".to_string())
    }
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
    let edges = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 65504.0, -65504.0, 1e-7, -6e-8, 3.4e38, 1e-42, 88.8, -104.0];
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
