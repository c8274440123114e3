#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn conv_depthwise_2d_asymmetric_input_asymmetric_kernel(
        #[shape(n, c, h, w)] x: &GlobalTensor<f32>,
        #[shape(c, kh, kw)] u: &GlobalTensor<f32>,
        #[shape(n, c, oh = (h + 2 * bh - (kh - 1) * dh - 1) / sh + 1, ow = (w + 2 * bw - (kw - 1) * dw - 1) / sw + 1)]
        y: &mut GlobalTensor<f32>,
        sh: usize,
        sw: usize,
        bh: usize,
        bw: usize,
        dh: usize,
        dw: usize,
    ) {
        require(sh >= 1);
        require(sw >= 1);
        require((kh - 1) * dh + 1 <= h + 2 * bh);
        require((kw - 1) * dw + 1 <= w + 2 * bw);
        for (i, j, r, t) in tiles((each(n), each(c), oh, ow)) {
            let mut sum = full((r, t), 0.0);
            for p in 0..kh {
                for q in 0..kw {
                    let v = x.at(i, j, r * sh + p * dh - bh, t * sw + q * dw - bw).load_or(0.0);
                    sum = sum + v * u.at(j, p, q).load();
                }
            }
            y.at(i, j, r, t).store(sum);
        }
    }
}
