use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let [n, c, h, w, kh, kw] = ["n", "c", "h", "w", "kh", "kw"].map(|name| of.size(name));
    let [sh, sw, bh, bw, dh, dw] = ["sh", "sw", "bh", "bw", "dh", "dw"].map(|name| of.size(name));
    let (oh, ow) = ((h + 2 * bh - (kh - 1) * dh - 1) / sh + 1, (w + 2 * bw - (kw - 1) * dw - 1) / sw + 1);
    let one = |i: usize| {
        let (plane, r, t) = (i / (oh * ow), i / ow % oh, i % ow);
        let taps = (0..kh * kw).map(|e| (e, r * sh + e / kw * dh, t * sw + e % kw * dw));
        let inside = taps.filter(|(_, r, t)| (bh..h + bh).contains(r) && (bw..w + bw).contains(t));
        sums(inside.map(|(e, r, t)| of["x"][(plane * h + r - bh) * w + t - bw] * of["u"][plane % c * kh * kw + e]))
    };
    let (y, size) = unzip((0..n * c * oh * ow).map(one));
    due_of("y", y, size)
}
