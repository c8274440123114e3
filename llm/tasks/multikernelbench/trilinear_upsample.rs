#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn trilinear_upsample(
        #[shape(n.., d, h, w)] x: &GlobalTensor<f32>,
        #[shape(n.., od = d * s, oh = h * s, ow = w * s)] y: &mut GlobalTensor<f32>,
        s: usize,
    ) {
        require(s >= 2);
        let column = (ow.iota() * (w - 1)).cast::<f32>() / (ow - 1) as f32;
        let left = column.cast_with::<i32>(RoundMode::Floor).max(0).min(w - 1);
        let share = column - left.cast::<f32>();
        for (q, i, j) in tiles((each(n), each(od), each(oh))) {
            let (front, above) = ((i * (d - 1) / (od - 1)).min(d - 1), (j * (h - 1) / (oh - 1)).min(h - 1));
            let (back, below) = ((front + 1).min(d - 1), (above + 1).min(h - 1));
            let e = (i * (d - 1) % (od - 1)) as f32 / (od - 1) as f32;
            let f = (j * (h - 1) % (oh - 1)) as f32 / (oh - 1) as f32;
            let first = x.at(q, front, above, ..).load().lerp(x.at(q, front, below, ..).load(), f);
            let second = x.at(q, back, above, ..).load().lerp(x.at(q, back, below, ..).load(), f);
            let v = first.lerp(second, e);
            let (a, b) = (v.pick(w, left), v.pick(w, (left + 1).min(w - 1)));
            y.at(q, i, j, ..).store(a + (b - a) * share);
        }
    }
}
