use jumar::prelude::*;
#[kernel]
pub fn rejection_greedy(
    #[shape(b)] ends: &GlobalTensor<i32>,
    #[shape(n)] draft: &GlobalTensor<i32>,
    #[shape(n)] target: &GlobalTensor<i32>,
    #[shape(b)] bonus: &GlobalTensor<i32>,
    most: usize,
    #[shape(b, a0 = most + 1)] y: &mut GlobalTensor<i32>,
) {
    require(most + 1 <= 2147483648);
    for i0 in each(b) {
        let k0 = ends.at(i0 - 1).load_or(0);
        let j0 = k0.scalar();
        let n0 = j0 as usize;
        let k1 = ends.at(i0).load();
        let j1 = k1.scalar();
        let j2 = n0 as i32;
        let j3 = j1 - j2;
        let k2 = draft.at(a0.indices() + n0 - 1).load_or(-1);
        let k3 = target.at(a0.indices() + n0 - 1).load_or(-1);
        let m0 = k2.eq(k3);
        let k4 = a0.iota();
        let m1 = k4.eq(0);
        let m2 = m0 | m1;
        let k5 = full::<i32>(a0, 1);
        let k6 = m2.select(k5, 0);
        let k7 = k6.cumprod(a0);
        let m3 = k7.gt(0);
        let k8 = target.at(a0.indices() + n0).load_or(-1);
        let k9 = a0.iota();
        let m4 = k9.eq(j3);
        let k10 = bonus.at(i0).load();
        let k11 = k10.expand(a0);
        let k12 = m4.select(k11, k8);
        let k13 = a0.iota();
        let m5 = k13.le(j3);
        let m6 = m3 & m5;
        let k14 = m6.select(k12, -1);
        y.at(i0, ..).store(k14);
    }
}
