use jumar::prelude::*;
#[kernel]
pub fn op_temperature_softmax<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0)] x1: &GlobalTensor<f64>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<f32>,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = x1.at(t0).load();
        let v2 = 1.0 / v1;
        let v3 = v0 * v2;
        let v4 = v3.amax(a1);
        let v5 = v3 - v4;
        let v6 = v5.exp();
        let v7 = v6.sum(a1);
        let v8 = v6 / v7;
        y0.at(t0, ..).store(v8);
    }
}
