use jumar::prelude::*;
#[kernel]
pub fn op_apply_token_bitmask<T: Float>(
    #[shape(a0, a1)] #[inplace] y0: &mut GlobalTensor<T>,
    #[shape(a0, a2 = (a1 + 31) / 32)] x0: &GlobalTensor<i32>,
) {
    let a3 = new_axis(4096);
    let a4 = new_axis((a1 + 4095) / 4096);
    let a5 = new_axis(128);
    let k0 = full::<i32>(a3, 1);
    let k1 = a3.iota();
    let k2 = full::<i32>(a3, 16);
    let k3 = k1 & k2;
    let m0 = k3.eq(0);
    let k4 = k0 << 16;
    let k5 = m0.select(k0, k4);
    let k6 = a3.iota();
    let k7 = full::<i32>(a3, 8);
    let k8 = k6 & k7;
    let m1 = k8.eq(0);
    let k9 = k5 << 8;
    let k10 = m1.select(k5, k9);
    let k11 = a3.iota();
    let k12 = full::<i32>(a3, 4);
    let k13 = k11 & k12;
    let m2 = k13.eq(0);
    let k14 = k10 << 4;
    let k15 = m2.select(k10, k14);
    let k16 = a3.iota();
    let k17 = full::<i32>(a3, 2);
    let k18 = k16 & k17;
    let m3 = k18.eq(0);
    let k19 = k15 << 2;
    let k20 = m3.select(k15, k19);
    let k21 = a3.iota();
    let k22 = full::<i32>(a3, 1);
    let k23 = k21 & k22;
    let m4 = k23.eq(0);
    let k24 = k20 << 1;
    let k25 = m4.select(k20, k24);
    let k26 = a3.iota();
    let k27 = k26 >> 5;
    let k28 = k27.max(0);
    let k29 = k28.min(127);
    for t0 in row_tiles(a0) {
        for i0 in each(a4) {
            let h0 = y0.at(t0, a3.indices() + i0 * 4096).load_or(0.0);
            let k30 = x0.at(t0, a5.indices() + i0 * 128).load_or(0);
            let k31 = k30.pick(a5, k29);
            let k32 = k31 & k25;
            let m5 = k32.eq(0);
            let h1 = full::<T>((a3, t0), f32::NEG_INFINITY);
            let h2 = m5.select(h1, h0);
            y0.at(t0, a3.indices() + i0 * 4096).store_in(h2);
        }
    }
}
