//! A helper that reduces along an axis is given the tile of the outermost loop in its place.
//! runs: x = f32[9, 70]
//! y: softmax(x)
use jumar::prelude::*;

#[kernels]
mod rows {
    fn normed(v: Tile<f32>, along: Axis) -> Tile<f32> {
        let e = (v - v.amax(along)).exp();
        e / e.sum(along)
    }
    #[kernel]
    pub fn softmax(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            y.at(r, ..).store(normed(x.at(r, ..).load(), r)); //- error: J0106
            //+ y.at(r, ..).store(normed(x.at(r, ..).load(), d));
        }
    }
}
