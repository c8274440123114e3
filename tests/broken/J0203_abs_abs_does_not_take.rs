use jumar::prelude::*;

#[kernels]
mod m {
    fn h(v: Tile<i32>) -> Tile<i32> {
        v.abs()
    }
    #[kernel]
    fn k(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
        for t in tiles(x) {
            y.at(t).store(h(x.at(t).load()));
        }
    }
}
