use jumar::prelude::*;
#[kernel]
pub fn mse<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] x1: &GlobalTensor<T>,
    #[shape()] y0: &mut GlobalTensor<f32>,
) {
    let a1 = new_axis(1);
    let mut c0 = across_cores::<f32>((), 0.0);
    for t0 in tiles(a0) {
        let h0 = x0.at(t0).load();
        let v0 = h0.cast::<f32>();
        let h1 = x1.at(t0).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0 - v1;
        let v3 = v2 * v2;
        let v4 = v3.sum(t0);
        c0 = c0 + v4;
    }
    let s0 = a0 as f32;
    let s1 = 1.0 / s0;
    let v0 = c0 * s1;
    y0.at().store(v0);
}
