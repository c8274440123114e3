use jumar::prelude::*;
#[kernel]
pub fn cross_entropy_backward<T: Float>(
    #[shape(n, v)] logits: &GlobalTensor<T>,
    #[shape(n)] target: &GlobalTensor<i64>,
    #[shape(n)] dloss: &GlobalTensor<f32>,
    #[default(-100)] ignore_index: i32,
    #[default(0.0)] smoothing: f32,
    #[shape(n, v)] dx: &mut GlobalTensor<T>,
) {
    require(v <= 2147483648);
    for t0 in tiles(n) {
        let h0 = logits.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.amax(v);
        let v2 = v0 - v1;
        let v3 = v2.exp();
        let hl0 = target.at(t0).load();
        let k0 = hl0.cast::<i32>();
        let k1 = v.iota();
        let k2 = k1.expand(t0);
        let m0 = k2.eq(k0);
        let s0 = 1.0 - smoothing;
        let v4 = full::<f32>((t0, v), s0);
        let v5 = m0.select(v4, 0.0);
        let m1 = k0.eq(ignore_index);
        let v6 = dloss.at(t0).load();
        let v7 = full::<f32>(t0, 0.0);
        let v8 = m1.select(v7, v6);
        let v9 = v3.sum(v);
        let v10 = v3 / v9;
        let v11 = v10 - v5;
        let s1 = v as f32;
        let s2 = smoothing / s1;
        let v12 = v11 - s2;
        let v13 = v12 * v8;
        let h1 = v13.cast::<T>();
        dx.at(t0, ..).store(h1);
    }
}
