use jumar::prelude::*;
#[kernel]
pub fn softmax_seen(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<f32>,
) {
    for t0 in tiles(a0) {
        let v0 = x0.at(t0, ..).load();
        let v1 = v0.amax(a1);
        let v2 = v0 - v1;
        let v3 = v2.exp();
        let v4 = v3.sum(a1);
        let v5 = v3 / v4;
        y0.at(t0, ..).store(v5);
    }
}
