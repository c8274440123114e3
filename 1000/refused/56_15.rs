use jumar::prelude::*;
#[kernel]
pub fn op_mean_middle<T: Float>(
    #[shape(a0.., a1, a2)] x0: &GlobalTensor<T>,
    #[shape(a0.., a2)] y0: &mut GlobalTensor<T>,
) {
    for (i0, t0) in tiles((each(a0), a2)) {
        let h0 = x0.at(i0, .., t0).load();
        let v0 = h0.cast::<f64>();
        let v1 = v0.sum(a1);
        let s0 = a1 as f32;
        let s1 = 1.0 / s0;
        let v2 = v1 * s1;
        let h1 = v2.cast::<T>();
        y0.at(i0, t0).store(h1);
    }
}
