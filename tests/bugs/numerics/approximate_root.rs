//! A norm uses the hardware's reciprocal square root, which misses a float by 1e-4.
//! runs: x = f32[9, 70]
//! y: rms_normed(x, 1e-6)
use jumar::prelude::*;

#[kernel]
pub fn rms(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v * ((v * v).mean(d) + 1e-6).rsqrt()); //- warning: J0901
        //+ y.at(r, ..).store(v / ((v * v).mean(d) + 1e-6).sqrt());
    }
}
