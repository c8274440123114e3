use jumar::prelude::*;
#[kernel]
pub fn op_layer_norm_backward<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0, a1)] x1: &GlobalTensor<T>,
    #[shape(a0)] x2: &GlobalTensor<f32>,
    #[shape(a0)] x3: &GlobalTensor<f32>,
    #[shape(a1)] x4: &GlobalTensor<T>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<T>,
    #[shape(a1)] y1: &mut GlobalTensor<f32>,
    #[shape(a1)] y2: &mut GlobalTensor<f32>,
) {
    let a2 = new_axis(1);
    for t0 in tiles(a0) {
        let v0 = x3.at(t0).load();
        let h0 = x1.at(t0, ..).load();
        let v1 = h0.to::<f32>();
        let v2 = x2.at(t0).load();
        let v3 = v1 - v2;
        let v4 = v3 * v0;
        let h1 = x0.at(t0, ..).load();
        let v5 = h1.cast::<f32>();
        let h2 = x4.at(..).load();
        let v6 = h2.cast::<f32>();
        let v7 = v5 * v6;
        let v8 = v7.mean(a1);
        let v9 = v7 - v8;
        let v10 = v7 * v4;
        let v11 = v10.mean(a1);
        let v12 = v4 * v11;
        let v13 = v9 - v12;
        let v14 = v13 * v0;
        let h3 = v14.cast::<T>();
        y0.at(t0, ..).store(h3);
    }
    let mut c0 = across_cores::<f32>(a1, 0.0);
    let mut c1 = across_cores::<f32>(a1, 0.0);
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.sum(t0);
        c1 = c1 + v1;
        let h1 = x1.at(t0, ..).load();
        let v2 = h1.cast::<f32>();
        let v3 = x2.at(t0).load();
        let v4 = v2 - v3;
        let v5 = v0 * v4;
        let v6 = x3.at(t0).load();
        let v7 = v5 * v6;
        let v8 = v7.sum(t0);
        c0 = c0 + v8;
    }
    y1.at(..).store(c0);
    y2.at(..).store(c1);
}
