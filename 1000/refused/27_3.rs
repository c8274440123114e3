use jumar::prelude::*;
#[kernel]
pub fn op_rms_norm_backward<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0, a1)] x1: &GlobalTensor<T>,
    #[shape(a0)] x2: &GlobalTensor<f32>,
    #[shape(a1)] x3: &GlobalTensor<T>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<T>,
    #[shape(a1)] y1: &mut GlobalTensor<f32>,
) {
    let a2 = new_axis(1);
    for t0 in tiles(a0) {
        let v0 = x2.at(t0).load();
        let h0 = x1.at(t0, ..).load();
        let v1 = h0.cast::<f32>();
        let v2 = v1 * v0;
        let h1 = x0.at(t0, ..).load();
        let v3 = h1.cast::<f32>();
        let h2 = x3.at(..).load();
        let v4 = h2.cast::<f32>();
        let v5 = v3 * v4;
        let v6 = v5 * v2;
        let v7 = v6.mean(a1);
        let v8 = v2 * v7;
        let v9 = v5 - v8;
        let v10 = v9 * v0;
        let h3 = v10.cast::<T>();
        y0.at(t0, ..).store(h3);
    }
    let mut c0 = across_cores::<f32>(a1, 0.0);
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let h1 = x1.at(t0, ..).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0 * v1;
        let v3 = x2.at(t0).load();
        let v4 = v2 * v3;
        let v5 = v4.sum(t0);
        c0 = c0 +  v5;
    }
    y1.at(..).store(c0);
}
