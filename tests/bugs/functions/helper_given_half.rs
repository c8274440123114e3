//! A helper over f32 is called with a tile of f16.
//! runs: x = f16[70]
//! y: relu(x)
use jumar::prelude::*;

#[kernels]
mod activations {
    fn rectified(v: Tile<f32>) -> Tile<f32> {
        v.max(0.0)
    }
    #[kernel]
    pub fn relu(#[shape(n)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f32>) {
        for t in tiles(n) {
            y.at(t).store(rectified(x.at(t).load())); //- error: J0201
            //+ y.at(t).store(rectified(x.at(t).load().cast::<f32>()));
        }
    }
}
