use jumar::prelude::*;

#[kernels]
mod m {
    fn narrow(v: Tile<f16>) -> Tile<bf16> {
        v.cast::<bf16>()
    }
    #[kernel]
    fn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<bf16>, flag: bool) {
        for t in tiles(x) {
            if flag {
                y.at(t).store(narrow(x.at(t).load()));
            } else {
                y.at(t).store(full::<bf16>(t, 0.0));
            }
        }
    }
}
