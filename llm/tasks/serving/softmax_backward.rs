#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn softmax_backward<T: Float>(
        #[shape(n.., d)] dy: &GlobalTensor<T>,
        #[shape(n.., d)] y: &GlobalTensor<T>,
        scale: f32,
        #[shape(n.., d)] dx: &mut GlobalTensor<T>,
    ) {
        for r in tiles(n) {
            let (g, p) = (dy.at(r, ..).load().wide(), y.at(r, ..).load().wide());
            dx.at(r, ..).store((p * (g - (g * p).sum(d)) * scale).cast::<T>());
        }
    }
}
