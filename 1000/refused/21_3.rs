use jumar::prelude::*;
#[kernel]
pub fn op_min_p<T: Float>(
    #[shape(a0, a1)] #[inplace] y0: &mut GlobalTensor<T>,
    #[shape(a0)] x0: &GlobalTensor<f32>,
) {
    for t0 in tiles(a0) {
        let h0 = y0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.amax(a1);
        let v2 = x0.at(t0).load();
        let v3 = v2.ln();
        let v4 = v1 +  v3;
        let m0 = v0.lt(v4);
        let h1 = full::<T>((a1, t0), f32::NEG_INFINITY);
        let h2 = m0.select(h1, h0);
        y0.at(t0, ..).store(h2);
    }
}
