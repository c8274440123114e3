use jumar::prelude::*;

#[kernels]
mod m {
    fn inverse(v: Tile<f16>) -> Tile<f16> {
        v.reciprocal()
    }
    #[kernel]
    fn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {
        for t in tiles(x) {
            y.at(t).store(inverse(x.at(t).load()));
        }
    }
}
