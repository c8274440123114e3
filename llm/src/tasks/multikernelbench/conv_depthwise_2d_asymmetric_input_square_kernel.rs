use crate::tasks::reference::*;
use jumar::prelude::kernels;

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

pub fn reference(of: &Given) -> Due {
    let [n, c, h, w, k, step, border] = ["n", "c", "h", "w", "k", "step", "border"].map(|name| of.size(name));
    let (oh, ow) = ((h + 2 * border - k) / step + 1, (w + 2 * border - k) / step + 1);
    let one = |i: usize| {
        let (plane, r, t) = (i / (oh * ow), i / ow % oh, i % ow);
        let taps = (0..k * k).map(|e| (e, r * step + e / k, t * step + e % k));
        let inside = taps.filter(|(_, r, t)| (border..h + border).contains(r) && (border..w + border).contains(t));
        sums(inside.map(|(e, r, t)| of["x"][(plane * h + r - border) * w + t - border] * of["u"][plane % c * k * k + e]))
    };
    let (y, size) = unzip((0..n * c * oh * ow).map(one));
    due_of("y", y, size)
}
