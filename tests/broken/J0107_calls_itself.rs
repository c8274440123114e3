use jumar::prelude::*;

#[kernels]
mod m {
    fn a(v: Tile<f32>) -> Tile<f32> {
        a(v)
    }
    #[kernel]
    fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(a(x.at(t).load()));
        }
    }
}
