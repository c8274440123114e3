use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16)]
pub fn swiglu_backward<T: Float>(
    #[shape(n, d)] dy: &GlobalTensor<T>,
    #[shape(n, a0 = 2 * d)] x: &GlobalTensor<T>,
    #[shape(n, a0)] dx: &mut GlobalTensor<T>,
) {
    for (t0, t1) in tiles((n, d)) {
        let h0 = dy.at(t0, t1).load();
        let v0 = h0.cast::<f32>();
        let h1 = x.at(t0, t1 + 0).load();
        let v1 = h1.cast::<f32>();
        let h2 = x.at(t0, t1 + d).load();
        let v2 = h2.cast::<f32>();
        let v3 = v1.sigmoid();
        let v4 = v0 * v2;
        let v5 = v4 * v3;
        let v6 = 1.0 - v3;
        let v7 = v1 * v6;
        let v8 = 1.0 + v7;
        let v9 = v5 * v8;
        let h3 = v9.cast::<T>();
        dx.at(t0, t1 + 0).store(h3);
        let v10 = v0 * v1;
        let v11 = v10 * v3;
        let h4 = v11.cast::<T>();
        dx.at(t0, t1 + d).store(h4);
    }
}
