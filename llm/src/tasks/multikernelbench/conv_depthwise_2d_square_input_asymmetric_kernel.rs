use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let [n, c, h, w, k, dilation] = ["n", "c", "h", "w", "k", "dilation"].map(|name| of.size(name));
    let oh = h - (k - 1) * dilation;
    let one = |i: usize| {
        let (plane, r, t) = (i / (oh * w), i / w % oh, i % w);
        sums((0..k).map(|p| of["x"][(plane * h + r + p * dilation) * w + t] * of["u"][plane % c * k + p]))
    };
    let (y, size) = unzip((0..n * c * oh * w).map(one));
    due_of("y", y, size)
}
