use crate::tasks::reference::*;

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
