use crate::tasks::reference::*;
use jumar::prelude::kernels;

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

pub fn reference(of: &Given) -> Due {
    let (m, d, k) = (of.size("m"), of.size("d"), of.size("k"));
    let (mut indices, mut values) = (vec![0.0; k * m], vec![0.0; k * d]);
    for (i, at) in of["places"].iter().enumerate() {
        let at = *at as usize;
        indices[at * m..][..m].copy_from_slice(&of["indices"][i * m..][..m]);
        values[at * d..][..d].iter_mut().zip(&of["values"][i * d..]).for_each(|(sum, v)| *sum += v);
    }
    due("new_indices", indices).and("new_values", values)
}
