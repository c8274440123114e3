#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn l2_norm(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            let v = x.at(r, ..).load();
            y.at(r, ..).store(v / (v * v).sum(d).sqrt());
        }
    }
}
