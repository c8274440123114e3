use crate::tasks::reference::*;

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
