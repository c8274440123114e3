#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn leaky_relu(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, slope: f32) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().leaky_relu(slope));
        }
    }
}
