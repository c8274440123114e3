#[kernels]
mod activations {
    pub enum Activation {
        None,
        Relu,
        Silu,
    }

    /// Nothing below zero, a sigmoid linear unit, or itself, by an attribute.
    #[kernel]
    pub fn activated<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>, #[default(Activation::Silu)] activation: Activation) {
        for r in tiles(n) {
            let v = x.at(r, ..).load().cast::<f32>();
            let u = match activation {
                Activation::Relu => v.max(0.0),
                Activation::Silu => v / ((-v).exp() + 1.0),
                Activation::None => v,
            };
            y.at(r, ..).store(u.cast::<T>());
        }
    }
}
