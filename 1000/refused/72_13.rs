use jumar::prelude::*
#[kernel]
pub fn op_normed<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<T>,
    #[shape(a0)] y1: Option<&mut GlobalTensor<f32>>,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0 * v0;
        let v2 = v1.mean(a1);
        let v3 = v2 + 1e-6;
        let v4 = v3.sqrt();
        let v5 = v0 / v4;
        let h1 = v5.cast::<T>();
        y0.at(t0, ..).store(h1);
        if let Some(y1) = y1 {
            let v6 = 1.0 / v4;
            y1.at(t0).store(v6);
        }
    }
}
