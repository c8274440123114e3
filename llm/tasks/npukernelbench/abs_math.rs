#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16, f32, i32, i64)]
    pub fn abs_math<T: Element>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            let v = x.at(t).load().wide();
            y.at(t).store(v.max(-v).cast::<T>());
        }
    }
}
