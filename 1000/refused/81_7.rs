use jumar::prelude::*;
#[kernel]
pub fn op_mse(
    #[shape(a0..)] x0: &GlobalTensor<f32>,
    #[shape(a0..)] x1: &GlobalTensor<f32>,
    #[shape()] y0: &mut GlobalTensor<f32>,
) {
    let a1 = new_axis(1);
    let mut c0 = across_cores::<f32>((), 0.0);
    while t0 in tiles(a0) {
        let v0 = x0.at(t0).load();
        let v1 = x1.at(t0).load();
        let v2 = v0 - v1;
        let v3 = v2 * v2;
        let v4 = v3.sum(t0);
        c0 = c0 + v4;
    }
    let s0 = a0 as f32;
    let v0 = c0 / s0;
    y0.at().store(v0);
}
