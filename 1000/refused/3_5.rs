use jumar::prelude::*;
#[kernel]
pub fn op_apply_penalties<T: Float>(
    #[shape(a0, a1)] #[inplace] y0: &mut LocalTensor<T>,
    #[shape(a0, a1)] x0: &GlobalTensor<bool>,
    #[shape(a0, a1)] x1: &GlobalTensor<i32>,
    #[shape(a0)] x2: &GlobalTensor<f32>,
    #[shape(a0)] x3: &GlobalTensor<f32>,
    #[shape(a0)] x4: &GlobalTensor<f32>,
) {
    for (t0, t1) in tiles((a0, a1)) {
        let k0 = x1.at(t0, t1).load();
        let v0 = k0.cast::<f32>();
        let m0 = v0.gt(0.0);
        let ho0 = x0.at(t0, t1).load();
        let m1 = ho0.cast::<bool>();
        let m2 = m1 | m0;
        let v1 = x2.at(t0).load();
        let v2 = v1.expand(t1);
        let v3 = m2.select(v2, 1.0);
        let h0 = y0.at(t0, t1).load();
        let v4 = h0.cast::<f32>();
        let m3 = v4.gt(0.0);
        let v5 = v4 / v3;
        let v6 = v4 * v3;
        let v7 = m3.select(v5, v6);
        let v8 = x3.at(t0).load();
        let v9 = v0 * v8;
        let v10 = v7 - v9;
        let v11 = x4.at(t0).load();
        let v12 = v11.expand(t1);
        let v13 = m0.select(v12, 0.0);
        let v14 = v10 - v13;
        let h1 = v14.cast::<T>();
        y0.at(t0, t1).store(h1);
    }
}
