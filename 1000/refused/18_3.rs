use jumar::prelude::*;
#[kernel]
#[instances(bf16, f32)]
pub fn op_lion<T: Float>(
    #[shape(a0..)] #[inplace] y0: &mut GlobalTensor<T>,
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] #[inplace] y1: &mut GlobalTensor<f32>,
    s0: f32,
    s1: f32,
    s2: f32,
    s3: f32,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = y1.at(t0).load();
        let v2 = v1 * s1;
        let s4 = 1.0 - s1;
        let v3 = v0 * s4;
        let v4 = v2 +  v3;
        let v5 = v4.sign();
        let v6 = v1 * s2;
        let s5 = 1.0 - s2;
        let v7 = v0 * s5;
        let v8 = v6 + v7;
        y1.at(t0).store(v8);
        let h1 = y0.at(t0).load();
        let v9 = h1.cast::<f32>();
        let s6 = s0 * s3;
        let s7 = 1.0 - s6;
        let v10 = v9 * s7;
        let v11 = v5 * s0;
        let v12 = v10 - v11;
        let h2 = v12.cast::<T>();
        y0.at(t0).store(h2);
    }
}
