//! The examples as cases.

use super::agree::{Case, Tensor};
use jumar::dsl::ir::{Dim, Param, ParamId, Role, Signature, Ty};
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::Value;
use jumar::load::check_text;

struct Example {
    text: &'static str,
    kernel: &'static str,
    /// Tensors of one row only.
    rows: &'static [&'static str],
    attrs: &'static [(&'static str, f32)],
}

macro_rules! examples {
    ($($file:literal $kernel:literal $rows:tt $attrs:tt)*) => {
        &[$(Example {
            text: include_str!(concat!("../../examples/", $file, ".rs")),
            kernel: $kernel,
            rows: &$rows,
            attrs: &$attrs,
        }),*]
    };
}
const EXAMPLES: &[Example] = examples! {
    "01_add" "add" [] []
    "28_add_queue" "add_queue" [] []
    "28_add_queue" "add_queue_wide" [] []
    "30_add_by_hand" "add_by_hand" [] []
    "29_total" "total" [] []
    "../codegen/tests/kernels/crossed" "crossed" [] []
    "03_swish" "swish" [] [("scale", 1.25)]
    "02_scale_add" "scale_add" [] [("alpha", -1.5)]
    "04_softmax" "softmax" [] []
    "12_softmax_online" "softmax_online" [] []
    "05_rms_norm" "rms_norm" ["gamma"] []
    "06_layer_norm" "layer_norm" ["gamma", "beta"] []
};

/// Returns the shape of a tensor whose sizes are all numbers.
fn fixed(sig: &Signature, id: ParamId) -> Option<Vec<usize>> {
    let size = |dim: &Dim| match dim {
        Dim::Expr { size } => size.as_int().map(|n| n as usize),
        Dim::Axis { .. } | Dim::At { .. } => None,
    };
    sig.shape(id).iter().map(size).collect()
}

/// Makes a case of each example, element type and shape; the examples take the chips in rotation.
pub fn example_cases(shapes: &[(usize, usize)], chips: &[&str]) -> Vec<Case> {
    let mut cases = Vec::new();
    for (
        i,
        Example {
            text,
            kernel: name,
            rows,
            attrs,
        },
    ) in EXAMPLES.iter().enumerate()
    {
        let chip = Chip::by_name(chips[i % chips.len()]).expect("a chip");
        let file = check_text("example.rs", text, Some(chip));
        let kernel = file
            .kernel(name)
            .and_then(|k| k.checked.first())
            .expect("an example is a kernel");
        let sig = &kernel.kernel().sig;
        for binding in &sig.instances {
            for &(n, d) in shapes {
                let tensor = |(id, p, role, ty): (ParamId, &Param, Role, Ty)| Tensor {
                    name: p.name.clone(),
                    dtype: ty.resolve(binding),
                    shape: match fixed(sig, id) {
                        Some(shape) => shape,
                        None if rows.contains(&p.name.as_str()) => vec![d],
                        None => vec![n, d],
                    },
                    written: role == Role::Out,
                };
                let tensors = sig.tensors().map(tensor).collect();
                let attrs = attrs
                    .iter()
                    .map(|(name, v)| (name.to_string(), Value::F32(*v)))
                    .collect();
                cases.push(Case {
                    name: format!("{name} {n}x{d}"),
                    chip,
                    text: text.to_string(),
                    tensors,
                    attrs,
                    exact: false,
                    seed: 5,
                });
            }
        }
    }
    cases
}
