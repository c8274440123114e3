#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_addcdiv_scalar_list<T: Float>(
        xs: &[GlobalTensor<T>],
        zs: &[GlobalTensor<T>],
        us: &[GlobalTensor<T>],
        scalars: &[f32],
        ys: &mut [GlobalTensor<T>],
    ) {
        for (x, z, u, s, y) in zip((xs, zs, us, scalars, ys)) {
            for t in tiles(x) {
                let part = z.at(t).load().wide() / u.at(t).load().wide() * s;
                y.at(t).store((x.at(t).load().wide() + part).cast::<T>());
            }
        }
    }
}
