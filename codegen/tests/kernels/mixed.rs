/// Five inputs of two types in one block of a queue, and a factor that the host computes.
#[kernel]
#[instances(f16, bf16)]
pub fn mixed<T: Float>(
    #[shape(n, d)] a: &GlobalTensor<T>,
    #[shape(n, d)] b: &GlobalTensor<f32>,
    #[shape(n, d)] c: &GlobalTensor<T>,
    #[shape(n, d)] e: &GlobalTensor<f32>,
    #[shape(n, d)] f: &GlobalTensor<T>,
    y: &mut GlobalTensor<f32>,
) {
    let scale = 1.0 / (d as f32).sqrt();
    for t in tiles(a) {
        let sum = a.at(t).load().cast::<f32>() + b.at(t).load() + c.at(t).load().cast::<f32>() + e.at(t).load() + f.at(t).load().cast::<f32>();
        y.at(t).store(sum * scale);
    }
}
