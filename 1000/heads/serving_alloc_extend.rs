use jumar::prelude::*;
#[kernel]
pub fn alloc_extend(
    #[shape(b)] before: &GlobalTensor<i32>,
    #[shape(b)] after: &GlobalTensor<i32>,
    #[shape(b)] last: &GlobalTensor<i32>,
    #[shape(f)] free: &GlobalTensor<i32>,
    page: i32,
    #[shape(n)] slots: &mut GlobalTensor<i32>,
) {
    require(page >= 1 && f >= 1);
    require(b <= 2147483648);
    require(f <= 2147483647);
    require(n <= 2147483648);
    for i0 in each(b) {
        let k0 = after.at(..).load();
        let k1 = before.at(..).load();
        let k2 = b.iota();
        let j0 = i0 as i32;
        let m0 = k2.lt(j0);
        let k3 = k0 - k1;
        let k4 = m0.select(k3, 0);
        let k5 = k4.sum(b);
        let j1 = k5.scalar();
        let n0 = j1 as usize;
        let j2 = page - 1;
        let k6 = k0 + j2;
        let v0 = k6.cast::<f32>();
        let s0 = page as f32;
        let v1 = v0 / s0;
        let k7 = v1.cast_with::<i32>(RoundMode::Floor);
        let j3 = page - 1;
        let k8 = k1 + j3;
        let v2 = k8.cast::<f32>();
        let s1 = page as f32;
        let v3 = v2 / s1;
        let k9 = v3.cast_with::<i32>(RoundMode::Floor);
        let k10 = k7 - k9;
        let k11 = m0.select(k10, 0);
        let k12 = k11.sum(b);
        let k13 = before.at(i0).load();
        let k14 = last.at(i0).load();
        let j4 = page - 1;
        let k15 = k13 + j4;
        let v4 = k15.cast::<f32>();
        let s2 = page as f32;
        let v5 = v4 / s2;
        let k16 = v5.cast_with::<i32>(RoundMode::Floor);
        let k17 = k16 * page;
        let k18 = after.at(i0).load();
        let k19 = k18 - k13;
        let j5 = k19.scalar();
        let n1 = j5 as usize;
        assume(n1 >= 0 && n0 >= 0 && n0 + n1 <= n);
        for t0 in tiles(0..n1) {
            let k20 = t0.iota();
            let k21 = k20 + k13;
            let k22 = k21 - k17;
            let v6 = k22.cast::<f32>();
            let s3 = page as f32;
            let v7 = v6 / s3;
            let k23 = v7.cast_with::<i32>(RoundMode::Floor);
            let k24 = k23 + k12;
            let k25 = k24.max(0);
            let n2 = f - 1;
            let j6 = n2 as i32;
            let k26 = k25.min(j6);
            let k27 = free.at(k26).load();
            let k28 = k27 * page;
            let k29 = k28 + k22;
            let k30 = k23 * page;
            let k31 = k29 - k30;
            let m1 = k22.lt(0);
            let k32 = t0.iota();
            let k33 = k32 + k14;
            let k34 = k33 + 1;
            let k35 = m1.select(k34, k31);
            slots.at(t0 + n0).store_disjoint(k35);
        }
    }
}
