use jumar::prelude::*;
#[kernel]
pub fn classes<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0)] y0: &mut GlobalTensor<i32>,
    #[shape(a0)] y1: &mut GlobalTensor<f32>,
) {
    require(a1 >= 1);
    require(a1 <= 16777216);
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let m0 = v0.eq(v0);
        let m1 = m0.all(a1);
        let k0 = v0.argmax(a1);
        let v1 = k0.cast::<f32>();
        let v2 = m1.select(v1, -1.0);
        let k1 = v2.cast::<i32>();
        y0.at(t0).store(k1);
        let v3 = v0.amax(a1);
        let v4 = v0.mean(a1);
        let v5 = v3 - v4;
        y1.at(t0).store(v5);
    }
}
