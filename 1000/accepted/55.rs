use jumar::prelude::*;
#[kernel]
pub fn op_max_pool<T: Float>(
    #[shape(a0.., a1, a2)] x0: &GlobalTensor<T>,
    #[shape(a0.., a3 = (a1 + 2 - 3) / 2 + 1, a4 = (a2 + 2 - 3) / 2 + 1)] y0: &mut GlobalTensor<T>,
) {
    require(a1 >= 1);
    require(a2 >= 1);
    require(((a2 + 2 - 3) / 2 + 1 - 1) * 2 < a2 + 2);
    let a5 = new_axis(a2 + 2);
    for (i0, t0) in tiles((each(a0), a3)) {
        let mut c0 = full::<f32>((a5, t0), f32::NEG_INFINITY);
        for i1 in 0..3 {
            let h0 = x0.at(i0, t0 * 2 + i1 - 1, a5.indices() - 1).load_or(f32::NEG_INFINITY);
            let v0 = h0.cast::<f32>();
            c0 = c0.max(v0);
        }
        let mut c1 = c0.pick(a5, a4.indices() * 2);
        for i1 in 1..3 {
            let v0 = c0.pick(a5, a4.indices() * 2 + i1);
            c1 = c1.max(v0);
        }
        let h0 = c1.cast::<T>();
        y0.at(i0, t0, ..).store(h0);
    }
}
