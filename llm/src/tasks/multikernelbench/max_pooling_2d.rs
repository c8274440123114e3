use crate::tasks::reference::*;
use jumar::prelude::kernels;

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

pub fn reference(of: &Given) -> Due {
    let (h, w, k, step, border) = (of.size("h"), of.size("w"), of.size("k"), of.size("step"), of.size("border"));
    let (oh, ow) = ((h + 2 * border - k) / step + 1, (w + 2 * border - k) / step + 1);
    let one = |i: usize| {
        let (plane, r, t) = (i / (oh * ow), i / ow % oh, i % ow);
        let window = (0..k * k).map(|e| (r * step + e / k, t * step + e % k));
        let inside = window.filter(|(r, t)| (border..h + border).contains(r) && (border..w + border).contains(t));
        inside.map(|(r, t)| of["x"][(plane * h + r - border) * w + t - border]).fold(f64::NEG_INFINITY, f64::max)
    };
    due("y", (0..of["x"].len() / (h * w) * oh * ow).map(one).collect())
}
