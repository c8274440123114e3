/// The swish function, `y = x / (1 + exp(-scale * x))`.
#[kernel]
pub fn swish<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(1.0)] scale: f32) {
    for t in tiles(x) {
        let v = x.at(t).load().cast::<f32>();
        let sigmoid_inverse = (v * -scale).exp() + 1.0;
        y.at(t).store((v / sigmoid_inverse).cast::<T>());
    }
}
