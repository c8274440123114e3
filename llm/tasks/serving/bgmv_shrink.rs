#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn bgmv_shrink<T: Float>(
        #[shape(n, h)] x: &GlobalTensor<T>,
        #[shape(l, k, h)] a: &GlobalTensor<T>,
        #[shape(n)] ids: &GlobalTensor<i64>,
        scale: f32,
        #[inplace]
        #[shape(n, k)]
        y: &mut GlobalTensor<f32>,
    ) {
        for (i, j) in tiles((each(n), k)) {
            let id = ids.at(i).load().scalar();
            if id >= 0 && id < l {
                let v = a.at(id, j, ..).load().wide() * x.at(i, ..).load().wide();
                y.at(i, j).store(v.sum(h) * scale);
            }
        }
    }
}
