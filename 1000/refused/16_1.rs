use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16)]
pub fn op_int4_unpack<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<u8>,
    #[shape(a0, a2)] x1: &GlobalTensor<T>,
    #[shape(a0, a2)] x2: &GlobalTensor<T>,
    #[shape(a0, a3 = 2 * a1)] y0: &mut GlobalTensor<T>,
) {
    require(a2 >= 1);
    require(2 * a1 % a2 == 0);
    require(2 * a1 / a2 % 2 == 0);
    require(a0 * a1 == a0 * a2 * (2 * a1 / a2 / 2));
    require(a0 * (2 * a1) == a0 * a2 * (2 * a1 / a2 / 2) * 2);
    let a4 = new_axis(2 * a1 / a2 / 2);
    let a5 = new_axis(2);
    for (t0, t1, t2) in tiles((a0, a2, a4)) {
        let hd0 = x0.view((a0, a2, a4)).at(t0, t1, t2).load();
        let hs0 = hd0.cast::<i16>();
        let h0 = x1.at(t0, t1).load();
        let v0 = h0.cast::<f32>();
        let h1 = x2.at(t0, t1).load();
        let v1 = h1.cast::<f32>();
        let hs1 = full::<i16>((t0, t1, t2), 15);
        let hs2 = hs0 & hs1;
        let hs3 = full::<i16>((t0, t1, t2), 8);
        let hs4 = hs2 | hs3;
        let hs5 = hs2 & hs3;
        let hs6 = !hs5;
        let hs7 = hs4 & hs6;
        let hs8 = hs7 - 8;
        let v2 = hs8.cast::<f32>();
        let v3 = v2 + v1;
        let v4 = v3 * v0;
        let h2 = v4.cast::<T>();
        y0.view((a0, a2, a4, a5)).at(t0, t1, t2, 0).write(h2);
        let hs9 = hs0 >> 4;
        let hs10 = full::<i16>((t0, t1, t2), 8);
        let hs11 = hs9 | hs10;
        let hs12 = hs9 & hs10;
        let hs13 = !hs12;
        let hs14 = hs11 & hs13;
        let hs15 = hs14 - 8;
        let v5 = hs15.cast::<f32>();
        let v6 = v5 + v1;
        let v7 = v6 * v0;
        let h3 = v7.cast::<T>();
        y0.view((a0, a2, a4, a5)).at(t0, t1, t2, 1).store(h3);
    }
}
