#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_non_finite_check_and_unscale<T: Float>(
        #[inplace] xs: &mut [GlobalTensor<T>],
        #[inplace]
        #[shape(1)]
        found_inf: &mut GlobalTensor<f32>,
        #[shape(1)] inv_scale: &GlobalTensor<f32>,
    ) {
        let k = inv_scale.at(0).load();
        for x in zip(xs) {
            let mut bad = across_cores::<bool>((), false);
            for t in tiles(x) {
                let v = x.at(t).load().wide();
                bad |= (!v.is_finite()).any(t);
                x.at(t).store((v * k).cast::<T>());
            }
            if bad.scalar() {
                found_inf.at(0).store_any(full::<f32>((), 1.0));
            }
        }
    }
}
