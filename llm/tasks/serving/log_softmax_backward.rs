#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn log_softmax_backward<T: Float>(
        #[shape(n.., d)] dy: &GlobalTensor<T>,
        #[shape(n.., d)] y: &GlobalTensor<T>,
        #[shape(n.., d)] dx: &mut GlobalTensor<T>,
    ) {
        for r in tiles(n) {
            let g = dy.at(r, ..).load().wide();
            dx.at(r, ..).store((g - y.at(r, ..).load().wide().exp() * g.sum(d)).cast::<T>());
        }
    }
}
