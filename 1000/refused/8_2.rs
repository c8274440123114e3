use jumar::prelude::*;
#[kernel]
pub fn op_cross_entropy_backward<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0)] x1: &GlobalTensor<i64>,
    #[shape(a0)] x2: &GlobalTensor<f32>,
    #[default(-100)] j0: i32,
    #[default(0.0)] s0: f32,
    #[shape(a0, a1)] y0: &mut GlobalTensor<T>,
) {
    require(a1 <= 2147483648);
    for t0 in tiles(a0) {
        let rh0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.amax(a1);
        let v2 = v0 - v1;
        let v3 = v2.exp();
        let hl0 = x1.at(t0).load();
        let k0 = hl0.cast::<i32>();
        let k1 = a1.iota();
        let k2 = k1.expand(t0);
        let m0 = k2.eq(k0);
        let s1 = 1.0 - s0;
        let v4 = full::<f32>((a1, t0), s1);
        let v5 = m0.select(v4, 0.0);
        let m1 = k0.eq(j0);
        let v6 = x2.at(t0).load();
        let v7 = full::<f32>(t0, 0.0);
        let v8 = m1.select(v7, v6);
        let v9 = v3.sum(a1);
        let v10 = v3 / v9;
        let v11 = v10 - v5;
        let s2 = a1 as f32;
        let s3 = s0 / s2;
        let v12 = v11 - s3;
        let v13 = v12 * v8;
        let h1 = v13.cast::<T>();
        y0.at(t0, ..).store(h1);
    }
}
