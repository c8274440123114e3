use jumar::prelude::*;
#[kernel]
pub fn op_batch_norm<T: Float>(
    #[shape(a0, a1, a2..)] x0: &GlobalTensor<T>,
    #[shape(a1)] x1: &GlobalTensor<f32>,
    #[shape(a1)] x2: &GlobalTensor<f32>,
    #[shape(a1)] x3: &GlobalTensor<f32>,
    #[shape(a1)] x4: &GlobalTensor<f32>,
    #[shape(a0, a1, a2..)] y0: &mut GlobalTensor<T>,
    #[default(1e-5)] s0: f32,
) {
    for (t0, t1, t2) in tiles((a0, a1, a2)) {
        let v0 = x3.at(t1).load();
        let v1 = x2.at(t1).load();
        let v2 = v1 + s0;
        let v3 = v2.sqrt();
        let v4 = v0 / v3;
        let v5 = x4.at(t1).load();
        let v6 = x1.at(t1).load();
        let v7 = v6 * v4;
        let v8 = v5 - v7;
        let h0 = x0.at(t0, t1, t2).load();
        let v9 = h0.cast::<f32>();
        let v10 = v9 * v4;
        let v11 = v10 + v8;
        let h1 = v11.cast::<T>();
        y0.at(t0, t1, t2).store(h1);
    }
}
