#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn conv_depthwise_2d_asymmetric_input_square_kernel(
        #[shape(n, c, h, w)] x: &GlobalTensor<f32>,
        #[shape(c, k, k)] u: &GlobalTensor<f32>,
        #[shape(n, c, oh = (h + 2 * border - k) / step + 1, ow = (w + 2 * border - k) / step + 1)] y: &mut GlobalTensor<f32>,
        step: usize,
        border: usize,
    ) {
        require(step >= 1);
        require(k <= h + 2 * border);
        require(k <= w + 2 * border);
        for (i, j, r, t) in tiles((each(n), each(c), oh, ow)) {
            let mut sum = full((r, t), 0.0);
            for p in 0..k {
                for q in 0..k {
                    let v = x.at(i, j, r * step + p - border, t * step + q - border).load_or(0.0);
                    sum = sum + v * u.at(j, p, q).load();
                }
            }
            y.at(i, j, r, t).store(sum);
        }
    }
}
