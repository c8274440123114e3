use jumar::prelude::*;
#[kernel]
pub fn int4_pack(
    #[shape(n, a0 = 2 * h)] x: &GlobalTensor<i8>,
    #[shape(n, h)] y: &mut GlobalTensor<u8>,
) {
    require(2 * h >= 1);
    for t0 in tiles(n) {
        let hc0 = x.at(t0, ..).load();
        let hs0 = hc0.cast::<i16>();
        let hs1 = full::<i16>((a0, t0), 15);
        let hs2 = hs0 & hs1;
        let hs3 = hs2.pick(a0, h.indices() * 2);
        let hs4 = hs2.pick(a0, h.indices() * 2 + 1);
        let hs5 = hs4 << 4;
        let hs6 = hs3 + hs5;
        let hd0 = hs6.cast::<u8>();
        y.at(t0, ..).store(hd0);
    }
}
