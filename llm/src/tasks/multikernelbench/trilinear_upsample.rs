use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (d, h, w, s) = (of.size("d"), of.size("h"), of.size("w"), of.size("s"));
    let place = |i: usize, m: usize| {
        let at = i as f64 * (m - 1) as f64 / (m * s - 1) as f64;
        let first = (at.floor() as usize).min(m - 1);
        [(first, 1.0 - (at - first as f64)), ((first + 1).min(m - 1), at - first as f64)]
    };
    let one = |i: usize| {
        let block = &of["x"][i / (d * h * w * s * s * s) * d * h * w..];
        let (u, r, t) = (i / (h * w * s * s) % (d * s), i / (w * s) % (h * s), i % (w * s));
        let mut sum = 0.0;
        for (u, a) in place(u, d) {
            for (r, b) in place(r, h) {
                for (t, c) in place(t, w) {
                    sum += a * b * c * block[(u * h + r) * w + t];
                }
            }
        }
        sum
    };
    due_about("y", (0..of["x"].len() * s * s * s).map(one).collect(), (d + h + w) as f64)
}
