use jumar::prelude::*;
#[kernel]
pub fn op_advance_step(
    #[shape(a0)] x0: &GlobalTensor<i64>,
    #[shape(a0, a1)] x1: &GlobalTensor<i32>,
    j0: i32,
    #[shape(a0)] y0: &mut GlobalTensor<i64>,
    #[shape(a0)] y1: &mut GlobalTensor<i64>,
    #[shape(a0)] #[inplace] y2: &mut GlobalTensor<i32>,
    #[shape(a0)] y3: &mut GlobalTensor<i32>,
) {
    require(j0 >= 1 && a1 >= 1);
    for t0 in tiles(a0) {
        let k0 = y2.at(t0).load();
        let hl0 = x0.at(t0).load();
        y0.at(t0).store(hl0);
        let hl1 = k0.to::<i64>();
        y1.at(t0).store(hl1);
        let k1 = k0 + 1;
        y2.at(t0).store(k1);
        let v0 = k0.cast::<f32>();
        let s0 = j0 as f32;
        let v1 = v0 / s0;
        let k2 = v1.cast_with::<i32>(RoundMode::Floor);
        let k3 = k2.max(0);
        let j1 = a1 as i32;
        let j2 = j1 - 1;
        let k4 = k3.min(j2);
        let k5 = x1.at(t0, ..).load();
        let k6 = k5.pick(a1, k4);
        let k7 = k6 * j0;
        let k8 = k7 + k0;
        let k9 = k4 * j0;
        let k10 = k8 - k9;
        y3.at(t0).store(k10);
    }
}
