use jumar::prelude::*;
#[kernel]
pub fn op_log_prob_and_rank<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0)] #[index(a1)] x1: &GlobalTensor<i64>,
    #[shape(a0)] y0: &mut GlobalTensor<f32>,
    #[shape(a0)] y1: &mut GlobalTensor<i32>,
) {
    for i0 in each(a0) {
        let h0 = x0.at(i0, ..).load();
        let v0 = h0.cast::<f32>();
        let hl0 = x1.at(i0).load();
        let h1 = x0.at(i0, hl0).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0.amax(a1);
        let v3 = v1 - v2;
        let v4 = v0 - v2;
        let v5 = v4.exp();
        let v6 = v5.sum(a1);
        let v7 = v6.ln();
        let v8 = v3 - v7;
        y0.at(i0).store(v8);
        let m0 = v0.ge(v1);
        let v9 = full::<f32>(a1, 1.0);
        let v10 = m0.select(v9, 0.0);
        let v11 = v10.sum(a1);
        let k0 = v11.cast::<i32>();
        y1.at(i0).store(k0);
    }
}
