use jumar::prelude::*;

#[kernels]
mod m {
    fn h(v: Tile<f32>) -> Tile<f32> {
        let u = &v;
        u * 2.0
    }
    #[kernel]
    fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(h(x.at(t).load()));
        }
    }
}
