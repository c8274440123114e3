use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16)]
pub fn op_bgmv_shrink<T: Float>(
    #[shape(a0, a1)] x0: &LocalTensor<T>,
    #[shape(a2, a3, a1)] x1: &GlobalTensor<T>,
    #[shape(a0)] x2: &GlobalTensor<i64>,
    s0: f32,
    #[shape(a0, a3)] #[inplace] y0: &mut GlobalTensor<f32>,
) {
    for (i0, t0) in tiles((each(a0), a3)) {
        let hl0 = x2.at(i0).load();
        let n0 = hl0.scalar();
        if n0 >= 0 && n0 < a2 {
            let h0 = x1.at(n0, t0, ..).load();
            let v0 = h0.cast::<f32>();
            let h1 = x0.at(i0, ..).load();
            let v1 = h1.cast::<f32>();
            let v2 = v0 * v1;
            let v3 = v2.sum(a1);
            let v4 = v3 * s0;
            y0.at(i0, t0).store(v4);
        }
    }
}
