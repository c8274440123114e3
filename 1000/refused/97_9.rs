use jumar::prelude::*;
#[kernel]
pub fn op_dequantized(
    #[shape(a0, a1)] x0: &GlobalTensor<i8>,
    #[shape(a0)] x1: &GlobalTensor<f32>,
    #[shape(a0, a1)] x2: &GlobalTensor<bool>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<f16>,
) {
    for t0 in tiles(a0) {
        let hc0 = x0.at(t0, ..).load();
        let v0 = hc0.cast::<f32>();
        let v1 = x1.at(t0).load();
        let v2 = v0 * v1;
        let ho0 = x2.at(t0, ..).load();
        let m0 = ho0.cast::<bool>();
        let v3 = m0.select(v2, 0.0);
        let hf0 = v3.cast::<f16>();
        y0.at(t0, ..).store(hf0);
    
}
