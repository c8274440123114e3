use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16)]
pub fn bgmv_expand<T: Float>(
    #[shape(n, k)] x: &GlobalTensor<f32>,
    #[shape(l, d, k)] b: &GlobalTensor<T>,
    #[shape(n)] ids: &GlobalTensor<i64>,
    start: usize,
    #[shape(n, h)] #[inplace] y: &mut GlobalTensor<T>,
) {
    require(start + d <= h);
    for (i0, t0) in tiles((each(n), d)) {
        let hl0 = ids.at(i0).load();
        let n0 = hl0.scalar();
        if n0 >= 0 && n0 < l {
            let h0 = b.at(n0, t0, ..).load();
            let v0 = h0.cast::<f32>();
            let v1 = x.at(i0, ..).load();
            let v2 = v0 * v1;
            let h1 = y.at(i0, t0 + start).load();
            let v3 = h1.cast::<f32>();
            let v4 = v2.sum(k);
            let v5 = v3 + v4;
            let h2 = v5.cast::<T>();
            y.at(i0, t0 + start).store(h2);
        }
    }
}
