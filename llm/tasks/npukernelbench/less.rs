#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16, f32, i32, i8, u8, i64)]
    pub fn less<T: Element>(x1: &GlobalTensor<T>, x2: &GlobalTensor<T>, y: &mut GlobalTensor<bool>) {
        for t in tiles(x1) {
            y.at(t).store(x1.at(t).load().lt(x2.at(t).load()));
        }
    }
}
