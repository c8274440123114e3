use jumar::prelude::*
#[kernel]
pub fn op_rejection_random(
    #[shape(a0)] x0: &GlobalTensor<i32>,
    #[shape(a1)] #[index(a2)] x1: &GlobalTensor<i32>,
    #[shape(a1, a2)] x2: &GlobalTensor<f32>,
    #[shape(a1, a2)] x3: &GlobalTensor<f32>,
    #[shape(a1)] x4: &GlobalTensor<f32>,
    #[shape(a1)] x5: &GlobalTensor<i32>,
    #[shape(a0)] x6: &GlobalTensor<i32>,
    n0: usize,
    #[shape(a0, a3 = n0 + 1)] y0: &mut GlobalTensor<i32>,
) {
    require(n0 + 1 <= 2147483648);
    let y1 = workspace::<i32>(a1);
    for i0 in each(a1) {
        let k0 = x1.at(i0).load();
        let v0 = x3.at(i0, k0).load();
        let v1 = x2.at(i0, k0).load();
        let m0 = v1.gt(0.0);
        let v2 = x4.at(i0).load();
        let v3 = v1 * v2;
        let m1 = v0.ge(v3);
        let m2 = m0 & m1;
        let k1 = full::<i32>((), 1);
        let k2 = m2.select(k1, 0);
        y1.at(i0).store(k2);
    }
    for i0 in each(a0) {
        let k0 = x0.at(i0 - 1).load_or(0);
        let j0 = k0.scalar();
        let n1 = j0 as usize;
        let k1 = x0.at(i0).load();
        let j1 = k1.scalar();
        let j2 = n1 as i32;
        let j3 = j1 - j2;
        let k2 = a3.iota();
        let m0 = k2.eq(0);
        let k3 = y1.at(a3.indices() + n1 - 1).load_or(0);
        let k4 = full::<i32>(a3, 1);
        let k5 = m0.select(k4, k3);
        let k6 = k5.cumprod(a3);
        let k7 = y1.at(a3.indices() + n1).load_or(0);
        let m1 = k7.gt(0);
        let k8 = x1.at(a3.indices() + n1).load_or(-1);
        let k9 = x5.at(a3.indices() + n1).load_or(-1);
        let k10 = m1.select(k8, k9);
        let k11 = a3.iota();
        let m2 = k11.eq(j3);
        let k12 = x6.at(i0).load();
        let k13 = k12.expand(a3);
        let k14 = m2.select(k13, k10);
        let m3 = k6.gt(0);
        let k15 = a3.iota();
        let m4 = k15.le(j3);
        let m5 = m3 & m4;
        let k16 = m5.select(k14, -1);
        y0.at(i0, ..).store(k16);
    }
}
