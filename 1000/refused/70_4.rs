use jumar::prelude::*;
#[kernel]
pub fn op_hard_swish<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
) {
    for t0 in row_tiles(a0) {
        let h0 = x0.at(t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0 + 3.0;
        let v2 = v1.max(0.0);
        let v3 = v2.min(6.0);
        let v4 = v0 * v3;
        let v5 = v4 / 6.0;
        let h1 = v5.cast::<T>();
        y0.at(t0).store(h1);
    }
}
