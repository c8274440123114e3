#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(
    (f16, f32), (f32, f16), (f32, bf16), (bf16, f32), (i32, f32), (i8, f16), (i8, f32), (bool, f16), (bool, f32), (f32, bool),
    (i32, bool), (i32, i64), (f32, i32), (f16, i32), (bf16, i32), (f32, i64), (f16, i16), (f32, i8), (f16, u8), (bf16, i8)
)]
    pub fn cast_math<T: Element, U: Element>(x: &GlobalTensor<T>, y: &mut GlobalTensor<U>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().cast_trunc::<U>());
        }
    }
}
