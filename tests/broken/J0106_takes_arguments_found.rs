use jumar::prelude::*;

#[kernels]
mod m {
    fn h(v: Tile<f32>, s: f32) -> Tile<f32> {
        v * s
    }
    #[kernel]
    fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(h(x.at(t).load()));
        }
    }
}
