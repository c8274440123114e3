#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn bgmv_expand<T: Float>(
        #[shape(n, k)] x: &GlobalTensor<f32>,
        #[shape(l, d, k)] b: &GlobalTensor<T>,
        #[shape(n)] ids: &GlobalTensor<i64>,
        start: usize,
        #[inplace]
        #[shape(n, h)]
        y: &mut GlobalTensor<T>,
    ) {
        require(start + d <= h);
        for (i, t) in tiles((each(n), d)) {
            let id = ids.at(i).load().scalar();
            if id >= 0 && id < l {
                let v = b.at(id, t, ..).load().wide() * x.at(i, ..).load();
                y.at(i, t + start).store((y.at(i, t + start).load().wide() + v.sum(k)).cast::<T>());
            }
        }
    }
}
