use jumar::prelude::*;
#[kernel]
pub fn op_rejection_greedy(
    #[shape(a0)] x0: &GlobalTensor<i32>,
    #[shape(a1)] x1: &GlobalTensor<i32>,
    #[shape(a1)] x2: &GlobalTensor<i32>,
    #[shape(a0)] x3: &GlobalTensor<i32>,
    n0: usize,
    #[shape(a0, a2 = n0 + 1)] y0: &mut GlobalTensor<i32>,
) {
    require(n0 + 1 <= 2147483648);
    for i0 in each(a0) {
        let k0 = x0.at(i0 - 1).load_or(0);
        let j0 = k0.scalar();
        let n1 = j0 as usize;
        let k1 = x0.at(i0).load();
        let j1 = k1.scalar();
        let j2 = n1 as i32;
        let j3 = j1 - j2;
        let k2 = x1.at(a2.indices() + n1 - 1).load_or(-1);
        let k3 = x2.at(a2.indices() + n1 - 1).load_or(-1);
        let m0 = k2.eq(k3);
        let k4 = a2.iota();
        let m1 = k4.eq(0);
        let m2 = m0 | m1;
        let k5 = full::<i32>(a2, 1);
        let k6 = m2.select(k5, 0);
        let k7 = k6.cumprod(a2);
        let m3 = k7.gt(0);
        let k8 = x2.at(a2.indices() + n1).load_or(-1);
        let k9 = a2.iota();
        let m4 = k9.eq(j3);
        let k10 = x3.at(i0).load();
        let k11 = k10.expand(a2);
        let k12 = m4.select(k11, k8);
        let k13 = a2.iota();
        let m5 = k13.le(j3);
        let m6 = m3 & m5;
        let k14 = m6.select(k12, -1);
        y0.at(i0, ..).write(k14);
    }
}
