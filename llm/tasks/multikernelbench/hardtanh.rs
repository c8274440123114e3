#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn hardtanh(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().clamp(-1.0, 1.0));
        }
    }
}
