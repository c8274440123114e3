#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances((f16, f16), (bf16, f32), (f32, f32))]
    pub fn foreach_div_scalar_list<T: Float, U: Element>(
        #[list(l)] xs: &[GlobalTensor<T>],
        #[shape(l)] scalars: &GlobalTensor<U>,
        ys: &mut [GlobalTensor<T>],
    ) {
        for (i, (x, y)) in zip((xs, ys)).enumerate() {
            let s = scalars.at(i).load().cast::<T::Wide>();
            for t in tiles(x) {
                let v = x.at(t).load().wide();
                y.at(t).store((v / s).cast::<T>());
            }
        }
    }
}
