#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn moe_token_offsets(#[shape(n.., e)] counts: &GlobalTensor<i32>, offsets: &mut GlobalTensor<i32>, exclusive: bool) {
        for r in tiles(n) {
            let v = counts.at(r, ..).load();
            let ends = v.cumsum(e);
            offsets.at(r, ..).store(if exclusive { ends - v } else { ends });
        }
    }
}
