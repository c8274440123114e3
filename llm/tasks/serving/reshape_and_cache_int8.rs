#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn reshape_and_cache_int8<T: Float>(
        #[shape(n, h, d)] key: &GlobalTensor<T>,
        #[shape(n, h, d)] value: &GlobalTensor<T>,
        #[shape(n)] slot_mapping: &GlobalTensor<i32>,
        #[shape(h)] key_scale: &GlobalTensor<f32>,
        #[shape(h)] value_scale: &GlobalTensor<f32>,
        #[inplace]
        #[shape(blocks, size, h, d)]
        key_cache: &mut GlobalTensor<i8>,
        #[inplace]
        #[shape(blocks, size, h, d)]
        value_cache: &mut GlobalTensor<i8>,
    ) {
        require(size >= 1);
        let ks = (1.0 / key_scale.at(..).load()).expand(d);
        let vs = (1.0 / value_scale.at(..).load()).expand(d);
        for i in each(n) {
            let slot = slot_mapping.at(i).load().scalar() as usize;
            if slot >= 0 {
                let (b, o) = (slot / size, slot % size);
                assume(b < blocks);
                let k = key.at(i, .., ..).load().wide() * ks;
                let v = value.at(i, .., ..).load().wide() * vs;
                key_cache.at(b, o, .., ..).store_disjoint(k.cast::<i8>());
                value_cache.at(b, o, .., ..).store_disjoint(v.cast::<i8>());
            }
        }
    }
}
