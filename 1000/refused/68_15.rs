use jumar::prelude::*;
#[kernel]
pub fn op_channels_last<T: Float>(
    #[shape(a0, a1, a2, a3)] x0: &GlobalTensor<T>,
    #[shape(a1)] x1: &GlobalTensor<f64>,
    #[shape(a1)] x2: &GlobalTensor<f32>,
    #[shape(a0, a2, a3, a1)] y0: &mut GlobalTensor<T>,
) {
    let a4 = new_axis(a2 * a3);
    for (i0, t0) in tiles((each(a0), a4)) {
        let h0 = x0.view((a0, a1, a4)).at(i0, .., t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = x1.at(..).load();
        let v2 = v0 * v1;
        let v3 = x2.at(..).load();
        let v4 = v2 + v3;
        let h1 = v4.cast::<T>();
        y0.view((a0, a4, a1)).at(i0, t0, ..).store(h1);
    }
}
