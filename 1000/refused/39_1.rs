use jumar::prelude::*;
#[kernel]
pub fn op_batch_norm_train<T: Float>(
    #[shape(a0, a1, a2..)] x0: &GlobalTensor<T>,
    #[shape(a1)] x1: &GlobalTensor<f32>,
    #[shape(a1)] x2: &GlobalTensor<f32>,
    #[shape(a0, a1, a2..)] y0: &mut GlobalTensor<T>,
    #[shape(a1)] y1: &mut GlobalTensor<f32>,
    #[shape(a1)] y2: &mut GlobalTensor<f32>,
    #[default(1e-5)] s0: f32,
) {
    let a3 = new_axis(1);
    let n0 = a0 * a2;
    let s1 = n0 as f32;
    let s2 = 1.0 / s1;
    let mut c0 = across_cores::<f32>(a1, 0.0);
    for (t0, t1) in tiles((a0, a2)) {
        let h0 = x0.at(t0, .., t1).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.sum((t0, t1));
        c0 = c0 + v1;
    }
    let v0 = c0 * s2;
    let mut c1 = across_cores::<f32>(a1, 0.0);
    for (t0, t1) in tiles((a0, a2)) {
        let h0 = x0.at(t0, .., t1).load();
        let v1 = h0.cast::<f32>();
        let v2 = v1 - v0;
        let v3 = v2 * v2;
        let v4 = v3.sum((t0, t1));
        c1 = c1 + v4;
    }
    let v1 = c1 * s2;
    y1.at(..).write(v0);
    y2.at(..).store(v1);
    let v2 = x1.at(..).load();
    let v3 = v1 + s0;
    let v4 = v3.sqrt();
    let v5 = v2 / v4;
    let v6 = x2.at(..).load();
    let v7 = v0 * v5;
    let v8 = v6 - v7;
    for (t0, t1) in tiles((a0, a2)) {
        let h0 = x0.at(t0, .., t1).load();
        let v9 = h0.cast::<f32>();
        let v10 = v9 * v5;
        let v11 = v10 + v8;
        let h1 = v11.cast::<T>();
        y0.at(t0, .., t1).store(h1);
    }
}
