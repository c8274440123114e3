#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16, f32, i32, i16)]
    pub fn foreach_zero_inplace<T: Element>(#[inplace] xs: &mut [GlobalTensor<T>]) {
        for x in zip(xs) {
            for t in tiles(x) {
                x.at(t).store(full::<T>(t, 0));
            }
        }
    }
}
