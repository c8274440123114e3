#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances((f16, f16), (bf16, f32), (f32, f32), (i32, i32))]
    pub fn foreach_sub_list<T: Number, U: Element>(
        xs: &[GlobalTensor<T>],
        zs: &[GlobalTensor<T>],
        #[shape(1)] alpha: &GlobalTensor<U>,
        ys: &mut [GlobalTensor<T>],
    ) {
        let k = alpha.at(0).load().cast::<T::Wide>();
        for (x, z, y) in zip((xs, zs, ys)) {
            for t in tiles(x) {
                let v = x.at(t).load().wide() - k * z.at(t).load().wide();
                y.at(t).store(v.cast::<T>());
            }
        }
    }
}
