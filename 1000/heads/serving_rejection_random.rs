use jumar::prelude::*;
#[kernel]
pub fn rejection_random(
    #[shape(b)] ends: &GlobalTensor<i32>,
    #[shape(n)] #[index(v)] draft: &GlobalTensor<i32>,
    #[shape(n, v)] draft_probs: &GlobalTensor<f32>,
    #[shape(n, v)] target_probs: &GlobalTensor<f32>,
    #[shape(n)] uniform: &GlobalTensor<f32>,
    #[shape(n)] recovered: &GlobalTensor<i32>,
    #[shape(b)] bonus: &GlobalTensor<i32>,
    most: usize,
    #[shape(b, a0 = most + 1)] y: &mut GlobalTensor<i32>,
) {
    require(most + 1 <= 2147483648);
    let y0 = workspace::<i32>(n);
    for i0 in each(n) {
        let k0 = draft.at(i0).load();
        let v0 = target_probs.at(i0, k0).load();
        let v1 = draft_probs.at(i0, k0).load();
        let m0 = v1.gt(0.0);
        let v2 = uniform.at(i0).load();
        let v3 = v1 * v2;
        let m1 = v0.ge(v3);
        let m2 = m0 & m1;
        let k1 = full::<i32>((), 1);
        let k2 = m2.select(k1, 0);
        y0.at(i0).store(k2);
    }
    for i0 in each(b) {
        let k0 = ends.at(i0 - 1).load_or(0);
        let j0 = k0.scalar();
        let n0 = j0 as usize;
        let k1 = ends.at(i0).load();
        let j1 = k1.scalar();
        let j2 = n0 as i32;
        let j3 = j1 - j2;
        let k2 = a0.iota();
        let m0 = k2.eq(0);
        let k3 = y0.at(a0.indices() + n0 - 1).load_or(0);
        let k4 = full::<i32>(a0, 1);
        let k5 = m0.select(k4, k3);
        let k6 = k5.cumprod(a0);
        let k7 = y0.at(a0.indices() + n0).load_or(0);
        let m1 = k7.gt(0);
        let k8 = draft.at(a0.indices() + n0).load_or(-1);
        let k9 = recovered.at(a0.indices() + n0).load_or(-1);
        let k10 = m1.select(k8, k9);
        let k11 = a0.iota();
        let m2 = k11.eq(j3);
        let k12 = bonus.at(i0).load();
        let k13 = k12.expand(a0);
        let k14 = m2.select(k13, k10);
        let m3 = k6.gt(0);
        let k15 = a0.iota();
        let m4 = k15.le(j3);
        let m5 = m3 & m4;
        let k16 = m5.select(k14, -1);
        y.at(i0, ..).store(k16);
    }
}
