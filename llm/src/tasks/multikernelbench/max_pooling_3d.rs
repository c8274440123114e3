use crate::tasks::reference::*;
use jumar::prelude::kernels;

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

pub fn reference(of: &Given) -> Due {
    let [d, h, w, k, step, border] = ["d", "h", "w", "k", "step", "border"].map(|name| of.size(name));
    let [od, oh, ow] = [d, h, w].map(|size| (size + 2 * border - k) / step + 1);
    let one = |i: usize| {
        let (block, u, r, t) = (i / (od * oh * ow), i / (oh * ow) % od, i / ow % oh, i % ow);
        let mut top = f64::NEG_INFINITY;
        for e in 0..k * k * k {
            let (u, r, t) = (u * step + e / (k * k), r * step + e / k % k, t * step + e % k);
            let inside = |at: usize, size: usize| (border..size + border).contains(&at);
            if inside(u, d) && inside(r, h) && inside(t, w) {
                top = top.max(of["x"][((block * d + u - border) * h + r - border) * w + t - border]);
            }
        }
        top
    };
    due("y", (0..of["x"].len() / (d * h * w) * od * oh * ow).map(one).collect())
}
