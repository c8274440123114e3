//! The examples over several axes, by the sizes of their axes.

use super::agree::{Case, Tensor};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Dim, Param, ParamId, Role, Signature, Ty};
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::{eval, Env, Value};
use jumar::load::check_text;

struct Nest {
    text: &'static str,
    kernel: &'static str,
    attrs: &'static [(&'static str, i64)],
    /// Sizes of the axes, in the order of their first names.
    sizes: &'static [&'static [usize]],
}

macro_rules! nests {
    ($($file:literal $kernel:literal $attrs:tt $sizes:tt)*) => {
        &[$(Nest { text: include_str!(concat!("../../examples/", $file, ".rs")), kernel: $kernel, attrs: &$attrs, sizes: &$sizes }),*]
    };
}
const NESTS: &[Nest] = nests! {
    "08_mean_middle" "mean_middle" [] [&[3, 5, 70], &[1, 1, 1], &[100, 3, 4], &[2, 128, 4096], &[1, 1000, 16], &[1, 9001, 17], &[0, 3, 4], &[3, 3, 0]]
    "25_gated" "gated" [] [&[5, 70], &[1, 1], &[300, 33], &[9, 9001], &[0, 4], &[3, 0]]
    "11_column_sums" "column_sums" [] [&[5, 70], &[1, 1], &[2041, 33], &[4096, 300], &[9, 40_000], &[3, 0]]
    "16_group_norm" "group_norm" [("groups", 2)] [&[3, 6, 50], &[1, 2, 1], &[2, 16, 256], &[50, 4, 9], &[2, 4, 4096], &[1, 4, 20_011], &[1, 8002, 9], &[0, 4, 9]]
    "10_batch_norm" "batch_norm" [] [&[3, 5, 70], &[1, 1, 1], &[2, 3000, 1], &[1, 1, 65_537], &[49, 8, 64], &[0, 3, 4], &[3, 5, 0]]
    "15_bias_residual" "bias_residual" [] [&[3, 5, 7, 7], &[1, 1, 1, 1], &[2, 300, 1, 3], &[1, 1, 2, 30_001], &[9, 8, 8, 8], &[0, 3, 4, 4]]
    "13_mse" "mse" [] [&[7], &[1], &[70_001], &[0]]
    "14_norm_grad" "norm_grad" [] [&[5, 70], &[1, 1], &[100, 768], &[3, 4099], &[2041, 9], &[5, 20_011], &[0, 4]]
    "27_group_norm_grad" "group_norm_grad" [] [&[3, 6, 50, 2], &[1, 1, 1, 1], &[2, 16, 256, 4], &[50, 4, 9, 2], &[1, 4, 9001, 2]]
    "26_batch_norm_train" "batch_norm_train" [] [&[3, 5, 70], &[1, 1, 1], &[2, 300, 2], &[1, 1, 30_001], &[49, 8, 64], &[2, 5003, 3]]
    "09_softmax_middle" "softmax_middle" [] [&[3, 5, 70], &[1, 1, 1], &[100, 3, 4], &[2, 128, 1000], &[1, 700, 8], &[1, 5003, 9], &[0, 3, 4]]
    "18_max_pool" "max_pool" [] [&[3, 28, 28], &[1, 1, 1], &[2, 7, 9], &[4, 1, 65], &[1, 90, 517], &[0, 3, 4]]
    "../codegen/tests/kernels/windowed" "windowed" [] [&[5, 70], &[3, 1], &[2, 9], &[4, 8], &[700, 33], &[40, 2100], &[9, 0]]
    "../codegen/tests/kernels/looped" "looped" [] [&[3, 5, 70], &[1, 1, 1], &[2, 2, 9], &[40, 14, 14], &[1, 130, 300], &[0, 3, 4], &[3, 0, 4]]
    "19_depthwise" "depthwise" [("step", 2), ("border", 1)] [&[2, 3, 9, 33, 3, 3], &[1, 1, 1, 1, 3, 3], &[1, 2, 20, 20, 1, 2]]
    "19_depthwise" "depthwise" [("step", 1), ("border", 9)] [&[1, 2, 5, 40, 3, 2], &[1, 1, 1, 1, 19, 19]]
    "22_embedding" "embedding" [] [&[9, 5, 70], &[1, 1, 1], &[300, 1000, 64], &[1000, 3, 33], &[2, 3, 50_257], &[0, 3, 4]]
    "22_embedding" "bags" [] [&[9, 3, 5, 70], &[1, 1, 1, 1], &[100, 7, 12, 64]]
    "17_transpose" "transpose" [] [&[3, 9, 70], &[1, 1, 1], &[2, 40, 33], &[1, 300, 500], &[2, 0, 4], &[2, 4, 0]]
    "17_transpose" "channels_last" [] [&[3, 5, 7, 9], &[1, 1, 1, 1], &[2, 16, 20, 20], &[1, 65, 1, 300], &[0, 3, 4, 4]]
    "21_bilinear" "bilinear" [("s", 2)] [&[2, 3, 5, 9], &[1, 1, 1, 1], &[3, 40, 3, 33], &[1, 1, 2, 1000], &[0, 3, 4, 4]]
    "21_bilinear" "bilinear" [("s", 3)] [&[1, 2, 3, 70]]
    "23_scatter_add" "scatter_add" [("m", 5)] [&[9, 5, 70], &[1, 5, 1], &[100, 5, 64], &[100, 5, 33], &[0, 5, 4]]
    "23_scatter_add" "descend" [] [&[9, 5, 70], &[1, 1, 1], &[100, 9, 64], &[300, 3, 33], &[0, 3, 4]]
    "24_masked_select" "masked_select" [] [&[9, 9], &[1, 1], &[0, 0], &[0, 5], &[1000, 1000], &[100_003, 100_003], &[5000, 100], &[300, 0]]
    "24_masked_select" "above" [] [&[9, 70, 630], &[1, 1, 1], &[300, 33, 5000], &[2, 20_011, 50_000], &[0, 4, 3]]
    "20_flip_concat" "flip" [("dim", 1)] [&[3, 5, 70], &[1, 1, 1], &[20, 33, 3], &[2, 4096, 1], &[1, 40, 1000], &[2, 0, 4], &[0, 3, 4]]
    "20_flip_concat" "flip_last" [] [&[5, 70], &[1, 1], &[300, 33], &[2, 4096], &[0, 4]]
    "20_flip_concat" "concat" [("dim", -2)] [&[1, 5, 70, 3], &[1, 1, 1, 1], &[300, 33, 1, 7], &[3, 7, 5, 2], &[0, 4, 3, 2], &[2, 0, 3, 5]]
};

/// Returns the shape of a tensor, by the sizes of the named axes.
fn shape(
    sig: &Signature,
    id: ParamId,
    (nest, chip, sizes): (&Nest, &'static Chip, &[usize]),
) -> Vec<usize> {
    let given = |p: &Param| {
        nest.attrs
            .iter()
            .find(|(name, _)| *name == p.name)
            .map(|(_, value)| Value::Int(*value))
    };
    let attrs: Vec<Option<Value>> = sig.params.iter().map(given).collect();
    let dims: Vec<i64> = sizes.iter().map(|n| *n as i64).collect();
    let env = Env {
        dims: &dims,
        attrs: &attrs,
        chip,
        vars: Vec::new(),
        block: None,
    };
    let size = |dim: &Dim| match dim {
        Dim::Axis { axis } | Dim::At { axis, .. } => sizes[axis.index()],
        Dim::Expr { size } => eval(size, &env)
            .and_then(|n| n.as_int())
            .expect("a size of axes and attributes") as usize,
    };
    sig.shape(id).iter().map(size).collect()
}

/// Makes a case of each example and element type, on several chips.
pub fn cases() -> Vec<Case> {
    let chips = ["ascend910b1", "ascend910b4", "ascend910_93"]
        .map(|name| Chip::by_name(name).expect("a chip"));
    let mut cases = Vec::new();
    for (nest, chip) in NESTS.iter().zip(chips.into_iter().cycle()) {
        let file = check_text("example.rs", nest.text, Some(chip));
        let kernel = file
            .kernel(nest.kernel)
            .and_then(|k| k.checked.first())
            .expect("an example is a kernel");
        let sig = &kernel.kernel().sig;
        for binding in &sig.instances {
            cases.extend(
                nest.sizes
                    .iter()
                    .map(|sizes| case(nest, chip, sig, binding, sizes)),
            );
        }
    }
    cases
}

fn case(
    nest: &Nest,
    chip: &'static Chip,
    sig: &Signature,
    binding: &[DType],
    sizes: &[usize],
) -> Case {
    let tensor = |(id, p, role, ty): (ParamId, &Param, Role, Ty)| Tensor {
        name: p.name.clone(),
        dtype: ty.resolve(binding),
        shape: shape(sig, id, (nest, chip, sizes)),
        written: role == Role::Out,
    };
    Case {
        name: format!("{} {sizes:?}", nest.kernel),
        chip,
        text: nest.text.to_string(),
        tensors: sig.tensors().map(tensor).collect(),
        attrs: nest
            .attrs
            .iter()
            .map(|(name, value)| (name.to_string(), Value::Int(*value)))
            .collect(),
        // With `atomic_add` the order of the cores is open.
        exact: nest.text.contains("atomic_add"),
        seed: 5,
    }
}
