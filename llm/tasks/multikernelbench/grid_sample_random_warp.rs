#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn grid_sample_random_warp(
        #[shape(n, c, h, w)] x: &GlobalTensor<f32>,
        #[shape(n, oh, ow, 2)] grid: &GlobalTensor<f32>,
        #[shape(n, c, oh, ow)] y: &mut GlobalTensor<f32>,
    ) {
        let q = new_axis(h * w);
        let flat = x.view((n, c, q));
        for (i, r, t) in tiles((each(n), each(oh), ow)) {
            let column = ((grid.at(i, r, t, 0).load() + 1.0) * w as f32 - 1.0) * 0.5;
            let row = ((grid.at(i, r, t, 1).load() + 1.0) * h as f32 - 1.0) * 0.5;
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
