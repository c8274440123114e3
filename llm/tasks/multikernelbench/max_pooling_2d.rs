#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn max_pooling_2d(
        #[shape(n.., h, w)] x: &GlobalTensor<f32>,
        #[shape(n.., oh = (h + 2 * border - k) / step + 1, ow = (w + 2 * border - k) / step + 1)] y: &mut GlobalTensor<f32>,
        k: usize,
        step: usize,
        border: usize,
    ) {
        require(step >= 1);
        require(k <= h + 2 * border);
        require(k <= w + 2 * border);
        for (i, r, t) in tiles((each(n), oh, ow)) {
            let mut top = full((r, t), f32::NEG_INFINITY);
            for p in 0..k {
                for q in 0..k {
                    top = top.max(x.at(i, r * step + p - border, t * step + q - border).load_or(f32::NEG_INFINITY));
                }
            }
            y.at(i, r, t).store(top);
        }
    }
}
