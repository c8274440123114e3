use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (h, w, s) = (of.size("h"), of.size("w"), of.size("s"));
    let one = |i: usize| {
        let (plane, r, t) = (i / (h * s * w * s), i / (w * s) % (h * s), i % (w * s));
        of["x"][(plane * h + r / s) * w + t / s]
    };
    due("y", (0..of["x"].len() * s * s).map(one).collect())
}
