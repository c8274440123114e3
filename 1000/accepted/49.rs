use jumar::prelude::*;
#[kernel]
pub fn op_gated<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0, a1)] x1: &GlobalTensor<T>,
    #[shape(a1)] x2: Option<&GlobalTensor<T>>,
    #[shape(a0, a1)] x3: Option<&GlobalTensor<bool>>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let h0 = x1.at(t0, ..).load();
        let h1 = x0.at(t0, ..).load();
        let v0 = h1.cast::<f32>();
        let h2 = x2.or_full(0.0).at(..).load();
        let v1 = h2.cast::<f32>();
        let v2 = v0 + v1;
        let m0 = h0.is_finite();
        let v3 = v2.gelu();
        let v4 = h0.cast::<f32>();
        let v5 = v4.sigmoid();
        let v6 = v3 * v5;
        let mut c0 = m0.select(v6, 0.0);
        if let Some(x3) = x3 {
            let ho0 = x3.at(t0, ..).load();
            let m1 = ho0.cast::<bool>();
            let m2 = h0.is_finite();
            let m3 = m1 & m2;
            c0 = m3.select(c0, 0.0);
        }
        let h3 = c0.cast::<T>();
        y0.at(t0, ..).store(h3);
    }
}
