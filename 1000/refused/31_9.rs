use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16)]
pub fn op_swiglu_backward<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0, a2 = 2 * a1)] x1: &GlobalTensor<T>,
    #[shape(a0, a2)] y0: &mut GlobalTensor<T>,
) {
    for (t0, t1) in tiles((a0, a1)) {
        let h0 = x0.at(t0, t1).load();
        let v0 = h0.cast::<f32>();
        let h1 = x1.at(t0, t1 + 0).load();
        let v1 = h1.cast::<f32>();
        let h2 = x1.at(t0, t1 + a1).load();
        let v2 = h2.cast::<f32>();
        let v3 = v1.sigmoid();
        let v4 = v0 * v2;
        let v5 = v4 * v3;
        let v6 = 1.0 - v3;
        let v7 = v1 * v6;
        let v8 = 1.0 + v7;
        let v9 = v5 * v8;
        let h3 = v9.cast::<T>();
        y0.at(t0, t1 + 0).store(h3);
        let v10 = v0 * v1;
        let v11 = v10 * v3;
        let h4 = v11.cast::<T>();
        y0.at(t0, t1 + a1).store(h4);
    
}
