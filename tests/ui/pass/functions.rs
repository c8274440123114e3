//! What rustc sees of the functions of the library.

use jumar::prelude::*;

#[kernel]
pub fn all<T: Float>(#[shape(n)] x: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>, #[shape()] odd: &mut GlobalTensor<bool>) {
    let mut found = across_cores::<bool>((), false);
    for t in tiles(n) {
        let v = x.at(t).load();
        let waves = v.sin().lerp(v.cos(), 0.25).lerp(v.tan(), v);
        let curves = v.sigmoid().elu(1.0).celu(2.0).leaky_relu(0.01).clamp(-1.0, v).pow(2).pow(0.5).pow(v);
        found |= v.is_nan().any(t);
        y.at(t).store(v.is_finite().select(waves.wide() + curves.wide(), 0.0).cast::<T>().floor());
    }
    odd.at().store(found);
}

fn main() {}
