#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn conv_depthwise_2d_square_input_square_kernel(
        #[shape(n, c, h, w)] x: &GlobalTensor<f32>,
        #[shape(c, kh, kw)] u: &GlobalTensor<f32>,
        #[shape(n, c, oh = h - kh + 1, ow = w - kw + 1)] y: &mut GlobalTensor<f32>,
    ) {
        require(kh <= h);
        require(kw <= w);
        for (i, j, r, t) in tiles((each(n), each(c), oh, ow)) {
            let mut sum = full((r, t), 0.0);
            for p in each(kh) {
                for q in 0..kw {
                    sum = sum + x.at(i, j, r + p, t + q).load() * u.at(j, p, q).load();
                }
            }
            y.at(i, j, r, t).store(sum);
        }
    }
}
