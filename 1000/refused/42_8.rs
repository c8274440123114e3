use jumar::prelude::*;
#[kernel]
pub fn op_column_sums<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a1)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a1) {
        let mut c0 = full::<f32>(t0, 0.0);
        for t1 in tiles(a0) {
            let h0 = x0[t1, t0).load();
            let v0 = h0.cast::<f32>();
            let v1 = v0.sum(t1);
            c0 = c0 + v1;
        }
        let h0 = c0.cast::<T>();
        y0.at(t0).store(h0);
    }
}
