use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (c, h, w) = (of.size("c"), of.size("h"), of.size("w"));
    let one = |i: usize| {
        let (image, r, t) = (i / (h * w), i / w % h, i % w);
        let theta = &of["theta"][image / c * 6..][..6];
        let (u, v) = ((2 * t + 1) as f64 / w as f64 - 1.0, (2 * r + 1) as f64 / h as f64 - 1.0);
        let (a, b) = (theta[0] * u + theta[1] * v + theta[2], theta[3] * u + theta[4] * v + theta[5]);
        let (column, row) = (((a + 1.0) * w as f64 - 1.0) / 2.0, ((b + 1.0) * h as f64 - 1.0) / 2.0);
        let plane = &of["x"][image * h * w..][..h * w];
        (0..h * w)
            .map(|at| {
                plane[at] * (1.0 - (row - (at / w) as f64).abs()).max(0.0) * (1.0 - (column - (at % w) as f64).abs()).max(0.0)
            })
            .sum()
    };
    due_about("y", (0..of["x"].len()).map(one).collect(), (h + w) as f64)
}
