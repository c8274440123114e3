use jumar::prelude::*;
#[kernel]
pub fn scaled<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a1)] x1: Option<&GlobalTensor<T>>,
    #[shape(a0, a1)] x2: Option<&GlobalTensor<bool>>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0 * v0;
        let v2 = v1.mean(a1);
        let v3 = v2 + 1e-6;
        let v4 = v3.sqrt();
        let v5 = v0 / v4;
        let h1 = x1.or_full(1.0).at(..).load();
        let v6 = h1.cast::<f32>();
        let mut c0 = v5 * v6;
        if let Some(x2) = x2 {
            let ho0 = x2.at(t0, ..).load();
            let m0 = ho0.cast::<bool>();
            c0 = m0.select(c0, 0.0);
        }
        let h2 = c0.cast::<T>();
        y0.at(t0, ..).store(h2);
    }
}
