use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (c, h, w, o) = (of.size("c"), of.size("h"), of.size("w"), of.size("oh") * of.size("ow"));
    let one = |i: usize| {
        let image = i / o;
        let place = &of["grid"][(image / c * o + i % o) * 2..];
        let (column, row) = (((place[0] + 1.0) * w as f64 - 1.0) / 2.0, ((place[1] + 1.0) * h as f64 - 1.0) / 2.0);
        let plane = &of["x"][image * h * w..][..h * w];
        (0..h * w)
            .map(|at| {
                plane[at] * (1.0 - (row - (at / w) as f64).abs()).max(0.0) * (1.0 - (column - (at % w) as f64).abs()).max(0.0)
            })
            .sum()
    };
    due_about("y", (0..of.size("n") * c * o).map(one).collect(), (h + w) as f64)
}
