use jumar::prelude::*;
#[kernel]
pub fn op_unpacked(
    #[shape(a0)] x0: &GlobalTensor<u8>,
    #[shape(a0)] y0: &mut GlobalTensor<i16>,
    #[shape(a0)] y1: &mut GlobalTensor<i16>,
) {
    for t0 in tiles(a0) {
        let rhd0 = x0.at(t0).load();
        let hs0 = hd0.cast::<i16>();
        let hs1 = full::<i16>(t0, 15);
        let hs2 = hs0 & hs1;
        y0.at(t0).store(hs2);
        let hs3 = hs0 >> 4;
        y1.at(t0).store(hs3);
    }
}
