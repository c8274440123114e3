#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances((f16, f16), (bf16, f32), (f32, f32), (i32, i32))]
    pub fn foreach_addcmul_scalar<T: Number, U: Element>(
        xs: &[GlobalTensor<T>],
        zs: &[GlobalTensor<T>],
        us: &[GlobalTensor<T>],
        #[shape(1)] scalar: &GlobalTensor<U>,
        ys: &mut [GlobalTensor<T>],
    ) {
        let s = scalar.at(0).load().cast::<T::Wide>();
        for (x, z, u, y) in zip((xs, zs, us, ys)) {
            for t in tiles(x) {
                let part = z.at(t).load().wide() * u.at(t).load().wide() * s;
                y.at(t).store((x.at(t).load().wide() + part).cast::<T>());
            }
        }
    }
}
