use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16)]
pub fn op_silu_and_mul<T: Float>(
    #[shape(a0, a2 = 2 * a1)] x0: &GlobalTensor<T>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<T>,
) {
    for (t0, t1) in tiles((a0, a1)) {
        let rh0 = x0.at(t0, t1 + 0).load();
        let v0 = h0.cast::<f32>();
        let h1 = x0.at(t0, t1 + a1).load();
        let v1 = h1.cast::<f32>();
        let v2 = -v0;
        let v3 = v2.exp();
        let v4 = 1.0 + v3;
        let v5 = v0 / v4;
        let v6 = v5 * v1;
        let h2 = v6.cast::<T>();
        y0.at(t0, t1).store(h2);
    }
}
