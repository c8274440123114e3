#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn max_pooling_3d(
        #[shape(n.., d, h, w)] x: &GlobalTensor<f32>,
        #[shape(n.., od = (d + 2 * border - k) / step + 1, oh = (h + 2 * border - k) / step + 1, ow = (w + 2 * border - k) / step + 1)]
        y: &mut GlobalTensor<f32>,
        k: usize,
        step: usize,
        border: usize,
    ) {
        require(step >= 1);
        require(k <= d + 2 * border);
        require(k <= h + 2 * border);
        require(k <= w + 2 * border);
        for (i, j, r, t) in tiles((each(n), each(od), oh, ow)) {
            let mut top = full((r, t), f32::NEG_INFINITY);
            for s in 0..k {
                for p in 0..k {
                    for q in 0..k {
                        let v = x.at(i, j * step + s - border, r * step + p - border, t * step + q - border);
                        top = top.max(v.load_or(f32::NEG_INFINITY));
                    }
                }
            }
            y.at(i, j, r, t).store(top);
        }
    }
}
