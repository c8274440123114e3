#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn select_reduce_max_d_sub_exp_reduce_sum_d_real_div(
        #[shape(n.., d)] sel: &GlobalTensor<bool>,
        #[shape(n.., d)] a: &GlobalTensor<f16>,
        #[shape(n.., d)] b: &GlobalTensor<f16>,
        #[shape(n.., d)] y: &mut GlobalTensor<f16>,
    ) {
        for r in tiles(n) {
            let v = sel.at(r, ..).load().select(a.at(r, ..).load(), b.at(r, ..).load()).wide();
            let e = (v - v.amax(d)).exp();
            y.at(r, ..).store((e / e.sum(d)).cast::<f16>());
        }
    }
}
