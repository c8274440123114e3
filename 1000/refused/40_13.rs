use jumar::prelude::*
#[kernel]
pub fn op_bias_residual<T: Float>(
    #[shape(a0, a1, a2, a3)] x0: &GlobalTensor<T>,
    #[shape(a1)] x1: &GlobalTensor<T>,
    #[shape(a0, a1, a2, a3)] x2: &GlobalTensor<T>,
    #[shape(a0, a1, a2, a3)] y0: &mut GlobalTensor<T>,
) {
    let a4 = new_axis(a2 * a3);
    for (t0, t1, t2) in tiles((a0, a1, a4)) {
        let h0 = x0.view((a0, a1, a4)).at(t0, t1, t2).load();
        let v0 = h0.cast::<f32>();
        let h1 = x1.at(t1).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0 + v1;
        let h2 = x2.view((a0, a1, a4)).at(t0, t1, t2).load();
        let v3 = h2.cast::<f32>();
        let v4 = v2 + v3;
        let h3 = v4.cast::<T>();
        y0.view((a0, a1, a4)).at(t0, t1, t2).store(h3);
    }
}
