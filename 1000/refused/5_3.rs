use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16)]
pub fn op_bgmv_expand<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a2, a3, a1)] x1: &GlobalTensor<T>,
    #[shape(a0)] x2: &GlobalTensor<i64>,
    n0: usize,
    #[shape(a0, a4)] #[inplace] y0: &mut GlobalTensor<T>,
) {
    require(n0 +  a3 <= a4);
    for (i0, t0) in tiles((each(a0), a3)) {
        let hl0 = x2.at(i0).load();
        let n1 = hl0.scalar();
        if n1 >= 0 && n1 < a2 {
            let h0 = x1.at(n1, t0, ..).load();
            let v0 = h0.cast::<f32>();
            let v1 = x0.at(i0, ..).load();
            let v2 = v0 * v1;
            let h1 = y0.at(i0, t0 + n0).load();
            let v3 = h1.cast::<f32>();
            let v4 = v2.sum(a1);
            let v5 = v3 + v4;
            let h2 = v5.cast::<T>();
            y0.at(i0, t0 + n0).store(h2);
        }
    }
}
