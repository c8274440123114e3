#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn concat_and_cache_mla<T: Float>(
        #[shape(n, c)] kv_c: &GlobalTensor<T>,
        #[shape(n, p)] k_pe: &GlobalTensor<T>,
        #[shape(n)] slot_mapping: &GlobalTensor<i64>,
        #[inplace]
        #[shape(blocks, size, c + p)]
        kv_cache: &mut GlobalTensor<T>,
    ) {
        require(size >= 1);
        for i in each(n) {
            let slot = slot_mapping.at(i).load().scalar();
            if slot >= 0 {
                let b = slot / size;
                let o = slot % size;
                assume(b < blocks);
                kv_cache.at(b, o, c.indices()).store_disjoint(kv_c.at(i, ..).load());
                kv_cache.at(b, o, p.indices() + c).store_disjoint(k_pe.at(i, ..).load());
            }
        }
    }
}
