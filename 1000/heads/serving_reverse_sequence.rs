use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16, f32, i32)]
pub fn reverse_sequence<T: Element>(
    #[shape(n, d)] x: &GlobalTensor<T>,
    #[shape(n)] lengths: &GlobalTensor<i64>,
    #[shape(n, d)] y: &mut GlobalTensor<T>,
) {
    require(d <= 2147483648);
    require(d >= 1);
    for t0 in tiles(n) {
        let hl0 = lengths.at(t0).load();
        let k0 = hl0.cast::<i32>();
        let k1 = k0 - 1;
        let k2 = d.iota();
        let k3 = k2.expand(t0);
        let m0 = k3.le(k1);
        let k4 = k1 - k3;
        let k5 = m0.select(k4, k3);
        let h0 = x.at(t0, ..).load();
        let k6 = k5.max(0);
        let n0 = d - 1;
        let j0 = n0 as i32;
        let k7 = k6.min(j0);
        let h1 = h0.pick(d, k7);
        y.at(t0, ..).store(h1);
    }
}
