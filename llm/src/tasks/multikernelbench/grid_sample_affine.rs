use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn grid_sample_affine(
        #[shape(n, c, h, w)] x: &GlobalTensor<f32>,
        #[shape(n, 2, 3)] theta: &GlobalTensor<f32>,
        #[shape(n, c, h, w)] y: &mut GlobalTensor<f32>,
    ) {
        let q = new_axis(h * w);
        let flat = x.view((n, c, q));
        for (i, r, t) in tiles((each(n), each(h), w)) {
            let u = (t.iota() * 2 + 1).cast::<f32>() / w as f32 - 1.0;
            let v = (2 * r + 1) as f32 / h as f32 - 1.0;
            let a = u * theta.at(i, 0, 0).load() + theta.at(i, 0, 1).load() * v + theta.at(i, 0, 2).load();
            let b = u * theta.at(i, 1, 0).load() + theta.at(i, 1, 1).load() * v + theta.at(i, 1, 2).load();
            let (column, row) = (((a + 1.0) * w as f32 - 1.0) * 0.5, ((b + 1.0) * h as f32 - 1.0) * 0.5);
            for j in each(c) {
                let mut sum = full(t, 0.0);
                for p in 0..2 {
                    for s in 0..2 {
                        let (cf, rf) = (column.floor() + s as f32, row.floor() + p as f32);
                        let weight = (1.0 - (column - cf).abs()) * (1.0 - (row - rf).abs());
                        let inside = cf.ge(0.0) & cf.lt(w as f32) & rf.ge(0.0) & rf.lt(h as f32);
                        let at = (rf.cast::<i32>() * w + cf.cast::<i32>()).max(0).min(q - 1);
                        sum = sum + inside.select(flat.at(i, j, at).load() * weight, 0.0);
                    }
                }
                y.at(i, j, r, t).store(sum);
            }
        }
    }
}

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
