use jumar::prelude::*;
#[kernel]
pub fn op_peaks(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a0, a2 = (a1 - 1) / 2 +  1)] y0: &mut GlobalTensor<f32>,
) {
    require(a1 >= 1);
    require(((a1 - 1) / 2 + 1 - 1) * 2 < a1 + 2);
    require(1 + ((a1 - 1) / 2 + 1 - 1) * 2 < a1 + 2);
    require(2 + ((a1 - 1) / 2 + 1 - 1) * 2 < a1 + 2);
    let a3 = new_axis(a1 + 2);
    for t0 in tiles(a0) {
        let v0 = x0.at(t0, a3.indices() - 1).load_or(f32::NEG_INFINITY);
        let v1 = v0.pick(a3, a2.indices() * 2);
        let v2 = v0.pick(a3, a2.indices() * 2 + 1);
        let v3 = v0.pick(a3, a2.indices() * 2 + 2);
        let v4 = v1.max(v2);
        let v5 = v4.max(v3);
        y0.at(t0, ..).store(v5);
    }
}
