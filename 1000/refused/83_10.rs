use jumar::prelude::*;
pub fn op_tokens<T: Float>(
    #[shape(a0, a1)] #[index(a2)] x0: &GlobalTensor<i64>,
    #[shape(a2, a3)] x1: &GlobalTensor<T>,
    #[shape(a1, a3)] x2: &GlobalTensor<T>,
    #[shape(a0, a1, a3)] y0: &mut GlobalTensor<T>,
) {
    for (i0, t0) in tiles((each(a0), a1)) {
        let hl0 = x0.at(i0, t0).load();
        let h0 = x1.at(hl0, ..).load();
        let v0 = h0.cast::<f32>();
        let h1 = x2.at(t0, ..).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0 + v1;
        let h2 = v2.cast::<T>();
        y0.at(i0, t0, ..).store(h2);
    }
}
