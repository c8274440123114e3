//! What rustc sees of the functions of the library.

use jumar::prelude::*;

#[kernel]
pub fn all<T: Float>(
    #[shape(n)] x: &GlobalTensor<T>,
    #[shape(n)] y: &mut GlobalTensor<T>,
    #[shape()] odd: &mut GlobalTensor<bool>,
) {
    let mut found = across_cores::<bool>((), false);
    for t in tiles(n) {
        let v = x.at(t).load();
        let waves = v.sin().lerp(v.cos(), 0.25).lerp(v.tan(), v);
        let curves = v
            .sigmoid()
            .elu(1.0)
            .celu(2.0)
            .leaky_relu(0.01)
            .clamp(-1.0, v)
            .pow(2)
            .pow(0.5)
            .pow(v);
        found |= (v.is_nan() | !v.gt(v) & v.lt(0.5) ^ v.is_inf()).any(t);
        y.at(t).store(
            v.is_finite()
                .select(waves.wide() + curves.wide(), 0.0)
                .cast::<T>()
                .floor(),
        );
    }
    odd.at().store(found);
}

/// Tensors that a launch may leave out.
#[kernel]
pub fn shifted<T: Float>(
    #[shape(n, d)] x: &GlobalTensor<T>,
    #[shape(d)] w: Option<&GlobalTensor<T>>,
    #[shape(d)] b: Option<&GlobalTensor<i32>>,
    #[shape(n, d)] y: &mut GlobalTensor<T>,
) {
    let (g, k) = (new_axis(1), new_axis(d));
    let count = if let Some(w) = w { w.len() as f32 } else { 1.0 };
    for r in tiles(n) {
        let mut v = x.at(r, ..).load().wide() * w.or_full(1.0).at(..).load().wide();
        if let Some(b) = b {
            v = v + b.at(..).load().cast::<f32>();
        } else if w.is_none() && b.is_none() {
            v = v * count + b.or_full(2).view((g, k)).at(0, 0).load().cast::<f32>();
        }
        y.at(r, ..).store(v.cast::<T>());
    }
}

fn main() {}
