use jumar::prelude::*;
#[kernel]
pub fn op_softmax_online<T: Float>(
    #[shape(a0.., a1)] x0: &GlobalTensor<T>,
    #[shape(a0.., a1)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let mut c0 = full::<f32>(t0, f32::NEG_INFINITY);
        let mut c1 = full::<f32>(t0, 0.0);
        for t1 in tiles(a1) {
            let h0 = x0.at(t0, t1).load();
            let v0 = h0.cast::<f32>();
            let v1 = v0.amax(t1);
            let v2 = c0.max(v1);
            let v3 = c0 - v2;
            let v4 = v3.exp();
            let v5 = c1 * v4;
            let v6 = v0 - v2;
            let v7 = v6.exp();
            let v8 = v7.sum(t1);
            c1 = v5 +  v8;
            c0 = v2;
        }
        for t1 in tiles(a1) {
            let h0 = x0.at(t0, t1).load();
            let v0 = h0.cast::<f32>();
            let v1 = v0 - c0;
            let v2 = v1.exp();
            let v3 = v2 / c1;
            let h1 = v3.cast::<T>();
            y0.at(t0, t1).store(h1);
        }
    }
}
