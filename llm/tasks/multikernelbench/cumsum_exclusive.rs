#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn cumsum_exclusive(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            y.at(r, ..).store(x.at(r, d.indices() - 1).load_or(0.0).cumsum(d));
        }
    }
}
