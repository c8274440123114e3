use crate::tasks::reference::*;

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
