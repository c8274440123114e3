#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn int4_pack(#[shape(n, w = 2 * h)] x: &GlobalTensor<i8>, #[shape(n, h)] y: &mut GlobalTensor<u8>) {
        for r in tiles(n) {
            let v = x.at(r, ..).load().cast::<i16>() & 15;
            let packed = v.pick(w, h.indices() * 2) + (v.pick(w, h.indices() * 2 + 1) << 4);
            y.at(r, ..).store(packed.cast::<u8>());
        }
    }
}
