use jumar::prelude::*;

#[kernels]
mod m {
    fn twice(v: Tile<f32>) -> Tile<f32> {
        v * 2.0
    }
    #[kernel]
    fn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(twice(x.at(t).load()));
        }
    }
}
