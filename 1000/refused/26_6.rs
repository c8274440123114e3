use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16, f32, i32)]
pub fn op_reverse_sequence<T: Element>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0)] x1: &GlobalTensor<i64>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<T>,
) {
    require(a1 <= 2147483648);
    require(a1 >= 1);
    for t0 in tiles(a0) {
        let hl0 = x1.at(t0).load();
        let k0 = hl0.to::<i32>();
        let k1 = k0 - 1;
        let k2 = a1.iota();
        let k3 = k2.expand(t0);
        let m0 = k3.le(k1);
        let k4 = k1 - k3;
        let k5 = m0.select(k4, k3);
        let h0 = x0.at(t0, ..).load();
        let k6 = k5.max(0);
        let n0 = a1 - 1;
        let j0 = n0 as i32;
        let k7 = k6.min(j0);
        let h1 = h0.pick(a1, k7);
        y0.at(t0, ..).store(h1);
    }
}
