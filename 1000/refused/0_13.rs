use jumar::prelude::*
#[kernel]
#[instances(bf16, f32)]
pub fn op_adamw<T: Float>(
    #[shape(a0..)] #[inplace] ys0: &mut [GlobalTensor<T>],
    #[shape(a0..)] xs0: &[GlobalTensor<T>],
    #[shape(a0..)] #[inplace] ys1: &mut [GlobalTensor<f32>],
    #[shape(a0..)] #[inplace] ys2: &mut [GlobalTensor<f32>],
    s0: f32,
    s1: f32,
    s2: f32,
    s3: f32,
    s4: f32,
    s5: f32,
    s6: f32,
) {
    for (y0, x0, y1, y2) in zip((ys0, xs0, ys1, ys2)) {
        let s7 = s6.sqrt();
        for t0 in tiles(a0) {
            let h0 = x0.at(t0).load();
            let v0 = h0.cast::<f32>();
            let v1 = y1.at(t0).load();
            let v2 = v1 * s1;
            let s8 = 1.0 - s1;
            let v3 = v0 * s8;
            let v4 = v2 + v3;
            let v5 = y2.at(t0).load();
            let v6 = v5 * s2;
            let v7 = v0 * v0;
            let s9 = 1.0 - s2;
            let v8 = v7 * s9;
            let v9 = v6 + v8;
            let h1 = y0.at(t0).load();
            let v10 = h1.cast::<f32>();
            let s10 = s0 * s4;
            let s11 = 1.0 - s10;
            let v11 = v10 * s11;
            y1.at(t0).store(v4);
            y2.at(t0).store(v9);
            let v12 = v9.sqrt();
            let v13 = v12 / s7;
            let v14 = v13 + s3;
            let v15 = v4 / v14;
            let s12 = s0 / s5;
            let v16 = v15 * s12;
            let v17 = v11 - v16;
            let h2 = v17.cast::<T>();
            y0.at(t0).store(h2);
        }
    }
}
