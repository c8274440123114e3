#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances((f16, f16), (bf16, f32), (f32, f32), (i32, i32))]
    pub fn foreach_minimum_scalar<T: Number, U: Element>(
        xs: &[GlobalTensor<T>],
        #[shape(1)] scalar: &GlobalTensor<U>,
        ys: &mut [GlobalTensor<T>],
    ) {
        let s = scalar.at(0).load().cast::<T::Wide>();
        for (x, y) in zip((xs, ys)) {
            for t in tiles(x) {
                let v = x.at(t).load().wide();
                y.at(t).store(v.min(s).cast::<T>());
            }
        }
    }
}
