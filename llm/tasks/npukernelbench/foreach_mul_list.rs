#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_mul_list<T: Number>(xs: &[GlobalTensor<T>], zs: &[GlobalTensor<T>], ys: &mut [GlobalTensor<T>]) {
        for (x, z, y) in zip((xs, zs, ys)) {
            for t in tiles(x) {
                let (a, b) = (x.at(t).load().wide(), z.at(t).load().wide());
                y.at(t).store((a * b).cast::<T>());
            }
        }
    }
}
