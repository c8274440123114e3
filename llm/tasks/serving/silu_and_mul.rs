#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn silu_and_mul<T: Float>(#[shape(n, 2 * d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>) {
        for (r, t) in tiles((n, d)) {
            let gate = x.at(r, t + 0).load().wide();
            let up = x.at(r, t + d).load().wide();
            y.at(r, t).store((gate / (1.0 + (-gate).exp()) * up).cast::<T>());
        }
    }
}
