#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, f32)]
    pub fn coalesce_sparse<T: Float>(
        #[shape(n)]
        #[index(k)]
        places: &GlobalTensor<i32>,
        #[shape(n, m)] indices: &GlobalTensor<i64>,
        #[shape(n, d..)] values: &GlobalTensor<T>,
        k: usize,
        #[shape(k, m)] new_indices: &mut GlobalTensor<i64>,
        #[shape(k, d..)] new_values: &mut GlobalTensor<T>,
    ) {
        for t in tiles(n) {
            let at = places.at(t).load();
            new_indices.at(at, ..).store_any(indices.at(t, ..).load());
            new_values.at(at, ..).atomic_add(values.at(t, ..).load());
        }
    }
}
