//! Laws of lowered kernels, checked over small kernels. No text is compared, so a better plan
//! breaks none of them.

mod alike;
mod cases;
mod func;
mod host;
mod look;
mod passes;
mod plan;
mod split;
mod windows;
mod worth;

use super::*;
use crate::dtype::DType;
use crate::ir::{Lowered, Scalar, StmtKind};
use crate::tiling::{eval, evaluate, Env, TilingError, Value};
use look::{each_list, kernel, lowerings, seen, stored, Seen};

/// Kernels with every kind of loop, and values that are shared, assigned to, stored twice and kept
/// over loops.
const KERNELS: &[&str] = &[
    "#[kernel] fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) { for t in tiles(x) { y.at(t).store(x.at(t).load()); } }",
    "#[kernel] #[instances(f16, f32)] fn k<T: Float>(x: &GlobalTensor<T>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<T>, z: &mut GlobalTensor<f32>, s: f32) { \
     for t in tiles(x) { let v = x.at(t).load().cast::<f32>() * s + w.at(t).load(); z.at(t).store(v); y.at(t).store((v.exp() / v).cast::<T>()); } }",
    "#[kernel] fn k(x: &GlobalTensor<f32>, #[inplace] y: &mut GlobalTensor<f32>) { \
     for t in tiles(x) { let a = y.at(t).load(); y.at(t).store(a + x.at(t).load()); let b = y.at(t).load(); y.at(t).store(b * 2.0); } }",
    "#[kernel] fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, n: usize, flag: bool) { for t in tiles(x) { let v = x.at(t).load(); let mut u = v; \
     for i in 0..n { if flag { u = u + v; } else { u = u * v.exp(); } } y.at(t).store(u.gt(v).select(u, v)); } }",
    "#[kernel] #[instances(f16, f32)] fn k<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) { \
     for r in tiles(n) { let v = x.at(r, ..).load().cast::<f32>(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store((e / e.sum(d)).cast::<T>()); } }",
    "#[kernel] fn k(#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(n..)] c: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, \
     #[shape(n..)] z: &mut GlobalTensor<f32>) { for r in tiles(n) { let v = x.at(r, ..).load() * g.at(..).load() + c.at(r).load(); y.at(r, ..).store(v); z.at(r).store(v.sum(d)); } }",
    "#[kernel] fn k(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for r in tiles(n) { let mut m = full(r, f32::NEG_INFINITY); \
     for c in tiles(d) { m = m.max(x.at(r, c).load().amax(c)); } for c in tiles(d) { y.at(r, c).store(x.at(r, c).load() - m); } } }",
    "#[kernel] fn k(#[shape(n.., d)] a: &GlobalTensor<f32>, b: &GlobalTensor<f32>, c: &GlobalTensor<f32>, d2: &GlobalTensor<f32>, e: &GlobalTensor<f32>, \
     y: &mut GlobalTensor<f32>) { for r in tiles(n) { let s = a.at(r, ..).load() + b.at(r, ..).load() + c.at(r, ..).load() + d2.at(r, ..).load() + e.at(r, ..).load(); y.at(r, ..).store(s - s.amin(d)); } }",
    "#[kernel] fn k(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) { for t in tiles(x).size(512).buffer_num(1) { y.at(t).store(-x.at(t).load()); } }",
];

/// One lowering of a kernel above, with its name in messages.
struct Case {
    name: String,
    chip: &'static Chip,
    kernel: Kernel,
    lowering: Lowering,
}

/// Lowers every kernel for every instance on a chip of each generation.
fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    for chip in ["ascend910b1", "ascend310p"].map(|name| Chip::by_name(name).expect("a chip")) {
        for text in KERNELS {
            let kernel = kernel(text);
            let runs = |i: usize| chip.has_bf16 || !kernel.sig.instances[i].contains(&DType::Bf16);
            for (i, lowering) in lowerings(&kernel, chip)
                .into_iter()
                .enumerate()
                .filter(|(i, _)| runs(*i))
            {
                let name = format!("instance {i} on {}: {text}", chip.name);
                out.push(Case {
                    name,
                    chip,
                    kernel: kernel.clone(),
                    lowering,
                });
            }
        }
    }
    out
}

/// Returns small values for the attributes of a kernel.
fn attrs(kernel: &Kernel) -> Vec<Option<Value>> {
    use crate::ir::{ParamKind, ScalarTy};
    let value = |kind: &ParamKind| match kind {
        ParamKind::Attr {
            ty: ScalarTy::F32, ..
        } => Some(Value::F32(1.5)),
        ParamKind::Attr {
            ty: ScalarTy::Bool, ..
        } => Some(Value::Bool(true)),
        ParamKind::Attr { .. } => Some(Value::Int(3)),
        ParamKind::Tensor { .. } => None,
    };
    kernel.sig.params.iter().map(|p| value(&p.kind)).collect()
}

/// Assigns sizes to the axes, from the beginning again when they run out.
fn dims(kernel: &Kernel, sizes: &[i64]) -> Vec<i64> {
    sizes
        .iter()
        .copied()
        .cycle()
        .take(kernel.sig.axes.len())
        .collect()
}
