use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let [n, c, h, w, kh, kw] = ["n", "c", "h", "w", "kh", "kw"].map(|name| of.size(name));
    let (oh, ow) = (h - kh + 1, w - kw + 1);
    let one = |i: usize| {
        let (plane, r, t) = (i / (oh * ow), i / ow % oh, i % ow);
        let tap = |e: usize| of["x"][(plane * h + r + e / kw) * w + t + e % kw] * of["u"][plane % c * kh * kw + e];
        sums((0..kh * kw).map(tap))
    };
    let (y, size) = unzip((0..n * c * oh * ow).map(one));
    due_of("y", y, size)
}
