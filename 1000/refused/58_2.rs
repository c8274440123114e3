use jumar::prelude::*;
#[kernel]
pub fn op_norm_grad<T: Float>(
    #[shape(a0.., a1)] x0: &GlobalTensor<T>,
    #[shape(a0.., a1)] x1: &GlobalTensor<T>,
    #[shape(a0..)] x2: &GlobalTensor<f32>,
    #[shape(a0..)] x3: &GlobalTensor<f32>,
    #[shape(a1)] y0: &mut GlobalTensor<T>,
    #[shape(a1)] y1: &mut GlobalTensor<T>,
) {
    let ra2 = new_axis(1);
    let a3 = new_axis(1);
    let mut c0 = across_cores::<f32>(a1, 0.0);
    let mut c1 = across_cores::<f32>(a1, 0.0);
    for t0 in tiles(a0) {
        let h0 = x1.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let h1 = x0.at(t0, ..).load();
        let v1 = h1.cast::<f32>();
        let v2 = x2.at(t0).load();
        let v3 = v1 - v2;
        let v4 = x3.at(t0).load();
        let v5 = v3 * v4;
        let v6 = v0 * v5;
        let v7 = v6.sum(t0);
        c0 = c0 + v7;
        let v8 = v0.sum(t0);
        c1 = c1 + v8;
    }
    let h0 = c0.cast::<T>();
    y0.at(..).store(h0);
    let h1 = c1.cast::<T>();
    y1.at(..).store(h1);
}
