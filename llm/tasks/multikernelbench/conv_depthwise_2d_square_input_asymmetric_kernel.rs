#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn conv_depthwise_2d_square_input_asymmetric_kernel(
        #[shape(n, c, h, w)] x: &GlobalTensor<f32>,
        #[shape(c, k)] u: &GlobalTensor<f32>,
        #[shape(n, c, oh = h - (k - 1) * dilation, w)] y: &mut GlobalTensor<f32>,
        dilation: usize,
    ) {
        require(k >= 1);
        require((k - 1) * dilation < h);
        for (i, j, r, t) in tiles((each(n), each(c), oh, w)) {
            let mut sum = full((r, t), 0.0);
            for p in 0..k {
                sum = sum + x.at(i, j, r + p * dilation, t).load() * u.at(j, p).load();
            }
            y.at(i, j, r, t).store(sum);
        }
    }
}
