#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn frobenius_norm(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let mut squares = across_cores::<f32>((), 0.0);
        for t in tiles(x) {
            squares += x.at(t).load().square().sum(t);
        }
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() / squares.sqrt());
        }
    }
}
