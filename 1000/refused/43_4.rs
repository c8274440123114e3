use jumar::prelude::*;
#[kernel]
pub fn op_depthwise<T: Float>(
    #[shape(a0, a1, a2, a3)] x0: &GlobalTensor<T>,
    #[shape(a1, a4, a5)] x1: &GlobalTensor<T>,
    #[shape(a0, a1, a6 = (a2 + 2 * n1 - a4) / n0 + 1, a7 = (a3 + 2 * n1 - a5) / n0 + 1)] y0: &mut GlobalTensor<T>,
    #[default(1)] n0: usize,
    #[default(0)] n1: usize,
) {
    require(n0 >= 1);
    require(a4 <= a2 + 2 * n1);
    require(a5 <= a3 + 2 * n1);
    for (i0, i1, t0, t1) in row_tiles((each(a0), each(a1), a6, a7)) {
        let mut c0 = full::<f32>((t0, t1), 0.0);
        for i2 in each(a4) {
            for i3 in 0..a5 {
                let h0 = x0.at(i0, i1, t0 * n0 + i2 - n1, t1 * n0 + i3 - n1).load_or(0.0);
                let v0 = h0.cast::<f32>();
                let h1 = x1.at(i1, i2, i3).load();
                let v1 = h1.cast::<f32>();
                let v2 = v0 * v1;
                c0 = c0 + v2;
            }
        }
        let h0 = c0.cast::<T>();
        y0.at(i0, i1, t0, t1).store(h0);
    }
}
