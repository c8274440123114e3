#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn mul_mul_reduce_mean_d_twice(
        #[shape(n, d)] a: &GlobalTensor<f16>,
        #[shape(n, d)] b: &GlobalTensor<f16>,
        #[shape()] c: &GlobalTensor<f16>,
        #[shape()] add: &GlobalTensor<f16>,
        #[shape(1, d)] gamma: &GlobalTensor<f16>,
        #[shape(1, d)] beta: &GlobalTensor<f16>,
        #[shape(n, d)] y: &mut GlobalTensor<f16>,
    ) {
        for r in tiles(n) {
            let v = a.at(r, ..).load().wide() * b.at(r, ..).load().wide() * c.at().load().wide();
            let e = v - v.mean(d);
            let s = ((e * e).mean(d) + add.at().load().wide()).sqrt();
            y.at(r, ..).store((e / s * gamma.at(0, ..).load().wide() + beta.at(0, ..).load().wide()).cast::<f16>());
        }
    }
}
