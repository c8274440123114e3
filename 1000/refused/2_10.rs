use jumar::prelude::*;
pub fn op_alloc_extend(
    #[shape(a0)] x0: &GlobalTensor<i32>,
    #[shape(a0)] x1: &GlobalTensor<i32>,
    #[shape(a0)] x2: &GlobalTensor<i32>,
    #[shape(a1)] x3: &GlobalTensor<i32>,
    j0: i32,
    #[shape(a2)] y0: &mut GlobalTensor<i32>,
) {
    require(j0 >= 1 && a1 >= 1);
    require(a0 <= 2147483648);
    require(a1 <= 2147483647);
    require(a2 <= 2147483648);
    for i0 in each(a0) {
        let k0 = x1.at(..).load();
        let k1 = x0.at(..).load();
        let k2 = a0.iota();
        let j1 = i0 as i32;
        let m0 = k2.lt(j1);
        let k3 = k0 - k1;
        let k4 = m0.select(k3, 0);
        let k5 = k4.sum(a0);
        let j2 = k5.scalar();
        let n0 = j2 as usize;
        let j3 = j0 - 1;
        let k6 = k0 + j3;
        let v0 = k6.cast::<f32>();
        let s0 = j0 as f32;
        let v1 = v0 / s0;
        let k7 = v1.cast_with::<i32>(RoundMode::Floor);
        let j4 = j0 - 1;
        let k8 = k1 + j4;
        let v2 = k8.cast::<f32>();
        let s1 = j0 as f32;
        let v3 = v2 / s1;
        let k9 = v3.cast_with::<i32>(RoundMode::Floor);
        let k10 = k7 - k9;
        let k11 = m0.select(k10, 0);
        let k12 = k11.sum(a0);
        let k13 = x0.at(i0).load();
        let k14 = x2.at(i0).load();
        let j5 = j0 - 1;
        let k15 = k13 + j5;
        let v4 = k15.cast::<f32>();
        let s2 = j0 as f32;
        let v5 = v4 / s2;
        let k16 = v5.cast_with::<i32>(RoundMode::Floor);
        let k17 = k16 * j0;
        let k18 = x1.at(i0).load();
        let k19 = k18 - k13;
        let j6 = k19.scalar();
        let n1 = j6 as usize;
        assume(n1 >= 0 && n0 >= 0 && n0 + n1 <= a2);
        for t0 in tiles(0..n1) {
            let k20 = t0.iota();
            let k21 = k20 + k13;
            let k22 = k21 - k17;
            let v6 = k22.cast::<f32>();
            let s3 = j0 as f32;
            let v7 = v6 / s3;
            let k23 = v7.cast_with::<i32>(RoundMode::Floor);
            let k24 = k23 + k12;
            let k25 = k24.max(0);
            let n2 = a1 - 1;
            let j7 = n2 as i32;
            let k26 = k25.min(j7);
            let k27 = x3.at(k26).load();
            let k28 = k27 * j0;
            let k29 = k28 + k22;
            let k30 = k23 * j0;
            let k31 = k29 - k30;
            let m1 = k22.lt(0);
            let k32 = t0.iota();
            let k33 = k32 + k14;
            let k34 = k33 + 1;
            let k35 = m1.select(k34, k31);
            y0.at(t0 + n0).store_disjoint(k35);
        }
    }
}
