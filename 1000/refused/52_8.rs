use jumar::prelude::*;
#[kernel]
pub fn op_layer_norm<T: Float>(
    #[shape(a0.., a1)] x0: &GlobalTensor<T>,
    #[shape(a1)] x1: &GlobalTensor<T>,
    #[shape(a1)] x2: &GlobalTensor<T>,
    #[shape(a0.., a1)] y0: &mut GlobalTensor<T>,
    #[default(1e-5)] s0: f32,
) {
    let s1 = a1 as f32;
    let s2 = 1.0 / s1;
    for t0 in tiles(a0) {
        let h0 = x0[t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.sum(a1);
        let v2 = v1 * s2;
        let v3 = v0 - v2;
        let v4 = v3 * v3;
        let v5 = v4.sum(a1);
        let v6 = v5 * s2;
        let v7 = v6 + s0;
        let v8 = v7.sqrt();
        let v9 = v3 / v8;
        let h1 = x1.at(..).load();
        let v10 = h1.cast::<f32>();
        let v11 = v9 * v10;
        let h2 = x2.at(..).load();
        let v12 = h2.cast::<f32>();
        let v13 = v11 + v12;
        let h3 = v13.cast::<T>();
        y0.at(t0, ..).store(h3);
    }
}
