use jumar::prelude::*
#[kernel]
pub fn op_int4_pack(
    #[shape(a0, a2 = 2 * a1)] x0: &GlobalTensor<i8>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<u8>,
) {
    require(2 * a1 >= 1);
    for t0 in tiles(a0) {
        let hc0 = x0.at(t0, ..).load();
        let hs0 = hc0.cast::<i16>();
        let hs1 = full::<i16>((a2, t0), 15);
        let hs2 = hs0 & hs1;
        let hs3 = hs2.pick(a2, a1.indices() * 2);
        let hs4 = hs2.pick(a2, a1.indices() * 2 + 1);
        let hs5 = hs4 << 4;
        let hs6 = hs3 + hs5;
        let hd0 = hs6.cast::<u8>();
        y0.at(t0, ..).store(hd0);
    }
}
