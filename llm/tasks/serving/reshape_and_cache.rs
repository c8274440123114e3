#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn reshape_and_cache<T: Float>(
        #[shape(n, h, d)] key: &GlobalTensor<T>,
        #[shape(n, h, d)] value: &GlobalTensor<T>,
        #[inplace]
        #[shape(blocks, size, h, d)]
        key_cache: &mut GlobalTensor<T>,
        #[inplace]
        #[shape(blocks, size, h, d)]
        value_cache: &mut GlobalTensor<T>,
        #[shape(n)] slot_mapping: &GlobalTensor<i32>,
    ) {
        require(size >= 1);
        for i in each(n) {
            let slot = slot_mapping.at(i).load().scalar() as usize;
            if slot >= 0 {
                let (b, o) = (slot / size, slot % size);
                assume(b < blocks);
                key_cache.at(b, o, .., ..).store_disjoint(key.at(i, .., ..).load());
                value_cache.at(b, o, .., ..).store_disjoint(value.at(i, .., ..).load());
            }
        }
    }
}
