#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn unalign_add(#[shape(n, d)] x: &GlobalTensor<f16>, y: &GlobalTensor<f16>, z: &mut GlobalTensor<f16>) {
        for t in tiles(x) {
            z.at(t).store(x.at(t).load() + y.at(t).load());
        }
    }
}
