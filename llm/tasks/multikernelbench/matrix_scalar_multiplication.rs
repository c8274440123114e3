#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn matrix_scalar_multiplication(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() * s);
        }
    }
}
