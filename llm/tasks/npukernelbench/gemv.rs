#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn gemv(
        #[shape(n, d)] a: &GlobalTensor<f32>,
        #[shape(d)] x: &GlobalTensor<f32>,
        #[shape(n)] y: &GlobalTensor<f32>,
        #[shape(n)] out: &mut GlobalTensor<f32>,
        alpha: f32,
        beta: f32,
    ) {
        for r in tiles(n) {
            let product = (a.at(r, ..).load() * x.at(..).load()).sum(d);
            out.at(r).store(product * alpha + y.at(r).load() * beta);
        }
    }
}
