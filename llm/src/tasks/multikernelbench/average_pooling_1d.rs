use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn average_pooling_1d(
        #[shape(n.., w)] x: &GlobalTensor<f32>,
        #[shape(n.., ow = (w + 2 * border - k) / step + 1)] y: &mut GlobalTensor<f32>,
        k: usize,
        step: usize,
        border: usize,
    ) {
        require(step >= 1);
        require(k >= 1);
        require(k <= w + 2 * border);
        for (r, t) in tiles((n, ow)) {
            let mut sum = full((r, t), 0.0);
            for q in 0..k {
                sum = sum + x.at(r, t * step + q - border).load_or(0.0);
            }
            y.at(r, t).store(sum / k as f32);
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (w, k, step, border) = (of.size("w"), of.size("k"), of.size("step"), of.size("border"));
    let ow = (w + 2 * border - k) / step + 1;
    let one = |row: &[f64], i: usize| {
        let inside = (0..k).filter_map(|q| (i * step + q).checked_sub(border)).filter(|at| *at < w);
        let (sum, size) = sums(inside.map(|at| row[at]));
        (sum / k as f64, size / k as f64)
    };
    let (y, size) = unzip(of["x"].chunks(w).flat_map(|row| (0..ow).map(move |i| one(row, i))));
    due_of("y", y, size)
}
