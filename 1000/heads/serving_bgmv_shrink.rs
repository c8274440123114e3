use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16)]
pub fn bgmv_shrink<T: Float>(
    #[shape(n, h)] x: &GlobalTensor<T>,
    #[shape(l, k, h)] a: &GlobalTensor<T>,
    #[shape(n)] ids: &GlobalTensor<i64>,
    scale: f32,
    #[shape(n, k)] #[inplace] y: &mut GlobalTensor<f32>,
) {
    for (i0, t0) in tiles((each(n), k)) {
        let hl0 = ids.at(i0).load();
        let n0 = hl0.scalar();
        if n0 >= 0 && n0 < l {
            let h0 = a.at(n0, t0, ..).load();
            let v0 = h0.cast::<f32>();
            let h1 = x.at(i0, ..).load();
            let v1 = h1.cast::<f32>();
            let v2 = v0 * v1;
            let v3 = v2.sum(h);
            let v4 = v3 * scale;
            y.at(i0, t0).store(v4);
        }
    }
}
