#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances((f16, f16), (bf16, f32), (f32, f32), (i32, i32))]
    pub fn foreach_addcmul_list<T: Number, U: Element>(
        #[list(l)] xs: &[GlobalTensor<T>],
        zs: &[GlobalTensor<T>],
        us: &[GlobalTensor<T>],
        #[shape(l)] scalars: &GlobalTensor<U>,
        ys: &mut [GlobalTensor<T>],
    ) {
        for (i, (x, z, u, y)) in zip((xs, zs, us, ys)).enumerate() {
            let s = scalars.at(i).load().cast::<T::Wide>();
            for t in tiles(x) {
                let part = z.at(t).load().wide() * u.at(t).load().wide() * s;
                y.at(t).store((x.at(t).load().wide() + part).cast::<T>());
            }
        }
    }
}
