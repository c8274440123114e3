#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_norm<T: Float>(xs: &[GlobalTensor<T>], #[default(2.0)] p: f32, #[shape()] ys: &mut [GlobalTensor<T>]) {
        for (x, y) in zip((xs, ys)) {
            if p == f32::INFINITY {
                let mut top = across_cores::<f32>((), 0.0);
                for t in tiles(x) {
                    top = top.max(x.at(t).load().wide().abs().amax(t));
                }
                y.at().store(top.cast::<T>());
            } else {
                let mut sum = across_cores::<f32>((), 0.0);
                for t in tiles(x) {
                    let v = x.at(t).load().wide();
                    let power = if p == 2.0 { v * v } else { v.abs().pow(p) };
                    sum += power.sum(t);
                }
                if p == 2.0 {
                    y.at().store(sum.sqrt().cast::<T>());
                } else {
                    y.at().store(sum.pow(1.0 / p).cast::<T>());
                }
            }
        }
    }
}
