use jumar::prelude::*;
#[kernel]
pub fn op_guarded(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<f32>,
    #[shape(a0)] y1: &mut GlobalTensor<i32>,
) {
    require(a1 >= 1);
    require(a1 <= 16777216);
    for t0 in tiles(a0) {
        let v0 = x0.at(t0, ..).load();
        let m0 = v0.eq(v0);
        let m1 = m0.all(a1);
        let v1 = m1.select(v0, 0.0);
        y0.at(t0, ..).store(v1);
        let k0 = v0.argmax(a1);
        y1.at(t0).store(k0);
    
}
