//! The examples over several axes, by the sizes of their axes.

use super::agree::{Case, Tensor};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Dim, Param, ParamId, Role, Scalar, Signature, Ty};
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::Value;
use jumar::load::check_text;

struct Nest {
    text: &'static str,
    kernel: &'static str,
    attrs: &'static [(&'static str, i64)],
    /// How many indices each axis has, in the order of their first names.
    sizes: &'static [&'static [usize]],
}

macro_rules! nests {
    ($($name:literal $attrs:tt $sizes:tt)*) => {
        &[$(Nest { text: include_str!(concat!("../../examples/", $name, ".rs")), kernel: $name, attrs: &$attrs, sizes: &$sizes }),*]
    };
}
const NESTS: &[Nest] = nests! {
    "mean_middle" [] [&[3, 5, 70], &[1, 1, 1], &[100, 3, 4], &[2, 128, 4096], &[1, 1000, 16], &[0, 3, 4], &[3, 3, 0]]
    "column_sums" [] [&[5, 70], &[1, 1], &[2041, 33], &[4096, 300], &[9, 40_000], &[3, 0]]
    "group_norm" [("groups", 2)] [&[3, 6, 50], &[1, 2, 1], &[2, 16, 256], &[50, 4, 9], &[2, 4, 4096], &[0, 4, 9]]
    "batch_norm" [] [&[3, 5, 70], &[1, 1, 1], &[2, 3000, 1], &[1, 1, 65_537], &[49, 8, 64], &[0, 3, 4], &[3, 5, 0]]
    "bias_residual" [] [&[3, 5, 7, 7], &[1, 1, 1, 1], &[2, 300, 1, 3], &[1, 1, 2, 30_001], &[9, 8, 8, 8], &[0, 3, 4, 4]]
    "mse" [] [&[7], &[1], &[70_001], &[0]]
    "norm_grad" [] [&[5, 70], &[1, 1], &[100, 768], &[3, 4099], &[2041, 9], &[0, 4]]
    "batch_norm_train" [] [&[3, 5, 70], &[1, 1, 1], &[2, 300, 2], &[1, 1, 30_001], &[49, 8, 64]]
    "softmax_middle" [] [&[3, 5, 70], &[1, 1, 1], &[100, 3, 4], &[2, 128, 1000], &[1, 700, 8], &[0, 3, 4]]
};

/// The shape of a tensor whose axes all have names.
fn shape(sig: &Signature, id: ParamId, sizes: &[usize]) -> Vec<usize> {
    let size = |dim: &Dim| match dim {
        Dim::Axis { axis } => sizes[axis.index()],
        Dim::Expr { size: Scalar::Int(n) } => *n as usize,
        Dim::Expr { size } => panic!("a size without a name: {size:?}"),
    };
    sig.shape(id).iter().map(size).collect()
}

/// Each of them in each element type, on several chips.
pub fn cases() -> Vec<Case> {
    let chips = ["ascend910b1", "ascend910b4", "ascend910_93"].map(|name| Chip::by_name(name).expect("a chip"));
    let mut cases = Vec::new();
    for (nest, chip) in NESTS.iter().zip(chips.into_iter().cycle()) {
        let file = check_text("example.rs", nest.text, Some(chip));
        let kernel = file.kernel(nest.kernel).and_then(|k| k.checked.first()).expect("an example is a kernel");
        let sig = &kernel.kernel().sig;
        for binding in &sig.instances {
            cases.extend(nest.sizes.iter().map(|sizes| case(nest, chip, sig, binding, sizes)));
        }
    }
    cases
}

fn case(nest: &Nest, chip: &'static Chip, sig: &Signature, binding: &[DType], sizes: &[usize]) -> Case {
    let tensor = |(id, p, role, ty): (ParamId, &Param, Role, Ty)| Tensor {
        name: p.name.clone(),
        dtype: ty.resolve(binding),
        shape: shape(sig, id, sizes),
        written: role == Role::Out,
    };
    Case {
        name: format!("{} {sizes:?}", nest.kernel),
        chip,
        text: nest.text.to_string(),
        tensors: sig.tensors().map(tensor).collect(),
        attrs: nest.attrs.iter().map(|(name, value)| (name.to_string(), Value::Int(*value))).collect(),
        exact: false,
        seed: 5,
    }
}
